"""Carries out the `rename` verb: gives a thing a new name, and changes every use of it in rule text and data."""

from __future__ import annotations

import re
from collections.abc import Mapping as Settings
from typing import Final, NamedTuple

from interpreter.language.checking.check import check_program
from interpreter.language.diagnostics import Place, RulesetError
from interpreter.language.model.kind_hierarchy import Symbol
from interpreter.language.model.program import Parameter, Program
from interpreter.language.parsing.build_expressions import RESERVED_WORDS
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping, Node, Scalar
from interpreter.rules.documents.text_grids import read_grid
from interpreter.rules.linking.link import link
from interpreter.rules.linking.link_context import IDENTIFIER
from interpreter.rules.overlays.patch.expectation import check_expected, patch_error, target_of
from interpreter.rules.overlays.patch.overlay import Patch
from interpreter.rules.overlays.path.resolve_path import PathNotFoundError, find
from interpreter.rules.overlays.path.targets import ANY, GridTarget, ItemTarget, KeyTarget, Path, PathTarget, path_text
from interpreter.rules.overlays.rename.in_data import DataRenamer, NameChange, RecordedRename
from interpreter.rules.overlays.rename.in_examples import ExampleRenamer
from interpreter.rules.overlays.rename.in_rules import (
    NamePredicate,
    decisions,
    means_individual,
    means_kind,
    means_symbol,
    means_word,
    uses,
)
from interpreter.rules.overlays.rename.text_edits import Edits, TextIndex, scalars

_CALLED: Final = frozenset({
    "tables", "constants", "state", "options", "definitions", "modifiers", "restrictions", "searches", "procedures",
    "menus", "actions",
})  # fmt: skip
_UNCALLED: Final = frozenset({"views", "invariants", "victory", "examples", "links", "readings"})
_ITEMS: Final = frozenset({"each", "limits", "bars", "stops", "when", "around"})


class _RenameSubject(NamedTuple):
    """What is renamed, and the predicate that finds it in rule text."""

    named: NameChange
    means: NamePredicate


def rename(
    documents: DocumentSet, patch: Patch, options: Settings[str, object], renames: dict[Place, RecordedRename]
) -> list[Path]:
    """Gives something a new name, records it in `renames`, and returns its old and its new path.

    Raises:
        RulesetError: if it can't be renamed, or if the rules below have errors, so that uses can't be found.
    """
    target = target_of(documents, patch)
    check_expected(target, patch)
    assert isinstance(patch.value, Scalar)
    new = patch.value.text
    if isinstance(target, GridTarget) and target.path[0] == "tables":
        return _rename_heading(target, patch, new)
    _check_new(documents, target, patch, new)
    program = _program(documents, options)
    subject = _subject(program, target, patch, new)
    _check_things(program, subject.named, patch)
    renames[patch.at.place] = RecordedRename(subject.named, program)
    edits, index = Edits(), TextIndex(documents)
    for place, name, ref in uses(program):
        if name in subject.named.names and subject.means(name, ref) and (found := index.find(place, name)) is not None:
            edits.word(*found, name, subject.named.names[name])
    DataRenamer(documents, program, subject.named, edits).collect()
    ExampleRenamer(documents, program, subject.named, edits, subject.means).collect()
    if subject.named.sort == "clause":
        _signs(documents, subject.named, edits)
    own = _own(target, subject.named, new, edits)
    edits.apply()
    if isinstance(target, KeyTarget):
        target.holder.put(own, target.holder.items[own], patch.value.origin, patch.value.start)
    renamed = subject.named.names if subject.named.sort == "options" else {}
    _addresses(documents, program, _after(documents, {renamed.get(key, key): each for key, each in options.items()}))
    return [target.path, (*target.path[:-1], own)]


