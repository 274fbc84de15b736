"""The page about exact odds: the program prints the odds that the page shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.cli.main import main

PAGE = Path(__file__).parents[1] / "docs" / "odds.md"
OMITTED = "…"


@pytest.mark.parametrize("number", [0, 1])
def test_page_shows_program_output(number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A reader who writes one of the page's files and runs its command sees its figures."""
    text = PAGE.read_text(encoding="utf-8")
    name, situation = re.findall(r"```yaml\n# (\S+)\n(.*?)```", text, re.DOTALL)[number]
    (tmp_path / name).write_text(situation, encoding="utf-8")
    command, _, shown = re.findall(r"```console\n\$ bicorne (.*?)\n```", text, re.DOTALL)[number].partition("\n")
    assert main([str(tmp_path / each) if each == name else each for each in command.split()]) == 0
    lines = ["(?:.*\n)*?" if line == OMITTED else f"{re.escape(line)}\n" for line in shown.splitlines()]
    assert re.fullmatch("".join(lines) + r"\n?", capsys.readouterr().out)
