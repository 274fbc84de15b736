"""What changed in one reckoning is under watch from the start in the next one like it, and nothing else is other."""

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
from interpreter.inference.memo.tracking import Likely, Tracker
from interpreter.inference.memo.tracking_hints import Expectations


@pytest.fixture
def watches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Tracker]:
    """Those that are made, with nothing known of what came before."""
    made: list[Tracker] = []

    def watch(*arguments: Any) -> Tracker:
        made.append(Tracker(*arguments))
        return made[-1]

    known: Callable[..., Any] = watch
    monkeypatch.setenv("BICORNE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(situation_cache, "Tracker", known)
    monkeypatch.setattr(module, "_EXPECTED", Expectations())
    monkeypatch.setattr(module, "_GROUNDS", {})
    return made


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda each: f"{each.example}")
@pytest.mark.parametrize("anew", [False, True], ids=["another world", "another start"])
def test_the_odds_are_the_same(
    situation: Situation, watches: list[Tracker], anew: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a situation that was reckoned before in another world, or by another start of the program."""
    first = odds(situation.loaded, situation.procedure, situation.given)
    module._GROUNDS.clear()
    if anew:
        monkeypatch.setattr(module, "_EXPECTED", Expectations())
    second = odds(situation.loaded, situation.procedure, situation.given)
    assert second.rows == first.rows
    before, after = [set(map(str, [*each.likely()[0], *each.likely()[1]])) for each in watches]
    assert before == after


def test_what_was_found_is_there_at_the_next_start(watches: list[Tracker]) -> None:
    """All names come back as they were kept; of another ruleset or procedure there are none."""
    likely: Likely = [("unit/a", "a_steps")], [("hex/b", "unit"), ("hex/b", None)]
    module._EXPECTED.learn("rules", "fight", likely)
    assert Expectations().of("rules", "fight") == likely
    assert Expectations().of("rules", "march") == Expectations().of("others", "fight") == ([], [])


def test_a_damaged_cache_does_no_harm(watches: list[Tracker], tmp_path: Path) -> None:
    """What was kept and can't be read is not expected."""
    module._EXPECTED.learn("rules", "fight", ([("unit/a", "a_steps")], []))
    [entry] = (tmp_path / "cache").iterdir()
    entry.write_bytes(entry.read_bytes()[:-1])
    assert Expectations().of("rules", "fight") == ([], [])


def test_what_is_not_there_is_not_expected(watches: list[Tracker]) -> None:
    """Names of another situation are passed over."""
    situation = SITUATIONS[0]
    others = [("unit/of_another", "a_steps")], [("hex/none", "unit")]
    module._EXPECTED.learn(situation.loaded.hash, situation.procedure, others)
    assert odds(situation.loaded, situation.procedure, situation.given).rows
    [watch] = watches
    assert all("of_another" not in ref for ref, _ in watch.likely()[0])


def test_too_much_is_not_expected(watches: list[Tracker], monkeypatch: pytest.MonkeyPatch) -> None:
    """What has gathered over many situations is let go."""
    situation = SITUATIONS[-1]
    monkeypatch.setattr(tracking_hints, "_MOST", 0)
    odds(situation.loaded, situation.procedure, situation.given)
    assert watches[0].likely()[0]
    assert module._EXPECTED.of(situation.loaded.hash, situation.procedure) == ([], [])
