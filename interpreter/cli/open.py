"""From what a person names on the command line to the ruleset or scenario that is meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from interpreter.language.diagnostics import UsageError, did_you_mean
from interpreter.rules.documents.overlay_files import OverlayName
from interpreter.rules.documents.search_path import locate_scenario
from interpreter.rules.loading.ruleset import Scenario

if TYPE_CHECKING:
    from interpreter.play.records.recording import Header

Source = TypeVar("Source")
_NONE: Mapping[str, object] = {}


def open_scenario(
    name: str,
    options: Mapping[str, object] = _NONE,
    paths: Sequence[str] = (),
    overlays: Sequence[OverlayName] = (),
) -> Scenario:
    """The scenario of a name `ruleset/scenario`, in a file, or the only one of a ruleset, with overlays laid on.

    A folder stands for its ruleset in all of these, and is then played even where an installed one has the same id.

    Raises:
        UsageError: if there is none, or the ruleset named has several.
        RulesetError: with everything that is wrong with it.
    """
    from interpreter.rules.loading.load import load_scenario  # noqa: PLC0415 - listing and help start without it

    path = Path(name)
    if path.is_file():
        return load_scenario(name, options, paths, overlays)
    if _is_ruleset(path):
        return load_scenario(_only_scenario_in(path, paths), options, (name, *paths), overlays)
    if "/" not in name:
        return load_scenario(_only_scenario(name, paths), options, paths, overlays)
    if _is_ruleset(path.parent) and locate_scenario(name, paths) is None:
        inside = _scenario_in(path.parent, path.name, paths)
        return load_scenario(inside, options, (str(path.parent), *paths), overlays)
    return load_scenario(name, options, paths, overlays)


def open_recorded(
    header: Header, paths: Sequence[str] = (), overlays: Sequence[OverlayName] | None = None, *, loose: bool = False
) -> Scenario:
    """The scenario that a recorded game is a game of, with its options and the overlays that were kept with it.

    `overlays` are laid on in place of those; `loose` leaves out options that there are not under them.

    Raises:
        UsageError: if it isn't here.
        RulesetError: with everything that is wrong with it now.
    """
    from interpreter.play.records.recording import option_values  # noqa: PLC0415 - listing and help start without it

    name = header.scenario or header.ruleset
    laid = header.overlays if overlays is None else overlays
    try:
        usual = open_scenario(name, {}, paths, laid)
        known = option_values(usual.ruleset.image)
        asked = header.options if laid is header.overlays else _followed(header, laid)
        settings = {
            option: value for option, value in asked.items() if known.get(option, value if loose else None) != value
        }
        return open_scenario(name, settings, paths, laid) if settings else usual
    except UsageError as error:
        raise UsageError(
            f"{error}\nif the game was played from a folder of its own, name that one by --path"
        ) from error


def _followed(header: Header, laid: Sequence[OverlayName]) -> dict[str, object]:
    """The settings of a recorded game by the names that options have under other overlays."""
    from interpreter.rules.overlays.option_conditions import follow_options  # noqa: PLC0415 - reads overlays

    return follow_options(header.options, header.overlays, laid)


def _is_ruleset(folder: Path) -> bool:
    return (folder / "ruleset.yaml").is_file()


def _only_scenario(ruleset: str, paths: Sequence[str]) -> str | Path:
    from interpreter.rules.documents.discovery import find_ruleset, list_scenarios  # noqa: PLC0415 - reads YAML

    own = find_ruleset(ruleset, paths).name
    return _the_one(own, {each.name: each.name for each in list_scenarios(paths) if each.ruleset == own})


def _scenario_in(folder: Path, name: str, paths: Sequence[str]) -> Path:
    """The scenario of this name for the ruleset in a folder."""
    _, scenarios = scenarios_for(folder, paths)
    known = {full.partition("/")[2]: path for full, path in scenarios.items()}
    if name not in known:
        hint = did_you_mean(name, known) or f"it has: {', '.join(sorted(known)) or 'none'}"
        raise UsageError(f"the ruleset in {folder} has no scenario '{name}'\n{hint}")
    return known[name]


def _only_scenario_in(folder: Path, paths: Sequence[str]) -> Path:
    ruleset, scenarios = scenarios_for(folder, paths)
    return _the_one(ruleset, scenarios)


def scenarios_for(folder: Path, paths: Sequence[str]) -> tuple[str, dict[str, Path]]:
    """The id of the ruleset in a folder, and its scenarios: those in the folder, else those found elsewhere."""
    from interpreter.rules.documents.discovery import find_ruleset, list_scenarios  # noqa: PLC0415 - reads YAML

    own = find_ruleset(folder, paths).name
    inside = {f"{own}/{each.stem}": each for each in sorted((folder / "scenarios").glob("*.yaml"))}
    return own, inside or {each.name: each.path for each in list_scenarios(paths) if each.ruleset == own}


def _the_one(ruleset: str, scenarios: Mapping[str, Source]) -> Source:
    if len(scenarios) == 1:
        return next(iter(scenarios.values()))
    if not scenarios:
        raise UsageError(f"the ruleset '{ruleset}' has no scenario; write one, or name a file")
    raise UsageError(f"'{ruleset}' has several scenarios; name one: {', '.join(sorted(scenarios))}")
