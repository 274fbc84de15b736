"""Memoization of rules by their arguments, as long as nothing in their read set changes.

An expensive rule has a memo table that depends on the keys of its read set. The world empties the table when the
journal has a change of one of these keys (`interpreter.world.memo_tables`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.language.codegen.analysis.cost_model import is_worth_memoizing
from interpreter.language.codegen.analysis.read_sets import read_set_of
from interpreter.language.codegen.core.context import Emission
from interpreter.language.codegen.memo.piece_memo import piece_memo_index
from interpreter.language.model.emitted_names import KNOWN, LOCAL, NOW, part_of
from interpreter.language.model.program import Parameter, Rule
from interpreter.language.tree.types import EnumType, KindType, OptionalType, ScalarType, Type


def is_memoized(rule: Rule, emission: Emission) -> bool:
    """Whether a rule is memoized: it is expensive, its arguments are hashable, and its read set is known.

    A traced rule must run each time because it reports events; a recursive rule must count its calls.
    """
    if rule.key not in emission.memoized:
        emission.memoized[rule.key] = (
            emission.variant == "fast"
            and piece_memo_index(rule, emission) is None
            and rule.key not in emission.recursive
            and all(_is_key(each.type) for each in rule.takes)
            and is_worth_memoizing(rule, emission)
            and read_set_of(rule, emission) is not None
        )
    return emission.memoized[rule.key]


def _is_key(kind: Type) -> bool:
    inner = kind.of if isinstance(kind, OptionalType) else kind
    return isinstance(inner, ScalarType | EnumType | KindType)


@contextmanager
def memoized(name: str, takes: tuple[str, ...], rule: Rule, emission: Emission) -> Iterator[str]:
    """Yields the name under which to write a rule's function; if it is memoized, writes the look-up function first.

    `takes` are the Python names of its parameters.
    """
    if (number := piece_memo_index(rule, emission)) is not None:
        _write_piece_memo(name, takes[0], number, rule, emission)
        yield part_of(name, NOW)
        return
    if not is_memoized(rule, emission):
        yield name
        return
    out, listed = emission.out, ", ".join(takes)
    key = takes[0] if len(takes) == 1 else f"({listed})"
    own, known = part_of(name, NOW), part_of(name, KNOWN)
    out.line(f'{known} = answers("{" ".join(read_set_of(rule, emission) or ())}")')
    with out.block(f"def {name}({listed}):"):
        out.line("if SEEN[0] != len(J): catch_up()")
        out.line(f"found = {known}.get({key}, {known})")
        out.line(f"if found is not {known}: return found")
        out.line(f"found = {known}[{key}] = {own}({listed})")
        out.line("return found")
    yield own


def _write_piece_memo(name: str, piece: str, number: int, rule: Rule, emission: Emission) -> None:
    """Writes a function whose result the piece keeps; there none means unknown, and false means the result none."""
    out, optional = emission.out, isinstance(rule.gives, OptionalType)
    with out.block(f"def {name}({piece}):"):
        out.line(f"found = {piece}.inside[{number}]")
        out.line(f"if found is not None: return found{' or None' if optional else ''}")
        out.line(f"found = {part_of(name, NOW)}({piece})")
        out.line(f"if {piece}.inside is NOTHING: {piece}.inside = NOTHING.copy()")
        out.line(f"{piece}.inside[{number}] = found{' or False' if optional else ''}")
        out.line("return found")


def names_of(takes: tuple[Parameter, ...]) -> tuple[str, ...]:
    """The Python names of parameters."""
    return tuple([LOCAL(each.name) for each in takes])
