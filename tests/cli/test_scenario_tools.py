"""Tools on games that begin with a scenario: coverage, check, diff, boards, stopped comparisons, undo, folders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli.commands import simulate
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_scenario

Bicorne = Callable[..., Any]

RULESET = """\
ruleset: {id: depot, title: Depot, version: "1"}
kinds:
  side: {is: seat, members: [red, blue]}
  place: {is: space}
  unit: {is: piece, in: place, has: {owner: side, blocks: int}}
individuals: {place: [hill, ford]}
state: {rounds: "int = 0"}
clauses:
  - {id: "1", kind: rule, says: A unit moves.}
  - {id: "2", kind: rule, says: What is shown stays shown.}
tables:
  goals:
    cite: "1"
    keys: {round: int}
    gives: place
    clamp: true
    grid: |
      round | 1    2
      goal  | hill ford
procedures:
  march:
    takes: {side: side}
    do: |
      for each unit in units where .owner = side:
        let to = side chooses one of places
        move unit to to                                       @1
      reveal units where .blocks > 9
sequence:
  game:
    steps:
      moves: {each: side in sides, repeat: 3, do: "march(side)"}
      last: {do: "tie \\"over\\" @2"}
"""
SCENARIO = """\
scenario: {id: start, title: Start, ruleset: depot}
pieces:
  unit:
    grid: |
      id        | owner blocks at
      br_line_4 | red   4      hill
      fr_line_1 | blue  3      ford
"""


@pytest.fixture
def depot(tmp_path: Path) -> Path:
    """A ruleset whose pieces come from a scenario in its own folder."""
    folder = tmp_path / "depot"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "ruleset.yaml").write_text(RULESET, "utf-8")
    (folder / "scenarios" / "start.yaml").write_text(SCENARIO, "utf-8")
    return folder


def game_of(depot: Path) -> Game:
    return Game(load_scenario(depot / "scenarios" / "start.yaml"), 1)


def test_coverage_plays_the_scenarios(bicorne: Bicorne, depot: Path) -> None:
    """The rules that only the pieces of a scenario reach are run, wherever the scenario is."""
    ran = bicorne("coverage", depot, "--games", "1")
    assert ran.code == 0
    assert "never run:" not in ran.out.replace("implemented, but never run", "never run:")


def test_check_tells_errors_beside_unknown_clauses(bicorne: Bicorne, depot: Path) -> None:
    """An unknown clause hides no other mistake, neither in its own entry nor in others."""
    text = RULESET.replace('cite: "1"', 'cite: "1.9"').replace("hill ford\n", "hill frod\n")
    text = text.replace("units where .owner = side:", "units where .owner = sode:")
    (depot / "ruleset.yaml").write_text(text, "utf-8")
    ran = bicorne("check", depot)
    assert ran.code == 1
    assert "no clause '1.9'" in ran.out
    assert "found 'frod'" in ran.out
    assert "nothing is called 'sode' here" in ran.out


def test_cell_may_be_a_name(depot: Path) -> None:
    """A cell of a table may be the name of a thing if the table gives such things."""
    table = game_of(depot).source.ruleset.program.tables["goals"]
    assert [each.value for each in table.cells.values()] == ["hill", "ford"]


def test_diff_shows_the_new_row_of_a_scenario(bicorne: Bicorne, depot: Path) -> None:
    """One more row in the text grid of a scenario is shown as one row, not as a new text."""
    overlay = depot / "more.yaml"
    patch = "{at: scenarios/start/pieces/unit, add: {fr_line_2: [blue, 2, ford]}}"
    overlay.write_text(f"overlay: {{id: more, for: depot}}\npatches: [{patch}]\n", "utf-8")
    ran = bicorne("diff", depot, "--with", overlay, "--no-examples")
    assert ran.code == 0
    changed = [line for line in ran.out.splitlines() if "[" in line and "|" in line]
    assert len(changed) == 1
    assert changed[0].split() == ["fr_line_2", "|", "[blue]", "[2]", "[ford]"]


def test_board_shows_a_value_that_is_in_the_name(depot: Path) -> None:
    """The board shows four blocks of 'br line 4' as it shows three of 'fr line 1'."""
    from interpreter.console.board import board_text

    text = board_text(game_of(depot))
    assert "blocks 4" in text
    assert "blocks 3" in text


def test_undo_goes_past_a_reveal_of_nothing(depot: Path) -> None:
    """A reveal that shows nothing to anybody is no reason against taking a decision back."""
    game = game_of(depot)
    game.choose("ford")
    assert game.decision is not None
    assert game.decision.seat == "blue"
    game.undo("red")
    assert game.inputs.items == []


def test_reveal_of_something_stands_against_undo(depot: Path) -> None:
    """A reveal of a piece is a reason against undo; its procedure, for which the ruleset has no word, is not named."""
    (depot / "ruleset.yaml").write_text(RULESET.replace(".blocks > 9", ".blocks > 3"), "utf-8")
    game = game_of(depot)
    game.choose("ford")
    with pytest.raises(Exception, match=r"something was revealed \(a rule\)"):
        game.undo("red")


def test_bench_takes_a_folder(bicorne: Bicorne, depot: Path) -> None:
    """`bench` measures the scenario of a ruleset's folder, and those of a folder of scenarios."""
    for folder in (depot, depot / "scenarios"):
        ran = bicorne("bench", folder, "--seconds", "0.01")
        assert ran.code == 0
        assert "start.yaml" in ran.out
        assert "decisions in bulk" in ran.out
    (depot / "empty").mkdir()
    ran = bicorne("bench", depot / "empty")
    assert ran.code == 2
    assert "has no ruleset, scenario or overlay" in ran.err


