"""Random overlays either fail with a place, or yield the same ruleset as the same edits by hand.

The edits by hand are made on plain data by the functions below and written as JSON; they use nothing of the
interpreter's overlays, positions or grids.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from overlay_house import changed, laid
from test_overlays_of_counters import COUNTERS

from interpreter.language.diagnostics import RulesetError
from interpreter.rules.documents.nodes import as_plain_data
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.documents.yaml_reader import read_yaml

Data = dict[str, Any]
PLACE = TemporaryDirectory()
FOLDER = changed(Path(PLACE.name) / "guide", *COUNTERS)
FILES: Data = {each.name: as_plain_data(read_yaml(each)) for each in sorted(FOLDER.glob("*.yaml"))}
LEFT_ALONE = ("include", "ruleset", "examples", "left_out", "readings")
STACKS = int(os.environ.get("BICORNE_SOAK", "0")) or 40
"""The number of random cases; a soak run sets a higher one."""
STRICTER = {"already-there"}
"""Codes of errors that only overlays report: adding an item to a list that contains it."""
VALUES = [
    1,
    0,
    -1,
    4,
    True,
    "none",
    "red",
    "fen",
    "3",
    "unit.steps",
    "storm and turn > 2",
    "no such thing",
    "1 +",
    "2.2",
]


@dataclass(frozen=True)
class Site:
    """A location in plain data: its path for overlays, its value, and the container and key of the value."""

    path: tuple[str, ...]
    value: Any
    holder: Any
    key: Any


def sites(files: Data) -> Iterator[Site]:
    """Yields every location that a path can reach."""
    for root in files.values():
        for section, value in root.items():
            if section not in LEFT_ALONE:
                yield from _below((section,), value)


def _below(path: tuple[str, ...], value: Any) -> Iterator[Site]:
    pairs: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        pairs = [(key, key) for key in value if key != "grid"]
    elif isinstance(value, list):
        names = [each.get("id") if isinstance(each, dict) else each for each in value]
        known = [(name, number) for number, name in enumerate(names) if isinstance(name, str) and len(names) > 1]
        pairs = [(name, number) for name, number in known if names.index(name) == number]
    for name, key in pairs:
        if "/" not in name:
            yield Site((*path, name), value[key], value, key)
            yield from _below((*path, name), value[key])


@dataclass(frozen=True)
class PlainGrid:
    """A text grid in plain data: the path of its entry, and the number of headings of a row (0 for a single row)."""

    path: tuple[str, ...]
    holder: Any
    keys: int

    def rows(self) -> list[list[str]]:
        """Returns the words of each line; the first line has the headings."""
        return [line.split() for line in self.holder["grid"].splitlines()]

    def put(self, rows: list[list[str]]) -> None:
        """Replaces the text of the grid."""
        self.holder["grid"] = "\n".join([" ".join(row) for row in rows])


def grids(files: Data) -> Iterator[PlainGrid]:
    """Yields every text grid that no earlier edit has broken."""
    for root in files.values():
        for section in ("tables", "individuals", "pieces"):
            for name, entry in root.get(section, {}).items():
                for each in entry if isinstance(entry, list) else [entry]:
                    grid = each.get("grid") if isinstance(each, dict) else None
                    sound = isinstance(grid, str) and "|" in grid
                    if sound and (section != "tables" or isinstance(each.get("keys"), dict)):
                        keys = len(each["keys"]) - 1 if section == "tables" else 1
                        yield PlainGrid((section, name), each, keys)


def _cell(draw: st.DrawFn, files: Data) -> tuple[Data, Data | None]:
    """Draws another value for a cell."""
    grid = draw(st.sampled_from(list(grids(files))))
    head, *rows = grid.rows()
    number = draw(st.integers(0, len(rows) - 1))
    word = draw(st.integers(head.index("|") + 1, len(head) - 1))
    old, new = rows[number][word], draw(st.sampled_from(["0", "1", "2", "3R", "wood", "red", "camp"]))
    at = "/".join((*grid.path, *rows[number][: grid.keys], head[word]))
    rows[number][word] = new
    grid.put([head, *rows])
    return {"at": at, "set": new}, {"at": at, "expect": new, "set": old}


def _row(draw: st.DrawFn, files: Data) -> tuple[Data, Data | None]:
    """Draws the removal of a row, or a copy of it after it."""
    grid = draw(st.sampled_from([each for each in grids(files) if each.keys and len(each.rows()) > 1]))
    head, *rows = grid.rows()
    bar = head.index("|")
    row = draw(st.sampled_from(rows))
    name, at = "/".join(row[:bar]), "/".join(grid.path)
    if draw(st.booleans()):
        grid.put([head, *[each for each in rows if each is not row]])
        return {"at": f"{at}/{name}", "remove": True}, None
    further = draw(st.sampled_from(["green", "fens", "99"]))
    grid.put([head, *[line for each in rows for line in ([each, [further, *each[1:]]] if each is row else [each])]])
    new = "/".join([further, *row[1:bar]])
    return {"at": at, "add": {new: row[bar + 1 :]}, "after": name}, {"at": f"{at}/{new}", "remove": True}


@st.composite
def edits(draw: st.DrawFn, files: Data) -> tuple[Data, Data | None]:
    """Draws an edit and makes it on the plain data; returns the equivalent patch, and one that reverts it."""
    verb = draw(st.sampled_from(["set", "set", "cell", "row", "remove", "add"]))
    if verb in ("cell", "row"):
        return (_cell if verb == "cell" else _row)(draw, files)
    known = [each for each in sites(files) if len(each.path) > 1]
    if verb == "add":
        return _added(draw, [each for each in known if isinstance(each.value, dict | list) and each.value])
    site = draw(
        st.sampled_from([each for each in known if verb == "remove" or not isinstance(each.value, dict | list)])
    )
    at = "/".join(site.path)
    if verb == "remove":
        del site.holder[site.key]
        return {"at": at, "remove": True}, None
    alike = [each.value for each in known if each.path[-1] == site.path[-1] and not isinstance(each.value, dict | list)]
    new, old = draw(st.sampled_from([*alike, *alike, *VALUES])), site.value
    site.holder[site.key] = new
    back = {"at": at, "expect": new, "set": old}
    return {"at": at, "set": new}, None if site.path[-1] == "id" else back  # its path changes with it


def _added(draw: st.DrawFn, holders: list[Site]) -> tuple[Data, Data | None]:
    """Draws a copy of something under another name."""
    site = draw(st.sampled_from(holders))
    at = "/".join(site.path)
    if isinstance(site.value, dict):
        name = draw(st.sampled_from(list(site.value)))
        item, further = deepcopy(site.value[name]), f"{name}_{len(site.value)}"
        site.value[further] = item
        return {"at": at, "add": {further: item}}, {"at": f"{at}/{further}", "remove": True}
    item = deepcopy(draw(st.sampled_from(site.value)))
    named = isinstance(item, dict) and "id" in item
    if named:
        item["id"] = f"{item['id']}_{len(site.value)}"
    site.value.append(item)
    return {"at": at, "add": item}, {"at": f"{at}/{item['id']}", "remove": True} if named else None


def overlay(name: str, patches: list[Data], **head: object) -> OverlayFile:
    """Returns an overlay with these patches."""
    return OverlayFile(
        Path(f"{name}.yaml"), json.dumps({"overlay": {"id": name, "for": "guide", **head}, "patches": patches}).encode()
    )


def outcome(folder: Path, *overlays: OverlayFile) -> str | RulesetError:
    """Returns the hash of a ruleset, or its errors."""
    try:
        return laid(folder, *overlays).hash
    except RulesetError as error:
        return error


def by_hand(files: Data) -> str | RulesetError:
    """Returns the outcome of a ruleset of plain data."""
    with TemporaryDirectory() as folder:
        for name, root in files.items():
            (Path(folder) / name).write_text(json.dumps(root), "utf-8")
        return outcome(Path(folder))


BARE = laid(FOLDER).hash
SEEN = {"sound": 0, "refused": 0}


@settings(
    max_examples=STACKS,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    print_blob=False,
    suppress_health_check=list(HealthCheck),
)
@given(st.data())
def _stacks(data: st.DataObject) -> None:
    files = deepcopy(FILES)
    made = [data.draw(edits(files)) for _ in range(data.draw(st.integers(1, 3)))]
    cut = data.draw(st.integers(0, len(made) - 1))
    patches, back = [each for each, _ in made], [each for _, each in reversed(made)]
    stack = [overlay("lower", patches[:cut])] if cut else []
    stack.append(overlay("upper", patches[cut:], **({"after": "lower"} if cut else {})))
    found, wanted = outcome(FOLDER, *stack), by_hand(files)
    if isinstance(found, RulesetError):
        SEEN["refused"] += 1
        assert found.diagnostics
        assert all(each.place.line > 0 and each.place.column > 0 for each in found.diagnostics)
        stricter = {each.code for each in found.diagnostics} <= STRICTER
        assert stricter or isinstance(wanted, RulesetError), f"by hand it is sound, but: {found}"
        return
    SEEN["sound"] += 1
    assert found == wanted
    if None not in back:
        assert (
            outcome(FOLDER, *stack, overlay("back", [each for each in back if each], after=["lower", "upper"])) == BARE
        )


def test_random_overlays_equal_edits_by_hand() -> None:
    """Random overlays fail with a place or equal the same edits by hand; both outcomes occur."""
    assert by_hand(FILES) == BARE
    SEEN.update(sound=0, refused=0)
    _stacks()
    assert SEEN["sound"] > 3
    assert SEEN["refused"] > 3
