"""`bicorne list`: what there is to play, and where it comes from."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from interpreter.cli.output import OK, Output, diagnostic_data
from interpreter.language.model.program import Option
from interpreter.language.runtime.values import shown
from interpreter.rules.documents.discovery import (
    Discovery,
    OverlaySource,
    RulesetSource,
    ScenarioSource,
    discover,
    find_ruleset,
)
from interpreter.rules.linking.attribute_values import describe_settings

_Upon = ScenarioSource | OverlaySource
"""What belongs to a ruleset and lies in a file of its own."""
_LAID = "--with "


def run(arguments: Namespace, output: Output) -> int:
    """Lists rulesets, each with its scenarios and overlays; what can't be read is listed with its fault.

    Raises:
        UsageError: if a `--path` is no folder, or there is no such ruleset.
        RulesetError: if one that is asked for has mistakes.
    """
    if arguments.ruleset is not None:
        return _one(arguments, output)
    found = discover(arguments.path)
    rulesets = sorted(found.rulesets.values(), key=lambda each: each.name)
    for each in found.faults:
        output.person(str(each), "yellow")
    for ruleset in rulesets:
        _say_ruleset(ruleset, output)
        _say_upon([each for each in _scenarios(found) if each.ruleset == ruleset.name], output)
        _say_upon([each for each in _overlays(found) if each.ruleset == ruleset.name], output, _LAID)
    orphans = [each for each in _scenarios(found) if each.ruleset not in found.rulesets]
    if orphans:
        output.line("scenarios whose ruleset is not here", "bold")
        _say_upon(orphans, output)
    homeless = [each for each in _overlays(found) if each.ruleset not in found.rulesets]
    if homeless:
        output.line("overlays whose ruleset is not here", "bold")
        _say_upon(homeless, output, _LAID)
    if not rulesets and not orphans and not homeless:
        output.line("no rulesets: give --path DIR, set BICORNE_PATH, or begin with 'bicorne new ruleset NAME'")
    output.document(_data(found))
    return OK


def _one(arguments: Namespace, output: Output) -> int:
    """A single ruleset, what belongs to it, and its options."""
    from interpreter.rules.loading.load import load_ruleset  # noqa: PLC0415 - the list of all needs no rules

    found = discover(arguments.path)
    source = found.rulesets.get(arguments.ruleset) or find_ruleset(arguments.ruleset, arguments.path)
    options = load_ruleset(source.folder, paths=arguments.path).program.options.values()
    own = Discovery(
        {source.name: source},
        {name: each for name, each in found.scenarios.items() if each.ruleset == source.name},
        {name: each for name, each in found.overlays.items() if each.ruleset == source.name},
    )
    _say_ruleset(source, output)
    _say_upon(_scenarios(own), output)
    _say_upon(_overlays(own), output, _LAID)
    if options:
        output.line("options, with their defaults (--option NAME=VALUE)", "bold")
        output.table([], [_told(each) for each in options])
    output.document(_data(own) | {"options": [*map(_option_data, options)]})
    return OK


def _told(option: Option) -> tuple[str, str, str]:
    cites = f"  [{', '.join(option.cites)}]" if option.cites else ""
    return f"  {option.name}", shown(option.default), f"{option.says}{_range(option)}{cites}"


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


def _say_ruleset(each: RulesetSource, output: Output) -> None:
    where = str(each.folder) if each.origin == "folder" else f"{each.origin}: {each.folder}"
    output.line(f"{each.name} {each.version}  {each.title}  ({where})", "bold")
    if each.fault is not None:
        output.line(f"  can't be read: {each.fault}", "red")


def _say_upon(sources: Sequence[_Upon], output: Output, mark: str = "") -> None:
    output.table([], [(f"  {mark}{each.name}", each.title) for each in sources])
    for each in sources:
        if each.fault is not None:
            output.line(f"  {each.path} can't be read: {each.fault}", "red")


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
        "scenarios": [*map(_upon_ruleset, _scenarios(found))],
        "overlays": [*map(_upon_ruleset, _overlays(found))],
        "faults": [*map(diagnostic_data, found.faults)],
    }


def _upon_ruleset(each: _Upon) -> dict[str, object]:
    return {
        "name": each.name,
        "ruleset": each.ruleset,
        "title": each.title,
        "file": str(each.path),
        "origin": each.origin,
        "fault": None if each.fault is None else diagnostic_data(each.fault),
    }
