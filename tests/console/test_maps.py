"""Maps beyond the window around a place: colours, the overview, wide drawings, and what others moved."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from test_map_window import RULESET

from interpreter.cli.output import Output
from interpreter.cli.terminal import Console
from interpreter.console.board import board_text, map_text, map_window, place_text
from interpreter.console.coloured_text import ColouredText
from interpreter.console.human import HumanPlayer
from interpreter.console.map_overview import MapOverview
from interpreter.language.diagnostics import UsageError
from interpreter.language.text_width import width
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_ruleset

COLOURED = RULESET.replace(
    "  board: {without: [town]}\n",
    "  board: {without: [town]}\n"
    "  coloured: {stack: side, hex: ground}\n"
    "  colours: {side: {red: red, blue: bright_blue}, ground: {hill: yellow}}\n",
)
HIDING = """\
views:
  unseen: {of: stack, seen_by: stack.side}
"""
DRAWING = """\
  map:
    en: |
      The map      ========================================
      Hill         {h21:4}                         a wide land
      Ford         {h22:6}|
      Far {h31:4}                                           end
    ja: |
      地図　　{h22:6}｜終
"""


def game_of(folder: Path, text: str) -> Game:
    """Returns a game of a ruleset at its first decision."""
    (folder / "small").mkdir(exist_ok=True)
    (folder / "small" / "ruleset.yaml").write_text(text, encoding="utf-8")
    return Game(load_ruleset(folder / "small"), trace=True)


def coloured(text: ColouredText) -> list[tuple[str, str]]:
    """Returns the coloured parts of a text without blanks around them."""
    return [(part.strip(), colour) for part, colour in text.parts if colour is not None]


def widest(text: object) -> int:
    """Returns the columns that a text takes."""
    return max(width(line) for line in str(text).splitlines())


# ---------------------------------------------------------------- colours
def test_cells_and_pieces_have_the_colour_of_their_value(tmp_path: Path) -> None:
    """The sign of a piece has the colour of its side, the text of a cell that of its ground; the rest has none."""
    game = game_of(tmp_path, COLOURED)
    drawn = map_window(game, "red", "h22")
    assert sorted({*coloured(drawn)}) == [
        ("B1", "bright_blue"),
        ("R12", "red"),
        ("h21 ^", "yellow"),
        ("h32 ^", "yellow"),
    ]
    assert str(drawn) == str(map_window(game_of(tmp_path, RULESET), "red", "h22"))


def test_hidden_piece_has_no_colour(tmp_path: Path) -> None:
    """A piece that a seat can't see shows its colour no more than its name."""
    game = game_of(tmp_path, COLOURED + HIDING)
    assert ("R12", "red") in coloured(map_window(game, "red", "h22"))
    seen = map_window(game, "blue", "h22")
    assert not [colour for _, colour in coloured(seen) if colour == "red"]
    assert not [colour for _, colour in coloured(map_text(game, "blue", "all")) if colour == "red"]


def test_colours_are_for_terminals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Output that is no terminal gets the plain text."""
    drawn = map_window(game_of(tmp_path, COLOURED), "red", "h22")
    Console(Output()).say(drawn)
    assert capsys.readouterr().out == f"{drawn}\n"


# ---------------------------------------------------------------- the overview
def test_overview_shows_all_stacks(tmp_path: Path) -> None:
    """It reaches from the first to the last stack, and one cell more, and lists the stacks with their places."""
    shown = str(map_text(game_of(tmp_path, RULESET), "red", "all"))
    assert "R12" in shown
    assert "B1" in shown
    assert "R12  h22: first of red, strength 12" in shown
    assert "B1  h31: second of blue, strength 1, tired" in shown
    assert "h42" in shown


def test_overview_leaves_out_what_is_far_from_everything(tmp_path: Path) -> None:
    """A cell two columns beyond the last stack is not drawn, unless the chart's interest is there."""
    text = RULESET.replace("at: h31, tired", "at: h22, tired").replace(
        "      h42 | plain  -", "      h52 | plain  ford"
    )
    assert "h52" not in str(map_text(game_of(tmp_path, text), "red", "all"))
    text += "    interest: town\n    overview: ['{id}', '{pieces}']\n"
    assert "h52" in str(map_text(game_of(tmp_path, text), "red", "all"))


@pytest.mark.parametrize("columns", [12, 20, 40, 80, 200])
def test_overview_fits_the_page(tmp_path: Path, columns: int) -> None:
    """Whatever the width of the page, no line of the overview's cells is wider."""
    text = RULESET + "    overview: ['{id} {ground} {town}', '{pieces}']\n"
    shown = str(map_text(game_of(tmp_path, text), "red", "all", columns))
    assert widest(shown.partition(". plain")[0]) <= columns


def test_stacks_that_do_not_fit_are_counted_as_more(tmp_path: Path) -> None:
    """In a narrow cell the first stack is followed by a plus."""
    text = RULESET.replace("at: h31, tired", "at: h22, tired") + "    overview: ['{pieces}']\n"
    game = game_of(tmp_path, text)
    assert "R12 B1" in str(map_text(game, "red", "all", 80))
    assert "R12 +" in str(map_text(game, "red", "all", 17))


