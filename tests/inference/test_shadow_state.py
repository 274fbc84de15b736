"""The shadow state has the values that the world would have."""

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
"""One step in `EVERY` is compared, because the world must be synchronized for it."""


@pytest.fixture
def compared_values(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many values were compared with the world, after every third step forward or back."""
    steps, compared = [0], [0]

    def checked(move: Callable[..., None]) -> Callable[..., None]:
        def moved(shadow: ShadowState, to: Any) -> None:
            move(shadow, to)
            steps[0] += 1
            if steps[0] % EVERY == 0:
                shadow.sync_world()
                for key in {key for keys in shadow._dependents.values() for key in keys}:
                    if type(shadow.values[key.index]) is not Stale:
                        compared[0] += 1
                        assert shadow.values[key.index] == hashable(key.now())

        return moved

    monkeypatch.setattr(ShadowState, "apply", checked(ShadowState.apply))
    monkeypatch.setattr(ShadowState, "undo", checked(ShadowState.undo))
    return compared


def test_shadow_state_equals_world_in_generated_rules(tmp_path: Path, compared_values: list[int]) -> None:
    """Pieces that hold others move, are created and are put elsewhere."""
    for seed in range(0, 400, 25):
        folder = tmp_path / str(seed)
        folder.mkdir()
        with suppress(TooManyBranchesError, RuleFault):
            odds(made(folder, seed), "whole", {"decisions": {"default": POLICIES[seed % 3]}}, max_branches=600)
    assert compared_values[0] > 500


def test_shadow_state_equals_world_in_a_battle(compared_values: list[int]) -> None:
    """Armies of a real game lose units and leaders, retreat and break up."""
    battle = next(each for each in SITUATIONS if each.procedure == "field_battle")
    for _ in range(2):  # what moved in the first run is tracked from the start in the second
        odds(battle.loaded, battle.procedure, battle.given)
    assert compared_values[0] > 500
