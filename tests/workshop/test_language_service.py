"""Tests of the language service: diagnostics of open files, hovers, definitions and completions."""

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
    """Opens a ruleset of two files in a workspace."""
    rules, more = tmp_path / "ruleset.yaml", tmp_path / "more.yaml"
    rules.write_text(RULES)
    more.write_text(MORE)
    workspace = Workspace()
    workspace.check(rules)
    return workspace, rules, more


def _at(text: str, words: str, into: int = 1) -> tuple[int, int]:
    """Returns the line and column of the character with offset `into` in some words."""
    before = text[: text.index(words) + into]
    return before.count("\n") + 1, len(before) - before.rfind("\n") - 1 + 1


def test_unsaved_mistakes_are_reported(files: tuple[Workspace, Path, Path]) -> None:
    """A mistake in one open file is reported in the file that it breaks, until it is corrected."""
    workspace, rules, more = files
    assert all(not each for each in workspace.check(rules).values())
    workspace.write(more, MORE.replace("reached:", "reeched:"))
    found = workspace.check(more)
    (fault,) = [each for each in found[rules] if each.severity == "error"]
    assert (fault.code, fault.place.line, fault.hint) == ("unknown-call", 14, "did you mean 'reeched'?")
    workspace.write(more, MORE)
    assert all(not each for each in workspace.check(more).values())
    workspace.write(more, "definitions: [")
    assert workspace.check(more)[more][0].code == "yaml"
    workspace.close(more)
    assert all(not each for each in workspace.check(more).values())


@pytest.mark.parametrize(
    ("words", "into", "expected"),
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
def test_hover_describes_names(files: tuple[Workspace, Path, Path], words: str, into: int, expected: str) -> None:
    """A hover shows a name's type with its clauses, or a clause's text."""
    workspace, rules, _ = files
    assert (workspace.hover(rules, *_at(RULES, words, into)) or "").startswith(expected)


def test_hover_describes_keys(files: tuple[Workspace, Path, Path]) -> None:
    """A hover shows the description of a key in the schema."""
    workspace, rules, _ = files
    assert (workspace.hover(rules, *_at(RULES, "takes:")) or "").startswith("`takes:` ")


def test_definitions_are_found_across_files(files: tuple[Workspace, Path, Path]) -> None:
    """A jump leads from a call to the definition in the other file, and to the attribute of a kind."""
    workspace, rules, more = files
    place = workspace.definition(rules, *_at(RULES, "reached(side)"))
    assert place is not None
    assert (Path(place.file), place.line) == (more, 4)
    place = workspace.definition(rules, *_at(RULES, "side.points +=", 7))
    assert place is not None
    assert (Path(place.file), place.line) == (rules, 4)
    assert workspace.definition(rules, 1, 3) is None


def _labels(workspace: Workspace, path: Path, text: str, marked: str) -> set[str]:
    """Returns the completions at the mark `¦` in a text."""
    workspace.write(path, text.replace(marked, marked.replace("¦", "")))
    line, column = _at(text, marked, marked.index("¦"))
    return {each.label for each in workspace.suggest(path, line, column + 1)}


@pytest.mark.parametrize(
    ("old", "new", "has", "lacks"),
    [
        ("set side.points += by", "set side.¦", {"points", "foe"}, {"goal", "procedures"}),
        ("if reached(side)", "if re¦", {"reached", "goal", "gain", "red", "fast", "sides", "if", "win"}, {"points"}),
        ("@1.2", "@¦", {"1.2"}, {"goal"}),
        ("cite: 1.2", "cite: ¦", {"1.2"}, {"goal"}),
        ("    takes: {side: side, by: int}", "    ¦", {"takes", "cite", "gives", "do", "outcomes"}, {"points"}),
        ("sequence:", "¦", {"tables", "options", "modifiers"}, {"gain", "takes"}),
    ],
)
def test_completions(files: tuple[Workspace, Path, Path], old: str, new: str, has: set[str], lacks: set[str]) -> None:
    """Completions are attributes after a dot, clauses in citations, keys among keys, names in rule text."""
    workspace, rules, _ = files
    found = _labels(workspace, rules, RULES.replace(old, new), new)
    assert has <= found
    assert not lacks & found


def test_file_without_a_ruleset_is_ignored(tmp_path: Path) -> None:
    """A file outside every ruleset has no mistakes, hovers or definitions."""
    workspace = Workspace()
    path = tmp_path / "other.yaml"
    workspace.write(path, "some: {thing: 1}\n")
    assert workspace.check(path) == {path: []}
    assert workspace.hover(path, 1, 2) is None
    assert workspace.definition(path, 1, 2) is None
