"""The order of steps: conditions, bindings, repetitions and ends."""

from __future__ import annotations

import pytest
from tiny_game import CODE, image, step

from interpreter.language.diagnostics import RuleFault, UsageError
from interpreter.language.model.image import StepImage
from interpreter.play.engine.entry import ReturnValue, start_at_call, start_at_step
from interpreter.play.game import Game

NOTE = "def note(*what): A_LOG.append(what)\n"


def run(code: str, sequence: StepImage, **rest: object) -> list[tuple[object, ...]]:
    """Returns the log lines of the steps, in order."""
    game = Game(image(CODE + code, sequence), trace=True, **rest)  # type: ignore[arg-type]
    return [data for kind, _, data in game.events if kind == "log"]


def do(name: str, **rest: str) -> StepImage:
    """A leaf in a sequence without bindings."""
    return step(name, flags="do " + rest.get("flags", ""), scope=())


def test_each_is_read_at_start_of_step() -> None:
    """A binding runs over the collection at the start of its step."""
    code = """
def se_all(): return [u.id for u in A.all_unit]
def s_one(v_u):
    log(S5, v_u)
    place(A.all_unit[-1], None)
"""
    sequence = step("all", step("one", flags="do", scope=("u",)), flags="each", scope=("u",))
    assert run(code, sequence) == ["red_1", "red_2", "blue_1", "blue_2"]


def test_each_is_read_in_each_repetition() -> None:
    """With a repeat, the collection is read once for each repetition."""
    code = """
def sr_all(): return 2
def se_all(): return [u.id for u in A.all_unit]
def s_all(v_u):
    log(S5, v_u)
    if v_u == "red_1": place(i_unitːred_1, None)
"""
    sequence = step("all", flags="do each repeat", scope=("u",))
    assert run(code, sequence) == ["red_1", "red_2", "blue_1", "blue_2", "red_2", "blue_1", "blue_2"]


def test_until_is_read_after_each_repetition() -> None:
    """`until` ends a repeat after the repetition that fulfils it; the count is read once."""
    code = """
def sr_all(): return 10 - G.a_points
def su_all(): return G.a_points >= 3
def s_all():
    G.a_points = G.a_points + 1
    log(S5, text(G.a_points))
"""
    assert run(code, do("all", flags="repeat until")) == ["1", "2", "3"]


def test_when_skips_whole_step() -> None:
    """A step whose condition fails is skipped, without reading its binding and repetitions."""
    code = """
def sw_no(): return False
def se_no(): return 1 / 0
def s_yes(): log(S5, "yes")
"""
    no = step("no", step("x", flags="", scope=("u",)), flags="when each", scope=("u",))
    assert run(code, step("root", no, do("yes"), scope=())) == ["yes"]


def test_end_ends_innermost_step_of_name() -> None:
    """Ending a step ends its repetitions and the rest of its binding."""
    code = """
def sr_turn(): return 5
def se_turn(): return A.all_player
def s_first(v_p):
    log(S5, v_p.id)
    if v_p is i_playerːblue: raise EndStep("turn")
def s_second(v_p): log(S5, "second")
def s_after(): log(S5, "after")
"""
    leaves = (step("first", flags="do", scope=("p",)), step("second", flags="do", scope=("p",)))
    turn = step("turn", *leaves, flags="repeat each", scope=("p",))
    assert run(code, step("root", turn, do("after"), scope=())) == ["red", "second", "blue", "after"]


def test_leaf_can_end_itself() -> None:
    """A step that ends itself skips only the rest of its own repetitions."""
    code = """
def sr_a(): return 3
def s_a():
    log(S5, "a")
    raise EndStep("a")
def s_b(): log(S5, "b")
"""
    assert run(code, step("root", do("a", flags="repeat"), do("b"), scope=())) == ["a", "b"]


def test_end_of_other_step_is_fault() -> None:
    """A rule can end only steps in which it runs."""
    code = '\ndef s_a(): raise EndStep("elsewhere")\n'
    with pytest.raises(RuleFault, match="outside of a step 'elsewhere'"):
        run(code, do("a"))


def test_steps_without_decision_are_limited() -> None:
    """A sequence that continues without a decision is a fault, even if nothing runs in it."""
    code = "\ndef sr_a(): return 10 ** 9\ndef s_a(): pass\ndef sw_b(): return False\ndef s_b(): pass\n"
    with pytest.raises(RuleFault, match="endless-sequence"):
        Game(image(CODE + code, do("a", flags="repeat")))
    never = step("a", step("b", flags="do when", scope=()), flags="repeat", scope=())
    with pytest.raises(RuleFault, match="endless-sequence"):
        Game(image(CODE + code, never))


def test_game_can_start_at_one_step() -> None:
    """An example runs one step with the bindings of the steps around it, and then the game is over."""
    code = """
def se_turn(): return A.all_player
def s_first(v_p): log(S5, v_p.id)
def s_second(v_p): log(S5, "second")
"""
    leaves = (step("first", flags="do", scope=("p",)), step("second", flags="do", scope=("p",)))
    sequence = step("turn", *leaves, flags="each", scope=("p",))
    start = start_at_step("first", lambda core: {"p": core.find("player", "blue")})
    assert run(code, sequence, start=start) == ["blue"]
    with pytest.raises(UsageError, match="needs a value for p"):
        run(code, sequence, start=start_at_step("first", lambda core: {}))
    with pytest.raises(UsageError, match="did you mean 'first'"):
        run(code, sequence, start=start_at_step("fist", lambda core: {}))


def test_game_can_start_at_one_call() -> None:
    """An example runs one procedure and reads its return value; a step that it ends is the call itself."""
    code = """
def p_ask(v_p):
    answer = yield (S0, v_p, (1, 2, 3), None, None)
    return answer * 2
def p_stop(): raise EndStep("game")
def s_game(): pass
"""
    returned = ReturnValue()
    made = image(CODE + code, do("game"))
    game = Game(made, start=start_at_call(lambda core: lambda: core.names["p_ask"](core.seats[0]), True, returned))
    game.choose(3)
    assert (returned.done, returned.value) == (True, 6)
    assert game.result is not None
    stopped = Game(made, start=start_at_call(lambda core: core.names["p_stop"], False, ReturnValue()))
    assert stopped.result is not None
