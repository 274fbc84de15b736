"""Checks every citation of a ruleset against its clauses, wherever it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from interpreter.language.diagnostics import Place, did_you_mean
from interpreter.language.program import Program
from interpreter.language.syntax import Node as SyntaxNode
from interpreter.language.syntax import Stmt
from interpreter.rules.link_context import Context, text_of, words
from interpreter.rules.nodes import Mapping, Node, Origin, Sequence

_CITING_LISTS = {"clauses": "see", "left_out": "clauses", "readings": "clauses"}


def check_cites(context: Context) -> None:
    """Every citation must name a clause or a section that has clauses; nothing to check where no clauses are given."""
    listed = (each for each in context.documents.items("clauses") if isinstance(each, Mapping))
    clauses = {text_of(each.get("id")): each for each in listed}
    if not clauses:
        return
    sections = _sections(clauses)
    origins = {each.root.origin.file: each.root.origin for each in context.documents.documents}
    lines = ((name, _sign_place(name, place, origins)) for name, place in _cites_of_program(context.program))
    for name, place in (*_cites_of_documents(context), *lines):
        if name not in clauses and name not in sections:
            hint = did_you_mean(name, clauses)
            context.fault("unknown-clause", f"the ruleset has no clause '{name}'", place, hint)


def _sign_place(name: str, statement: Place, origins: dict[str, Origin]) -> Place:
    """Where the sign with this clause stands that follows the beginning of a statement."""
    origin = origins.get(statement.file)
    if origin is None:
        return statement
    start = origin.offset(statement.line, statement.column)
    found = re.compile(rf"@{re.escape(name)}(?![\w.\-])").search(origin.text, start)
    return Place(statement.file, *origin.position(found.start() + 1)) if found is not None else statement


def _sections(clauses: dict[str, Mapping]) -> set[str]:
    """The ids of all sections: what stands before a dot in the id of a clause."""
    found: set[str] = set()
    for name in clauses:
        parts = name.split(".")
        found.update(".".join(parts[:length]) for length in range(1, len(parts)))
    return found


def _cites_of_documents(context: Context) -> Iterator[tuple[str, Place]]:
    """The citations that stand as data: under `cite` anywhere, and where clauses are listed."""
    for document in context.documents.documents:
        for section, node in document.root.items.items():
            key = _CITING_LISTS.get(section)
            if key is None:
                yield from _cites_in(node, "cite")
                continue
            for each in node if isinstance(node, Sequence) else ():
                if isinstance(each, Mapping):
                    yield from ((word.text, word.place) for word in words(each.get(key)))


def _cites_in(node: Node, key: str) -> Iterator[tuple[str, Place]]:
    if isinstance(node, Mapping):
        for name, value in node.items.items():
            if name == key:
                yield from ((word.text, word.place) for word in words(value))
            else:
                yield from _cites_in(value, key)
    elif isinstance(node, Sequence):
        for each in node:
            yield from _cites_in(each, key)


def _cites_of_program(program: Program) -> Iterator[tuple[str, Place]]:
    """The citations at the ends of lines of rule text."""
    sections = (program.definitions, program.procedures, program.actions)
    for section in sections:
        for symbol in section.values():
            yield from _cites_of_lines(symbol.body)
    if program.evaluation is not None:
        yield from _cites_of_lines(program.evaluation.body)
    steps = [program.sequence] if program.sequence is not None else []
    while steps:
        step = steps.pop()
        yield from _cites_of_lines(step.body)
        steps.extend(step.steps)


def _cites_of_lines(value: object) -> Iterator[tuple[str, Place]]:
    if isinstance(value, tuple):
        for each in value:
            yield from _cites_of_lines(each)
    elif isinstance(value, SyntaxNode) and is_dataclass(value):
        if isinstance(value, Stmt):
            yield from ((name, value.place) for name in value.cites)
        for each in fields(value):
            if each.name not in ("cites", "place", "type", "ref", "ordered"):
                yield from _cites_of_lines(getattr(value, each.name))
