"""The map of The Napoleonic Wars as text."""

from __future__ import annotations

import re

import pytest

from interpreter.console.board import map_text
from interpreter.language.text_width import width
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_scenario


@pytest.mark.parametrize("language", ["en", "ja"])
def test_map_shows_every_place_in_80_columns(language: str) -> None:
    """Every area and sea has a field of the map, and no line is wider than a terminal of 80 columns."""
    game = Game(load_scenario("napoleonic_wars/campaign_5"), seed=1, language=language)
    drawn = game.source.ruleset.presentation["map"][language]
    places = {name for kind, name in game.source.ruleset.program.individuals if kind in {"area", "sea"}}
    assert sorted(re.findall(r"\{(\w+):\d+\}", drawn)) == sorted(places)
    shown = str(map_text(game))
    assert max(map(width, shown.split("\n"))) <= 80
    assert all(each in shown for each in (" 10F N 3* ", " 3S * F~ 2S~ ")), "Calais and Cádiz at the start"
