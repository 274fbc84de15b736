"""Writes a ruleset with its overlays applied: a folder that loads to the same rules without them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import mkdtemp

from interpreter.language.diagnostics import UsageError
from interpreter.rules.documents.document_set import DocumentSet, read_ruleset
from interpreter.rules.documents.nodes import Mapping, Scalar, Sequence
from interpreter.rules.documents.own_folder import RULESET_FILE
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.rules.loading.scenario_patches import read_patched_scenario
from interpreter.rules.overlays.merged_documents import overlays_of
from interpreter.rules.overlays.patch.overlay import read_overlay
from interpreter.workshop.diff.write_document import rewritten_document

SCENARIOS = "scenarios"


def write_effective(ruleset: Ruleset, scenarios: Iterable[Path], folder: Path) -> list[Path]:
    """Writes the ruleset and its scenarios with overlays and options applied.

    Returns the files, relative to the folder, which must be new or empty. It stays unchanged if anything fails.

    Raises:
        UsageError: if the folder can't be written, or is not empty.
        RulesetError: if the overlays can't be applied to a scenario.
    """
    check_folder(folder)
    texts = dict(_texts(ruleset, scenarios))
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft_folder = Path(mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise UsageError(f"{folder} can't be written: {error.strerror or error}") from error
    try:
        for name, text in texts.items():
            (draft_folder / name).parent.mkdir(parents=True, exist_ok=True)
            (draft_folder / name).write_text(text, "utf-8")
        if load_ruleset(draft_folder, options=ruleset.options, cache=False).hash != ruleset.hash:
            raise AssertionError("the written ruleset has another hash than its source")
        draft_folder.chmod(0o755)
        draft_folder.replace(folder)
    except OSError as error:
        raise UsageError(f"{folder} can't be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(draft_folder, ignore_errors=True)
    return sorted(texts)


def check_folder(folder: Path) -> None:
    """Checks that a folder is new or empty, and that there is no file where it is to be.

    Raises:
        UsageError: if it is neither.
    """
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder} exists already\nname a new folder, or an empty one")
        around = next(each for each in folder.absolute().parents if each.exists())
    except OSError as error:
        raise UsageError(f"{folder} can't be written: {error.strerror or error}") from error
    if not around.is_dir():
        raise UsageError(f"{folder} can't be written: {around} is not a folder")


def _texts(ruleset: Ruleset, scenarios: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    bare, after = read_ruleset(ruleset.folder), ruleset.documents
    additional = dict(_added(after, {each.name for each in bare.documents}))
    for one, other in zip(bare.documents, after.documents, strict=False):
        root = other.root
        if one.name == RULESET_FILE and additional:
            root = _including(root, list(additional))
        yield Path(one.name), rewritten_document(one.root, root)
    yield from ((Path(name), text) for name, text in additional.items())
    for path in scenarios:
        yield Path(SCENARIOS, path.name), _scenario(path, ruleset)


def _added(documents: DocumentSet, used: set[str]) -> Iterator[tuple[str, str]]:
    """Yields the sections that overlays add, as separate files."""
    for overlay in overlays_of(documents):
        if len(overlay.sections):
            name = f"{overlay.id}.yaml"
            while name in used:
                name = f"overlay_{name}"
            used.add(name)
            yield name, rewritten_document(read_overlay(overlay.file).root, overlay.sections)


def _including(root: Mapping, names: Iterable[str]) -> Mapping:
    """Returns the root of `ruleset.yaml` with additional files after those that it includes."""
    extended = Mapping(root.origin, root.start)
    extended.items, extended.key_starts, extended.foreign = dict(root.items), dict(root.key_starts), root.foreign
    old, new = root.get("include"), Sequence(root.origin, root.start)
    new.items = [
        *(old.items if isinstance(old, Sequence) else ()),
        *(Scalar(root.origin, root.start, root.start, "", each, each) for each in names),
    ]
    extended.put("include", new, root.origin, root.key_starts.get("include", root.start), place=1)
    return extended


def _scenario(path: Path, ruleset: Ruleset) -> str:
    bare, patched = read_patched_scenario(path, ruleset)
    return rewritten_document(bare.root, patched.root)
