"""Recorded dice are those of the seed, in order, whatever was undone; others are found."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_game import TINY

from interpreter.play.engine.lookahead import speculating
from interpreter.play.game import Game
from interpreter.play.inputs.dice import Dice
from interpreter.play.inputs.inputs import DIE, count_drawn
from interpreter.play.records.dice_audit import DiceAudit
from interpreter.play.records.recording import as_recorded, resume

ALL = ("red", "blue")
MOVES = st.lists(st.tuples(st.sampled_from("ccccurfsk"), st.integers(0, 5)), max_size=40)


def finished_game() -> Game:
    """A game of the seed 3 that is over."""
    game = Game(TINY, 3)
    while game.decision is not None:
        game.choose_index(len(game.history) % len(game.decision.options))
    return game


def audited(game: Game, seed: int | str) -> DiceAudit:
    """Replays the inputs of a game and compares the dice with a seed."""
    audit = DiceAudit(seed)
    Game(TINY, 0, inputs=game.history, observers=(audit,))
    return audit


def moved(game: Game, move: str, number: int) -> Game:
    """Makes one move: a choice, an undo, a rewind of two choices, a redo, a speculation, or a save and resumption."""
    if move == "k":
        recorded = as_recorded(game)
        return resume(recorded.recording, TINY)
    if game.decision is None:
        return game
    option = number % len(game.decision.options)
    mark = game.mark()
    if move == "u" and game.history:
        if any(each[0] == "a" for each in game.history):
            game.undo(agreed=ALL)
    elif move == "s":
        with speculating(game, number):
            game.choose_index(option)
    else:
        game.choose_index(option)
        done = game.history
        if move in "rf":
            game.rewind(mark)
        if move == "f":
            game.feed(done)
    return game


@settings(max_examples=60)
@given(MOVES, st.integers(0, 3))
def test_recorded_dice_are_those_of_the_seed(moves: list[tuple[str, int]], seed: int) -> None:
    """Choices, undos, rewinds, redos, speculation and resumption leave the dice of the seed, word after word."""
    game = Game(TINY, seed)
    for move, number in moves:
        game = moved(game, move, number)
    audit = audited(game, seed)
    assert (audit.difference, audit.compared) == (None, count_drawn(game.history))
    assert isinstance(game.chance.dice, Dice)
    assert game.chance.dice.drawn == count_drawn(game.history)


@settings(max_examples=30)
@given(st.integers(0, 40), st.integers(1, 5))
def test_changed_die_is_found(which: int, by: int) -> None:
    """A game with one other face is no game of its seed from that input on."""
    game = finished_game()
    dice = [at for at, each in enumerate(game.history) if each[0] == DIE and isinstance(each[2], int)]
    at = dice[which % len(dice)]
    records = list(game.history[: at + 1])
    face = (records[at][2] - 1 + by) % 6 + 1
    records[at] = (*records[at][:2], face, *records[at][3:])
    audit = DiceAudit(3)
    Game(TINY, 0, inputs=records, observers=(audit,))
    assert audit.difference is not None
    assert f"from input {at + 1} on" in audit.difference
