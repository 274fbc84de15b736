"""Odds of orders, and of the rolls that follow one another, each with the outcomes on which it depends."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from scripted_terminal import lines_shown

from interpreter import Game, load_ruleset
from interpreter.inference.ahead import Lookout
from interpreter.inference.ahead_results import EarlierOutcome
from interpreter.players.orders.plan_search import plans_for

RULES = """\
ruleset: {id: turns, title: Turns, version: 1.0.0}
kinds:
  side: {is: seat, members: [red, blue]}
  field: {is: space}
  troop: {is: piece, in: field, has: {owner: side, steps: "int = 3"}}
individuals: {field: [wood, road, hill, town]}
links: {roads: {of: field, between: [[wood, road], [road, hill], [hill, town]]}}
pieces:
  troop: [{id: horse, owner: red, at: wood}, {id: guard, owner: blue, at: hill}, {id: crew, owner: blue, at: town}]
state: {rests: "int = 0"}
presentation:
  procedures: {evasion: "evasion from {at}", battle: "battle of {at}", wear: "march to {at}"}
procedures:
  wear:
    takes: {at: field}
    gives: int
    do: return red rolls 1d6 "wear"
    outcomes: {loss: 1 if result = 1 else 0}
  evasion:
    takes: {at: field}
    gives: bool
    do: return (blue rolls 1d6 "evasion") >= 5
    outcomes: {success: result}
  battle:
    takes: {at: field}
    gives: bool
    do: |
      let more = red agrees to guard "Guard?"
      return (red rolls 1d6 "battle") >= 4
    outcomes: {wins: result, left: rests}
  enter:
    takes: {at: field}
    do: |
      for each troop in troops where .owner = red: move troop to at
      if any(at.troops where .owner = blue):
        if evasion(at):
          for each troop in at.troops where .owner = blue: move troop to town
        else: let won = battle(at)
  settle: {takes: {at: field}, do: "let worn = wear(at)"}
menus: {orders: {takes: {side: side}, prompt: What now?}}
actions:
  march:
    menu: orders
    pick: {there: {of: fields where any(.neighbours where any(.troops where .owner = red)), prompt: Where to?}}
    do: enter(there)
  force: {menu: orders, do: "enter(hill)\\nsettle(hill)"}
  rest: {menu: orders, do: "set rests += 1"}
sequence:
  game:
    steps:
      turn: {do: "while any(troops), up to 9 times: red must take orders(red)"}
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A game in which red is asked again and again."""
    (tmp_path / "ruleset.yaml").write_text(RULES)
    return Game(load_ruleset(tmp_path, cache=False), trace=True)


def test_rolls_of_an_option_come_in_turn(game: Game) -> None:
    """What comes after the first roll is shown with the outcome on which it depends, and what it assumes."""
    assert game.decision is not None
    evasion, battle, wear = Lookout(game).in_turn(game.decision.labels.index("force"))
    assert [each.title for each in (evasion, battle, wear)] == ["evasion from hill", "battle of hill", "march to hill"]
    assert battle.only_if == (EarlierOutcome("evasion from hill", "success", "false"),)
    assert (evasion.only_if, wear.only_if, evasion.reached, wear.reached) == ((), (), 1, 1)
    assert abs(float(battle.reached) - 2 / 3) < 0.15
    assert [each.question for each in battle.assumptions] == ["Guard?"]
    assert (evasion.assumptions, wear.assumptions) == ((), ())
    assert battle.as_data()["only_if"] == [{"title": "evasion from hill", "name": "success", "value": "false"}]


def test_odds_of_an_order_are_those_on_its_way(game: Game) -> None:
    """The answers of a plan are given, and the rolls that it leads to are shown until a new action is chosen."""
    [plan] = plans_for(game, "hill")
    before = game.hash()
    evasion, battle = Lookout(game).in_turn(answers=plan.answers)
    assert (evasion.title, battle.title, game.hash()) == ("evasion from hill", "battle of hill", before)
    assert abs(dict(battle.odds.of("wins"))["true"] - Fraction(1, 2)) < 0.2


def test_odds_at_the_prompt_understand_orders(game: Game) -> None:
    """`odds ORDER` shows the way and its rolls; where the way ends before the goal, those that are known."""
    lines = lines_shown(game, "odds march hill")
    assert "  order: march: road, hill" in lines
    [only] = [each for each in lines if "only after" in each]
    assert only == "  only after evasion from hill: success no"
    assert any(each.startswith("battle of hill, estimated from ") for each in lines)
    lines = lines_shown(game, "odds march town")
    assert any(each.endswith("it ends before town: chance comes in at hill") for each in lines)
    assert any(each.startswith("battle of hill") for each in lines)
    game.choose("march")
    lines = lines_shown(game, "odds march wood")
    assert lines[-1] == "no roll with named outcomes is to be expected on this way"


def test_odds_of_an_order_name_the_answer_that_leads_to_a_roll(tmp_path: Path) -> None:
    """Where the likeliest answers after an order lead to no roll, others that lead to one are named, each once."""
    storm = """\
      if any(at.troops where .owner = blue):
        repeat 2 times:
          if red agrees to storm "Storm the hill?": let won = battle(at)
"""
    begun, fight = RULES.partition("      if any(at.troops where .owner = blue):\n        if evasion")[::2]
    rules = begun + storm + fight[fight.index("  settle:") :]
    priors = "priors:\n  enter.storm: {takes: {side: side, option: bool}, is: 1 if option else 9}\n"
    (tmp_path / "ruleset.yaml").write_text(rules.replace("procedures:\n  wear:", f"{priors}procedures:\n  wear:"))
    game = Game(load_ruleset(tmp_path, cache=False), trace=True)
    lines = lines_shown(game, "odds march hill")
    assert lines[-2:] == [
        "no roll follows from the likeliest answers; one would follow",
        "  if red answers 'Storm the hill?' with 'yes': battle of hill",
    ]


def test_odds_of_an_option_go_on_with_what_follows(game: Game) -> None:
    """After the exact odds of the first roll of an option come those of the further ones."""
    lines = lines_shown(game, "odds force")
    heads = [each for each in lines if each.startswith(("evasion", "battle", "march to"))]
    assert heads[0] == "evasion from hill:"
    assert [each.partition(",")[0] for each in heads[1:]] == ["battle of hill", "march to hill"]
