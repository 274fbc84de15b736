"""Includes are followed only inside the ruleset's folder, and sections of several files are merged."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.language.diagnostics import Diagnostic, Place, RulesetError, UsageError
from interpreter.rules.documents.document_set import DocumentSet, read_ruleset, read_scenario
from interpreter.rules.documents.nodes import as_plain_data, as_written
from interpreter.rules.documents.source_excerpts import MAX_WIDTH, with_excerpts

HEAD = "ruleset: {id: r, title: R, version: 1}\n"


def ruleset(folder: Path, text: str = "", **files: str) -> DocumentSet:
    """Writes a ruleset with `text` in `ruleset.yaml`, and more files by stem (`a__b` for a/b), and reads it."""
    (folder / "ruleset.yaml").write_text(HEAD + text, encoding="utf-8")
    for name, content in files.items():
        path = folder / (name.replace("__", "/") + ".yaml")
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return read_ruleset(folder)


def codes(documents: DocumentSet) -> list[tuple[str, str, int, int]]:
    return [(each.code, Path(each.place.file).name, each.place.line, each.place.column) for each in documents.faults]


def test_sections_are_merged_in_order_of_inclusion(tmp_path: Path) -> None:
    """A file comes before those it includes; entries and items keep the name of their file."""
    found = ruleset(
        tmp_path,
        "include: [a.yaml, b.yaml]\nstate: {x: int}\n",
        a="include: [sub/c.yaml]\nstate: {y: int}\nclauses: [{id: 1}]\n",
        b="state: {z: int}\n",
        sub__c="state: {w: int}\nclauses: [{id: 2}]\n",
    )
    assert found.faults == []
    assert [(each.name, Path(each.place.file).name) for each in found.entries("state")] == [
        ("x", "ruleset.yaml"),
        ("y", "a.yaml"),
        ("w", "c.yaml"),
        ("z", "b.yaml"),
    ]
    assert [as_plain_data(each) for each in found.items("clauses")] == [{"id": 1}, {"id": 2}]
    assert [each.name for each in found.documents] == ["ruleset.yaml", "a.yaml", "sub/c.yaml", "b.yaml"]
    assert as_written(found.head.items["id"]) == "r"


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("../x.yaml", "include-outside"),
        ("sub/../../x.yaml", "include-outside"),
        ("/etc/hostname", "include-outside"),
        ("C:/x.yaml", "include-outside"),
        ("'..\\x.yaml'", "include-outside"),
        ("link.yaml", "include-outside"),
        ("folder/x.yaml", "include-outside"),
        ("missing.yaml", "include-missing"),
        ("sub", "include-missing"),
        ("ruleset.yaml", "include-cycle"),
        ("x" * 5_000 + ".yaml", "include-missing"),
        ("ring.yaml", "include-missing"),
    ],
)
def test_bad_includes_are_rejected(tmp_path: Path, written: str, code: str) -> None:
    """No include can leave the folder; each error is at the include."""
    folder = tmp_path / "r"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "x.yaml").write_text("state: {secret: int}\n")
    (folder / "link.yaml").symlink_to(tmp_path / "x.yaml")
    (folder / "folder").symlink_to(tmp_path)
    (folder / "ring.yaml").symlink_to(folder / "ring.yaml")
    found = ruleset(folder, f"include: [{written}]\n")
    assert codes(found) == [(code, "ruleset.yaml", 2, 11)]
    assert len(str(found.faults[0])) < 1_000
    assert [each.name for each in found.entries("state")] == []


def test_cycles_and_second_inclusions_are_reported(tmp_path: Path) -> None:
    """The error of a cycle names its files, that of a second inclusion the first one; each file is read once."""
    found = ruleset(tmp_path, "include: [a.yaml, b.yaml, b.yaml]\n", a="include: [b.yaml]\n", b="include: [a.yaml]\n")
    cycle, twice, again = found.faults
    assert "a.yaml -> b.yaml -> a.yaml" in cycle.message
    assert (cycle.code, Path(cycle.place.file).name) == ("include-cycle", "b.yaml")
    assert (twice.code, again.code) == ("include-twice", "include-twice")
    assert f"{tmp_path / 'a.yaml'}:1:11" in twice.message


def test_missing_file_suggests_the_nearest(tmp_path: Path) -> None:
    """A missing file is reported with the file of the nearest name."""
    found = ruleset(tmp_path, "include: [kind.yaml]\n", kinds="state: {}\n")
    assert found.faults[0].hint == "did you mean 'kinds.yaml'?"


@pytest.mark.parametrize(
    ("first", "second", "line"),
    [
        ("state: {x: int}\n", "state: {x: int}\n", 1),
        ("evaluation: {is: a}\n", "evaluation: {do: b}\n", 1),
        ("presentation: {words: {a: x}}\n", "presentation:\n  words: {a: y}\n", 2),
        ("presentation: {names: {k: {a: x}}}\n", "presentation:\n  names:\n    k: {a: y}\n", 3),
        ("presentation: {map: x}\n", "presentation: {map: x}\n", 1),
    ],
)
def test_duplicate_name_shows_both_places(tmp_path: Path, first: str, second: str, line: int) -> None:
    """A name given in two files is an error at the second, with the place of the first."""
    found = ruleset(tmp_path, "include: [a.yaml, b.yaml]\n", a=first, b=second)
    (fault,) = found.faults
    assert (fault.code, Path(fault.place.file).name, fault.place.line) == ("duplicate", "b.yaml", line)
    assert str(tmp_path / "a.yaml") in fault.message


@pytest.mark.parametrize("section", ["individuals", "pieces"])
def test_lists_by_kind_are_concatenated(tmp_path: Path, section: str) -> None:
    """Counters and individuals of one kind may be in several files."""
    found = ruleset(tmp_path, "include: [a.yaml, b.yaml]\n", a=f"{section}: {{k: [a]}}\n", b=f"{section}: {{k: [b]}}\n")
    assert found.faults == []
    assert [as_plain_data(each.node) for each in found.entries(section)] == [["a"], ["b"]]


def test_presentation_is_merged(tmp_path: Path) -> None:
    """The names of one kind may be in several files."""
    one, other = "presentation: {names: {k: {a: x}}}\n", "presentation: {names: {k: {b: y}}, words: {w: z}}\n"
    found = ruleset(tmp_path, "include: [a.yaml, b.yaml]\n", a=one, b=other)
    assert found.faults == []


def test_faults_of_all_files_are_collected(tmp_path: Path) -> None:
    """A file that can't be read doesn't hide the faults of the others."""
    found = ruleset(tmp_path, "include: [a.yaml, b.yaml, c.yaml]\n", a="x: [\n", b="- list\n", c="ruleset: {}\n")
    assert [each.code for each in found.faults] == ["yaml", "wrong-shape", "duplicate"]


def test_head_is_required(tmp_path: Path) -> None:
    """`ruleset.yaml` must have the section `ruleset`."""
    (tmp_path / "ruleset.yaml").write_text("state: {}\n")
    assert [each.code for each in read_ruleset(tmp_path).faults] == ["missing-key"]


def test_missing_ruleset_is_a_usage_error(tmp_path: Path) -> None:
    """A folder without `ruleset.yaml`, or a missing folder, is a usage error."""
    with pytest.raises(UsageError, match=r"no ruleset\.yaml"):
        read_ruleset(tmp_path)
    with pytest.raises(UsageError, match="no folder"):
        read_ruleset(tmp_path / "missing")


def test_scenario_must_be_a_mapping(tmp_path: Path) -> None:
    """A list instead of a scenario is rejected at its place."""
    path = tmp_path / "s.yaml"
    path.write_text("- a\n")
    with pytest.raises(RulesetError, match=r"s\.yaml:1:1: error\[wrong-shape\]"):
        read_scenario(path)


# ---------------------------------------------------------------- excerpts
def test_diagnostics_show_their_source_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A diagnostic shows the source line, a caret under the column, and the relative file name."""
    (tmp_path / "f.yaml").write_text("a: 1\nb: wrong\n")
    monkeypatch.chdir(tmp_path)
    (found,) = with_excerpts([Diagnostic("c", "m", Place(str(tmp_path / "f.yaml"), 2, 4))])
    assert str(found) == "f.yaml:2:4: error[c]: m\n    b: wrong\n       ^"


