"""Sources of dice: a seeded stream, or the faces of an example."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from interpreter.language.diagnostics import Diagnostic, RuleFault, did_you_mean
from interpreter.language.model.image import Site

ALGORITHM = "mt19937-getrandbits-1"
"""Mersenne Twister; a number below n takes the fewest bits that hold n - 1, drawn again while it is too large."""

MAX_DICE = 1_000
MAX_FACES = 1_000_000
MAX_PICKS = 5_000
MAX_DRAWN_WORDS = 1_000_000_000
"""The maximum number of words drawn in one game; a file with a larger number is refused."""
_MAX_SKIPPED_AT_ONCE = 100_000
"""The maximum number of words skipped by one call."""
_FACES = (int, str)


class DiceSource(Protocol):
    """A source of rolls and random picks, by positions among the possible values."""

    def roll(self, site: Site, count: int, faces: Sequence[Any]) -> list[int]:
        """Returns the positions in `faces` of `count` dice, in the order rolled."""

    def pick(self, site: Site, count: int, of: Sequence[Any]) -> list[int]:
        """Returns `count` different positions in `of`."""


class Dice:
    """The seeded stream. `drawn` counts the 32-bit words used, so that a saved game can continue the stream."""

    __slots__ = ("_bits", "drawn", "seed")

    def __init__(self, seed: int | str, drawn: int = 0) -> None:
        self.seed = seed
        self.drawn = drawn
        self._bits = random.Random(seed).getrandbits  # noqa: S311 - dice, not secrets
        for start in range(0, drawn, _MAX_SKIPPED_AT_ONCE):
            self._bits(32 * min(_MAX_SKIPPED_AT_ONCE, drawn - start))

    def below(self, limit: int) -> int:
        """Returns a uniform number from 0 to `limit` - 1; `limit` is at most 2**32."""
        width = (limit - 1).bit_length()
        if not width:
            return 0
        bits = self._bits
        found = bits(width)
        self.drawn += 1
        while found >= limit:
            found = bits(width)
            self.drawn += 1
        return found

    def roll(self, site: Site, count: int, faces: Sequence[Any]) -> list[int]:  # noqa: ARG002 - one stream for all
        """Returns the positions in `faces` of `count` dice."""
        below, size = self.below, len(faces)
        return [below(size) for _ in range(count)]

    def pick(self, site: Site, count: int, of: Sequence[Any]) -> list[int]:
        """Returns `count` different positions in `of`, drawn one after the other."""
        size = len(of)
        if count == 1:
            return [self.below(size)]
        check_picks(site, min(count, size))
        left = list(range(size))
        return [left.pop(self.below(len(left))) for _ in range(min(count, size))]


def check_dice(site: Site, count: int, faces: int) -> None:
    """Checks the numbers of dice and faces against their limits.

    Raises:
        RuleFault: `absurd-dice`.
    """
    if 0 <= count <= MAX_DICE and 1 <= faces <= MAX_FACES:
        return
    raise RuleFault(
        Diagnostic(
            "absurd-dice",
            f"a roll of {count} dice with {faces} faces ('{site.address}')",
            site.place,
            f"0 to {MAX_DICE} dice of 1 to {MAX_FACES:,} faces can be rolled",
        )
    )


def check_picks(site: Site, count: int) -> None:
    """Checks the number of simultaneous picks against its limit.

    Raises:
        RuleFault: `absurd-dice`.
    """
    if count > MAX_PICKS:
        message = f"{count:,} random picks at once ('{site.address}')"
        raise RuleFault(Diagnostic("absurd-dice", message, site.place, f"up to {MAX_PICKS:,} can be drawn at once"))


class ScriptedDice:
    """Scripted faces by label and picks by address, in order; for worked examples.

    A face is a number or the name of a word, a pick the id of the picked thing.
    """

    def __init__(self, script: Mapping[str, Iterable[int | str]]) -> None:
        self._queues = {label: list(faces) for label, faces in script.items()}

    @property
    def unused(self) -> dict[str, list[int | str]]:
        """The unused faces and picks by label; an example must use all of them."""
        return {label: list(queue) for label, queue in self._queues.items() if queue}

    def roll(self, site: Site, count: int, faces: Sequence[Any]) -> list[int]:
        """Returns the positions of the next faces of the roll's label."""
        names = [stable_face(face) for face in faces]
        return [self._next(site, names, f"die {number} of {count}") for number in range(1, count + 1)]

    def pick(self, site: Site, count: int, of: Sequence[Any]) -> list[int]:
        """Returns the positions of the next picks of the pick's address."""
        names = [stable_face(each) for each in of]
        found: list[int] = []
        for number in range(1, min(count, len(of)) + 1):
            position = self._next(site, names, f"pick {number} of {count}")
            if position in found:
                raise _unscripted(site, f"'{names[position]}' is picked twice in one draw of '{site.address}'", None)
            found.append(position)
        return found

    def _next(self, site: Site, names: list[int | str], what: str) -> int:
        queue = self._queues.get(site.address)
        if queue is None:
            raise _unscripted(
                site, f"no dice are given for '{site.address}' ({what})", did_you_mean(site.address, self._queues)
            )
        if not queue:
            raise _unscripted(site, f"the dice given for '{site.address}' have run out ({what})", "give more of them")
        face = queue.pop(0)
        if face not in names:
            known = ", ".join(map(str, names[:12]))
            raise _unscripted(site, f"'{face}' is not possible in '{site.address}' ({what})", f"possible are {known}")
        return names.index(face)


def stable_face(face: Any) -> int | str:
    """Returns the name of a face or a pick in examples and inputs: a number, or the id of a word or thing."""
    return face if isinstance(face, _FACES) else str(getattr(face, "id", face))


def _unscripted(site: Site, message: str, hint: str | None) -> RuleFault:
    return RuleFault(Diagnostic("scripted-dice", message, site.place, hint))
