"""Closed, full or broken streams, interrupts at any moment and defects of the program end without a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from processes import DEADLINE

from interpreter.cli import run_command
from interpreter.cli.main import main

Bicorne = Callable[..., Any]
TESTS = Path(__file__).resolve().parent.parent
ENVIRONMENT = {**os.environ, "BICORNE_PATH": str(TESTS)}
PLAY = "play craps/standard --seed 1"


def in_shell(command: str, redirections: str = "") -> subprocess.CompletedProcess[str]:
    """Runs `bicorne` with redirections of the shell."""
    line = f'"$PYTHON" -m interpreter {command} {redirections}'
    environment = {**ENVIRONMENT, "PYTHON": sys.executable}
    return subprocess.run(
        ["bash", "-c", line],
        env=environment,
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
        check=False,
        timeout=DEADLINE,
    )


@pytest.mark.parametrize(
    "command", ["list", "--help", "--version", PLAY, f"{PLAY} --json", "check craps", "list x --json"]
)
@pytest.mark.parametrize("redirection", [">&-", ">/dev/full"])
def test_output_that_cannot_be_written_is_an_error(command: str, redirection: str) -> None:
    """If standard output is closed or full, the exit code is 2 and one line says so."""
    done = in_shell(command, redirection)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("error: the output can't be written: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["list", "list nothing", PLAY, "check nowhere", "--help"])
@pytest.mark.parametrize("redirections", ["2>&-", "2>/dev/full", ">&- 2>&-", ">/dev/full 2>/dev/full", "<&- >&- 2>&-"])
def test_errors_that_cannot_be_written_end_quietly(command: str, redirections: str) -> None:
    """If standard error is closed or full too, the program ends with its exit code."""
    done = in_shell(command, redirections)
    assert done.returncode in {0, 2}
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize("command", ["list", PLAY, f"{PLAY} --seat ann=human", "replay nothing"])
def test_closed_input_is_an_empty_one(command: str) -> None:
    """With standard input closed a command does the same as with an empty one."""
    closed, empty = in_shell(command, "<&-"), in_shell(command, "</dev/null")
    assert closed.returncode == empty.returncode
    assert (closed.stdout, closed.stderr) == (empty.stdout, empty.stderr)


def test_no_file_gets_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    """A save that is written while all streams are closed is intact, and so is the log."""
    save, log = tmp_path / "game.save", tmp_path / "game.log"
    in_shell(f"{PLAY} --quiet --save {save} --log {log}", "<&- >&- 2>&-")
    for each in (save, log):
        assert in_shell(f"replay {each}").returncode == 0


@pytest.mark.parametrize("command", [PLAY, f"{PLAY} --json", "list", "check nowhere", "test craps"])
@pytest.mark.parametrize("reader", ["| true", "| head -1", "2>&1 | true", "2>&1 >/dev/null | true"])
def test_reader_that_leaves_is_no_error(command: str, reader: str) -> None:
    """If the reader of a pipe leaves early, the program ends without a message."""
    done = in_shell(command, f"{reader}; exit ${{PIPESTATUS[0]}}")
    assert done.returncode in {0, 2}
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


def test_input_that_is_not_utf8_is_typed_again() -> None:
    """Bytes that are not UTF-8 and control characters at the prompt are shown as escapes and answer nothing."""
    done = in_shell(f"{PLAY} --seat ann=human", r"< <(printf 'caf\xe9\n\x1b[2J\nsave a\0b\nquit\n')")
    assert done.returncode == 0
    assert r"'caf\xe9' is none of the options" in done.stdout or r"caf\xe9" in done.stdout
    assert r"the control character \x1b" in done.stdout
    assert r"the control character \x00" in done.stdout
    assert "\x1b" not in done.stdout


INTERRUPT_IMPORT = """
import sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
from interpreter.cli.main import main
code = main(["play", "craps/standard", "--seed", "1"])
assert sys.argv[1] in ("none", "interpreter.cli.main") or code == 130, code
sys.exit(code)
"""


@pytest.mark.parametrize(
    "module",
    [
        "argparse",
        "interpreter.cli.run_command",
        "interpreter.cli.parser",
        "interpreter.language.diagnostics",
        "interpreter.cli.commands.play",
        "interpreter.play.game",
        "interpreter.rules.loading.load",
    ],
)
def test_interrupted_import_ends_quietly(module: str) -> None:
    """An interrupt while a module is imported exits with 130 and no traceback."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPT_IMPORT, module],
        env=ENVIRONMENT, cwd=TESTS.parent, capture_output=True, text=True, check=False, timeout=DEADLINE,
    )  # fmt: skip
    assert done.returncode == 130, done.stderr
    assert "Traceback" not in done.stderr


def test_entry_point_imports_nothing_of_the_program() -> None:
    """Until interrupts are caught, only the entry module and its packages are imported."""
    script = (
        "import sys; import interpreter.cli.main; "
        "print(sorted(each for each in sys.modules if each.startswith('interpreter')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=TESTS.parent, capture_output=True, text=True, check=True, timeout=DEADLINE
    )
    assert done.stdout.split("'")[1::2] == ["interpreter", "interpreter.cli", "interpreter.cli.main"]


def test_defect_is_reported_in_one_line(
    bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unexpected exception is a defect: one line names its place and asks for a report, the exit code is 2."""

    def broken(_arguments: object, _output: object) -> int:
        raise IndexError("hidden: the queen of spades")

    monkeypatch.setattr(run_command, "import_module", lambda _name: type("Module", (), {"run": staticmethod(broken)}))
    ran = bicorne("list")
    assert ran.code == 2
    [line] = ran.err.splitlines()
    assert line.startswith("error: a defect of Bicorne, not of your input: IndexError at ")
    assert "report" in line
    assert "queen" not in line
    assert json.loads(bicorne("list", "--json").out)["error"] == line.removeprefix("error: ")
    monkeypatch.setenv("BICORNE_DEBUG", "1")
    assert main(["list"]) == 2
    assert "IndexError: hidden: the queen of spades" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argument", "shown"), [("a\0b", r"a\x00b"), ("a\x1b[2J", r"a\x1b[2J"), ("a\nb", r"a\nb"), ("a\x9bb", r"a\x9bb")]
)
def test_control_characters_in_arguments_are_refused(bicorne: Bicorne, argument: str, shown: str) -> None:
    """An argument with a control character is refused, and shown with its escape."""
    for command in (["list", argument], ["play", "craps", f"--save={argument}"], ["ask", "craps", f"1 + \0{argument}"]):
        ran = bicorne(*command)
        assert ran.code == 2
        assert shown in ran.err


def test_expression_may_have_several_lines(bicorne: Bicorne) -> None:
    """Line breaks and tabs are allowed in an expression."""
    assert bicorne("ask", "craps", "1 +\n\t1").out == "2\n"


INTERRUPT_WORKERS = """
import os, signal, sys
if "--multiprocessing-fork" in sys.orig_argv:
    os.kill(os.getpid(), signal.SIGINT)
"""


def test_workers_begin_without_interrupts(tmp_path: Path) -> None:
    """An interrupt hits no worker process while it starts: only the parent process answers it."""
    (tmp_path / "sitecustomize.py").write_text(INTERRUPT_WORKERS)
    command = [sys.executable, "-m", "interpreter", "simulate", "craps/standard", "--games", "4", "--workers", "2"]
    environment = {**ENVIRONMENT, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    done = subprocess.run(
        command, env=environment, cwd=TESTS.parent, capture_output=True, text=True, check=False, timeout=DEADLINE
    )
    assert (done.returncode, done.stderr) == (0, "")
