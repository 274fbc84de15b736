"""The map of a large grid around the current location, and labels by the templates of a ruleset."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter.console.board import board_text, map_text, map_window, place_text
from interpreter.console.cell_shapes import cell_shape, side_towards
from interpreter.console.coloured_text import ColouredText
from interpreter.console.human import HumanPlayer
from interpreter.console.narration import Narrator
from interpreter.console.option_labels import option_groups
from interpreter.language.diagnostics import RulesetError, UsageError
from interpreter.language.model.image import GridLayout
from interpreter.play.game import Game
from interpreter.play.views.quiet_query import removed_from_board
from interpreter.rules.loading.load import load_ruleset
from interpreter.world.map_graph import SHAPES, coordinates_around

RULESET = """\
ruleset: {id: small, title: Small, version: "1"}
kinds:
  ground: {is: enum, members: [plain, hill]}
  side: {is: seat, members: [red, blue]}
  hex:
    is: space
    plural: hexes
    grid: {columns: 5, rows: 4, shape: hexes_in_columns, ids: "h{column:1}{row:1}"}
    has: {ground: "ground = plain", town: "town?"}
  town: {is: thing, has: {where: "hex?"}}
  bank: {is: link, between: hex, has: {river: "bool = false", bridge: "bool = false"}}
  stack: {is: piece, in: hex, has: {side: side, tired: "bool = false"}}
  man: {is: piece, in: stack, has: {worth: int}}
individuals:
  town: {ford: {where: h22}}
  hex:
    grid: |
      id  | ground town
      h11 | plain  -
      h21 | hill   -
      h31 | plain  -
      h12 | plain  -
      h22 | plain  ford
      h32 | hill   -
      h42 | plain  -
links:
  stream: {kind: bank, between: [[h22, h32], [h22, h12]], has: {river: true}}
  crossing: {kind: bank, between: [[h22, h12]], has: {bridge: true}}
pieces:
  stack: [{id: first, side: red, at: h22}, {id: second, side: blue, at: h31, tired: true}]
  man: [{id: m, count: 3, worth: 4, at: first}, {id: n, worth: 1, at: second}]
state: {active: "stack?", done: "bool = false"}
definitions:
  stack.strength: {is: sum(stack.mans.worth)}
menus: {orders: {takes: {stack: stack}, prompt: Where to?}}
actions:
  go: {menu: orders, pick: {there: stack.hex.neighbours}, do: move stack to there}
  stay: {menu: orders, do: set stack.tired = true}
sequence:
  turns:
    repeat: 3
    do: |
      let which = red chooses one of stacks "Which stack?"
      red must take orders(which)
presentation:
  names: {town: {ford: {en: Fordingham, ja: 浅瀬}}}
  words: {hill: {en: hills}}
  symbols: {plain: ".", hill: "^", side: {red: R, blue: B}}
  labels:
    stack: "{name} of {side}, strength {strength}{tired?, tired}"
    hex: "{name}, {ground}{town?, {town}}"
  board: {without: [town]}
  chart:
    of: hex
    around: 1
    cell: ["{id} {ground}", "{town}", "{pieces}"]
    pieces: {stack: "{side}{strength}"}
    sides: {river: "~", bridge: "="}
"""
MARCH = """\
procedures:
  march:
    takes: {stack: stack, there: hex}
    do: |
      log "{stack} walks to {there}"
      move stack to there
"""
COLUMNS = r"""
  ________            ________
 / h11 .  \          / h31 .  \
/          \________/          \
\          / h21 ^  \    B1    /
 \________/          \________/
 / h12 .  \          / h32 ^  \
/          \________/          \
\          = h22 .  ~          /
 \________=Fordingham~________/
          \   R12    /
           \________/
. plain  = bridge  ^ hills  ~ river
B blue  R red
(around h22)"""


def ruleset(folder: Path, text: str = RULESET) -> Path:
    """Writes the small ruleset and returns its folder."""
    (folder / "small").mkdir()
    (folder / "small" / "ruleset.yaml").write_text(text, encoding="utf-8")
    return folder / "small"


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A game whose first decision is which of two stacks is moved."""
    return Game(load_ruleset(ruleset(tmp_path)), trace=True)


