"""What 'why not' takes a text for: a whole name of a thing, an action, words of actions."""

from __future__ import annotations

from interpreter.console.prompt_commands import PromptCommands
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_scenario


def at(address: str) -> Game:
    """Returns a game of The Napoleonic Wars at the first question of this address, with the first option until then."""
    game = Game(load_scenario("napoleonic_wars/campaign_5"), seed=3, trace=True)
    while game.decision is not None and game.decision.address != address:
        wanted = 1 if game.decision.address == "impulse.opening" and address.startswith("operate") else 0
        game.choose_index(wanted)
    return game


def why_not(game: Game, text: str) -> str:
    assert game.decision is not None
    said: list[str] = []
    PromptCommands(game, game.decision.seat, said.append).run("why", f"not {text}")
    return "\n".join(said)


def test_whole_name_of_a_card_is_no_action() -> None:
    """A card whose name begins with the word of an action is meant by its whole name."""
    for address in ("impulse.opening", "play_event.card"):
        text = why_not(at(address), "March to the Guns")
        assert "march (1 CP" not in text
        assert "March to the Guns" in text


def test_words_of_actions_are_found_in_names_and_labels() -> None:
    """Words in any order, of the action's name or its label; a part of the name of a box comes after them."""
    game = at("operate.operations")
    text = why_not(game, "regroup")
    assert "bring units back (1 CP each): no unit is in the regroup box [7.cost.regroup, r.7.4]" in text
    assert "bring a squadron back (1 CP): no squadron is in the regroup box" in text
    assert text == why_not(game, "bring back")
    assert "it has no foreign war" in why_not(game, "end a foreign war")
    assert why_not(game, "march").strip() == "nothing prevents it: it is available now"


def test_other_question_is_named_in_its_own_words() -> None:
    """An action of a menu that is not open is said to answer that menu's question."""
    text = why_not(at("impulse.opening"), "end a foreign war")
    assert "'try to end the foreign war' answers another question (What do the CP pay for?)" in text


def test_part_of_a_name_means_what_is_asked_for() -> None:
    """Where things are offered, a part of a name means one of these rather than an action."""
    game = at("play_event.card")
    assert "Grand Battery" in why_not(game, "Grand Bat")


def test_whole_name_of_a_nation_is_no_part_of_another_name() -> None:
    """'Spain' is the nation, where its sort is asked for and where it is not; never the box of its counters."""
    assert why_not(at("play_event.card"), "Spain").strip().startswith("Spain is not offered: the question is")
    assert "counter mix" not in why_not(at("impulse.opening"), "Spain")
    assert "Spain can't be picked as minor nation" in why_not(at("operate.operations"), "Spain")


def test_what_an_action_of_the_menu_can_do_is_said_to_be_available() -> None:
    """An area beside a force on the march can be entered: 'why not' names the action, not the reasons of others."""
    game = at("go.there")
    assert game.decision is not None
    beside = game.decision.label(game.decision.options[0])
    text = why_not(at("march_step.march_orders"), beside)
    assert text.strip() == "go on to another area: nothing prevents it: it is available now"