def _check_new(documents: DocumentSet, target: PathTarget, patch: Patch, new: str) -> None:
    """Raises a `RulesetError` unless the new name is valid and free."""
    own = new.rpartition(".")[2] if target.path[0] == "definitions" else new
    if target.path[0] != "clauses" and (not IDENTIFIER.fullmatch(own) or own in RESERVED_WORDS):
        hint = "a name has letters, digits and single underscores, begins with a letter and is no word of rule text"
        raise patch_error("bad-name", f"'{new}' is not a valid name", patch.value.place, hint)
    kind, dot, _ = target.path[-1].rpartition(".") if target.path[0] == "definitions" else ("", "", "")
    try:
        taken = find(documents, (*target.path[: -2 if isinstance(target, GridTarget) else -1], f"{kind}{dot}{own}"))
    except PathNotFoundError:
        return
    message = f"there is already a '{path_text(taken.path)}'"
    raise patch_error("already-there", message, patch.value.place, "choose another name, or rename that one first")


def _check_things(program: Program, named: NameChange, patch: Patch) -> None:
    """Raises a `RulesetError` if another thing of this kind has one of the new names.

    The paths don't show this: one line of a counter-mix can make several counters, each with a name.
    """
    taken = next((each for each in named.names.values() if (named.of, each) in program.individuals), None)
    if named.sort == "individual" and taken is not None and taken not in named.names:
        message = f"there is already a {named.of} '{taken}'"
        raise patch_error("already-there", message, patch.value.place, "choose another name, or rename that one first")


def _program(documents: DocumentSet, options: Settings[str, object]) -> Program:
    """Links and checks the rules as they are so far.

    Raises:
        RulesetError: if they have errors.
    """
    program, found = link(documents, options)
    found = [*found, *check_program(program)]
    errors = [each for each in found if each.severity == "error"]
    if errors:
        raise RulesetError(errors)
    return program


def _after(documents: DocumentSet, options: Settings[str, object]) -> Program:
    program, _ = link(documents, options)
    check_program(program)
    return program


# ---------------------------------------------------------------- what is renamed
def _subject(program: Program, target: PathTarget, patch: Patch, new: str) -> _RenameSubject:
    section, *rest = target.path
    old = rest[-1] if rest else ""
    if isinstance(target, GridTarget):
        old = target.row
        if target.column != ANY or target.row == ANY:
            raise _nameless(program, target, patch)
    if section == "sequence":
        return _RenameSubject(NameChange("step", "", {old: new}), lambda name, ref: ref == "step" and name == old)
    if section == "kinds":
        return _of_kind(program, target, patch, old, new)
    if section in ("individuals", "pieces") and (len(rest) == 2 or isinstance(target, GridTarget)):
        return _of_things(program, rest[0], old, new)
    if section == "definitions" and "." in old and len(rest) == 1:
        return _computed(program, old, new)
    if section == "dice" and len(rest) == 1:
        return _RenameSubject(NameChange("dice", "", {old: new}), lambda name, ref: ref == "dice" and name == old)
    if section in _CALLED and len(rest) == 1:
        return _RenameSubject(NameChange(section, "", {old: new}), means_symbol(_symbol(program, section, old)))
    sort = {"clauses": "clause", "sources": "source"}.get(section)
    if (sort or section in _UNCALLED) and len(rest) == 1:
        return _RenameSubject(NameChange(sort or section, "", {old: new}), _nothing)
    if len(rest) == 3 and rest[1] in _ITEMS:
        return _RenameSubject(NameChange("item", "/".join(target.path[:3]), {old: new}), _nothing)
    hint = "only what has a name of its own can be renamed: an entry, an item, an attribute, a word, a step"
    if section == "windows":
        hint = "remove the window and add it under its new name, with the rules that use it"
    raise patch_error("cannot-rename", f"'{patch.at.text}' can't be renamed", patch.at.place, hint)


def _nameless(program: Program, target: GridTarget, patch: Patch) -> RulesetError:
    """Returns the error for a cell or a column of a grid; an attribute is renamed in its kind."""
    kind = next((each.name for each in program.lineage(target.path[1]) if target.column in each.attributes), None)
    hint = "name a row" if kind is None else f"rename the attribute: at 'kinds/{kind}/has/{target.column}'"
    return patch_error("cannot-rename", f"'{patch.at.text}' has no name of its own", patch.at.place, hint)


def _nothing(_name: str, _ref: object) -> bool:
    return False


def _symbol(program: Program, section: str, name: str) -> Symbol:
    found: dict[str, Symbol] = getattr(program, section)
    return found[name]


