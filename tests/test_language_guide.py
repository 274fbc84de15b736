"""Tests of the guide to the rule language: its examples hold, its mistakes get the reports that it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from doc_blocks import GUIDE, Block, blocks, write_guide, wrong

from interpreter.language.diagnostics import Diagnostic
from interpreter.language.parsing import parse
from interpreter.language.parsing.build_statements import Builder
from interpreter.language.parsing.lalr_tables import load_tables
from interpreter.rules.loading.load import check_ruleset
from interpreter.workshop.examples.run_examples import run_examples


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_guide(tmp_path_factory.mktemp("guide"))


def test_guide_is_a_valid_ruleset(guide: Path) -> None:
    """The guide's ruleset has no mistakes, but entries may be unused."""
    assert [str(each) for each in check_ruleset(guide) if not each.code.startswith("unused-")] == []


def test_guide_examples_hold(guide: Path) -> None:
    """Every value, sequence of events and offer that the guide claims is true."""
    reports = run_examples(str(guide))
    assert len(reports) > 25
    assert [str(each) for each in reports if not each.passed] == []


@pytest.mark.parametrize("block", blocks("wrong"), ids=lambda each: f"line {each.line}")
def test_mistake_gets_the_report_in_the_guide(block: Block, tmp_path: Path) -> None:
    """A fragment added to the guide is refused with the code and the words in its last line, at a place in it."""
    fragment, code, piece = wrong(block)
    found = check_ruleset(write_guide(tmp_path, fragment))
    here = [each for each in found if each.place.file.endswith(f"part_{len(blocks('yaml')) + 1}.yaml")]
    assert any(_says(each, code, piece) for each in here), "\n".join(map(str, found))
    assert [each for each in found if each.severity == "error" and each not in here] == []


def _says(diagnostic: Diagnostic, code: str, piece: str) -> bool:
    return diagnostic.code == code and piece in f"{diagnostic.message} {diagnostic.hint}"


# ---------------------------------------------------------------- completeness
@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """Records the rules of the grammar that are used in parsing."""
    names: set[str] = set()

    def recording(name: str, make: Any) -> Any:
        @wraps(make)
        def recorded(*parts: Any) -> Any:
            names.add(name)
            return make(*parts)

        return recorded

    for rule in load_tables().rules:
        if rule.make is not None and not hasattr(getattr(Builder, rule.make), "__wrapped__"):
            monkeypatch.setattr(Builder, rule.make, recording(rule.make, getattr(Builder, rule.make)))
    parse._parser.cache_clear()
    yield names
    parse._parser.cache_clear()


def test_guide_uses_every_grammar_rule(guide: Path, made: set[str]) -> None:
    """Each rule and alias of the grammar that builds a node is used in the text of the guide's ruleset."""
    check_ruleset(guide)
    run_examples(str(guide))
    assert {rule.make for rule in load_tables().rules if rule.make is not None} - made == set()


def test_guide_uses_every_keyword(guide: Path) -> None:
    """Each word of the grammar occurs in the guide's ruleset."""
    text = " ".join([each.text for each in blocks("yaml")])
    assert [word for word in load_tables().words if not re.search(rf"\b{word}\b", text)] == []


CODE = re.compile(r"""\b(?:error|warn|Diagnostic|_warning|_?fault)\(\s*"([a-z]+(?:-[a-z]+)*)",""")


def test_guide_explains_every_checker_code() -> None:
    """The guide lists each code that the parser, the checker and the check of words report, and no other."""
    folder = Path(parse.__file__).parents[1]
    sources = [*folder.glob("checking/**/*.py"), *folder.glob("parsing/*.py")]
    sources.append(folder.parent / "workshop" / "coverage" / "missing_words.py")
    text = "".join([path.read_text("utf-8") for path in sources])
    codes = {*CODE.findall(text), "asks-inside"}
    table = GUIDE.read_text(encoding="utf-8").partition("## What the checker says")[2]
    rows = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
    explained = {code for row in rows for code in re.findall(r"`([a-z-]+)`", row)}
    assert sorted(codes - explained) == []
    assert [code for code in sorted(explained) if f'"{code}"' not in text] == []
