"""Where chance comes from: a seeded stream, or the faces that an example names."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from interpreter.language.diagnostics import Diagnostic, RuleFault, did_you_mean
from interpreter.language.model.image import Site

ALGORITHM = "mt19937-getrandbits-1"
"""Mersenne Twister; a number below n takes the fewest bits that hold n - 1, drawn again while too large."""

MOST_DICE = 1_000
MOST_FACES = 1_000_000
MOST_PICKED = 5_000
MOST_DRAWN = 1_000_000_000
"""Of one game; a file that says more is not believed."""
_SKIPPED = 100_000
"""Words that are passed over at once."""
_FACES = (int, str)


class DiceSource(Protocol):
    """What answers a roll or a random pick, always by positions in what there is to come up."""

    def roll(self, site: Site, count: int, faces: Sequence[Any]) -> list[int]:
        """The positions in `faces` that `count` dice show, in the order rolled."""

    def pick(self, site: Site, count: int, of: Sequence[Any]) -> list[int]:
        """`count` different positions in `of`."""


class Dice:
    """The seeded stream. `drawn` counts the 32-bit words used, so that a saved game goes on where it stood."""

    __slots__ = ("_bits", "drawn", "seed")

    def __init__(self, seed: int | str, drawn: int = 0) -> None:
        self.seed = seed
        self.drawn = drawn
        self._bits = random.Random(seed).getrandbits  # noqa: S311 - dice, not secrets
        for start in range(0, drawn, _SKIPPED):
            self._bits(32 * min(_SKIPPED, drawn - start))

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1, all alike; `limit` is at most 2**32."""
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
        """The positions in `faces` that the dice show."""
        below, size = self.below, len(faces)
        return [below(size) for _ in range(count)]

    def pick(self, site: Site, count: int, of: Sequence[Any]) -> list[int]:
        """`count` different positions in `of`, drawn one after the other."""
        size = len(of)
        if count == 1:
            return [self.below(size)]
        check_picks(site, min(count, size))
        left = list(range(size))
        return [left.pop(self.below(len(left))) for _ in range(min(count, size))]


def check_dice(site: Site, count: int, faces: int) -> None:
    """Refuses numbers of dice or faces that no table could hold.

    Raises:
        RuleFault: `absurd-dice`.
    """
    if 0 <= count <= MOST_DICE and 1 <= faces <= MOST_FACES:
        return
    raise RuleFault(
        Diagnostic(
            "absurd-dice",
            f"a roll of {count} dice with {faces} faces ('{site.address}')",
            site.place,
            f"0 to {MOST_DICE} dice of 1 to {MOST_FACES:,} faces can be rolled",
        )
    )


def check_picks(site: Site, count: int) -> None:
    """Refuses to draw more at once than any table could hold.

    Raises:
        RuleFault: `absurd-dice`.
    """
    if count > MOST_PICKED:
        message = f"{count:,} random picks at once ('{site.address}')"
        raise RuleFault(Diagnostic("absurd-dice", message, site.place, f"up to {MOST_PICKED:,} can be drawn at once"))


class ScriptedDice:
    """Faces by label, picks by address, in the order in which they are to come up; for worked examples.

    A face is given as a number or a word's name, a pick as the id of what comes up.
    """

    def __init__(self, script: Mapping[str, Iterable[int | str]]) -> None:
        self._queues = {label: list(faces) for label, faces in script.items()}

    @property
    def left(self) -> dict[str, list[int | str]]:
        """What has not come up yet, by label; an example must use all of it."""
        return {label: list(queue) for label, queue in self._queues.items() if queue}

    def roll(self, site: Site, count: int, faces: Sequence[Any]) -> list[int]:
        """The positions of the next faces under the roll's label."""
        names = [stable_face(face) for face in faces]
        return [self._next(site, names, f"die {number} of {count}") for number in range(1, count + 1)]

    def pick(self, site: Site, count: int, of: Sequence[Any]) -> list[int]:
        """The positions of the next picks under the pick's address."""
        names = [stable_face(each) for each in of]
        found: list[int] = []
        for number in range(1, min(count, len(of)) + 1):
            position = self._next(site, names, f"pick {number} of {count}")
            if position in found:
                raise _unscripted(site, f"'{names[position]}' comes up twice in one draw of '{site.address}'", None)
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
            raise _unscripted(site, f"'{face}' can't come up in '{site.address}' ({what})", f"possible: {known}")
        return names.index(face)


def stable_face(face: Any) -> int | str:
    """A face or a pick as examples and inputs name it: a number, or the id of a word or thing."""
    return face if isinstance(face, _FACES) else str(getattr(face, "id", face))


def _unscripted(site: Site, message: str, hint: str | None) -> RuleFault:
    return RuleFault(Diagnostic("scripted-dice", message, site.place, hint))
