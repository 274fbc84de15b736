"""The read sets of rules: the keys of state that a rule and everything it calls may read.

Memoized results depend on these keys: `a_<attribute>` for values, `@<kind>` for where pieces of a kind are, `+<kind>`
for which pieces of a kind there are.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.language.checking.types.derived_attributes import DerivedAttribute
from interpreter.language.codegen.analysis.containment import can_nest, may_stand_in
from interpreter.language.codegen.core.context import Emission, static_kind
from interpreter.language.model.emitted_names import SLOT
from interpreter.language.model.kind_hierarchy import Attribute, Enum, Kind, WordDeclaration
from interpreter.language.model.program import (
    Builtin,
    Constant,
    Individual,
    Option,
    Parameter,
    Program,
    Rule,
    StateValue,
    Table,
)
from interpreter.language.model.rule_bodies import rule_texts
from interpreter.language.tree.statements import (
    Attr,
    Call,
    DecisionExpr,
    Draw,
    Name,
    Random,
    RollApart,
    RollSum,
    SyntaxNode,
)
from interpreter.language.tree.traversal import walk_tree

EVERYTHING = "*"
_CONSTANT_REFS = (Parameter, Constant, Option, Individual, WordDeclaration, Enum, Table)
_PURE_BUILTINS = {
    "count",
    "any",
    "all",
    "sum",
    "min",
    "max",
    "first",
    "distinct",
    "distance",
    "adjacent",
    "between",
    "link",
}


def read_set_of(rule: Rule, emission: Emission) -> list[str] | None:
    """The read set of a rule, sorted; none where it is not known."""
    found: set[str] = set()
    seen, waiting = {rule.key}, [rule]
    while waiting:
        each = waiting.pop()
        if each.key not in emission.read_keys:
            emission.read_keys[each.key] = _own(each, emission)
        keys, called = emission.read_keys[each.key]
        found |= keys
        for other in called:
            if other.key not in seen:
                seen.add(other.key)
                waiting.append(other)
    return None if EVERYTHING in found else sorted(found)


def _own(rule: Rule, emission: Emission) -> tuple[frozenset[str], tuple[Rule, ...]]:
    """The keys that the text of a rule itself reads, and the rules that it calls."""
    keys: set[str] = set()
    called: dict[str, Rule] = {}
    for text in rule_texts(rule):
        for node in emission.program.nodes(text):
            keys.update(_read(node, emission))
            for each in _called(node, emission.program):
                called[each.key] = each
    return frozenset(keys), tuple(called.values())


def _called(node: SyntaxNode, program: Program) -> Iterator[Rule]:
    """The rules that a node may call, with the overriding ones of sub-kinds."""
    if isinstance(node, Call | Attr) and isinstance(node.ref, Rule):
        yield node.ref
        kind, dot, name = node.ref.name.partition(".")
        if dot and kind in program.kinds:
            own = (program.definitions.get(f"{each.name}.{name}") for each in program.subkinds(kind))
            yield from (each for each in own if each is not None)


def _read(node: SyntaxNode, emission: Emission) -> Iterator[str]:
    match node:
        case DecisionExpr() | RollSum() | RollApart() | Random() | Draw():
            yield EVERYTHING
        case Name(ref=StateValue(name=name)):
            yield SLOT(name)
        case Name(ref=Constant(value=value)):
            for each in walk_tree(value):
                yield from _read(each, emission)
        case Name(ref=Kind() as kind):
            yield from _existing(kind, emission.program)
        case Name(ref=ref) if not isinstance(ref, _CONSTANT_REFS):
            yield EVERYTHING
        case Attr(ref=Attribute() as attribute):
            if id(attribute) in emission.changed:
                yield SLOT(attribute.name)
        case Attr(ref=DerivedAttribute(how="at")):
            yield from (f"@{each.name}" for each in emission.program.subkinds(static_kind(node.of.type)))
        case Attr(ref=DerivedAttribute(how="up", kind=str(kind))):
            yield from _locations(static_kind(node.of.type), kind, kind, emission.program)
        case Attr(ref=DerivedAttribute(how="down", kind=str(kind))):
            start = static_kind(node.of.type)
            end = "" if can_nest(start, emission.program) else start
            yield from _locations(kind, start, end, emission.program)
        case Attr(ref=ref) if not isinstance(ref, DerivedAttribute | Rule):
            yield EVERYTHING
        case Call(ref=Builtin(name=name)) if name in _PURE_BUILTINS:
            return
        case Call(ref=ref) if not isinstance(ref, Rule):
            yield EVERYTHING


def _existing(kind: Kind, program: Program) -> Iterator[str]:
    if kind.root == "record":
        yield EVERYTHING
    elif kind.root == "piece":
        yield from (f"+{each.name}" for each in program.subkinds(kind.name))


def _locations(start: str, goal: str, end: str, program: Program) -> Iterator[str]:
    """The keys of the locations of pieces of the kind `start`, and of their holders up to a `goal`.

    The way up ends at the kind `end`. A kind that no goal can hold, at any depth, is left out.
    """
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for each in program.subkinds(waiting.pop()):
            if each.root != "piece" or each.name in found or not may_stand_in(each.name, goal, program):
                continue
            found.add(each.name)
            waiting += [holder for holder in program.holders(each.name) if not program.is_a(holder, end)]
    yield from (f"@{each}" for each in found)
