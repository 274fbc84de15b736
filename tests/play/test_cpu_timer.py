"""The CPU time of rules: without full garbage collections, relative to the speed of the machine."""

from __future__ import annotations

import gc
from itertools import accumulate

import pytest

from interpreter.play.engine import cpu_timer
from interpreter.play.engine.cpu_timer import CpuTimer, slowdown


class Clock:
    """A clock that changes only by assignment."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A fake CPU clock and wall clock."""
    fake = Clock()
    monkeypatch.setattr(cpu_timer, "process_time", fake)
    monkeypatch.setattr(cpu_timer, "perf_counter", fake)
    return fake


def test_timer_counts_start_value(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The start value counts; a time equal to the limit is within it."""
    monkeypatch.setattr(cpu_timer, "slowdown", lambda: 1.0)
    monkeypatch.setattr(cpu_timer, "_full_collections", lambda: 0)
    timer = CpuTimer(before=2.0)
    clock.now += 3
    assert not timer.has_exceeded(5)
    clock.now += 1
    assert timer.has_exceeded(5)


def test_full_collection_grants_half_the_limit_once(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it took; a partial collection or a second full one grants nothing."""
    monkeypatch.setattr(cpu_timer, "slowdown", lambda: 1.0)
    happened = 7
    monkeypatch.setattr(cpu_timer, "_full_collections", lambda: happened)
    timer = CpuTimer()
    happened += 1
    clock.now += 1_000
    assert not timer.has_exceeded(6)
    clock.now += 3
    assert not timer.has_exceeded(6)
    happened += 1
    clock.now += 1
    assert timer.has_exceeded(6)


def test_only_full_collections_are_counted() -> None:
    """Partial garbage collections are not counted."""
    gc.freeze()  # a full collection of what other tests have left takes seconds
    try:
        before = cpu_timer._full_collections()
        gc.collect(0)
        gc.collect(1)
        assert cpu_timer._full_collections() == before
        gc.collect()
        assert cpu_timer._full_collections() == before + 1
    finally:
        gc.unfreeze()


def test_slow_machine_gets_more_time(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that is three times slower gets three times the limit."""
    monkeypatch.setattr(cpu_timer, "slowdown", lambda: 3.0)
    monkeypatch.setattr(cpu_timer, "_full_collections", lambda: 0)
    timer = CpuTimer()
    clock.now += 5
    assert not timer.has_exceeded(2)
    clock.now += 2
    assert timer.has_exceeded(2)


@pytest.mark.parametrize(("machine", "found"), [(0.001, 1), (0.00525, 1.5), (0.1, 5)])
def test_slowdown_is_minimum_of_three_samples(machine: float, found: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fastest of three samples counts; the slowdown is at least 1 and has a maximum."""
    readings = accumulate([0.0, machine + 1, 0.0, machine, 0.0, machine + 2])
    monkeypatch.setattr(cpu_timer, "process_time", lambda: next(readings))
    assert slowdown() == pytest.approx(found)
