"""Faults of rules: their codes, places and hints, and play after a fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_game import CODE, TINY, image, leaf_image, step, unit

from interpreter.language.diagnostics import RuleFault
from interpreter.play.engine import budget
from interpreter.play.engine.bulk import Simulation
from interpreter.play.engine.source import source_of
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_ruleset


def fault_of(body: str) -> RuleFault:
    """Returns the fault of a step with this body."""
    lines = "".join(f"\n    {line}" for line in body.split("\n"))
    with pytest.raises(RuleFault) as caught:
        Game(leaf_image(f"\ndef helper(x): return x.nothing\ndef s_bad():{lines}\n", step("bad", flags="do", scope=())))
    return caught.value


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("1 / 0", "division-by-zero"),
        ("{}[3]", "missing-key"),
        ("[][3]", "missing-entry"),
        ("None.a_x", "none-used"),
        ("None + 1", "none-used"),
        ("roll_sum(S2, None, 1001, 6)", "absurd-dice"),
        ("roll_sum(S2, None, 1, 1000001)", "absurd-dice"),
        ("random_one(S3, ())", "empty-pick"),
        ("span(0, 10 ** 7)", "too-large"),
    ],
)
def test_fault_has_code_of_exception(body: str, code: str) -> None:
    """An exception of emitted code becomes a fault with the code of its cause."""
    assert fault_of(body).diagnostic.code == code


def test_fault_has_innermost_place() -> None:
    """The place of a fault is the innermost line of rule text, also inside called helpers."""
    prefix = CODE.count("\n")
    assert fault_of("x = 1\nhelper(x)").diagnostic.place.line == 101 + prefix + 1
    assert fault_of("x = 1\nspan(0, 10 ** 7)").diagnostic.place.line == 101 + prefix + 4
    assert fault_of("1 / 0").diagnostic.place.file == "rules.yaml"


def test_bound_code_has_its_own_places() -> None:
    """A fault in additional code has the place of the lines of that code."""
    game = Game(TINY)
    function = game.core.bind(unit("\n\n\ndef ad_hoc(): return 1 / 0"), "ad_hoc")
    with pytest.raises(ZeroDivisionError) as caught:
        function()
    assert "rules.yaml:104" in str(game.core.fault(caught.value))


def test_budget_limits_work_between_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    """An endless loop ends with a fault at its place; a rule that keeps asking does not."""
    monkeypatch.setattr(budget.Budget.__init__, "__defaults__", (50_000, 60.0))
    endless = "\ndef s_bad():\n    while True: tick()\n"
    with pytest.raises(RuleFault, match=r"error\[budget\].*50,000 steps") as caught:
        Game(leaf_image(endless, step("bad", flags="do", scope=())))
    assert caught.value.diagnostic.place.file == "rules.yaml"
    asking = """
def s_ask():
    for n in span(1, 10):
        for m in span(1, 9000): tick()
        yield (S0, i_playerːred, (1, 2), None, None)
"""
    game = Game(leaf_image(asking, step("ask", flags="do asks", scope=())))
    while game.decision is not None:
        game.choose(1)
    assert game.result is not None


def test_clock_stops_slow_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slow passes of a loop are stopped by the clock."""
    monkeypatch.setattr(budget.Budget.__init__, "__defaults__", (50_000_000, 0.0))
    with pytest.raises(RuleFault, match="seconds of work"):
        Game(leaf_image("\ndef s_bad():\n    while True: tick()\n", step("bad", flags="do", scope=())))


def test_a_traced_game_has_more_time() -> None:
    """The limit of time is longer for a traced game, in a new world and in one that another game has left."""
    for _ in range(2):
        plain, traced = Game(TINY, seed=1).core.budget.seconds, Game(TINY, seed=1, trace=True).core.budget.seconds
        assert traced == pytest.approx(budget.TRACED_FACTOR * plain)


def test_undo_recovers_from_fault() -> None:
    """A game with a fault can be undone to the decision before it."""
    code = """
def s_ask():
    a = yield (S0, i_playerːred, (1, 2), None, None)
    JA((G, "a_points", G.a_points)); G.a_points = 5
    if a == 2: 1 / 0
    yield (S1, i_playerːred, (3, 4), None, None)
"""
    game = Game(leaf_image(code, step("ask", flags="do asks", scope=())))
    before = game.hash()
    with pytest.raises(RuleFault, match="division"):
        game.choose(2)
    assert game.decision is None
    game.undo()
    assert game.hash() == before
    game.choose(1)
    assert game.decision is not None


def test_emitted_code_has_no_builtins() -> None:
    """Emitted code can't use the built-in functions of Python."""
    with pytest.raises(RuleFault, match="NameError"):
        Game(leaf_image("\ndef s_bad(): open('x')\n", step("bad", flags="do", scope=())))


def test_foreign_inputs_are_a_divergence() -> None:
    """Inputs that were recorded for other sites are refused."""
    with pytest.raises(RuleFault, match="divergence"):
        Game(image(), inputs=[("a", 5, 1, "red")])
    with pytest.raises(RuleFault, match="divergence"):
        Game(image(), inputs=[("d", 0, 1)])


DEBTS = """
ruleset: {id: debts, title: Debts, version: "1"}
kinds: {side: {is: seat, members: [red], has: {coins: "int = 0"}}}
sequence: {game: {do: set red.coins -= 1}}
invariants:
  no_debts: {is: red.coins >= 0, says: {en: Nobody has debts., ja: 誰も借金をしない。}}
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "the invariant 'no_debts' does not hold after step 'game': Nobody has debts."),
        ("ja", "不変条件 'no_debts' が手順 'game' の後に成り立っていません：誰も借金をしない。"),
    ],
)
def test_broken_invariant_is_named_in_words_of_the_game(tmp_path: Path, language: str, said: str) -> None:
    """Played or simulated, the fault says what should hold in the language of the game."""
    (tmp_path / "ruleset.yaml").write_text(DEBTS, encoding="utf-8")
    source = source_of(load_ruleset(tmp_path), language)
    for run in (lambda: Game(source, checked=True), lambda: Simulation(source, checked=True).play(1)):
        with pytest.raises(RuleFault) as caught:
            run()
        assert caught.value.diagnostic.message == said
