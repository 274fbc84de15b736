"""A saved game for tests of saves."""

from __future__ import annotations

import pytest
from saved_games import played

from interpreter.play.records.save import save_game


@pytest.fixture
def saved(tmp_path):
    """A game in progress and its save file."""
    game = played(snapshot_every=2)
    path = tmp_path / "game.bicorne"
    save_game(path, game).close()
    assert game.decision is not None
    return game, path
