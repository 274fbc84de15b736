"""Searches for rulesets and scenarios, and resolves their names to files.

It doesn't parse YAML: an id is a plain word in the head of its file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from interpreter.language.diagnostics import BicorneError, Diagnostic, Place, UsageError
from interpreter.rules.documents.own_folder import RULESET_FILE, document_start, documents_in, resolved
from interpreter.rules.documents.package_data import data_folder

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINT_GROUP: Final = "bicorne.rulesets"
PATH_VARIABLE: Final = "BICORNE_PATH"
_HEAD_BYTES: Final = 64_000
_SECTION_END: Final = re.compile(rb"^[A-Za-z_]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Root:
    """A folder to search, and a label for its origin."""

    folder: Path
    origin: str

    def rulesets(self) -> Iterator[Path]:
        """Yields the folder itself if it is a ruleset, else the rulesets in it or in its `rulesets`."""
        if (self.folder / RULESET_FILE).is_file():
            yield self.folder
            return
        for holder in (self.folder / "rulesets", self.folder):
            if holder.is_dir():
                yield from (each.parent for each in sorted(holder.glob(f"*/{RULESET_FILE}")))

    def scenarios(self) -> Iterator[Path]:
        """Yields the scenarios in the folder's `scenarios` and in those of its rulesets."""
        yield from documents_in(self.folder / "scenarios", [1])
        for folder in self.rulesets():
            yield from documents_in(folder / "scenarios")

    def overlay_folders(self) -> Iterator[Path]:
        """Yields the folders of overlays: the root's own and those of its rulesets."""
        for folder in (self.folder, *self.rulesets()):
            if (folder / "overlays").is_dir():
                yield folder / "overlays"


def roots(paths: Iterable[str | Path], faults: list[Diagnostic]) -> Iterator[Root]:
    """Yields the folders to search, in order of precedence: `paths`, `BICORNE_PATH`, the package's own data, plugins.

    Faults of plugins are added to `faults`, and `missing_folders` are passed over; the search continues.

    Raises:
        UsageError: if one of `paths` isn't a folder.
    """
    for path in paths:
        if not Path(path).is_dir():
            raise UsageError(f"the path {path} is not a folder")
        yield Root(Path(path).resolve(), "path")
    for written in _folders_of_variable():
        if Path(written).is_dir():
            yield Root(Path(written).resolve(), PATH_VARIABLE)
    yield Root(data_folder(), "bicorne")
    yield from _plugin_roots(faults)


def missing_folders() -> list[str]:
    """Returns what `BICORNE_PATH` names and is no folder."""
    return [each for each in _folders_of_variable() if not Path(each).is_dir()]


def _folders_of_variable() -> list[str]:
    return list(dict.fromkeys(filter(None, os.environ.get(PATH_VARIABLE, "").split(os.pathsep))))


def _plugin_roots(faults: list[Diagnostic]) -> Iterator[Root]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow to import, and rarely reached

    for plugin in entry_points(group=ENTRY_POINT_GROUP):
        try:
            folder = _plugin_folder(plugin)
        except Exception as error:  # a plugin can fail in any way, and must not stop the others
            faults.append(_plugin_fault(plugin, error))
        else:
            yield Root(folder, f"plugin {plugin.name}")


def _plugin_folder(plugin: EntryPoint) -> Path:
    import importlib.util  # noqa: PLC0415 - slow to import

    spec = importlib.util.find_spec(plugin.module)
    if spec is None:
        raise ModuleNotFoundError(f"there is no module {plugin.module}")
    if spec.submodule_search_locations:
        folder = Path(next(iter(spec.submodule_search_locations)))
    elif spec.origin is not None:
        folder = Path(spec.origin).parent
    else:
        raise ModuleNotFoundError(f"the module {plugin.module} has no folder")
    if not any((folder / each).exists() for each in (RULESET_FILE, "rulesets", "scenarios")):
        raise FileNotFoundError(f"{folder} contains neither {RULESET_FILE} nor 'rulesets' nor 'scenarios'")
    return folder.resolve()


def _plugin_fault(plugin: EntryPoint, error: Exception) -> Diagnostic:
    package = plugin.dist.name if plugin.dist is not None else plugin.module
    message = f"the plugin '{plugin.name}' ({plugin.value}) can't be used: {error or type(error).__name__}"
    hint = f"repair or uninstall the package '{package}'; Bicorne continues without it"
    return Diagnostic("broken-plugin", message, Place(f"plugin {plugin.name}"), hint, severity="warning")


