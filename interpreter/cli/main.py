"""The entry point of `bicorne`: parses the arguments, runs the command and returns its exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper

from interpreter.cli.output import INTERRUPTED, OK, USAGE, Output, report_error, report_misuse
from interpreter.cli.parser import MisuseError, build_parser
from interpreter.language.diagnostics import BicorneError, UsageError


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command.

    Returns 0 for success, 1 for findings, 2 for wrong usage or unreadable input, 130 when interrupted.
    """
    _escape_unencodable()
    try:
        arguments = build_parser().read(argv)
    except MisuseError as error:
        words = sys.argv[1:] if argv is None else argv
        return report_misuse(error.message, Output(json="--json" in words))
    except SystemExit as exited:
        return int(exited.code or 0)
    output = Output(json=arguments.json)
    try:
        return _run(arguments.run, arguments, output)
    except KeyboardInterrupt:
        output.message("\ninterrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
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
        return _report_os_error(error, output)
    return int(code)


def _report_os_error(error: OSError, output: Output) -> int:
    """Reports a file that cannot be read or written; if it is standard output, nothing more is written there."""
    if error.filename is not None:
        return report_error(UsageError(f"{error.filename} can't be read or written: {error.strerror}"), output)
    _discard_output()
    output.message(f"error: the output can't be written: {error.strerror or error}", "red")
    return USAGE


def _escape_unencodable() -> None:
    """Prints the code of a character that the terminal lacks, instead of raising an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """Redirects standard output to the null device, so that Python does not fail when it flushes it at exit."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
