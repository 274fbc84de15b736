"""Taking back decisions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_game import TINY, leaf_image, played, step

from interpreter.play.game import Game
from interpreter.play.undo import UndoRefused

ALL = ("red", "blue")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=40))
def test_undo_restores_the_state_and_redo_repeats_it(choices: list[int]) -> None:
    """After an undo the hash is that of before the decision; the same answer with the same dice gives it again."""
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


def test_undo_goes_back_to_the_seat_that_decided_last() -> None:
    """Without a seat the last decision is taken back, whoever made it."""
    game = Game(TINY)
    before = game.hash()
    game.choose("red_1")
    game.undo()
    assert game.hash() == before
    assert game.decision is not None
    assert game.decision.seat == "red"


def test_undo_across_anothers_decision_needs_consent() -> None:
    """A decision that another has answered is taken back only if that seat agrees; the refusal says why."""
    game = played(Game(TINY, 4), [2, 2, 2])
    assert [record[3] for record in game.history if record[0] == "a"].count("blue") > 0
    with pytest.raises(UndoRefused, match=r"red's decision \(units\) .* blue decided .*needs the consent of blue"):
        game.undo("red")
    game.undo("red", agreed=["blue"])
    assert game.decision is not None
    assert game.decision.seat == "red"


CHANCY = """
def s_ask():
    a = yield (S0, i_player__red, (1, 2), None, None)
    {event}
    b = yield (S1, i_player__red, (3, 4), None, None)
"""


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ("roll_sum(S2, i_player__red, 1, 6)", "dice were rolled"),
        ("random_one(S3, A.all_unit)", "something was picked at random"),
        ("reveal(S5, i_unit__red_1, None)", "something was revealed"),
    ],
)
def test_undo_never_crosses_what_was_learnt(event: str, said: str) -> None:
    """Dice, random picks and reveals stop an undo, unless every other seat agrees."""
    game = Game(leaf_image(CHANCY.format(event=event), step("ask", flags="do asks", scope=())))
    game.choose(1)
    with pytest.raises(UndoRefused, match=said):
        game.undo()
    game.undo(agreed=["blue"])
    assert game.history == ()
    assert game.core.revealed == frozenset()


def test_undo_without_a_decision_is_refused() -> None:
    """There is nothing to take back before the first decision, nor for a seat that has not decided."""
    with pytest.raises(UndoRefused, match="no decision has been made yet"):
        Game(TINY).undo()
    game = Game(TINY)
    game.choose("red_1")
    with pytest.raises(UndoRefused, match="blue has not decided anything yet"):
        game.undo("blue")


def test_consent_of_nobody_known_is_refused() -> None:
    """Consent is given by seats of the game."""
    game = Game(TINY)
    game.choose("red_1")
    with pytest.raises(UndoRefused, match="'blau' is no seat of this game; did you mean 'blue'"):
        game.undo(agreed=["blau"])


def test_dice_are_rolled_anew_after_an_agreed_undo() -> None:
    """Nobody knows the next die through an undo: the stream goes on, it is not wound back."""
    event = "roll_sum(S2, i_player__red, 20, 6)"
    game = Game(leaf_image(CHANCY.format(event=event), step("ask", flags="do asks", scope=())))
    game.choose(1)
    first = game.history
    game.undo(agreed=["blue"])
    game.choose(1)
    assert game.history != first
