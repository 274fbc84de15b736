"""Writes a small complete ruleset, as a start for authors, into a new folder."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from interpreter.language.diagnostics import UsageError

_NAME, _TITLE = "STARTER", "STARTER_TITLE"
_MAX_NAME_LENGTH = 60


def make_ruleset(name: str, into: Path) -> list[Path]:
    """Writes the ruleset into a new folder with its name, and returns the files.

    Raises:
        UsageError: if the name is not valid for a ruleset, or exists already.
    """
    if not (name.isascii() and name.isidentifier() and len(name) <= _MAX_NAME_LENGTH):
        raise UsageError(f"'{name}' can't name a ruleset: letters, digits and underscores, not beginning with a digit")
    folder = into / name
    if folder.exists():
        raise UsageError(f"{folder} exists already; choose another name or another place (--into DIR)")
    made: list[Path] = []
    try:
        for parts, text in _contents(files("interpreter.workshop") / "starter", ()):
            target = folder.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(_named(text, name), encoding="utf-8", newline="\n")
            made.append(target)
    except OSError as error:
        raise UsageError(f"{folder} can't be written: {error.strerror or error}") from error
    return made


def _contents(folder: Traversable, before: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    for each in sorted(folder.iterdir(), key=lambda item: item.name):
        if each.is_dir():
            yield from _contents(each, (*before, each.name))
        elif each.name.endswith(".yaml"):
            yield (*before, each.name), each.read_text(encoding="utf-8")


def _named(text: str, name: str) -> str:
    return text.replace(_TITLE, name.replace("_", " ").capitalize()).replace(_NAME, name)
