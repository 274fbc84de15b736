"""The own folder of a document: that of its ruleset, or of the rulesets beside it. No link leads out of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from interpreter.language.diagnostics import BicorneError, Diagnostic, Place, RulesetError, UsageError, number_of
from interpreter.language.plain_files import read_start

RULESET_FILE: Final = "ruleset.yaml"
MAX_FILE_BYTES: Final = 4_000_000
"""The largest document that is read."""
MAX_ENTRIES: Final = 20_000
"""The number of files and folders that are looked at below one folder."""
_HOLDERS: Final = ("scenarios", "overlays")


def ruleset_around(path: Path) -> Path | None:
    """Returns the nearest folder above a path that holds a ruleset; `None` if there is none."""
    return next((each for each in path.absolute().parents if (each / RULESET_FILE).is_file()), None)


def own_folder(path: Path) -> Path | None:
    """Returns the folder out of which a document must not lead; `None` for a file that belongs to no ruleset."""
    if path.name == RULESET_FILE:
        return path.absolute().parent
    if (folder := ruleset_around(path)) is not None:
        return folder
    return next((each.parent for each in (path.absolute(), *path.absolute().parents) if each.name in _HOLDERS), None)


def resolved(path: Path, within: Path | None = None) -> Path:
    """Returns a path without links; its own folder is that of the document, or `within`.

    Raises:
        UsageError: if its links lead in a circle.
        RulesetError: if it leads out of its own folder.
    """
    try:
        target = path.resolve()
        folder = None if target == path.absolute() else within or own_folder(path)
        leaves = folder is not None and not target.is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError) as error:  # `RuntimeError` for a circle, `ValueError` for a NUL
        raise UsageError(f"{path} can't be read: {getattr(error, 'strerror', None) or error}") from error
    if leaves:
        message = f"this is a link to outside its own folder {folder}"
        hint = "put the file itself there"
        raise RulesetError([Diagnostic("outside-folder", message, Place(str(path)), hint)])
    return target


def document_start(path: Path, count: int = MAX_FILE_BYTES) -> bytes:
    """Returns the first bytes of a document, which must be a plain file.

    Raises:
        UsageError: if it can't be read.
        RulesetError: if it leads out of its own folder.
    """
    resolved(path)
    return read_start(path, count)


def documents_in(folder: Path, depths: Sequence[int] = (0,)) -> list[Path]:
    """Returns the files `*.yaml` at these depths below a folder of documents, sorted.

    A folder that leads out of its own folder is not searched: it is returned itself, so that reading it is refused.
    """
    if not folder.is_dir():
        return []
    try:
        resolved(folder)
        inside = [*folder.iterdir()]
    except (BicorneError, OSError):
        return [folder]
    found = [each for each in inside if 0 in depths and each.name.endswith(".yaml")]
    if further := [each - 1 for each in depths if each]:
        found += [path for each in inside if each not in found for path in documents_in(each, further)]
    return sorted(found)


def yaml_files(folder: Path) -> list[Path]:
    """Returns the files `*.yaml` anywhere below a folder, sorted; links to folders are not followed.

    Raises:
        UsageError: if the folder can't be read, or holds more than `MAX_ENTRIES` files and folders.
    """
    try:
        return sorted(_yaml_files(folder))
    except OSError as error:
        raise UsageError(f"{error.filename or folder} can't be read: {error.strerror or error}") from error


def _yaml_files(top: Path) -> Iterator[Path]:
    waiting, seen = [top], 0
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for each in entries:
                seen += 1
                if seen > MAX_ENTRIES:
                    message = f"{top} holds more than {number_of(MAX_ENTRIES, 'file')} and folders"
                    raise UsageError(f"{message}\nname the folder of a ruleset in it")
                if each.is_dir(follow_symlinks=False):
                    waiting.append(Path(each.path))
                elif each.name.endswith(".yaml"):
                    yield Path(each.path)
