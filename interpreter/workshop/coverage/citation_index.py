"""An index of everything in a ruleset that cites clauses of the rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.language.diagnostics import Place
from interpreter.language.model.kind_hierarchy import Symbol
from interpreter.language.model.program import Program
from interpreter.language.model.rule_bodies import evaluation_rules, steps_of
from interpreter.language.tree.statements import Body, Stmt
from interpreter.language.tree.traversal import walk_tree
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence
from interpreter.rules.linking.link_context import cites

NON_IMPLEMENTING_SECTIONS = frozenset(
    {"clauses", "left_out", "readings", "examples", "presentation", "glossary", "sources", "ruleset", "include"}
)
"""Sections whose citations do not implement anything."""
DATA_SECTIONS = frozenset({"kinds", "individuals", "layers", "links", "pieces", "state", "constants", "dice"})
"""Sections of plain data, which are in use as soon as a game is set up."""
ITEM_LISTS = frozenset({"each", "limits", "bars", "stops", "when", "around"})
"""The lists of items within a rule."""


@dataclass(frozen=True, slots=True)
class Citation:
    """Something that cites: its path, the clauses, and its place.

    `rule` is the path of the rule that contains it, `item` the id of the item in it, or none. `line` says whether it is
    a line of rule text.
    """

    path: str
    clauses: tuple[str, ...]
    place: Place
    section: str
    rule: str
    item: str | None = None
    line: bool = False


def citations(documents: DocumentSet, program: Program) -> list[Citation]:
    """Returns all citations, section by section, those in lines of rule text last."""
    found: list[Citation] = []
    for document in documents.documents:
        for section, node in document.root.items.items():
            if section not in NON_IMPLEMENTING_SECTIONS:
                found.extend(_in_section(section, node))
    for symbol, body in _bodies(program):
        found.extend(_in_lines(symbol, body))
    return found


# ---------------------------------------------------------------- data
def _in_section(section: str, node: Node) -> Iterator[Citation]:
    if not isinstance(node, Mapping):
        return
    if section in {"evaluation"}:
        yield from _in_node(section, section, section, node, node.place)
        return
    for name, value in node.items.items():
        rule = f"{section}/{name}"
        if section == "sequence":
            yield from _in_step(name, rule, value, node.key_place(name))
        else:
            yield from _in_node(section, rule, rule, value, node.key_place(name))


def _in_step(name: str, path: str, node: Node, place: Place) -> Iterator[Citation]:
    if not isinstance(node, Mapping):
        return
    if clauses := cites(node):
        yield Citation(path, clauses, place, "sequence", f"sequence/{name}")
    around = node.get("around")
    if isinstance(around, Sequence):
        yield from _in_items("sequence", f"sequence/{name}", f"{path}/around", around)
    inner = node.get("steps")
    if isinstance(inner, Mapping):
        for step, value in inner.items.items():
            yield from _in_step(step, f"{path}/{step}", value, inner.key_place(step))


def _in_node(section: str, rule: str, path: str, node: Node, place: Place) -> Iterator[Citation]:
    if isinstance(node, Mapping):
        if clauses := cites(node):
            yield Citation(path, clauses, place, section, rule)
        for name, value in node.items.items():
            if name in ITEM_LISTS and isinstance(value, Sequence):
                yield from _in_items(section, rule, f"{path}/{name}", value)
            elif name != "cite":
                yield from _in_node(section, rule, f"{path}/{name}", value, node.key_place(name))
    elif isinstance(node, Sequence):
        for number, value in enumerate(node, 1):
            yield from _in_node(section, rule, f"{path}/{number}", value, value.place)


def _in_items(section: str, rule: str, path: str, items: Sequence) -> Iterator[Citation]:
    for each in items:
        name = each.get("id") if isinstance(each, Mapping) else None
        if isinstance(each, Mapping) and isinstance(name, Scalar) and (clauses := cites(each)):
            yield Citation(f"{path}/{name.text}", clauses, each.place, section, rule, name.text)


# ---------------------------------------------------------------- rule text
def _bodies(program: Program) -> Iterator[tuple[Symbol, Body]]:
    for section in (program.definitions, program.procedures, program.actions):
        for symbol in section.values():
            yield symbol, symbol.body
    for each in (*evaluation_rules(program), *program.invariants.values()):
        yield each, each.body
    for step in steps_of(program.sequence):
        yield step, step.body


def _in_lines(symbol: Symbol, body: Body) -> Iterator[Citation]:
    for root in body:
        for each in walk_tree(root):
            if isinstance(each, Stmt) and each.cites:
                path = f"{symbol.path}:{each.place.line}"
                yield Citation(path, each.cites, each.place, symbol.section, symbol.path, line=True)
