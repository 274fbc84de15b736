"""`bicorne simulate`: tables, JSON, files that go on, and what it refuses."""

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

from interpreter.cli.commands.simulate import _pace
from interpreter.cli.main import main

CAMPAIGN = "fin_napoleon/campaign"


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["simulate", *arguments])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_the_same_table_with_any_number_of_workers(capsys: pytest.CaptureFixture[str]) -> None:
    """The JSON of one process and of two is the same text."""
    one = _run(capsys, CAMPAIGN, "--games", "12", "--workers", "1", "--json")
    two = _run(capsys, CAMPAIGN, "--games", "12", "--workers", "2", "--json")
    assert one == two
    data = json.loads(one[1])
    assert data["games"] == 12
    assert sum(each["games"] for each in data["outcomes"]) == 12


def test_players_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    """The head of the table says who played."""
    code, out, _ = _run(capsys, CAMPAIGN, "--games", "1", "--seat", "french=greedy")
    assert code == 0
    assert "1 game, french greedy, all others random" in out


def test_a_file_takes_more_games(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Games that are there are not played again; more are added."""
    file = tmp_path / "games.jsonl"
    _run(capsys, CAMPAIGN, "--games", "3", "--out", str(file))
    first = file.read_text()
    code, out, _ = _run(capsys, CAMPAIGN, "--games", "5", "--out", str(file))
    assert code == 0
    assert "5 games" in out
    assert file.read_text().startswith(first)
    assert len(file.read_text().splitlines()) == 6


@pytest.mark.parametrize(
    ("games", "seconds", "said"),
    [
        (0, 0.5, []),
        (300, 2.0, ["150 games a second"]),
        (3, 2.0, ["2 games a second"]),
        (2, 2.0, ["1.0 s a game"]),
        (10, 111.0, ["11.1 s a game"]),
    ],
)
def test_pace(games: int, seconds: float, said: list[str]) -> None:
    """Games by the second, or seconds by the game where one takes longer."""
    assert _pace(games, seconds) == said


def test_what_was_played_before_has_no_pace(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Only games that are played now are timed."""
    arguments = (CAMPAIGN, "--games", "2", "--out", str(tmp_path / "games.jsonl"))
    assert not _run(capsys, *arguments)[1].splitlines()[-1].endswith("decisions a game")
    assert _run(capsys, *arguments)[1].splitlines()[-1].endswith("decisions a game")


def test_a_table_leaves_nothing_beside_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """CSV is written when all are played; it is not written over."""
    pytest.importorskip("pyarrow")
    file = tmp_path / "games.csv"
    assert _run(capsys, CAMPAIGN, "--games", "2", "--out", str(file))[0] == 0
    assert [each.name for each in tmp_path.iterdir()] == ["games.csv"]
    code, _, err = _run(capsys, CAMPAIGN, "--games", "2", "--out", str(file))
    assert (code, "is there already" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--out", "games.txt"], "games are written as .jsonl, .csv, .parquet"),
        (["--out", "nowhere/games.jsonl"], "there is no folder"),
        (["--seat", "frensh=greedy"], "did you mean 'french'"),
        (["--seat", "french=search:1s"], "give its budget as trials"),
        (["--compare"], "lay one on by --with FILE"),
        (["--cluster", "here:1", "--workers", "2"], "give --workers or --cluster, not both"),
        (["--games", "0"], "a whole number from 1 on is needed"),
    ],
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    """Every wrong argument is named, with what to do."""
    code, _, err = _run(capsys, CAMPAIGN, *arguments)
    assert code == 2
    assert said in err


def test_an_interrupt_keeps_what_was_played(tmp_path: Path) -> None:
    """Interrupted, the games are kept, no worker is left behind, and the same command ends what was begun."""
    file = tmp_path / "games.jsonl"
    command = [sys.executable, "-m", "interpreter.cli.main", "simulate", CAMPAIGN, "--games", "100000"]
    command += ["--workers", "2", "--out", str(file)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True) as process:
        until = time.monotonic() + 60
        while time.monotonic() < until and (not file.exists() or file.read_bytes().count(b"\n") < 5):
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"and kept in" in err
    assert b"Traceback" not in err
    kept = file.read_text().splitlines()
    assert len(kept) > 5
    assert all(line.endswith("]") for line in kept[1:])


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is nothing that lists processes")
@pytest.mark.parametrize("begun", [True, False], ids=["at work", "beginning"])
def test_workers_end_with_the_process_that_was_killed(tmp_path: Path, *, begun: bool) -> None:
    """Killed without a chance to say so, it leaves no worker behind, not even one that was just begun."""
    file = tmp_path / "games.jsonl"
    command = [sys.executable, "-m", "interpreter.cli.main", "simulate", CAMPAIGN, "--games", "100000"]
    command += ["--workers", "2", "--out", str(file)]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stderr=quiet, stdout=quiet, start_new_session=True) as process:
        try:
            assert _in_time(
                60, lambda: len(_alive(process.pid)) > 2 and (not begun or file.read_bytes().count(b"\n") > 5)
            )
            process.kill()
            process.wait(10)
            assert _in_time(20, lambda: not _alive(process.pid)), "a worker was left behind"
        finally:
            for left in _alive(process.pid):
                os.kill(left, signal.SIGKILL)


def _in_time(seconds: float, done: Callable[[], bool]) -> bool:
    until = time.monotonic() + seconds
    while not (ready := done()) and time.monotonic() < until:
        time.sleep(0.05)
    return ready


def _alive(group: int) -> list[int]:
    """The processes of a group that have not ended."""
    found = []
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, of = each.read_text().rpartition(")")[2].split()[:3]
        except OSError:  # it has ended since
            continue
        if int(of) == group and state not in "ZX":
            found.append(int(each.parent.name))
    return found
