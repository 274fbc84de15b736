"""What changed in one reckoning is under watch from the start in the next one like it, and nothing else is other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from situations import SITUATIONS, Situation

from interpreter import odds
from interpreter.reckoning import odds as module
from interpreter.reckoning.watch import Watch


@pytest.fixture
def watches(monkeypatch: pytest.MonkeyPatch) -> list[Watch]:
    """Those that are made, with nothing known of what came before."""
    made: list[Watch] = []

    def watch(*arguments: Any) -> Watch:
        made.append(Watch(*arguments))
        return made[-1]

    known: Callable[..., Any] = watch
    monkeypatch.setattr(module, "Watch", known)
    monkeypatch.setattr(module, "_LIKELY", {})
    monkeypatch.setattr(module, "_WATCHED", {})
    return made


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda each: f"{each.example}")
def test_the_odds_are_the_same(situation: Situation, watches: list[Watch]) -> None:
    """Of a situation that was reckoned before in another world."""
    first = odds(situation.loaded, situation.procedure, situation.given)
    module._WATCHED.clear()
    second = odds(situation.loaded, situation.procedure, situation.given)
    assert second.rows == first.rows
    before, after = [set(map(str, [*each.likely()[0], *each.likely()[1]])) for each in watches]
    assert before == after


def test_what_is_not_there_is_not_expected(watches: list[Watch]) -> None:
    """Names of another situation are passed over."""
    situation = SITUATIONS[0]
    module._LIKELY[situation.loaded.hash, situation.procedure] = (
        [("unit/of_another", "a_steps")],
        [("hex/none", "unit")],
    )
    assert odds(situation.loaded, situation.procedure, situation.given).rows
    [watch] = watches
    assert all("of_another" not in ref for ref, _ in watch.likely()[0])


def test_too_much_is_not_expected(watches: list[Watch], monkeypatch: pytest.MonkeyPatch) -> None:
    """What has gathered over many situations is let go."""
    situation = SITUATIONS[-1]
    monkeypatch.setattr(module, "_MOST_LIKELY", 0)
    odds(situation.loaded, situation.procedure, situation.given)
    assert watches[0].likely()[0]
    assert not module._LIKELY
