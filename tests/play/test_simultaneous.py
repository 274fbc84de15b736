"""Lines that are carried out at the same time."""

from __future__ import annotations

from dataclasses import replace

from tiny_game import leaf_image, step

from interpreter.play.engine.bulk import Simulation
from interpreter.play.game import Game
from interpreter.play.views.visible_log import visible_log

CODE = """
def s_bid():
    together(True)
    a = yield (S0, i_player__red, (1, 2, 3), None, None)
    JA((G, "a_points", G.a_points)); G.a_points = a
    T("set", 5, (G, "points", 0, a))
    b = yield (S6, i_player__blue, (1, 2, 3), None, None)
    JA((G, "a_points", G.a_points)); G.a_points = a + b
    T("set", 5, (G, "points", a, a + b))
    together(False)
    yield (S0, i_player__red, (1, 2), None, None)
"""
BIDDING = leaf_image(CODE, step("bid", flags="do asks", scope=()))


def test_nobody_sees_what_is_decided_at_the_same_time() -> None:
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


def test_going_back_into_such_a_block_hides_again() -> None:
    """The block is under way again after a rewind into it."""
    game = Game(BIDDING)
    game.choose(3)
    mark = game.mark()
    game.choose(2)
    assert game.before_simultaneous() is None
    game.rewind(mark)
    assert game.before_simultaneous() is not None


def test_what_was_before_is_played_once() -> None:
    """For all who look."""
    game = Game(BIDDING)
    start = game.mark()
    game.choose(3)
    before = game.before_simultaneous()
    assert game.before_simultaneous() is before is not None
    game.rewind(start)
    game.choose(2)
    assert game.view("blue")["state"] == {"points": 0}


def test_a_traced_game_needs_no_other_code_to_show_what_was_before() -> None:
    """Coverage plays rules that are compiled for tracing alone, and looks at the board in the midst of such blocks."""
    traced = replace(BIDDING, units=tuple([each for each in BIDDING.units if each.variant == "traced"]))
    assert traced.units
    game = Game(traced, trace=True)
    game.choose(3)
    assert game.view("blue")["state"] == {"points": 0}


def test_leaving_the_step_ends_the_block() -> None:
    """A block that is left by ending its step hides nothing any more."""
    code = "\ndef s_bid():\n    together(True)\n    raise EndStep('bid')\n"
    game = Game(leaf_image(code, step("bid", flags="do", scope=())))
    assert game.result is not None
    assert game.before_simultaneous() is None


def test_simulations_play_such_blocks() -> None:
    """Where nobody looks on, a block is carried out like any lines."""
    played = Simulation(BIDDING).play(1)
    assert played.result is not None
    assert played.decisions == 3
