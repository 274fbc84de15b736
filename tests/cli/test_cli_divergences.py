"""The output of `replay` for games under other rules: the overlays in `divergences.txt` and the exact text.

Each case shows the first of eight random games of the starter ruleset that diverges from its record. After a change,
`BICORNE_GOLDENS=write pytest tests/cli/test_cli_divergences.py` writes the present output; read the difference.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from fuzzed_records import save_bytes, sound_record

from interpreter.cli.main import main

GOLDEN = Path(__file__).parent / "divergences.txt"
WRITING = os.environ.get("BICORNE_GOLDENS") == "write"
SEEDS = range(21, 29)


def cases() -> list[tuple[str, str, str]]:
    """Returns the name, patches and output of each case."""
    found = []
    for part in GOLDEN.read_text("utf-8").split("=== ")[1:]:
        name, _, body = part.partition("\n")
        patches, _, output = body.partition("---\n")
        found.append((name, patches.strip("\n"), output.strip("\n")))
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


def replay_output(patches: str, games: Path, bicorne: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> str:
    """Returns the output for the first game that diverges, or for the last game."""
    monkeypatch.chdir(games)
    Path("case.yaml").write_text(f"overlay: {{id: case, for: made}}\npatches:\n{indent(patches, '  ')}\n", "utf-8")
    for seed in SEEDS:
        ran = bicorne("replay", f"{seed}.save", "--with", "case.yaml", "--path", ".")
        if ran.code:
            break
    assert ran.code in (0, 1)
    return str((ran.out + ran.err).strip("\n"))


@pytest.mark.parametrize(("name", "patches", "output"), CASES, ids=[each[0] for each in CASES])
def test_replay_reports_where_and_why_games_diverge(
    name: str, patches: str, output: str, games: Path, bicorne: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It prints the point, what happened then and now, the first difference, and the change that caused it."""
    assert WRITING or replay_output(patches, games, bicorne, monkeypatch) == output, name


@pytest.mark.skipif(not WRITING, reason="goldens are written on purpose only: BICORNE_GOLDENS=write")
def test_write_golden_file(games: Path, bicorne: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Rewrites the golden file."""
    found = [(name, patches, replay_output(patches, games, bicorne, monkeypatch)) for name, patches, _ in CASES]
    GOLDEN.write_text("\n\n".join([f"=== {a}\n{b}\n---\n{c}" for a, b, c in found]) + "\n", "utf-8")
    assert [each[2] for each in cases()] == [each[2] for each in found]


def test_divergence_is_reported_in_the_language_of_the_replay(
    games: Path, bicorne: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Japanese nothing of the report is English, but what the ruleset and the change call things."""
    monkeypatch.chdir(games)
    patches = "  - {at: tables/stages_run/5..6, expect: 2, set: 1, cite: run.1}\n"
    Path("case.yaml").write_text(f"overlay: {{id: case, for: made}}\npatches:\n{patches}", "utf-8")
    ran = bicorne("replay", "21.save", "--with", "case.yaml", "--path", ".", "--language", "ja")
    assert ran.code == 1
    assert ran.out.splitlines()[:5] == [
        "21.save：1ステップ、ダイスと答え3件までは記録どおりで、その後：",
        "第1ターン、第2ステップ（race/rounds/turn）：ステップの後の状態が違う",
        "  記録：south runner：位置 brook",
        "  今回：south runner：位置 meadow",
        "最初の違い：tables/stages_run/5..6",
    ]
    assert "原因：" in ran.out


def test_mismatch_is_reported_in_the_language_of_the_replay(bicorne: Callable[..., Any], tmp_path: Path) -> None:
    """A save whose states are not those of its rules is reported in Japanese, too."""
    contents = sound_record("craps/standard", 6, "ann").contents
    contents["steps"][0][2] = "0" * 32
    path = tmp_path / "game.save"
    path.write_bytes(save_bytes(contents))
    ran = bicorne("replay", path, "--language", "ja")
    first = contents["steps"][0][0]
    assert (ran.code, ran.out) == (1, f"{path}：第1ステップ（{first}）の後が記録と違います：状態が異なります\n")
