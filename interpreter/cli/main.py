"""The entry point of `bicorne`: reads the command, runs it, and turns every way it can end into an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper

from interpreter.cli.output import INTERRUPTED, OK, USAGE, Output, misused, report_error
from interpreter.cli.parser import MisuseError, build_parser
from interpreter.language.diagnostics import BicorneError, UsageError


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command.

    Gives 0 for success, 1 for findings, 2 for wrong usage or unreadable input, 130 when interrupted.
    """
    _forgive_narrow_encodings()
    try:
        arguments = build_parser().read(argv)
    except MisuseError as wrong:
        asked = sys.argv[1:] if argv is None else argv
        return misused(wrong.message, Output(json="--json" in asked))
    except SystemExit as left:
        return int(left.code or 0)
    output = Output(json=arguments.json)
    try:
        return _run(arguments.run, arguments, output)
    except KeyboardInterrupt:
        output.person("\ninterrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _abandon_output()
        return OK


def _run(target: str, arguments: object, output: Output) -> int:
    """Runs the function that a command names as `module:function`, imported only now."""
    module, _, function = target.partition(":")
    try:
        code = getattr(import_module(f"interpreter.cli.commands.{module}"), function)(arguments, output)
        sys.stdout.flush()
    except BicorneError as error:
        return report_error(error, output)
    except BrokenPipeError:
        raise
    except OSError as error:
        return _report_unusable(error, output)
    return int(code)


def _report_unusable(error: OSError, output: Output) -> int:
    """Says which file the machine refuses; where it is the output itself, nothing more goes there."""
    if error.filename is not None:
        return report_error(UsageError(f"{error.filename} can't be read or written: {error.strerror}"), output)
    _abandon_output()
    output.person(f"error: the output can't be written: {error.strerror or error}", "red")
    return USAGE


def _forgive_narrow_encodings() -> None:
    """Lets a terminal that lacks a sign show its code instead of stopping the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _abandon_output() -> None:
    """Whoever read the output has gone: nothing more is written, not even by Python on its way out."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