def test_long_lines_are_cut_around_the_column(tmp_path: Path) -> None:
    """Of a long line only the part around the column is shown, and the caret points at the column."""
    (tmp_path / "f.yaml").write_text("x" * 5_000 + "HERE" + "y" * 5_000)
    (found,) = with_excerpts([Diagnostic("c", "m", Place(str(tmp_path / "f.yaml"), 1, 5_001))])
    _, excerpt, caret = str(found).split("\n")
    assert len(excerpt) == MAX_WIDTH + 4
    assert excerpt[caret.index("^") :].startswith("HERE")


@pytest.mark.parametrize("place", [Place("<none>"), Place("gone.yaml", 3, 4), Place("<text>", 1, 1)])
def test_unreadable_file_has_no_excerpt(place: Place) -> None:
    """A diagnostic whose file can't be read is shown without its line."""
    assert with_excerpts([Diagnostic("c", "m", place)])[0].excerpt is None


def test_caret_is_below_the_column_on_a_terminal() -> None:
    """East Asian characters take two columns on a terminal, and tabs stay tabs."""
    lines = str(Diagnostic("c", "m", Place("f.yaml", 1, 5), excerpt="日本 {x}")).splitlines()
    assert lines[1:] == ["    日本 {x}", "          ^"]
    assert str(Diagnostic("c", "m", Place("f.yaml", 1, 3), excerpt="\ta b")).splitlines()[2] == "    \t ^"
    assert str(Diagnostic("c", "m", Place("f.yaml", 1, 5), excerpt="ab")).splitlines()[2] == "        ^"
