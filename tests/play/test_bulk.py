"""Bulk play: many games in a row."""

from __future__ import annotations

import pytest
from random_games import played_at_random
from tiny_game import CODE, TINY, image, leaf_image, step

from interpreter.language.diagnostics import RuleFault, UsageError
from interpreter.play.engine import budget
from interpreter.play.engine.bulk import Simulation


def test_simulation_equals_game() -> None:
    """Result, hash and number of decisions equal those of `Game` with the same seed and random players."""
    simulation = Simulation(TINY, checked=True)
    for seed in range(12):
        assert simulation.play(seed) == played_at_random(TINY, seed)


def test_games_in_one_world_are_independent() -> None:
    """A game replayed in the same world, also after others, is the same."""
    simulation = Simulation(TINY)
    first = [simulation.play(seed) for seed in range(6)]
    assert [simulation.play(seed) for seed in reversed(range(6))][::-1] == first


def test_choosers_play_their_seats() -> None:
    """A chooser makes every decision of its seat with at least two options; other seats play at random."""
    asked = []

    def cautious(site: object, options: object, chosen: object) -> object:
        asked.append((site, chosen))
        return None if None in options else options[0]  # type: ignore[operator,index]

    played = Simulation(TINY).play(1, {"blue": cautious})
    assert asked
    assert 0 < len(asked) < played.decisions
    with pytest.raises(UsageError, match="there is no seat 'bleu' in this game; did you mean 'blue'"):
        Simulation(TINY).play(1, {"bleu": cautious})


def test_limit_ends_game_without_result() -> None:
    """A game stops without a result after the maximum number of decisions."""
    played = Simulation(TINY).play(1, limit=5)
    assert (played.result, played.decisions) == (None, 5)


def test_simulation_continues_after_fault() -> None:
    """A fault has its place in the rules, and the simulation plays further games."""
    code = CODE.replace("u = yield (S0", "if G.a_points > 0: 1 / 0\n        u = yield (S0")
    simulation, faults = Simulation(image(code)), []
    for seed in range(30):
        try:
            simulation.play(seed)
        except RuleFault as fault:
            faults.append(fault.diagnostic)
    assert 0 < len(faults) < 30
    assert {each.code for each in faults} == {"division-by-zero"}
    assert all(each.place.line > 100 for each in faults)


def test_budget_stops_endless_work() -> None:
    """The work budget also limits simulations, where nothing is recorded."""
    simulation = Simulation(leaf_image("\ndef s_bad():\n    while True: tick()\n", step("bad", flags="do", scope=())))
    with pytest.raises(RuleFault, match="budget"):
        simulation.play(1)


def test_each_game_has_its_own_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games with one decision each do not share one budget, whether they end before or after the decision."""
    monkeypatch.setattr(budget.Budget.__init__, "__defaults__", (50_000, 60.0))
    work = "\n    for n in span(1, 4):\n        for m in span(1, 9000): tick()\n"
    asking = "\ndef s_ask():\n    yield (S0, i_playerːred, (1, 2), None, None)" + work
    for code, flags in ((asking, "do asks"), ("\ndef s_ask():" + work, "do")):
        simulation = Simulation(leaf_image(code, step("ask", flags=flags, scope=())))
        for seed in range(3):
            assert simulation.play(seed).result is not None


def test_broken_invariant_names_its_step() -> None:
    """A simulation has no stack of steps, but reports the step that broke an invariant."""
    spoiled = leaf_image("\ndef s_bad(): G.a_points = 200\n", step("bad", flags="do", scope=()))
    with pytest.raises(RuleFault, match="invariant 'points' does not hold after step 'game/bad'"):
        Simulation(spoiled, checked=True).play(1)
