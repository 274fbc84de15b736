"""Writes a ruleset with overlays out whole: a folder that loads, without them, to the same rules."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import mkdtemp

from interpreter.language.diagnostics import UsageError
from interpreter.rules.documents.document_set import DocumentSet, read_ruleset
from interpreter.rules.documents.nodes import Mapping, Scalar, Sequence
from interpreter.rules.documents.search_path import HEAD
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.rules.loading.scenario_patches import scenario_under
from interpreter.rules.overlays.merged_documents import overlays_of
from interpreter.rules.overlays.patch.overlay import read_overlay
from interpreter.workshop.diff.write_document import written_document

SCENARIOS = "scenarios"


def write_effective(ruleset: Ruleset, scenarios: Iterable[Path], folder: Path) -> list[Path]:
    """Writes the ruleset as it is under its overlays and options, and its scenarios as these change them.

    Gives the files, relative to the folder, which must be new or empty. Nothing is left there unless all went well.

    Raises:
        UsageError: if the folder can't be written, or is not empty.
        RulesetError: if a scenario can't be changed as the overlays say.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is there already\nname a new folder, or an empty one")
    texts = dict(_texts(ruleset, scenarios))
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        drafts = Path(mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise UsageError(f"{folder} can't be written: {error.strerror or error}") from error
    try:
        for name, text in texts.items():
            (drafts / name).parent.mkdir(parents=True, exist_ok=True)
            (drafts / name).write_text(text, "utf-8")
        if load_ruleset(drafts, options=ruleset.options, cache=False).hash != ruleset.hash:
            raise AssertionError("the ruleset that was written is not the one that was to be written")
        drafts.chmod(0o755)
        drafts.replace(folder)
    except OSError as error:
        raise UsageError(f"{folder} can't be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(drafts, ignore_errors=True)
    return sorted(texts)


def _texts(ruleset: Ruleset, scenarios: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    bare, after = read_ruleset(ruleset.folder), ruleset.documents
    further = dict(_added(after, {each.name for each in bare.documents}))
    for one, other in zip(bare.documents, after.documents, strict=False):
        root = other.root
        if one.name == HEAD and further:
            root = _including(root, list(further))
        yield Path(one.name), written_document(one.root, root)
    yield from ((Path(name), text) for name, text in further.items())
    for path in scenarios:
        yield Path(SCENARIOS, path.name), _scenario(path, ruleset)


def _added(documents: DocumentSet, taken: set[str]) -> Iterator[tuple[str, str]]:
    """The sections that overlays bring, as files of their own."""
    for overlay in overlays_of(documents):
        if len(overlay.sections):
            name = f"{overlay.id}.yaml"
            while name in taken:
                name = f"overlay_{name}"
            taken.add(name)
            yield name, written_document(read_overlay(overlay.file).root, overlay.sections)


def _including(root: Mapping, names: Iterable[str]) -> Mapping:
    """The root of `ruleset.yaml` with further files behind those that it includes."""
    made = Mapping(root.origin, root.start)
    made.items, made.key_starts, made.foreign = dict(root.items), dict(root.key_starts), root.foreign
    old, new = root.get("include"), Sequence(root.origin, root.start)
    new.items = [
        *(old.items if isinstance(old, Sequence) else ()),
        *(Scalar(root.origin, root.start, root.start, "", each, each) for each in names),
    ]
    made.put("include", new, root.origin, root.key_starts.get("include", root.start), place=1)
    return made


def _scenario(path: Path, ruleset: Ruleset) -> str:
    bare, laid = scenario_under(path, ruleset)
    return written_document(bare.root, laid.root)
