"""The files of overlays: by path, or by name in `overlays/` beside rulesets. Nothing in them is read here but ids."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from interpreter.language.diagnostics import Place, UsageError, did_you_mean
from interpreter.rules.documents.search_path import Root, head_word, roots


@dataclass(frozen=True, slots=True)
class OverlayFile:
    """The bytes of an overlay, and the path that messages call it by; one out of a saved game need not be on a disk.

    `left_out` is where patches, and entries of its sections, begin that are read as if they were not there.
    """

    path: Path
    content: bytes
    left_out: frozenset[Place] = frozenset()

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes, and of what is left out if anything is."""
        left_out = repr(sorted(self.left_out)) if self.left_out else ""
        return sha256(self.content + left_out.encode()).hexdigest()

    def without(self, places: Collection[Place]) -> OverlayFile:
        """The same with those patches and entries left out that begin at these places in it."""
        own = self.left_out.union(each for each in places if each.file == str(self.path))
        return self if own == self.left_out else replace(self, left_out=own)


OverlayName = str | Path | OverlayFile
"""How an overlay is asked for: by its id, by its path, or as what was read of it before."""


def open_overlays(
    names: Iterable[OverlayName], ruleset: Path | None = None, paths: Iterable[str | Path] = ()
) -> tuple[OverlayFile, ...]:
    """The files of overlays in the order in which they are named.

    Raises:
        UsageError: if there is no such overlay, or it can't be read.
    """
    searched = tuple(paths)
    return tuple(each if isinstance(each, OverlayFile) else _open(each, ruleset, searched) for each in names)


def _open(name: str | Path, ruleset: Path | None, paths: tuple[str | Path, ...]) -> OverlayFile:
    path = Path(name)
    if not path.is_file() and isinstance(name, str) and name.isidentifier():
        known = {overlay_id(each): each for each in overlay_paths(ruleset, paths)}
        if name not in known:
            hint = did_you_mean(name, known) or "give its file, or a name that 'bicorne list' shows"
            raise UsageError(f"there is no overlay '{name}'\n{hint}")
        path = known[name]
    from interpreter.rules.documents.yaml_reader import read_bytes  # noqa: PLC0415 - nobody without overlays needs it

    return OverlayFile(path.resolve(), read_bytes(path))


def overlay_paths(ruleset: Path | None = None, paths: Iterable[str | Path] = ()) -> Iterator[Path]:
    """Every file in an `overlays` folder: of a ruleset, beside it, or where rulesets are looked for."""
    near = () if ruleset is None else (ruleset / "overlays", ruleset.parent / "overlays")
    found = [path for folder in near for path in _in_folder(folder)]
    yield from dict.fromkeys([*found, *(path for root in roots(paths, []) for path in overlay_files(root))])


def overlay_files(root: Root) -> Iterator[Path]:
    """The overlays that lie where a root's rulesets do, and beside their rules."""
    for folder in root.overlay_folders():
        yield from _in_folder(folder)


def _in_folder(folder: Path) -> list[Path]:
    return sorted((*folder.glob("*.yaml"), *folder.glob("*/*.yaml")))


def overlay_id(path: Path) -> str:
    """The id that an overlay gives itself, if it says so plainly; else the name of its file."""
    return head_word(path, "overlay", "id") or path.stem
