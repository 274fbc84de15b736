"""What a seat reads while seats answer at the same time: nothing of another seat's answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from what_is_read import what_is_read

from interpreter import Game, load_ruleset
from interpreter.console.board import board_text

RULES = """
ruleset: {id: orders, title: Orders, version: "1.0"}
kinds:
  side: {is: seat, members: [red, blue], has: {zeal: "int = 0"}}
  place: {is: space, has: {guarded: "bool = false"}}
  stack: {is: piece, in: place, has: {owner: side, steps: "int = 2"}}
  wagon: {is: piece, in: place, has: {load: "int = 0"}}
  depot: {is: piece, in: place, has: {stock: "int = 0"}}
  spy: {is: piece, in: place}
individuals: {place: {ford: {}, mill: {}, hill: {}}}
links: {roads: {of: place, between: [[ford, mill], [mill, hill]]}}
pieces:
  stack: [{id: red_one, owner: red, at: ford}, {id: blue_one, owner: blue, at: hill}, {id: last, owner: blue, at: mill}]
  wagon: [{id: wagon, at: ford}, {id: cart, at: mill}]
  depot: [{id: depot, at: ford}, {id: store, at: mill}]
  spy: [{id: spy, at: ford}, {id: agent, at: mill}]
definitions:
  depot.full: {is: .stock > 1}
procedures:
  change:
    takes: {number: int}
    do: |
      set stacks.steps += number
      set wagons.load += number
      set depots.stock += number
      set sides.zeal += number
      if number > 1: move spys + wagons + depots to hill
  order:
    takes: {side: side}
    do: |
      let one = side chooses one of stacks "Whose turn after {first(stacks)}, {side}?"
      let two = side chooses any of wagons "Which wagons?"
      let three = side chooses one of depots "Which depot?"
      let four = side chooses one of spys "Which spy?"
      let five = side chooses one of places where not .guarded "Where to?"
      let number = side chooses from 0 to 3 "How many?"
      change(number)
sequence:
  game:
    do: |
      together:
        order(red)
        order(blue)
        order(red)
presentation:
  titles: {stack: "{name} of {owner} with {steps}", side: "{name} of zeal {zeal}"}
  labels: {depot: "{name} {full?full} {place}"}
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A game in which both sides are asked about the same things."""
    folder: Path = tmp_path_factory.mktemp("orders")
    (folder / "ruleset.yaml").write_text(RULES)
    return load_ruleset(folder)


def _readings(source: Any, answers: list[list[Any]], seat: str) -> Iterator[list[Any]]:
    """Yields what a seat reads at each of its questions in the block, after these answers of both seats."""
    game = Game(source, 1)
    for each in answers:
        for answer in each:
            game.choose(answer)
    while game.decision is not None and game.decision.seat == seat:
        yield what_is_read(game, seat)
        game.choose_index(0)


ANSWERS = [
    ["red_one", *wagons, "depot", "spy", "ford", number] for number, wagons in enumerate(([None], ["cart", None]))
]
OTHER_ANSWERS = [*ANSWERS, ["last", "wagon", "cart", "store", "agent", "mill", 2]]


@pytest.mark.parametrize("before", [[], [ANSWERS[0]]])
def test_questions_show_nothing_of_another_answer(rules: Any, before: list[list[Any]]) -> None:
    """Whatever another seat has answered in the block, a seat reads the same at each of its questions."""
    seat = ("blue", "red")[len(before)]
    first, *others = [list(_readings(rules, [*before, each], seat)) for each in OTHER_ANSWERS]
    assert len(first) > 5
    assert all(each == first for each in others)


def test_other_seats_see_nothing_of_a_block(rules: Any) -> None:
    """While a seat answers in a block, all that others see is who decides: not what it is asked, nor how often."""
    for seat, other, before in (("red", "blue", []), ("blue", "red", ANSWERS[0])):
        seen = set()
        for answers in OTHER_ANSWERS:
            game = Game(rules, 1)
            for each in before:
                game.choose(each)
            for each in answers:
                seen.add(
                    str(
                        [
                            game.view(other),
                            game.view_hash(other),
                            board_text(game, other),
                            [*map(str, game.log_of(other).entries)],
                        ]
                    )
                )
                game.choose(each)
        assert len(seen) == 1
        assert f"'decision': {{'seat': '{seat}', 'secret': True}}" in seen.pop()
