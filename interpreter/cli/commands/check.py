"""`bicorne check`: all mistakes in rulesets, scenarios and overlays, each with its place."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from interpreter.cli.output import FINDINGS, OK, Output, diagnostic_data
from interpreter.language.diagnostics import BicorneError, Diagnostic, Place, RulesetError, UsageError, number_of
from interpreter.rules.documents.discovery import discover, find_ruleset, find_scenario
from interpreter.rules.documents.overlay_files import OverlayName
from interpreter.rules.documents.own_folder import (
    RULESET_FILE,
    document_start,
    documents_in,
    ruleset_around,
    yaml_files,
)
from interpreter.rules.documents.search_path import head_section
from interpreter.rules.loading.load import check_scenario, inspect_ruleset, load_scenario

UNREADABLE = "unreadable file"


@dataclass(frozen=True, slots=True)
class CheckTarget:
    """Something to check: a ruleset's folder, the file of a scenario or an overlay, or a file that can't be read."""

    kind: str
    path: Path


Found = dict[CheckTarget, list[Diagnostic]]


def run(arguments: Namespace, output: Output) -> int:
    """Checks the named targets, or everything installed; returns 1 if there is an error.

    Raises:
        UsageError: if a target is not a ruleset, scenario or overlay, or can't be read.
    """
    style = "json" if output.json else arguments.format
    output.json = style == "json"
    targets = list(dict.fromkeys(_targets(arguments.targets, arguments.path)))
    found = _without_repeats({each: _findings(each, arguments) for each in targets})
    {"text": _print_text, "json": _print_json, "github": _print_annotations}[style](found, output)
    return FINDINGS if any(each.severity == "error" for faults in found.values() for each in faults) else OK


def _findings(target: CheckTarget, arguments: Namespace) -> list[Diagnostic]:
    paths, overlays = arguments.path, arguments.overlays
    if target.kind == UNREADABLE:
        return _why_unreadable(target.path)
    if target.kind == "ruleset":
        check = _check_ruleset_under if overlays else _check_ruleset
        return _diagnostics_of(lambda: check(target.path, overlays, paths))
    if target.kind == "overlay":
        return _diagnostics_of(lambda: _check_overlay(target.path, paths))
    return _diagnostics_of(lambda: _check_scenario(target.path, overlays, paths))


def _check_ruleset(folder: Path, overlays: Sequence[OverlayName], paths: Sequence[str]) -> list[Diagnostic]:
    """Returns the mistakes in a ruleset; if it has no errors, also the warnings of lint."""
    ruleset, found = inspect_ruleset(folder, overlays, paths)
    if ruleset is None:
        return found
    from interpreter.workshop.coverage.lint import lint_ruleset  # noqa: PLC0415 - only for sound rulesets

    return [*found, *lint_ruleset(ruleset)]


def _check_ruleset_under(folder: Path, overlays: Sequence[OverlayName], paths: Sequence[str]) -> list[Diagnostic]:
    """Returns the mistakes in a ruleset under overlays, also those that only their options show."""
    from interpreter.rules.loading.check_overlay import check_toggled_patches  # noqa: PLC0415 - only for overlays

    found = _check_ruleset(folder, overlays, paths)
    return [*dict.fromkeys([*found, *check_toggled_patches(folder, overlays, paths)])]


def _check_scenario(path: Path, overlays: Sequence[OverlayName], paths: Sequence[str]) -> list[Diagnostic]:
    """Returns the mistakes in a scenario; if it has no errors, also the warnings about its texts."""
    found = check_scenario(path, paths, overlays)
    if any(each.severity == "error" for each in found):
        return found
    from interpreter.workshop.coverage.lint import lint_scenario  # noqa: PLC0415 - only for sound scenarios

    return [*found, *lint_scenario(load_scenario(path, paths=paths, overlays=overlays))]


def _check_overlay(path: Path, paths: Sequence[str]) -> list[Diagnostic]:
    """Returns the mistakes in an overlay, and the warnings about its ruleset that only the overlay causes."""
    from interpreter.rules.loading.check_overlay import check_overlay  # noqa: PLC0415 - only for overlays

    checked = check_overlay(path, paths)
    if checked.ruleset is None or any(each.severity == "error" for each in checked.found):
        return checked.found
    bare = _check_ruleset(checked.ruleset, (), paths)
    more = [each for each in _check_ruleset(checked.ruleset, checked.files, paths) if each not in bare]
    return list(dict.fromkeys([*checked.found, *more]))


def _without_repeats(found: Found) -> Found:
    """Keeps each finding only for the first target that has it; a scenario repeats those of its ruleset."""
    seen: set[Diagnostic] = set()
    kept: Found = {}
    for target, faults in found.items():
        kept[target] = [each for each in dict.fromkeys(faults) if each not in seen]
        seen.update(faults)
    return kept


def _diagnostics_of(check: Callable[[], list[Diagnostic]]) -> list[Diagnostic]:
    try:
        return check()
    except RulesetError as error:
        return list(error.diagnostics)


def _why_unreadable(path: Path) -> list[Diagnostic]:
    try:
        document_start(path)
    except RulesetError as error:
        return list(error.diagnostics)
    except UsageError as error:
        return [Diagnostic("unreadable", str(error), Place(str(path)), "put a readable file there, or remove it")]
    return []


# ---------------------------------------------------------------- targets
def _targets(named: Sequence[str], paths: Sequence[str]) -> Iterator[CheckTarget]:
    for each in named:
        yield from _target(each, paths)
    if not named:
        known = discover(paths)
        yield from (CheckTarget("ruleset", each.folder) for each in known.rulesets.values())
        files = [("scenario", each.path) for each in known.scenarios.values()]
        files += [("overlay", each.path) for each in known.overlays.values()]
        for kind, path in files:
            yield CheckTarget(UNREADABLE if _kind_if_readable(path) == UNREADABLE else kind, path)


def _target(name: str, paths: Sequence[str]) -> Iterator[CheckTarget]:
    path = Path(name)
    if path.is_dir():
        yield from _in_folder(path)
    elif path.is_file():
        yield _of_file(path)
    elif name.count("/") == 1:
        yield CheckTarget("scenario", find_scenario(name, paths).path)
    else:
        yield CheckTarget("ruleset", find_ruleset(name, paths).folder)


def _in_folder(folder: Path) -> Iterator[CheckTarget]:
    folder = folder.resolve()
    if (folder / RULESET_FILE).is_file():
        heads = [folder / RULESET_FILE]
        inside = [path for name in ("scenarios", "overlays") for path in documents_in(folder / name)]
    else:
        inside = yaml_files(folder)
        heads = [each for each in inside if each.name == RULESET_FILE]
        inside = [each for each in inside if each.name != RULESET_FILE]
    yield from (CheckTarget("ruleset", each.parent) for each in heads)
    others = [CheckTarget(kind, each) for each in inside if (kind := _kind_if_readable(each))]
    yield from sorted(others, key=lambda each: each.kind, reverse=True)
    if not heads and not others:
        raise UsageError(f"{folder} contains no ruleset ({RULESET_FILE}), scenario or overlay")


def _of_file(path: Path) -> CheckTarget:
    """Returns the scenario or overlay in a file, or the ruleset that the file belongs to."""
    if kind := _kind(path):
        return CheckTarget(kind, path.resolve())
    if (folder := ruleset_around(path.resolve())) is not None:
        return CheckTarget("ruleset", folder)
    message = (
        f"{path} is not a scenario or an overlay and belongs to no ruleset; no folder above it has a {RULESET_FILE}"
    )
    raise UsageError(message)


def _kind_if_readable(path: Path) -> str:
    try:
        return _kind(path)
    except BicorneError:
        return UNREADABLE


def _kind(path: Path) -> str:
    """Returns `scenario` or `overlay` if a file is one, else an empty text."""
    content = document_start(path)
    return next((each for each in ("scenario", "overlay") if head_section(content, each) is not None), "")


# ---------------------------------------------------------------- output
def _print_text(found: Found, output: Output) -> None:
    for faults in found.values():
        for each in faults:
            output.diagnostic(each)
    findings = [each for faults in found.values() for each in faults]
    errors = sum(each.severity == "error" for each in findings)
    counts = [number_of(errors, "error"), number_of(len(findings) - errors, "warning")]
    what = _in_words(
        number_of(sum(each.kind == kind for each in found), kind)
        for kind in ("ruleset", "scenario", "overlay", UNREADABLE)
        if any(each.kind == kind for each in found)
    )
    result = " and ".join(each for each in counts if not each.startswith("0 ")) or "nothing wrong"
    output.line(f"{what or 'nothing'} checked: {result}", "red" if errors else "green")


def _in_words(parts: Iterable[str]) -> str:
    *first, last = [*parts] or [""]
    return f"{', '.join(first)} and {last}" if first else last


def _print_json(found: Found, output: Output) -> None:
    output.document(
        {
            "ok": not any(each.severity == "error" for faults in found.values() for each in faults),
            "checked": [
                {"kind": each.kind, "path": str(each.path), "findings": len(faults)} for each, faults in found.items()
            ],
            "diagnostics": [diagnostic_data(each) for faults in found.values() for each in faults],
        }
    )


def _print_annotations(found: Found, output: Output) -> None:
    for each in (each for faults in found.values() for each in faults):
        where = f"file={_property(_relative(each.place.file))}"
        if each.place.line:
            where += f",line={each.place.line},col={each.place.column}"
        text = each.message + (f"\nhint: {each.hint}" if each.hint else "")
        level = each.severity if each.severity in {"error", "warning"} else "notice"
        output.line(f"::{level} {where},title={_property(each.code)}::{_data(text)}")


def _relative(file: str) -> str:
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
