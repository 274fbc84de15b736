"""A hash over a long list of texts that changes little between digests.

The texts are split into blocks, and the hash state before each block is kept, so that a digest only recomputes from
the first changed block on.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

_BLOCK_SIZE = 64
_OPENING = b"(("


class IncrementalHash:
    """Hashes a tuple of texts, without the empty ones, followed by a suffix."""

    def __init__(self) -> None:
        self._count = 0
        self._valid_blocks = 0
        """The number of leading blocks unchanged since the last digest."""
        self._states: list[tuple[blake2b, int]] = []
        """The hash state before each block, and the number of texts hashed so far."""

    def changed(self, index: int) -> None:
        """Marks the text at an index as changed."""
        self._valid_blocks = min(self._valid_blocks, index // _BLOCK_SIZE)

    def digest(self, texts: Sequence[str], suffix: str) -> str:
        """Returns BLAKE2b (128 bits, hex) over `((texts…)suffix`, with the texts joined as `ascii` writes a tuple."""
        if len(texts) != self._count:
            self._valid_blocks = min(self._valid_blocks, min(len(texts), self._count) // _BLOCK_SIZE)
            self._count = len(texts)
        del self._states[self._valid_blocks + 1 :]
        if not self._states:
            self._states.append((blake2b(_OPENING + b"(", digest_size=16), 0))
        for block in range(len(self._states) - 1, (len(texts) + _BLOCK_SIZE - 1) // _BLOCK_SIZE):
            before, count = self._states[block]
            items = [each for each in texts[block * _BLOCK_SIZE : (block + 1) * _BLOCK_SIZE] if each]
            so_far = before.copy()
            if items:
                so_far.update((", " if count else "").encode() + ", ".join(items).encode("ascii"))
            self._states.append((so_far, count + len(items)))
        self._valid_blocks = len(self._states) - 1
        so_far, count = self._states[-1]
        whole = so_far.copy()
        whole.update(((",)" if count == 1 else ")") + suffix).encode("ascii"))
        return whole.hexdigest()
