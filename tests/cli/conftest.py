"""Runs the command line in this process, on the small rulesets of the tests."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli.main import main

TESTS = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Ran:
    """The exit code and output of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The standard output as one JSON document."""
        return json.loads(self.out)


Bicorne = Callable[..., Ran]


@pytest.fixture(autouse=True, scope="session")
def interrupts() -> Iterator[None]:
    """Lets tests interrupt commands, even if a shell runs the tests in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def bicorne(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Bicorne:
    """Returns a function that runs `bicorne` with its arguments; the test rulesets are on the path."""
    monkeypatch.setenv("BICORNE_PATH", str(TESTS))

    def run(*arguments: str | Path) -> Ran:
        capsys.readouterr()
        code = main([str(each) for each in arguments])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return Ran(code, out, err)

    return run


@pytest.fixture
def made(bicorne: Bicorne, tmp_path: Path) -> Path:
    """A ruleset created by `new`."""
    assert bicorne("new", "ruleset", "made", "--into", tmp_path).code == 0
    return tmp_path / "made"
