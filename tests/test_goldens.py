"""What an author sees: each mistake in `tests/goldens/*.txt` is told as it stands there, to the letter.

`BICORNE_GOLDENS=write pytest tests/test_goldens.py` writes what is printed now into these files; read the difference.
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "goldens"))

from golden_cases import BASE, Case, groups, read, write

from interpreter.cli.main import main
from interpreter.language.diagnostics import RuleFault, RulesetError
from interpreter.play.engine.budget import Budget
from interpreter.play.game import Game
from interpreter.rules.documents.source_excerpts import with_excerpts
from interpreter.rules.loading.load import load_ruleset

WRITING = os.environ.get("BICORNE_GOLDENS") == "write"
CASES = [each for group in groups() for each in read(group)]


def printed(case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """What the case's command prints, in the folder of the spoilt ruleset."""
    case.spoil(folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("BICORNE_CACHE", "off")
    if case.command == "play":
        monkeypatch.setattr(Budget.__init__, "__defaults__", (50_000, 60.0))
        return fault_of_play(folder)
    main([case.command, "."])
    out = capsys.readouterr()
    return (out.out + out.err).strip("\n")


def fault_of_play(folder: Path) -> str:
    """What is said when the game is begun and its first options are taken until a rule goes wrong."""
    try:
        game = Game(load_ruleset(folder), seed=1, checked=True)
        while game.decision is not None:
            game.choose_index(0)
    except (RuleFault, RulesetError) as fault:
        found = fault.diagnostics if isinstance(fault, RulesetError) else [fault.diagnostic]
        return "\n".join(map(str, with_excerpts(found)))
    return "no fault"


def test_the_base_is_sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a mistake nothing is found, so that what a case prints comes of its own mistake alone."""
    monkeypatch.setenv("BICORNE_CACHE", "off")
    assert main(["check", str(BASE)]) == 0
    assert capsys.readouterr().out == "1 ruleset and 1 scenario checked: nothing wrong\n"
    assert main(["test", str(BASE)]) == 0


def test_there_are_enough_mistakes() -> None:
    """There are more than a hundred mistakes, each under a name of its own."""
    assert len({(each.group, each.name) for each in CASES}) == len(CASES) > 100


def test_every_mistake_is_told() -> None:
    """No case is let through: each shows a finding at a place, and the file, line and column of it."""
    place = re.compile(r"^\S+\.yaml:\d+:\d+: (error|warning)\[[a-z-]+\]: ", re.MULTILINE)
    assert [each.name for each in CASES if not place.search(each.said)] == []


@pytest.mark.skipif(WRITING, reason="the goldens are being written")
@pytest.mark.parametrize("case", CASES, ids=[f"{each.group}: {each.name}" for each in CASES])
def test_mistake(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The mistake is told where it stands, with what was expected and what to do, and nothing else is told."""
    assert printed(case, tmp_path / "guide", monkeypatch, capsys) == case.said


@pytest.mark.skipif(not WRITING, reason="goldens are written on purpose only: BICORNE_GOLDENS=write")
@pytest.mark.parametrize("group", groups())
def test_write_what_is_printed_now(
    group: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Writes what is printed now."""
    cases = read(group)
    said = [printed(each, tmp_path / str(n) / "guide", monkeypatch, capsys) for n, each in enumerate(cases)]
    write(group, [replace(each, said=text) for each, text in zip(cases, said, strict=True)])
    assert [each.said for each in read(group)] == said
