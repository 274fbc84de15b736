"""What a command imports when the cache is warm: neither the checker nor the code generator."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from processes import DEADLINE

COMPILER = ("interpreter.language.checking", "interpreter.language.codegen", "interpreter.language.parsing.parse")
HEAVY = ("lark", "jsonschema")
MAX_MODULES = {"list": 46, "play": 143}
"""How many modules of the interpreter, packages included, each command may import."""
COMMANDS = {
    "list": ["list"],
    "play": ["play", "fin_napoleon/campaign", "--seed", "1", "--turns", "1", "--seat", "french=random"],
}
SCRIPT = """
import contextlib, io, json, sys
from interpreter.cli.main import main
with contextlib.redirect_stdout(io.StringIO()):
    code = main(sys.argv[1:])
print(json.dumps([code, sorted(sys.modules)]))
"""


def imported(arguments: list[str], cache: Path) -> list[str]:
    """The modules that a command has imported when it ends."""
    environment = {**os.environ, "BICORNE_CACHE": str(cache)}
    command = [sys.executable, "-c", SCRIPT, *arguments]
    done = subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        timeout=DEADLINE,
    )
    code, modules = json.loads(done.stdout.splitlines()[-1])
    assert code == 0, done.stderr
    return list(modules)


@pytest.mark.parametrize("command", COMMANDS)
def test_warm_start_imports_no_compiler(command: str, tmp_path: Path) -> None:
    """The second run of a command imports no part of the compiler, and few modules."""
    imported(COMMANDS[command], tmp_path)
    modules = imported(COMMANDS[command], tmp_path)
    assert [each for each in modules if each.startswith(COMPILER)] == []
    assert [each for each in HEAVY if each in modules] == []
    own = [each for each in modules if each.startswith("interpreter.")]
    assert 0 < len(own) <= MAX_MODULES[command], own
