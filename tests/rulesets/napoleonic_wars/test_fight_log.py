"""What the table reads of reactions, hits, attrition and the peace roll in The Napoleonic Wars."""

from __future__ import annotations

import re

import pytest
from hidden_pairs import play_at_random

from interpreter.console.narration import Narrator
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_ruleset, load_scenario
from interpreter.workshop.examples.run_examples import play_example

LOG_WORDS = {
    "en": (
        r"^(\S+) has (-?\d+), (\d+) or more needed$",
        r"^.+ may not intercept again this round$",
        r"^\S+: (1 unit is|([2-9]|\d\d) units are) disrupted$",
        r"^\S+ rolls attrition in .+: (a long march|a mountain pass or a marsh|from an area not its own)",
        r"^Peace roll: -?\d+ in all, 6 or more makes peace$",
    ),
    "ja": (
        r"^(\S+)：合計(-?\d+)（(\d+)以上で成功）$",
        r"^.+はこのラウンド、もう迎撃できない$",
        r"^\S+：\d+ユニットが混乱$",
        r"^\S+は.+で消耗判定：(長距離の移動|峠道か沼沢地|自陣営支配下でないエリア)",
        r"^講和判定：合計-?\d+（6以上で講和）$",
    ),
}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_reactions_and_hits_are_logged_in_words(language: str) -> None:
    """A reaction logs its total and what it needs, a failed interception and disruption their effect, attrition its
    cause, the peace roll its sum; nothing else.
    """
    scenario = load_scenario("napoleonic_wars/campaign_5")
    played = play_at_random(scenario, 7, 900)
    game = Game(scenario, 7, inputs=played.inputs.items, language=language)
    lines = [each.text for each in Narrator(game).shown(game.log)]
    for pattern in LOG_WORDS[language]:
        assert any(re.search(pattern, line) for line in lines), pattern
    by_value = r"^now (failed|disrupted|routed)|: (disrupted|混乱)|^(reaction|離脱・迎撃の結果) -?\d+ → "
    assert not any(re.search(by_value, line) for line in lines)
    assert any(re.search(by_value, each.text) for each in game.log)


def test_an_end_without_enemies_says_so() -> None:
    """Where the last two enemies make peace, the log says why the game ends, before the points."""
    played = play_example(load_ruleset("napoleonic_wars"), "no_enemies_left")
    lines = [each.text for each in Narrator(played).shown(played.log)]
    at = lines.index("no two major powers are enemies any more")
    assert any("points" in each for each in lines[at:])
    assert not any("points" in each for each in lines[:at])
