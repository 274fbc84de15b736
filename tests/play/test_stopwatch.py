"""How long rules have been at work: the processor's time, without collections, of a machine that is not slow."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from itertools import accumulate

import pytest

from interpreter.play import stopwatch
from interpreter.play.stopwatch import Stopwatch, slowness


class Clock:
    """Stands still unless it is set forward."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    """The clock of the processor and on the wall."""
    made = Clock()
    monkeypatch.setattr(stopwatch, "process_time", made)
    monkeypatch.setattr(stopwatch, "perf_counter", made)
    was_on = gc.isenabled()
    gc.disable()
    yield made
    if was_on:
        gc.enable()


def test_it_shows_what_has_passed(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was on it at the start counts; the time itself is still within the limit."""
    monkeypatch.setattr(stopwatch, "slowness", lambda: 1.0)
    seen = Stopwatch(before=2.0)
    clock.now += 3
    assert not seen.shows(5)
    clock.now += 1
    assert seen.shows(5)


def test_collecting_all_garbage_does_not_count(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each collection as much as one more takes, which itself is off the clock; one of the young objects does count."""

    def takes_ten(phase: str, info: Mapping[str, int]) -> None:
        clock.now += 10 * (phase == "stop")

    monkeypatch.setattr(stopwatch, "slowness", lambda: 1.0)
    seen = Stopwatch()
    gc.freeze()  # what other tests left behind need not be looked through
    gc.callbacks.insert(0, takes_ten)
    try:
        gc.collect()
        gc.collect()
        clock.now += 5
        assert not seen.shows(5)
        assert clock.now == 35
        clock.now += 1
        assert seen.shows(5)
        assert not seen.shows(6)
        gc.collect(0)
        assert seen.shows(6)
    finally:
        gc.callbacks.remove(takes_ten)
        gc.unfreeze()


def test_a_slow_machine_has_longer(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that needs three times as long for a little work may take three times as long for the rules."""
    monkeypatch.setattr(stopwatch, "slowness", lambda: 3.0)
    seen = Stopwatch()
    clock.now += 5
    assert not seen.shows(2)
    clock.now += 2
    assert seen.shows(2)


@pytest.mark.parametrize(("machine", "found"), [(0.001, 1), (0.00525, 1.5), (0.1, 2)])
def test_how_slow_a_machine_is(machine: float, found: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The quickest of three counts; a fast one isn't held to less time, and however slow it is, there is an end."""
    readings = accumulate([0.0, machine + 1, 0.0, machine, 0.0, machine + 2])
    monkeypatch.setattr(stopwatch, "process_time", lambda: next(readings))
    assert slowness() == pytest.approx(found)
