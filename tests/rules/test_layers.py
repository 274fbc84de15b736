"""Layers: attributes of the spaces of a grid, drawn row by row in rulesets and scenarios."""

from __future__ import annotations

from pathlib import Path

import pytest
from link_by_hand import documents, linked, mapping, said
from overlay_house import overlay

from interpreter.language.checking.check import check_program
from interpreter.language.diagnostics import RulesetError
from interpreter.rules.linking.link import figures
from interpreter.rules.linking.scenario import link_scenario
from interpreter.rules.loading.load import load_ruleset
from interpreter.workshop.diff.compare import ComparedGrid, differences

HEXES = """
    kinds:
      ground: {is: enum, members: [plain, hill, town]}
      area: {is: enum, members: [west, east]}
      box: {is: space}
      hex:
        is: space
        plural: hexes
        grid: {columns: 3, rows: 2, shape: hexes_in_rows, ids: "{ROW_LETTER}{column}", holes: [B3]}
        has: {ground: "ground = plain", areas: "set of area = {}", level: "int = 0"}
"""
LAYERS = """
    layers:
      terrain:
        cite: 1.2
        standing: reconstructed
        of: hex
        sets: ground
        key: {h: hill, "#": town}
        grid: |
          row | 1 2 3
          A   | h - #
          B   | - h -
      areas:
        of: hex
        sets: areas
        key: {w: [west], x: [west, east], e: [east]}
        grid: |
          row | 1 2 3
          A   | w x e
      levels:
        of: hex
        sets: level
        grid: |
          row | 3 1
          A   | 2 1
"""


def values(*parts: str) -> dict[str, dict[str, object]]:
    return {each.name: each.values for each in linked(*parts).individuals.values()}


def test_layers_give_values_to_spaces():
    """A mark has the value of its key, without a key it is the value; dashes and rows left out keep the default."""
    assert values(HEXES, LAYERS) == {
        "A1": {"ground": "hill", "areas": ("west",), "level": 1},
        "A2": {"areas": ("west", "east")},
        "A3": {"ground": "town", "areas": ("east",), "level": 2},
        "B1": {},
        "B2": {"ground": "hill"},
    }
    assert not [each for each in check_program(linked(HEXES, LAYERS)) if each.severity == "error"]


def test_layer_is_one_figure():
    """A layer counts as one figure, with the number of its marks, its standing and its clause."""
    found = figures(documents(HEXES, LAYERS), linked(HEXES, LAYERS))
    shown = [(each.path, each.value, each.standing, each.cite) for each in found if each.path.startswith("layers")]
    assert shown == [
        ("layers/terrain", 3, "reconstructed", ("1.2",)),
        ("layers/areas", 3, "stated", ()),
        ("layers/levels", 2, "stated", ()),
    ]


def test_labels_may_lack_zeros():
    """Rows and columns go by their parts of ids; leading zeros may be left out."""
    hexes = HEXES.replace("{ROW_LETTER}{column}", "h{column:2}{row:2}").replace("holes: [B3]", "holes: [h0302]")
    grid = 'layers: {g: {of: hex, sets: level, grid: "row | 2 03\\n01 | 5 6\\n2 | 7 -"}}\n'
    assert {name: each["level"] for name, each in values(hexes, grid).items() if each} == {
        "h0201": 5,
        "h0301": 6,
        "h0202": 7,
    }


LAYER = 'layers: {{l: {{of: {of}, sets: {sets}, {more}grid: "{grid}"}}}}\n'


def layer(grid: str, of: str = "hex", sets: str = "ground", more: str = "key: {h: hill}, ") -> str:
    return LAYER.format(of=of, sets=sets, more=more, grid=grid)


