"""What no rule ever changes: the map, the words, and the attributes that nothing sets."""

from __future__ import annotations

from interpreter.language.checking.relations import Relation
from interpreter.language.emission.context import Emission
from interpreter.language.program import (
    Attribute,
    Builtin,
    Constant,
    Definition,
    Individual,
    Kind,
    Option,
    Rule,
    Search,
    Table,
    Word,
)
from interpreter.language.syntax import (
    After,
    Attr,
    Call,
    Decision,
    Draw,
    Expr,
    It,
    Name,
    New,
    Random,
    Reach,
    RollApart,
    RollSum,
)
from interpreter.language.walk import below

_PLAIN = {"count", "any", "all", "sum", "min", "max", "first", "distinct", "distance", "adjacent", "between", "link"}


def is_fixed(expr: Expr, search: Search, emission: Emission) -> bool:
    """Whether an expression over `here` and `there` of a search always has the same value for the same two spaces."""
    return all(_node_is_fixed(each, search, emission) for each in below(expr))


def _node_is_fixed(node: object, search: Search, emission: Emission) -> bool:
    match node:
        case Decision() | RollSum() | RollApart() | Random() | Draw() | New() | After() | Reach():
            return False
        case Name(ref=Constant(value=inner)):
            return is_fixed(inner, search, emission)
        case Name(ref=ref):
            return ref in (search.here, search.there) or (
                isinstance(ref, Option | Individual | Word | Table) or (isinstance(ref, Kind) and ref.root != "piece")
            )
        case Attr(ref=Attribute() as attribute):
            return id(attribute) not in emission.changed
        case Attr(ref=Relation(how=how)):
            return how in {"neighbours", "row", "column"}
        case Attr(ref=Definition() as rule):
            return _definition_is_fixed(rule, search, emission)
        case Call(ref=Builtin(name=name)):
            return name in _PLAIN
        case Call(ref=Rule()):
            return False
        case It():
            return True
    return True


def _definition_is_fixed(rule: Definition, search: Search, emission: Emission) -> bool:
    """Whether a computed attribute reads only fixed attributes of its own subject."""
    if rule.value is None or rule.path in emission.recursive or emission.overridden(rule):
        return False
    own = rule.takes[0]
    return all(
        (isinstance(each, Name) and each.ref is own) or _node_is_fixed(each, search, emission)
        for each in below(rule.value)
    )
