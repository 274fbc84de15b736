"""Links the documents of a ruleset: nodes become symbols with parsed rule text; collects all errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Settings
from itertools import chain

from interpreter.language.diagnostics import Diagnostic, Place
from interpreter.language.model.kind_hierarchy import Symbol
from interpreter.language.model.program import Program
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.linking.attribute_values import link_constants, link_dice, link_options, link_state
from interpreter.rules.linking.borders import link_links
from interpreter.rules.linking.citations import check_cites
from interpreter.rules.linking.figure import Figure
from interpreter.rules.linking.individuals import check_holders, link_individuals, link_pieces
from interpreter.rules.linking.kinds import link_kinds, link_members
from interpreter.rules.linking.layers import link_layers
from interpreter.rules.linking.link_context import LinkContext, text_of
from interpreter.rules.linking.methods import link_methods
from interpreter.rules.linking.rules import (
    link_actions,
    link_definitions,
    link_evaluation,
    link_invariants,
    link_menus,
    link_modifiers,
    link_priors,
    link_procedures,
    link_restrictions,
    link_searches,
    link_views,
)
from interpreter.rules.linking.sequence import link_sequence
from interpreter.rules.linking.tables import link_tables
from interpreter.rules.linking.victory_conditions import link_victory
from interpreter.rules.linking.windows import is_window, link_window_records, link_windows

_PARTS = (
    link_kinds,
    link_window_records,
    link_options,
    link_members,
    link_individuals,
    link_layers,
    link_pieces,
    check_holders,
    link_links,
    link_state,
    link_constants,
    link_dice,
    link_tables,
    link_definitions,
    link_modifiers,
    link_restrictions,
    link_searches,
    link_procedures,
    link_methods,
    link_menus,
    link_windows,
    link_actions,
    link_sequence,
    link_views,
    link_evaluation,
    link_priors,
    link_invariants,
    link_victory,
    check_cites,
)


def link(documents: DocumentSet, options: Settings[str, object] | None = None) -> tuple[Program, list[Diagnostic]]:
    """The program of the documents with these options, and all errors in document order.

    What is faulty is left out of the program or left empty in it; so only a program without faults means what it says.

    Raises:
        UsageError: if a setting names no option, or is no value of its option.
    """
    context = link_all(documents, options or {}, tells_figures=False)
    return context.program, context.faults


def link_all(documents: DocumentSet, options: Settings[str, object], *, tells_figures: bool = True) -> LinkContext:
    """One run of the linker with all its results; with the figures if they are wanted.

    Raises:
        UsageError: if a setting names no option, or is no value of its option.
    """
    head = documents.head
    program = Program(name=text_of(head.get("id")) or "ruleset", version=text_of(head.get("version")) or "0")
    context = LinkContext(documents, program, dict(options), tells_figures=tells_figures)
    for part in _PARTS:
        part(context)
    _check_values_are_distinct(context)
    _check_calls_are_distinct(context)
    order = {str(each.path): number for number, each in enumerate(documents.documents)}
    context.faults.sort(key=lambda each: (order.get(each.place.file, len(order)), each.place))
    return context


def figures(documents: DocumentSet, program: Program) -> list[Figure]:
    """All figures of a ruleset, section by section in document order.

    Cells of tables, constants, whole numbers of individuals and counters, counts of counters, modifiers that are plain
    numbers, and each entry of `links` and `layers` (its value is the number of its links, or of the marks drawn).
    """
    options = {name: option.value for name, option in program.options.items()}
    return link_all(documents, options).figures


# ---------------------------------------------------------------- names with two meanings
def _check_values_are_distinct(context: LinkContext) -> None:
    """Reports bare names with several meanings; individuals and words are distinguished from each other by type."""
    program = context.program
    _check_distinct(
        context,
        chain(
            _named("the state value", program.state.values()),
            _named("the constant", program.constants.values()),
            _named("the option", program.options.values()),
            _named("the table", program.tables.values()),
            _named("the dice", program.dice.values()),
            _plurals(program),
        ),
        {name: (name, what, place) for name, what, place in _typed_names(program)},
    )


def _check_calls_are_distinct(context: LinkContext) -> None:
    """Reports names under which several things can be called."""
    program = context.program
    definitions = [each for each in program.definitions.values() if each.subject is None]
    _check_distinct(
        context,
        chain(
            _named("the definition", definitions),
            _named("the modifiers", program.modifiers.values()),
            _named("the restrictions", program.restrictions.values()),
            _named("the search", program.searches.values()),
            _named("the procedure", program.procedures.values()),
            _named("the menu", [each for each in program.menus.values() if not is_window(context, each.name)]),
        ),
    )


_Named = tuple[str, str, Place]


def _named(what: str, symbols: Iterable[Symbol]) -> Iterator[_Named]:
    return ((each.name, f"{what} '{each.name}'", each.place) for each in symbols)


def _plurals(program: Program) -> Iterator[_Named]:
    for kind in program.kinds.values():
        if kind.root not in ("link", "record"):
            yield kind.plural, f"the plural of '{kind.name}'", kind.place
    for enum in program.enums.values():
        if enum.plural:
            yield enum.plural, f"the plural of '{enum.name}'", enum.place


def _typed_names(program: Program) -> Iterator[_Named]:
    """Yields the individuals that rules can name, and the words of enums."""
    for each in program.individuals.values():
        if each.named:
            yield each.name, f"the {each.kind} '{each.name}'", each.place
    for kind in program.kinds.values():
        for name in kind.members:
            yield name, f"the {kind.name} '{name}'", kind.place
    for enum in program.enums.values():
        for name in enum.words:
            yield name, f"the word '{name}' of {enum.name}", enum.place


def _check_distinct(context: LinkContext, names: Iterable[_Named], known: dict[str, _Named] | None = None) -> None:
    first = dict(known or {})
    for name, what, place in names:
        if name not in first:
            first[name] = (name, what, place)
            continue
        _, other, where = first[name]
        message = f"'{name}' can mean {other} and {what}"
        context.fault("ambiguous-name", message, place, f"rename one of them; the other is at {where}")
