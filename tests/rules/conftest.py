"""A cache and a small ruleset of its own for each test of loading."""

from __future__ import annotations

from pathlib import Path

import pytest
import tiny


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Gives the test its own cache."""
    monkeypatch.delenv("BICORNE_PATH", raising=False)
    monkeypatch.setenv("BICORNE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A folder with a small ruleset and a scenario."""
    return tiny.write_house(tmp_path / "house")
