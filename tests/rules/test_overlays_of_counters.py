"""Overlays can change counters and boards in text grids, and boards with several pieces in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from overlay_house import changed, laid, overlay

from interpreter.language.diagnostics import RulesetError
from interpreter.rules.loading.load import load_scenario

COUNTERS = (
    "@ things.yaml",
    "-   unit:",
    '-     - {id: red, count: 3, owner: red, steps: 4, at: ford, cite: "1"}',
    '-     - {id: blue, count: 2, owner: blue, steps: 3, at: camp, cite: "1"}',
    "+   unit:",
    '+     - cite: "1"',
    "+       standing: reconstructed",
    "+       figures: {red/steps: stated}",
    "+       grid: |",
    "+         id  | count owner steps at",
    "+         red | 3     red   4     ford",
    '+     - cite: "1"',
    "+       grid: |",
    "+         id     | owner steps at",
    "+         blue_1 | blue  3     camp",
    "+         blue_2 | blue  3     camp",
    '-     - {id: card, count: 4, worth: 2, at: stock, cite: "1"}',
    '+     cite: "1"',
    "+     figures: {card/worth: derived}",
    "+     grid: |",
    "+       id   | count worth at",
    "+       card | 4     2     stock",
)
SAME = {
    "an attribute of a row": (
        "- {at: pieces/unit/blue_2/steps, expect: 3, set: 2}",
        ("- blue_2 | blue  3     camp", "+ blue_2 | blue 2 camp"),
    ),
    "an attribute of a row, with its standing and citation": (
        '- {at: pieces/unit/blue_2/steps, set: 2, standing: stated, cite: "2.2"}',
        (
            '-     - cite: "1"\n      grid: |\n        id     | owner',
            (
                '+     - cite: "1"\n      figures: {blue_2/steps: {standing: stated, cite: "2.2"}}\n'
                "      grid: |\n        id     | owner"
            ),
            "- blue_2 | blue  3     camp",
            "+ blue_2 | blue 2 camp",
        ),
    ),
    "an attribute of several counters": (
        "- {at: pieces/unit/red/count, expect: 3, set: 4}",
        ("- red | 3     red   4     ford", "+ red | 4 red 4 ford"),
    ),
    "a whole row": (
        "- {at: pieces/unit/blue_1, expect: {owner: blue, steps: 3, at: camp}, set: [blue, 1, fen]}",
        ("- blue_1 | blue  3     camp", "+ blue_1 | blue 1 fen"),
    ),
    "a removed row": ("- {at: pieces/unit/blue_1, remove: true}", ("-         blue_1 | blue  3     camp\n", "+ ")),
    "an added row, beside another": (
        "- {at: pieces/unit, add: {red_guard: [1, red, 5, camp]}, after: red}",
        ("- red | 3     red   4     ford", "+ red | 3     red   4     ford\n          red_guard | 1 red 5 camp"),
    ),
    "an added row, in the last grid": (
        "- {at: pieces/unit, add: {blue_3: {at: fen, owner: blue, steps: 2}}}",
        ("- blue_2 | blue  3     camp", "+ blue_2 | blue  3     camp\n          blue_3 | blue 2 fen"),
    ),
    "an added counter, beside the grids": (
        "- {at: pieces/unit, add: {id: blue_3, owner: blue, steps: 2, at: fen}}",
        (
            "-         blue_2 | blue  3     camp",
            "+         blue_2 | blue  3     camp\n    - {id: blue_3, owner: blue, steps: 2, at: fen}",
        ),
    ),
    "the column of a lone grid": (
        "- {at: pieces/card/*/worth, expect: [2], set: [3]}",
        ("- card | 4     2     stock", "+ card | 4 3 stock"),
    ),
    "a row in a lone grid": (
        "- {at: pieces/card, add: {joker: [1, 9, stock]}}",
        ("- card | 4     2     stock", "+ card | 4     2     stock\n        joker | 1 9 stock"),
    ),
    "all cells of a row with the same text": (
        "- {at: pieces/unit/blue_2, replace_cells: {camp: fen}}",
        ("- blue_2 | blue  3     camp", "+ blue_2 | blue 3 fen"),
    ),
    "an attribute without a column": (
        "- {at: pieces/unit/blue_2, add: {tired: true}}",
        (
            "- blue_1 | blue  3     camp",
            "+ blue_1 | blue  3     camp -",
            "- blue_2 | blue  3     camp",
            "+ blue_2 | blue  3     camp true",
            "-         id     | owner steps at\n",
            "+         id     | owner steps at tired\n",
        ),
    ),
    "an attribute with an empty cell": (
        "- {at: pieces/unit/blue_2, add: {tired: true}}\n- {at: pieces/unit/blue_1, add: {tired: false}}",
        (
            "- blue_1 | blue  3     camp",
            "+ blue_1 | blue  3     camp false",
            "- blue_2 | blue  3     camp",
            "+ blue_2 | blue  3     camp true",
            "-         id     | owner steps at\n",
            "+         id     | owner steps at tired\n",
        ),
    ),
    "a counter beside a lone grid": (
        "- {at: pieces/card, add: {id: joker, worth: 9, at: stock, cite: '1'}}",
        (
            (
                '-   card:\n    cite: "1"\n    figures: {card/worth: derived}\n    grid: |\n'
                "      id   | count worth at\n      card | 4     2     stock\n"
            ),
            (
                '+   card:\n    - cite: "1"\n      figures: {card/worth: derived}\n      grid: |\n'
                "        id   | count worth at\n        card | 4     2     stock\n"
                "    - {id: joker, worth: 9, at: stock, cite: '1'}\n"
            ),
        ),
    ),
    "the citation of the grid": (
        "- {at: pieces/card/cite, set: '3'}",
        ('-   card:\n    cite: "1"', '+   card:\n    cite: "3"'),
    ),
    "another name for a counter": (
        "- {at: pieces/unit/blue_2, rename: guard}",
        ("- blue_2 | blue  3     camp", "+ guard | blue  3     camp"),
    ),
    "another name for numbered counters": (
        "- {at: pieces/card/card, rename: ace}",
        (
            "- card | 4     2     stock",
            "+ ace | 4     2     stock",
            "- {card/worth: derived}",
            "+ {ace/worth: derived}",
        ),
    ),
}
WRONG = {
    "an unknown counter": (
        "- {at: pieces/unit/blue2/steps, set: 2}",
        "there is no 'blue2' in pieces/unit",
        "did you mean 'pieces/unit/blue_2'?",
    ),
    "an unknown heading": (
        "- {at: pieces/unit/blue_1/step, set: 2}",
        "there is no 'step' in pieces/unit/blue_1",
        "did you mean 'pieces/unit/blue_1/steps'?",
    ),
    "a column of several grids": (
        "- {at: pieces/unit/*/steps, set: [1]}",
        "there is no '*' in pieces/unit; its rows are in several grids",
        "name the rows, each in a patch of its own",
    ),
    "another figure than expected": (
        "- {at: pieces/unit/blue_1/steps, expect: 4, set: 2}",
        "expected '4' at 'pieces/unit/blue_1/steps', found '3' (",
        "check that the change is still right",
    ),
    "the citation of one of several grids": (
        "- {at: pieces/unit/cite, set: '3'}",
        "there is no 'cite' in pieces/unit",
        "name a row; write 'cite', 'standing' and 'source' beside the change in the patch",
    ),
    "an attribute that exists": (
        "- {at: pieces/unit/blue_1, add: {steps: 4}}",
        "there is already a 'steps' at 'pieces/unit/blue_1'",
        "change it: at 'pieces/unit/blue_1/steps', with 'set'",
    ),
    "a mapping for a cell": (
        "- {at: pieces/unit/blue_1, add: {tired: {much: true}}}",
        "a cell is a single value or a list of them",
        "give a single value",
    ),
    "another name for a cell": (
        "- {at: pieces/unit/blue_1/owner, rename: lord}",
        "'pieces/unit/blue_1/owner' has no name of its own",
        "rename the attribute: at 'kinds/counter/has/owner'",
    ),
    "another name for a column that isn't an attribute": (
        "- {at: pieces/card/*/at, rename: place}",
        "'pieces/card/*/at' has no name of its own",
        "name a row",
    ),
    "the name of a numbered counter": (
        "- {at: pieces/unit/blue_2, rename: red_3}",
        "there is already a unit 'red_3'",
        "choose another name",
    ),
    "a surplus cell": (
        "- {at: pieces/card/*/worth, set: [3, 4]}",
        "expected 1 cell (card), found 2",
        "a mapping of: card",
    ),
    "a counter that exists": (
        "- {at: pieces/unit, add: {id: blue_1, owner: blue, steps: 2}}",
        "there is already a 'blue_1' at 'pieces/unit'",
        "change it: at 'pieces/unit/blue_1', with 'set'",
    ),
    "a removed cell": (
        "- {at: pieces/unit/blue_1/steps, remove: true}",
        "is a single cell, which can't be removed",
        "remove the row 'blue_1'",
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_patch_of_counters_equals_change_by_hand(name: str, tmp_path: Path) -> None:
    """The ruleset under the overlay has the hash of the one whose file was changed by hand."""
    patches, by_hand = SAME[name]
    bare = changed(tmp_path / "bare", *COUNTERS)
    changed(tmp_path / "by_hand", *COUNTERS)
    changed_again(tmp_path / "by_hand", by_hand)
    under, expected = laid(bare, overlay(patches)), laid(tmp_path / "by_hand")
    names = {*under.entries, *expected.entries}
    assert {each for each in names if under.entries.get(each) != expected.entries.get(each)} == set()
    assert under.hash == expected.hash != laid(bare).hash


def changed_again(folder: Path, lines: tuple[str, ...]) -> None:
    """Replaces pairs of old and new text in the file of things."""
    file = folder / "things.yaml"
    text = file.read_text("utf-8")
    pairs = [line[2:] for line in lines]
    for old, new in zip(pairs[::2], pairs[1::2], strict=True):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    file.write_text(text, "utf-8")


@pytest.mark.parametrize("name", WRONG)
def test_errors_about_counters_suggest_the_path(name: str, tmp_path: Path) -> None:
    """An error about counters is at its patch, and its hint gives the valid path or value."""
    patches, message, hint = WRONG[name]
    with pytest.raises(RulesetError) as caught:
        laid(changed(tmp_path / "guide", *COUNTERS), overlay(patches))
    (found,) = caught.value.diagnostics
    assert message in found.message
    assert hint in (found.hint or "")
    assert found.place.line == 3


# ---------------------------------------------------------------- boards
def board_of(tmp_path: Path, board: str, patches: str) -> list[tuple[str, str, object, object]]:
    """Returns the pieces that the scenario places under an overlay: kind, id, values, place."""
    folder = changed(
        tmp_path / "guide", "@ scenarios/standard.yaml", "-   unit: [{id: blue_2, at: fen}]", f"+   unit:{board}"
    )
    scenario = load_scenario(folder / "scenarios" / "standard.yaml", overlays=[overlay(patches)], cache=False)
    return [each for each in scenario.setup.board if each[0] == "unit"]


TOGETHER = " [{ids: [red_1, blue_2, blue_1], at: fen, tired: true}, {id: red_2, at: ford}]"
TIRED = (("tired", True),)
FEN = ("place", "fen")


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ("at: scenarios/standard/board/unit/blue_2/at, expect: fen, set: camp", ("place", "camp")),
        ("at: scenarios/standard/board/unit/blue_2, add: {steps: 1}", FEN),
        ("at: scenarios/standard/board/unit/blue_2, remove: true", None),
    ],
)
def test_patch_changes_one_of_several_placed_pieces(
    tmp_path: Path, patch: str, expected: tuple[str, str] | None
) -> None:
    """A patch of a piece that is placed in one line with others leaves the others as they are."""
    found = board_of(tmp_path, TOGETHER, f"- {{{patch}}}")
    values = (*TIRED, ("steps", 1)) if "add" in patch else TIRED
    own = [("unit", "blue_2", values, expected)] if expected else []
    others = ("unit", "red_1", TIRED, FEN), ("unit", "blue_1", TIRED, FEN)
    assert found == [others[0], *own, others[1], ("unit", "red_2", (), ("place", "ford"))]


@pytest.mark.parametrize(("where", "at"), [("before", 1), ("after", 2)])
def test_added_line_splits_a_line_of_several_pieces(tmp_path: Path, where: str, at: int) -> None:
    """`before` and `after` can name a piece that is placed in one line with others."""
    patch = f"- {{at: scenarios/standard/board/unit, add: {{ids: [red_3], at: ford}}, {where}: blue_2}}"
    names = ["red_1", "blue_2", "blue_1", "red_2"]
    assert [each[1] for each in board_of(tmp_path, TOGETHER, patch)] == [*names[:at], "red_3", *names[at:]]


def test_patch_changes_a_row_of_a_board(tmp_path: Path) -> None:
    """A board that is a text grid can be changed by cells and rows."""
    grid = '\n    grid: "id | at steps\\nblue_2 | fen 2\\nred_1 | fen 1"'
    patches = """\
