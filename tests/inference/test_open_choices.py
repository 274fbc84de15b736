"""Odds of an option end where the seat itself has the choice what follows."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from interpreter import Game, load_ruleset, load_scenario, odds_ahead
from interpreter.console.odds_text import ahead_lines
from interpreter.inference.ahead import Lookout
from interpreter.inference.ahead_results import AheadOdds, OpenChoice

RULES = """\
ruleset: {id: choices, title: Choices, version: 1.0.0}
kinds:
  side: {is: seat, members: [red, blue]}
  hill: {is: space, has: {height: "int = 0"}}
  hand: {is: space}
  card: {is: piece, in: hand}
individuals: {hill: {low: {}, middle: {height: 1}, high: {height: 2}}, hand: [blue_hand]}
pieces: {card: [{id: trump, at: blue_hand}]}
views: {cards: {of: card, when: HIDDEN, seen_by: blue}}
state: {led: "bool = false", scouted: "int = 0"}
priors: {wait.hill: {takes: {side: side, option: hill}, is: 3 if option = high else 0}}
procedures:
  fight:
    takes: {height: int}
    gives: bool
    do: |
      let roll = red rolls 1d6 "fight"
      return roll > height + (1 if led else 2)
    outcomes: {won: result}
  scout: {gives: int, do: "return 7", outcomes: {seen: result}}
menus: {orders: {takes: {side: side}, prompt: What now?}}
actions:
  march: {menu: orders, do: "let hill = side chooses one of hills \\"Where to?\\"\\nlet won = fight(hill.height)"}
  lead:
    menu: orders
    do: |
      let first = side agrees to lead "Lead the attack?"
      set led = first
      let won = fight(1)
  wait:
    menu: orders
    do: |
      let hill = side chooses one or none of hills where .height = 2 "Go there at last?"
      if hill != none: let won = fight(2)
  yield_way: {menu: orders, do: "let hill = blue chooses one of hills \\"Where?\\"\\nlet won = fight(hill.height)"}
  look:
    menu: orders
    do: |
      set scouted = scout()
      let hill = side chooses one of hills "Where to?"
      let won = fight(hill.height)
  rest: {menu: orders, do: "set scouted = 0"}
sequence:
  game:
    steps:
      turn: {each: "side in sides", do: "side must take orders(side)"}
"""
MARCH, LEAD, WAIT, YIELD_WAY, LOOK, REST = range(6)


def game_of(folder: Path, hidden: str) -> Game:
    (folder / "ruleset.yaml").write_text(RULES.replace("HIDDEN", hidden))
    return Game(load_ruleset(folder, cache=False))


@pytest.fixture(params=["false", "true"], ids=["open", "hidden"])
def game(tmp_path: Path, request: pytest.FixtureRequest) -> Game:
    """A game in which nothing is hidden, so that odds are exact, and one in which they are estimated."""
    return game_of(tmp_path, request.param)


def test_odds_depend_on_a_choice_that_leads_elsewhere(game: Game) -> None:
    """Where the seat still chooses what it fights, that choice is named."""
    assert odds_ahead(game, MARCH) == OpenChoice("red", "Where to?", ("low", "middle", "high"))


def test_a_sure_outcome_before_the_choice_is_passed_over(tmp_path: Path) -> None:
    """Where exact odds are sure and what follows them is open, the choice is named."""
    found = odds_ahead(game_of(tmp_path, "false"), LOOK)
    assert isinstance(found, OpenChoice)
    assert found.question == "Where to?"


def test_a_choice_that_leads_to_the_same_is_assumed(game: Game) -> None:
    """Where every answer leads to the same fight, the likeliest is assumed and named."""
    found = odds_ahead(game, LEAD)
    assert isinstance(found, AheadOdds)
    assert [each.question for each in found.assumptions] == ["Lead the attack?"]
    assert found.arguments == (("height", "1"),)


def test_to_decline_is_no_other_way(game: Game) -> None:
    """Where there is one thing to do or to leave, its odds are given if it is the likelier answer."""
    found = odds_ahead(game, WAIT)
    assert isinstance(found, AheadOdds)
    assert [each.answer for each in found.assumptions] == ["high"]


def test_choices_of_others_are_assumed(game: Game) -> None:
    """What another seat will choose is assumed, wherever it leads."""
    found = odds_ahead(game, YIELD_WAY)
    assert isinstance(found, AheadOdds)
    assert [(each.seat, each.question) for each in found.assumptions] == [("blue", "Where?")]


def test_nothing_ahead_is_no_choice(game: Game) -> None:
    """Where no procedure with outcomes follows, there is neither."""
    assert odds_ahead(game, REST) is None


def test_a_standing_order_makes_the_choice(tmp_path: Path) -> None:
    """What the seat will answer by its orders is no open choice."""
    orders = {"orders": {"middle": {"at": "march.hill", "choose": "middle"}}}
    found = odds_ahead(game_of(tmp_path, "false"), MARCH, orders=[orders])
    assert isinstance(found, AheadOdds)
    assert dict(found.odds.rows) == {("true",): Fraction(1, 2), ("false",): Fraction(1, 2)}


def test_the_choice_is_shown_with_its_answers(game: Game) -> None:
    """At the prompt the question is named with the first of its answers; as data it has all of them."""
    found = odds_ahead(game, MARCH)
    assert isinstance(found, OpenChoice)
    [line] = ahead_lines(found, game.source.wording)
    assert line == "depends on further choices, the first: Where to? (low, middle, high)"
    assert found.as_data() == {
        "depends_on": {"seat": "red", "question": "Where to?", "answers": ("low", "middle", "high")}
    }
    many = OpenChoice("red", "Where to?", tuple(map(str, range(9))))
    [line] = ahead_lines(many, game.source.wording)
    assert line.endswith("(0, 1, 2, 3, 4, 5, 3 more)")


def test_an_impulse_of_a_great_game_depends_on_its_choices() -> None:
    """A card played for points leads to no battle by itself; a march into the enemy's reach has odds of its own."""
    game = Game(load_scenario("napoleonic_wars/duel_1805"), seed=1)
    decision = game.decision
    while decision is not None and decision.address != "impulse.opening":
        game.choose_index(len(decision.options) - 1)
        decision = game.decision
    lookout = Lookout(game)
    assert decision is not None
    found = lookout.odds(decision.labels.index("play a card for its CP"))
    assert isinstance(found, OpenChoice)
    assert found.question == "Which card is played for its CP?"
