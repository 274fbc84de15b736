"""Age of Napoleon as a whole: its set-ups, hidden hands, ends of games, and exact odds beside odds by hand."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

from interpreter import Game, load_ruleset, load_scenario, odds, plans_for
from interpreter.console.option_labels import option_groups
from interpreter.inference.ahead import Lookout
from interpreter.rules.loading.ruleset import Scenario
from interpreter.workshop.examples.run_examples import run_examples

SCENARIOS = ("ulm_1805", "wagram_1809", "leipzig_1813")
DRAWN = {"ulm_1805": (9, 11), "wagram_1809": (10, 8), "leipzig_1813": (9, 12)}
"""The cards that the French and the Coalition draw by the strategy chart with the alignments of each set-up."""


@cache
def scenario(name: str) -> Scenario:
    return load_scenario(f"age_of_napoleon/{name}")


def play_on(game: Game, chance: Random, limit: int) -> None:
    """Plays at random until the game is over or `limit` decisions were made."""
    for _ in range(limit):
        if game.decision is None:
            return
        game.choose_index(chance.randrange(len(game.decision.options)))


def cards_of(game: Game) -> list[Any]:
    return [each for each in game.core.world.objects if each.kind == "card"]


def seen(game: Game, seat: str) -> str:
    """What a seat sees of the position and the log; the question under way is another matter."""
    whole = {name: each for name, each in game.view(seat).items() if name != "decision"}
    return json.dumps(whole, default=str, sort_keys=True)


def swap(game: Game, one: Any, other: Any) -> None:
    first, second = one.at, other.at
    game.core.world.place(one, second)
    game.core.world.place(other, first)


@pytest.mark.parametrize("name", SCENARIOS)
def test_random_games_have_a_victor(name: str) -> None:
    """Every game ends with a winner under the invariants, none in a draw, and within the years to 1815."""
    for seed in range(4):
        game = Game(scenario(name), seed=seed, checked=True)
        play_on(game, Random(seed), 20_000)
        assert game.result is not None
        assert game.result.winners


@pytest.mark.parametrize("name", SCENARIOS)
def test_set_ups_deal_what_their_sources_say(name: str) -> None:
    """Eight cards a hand; with the alignments of the set-up each side would draw the cards that are known for it."""
    game = Game(scenario(name), seed=1)
    held = Counter(each.at.id for each in cards_of(game))
    assert held["french_hand"] == held["coalition_hand"] == 8
    sides = [game.core.find("player", each) for each in ("french", "coalition")]
    assert tuple(game.evaluate("definitions/cards_due", each) for each in sides) == DRAWN[name]


@pytest.mark.parametrize("name", SCENARIOS)
def test_hidden_cards_leave_no_trace(name: str) -> None:
    """To exchange any two cards that a seat may not see changes nothing of its view."""
    compared = 0
    for seed in range(3):
        chance = Random(seed)
        game = Game(scenario(name), seed=seed)
        play_on(game, chance, chance.randrange(400))
        for seat, other in (("french", "coalition"), ("coalition", "french")):
            before = seen(game, seat)
            unseen = [each for each in cards_of(game) if each.at.id in ("deck", f"{other}_hand")]
            for _ in range(8):
                if len(unseen) < 2:
                    break
                one, second = chance.sample(unseen, 2)
                swap(game, one, second)
                assert seen(game, seat) == before, f"{seat} can tell {one.id} from {second.id}"
                swap(game, one, second)
                compared += one.at is not second.at
    assert compared > 5


def test_own_cards_are_seen() -> None:
    """To exchange a card of the own hand changes the view, so that the test above can fail."""
    game = Game(scenario("ulm_1805"), seed=3)
    own = next(each for each in cards_of(game) if each.at.id == "french_hand")
    hidden = next(each for each in cards_of(game) if each.at.id == "deck")
    before = {seat: seen(game, seat) for seat in game.seats}
    swap(game, own, hidden)
    assert seen(game, "french") != before["french"]
    assert seen(game, "coalition") == before["coalition"]


def test_even_odds_asks_for_three_majors_where_the_rules_ask_for_four() -> None:
    """Under the overlay the Coalition wins with three majors and not with two, as its own examples claim."""
    bounds = ["three_majors_are_enough", "two_majors_are_not"]
    reports = run_examples(load_ruleset("age_of_napoleon", ["even_odds"]), bounds)
    assert [each.name for each in reports if each.passed] == bounds


# ---------------------------------------------------------------- odds
TABLE = dict(enumerate(("00001111", "00011112", "00111122", "00111222", "01112223", "11122233"), start=1))
"""The combat results by die and column, as the aid prints them."""


def column(total: int) -> int:
    return min(max((total - 1) // 5, 0), 7)


def fight(attack: int, defence: int) -> dict[tuple[int, int], Fraction]:
    """The chances of each pair of losses, the attacker's first, with corps enough on both sides, face by face."""
    found: Counter[tuple[int, int]] = Counter()
    faces = range(1, 7)
    for mine, theirs in product(faces, repeat=2):
        inflicted, suffered = int(TABLE[mine][column(attack)]), int(TABLE[theirs][column(defence)])
        found[suffered + (inflicted < suffered), inflicted + (inflicted > suffered)] += 1
    return {losses: Fraction(number, 6**2) for losses, number in found.items()}


