"""Players look to the end of a turn, however its sequence is cut into steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import Game, load_ruleset
from interpreter.players.greedy import GreedyPlayer
from interpreter.players.planning.horizon import Horizon

RULES = """
ruleset: {{id: cut, title: A turn cut into steps, version: "1"}}
kinds:
  side: {{is: seat, members: [red, blue], has: {{points: "int = 0", stake: "int = 0"}}}}
procedures:
  plan:
    takes: {{side: side}}
    do: |
      let stake = side chooses from 0 to 3 "How much?"
      set side.stake = stake
  gain: {{takes: {{side: side}}, do: set side.points += side.stake}}
sequence:
{sequence}
evaluation: {{takes: {{side: side}}, is: side.points}}
"""
ONE_STEP = """
  game: {each: side in sides, do: "plan(side)\\ngain(side)"}
"""
PHASES_OF_A_SEAT = """
  game:
    each: side in sides
    steps: {planning: {do: plan(side)}, pause: {do: log "…"}, gaining: {do: gain(side)}}
"""
MARKED = """
  game:
    steps:
      turn:
        repeat: 2
        horizon: true
        steps:
          planning: {each: side in sides, do: plan(side)}
          gaining: {each: side in sides, do: gain(side)}
"""
UNMARKED = MARKED.replace("        horizon: true\n", "")


def _game(folder: Path, sequence: str) -> Game:
    (folder / "ruleset.yaml").write_text(RULES.format(sequence=sequence), encoding="utf-8")
    return Game(load_ruleset(str(folder)), 1)


@pytest.mark.parametrize("sequence", [ONE_STEP, PHASES_OF_A_SEAT, MARKED], ids=["one step", "phases", "marked"])
def test_greedy_player_sees_the_end_of_the_turn(sequence: str, tmp_path: Path) -> None:
    """A stake that pays in a later step of the turn is made, as if the turn were one step."""
    game = _game(tmp_path, sequence)
    players = {seat: GreedyPlayer(1, seat) for seat in game.seats}
    while game.decision is not None:
        game.choose_index(players[game.decision.seat].choose(game))
    assert {each.id: each.a_points for each in game.core.seats} == dict.fromkeys(
        ("red", "blue"), 6 if sequence is MARKED else 3
    )


def test_horizon_ends_with_its_round(tmp_path: Path) -> None:
    """A marked step is passed when its next round begins; a step that binds a seat when the next seat's begins."""
    for sequence, decisions in ((MARKED, 2), (PHASES_OF_A_SEAT, 1), (UNMARKED, 1)):
        game = _game(tmp_path, sequence)
        horizon = Horizon(game)
        passed = 0
        while game.decision is not None and not horizon.is_passed(game):
            game.choose_index(0)
            passed += 1
        assert passed == decisions
