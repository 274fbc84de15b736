"""Compiles documents to a ruleset, and collects the faults of every stage."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Mapping as Settings
from collections.abc import Sequence as Series
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path

from interpreter.language.checking.check import check_program
from interpreter.language.codegen.emit import build_image
from interpreter.language.diagnostics import Diagnostic, Place, RulesetError, number_of
from interpreter.language.gc_control import gc_paused
from interpreter.language.model.program import Program
from interpreter.rules.documents.content_hash import entry_digests
from interpreter.rules.documents.document_set import (
    DocumentSet,
    invariant_texts,
    presentation,
    term_words,
    victory_texts,
)
from interpreter.rules.documents.nodes import (
    Mapping,
    Node,
    Plain,
    Scalar,
    Sequence,
    as_plain_data,
    as_written,
    shortened,
)
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.documents.package_data import engine_version
from interpreter.rules.documents.source_excerpts import with_excerpts
from interpreter.rules.documents.versions import range_faults
from interpreter.rules.linking.cascading_errors import Parts, can_cascade, without_faulty
from interpreter.rules.linking.link import link
from interpreter.rules.linking.link_context import text_of
from interpreter.rules.linking.presentation import check_examples, check_presentation
from interpreter.rules.linking.templates import check_templates, read_by_templates
from interpreter.rules.loading.compile_settings import ruleset_hash
from interpreter.rules.loading.ruleset import Clause, text_in
from interpreter.rules.loading.stored_ruleset import StoredRuleset
from interpreter.rules.overlays.merged import read_effective
from interpreter.rules.overlays.merged_documents import MergedDocuments, overlays_of
from interpreter.rules.schema.validate import RULESET, check_shape

VARIANT = "fast"
_SINGLE = frozenset({"duplicate", "include-twice", "include-cycle"})
"""Faults of reading that leave nothing of a ruleset unread."""
_MAX_KINDS = 500
_MAX_ENTRIES = 3_000
"""The limit for every section but `kinds`."""
_MAX_FINDINGS = 1_000


def check_ruleset(
    folder: Path, options: Settings[str, object] | None = None, overlays: Series[OverlayFile] = ()
) -> list[Diagnostic]:
    """Returns all diagnostics of the ruleset in a folder under overlays, with source lines; empty if it is sound.

    Raises:
        UsageError: if there is no ruleset in the folder, a file can't be read, or a setting is invalid.
    """
    with gc_paused():
        return with_excerpts(_checked(read_effective(folder, overlays, options or {}), options or {})[1])


def check_documents(documents: DocumentSet, options: Settings[str, object]) -> tuple[Program | None, list[Diagnostic]]:
    """Returns the program of documents, `None` if they are too broken, and all diagnostics.

    Raises:
        UsageError: if a setting of an option is invalid.
    """
    return _checked(documents, options)


def checked_program(documents: DocumentSet, options: Settings[str, object]) -> Program:
    """Returns the linked and checked program of sound documents.

    Raises:
        RulesetError: with all diagnostics, if there are errors.
        UsageError: if a setting of an option is invalid.
    """
    program, found = _checked(documents, options)
    if program is None or any(each.severity == "error" for each in found):
        raise RulesetError(with_excerpts(found))
    return program


@dataclass(frozen=True, slots=True)
class CompiledRuleset:
    """A ruleset as plain data for the cache (the image and the rest that play needs), and what it was compiled from."""

    data: StoredRuleset
    documents: DocumentSet
    program: Program


def compile_ruleset(
    folder: Path, options: Settings[str, object], overlays: Series[OverlayFile] = ()
) -> CompiledRuleset:
    """Checks and compiles the ruleset in a folder under overlays and options.

    Raises:
        RulesetError: with all diagnostics, if there are errors.
        UsageError: if there is no ruleset in the folder, a file can't be read, or a setting is invalid.
    """
    made, found = inspect_ruleset(folder, options, overlays)
    if made is None:
        raise RulesetError(found)
    return made


def inspect_ruleset(
    folder: Path, options: Settings[str, object], overlays: Series[OverlayFile] = ()
) -> tuple[CompiledRuleset | None, list[Diagnostic]]:
    """Returns the compiled ruleset, `None` if it has errors, and all diagnostics with source lines.

    Raises:
        UsageError: if there is no ruleset in the folder, a file can't be read, or a setting is invalid.
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
    data = StoredRuleset(
        files={str(path.relative_to(documents.folder)): digest for path, digest in documents.files.items()},
        hash=ruleset_hash(entries, image),
        stamp=_stamp(documents, overlays),
        entries=entries,
        overlays=[_overlay(each.head) for each in overlays_of(documents)],
        toggled=any(patch.when is not None for each in overlays_of(documents) for patch in each.patches),
        image=image,
        info=_plain_mapping(documents.head),
        clauses=[_clause(each) for each in documents.items("clauses")],
        presentation={
            **presentation(documents),
            "terms": term_words(documents),
            "values": _value_texts(program),
            "victory": victory_texts(documents),
            "invariants": invariant_texts(documents),
        },
        readings=[_plain_mapping(each) for each in documents.items("readings")],
        left_out=[_plain_mapping(each) for each in documents.items("left_out")],
    )
    return CompiledRuleset(data, documents, program)


