"""The set-up of a scenario before the first step."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tiny_game import FIGHT, TINY, played

from interpreter import load_scenario
from interpreter.language.diagnostics import UsageError
from interpreter.play.engine.apply_setup import set_up, set_up_in_play, with_pieces
from interpreter.play.engine.bulk import Simulation
from interpreter.play.engine.core import Core, shared_code
from interpreter.play.engine.source import GameSource
from interpreter.play.game import Game
from interpreter.rules.linking.scenario import Setup

SETUP = Setup(
    pieces=(("unit", "guard", (("owner", ("ref", "player", "red")), ("strength", 4)), ("area", "hill")),),
    sets=(("unit", "blue_1", "strength", 5),),
    state=(("points", 2),),
    board=(
        ("unit", "red_1", (("strength", 1),), ("area", "hill")),
        ("unit", "red_2", (), None),
        ("unit", "blue_2", (("strength", 3),), ()),
    ),
)
SOURCE = GameSource(with_pieces(TINY, SETUP), partial(set_up, setup=SETUP))


def in_play() -> Core:
    """Returns the core of a game in which the set-up was made."""
    core = Core(shared_code(TINY), "traced", {})
    set_up_in_play(core, SETUP)
    return core


@pytest.mark.parametrize("make", [lambda: Game(SOURCE).core, in_play], ids=["before_the_start", "in_play"])
def test_setup_adds_pieces_values_and_places(make: Callable[[], Core]) -> None:
    """Pieces are added, values set, and pieces placed, removed or left in place."""
    core = make()
    find = core.world.find
    assert [each.id for each in find("area", "hill").c_unit] == ["red_1", "guard"]
    assert find("unit", "guard").a_strength == 4
    assert find("unit", "red_1").a_strength == 1
    assert find("unit", "red_2").at is None
    assert (find("unit", "blue_1").a_strength, find("unit", "blue_2").a_strength) == (5, 3)
    assert find("unit", "blue_2").at is find("area", "south")
    assert core.world.state.a_points == 2


def test_setup_precedes_every_game() -> None:
    """The set-up can't be undone, and each game of a simulation starts with it."""
    game = Game(SOURCE)
    begun = game.hash()
    played(game, FIGHT[:3])
    game.go_back(0, 0)
    assert game.hash() == begun
    simulation = Simulation(SOURCE)
    assert simulation.play(4) == simulation.play(4)


def test_setup_in_play_is_undone() -> None:
    """A reset takes back every part of a set-up that was made in play, so that the next one finds the start."""
    core = in_play()
    core.reset()
    assert core.hash() == Core(shared_code(TINY), "traced", {}).hash()
    set_up_in_play(core, SETUP)
    assert core.hash() == in_play().hash()


def test_setup_in_play_adds_no_piece_twice() -> None:
    """A set-up whose piece there already is, is refused, and a reset takes back its other parts."""
    core = Core(shared_code(TINY), "traced", {})
    with pytest.raises(UsageError, match="there already is a unit 'red_1'"):
        set_up_in_play(core, Setup(pieces=(("unit", "guard", (), None), ("unit", "red_1", (), None))))
    core.reset()
    assert core.hash() == Core(shared_code(TINY), "traced", {}).hash()


DUE = """
ruleset: {id: due, title: Due, version: "1"}
kinds:
  side: {is: seat, members: [red], has: {points: "int = 0"}}
  arrival: {is: thing, has: {turn: int, worth: "int = 1"}}
state: {now: "int = 0"}
sequence:
  turns:
    repeat: 3
    do: |
      set now += 1
      set red.points += sum(arrivals where .turn = now each .worth)
      if now = 3: win red
"""
TWICE = """
scenario: {id: twice, title: Twice, ruleset: due}
things: {arrival: [{id: first, turn: 1}, {id: second, turn: 3, worth: 4}]}
"""


def test_rules_read_things_of_scenario(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ruleset defines kinds of things, and a scenario the things themselves."""
    for name, text in (("rulesets/due/ruleset", DUE), ("scenarios/due/twice", TWICE)):
        path = tmp_path / f"{name}.yaml"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setenv("BICORNE_PATH", str(tmp_path))
    game = Game(load_scenario("due/twice"))
    assert game.decision is None
    assert game.core.world.find("side", "red").a_points == 5


def test_image_without_new_pieces_is_shared() -> None:
    """Scenarios that add no pieces share the compiled ruleset."""
    assert with_pieces(TINY, Setup()) is TINY
