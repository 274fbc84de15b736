"""What is said of games under other rules: each overlay in `partings.txt`, and what `replay` prints, to the letter.

Of eight random games of the starter ruleset the first that parts from its record is shown. After a change
`BICORNE_GOLDENS=write pytest tests/cli/test_cli_partings.py` writes what is printed now; read the difference.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from interpreter.cli.main import main

GOLDEN = Path(__file__).parent / "partings.txt"
WRITING = os.environ.get("BICORNE_GOLDENS") == "write"
SEEDS = range(1, 9)


def cases() -> list[tuple[str, str, str]]:
    """The name of each case, its patches, what is said."""
    found = []
    for part in GOLDEN.read_text("utf-8").split("=== ")[1:]:
        name, _, body = part.partition("\n")
        patches, _, said = body.partition("---\n")
        found.append((name, patches.strip("\n"), said.strip("\n")))
    return found


CASES = cases()


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the starter ruleset and games of it."""
    folder = tmp_path_factory.mktemp("games")
    assert main(["new", "ruleset", "made", "--into", str(folder)]) == 0
    for seed in SEEDS:
        save = folder / f"{seed}.save"
        assert main(["play", str(folder / "made"), "--seed", str(seed), "--quiet", "--save", str(save)]) == 0
    return folder


def said_of(patches: str, games: Path, bicorne: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> str:
    """What is printed of the first game that parts, or of the last."""
    monkeypatch.chdir(games)
    Path("case.yaml").write_text(f"overlay: {{id: case, for: made}}\npatches:\n{indent(patches, '  ')}\n", "utf-8")
    for seed in SEEDS:
        told = bicorne("replay", f"{seed}.save", "--with", "case.yaml", "--path", ".")
        if told.code:
            break
    assert told.code in (0, 1)
    return str((told.out + told.err).strip("\n"))


@pytest.mark.parametrize(("name", "patches", "said"), CASES, ids=[each[0] for each in CASES])
def test_it_is_said_where_games_part_and_why(
    name: str, patches: str, said: str, games: Path, bicorne: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the game parts, what was and what is, the reading that gave another answer, the change that made it."""
    assert WRITING or said_of(patches, games, bicorne, monkeypatch) == said, name


@pytest.mark.skipif(not WRITING, reason="goldens are written on purpose only: BICORNE_GOLDENS=write")
def test_write_what_is_printed_now(games: Path, bicorne: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Writes the file anew."""
    found = [(name, patches, said_of(patches, games, bicorne, monkeypatch)) for name, patches, _ in CASES]
    GOLDEN.write_text("\n\n".join([f"=== {a}\n{b}\n---\n{c}" for a, b, c in found]) + "\n", "utf-8")
    assert [each[2] for each in cases()] == [each[2] for each in found]