def _value_texts(program: Program) -> dict[str, Plain]:
    """Returns the texts by language of the values that are given so, by the English text."""
    given = [(each, name) for each in program.individuals.values() for name in each.texts]
    return {str(each.values[name]): dict(each.texts[name]) for each, name in given if name in each.values}


def _stamp(documents: DocumentSet, overlays: Series[OverlayFile]) -> str:
    """Returns a digest over the bytes of all files, on which the places in compiled code depend."""
    digests = [*documents.files.values(), *(f"{each.path}\0{each.digest}" for each in overlays)]
    return sha256("\n".join(digests).encode("utf-8", "surrogatepass")).hexdigest()


def _overlay(head: Mapping) -> tuple[str, dict[str, Plain]]:
    """Returns the id of an overlay and the plain data of its head."""
    name = text_of(head.get("id"))
    return name, {**_plain_mapping(head), "id": name}


def _plain_mapping(node: Node) -> dict[str, Plain]:
    assert isinstance(node, Mapping)
    return {key: as_plain_data(each) for key, each in node.items.items()}


def _clause(node: Node) -> Clause:
    """Returns a clause, with its ids as written, because an id may look like a number."""
    assert isinstance(node, Mapping)
    see, says = node.get("see"), as_plain_data(node.items["says"])
    texts = {"en": says} if isinstance(says, str) else says
    return Clause(
        as_written(node.items["id"]),
        text_of(node.items["kind"]),
        text_in(says),
        tuple(map(as_written, see.items if isinstance(see, Sequence) else [see] if see else [])),
        {language: str(text) for language, text in texts.items()} if isinstance(texts, dict) else {},
    )


