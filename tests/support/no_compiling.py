"""Makes any compilation fail, so that a test sees that a ruleset comes from the cache."""

from __future__ import annotations

import pytest


def no_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes any compilation fail."""

    def refuse(*_: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr("interpreter.rules.loading.compile.compile_ruleset", refuse)
    monkeypatch.setattr("interpreter.rules.loading.compile_scenario.compile_scenario", refuse)
