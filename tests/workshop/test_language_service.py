"""What an editor is told: faults as they are written, meanings of words, names and keys that could stand there."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.workshop.editor.language_service import Workspace

RULES = """\
ruleset: {id: small, title: Small, version: 1.0.0}
include: [more.yaml]
kinds:
  side: {is: seat, members: [red, blue], has: {points: int = 0, foe: "side?"}}
  tempo: {is: enum, members: [slow, fast]}
clauses:
  - {id: "1.2", kind: rule, says: "Whoever gains three points wins."}
procedures:
  gain:
    cite: 1.2
    takes: {side: side, by: int}
    do: |
      set side.points += by
      if reached(side): win side     @1.2
sequence:
  game: {do: "gain(red, goal)"}
"""
MORE = """\
constants:
  goal: {value: 3, cite: 1.2}
definitions:
  reached: {takes: {side: side}, is: side.points >= goal}
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Workspace, Path, Path]:
    """A ruleset of two files, open at a desk."""
    rules, more = tmp_path / "ruleset.yaml", tmp_path / "more.yaml"
    rules.write_text(RULES)
    more.write_text(MORE)
    desk = Workspace()
    desk.check(rules)
    return desk, rules, more


def _at(text: str, words: str, into: int = 1) -> tuple[int, int]:
    """Line and column of some words, so many characters in."""
    before = text[: text.index(words) + into]
    return before.count("\n") + 1, len(before) - before.rfind("\n") - 1 + 1


def test_faults_of_what_is_not_saved(files: tuple[Workspace, Path, Path]) -> None:
    """A mistake in one open file shows in the file that it breaks; mended, it goes."""
    desk, rules, more = files
    assert all(not each for each in desk.check(rules).values())
    desk.write(more, MORE.replace("reached:", "reeched:"))
    found = desk.check(more)
    (fault,) = [each for each in found[rules] if each.severity == "error"]
    assert (fault.code, fault.place.line, fault.hint) == ("unknown-call", 14, "did you mean 'reeched'?")
    desk.write(more, MORE)
    assert all(not each for each in desk.check(more).values())
    desk.write(more, "definitions: [")
    assert desk.check(more)[more][0].code == "yaml"
    desk.close(more)
    assert all(not each for each in desk.check(more).values())


@pytest.mark.parametrize(
    ("words", "into", "said"),
    [
        ("gain(red, goal)", 1, "`procedure gain(side: side, by: int)`\n\n- **1.2** Whoever gains"),
        ("reached(side)", 3, "`definition reached(side: side) gives bool`"),
        ("side.points +=", 7, "`points: int — attribute of side`"),
        ("side.points +=", 1, "`side: side`"),
        ("@1.2", 2, "**1.2** Whoever gains three points wins."),
        ("cite: 1.2", 7, "**1.2** Whoever"),
        ("goal)", 1, "`constant goal: int`"),
        ("red, goal", 1, "`side red`"),
    ],
)
def test_hovers(files: tuple[Workspace, Path, Path], words: str, into: int, said: str) -> None:
    """A name's type with its clauses, or a clause's text."""
    desk, rules, _ = files
    assert (desk.hover(rules, *_at(RULES, words, into)) or "").startswith(said)


def test_a_key_says_what_it_is_for(files: tuple[Workspace, Path, Path]) -> None:
    """Keys are explained by the schema."""
    desk, rules, _ = files
    assert (desk.hover(rules, *_at(RULES, "takes:")) or "").startswith("`takes:` ")


def test_definitions_over_files(files: tuple[Workspace, Path, Path]) -> None:
    """From a call to the definition in the other file, and to the attribute of a kind."""
    desk, rules, more = files
    place = desk.definition(rules, *_at(RULES, "reached(side)"))
    assert place is not None
    assert (Path(place.file), place.line) == (more, 4)
    place = desk.definition(rules, *_at(RULES, "side.points +=", 7))
    assert place is not None
    assert (Path(place.file), place.line) == (rules, 4)
    assert desk.definition(rules, 1, 3) is None


def _labels(desk: Workspace, path: Path, text: str, marked: str) -> set[str]:
    """What is suggested at the mark `|` in a text."""
    desk.write(path, text.replace(marked, marked.replace("¦", "")))
    line, column = _at(text, marked, marked.index("¦"))
    return {each.label for each in desk.suggest(path, line, column + 1)}


@pytest.mark.parametrize(
    ("old", "new", "has", "lacks"),
    [
        ("set side.points += by", "set side.¦", {"points", "foe"}, {"goal", "procedures"}),
        ("if reached(side)", "if re¦", {"reached", "goal", "gain", "red", "fast", "sides", "if"}, {"points"}),
        ("@1.2", "@¦", {"1.2"}, {"goal"}),
        ("cite: 1.2", "cite: ¦", {"1.2"}, {"goal"}),
        ("    takes: {side: side, by: int}", "    ¦", {"takes", "cite", "gives", "do", "outcomes"}, {"points"}),
        ("sequence:", "¦", {"tables", "options", "modifiers"}, {"gain", "takes"}),
    ],
)
def test_suggestions(files: tuple[Workspace, Path, Path], old: str, new: str, has: set[str], lacks: set[str]) -> None:
    """Attributes after a dot, clauses where they are cited, keys where keys stand, names in rule text."""
    desk, rules, _ = files
    found = _labels(desk, rules, RULES.replace(old, new), new)
    assert has <= found
    assert not lacks & found


def test_a_file_of_no_ruleset(tmp_path: Path) -> None:
    """What belongs to no ruleset has no faults and no meanings."""
    desk = Workspace()
    path = tmp_path / "other.yaml"
    desk.write(path, "some: {thing: 1}\n")
    assert desk.check(path) == {path: []}
    assert desk.hover(path, 1, 2) is None
    assert desk.definition(path, 1, 2) is None
