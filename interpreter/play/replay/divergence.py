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
from interpreter.play.wording.wording import Wording, readable

_MAX_LISTED: Final = 6

KINDS: Final = {
    "set-up": "different set-up",
    "step": "different next step",
    "question": "different question or roll",
    "answer": "recorded answer not available",
    "dice": "different dice",
    "pick": "random pick not available",
    "state": "different state after the step",
    "end": "different end of the game",
    "fault": "a rule fails",
}
"""The kinds of divergence, with the text for each."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first point where a game differs from the recorded one.

    `kind` is one of `KINDS`. `step` is the number of the current step (from 1), `path` its path and `turn` its turn.
    `inputs` is the number of rolls and answers before it that are the same. `was` and `now` describe what happened in
    each game. `address` is the decision or roll, `rule` and `place` its position in the new rules. `keys` are the
    values that differ.
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
        at = f"turn {self.turn}, step {self.step} ({self.path})" if self.path else "before the first step"
        return f"{at}: {KINDS[self.kind]}"


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

    def value(self, stable: Stable) -> str:
        """Returns the text of a value."""
        try:
            return self._words.of(decode(stable, self._core))
        except (UsageError, KeyError, TypeError, ValueError):
            return readable(str(stable[-1])) if isinstance(stable, tuple | list) and stable else str(stable)

    def values(self, stables: Iterable[Stable]) -> str:
        """Returns the text of several values; of many, the first few and the count of the rest."""
        texts = [self.value(each) for each in stables]
        return _first_few(texts, len(texts), ", ") or "nothing"

    def seat(self, name: str) -> str:
        """Returns the name of the seat with this id."""
        found = next((each for each in self._core.seats if each.id == name), None)
        return readable(name) if found is None else self._words.of(found)

    def changes(self, keys: Sequence[Key], values: Values, unknown: str) -> str:
        """Returns the text of these values; `unknown` replaces those that are missing."""
        shown = keys[:_MAX_LISTED]
        texts = [f"{self._key(key)} {self.value(values[key]) if key in values else unknown}" for key in shown]
        return _first_few(texts, len(keys), "; ")

    def _key(self, key: Key) -> str:
        owner, attribute = key
        if owner == REVEALED:
            return "shown:"
        kind, _, name = owner.partition("/")
        whose = f"{self.value((kind, name))}: " if name else ""
        return f"{whose}{'at' if attribute == AT else self._words.attribute(attribute)}"


def _first_few(texts: Sequence[str], count: int, separator: str) -> str:
    """Joins the first few texts, and adds how many of `count` are left out."""
    more = f" and {count - _MAX_LISTED} more" if count > _MAX_LISTED else ""
    return separator.join(texts[:_MAX_LISTED]) + more


def input_text(tag: str, address: str) -> str:
    """Returns the text for what an input answers: a decision, a roll, a random pick or a reveal."""
    what = f" of '{address}'" if address else ""
    return {DIE: f"a roll{what}", PICK: f"a random pick{what}", REVEAL: "something shown"}.get(
        tag, f"the decision '{address}'"
    )


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
