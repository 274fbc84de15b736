"""Runs the command that the arguments name, and turns every error into a message and an exit code."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Final

from interpreter.cli.output import OK, USAGE, Output, report_error, report_misuse
from interpreter.cli.parser import MisuseError, build_parser
from interpreter.cli.streams import discard_broken_output, flush_output, open_streams
from interpreter.language.diagnostics import BicorneError, UsageError
from interpreter.language.visible_text import control_character, visible_line
from interpreter.rules.documents.search_path import PATH_VARIABLE, missing_folders

_WITHOUT_SEARCH: Final = frozenset({"format", "lsp", "new"})
"""The commands that look for no ruleset by its name."""


def run_command(words: Sequence[str]) -> int:
    """Runs the command of these words and returns its exit code.

    Raises:
        KeyboardInterrupt: if it is interrupted, after a message.
    """
    open_streams()
    output = Output(json="--json" in words)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_rest: output.message(f"warning: {message}", "yellow")
            code = _run(words, output)
        flush_output()
    except KeyboardInterrupt:
        with suppress(OSError):
            output.message("\ninterrupted")
        discard_broken_output()
        raise
    except OSError as error:
        return _report_broken_stream(error, output)
    return code


def _run(words: Sequence[str], output: Output) -> int:
    """Runs the command and reports its error, unless it is one of a standard stream, where nothing can be reported."""
    try:
        _check_words(words)
        arguments = build_parser().read(words)
        module, _, function = arguments.run.partition(":")
        if module not in _WITHOUT_SEARCH:
            _warn_of_missing_folders(output)
        return int(getattr(import_module(f"interpreter.cli.commands.{module}"), function)(arguments, output))
    except MisuseError as error:
        return report_misuse(error.message, output)
    except SystemExit as exited:
        return int(exited.code or 0)
    except BicorneError as error:
        return report_error(error, output)
    except OSError as error:
        if error.filename is None:
            raise
        return report_error(UsageError(f"{error.filename} can't be read or written: {error.strerror}"), output)
    except Exception as error:
        from interpreter.cli.defect import defect_text  # noqa: PLC0415 - only for a defect

        return report_error(UsageError(defect_text(error)), output)


def _warn_of_missing_folders(output: Output) -> None:
    for each in missing_folders():
        output.message(f"warning: {PATH_VARIABLE} names '{visible_line(each)}', and there is no such folder", "yellow")


def _check_words(words: Sequence[str]) -> None:
    """Refuses empty arguments, and control characters; only an expression may have line breaks and tabs.

    An empty path would mean the folder one works in.

    Raises:
        UsageError: with the first such argument.
    """
    for number, word in enumerate(words, 1):
        if not word:
            raise UsageError(f"argument {number} is empty; give it a value, or leave it out")
        found = control_character(word)
        if found is not None and (words[0] != "ask" or control_character(" ".join(word.split())) is not None):
            raise UsageError(
                f"the argument '{visible_line(word)}' contains the control character {found}; leave it out"
            )


def _report_broken_stream(error: OSError, output: Output) -> int:
    """Reports that standard output can't be written; a reader that left, as `head` does, is no error."""
    discard_broken_output()
    if isinstance(error, BrokenPipeError):
        return OK
    try:
        output.message(f"error: the output can't be written: {error.strerror or error}", "red")
    except OSError:
        discard_broken_output()
    return USAGE
