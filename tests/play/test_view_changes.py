"""Changes of views: they lead from the view at a mark to the view now, and tell nothing that the views do not tell."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from card_game import CARDS
from tiny_game import TINY

from interpreter import Game, apply_changes, load_scenario
from interpreter.language.diagnostics import UsageError
from interpreter.play.engine.lookahead import speculating
from interpreter.play.views.view import view
from interpreter.players.planning.determinization import Determinizer

SCENARIOS = (
    "nations_in_arms/marengo_1800",
    "commands_and_colors_napoleonics/rolica_1",
    "fin_napoleon/campaign",
    "napoleonic_wars/duel_1805",
    "age_of_napoleon/ulm_1805",
)
DECISIONS = 30


def play(game: Game, chance: Random, count: int) -> None:
    """Plays at random for some decisions."""
    while game.decision is not None and count:
        game.choose_index(chance.randrange(len(game.decision.options)))
        count -= 1


def check_changes(game: Game, seed: int, decisions: int) -> None:
    """Plays at random, undoes and goes on; follows the changes of all views, and compares them with new views."""
    chance, seats = Random(seed), [*game.seats, None]
    known: dict[str | None, Any] = {seat: (game.mark(), game.view(seat)) for seat in seats}
    while game.decision is not None and decisions > 0:
        count = chance.choice((1, 1, 2, 5))
        before = game.mark()
        play(game, chance, count)
        decisions -= count
        if chance.random() < 0.2:
            game.rewind(before)
            play(game, chance, 1)
        for seat in chance.sample(seats, 2):
            mark, seen = known[seat]
            former = deepcopy(seen)
            changes = game.view(seat, since=mark)
            assert seen == former, "the earlier view stays as it was"
            whole = view(game, seat)
            assert apply_changes(seen, json.loads(json.dumps(changes))) == whole
            known[seat] = game.mark(), whole


@pytest.mark.parametrize("name", SCENARIOS)
def test_changes_lead_to_the_view(name: str) -> None:
    """In random games with undo, changes since a mark make the view now of the view then, for every seat."""
    check_changes(Game(load_scenario(name), seed=3), 3, DECISIONS)


@pytest.mark.parametrize("seed", range(8))
def test_changes_lead_to_the_view_of_hidden_cards(seed: int) -> None:
    """The same in small games, with hidden cards and without, to their end."""
    check_changes(Game(CARDS, seed), seed, 100)
    check_changes(Game(TINY, seed), seed, 100)


def test_unasked_mark_is_replayed() -> None:
    """A mark at which nobody asked for the view gives the same changes."""
    game = Game(TINY, seed=4)
    mark, seen = game.mark(), view(game, "red")
    play(game, Random(1), 6)
    assert apply_changes(seen, game.view("red", since=mark)) == view(game, "red")


def test_undone_mark_is_refused() -> None:
    """Changes since a mark that was taken back are unknown, unless the view was asked for there."""
    game = Game(TINY, seed=4)
    start = game.mark()
    play(game, Random(1), 3)
    asked, seen = game.mark(), game.view("red")
    play(game, Random(1), 1)
    unasked = game.mark()
    game.rewind(start)
    play(game, Random(2), 2)
    assert apply_changes(seen, game.view("red", since=asked)) == view(game, "red")
    with pytest.raises(UsageError, match="taken back"):
        game.view("red", since=unasked)


def test_changes_are_small() -> None:
    """Nothing of the map is in the changes of a decision but what the decision has changed."""
    game = Game(load_scenario("nations_in_arms/marengo_1800"), seed=1)
    mark, seen = game.mark(), game.view("french")
    play(game, Random(1), 1)
    changes = game.view("french", since=mark)
    assert sum(len(changes[name]) for name in ("seats", "spaces", "things", "links")) < 30
    assert len(json.dumps(changes)) < len(json.dumps(seen)) / 20


@pytest.mark.parametrize("seed", range(6))
def test_changes_give_nothing_away(seed: int) -> None:
    """Two games that differ only in what a seat cannot see have equal changes wherever they have equal views."""
    game, compared = Game(CARDS, seed), 0
    for _ in range(12):
        if game.decision is None:
            break
        seat = game.decision.seat
        other = game.twin()
        with speculating(other, "other"):
            Determinizer(other, seat).sample(other, seed)
            assert other.view(seat) == game.view(seat)
            marks = game.mark(), other.mark()
            for each in (game, other):
                each.choose_index(0)
            changes = [each.view(seat, since=mark) for each, mark in zip((game, other), marks, strict=True)]
            if game.view(seat) == other.view(seat):
                compared += 1
                assert changes[0] == changes[1]
    assert compared
