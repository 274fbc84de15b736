"""Expressions as Python text: values, names, attributes, operators."""

from __future__ import annotations

from dataclasses import replace

from interpreter.language.codegen.core.context import CodeContext, atomic, is_thing
from interpreter.language.codegen.core.dispatch import CONDITIONS, VALUES, condition, value
from interpreter.language.codegen.core.literals import fraction, literal
from interpreter.language.codegen.writers.constant_folding import (
    choice,
    conjunction,
    disjunction,
    identity,
    negation,
    same_truth,
)
from interpreter.language.model.emitted_names import ALL, INDIVIDUAL, KIND, SLOT, TABLE, WORD, WORDS
from interpreter.language.model.kind_hierarchy import Enum, Kind, WordDeclaration
from interpreter.language.model.program import Constant, Individual, Option, Parameter, StateValue, Table
from interpreter.language.tree.statements import (
    And,
    Binary,
    BoolLit,
    Compare,
    DecimalLit,
    Expr,
    IfElse,
    In,
    Index,
    IntLit,
    IsKind,
    It,
    ListLit,
    Name,
    Neg,
    NoneLit,
    Not,
    Or,
    Otherwise,
    Range,
    Rounded,
    SetLit,
    TextLit,
)
from interpreter.language.tree.types import (
    BOOL,
    INT,
    NONE,
    EnumType,
    ListType,
    MapType,
    OptionalType,
    element,
    present,
)


# ---------------------------------------------------------------- literals and names
def _int(node: IntLit, _: CodeContext) -> str:
    return str(node.value)


def _decimal(node: DecimalLit, _: CodeContext) -> str:
    return fraction(node.value)


def text_parts(node: TextLit, cx: CodeContext) -> str:
    """The parts of a text, separated by commas."""
    return ", ".join([repr(each) if isinstance(each, str) else value(each, cx) for each in node.parts])


def _text(node: TextLit, cx: CodeContext) -> str:
    if all(isinstance(each, str) for each in node.parts):
        return repr("".join([each for each in node.parts if isinstance(each, str)]))
    return f"text({text_parts(node, cx)})"


def _it(node: It, cx: CodeContext) -> str:
    if cx.it is None:
        raise AssertionError(f"{node.place}: an element outside any collection")
    return cx.it


def _name(node: Name, cx: CodeContext) -> str:
    match node.ref:
        case Parameter() as parameter:
            return cx.parameter(parameter)
        case StateValue(name=name):
            return f"G.{SLOT(name)}"
        case Constant(value=inner):
            return value(inner, replace(cx, elements={}, it=None))
        case Option(name=name, type=kind):
            return literal(cx.program.options[name].value, kind)
        case Kind(name=name):
            return f"A.{ALL(name)}"
        case Enum(name=name):
            return WORDS(name)
        case Individual(kind=kind, name=name):
            return INDIVIDUAL(kind, name)
        case WordDeclaration(enum=enum, name=name):
            return WORD(enum, name)
        case Table(name=name):
            return TABLE(name)
        case other:
            raise AssertionError(f"{node.place}: {node.name} refers to {other!r}")


# ---------------------------------------------------------------- operators
def _neg(node: Neg, cx: CodeContext) -> str:
    return f"(-{value(node.value, cx)})"


def _not(node: Not, cx: CodeContext) -> str:
    return negation(condition(node.value, cx))


def _and(node: And, cx: CodeContext) -> str:
    return conjunction([value(each, cx) for each in node.items])


def _or(node: Or, cx: CodeContext) -> str:
    return disjunction([value(each, cx) for each in node.items])


def _if_else(node: IfElse, cx: CodeContext) -> str:
    return choice(condition(node.condition, cx), value(node.value, cx), value(node.other, cx))


def _binary(node: Binary, cx: CodeContext) -> str:
    if element(present(node.type)) is not None:
        return _joined(node, cx)
    left, right = value(node.left, cx), value(node.right, cx)
    if node.op == "*":
        return f"product({left}, {right})"
    if node.op == "/":
        return f"quotient({left}, {right})"
    return f"({left} {'%' if node.op == 'mod' else node.op} {right})"


_PLAIN_COMPARISONS = {"<", "<=", ">", ">="}


def _compare(node: Compare, cx: CodeContext) -> str:
    left, right = value(node.left, cx), value(node.right, cx)
    if node.op in _PLAIN_COMPARISONS:
        if isinstance(node.left.type, EnumType):
            return f"({left}.index {node.op} {right}.index)"
        return f"({left} {node.op} {right})"
    equal = node.op == "="
    if NONE in (node.left.type, node.right.type) or (is_thing(node.left.type) and is_thing(node.right.type)):
        return identity(left, right, equal)
    if node.left.type == BOOL and node.right.type == BOOL:
        return same_truth(left, right, equal)
    if element(present(node.left.type)) is not None and not _two_maps(node):
        name = "same" if isinstance(node.left.type, ListType) and isinstance(node.right.type, ListType) else "same_set"
        return f"{name}({left}, {right})" if equal else f"(not {name}({left}, {right}))"
    return f"({left} {'==' if equal else '!='} {right})"


def _two_maps(node: Compare) -> bool:
    return all(isinstance(present(each.type), MapType) for each in (node.left, node.right))


