"""`bicorne simulate`: tables, JSON, files that are continued, and wrong usage."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from processes import DEADLINE, started

from interpreter.cli.commands.simulate import _speed
from interpreter.cli.main import main

CAMPAIGN = "fin_napoleon/campaign"


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["simulate", *arguments])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_workers_do_not_change_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    """The JSON output of one process and of two is the same text."""
    one = _run(capsys, CAMPAIGN, "--games", "12", "--workers", "1", "--json")
    two = _run(capsys, CAMPAIGN, "--games", "12", "--workers", "2", "--json")
    assert one == two
    data = json.loads(one[1])
    assert data["games"] == 12
    assert sum(each["games"] for each in data["outcomes"]) == 12


def test_head_names_the_players(capsys: pytest.CaptureFixture[str]) -> None:
    """The head of the table names the players."""
    code, out, _ = _run(capsys, CAMPAIGN, "--games", "1", "--seat", "french=greedy")
    assert code == 0
    assert "1 game, french greedy, all others random" in out


@pytest.mark.parametrize("players", [(), ("--seat", "french=greedy")], ids=["random", "greedy"])
def test_invariants_are_tested_on_request(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, players: tuple[str, ...]
) -> None:
    """With `--invariants` the games are the same, and one that breaks an invariant is named by its seed."""
    overlay = tmp_path / "broken.yaml"
    overlay.write_text("overlay: {id: broken, for: fin_napoleon}\ninvariants: {early: {is: turn < 2}}\n")
    command = (CAMPAIGN, "--games", "1", "--seed", "7", *players)
    assert _run(capsys, *command, "--json") == _run(capsys, *command, "--json", "--invariants")
    assert _run(capsys, *command, "--with", str(overlay))[0] == 0
    code, out, err = _run(capsys, *command, "--with", str(overlay), "--invariants")
    assert (code, "the invariant 'early' does not hold" in err + out, "'--seed 7/0'" in err + out) == (1, True, True)


def test_existing_file_is_extended(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Games in the file are not played again; more games are added."""
    file = tmp_path / "games.jsonl"
    _run(capsys, CAMPAIGN, "--games", "3", "--out", str(file))
    first = file.read_text()
    code, out, _ = _run(capsys, CAMPAIGN, "--games", "5", "--out", str(file))
    assert code == 0
    assert "5 games" in out
    assert file.read_text().startswith(first)
    assert len(file.read_text().splitlines()) == 6


@pytest.mark.parametrize(
    ("games", "seconds", "text"),
    [
        (0, 0.5, []),
        (300, 2.0, ["150 games a second"]),
        (3, 2.0, ["2 games a second"]),
        (2, 2.0, ["1.0 s a game"]),
        (10, 111.0, ["11.1 s a game"]),
    ],
)
def test_speed_has_a_unit_above_one(games: int, seconds: float, text: list[str]) -> None:
    """The speed is in games a second, or in seconds a game if a game takes longer than a second."""
    assert _speed(games, seconds) == text


