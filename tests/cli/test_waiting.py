"""What a player sees who has to wait."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

import pytest

from interpreter.cli import progress, streams
from interpreter.cli.output import Output


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], Event]:
    """What is shown on a terminal, and an event that is set when something is."""
    texts, event = list[str](), Event()

    @contextmanager
    def status(what: str) -> Iterator[None]:
        texts.append(what)
        event.set()
        yield
        texts.append("gone")

    monkeypatch.setattr(streams, "with_status", status)
    monkeypatch.setattr(Output, "progress_shown", True)
    return texts, event


def test_long_work_is_shown_while_it_lasts(shown: tuple[list[str], Event]) -> None:
    """Work that takes longer than the time is shown until it ends."""
    texts, event = shown
    with streams.with_late_status("thinking", 0.0):
        assert event.wait(60)
        assert texts == ["thinking"]
    assert texts == ["thinking", "gone"]


def test_short_work_is_not_shown(shown: tuple[list[str], Event], monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that ends before shows nothing, and nothing is shown later."""
    texts, event = shown
    monkeypatch.setattr(progress, "SHOWN_AFTER", 3_600.0)
    with progress.wait_shown("thinking", Output()):
        pass
    assert not event.is_set()
    assert texts == []


def test_a_player_is_shown_a_wait_of_a_third_of_a_second() -> None:
    """The time after which a player sees that something is computed is what people notice."""
    assert progress.SHOWN_AFTER == 0.3


def test_nothing_is_shown_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe gets no status, however long the work takes."""
    monkeypatch.setattr(Output, "progress_shown", False)
    started = list[object]()
    monkeypatch.setattr(progress, "with_late_status", lambda *given: started.append(given))
    with progress.wait_shown("thinking", Output()):
        pass
    assert started == []