def _of_kind(program: Program, target: PathTarget, patch: Patch, old: str, new: str) -> _RenameSubject:
    """Returns the target for a kind, an attribute of it, or one of its words."""
    kind, *rest = target.path[1:]
    if not rest:
        subjects = {id(each.subject) for each in program.views.values() if each.kind == kind}
        rules = [each for each in program.definitions.values() if each.subject == kind]
        subjects |= {id(each.takes[0]) for each in rules}
        _keep_plural(program, target, kind, new)
        return _RenameSubject(NameChange("kind", "", {old: new}), means_kind(kind, frozenset(subjects)))
    if rest[0] == "has" and len(rest) == 2:
        attribute = program.kinds[kind].attributes[old]

        def means(name: str, ref: object) -> bool:
            field = isinstance(ref, tuple) and program.attribute(ref[0], name) is attribute
            return ref is attribute or field

        return _RenameSubject(NameChange("attribute", kind, {old: new}), means)
    if rest[0] == "members" and len(rest) == 2:
        if kind in program.enums:
            return _RenameSubject(NameChange("word", kind, {old: new}), means_word(kind, old))
        return _of_things(program, kind, old, new)
    raise patch_error("cannot-rename", f"'{patch.at.text}' can't be renamed", patch.at.place, "set it")


def _keep_plural(program: Program, target: PathTarget, kind: str, new: str) -> None:
    """Keeps the plural of a renamed kind, so that rule text with the plural needs no change."""
    fields = target.node
    plural = program.kinds[kind].plural if kind in program.kinds else program.enums[kind].plural
    if not isinstance(fields, Mapping):
        return
    if plural == f"{new}s":
        fields.items.pop("plural", None)
    elif "plural" not in fields and plural:
        made = Scalar(fields.origin, fields.start, fields.start, "", plural, plural)
        fields.put("plural", made, fields.origin, fields.start)


def _of_things(program: Program, kind: str, old: str, new: str) -> _RenameSubject:
    """Returns the target for an individual, or for the counters of a line of a counter-mix."""
    names = {old: new} if (kind, old) in program.individuals else {}
    for of, name in program.individuals:
        number = name.removeprefix(f"{old}_")
        if of == kind and number != name and number.isdecimal() and (kind, old) not in program.individuals:
            names[name] = f"{new}_{number}"
    return _RenameSubject(NameChange("individual", kind, names), means_individual(kind, frozenset(names)))


def _computed(program: Program, old: str, new: str) -> _RenameSubject:
    """Returns the target for a computed attribute, with its definitions for kinds above and below."""
    kind, _, attribute = old.partition(".")
    family = {each.name for each in (*program.lineage(kind), *program.subkinds(kind))} | {kind}
    rules = [each for each in program.definitions.values() if each.subject in family]
    same = {id(each) for each in rules if each.title.partition(".")[2] == attribute}
    names = {attribute: new.rpartition(".")[2]}
    return _RenameSubject(
        NameChange("attribute", kind, names), lambda _, ref: id(ref) in same and not isinstance(ref, Parameter)
    )


# ---------------------------------------------------------------- its own name, headings, citations, addresses
def _own(target: PathTarget, named: NameChange, new: str, edits: Edits) -> str:
    """Adds the edits of the name where it is declared, and returns the last part of its new path."""
    old = target.path[-1]
    if isinstance(target, GridTarget):
        if target.row not in named.names:
            _rename_line(target, new, edits)
        return new
    if isinstance(target, ItemTarget):
        node: Node | None = target.node.get("id") if isinstance(target.node, Mapping) else target.node
        if node is not None:
            edits.whole(node, new)
        return new
    assert isinstance(target, KeyTarget)
    if target.path[0] != "definitions" or "." not in old:
        edits.key(target.holder, old, new)
        return new
    kind, _, attribute = old.partition(".")
    for name in [each for each in target.holder if each.endswith(f".{attribute}")]:
        edits.key(target.holder, name, f"{name.partition('.')[0]}.{named.names[attribute]}")
    return f"{kind}.{named.names[attribute]}"


