"""No process that tests start can stop them: each has a deadline."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE

import pytest
from processes import on_terminal, started

TESTS = Path(__file__).resolve().parent
RUNNERS = {f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output")}
STARTERS = {"subprocess.Popen", "Popen", "os.fork", "pty.fork"}
WITH_DEADLINES = {
    "support/processes.py": "kills what it starts at a deadline",
    "support/hot_seat.py": "hangs up on a program that is silent",
    "support/killed_sessions.py": "lets an alarm of the system end what it forks",
}
"""Modules that start processes, and why they may."""


def endless(text: str) -> Iterator[str]:
    """Yields the calls in a module that wait for a process without a deadline."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            name, given = ast.unparse(node.func), {each.arg for each in node.keywords}
            if name in STARTERS or (name in RUNNERS and "timeout" not in given):
                yield ast.unparse(node)


def test_every_process_has_a_deadline() -> None:
    """Only listed modules of the tests start a process without a deadline, and all of those do."""
    found = {str(path.relative_to(TESTS)): [*endless(path.read_text(encoding="utf-8"))] for path in TESTS.rglob("*.py")}
    assert {name: calls for name, calls in found.items() if calls and name not in WITH_DEADLINES} == {}
    assert {name for name, calls in found.items() if calls} == WITH_DEADLINES.keys()


@pytest.mark.parametrize("call", ["subprocess.run(['x'], check=True)", "subprocess.Popen('x')", "os.fork()"])
def test_calls_without_deadline_are_found(call: str) -> None:
    assert [*endless(f"def wait():\n    return {call}")] == [call]
    assert [*endless("subprocess.run(['x'], timeout=9)")] == []


def test_command_that_waits_at_a_terminal_is_killed() -> None:
    """A command that waits for more input than was typed is killed, and the error has what the terminal shows."""
    with pytest.raises(AssertionError, match=r"killed after 0\.1 seconds: .*; the terminal shows b'only this\\r\\n"):
        on_terminal([sys.executable, "-c", "while True: input()"], "only this\n", deadline=0.1)


def test_reader_of_a_killed_process_gets_to_the_end() -> None:
    """A test that waits for output of a process gets its end at the deadline, and fails."""
    running = started(["sleep", "1000"], deadline=0.1, stdout=PIPE)
    process = running.__enter__()
    assert process.stdout is not None
    assert process.stdout.read() == b""
    with pytest.raises(AssertionError, match=r"killed after 0\.1 seconds"):
        running.__exit__(None, None, None)


def test_process_ends_with_its_block() -> None:
    """A process that a test leaves running is killed at the end of the block, without an error."""
    with started(["sleep", "1000"]) as process:
        assert process.poll() is None
    assert process.returncode == -9