def test_odds_of_a_battle_are_those_of_the_printed_table() -> None:
    """The losses of six French corps against five Austrians at home have exactly the odds of the table."""
    ruleset = load_ruleset("age_of_napoleon")
    situation = {
        "with": {"area": "wien", "attacker": "french", "sailor": "none"},
        "set": {"country/Austria/alignment": "coalition_member", "country/Bayern/alignment": "french_ally"},
        "board": {
            "corps": [
                {"ids": ["napoleon", "ney", "soult", "murat"], "at": "wien"},
                {"ids": ["karl", "johann", "ferdinand", "mack", "hiller"], "at": "wien"},
            ]
        },
    }
    found = odds(ruleset, "fight", situation)
    expected = fight(10 + 6 + 6 + 6, 5 + 3 + 3 + 2 + 3 + 1)
    for outcome, place in (("attacker_losses", 0), ("defender_losses", 1)):
        totals: dict[str, Fraction] = {}
        for losses, chance in expected.items():
            totals[str(losses[place])] = totals.get(str(losses[place]), Fraction(0)) + chance
        assert dict(found.of(outcome)) == totals


def test_orders_count_movement_points_and_go_round_an_enemy() -> None:
    """An area costs a point, and one more where the enemy is; the cheapest way to Austria avoids Mack in Bayern."""
    game = Game(load_scenario("age_of_napoleon/ulm_1805"), seed=5)
    for answer in ("french", "move_army", "Napoleon"):
        game.choose(answer)
    while game.decision is not None and not game.decision.prompt.startswith("What does the army"):
        choices = game.decision.options
        game.choose_index(choices.index(None) if None in choices else 0)
    [plan] = plans_for(game, "Niederösterreich")
    assert plan.places == ("Schweiz", "Italia", "Niederösterreich")
    assert (plan.cost, plan.unit) == (3, "movement points")
    [plan] = plans_for(game, "Bayern")
    assert (plan.places, plan.cost) == (("Bayern",), 2)


def test_an_order_leads_from_the_choice_of_the_army_to_its_goal() -> None:
    """'move an army' by Napoleon to Niederösterreich: what he pays and who goes along is asked, then he goes."""
    game = Game(load_scenario("age_of_napoleon/ulm_1805"), seed=5)
    game.choose("french")
    [plan] = plans_for(game, "Niederösterreich", via=["Napoleon"], first=0)
    assert plan.places == ("Napoleon", "Schweiz", "Italia", "Niederösterreich")
    assert plan.cost == 3
    assert plan.questions == ("What is spent?", "go along", "Do you play a card for the march?")


def test_a_march_without_attrition_dice_is_no_roll() -> None:
    """A march over one open area in autumn checks no attrition; the odds before it are those of the battle alone."""
    game = Game(scenario("ulm_1805"), seed=7)
    game.choose("french")
    [plan] = plans_for(game, "Bayern", via=["Napoleon"], first=0)
    titles = [each.procedure for each in Lookout(game).in_turn(answers=plan.answers)]
    assert "fight" in titles
    assert "suffer_march" not in titles


def test_cards_to_be_discarded_say_what_they_are_good_for() -> None:
    """At a discard one sees when each card could be played, and which events are the enemy's alone."""
    game = Game(scenario("ulm_1805"), seed=7)
    for answer in ("french", None, "move_army", "karl", "discard"):
        game.choose(answer)
    labels = [each.text for each in option_groups(game)]
    assert "Veterans 2 (reinforcement phase)" in labels
    assert "Joseph (diplomacy phase, an event of the enemy's alone)" in labels


def test_name_of_an_event_means_its_card_where_cards_are_asked_for() -> None:
    """'why not Grand Campaign' where a card for a march may be played is about the card in the hand."""
    game = Game(scenario("ulm_1805"), seed=7)
    for answer in ("french", "move_army", "napoleon", "free_move", None):
        game.choose(answer)
    assert game.decision is not None
    assert game.decision.options == (None,)
    reason = game.why_not_option("french", "Grand Campaign")[0]
    assert reason.text == "Grand Campaign 2 is not offered: event: Grand Campaign, not Forced March"


def test_questions_name_the_means_that_are_left() -> None:
    """Once the free move is spent, an interception is for a card, and the question says no more than that."""
    game = Game(scenario("ulm_1805"), seed=7)
    for answer in ("french", "move_army", "napoleon", "free_move"):
        game.choose(answer)
    while game.decision is not None and game.decision.address != "impulse.impulse_choice":
        seat, options = game.decision.seat, game.decision.options
        ids = [getattr(each, "id", getattr(each, "name", each)) for each in options]
        wanted = [at for at, each in enumerate(ids) if each in ("enter", "bayern", "johann", "free_move")]
        if game.decision.address == "intercept.chief":
            assert (seat, wanted != []) == ("coalition", True)
            assert "for the free move or a card" in game.decision.prompt
        game.choose_index(wanted[0] if wanted else len(options) - 1)
    labels = [each.text for each in option_groups(game)]
    assert labels[0] == "move an army, for a card"