# ---------------------------------------------------------------- checks
def _checked(documents: DocumentSet, options: Settings[str, object]) -> tuple[Program | None, list[Diagnostic]]:
    """Returns the program, `None` if the documents are too broken, and all diagnostics."""
    found = list(documents.faults)
    too_many = list(_too_many(documents))
    if too_many or not documents.documents:
        return None, _with_attribution([*found, *too_many], documents)
    for document in documents.documents:
        found += check_shape(document.root, RULESET)
    found += _engine_faults(documents.head)
    found += _all_duplicate_ids(documents)
    whole, parts = documents, Parts(documents)
    faults = can_cascade(found)
    wrong = [each for each in faults if each not in documents.known_faults]
    if wrong:
        if overlays_of(documents):
            from interpreter.rules.overlays.leave_out import without_faulty_entries  # noqa: PLC0415 - only for overlays

            rest = without_faulty_entries(documents, wrong, options)
            return (None, _with_attribution(found, documents)) if rest is None else _checked(rest, options)
        if any(each in wrong and each.code not in _SINGLE for each in documents.faults):
            return None, _with_attribution(found, documents)
        left = without_faulty(documents, wrong)
        if left is None:
            return None, found
        documents = left
    known = {each.name for each in documents.entries("options")}
    lost = {each.name for each in whole.entries("options")} - known
    program, linked = link(documents, {name: value for name, value in options.items() if name not in lost})
    faults += parts.without_follow_ups(faults, parts.in_order(linked))
    faults += parts.without_follow_ups(faults, check_program(program))
    found = list(dict.fromkeys([*found, *faults]))
    found += check_examples(whole)
    if not any(each.severity == "error" for each in found):
        used = read_by_templates(whole, program)
        found = [each for each in found if each.code != "unused-definition" or each.place not in used]
        found += [*check_presentation(whole, program), *check_templates(whole, program)]
    ordered = sorted(_each_once(found), key=_document_order(whole))
    return program, _with_attribution(_the_first(ordered), documents)


def _with_attribution(found: list[Diagnostic], documents: DocumentSet) -> list[Diagnostic]:
    """Returns diagnostics; those that overlays caused name the patch."""
    if not isinstance(documents, MergedDocuments):
        return found
    from interpreter.rules.overlays import attribution  # noqa: PLC0415 - only needed for overlays

    return attribution.with_common_causes(found, documents)


def _the_first(found: list[Diagnostic]) -> list[Diagnostic]:
    """Returns diagnostics, errors before warnings if there are many, up to a number that a person may read."""
    if len(found) <= _MAX_FINDINGS:
        return found
    first = sorted(found, key=lambda each: each.severity != "error")[:_MAX_FINDINGS]
    left = number_of(len(found) - _MAX_FINDINGS, "further finding")
    last = first[-1]
    return [*first, Diagnostic("too-many", f"{left} not shown", last.place, "mend those above", severity=last.severity)]


def _document_order(documents: DocumentSet) -> Callable[[Diagnostic], tuple[int, Place]]:
    order = {str(each.path): number for number, each in enumerate(documents.documents)}
    return lambda each: (order.get(each.place.file, len(order)), each.place)


def _each_once(found: list[Diagnostic]) -> list[Diagnostic]:
    """Returns one diagnostic per code and place; unused names are reported only for rulesets without errors."""
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
    """Yields an error for each section with too many entries; nothing else of such a ruleset is checked."""
    roots = [each.root.items for each in documents.documents]
    for section in dict.fromkeys([name for root in roots for name, node in root.items() if isinstance(node, Mapping)]):
        limit = _MAX_KINDS if section == "kinds" else _MAX_ENTRIES
        for entry in islice(documents.entries(section), limit, limit + 1):
            message = f"more than {limit:,} entries in '{section}' of one ruleset"
            yield Diagnostic("too-large", message, entry.place, "leave some of them out")


def _all_duplicate_ids(documents: DocumentSet) -> Iterator[Diagnostic]:
    """Yields an error for each duplicate id: of clauses and readings over all files, of items within their list."""
    for section in ("clauses", "readings"):
        yield from _duplicate_ids(documents.items(section), f"in '{section}'")
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
                    yield from _duplicate_ids(iter(part), f"in this list of '{entry.name}'")


def _duplicate_ids(items: Iterator[Node], where: str) -> Iterator[Diagnostic]:
    first: dict[str, Scalar] = {}
    for item in items:
        node = item.get("id") if isinstance(item, Mapping) else None
        if not isinstance(node, Scalar):
            continue
        if node.text in first:
            message = f"the id '{shortened(node.text)}' is given twice {where}; first in {first[node.text].place}"
            yield Diagnostic("duplicate", message, node.place, "rename or remove one of the two")
        first.setdefault(node.text, node)
