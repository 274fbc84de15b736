"""The map of a large grid, drawn where something is going on, and things told by the templates of a ruleset."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.console.board import board_text, chart_text, map_text, place_text
from interpreter.console.cell_shapes import outline, towards
from interpreter.console.human import HumanPlayer
from interpreter.console.narration import Narrator
from interpreter.console.option_labels import choices
from interpreter.language.diagnostics import UsageError
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_ruleset

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
  portraits:
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
(around h22)"""


def ruleset(folder: Path, text: str = RULESET) -> Path:
    """The folder of the small ruleset."""
    (folder / "small").mkdir()
    (folder / "small" / "ruleset.yaml").write_text(text, encoding="utf-8")
    return folder / "small"


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A game whose first decision is which of two stacks is moved."""
    return Game(load_ruleset(ruleset(tmp_path)), trace=True)


def test_hexes_in_columns_are_drawn_with_rivers_and_stacks(game: Game) -> None:
    """Even columns stand lower; sides are drawn in the sign of what lies there, the last of the plan in front."""
    assert "\n" + chart_text(game) == COLUMNS


def test_what_the_legend_says_stands_under_the_map(tmp_path: Path) -> None:
    """In the language of who looks, where it is given in it."""
    texts = '    legend: {en: "R12: side and strength", ja: "R12：陣営と戦力"}\n'
    game = Game(load_ruleset(ruleset(tmp_path, RULESET + texts)))
    assert chart_text(game).splitlines()[-2:] == ["R12: side and strength", "(around h22)"]
    japanese = Game(load_ruleset(tmp_path / "small"), language="ja")
    assert chart_text(japanese).splitlines()[-2] == "R12：陣営と戦力"


def test_the_map_follows_what_is_going_on(game: Game) -> None:
    """It is drawn around a state value that is named, else what a menu is about, else the options, if they are near."""
    game.choose("second")
    assert chart_text(game).endswith("(around h31)")
    game.choose("stay")
    assert chart_text(game, None, "h42").endswith("(around h42)")
    assert map_text(game, None, "Fordingham").endswith("(around h22)")
    with pytest.raises(UsageError, match="nothing here is called 'h99'"):
        chart_text(game, None, "h99")
    with pytest.raises(UsageError, match="could be any of"):
        chart_text(game, None, "h")


def test_options_too_far_apart_are_on_no_map(tmp_path: Path) -> None:
    """A state value draws the map around it; without one, options that no map shows together draw none."""
    text = RULESET.replace("at: h31", "at: h42").replace("      h31 |", "      h51 | plain  -\n      h31 |")
    text = text.replace("at: h22}", "at: h11}").replace("    around: 1\n", "    around: 1\n    focus: [active]\n")
    game = Game(load_ruleset(ruleset(tmp_path, text)))
    assert chart_text(game) == ""
    game.core.world.state.a_active = game.core.world.find("stack", "second")
    assert chart_text(game).endswith("(around h42)")


def test_portraits_tell_things_in_lists(game: Game) -> None:
    """Stored and computed values, pieces within and texts that stand only where a value is set."""
    told = ["first of red, strength 12, h22", "second of blue, strength 1, tired, h31"]
    assert [str(each) for each in choices(game)] == told
    game.choose("first")
    game.choose("go")
    assert [str(each) for each in choices(game)] == ["h21, hills", "h12, plain", "h32, hills"]
    board = board_text(game)
    assert "  h22, plain, Fordingham  first of red, strength 12" in board
    assert "Town" not in board


def test_one_thing_is_told_with_all_that_is_in_it(game: Game) -> None:
    """A space or a piece by its id, its name or a part of it; else any other thing with its values."""
    assert place_text(game, "h22") == "h22, plain, Fordingham\n  first of red, strength 12\n" + "\n".join(
        [f"    m {number} (worth 4)" for number in (1, 2, 3)]
    )
    assert place_text(game, "second") == "second of blue, strength 1, tired\n  side blue, tired\n  n (worth 1)"
    assert place_text(game, "ford") == "Fordingham\n  where h22"


def test_looking_changes_nothing(game: Game) -> None:
    """Computed values are asked of the rules without a word in the log, and without using up the game's budget."""
    before, events, tick = game.hash(), len(game.log), game.core.names["tick"]
    board_text(game)
    assert (game.hash(), len(game.log)) == (before, events)
    assert game.core.names["tick"] is tick