def test_map_draws_hexes_rivers_and_stacks(game: Game) -> None:
    """Even columns are lower; a side shows the symbol of its link, the last one described in front."""
    assert "\n" + str(map_window(game)) == COLUMNS


def test_label_keeps_the_place_of_the_only_stack(tmp_path: Path) -> None:
    """Where one stack is left to choose, its place is still named."""
    text = RULESET.replace("chooses one of stacks", "chooses one or none of stacks where .strength > 1")
    text = text.replace("red must take", "if which != none: red must take")
    labels = [str(each) for each in option_groups(Game(load_ruleset(ruleset(tmp_path, text))))]
    assert labels == ["first of red, strength 12, h22", "none"]


def test_map_takes_hidden_stacks_off_the_board_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many cells are drawn, hidden pieces are moved once; they are counted, and nothing is computed of them."""
    views = "views:\n  fog: {of: stack, when: stack.side = blue, seen_by: stack.side, others_see: []}\n"
    game = Game(load_ruleset(ruleset(tmp_path, RULESET + views)), trace=True)
    times = []

    def counted(core: Any, pieces: Any) -> Any:
        times.append(len(pieces))
        return removed_from_board(core, pieces)

    monkeypatch.setattr("interpreter.console.label_templates.removed_from_board", counted)
    drawn = str(map_window(game, "red"))
    assert drawn == str(map_window(game, "red"))
    assert len(times) == 2
    assert times[0] > 0
    assert "R12" in drawn
    assert "?" in drawn
    assert "B1" not in drawn


def test_legend_is_below_the_map(tmp_path: Path) -> None:
    """The legend of the ruleset is shown in the language of the game, if it has one."""
    texts = '    legend: {en: "R12: side and strength", ja: "R12：陣営と戦力"}\n'
    game = Game(load_ruleset(ruleset(tmp_path, RULESET + texts)))
    assert str(map_window(game)).splitlines()[-2:] == ["R12: side and strength", "(around h22)"]
    japanese = Game(load_ruleset(tmp_path / "small"), language="ja")
    assert str(map_window(japanese)).splitlines()[-2] == "R12：陣営と戦力"


def test_map_follows_the_current_location(game: Game) -> None:
    """It is drawn around a named state value, else the arguments of the menu, else the options if they are near."""
    game.choose("second")
    assert str(map_window(game)).endswith("(around h31)")
    game.choose("stay")
    assert str(map_window(game, None, "h42")).endswith("(around h42)")
    assert str(map_text(game, None, "Fordingham")).endswith("(around h22)")
    with pytest.raises(UsageError, match="nothing here is called 'h99'"):
        str(map_window(game, None, "h99"))
    with pytest.raises(UsageError, match="could be any of"):
        str(map_window(game, None, "h"))


def test_distant_options_have_no_map(tmp_path: Path) -> None:
    """A state value draws the map around it; without one, options that no map shows together draw none."""
    text = RULESET.replace("at: h31", "at: h42").replace("      h31 |", "      h51 | plain  -\n      h31 |")
    text = text.replace("at: h22}", "at: h11}").replace("    around: 1\n", "    around: 1\n    focus: [active]\n")
    game = Game(load_ruleset(ruleset(tmp_path, text)))
    assert str(map_window(game)) == ""
    game.core.world.state.a_active = game.core.world.find("stack", "second")
    assert str(map_window(game)).endswith("(around h42)")


def test_labels_show_values_of_things(game: Game) -> None:
    """Labels show stored and computed values, contained pieces, and texts that depend on a value."""
    outcome = ["first of red, strength 12, h22", "second of blue, strength 1, tired, h31"]
    assert [str(each) for each in option_groups(game)] == outcome
    game.choose("first")
    game.choose("go")
    assert [str(each) for each in option_groups(game)] == ["h21, hills", "h12, plain", "h32, hills"]
    board = board_text(game)
    assert "  h22, plain, Fordingham  first of red, strength 12" in board
    assert "Town" not in board


def test_place_text_shows_a_thing_and_its_contents(game: Game) -> None:
    """It finds a space or a piece by id, name or part of a name, else any other thing."""
    assert place_text(game, "h22") == "\n".join(
        [
            "h22, plain, Fordingham",
            "  town Fordingham",
            "  next to h21, h12 (river, bridge), h32 (river)",
            "  first of red, strength 12",
            *[f"    m {number} (worth 4)" for number in (1, 2, 3)],
        ]
    )
    assert (
        place_text(game, "second") == "second of blue, strength 1, tired\n  side blue, tired\n  in h31\n  n (worth 1)"
    )
    assert place_text(game, "ford") == "Fordingham\n  where h22"


def test_board_does_not_change_the_game(game: Game) -> None:
    """Computed values are evaluated without log entries and without using the game's budget."""
    before, events, tick = game.hash(), len(game.log), game.core.names["tick"]
    board_text(game)
    assert (game.hash(), len(game.log)) == (before, events)
    assert game.core.names["tick"] is tick