# ---------------------------------------------------------------- from a name to a file
def ruleset_named(name: str, paths: Iterable[str | Path] = ()) -> Path | None:
    """Returns the folder of the ruleset with this id, which is never taken for a path; `None` if not found.

    The rulesets in the working directory are searched last.
    """
    return _find_ruleset(name, (*roots(paths, []), *_here()))


def scenario_named(name: str, paths: Iterable[str | Path] = ()) -> Path | None:
    """Returns the file of the scenario `ruleset/scenario`, which is never taken for a path; `None` if not found.

    Those of rulesets in the working directory are searched last.
    """
    return _find_scenario(name, (*roots(paths, []), *_here()))


def _here() -> Iterator[Root]:
    try:
        yield Root(Path.cwd(), "here")
    except OSError:
        return  # the working directory is gone


def _find_ruleset(name: str, searched: Iterable[Root]) -> Path | None:
    if name.isidentifier():
        for root in searched:
            for folder in root.rulesets():
                if head_word(folder / RULESET_FILE, "ruleset", "id") == name:
                    return folder
    return None


def _find_scenario(name: str, searched: Iterable[Root]) -> Path | None:
    if name.count("/") == 1:
        for root in searched:
            for path in root.scenarios():
                words = (head_word(path, "scenario", each) for each in ("ruleset", "id"))
                if "/".join(word or "" for word in words) == name:
                    return path
    return None


def locate_ruleset(name_or_path: str | Path, paths: Iterable[str | Path] = ()) -> Path | None:
    """Returns the folder of a ruleset by its id, its path or the path of its `ruleset.yaml`; `None` if not found."""
    if isinstance(name_or_path, str) and (folder := _find_ruleset(name_or_path, roots(paths, []))) is not None:
        return folder
    path = Path(name_or_path)
    if path.name == RULESET_FILE and _is_file(path):
        path = path.parent
    return path.resolve() if _is_file(path / RULESET_FILE) else None


def installed_scenario(name: str, paths: Iterable[str | Path] = ()) -> Path | None:
    """Returns the file of the scenario `ruleset/scenario` in the search path alone; `None` if not found."""
    return _find_scenario(name, roots(paths, []))


def locate_scenario(name_or_path: str | Path, paths: Iterable[str | Path] = ()) -> Path | None:
    """Returns the file of a scenario by its path, `ruleset/scenario` or `folder/scenario`; `None` if not found.

    Raises:
        RulesetError: if the path leads out of its own folder.
    """
    if isinstance(name_or_path, str) and (named := installed_scenario(name_or_path, paths)) is not None:
        return named
    path = Path(name_or_path)
    return resolved(path) if _is_file(path) else _scenario_inside(path.parent, path.name)


def _scenario_inside(folder: Path, name: str) -> Path | None:
    if not name.isidentifier() or not _is_file(folder / RULESET_FILE):
        return None
    return next((resolved(each) for each in documents_in(folder / "scenarios") if each.stem == name), None)


def _is_file(path: Path) -> bool:
    """Whether a file exists; false for an invalid path."""
    try:
        return path.is_file()
    except OSError:
        return False


def head_section(content: bytes, section: str) -> tuple[int, int] | None:
    """Returns the start and end of a section that begins at the left margin; `None` if there is none."""
    begin = re.search(rb"^" + section.encode() + rb":", content, re.MULTILINE)
    if begin is None:
        return None
    end = _SECTION_END.search(content, begin.end())
    return begin.start(), end.start() if end else len(content)


def head_word(path: Path, section: str, key: str) -> str | None:
    """Returns the plain word under a key in the head of a file; `None` if there is none or it needs a YAML parser."""
    try:
        content = document_start(path, _HEAD_BYTES)
    except BicorneError:
        return None  # loading or listing the file reports the error
    if (bounds := head_section(content, section)) is None:
        return None
    found = _word_pattern(key).search(content, bounds[0], bounds[1])
    return found[1].decode() if found else None


@lru_cache
def _word_pattern(key: str) -> re.Pattern[bytes]:
    return re.compile(rb"(?:[{,]|\n)[ ]*" + key.encode() + rb":[ ]+[\"']?([A-Za-z_][A-Za-z0-9_]*)")
