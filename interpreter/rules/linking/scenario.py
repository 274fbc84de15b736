"""Links a scenario to its ruleset: the differences from the set-up of the ruleset, as plain data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from interpreter.language.checking.types.resolve_types import may_be_missing, store
from interpreter.language.diagnostics import MAX_LISTED_OPTIONS, Diagnostic, Place, RulesetError, UsageError
from interpreter.language.model.image import Stored
from interpreter.language.model.program import Datum, Individual, Program
from interpreter.language.tree.types import Type
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping, Node, Plain, Scalar, Sequence
from interpreter.rules.linking.grid_rows import read_lines
from interpreter.rules.linking.individuals import find_holder, read_counters
from interpreter.rules.linking.layers import drawn_values
from interpreter.rules.linking.link_context import Entry, LinkContext, datum, localized, words
from interpreter.rules.linking.option_settings import describe_settings, read_setting
from interpreter.rules.linking.setup import Ref, Setup, Spot, Values

_Set = tuple[str, str, str, Stored]
_PLACING_KEYS = ("id", "ids", "at", "cite")


def scenario_options(node: Mapping) -> dict[str, Plain]:
    """The option settings of a scenario, to link its ruleset with."""
    options = node.get("options")
    if not isinstance(options, Mapping):
        return {}
    return {name: each.value for name, each in options.items.items() if isinstance(each, Scalar)}


def link_scenario(node: Mapping, program: Program) -> tuple[Setup, list[Diagnostic]]:
    """The set-up of a scenario or a worked example, and all errors in it; `program` has been checked."""
    own = replace(program, individuals=dict(program.individuals))
    context = LinkContext(DocumentSet(Path()), own, {}, tells_figures=False)
    pieces = _further(context, node)
    drawn = _drawn(context, node.get("layers"))
    sets, state = _sets(context, node.get("set"))
    state += _state(context, node.get("state"))
    setup = Setup(
        options=_options(context, node.get("options")),
        pieces=pieces,
        sets=drawn + sets,
        state=state,
        board=_board(context, node.get("board")),
        seats=_seats(context, node.get("seats")),
    )
    _check_names(context, node.get("names"))
    _check_balance(context, node.get("scenario"))
    return setup, sorted(context.faults, key=lambda each: each.place)


# ---------------------------------------------------------------- values
def _stored(context: LinkContext, what: str, value: Datum, kind: Type, place: Place) -> tuple[bool, Stored]:
    """Whether a value has the type, and its stored form; the error names what it is a value of."""
    try:
        return True, store(context.program, value, kind, place)
    except RulesetError as error:
        context.faults += [replace(each, message=f"{what}: {each.message}") for each in error.diagnostics]
        return False, None


def _attribute(context: LinkContext, kind: str, name: str, node: Node, place: Place) -> Values:
    """One attribute with its value; nothing where either has an error."""
    attribute = context.program.attribute(kind, name)
    if attribute is None:
        context.no_attribute(kind, name, context.program.attributes(kind), place)
        return ()
    fits, value = _stored(context, name, datum(node), attribute.type, node.place)
    return ((name, value),) if fits else ()


def _options(context: LinkContext, node: Node | None) -> Values:
    found: list[tuple[str, Stored]] = []
    options = context.program.options
    for each in context.pairs(node):
        if each.name not in options:
            context.unknown("option", each.name, options, each.place, most=MAX_LISTED_OPTIONS)
            continue
        option = options[each.name]
        try:
            value = read_setting(option, datum(each.node))
        except UsageError as error:
            message = str(error).partition("; ")[0]
            context.fault("wrong-setting", message, each.node.place, f"write {describe_settings(option)}")
            continue
        assert isinstance(value, bool | int | str)
        found.append((each.name, value))
    return tuple(found)


def _state(context: LinkContext, node: Node | None) -> Values:
    return tuple(
        value for each in context.pairs(node) for value in _one_state(context, each.name, each.node, each.place)
    )


def _one_state(context: LinkContext, name: str, node: Node, place: Place) -> Values:
    state = context.program.state
    if name not in state:
        context.unknown("state value", name, state, place)
        return ()
    fits, value = _stored(context, name, datum(node), state[name].attribute.type, node.place)
    return ((name, value),) if fits else ()


def _drawn(context: LinkContext, node: Node | None) -> tuple[_Set, ...]:
    """The `layers` of a scenario; `set` has precedence over them."""
    found: dict[tuple[str, str, str], Stored] = {}
    places: dict[tuple[str, str, str], Place] = {}
    faulty: set[Place] = set()
    for entry in context.pairs(node):
        for each in drawn_values(context, entry):
            path, place = (each.space.kind, each.space.name, each.attribute), each.source.place
            if path in places:
                context.twice(f"'{each.attribute}' of {each.space.name} is drawn twice", each.cell, places[path])
            elif place not in faulty:
                declared = context.program.attributes(each.space.kind)[each.attribute].type
                fits, found[path] = _stored(context, each.attribute, each.value, declared, place)
                faulty.update([] if fits else [place])
            places[path] = each.cell
    return tuple([(*path, value) for path, value in found.items()])


def _sets(context: LinkContext, node: Node | None) -> tuple[tuple[_Set, ...], Values]:
    """The `set` of a scenario: attributes by `kind/id/attribute`, state values by `state/name`."""
    found: list[_Set] = []
    state: list[tuple[str, Stored]] = []
    for each in context.pairs(node):
        parts = each.name.split("/")
        if len(parts) == 2 and parts[0] == "state":
            state.extend(_one_state(context, parts[1], each.node, each.place))
        elif len(parts) == 3:
            kind = _kind(context, parts[0], each.place)
            owner = _owner(context, kind, parts[1], each.place) if kind is not None else None
            if owner is not None:
                values = _attribute(context, owner[0], parts[2], each.node, each.place)
                found.extend((*owner, name, value) for name, value in values)
        else:
            hint = "write 'kind/id/attribute' or 'state/name'"
            context.fault("wrong-path", f"'{each.name}' is no path to a value", each.place, hint)
    return tuple(found), tuple(state)


def _kind(context: LinkContext, name: str, place: Place) -> str | None:
    if name in context.program.kinds:
        return name
    context.unknown("kind", name, context.program.kinds, place)
    return None


def _owner(context: LinkContext, kind: str, name: str, place: Place) -> Ref | None:
    """The individual of a kind, or of one below it, under its own kind."""
    program = context.program
    kinds = [each.name for each in program.subkinds(kind)]
    for each in kinds:
        if (each, name) in program.individuals:
            return each, name
    known = [each for of, each in program.individuals if of in kinds]
    context.unknown(kind, name, known, place, "unknown-individual")
    return None


# ---------------------------------------------------------------- pieces
def _further(context: LinkContext, node: Mapping) -> tuple[tuple[str, str, Values, Ref | None], ...]:
    """Things and counters that the scenario adds; all names are known before values are read."""
    made = [*_of_section(context, node.get("things"), "thing"), *_of_section(context, node.get("pieces"), "piece")]
    reported: set[Place] = set()
    return tuple(_counter(context, each, reported) for each in made)


def _of_section(context: LinkContext, node: Node | None, root: str) -> Iterable[Individual]:
    known = context.program.individuals
    for each in context.pairs(node):
        kind = context.program.kinds.get(each.name)
        if kind is None or kind.root != root:
            kinds = [other.name for other in context.program.kinds.values() if other.root == root]
            context.unknown(f"kind of {root}", each.name, kinds, each.place)
            continue
        for made in read_counters(context, kind, each.node):
            key = (kind.name, made.name)
            if key in known:
                on_board = "put it on the 'board' to change its location"
                hint = on_board if root == "piece" else "change its values under 'set'"
                context.fault("duplicate-name", f"the {kind.name} '{made.name}' is there already", made.place, hint)
            else:
                known[key] = made
                yield made


def _counter(context: LinkContext, counter: Individual, reported: set[Place]) -> tuple[str, str, Values, Ref | None]:
    """A counter with its values; an error in a line of counters is reported for the first of them."""
    before = len(context.faults)
    program = context.program
    values: list[tuple[str, Stored]] = []
    for name, attribute in program.attributes(counter.kind).items():
        if name in counter.values:
            what, place = f"{counter.name}.{name}", counter.value_places[name].place
            fits, value = _stored(context, what, counter.values[name], attribute.type, place)
            values.extend([(name, value)] if fits else [])
        elif not may_be_missing(attribute):
            hint = f"add '{name}:'"
            context.fault("missing-value", f"{counter.kind} '{counter.name}' has no '{name}'", counter.place, hint)
    holder = None
    if counter.at is not None:
        holder = find_holder(context, counter.kind, counter.at, counter.value_places["at"].place)
    if counter.place in reported:
        del context.faults[before:]
    reported.add(counter.place)
    return counter.kind, counter.name, tuple(values), holder


def _board(context: LinkContext, node: Node | None) -> tuple[tuple[str, str, Values, Spot], ...]:
    found: list[tuple[str, str, Values, Spot]] = []
    placed: dict[Ref, Place] = {}
    for each in context.pairs(node):
        kind = _kind(context, each.name, each.place)
        if kind is None:
            continue
        for line in each.node if isinstance(each.node, Sequence) else [each.node]:
            if isinstance(line, Mapping):
                grid = line.get("grid")
                if isinstance(grid, Scalar):
                    found.extend(_placed_by_grid(context, kind, line, grid, placed))
                else:
                    found.extend(_placed(context, kind, line, placed))
    return tuple(found)


def _placed_by_grid(
    context: LinkContext, kind: str, fields: Mapping, grid: Scalar, placed: dict[Ref, Place]
) -> Iterable[tuple[str, str, Values, Spot]]:
    """The pieces of a text grid; a piece with a dash in column `at` keeps its location."""
    attributes = dict(context.program.attributes(kind))
    for line in read_lines(context, fields, grid.source, ("id",), [*attributes, "at"], f"board/{kind}"):
        key = line.keys[0]
        owner = _owner(context, kind, key.text, key.place)
        if owner is None:
            continue
        _note_placed(context, owner, key.place, placed)
        values: Values = ()
        spot: Spot = ()
        for name, cell in line.cells.items():
            if name == "at":
                spot = None if cell.datum is None else find_holder(context, owner[0], cell.text, cell.place)
                continue
            fits, value = _stored(context, f"{key.text}.{name}", cell.datum, attributes[name].type, cell.place)
            values += ((name, value),) if fits else ()
        yield (*owner, values, spot)


def _note_placed(context: LinkContext, owner: Ref, place: Place, placed: dict[Ref, Place]) -> None:
    if owner in placed:
        hint = f"take it out of one of the two; the first is at {placed[owner]}"
        context.fault("placed-twice", f"'{owner[1]}' is put on the board twice", place, hint)
    placed[owner] = place


def _placed(
    context: LinkContext, kind: str, line: Mapping, placed: dict[Ref, Place]
) -> Iterable[tuple[str, str, Values, Spot]]:
    """The pieces of one line of a board."""
    for word in (*words(line.get("id")), *words(line.get("ids"))):
        owner = _owner(context, kind, word.text, word.place)
        if owner is None:
            continue
        _note_placed(context, owner, word.place, placed)
        values: Values = ()
        for each in context.pairs(line):
            if each.name not in _PLACING_KEYS:
                values += _attribute(context, owner[0], each.name, each.node, each.place)
        yield (*owner, values, _spot(context, owner[0], line.get("at")))


def _spot(context: LinkContext, kind: str, node: Node | None) -> Spot:
    if node is None:
        return ()
    name = datum(node)
    return find_holder(context, kind, name, node.place) if isinstance(name, str) else None


def _seats(context: LinkContext, node: Node | None) -> tuple[tuple[str, str], ...]:
    return tuple((each.name, localized(each.node)) for each in context.pairs(node) if _is_seat(context, each))


def _is_seat(context: LinkContext, entry: Entry) -> bool:
    program = context.program
    known = [name for kind, name in program.individuals if program.kinds[kind].root == "seat"]
    if entry.name not in known:
        context.unknown("seat", entry.name, known, entry.place)
    return entry.name in known


def _check_balance(context: LinkContext, head: Node | None) -> None:
    """Reports winners of a balance that are no seats, and balances of no games."""
    records = head.get("balance") if isinstance(head, Mapping) else None
    for record in records.items if isinstance(records, Sequence) else ():
        if not isinstance(record, Mapping):
            continue
        won = [each for each in context.pairs(record.get("wins")) if _is_seat(context, each)]
        draws = record.get("draws")
        games = [each.node for each in won] + ([] if draws is None else [draws])
        if not any(isinstance(each, Scalar) and each.value for each in games):
            message = "this balance is one of no games"
            context.fault("no-games", message, record.place, "give the games that each seat has won, or 'draws'")


def _check_names(context: LinkContext, node: Node | None) -> None:
    """Reports names of things that the scenario does not have; a name may be that of a line of counters."""
    program = context.program
    for entry in context.pairs(node):
        if entry.name not in program.kinds:
            context.unknown("kind", entry.name, program.kinds, entry.place)
            continue
        below = {each.name for each in program.subkinds(entry.name)}
        known = {name for kind, name in program.individuals if kind in below}
        for each in context.pairs(entry.node):
            if each.name not in known and f"{each.name}_1" not in known:
                context.unknown(entry.name, each.name, known, each.place)
