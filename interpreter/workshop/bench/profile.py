"""Which rules take the time: games at random under Python's profiler, its figures put back to the rules."""

from __future__ import annotations

from bisect import bisect_right
from cProfile import Profile
from dataclasses import dataclass
from pathlib import Path
from pstats import Stats
from time import process_time
from typing import Any

from interpreter.language.codegen.emit import CODE_NAME
from interpreter.language.diagnostics import NOWHERE
from interpreter.play.engine.bulk import Simulation
from interpreter.play.engine.core import Core
from interpreter.rules.loading.load import load_scenario

ENGINE = "the engine itself"
_SORTS = {
    "d": "definition",
    "any": "definition, any",
    "p": "procedure",
    "m": "modifiers",
    "b": "restrictions",
    "x": "restrictions",
    "r": "search",
    "mo": "menu",
    "mt": "menu",
    "al": "action, allowed",
    "ap": "action, options",
    "ar": "action",
    "s": "step",
    "sw": "step, when",
    "se": "step, each",
    "sr": "step, repeat",
    "su": "step, until",
    "in": "contents",
    "up": "holder",
    "w": "search, table",
}
"""What emitted functions are, by what their names begin with."""
_ENGINES_OWN = ("in", "up")
"""Those that stand for no text of the rules."""


@dataclass(slots=True)
class Cost:
    """What one rule took: `own` and `whole` are shares of all the time, without and with what it calls.

    `calls` counts how often it was asked for each decision, `worked` how often it ran: less where an answer was kept.
    """

    rule: str
    sort: str
    own: float = 0.0
    whole: float = 0.0
    calls: float = 0.0
    worked: float = 0.0
    place: str = ""


def profile(name: str, paths: tuple[str, ...], seconds: float) -> list[Cost]:
    """The rules of a scenario, the dearest first, over games of about so many seconds.

    Raises:
        BicorneError: if the scenario isn't there or isn't sound, or a rule goes wrong.
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
    """`stats.stats` has by `(file, line, function)` the calls, own and whole time, and the same for each caller."""
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
                cost.calls, cost.worked = max(cost.calls, calls / decisions), _least(cost.worked, calls / decisions)
            continue
        for (caller_file, caller_line, _), (_, _, own_there, _) in callers.items():
            under = functions.at(caller_line) if caller_file == CODE_NAME and file == "~" else None
            costs.setdefault(under or ENGINE, functions.cost(under or ENGINE)).own += own_there / total
    return list(costs.values())


def _least(known: float, other: float) -> float:
    return min(known, other) if known else other


class _Functions:
    """The emitted functions of a game by the lines that they take up."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._lines: list[int] = []
        self._names: list[str] = []
        for number, text in enumerate(core.unit.source.split("\n"), 1):
            if text.startswith("def "):
                self._lines.append(number)
                self._names.append(text[4 : text.index("(")])

    def at(self, line: int) -> str | None:
        """The function that a line belongs to; one that keeps answers goes by the name that it is asked under."""
        found = bisect_right(self._lines, line) - 1
        return self._names[found].removesuffix("__now") if found >= 0 else None

    def cost(self, name: str) -> Cost:
        """A rule's entry, with nothing in it yet."""
        if name == ENGINE:
            return Cost(ENGINE, "")
        sort, _, rest = name.partition("_")
        return Cost(rest.removesuffix("__own").replace("__", "."), _SORTS.get(sort, ""), place=self._place(name))

    def _place(self, name: str) -> str:
        own: Any = self._core.names.get(f"{name}__now") or self._core.names.get(name)
        if not hasattr(own, "__code__") or name.partition("_")[0] in _ENGINES_OWN:
            return ""
        place = self._core.place_of(own)
        return "" if place is NOWHERE else f"{_from_here(place.file)}:{place.line}"


def _from_here(file: str) -> str:
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file
