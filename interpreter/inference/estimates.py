"""Estimates: the distributions of outcomes that samples give, for one procedure or for several in a row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from interpreter.inference.ahead_results import AheadOdds, EarlierOutcome
from interpreter.inference.assumptions import commonest
from interpreter.inference.modifier_sums import ModifierSum
from interpreter.inference.odds import Odds, Outcome, sort_rows
from interpreter.inference.watched_calls import WatchedCall

End = tuple[WatchedCall, Outcome]
"""A call of a procedure in a sample, and its outcome."""
SumsOf = Callable[[list[WatchedCall]], tuple[ModifierSum, ...]]
"""Finds the sums of modifiers of some calls."""
_SELDOM: Final = Fraction(1, 20)
_FEWEST: Final = 5
"""The fewest samples from which the odds of a procedure are estimated, unless there are fewer in all."""
_MAX_ROLLS: Final = 8


def estimated(ends: Sequence[End], samples: int, sums_of: SumsOf) -> AheadOdds:
    """Returns the odds of a procedure from its calls in some of the samples, with the modifiers of those kept."""
    call = ends[0][0]
    weights = {outcome: Fraction(count, len(ends)) for outcome, count in Counter([each[1] for each in ends]).items()}
    odds = Odds(call.rule.name, tuple(call.rule.outcomes), sort_rows(weights), branches_followed=0)
    assumptions = commonest([each.assumptions for each, _ in ends])
    reached = Fraction(len(ends), samples)
    sums = sums_of([each for each, _ in ends if each.state is not None])
    return AheadOdds(call.rule.name, call.title, call.arguments, assumptions, odds, sums, reached, len(ends))


def rolls_in_turn(samples: Sequence[Sequence[End]], sums_of: SumsOf) -> list[AheadOdds]:
    """Returns the odds of the procedures that samples come to, in turn, each with the outcomes on which it depends.

    What is seldom, or has a sure outcome, is left out.
    """
    calls: dict[str, dict[int, End]] = {}
    for number, ends in enumerate(samples):
        for end in ends:
            calls.setdefault(end[0].title, {}).setdefault(number, end)
    places = {title: _place(title, samples) for title in calls}
    fewest: Fraction = max(_SELDOM * len(samples), Fraction(min(_FEWEST, len(samples))))
    often = [each for each in sorted(calls, key=places.__getitem__) if len(calls[each]) >= fewest]
    found = []
    for at, title in enumerate(often[:_MAX_ROLLS]):
        earlier = [calls[each] for each in often[:at]]
        given = tuple([each for ends in earlier for each in _conditions(ends, calls[title])])
        found.append(replace(estimated([*calls[title].values()], len(samples), sums_of), only_if=given))
    return [each for each in found if len(each.odds.rows) > 1] or found


def _place(title: str, samples: Sequence[Sequence[End]]) -> Fraction:
    """Returns the mean place of a procedure among those of the samples that come to it."""
    places = [found.index(title) for ends in samples if title in (found := [call.title for call, _ in ends])]
    return Fraction(sum(places), len(places))


def _conditions(earlier: dict[int, End], later: dict[int, End]) -> list[EarlierOutcome]:
    """Returns the outcomes in words of an earlier procedure that all samples have which come to a later one."""
    if not earlier.keys() >= later.keys():
        return []
    call, found = next(iter(earlier.values()))[0], []
    for at, name in enumerate(call.rule.outcomes):
        values = {outcome[at] for _, outcome in earlier.values()}
        needed = {earlier[number][1][at] for number in later}
        if len(values) > len(needed) == 1 and not any(each.removeprefix("-").isdecimal() for each in needed):
            found.append(EarlierOutcome(call.title, name, needed.pop()))
    return found
