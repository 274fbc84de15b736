"""The Napoleonic Wars from outside: counters are kept, hands are hidden, who plays is asked."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from soak import SOAK, Tally, load, play, scenarios

from interpreter import Game, OrderExecution, plans_for
from interpreter.play.inputs.value_codec import short_name
from interpreter.play.views.visibility import Visibility
from interpreter.players.random import RandomPlayer

UNITS = Counter(france=48, russia=30, austria=26, prussia=20, britain=16, spain=16, turkey=12, sweden=8, denmark=6)
SQUADRONS = Counter(britain=12, france=8, russia=5, spain=5, turkey=4, denmark=4, sweden=3, austria=2)
LEADERS = Counter(france=11, austria=6, russia=6, prussia=5, britain=4, spain=3, turkey=2, sweden=2, denmark=1)
SEATED = {
    "campaign_5": {"french", "british", "austrian", "russian", "prussian"},
    "campaign_4": {"french", "british", "austrian", "russian"},
    "campaign_3": {"french", "british", "austrian"},
    "campaign_2": {"french", "british"},
    "duel_1805": {"french", "british"},
}
"""The players of each scenario."""


def check_counters(core: Any) -> None:
    """Every counter of every nation is in one place, every card in one pile."""
    for kind, expected in (("unit", UNITS), ("squadron", SQUADRONS), ("leader", LEADERS)):
        counters = [each for each in core.world.objects if each.kind == kind]
        assert Counter(each.a_nation.id for each in counters) == expected
        assert all(each.at is not None for each in counters)
    cards = [each for each in core.world.objects if each.kind == "card"]
    assert len({each.id for each in cards}) == 110
    assert all(each.at is not None and each.at.kind == "pile" for each in cards)


@pytest.mark.soak
@pytest.mark.parametrize("name", scenarios("napoleonic_wars"))
def test_random_games_keep_counters_and_cards(name: str) -> None:
    """Random games keep every unit, squadron, leader and card at every decision, whoever plays whom."""
    tally = Tally()
    games = SOAK // len(SEATED) or 2
    play(name, {}, range(70_000, 70_000 + games), tally, check_counters)
    assert tally.failures == []
    assert tally.games == games


@pytest.mark.parametrize("name", scenarios("napoleonic_wars"))
def test_only_players_of_the_scenario_are_asked(name: str) -> None:
    """A nation that nobody plays asks nobody: the seats that answer are those of the scenario."""
    game = Game(load(name), 5)
    players = {seat: RandomPlayer(5, seat) for seat in game.seats}
    asked = set()
    while game.decision is not None:
        asked.add(game.decision.seat)
        game.choose_index(players[game.decision.seat].choose(game))
    assert asked == SEATED[name.partition("/")[2]]


@pytest.mark.parametrize("name", scenarios("napoleonic_wars"))
def test_hands_are_seen_by_their_players_alone(name: str) -> None:
    """Each seat sees the cards of the nations that it plays and those laid down; it sees no other hand and no deck."""
    game = Game(load(name), seed=name)
    players = {seat: RandomPlayer(name, seat) for seat in game.seats}
    for _ in range(60):
        assert game.decision is not None
        game.choose_index(players[game.decision.seat].choose(game))
    cards = [each for each in game.core.world.objects if each.kind == "card"]
    for seat in SEATED[name.partition("/")[2]]:
        sight = Visibility(game.core, game.core.find("player", seat))
        for card in cards:
            holder = card.at.a_holder
            own = holder is not None and game.core.names["d_nationːplayer"](holder).id == seat
            hidden = card.at.id == "deck" or (holder is not None and not own)
            assert sight.hides(card) == hidden, (seat, card.id, card.at.id)


@pytest.mark.parametrize(
    ("via", "costs"), [((), (0, 0)), (("Prague", "Brünn", "Vienna", "Linz"), (0, 0, 0, 0, 1))], ids=["short", "long"]
)
def test_orders_count_attrition_rolls(via: tuple[str, ...], costs: tuple[int, ...]) -> None:
    """A march at home costs nothing for four areas; the fifth asks for an attrition roll (r.9.4)."""
    game = Game(load("napoleonic_wars/duel_1805"), seed=4)
    player = RandomPlayer(4, "coalition")
    while game.decision is not None and not _is_march_from_vienna(game):
        game.choose_index(player.choose(game))
    assert game.decision is not None
    [plan] = plans_for(game, "Tyrol", via=via, first=0)
    assert tuple([each.cost for each in plan.answers if each.is_place]) == costs
    assert (plan.cost, plan.unit) == (sum(costs), "attrition roll" if any(costs) else "attrition rolls")


def _is_march_from_vienna(game: Game) -> bool:
    decision = game.decision
    return decision is not None and decision.prompt == "What does the force in Vienna do?"


def test_an_order_leads_from_the_menu_of_cp_through_the_menu_of_the_march() -> None:
    """'march Munich to Strasbourg' at the menu of CP asks only how many units go, and goes on (r.5.1.5, r.9.1)."""
    game = Game(load("napoleonic_wars/duel_1805"), seed=3)
    _play_to(game, "operate.operations")
    assert game.decision is not None
    march = [short_name(each) for each in game.decision.options].index("march")
    [plan] = plans_for(game, "Strasbourg", start="Munich", first=march)
    assert plan.places[0] == "Munich"
    assert plan.places[-1] == "Strasbourg"
    assert plan.unit == "attrition rolls"
    order = OrderExecution.of(game.decision.seat, plan)
    game.choose_index(order.next(game) or 0)
    game.choose_index(order.next(game) or 0)
    assert order.next(game) is None
    assert game.decision.address == "form.loose"
    game.choose_index(0)
    assert order.next(game) is not None
    assert order.resumed is not None
    assert order.resumed.places[-1] == "Strasbourg"


def _play_to(game: Game, address: str) -> None:
    """Plays for its CP whatever card comes first, declining what can be declined."""
    while game.decision is not None and game.decision.address != address:
        names = [short_name(each) for each in game.decision.options]
        passive = [at for at, each in enumerate(game.decision.options) if each is None or each is False]
        game.choose_index(names.index("play_points") if "play_points" in names else (passive or [0])[0])


def test_questions_in_a_window_say_when() -> None:
    """What is about to be decided is in the question, with the battle and its round, and the price of a reserve."""
    wanted = [
        r"Does \w+ play a card before the dice of round 1 of the battle of .+\?",
        r"Does \w+ play a card before \w+ enters .+\?",
        r"Does \w+ use its strategic reserve before the .+\? .+, once a turn, instead of its \d CP: .+",
    ]
    for seed in range(30):
        game = Game(load("napoleonic_wars/campaign_2"), seed)
        players = {seat: RandomPlayer(seed, seat) for seat in game.seats}
        while wanted and game.decision is not None:
            asked = game.decision.prompt
            wanted = [each for each in wanted if re.fullmatch(each, asked) is None]
            game.choose_index(players[game.decision.seat].choose(game))
    assert wanted == []
