"""`bicorne list`: the rulesets, scenarios and overlays that are found, and where they come from."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from interpreter.cli.output import OK, Output, diagnostic_data
from interpreter.language.diagnostics import UsageError
from interpreter.language.model.program import Option
from interpreter.language.runtime.values import value_text
from interpreter.language.visible_text import visible_line
from interpreter.rules.documents.discovery import (
    Discovery,
    OverlaySource,
    RulesetSource,
    ScenarioSource,
    discover,
    discover_in,
    find_ruleset,
    find_scenario,
)
from interpreter.rules.documents.own_folder import RULESET_FILE
from interpreter.rules.linking.option_settings import describe_settings

_Dependent = ScenarioSource | OverlaySource
"""A scenario or an overlay: a file that depends on a ruleset."""
_WITH = "--with "


def run(arguments: Namespace, output: Output) -> int:
    """Lists rulesets with their scenarios and overlays, or one ruleset, scenario or folder.

    An unreadable file is listed with its error.

    Raises:
        UsageError: if a `--path` is not a folder, or there is no such ruleset.
        RulesetError: if the ruleset asked for has mistakes.
    """
    if arguments.overlays and arguments.ruleset is None:
        raise UsageError("'--with' needs a ruleset or a scenario to apply the overlay to")
    if arguments.ruleset is not None:
        found = discover(arguments.path)
        if arguments.ruleset not in found.rulesets and _names_scenario(arguments.ruleset, arguments.path):
            return _list_scenario(arguments, output)
        if _is_folder_of_several(arguments.ruleset) and arguments.ruleset not in found.rulesets:
            if arguments.overlays:
                raise UsageError(f"'--with' needs one ruleset or scenario; there are several in {arguments.ruleset}")
            return _list_found(discover_in(Path(arguments.ruleset), arguments.path), output)
        return _list_one(arguments, output)
    return _list_found(discover(arguments.path), output)


def _is_folder_of_several(name: str) -> bool:
    return Path(name).is_dir() and not (Path(name) / RULESET_FILE).is_file()


def _list_found(found: Discovery, output: Output) -> int:
    rulesets = sorted(found.rulesets.values(), key=lambda each: each.name)
    for each in found.faults:
        output.message(str(each), "yellow")
    for ruleset in rulesets:
        _print_ruleset(ruleset, output)
        _print_dependents([each for each in _scenarios(found) if each.ruleset == ruleset.name], output)
        _print_dependents([each for each in _overlays(found) if each.ruleset == ruleset.name], output, _WITH)
    orphaned_scenarios = [each for each in _scenarios(found) if each.ruleset not in found.rulesets]
    if orphaned_scenarios:
        output.line("scenarios whose ruleset is not found", "bold")
        _print_dependents(orphaned_scenarios, output)
    orphaned_overlays = [each for each in _overlays(found) if each.ruleset not in found.rulesets]
    if orphaned_overlays:
        output.line("overlays whose ruleset is not found", "bold")
        _print_dependents(orphaned_overlays, output, _WITH)
    if not rulesets and not orphaned_scenarios and not orphaned_overlays:
        output.line(
            "no rulesets found; give --path DIR, set BICORNE_PATH, or create one with 'bicorne new ruleset NAME'"
        )
    output.document(_data(found))
    return OK


def _list_one(arguments: Namespace, output: Output) -> int:
    """Lists a single ruleset with its scenarios, overlays and options."""
    from interpreter.rules.loading.load import load_ruleset  # noqa: PLC0415 - the list of all needs no rules

    found = discover(arguments.path)
    source = found.rulesets.get(arguments.ruleset)
    if source is None:
        source = find_ruleset(arguments.ruleset, arguments.path)
        found = discover((source.folder, *arguments.path))
    options = load_ruleset(source.folder, paths=arguments.path, overlays=arguments.overlays).program.options.values()
    own = Discovery(
        {source.name: source},
        {name: each for name, each in found.scenarios.items() if each.ruleset == source.name},
        {name: each for name, each in found.overlays.items() if each.ruleset == source.name},
    )
    _print_ruleset(source, output)
    _print_dependents(_scenarios(own), output)
    _print_dependents(_overlays(own), output, _WITH)
    if options:
        output.line("options, with their defaults (--option NAME=VALUE)", "bold")
        output.table([], [_option_row(each) for each in options])
    output.document(_data(own) | {"options": [*map(_option_data, options)]})
    return OK


def _names_scenario(name: str, paths: Sequence[str]) -> bool:
    try:
        find_scenario(name, paths)
    except UsageError:
        return False
    return True


def _list_scenario(arguments: Namespace, output: Output) -> int:
    """Lists a single scenario: its seats, what it is about, what wins, and how it stands at the start."""
    from interpreter.cli.open import open_scenario  # noqa: PLC0415 - the list of all needs no rules
    from interpreter.console.standing_text import briefing_lines  # noqa: PLC0415 - as above
    from interpreter.play.game import Game  # noqa: PLC0415 - as above
    from interpreter.simulation.balance import balance_of  # noqa: PLC0415 - as above

    scenario = open_scenario(arguments.ruleset, paths=arguments.path, overlays=arguments.overlays)
    game = Game(scenario)
    names = {each.id: game.source.wording.of(each) for each in game.core.seats}
    seats = {seat: names[seat] for seat in scenario.seats or names if seat in names}
    output.line(f"{scenario.name}  {scenario.title}  ({scenario.path})", "bold")
    output.lines("\n".join([f"  {each}" for each in briefing_lines(game, None)]))
    output.line("seats (--seat SEAT=PLAYER)", "bold")
    output.table([], [(f"  {seat}", name) for seat, name in seats.items()])
    balance = balance_of(scenario)
    if balance:
        output.line("balance of games of a player against itself, with the 95 % interval", "bold")
        output.lines("\n".join(f"  {each.text(names, prefix=_WITH)}" for each in balance))
    output.document(
        {
            "name": scenario.name,
            "title": scenario.title,
            "seats": seats,
            "standing": [each.as_data() for each in game.standing()],
            "balance": [each.as_data() for each in balance],
        }
    )
    return OK


def _option_row(option: Option) -> tuple[str, str, str]:
    cites = f"  [{', '.join(option.cites)}]" if option.cites else ""
    return f"  {option.name}", value_text(option.default), f"{option.says}{_range(option)}{cites}"


def _range(option: Option) -> str:
    return "" if isinstance(option.default, bool) else f" ({describe_settings(option)})"


def _option_data(option: Option) -> dict[str, object]:
    return {
        "name": option.name,
        "type": str(option.type),
        "default": option.default,
        "says": option.says,
        "choices": list(option.choices),
        "least": option.least,
        "most": option.most,
        "cite": list(option.cites),
    }


def _scenarios(found: Discovery) -> list[ScenarioSource]:
    return sorted(found.scenarios.values(), key=lambda each: each.name)


def _print_ruleset(each: RulesetSource, output: Output) -> None:
    where = str(each.folder) if each.origin == "folder" else f"{each.origin}: {each.folder}"
    output.line(f"{each.name} {each.version}  {each.title}  ({where})", "bold")
    if each.fault is not None:
        output.lines(f"  can't be read: {each.fault}", "red")


def _print_dependents(sources: Sequence[_Dependent], output: Output, prefix: str = "") -> None:
    output.table([], [(f"  {prefix}{each.name}", each.title) for each in sources])
    for each in sources:
        if each.fault is not None:
            output.lines(f"  {visible_line(str(each.path))} can't be read: {each.fault}", "red")


def _overlays(found: Discovery) -> list[OverlaySource]:
    return sorted(found.overlays.values(), key=lambda each: each.name)


def _data(found: Discovery) -> dict[str, object]:
    return {
        "rulesets": [
            {
                "name": each.name,
                "version": each.version,
                "title": each.title,
                "folder": str(each.folder),
                "origin": each.origin,
                "fault": None if each.fault is None else diagnostic_data(each.fault),
            }
            for each in sorted(found.rulesets.values(), key=lambda each: each.name)
        ],
        "scenarios": [*map(_dependent_data, _scenarios(found))],
        "overlays": [*map(_dependent_data, _overlays(found))],
        "faults": [*map(diagnostic_data, found.faults)],
    }


def _dependent_data(each: _Dependent) -> dict[str, object]:
    return {
        "name": each.name,
        "ruleset": each.ruleset,
        "title": each.title,
        "file": str(each.path),
        "origin": each.origin,
        "fault": None if each.fault is None else diagnostic_data(each.fault),
    }
