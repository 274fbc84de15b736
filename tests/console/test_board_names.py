"""`board NAME` for a nation, a seat, a leader, a card: what the table knows of it, and a whole name before parts."""

from __future__ import annotations

import pytest

from interpreter.console.board import place_text
from interpreter.language.diagnostics import UsageError
from interpreter.play.engine.source import source_of
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
    assert text.startswith("player: France: plays France, Spain\n")
    assert "\nnation: France: imperial, played by France, 14 keys, allied with Spain\n" in text
    assert "major power" in text
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
    assert "主要勢力、首都：パリ、" in text
    assert ", " not in text


def test_place_is_shown_with_its_values_and_neighbours() -> None:
    """A place has the values that its label does not say, and what it is next to, each with the way there."""
    duel = place_text(Game(load_scenario("napoleonic_wars/duel_1805")), "Munich", columns=200)
    assert "\n  home France, key area, terrain clear\n" in duel
    assert "\n  next to Ulm (open), Kassel (open), Linz (open), Prague (pass), Tyrol (pass)" in duel
    ulm = Game(load_scenario("age_of_napoleon/ulm_1805"), language="ja")
    assert "\n  隣：ロレーヌ、ブルゴーニュ、チロル" in place_text(ulm, "スイス")


def test_words_stand_after_the_name_of_their_attribute(campaign: Game) -> None:
    """A word alone, such as 'peace', does not say what it is about; one that the title says is not repeated."""
    assert "war state peace" in place_text(Game(load_scenario("fin_napoleon/campaign")), "Prussia")
    text = place_text(campaign, "prussia", "french")
    assert ", neutral," not in text.partition("Prussia: neutral")[2]
    assert place_text(Game(load_scenario("age_of_napoleon/ulm_1805")), "France") == (
        "France (French ally)\n  major country, never changes sides"
    )


def test_a_neutral_nation_has_no_seat(campaign: Game) -> None:
    """Nobody plays Turkey while it is neutral; an ally says who plays it."""
    assert place_text(campaign, "turkey", "french").startswith("Turkey: neutral\n  movement-order track 7, capital ")
    assert place_text(campaign, "spain", "french").startswith("Spain: imperial, ally of France, played by France, ")


def test_few_things_with_a_part_of_a_name_are_all_shown() -> None:
    """Both hands are shown, as far as the seat may see them; where many things could be meant, they are named."""
    text = place_text(Game(load_scenario("age_of_napoleon/ulm_1805"), seed=7), "hand", "french")
    assert text.startswith("pile of cards: the French hand\n  Envoys 3")
    assert "\npile of cards: the hand of the Coalition\n  8 hidden" in text
    with pytest.raises(UsageError, match="could be any of"):
        place_text(Game(load_scenario("napoleonic_wars/duel_1805")), "hand of")


def test_units_of_several_nations_in_a_place_are_all_named() -> None:
    """During a battle an area has the units of both sides, and its label names the nations of both."""
    game = Game(load_scenario("napoleonic_wars/duel_1805"))
    core = game.core
    london, paris = core.find("area", "london"), core.find("area", "paris")
    core.world.place(next(each for each in core.world.all_of("unit") if each.at is london), paris)
    assert ", 2 units (France, Britain)" in place_text(game, "Paris")


@pytest.mark.parametrize(("language", "name", "said"), [("en", "France", "Spain"), ("ja", "フランス", "スペイン")])
def test_neutrals_are_not_listed_as_those_of_a_nation(language: str, name: str, said: str) -> None:
    """Nations of which only an attribute that the board leaves out names France do not belong to it."""
    game = Game(source_of(load_scenario("napoleonic_wars/campaign_5"), language), seed=3)
    text = place_text(game, name, "french")
    assert said in text
    for neutral in ("Turkey", "Denmark", "トルコ", "デンマーク"):
        assert neutral not in text
