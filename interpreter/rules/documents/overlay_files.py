"""Finds the files of overlays: by path, or by name in `overlays/` beside rulesets. Only their ids are read here."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from interpreter.language.diagnostics import Place, UsageError, did_you_mean
from interpreter.rules.documents.own_folder import documents_in
from interpreter.rules.documents.search_path import Root, head_word, roots


@dataclass(frozen=True, slots=True)
class OverlayFile:
    """The bytes of an overlay, and its path, or for one that is no file its name in angle brackets.

    `left_out` are the places of patches, and of entries of its sections, that are ignored.
    """

    path: Path
    content: bytes
    left_out: frozenset[Place] = frozenset()

    @property
    def digest(self) -> str:
        """The SHA-256 of the bytes and of the places left out, if any."""
        left_out = repr(sorted(self.left_out)) if self.left_out else ""
        return sha256(self.content + left_out.encode()).hexdigest()

    def without(self, places: Collection[Place]) -> OverlayFile:
        """Returns the overlay file without the patches and entries that begin at these places."""
        own = self.left_out.union(each for each in places if each.file == str(self.path))
        return self if own == self.left_out else replace(self, left_out=own)


_DEPTHS: Final = (0, 1)
"""An overlay is in a folder of overlays, or in a folder of it."""
OverlayName = str | Path | OverlayFile
"""A way to name an overlay: its id, its path, or its file as read before."""


def open_overlays(
    names: Iterable[OverlayName], ruleset: Path | None = None, paths: Iterable[str | Path] = ()
) -> tuple[OverlayFile, ...]:
    """Opens the files of overlays, in the given order.

    Raises:
        UsageError: if there is no such overlay, or it can't be read.
    """
    searched = tuple(paths)
    return tuple(each if isinstance(each, OverlayFile) else _open(each, ruleset, searched) for each in names)


def _open(name: str | Path, ruleset: Path | None, paths: tuple[str | Path, ...]) -> OverlayFile:
    if isinstance(name, str) and name.isidentifier() and not Path(name).is_file():
        return overlay_named(name, ruleset, paths)
    return _read(Path(name))


def overlay_named(name: str, ruleset: Path | None = None, paths: Iterable[str | Path] = ()) -> OverlayFile:
    """Opens the overlay with this id, which is never taken for a path.

    Raises:
        UsageError: if there is no such overlay, or it can't be read.
    """
    known = {overlay_id(each): each for each in overlay_paths(ruleset, paths)}
    if name not in known:
        hint = did_you_mean(name, known) or "give its file, or a name from 'bicorne list'"
        raise UsageError(f"there is no overlay '{name}'\n{hint}")
    return _read(known[name])


def _read(path: Path) -> OverlayFile:
    from interpreter.rules.documents.source_excerpts import document_name  # noqa: PLC0415 - only needed for overlays
    from interpreter.rules.documents.yaml_reader import read_bytes  # noqa: PLC0415 - as above

    content = read_bytes(path)
    return OverlayFile(Path(document_name(path.resolve() if path.is_file() else path, content)), content)


def overlay_paths(ruleset: Path | None = None, paths: Iterable[str | Path] = ()) -> Iterator[Path]:
    """Yields every file in an `overlays` folder: in a ruleset, beside it, or on the search path."""
    near = () if ruleset is None else (ruleset / "overlays", ruleset.parent / "overlays")
    found = [path for folder in near for path in documents_in(folder, _DEPTHS)]
    yield from dict.fromkeys([*found, *(path for root in roots(paths, []) for path in overlay_files(root))])


def overlay_files(root: Root) -> Iterator[Path]:
    """Yields the overlays of a root and of its rulesets."""
    for folder in root.overlay_folders():
        yield from documents_in(folder, _DEPTHS)


def overlay_id(path: Path) -> str:
    """Returns the id in the head of an overlay if it is a plain word; otherwise the name of the file."""
    return head_word(path, "overlay", "id") or path.stem
