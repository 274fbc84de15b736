"""Inputs played again."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_game import CODE, FIGHT, TINY, image, played

from interpreter.language.diagnostics import RuleFault, UsageError
from interpreter.play.game import Game
from interpreter.play.inputs.value_codec import plain
from interpreter.play.records.recording import RecordedGame, Recording
from interpreter.play.records.replay import Diverged, replay


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 5), max_size=60), st.integers(0, 3))
def test_inputs_make_the_game_again(choices: list[int], seed: int) -> None:
    """The recorded inputs alone, also by way of JSON, give the same state, result and step; the seed is not needed."""
    game = played(Game(TINY, seed), choices)
    records = [tuple(each) for each in json.loads(json.dumps(plain(game.history)))]
    again = Game(TINY, "another seed", inputs=records)
    assert (again.hash(), again.step_path, again.result) == (game.hash(), game.step_path, game.result)


def recorded(choices: list[int]) -> Recording:
    """A game of the tiny rules as it is kept."""
    game = RecordedGame(TINY, 3)
    played(game, choices)
    return game.recording


def test_a_recording_is_replayed_step_by_step() -> None:
    """A replay comes to the same state after every step, and goes on where the record ends."""
    kept = recorded(FIGHT[:12])
    again = replay(kept, TINY)
    assert tuple(again.finished) == kept.steps
    assert again.hash() == kept.state
    played(again, [-1] * 40)
    assert again.result is not None


def test_other_rules_are_reported_at_the_first_step_that_differs() -> None:
    """A changed rule that the game met is a divergence, with its step, the digest expected and the one found."""
    changed = image(CODE.replace("u.a_strength - 1", "u.a_strength - 2"))
    kept = recorded(FIGHT)
    with pytest.raises(Diverged) as caught:
        replay(kept, changed)
    mismatch = caught.value.mismatch
    assert mismatch.path == "game/turn/battle"
    assert mismatch.expected == kept.steps[mismatch.step - 1].state != mismatch.found
    same = kept.steps[: mismatch.step - 1]
    assert tuple(replay_until(kept, changed, len(same)).finished[: len(same)]) == same


def replay_until(kept: Recording, source: object, steps: int) -> RecordedGame:
    """The game of the first inputs of a recording, which end with so many steps."""
    return RecordedGame(source, 3, inputs=kept.inputs[: kept.steps[steps - 1].inputs])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("yield (S0,", "yield (S6,", "recorded for another roll or decision than 'rally.units'"),
        ("return G.a_points >= 9", "return True", "it ends elsewhere"),
        (
            "v_player, 2, 6)",
            "v_player, 3, 6)",
            "came up as . . when it was recorded, and is 3 of 6 now".replace(". .", r"\d, \d"),
        ),
        ("def sw_rally(v_player): return G.a_points < 7", "def sw_rally(v_player): return False", "another step came"),
    ],
)
def test_every_way_of_differing_is_told(old: str, new: str, said: str) -> None:
    """Other questions, other steps, other states and another end are all told from the record."""
    with pytest.raises(Diverged, match=said):
        replay(recorded(FIGHT), image(CODE.replace(old, new)))


def test_feeding_goes_on_from_where_the_game_stands() -> None:
    """Another's record of the same game, further on, brings this game there."""
    there = played(Game(TINY, 3), FIGHT)
    here = played(Game(TINY, 3), FIGHT[:4])
    here.feed(there.history)
    assert here.hash() == there.hash()


def test_feeding_what_does_not_fit_changes_nothing() -> None:
    """Inputs of another game, or an answer that is no option, are refused and leave the game where it was."""
    game = played(Game(TINY, 3), FIGHT[:4])
    before, known = game.hash(), game.history
    assert game.decision is not None
    number = game.decision.site.number
    with pytest.raises(RuleFault, match="is not an option now"):
        game.feed([*known, ("a", number, ("unit", "red_1"), "blue")])
    with pytest.raises(UsageError, match="not a continuation"):
        game.feed([("a", 0, None, "red")])
    assert (game.hash(), game.history) == (before, known)
    assert game.decision is not None


def test_a_replay_takes_no_answer_that_is_no_option() -> None:
    """An edited answer is told by its decision, even where the rules would have run on with it."""
    kept = recorded(FIGHT)
    forged = [("a", 0, ("unit", "blue_2"), "red") if index == 0 else each for index, each in enumerate(kept.inputs)]
    with pytest.raises(Diverged, match=r"'march\.unit' was answered with .*blue_2.* which is not an option now"):
        replay(dataclasses.replace(kept, inputs=tuple(forged)), TINY)
