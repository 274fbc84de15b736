"""`bicorne format`: rewrites documents in the standard style."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from interpreter.cli.output import FINDINGS, OK, Output
from interpreter.language.diagnostics import UsageError
from interpreter.language.plain_files import replacing
from interpreter.rules.documents.own_folder import yaml_files
from interpreter.rules.documents.yaml_reader import read_bytes


def run(arguments: Namespace, output: Output) -> int:
    """Rewrites documents in the standard style; with --check only lists those that differ, and returns 1 if any do.

    Raises:
        BicorneError: if a file can't be read or written, or is not a document.
    """
    changed = [path for each in arguments.files for path in _documents(Path(each)) if _format(path, arguments.check)]
    for each in changed:
        output.line(f"{'not in style' if arguments.check else 'rewritten'}: {each}")
    output.document({"ok": not (arguments.check and changed), "changed": [str(each) for each in changed]})
    return FINDINGS if arguments.check and changed else OK


def _documents(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    if not (found := yaml_files(path)):
        raise UsageError(f"{path} contains no documents (*.yaml)")
    return found


def _format(path: Path, check: bool) -> bool:
    """Formats a file, or only checks it; returns whether its text differs from the standard style."""
    from interpreter.workshop.format.format import format_text  # noqa: PLC0415 - the other commands need no formatter

    try:
        text = read_bytes(path).decode("utf-8")
        styled = format_text(text, str(path))
        if styled != text and not check:
            with replacing(path.resolve()) as new:
                new.write_text(styled, encoding="utf-8", newline="\n")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} can't be read: it is not UTF-8; save it as UTF-8") from error
    except OSError as error:
        raise UsageError(f"{path} can't be read or written: {error.strerror or error}") from error
    return styled != text