def test_map_is_shown_when_it_changes(game: Game) -> None:
    """The map is shown before a question, and not again if it is the same."""
    said: list[str] = []

    class Typist:
        def ask(self, prompt: str, words: object) -> str | None:
            return {"Which stack?": "1", "Where to?": "stay"}.get(self.asked, "1")

        def say(self, text: str | ColouredText, style: str | None = None) -> None:
            said.append(str(text))
            self.asked = next((each for each in ("Which stack?", "Where to?") if each in str(text)), "")

        asked = ""

    player = HumanPlayer("red", Typist(), lambda *_: "")  # type: ignore[arg-type]
    shown = []
    for _ in range(3):
        before = len(said)
        game.choose_index(player.choose(game))
        shown.append(any("(around" in each for each in said[before:]))
    assert shown[:2] == [True, False]


def test_cell_shapes_place_corners_and_sides() -> None:
    """Squares share whole sides; shifted rows of hexes are half a cell to the right, and a top side has two halves."""
    squares = cell_shape(GridLayout("squares", first_row="bottom"), 4, 2)
    rows = cell_shape(GridLayout("hexes_in_rows", first_row="bottom"), 4, 2)
    assert (squares.corner(1, 1), squares.corner(2, 1), squares.corner(1, 2)) == ((5, -3), (10, -3), (5, -6))
    assert {*squares.sides} == {(-1, 0), (1, 0), (0, -1), (0, 1)}
    assert rows.corner(1, 2)[0] - rows.corner(1, 1)[0] == 3
    assert side_towards(rows.corner(1, 1), rows.corner(1, 2)) == (1, -1)
    assert {*rows.sides} == {(-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)}
    tops = [rows.sides[-1, -1], rows.sides[1, -1]]
    assert [at for top in tops for at, _, _ in top] == [1, 2, 4, 5]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("offset", ["even", "odd"])
@pytest.mark.parametrize("first_row", ["top", "bottom"])
@pytest.mark.parametrize("cell", [(3, 3), (3, 4), (4, 3), (4, 4)])
def test_neighbours_share_the_same_side(shape: str, offset: str, first_row: str, cell: tuple[int, int]) -> None:
    """The side between two cells that adjoin has the same position from both, whichever way up the grid is drawn."""
    layout = GridLayout(shape, offset, first_row)
    drawn = cell_shape(layout, 6, 3)
    here = drawn.corner(*cell)
    assert (drawn.corner(3, 5)[1] > drawn.corner(3, 3)[1]) is (first_row == "top")
    for other in coordinates_around(cell, layout):
        there = drawn.corner(*other)
        if (side := side_towards(here, there)) not in drawn.sides:
            assert shape == "squares_with_diagonals"
            continue
        mine = {(here[0] + at, here[1] + down) for at, down, _ in drawn.sides[side]}
        its = {(there[0] + at, there[1] + down) for at, down, _ in drawn.sides[side_towards(there, here)]}
        assert mine == its, other