def test_list_takes_a_folder(bicorne: Bicorne, depot: Path) -> None:
    """`list` of a folder lists the rulesets in it, or its scenarios with their rulesets; of an empty one it fails."""
    (depot / "empty").mkdir()
    assert "depot/start" in bicorne("list", depot.parent).out
    assert "depot/start" in bicorne("list", depot / "scenarios").out
    ran = bicorne("list", depot / "empty")
    assert ran.code == 2
    assert "has no ruleset, scenario or overlay" in ran.err


def test_scenario_is_named_after_a_folder(bicorne: Bicorne, depot: Path) -> None:
    """`folder/scenario` is a scenario in every command that takes one, and no ruleset."""
    assert bicorne("ask", f"{depot}/start", "count(units)").out == "2\n"
    assert "depot/start" in bicorne("list", depot).out
    assert "seats (--seat SEAT=PLAYER)" in bicorne("list", f"{depot}/start").out
    unknown = bicorne("ask", f"{depot}/strat", "count(units)")
    assert (unknown.code, unknown.err) == (
        2,
        f"error: the ruleset in {depot} has no scenario 'strat'\ndid you mean 'start'?\n",
    )
    wanted = bicorne("test", f"{depot}/start")
    assert (
        wanted.err == f"error: {depot}/start is a scenario, and a ruleset is wanted\ngive only the ruleset: {depot}\n"
    )


HINTS = {
    "a value in place of a collection": (
        ("units where .owner = side:", "units where .owner = side otherwise units:"),
        "put that in brackets: '(… where …) otherwise …'",
    ),
    "a clause at a state value": (
        ('rounds: "int = 0"', 'rounds: {type: "int = 0", cite: "1"}'),
        "write the type alone: 'int = 0'; clauses are cited by the rules that use the value",
    ),
}


@pytest.mark.parametrize("name", HINTS)
def test_message_says_what_to_write(bicorne: Bicorne, depot: Path, name: str) -> None:
    """The message says what to write instead."""
    change, expected = HINTS[name]
    (depot / "ruleset.yaml").write_text(RULESET.replace(*change), "utf-8")
    ran = bicorne("check", depot)
    assert ran.code == 1
    assert expected in ran.out


@pytest.mark.parametrize(("games", "expected"), [(2, "2 games"), (6, "2 pairs")])
def test_stopped_comparison_tells_what_it_has(
    bicorne: Bicorne, depot: Path, monkeypatch: pytest.MonkeyPatch, games: int, expected: str
) -> None:
    """A comparison stopped on its first side prints the games of that side, on its second the pairs that are played."""
    overlay = depot / "more.yaml"
    overlay.write_text("overlay: {id: more, for: depot}\npatches: [{at: kinds/unit/has/blocks, set: int}]\n", "utf-8")
    played, real = iter(range(games)), simulate._games

    def stopped(*arguments: Any) -> Iterator[Any]:
        for record in real(*arguments):
            if next(played, None) is None:
                raise KeyboardInterrupt
            yield record

    monkeypatch.setattr(simulate, "_games", stopped)
    ran = bicorne("simulate", depot / "scenarios" / "start.yaml", "--compare", "--with", overlay, "--games", "4")
    assert ran.code == 130
    assert expected in ran.out
