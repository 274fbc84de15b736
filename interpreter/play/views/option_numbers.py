"""Numbers of options that stay with what they name while a question is repeated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Generic, NamedTuple, Protocol, TypeVar

from interpreter.play.engine.engine import GameEngine
from interpreter.play.engine.lookahead import AnyGame, speculating
from interpreter.play.inputs.inputs import Input, is_answer_of
from interpreter.play.inputs.value_codec import Stable, encode


class OptionLine(Protocol):
    """Options that a person reads as one line."""

    @property
    def positions(self) -> Sequence[int]:
        """Their positions among the options of the decision."""


Line = TypeVar("Line", bound=OptionLine)


class _Asked(NamedTuple):
    """The numbers that were given at a question; `last` is the last input before it."""

    last: Input | None
    address: str
    numbers: Mapping[Stable, int]


class OptionNumbers(Generic[AnyGame, Line]):
    """Numbers the options of one seat's decisions; `lines` returns the lines of the open decision.

    Within a step of the sequence, what was offered before at the same address keeps its number; the number of what is
    no longer offered goes to nothing else in the very next question. Where most of the options are new, such as for
    another piece elsewhere, all are numbered anew.

    The numbers follow from the decisions of the seat in the step alone: they are the same after an undo, in a resumed
    game and in a branch.
    """

    def __init__(self, lines: Callable[[AnyGame], Sequence[Line]]) -> None:
        self._lines = lines
        self._asked: dict[int, _Asked] = {}
        """What was asked in the step, by the number of inputs before it."""

    def of(self, game: AnyGame) -> list[tuple[int, Line]]:
        """Returns the lines of the open decision with their numbers, in the order of these.

        Earlier decisions of the step that it has not seen are made again: `game.decision` may be another object after
        that, with the same options.
        """
        assert game.decision is not None
        step, now, items = len(game.steps) - 1, game.inputs.position, game.inputs.items
        begin = game.steps[step].inputs
        self._asked = {
            at: each for at, each in self._asked.items() if begin <= at < now and each.last is _last(game, at)
        }
        seat, records = game.decision.seat, items[begin:now]
        own = [begin + at for at, each in enumerate(records) if is_answer_of(each, seat)]
        if unseen := [at for at in own if at not in self._asked]:
            with speculating(game, game.seed):
                for at in unseen:
                    game.go_back(step, begin, records[: at - begin])
                    self._numbered(game)
        return self._numbered(game)

    def _numbered(self, game: AnyGame) -> list[tuple[int, Line]]:
        """Numbers the lines of a decision, before which all of the step are numbered."""
        decision = game.decision
        assert decision is not None
        lines, at = self._lines(game), game.inputs.position
        earlier = [number for number, each in self._asked.items() if each.address == decision.address and number < at]
        known = self._asked[max(earlier)].numbers if earlier else {}
        values = [[encode(decision.options[position]) for position in each.positions] for each in lines]
        numbers = _numbers(values, known)
        given = {value: number for number, each in zip(numbers, values, strict=True) for value in each}
        self._asked[at] = _Asked(_last(game, at), decision.address, given)
        return sorted(zip(numbers, lines, strict=True), key=lambda each: each[0])


def _last(game: GameEngine, inputs: int) -> Input | None:
    """Returns the last of this number of inputs."""
    return game.inputs.items[inputs - 1] if inputs else None


def _numbers(lines: Sequence[Sequence[Stable]], known: Mapping[Stable, int]) -> list[int]:
    kept = [min((known[each] for each in values if each in known), default=None) for values in lines]
    if kept.count(None) * 2 > len(kept):
        known, kept = {}, [None] * len(kept)
    reserved = {*known.values(), *filter(None, kept)}
    fresh = (number for number in count(1) if number not in reserved)
    return [number or next(fresh) for number in kept]


def number_ranges(numbers: Sequence[int]) -> str:
    """Returns numbers in short form, such as `1-3, 5`."""
    runs: list[list[int]] = []
    for each in sorted(numbers):
        if runs and each == runs[-1][-1] + 1:
            runs[-1].append(each)
        else:
            runs.append([each])
    return ", ".join([f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs])
