"""Attributes and calls as Python text."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.language.checking.types.derived_attributes import DerivedAttribute
from interpreter.language.codegen.analysis.containment import can_nest, contents
from interpreter.language.codegen.core.context import INLINED_DEPTH, INLINED_NODES, CodeContext, atomic, static_kind
from interpreter.language.codegen.core.dispatch import CONDITIONS, VALUES, condition, value
from interpreter.language.codegen.memo.memoization import is_memoized
from interpreter.language.codegen.memo.piece_memo import piece_memo_index
from interpreter.language.model.emitted_names import DEFINITION, HOLDER, KIND, MODIFIERS, PROCEDURE, RESTRICTIONS, SLOT
from interpreter.language.model.kind_hierarchy import Attribute
from interpreter.language.model.program import Definition, Modifiers, Procedure, Restrictions
from interpreter.language.tree.statements import After, Attr, Call, Expr, ListLit, New, SetLit
from interpreter.language.tree.traversal import walk_tree
from interpreter.language.tree.types import (
    KindType,
    ListType,
    MapType,
    OptionalType,
    SetType,
    Type,
    element,
    present,
)

Emit = Callable[[Expr, CodeContext], str]


# ---------------------------------------------------------------- attributes
def _attr(node: Attr, cx: CodeContext) -> str:
    if node.spread:
        return _attr_of_each(node, cx)
    if isinstance(node.of.type, OptionalType):
        return _attr_of_optional(node, cx)
    return attribute_text(node, value(node.of, cx), cx)


def _attr_condition(node: Attr, cx: CodeContext) -> str:
    if isinstance(node.ref, Definition) and not node.spread and not isinstance(node.of.type, OptionalType):
        return _computed_text(node.ref, value(node.of, cx), cx, condition)
    return _attr(node, cx)


def attribute_text(node: Attr, owner: str, cx: CodeContext) -> str:
    """The attribute of a thing that exists, given as Python text."""
    match node.ref:
        case Attribute(name=name):
            return f"{owner}.{SLOT(name)}"
        case Definition() as rule:
            return _computed_text(rule, owner, cx, value)
        case DerivedAttribute() as relation:
            return _relation_text(relation, node, owner, cx)
        case other:
            raise AssertionError(f"{node.place}: .{node.name} refers to {other!r}")


def _computed_text(rule: Definition, owner: str, cx: CodeContext, emit: Emit) -> str:
    if rule.value is not None and can_inline(rule, cx) and atomic(owner):
        inner = cx.opened({id(rule.takes[0]): owner}, owner)
        return emit(rule.value, inner)
    return _asked(rule, owner, cx)


def _asked(rule: Definition, given: str, cx: CodeContext) -> str:
    """A call of a definition whose result the piece may keep."""
    name, number = DEFINITION(rule.name), piece_memo_index(rule, cx.emission)
    if number is None or not atomic(given):
        return f"{name}({given})"
    known = f"{given}.inside[{number}]"
    found = f"({known} or None)" if isinstance(rule.gives, OptionalType) else known
    return f"({found} if {known} is not None else {name}({given}))"


def _attr_of_optional(node: Attr, cx: CodeContext) -> str:
    owner = value(node.of, cx)
    empty = "()" if element(present(node.type)) is not None else "None"
    if atomic(owner):
        return f"({attribute_text(node, owner, cx)} if {owner} is not None else {empty})"
    inner = cx.fresh()
    if not cx.in_source:
        return f"({attribute_text(node, inner, cx)} if ({inner} := {owner}) is not None else {empty})"
    if isinstance(node.ref, Attribute):
        return f'attribute_of({owner}, "{SLOT(node.ref.name)}", {empty})'
    return f"applied({owner}, lambda {inner}: {attribute_text(node, inner, cx)}, {empty})"


def _attr_of_each(node: Attr, cx: CodeContext) -> str:
    if _gives_collection(node):
        variable, head = run_over_each(node, cx)
        found = f"[{variable} {head}]"
        return found if each_once(node, cx) else f"distinct({found})"
    each = cx.fresh()
    of = value(node.of, cx.source())
    return f"[{attribute_text(node, each, cx)} for {each} in {of}{_present(node, each)}]"


def run_over_each(node: Attr, cx: CodeContext) -> tuple[str, str]:
    """The variable and the `for` clauses that iterate over a collection attribute of each of several things."""
    each = cx.fresh()
    if isinstance(node.of, Attr) and gives_several(node.of) and each_once(node.of, cx):
        each, head = run_over_each(node.of, cx)
    else:
        head = f"for {each} in {value(node.of, cx.source())}"
    inner = cx.fresh()
    return inner, f"{head}{_present(node, each)} for {inner} in {attribute_text(node, each, cx.source())}"


def gives_several(node: Attr) -> bool:
    """Whether it is an attribute of each of several things, itself a collection."""
    return node.spread and _gives_collection(node)


def each_once(node: Attr, cx: CodeContext) -> bool:
    """Whether iterating over a collection attribute of several things gives no element twice."""
    return isinstance(node.type, ListType) or _stands_apart(node, cx)


def _present(node: Attr, each: str) -> str:
    kind = element(present(node.of.type))
    return f" if {each} is not None" if isinstance(kind, OptionalType) else ""


def _stands_apart(node: Attr, cx: CodeContext) -> bool:
    """Whether the contents of several things are disjoint."""
    if not (
        isinstance(node.ref, DerivedAttribute) and node.ref.how == "down" and isinstance(present(node.of.type), SetType)
    ):
        return False
    return not can_nest(static_kind(node.of.type), cx.program)


def _gives_collection(node: Attr) -> bool:
    match node.ref:
        case Attribute(type=kind) | Definition(gives=kind):
            return element(present(kind)) is not None
        case DerivedAttribute(how=how):
            return how in {"down", "neighbours"}
    return False


# ---------------------------------------------------------------- what follows from the declarations
def _relation_text(relation: DerivedAttribute, node: Attr, owner: str, cx: CodeContext) -> str:
    match relation.how:
        case "at" | "neighbours" | "row" | "column" | "index":
            return f"{owner}.{relation.how}"
        case "up":
            return _enclosing(relation.kind or "", static_kind(node.of.type), owner, cx)
        case _:
            return contents(relation.kind or "", static_kind(node.of.type), owner, cx)


def _enclosing(kind: str, start: str, owner: str, cx: CodeContext) -> str:
    program = cx.program
    holders = {holder for each in program.subkinds(start) for holder in program.holders(each.name)}
    spaces_only = not any(program.kinds[each].root == "piece" for each in holders if each in program.kinds)
    if spaces_only and holders and all(program.is_a(each, kind) for each in holders):
        return f"{owner}.at"
    name = HOLDER(kind)
    cx.emission.needed.setdefault(name, lambda: _write_enclosing(name, kind, cx))
    return f"{name}({owner})"


def _write_enclosing(name: str, kind: str, cx: CodeContext) -> None:
    out = cx.emission.out
    with out.block(f"def {name}(x):"):
        out.line("x = x.at")
        with out.block("while x is not None:"):
            out.line(f"if isinstance(x, {KIND(kind)}): return x")
            out.line("x = x.at")
        out.line("return None")


# ---------------------------------------------------------------- calls
def can_inline(rule: Definition, cx: CodeContext) -> bool:
    """Whether a definition may be inlined at a call."""
    emission = cx.emission
    if not emission.can_inline:
        return False
    if (
        rule.value is None
        or cx.depth >= INLINED_DEPTH
        or rule.key in emission.recursive
        or emission.is_overridden(rule)
    ):
        return False
    if emission.traced and rule.cites:
        return False
    if is_memoized(rule, emission) or piece_memo_index(rule, emission) is not None:
        return False
    if rule.key not in emission.sizes:
        emission.sizes[rule.key] = sum(1 for _ in walk_tree(rule.value))
    return emission.sizes[rule.key] <= INLINED_NODES


def inlined(node: Call | Attr, cx: CodeContext, emit: Emit) -> str | None:
    """The text of the definition with the arguments substituted, or none where an argument would be computed twice."""
    found = opened(node, cx)
    return None if found is None else emit(*found)


def opened(node: Expr, cx: CodeContext) -> tuple[Expr, CodeContext] | None:
    """The text behind a call or computed attribute that can be inlined, and the context to read it in."""
    if isinstance(node, Call) and isinstance(node.ref, Definition) and can_inline(node.ref, cx):
        arguments = [value(each, cx) for each in node.ordered]
        takes, it = node.ref.takes, arguments[0] if node.ref.subject is not None else None
    elif isinstance(node, Attr) and isinstance(node.ref, Definition) and can_inline(node.ref, cx):
        if node.spread or isinstance(node.of.type, OptionalType):
            return None
        it = value(node.of, cx)
        arguments, takes = [it], node.ref.takes[:1]
    else:
        return None
    if node.ref.value is None or not all(atomic(each) for each in arguments):
        return None
    names = {id(each): text for each, text in zip(takes, arguments, strict=True)}
    return node.ref.value, cx.opened(names, it)


def rule_call(node: Call, cx: CodeContext) -> str:
    """A call of anything that a ruleset defines."""
    match node.ref:
        case Definition() as rule:
            return inlined(node, cx, value) or _asked(rule, call_arguments(node, cx), cx)
        case Modifiers(name=name):
            return cx.noticed(f"{MODIFIERS(name)}({call_arguments(node, cx)})")
        case Restrictions(name=name):
            return f"{RESTRICTIONS(name)}({call_arguments(node, cx)})"
        case Procedure(name=name, effects=effects):
            call = f"{PROCEDURE(name)}({call_arguments(node, cx)})"
            return f"(yield from {call})" if effects.asks else call
        case other:
            raise AssertionError(f"{node.place}: {node.name} refers to {other!r}")


def call_arguments(node: Call, cx: CodeContext) -> str:
    """The arguments of a call in the order of its parameters."""
    return ", ".join([value(each, cx) for each in node.ordered])


def _after(node: After, cx: CodeContext) -> str:
    return f"suppose(W, lambda: {value(node.call, cx)}, lambda: {value(node.value, cx)})"


# ---------------------------------------------------------------- new things
def _new(node: New, cx: CodeContext) -> str:
    program = cx.program
    given = dict(node.fields)
    like_kind = present(node.like.type) if node.like is not None else None
    model = program.attributes(like_kind.name) if isinstance(like_kind, KindType) else {}
    like = value(node.like, cx) if node.like is not None else ""
    known = like if atomic(like) else cx.fresh()
    parts = []
    for name, attribute in program.attributes(node.kind).items():
        if name in given:
            text = stored(given[name], attribute.type, cx)
        elif name in model:
            text = f"{known if like == known else f'({known} := {like})'}.{SLOT(name)}"
            like = known
        elif attribute.written is not None and attribute.written.default is not None:
            text = stored(attribute.written.default, attribute.type, cx)
        else:
            text = "()" if isinstance(attribute.type, SetType | ListType) else "None"
        parts.append(f'"{name}": {text}')
    where = on_board(given["at"], cx) if "at" in given and "at" not in program.attributes(node.kind) else "None"
    return f'create("{node.kind}", {{{", ".join(parts)}}}, {where})'


def on_board(holder: Expr, cx: CodeContext) -> str:
    """The holder of a piece as Python text, which fails for a piece that is off the board itself."""
    text, kind = value(holder, cx), cx.program.kinds.get(static_kind(holder.type))
    return text if kind is not None and kind.root != "piece" else f"on_board({text})"


def stored(node: Expr, kind: Type, cx: CodeContext, given: str | None = None) -> str:
    """A value in the form of the state, where collections are tuples; `given` is its text where that is known."""
    expected = present(kind)
    if isinstance(node, SetLit | ListLit) and not node.items:
        return "{}" if isinstance(expected, MapType) else "()"
    text = given or value(node, cx)
    if not isinstance(expected, SetType | ListType) or text == "None":
        return text
    return f"kept({text})"


VALUES.update({Attr: _attr, After: _after, New: _new})
CONDITIONS[Attr] = _attr_condition
