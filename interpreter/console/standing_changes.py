"""The items of the standing that a person names, and what changed them last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.console.typed_words import said_words, says_word
from interpreter.play.game import Game
from interpreter.play.views.standing import Standing
from interpreter.play.wording.message import LANGUAGES
from interpreter.play.wording.why_messages import SCORE_WORDS

_SCORE = frozenset(word for each in LANGUAGES for word in getattr(SCORE_WORDS, each).split())


@dataclass(frozen=True, slots=True)
class StandingChange:
    """The last change of an item of the standing: the item before it, and the names of the parts that changed."""

    before: Standing
    parts: Sequence[str]


def items_named(text: str, items: Sequence[Standing], seat: str | None, *, whole: bool) -> list[Standing]:
    """Returns the items that a text names: by all words of their titles if `whole`, else by some.

    The initials of words and the words for a score mean any item that fits otherwise; of several, those for which the
    seat plays.
    """
    typed = said_words(text)
    found = [each for each in items if typed and _fits(typed, each.title, whole=whole)]
    return [each for each in found if seat in each.seats] or found


def _fits(typed: Sequence[str], title: str, *, whole: bool) -> bool:
    name, words = title.casefold(), said_words(title)
    own = [each for each in typed if each not in _SCORE and each not in _initials(words)]
    if not all(says_word(name, each) for each in own):
        return False
    return not whole or len(own) < len(typed) or all(any(says_word(word, each) for each in own) for word in words)


def _initials(words: Sequence[str]) -> set[str]:
    """Returns the initials of words in a row, such as 'vp' of 'victory points'."""
    letters = "".join([each[0] for each in words])
    return {letters[at:end] for at in range(len(letters)) for end in range(at + 2, len(letters) + 1)}


def last_changes(game: Game, seat: str | None, items: Sequence[Standing]) -> dict[str, StandingChange]:
    """Returns the last change of the value of items as a seat saw it, by title; without those that never changed.

    The game is taken back step by step on a copy. In a block of simultaneous lines nothing is known.
    """
    found: dict[str, StandingChange] = {}
    if game.core.simultaneous_since is not None:
        return found
    twin, wanted = game.twin(), {each.title: each for each in items if each.value is not None}
    for step in reversed(twin.steps):
        if not wanted:
            break
        twin.core.world.rollback(step.journal)
        for before in twin.standing(seat):
            now = wanted.get(before.title)
            if now is not None and now.value != before.value:
                found[now.title] = StandingChange(before, _changed_parts(before, now))
                del wanted[now.title]
    return found


def _changed_parts(before: Standing, now: Standing) -> list[str]:
    old, new = ({each.name: each.value for each in item.parts} for item in (before, now))
    return [each for each in dict.fromkeys([*old, *new]) if old.get(each) != new.get(each)]
