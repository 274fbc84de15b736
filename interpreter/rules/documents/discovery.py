"""Finds rulesets, scenarios and overlays: in given folders, in the package's own data, and in plugins.

Only the heads of files are read here; their contents are checked when a ruleset is loaded.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.language.diagnostics import BicorneError, Diagnostic, Place, RulesetError, UsageError, did_you_mean
from interpreter.rules.documents.nodes import Mapping, Node, Plain, as_plain_data, shortened
from interpreter.rules.documents.overlay_files import overlay_files
from interpreter.rules.documents.own_folder import RULESET_FILE, documents_in
from interpreter.rules.documents.search_path import (
    head_section,
    locate_ruleset,
    locate_scenario,
    roots,
    ruleset_named,
    scenario_named,
)
from interpreter.rules.documents.yaml_reader import read_bytes, read_yaml_bytes


@dataclass(frozen=True, slots=True)
class RulesetSource:
    """A ruleset that was found; `origin` names its source, `fault` is set if its head can't be read."""

    name: str
    folder: Path
    origin: str
    version: str
    title: str
    fault: Diagnostic | None = None


@dataclass(frozen=True, slots=True)
class ScenarioSource:
    """A scenario that was found; `name` is `ruleset/scenario`."""

    name: str
    path: Path
    ruleset: str
    origin: str
    title: str
    fault: Diagnostic | None = None


@dataclass(frozen=True, slots=True)
class OverlaySource:
    """An overlay that was found; `ruleset` is the id of the ruleset it is for."""

    name: str
    path: Path
    ruleset: str
    origin: str
    title: str
    fault: Diagnostic | None = None


@dataclass(slots=True)
class Discovery:
    """Everything that was found, the first of each name, and the faults of plugins."""

    rulesets: dict[str, RulesetSource] = field(default_factory=dict)
    scenarios: dict[str, ScenarioSource] = field(default_factory=dict)
    overlays: dict[str, OverlaySource] = field(default_factory=dict)
    faults: list[Diagnostic] = field(default_factory=list)


def discover(paths: Iterable[str | Path] = ()) -> Discovery:
    """Finds rulesets, scenarios and overlays in `paths`, `BICORNE_PATH`, the package and its plugins, in this order.

    Raises:
        UsageError: if one of `paths` isn't a folder.
    """
    found = Discovery()
    for root in roots(paths, found.faults):
        for folder in root.rulesets():
            ruleset = _ruleset_source(folder, root.origin)
            found.rulesets.setdefault(ruleset.name, ruleset)
        for path in root.scenarios():
            scenario = _scenario_source(path, root.origin)
            found.scenarios.setdefault(scenario.name, scenario)
        for path in overlay_files(root):
            overlay = _overlay_source(path, root.origin)
            found.overlays.setdefault(overlay.name, overlay)
    return found


def discover_in(folder: Path, paths: Iterable[str | Path] = ()) -> Discovery:
    """Finds the rulesets, scenarios and overlays inside a folder, and the rulesets that these are for.

    Raises:
        UsageError: if nothing is inside, or one of `paths` isn't a folder.
    """
    inside = folder.absolute()
    around = [each for each in (inside, *inside.parents[:2]) if each.is_dir()]
    found = discover((*around, *paths))
    scenarios = {name: each for name, each in found.scenarios.items() if inside in each.path.absolute().parents}
    overlays = {name: each for name, each in found.overlays.items() if inside in each.path.absolute().parents}
    named = {each.ruleset for each in scenarios.values()} | {each.ruleset for each in overlays.values()}
    rulesets = {
        name: each
        for name, each in found.rulesets.items()
        if name in named or inside in (each.folder.absolute(), *each.folder.absolute().parents)
    }
    if not (rulesets or scenarios or overlays):
        raise UsageError(f"{folder} has no ruleset, scenario or overlay; name a folder that has some")
    return Discovery(rulesets, scenarios, overlays, found.faults)


def list_rulesets(paths: Iterable[str | Path] = ()) -> list[RulesetSource]:
    """Returns every ruleset that is found, sorted by name."""
    return sorted(discover(paths).rulesets.values(), key=lambda each: each.name)


def list_scenarios(paths: Iterable[str | Path] = ()) -> list[ScenarioSource]:
    """Returns every scenario that is found, sorted by name."""
    return sorted(discover(paths).scenarios.values(), key=lambda each: each.name)


