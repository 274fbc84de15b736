"""The first point where a game under other rules differs from a recorded one, and the texts that describe it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from interpreter.language.diagnostics import BicorneError, Place, UsageError
from interpreter.play.engine.core import Core
from interpreter.play.inputs.inputs import DIE, PICK, REVEAL
from interpreter.play.inputs.value_codec import Stable, decode, encode_json
from interpreter.play.replay.state_diff import AT, REVEALED, Key, Values
from interpreter.play.wording import divergence_messages as said
from interpreter.play.wording.message import Message
from interpreter.play.wording.messages import COMMA, ENDED, NOBODY_WON, SEMICOLON, WON_BY
from interpreter.play.wording.wording import Wording, readable

_MAX_LISTED: Final = 6
_OF_CHANCE: Final = {DIE: (said.A_ROLL, said.A_ROLL_UNNAMED), PICK: (said.A_PICK, said.A_PICK_UNNAMED)}
"""The messages for what chance gave, with and without a name."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first point where a game differs from the recorded one.

    `kind` is one of `divergence_messages.KINDS`. `step` is the number of the current step (from 1), `path` its path
    and `turn` its turn. `inputs` is the number of rolls and answers before it that are the same. `was` and `now`
    describe what happened in each game. `address` is the decision or roll, `rule` and `place` its position in the
    new rules. `keys` are the values that differ.
    """

    kind: str
    step: int
    path: str
    turn: int
    inputs: int
    was: str
    now: str
    address: str = ""
    rule: str = ""
    place: Place | None = None
    keys: tuple[Key, ...] = ()

    @property
    def point(self) -> tuple[int, int]:
        """The position in the game: step and inputs, which can be compared with another point."""
        return self.step, self.inputs

    def __str__(self) -> str:
        return self.text()

    def text(self, language: str = "en") -> str:
        """Returns where the games differ and how, without the values of both."""
        message = said.DIVERGES_AT if self.path else said.DIVERGES_AT_START
        kind = said.KINDS[self.kind].format(language, {})
        return message.format(language, {"turn": self.turn, "step": self.step, "path": self.path, "kind": kind})


class Diverged(BicorneError):  # noqa: N818 - no error: it stops a game that diverges
    """Raised when a game under other rules diverges from its transcript."""

    def __init__(self, divergence: Divergence) -> None:
        self.divergence = divergence
        super().__init__(str(divergence))


class Describer:
    """Formats values, seats and changes, including those that the current game does not have."""

    def __init__(self, core: Core, wording: Wording) -> None:
        self._core = core
        self._words = wording
        self.say = wording.say

    def value(self, stable: Stable) -> str:
        """Returns the text of a value."""
        try:
            return self._words.of(decode(stable, self._core))
        except (UsageError, KeyError, TypeError, ValueError):
            return readable(str(stable[-1])) if isinstance(stable, tuple | list) and stable else str(stable)

    def values(self, stables: Iterable[Stable]) -> str:
        """Returns the text of several values; of many, the first few and the count of the rest."""
        texts = [self.value(each) for each in stables]
        return self._first_few(texts, len(texts), COMMA) or self.say(said.NOTHING)

    def seat(self, name: str) -> str:
        """Returns the name of the seat with this id."""
        found = next((each for each in self._core.seats if each.id == name), None)
        return readable(name) if found is None else self._words.of(found)

    def changes(self, keys: Sequence[Key], values: Values) -> str:
        """Returns the text of these values, some of which may be missing."""
        texts = [
            self._change(key, self.value(values[key]) if key in values else self.say(said.MISSING))
            for key in keys[:_MAX_LISTED]
        ]
        return self._first_few(texts, len(keys), SEMICOLON)

    def _change(self, key: Key, value: str) -> str:
        owner, attribute = key
        if owner == REVEALED:
            return self.say(said.PUBLISHED, value=value)
        kind, _, name = owner.partition("/")
        thing = self.value((kind, name)) if name else ""
        if attribute == AT and thing:
            return self.say(said.IS_AT, thing=thing, place=value)
        message = said.HAS_VALUE if thing else said.VALUE_ALONE
        return self.say(message, thing=thing, attribute=self._words.attribute(attribute), value=value)

    def _first_few(self, texts: Sequence[str], count: int, between: Message) -> str:
        """Joins the first few texts, and adds how many of `count` are left out."""
        listed = self.say(between).join(texts[:_MAX_LISTED])
        return self.say(said.AND_OTHERS, listed=listed, count=count - _MAX_LISTED) if count > _MAX_LISTED else listed

    def asked(self, tag: str, address: str) -> str:
        """Returns the text for what an input answers: a decision, a roll, a random pick or a reveal."""
        if tag == REVEAL:
            return self.say(said.A_REVEAL)
        of_chance = _OF_CHANCE.get(tag)
        message = said.A_DECISION if of_chance is None else of_chance[not address]
        return self.say(message, address=address)

    def dice(self, count: int, faces: tuple[Any, ...] | None) -> str:
        """Returns the text of a number of dice with these faces, if they are known."""
        if faces is None:
            return self.say(said.SOME_DICE, count=count)
        if faces == tuple(range(1, len(faces) + 1)):
            return f"{count}d{len(faces)}"
        return self.say(said.DICE_OF_FACES, count=count, faces=self.say(COMMA).join(map(str, faces)))

    def end(self, result: tuple[Sequence[str], str] | None) -> str:
        """Returns the text for the end of a game with these winners and reason, or of a record of one that goes on."""
        if result is None:
            return self.say(said.RECORD_ENDS)
        winners, reason = [self.seat(each) for each in result[0]], result[1]
        outcome = self.say(WON_BY, winners=self._words.listed(winners)) if winners else self.say(NOBODY_WON)
        ended = self.say(ENDED, outcome=outcome, reason=self._words.word(reason)) if reason else outcome
        return self.say(said.GAME_WAS_OVER, result=ended)


def divergence_data(divergence: Divergence) -> dict[str, Any]:
    """Returns a divergence as JSON data."""
    return {
        "kind": divergence.kind,
        "turn": divergence.turn,
        "step": divergence.step,
        "path": divergence.path,
        "inputs": divergence.inputs,
        "was": divergence.was,
        "now": divergence.now,
        "address": divergence.address,
        "place": None if divergence.place is None else str(divergence.place),
        "values": encode_json(divergence.keys),
    }
