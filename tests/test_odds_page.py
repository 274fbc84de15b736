"""The page about exact odds: the program prints the odds that the page shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.cli.main import main

PAGE = Path(__file__).parents[1] / "docs" / "odds.md"
OMITTED = "…"


TEXT = PAGE.read_text(encoding="utf-8")
COMMANDS = re.findall(r"```console\n\$ bicorne (.*?)\n```", TEXT, re.DOTALL)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.partition("\n")[0])
def test_page_shows_program_output(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A reader who writes the page's files and runs one of its commands sees its figures."""
    files = dict(re.findall(r"```yaml\n# (\S+)\n(.*?)```", TEXT, re.DOTALL))
    for name, situation in files.items():
        (tmp_path / name).write_text(situation, encoding="utf-8")
    line, _, shown = command.partition("\n")
    assert main([str(tmp_path / each) if each in files else each for each in line.split()]) == 0
    lines = ["(?:.*\n)*?" if line == OMITTED else f"{re.escape(line)}\n" for line in shown.splitlines()]
    assert re.fullmatch("".join(lines) + r"\n?", capsys.readouterr().out)
