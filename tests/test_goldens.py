"""Each mistake in `tests/goldens/*.txt` is reported to the author with exactly the text in these files.

`BICORNE_GOLDENS=write pytest tests/test_goldens.py` writes the current output to these files; read the difference.
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
    """Returns the output of the case's command in the folder of the changed ruleset."""
    case.write_mistake(folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("BICORNE_CACHE", "off")
    if case.command == "play":
        monkeypatch.setattr(Budget.__init__, "__defaults__", (50_000, 60.0))
        return fault_of_play(folder)
    main([case.command, "."])
    out = capsys.readouterr()
    return (out.out + out.err).strip("\n")


def fault_of_play(folder: Path) -> str:
    """Plays the first option of each decision until a rule faults, and returns the formatted fault."""
    try:
        game = Game(load_ruleset(folder), seed=1, checked=True)
        while game.decision is not None:
            game.choose_index(0)
    except (RuleFault, RulesetError) as fault:
        found = fault.diagnostics if isinstance(fault, RulesetError) else [fault.diagnostic]
        return "\n".join(map(str, with_excerpts(found)))
    return "no fault"


def test_base_is_sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The base ruleset has no errors, so that the output of a case is caused by its own mistake alone."""
    monkeypatch.setenv("BICORNE_CACHE", "off")
    assert main(["check", str(BASE)]) == 0
    assert capsys.readouterr().out == "1 ruleset and 1 scenario checked: nothing wrong\n"
    assert main(["test", str(BASE)]) == 0


def test_goldens_have_over_a_hundred_cases() -> None:
    """There are more than a hundred mistakes, each with a unique name."""
    assert len({(each.group, each.name) for each in CASES}) == len(CASES) > 100


def test_every_mistake_is_reported_at_a_place() -> None:
    """The text of each case has a diagnostic with file, line and column."""
    place = re.compile(r"^\S+\.yaml:\d+:\d+: (error|warning)\[[a-z-]+\]: ", re.MULTILINE)
    assert [each.name for each in CASES if not place.search(each.output)] == []


@pytest.mark.skipif(WRITING, reason="the goldens are being written")
@pytest.mark.parametrize("case", CASES, ids=[f"{each.group}: {each.name}" for each in CASES])
def test_mistake_is_reported_as_in_its_golden(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The output of a mistake equals its golden text: place, message and hint, and nothing else."""
    assert printed(case, tmp_path / "guide", monkeypatch, capsys) == case.output


@pytest.mark.skipif(not WRITING, reason="goldens are written on purpose only: BICORNE_GOLDENS=write")
@pytest.mark.parametrize("group", groups())
def test_goldens_are_written(
    group: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Writes the current output to the goldens."""
    cases = read(group)
    outputs = [printed(each, tmp_path / str(n) / "guide", monkeypatch, capsys) for n, each in enumerate(cases)]
    write(group, [replace(each, output=text) for each, text in zip(cases, outputs, strict=True)])
    assert [each.output for each in read(group)] == outputs
