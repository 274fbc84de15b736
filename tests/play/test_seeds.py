"""Seeds: new ones, commitments and derived seeds."""

from __future__ import annotations

from hashlib import sha256

from interpreter.play.inputs.seeds import commitment, derived_seed, new_seed


def test_new_seeds_have_128_bits() -> None:
    """A new seed is 32 hexadecimal digits, and no two are the same."""
    seeds = {new_seed() for _ in range(200)}
    assert len(seeds) == 200
    assert all(len(each) == 32 and int(each, 16) >= 0 for each in seeds)
    used = {position for each in seeds for position, digit in enumerate(each) if digit != "0"}
    assert used == set(range(32))


def test_commitment_is_a_tagged_digest_that_anybody_can_compute() -> None:
    """The commitment is SHA-256 of a tag and the seed; a number and its text are the same seed."""
    assert commitment("abc") == sha256(b"bicorne seed 1:abc").hexdigest()
    assert commitment(7) == commitment("7") != commitment("07")


def test_derived_seeds_differ_by_purpose_and_seed() -> None:
    """A derived seed is neither the commitment nor that of another purpose or seed."""
    pairs = [(seed, purpose) for seed in ("1", "2", "1:2") for purpose in ("a", "b", "a:1", "")]
    derived = [derived_seed(*each) for each in pairs]
    assert len({*derived, *[commitment(seed) for seed, _ in pairs]}) == len(pairs) + 3
