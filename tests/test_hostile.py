"""Rulesets that mean harm: refused at load or stopped at play, at a place, in bounded time and memory, no traceback.

What each takes is measured: `python tests/hostile/running.py`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "hostile"))

import running  # noqa: E402 - the path to it is set above
from cases import FAULTS, HARMLESS, REFUSED, Files, played  # noqa: E402

MEGABYTES = 300


def attempt(folder: Path, documents: Files) -> dict[str, Any]:
    """What came of the documents; the process is killed when it is not held in 20 seconds or 1.5 gigabytes."""
    found = running.attempt(folder, documents)
    assert found["megabytes"] < MEGABYTES, found
    assert all(len(message) < 20_000 for message, _ in found["messages"])
    return found


@pytest.mark.parametrize("name", REFUSED)
def test_refused_at_load(name: str, tmp_path: Path) -> None:
    """What can't be sound is refused before anything is played, and every finding says where it is."""
    found = attempt(tmp_path, REFUSED[name])
    assert found["outcome"] == "refused", found
    assert found["messages"]
    assert all(".yaml" in message for message, _ in found["messages"]), found


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("doubling_constants", "more than 5,000 parts"),
        ("doubling_texts", "more than 5,000 parts"),
        ("constants_2000_deep", "rests on too many others"),
        ("procedures_2000_deep", "rests on too many others"),
        ("definitions_2000_deep", "more than 50 one within the other"),
        ("kinds_400_deep", "more than 20 kinds stand above"),
        ("kinds_3000", "more than 500 entries in 'kinds'"),
        ("procedures_8000", "more than 3,000 entries in 'procedures'"),
        ("grids_in_all", "more than 50,000 places on grids"),
        ("counters_in_all", "more than 10,000 counters"),
    ],
)
def test_refused_for_what_is_too_much(name: str, said: str, tmp_path: Path) -> None:
    """What is refused for its size says so, and of the rest of the ruleset nothing else."""
    messages = attempt(tmp_path, REFUSED[name])["messages"]
    assert len(messages) == 1, messages
    assert said in messages[0][0]
    assert messages[0][1] > 1


@pytest.mark.parametrize("name", FAULTS)
def test_stopped_at_play(name: str, tmp_path: Path) -> None:
    """What runs away is stopped by a fault that names the line (or was seen through at load)."""
    found = attempt(tmp_path, FAULTS[name])
    assert found["outcome"] in {"fault", "refused"}, found
    assert all(line > 0 for _, line in found["messages"]), found


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless(name: str, tmp_path: Path) -> None:
    """Odd but lawful documents play like any other, or are refused at a line; no name reaches Python."""
    found = attempt(tmp_path, HARMLESS[name])
    assert found["outcome"] in {"played", "refused"}, found
    assert all(line > 0 for _, line in found["messages"]), found


def test_the_base_of_the_cases_is_sound(tmp_path: Path) -> None:
    """The ruleset that the cases are made from plays, so that a refusal is the doing of what was put into it."""
    assert attempt(tmp_path, played("set amount += 1"))["outcome"] == "played"
