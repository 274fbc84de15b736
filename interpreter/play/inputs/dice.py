"""Sources of dice: a seeded stream, or the faces of an example."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import shake_256
from operator import length_hint
from struct import Struct
from typing import Any, Protocol

from interpreter.language.diagnostics import Diagnostic, RuleFault, did_you_mean
from interpreter.language.model.image import Site

ALGORITHM = "shake256-words-1"
"""Each die or pick takes the next word of a SHAKE256 stream, modulo the number of its faces (see `Dice`)."""

MAX_DICE = 1_000
MAX_FACES = 1_000_000
MAX_PICKS = 5_000
MAX_DRAWN_WORDS = 1_000_000_000
"""The maximum number of words drawn in one game; a file with a larger number is refused."""
_WORDS_PER_BLOCK = 128
_WORD_VALUES = 1 << 16
_unpack = Struct(f"<{_WORDS_PER_BLOCK}H").unpack
_LONG_WORD_VALUES = 1 << 64
_FACES = (int, str)


class DiceSource(Protocol):
    """A source of rolls and random picks, by positions among the possible values."""

    def roll(self, site: Site, count: int, faces: Sequence[Any]) -> list[int]:
        """Returns the positions in `faces` of `count` dice, in the order rolled."""

    def pick(self, site: Site, count: int, of: Sequence[Any]) -> list[int]:
        """Returns `count` different positions in `of`."""


class Dice:
    """The seeded stream: SHAKE256 in counter mode, from which earlier dice reveal no later ones.

    Word i, counted from 0, is a 16-bit little-endian number: block i // 128 holds it at i % 128. Each die or pick of n
    values takes one word w and shows w mod n. If w is not below the largest multiple of n, which would favour low
    values, 64-bit numbers of the word's own replace it until one is. `drawn` counts the words used: every recorded
    face and pick is one of them, in order.
    """

    __slots__ = ("_end", "_next", "_words", "seed")

    def __init__(self, seed: int | str, drawn: int = 0) -> None:
        self.seed = seed
        self.drawn = drawn

    @property
    def drawn(self) -> int:
        """The number of words drawn; the next word is that of this number."""
        return self._end - length_hint(self._words)

    @drawn.setter
    def drawn(self, drawn: int) -> None:
        self._end = drawn
        self._read(())

    def _read(self, words: Sequence[int]) -> None:
        self._words: Iterator[int] = iter(words)
        self._next = self._words.__next__

    def _read_block(self) -> int:
        """Begins the block of the next word, and returns that word."""
        block, at = divmod(self._end, _WORDS_PER_BLOCK)
        self._read(_unpack(self._digest(f"{block}", 2 * _WORDS_PER_BLOCK))[at:])
        self._end = (block + 1) * _WORDS_PER_BLOCK
        return self._next()

    def _digest(self, counter: str, size: int) -> bytes:
        text = f"bicorne dice 1:{counter}:{self.seed}"
        return shake_256(text.encode("utf-8", "surrogateescape")).digest(size)

    def below(self, limit: int) -> int:
        """Returns a uniform number from 0 to `limit` - 1; `limit` is at most 2**32."""
        try:
            word = self._next()
        except StopIteration:
            word = self._read_block()
        found = word % limit
        if word - found + limit > _WORD_VALUES:
            return self._redrawn(limit)
        return found

    def _redrawn(self, limit: int) -> int:
        """Returns a uniform number in place of the last word."""
        at, attempt = self.drawn - 1, 0
        while True:
            attempt += 1
            number = int.from_bytes(self._digest(f"{at}.{attempt}", 8), "little")
            found = number % limit
            if number - found + limit <= _LONG_WORD_VALUES:
                return found

    def roll(self, site: Site, count: int, faces: Sequence[Any]) -> list[int]:  # noqa: ARG002 - one stream for all
        """Returns the positions in `faces` of `count` dice."""
        below, size = self.below, len(faces)
        return [below(size) for _ in range(count)]

    def pick(self, site: Site, count: int, of: Sequence[Any]) -> list[int]:
        """Returns `count` different positions in `of`, drawn one after the other."""
        size = len(of)
        if count == 1 and size:
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
