"""Profiles rules: runs random games under Python's profiler, and attributes the times to rules."""

from __future__ import annotations

from bisect import bisect_right
from cProfile import Profile
from dataclasses import dataclass
from pathlib import Path
from pstats import Stats
from time import process_time
from typing import Any

from interpreter.language.diagnostics import NOWHERE
from interpreter.language.model.emitted_names import (
    ACTION,
    DEFINITION,
    HOLDER,
    INSIDE,
    LEGAL,
    MENU,
    MENU_CHOICE,
    MODIFIERS,
    NOW,
    PICK,
    PROCEDURE,
    RESTRICTED,
    RESTRICTIONS,
    SEARCH_RULE,
    STEP,
    STEP_EACH,
    STEP_REPEAT,
    STEP_UNTIL,
    STEP_WHEN,
    STEPS,
    ids_of,
    is_part,
    part_of,
    whole_of,
)
from interpreter.language.model.image import CODE_NAME
from interpreter.play.engine.bulk import Simulation
from interpreter.play.engine.core import Core
from interpreter.rules.loading.load import load_scenario

ENGINE = "the engine itself"
_KINDS = {
    DEFINITION: "definition",
    PROCEDURE: "procedure",
    MODIFIERS: "modifiers",
    RESTRICTED: "restrictions",
    RESTRICTIONS: "restrictions",
    SEARCH_RULE: "search",
    MENU: "menu",
    MENU_CHOICE: "menu",
    LEGAL: "action, allowed",
    PICK: "action, options",
    ACTION: "action",
    STEP: "step",
    STEP_WHEN: "step, when",
    STEP_EACH: "step, each",
    STEP_REPEAT: "step, repeat",
    STEP_UNTIL: "step, until",
    INSIDE: "contents",
    HOLDER: "holder",
}
"""The kinds of emitted functions."""


@dataclass(slots=True)
class Cost:
    """The cost of one rule: `own` and `whole` are shares of the total time, without and with the rules it calls.

    `calls` is the number of calls for each decision, `executions` that of actual runs: fewer if results are memoized.
    """

    rule: str
    kind: str
    own: float = 0.0
    whole: float = 0.0
    calls: float = 0.0
    executions: float = 0.0
    place: str = ""


def profile(name: str, paths: tuple[str, ...], seconds: float) -> list[Cost]:
    """Returns the costs of the rules of a scenario in games of about `seconds`, the most expensive first.

    Raises:
        BicorneError: if the scenario is not found or has mistakes, or a rule fails.
    """
    simulation = Simulation(load_scenario(name, paths=paths))
    simulation.play(0, hashed=False)
    profiler, decisions, game, begun = Profile(), 0, 0, process_time()
    while not game or process_time() - begun < seconds:
        game += 1
        profiler.enable()
        try:
            decisions += simulation.play(game, hashed=False).decisions
        finally:
            profiler.disable()
    return sorted(_costs(Stats(profiler), simulation.core, max(decisions, 1)), key=lambda each: -each.own)


def _costs(stats: Any, core: Core, decisions: int) -> list[Cost]:
    """Returns the cost of each rule.

    `stats.stats` maps `(file, line, function)` to the calls, own and whole time, and to the same for each caller.
    """
    functions = _Functions(core)
    total = stats.total_tt or 1.0
    costs: dict[str, Cost] = {}
    for (file, line, function), (_, calls, own, whole, callers) in stats.stats.items():
        named = functions.at(line) if file == CODE_NAME else None
        if named is not None:
            cost = costs.setdefault(named, functions.cost(named))
            cost.own += own / total
            if not function.startswith("<"):
                cost.whole = max(cost.whole, whole / total)
                cost.calls, cost.executions = (
                    max(cost.calls, calls / decisions),
                    _least(cost.executions, calls / decisions),
                )
            continue
        for (caller_file, caller_line, _), (_, _, own_time, _) in callers.items():
            rule = functions.at(caller_line) if caller_file == CODE_NAME and file == "~" else None
            costs.setdefault(rule or ENGINE, functions.cost(rule or ENGINE)).own += own_time / total
    return list(costs.values())


def _least(known: float, other: float) -> float:
    return min(known, other) if known else other


class _Functions:
    """The emitted functions of a game, by their lines."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._lines: list[int] = []
        self._names: list[str] = []
        for number, text in enumerate(core.unit.source.split("\n"), 1):
            if text.startswith("def "):
                self._lines.append(number)
                self._names.append(text[4 : text.index("(")])

    def at(self, line: int) -> str | None:
        """Returns the function that contains a line; a memoized function has the name by which it is called."""
        found = bisect_right(self._lines, line) - 1
        if found < 0:
            return None
        name = self._names[found]
        return whole_of(name) if is_part(name, NOW) else name

    def cost(self, name: str) -> Cost:
        """Returns an empty cost entry of a rule."""
        if name == ENGINE:
            return Cost(ENGINE, "")
        kind = next((text for category, text in _KINDS.items() if category.owns(name)), "")
        if is_part(name, STEPS):
            kind = "search, table"
        return Cost(".".join(ids_of(name)), kind, place=self._place(name))

    def _place(self, name: str) -> str:
        own: Any = self._core.names.get(part_of(name, NOW)) or self._core.names.get(name)
        if not hasattr(own, "__code__") or INSIDE.owns(name) or HOLDER.owns(name):
            return ""
        place = self._core.place_of(own)
        return "" if place is NOWHERE else f"{_from_here(place.file)}:{place.line}"


def _from_here(file: str) -> str:
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file
