"""Hashes a long row of texts of which few have changed since the last time.

The texts stand in blocks; the hash of all that stands before a block is kept, so that it is only worked on from the
first block that has changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

_BLOCK = 64
_OPENING = b"(("


class IncrementalHash:
    """The hash of the tuple of some texts, empty ones left out, with more written behind it."""

    def __init__(self) -> None:
        self._count = 0
        self._sound = 0
        """So many blocks are known as they are."""
        self._states: list[tuple[blake2b, int]] = []
        """Before each block: the hash so far, and how many texts went into it."""

    def changed(self, index: int) -> None:
        """The text at an index is another one."""
        self._sound = min(self._sound, index // _BLOCK)

    def digest(self, texts: Sequence[str], behind: str) -> str:
        """BLAKE2b (128 bits, hex) over `((texts…)behind`, the texts written as `ascii` writes a tuple of them."""
        if len(texts) != self._count:
            self._sound = min(self._sound, min(len(texts), self._count) // _BLOCK)
            self._count = len(texts)
        del self._states[self._sound + 1 :]
        if not self._states:
            self._states.append((blake2b(_OPENING + b"(", digest_size=16), 0))
        for block in range(len(self._states) - 1, (len(texts) + _BLOCK - 1) // _BLOCK):
            before, count = self._states[block]
            items = [each for each in texts[block * _BLOCK : (block + 1) * _BLOCK] if each]
            so_far = before.copy()
            if items:
                so_far.update((", " if count else "").encode() + ", ".join(items).encode("ascii"))
            self._states.append((so_far, count + len(items)))
        self._sound = len(self._states) - 1
        so_far, count = self._states[-1]
        whole = so_far.copy()
        whole.update(((",)" if count == 1 else ")") + behind).encode("ascii"))
        return whole.hexdigest()
