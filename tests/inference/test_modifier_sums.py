"""The modifiers beside the odds of what lies ahead: those of each side apart, and of estimates with their range."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import Game, load_ruleset, odds_ahead
from interpreter.console.odds_text import odds_lines
from interpreter.inference.ahead_results import AheadOdds
from interpreter.language.diagnostics import RulesetError
from interpreter.play.engine.budget import Budget
from interpreter.play.views.visible_log import visible_log

RULES = """\
ruleset: {id: sums, title: Sums, version: 1.0.0}
kinds:
  side: {is: seat, members: [red, blue], has: {strength: "int = 2"}}
  hand: {is: space}
  guard: {is: piece, in: hand, has: {side: side}}
individuals: {hand: [tent]}
pieces:
  guard: [{id: grenadier, at: tent, side: blue}]
views: {guards: {of: guard, when: HIDDEN, seen_by: blue}}
modifiers:
  spirit:
    cite: "4.1"
    takes: {side: side}
    whose: side
    each:
      - {id: strength, cite: "4.2", value: side.strength}
      - {id: tired, value: "-1 if round = 2 else 0"}
  guard_duty: {takes: {guard: guard}, whose: guard, each: [{id: steady, value: 1}]}
state: {round: "int = 0"}
procedures:
  clash:
    gives: bool
    do: |
      let rolled = red rolls 1d6 "clash"
      let total = rolled + spirit(red) - spirit(blue) + sum(tent.guards each guard_duty(it))
      return total >= 4
    outcomes: {won: result}
  bout:
    gives: int
    do: |
      let wins = 0
      for each turn in 1..2:
        set round = turn
        let rolled = red rolls 1d6 "bout"
        if rolled + spirit(red) >= 6: set wins += 1
      set round = 0
      return wins
    outcomes: {wins: result}
menus: {orders: {takes: {side: side}, prompt: What now?}}
actions:
  attack: {menu: orders, do: "let x = clash()"}
  box: {menu: orders, do: "let x = bout()"}
  drill: {menu: orders, do: "set red.strength = red rolls 1d6 \\"drill\\"\\nlet x = clash()"}
sequence:
  game:
    steps:
      turn: {each: "side in sides", do: "side must take orders(side)"}
"""
ATTACK, BOX, DRILL = range(3)


def game_of(folder: Path, hidden: str = "false", rules: str = RULES) -> Game:
    (folder / "ruleset.yaml").write_text(rules.replace("HIDDEN", hidden))
    return Game(load_ruleset(folder, cache=False))


def lines_of(game: Game, option: int) -> list[str]:
    found = odds_ahead(game, option)
    assert isinstance(found, AheadOdds)
    return odds_lines(found, game.source.wording)


def test_each_side_has_its_own_sum(tmp_path: Path) -> None:
    """A list with `whose` is shown once for each side, with its name, its clauses and its items that are not 0."""
    lines = lines_of(game_of(tmp_path), ATTACK)
    at = lines.index("  spirit of red: +2  [4.1]")
    assert lines[at + 1] == "    +2  strength  [4.2]"
    assert lines[at + 2] == "  spirit of blue: +2  [4.1]"
    assert "  guard duty of grenadier: +1" in lines


def test_a_later_sum_of_the_same_name_is_marked(tmp_path: Path) -> None:
    """Where a side's sum changes while the procedure runs, the later one says so."""
    lines = lines_of(game_of(tmp_path), BOX)
    at = lines.index("  spirit of red, later: +1  [4.1]")
    assert lines[at + 2] == "    -1  tired  [4.1]"
    assert "  spirit of red: +2  [4.1]" in lines


def test_a_later_sum_that_comes_to_nothing_is_left_out(tmp_path: Path) -> None:
    """Where a side's sum is 0 without items later, nothing is said of it; the first sum is shown even so."""
    rules = RULES.replace("value: side.strength}", "value: side.strength if round = 2 else 0}")
    rules = rules.replace('value: "-1 if round = 2 else 0"', 'value: "-1 if round = 1 else 0"')
    shown = [each for each in lines_of(game_of(tmp_path, rules=rules), BOX) if "spirit of red" in each]
    assert shown == ["  spirit of red: -1  [4.1]", "  spirit of red, later: +2  [4.1]"]
    rules = rules.replace("side.strength if round = 2 else 0", "0")
    shown = [each for each in lines_of(game_of(tmp_path, rules=rules), BOX) if "spirit of red" in each]
    assert shown == ["  spirit of red: -1  [4.1]"]


def test_a_long_procedure_has_its_sums(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of work holds between two decisions, in runs for odds as in a game."""
    monkeypatch.setattr(Budget.__init__, "__defaults__", (3_000, 60.0))
    text = 'for each turn in 1..9:\n        for each n in 1..500: set round = n\n        let a = red agrees to go "Go?"'
    game = game_of(tmp_path, rules=RULES.replace("let wins = 0", f"let wins = 0\n      {text}"))
    assert any("spirit of red: +2" in each for each in lines_of(game, BOX))


def test_sums_of_estimates_have_a_range(tmp_path: Path) -> None:
    """Where a die comes before the procedure, a sum that depends on it is shown from its least to its greatest."""
    game = game_of(tmp_path)
    found = odds_ahead(game, DRILL)
    assert isinstance(found, AheadOdds)
    assert not found.is_exact
    [red] = [each for each in found.modifiers if each.name == "spirit of red"]
    assert 1 <= red.least < red.most <= 6
    [item] = [each for each in red.items if each.name == "strength"]
    assert (item.least, item.most) == (red.least, red.most)
    lines = lines_of(game, DRILL)
    assert f"  spirit of red: +{red.least} to +{red.most}  [4.1]" in lines
    assert f"    +{red.least} to +{red.most}  strength  [4.2]" in lines
    assert "  spirit of blue: +2  [4.1]" in lines


def test_whose_sum_it_is_stays_hidden(tmp_path: Path) -> None:
    """A piece that the seat cannot see is not named by a sum of modifiers, neither in odds nor in its log."""
    game = game_of(tmp_path, "true")
    assert not any("guard duty of grenadier" in each for each in lines_of(game, ATTACK))
    game.choose_index(ATTACK)
    sums = {seat: [each.text for each in visible_log(game, seat) if each.kind == "modifiers"] for seat in game.seats}
    assert any("guard duty of grenadier" in each for each in sums["blue"])
    assert not any("guard duty of grenadier" in each for each in sums["red"])


@pytest.mark.parametrize("text", ["side.strength", "{side}"])
def test_only_what_has_a_name_can_be_named(tmp_path: Path, text: str) -> None:
    """`whose` must be a thing or an enum member."""
    wrong = RULES.replace("    whose: side\n", f'    whose: "{text}"\n')
    with pytest.raises(RulesetError, match="expected a thing or an enum member"):
        game_of(tmp_path, rules=wrong)
