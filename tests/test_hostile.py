"""Hostile rulesets are rejected at load or stopped in play, at a place, in bounded time and memory, with no traceback.

`python tests/hostile/runner.py` measures each of them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "hostile"))

import runner  # noqa: E402 - the path to it is set above
from cases import FAULTS, HARMLESS, REFUSED, Files, played  # noqa: E402

MAX_MEGABYTES = 300


def attempt(folder: Path, documents: Files) -> dict[str, Any]:
    """Returns the outcome of documents; the process is killed after 20 CPU seconds or at 1.5 gigabytes."""
    found = runner.attempt(folder, documents)
    assert found["megabytes"] < MAX_MEGABYTES, found
    assert all(len(message) < 20_000 for message, _ in found["messages"])
    return found


@pytest.mark.parametrize("name", REFUSED)
def test_bad_rulesets_are_rejected_at_load(name: str, tmp_path: Path) -> None:
    """A ruleset that can't be sound is rejected before it is played, and every diagnostic has a place."""
    found = attempt(tmp_path, REFUSED[name])
    assert found["outcome"] == "refused", found
    assert found["messages"]
    assert all(".yaml" in message for message, _ in found["messages"]), found


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("doubling_constants", "more than 5,000 parts"),
        ("doubling_texts", "more than 5,000 parts"),
        ("constants_2000_deep", "depends on too long a chain of other names"),
        ("procedures_2000_deep", "depends on too long a chain of other names"),
        ("definitions_2000_deep", "more than 50 nested calls of rules"),
        ("kinds_400_deep", "more than 20 kinds are above"),
        ("kinds_3000", "more than 500 entries in 'kinds'"),
        ("procedures_8000", "more than 3,000 entries in 'procedures'"),
        ("grids_in_all", "more than 50,000 places on grids"),
        ("layers_in_all", "more than 200,000 cells in grids"),
        ("counters_in_all", "more than 10,000 counters"),
    ],
)
def test_oversized_rulesets_get_one_diagnostic(name: str, message: str, tmp_path: Path) -> None:
    """A ruleset that exceeds a limit gets a single diagnostic, about this limit."""
    messages = attempt(tmp_path, REFUSED[name])["messages"]
    assert len(messages) == 1, messages
    assert message in messages[0][0]
    assert messages[0][1] > 1


def test_findings_have_a_limit(tmp_path: Path) -> None:
    """Of a hundred thousand findings the first thousand are reported, and how many there are besides."""
    messages = attempt(tmp_path, REFUSED["layer_of_wrong_marks"])["messages"]
    assert len(messages) == 1_001
    assert "99,000 further findings not shown" in messages[-1][0]


@pytest.mark.parametrize("name", FAULTS)
def test_runaway_rules_are_stopped(name: str, tmp_path: Path) -> None:
    """A runaway rule is stopped by a fault with its line, or rejected at load."""
    found = attempt(tmp_path, FAULTS[name])
    assert found["outcome"] in {"fault", "refused"}, found
    assert all(line > 0 for _, line in found["messages"]), found


@pytest.mark.parametrize("name", HARMLESS)
def test_odd_rulesets_play_or_are_rejected(name: str, tmp_path: Path) -> None:
    """Odd but valid documents play like any other or are rejected at a line; no name reaches Python."""
    found = attempt(tmp_path, HARMLESS[name])
    assert found["outcome"] in {"played", "refused"}, found
    assert all(line > 0 for _, line in found["messages"]), found


def test_base_of_the_cases_is_sound(tmp_path: Path) -> None:
    """The ruleset that the cases are derived from plays, so that a rejection is caused by the case."""
    assert attempt(tmp_path, played("set amount += 1"))["outcome"] == "played"