def test_overview_is_shown_where_no_place_is_asked_about(tmp_path: Path) -> None:
    """`map` without a name shows the window around the decision, and the overview if the decision has no place."""
    far = RULESET.replace("at: h31", "at: h42").replace("      h31 |", "      h51 | plain  -\n      h31 |")
    game = game_of(tmp_path, far.replace("at: h22}", "at: h11}"))
    assert str(map_window(game)) == ""
    assert str(map_text(game)) == str(map_text(game, None, "all"))
    assert "R12  h11: first of red, strength 12" in str(map_text(game))


def test_simultaneous_moves_are_not_shown_before_all_have_answered(tmp_path: Path) -> None:
    """While blue answers in a block of simultaneous lines, board and maps show what red had before the block."""
    text = RULESET.replace(
        '      let which = red chooses one of stacks "Which stack?"\n      red must take orders(which)\n',
        "      together:\n        for each stack in stacks: stack.side must take orders(stack)\n",
    )
    game = game_of(tmp_path, text + DRAWING)
    showing = (board_text, lambda game, seat: place_text(game, "first", seat), map_window, map_text)
    everything = (
        *showing,
        lambda game, seat: map_window(game, seat, "h22"),
        lambda game, seat: MapOverview(game, seat).drawn(80),
    )
    before = [str(show(game, "blue")) for show in everything]
    game.choose("go")
    game.choose("h21")
    assert game.decision is not None
    assert game.decision.seat == "blue"
    assert [str(show(game, "blue")) for show in everything] == before
    game.choose("stay")
    assert [str(show(game, "blue")) for show in everything] != before


# ---------------------------------------------------------------- drawings
def test_names_at_the_edges_are_whole_or_marked(tmp_path: Path) -> None:
    """A part of the map lies where it cuts few names; a name that is cut has an ellipsis, and a scrap is left out."""
    names = [f"land{number}of" for number in range(10)]
    drawing = (
        "  map: |\n    {h31:4}  "
        + "  ".join(names)
        + "  {h22:4}\n    one long name without any gap in it that goes on and on {h21:4}\n"
    )
    game = game_of(tmp_path, RULESET + drawing)
    for columns in range(30, 60):
        first, *_ = str(map_text(game, None, "h22", columns)).splitlines()
        shown = first.split()
        assert all(each in names or "…" in each or each[0] in "R" for each in shown), first
        assert width(first) <= columns
    assert str(map_text(game, None, "h22", 42)).splitlines()[0].split()[0] in names
    assert str(map_text(game, None, "h21", 30)).splitlines()[1].startswith("…")


def test_wide_drawing_is_cut_around_a_place(tmp_path: Path) -> None:
    """A drawn map that is wider than the page shows the part around the named place, and says which part that is."""
    text = RULESET + DRAWING
    game = game_of(tmp_path, text)
    whole = map_text(game, None, "", 80)
    assert "R" in str(whole)
    assert "(columns" not in str(whole)
    left, right = (str(map_text(game, None, name, 20)) for name in ("h31", "h22"))
    assert left.splitlines()[2:4] == ["Ford         R     |", "Far B               "]
    assert left.endswith("(columns 1 to 20 of 54; 'map NAME' shows the part around a place)")
    assert right.splitlines()[2:4] == ["      R     |", "                    "]
    assert widest(right.partition("(columns")[0]) <= 20
    with pytest.raises(UsageError, match="nothing here is called 'h11'"):
        map_text(game, None, "h11", 30)


def test_signs_of_single_pieces_are_explained_below_the_map(tmp_path: Path) -> None:
    """A piece with a sign of its own is named below the part of the map that shows it, and not below another."""
    symbols = "side: {red: R, blue: B}, stack: {first: Fi, second: Se}"
    text = RULESET.replace("side: {red: R, blue: B}", symbols) + DRAWING
    game = game_of(tmp_path, text)
    assert "Fi first, Se second" in str(map_text(game, None, "", 80))
    around = str(map_text(game, None, "h22", 12))
    assert "Fi first" in around
    assert str(map_text(game, None, "h22", 80, 12)).count("Fi first") == 1
    assert "Fi first" not in str(map_text(game_of(tmp_path, RULESET + DRAWING), None, "", 80))


def test_explanation_around_a_drawing_is_not_cut(tmp_path: Path) -> None:
    """Lines of words above and below a drawing are broken at the width of the page, whichever part is shown."""
    head, foot = "The rivers can be crossed by bridges alone.", "Far Bank touches the sea."
    drawing = DRAWING.replace("en: |\n", f"en: |\n      {head}\n").replace("    ja:", f"      {foot}\n    ja:")
    shown = str(map_text(game_of(tmp_path, RULESET + drawing), None, "h22", 30)).splitlines()
    assert " ".join(shown[:2]) == head
    assert shown[-2] == foot
    assert widest("\n".join(shown[:-1])) <= 30


