"""Replays of recorded inputs."""

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
from interpreter.play.inputs.value_codec import encode_json
from interpreter.play.records.recording import RecordedGame, Recording, first_difference, resume


@settings(max_examples=40)
@given(st.lists(st.integers(0, 5), max_size=60), st.integers(0, 3))
def test_inputs_determine_game(choices: list[int], seed: int) -> None:
    """The recorded inputs alone, also as JSON, give the same state, result and step; the seed is not needed."""
    game = played(Game(TINY, seed), choices)
    records = [tuple(each) for each in json.loads(json.dumps(encode_json(game.history)))]
    again = Game(TINY, "another seed", inputs=records)
    assert (again.hash(), again.step_path, again.result) == (game.hash(), game.step_path, game.result)


def recording_of(choices: list[int]) -> Recording:
    """Returns the recording of a game of the tiny rules."""
    game = RecordedGame(TINY, 3)
    played(game, choices)
    return game.recording


def test_replay_reaches_recorded_states() -> None:
    """A replay reaches the same state after every step, and can continue after the record."""
    recording = recording_of(FIGHT[:12])
    again = resume(recording, TINY)
    assert tuple(again.finished) == recording.steps
    assert again.hash() == recording.state
    played(again, [-1] * 40)
    assert again.result is not None


def test_changed_rule_differs_at_first_use() -> None:
    """The first difference is the step that used the changed rule."""
    changed = image(CODE.replace("u.a_strength - 1", "u.a_strength - 2"))
    recording = recording_of(FIGHT)
    for number, step in enumerate(recording.steps, 1):
        other = RecordedGame(changed, 3, inputs=recording.inputs[: step.inputs])
        if other.finished[number - 1] != step:
            break
    assert step.path == "game/turn/battle"
    assert first_difference(recording, other) == (
        f"the replay differs after step {number} ('game/turn/battle'): the state is different"
    )


def test_other_next_step_is_named() -> None:
    """If another step follows than recorded, the message names it."""
    recording = recording_of(FIGHT)
    steps = (recording.steps[0]._replace(path="game/other"), *recording.steps[1:])
    found = first_difference(dataclasses.replace(recording, steps=steps), resume(recording, TINY))
    assert found == (f"the replay differs after step 1 ('game/other'): the next step is '{recording.steps[0].path}'")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("yield (S0,", "yield (S6,", "recorded for another roll or decision than 'rally.units'"),
        ("return G.a_points >= 9", "return True", r"the replay has \d+ finished steps, but \d+ were recorded"),
        (
            "v_player, 2, 6)",
            "v_player, 3, 6)",
            "was recorded as . ., but is 3 of 6 now".replace(". .", r"\d, \d"),
        ),
        (
            "def sw_rally(v_player): return G.a_points < 7",
            "def sw_rally(v_player): return False",
            "recorded for another roll or decision than 'march.unit'",
        ),
    ],
)
def test_every_kind_of_difference_is_reported(old: str, new: str, message: str) -> None:
    """Other questions, steps, states and another end are all reported."""
    recording = recording_of(FIGHT)
    try:
        found = first_difference(recording, resume(recording, image(CODE.replace(old, new)), force=True))
    except RuleFault as fault:
        found = str(fault)
    assert re.search(message, found or "")


def test_feed_continues_game() -> None:
    """A longer record of the same game brings this game to its end."""
    there = played(Game(TINY, 3), FIGHT)
    here = played(Game(TINY, 3), FIGHT[:4])
    here.feed(there.history)
    assert here.hash() == there.hash()


def test_feed_of_wrong_inputs_changes_nothing() -> None:
    """Inputs of another game, or an answer that is no option, are refused and change nothing."""
    game = played(Game(TINY, 3), FIGHT[:4])
    before, known = game.hash(), game.history
    assert game.decision is not None
    number = game.decision.site.number
    with pytest.raises(RuleFault, match="is not an option now"):
        game.feed([*known, ("a", number, ("unit", "red_1"), "blue")])
    with pytest.raises(UsageError, match="do not continue"):
        game.feed([("a", 0, None, "red")])
    assert (game.hash(), game.history) == (before, known)
    assert game.decision is not None


def test_replay_refuses_forged_answer() -> None:
    """An edited answer is reported with its decision, even where the rules would accept it."""
    recording = recording_of(FIGHT)
    forged = [
        ("a", 0, ("unit", "blue_2"), "red") if index == 0 else each for index, each in enumerate(recording.inputs)
    ]
    with pytest.raises(RuleFault, match=r"'march\.unit' was answered with .*blue_2.* which is not an option now"):
        resume(dataclasses.replace(recording, inputs=tuple(forged)), TINY, verified=True)
