"""Stepping through a recorded game: forwards and back, to an entry or a turn, and without a trace of what is hidden."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from card_game import CARDS
from tiny_game import TINY

from interpreter import Game, load_scenario
from interpreter.language.diagnostics import UsageError
from interpreter.play.inputs.inputs import ANSWER
from interpreter.play.records.recording import RecordedGame
from interpreter.play.records.save import Save
from interpreter.play.replay.stepper import ReplayStepper


def recorded(source: object, seed: int, limit: int = 10_000) -> RecordedGame:
    """A game played at random."""
    game, chance = RecordedGame(source, seed), Random(seed)
    while game.decision is not None and limit:
        game.choose_index(chance.randrange(len(game.decision.options)))
        limit -= 1
    return game


@pytest.mark.parametrize("seed", range(4))
def test_every_stop_is_the_game_as_it_was(seed: int) -> None:
    """Whatever the order of the stops, each shows the state and the log of the game after its inputs."""
    game = recorded(TINY, seed)
    stepper = ReplayStepper(game.recording, TINY)
    asked = [number for number, item in enumerate(game.history) if item[0] == ANSWER]
    assert stepper.last == len(asked)
    chance = Random(seed)
    for stop in (0, stepper.last, *[chance.randint(0, stepper.last) for _ in range(20)]):
        stepper.go(stop)
        inputs = [*asked, len(game.history)][stop]
        there = Game(TINY, seed, inputs=game.history[:inputs])
        assert (stepper.game.hash(), stepper.game.result) == (there.hash(), there.result)
        assert [each.text for each in stepper.entries()] == [each.text for each in there.log]


def test_stops_beyond_the_record_are_its_ends() -> None:
    """Going back from the start or on from the end stays there."""
    stepper = ReplayStepper(recorded(TINY, 1).recording, TINY)
    stepper.go(stepper.last + 5)
    assert stepper.at == stepper.last
    stepper.go(-3)
    assert stepper.at == 0


def test_entries_and_turns_are_found() -> None:
    """An entry leads to the first stop after it, a turn to its first stop; others are refused with what there is."""
    scenario = load_scenario("fin_napoleon/campaign")
    stepper = ReplayStepper(recorded(scenario, 11, 40).recording, scenario)
    stepper.go(stepper.last)
    total, turns = len(stepper.entries()), stepper.turn
    assert turns > 1
    for number in (1, total // 2, total):
        stepper.go_to_entry(number)
        assert len(stepper.entries()) >= number
        if stepper.at:
            stepper.go(stepper.at - 1)
            assert len(stepper.entries()) < number
    for number in range(1, turns + 1):
        stepper.go_to_turn(number)
        assert (stepper.turn, stepper.game.core.world.state.a_turn) == (number, number)
        stepper.go(stepper.at - 1)
        assert stepper.turn < number or stepper.at == 0
    for wrong in (0, total + 1):
        with pytest.raises(UsageError, match=f"entries 1 to {total}"):
            stepper.go_to_entry(wrong)
    with pytest.raises(UsageError, match=f"turns 1 to {turns}"):
        stepper.go_to_turn(turns + 1)


@pytest.mark.parametrize("seed", range(6))
def test_seat_learns_nothing_from_the_stops(seed: int) -> None:
    """Where something is hidden the stops of a seat are its own decisions, and its log is the one that it may read."""
    game, seat = recorded(CARDS, seed, 9), "red"
    own = [item for item in game.history if item[0] == ANSWER and item[3] == seat]
    stepper = ReplayStepper(game.recording, CARDS, seat)
    assert stepper.last == len(own)
    for stop in range(stepper.last):
        stepper.go(stop)
        decision = stepper.game.decision
        assert decision is not None
        assert decision.seat == seat
        assert [each.text for each in stepper.entries()] == [each.text for each in stepper.game.log_of(seat).entries]


def test_branch_can_be_played_on(tmp_path: Path) -> None:
    """A save made at a stop is the game there, with its table and the dice that follow."""
    game = recorded(TINY, 5)
    stepper = ReplayStepper(game.recording, TINY)
    stepper.go(stepper.last // 2)
    stepper.branch(tmp_path / "branch.save")
    with Save.open(tmp_path / "branch.save") as save:
        again = save.resume(TINY)
    assert again.hash() == stepper.game.hash()
    for item in game.history[len(again.history) :]:
        if item[0] == ANSWER and again.decision is not None:
            again.choose(item[2])
    assert again.hash() == game.hash()
    with pytest.raises(UsageError, match="exists"):
        stepper.branch(tmp_path / "branch.save")
