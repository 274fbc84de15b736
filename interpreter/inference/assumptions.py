"""Assumptions: the answers that odds of what lies ahead suppose to decisions on the way, in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any, Final

from interpreter.play.engine.decision import Decision
from interpreter.play.views.visibility import Visibility
from interpreter.play.wording.wording import Wording
from interpreter.players.orders.order_execution import staying
from interpreter.players.orders.order_plan import declining
from interpreter.world.things import Piece, Thing

_MAX_COMMON: Final = 3
"""The most answers to a question that are given with their shares."""
_SELDOM: Final = Fraction(1, 20)
_MAX_ALIKE: Final = 2
"""The most questions that differ in numbers alone and are shown one by one."""
_NUMBER: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Assumption:
    """A decision on the way to the procedure, and the answer that is assumed: both in words."""

    seat: str
    question: str
    answer: str
    stays: str = ""
    """The piece about which it is asked, if the answer leaves it where it is."""
    is_supposed: bool = False
    """Whether the answer depends on what is hidden from the seat that asks for the odds: it is only an example."""
    declines: bool = False
    """Whether the answer is to do nothing: none, pass or no."""
    share: Fraction = Fraction(1)
    """In which share of the samples it was the answer."""

    def as_data(self) -> dict[str, Any]:
        """Returns the assumption as plain data."""
        return asdict(self) | {"share": float(self.share)}


def commonest(ways: Sequence[Sequence[Assumption]]) -> tuple[Assumption, ...]:
    """Returns what samples assume: the commonest answers to each question, each with its share of all samples."""
    counts: dict[tuple[str, str, str], Counter[Assumption]] = {}
    for way in _with_equal_questions(ways):
        for each in dict.fromkeys(without_idle_ends(way)):
            counts.setdefault((each.seat, each.question, each.stays), Counter())[each] += 1
    found = [each for answers in counts.values() for each in answers.most_common(_MAX_COMMON)]
    shares = [(each, Fraction(count, len(ways))) for each, count in found]
    return tuple([replace(each, share=share) for each, share in shares if share >= _SELDOM])


def _with_equal_questions(ways: Sequence[Sequence[Assumption]]) -> list[Sequence[Assumption]]:
    """Returns the ways with one text for questions that differ in numbers alone, if they are many or always declined.

    The number is often a roll or a sum of the sample: each question by itself would say little, and all of them fill a
    screen. Few questions are kept apart, such as those of two rounds.
    """
    texts: dict[tuple[str, str], set[str]] = {}
    acted: set[tuple[str, str]] = set()
    for each in [each for way in ways for each in way]:
        key = each.seat, _NUMBER.sub("…", each.question)
        texts.setdefault(key, set()).add(each.question)
        if not each.declines:
            acted.add(key)
    alike = {key for key, asked in texts.items() if len(asked) > (_MAX_ALIKE if key in acted else 1)}

    def of(each: Assumption) -> Assumption:
        text = _NUMBER.sub("…", each.question)
        return replace(each, question=text) if (each.seat, text) in alike else each

    return [[of(each) for each in way] for way in ways]


def constant(ways: Sequence[Sequence[Assumption]]) -> tuple[Assumption, ...]:
    """Returns the answers to those questions that get the same ones in all ways in which they are asked."""
    found: dict[tuple[str, str, str], set[tuple[Assumption, ...]]] = {}
    for way in ways:
        asked: dict[tuple[str, str, str], list[Assumption]] = {}
        for each in way:
            asked.setdefault((each.seat, each.question, each.stays), []).append(each)
        for key, answers in asked.items():
            found.setdefault(key, set()).add(tuple(dict.fromkeys(answers)))
    return tuple([each for answers in found.values() if len(answers) == 1 for some in answers for each in some])


def without_idle_ends(way: Sequence[Assumption]) -> tuple[Assumption, ...]:
    """Returns the answers but for those that decline where the same question has got another answer, too."""
    acted = {(each.seat, each.question) for each in way if not each.declines}
    return tuple([each for each in way if not each.declines or (each.seat, each.question) not in acted])


def assumption_of(decision: Decision, index: int, words: Wording, sight: Visibility) -> Assumption:
    """Returns an answer to a decision as an assumption, for the seat whose `sight` it is."""
    option, who = decision.options[index], words.of(decision.seat_object)
    is_others = decision.seat_object is not sight.seat
    is_supposed = is_others and (decision.site.secret or (isinstance(option, Thing) and sight.hides(option)))
    asked = next((each for each in decision.mentioned_values if isinstance(each, Piece)), None)
    stays = words.of(sight.masked(asked)) if asked is not None and index == staying_place(decision) else ""
    return Assumption(who, decision.prompt, decision.labels[index], stays, is_supposed, declining(decision) == index)


def staying_place(decision: Decision) -> int | None:
    """Returns the position of the place where what is asked about is; none if that is not offered."""
    position = staying(decision)
    return position if position is not None and isinstance(decision.options[position], Thing) else None
