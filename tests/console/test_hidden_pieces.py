"""Boards and maps show of a hidden piece what its view leaves visible, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.console.board import board_text, map_text, place_text
from interpreter.console.label_templates import LabelTemplates
from interpreter.play.game import Game
from interpreter.play.views.visibility import Visibility
from interpreter.rules.loading.load import load_ruleset

FLEETS = """\
ruleset: {id: fleets, title: Fleets, version: "1"}
kinds:
  side: {is: seat, members: [red, blue, green]}
  sort: {is: enum, members: [trader, raider]}
  zone: {is: space, has: {misty: "bool = false"}}
  ship: {is: piece, in: zone, has: {owner: side, sort: sort, slow: "bool = false"}}
individuals: {zone: {bay: {misty: MIST}, cape: {}}}
pieces:
  ship:
    - {id: a, count: 2, owner: green, sort: raider, at: bay}
    - {id: b, count: 1, owner: red, sort: trader, slow: true, at: bay}
    - {id: c, count: 1, owner: red, sort: raider, slow: true, at: bay}
    - {id: d, count: 1, owner: blue, sort: raider, at: cape}
views:
  ships: {of: ship, seen_by: ship.owner, others_see: [owner, slow]}
  mist: {of: zone, when: zone.misty, others_see: [count]}
presentation:
  map: "{bay}          to {cape}"
  symbols: {side: {red: "x", green: "&", blue: "+"}, sort: {trader: t, raider: r}}
  colours: {side: {red: red, green: green}, sort: {raider: yellow}}
  coloured: {ship: COLOURED}
sequence: {game: {do: "let zone = red chooses one of zones"}}
"""
MINES = """\
ruleset: {{id: mines, title: Mines, version: "1"}}
kinds:
  side: {{is: seat, members: [red, blue]}}
  zone: {{is: space, has: {{mines: "int = 0"}}}}
  ship: {{is: piece, in: zone}}
individuals: {{zone: {{bay: {{}}, port: {{}}}}}}
pieces: {{ship: [{{id: a, count: 1, at: bay}}]}}
views: {{mined: {{of: zone, seen_by: red, others_see: [contents]}}}}
sequence:
  game:
    do: |
      set port.mines = {mines}
      let zone = blue chooses one of zones
"""


def game_of(folder: Path, *, mist: bool = False, coloured: str = "owner") -> Game:
    """Returns a game in which blue sees only its own ship in full."""
    text = FLEETS.replace("MIST", str(mist).lower()).replace("COLOURED", coloured)
    (folder / "ruleset.yaml").write_text(text, encoding="utf-8")
    return Game(load_ruleset(folder))


def test_board_says_what_others_see(tmp_path: Path) -> None:
    """Hidden pieces that look alike are counted together; what the view hides is not said."""
    game = game_of(tmp_path)
    seen = ["2 hidden (owner green)", "2 hidden (owner red, slow)"]
    assert [each.strip() for each in place_text(game, "bay", "blue").splitlines()] == ["bay", *seen]
    assert "; ".join(seen) in board_text(game, "blue")
    assert "trader" not in board_text(game, "blue")
    assert "b 1 (owner red, trader, slow)" in board_text(game, "red")


@pytest.mark.parametrize(("coloured", "colours"), [("owner", ["green", "red"]), ("sort", ["yellow"])])
def test_map_shows_what_others_see(tmp_path: Path, coloured: str, colours: list[str]) -> None:
    """The sign of a hidden piece has the symbols and the colour of its visible values, and a question mark."""
    drawn = map_text(game_of(tmp_path, coloured=coloured), "blue")
    assert str(drawn).split() == ["2&?", "2x?", "to", "+r"]
    assert sorted({colour for _, colour in drawn.parts if colour is not None}) == colours


def test_hidden_contents_are_only_counted(tmp_path: Path) -> None:
    """Where the contents of a place are hidden, nothing is seen of the pieces in it but their number."""
    game = game_of(tmp_path, mist=True)
    assert place_text(game, "bay", "blue").splitlines() == ["bay", "  4 hidden"]
    assert str(map_text(game, "blue")).split() == ["4?", "to", "+r"]


def test_hidden_pieces_show_the_same_while_they_are_off_the_board(tmp_path: Path) -> None:
    """Labels are made as if hidden pieces were off the board, and what is seen of these pieces stays the same."""
    game = game_of(tmp_path, mist=True)
    (blue,) = [each for each in game.core.seats if each.id == "blue"]
    game.core.begin_query()
    labels = LabelTemplates(game, Visibility(game.core, blue))
    (ship,) = game.core.world.pieces_named("b_1")
    with labels.together():
        assert ship.at is None
        assert labels.visibility.seen_values(ship) == {}


@pytest.mark.parametrize("seat", ["red", "blue"])
def test_board_tells_no_hidden_value_of_an_empty_place(tmp_path: Path, seat: str) -> None:
    """Whether a place is listed among the empty ones depends on its values for those alone who see them."""
    boards = []
    for mines in (0, 3):
        (tmp_path / "ruleset.yaml").write_text(MINES.format(mines=mines), encoding="utf-8")
        boards.append(board_text(Game(load_ruleset(tmp_path)), seat))
    assert (boards[0] == boards[1]) is (seat == "blue")


def test_name_of_a_hidden_piece_has_the_owner_that_others_see(tmp_path: Path) -> None:
    """The name of a hidden piece says whose it is where its view shows that, and nothing where its place is hidden."""
    for mist, named in ((False, "hidden ship of red"), (True, "hidden ship")):
        game = game_of(tmp_path, mist=mist)
        visibility = Visibility(game.core, game.core.world.find("side", "blue"))
        assert game.source.wording.of(visibility.name(game.core.world.find("ship", "b_1"))) == named
