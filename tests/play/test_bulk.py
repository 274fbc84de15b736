"""Many games in a row."""

from __future__ import annotations

import pytest
from tiny_game import CODE, TINY, image, leaf_image, step

from interpreter.language.diagnostics import RuleFault, UsageError
from interpreter.play.engine import budget
from interpreter.play.engine.bulk import Played, Simulation, random_index, random_stream
from interpreter.play.game import Game


def by_hand(seed: int) -> Played:
    """A game with random players, played through its public face."""
    game = Game(TINY, seed)
    streams = {seat: random_stream(seed, seat) for seat in game.seats}
    decisions = 0
    while game.decision is not None:
        options = game.decision.options
        game.choose_index(random_index(streams[game.decision.seat], len(options)))
        decisions += 1
    return Played(game.result, game.hash(), decisions)


def test_simulation_plays_the_games_that_game_plays() -> None:
    """Result, hash and number of decisions are those of `Game` with the same seed and random players."""
    simulation = Simulation(TINY, checked=True)
    for seed in range(12):
        assert simulation.play(seed) == by_hand(seed)


def test_one_world_serves_all_games() -> None:
    """A game leaves nothing behind: played again, also after others, it is the same."""
    simulation = Simulation(TINY)
    first = [simulation.play(seed) for seed in range(6)]
    assert [simulation.play(seed) for seed in reversed(range(6))][::-1] == first


def test_choosers_play_their_seats() -> None:
    """A seat with a chooser is asked for every decision of two options or more; the others play at random."""
    asked = []

    def cautious(site: object, options: object, chosen: object) -> object:
        asked.append((site, chosen))
        return None if None in options else options[0]  # type: ignore[operator,index]

    played = Simulation(TINY).play(1, {"blue": cautious})
    assert asked
    assert 0 < len(asked) < played.decisions
    with pytest.raises(UsageError, match="'bleu' is no seat of this game; did you mean 'blue'"):
        Simulation(TINY).play(1, {"bleu": cautious})


def test_limit_ends_a_game_without_result() -> None:
    """After so many decisions a game is left as it stands."""
    played = Simulation(TINY).play(1, limit=5)
    assert (played.result, played.decisions) == (None, 5)


def test_faults_are_positioned_and_the_next_game_is_sound() -> None:
    """A fault in one game says where; the simulation goes on to play others."""
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


def test_endless_work_is_stopped_in_simulations_too() -> None:
    """The budget holds where nothing is recorded."""
    simulation = Simulation(leaf_image("\ndef s_bad():\n    while True: tick()\n", step("bad", flags="do", scope=())))
    with pytest.raises(RuleFault, match="budget"):
        simulation.play(1)


def test_the_work_of_one_game_is_no_burden_on_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of one decision each are not taken for one long think, whether they end before a decision or after."""
    monkeypatch.setattr(budget.Budget.__init__, "__defaults__", (50_000, 60.0))
    work = "\n    for n in span(1, 4):\n        for m in span(1, 9000): tick()\n"
    asking = "\ndef s_ask():\n    yield (S0, i_player__red, (1, 2), None, None)" + work
    for code, flags in ((asking, "do asks"), ("\ndef s_ask():" + work, "do")):
        simulation = Simulation(leaf_image(code, step("ask", flags=flags, scope=())))
        for seed in range(3):
            assert simulation.play(seed).result is not None


def test_a_broken_invariant_is_named_with_its_step() -> None:
    """A simulation keeps no stack of steps, and yet says after which of them an invariant was broken."""
    spoiled = leaf_image("\ndef s_bad(): G.a_points = 200\n", step("bad", flags="do", scope=()))
    with pytest.raises(RuleFault, match="invariant 'points' does not hold after step 'game/bad'"):
        Simulation(spoiled, checked=True).play(1)
