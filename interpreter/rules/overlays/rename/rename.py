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
from interpreter.rules.overlays.patch.expectation import check_expected, refused, spot_of
from interpreter.rules.overlays.patch.overlay import Patch
from interpreter.rules.overlays.path.resolve_path import LostError, find
from interpreter.rules.overlays.path.targets import ANY, GridSpot, ItemSpot, KeySpot, Path, Spot, shown_path
from interpreter.rules.overlays.rename.in_data import DataNames, Named, Renamed
from interpreter.rules.overlays.rename.in_examples import ExampleNames
from interpreter.rules.overlays.rename.in_rules import (
    Means,
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
_UNCALLED: Final = frozenset({"views", "invariants", "examples", "links", "readings"})
_ITEMS: Final = frozenset({"each", "limits", "bars", "stops", "when", "around"})


class _RenameTarget(NamedTuple):
    """What is renamed, and the predicate that finds it in rule text."""

    named: Named
    means: Means


def rename(
    documents: DocumentSet, patch: Patch, options: Settings[str, object], renames: dict[Place, Renamed]
) -> list[Path]:
    """Gives something a new name, records it in `renames`, and returns its old and its new path.

    Raises:
        RulesetError: if it can't be renamed, or if the rules below have errors, so that uses can't be found.
    """
    spot = spot_of(documents, patch)
    check_expected(spot, patch)
    assert isinstance(patch.value, Scalar)
    new = patch.value.text
    if isinstance(spot, GridSpot) and spot.path[0] == "tables":
        return _rename_heading(spot, patch, new)
    _check_new(documents, spot, patch, new)
    program = _program(documents, options)
    target = _target(program, spot, patch, new)
    _check_things(program, target.named, patch)
    renames[patch.at.place] = Renamed(target.named, program)
    edits, index = Edits(), TextIndex(documents)
    for place, name, ref in uses(program):
        if name in target.named.names and target.means(name, ref) and (found := index.find(place, name)) is not None:
            edits.word(*found, name, target.named.names[name])
    DataNames(documents, program, target.named, edits).note()
    ExampleNames(documents, program, target.named, edits, target.means).note()
    if target.named.sort == "clause":
        _signs(documents, target.named, edits)
    own = _own(spot, target.named, new, edits)
    edits.carry_through()
    if isinstance(spot, KeySpot):
        spot.holder.put(own, spot.holder.items[own], patch.value.origin, patch.value.start)
    renamed = target.named.names if target.named.sort == "options" else {}
    _addresses(documents, program, _after(documents, {renamed.get(key, key): each for key, each in options.items()}))
    return [spot.path, (*spot.path[:-1], own)]


def _check_new(documents: DocumentSet, spot: Spot, patch: Patch, new: str) -> None:
    """Raises a `RulesetError` unless the new name is valid and free."""
    own = new.rpartition(".")[2] if spot.path[0] == "definitions" else new
    if spot.path[0] != "clauses" and (not IDENTIFIER.fullmatch(own) or own in RESERVED_WORDS):
        hint = "a name has letters, digits and single underscores, begins with a letter and is no word of rule text"
        raise refused("bad-name", f"'{new}' is not a valid name", patch.value.place, hint)
    kind, dot, _ = spot.path[-1].rpartition(".") if spot.path[0] == "definitions" else ("", "", "")
    try:
        taken = find(documents, (*spot.path[: -2 if isinstance(spot, GridSpot) else -1], f"{kind}{dot}{own}"))
    except LostError:
        return
    message = f"there is already a '{shown_path(taken.path)}'"
    raise refused("already-there", message, patch.value.place, "choose another name, or rename that one first")


def _check_things(program: Program, named: Named, patch: Patch) -> None:
    """Raises a `RulesetError` if another thing of this kind has one of the new names.

    The paths don't show this: one line of a counter-mix can make several counters, each with a name.
    """
    taken = next((each for each in named.names.values() if (named.of, each) in program.individuals), None)
    if named.sort == "individual" and taken is not None and taken not in named.names:
        message = f"there is already a {named.of} '{taken}'"
        raise refused("already-there", message, patch.value.place, "choose another name, or rename that one first")


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
def _target(program: Program, spot: Spot, patch: Patch, new: str) -> _RenameTarget:
    section, *rest = spot.path
    old = rest[-1] if rest else ""
    if isinstance(spot, GridSpot):
        old = spot.row
        if spot.column != ANY or spot.row == ANY:
            raise _nameless(program, spot, patch)
    if section == "sequence":
        return _RenameTarget(Named("step", "", {old: new}), lambda name, ref: ref == "step" and name == old)
    if section == "kinds":
        return _of_kind(program, spot, patch, old, new)
    if section in ("individuals", "pieces") and (len(rest) == 2 or isinstance(spot, GridSpot)):
        return _of_things(program, rest[0], old, new)
    if section == "definitions" and "." in old and len(rest) == 1:
        return _computed(program, old, new)
    if section == "dice" and len(rest) == 1:
        return _RenameTarget(Named("dice", "", {old: new}), lambda name, ref: ref == "dice" and name == old)
    if section in _CALLED and len(rest) == 1:
        return _RenameTarget(Named(section, "", {old: new}), means_symbol(_symbol(program, section, old)))
    sort = {"clauses": "clause", "sources": "source"}.get(section)
    if (sort or section in _UNCALLED) and len(rest) == 1:
        return _RenameTarget(Named(sort or section, "", {old: new}), _nothing)
    if len(rest) == 3 and rest[1] in _ITEMS:
        return _RenameTarget(Named("item", "/".join(spot.path[:3]), {old: new}), _nothing)
    hint = "only what has a name of its own can be renamed: an entry, an item, an attribute, a word, a step"
    raise refused("cannot-rename", f"'{patch.at.text}' can't be renamed", patch.at.place, hint)


def _nameless(program: Program, spot: GridSpot, patch: Patch) -> RulesetError:
    """Returns the error for a cell or a column of a grid; an attribute is renamed in its kind."""
    kind = next((each.name for each in program.lineage(spot.path[1]) if spot.column in each.attributes), None)
    hint = "name a row" if kind is None else f"rename the attribute: at 'kinds/{kind}/has/{spot.column}'"
    return refused("cannot-rename", f"'{patch.at.text}' has no name of its own", patch.at.place, hint)


def _nothing(_name: str, _ref: object) -> bool:
    return False


def _symbol(program: Program, section: str, name: str) -> Symbol:
    found: dict[str, Symbol] = getattr(program, section)
    return found[name]


def _of_kind(program: Program, spot: Spot, patch: Patch, old: str, new: str) -> _RenameTarget:
    """Returns the target for a kind, an attribute of it, or one of its words."""
    kind, *rest = spot.path[1:]
    if not rest:
        subjects = {id(each.subject) for each in program.views.values() if each.kind == kind}
        rules = [each for each in program.definitions.values() if each.subject == kind]
        subjects |= {id(each.takes[0]) for each in rules}
        _keep_plural(program, spot, kind, new)
        return _RenameTarget(Named("kind", "", {old: new}), means_kind(kind, frozenset(subjects)))
    if rest[0] == "has" and len(rest) == 2:
        attribute = program.kinds[kind].attributes[old]

        def means(name: str, ref: object) -> bool:
            field = isinstance(ref, tuple) and program.attribute(ref[0], name) is attribute
            return ref is attribute or field

        return _RenameTarget(Named("attribute", kind, {old: new}), means)
    if rest[0] == "members" and len(rest) == 2:
        if kind in program.enums:
            return _RenameTarget(Named("word", kind, {old: new}), means_word(kind, old))
        return _of_things(program, kind, old, new)
    raise refused("cannot-rename", f"'{patch.at.text}' can't be renamed", patch.at.place, "set it")


def _keep_plural(program: Program, spot: Spot, kind: str, new: str) -> None:
    """Keeps the plural of a renamed kind, so that rule text with the plural needs no change."""
    fields = spot.node
    plural = program.kinds[kind].plural if kind in program.kinds else program.enums[kind].plural
    if not isinstance(fields, Mapping):
        return
    if plural == f"{new}s":
        fields.items.pop("plural", None)
    elif "plural" not in fields and plural:
        made = Scalar(fields.origin, fields.start, fields.start, "", plural, plural)
        fields.put("plural", made, fields.origin, fields.start)


def _of_things(program: Program, kind: str, old: str, new: str) -> _RenameTarget:
    """Returns the target for an individual, or for the counters of a line of a counter-mix."""
    names = {old: new} if (kind, old) in program.individuals else {}
    for of, name in program.individuals:
        number = name.removeprefix(f"{old}_")
        if of == kind and number != name and number.isdecimal() and (kind, old) not in program.individuals:
            names[name] = f"{new}_{number}"
    return _RenameTarget(Named("individual", kind, names), means_individual(kind, frozenset(names)))


def _computed(program: Program, old: str, new: str) -> _RenameTarget:
    """Returns the target for a computed attribute, with its definitions for kinds above and below."""
    kind, _, attribute = old.partition(".")
    family = {each.name for each in (*program.lineage(kind), *program.subkinds(kind))} | {kind}
    rules = [each for each in program.definitions.values() if each.subject in family]
    same = {id(each) for each in rules if each.title.partition(".")[2] == attribute}
    names = {attribute: new.rpartition(".")[2]}
    return _RenameTarget(
        Named("attribute", kind, names), lambda _, ref: id(ref) in same and not isinstance(ref, Parameter)
    )


# ---------------------------------------------------------------- its own name, headings, citations, addresses
def _own(spot: Spot, named: Named, new: str, edits: Edits) -> str:
    """Adds the edits of the name where it is declared, and returns the last part of its new path."""
    old = spot.path[-1]
    if isinstance(spot, GridSpot):
        if spot.row not in named.names:
            _rename_line(spot, new, edits)
        return new
    if isinstance(spot, ItemSpot):
        node: Node | None = spot.node.get("id") if isinstance(spot.node, Mapping) else spot.node
        if node is not None:
            edits.whole(node, new)
        return new
    assert isinstance(spot, KeySpot)
    if spot.path[0] != "definitions" or "." not in old:
        edits.key(spot.holder, old, new)
        return new
    kind, _, attribute = old.partition(".")
    for name in [each for each in spot.holder if each.endswith(f".{attribute}")]:
        edits.key(spot.holder, name, f"{name.partition('.')[0]}.{named.names[attribute]}")
    return f"{kind}.{named.names[attribute]}"


def _rename_line(spot: GridSpot, new: str, edits: Edits) -> None:
    """Adds the edits of a row of a text grid from which several counters are made, and of its figures."""
    text, figures = spot.fields.items["grid"], spot.fields.get("figures")
    grid = read_grid(text.source)[0] if isinstance(text, Scalar) else None
    for row in grid.rows if grid is not None else ():
        if isinstance(text, Scalar) and row.keys[0].text == spot.row:
            edits.word(text, row.keys[0].offset + row.keys[0].quoted, spot.row, new)
    for name in list(figures) if isinstance(figures, Mapping) else ():
        line, slash, attribute = name.partition("/")
        if line == spot.row and isinstance(figures, Mapping):
            edits.key(figures, name, f"{new}{slash}{attribute}")


def _rename_heading(spot: GridSpot, patch: Patch, new: str) -> list[Path]:
    """Gives a row or a column of a table a new heading; its cells don't change."""
    grid, place = spot.grid, patch.value.place
    if spot.row in (ANY, "") and spot.column != ANY:
        grid.head.cells[grid.columns.index(spot.column)] = (new, place)
        path = (*spot.path[:-1], new)
    elif spot.column == ANY and spot.row not in (ANY, ""):
        row = grid.row(spot.row)
        keys = new.split("/")
        if row is None or len(keys) != len(row.keys):
            raise refused("wrong-cells", f"'{new}' can't be the heading of a row here", place, "give every part of it")
        row.keys[:] = [(each, place) for each in keys]
        path = (*spot.path[:-2], new, ANY)
    else:
        raise refused("cannot-rename", f"'{patch.at.text}' has no heading of its own", patch.at.place, "set it")
    figures = spot.fields.get("figures")
    old = spot.column if spot.row in (ANY, "") else spot.row
    if isinstance(figures, Mapping) and old in figures:
        edits = Edits()
        edits.key(figures, old, new)
        edits.carry_through()
    spot.write()
    return [spot.path, path]


def _signs(documents: DocumentSet, named: Named, edits: Edits) -> None:
    """Adds the edits of clauses cited at the ends of lines of rule text."""
    for old, new in named.names.items():
        sign = re.compile(rf"@({re.escape(old)})(?![\w.\-])")
        for node in (each for document in documents.documents for each in scalars(document.root)):
            for found in sign.finditer(node.text):
                edits.word(node, found.start(1), old, new)


def _addresses(documents: DocumentSet, before: Program, after: Program) -> None:
    """Renames the keys of examples, leanings and presentation that are addresses of decisions."""
    known = zip(decisions(before), decisions(after), strict=False)
    changed = {old: new for old, new in [*known, *_picks(before, after)] if old != new}
    edits = Edits()
    for node in documents.nodes("leanings"):
        if isinstance(node, Mapping):
            _leanings(node, dict(zip(before.actions, after.actions, strict=False)) | changed, edits)
    for holder in _by_address(documents):
        for name in list(holder.items):
            if name in changed:
                edits.key(holder, name, changed[name])
    edits.carry_through()


def _leanings(node: Mapping, changed: Settings[str, str], edits: Edits) -> None:
    """Adds the edits of the keys of leanings: actions, addresses, and choices at addresses."""
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


def _by_address(documents: DocumentSet) -> list[Mapping]:
    presented = [node for node in documents.nodes("presentation") if isinstance(node, Mapping)]
    parts = [node.get(part) for node in presented for part in ("prompts", "answers", "offers")]
    for entry in documents.entries("examples"):
        if isinstance(entry.node, Mapping):
            parts += [entry.node.get("decisions"), entry.node.get("offers")]
    return [each for each in parts if isinstance(each, Mapping)]
