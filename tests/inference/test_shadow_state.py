"""The sheet on which a course of events is followed says what the world would say."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from situations import SITUATIONS
from test_merging import POLICIES, made

from interpreter import odds
from interpreter.inference.memo.recorder import hashable
from interpreter.inference.memo.shadow_state import ShadowState, Stale
from interpreter.inference.solver.path_enumerator import TooManyBranchesError
from interpreter.language.diagnostics import RuleFault

EVERY = 3
"""One step in so many is looked at: the world must follow for it."""


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many values were compared, of each key after one step in some, forward and back."""
    steps, compared = [0], [0]

    def checked(move: Callable[..., None]) -> Callable[..., None]:
        def moved(sheet: ShadowState, to: Any) -> None:
            move(sheet, to)
            steps[0] += 1
            if steps[0] % EVERY == 0:
                sheet.show()
                for key in {key for keys in sheet._resting.values() for key in keys}:
                    if type(sheet.values[key.index]) is not Stale:
                        compared[0] += 1
                        assert sheet.values[key.index] == hashable(key.now())

        return moved

    monkeypatch.setattr(ShadowState, "go", checked(ShadowState.go))
    monkeypatch.setattr(ShadowState, "back", checked(ShadowState.back))
    return compared


def test_of_rules_made_by_chance(tmp_path: Path, looked_at: list[int]) -> None:
    """Pieces that hold others come and go, are made and put elsewhere."""
    for seed in range(0, 400, 25):
        folder = tmp_path / str(seed)
        folder.mkdir()
        with suppress(TooManyBranchesError, RuleFault):
            odds(made(folder, seed), "whole", {"decisions": {"default": POLICIES[seed % 3]}}, most_leaves=600)
    assert looked_at[0] > 500


def test_of_a_battle(looked_at: list[int]) -> None:
    """A large procedure of a real game: armies lose units and leaders, retreat and break up."""
    battle = next(each for each in SITUATIONS if each.procedure == "field_battle")
    for _ in range(2):  # what has moved in the first is known from the beginning in the second
        odds(battle.loaded, battle.procedure, battle.given)
    assert looked_at[0] > 500
