"""Decisions over a map are decisions over its keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from random_games import played_at_random
from variants import BOARD

from interpreter import load_ruleset
from interpreter.play.engine.bulk import Simulation

RULES = """
searches:
  way: {{takes: {{points: int}}, over: place, within: points}}
menus:
  orders: {{takes: {{side: side}}}}
actions:
  go:
    menu: orders
    pick: {{there: "reach way(2) from a"}}
    do: set marked = marked + there
procedures:
  turn:
    takes: {{side: side}}
    do: |
      {line}
sequence: {{game: {{repeat: 3, each: side in sides, do: turn(side)}}}}
"""
LINES = (
    "let x = side chooses one of reach way(2) from a\n      set marked = marked + x",
    "let x = side chooses one or none of reach way(2) from a\n      if x != none: set marked = marked + x",
    "let x = side chooses 2 of reach way(2) from a\n      set marked = marked + x",
    "let x = side chooses any of reach way(2) from a\n      set marked = marked + x",
    "let x = side ranks all of reach way(2) from a\n      set marked = marked + x",
    (
        "let x = side assigns each of reach way(1) from a to one of reach way(1) from b\n"
        "      for each place in places where it in x: set marked = marked + x[place]"
    ),
    "let x = side spreads 2 over reach way(2) from a at most 1 each\n      set counts = x",
    (
        "let x = side chooses up to 2 of reach way(2) from a, with:\n        at most 1 from reach way(1) from a\n"
        "      set marked = marked + x"
    ),
    "let x = random one of reach way(2) from a\n      set marked = marked + x",
    "let x = random 2 of reach way(2) from a\n      set marked = marked + x",
    "for each x in reach way(2) from a, next chosen by side:\n        set marked = marked + x",
    "for any x in reach way(2) from a, next chosen by side:\n        set marked = marked + x",
    "side must take orders(side)",
)


@pytest.mark.parametrize("line", LINES)
def test_bulk_play_decides_over_the_keys_of_a_map(line: str, tmp_path: Path) -> None:
    """Whatever a decision does with a map of costs, bulk play does with its keys, as a game does."""
    (tmp_path / "ruleset.yaml").write_text(BOARD, encoding="utf-8")
    rules = RULES.format(line=line)
    (tmp_path / "rules.yaml").write_text(rules, encoding="utf-8")
    ruleset = load_ruleset(str(tmp_path))
    simulation = Simulation(ruleset)
    for seed in range(3):
        assert simulation.play(seed) == played_at_random(ruleset, seed)
