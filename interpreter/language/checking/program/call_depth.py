"""Limits how deep rules call one another: code generation and play recurse as deep."""

from __future__ import annotations

from collections import defaultdict

from interpreter.language.checking.program.effects import EffectGraph
from interpreter.language.diagnostics import Diagnostic

MAX_CALL_DEPTH = 50
"""The longest chain of calls without recursion; recursion is counted at play time."""


def check_call_depth(graph: EffectGraph) -> list[Diagnostic]:
    """Returns an error for the first rule whose chain of calls is too long, if there is one."""
    heights = call_heights(graph)
    for key, entry in graph.rules.items():
        if heights.get(key) == MAX_CALL_DEPTH + 1:
            message = f"'{entry.symbol.name}' starts a chain of more than {MAX_CALL_DEPTH} nested calls of rules"
            return [Diagnostic("too-deep", message, entry.symbol.place, "merge some of the rules")]
    return []


def call_heights(graph: EffectGraph) -> dict[int, int]:
    """Returns the length of the longest chain of calls from each rule; rules that reach a cycle are absent."""
    waiting = {key: {id(each) for each in entry.calls} & graph.rules.keys() for key, entry in graph.rules.items()}
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
