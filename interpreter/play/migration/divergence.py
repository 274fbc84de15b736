"""Where a game under other rules leaves the course of a recorded one, and how that is said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from interpreter.language.diagnostics import BicorneError, Place, UsageError
from interpreter.play.engine.core import Core
from interpreter.play.inputs.inputs import DIE, PICK, SHOWN
from interpreter.play.inputs.value_codec import Stable, decode, plain
from interpreter.play.migration.state_diff import AT, Key, Values
from interpreter.play.migration.state_diff import SHOWN as REVEALED
from interpreter.play.wording.wording import Wording, readable

_MOST: Final = 6

KINDS: Final = {
    "set-up": "the set-up is another",
    "step": "another step comes",
    "question": "something else is asked or rolled",
    "answer": "an answer is no longer offered",
    "dice": "other dice are rolled",
    "pick": "what came up at random is not there",
    "state": "a step comes to another state",
    "end": "the game ends otherwise",
    "fault": "a rule goes wrong",
}
"""The ways in which a game can part from a record."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first point where a game is another than the one recorded.

    `kind` is one of `KINDS`; `step` is the number of the step under way (from 1), `path` its path, `turn` its turn,
    `inputs` how many rolls and answers were still the same. `was` and `now` say what happened in each game; `address`
    is the decision or roll, `rule` and `place` where it stands in the new rules, `keys` the values that differ.
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
        """How far along in a game it is."""
        return self.step, self.inputs

    def __str__(self) -> str:
        at = f"turn {self.turn}, step {self.step} ({self.path})" if self.path else "before the first step"
        return f"{at}: {KINDS[self.kind]}"


class Diverged(BicorneError):  # noqa: N818 - it is no error: a game has left its course
    """A game under other rules has left the course of the record."""

    def __init__(self, parting: Divergence) -> None:
        self.parting = parting
        super().__init__(str(parting))


class Describer:
    """Says values, questions and changes in words, also of what the game at hand does not have."""

    def __init__(self, core: Core, wording: Wording) -> None:
        self._core = core
        self._words = wording

    def value(self, stable: Stable) -> str:
        """A value in words."""
        try:
            return self._words.of(decode(stable, self._core))
        except (UsageError, KeyError, TypeError, ValueError):
            return readable(str(stable[-1])) if isinstance(stable, tuple | list) and stable else str(stable)

    def values(self, stables: Iterable[Stable]) -> str:
        """Several values, of many the first few."""
        told = [self.value(each) for each in stables]
        return ", ".join(told[:_MOST]) + (f" and {len(told) - _MOST} more" if len(told) > _MOST else "") or "nothing"

    def seat(self, name: str) -> str:
        """A seat by its id."""
        found = next((each for each in self._core.seats if each.id == name), None)
        return readable(name) if found is None else self._words.of(found)

    def changes(self, keys: Sequence[Key], values: Values, unknown: str) -> str:
        """What these values are; `unknown` stands for those that there are not."""
        told = [f"{self._key(key)} {self.value(values[key]) if key in values else unknown}" for key in keys[:_MOST]]
        return "; ".join(told) + (f" and {len(keys) - _MOST} more" if len(keys) > _MOST else "")

    def _key(self, key: Key) -> str:
        owner, attribute = key
        if owner == REVEALED:
            return "shown:"
        kind, _, name = owner.partition("/")
        whose = f"{self.value((kind, name))}: " if name else ""
        return f"{whose}{'at' if attribute == AT else self._words.attribute(attribute)}"


def asked(tag: str, address: str) -> str:
    """What an input is for, in words."""
    what = f" of '{address}'" if address else ""
    return {DIE: f"a roll{what}", PICK: f"a random pick{what}", SHOWN: "something shown"}.get(
        tag, f"the decision '{address}'"
    )


def as_data(parting: Divergence) -> dict[str, Any]:
    """A parting as JSON data."""
    return {
        "kind": parting.kind,
        "turn": parting.turn,
        "step": parting.step,
        "path": parting.path,
        "inputs": parting.inputs,
        "was": parting.was,
        "now": parting.now,
        "address": parting.address,
        "place": None if parting.place is None else str(parting.place),
        "values": plain(parting.keys),
    }