def test_a_person_is_shown_the_map_when_it_changes(game: Game) -> None:
    """Before a question, and not twice the same."""
    said: list[str] = []

    class Typist:
        def ask(self, prompt: str, words: object) -> str | None:
            return {"Which stack?": "1", "Where to?": "stay"}.get(self.asked, "1")

        def say(self, text: str, style: str | None = None) -> None:
            said.append(text)
            self.asked = next((each for each in ("Which stack?", "Where to?") if each in text), "")

        asked = ""

    player = HumanPlayer("red", Typist(), lambda *_: "")  # type: ignore[arg-type]
    shown = []
    for _ in range(3):
        before = len(said)
        game.choose_index(player.choose(game))
        shown.append(any("(around" in each for each in said[before:]))
    assert shown[:2] == [True, False]


def test_squares_and_rows_of_hexes() -> None:
    """Squares share whole sides; of hexes in rows even rows stand half a cell to the right, a top has two halves."""
    squares, rows = outline("squares", 4, 2), outline("hexes_in_rows", 4, 2)
    assert (squares.corner(1, 1), squares.corner(2, 1), squares.corner(1, 2)) == ((5, -3), (10, -3), (5, -6))
    assert {*squares.sides} == {(-1, 0), (1, 0), (0, -1), (0, 1)}
    assert rows.corner(1, 2)[0] - rows.corner(1, 1)[0] == 2
    assert towards(rows.corner(1, 1), rows.corner(1, 2)) == (1, -1)
    assert {*rows.sides} == {(-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)}
    tops = [rows.sides[-1, -1], rows.sides[1, -1]]
    assert [at for top in tops for at, _, _ in top] == [1, 2, 3, 4]


def test_every_side_is_the_other_side_of_a_neighbour() -> None:
    """What is drawn between two cells is the same from both."""
    for shape, cell, others in (
        ("squares", (2, 2), [(1, 2), (3, 2), (2, 1), (2, 3)]),
        ("hexes_in_columns", (3, 3), [(2, 2), (2, 3), (4, 2), (4, 3), (3, 2), (3, 4)]),
        ("hexes_in_columns", (4, 3), [(3, 3), (3, 4), (5, 3), (5, 4), (4, 2), (4, 4)]),
    ):
        drawn = outline(shape, 6, 3)
        here = drawn.corner(*cell)
        for other in others:
            there = drawn.corner(*other)
            mine = {(here[0] + at, here[1] + down) for at, down, _ in drawn.sides[towards(here, there)]}
            its = {(there[0] + at, there[1] + down) for at, down, _ in drawn.sides[towards(there, here)]}
            assert mine == its, (shape, cell, other)


def test_what_is_untold_stays_in_the_log(tmp_path: Path) -> None:
    """Changes that nobody wants to read of are left out, with the heading of a step in which nothing else happened."""
    text = RULESET.replace("presentation:\n", "presentation:\n  untold: [done, stack.tired]\n")
    text = text.replace("    do: |\n      let which", "    do: |\n      set done = not done\n      let which")
    game = Game(load_ruleset(ruleset(tmp_path, text)), trace=True)
    narrator = Narrator(game)
    game.choose("first")
    game.choose("stay")
    told = "\n".join(map(str, narrator.news(game)))
    assert "stay" in told
    assert "tired" not in told
    assert "done" not in told
    assert any("tired" in each.text for each in game.log)


def test_what_is_computed_is_computed_of_what_is_seen(tmp_path: Path) -> None:
    """A stack's strength on the map and in lists counts the men that the seat can see; the game goes on as it was."""
    fog = "views:\n  men: {of: man, seen_by: man.stack.side, others_see: []}\n"
    game = Game(load_ruleset(ruleset(tmp_path, RULESET + fog)), checked=True)
    before = game.hash()
    assert "R12" in chart_text(game, "red", "h22")
    assert "R12" not in chart_text(game, "blue", "h22")
    assert "R" in chart_text(game, "blue", "h22")
    assert "strength 12" in board_text(game, "red")
    assert "strength 12" not in board_text(game, "blue")
    assert game.hash() == before
    game.choose("second")
    assert "B1" in chart_text(game, "blue")