def _rename_line(target: GridTarget, new: str, edits: Edits) -> None:
    """Adds the edits of a row of a text grid from which several counters are made, and of its figures."""
    text, figures = target.fields.items["grid"], target.fields.get("figures")
    grid = read_grid(text.source)[0] if isinstance(text, Scalar) else None
    for row in grid.rows if grid is not None else ():
        if isinstance(text, Scalar) and row.keys[0].text == target.row:
            edits.word(text, row.keys[0].offset + row.keys[0].quoted, target.row, new)
    for name in list(figures) if isinstance(figures, Mapping) else ():
        line, slash, attribute = name.partition("/")
        if line == target.row and isinstance(figures, Mapping):
            edits.key(figures, name, f"{new}{slash}{attribute}")


def _rename_heading(target: GridTarget, patch: Patch, new: str) -> list[Path]:
    """Gives a row or a column of a table a new heading; its cells don't change."""
    grid, place = target.grid, patch.value.place
    if target.row in (ANY, "") and target.column != ANY:
        grid.head.cells[grid.columns.index(target.column)] = (new, place)
        path = (*target.path[:-1], new)
    elif target.column == ANY and target.row not in (ANY, ""):
        row = grid.row(target.row)
        keys = new.split("/")
        if row is None or len(keys) != len(row.keys):
            raise patch_error(
                "wrong-cells", f"'{new}' can't be the heading of a row here", place, "give every part of it"
            )
        row.keys[:] = [(each, place) for each in keys]
        path = (*target.path[:-2], new, ANY)
    else:
        raise patch_error("cannot-rename", f"'{patch.at.text}' has no heading of its own", patch.at.place, "set it")
    figures = target.fields.get("figures")
    old = target.column if target.row in (ANY, "") else target.row
    if isinstance(figures, Mapping) and old in figures:
        edits = Edits()
        edits.key(figures, old, new)
        edits.apply()
    target.write()
    return [target.path, path]


def _signs(documents: DocumentSet, named: NameChange, edits: Edits) -> None:
    """Adds the edits of clauses cited at the ends of lines of rule text."""
    for old, new in named.names.items():
        sign = re.compile(rf"@({re.escape(old)})(?![\w.\-])")
        for node in (each for document in documents.documents for each in scalars(document.root)):
            for found in sign.finditer(node.text):
                edits.word(node, found.start(1), old, new)


def _addresses(documents: DocumentSet, before: Program, after: Program) -> None:
    """Renames the keys of examples, priors and presentation that are addresses of decisions."""
    known = zip(decisions(before), decisions(after), strict=False)
    changed = {old: new for old, new in [*known, *_picks(before, after)] if old != new}
    edits = Edits()
    for node in documents.nodes("priors"):
        if isinstance(node, Mapping):
            _priors(node, dict(zip(before.actions, after.actions, strict=False)) | changed, edits)
    for holder in _by_address(documents):
        for name in list(holder.items):
            if name in changed:
                edits.key(holder, name, changed[name])
    edits.apply()


def _priors(node: Mapping, changed: Settings[str, str], edits: Edits) -> None:
    """Adds the edits of the keys of priors: actions, addresses, and choices at addresses."""
    for name in list(node.items):
        address, _, choice = name.rpartition(".")
        if changed.get(name, name) != name:
            edits.key(node, name, changed[name])
        elif changed.get(address, address) != address:
            edits.key(node, name, f"{changed[address]}.{choice}")


def _picks(before: Program, after: Program) -> list[tuple[str, str]]:
    pairs = zip(before.actions.values(), after.actions.values(), strict=False)
    return [
        (f"{old.name}.{pick.parameter.name}", f"{new.name}.{pick.parameter.name}")
        for old, new in pairs
        for pick in old.picks
    ]


_PARTS_BY_ADDRESS: Final = ("prompts", "answers", "declines", "option_labels", "choice_labels", "below", "costs")
"""The parts of `presentation` whose keys are addresses of decisions."""


def _by_address(documents: DocumentSet) -> list[Mapping]:
    presented = [node for node in documents.nodes("presentation") if isinstance(node, Mapping)]
    parts = [node.get(part) for node in presented for part in _PARTS_BY_ADDRESS]
    for entry in documents.entries("examples"):
        if isinstance(entry.node, Mapping):
            parts += [entry.node.get("decisions"), entry.node.get("offers")]
    return [each for each in parts if isinstance(each, Mapping)]