@pytest.mark.parametrize(
    ("layout", "rows"),
    [
        ("shape: squares", ["  2 · · ·", "  1 · ·"]),
        ("shape: squares, first_row: top", ["  1 · ·", "  2 · · ·"]),
        ("shape: hexes_in_rows", ["  1 · ·", "  2  · · ·"]),
        ("shape: hexes_in_rows, offset: odd", ["  1  · ·", "  2 · · ·"]),
        ("shape: hexes_in_rows, first_row: bottom", ["  2  · · ·", "  1 · ·"]),
    ],
)
def test_small_board_is_drawn_by_its_layout(tmp_path: Path, layout: str, rows: list[str]) -> None:
    """A board without a chart is drawn with row 1 where the grid says, offset rows further right, and without holes."""
    text = f"""\
ruleset: {{id: tiny, title: Tiny, version: "1"}}
kinds:
  side: {{is: seat, members: [red]}}
  cell: {{is: space, grid: {{columns: 3, rows: 2, {layout}, holes: [c1]}}}}
  man: {{is: piece, in: cell}}
sequence: {{game: {{do: tie "over"}}}}
"""
    drawn = board_text(Game(load_ruleset(ruleset(tmp_path, text)))).splitlines()
    assert drawn[:2] == rows


def test_hidden_changes_stay_in_the_log(tmp_path: Path) -> None:
    """`log_hides` changes are left out of the narration, with the heading of a step in which nothing else happened."""
    text = RULESET.replace("presentation:\n", "presentation:\n  log_hides: [done, stack.tired]\n")
    text = text.replace("    do: |\n      let which", "    do: |\n      set done = not done\n      let which")
    game = Game(load_ruleset(ruleset(tmp_path, text)), trace=True)
    narrator = Narrator(game)
    game.choose("first")
    game.choose("stay")
    outcome = "\n".join(map(str, narrator.news(game)))
    assert "stay" in outcome
    assert "tired" not in outcome
    assert "done" not in outcome
    assert any("tired" in each.text for each in game.log)


def test_computed_values_use_only_visible_pieces(tmp_path: Path) -> None:
    """A stack's strength on the map and in lists counts the men that the seat can see; the game does not change."""
    fog = "views:\n  men: {of: man, seen_by: man.stack.side, others_see: []}\n"
    game = Game(load_ruleset(ruleset(tmp_path, RULESET + fog)), checked=True)
    before = game.hash()
    assert "R12" in str(map_window(game, "red", "h22"))
    assert "R12" not in str(map_window(game, "blue", "h22"))
    assert "R" in str(map_window(game, "blue", "h22"))
    assert "strength 12" in board_text(game, "red")
    assert "strength 12" not in board_text(game, "blue")
    assert game.hash() == before
    game.choose("second")
    assert "B1" in str(map_window(game, "blue"))


def test_map_fits_the_given_size(game: Game) -> None:
    """Cells that do not fit are left out, except the neighbours of the middle; the legend is optional."""
    assert str(map_window(game, None, "h22", size=(80, 40))) == str(map_window(game, None, "h22"))
    small = str(map_window(game, None, "h22", size=(10, 5), legend=False))
    assert small.splitlines()[-1] == "(around h22)"
    assert "plain" not in small
    assert {each for each in small.replace(")", "").split() if each.startswith("h")} == {"h12", "h21", "h22", "h32"}


def test_long_text_is_cut_in_its_longest_word(tmp_path: Path) -> None:
    """A number after a long name stays."""
    text = RULESET.replace('"{town}"', '"{town} {id}"')
    assert "Fordi… h22" in str(map_window(Game(load_ruleset(ruleset(tmp_path, text)))))


def test_offers_label_the_options_of_one_decision(tmp_path: Path) -> None:
    """`option_labels` has templates for the options of one decision; other decisions use `labels`."""
    offers = '  option_labels: {go.there: {hex: "to {name} ({ground})"}}\n'
    game = Game(load_ruleset(ruleset(tmp_path, RULESET + offers)), trace=True)
    assert str(option_groups(game)[0]) == "first of red, strength 12, h22"
    game.choose("first")
    game.choose("go")
    assert [str(each) for each in option_groups(game)] == ["to h21 (hills)", "to h12 (plain)", "to h32 (hills)"]


