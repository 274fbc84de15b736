"""Undo of decisions."""

from __future__ import annotations

import pytest
from card_game import CODE, card_image
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_game import TINY, leaf_image, played, step, unit

from interpreter.play.game import Game
from interpreter.play.undo import UndoRefused

ALL = ("red", "blue")


@settings(max_examples=40)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=40))
def test_undo_restores_state_and_feed_repeats_it(choices: list[int]) -> None:
    """An undo restores the hash before the decision; the same inputs restore the hash after it."""
    game = Game(TINY, 2)
    for choice in choices:
        if game.decision is None:
            break
        before, records, path = game.hash(), game.history, game.step_path
        seat = game.decision.seat
        game.choose_index(choice % len(game.decision.options))
        after, inputs = game.hash(), game.history
        game.undo(seat, agreed=ALL)
        assert (game.hash(), game.history, game.step_path) == (before, records, path)
        game.feed(inputs)
        assert (game.hash(), game.history) == (after, inputs)


def test_undo_without_seat_undoes_last_decision() -> None:
    """Without a seat the last decision is undone, whoever made it."""
    game = Game(TINY)
    before = game.hash()
    game.choose("red_1")
    game.undo()
    assert game.hash() == before
    assert game.decision is not None
    assert game.decision.seat == "red"


def test_undo_of_answered_decision_needs_consent() -> None:
    """A decision followed by one of another seat is undone only with its consent; the refusal gives the reason."""
    game = played(Game(TINY, 4), [2, 2, 2])
    assert [record[3] for record in game.history if record[0] == "a"].count("blue") > 0
    with pytest.raises(UndoRefused, match=r"red's decision \(units\) .* blue decided .*needs the consent of blue"):
        game.undo("red")
    game.undo("red", agreed=["blue"])
    assert game.decision is not None
    assert game.decision.seat == "red"


CHANCY = """
def s_ask():
    a = yield (S0, i_playerːred, (1, 2), None, None)
    {event}
    b = yield (S1, i_playerːred, (3, 4), None, None)
"""


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ("roll_sum(S2, i_playerːred, 1, 6)", "dice were rolled"),
        ("random_one(S3, A.all_unit)", "something was picked at random"),
        ("reveal(S5, i_unitːred_1, None)", "something was revealed"),
    ],
)
def test_undo_across_chance_needs_consent(event: str, message: str) -> None:
    """Dice, random picks and reveals block an undo, unless every other seat agrees."""
    game = Game(leaf_image(CHANCY.format(event=event), step("ask", flags="do asks", scope=())))
    game.choose(1)
    with pytest.raises(UndoRefused, match=message):
        game.undo()
    game.undo(agreed=["blue"])
    assert game.history == ()
    assert game.core.revealed == frozenset()


def test_undo_without_decision_is_refused() -> None:
    """Nothing can be undone before the first decision, nor for a seat without decisions."""
    with pytest.raises(UndoRefused, match="no decision has been made yet"):
        Game(TINY).undo()
    game = Game(TINY)
    game.choose("red_1")
    with pytest.raises(UndoRefused, match="blue has not decided anything yet"):
        game.undo("blue")


def test_consent_of_unknown_seat_is_refused() -> None:
    """Consent is given by seats of the game."""
    game = Game(TINY)
    game.choose("red_1")
    with pytest.raises(UndoRefused, match="there is no seat 'blau' in this game; did you mean 'blue'"):
        game.undo(agreed=["blau"])


def test_undone_roll_falls_the_same_again() -> None:
    """An agreed undo rolls nothing anew: the same dice show the same faces, and later ones are new."""
    event = "roll_sum(S2, i_playerːred, 20, 6)"
    game = Game(leaf_image(CHANCY.format(event=event), step("ask", flags="do asks", scope=())))
    game.choose(1)
    first = game.history
    game.undo(agreed=["blue"])
    game.choose(2)
    assert game.history[1] == first[1]
    game.undo(agreed=["blue"])
    game.choose(1)
    assert game.history == first


SPYING = """
def s_play(v_player):
    look = yield (S2, v_player, (True, False), None, None)
    if look:
        JA((i_pileːdeck, "a_face_up", False)); i_pileːdeck.a_face_up = True
    chosen = yield (S1, v_player, (True, False), None, None)
"""
"""A player may turn up the deck, without any statement that reveals it."""


def spying(look: bool) -> Game:
    """A game in which red has or has not turned up the deck."""
    before, after = CODE.index("def s_play"), CODE.index("def vw_piles")
    code = CODE[:before] + SPYING.lstrip() + CODE[after:]
    game = Game(card_image(units=(unit(code), unit(code, "traced"))), 1)
    game.choose(look)
    return game


def test_undo_after_sight_of_hidden_things_needs_consent() -> None:
    """What a seat has seen can't be unseen: the undo is refused, the game stays as it is, and an agreed undo works."""
    game = spying(True)
    before = game.hash(), game.history
    with pytest.raises(UndoRefused, match="red has seen what was hidden") as refused:
        game.undo("red")
    assert refused.value.needs_consent
    assert (game.hash(), game.history) == before
    assert game.decision is not None
    game.undo("red", agreed=["blue"])
    assert game.history == ()


def test_undo_without_sight_of_hidden_things_is_free() -> None:
    """A seat that has seen nothing new needs no consent."""
    game = spying(False)
    game.undo("red")
    assert game.history == ()
