"""Opens the ruleset or scenario that is named on the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from interpreter.language.diagnostics import UsageError, did_you_mean
from interpreter.rules.documents.overlay_files import OverlayName
from interpreter.rules.documents.own_folder import documents_in
from interpreter.rules.documents.search_path import installed_scenario, scenario_named
from interpreter.rules.loading.ruleset import Scenario

if TYPE_CHECKING:
    from interpreter.play.records.recording import Header

Source = TypeVar("Source")
_NO_OPTIONS: Mapping[str, object] = {}


def open_scenario(
    name: str,
    options: Mapping[str, object] = _NO_OPTIONS,
    paths: Sequence[str] = (),
    overlays: Sequence[OverlayName] = (),
) -> Scenario:
    """Returns the scenario `ruleset/scenario`, of a file, or the only one of a ruleset, with overlays applied.

    In each of these forms a folder means its ruleset, also if an installed ruleset has the same id.

    Raises:
        UsageError: if there is no such scenario, or the ruleset has several.
        RulesetError: with all mistakes in it.
    """
    from interpreter.rules.loading.load import load_scenario  # noqa: PLC0415 - listing and help start without it

    path = Path(name)
    if path.is_file():
        return load_scenario(name, options, paths, overlays)
    if _is_ruleset(path):
        return load_scenario(_only_scenario_in(path, paths), options, (name, *paths), overlays)
    if "/" not in name:
        return load_scenario(_only_scenario(name, paths), options, paths, overlays)
    if _is_ruleset(path.parent) and installed_scenario(name, paths) is None:
        inside = _scenario_in(path.parent, path.name, paths)
        return load_scenario(inside, options, (str(path.parent), *paths), overlays)
    return load_scenario(name, options, paths, overlays)


def open_recorded(
    header: Header, paths: Sequence[str] = (), overlays: Sequence[OverlayName] | None = None, *, loose: bool = False
) -> Scenario:
    """Returns the scenario of a recorded game, with the options and overlays of the record.

    It is found by its name, which is never taken for a path. `overlays` replace those of the record; `loose` leaves out
    options that do not exist under them.

    Raises:
        UsageError: if the scenario is not found.
        RulesetError: with all mistakes in it now.
    """
    from interpreter.play.records.recording import option_values  # noqa: PLC0415 - listing and help start without it
    from interpreter.rules.loading.load import load_scenario  # noqa: PLC0415 - as above

    applied = header.overlays if overlays is None else overlays
    try:
        path = _recorded_scenario(header, paths)
        usual = load_scenario(path, {}, paths, applied)
        known = option_values(usual.ruleset.image)
        wanted = header.options if applied is header.overlays else _options_under(header, applied)
        settings = {
            option: value for option, value in wanted.items() if known.get(option, value if loose else None) != value
        }
        return load_scenario(path, settings, paths, applied) if settings else usual
    except UsageError as error:
        asked_by = "in its header: " if overlays is None else ""
        raise UsageError(
            f"{asked_by}{error}\n"
            "if the ruleset of the game is in another folder, give that folder with --path; else use a copy of the file"
        ) from error


def _recorded_scenario(header: Header, paths: Sequence[str]) -> Path:
    """Returns the file of the scenario that a record names, or of the only scenario of its ruleset.

    Raises:
        UsageError: if there is none with this name.
    """
    from interpreter.rules.documents.discovery import find_ruleset, find_scenario  # noqa: PLC0415 - reads YAML

    if not header.scenario:
        ruleset, scenarios = scenarios_for(find_ruleset(header.ruleset, paths, by_name=True).folder, paths)
        if len(scenarios) > 1:
            raise UsageError(f"it names no scenario, and '{ruleset}' has several: {', '.join(sorted(scenarios))}")
        return _only_one(ruleset, scenarios)
    return scenario_named(header.scenario, paths) or find_scenario(header.scenario, paths, by_name=True).path


def _options_under(header: Header, applied: Sequence[OverlayName]) -> dict[str, object]:
    """Returns the options of a recorded game under the names that they have with other overlays."""
    from interpreter.rules.overlays.option_conditions import rename_options  # noqa: PLC0415 - reads overlays

    return rename_options(header.options, header.overlays, applied)


def _is_ruleset(folder: Path) -> bool:
    return (folder / "ruleset.yaml").is_file()


def _only_scenario(ruleset: str, paths: Sequence[str]) -> str | Path:
    from interpreter.rules.documents.discovery import find_ruleset, list_scenarios  # noqa: PLC0415 - reads YAML

    own = find_ruleset(ruleset, paths).name
    return _only_one(own, {each.name: each.name for each in list_scenarios(paths) if each.ruleset == own})


def _scenario_in(folder: Path, name: str, paths: Sequence[str]) -> Path:
    """Returns the scenario with this name of the ruleset in a folder."""
    _, scenarios = scenarios_for(folder, paths)
    known = {full.partition("/")[2]: path for full, path in scenarios.items()}
    if name not in known:
        hint = did_you_mean(name, known) or f"it has: {', '.join(sorted(known)) or 'none'}"
        raise UsageError(f"the ruleset in {folder} has no scenario '{name}'\n{hint}")
    return known[name]


def _only_scenario_in(folder: Path, paths: Sequence[str]) -> Path:
    ruleset, scenarios = scenarios_for(folder, paths)
    return _only_one(ruleset, scenarios)


def scenarios_for(folder: Path, paths: Sequence[str]) -> tuple[str, dict[str, Path]]:
    """Returns the id of the ruleset in a folder and its scenarios: those in the folder, else those found elsewhere."""
    from interpreter.rules.documents.discovery import find_ruleset, list_scenarios  # noqa: PLC0415 - reads YAML

    own = find_ruleset(folder, paths).name
    inside = {f"{own}/{each.stem}": each for each in documents_in(folder / "scenarios")}
    return own, inside or {each.name: each.path for each in list_scenarios(paths) if each.ruleset == own}


def _only_one(ruleset: str, scenarios: Mapping[str, Source]) -> Source:
    if len(scenarios) == 1:
        return next(iter(scenarios.values()))
    if not scenarios:
        raise UsageError(f"the ruleset '{ruleset}' has no scenario; write one, or name a scenario file")
    raise UsageError(f"'{ruleset}' has several scenarios; name one: {', '.join(sorted(scenarios))}")