def test_actions_say_what_they_cost_what_the_question_names(tmp_path: Path) -> None:
    """`choice_labels` fills the label of an action from the first thing of its kind in the question, else the seat."""
    text = RULESET.replace("red must take orders(which)", 'red must take orders(which) "What does {which} do?"')
    choices = "{stack: {go: 'go, {strength} men at risk'}, side: {stay: '{name} stays'}}"
    game = Game(load_ruleset(ruleset(tmp_path, f"{text}  choice_labels: {{turns.orders: {choices}}}\n")))
    game.choose("first")
    assert [str(each) for each in option_groups(game)] == ["go, 12 men at risk", "red stays"]


@pytest.mark.parametrize("wrong", ["{stack: {fly: x}}", "{stak: {go: x}}", "{stack: {go: '{strenth}'}}"])
def test_unknown_names_in_labels_of_choices_are_reported(tmp_path: Path, wrong: str) -> None:
    """A word, a kind and an attribute that do not exist are errors."""
    with pytest.raises(RulesetError):
        load_ruleset(ruleset(tmp_path, f"{RULESET}  choice_labels: {{turns.orders: {wrong}}}\n"))


def test_answers_have_names_or_are_hidden(tmp_path: Path) -> None:
    """`answers` names a decision in the log; a decision in `log_hides` is only in the log, not in the narration."""
    more = "  answers: {turns.which: {en: turn of, ja: 手番}}\n  log_hides: [turns.orders]\n"
    game = Game(load_ruleset(ruleset(tmp_path, RULESET + more)), trace=True)
    narrator = Narrator(game)
    game.choose("first")
    game.choose("stay")
    outcome = "\n".join(map(str, narrator.news(game)))
    assert "red: turn of: first" in outcome
    assert "stay" not in outcome
    assert any("stay" in each.text for each in game.log)


def test_move_in_a_log_line_is_not_repeated(tmp_path: Path) -> None:
    """A log line that names the piece and the place replaces the move next to it; other moves are shown."""
    text = RULESET.replace("do: move stack to there}", "do: 'march(stack, there)'}").replace("menus:", MARCH + "menus:")
    game = Game(load_ruleset(ruleset(tmp_path, text)), trace=True)
    narrator = Narrator(game)
    for answer in ("first", "go", "h21"):
        game.choose(answer)
    outcome = "\n".join(map(str, narrator.news(game)))
    assert "first walks to h21" in outcome
    assert "moves from" not in outcome
    assert any("first moves from h22 to h21" in each.text for each in game.log)


def test_map_leaves_space_for_the_question(game: Game) -> None:
    """On a screen the map is only as large as the question and its options allow."""
    said: list[str] = []

    class Typist:
        def ask(self, prompt: str, words: object) -> str | None:
            return "1"

        def say(self, text: str | ColouredText, style: str | None = None) -> None:
            said.extend(str(text).split("\n"))

    HumanPlayer("red", Typist(), lambda *_: "", lambda: (40, 24)).choose(game)
    assert len(said) < 24
    assert ". plain  = bridge  ^ hills  ~ river" in said


def test_unnamed_space_is_named_by_the_nearest_town(tmp_path: Path) -> None:
    """`{nearby}` is an attribute of the nearest space that has it; `{nearby?…}` depends on whether there is one."""
    more = '  nearby: {hex: town}\n  titles: {hex: "{name}{nearby? near {nearby}}"}\n'
    game = Game(load_ruleset(ruleset(tmp_path, RULESET + more)), trace=True)
    words = game.source.wording
    assert words.of(game.core.find("hex", "h12")) == "h12 near Fordingham"
    assert words.of(game.core.find("hex", "h31")) == "h31 near Fordingham"
    bare = tmp_path / "bare"
    bare.mkdir()
    nowhere = ruleset(bare, RULESET.replace("plain  ford", "plain  -") + more)
    lone = Game(load_ruleset(nowhere))
    assert lone.source.wording.of(lone.core.find("hex", "h12")) == "h12"