def _in(node: In, cx: CodeContext) -> str:
    word = "not in" if node.negated else "in"
    inner = value(node.value, cx)
    if isinstance(node.of, Range) and atomic(inner):
        test = f"({value(node.of.low, cx)} <= {inner} <= {value(node.of.high, cx)})"
        return f"(not {test})" if node.negated else test
    if isinstance(node.of, SetLit) and not any(isinstance(each.type, OptionalType) for each in node.of.items):
        items = "".join([f"{value(each, cx)}, " for each in node.of.items])
        return f"({inner} {word} ({items}))"
    known = cx.sets.get(id(node.of.ref)) if isinstance(node.of, Name) else None
    return f"({inner} {word} {known or value(node.of, cx)})"


def _is_kind(node: IsKind, cx: CodeContext) -> str:
    test = f"isinstance({value(node.value, cx)}, {KIND(node.kind)})"
    return f"(not {test})" if node.negated else test


def _otherwise(node: Otherwise, cx: CodeContext) -> str:
    text = value(node.items[-1], cx)
    for item in reversed(node.items[:-1]):
        first = value(item, cx)
        if is_thing(item.type) or element(present(item.type)) is not None:
            text = f"({first} or {text})"
        elif atomic(first):
            text = choice(identity(first, "None", equal=False), first, text)
        elif cx.in_source:
            text = f"fallback({first}, lambda: {text})"
        else:
            kept = cx.fresh()
            text = f"({kept} if ({kept} := {first}) is not None else {text})"
    return text


def _rounded(node: Rounded, cx: CodeContext) -> str:
    if node.mode == "at" and node.at is not None:
        return f"rounded_at({value(node.value, cx)}, {value(node.at, cx)})"
    inner = node.value
    if isinstance(inner, Binary) and inner.op == "/" and inner.left.type == INT and inner.right.type == INT:
        left, right = value(inner.left, cx), value(inner.right, cx)
        return f"({left} // {right})" if node.mode == "down" else f"(-(-{left} // {right}))"
    return f"{'floor' if node.mode == 'down' else 'ceil'}({value(inner, cx)})"


def _index(node: Index, cx: CodeContext) -> str:
    keys = ", ".join([value(each, cx) for each in node.keys])
    match node.of:
        case Name(ref=Table() as table):
            return cx.noticed(table_text(table, keys, cx))
        case Name(ref=Kind(name=kind)):
            return f'W.at_grid("{kind}", {keys})'
        case _:
            return f"{value(node.of, cx)}[{keys}]"


def table_text(table: Table, keys: str, cx: CodeContext) -> str:
    """A look-up: a plain dictionary where every key is exact, a function where headings are ranges or it is traced."""
    exact = not table.clamp and not any(any(axis.is_range) for axis in table.axes)
    return f"{TABLE(table.name)}[{keys}]" if exact and not cx.emission.traced else f"{TABLE(table.name)}({keys})"


def _joined(node: Binary, cx: CodeContext) -> str:
    left, right = _items(node.left, cx), _items(node.right, cx)
    if node.op == "-":
        return f"difference({left}, {right})"
    return f"{'joined' if isinstance(present(node.type), ListType) else 'union'}({left}, {right})"


def _items(node: Expr, cx: CodeContext) -> str:
    text = value(node, cx)
    if element(present(node.type)) is not None:
        return text
    return f"optional_one({text})" if isinstance(node.type, OptionalType) else f"({text},)"


def _literal_collection(node: SetLit | ListLit, cx: CodeContext) -> str:
    items = "".join([f"{value(each, cx)}, " for each in node.items])
    if any(isinstance(each.type, OptionalType) or each.type == NONE for each in node.items):
        return f"without_none(({items}))"
    return f"({items})"


def _set(node: SetLit, cx: CodeContext) -> str:
    text = _literal_collection(node, cx)
    named = [
        each.ref for each in node.items if isinstance(each, Name) and isinstance(each.ref, Individual | WordDeclaration)
    ]
    return text if len(set(map(id, named))) == len(node.items) or len(node.items) < 2 else f"distinct({text})"


def _range(node: Range, cx: CodeContext) -> str:
    return f"span({value(node.low, cx)}, {value(node.high, cx)})"


def _and_condition(node: And, cx: CodeContext) -> str:
    return conjunction([condition(each, cx) for each in node.items])


def _or_condition(node: Or, cx: CodeContext) -> str:
    return disjunction([condition(each, cx) for each in node.items])


def _if_else_condition(node: IfElse, cx: CodeContext) -> str:
    return choice(condition(node.condition, cx), condition(node.value, cx), condition(node.other, cx))


VALUES.update(
    {
        IntLit: _int,
        DecimalLit: _decimal,
        TextLit: _text,
        BoolLit: lambda node, _: str(node.value),
        NoneLit: lambda _, __: "None",
        It: _it,
        Name: _name,
        Neg: _neg,
        Not: _not,
        And: _and,
        Or: _or,
        IfElse: _if_else,
        Binary: _binary,
        Compare: _compare,
        In: _in,
        IsKind: _is_kind,
        Otherwise: _otherwise,
        Rounded: _rounded,
        Index: _index,
        Range: _range,
        SetLit: _set,
        ListLit: _literal_collection,
    }
)
CONDITIONS.update({And: _and_condition, Or: _or_condition, IfElse: _if_else_condition})