MISTAKES = {
    "a mark that is not in the key": (
        layer(r"row | 1\nA | x"),
        "10:73 unknown-mark: there is no mark 'x' (known here: h)",
    ),
    "a row that is not there": (layer(r"row | 1\nC | h"), "unknown-row: there is no row 'C'"),
    "a column that is not there": (layer(r"row | 4\nA | h"), "unknown-column: there is no column '4'"),
    "a row twice": (layer(r"row | 1\nA | h\nA | h"), "duplicate-name: row 'A' is drawn twice"),
    "a mark in a hole": (
        layer(r"row | 3\nB | h"),
        "off-grid: there is no hex in row B, column 3 (write '-' where the board has a hole)",
    ),
    "another label": (layer(r"id | 1\nA | h"), "grid-header: the first row must begin with 'row |'"),
    "a line too short": (layer(r"row | 1 2\nA | h"), "grid-width: row 'A' has 1 cell"),
    "a kind without a grid": (layer(r"row | 1\nA | h", of="box"), "misplaced: 'box' is not on a grid"),
    "an unknown kind": (
        layer(r"row | 1\nA | h", of="hexx"),
        "unknown-kind: there is no kind 'hexx' (did you mean 'hex'?)",
    ),
    "an unknown attribute": (layer(r"row | 1\nA | h", sets="grund"), "unknown-attribute: hex has no attribute 'grund'"),
    "a value twice": (
        layer(r"row | 1\nA | h") + "individuals: {hex: {A1: {ground: town}}}\n",
        "duplicate-name: 'ground' of A1 has a value already",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake_in_a_layer_is_reported_at_its_place(name):
    """Each mistake is reported once, with what to do."""
    text, expected = MISTAKES[name]
    found = said(HEXES, text)
    assert len(found) == 1
    assert expected in found[0]


def test_scenario_draws_over_the_ruleset():
    """The layers of a scenario replace values of the ruleset, and its `set` has precedence over its layers."""
    program = linked(HEXES, LAYERS)
    check_program(program)
    node = mapping("""
        layers:
          terrain: {of: hex, sets: ground, key: {h: hill, .: plain}, grid: "row | 1 2\\nA | . h"}
        set: {hex/A2/ground: town}
    """)
    setup, faults = link_scenario(node, program)
    assert not faults
    assert setup.sets == (
        ("hex", "A1", "ground", ("word", "ground", "plain")),
        ("hex", "A2", "ground", ("word", "ground", "hill")),
        ("hex", "A2", "ground", ("word", "ground", "town")),
    )


def test_mistakes_in_the_layers_of_a_scenario():
    """A wrong value is reported once at its key, and a space that is drawn twice at the second mark."""
    program = linked(HEXES, LAYERS)
    check_program(program)
    node = mapping("""
        layers:
          one: {of: hex, sets: ground, key: {h: hil}, grid: "row | 1 2\\nA | h h"}
          two: {of: hex, sets: ground, key: {t: town}, grid: "row | 1\\nA | t"}
    """)
    found = [f"{each.place.line}: {each.message}" for each in link_scenario(node, program)[1]]
    assert len(found) == 2
    assert found[0].startswith("2: ground: ")
    assert found[1] == "3: 'ground' of A1 is drawn twice"


# ---------------------------------------------------------------- overlays
GAME = (
    'ruleset: {id: guide, title: Layers, version: "1"}\n'
    + HEXES.replace("\n    ", "\n")
    + LAYERS.replace("\n    ", "\n")
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ruleset.yaml").write_text(GAME, "utf-8")
    return tmp_path


def grounds(ruleset) -> dict[str, str]:
    return {
        each.name: each.values["ground"] for each in ruleset.program.individuals.values() if "ground" in each.values
    }


def test_overlay_patches_one_mark(folder):
    """An overlay changes a mark, a row or a value of the key, by the labels of the drawing."""
    changed = load_ruleset(folder, [overlay('- {at: layers/terrain/A/1, expect: h, set: "#"}')], {}, cache=False)
    assert grounds(changed) == {"A1": "town", "A3": "town", "B2": "hill"}
    changed = load_ruleset(folder, [overlay("- {at: layers/terrain/key/h, expect: hill, set: town}")], {}, cache=False)
    assert grounds(changed) == {"A1": "town", "A3": "town", "B2": "town"}
    changed = load_ruleset(folder, [overlay("- {at: layers/terrain/B, set: [h, -, -]}")], {}, cache=False)
    assert grounds(changed) == {"A1": "hill", "A3": "town", "B1": "hill"}


def test_wrong_value_of_a_key_is_reported_once(folder):
    """A value that does not fit its attribute is reported at the key, however often its mark is drawn."""
    (folder / "ruleset.yaml").write_text(GAME.replace("h: hill", "h: hil"), "utf-8")
    with pytest.raises(RulesetError) as caught:
        load_ruleset(folder, cache=False)
    assert [(each.code, each.place.line) for each in caught.value.diagnostics] == [("wrong-value", 19)]


@pytest.mark.parametrize(
    ("path", "new"), [("kinds/ground/members/hill", "ridge"), ("kinds/hex", "cell"), ("kinds/hex/has/ground", "soil")]
)
def test_rename_reaches_layers(folder, path, new):
    """A renamed word, kind or attribute is renamed in layers."""
    changed = load_ruleset(folder, [overlay(f"- {{at: {path}, rename: {new}}}")], {}, cache=False)
    spaces = [each for each in changed.program.individuals.values() if each.column]
    attribute = "soil" if new == "soil" else "ground"
    assert {each.kind for each in spaces} == {"cell" if new == "cell" else "hex"}
    word = "ridge" if new == "ridge" else "hill"
    assert [each.values[attribute] for each in spaces if attribute in each.values] == [word, "town", word]


def test_diff_shows_layers_as_grids(folder, tmp_path_factory):
    """`diff` shows a changed layer as two drawings."""
    other = tmp_path_factory.mktemp("other")
    (other / "ruleset.yaml").write_text(GAME.replace("A   | h - #", "A   | h h #"), "utf-8")
    before, after = (load_ruleset(each, cache=False).documents for each in (folder, other))
    found = differences(before, after)
    assert [each.path for each in found] == ["layers/terrain"]
    assert isinstance(found[0].after, ComparedGrid)
    assert found[0].after.cells[1] == ("h", "h", "#")
