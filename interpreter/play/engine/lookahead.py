"""Trying things out in a game and coming back: for players that look ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.language.model.image import Site
from interpreter.play.engine.decision import Decision
from interpreter.play.engine.outcome import Result
from interpreter.play.inputs.dice import Dice
from interpreter.play.inputs.inputs import Record
from interpreter.play.inputs.value_codec import Act
from interpreter.world.things import Thing, Word

if TYPE_CHECKING:
    from interpreter.play.game import Game

Policy = Callable[[Decision], int]
"""Which option to take: its position."""


_TIMELESS = (int, str, type(None), Word, Act, Site)


class Mark(NamedTuple):
    """A point of a game: the step under way, how many inputs were in and which was the last, and what was asked."""

    step: int
    inputs: int
    last: Record | None = None
    asked: Decision | None = None

    def still(self, records: Sequence[Record]) -> bool:
        """Whether these inputs begin as they did when the mark was set."""
        return self.inputs <= len(records) and (not self.inputs or records[self.inputs - 1] is self.last)

    def options(self, site: Site, inputs: int, objects: Sequence[Thing]) -> tuple[Any, ...] | None:
        """The options that were listed here, if this is the same question and all of them are still there.

        A step that is carried out again makes its pieces and records anew, so that old ones mean nothing in it.
        """
        asked = self.asked
        if asked is None or asked.site is not site or inputs != self.inputs:
            return None
        for each in asked.options:
            if isinstance(each, Thing):
                if each.index >= len(objects) or objects[each.index] is not each:
                    return None
            elif not isinstance(each, _TIMELESS):
                return None
        return asked.options


@contextmanager
def speculating(game: Game, seed: int | str) -> Iterator[Game]:
    """Lets a game go on with dice of its own; afterwards it stands where it stood, its true dice untouched.

    Meanwhile invariants are not tested, and a recorded game notes nothing. What was answered in the step under way may
    be taken back and answered otherwise: it stands again afterwards.
    """
    mark = game.mark()
    since = game.steps[mark.step].inputs
    given, dice, aside = game.inputs.records[since:], game.chance.dice, game.aside
    game.chance.dice, game.aside = Dice(seed), True
    try:
        yield game
    finally:
        game.go_back(mark.step, since, given, recalled=mark)
        game.chance.dice, game.aside = dice, aside


def playout(game: Game, policy: Policy, limit: int) -> Result | None:
    """Plays on by a policy, for at most `limit` decisions; the result if the game ended."""
    for _ in range(limit):
        if game.decision is None:
            break
        game.choose_index(policy(game.decision))
    return game.result


def try_options(game: Game, seed: int | str, value: Callable[[Game], Any]) -> list[Any]:
    """What `value` says of the game after each of the present options; the game stays where it is."""
    if game.decision is None:
        return []
    found = []
    for index in range(len(game.decision.options)):
        with speculating(game, seed):
            game.choose_index(index)
            found.append(value(game))
    return found
