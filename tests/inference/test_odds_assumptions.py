"""What odds of what lies ahead suppose is said, and sums of outcomes come before the single ones."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from interpreter import Game, load_ruleset, odds_ahead
from interpreter.console.odds_text import ahead_lines
from interpreter.inference.ahead_results import AheadOdds, RollAfter
from interpreter.inference.assumptions import Assumption

RULES = """\
ruleset: {id: suppositions, title: Suppositions, version: 1.0.0}
kinds:
  side: {is: seat, members: [red, blue]}
  field: {is: space}
  troop: {is: piece, in: field, has: {owner: side}}
  holder: {is: enum, members: [first, second, nobody]}
individuals: {field: [wood, road]}
pieces:
  troop:
    - {id: guard, owner: red, at: wood}
    - {id: horse, owner: red, at: wood}
    - {id: enemy, owner: blue, at: road}
    - {id: rival, owner: blue, at: wood}
views: {troops: {of: troop, when: HIDDEN, seen_by: .owner}}
state: {spared: "bool = true", moved: "int = 0", losses: "int = 0"}
priors:
  wait.wants: {takes: {side: side, option: bool}, is: 9 if not option else 1}
  battle.keeps: {takes: {side: side, option: bool}, is: 1 if not option else 9}
procedures:
  battle:
    gives: holder
    do: |
      let kept = blue agrees to keeps "Keep it?"
      let roll = red rolls 1d6 "battle"
      set losses = roll
      set spared = roll < 6
      return first if roll >= 5 else second if roll >= 2 else nobody
    outcomes: {winner: result, losses: losses, spared: spared, left_alone: moved}
menus: {orders: {takes: {side: side}, prompt: What now?}}
actions:
  battle_now: {menu: orders, do: "let holder = battle()"}
  advance:
    menu: orders
    do: |
      for each troop in troops where .owner = side:
        let to = side chooses one of fields "Where does {troop} go?"
        move troop to to
      let holder = battle()
  wait:
    menu: orders
    do: |
      let wants = side agrees to wants "Fight after all?"
      if wants: let holder = battle()
  ask_blue:
    menu: orders
    do: |
      let to = blue chooses one of troops where .owner = blue "Which one comes?"
      let holder = battle()
  let_blue: {menu: orders, do: "blue must take orders(blue)"}
  rest: {menu: orders, do: "set losses = 0"}
sequence:
  game:
    steps:
      turn: {each: "side in sides", do: "side must take orders(side)"}
"""
BATTLE, ADVANCE, WAIT, ASK_BLUE, LET_BLUE, REST = range(6)


def game_of(folder: Path, hidden: str = "false") -> Game:
    (folder / "ruleset.yaml").write_text(RULES.replace("HIDDEN", hidden))
    return Game(load_ruleset(folder, cache=False))


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A game in which nothing is hidden."""
    return game_of(tmp_path)


def shown(game: Game, option: int, columns: int = 80) -> list[str]:
    return ahead_lines(odds_ahead(game, option), game.source.wording, columns)


def test_sums_come_first(game: Game) -> None:
    """What is no number is summed over all other outcomes, before the table of single outcomes."""
    lines = shown(game, BATTLE)
    assert lines[:5] == [
        "battle:",
        "  if blue answers 'Keep it?' with 'yes'",
        "  winner: second 50.0 %, first 33.3 %, nobody 16.7 %",
        "  spared 83.3 %",
        "  winner  losses  spared",
    ]


def test_what_is_always_so_is_no_column(game: Game) -> None:
    """An outcome that is the same in every case is in a line of its own."""
    lines = shown(game, BATTLE)
    assert "  in every case: left alone 0" in lines
    assert not any("left alone" in each for each in lines if "in every case" not in each)


def test_suppositions_begin_with_if(game: Game) -> None:
    """A supposed answer reads as a condition."""
    assert "  if blue answers 'Which one comes?' with 'enemy'" in shown(game, ASK_BLUE)


def test_pieces_not_asked_about_yet_stay(game: Game) -> None:
    """The pieces that the seat is still asked about stay where they are, and are named in one line."""
    found = odds_ahead(game, ADVANCE)
    assert isinstance(found, AheadOdds)
    assert [(each.stays, each.answer) for each in found.assumptions if each.stays] == [
        ("guard", "wood"),
        ("horse", "wood"),
    ]
    assert "  if these stay where they are: guard, horse" in shown(game, ADVANCE)
    assert dict(found.odds.of("winner"))["first"] == Fraction(1, 3)


def test_what_would_lead_to_a_roll_is_named(game: Game) -> None:
    """Where the likeliest answers lead to no procedure with outcomes, other answers that do are named."""
    assert odds_ahead(game, WAIT) == RollAfter(((Assumption("red", "Fight after all?", "yes"), "battle", "battle"),))
    assert shown(game, WAIT) == [
        "no roll follows from the likeliest answers; one would follow",
        "  if red answers 'Fight after all?' with 'yes': battle",
    ]
    found = odds_ahead(game, WAIT)
    assert found is not None
    assert found.as_data()["follows_if"][0]["procedure"] == "battle"


def test_odds_are_titled_in_words_of_the_ruleset(tmp_path: Path) -> None:
    """What the odds are about is said by the template of the procedure, else by its name and values."""
    rules = RULES.replace("gives: holder", "takes: {at: field, aided: bool}\n    gives: holder")
    rules = rules.replace("battle()", "battle(wood, true)").replace("HIDDEN", "false")
    template = "presentation: {procedures: {battle: {en: 'fight for the {at}{aided? with aid}', ja: '{at}の戦い'}}}\n"
    for text, title in ((rules, "battle (wood):"), (rules + template, "fight for the wood with aid:")):
        (tmp_path / "ruleset.yaml").write_text(text)
        game = Game(load_ruleset(tmp_path, cache=False))
        assert shown(game, BATTLE)[0] == title
    assert shown(game, WAIT)[1].endswith(": fight for the wood with aid")
    found = odds_ahead(game, BATTLE)
    assert isinstance(found, AheadOdds)
    assert found.as_data()["title"] == "fight for the wood with aid"


def test_a_menu_of_another_seat_is_not_followed(game: Game) -> None:
    """What another seat may do of its own will is no consequence of an option."""
    assert not isinstance(odds_ahead(game, LET_BLUE), AheadOdds)


def test_answers_that_depend_on_hidden_things_are_examples(tmp_path: Path) -> None:
    """An answer of another seat that names what the seat cannot see is only an example, and says so."""
    found = odds_ahead(game_of(tmp_path, "true"), ASK_BLUE)
    assert isinstance(found, AheadOdds)
    assert found.assumptions[0].is_supposed
    [line] = [each for each in shown(game_of(tmp_path, "true"), ASK_BLUE) if "say" in each]
    assert line.endswith("(hidden from you, only an example)")