def test_the_map_takes_the_room_there_is(game: Game) -> None:
    """What does not fit is left out, but for the neighbours of the middle; the signs are explained only if wanted."""
    assert chart_text(game, None, "h22", room=(80, 40)) == chart_text(game, None, "h22")
    small = chart_text(game, None, "h22", room=(10, 5), legend=False)
    assert small.splitlines()[-1] == "(around h22)"
    assert "plain" not in small
    assert {each for each in small.replace(")", "").split() if each.startswith("h")} == {"h12", "h21", "h22", "h32"}


def test_of_a_text_too_long_the_longest_word_is_cut(tmp_path: Path) -> None:
    """So that a number behind a long name stays."""
    text = RULESET.replace('"{town}"', '"{town} {id}"')
    assert "Fordi… h22" in chart_text(Game(load_ruleset(ruleset(tmp_path, text))))


def test_an_option_is_told_as_its_decision_has_it(tmp_path: Path) -> None:
    """`offers` has templates for the options of one decision; elsewhere the portrait holds."""
    offers = '  offers: {go.there: {hex: "to {name} ({ground})"}}\n'
    game = Game(load_ruleset(ruleset(tmp_path, RULESET + offers)), trace=True)
    assert str(choices(game)[0]) == "first of red, strength 12, h22"
    game.choose("first")
    game.choose("go")
    assert [str(each) for each in choices(game)] == ["to h21 (hills)", "to h12 (plain)", "to h32 (hills)"]


def test_answers_are_called_by_the_ruleset_or_not_told(tmp_path: Path) -> None:
    """`answers` puts a decision into words for the log; one that stands under `untold` is in the log alone."""
    more = "  answers: {turns.which: {en: turn of, ja: 手番}}\n  untold: [turns.orders]\n"
    game = Game(load_ruleset(ruleset(tmp_path, RULESET + more)), trace=True)
    narrator = Narrator(game)
    game.choose("first")
    game.choose("stay")
    told = "\n".join(map(str, narrator.news(game)))
    assert "red: turn of: first" in told
    assert "stay" not in told
    assert any("stay" in each.text for each in game.log)


def test_a_move_that_the_rules_tell_is_not_told_twice(tmp_path: Path) -> None:
    """A line that names the piece and the place stands for the move beside it; other moves are told."""
    text = RULESET.replace("do: move stack to there}", "do: 'march(stack, there)'}").replace("menus:", MARCH + "menus:")
    game = Game(load_ruleset(ruleset(tmp_path, text)), trace=True)
    narrator = Narrator(game)
    for answer in ("first", "go", "h21"):
        game.choose(answer)
    told = "\n".join(map(str, narrator.news(game)))
    assert "first walks to h21" in told
    assert "moves from" not in told
    assert any("first moves from h22 to h21" in each.text for each in game.log)


def test_a_screen_has_room_for_the_question(game: Game) -> None:
    """A person at a screen is shown as much of the map as leaves room for the question and its options."""
    said: list[str] = []

    class Typist:
        def ask(self, prompt: str, words: object) -> str | None:
            return "1"

        def say(self, text: str, style: str | None = None) -> None:
            said.extend(text.split("\n"))

    HumanPlayer("red", Typist(), lambda *_: "", lambda: (40, 24)).choose(game)
    assert len(said) < 24
    assert ". plain  = bridge  ^ hills  ~ river" in said


def test_a_space_without_a_name_is_told_by_what_is_near(tmp_path: Path) -> None:
    """The attribute that `nearby` names, of the nearest space that has it; `{nearby?…}` where there is any."""
    more = '  nearby: {hex: town}\n  titles: {hex: "{name}{nearby? near {nearby}}"}\n'
    game = Game(load_ruleset(ruleset(tmp_path, RULESET + more)), trace=True)
    words = game.setting.wording
    assert words.of(game.core.find("hex", "h12")) == "h12 near Fordingham"
    assert words.of(game.core.find("hex", "h31")) == "h31 near Fordingham"
    bare = tmp_path / "bare"
    bare.mkdir()
    nowhere = ruleset(bare, RULESET.replace("plain  ford", "plain  -") + more)
    lone = Game(load_ruleset(nowhere))
    assert lone.setting.wording.of(lone.core.find("hex", "h12")) == "h12"
