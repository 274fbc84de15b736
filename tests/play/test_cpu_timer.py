"""How long rules have been at work: the processor's time, but for collections, of a machine that is not slow."""

from __future__ import annotations

import gc
from itertools import accumulate

import pytest

from interpreter.play.engine import cpu_timer
from interpreter.play.engine.cpu_timer import CpuTimer, slowdown


class Clock:
    """Stands still unless it is set forward."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the processor and on the wall."""
    made = Clock()
    monkeypatch.setattr(cpu_timer, "process_time", made)
    monkeypatch.setattr(cpu_timer, "perf_counter", made)
    return made


def test_it_shows_what_has_passed(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was on it at the start counts; the time itself is still within the limit."""
    monkeypatch.setattr(cpu_timer, "slowdown", lambda: 1.0)
    monkeypatch.setattr(cpu_timer, "_full_collections", lambda: 0)
    seen = CpuTimer(before=2.0)
    clock.now += 3
    assert not seen.has_exceeded(5)
    clock.now += 1
    assert seen.has_exceeded(5)


def test_a_collection_of_all_garbage_gives_half_the_time_again_once(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long it took; one of the young objects gives nothing, nor does a second one of all."""
    monkeypatch.setattr(cpu_timer, "slowdown", lambda: 1.0)
    happened = 7
    monkeypatch.setattr(cpu_timer, "_full_collections", lambda: happened)
    seen = CpuTimer()
    happened += 1
    clock.now += 1_000
    assert not seen.has_exceeded(6)
    clock.now += 3
    assert not seen.has_exceeded(6)
    happened += 1
    clock.now += 1
    assert seen.has_exceeded(6)


def test_collections_of_all_garbage_are_counted() -> None:
    """Those of the young objects are not."""
    before = cpu_timer._full_collections()
    gc.collect(0)
    gc.collect(1)
    assert cpu_timer._full_collections() == before
    gc.collect()
    assert cpu_timer._full_collections() == before + 1


def test_a_slow_machine_has_longer(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that needs three times as long for a little work may take three times as long for the rules."""
    monkeypatch.setattr(cpu_timer, "slowdown", lambda: 3.0)
    monkeypatch.setattr(cpu_timer, "_full_collections", lambda: 0)
    seen = CpuTimer()
    clock.now += 5
    assert not seen.has_exceeded(2)
    clock.now += 2
    assert seen.has_exceeded(2)


@pytest.mark.parametrize(("machine", "found"), [(0.001, 1), (0.00525, 1.5), (0.1, 5)])
def test_how_slow_a_machine_is(machine: float, found: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The quickest of three counts; a fast one isn't held to less time, and however slow it is, there is an end."""
    readings = accumulate([0.0, machine + 1, 0.0, machine, 0.0, machine + 2])
    monkeypatch.setattr(cpu_timer, "process_time", lambda: next(readings))
    assert slowdown() == pytest.approx(found)
