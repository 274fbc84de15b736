"""Checks values given as data: of individuals, links, options, dice and tables."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise, product

from interpreter.language.checking.program.checker import Checker
from interpreter.language.checking.program.declarations import RESERVED
from interpreter.language.checking.types.resolve_types import owner_of, store
from interpreter.language.checking.types.value_readers import UNFIT
from interpreter.language.diagnostics import Diagnostic, Located, Place, RulesetError, did_you_mean, with_article
from interpreter.language.model.kind_hierarchy import Kind, Symbol
from interpreter.language.model.program import Axis, Datum, Individual, Table
from interpreter.language.tree.types import BOOL, INT, UNKNOWN, EnumType, KindType, Type


def check_data(checker: Checker) -> None:
    """Reports every value of the wrong type and every missing value."""
    program = checker.program
    for individual in program.individuals.values():
        kind = program.kinds.get(individual.kind)
        if kind is None:
            message = f"'{individual.name}' is a '{individual.kind}', but there is no such kind"
            _add(checker, "unknown-kind", message, individual.place, did_you_mean(individual.kind, program.kinds))
            continue
        _check_values(checker, kind, individual.values, individual, individual.value_places)
        _check_start(checker, individual)
    _check_members(checker)
    _check_links(checker)
    for option in program.options.values():
        for value in (option.default, option.value):
            _try(checker, value, option.type, option.place, f"option '{option.name}'")
    for dice in program.dice.values():
        kind_of = INT if dice.enum is None else EnumType(dice.enum)
        for face in dice.faces:
            _try(checker, face, kind_of, dice.place, f"a face of '{dice.name}'")
    for table in program.tables.values():
        _check_table(checker, table)


def _add(checker: Checker, code: str, message: str, place: Place, hint: str | None = None) -> None:
    checker.report.append(Diagnostic(code, message, place, hint))


def _try(checker: Checker, datum: Datum | dict[str, Datum], kind: Type, place: Place, what: str) -> None:
    """Reports the errors of a value, each with what it belongs to."""
    if kind == UNKNOWN:
        return
    try:
        store(checker.program, datum, kind, place)
    except RulesetError as error:
        for each in error.diagnostics:
            _add(checker, each.code, f"{what}: {each.message}", each.place, each.hint)


def _check_values(
    checker: Checker, kind: Kind, values: dict[str, Datum], owner: Symbol, places: dict[str, Located]
) -> None:
    attributes = checker.program.attributes(kind.name)
    readers = checker.values.readers(kind.name)
    for name, datum in values.items():
        if name in readers and readers[name](datum) is not UNFIT:
            continue
        place = places.get(name, owner.place).place
        if name in attributes:
            _try(checker, datum, attributes[name].type, place, f"{owner.name}.{name}")
        elif checker.attributes.computed(kind.name, name) is not None:
            message = f"{owner.name}.{name}: '{name}' is computed, so it can't be given"
            _add(checker, "not-settable", message, place)
        else:
            hint = did_you_mean(name, attributes)
            _add(checker, "unknown-attribute", f"{kind.name} has no attribute '{name}'", place, hint)
    needed = [
        f"'{each.name}' ({each.type})"
        for each in checker.values.needed(kind.name)
        if each.name not in values and each.name not in RESERVED
    ]
    if needed:
        hint = "give it here, or give the attribute a default"
        _add(checker, "missing-value", f"{owner.name} needs {_listed(needed)}", owner.place, hint)


def _check_start(checker: Checker, individual: Individual) -> None:
    """Checks the start position of a piece."""
    if individual.at is None:
        return
    program, place = checker.program, individual.value_places.get("at", individual.place).place
    if program.kinds[individual.kind].root != "piece":
        message = f"'{individual.name}' is {with_article(individual.kind)}, but only pieces have a position"
        _add(checker, "cannot-stand", message, place)
        return
    holder, name = _end(checker, individual.at)
    if holder is None:
        known = [each for kind, each in program.individuals if checker.lattice.root(kind) in ("space", "piece")]
        message = f"'{individual.name}' is at '{individual.at}', but there is no such place"
        _add(checker, "unknown-place", message, place, did_you_mean(name, known))
    elif not checker.attributes.can_hold(holder, individual.kind):
        allowed = " or ".join(program.holders(individual.kind))
        message = f"'{individual.name}': {with_article(individual.kind)} can't be in {with_article(holder)}"
        _add(checker, "cannot-stand", message, place, f"it can be in {allowed}" if allowed else None)


def _end(checker: Checker, written: str) -> tuple[str | None, str]:
    """Returns the kind of a space or piece given as `name` or `kind/name`, and its bare name."""
    kind, _, name = written.rpartition("/")
    if kind:
        return owner_of(checker.program, kind, name), name
    return owner_of(checker.program, "space", name) or owner_of(checker.program, "piece", name), name


def _check_members(checker: Checker) -> None:
    """Checks seats to which no document gives values."""
    program = checker.program
    for kind in program.kinds.values():
        for name in kind.members:
            if (kind.name, name) not in program.individuals:
                _check_values(checker, kind, {}, Individual(name=name, place=kind.place, kind=kind.name), {})


def _check_links(checker: Checker) -> None:
    program = checker.program
    for link in program.links:
        for kind_of_end, end in zip(link.end_kinds, link.ends, strict=True):
            if (kind_of_end, end) in program.individuals:
                continue
            holder, name = _end(checker, end)
            if holder is None or checker.lattice.root(holder) != "space":
                known = [each for kind, each in program.individuals if checker.lattice.root(kind) == "space"]
                message = f"link '{link.name}': there is no space '{name}'"
                _add(checker, "unknown-place", message, link.place, did_you_mean(name, known))
        if link.kind is None or link.cuts:
            continue
        kind = program.kinds.get(link.kind)
        if kind is None or kind.root != "link":
            links = [each.name for each in program.kinds.values() if each.root == "link"]
            message = f"link '{link.name}': '{link.kind}' is not a kind of link"
            _add(checker, "unknown-kind", message, link.place, did_you_mean(link.kind, links))
        else:
            _check_values(checker, kind, link.values, link, link.value_places)


# ---------------------------------------------------------------- tables
def _check_table(checker: Checker, table: Table) -> None:
    for axis in table.axes:
        _check_axis(checker, table, axis)
    if _lacks_pattern(checker, table):
        return
    for position, cell in table.cells.items():
        _try(checker, cell.value, table.type, cell.place, f"table '{table.name}', {_headings(table, position)}")
    _check_cells(checker, table)


def _headings(table: Table, position: tuple[int, ...]) -> str:
    """Returns the headings of a cell as they are written."""
    said = []
    for axis, index in zip(table.axes, position, strict=True):
        heading = axis.headings[index]
        bounds = heading if isinstance(heading, tuple) else ()
        said.append("..".join("" if each is None else str(each) for each in bounds) or _written(heading))
    return "/".join(said)


def _written(heading: Datum) -> str:
    return str(heading).lower() if isinstance(heading, bool) else str(heading)


def _lacks_pattern(checker: Checker, table: Table) -> bool:
    """Reports a table of records that has no pattern to read its cells with."""
    kind = table.type
    if not isinstance(kind, KindType) or checker.lattice.root(kind.name) != "record":
        return False
    if not table.cells or any(isinstance(each.value, dict) for each in table.cells.values()):
        return False
    attributes = ", ".join(f"{{{each}}}" for each in checker.program.attributes(kind.name))
    hint = f"add 'cell:' with a pattern of attributes: {attributes}"
    message = f"table '{table.name}' gives {kind} records, but has no pattern for its cells"
    _add(checker, "missing-key", message, table.place, hint)
    return True


def _check_axis(checker: Checker, table: Table, axis: Axis) -> None:
    name, kind = axis.parameter.name, axis.parameter.type
    what = f"table '{table.name}', heading of '{name}'"
    ranges: list[tuple[float, float]] = []
    seen: set[object] = set()
    for index, (heading, is_range) in enumerate(zip(axis.headings, axis.is_range, strict=True)):
        place = axis.places[index] if index < len(axis.places) else table.place
        if is_range and isinstance(heading, tuple):
            low, high = [each if isinstance(each, int) else None for each in heading]
            if kind not in (INT, UNKNOWN):
                _add(checker, "wrong-value", f"{what}: only numbers have ranges, not {kind}", place)
            if low is not None and high is not None and low > high:
                _add(checker, "wrong-value", f"{what}: the range {low}..{high} is empty", place)
            ranges.append((float("-inf") if low is None else low, float("inf") if high is None else high))
            continue
        if not isinstance(heading, tuple):
            _try(checker, heading, kind, place, what)
            if isinstance(heading, int) and kind == INT:
                ranges.append((heading, heading))
        seen.add(heading)
    if any(one[1] >= other[0] for one, other in pairwise(sorted(set(ranges)))):
        _add(checker, "overlapping-ranges", f"table '{table.name}': headings of '{name}' overlap", table.place)
    if any(axis.is_range) and not table.clamp:
        _check_between(checker, table, name, ranges)
    if isinstance(kind, EnumType) and not table.clamp and kind.name in checker.program.enums:
        words = checker.program.enums[kind.name].words
        misspelt = any(isinstance(each, tuple) or each not in words for each in axis.headings)
        missing = [] if misspelt else [each for each in words if each not in seen]
        if missing:
            message = f"table '{table.name}' has no heading for '{name}' = {_listed(missing)}"
            _add(checker, "table-gaps", message, table.place, "add the row or column")


def _check_between(checker: Checker, table: Table, name: str, ranges: list[tuple[float, float]]) -> None:
    """Reports numbers between the headings of an axis that no heading covers."""
    for one, other in pairwise(sorted(set(ranges))):
        if one[1] + 1 < other[0]:
            low, high = int(one[1]) + 1, int(other[0]) - 1
            numbers = str(low) if low == high else f"{low}..{high}"
            message = f"table '{table.name}' has no heading for '{name}' = {numbers}"
            hint = "widen a heading, or add 'clamp: true'"
            checker.report.append(Diagnostic("table-gaps", message, table.place, hint, severity="warning"))


def _check_cells(checker: Checker, table: Table) -> None:
    """Reports missing cells of a table whose keys are all words or bools."""
    if not all(isinstance(each.parameter.type, EnumType) or each.parameter.type == BOOL for each in table.axes):
        return
    for place in product(*[range(len(each.headings)) for each in table.axes]):
        if place not in table.cells:
            keys = [str(axis.headings[index]) for axis, index in zip(table.axes, place, strict=True)]
            message = f"table '{table.name}' has no cell for {_listed(keys)}"
            _add(checker, "table-gaps", message, table.place, "fill it in")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
