"""`bicorne new`: creates a small complete ruleset to start from."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from interpreter.cli.output import OK, Output
from interpreter.workshop.scaffold import make_ruleset


def run(arguments: Namespace, output: Output) -> int:
    """Creates the folder and prints what to do with it.

    Raises:
        UsageError: if the name is not valid for a ruleset, or the folder exists.
    """
    made = make_ruleset(arguments.name, Path(arguments.into))
    folder = Path(arguments.into) / arguments.name
    output.line(f"{folder} contains a complete game; change it step by step:", "bold")
    output.table([], [(f"  {each}",) for each in made])
    for command in ("check", "test", "play"):
        output.line(f"  bicorne {command} {folder}")
    output.document({"ok": True, "folder": str(folder), "files": [str(each) for each in made]})
    return OK
