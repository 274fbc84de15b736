"""From documents to a compiled ruleset, with every fault on the way gathered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Mapping as Settings
from collections.abc import Sequence as Series
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from interpreter.language.checking.check import check_program
from interpreter.language.codegen.emit import build_image
from interpreter.language.diagnostics import Diagnostic, Place, RulesetError
from interpreter.language.gc_control import gc_paused
from interpreter.language.model.image import Image, pack
from interpreter.language.model.program import Program
from interpreter.rules.documents.content_hash import content_hash, entry_digests
from interpreter.rules.documents.document_set import DocumentSet, presentation
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence, as_written, plain, shown
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.documents.package_data import engine_version
from interpreter.rules.documents.source_excerpts import with_excerpts
from interpreter.rules.documents.versions import range_faults
from interpreter.rules.linking.cascading_errors import Parts, can_cascade, without_faulty
from interpreter.rules.linking.link import link
from interpreter.rules.linking.link_context import text_of
from interpreter.rules.linking.presentation import check_examples, check_presentation
from interpreter.rules.linking.templates import check_templates, read_by_templates
from interpreter.rules.overlays.merged import read_effective
from interpreter.rules.overlays.merged_documents import MergedDocuments, overlays_of
from interpreter.rules.schema.validate import RULESET, check_shape

VARIANT = "fast"
_SINGLE = frozenset({"duplicate", "include-twice", "include-cycle"})
"""Faults of reading that leave nothing of a ruleset unread."""
_MOST_KINDS = 500
_MOST_ENTRIES = 3_000
"""Of any section but the kinds."""


def check_ruleset(
    folder: Path, options: Settings[str, object] | None = None, overlays: Series[OverlayFile] = ()
) -> list[Diagnostic]:
    """Everything wrong with the ruleset in a folder under overlays, with source lines; empty if it is sound.

    Raises:
        UsageError: if there is no ruleset in the folder, a file can't be read, or an option can't be set so.
    """
    with gc_paused():
        return with_excerpts(_checked(read_effective(folder, overlays, options or {}), options or {})[1])


def check_documents(documents: DocumentSet, options: Settings[str, object]) -> tuple[Program | None, list[Diagnostic]]:
    """The program that documents make, unless they are too broken for one, and everything wrong with them.

    Raises:
        UsageError: if an option can't be set so.
    """
    return _checked(documents, options)


def checked_program(documents: DocumentSet, options: Settings[str, object]) -> Program:
    """The linked and checked program of sound documents.

    Raises:
        RulesetError: with everything that is wrong.
        UsageError: if an option can't be set so.
    """
    program, found = _checked(documents, options)
    if program is None or any(each.severity == "error" for each in found):
        raise RulesetError(with_excerpts(found))
    return program


@dataclass(frozen=True, slots=True)
class CompiledRuleset:
    """A ruleset as plain data, for a cache (its image and all else that play asks of it), and what it was made of."""

    data: dict[str, Any]
    image: Image
    documents: DocumentSet
    program: Program


def compile_ruleset(
    folder: Path, options: Settings[str, object], overlays: Series[OverlayFile] = ()
) -> CompiledRuleset:
    """The ruleset in a folder under overlays, checked and compiled with its options set.

    Raises:
        RulesetError: with everything that is wrong.
        UsageError: if there is no ruleset in the folder, a file can't be read, or an option can't be set so.
    """
    made, found = inspect_ruleset(folder, options, overlays)
    if made is None:
        raise RulesetError(found)
    return made


def inspect_ruleset(
    folder: Path, options: Settings[str, object], overlays: Series[OverlayFile] = ()
) -> tuple[CompiledRuleset | None, list[Diagnostic]]:
    """The ruleset in a folder under overlays, compiled if it has no errors, and everything wrong, with source lines.

    Raises:
        UsageError: if there is no ruleset in the folder, a file can't be read, or an option can't be set so.
    """
    with gc_paused():
        documents = read_effective(folder, overlays, options)
        program, found = _checked(documents, options)
        sound = program is not None and not any(each.severity == "error" for each in found)
        made = _compiled(documents, program, overlays) if program is not None and sound else None
        return made, with_excerpts(found)


def _compiled(documents: DocumentSet, program: Program, overlays: Series[OverlayFile]) -> CompiledRuleset:
    image = build_image(program, VARIANT)
    entries = entry_digests(documents)
    data = {
        "files": {str(path.relative_to(documents.folder)): digest for path, digest in documents.files.items()},
        "hash": sha256(f"{content_hash(entries)}\0{image.options!r}\0{engine_version()}".encode()).hexdigest(),
        "stamp": _stamp(documents, overlays),
        "entries": entries,
        "overlays": [_overlay(each.head) for each in overlays_of(documents)],
        "toggled": any(patch.when is not None for each in overlays_of(documents) for patch in each.patches),
        "image": pack(image),
        "info": plain(documents.head),
        "clauses": [_clause(each) for each in documents.items("clauses")],
        "presentation": presentation(documents),
        "readings": [plain(each) for each in documents.items("readings")],
        "left_out": [plain(each) for each in documents.items("left_out")],
    }
    return CompiledRuleset(data, image, documents, program)


def _stamp(documents: DocumentSet, overlays: Series[OverlayFile]) -> str:
    """A digest over the bytes of all files, which the places in compiled code depend on."""
    digests = [*documents.files.values(), *(f"{each.path}\0{each.digest}" for each in overlays)]
    return sha256("\n".join(digests).encode()).hexdigest()


def _overlay(head: Mapping) -> dict[str, Any]:
    """What an overlay says of itself."""
    return {"id": text_of(head.get("id")), **{key: plain(each) for key, each in head.items.items() if key != "id"}}


def _clause(node: Node) -> dict[str, Any]:
    """A clause with its ids as written, for an id may look like a number."""
    assert isinstance(node, Mapping)
    see = node.get("see")
    found: dict[str, Any] = {key: plain(value) for key, value in node.items.items()}
    found["id"] = as_written(node.items["id"])
    found["see"] = [as_written(each) for each in (see.items if isinstance(see, Sequence) else [see] if see else [])]
    return found


# ---------------------------------------------------------------- checks
def _checked(documents: DocumentSet, options: Settings[str, object]) -> tuple[Program | None, list[Diagnostic]]:
    """The program, unless the documents are too broken for one, and everything wrong with them."""
    found = list(documents.faults)
    too_many = list(_too_many(documents))
    if too_many or not documents.documents:
        return None, _with_blame([*found, *too_many], documents)
    for document in documents.documents:
        found += check_shape(document.root, RULESET)
    found += _engine_faults(documents.head)
    found += _ids_given_twice(documents)
    whole = documents
    faults = can_cascade(found)
    if faults:
        if overlays_of(documents) or any(each.code not in _SINGLE for each in documents.faults):
            return None, _with_blame(found, documents)
        left = without_faulty(documents, faults)
        if left is None:
            return None, found
        documents = left
    parts = Parts(whole)
    known = {each.name for each in documents.entries("options")}
    lost = {each.name for each in whole.entries("options")} - known
    program, linked = link(documents, {name: value for name, value in options.items() if name not in lost})
    faults += parts.without_follow_ups(faults, parts.in_order(linked))
    faults += parts.without_follow_ups(faults, check_program(program))
    found = list(dict.fromkeys([*found, *faults]))
    found += check_examples(whole)
    if not any(each.severity == "error" for each in found):
        told = read_by_templates(whole, program)
        found = [each for each in found if each.code != "unused-definition" or each.place not in told]
        found += [*check_presentation(whole, program), *check_templates(whole, program)]
    return program, _with_blame(sorted(_each_once(found), key=_document_order(whole)), documents)


def _with_blame(found: list[Diagnostic], documents: DocumentSet) -> list[Diagnostic]:
    """The findings; those that overlays have brought about say so."""
    if not isinstance(documents, MergedDocuments):
        return found
    from interpreter.rules.overlays.attribution import with_blame  # noqa: PLC0415 - only for those who have overlays

    return with_blame(found, documents)


def _document_order(documents: DocumentSet) -> Callable[[Diagnostic], tuple[int, Place]]:
    order = {str(each.path): number for number, each in enumerate(documents.documents)}
    return lambda each: (order.get(each.place.file, len(order)), each.place)


def _each_once(found: list[Diagnostic]) -> list[Diagnostic]:
    """One finding of a sort at each place; what nothing uses is said of rulesets without errors only."""
    faulty = any(each.severity == "error" for each in found)
    impure = {each.place for each in found if each.code == "impure"}
    kept: dict[tuple[str, Place], Diagnostic] = {}
    for each in found:
        if not (faulty and each.code.startswith("unused")) and not (
            each.code == "decision-inside" and each.place in impure
        ):
            kept.setdefault((each.code, each.place), each)
    return list(kept.values())


def _engine_faults(head: Mapping) -> Iterator[Diagnostic]:
    node = head.get("engine")
    if isinstance(node, Scalar):
        yield from range_faults(node, engine_version(), "the engine", "engine-version")


def _too_many(documents: DocumentSet) -> Iterator[Diagnostic]:
    """Sections with more entries than a ruleset can hold: nothing else of it is looked at."""
    roots = [each.root.items for each in documents.documents]
    for section in dict.fromkeys([name for root in roots for name, node in root.items() if isinstance(node, Mapping)]):
        most = _MOST_KINDS if section == "kinds" else _MOST_ENTRIES
        for entry in islice(documents.entries(section), most, most + 1):
            message = f"more than {most:,} entries in '{section}' of one ruleset"
            yield Diagnostic("too-large", message, entry.place, "leave some of them out")


def _ids_given_twice(documents: DocumentSet) -> Iterator[Diagnostic]:
    """Items of lists go by their ids: clauses and readings over all files, items of a rule within their list."""
    for section in ("clauses", "readings"):
        yield from _twice(documents.items(section), f"in '{section}'")
    for section, parts in (
        ("modifiers", ("each", "limits")),
        ("restrictions", ("each",)),
        ("searches", ("bars", "stops")),
        ("actions", ("when",)),
    ):
        for entry in documents.entries(section):
            lists = (entry.node.get(each) for each in parts) if isinstance(entry.node, Mapping) else iter(())
            for part in lists:
                if isinstance(part, Sequence):
                    yield from _twice(iter(part), f"in this list of '{entry.name}'")


def _twice(items: Iterator[Node], where: str) -> Iterator[Diagnostic]:
    first: dict[str, Scalar] = {}
    for item in items:
        node = item.get("id") if isinstance(item, Mapping) else None
        if not isinstance(node, Scalar):
            continue
        if node.text in first:
            message = f"the id '{shown(node.text)}' is given twice {where}; first in {first[node.text].place}"
            yield Diagnostic("duplicate", message, node.place, "rename or remove one of the two")
        first.setdefault(node.text, node)
