"""Remembers what rules gave: as long as nothing changes, the same question has the same answer.

A rule that runs over collections keeps its answers by its arguments, with the length that the journal had then. The
world forgets those that a way back has made wrong (`World.forget_answers`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.language.emission.context import Emission
from interpreter.language.program import Parameter, Rule
from interpreter.language.types import EnumType, KindType, OptionalType, Scalar, Type


def is_remembered(rule: Rule, emission: Emission) -> bool:
    """Whether a rule's answers are worth keeping, and its arguments can be looked up.

    A traced rule must run each time, for it says what it does; a recursive one counts its calls.
    """
    return (
        emission.variant == "fast"
        and rule.path not in emission.recursive
        and emission.loops(rule)
        and all(_is_key(each.type) for each in rule.takes)
    )


def _is_key(kind: Type) -> bool:
    inner = kind.of if isinstance(kind, OptionalType) else kind
    return isinstance(inner, Scalar | EnumType | KindType)


@contextmanager
def remembering(name: str, takes: tuple[str, ...], rule: Rule, emission: Emission) -> Iterator[str]:
    """Gives the name under which to write a rule's function; if it is remembered, another that asks it stands before.

    `takes` are the Python names of its parameters.
    """
    if not is_remembered(rule, emission):
        yield name
        return
    out, listed = emission.out, ", ".join(takes)
    key = takes[0] if len(takes) == 1 else f"({listed})"
    out.line(f"kn_{name} = answers()")
    with out.block(f"def {name}({listed}):"):
        out.line(f"known = kn_{name}")
        with out.block("if known[0] == len(J):"):
            out.line(f"found = known[1].get({key}, known)")
            out.line("if found is not known: return found")
        with out.block("else:"):
            out.line("known[0] = len(J)")
            out.line("known[1] = {}")
        out.line(f"found = known[1][{key}] = {name}__now({listed})")
        out.line("return found")
    yield f"{name}__now"


def names_of(takes: tuple[Parameter, ...]) -> tuple[str, ...]:
    """The Python names of parameters."""
    return tuple([f"v_{each.name}" for each in takes])