- {at: scenarios/standard/board/unit/blue_2/at, expect: fen, set: camp}
- {at: scenarios/standard/board/unit, add: {red_2: [ford, 3]}, before: red_1}
"""
    assert board_of(tmp_path, grid, patches) == [
        ("unit", "blue_2", (("steps", 2),), ("place", "camp")),
        ("unit", "red_2", (("steps", 3),), ("place", "ford")),
        ("unit", "red_1", (("steps", 1),), ("place", "fen")),
    ]


def test_unknown_placed_piece_suggests_the_nearest(tmp_path: Path) -> None:
    """An unknown piece of a board line with several pieces is reported with the nearest id."""
    with pytest.raises(RulesetError, match="there is no 'blue2' in scenarios/standard/board/unit") as caught:
        board_of(tmp_path, TOGETHER, "- {at: scenarios/standard/board/unit/blue2/at, set: camp}")
    assert caught.value.diagnostics[0].hint == "did you mean 'scenarios/standard/board/unit/blue_2'?"


# ---------------------------------------------------------------- renames in the ruleset
def test_scenarios_follow_renames(tmp_path: Path) -> None:
    """Renames are applied to scenarios in order, so that later patches of the scenario use the new names."""
    folder = changed(tmp_path / "guide", *COUNTERS)
    patches = """\
