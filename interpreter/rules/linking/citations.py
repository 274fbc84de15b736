"""Checks every citation of a ruleset against its clauses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from interpreter.language.diagnostics import Place, nearest
from interpreter.language.model.program import Program
from interpreter.language.model.rule_bodies import evaluation_rules, steps_of
from interpreter.language.tree.statements import Stmt
from interpreter.rules.documents.nodes import FileText, Mapping, Node, Scalar, Sequence
from interpreter.rules.linking.link_context import LinkContext, text_of, words

_MAX_LISTED: Final = 8
_GOES_ON: Final = re.compile(r"[\w.\-]")
"""Characters that continue the id of a clause."""
_CITING_LISTS = {"clauses": "see", "left_out": "clauses", "readings": "clauses"}


def check_cites(context: LinkContext) -> None:
    """Reports citations that name neither a clause nor a section with clauses; without clauses nothing is checked."""
    listed = (each for each in context.documents.items("clauses") if isinstance(each, Mapping))
    clauses = {text_of(each.get("id")): each for each in listed}
    if not clauses:
        return
    known, unknown = clauses.keys() | _sections(clauses), dict[str, list[Place]]()
    for word in _cites_of_documents(context):
        if word.text not in known:
            unknown.setdefault(word.text, []).append(word.place)
    origins = {each.root.origin.file: each.root.origin for each in context.documents.documents}
    for name, statement in _cites_of_program(context.program):
        if name not in known:
            unknown.setdefault(name, []).append(_sign_place(name, statement, origins))
    for name, places in unknown.items():
        _tell_unknown(name, places, clauses, context)


def _tell_unknown(name: str, places: list[Place], clauses: Iterable[str], context: LinkContext) -> None:
    """Reports a clause once, where it is cited first: an unwritten one may be cited everywhere."""
    close, others = nearest(name, clauses), len(places) - 1
    hint = f"did you mean '{close}'?" if close is not None else "add it under 'clauses', with its kind and what it says"
    where = [f"{Path(each.file).name}:{each.line}" for each in places[1:]]
    listed = ", ".join(where[:_MAX_LISTED]) + (", …" if others > _MAX_LISTED else "")
    also = f", cited here and in {others} other place{'s' if others > 1 else ''} ({listed})" if others else ""
    context.fault("unknown-clause", f"the ruleset has no clause '{name}'{also}", places[0], hint)


def _sign_place(name: str, statement: Place, origins: dict[str, FileText]) -> Place:
    """The place of the citation mark with this clause after the beginning of a statement."""
    origin = origins.get(statement.file)
    if origin is None:
        return statement
    text, sign = origin.text, f"@{name}"
    found = text.find(sign, origin.offset(statement.line, statement.column))
    while found >= 0 and _GOES_ON.match(text, found + len(sign)):
        found = text.find(sign, found + 1)
    return Place(statement.file, *origin.position(found + 1)) if found >= 0 else statement


def _sections(clauses: dict[str, Mapping]) -> set[str]:
    """The ids of all sections: the prefixes of clause ids before a dot."""
    found: set[str] = set()
    for name in clauses:
        parts = name.split(".")
        found.update(".".join(parts[:length]) for length in range(1, len(parts)))
    return found


def _cites_of_documents(context: LinkContext) -> Iterator[Scalar]:
    """The citations in data: under `cite` anywhere, and in lists of clauses."""
    for document in context.documents.documents:
        for section, node in document.root.items.items():
            key = _CITING_LISTS.get(section)
            if key is None:
                yield from _cites_in(node)
                continue
            for each in node if isinstance(node, Sequence) else ():
                if isinstance(each, Mapping):
                    yield from words(each.get(key))


def _cites_in(root: Node) -> Iterator[Scalar]:
    stack = [root]
    while stack:
        node = stack.pop()
        if type(node) is Mapping:
            if (cited := node.items.get("cite")) is not None:
                yield from words(cited)
            stack += [each for name, each in node.items.items() if name != "cite" and type(each) is not Scalar]
        elif type(node) is Sequence:
            stack += node.items


def _cites_of_program(program: Program) -> Iterator[tuple[str, Place]]:
    """The citations at the ends of lines of rule text."""
    sections = (program.definitions, program.procedures, program.actions)
    for section in sections:
        for symbol in section.values():
            yield from _cites_of_lines(symbol.body, program)
    for opinion in evaluation_rules(program):
        yield from _cites_of_lines(opinion.body, program)
    for step in steps_of(program.sequence):
        yield from _cites_of_lines(step.body, program)


def _cites_of_lines(lines: tuple[Stmt, ...], program: Program) -> Iterator[tuple[str, Place]]:
    for line in lines:
        for node in program.nodes(line):
            if isinstance(node, Stmt):
                yield from ((name, node.place) for name in node.cites)
