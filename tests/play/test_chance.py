"""Dice, random picks and the value codec."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from hashlib import shake_256
from itertools import count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_game import SITES, TINY, leaf_image, step

from interpreter.language.diagnostics import UsageError
from interpreter.play.game import Game
from interpreter.play.inputs.dice import Dice
from interpreter.play.inputs.value_codec import decode, encode, encode_json

SITE = SITES[2]


@given(st.integers(1, 1000), st.integers(0, 50))
def test_rolls_are_positions_of_faces(faces: int, count: int) -> None:
    """Every position of a roll is one of the faces."""
    assert all(0 <= each < faces for each in Dice(1).roll(SITE, count, range(faces)))


def published_stream(seed: object) -> Iterator[int]:
    """The words of a seed, by the definition in docs/records.md."""
    for block in count():
        digest = shake_256(f"bicorne dice 1:{block}:{seed}".encode()).digest(256)
        yield from (int.from_bytes(digest[at : at + 2], "little") for at in range(0, 256, 2))


def test_seed_gives_fixed_stream() -> None:
    """The algorithm gives these faces for this seed on every machine and version."""
    assert Dice(1).roll(SITE, 12, range(1, 7)) == [1, 5, 0, 5, 1, 5, 1, 5, 0, 0, 2, 2]


@given(st.integers(1, 10**6) | st.text(max_size=8), st.integers(1, 300))
def test_dice_are_the_published_stream(seed: int | str, number: int) -> None:
    """Every die takes one word of the published stream, modulo its faces."""
    words = islice(published_stream(seed), number)
    assert Dice(seed).roll(SITE, number, range(256)) == [each % 256 for each in words]


def test_word_that_favours_low_faces_is_replaced() -> None:
    """A word is taken up to the largest multiple of the faces; beyond it, numbers of the word's own replace it."""
    words = list(islice(published_stream("x"), 4000))
    limit = 40_000
    rolled = Dice("x").roll(SITE, len(words), range(limit))
    assert any(word < limit for word in words)
    replaced = {at: found for at, (word, found) in enumerate(zip(words, rolled, strict=True)) if word >= limit}
    assert all(found == word for word, found in zip(words, rolled, strict=True) if word < limit)
    for at, found in list(replaced.items())[:20]:
        number = int.from_bytes(shake_256(f"bicorne dice 1:{at}.1:x".encode()).digest(8), "little")
        assert found == number % limit
    assert 0.35 < sum(found < limit // 2 for found in replaced.values()) / len(replaced) < 0.65


@pytest.mark.parametrize("limit", [65_535, 65_536, 65_537, 1_000_000, 1 << 32])
def test_many_faces_are_reached(limit: int) -> None:
    """Dice of more faces than a word has values show faces of every quarter."""
    rolled = Dice(4).roll(SITE, 200, range(limit))
    assert {each * 4 // limit for each in rolled} == {0, 1, 2, 3}


def test_one_pick_of_nothing_is_nothing() -> None:
    """Picking from an empty collection takes nothing, and no word."""
    dice = Dice(1)
    assert [dice.pick(SITE, count, ()) for count in (0, 1, 2)] == [[], [], []]
    assert dice.drawn == 0


@given(st.lists(st.integers(1, 40), max_size=30), st.integers(0, 5))
def test_stream_continues_from_words_drawn(sizes: list[int], seed: int) -> None:
    """A stream restored from its number of words continues like the original."""
    dice = Dice(seed)
    for size in sizes:
        dice.below(size)
    again = Dice(seed, dice.drawn)
    assert again.roll(SITE, 10, range(6)) == dice.roll(SITE, 10, range(6))


def test_picks_are_distinct() -> None:
    """A pick of several items never repeats one, and returns all items if there are fewer."""
    assert sorted(Dice(3).pick(SITE, 9, "abcde")) == [0, 1, 2, 3, 4]
    assert len(set(Dice(3).pick(SITE, 3, "abcde"))) == 3


def test_faces_are_about_equally_likely() -> None:
    """Six thousand dice show each face about a thousand times."""
    rolled = Dice(11).roll(SITE, 6000, range(6))
    assert all(880 < rolled.count(face) < 1120 for face in range(6))


def test_separate_dice_are_sorted_by_face() -> None:
    """Separate dice come in the order of their faces; the record keeps the order of the roll."""
    code = """
def s_roll():
    faces = roll_apart(S3, i_playerːred, 12, (e_faceːmiss, e_faceːhit))
    JA((G, "a_points", 0)); G.a_points = len([f for f in faces[:3] if f is e_faceːmiss])
"""
    game = Game(leaf_image(code, step("roll", flags="do", scope=())))
    record = game.history[0]
    assert set(record[2:]) == {"hit", "miss"}
    assert list(record[2:]) != sorted(record[2:], reverse=True)
    assert game.core.world.state.a_points == min(3, record[2:].count("miss"))


def test_draws_pick_contents_of_pile() -> None:
    """A draw from a space is a random pick of its contents, which stay there until they are moved."""
    code = """
def s_draw():
    u = draw_one(S3, i_areaːnorth)
    yield (S0, i_playerːred, (u, None), None, None)
    us = draw_some(S3, 5, i_areaːnorth)
    yield (S0, i_playerːred, us, None, None)
"""
    game = Game(leaf_image(code, step("draw", flags="do asks", scope=())))
    assert game.history[0][:2] == ("r", 3)
    assert game.history[0][2] in {"red_1", "red_2"}
    game.choose(None)
    assert game.decision is not None
    assert game.decision.labels == ("red 1", "red 2")


def test_codec_round_trips_values() -> None:
    """Every type of value is restored from its stable form and from its JSON form."""
    core = Game(TINY).core
    unit, face = core.find("unit", "red_1"), core.find("face", "hit")
    for value in (None, True, 3, "march", unit, face, (unit, 2), {unit: 1, face: 2}, Fraction(1, 3)):
        assert decode(encode(value), core) == value
        assert decode(encode_json(encode(value)), core) == value
    act = core.actions["attack"]
    assert decode(encode(act), core) is act


def test_unknown_value_names_nearest() -> None:
    """The error for an unknown stable form names the nearest known one."""
    core = Game(TINY).core
    with pytest.raises(UsageError, match="did you mean 'red_"):
        decode(("unit", "red_l"), core)
    with pytest.raises(UsageError, match="did you mean 'attack'"):
        decode((":action", "atack"), core)


@pytest.mark.parametrize(
    "stable",
    [1.5, {}, [], [1], ["unit"], ["unit", 1], [":other"], [":action"], [":action", 1], [":action", []],
     [":fraction", 1], [":fraction", 1, 0], [":fraction", "1", 2], [":reason", [], "x"], [":list", 0.5],
     [":map", 1], [":map", [1]], [":map", [1, 2, 3]], [":map", [[":map"], 1]], [":map", [[":list", [":map"]], 1]],
     [":record"], [":record", 1], [":record", "unit"], [":record", "nothing"]],
    ids=str,
)  # fmt: skip
def test_what_is_no_value_is_refused(stable: object) -> None:
    """Data that is not the stable form of a value is refused, in what form ever; no piece is made of it."""
    core = Game(TINY).core
    before = list(core.world.objects)
    with pytest.raises(UsageError):
        decode(stable, core)
    assert core.world.objects == before


@pytest.mark.parametrize("drawn", [0, 1, 31, 99_999, 100_000, 250_001])
def test_skipped_words_equal_drawn_words(drawn: int) -> None:
    """Skipping words at once equals drawing them one by one."""
    one, other = Dice("seed"), Dice("seed", drawn)
    for _ in range(drawn):
        one.below(1 << 32)
    assert (one.drawn, other.drawn) == (drawn, drawn)
    assert [one.below(6) for _ in range(20)] == [other.below(6) for _ in range(20)]