- {at: scenarios/standard/board/unit/blue_2/at, set: camp}
- {at: pieces/unit/blue_2, rename: guard}
- {at: pieces/unit/red, rename: rouge}
- {at: individuals/place/camp, rename: bivouac}
- {at: options/fog, rename: mist}
- {at: state/turn, rename: round_number}
- {at: kinds/unit/has/steps, rename: strength}
- {at: kinds/unit, rename: battalion}
- {at: scenarios/standard/set/battalion/rouge_1/strength, expect: 3, set: 2}
"""
    scenario = load_scenario(folder / "scenarios" / "standard.yaml", overlays=[overlay(patches)], cache=False)
    assert scenario.setup.options == (("mist", True),)
    assert scenario.setup.state == (("round_number", 1),)
    assert scenario.setup.sets == (("battalion", "rouge_1", "strength", 2),)
    assert scenario.setup.board == (
        ("battalion", "guard", (), ("place", "bivouac")),
        ("chief", "marshal", (), ("battalion", "rouge_2")),
    )
    assert dict(scenario.ruleset.image.options)["mist"] is True


def test_conditional_rename_depends_on_scenario_options(tmp_path: Path) -> None:
    """A rename with `when` is evaluated with the options that the scenario sets."""
    folder = changed(tmp_path / "guide")
    patch = "- {at: individuals/place/fen, rename: bog, when: fog}"
    file = folder / "scenarios" / "standard.yaml"
    for given, place in ((patch, "bog"), (patch.replace("when: fog", "when: not fog"), "fen")):
        scenario = load_scenario(file, overlays=[overlay(given)], cache=False)
        assert ("place", place) in [each[3] for each in scenario.setup.board]
