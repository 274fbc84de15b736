"""Numbers of options that stay with what they name while a question is repeated."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from interpreter.play.engine.engine import GameEngine
from interpreter.play.inputs.value_codec import Stable


class OptionNumbers:
    """Numbers the options of one seat's decisions.

    Within a step of the sequence, what was offered before at the same address keeps its number; the number of what is
    no longer offered goes to nothing else in the very next question. Where most of the options are new, such as for
    another piece elsewhere, all are numbered anew.
    """

    def __init__(self) -> None:
        self._step = -1
        self._known: dict[str, dict[Stable, int]] = {}

    def of(self, game: GameEngine, groups: Sequence[Sequence[Stable]]) -> list[int]:
        """Returns the number of each line of options; a line has the stable values of its options."""
        assert game.decision is not None
        if self._step != len(game.steps):
            self._step = len(game.steps)
            self._known.clear()
        known = self._known.get(game.decision.address, {})
        kept = [_kept(each, known) for each in groups]
        if kept.count(None) * 2 > len(kept):
            known, kept = {}, [None] * len(kept)
        reserved = {*known.values(), *filter(None, kept)}
        fresh = (number for number in count(1) if number not in reserved)
        numbers = [number or next(fresh) for number in kept]
        self._known[game.decision.address] = {
            value: number for number, values in zip(numbers, groups, strict=True) for value in values
        }
        return numbers


def _kept(values: Sequence[Stable], known: dict[Stable, int]) -> int | None:
    return min((known[each] for each in values if each in known), default=None)


def number_ranges(numbers: Sequence[int]) -> str:
    """Returns numbers in short form, such as `1-3, 5`."""
    runs: list[list[int]] = []
    for each in sorted(numbers):
        if runs and each == runs[-1][-1] + 1:
            runs[-1].append(each)
        else:
            runs.append([each])
    return ", ".join([f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs])
