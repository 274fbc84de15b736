"""`bicorne list`: what there is to play, and where it comes from."""

from __future__ import annotations

from argparse import Namespace

from interpreter.cli.output import OK, Output, diagnostic_data
from interpreter.rules.discovery import Discovery, OverlaySource, RulesetSource, ScenarioSource, discover


def run(arguments: Namespace, output: Output) -> int:
    """Lists rulesets, each with its scenarios and overlays; what can't be read is listed with its fault.

    Raises:
        UsageError: if a `--path` is no folder.
    """
    found = discover(arguments.path)
    rulesets = sorted(found.rulesets.values(), key=lambda each: each.name)
    for each in found.faults:
        output.person(str(each), "yellow")
    for ruleset in rulesets:
        _say_ruleset(ruleset, output)
        _say_scenarios([each for each in _scenarios(found) if each.ruleset == ruleset.name], output)
        _say_overlays([each for each in _overlays(found) if each.ruleset == ruleset.name], output)
    orphans = [each for each in _scenarios(found) if each.ruleset not in found.rulesets]
    if orphans:
        output.line("scenarios whose ruleset is not here", "bold")
        _say_scenarios(orphans, output)
    homeless = [each for each in _overlays(found) if each.ruleset not in found.rulesets]
    if homeless:
        output.line("overlays whose ruleset is not here", "bold")
        _say_overlays(homeless, output)
    if not rulesets and not orphans and not homeless:
        output.line("no rulesets: give --path DIR, set BICORNE_PATH, or begin with 'bicorne new ruleset NAME'")
    output.document(_data(found))
    return OK


def _scenarios(found: Discovery) -> list[ScenarioSource]:
    return sorted(found.scenarios.values(), key=lambda each: each.name)


def _say_ruleset(each: RulesetSource, output: Output) -> None:
    where = str(each.folder) if each.origin == "folder" else f"{each.origin}: {each.folder}"
    output.line(f"{each.name} {each.version}  {each.title}  ({where})", "bold")
    if each.fault is not None:
        output.line(f"  can't be read: {each.fault}", "red")


def _say_scenarios(scenarios: list[ScenarioSource], output: Output) -> None:
    output.table([], [(f"  {each.name}", each.title) for each in scenarios])
    for each in scenarios:
        if each.fault is not None:
            output.line(f"  {each.path} can't be read: {each.fault}", "red")


def _overlays(found: Discovery) -> list[OverlaySource]:
    return sorted(found.overlays.values(), key=lambda each: each.name)


def _say_overlays(overlays: list[OverlaySource], output: Output) -> None:
    output.table([], [(f"  --with {each.name}", each.title) for each in overlays])
    for each in overlays:
        if each.fault is not None:
            output.line(f"  {each.path} can't be read: {each.fault}", "red")


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
        "scenarios": [
            {
                "name": each.name,
                "ruleset": each.ruleset,
                "title": each.title,
                "file": str(each.path),
                "origin": each.origin,
                "fault": None if each.fault is None else diagnostic_data(each.fault),
            }
            for each in _scenarios(found)
        ],
        "overlays": [
            {
                "name": each.name,
                "ruleset": each.ruleset,
                "title": each.title,
                "file": str(each.path),
                "origin": each.origin,
                "fault": None if each.fault is None else diagnostic_data(each.fault),
            }
            for each in _overlays(found)
        ],
        "faults": [*map(diagnostic_data, found.faults)],
    }
