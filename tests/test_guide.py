"""The authoring guide, done step by step: its files written, its commands run, their output as shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_readme import OMITTED, Reader

GUIDE = Path(__file__).resolve().parent.parent / "docs" / "guide.md"
_FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"# ([\w./]+\.yaml)\n")


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    """A reader with an empty folder and `bicorne` on the path."""
    return Reader.at(tmp_path)


def test_the_guide_holds_from_nothing_to_a_measured_variant(reader: Reader) -> None:
    """Every file and every command of it, in order."""
    files = commands = 0
    for language, body in _FENCED.findall(GUIDE.read_text(encoding="utf-8")):
        if language == "yaml":
            name = _NAMED.match(body)
            assert name is not None, f"a file without its name:\n{body}"
            path = reader.folder / name[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(body, encoding="utf-8")
            files += 1
            continue
        assert language == "console", language
        for typed in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
            command, _, shown = typed.partition("\n")
            done = reader.type(command)
            assert done.returncode == 0, done.stdout + done.stderr
            lines = ["(?:.*\n)*?" if line == OMITTED else f"{re.escape(line)}\n" for line in shown.splitlines()]
            assert re.fullmatch("".join(lines) + r"\n?", done.stdout), f"$ {command}\n{done.stdout}"
            commands += 1
    assert files >= 10
    assert commands >= 9
