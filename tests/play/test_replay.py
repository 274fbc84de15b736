"""Inputs played again."""

from __future__ import annotations

import dataclasses
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_game import CODE, FIGHT, TINY, image, played

from interpreter.language.diagnostics import RuleFault, UsageError
from interpreter.play.game import Game
from interpreter.play.inputs.value_codec import plain
from interpreter.play.records.recording import RecordedGame, Recording, first_difference, resume


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
    again = resume(kept, TINY)
    assert tuple(again.finished) == kept.steps
    assert again.hash() == kept.state
    played(again, [-1] * 40)
    assert again.result is not None


def test_other_rules_are_reported_at_the_first_step_that_differs() -> None:
    """A changed rule that the game met is a divergence, with its step, the digest expected and the one found."""
    changed = image(CODE.replace("u.a_strength - 1", "u.a_strength - 2"))
    kept = recorded(FIGHT)
    for number, step in enumerate(kept.steps, 1):
        other = RecordedGame(changed, 3, inputs=kept.inputs[: step.inputs])
        if other.finished[number - 1] != step:
            break
    assert step.path == "game/turn/battle"
    assert first_difference(kept, other) == (
        f"the game comes out differently after step {number} ('game/turn/battle'): the state is another"
    )


def test_another_step_is_reported_by_its_path() -> None:
    """Where the record names another step than the one that came, the message says which came."""
    kept = recorded(FIGHT)
    steps = (kept.steps[0]._replace(path="game/other"), *kept.steps[1:])
    found = first_difference(dataclasses.replace(kept, steps=steps), resume(kept, TINY))
    assert found == (
        f"the game comes out differently after step 1 ('game/other'): step '{kept.steps[0].path}' came instead"
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("yield (S0,", "yield (S6,", "recorded for another roll or decision than 'rally.units'"),
        ("return G.a_points >= 9", "return True", r"the game has \d+ finished steps where \d+ were recorded"),
        (
            "v_player, 2, 6)",
            "v_player, 3, 6)",
            "came up as . . when it was recorded, and is 3 of 6 now".replace(". .", r"\d, \d"),
        ),
        (
            "def sw_rally(v_player): return G.a_points < 7",
            "def sw_rally(v_player): return False",
            "recorded for another roll or decision than 'march.unit'",
        ),
    ],
)
def test_every_way_of_differing_is_told(old: str, new: str, said: str) -> None:
    """Other questions, other steps, other states and another end are all told from the record."""
    kept = recorded(FIGHT)
    try:
        found = first_difference(kept, resume(kept, image(CODE.replace(old, new)), force=True))
    except RuleFault as fault:
        found = str(fault)
    assert re.search(said, found or "")


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
    with pytest.raises(RuleFault, match=r"'march\.unit' was answered with .*blue_2.* which is not an option now"):
        resume(dataclasses.replace(kept, inputs=tuple(forged)), TINY, verified=True)