def test_board_shows_a_wide_drawing_in_its_columns(tmp_path: Path) -> None:
    """The board of a narrow screen begins with the part of the drawing that the map shows there."""
    game = game_of(tmp_path, RULESET + DRAWING)
    for columns in (20, 80):
        assert board_text(game, None, columns).startswith(str(map_text(game, None, "", columns)))


def test_wide_characters_are_cut_whole(tmp_path: Path) -> None:
    """A character of two columns at the edge of the page becomes a blank."""
    game = Game(load_ruleset(_written(tmp_path, RULESET + DRAWING)), language="ja")
    for columns in range(4, 20):
        lines = str(map_text(game, None, "h22", columns)).splitlines()
        assert width(lines[0]) <= columns


def _written(folder: Path, text: str) -> Path:
    game_of(folder, text)
    return folder / "small"


# ---------------------------------------------------------------- what others moved
class Typist:
    """Answers every question with its first option and keeps what is shown."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def ask(self, prompt: str, words: Sequence[str]) -> str | None:
        """Types the number of the first option."""
        return "1"

    def say(self, text: str | ColouredText, style: str | None = None) -> None:
        """Keeps a text."""
        self.said.append(str(text))


def asked_after_blue_moved(
    folder: Path, text: str, size: tuple[int, int] | None = None
) -> tuple[Game, HumanPlayer, Typist]:
    """Asks red, moves the stack of blue to h32, and asks red again."""
    text = text.replace(
        '      let which = red chooses one of stacks "Which stack?"\n      red must take orders(which)\n',
        "      for each stack in stacks:\n        stack.side must take orders(stack)\n",
    )
    game, typist = game_of(folder, text), Typist()
    player = HumanPlayer("red", typist, lambda *_: "", lambda: size)
    player.choose(game)
    game.choose("stay")
    game.choose("go")
    game.choose("h32")
    player.choose(game)
    return game, player, typist


def test_one_map_shows_the_place_and_what_others_moved(tmp_path: Path) -> None:
    """What another seat moved beside the place of the question is on the map of this place, and no other is drawn."""
    _, _, typist = asked_after_blue_moved(tmp_path, RULESET)
    assert "What the others moved:" not in typist.said
    shown = [each for each in typist.said if "(around " in each]
    assert len(shown) == 2
    assert shown[-1].endswith("(around h22)")
    assert "B" in shown[-1]


def test_moves_of_others_far_away_have_a_map_of_their_own(tmp_path: Path) -> None:
    """Where one map can't show both, the one around what another seat moved comes first; not around own moves."""
    far = RULESET.replace("at: h22}", "at: h11}")
    game, player, typist = asked_after_blue_moved(tmp_path, far)
    at = typist.said.index("What the others moved:")
    assert typist.said[at + 1].endswith("(around h32)")
    game.choose("go")
    player.choose(game)
    assert typist.said.count("What the others moved:") == 1


SHOT = """\
  go:
    menu: orders
    pick: {there: stack.hex.neighbours}
    do: |
      let hit = blue chooses one or none of stacks "Hit?"
      move stack to there
"""


def test_own_moves_are_none_of_others(tmp_path: Path) -> None:
    """What a person moved is not shown as moved by others, if they declined something or only answered after it."""
    text = RULESET.partition("  chart:")[0] + DRAWING.replace("Far {h31:4} ", "Far {h31:4} {h32:4} ")
    text = text.replace(
        '      let which = red chooses one of stacks "Which stack?"\n      red must take orders(which)\n',
        "      for each stack in stacks:\n        stack.side must take orders(stack)\n",
    )
    text = text.replace("  go: {menu: orders, pick: {there: stack.hex.neighbours}, do: move stack to there}\n", SHOT)
    game, typist = game_of(tmp_path, text), Typist()
    player = HumanPlayer("red", typist, lambda *_: "", lambda: (80, 30))
    player.choose(game)
    for answer in ("go", "h32", None, "stay"):
        game.choose(answer)
    player.choose(game)
    assert "What the others moved:" not in typist.said


def test_moves_of_hidden_pieces_are_not_shown(tmp_path: Path) -> None:
    """A piece that the person can't see moves without a trace on the map."""
    _, _, typist = asked_after_blue_moved(tmp_path, RULESET + HIDING)
    assert "What the others moved:" not in typist.said


def test_moves_of_others_are_shown_on_a_drawn_map(tmp_path: Path) -> None:
    """A drawn map shows the part around what another seat moved, where the screen has room for it."""
    text, _, _ = RULESET.partition("  chart:")
    drawing = DRAWING.replace("Far {h31:4} ", "Far {h31:4} {h32:4} ")
    _, _, typist = asked_after_blue_moved(tmp_path, text + drawing, (80, 30))
    at = typist.said.index("What the others moved:")
    assert "B" in typist.said[at + 1].splitlines()[3]
    for size in (None, (80, 12)):
        _, _, typist = asked_after_blue_moved(tmp_path, text + drawing, size)
        assert "What the others moved:" not in typist.said
