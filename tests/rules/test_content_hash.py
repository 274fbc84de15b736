"""Digests of entries ignore the layout and the comments of rule texts, and nothing that has a meaning."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from interpreter.rules.documents.content_hash import entry_digests
from interpreter.rules.documents.document_set import read_ruleset

RULESET = """\
ruleset: {id: layout, version: 1.0.0}
kinds:
  card:
    is: thing
    procedures: {play: {takes: {by: seat}}}
individuals:
  card:
    march:
      says: |
        Two  blanks
      play: |
RULES
procedures:
  rest:
    do: |
RULES
"""
RULE = """\
if a > 1:
  log "b  c"
  set x = f(a, 2)   @2.1
stop
"""
SAME = (
    'if a>1:\n  log   "b  c"\n  set x = f(a,2) @2.1\nstop\n',
    'if a > 1:   # often\n\n      log "b  c"\n      set x = f(a,\n  2)      @2.1\n# at last\nstop\n',
)
OTHER = (
    RULE.replace("b  c", "b c"),
    RULE.replace("  set", "set"),
    RULE.replace("@2.1", "@2.2"),
    RULE.replace("a > 1", "a > 11"),
    RULE.replace("\nstop", "\n  stop"),
    RULE.replace("set x = f", "set x = # f"),
    RULE.replace("f(a", "fa"),
)


def digests_of(folder: Path, rule: str, old: str = "", new: str = "") -> dict[str, str]:
    """Returns the digests of the ruleset with this rule text, and with a part of the document replaced."""
    folder.mkdir()
    text = RULESET.replace("RULES", indent(rule, " " * 8).rstrip()).replace(old or "\0", new)
    (folder / "ruleset.yaml").write_text(text, encoding="utf-8")
    return entry_digests(read_ruleset(folder))


@pytest.mark.parametrize("rule", SAME)
def test_layout_of_a_rule_text_does_not_count(rule: str, tmp_path: Path) -> None:
    """Blanks, comments, empty lines, the depth of an indentation and breaks within brackets are layout."""
    assert digests_of(tmp_path / "other", rule) == digests_of(tmp_path / "one", RULE)


@pytest.mark.parametrize("rule", OTHER)
def test_tokens_of_a_rule_text_count(rule: str, tmp_path: Path) -> None:
    """Words, signs, texts in quotes, citations and the block that a line belongs to have a meaning."""
    one, other = digests_of(tmp_path / "one", RULE), digests_of(tmp_path / "other", rule)
    changed = {path for path in one if one[path] != other[path]}
    assert changed == {"individuals/card", "procedures/rest"}


def test_blanks_of_a_text_for_players_count(tmp_path: Path) -> None:
    """A text that is no rule text is shown as it is written."""
    one, other = digests_of(tmp_path / "one", RULE), digests_of(tmp_path / "other", RULE, "Two  blanks", "Two blanks")
    assert {path for path in one if one[path] != other[path]} == {"individuals/card"}
