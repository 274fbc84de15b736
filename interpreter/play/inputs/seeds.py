"""Seeds of games: new ones, commitments to them, and seeds derived from them."""

from __future__ import annotations

from hashlib import sha256
from secrets import token_hex

_SEED_BYTES = 16


def new_seed() -> str:
    """Returns a random seed of 128 bits, which nobody can find by trying."""
    return token_hex(_SEED_BYTES)


def commitment(seed: int | str) -> str:
    """Returns a digest that commits a host to a seed without revealing it: SHA-256 of `bicorne seed 1:SEED`.

    A seed that a person has chosen can be found by trying seeds; one of `new_seed` can't.
    """
    return _digest(f"bicorne seed 1:{seed}")


def derived_seed(seed: int | str, purpose: str) -> str:
    """Returns a seed for another purpose than the dice, from which the seed of the game can't be found."""
    return _digest(f"bicorne derived seed 1:{len(purpose)}:{purpose}:{seed}")


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
