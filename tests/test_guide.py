"""The authoring guide, step by step: its files are written, its commands run, and their output is as shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_readme import OMITTED, Reader

DOCS = Path(__file__).resolve().parent.parent / "docs"
GUIDE, OVERLAYS, CARDS = DOCS / "guide.md", DOCS / "overlays.md", DOCS / "card_games.md"
MECHANISMS = DOCS / "mechanisms.md"
_FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"# ([\w./]+\.yaml)\n")


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    """A reader with an empty folder and `bicorne` on the path."""
    return Reader.at(tmp_path)


def test_guide_commands_print_what_it_shows(reader: Reader) -> None:
    """Every command of the guide, run in order on its files, prints what the guide shows."""
    files, commands = _follow(GUIDE, reader, typing=True)
    assert files >= 10
    assert commands >= 10


def test_overlay_page_commands_print_what_it_shows(reader: Reader) -> None:
    """The overlays of the page, applied to the guide's game, do what the page shows."""
    _follow(GUIDE, reader, typing=False)
    files, commands = _follow(OVERLAYS, reader, typing=True)
    assert (files, commands) == (4, 12)


def test_card_page_commands_print_what_it_shows(reader: Reader) -> None:
    """Every file of the page on card games is written, and its commands print what it shows."""
    files, commands = _follow(CARDS, reader, typing=True)
    assert (files, commands) == (8, 5)


def test_mechanisms_page_commands_print_what_it_shows(reader: Reader) -> None:
    """The game with blocks, cups and secret orders is sound, and its board shows what the page says."""
    assert _follow(MECHANISMS, reader, typing=True) == (3, 3)


def _follow(page: Path, reader: Reader, *, typing: bool) -> tuple[int, int]:
    """Writes the files of a page and types its commands; returns the number of both."""
    files = commands = 0
    for language, body in _FENCED.findall(page.read_text(encoding="utf-8")):
        if language == "yaml":
            _write(body, reader)
            files += 1
            continue
        assert language == "console", language
        for typed in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:] if typing else ():
            _type(typed, reader)
            commands += 1
    return files, commands


def _write(body: str, reader: Reader) -> None:
    name = _NAMED.match(body)
    assert name is not None, f"a file without its name:\n{body}"
    path = reader.folder / name[1]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(body, encoding="utf-8")


def _type(typed: str, reader: Reader) -> None:
    command, _, shown = typed.partition("\n")
    done = reader.type(command)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    lines = ["(?:.*\n)*?" if line == OMITTED else f"{re.escape(line)}\n" for line in shown.splitlines()]
    assert re.fullmatch("".join(lines) + r"\n?", done.stdout), f"$ {command}\n{done.stdout}"
