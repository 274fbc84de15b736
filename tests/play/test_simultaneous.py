"""Blocks of simultaneous lines."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tiny_game import leaf_image, step

from interpreter import apply_changes
from interpreter.play.engine.bulk import Simulation
from interpreter.play.engine.simultaneous import hides_answers
from interpreter.play.game import Game
from interpreter.play.views.view import view
from interpreter.play.views.visible_log import visible_log

CODE = """
def s_bid():
    together(True)
    a = yield (S0, i_playerːred, (1, 2, 3), None, None)
    JA((G, "a_points", G.a_points)); G.a_points = a
    T("set", 5, (G, "points", 0, a))
    b = yield (S6, i_playerːblue, (1, 2, 3), None, None)
    JA((G, "a_points", G.a_points)); G.a_points = a + b
    T("set", 5, (G, "points", a, a + b))
    together(False)
    yield (S0, i_playerːred, (1, 2), None, None)
"""
BIDDING = leaf_image(CODE, step("bid", flags="do asks", scope=()))


def test_simultaneous_decisions_are_hidden() -> None:
    """Until the block ends each seat sees the state and the log from before it; then everything."""
    game = Game(BIDDING)
    game.choose(3)
    assert game.core.world.state.a_points == 3
    for seat in ("red", "blue"):
        assert game.view(seat)["state"] == {"points": 0}
        assert [each.kind for each in visible_log(game, seat)] == []
    assert game.view("blue")["decision"]["options"]
    game.choose(2)
    assert game.view("blue")["state"] == {"points": 5}
    assert "set" in [each.kind for each in visible_log(game, "blue")]


def test_rewind_into_block_hides_again() -> None:
    """A rewind into the block restores it."""
    game = Game(BIDDING)
    game.choose(3)
    mark = game.mark()
    game.choose(2)
    assert game.before_simultaneous() is None
    game.rewind(mark)
    assert game.before_simultaneous() is not None


def test_nothing_is_replayed_until_something_is_answered() -> None:
    """At the first question of a block the game itself is what seats may see."""
    game = Game(BIDDING)
    assert game.core.simultaneous_since == 0
    assert game.before_simultaneous() is None
    assert game.view("blue")["state"] == {"points": 0}


def test_views_in_a_block_are_made_of_the_view_at_its_start() -> None:
    """The view after an answer in the block has nothing new but the decision, and replays nothing."""
    game = Game(BIDDING)
    mark, seen = game.mark(), game.view("blue")
    game.choose(3)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Game, "before_simultaneous", refused)
        changes = game.view("blue", since=mark)
    assert apply_changes(seen, changes) == view(game, "blue")
    assert changes["state"] == {}
    game.choose(2)
    assert apply_changes(seen, game.view("blue", since=mark)) == view(game, "blue")
    assert game.view("blue")["state"] == {"points": 5}


def refused(_game: Game) -> None:
    """A replay that no view may need."""
    raise AssertionError


def test_game_before_block_is_replayed_once() -> None:
    """All viewers share one replay of the game before the block."""
    game = Game(BIDDING)
    start = game.mark()
    game.choose(3)
    before = game.before_simultaneous()
    assert game.before_simultaneous() is before is not None
    game.rewind(start)
    game.choose(2)
    assert game.view("blue")["state"] == {"points": 0}


def test_traced_code_shows_game_before_block() -> None:
    """Coverage compiles only traced code, and reads the board within such blocks."""
    traced = replace(BIDDING, units=tuple([each for each in BIDDING.units if each.variant == "traced"]))
    assert traced.units
    game = Game(traced, trace=True)
    game.choose(3)
    assert game.view("blue")["state"] == {"points": 0}


def test_end_of_step_ends_block() -> None:
    """A block that ends with its step hides nothing afterwards."""
    code = "\ndef s_bid():\n    together(True)\n    raise EndStep('bid')\n"
    game = Game(leaf_image(code, step("bid", flags="do", scope=())))
    assert game.result is not None
    assert game.before_simultaneous() is None


def test_simulation_plays_simultaneous_block() -> None:
    """In a simulation a block runs like any other lines."""
    played = Simulation(BIDDING).play(1)
    assert played.result is not None
    assert played.decisions == 3


def test_views_in_a_block_are_those_from_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seats that have looked before see the state from before the block, and nothing is replayed for it."""
    game = Game(BIDDING)
    seen = {seat: (game.mark(), game.view(seat)) for seat in ("red", "blue", None)}
    monkeypatch.setattr(Game, "_replayed", None)
    game.choose(3)
    changed = {seat: apply_changes(before, game.view(seat, since=mark)) for seat, (mark, before) in seen.items()}
    monkeypatch.undo()
    assert changed == {seat: view(game, seat) for seat in seen}
    assert changed["blue"]["state"] == {"points": 0}


def test_questions_with_one_answer_hide_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a block begins with a question that answers itself, the game is what seats may see: nothing is replayed."""
    game = Game(leaf_image(CODE.replace("(1, 2, 3)", "(1,)", 1), step("bid", flags="do asks", scope=())))
    assert game.decision is not None
    assert game.decision.seat == "blue"
    twin = Game(game.source, inputs=game.inputs.items[:0])
    monkeypatch.setattr(Game, "_replayed", None)
    assert not hides_answers(game)
    assert game.view("red") == view(twin, "red")