def find_ruleset(name_or_path: str | Path, paths: Iterable[str | Path] = (), *, by_name: bool = False) -> RulesetSource:
    """Finds a ruleset by name or folder. A name from a file is only searched `by_name`: it is never a path.

    Raises:
        UsageError: if there is none.
    """
    known = discover(paths)
    if isinstance(name_or_path, str) and name_or_path in known.rulesets:
        return known.rulesets[name_or_path]
    named = ruleset_named(str(name_or_path), paths) if by_name else locate_ruleset(name_or_path)
    if named is not None:
        return _ruleset_source(named, "folder")
    if not by_name and os.path.isdir(name_or_path):  # noqa: PTH112 - unlike Path, it accepts invalid names
        raise UsageError(f"{name_or_path} is not a ruleset: it has no {RULESET_FILE}")
    if not by_name and "/" in str(name_or_path) and locate_ruleset(Path(name_or_path).parent) is not None:
        raise UsageError(_no_scenario_in(Path(name_or_path)))
    raise UsageError(_unknown("ruleset", str(name_or_path), known.rulesets, known.faults))


def find_scenario(
    name_or_path: str | Path, paths: Iterable[str | Path] = (), *, by_name: bool = False
) -> ScenarioSource:
    """Finds a scenario by its name `ruleset/scenario` or its file. A name from a file is only searched `by_name`.

    Raises:
        UsageError: if there is none.
        RulesetError: if the path leads out of its own folder.
    """
    known = discover(paths)
    if isinstance(name_or_path, str) and name_or_path in known.scenarios:
        return known.scenarios[name_or_path]
    named = scenario_named(str(name_or_path), paths) if by_name else locate_scenario(name_or_path)
    if named is not None:
        return _scenario_source(named, "file")
    if not by_name and os.path.lexists(name_or_path):
        read_bytes(Path(name_or_path))  # says why it can't be one
    raise UsageError(_unknown("scenario", str(name_or_path), known.scenarios, known.faults))


def _no_scenario_in(path: Path) -> str:
    """Returns the message for `folder/scenario` where a ruleset is wanted, or where there is no such scenario."""
    if locate_scenario(path) is not None:
        return f"{path} is a scenario, and a ruleset is wanted\ngive only the ruleset: {path.parent}"
    known = [each.stem for each in documents_in(path.parent / "scenarios")]
    hint = did_you_mean(path.name, known)
    return "\n".join(filter(None, [f"the ruleset in {path.parent} has no scenario '{shortened(path.name)}'", hint]))


def _unknown(what: str, name: str, known: Iterable[str], faults: Sequence[Diagnostic]) -> str:
    lines = [f"there is no {what} '{shortened(name)}'"]
    if what == "ruleset" and name.partition("/")[0] in [*known]:
        lines.append(f"give only the ruleset: {name.partition('/')[0]}")
    elif (hint := did_you_mean(name, known)) is not None:
        lines.append(hint)
    lines.append(f"give a name from 'bicorne list', or a {'folder' if what == 'ruleset' else 'file'}")
    lines += [str(each) for each in faults]
    return "\n".join(lines)


# ---------------------------------------------------------------- heads of files
def _ruleset_source(folder: Path, origin: str) -> RulesetSource:
    head, fault = _head(folder / RULESET_FILE, "ruleset")
    name = _text(head.get("id")) or folder.name
    return RulesetSource(
        name, folder, origin, _text(head.get("version")) or "?", _text(head.get("title")) or name, fault
    )


def _scenario_source(path: Path, origin: str) -> ScenarioSource:
    head, fault = _head(path, "scenario")
    ruleset = _text(head.get("ruleset")) or path.parent.name
    name = _text(head.get("id")) or path.stem
    return ScenarioSource(f"{ruleset}/{name}", path, ruleset, origin, _text(head.get("title")) or name, fault)


def _overlay_source(path: Path, origin: str) -> OverlaySource:
    head, fault = _head(path, "overlay")
    name = _text(head.get("id")) or path.stem
    return OverlaySource(name, path, _text(head.get("for")), origin, _text(head.get("title")) or name, fault)


def _head(path: Path, section: str) -> tuple[dict[str, Plain], Diagnostic | None]:
    """Returns the head of a document; returns a fault instead of raising, so that a broken file doesn't hide others."""
    try:
        root = _head_node(path, section)
    except RulesetError as error:
        return {}, error.diagnostics[0]
    except BicorneError as error:
        return {}, Diagnostic("unreadable", str(error), Place(str(path)))
    head = root.get(section) if isinstance(root, Mapping) else None
    if isinstance(head, Mapping):
        return {key: as_plain_data(value) for key, value in head.items.items()}, None
    return {}, Diagnostic("missing-key", f"the document lacks the section '{section}'", Place(str(path)))


def _head_node(path: Path, section: str) -> Node:
    """Parses only the head section if it begins at the left margin; otherwise the whole document."""
    content = read_bytes(path)
    if (bounds := head_section(content, section)) is None:
        return read_yaml_bytes(content, str(path))
    before = b"\n" * content.count(b"\n", 0, bounds[0])
    return read_yaml_bytes(before + content[bounds[0] : bounds[1]], str(path))


def _text(value: Plain) -> str:
    """Returns a text for a list: the English one if there are several."""
    if isinstance(value, dict):
        value = value.get("en", next(iter(value.values()), ""))
    return "" if value is None else str(value)
