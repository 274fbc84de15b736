"""The ruleset compared with a game written by hand from the same clauses, over the same dice and decisions."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import product

import pytest
from plain_follower import BrokenOff, Follower
from plain_result import Options
from stage_recorder import ADDRESSES, StageRecorder

from interpreter import Game, load_ruleset
from interpreter.language.codegen.emit import emit_unit
from interpreter.play.engine.source import GameSource
from interpreter.rules.loading.ruleset import Ruleset

SWITCHES = ("road_to_paris", "nelson", "french_reform", "allied_reform")
TURNS = 200 if os.environ.get("BICORNE_SOAK") else 40
ROUNDS = 20 if os.environ.get("BICORNE_SOAK") else 2
"""Games for each of 32 settings of the options: all settings of the switches, with one allied player or several."""


@cache
def fin_napoleon() -> Ruleset:
    """Returns the ruleset, read once."""
    return load_ruleset("fin_napoleon")


def under(options: Mapping[str, int]) -> GameSource:
    """Returns the ruleset with its options set; only its code is compiled again."""
    ruleset = fin_napoleon()
    known = {name: replace(each, value=options[name]) for name, each in ruleset.program.options.items()}
    unit = emit_unit(replace(ruleset.program, options=known), "fast")
    return GameSource(replace(ruleset.image, options=tuple(options.items()), units=(unit,)))


def compared(setting: GameSource, seed: int, turns: int = TURNS) -> StageRecorder:
    """Plays one game by both, fails where they differ, and returns the recorded one."""
    recorder = StageRecorder(seed)
    Game(setting, seed, observers=(recorder,))
    recorder.play(turns)
    shares = tuple([recorder.countries_of(each) for each in recorder.partners])
    switches = {name: bool(value) for name, value in setting.image.options if name in SWITCHES}
    options = Options(shares, **switches)
    follower = Follower(recorder, options)
    if recorder.result is None:
        with pytest.raises(BrokenOff):
            follower.play()
        return recorder
    result = follower.play()
    assert follower.over, "the hand-written game was over first"
    assert result.winner == recorder.winner
    assert result.scores == tuple([recorder.points_of(each) for each in recorder.partners])
    if recorder.winner == "allied" and shares:
        scores = dict(zip(recorder.partners, result.scores, strict=True))
        assert recorder.result.winners == tuple([each for each in scores if scores[each] == max(scores.values())])
    return recorder


@pytest.mark.parametrize("several", [False, True])
def test_ruleset_matches_plain_game(several: bool) -> None:
    """Both ask, roll, leave and end the same under every setting of the options.

    That is: the same options for the same seats, the same number of dice, the same position after every activation and
    every item of the adjustment phase, and the same end.
    """
    asked: Counter[str] = Counter()
    for number, switches in enumerate(product((False, True), repeat=len(SWITCHES))):
        players = 2 + number % 4 if several else 1
        setting = under({"allied_players": players, **dict(zip(SWITCHES, switches, strict=True))})
        for round_ in range(ROUNDS):
            recorder = compared(setting, 10_000 * several + 100 * number + round_)
            asked.update([each.address for stage in recorder.stages for each in stage.asked])
    never = set(ADDRESSES.values()) - set(asked)
    assert never <= {"declare_victory"}, "some decisions were never put to the test"


@pytest.mark.parametrize(
    ("seed", "switches", "winner", "stages"),
    [
        (101, (), "french", ("victory_declaration",)),
        (119, (), "allied", ("after_surrender", "victory_declaration")),
        (126, (), "allied", ("after_surrender", "victory_declaration")),
        (0, ("road_to_paris",), "allied", ("activity_phase",)),
    ],
)
def test_rare_games_match_plain_game(
    seed: int, switches: tuple[str, ...], winner: str, stages: tuple[str, ...]
) -> None:
    """Both agree where France wins, surrenders and goes on, or falls on the road to Paris in the middle of a turn."""
    setting = under({"allied_players": 1, **{each: each in switches for each in SWITCHES}})
    recorder = compared(setting, seed, turns=60)
    assert recorder.winner == winner
    assert recorder.stages[-1].name == stages[-1]
    assert set(stages) <= {each.name for each in recorder.stages}