def test_only_new_games_have_a_speed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The speed counts only games that are played now."""
    arguments = (CAMPAIGN, "--games", "2", "--out", str(tmp_path / "games.jsonl"))
    assert not _run(capsys, *arguments)[1].splitlines()[-1].endswith("decisions a game")
    assert _run(capsys, *arguments)[1].splitlines()[-1].endswith("decisions a game")


def test_table_leaves_no_partial_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """CSV is written when all games are played; an existing file is not overwritten."""
    pytest.importorskip("pyarrow")
    file = tmp_path / "games.csv"
    assert _run(capsys, CAMPAIGN, "--games", "2", "--out", str(file))[0] == 0
    assert [each.name for each in tmp_path.iterdir()] == ["games.csv"]
    code, _, err = _run(capsys, CAMPAIGN, "--games", "2", "--out", str(file))
    assert (code, "exists; choose another path" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--out", "games.txt"], "expected one of .jsonl, .csv, .parquet"),
        (["--out", "nowhere/games.jsonl"], "there is no folder"),
        (["--seat", "frensh=greedy"], "did you mean 'french'"),
        (["--seat", "french=search:1s"], "give its budget as trials"),
        (["--compare"], "give one with --with FILE"),
        (["--cluster", "here:1", "--workers", "2"], "give --workers or --cluster, not both"),
        (["--games", "0"], "expected a whole number from 1 on"),
    ],
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    """The error names the wrong argument and what to do."""
    code, _, err = _run(capsys, CAMPAIGN, *arguments)
    assert code == 2
    assert said in err


def test_interrupt_keeps_finished_games(tmp_path: Path) -> None:
    """After an interrupt the finished games are in the file, and the same command continues."""
    file = tmp_path / "games.jsonl"
    command = [sys.executable, "-m", "interpreter.cli.main", "simulate", CAMPAIGN, "--games", "100000"]
    command += ["--workers", "2", "--out", str(file)]
    with started(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert _is_met(lambda: file.exists() and file.read_bytes().count(b"\n") > 5)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate()
    assert process.returncode == 130
    assert b"and saved to" in err
    assert b"Traceback" not in err
    kept = file.read_text().splitlines()
    assert len(kept) > 5
    assert all(line.endswith("]") for line in kept[1:])


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("begun", [True, False], ids=["at work", "beginning"])
def test_workers_end_with_their_killed_parent(tmp_path: Path, *, begun: bool) -> None:
    """A killed simulation leaves no worker behind, not even one that has just started."""
    file = tmp_path / "games.jsonl"
    command = [sys.executable, "-m", "interpreter.cli.main", "simulate", CAMPAIGN, "--games", "100000"]
    command += ["--workers", "2", "--out", str(file)]
    quiet = subprocess.DEVNULL
    with started(command, stderr=quiet, stdout=quiet) as process:
        assert _is_met(lambda: len(_alive(process.pid)) > 2 and (not begun or file.read_bytes().count(b"\n") > 5))
        process.kill()
        process.wait()
        assert _is_met(lambda: not _alive(process.pid)), "a worker was left behind"


def _is_met(condition: Callable[[], bool]) -> bool:
    """Waits until a condition is met; returns whether it was met before the deadline."""
    until = time.monotonic() + DEADLINE
    while not (met := condition()) and time.monotonic() < until:
        time.sleep(0.05)
    return met


def _alive(group: int) -> list[int]:
    """Returns the running processes of a group."""
    found = []
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, of = each.read_text().rpartition(")")[2].split()[:3]
        except OSError:  # it has ended since
            continue
        if int(of) == group and state not in "ZX":
            found.append(int(each.parent.name))
    return found


SHORT = """\
overlay: {id: short, for: fin_napoleon}
patches: [{at: constants/turn_cap/value, expect: 200, set: 3}]
"""


@pytest.mark.parametrize(("name", "begins"), [("games.svg", b"<?xml"), ("games.png", b"\x89PNG")])
def test_results_are_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, begins: bytes) -> None:
    """The outcomes of games, of one set of rules or two, become the same chart each time."""
    pytest.importorskip("matplotlib")
    chart, overlay = tmp_path / name, tmp_path / "short.yaml"
    overlay.write_text(SHORT)
    command = (CAMPAIGN, "--games", "6", "--chart", str(chart))
    assert _run(capsys, *command)[0] == 0
    first = chart.read_bytes()
    assert first.startswith(begins)
    assert _run(capsys, *command, "--json")[0] == 0
    assert chart.read_bytes() == first
    assert _run(capsys, *command, "--compare", "--with", str(overlay))[0] == 0
    assert chart.read_bytes().startswith(begins)
    assert chart.read_bytes() != first


def test_wrong_chart_is_reported_before_play(capsys: pytest.CaptureFixture[str]) -> None:
    """A chart that can't be written is wrong usage, and nothing is played."""
    code, out, err = _run(capsys, CAMPAIGN, "--games", "6", "--chart", "games.pdf")
    assert (code, out) == (2, "")
    assert "a chart is written as .svg or .png" in err
