"""`A; B` where chance comes between: B answers where the dice decide nothing about its question, and waits else."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from scripted_terminal import Script, typed

from interpreter.console.human import HumanPlayer
from interpreter.play.game import Game
from interpreter.players.player import PlayerLeft
from interpreter.rules.loading.load import load_ruleset

HEAD = """
ruleset: {id: storm, title: Storm, version: "1"}
kinds:
  side: {is: seat, members: [red, blue]}
  hand: {is: space, has: {owner: "side?"}}
  card: {is: piece, in: hand}
individuals: {hand: {red_hand: {owner: red}, blue_hand: {owner: blue}, table: {}}}
pieces: {card: [{id: ambush, at: blue_hand}, {id: truce, at: blue_hand}, {id: supply, at: red_hand}]}
views:
  hands: {of: hand, when: hand.owner != none, seen_by: "{hand.owner}"}
state: {lost: "int = 0"}
sequence:
  game:
    do: |
"""

STORM = """
      repeat 3 times:
        if red agrees to storm "Storm?":
          let roll = red rolls 1d6 "Storm"
          set lost += roll
"""
BRANCH = """
      let more = red agrees to storm "Storm?"
      let roll = red rolls 1d6 "Storm"
      if roll > 3:
        let runs_on = red agrees to pursue "Pursue?"
      else:
        let runs_away = red agrees to retreat "Retreat?"
"""
OPTIONS = """
      let more = red agrees to storm "Storm?"
      let roll = red rolls 1d6 "Storm"
      let loss = red chooses from 0 to roll "How many are lost?"
      set lost += loss
"""
SHOWN = """
      repeat 3 times:
        if red agrees to storm "Storm?":
          let roll = red rolls 1d6 "Storm"
          move (cards where .hand = blue_hand) to table
          set lost += roll
"""
SEEN = """
      repeat 3 times:
        if red agrees to storm "Storm?":
          move (cards where .hand = blue_hand) to table
          set lost += 1
"""
DRAWN = """
      let first = red agrees to storm "Storm?"
      let drawn = draw one from red_hand
      move drawn to table
      let then = red agrees to storm "Storm?"
"""
ANSWERED = """
      let first = red agrees to storm "Storm?"
      let roll = red rolls 1d6 "Storm"
      let shot = blue agrees to shoot "Shoot?"
      let then = red agrees to storm "Storm?"
"""

Begin = Callable[[str], Game]


@pytest.fixture
def storm(tmp_path: Path) -> Begin:
    """Returns a function that begins a game with these rules."""

    def begin(rules: str) -> Game:
        (tmp_path / "ruleset.yaml").write_text(HEAD + rules, encoding="utf-8")
        return Game(load_ruleset(tmp_path), seed=3, trace=True)

    return begin


def answers(game: Game) -> list[object]:
    """The answers of red so far."""
    return [each.data["answer"] for each in game.log if each.kind == "answer"]


@pytest.mark.parametrize("line", ["yes; yes; no", "yes, yes, no", "yes;yes;no"])
def test_dice_that_change_nothing_for_the_question_drop_nothing(storm: Begin, line: str) -> None:
    """Red is asked whether it storms once more, whatever the dice show: a line or a list answers all three times."""
    game = storm(STORM)
    script = typed(game, line)
    assert answers(game) == [True, True, False]
    assert "The order ends" not in script.text


@pytest.mark.parametrize(
    ("rules", "line", "reason"),
    [
        (BRANCH, "yes; yes", "chance has decided something"),
        (OPTIONS, "yes; 0", "chance has decided something"),
        (SHOWN, "yes; no", "something hidden has come to light"),
        (SEEN, "yes, no", "something hidden has come to light"),
        (DRAWN, "yes; yes", "chance has decided something"),
    ],
)
def test_what_changes_or_shows_something_drops_the_rest(storm: Begin, rules: str, line: str, reason: str) -> None:
    """Where a die decides what is asked or offered, a card is drawn or seen, or another seat acts, red is asked."""
    game = storm(rules)
    red_answers_twice = typed(game, line).text
    assert answers(game)[0] is True
    assert f"The order ends before '{line[4:].strip()}': {reason}." in red_answers_twice
    assert game.decision is not None
    assert game.decision.seat == "red"


@pytest.mark.parametrize(("shoots", "given"), [(False, [True, False, True]), (True, [True, True])])
def test_another_seat_that_does_nothing_drops_nothing(storm: Begin, shoots: bool, given: list[bool]) -> None:
    """Between the two answers blue may shoot: if it does not, the dice before its question count for nothing."""
    game, script = storm(ANSWERED), Script(["yes; yes"])
    player = HumanPlayer("red", script, lambda _game, _path: "")
    with suppress(PlayerLeft):
        while game.decision is not None:
            game.choose_index(player.choose(game) if game.decision.seat == "red" else int(not shoots))
    assert answers(game) == given


def test_sampled_dice_leave_the_game_as_it_is(storm: Begin) -> None:
    """The question is tried under other dice on a copy: the game goes on with its own."""
    game, again = storm(STORM), storm(STORM)
    typed(game, "yes; yes; no")
    for answer in (True, True, False):
        again.choose(answer)
    assert (game.history, game.hash()) == (again.history, again.hash())
