"""`board NAME` for a nation, a seat, a leader, a card: what the table knows of it, and a whole name before parts."""

from __future__ import annotations

import pytest

from interpreter.console.board import place_text
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_scenario


@pytest.fixture(scope="module")
def campaign() -> Game:
    game = Game(load_scenario("napoleonic_wars/campaign_5"), seed=3, trace=True)
    while game.decision is not None and game.decision.address != "impulse.opening":
        game.choose_index(0)
    return game


def test_whole_name_of_a_nation_is_meant_before_parts_of_names(campaign: Game) -> None:
    """The nation and the seat of this name are shown, and no box whose name contains it is asked about."""
    text = place_text(campaign, "france", "french")
    assert text.startswith("player: France\n")
    assert "\nnation: France: imperial, 14 keys\n" in text
    assert "major power" in text
    assert "nation (seat France): France, Spain" in text
    assert "nation (row of its diplomat France): Spain" in text
    assert "regroup box of France: –" in text
    assert "garrison" not in text


def test_hands_of_others_are_counted_only(campaign: Game) -> None:
    """Of a hand its owner sees the cards, others see how many there are."""
    own = place_text(campaign, "Austria", "austrian")
    hand = next(each for each in own.splitlines() if "hand of Austria" in each)
    assert "hidden" not in hand
    for seat in ("french", None):
        other = next(each for each in place_text(campaign, "Austria", seat).splitlines() if "hand of Austria" in each)
        assert other.strip() == "hand of Austria: 4 hidden"


def test_parts_of_names_still_mean_places_and_pieces(campaign: Game) -> None:
    """A part of a name is looked for among places and pieces first."""
    assert place_text(campaign, "hand of Aus", "french") == "hand of Austria\n  4 hidden"
    assert place_text(campaign, "Napoleon", "british").startswith("Napoleon (battle 4, command 8)")


def test_values_are_separated_as_in_the_language_of_the_game() -> None:
    """In Japanese the values of a nation stand between Japanese commas."""
    game = Game(load_scenario("napoleonic_wars/campaign_5"), seed=3, language="ja")
    text = place_text(game, "france", "french")
    assert "主要勢力、首都 パリ、" in text
    assert ", " not in text
