"""Includes are followed inside the ruleset's folder only, and sections of several files are taken together."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.language.diagnostics import Diagnostic, Place, RulesetError, UsageError
from interpreter.rules.documents.document_set import DocumentSet, read_ruleset, read_scenario
from interpreter.rules.documents.nodes import as_written, plain
from interpreter.rules.documents.source_excerpts import WIDTH, with_excerpts

HEAD = "ruleset: {id: r, title: R, version: 1}\n"


def ruleset(folder: Path, text: str = "", **files: str) -> DocumentSet:
    """A ruleset of `ruleset.yaml` with `text` in it, and further files by stem; `a__b` stands for a/b."""
    (folder / "ruleset.yaml").write_text(HEAD + text, encoding="utf-8")
    for name, content in files.items():
        path = folder / (name.replace("__", "/") + ".yaml")
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return read_ruleset(folder)


def codes(documents: DocumentSet) -> list[tuple[str, str, int, int]]:
    return [(each.code, Path(each.place.file).name, each.place.line, each.place.column) for each in documents.faults]


def test_sections_are_joined_in_the_order_of_inclusion(tmp_path: Path) -> None:
    """A file stands before what it includes; entries and items keep the file they were written in."""
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
    assert [plain(each) for each in found.items("clauses")] == [{"id": 1}, {"id": 2}]
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
def test_includes_that_are_refused(tmp_path: Path, written: str, code: str) -> None:
    """No include leads out of the folder, by whatever way; each refusal stands at the include."""
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


def test_cycles_and_second_inclusions_are_shown(tmp_path: Path) -> None:
    """A cycle names its files, a second inclusion the first one; both are read but once."""
    found = ruleset(tmp_path, "include: [a.yaml, b.yaml, b.yaml]\n", a="include: [b.yaml]\n", b="include: [a.yaml]\n")
    cycle, twice, again = found.faults
    assert "a.yaml -> b.yaml -> a.yaml" in cycle.message
    assert (cycle.code, Path(cycle.place.file).name) == ("include-cycle", "b.yaml")
    assert (twice.code, again.code) == ("include-twice", "include-twice")
    assert f"{tmp_path / 'a.yaml'}:1:11" in twice.message


def test_a_misspelt_file_has_a_near_name(tmp_path: Path) -> None:
    """A file that isn't there is answered with the one that was meant."""
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
def test_a_name_given_twice_shows_both_places(tmp_path: Path, first: str, second: str, line: int) -> None:
    """What is given in two files is an error at the second, which shows where the first stands."""
    found = ruleset(tmp_path, "include: [a.yaml, b.yaml]\n", a=first, b=second)
    (fault,) = found.faults
    assert (fault.code, Path(fault.place.file).name, fault.place.line) == ("duplicate", "b.yaml", line)
    assert str(tmp_path / "a.yaml") in fault.message


@pytest.mark.parametrize("section", ["individuals", "pieces"])
def test_lists_by_kind_are_joined(tmp_path: Path, section: str) -> None:
    """Counters and individuals of one kind may be spread over files."""
    found = ruleset(tmp_path, "include: [a.yaml, b.yaml]\n", a=f"{section}: {{k: [a]}}\n", b=f"{section}: {{k: [b]}}\n")
    assert found.faults == []
    assert [plain(each.node) for each in found.entries(section)] == [["a"], ["b"]]


def test_the_parts_of_presentation_are_joined(tmp_path: Path) -> None:
    """Names of one kind may be spread over files."""
    one, other = "presentation: {names: {k: {a: x}}}\n", "presentation: {names: {k: {b: y}}, words: {w: z}}\n"
    found = ruleset(tmp_path, "include: [a.yaml, b.yaml]\n", a=one, b=other)
    assert found.faults == []


def test_faults_of_all_files_are_gathered(tmp_path: Path) -> None:
    """A file that can't be read doesn't hide the faults of the others."""
    found = ruleset(tmp_path, "include: [a.yaml, b.yaml, c.yaml]\n", a="x: [\n", b="- list\n", c="ruleset: {}\n")
    assert [each.code for each in found.faults] == ["yaml", "wrong-shape", "duplicate"]


def test_a_head_is_needed(tmp_path: Path) -> None:
    """`ruleset.yaml` must say which ruleset it is."""
    (tmp_path / "ruleset.yaml").write_text("state: {}\n")
    assert [each.code for each in read_ruleset(tmp_path).faults] == ["missing-key"]


def test_no_ruleset_is_said_clearly(tmp_path: Path) -> None:
    """A folder without `ruleset.yaml`, or no folder, is an error of usage."""
    with pytest.raises(UsageError, match=r"no ruleset\.yaml"):
        read_ruleset(tmp_path)
    with pytest.raises(UsageError, match="no folder"):
        read_ruleset(tmp_path / "missing")


def test_a_scenario_must_be_a_mapping(tmp_path: Path) -> None:
    """A list in place of a scenario is refused at its place."""
    path = tmp_path / "s.yaml"
    path.write_text("- a\n")
    with pytest.raises(RulesetError, match=r"s\.yaml:1:1: error\[wrong-shape\]"):
        read_scenario(path)


# ---------------------------------------------------------------- excerpts
def test_findings_get_their_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The source line and a caret under the column are shown, the file as seen from where one works."""
    (tmp_path / "f.yaml").write_text("a: 1\nb: wrong\n")
    monkeypatch.chdir(tmp_path)
    (found,) = with_excerpts([Diagnostic("c", "m", Place(str(tmp_path / "f.yaml"), 2, 4))])
    assert str(found) == "f.yaml:2:4: error[c]: m\n    b: wrong\n       ^"


def test_long_lines_are_cut_around_the_column(tmp_path: Path) -> None:
    """Of a long line the part around the column is shown, and the caret still points at it."""
    (tmp_path / "f.yaml").write_text("x" * 5_000 + "HERE" + "y" * 5_000)
    (found,) = with_excerpts([Diagnostic("c", "m", Place(str(tmp_path / "f.yaml"), 1, 5_001))])
    _, excerpt, caret = str(found).split("\n")
    assert len(excerpt) == WIDTH + 4
    assert excerpt[caret.index("^") :].startswith("HERE")


@pytest.mark.parametrize("place", [Place("<none>"), Place("gone.yaml", 3, 4), Place("<text>", 1, 1)])
def test_places_without_a_file_go_without(place: Place) -> None:
    """A finding whose file can't be read is shown without its line."""
    assert with_excerpts([Diagnostic("c", "m", place)])[0].excerpt is None


def test_the_caret_stands_below_the_place_on_a_terminal() -> None:
    """Signs of East Asian scripts take two columns there, tabs are left to be tabs."""
    told = str(Diagnostic("c", "m", Place("f.yaml", 1, 5), excerpt="日本 {x}")).splitlines()
    assert told[1:] == ["    日本 {x}", "          ^"]
    assert str(Diagnostic("c", "m", Place("f.yaml", 1, 3), excerpt="\ta b")).splitlines()[2] == "    \t ^"
    assert str(Diagnostic("c", "m", Place("f.yaml", 1, 5), excerpt="ab")).splitlines()[2] == "        ^"
