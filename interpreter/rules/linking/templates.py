"""Checks the templates of `presentation`: the titles and labels of kinds, and the chart of a large grid."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.language.diagnostics import Diagnostic, Place, did_you_mean, with_article
from interpreter.language.model.program import Definition, Program
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence
from interpreter.rules.linking.presentation import decisions

_FIELD = re.compile(r"\{(\w+)")
_OF_ALL = ("name", "id")


def check_templates(documents: DocumentSet, program: Program) -> Iterator[Diagnostic]:
    """Reports what titles, labels, `chart`, `board` and `log_hides` name and the program does not have."""
    for document in documents.nodes("presentation"):
        if isinstance(document, Mapping):
            sections = (document.get("option_labels"), document.get("choice_labels"), document.get("below"))
            by_address = [each for part in sections if isinstance(part, Mapping) for each in part.items.values()]
            for part in (document.get("titles"), document.get("labels"), _of_board(document, "labels"), *by_address):
                yield from _kinds(part, program)
            for template, kind in _by_kind(document.get("titles")):
                yield from _stored(template, kind, program)
            yield from _kinds(document.get("nearby"), program)
            yield from _kinds(document.get("coloured"), program)
            for attribute, kind in _by_kind(document.get("nearby")):
                known = list(program.attributes(kind)) if kind in program.kinds else [attribute.text]
                yield from _known(attribute, known, "attribute")
            for template, kind in _templates(document):
                yield from _fields(template, kind, program)
            yield from _procedures(document.get("procedures"), program)
            yield from _date(document, program)
            yield from _chart(document.get("chart"), program)
            for attribute, kind in _shown_attributes(document):
                yield from _attribute(attribute, kind, program)
            attributes = [f"{kind}.{name}" for kind in program.kinds for name in program.attributes(kind)]
            listed = [*program.kinds, *attributes, *program.state]
            yield from _known(_of_board(document, "without"), listed, "kind")
            yield from _known(_of_board(document, "without_empty"), list(program.kinds), "kind")
            hideable = [*program.state, *attributes, *decisions(program)]
            yield from _known(document.get("log_hides"), hideable, "attribute")


def read_by_templates(documents: DocumentSet, program: Program) -> set[Place]:
    """The places of the computed attributes that templates show or costs name: these count as used."""
    found: set[Place] = set()
    for document in documents.nodes("presentation"):
        if isinstance(document, Mapping):
            for template, kind in _templates(document):
                for name in _FIELD.findall(template.text):
                    found.update(each.place for each in _computed(program, kind, name))
            for attribute, kind in _shown_attributes(document):
                found.update(each.place for each in _computed(program, kind, attribute.text))
            dated = {name for template in _dates(document) for name in _FIELD.findall(template.text)}
            found.update(program.definitions[each].place for each in dated & program.definitions.keys())
            priced = set(_prices(document))
            found.update(each.place for name, each in program.definitions.items() if name.partition(".")[2] in priced)
    return found


def _prices(document: Mapping) -> Iterator[str]:
    """The attributes that are the costs of options, of whatever kind these are."""
    costs = document.get("costs")
    for entry in costs.items.values() if isinstance(costs, Mapping) else ():
        of = entry.get("of") if isinstance(entry, Mapping) else None
        if isinstance(of, Scalar):
            yield of.text


def _dates(document: Mapping) -> Iterator[Scalar]:
    node = document.get("date")
    yield from (
        each for each in (node.items.values() if isinstance(node, Mapping) else [node]) if isinstance(each, Scalar)
    )


def _date(document: Mapping, program: Program) -> Iterator[Diagnostic]:
    """Checks that a date shows state values, and definitions that take nothing."""
    known = [*program.state, *[name for name, each in program.definitions.items() if not each.takes]]
    for template in _dates(document):
        for found in _FIELD.finditer(template.text):
            if found[1] not in known:
                message = f"there is no state value '{found[1]}' to be shown in a date"
                hint = did_you_mean(found[1], known)
                yield Diagnostic("unknown-attribute", message, template.source.place(found.start(1)), hint)


def _templates(document: Mapping) -> Iterator[tuple[Scalar, str]]:
    """Every template with the kind of thing that fills it."""
    yield from _by_kind(document.get("labels"))
    yield from _by_kind(_of_board(document, "labels"))
    option_labels = document.get("option_labels")
    for each in option_labels.items.values() if isinstance(option_labels, Mapping) else ():
        yield from _by_kind(each)
    yield from _of_choices(document)
    chart = document.get("chart")
    if isinstance(chart, Mapping):
        of, pieces = chart.get("of"), chart.get("pieces")
        for lines in (chart.get("cell"), chart.get("overview")):
            if isinstance(of, Scalar) and isinstance(lines, Sequence):
                yield from ((each, of.text) for each in lines if isinstance(each, Scalar))
        for kind, node in pieces.items.items() if isinstance(pieces, Mapping) else ():
            if isinstance(node, Scalar):
                yield node, kind


def _of_choices(document: Mapping) -> Iterator[tuple[Scalar, str]]:
    choice_labels = document.get("choice_labels")
    for by_kind in choice_labels.items.values() if isinstance(choice_labels, Mapping) else ():
        for kind, texts in by_kind.items.items() if isinstance(by_kind, Mapping) else ():
            yield from ((template, kind) for template, _ in _by_kind(texts))


def _of_board(document: Mapping, part: str) -> Node | None:
    board = document.get("board")
    return board.get(part) if isinstance(board, Mapping) else None


def _by_kind(templates: Node | None) -> Iterator[tuple[Scalar, str]]:
    """The templates of a part that has one for a kind, in every language."""
    for kind, node in templates.items.items() if isinstance(templates, Mapping) else ():
        for each in node.items.values() if isinstance(node, Mapping) else [node]:
            if isinstance(each, Scalar):
                yield each, kind


def _stored(template: Scalar, kind: str, program: Program) -> Iterator[Diagnostic]:
    """Checks that a title computes nothing: it is shown long after the event."""
    if kind not in program.kinds:
        return
    root = program.kinds[kind].root
    known = [*program.attributes(kind), _OF_ALL[0], *{"space": ["nearby"], "piece": ["at"]}.get(root, [])]
    for found in _FIELD.finditer(template.text):
        if found[1] not in known:
            hint = did_you_mean(found[1], known)
            message = f"a {kind} stores no '{found[1]}' to be called by"
            yield Diagnostic("unknown-attribute", message, template.source.place(found.start(1)), hint)


def _fields(template: Scalar, kind: str, program: Program) -> Iterator[Diagnostic]:
    if kind not in program.kinds:
        return
    own = "pieces" if program.kinds[kind].root == "space" else "at"
    holders = [each.name for each in program.kinds.values() if each.root in ("space", "piece")]
    plurals = [each.plural for each in program.kinds.values() if each.root == "piece" and each.plural]
    known = [*program.attributes(kind), *_computed_names(program, kind), *_OF_ALL, own, *holders, *plurals]
    for found in _FIELD.finditer(template.text):
        if found[1] not in known:
            hint = did_you_mean(found[1], known)
            message = f"{with_article(kind)} has no '{found[1]}' to show"
            yield Diagnostic("unknown-attribute", message, template.source.place(found.start(1)), hint)


def _procedures(templates: Node | None, program: Program) -> Iterator[Diagnostic]:
    """Checks what runs of procedures are called, by their parameters; an overlay may leave one without outcomes."""
    named = {each.name: [own.name for own in each.takes] for each in program.procedures.values()}
    for name in templates.items if isinstance(templates, Mapping) else ():
        if name not in named and isinstance(templates, Mapping):
            message = f"there is no procedure '{name}'"
            yield Diagnostic("unknown-word", message, templates.key_place(name), did_you_mean(name, named))
    for template, procedure in _by_kind(templates):
        known = named.get(procedure)
        for found in _FIELD.finditer(template.text) if known is not None else ():
            if known is not None and found[1] not in known:
                message = f"the procedure '{procedure}' takes no '{found[1]}' to show"
                place = template.source.place(found.start(1))
                yield Diagnostic("unknown-attribute", message, place, did_you_mean(found[1], known))


def _computed_names(program: Program, kind: str) -> list[str]:
    return [
        rule.name.partition(".")[2]
        for rule in program.definitions.values()
        if rule.subject is not None and program.is_a(kind, rule.subject)
    ]


def _computed(program: Program, kind: str, name: str) -> Iterator[Definition]:
    if kind not in program.kinds:
        return
    for rule in program.definitions.values():
        owner = rule.subject if rule.name.partition(".")[2] == name else None
        if owner is not None and (program.is_a(kind, owner) or program.is_a(owner, kind)):
            yield rule


# ---------------------------------------------------------------- the chart
def _shown_attributes(document: Mapping) -> Iterator[tuple[Scalar, str]]:
    """The attributes that maps read for colours and for the overview and those below questions, each with its kind."""
    yield from _by_kind(document.get("coloured"))
    below = document.get("below")
    for each in below.items.values() if isinstance(below, Mapping) else ():
        yield from _by_kind(each)
    chart = document.get("chart")
    if isinstance(chart, Mapping):
        of, interest = chart.get("of"), chart.get("interest")
        if isinstance(of, Scalar) and isinstance(interest, Scalar):
            yield interest, of.text


def _attribute(attribute: Scalar, kind: str, program: Program) -> Iterator[Diagnostic]:
    own = [*program.attributes(kind), *_computed_names(program, kind), *_OF_ALL]
    known = own if kind in program.kinds else [attribute.text]
    yield from _known(attribute, known, "attribute")


def _chart(chart: Node | None, program: Program) -> Iterator[Diagnostic]:
    if not isinstance(chart, Mapping):
        return
    grids = [each.name for each in program.kinds.values() if each.grid is not None]
    yield from _known(chart.get("of"), grids, "kind with a grid")
    yield from _kinds(chart.get("pieces"), program)
    yield from _known(chart.get("focus"), list(program.state), "state value")
    sides = chart.get("sides")
    links = [each.name for each in program.kinds.values() if each.root == "link"]
    known = [name for kind in links for name in program.attributes(kind)]
    if isinstance(sides, Mapping):
        for name in [each for each in sides.items if each not in known]:
            message = f"no link has '{name}' to draw between spaces"
            yield Diagnostic("unknown-attribute", message, sides.key_place(name), did_you_mean(name, known))


def _kinds(node: Node | None, program: Program) -> Iterator[Diagnostic]:
    if isinstance(node, Mapping):
        for kind in node.items:
            if kind not in program.kinds:
                hint = did_you_mean(kind, program.kinds)
                yield Diagnostic("unknown-kind", f"there is no kind '{kind}'", node.key_place(kind), hint)


def _known(node: Node | None, known: list[str], what: str) -> Iterator[Diagnostic]:
    for each in node if isinstance(node, Sequence) else [node]:
        if isinstance(each, Scalar) and each.text not in known:
            code = "unknown-" + what.replace(" ", "-")
            yield Diagnostic(code, f"there is no {what} '{each.text}'", each.place, did_you_mean(each.text, known))
