"""Tracking hints: what changed in one computation is tracked from the start in the next one, with equal results."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from situations import SITUATIONS, Situation

from interpreter import odds
from interpreter.inference import odds as module
from interpreter.inference import situation_cache
from interpreter.inference.memo import tracking_hints
from interpreter.inference.memo.tracking import Hints, Tracker
from interpreter.inference.memo.tracking_hints import HintStore
from interpreter.rules.loading.cache import open_cache


@pytest.fixture
def trackers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Tracker]:
    """The trackers that are made; no hints are stored yet."""
    made: list[Tracker] = []

    def tracker(*arguments: Any) -> Tracker:
        made.append(Tracker(*arguments))
        return made[-1]

    factory: Callable[..., Any] = tracker
    monkeypatch.setenv("BICORNE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(situation_cache, "Tracker", factory)
    monkeypatch.setattr(module, "_HINTS", HintStore())
    monkeypatch.setattr(module, "_CACHES", {})
    return made


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda each: f"{each.example}")
@pytest.mark.parametrize("anew", [False, True], ids=["another world", "another start"])
def test_hints_change_no_odds(
    situation: Situation, trackers: list[Tracker], anew: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The odds are equal with hints from another world and from another start of the program; so is what is tracked."""
    first = odds(situation.loaded, situation.procedure, situation.given)
    module._CACHES.clear()
    if anew:
        monkeypatch.setattr(module, "_HINTS", HintStore())
    second = odds(situation.loaded, situation.procedure, situation.given)
    assert second.rows == first.rows
    before, after = [set(map(str, [*each.hints()[0], *each.hints()[1]])) for each in trackers]
    assert before == after


@pytest.mark.parametrize(
    "text",
    [b"", b"\xff", b"{}", b"[]", b"[[], [], []]", b"[[1], []]", b'[[["unit/a", null]], []]', b'[[], [["a", 1]]]'],
)
def test_other_entries_hold_no_hints(trackers: list[Tracker], text: bytes) -> None:
    """A cache entry that holds no hints is taken for a missing one."""
    cache = open_cache()
    assert cache is not None
    cache.write(tracking_hints._key("rules", "fight"), text)
    assert HintStore().of("rules", "fight") == ([], [])


def test_hints_survive_a_restart(trackers: list[Tracker]) -> None:
    """All names are read back; another ruleset or procedure has none."""
    hints: Hints = [("unit/a", "a_steps")], [("hex/b", "unit"), ("hex/b", None)]
    module._HINTS.update("rules", "fight", hints)
    assert HintStore().of("rules", "fight") == hints
    assert HintStore().of("rules", "march") == HintStore().of("others", "fight") == ([], [])


def test_damaged_hints_are_ignored(trackers: list[Tracker], tmp_path: Path) -> None:
    """Hints that cannot be read are empty."""
    module._HINTS.update("rules", "fight", ([("unit/a", "a_steps")], []))
    [entry] = (tmp_path / "cache").iterdir()
    entry.write_bytes(entry.read_bytes()[:-1])
    assert HintStore().of("rules", "fight") == ([], [])


def test_hints_skip_missing_things(trackers: list[Tracker]) -> None:
    """Names of another situation are skipped."""
    situation = SITUATIONS[0]
    others = [("unit/of_another", "a_steps")], [("hex/none", "unit")]
    module._HINTS.update(situation.loaded.hash, situation.procedure, others)
    assert odds(situation.loaded, situation.procedure, situation.given).rows
    [tracker] = trackers
    assert all("of_another" not in ref for ref, _ in tracker.hints()[0])


def test_too_many_hints_are_dropped(trackers: list[Tracker], monkeypatch: pytest.MonkeyPatch) -> None:
    """A hint with too many names becomes empty."""
    situation = SITUATIONS[-1]
    monkeypatch.setattr(tracking_hints, "_MAX_NAMES", 0)
    odds(situation.loaded, situation.procedure, situation.given)
    assert trackers[0].hints()[0]
    assert module._HINTS.of(situation.loaded.hash, situation.procedure) == ([], [])
