"""How deep rules call one another: what reads and runs them goes down as deep, and must come to an end."""

from __future__ import annotations

from collections import defaultdict

from interpreter.language.checking.program.effects import EffectGraph
from interpreter.language.diagnostics import Diagnostic

MAX_CALL_DEPTH = 50
"""So many rules may stand one within the other, each called by the one before it; recursion is counted as it runs."""


def check_call_depth(graph: EffectGraph) -> list[Diagnostic]:
    """The rule from which the way down first gets too long, if there is one."""
    heights = call_heights(graph)
    for key, uses in graph.uses.items():
        if heights.get(key) == MAX_CALL_DEPTH + 1:
            message = (
                f"'{uses.symbol.name}' calls rules that call rules, more than {MAX_CALL_DEPTH} one within the other"
            )
            return [Diagnostic("too-deep", message, uses.symbol.place, "join some of them")]
    return []


def call_heights(graph: EffectGraph) -> dict[int, int]:
    """How many rules stand one within the other at most from each rule on; none where there is a ring on the way."""
    waiting = {key: {id(each) for each in uses.calls} & graph.uses.keys() for key, uses in graph.uses.items()}
    callers: dict[int, list[int]] = defaultdict(list)
    for key, callees in waiting.items():
        for each in callees:
            callers[each].append(key)
    heights = dict.fromkeys([key for key, callees in waiting.items() if not callees], 1)
    settled = list(heights)
    most: dict[int, int] = defaultdict(int)
    while settled:
        key = settled.pop()
        for caller in callers[key]:
            most[caller] = max(most[caller], heights[key])
            waiting[caller].discard(key)
            if not waiting[caller]:
                heights[caller] = most[caller] + 1
                settled.append(caller)
    return heights
