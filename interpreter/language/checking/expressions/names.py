"""Infers the types of literals, names, attributes and look-ups."""

from __future__ import annotations

from interpreter.language.checking.context.rule_context import Handler, RuleContext
from interpreter.language.checking.context.scope import target_type
from interpreter.language.checking.expressions.ambiguous_names import type_of_items
from interpreter.language.checking.types.assignability import is_collection
from interpreter.language.checking.types.derived_attributes import DerivedAttribute, Found
from interpreter.language.diagnostics import did_you_mean
from interpreter.language.model.kind_hierarchy import Attribute, Enum, Kind, WordDeclaration
from interpreter.language.model.program import (
    Constant,
    Definition,
    Individual,
    NameTarget,
    Option,
    Parameter,
    StateValue,
    Table,
)
from interpreter.language.tree.statements import (
    Attr,
    BoolLit,
    DecimalLit,
    Expr,
    Index,
    IntLit,
    It,
    ListLit,
    Name,
    NoneLit,
    Range,
    SetLit,
    TextLit,
)
from interpreter.language.tree.types import (
    BOOL,
    EMPTY,
    INT,
    NONE,
    NUMBER,
    TEXT,
    UNKNOWN,
    VOID,
    EnumType,
    KindType,
    ListType,
    MapType,
    OptionalType,
    SetType,
    Type,
    UnknownType,
    element,
    optional,
    present,
)


# ---------------------------------------------------------------- literals
def _text(cx: RuleContext, node: TextLit, _: Type | None) -> Type:
    for part in node.parts:
        if not isinstance(part, str) and cx.infer(part) == VOID:
            cx.error("wrong-type", "expected something to show, found nothing: it gives no value", part.place)
    return TEXT


def _range(cx: RuleContext, node: Range, _: Type | None) -> Type:
    cx.integer(node.low)
    cx.integer(node.high)
    return SetType(INT)


def _set(cx: RuleContext, node: SetLit, expected: Type | None) -> Type:
    inner = type_of_items(cx, node.items, expected, node.place)
    if inner is not None and is_collection(present(inner)):
        return cx.error(
            "wrong-type", f"a set holds single values, and not a {inner}", node.place, "list them: '[…, …]'"
        )
    return EMPTY if inner is None else SetType(inner)


def _list(cx: RuleContext, node: ListLit, expected: Type | None) -> Type:
    inner = type_of_items(cx, node.items, expected, node.place)
    return EMPTY if inner is None else ListType(inner)


# ---------------------------------------------------------------- names
def _it(cx: RuleContext, node: It, _: Type | None) -> Type:
    if cx.scope.it is None:
        hint = "'it' and a leading dot are allowed inside 'where', 'each', 'by' and in computed attributes"
        return cx.error("no-element", "'it' has no meaning here", node.place, hint)
    return cx.narrowed(node, cx.scope.it)


def _name(cx: RuleContext, node: Name, expected: Type | None) -> Type:
    local = cx.scope.locals.get(node.name)
    meanings = cx.environment.names.meanings(node.name)
    if local is not None and (local is not cx.subject or not cx.environment.names.shadowed_by(node.name)):
        node.ref = local
        cx.environment.read.add(id(local))
        return cx.narrowed(node, local.type)
    if local is not None:
        hint = "write 'it' for the subject"
        return cx.error("ambiguous-name", f"'{node.name}' is both the subject here and a global name", node.place, hint)
    if not meanings:
        return _unknown_name(cx, node)
    if len(meanings) > 1 or isinstance(meanings[0], Individual | WordDeclaration):
        return _settled(cx, node, meanings, expected)
    node.ref = meanings[0]
    return cx.narrowed(node, _global_type(cx, node, meanings[0]))


def _unknown_name(cx: RuleContext, node: Name) -> Type:
    name, scope = node.name, cx.scope
    hint = did_you_mean(name, [*scope.locals, *cx.environment.names.all()])
    if scope.it is not None and cx.environment.attributes.find(present(scope.it), name) is not None:
        hint = f"for the attribute of the element write '.{name}'"
    elif name in cx.environment.callable:
        takes = cx.environment.callable[name].takes
        hint = f"'{name}' is called with arguments: '{name}(…)'" if takes else f"a rule is called: write '{name}()'"
    elif any(
        each.root == "link" and name in (each.name, each.plural) for each in cx.environment.program.kinds.values()
    ):
        hint = "links are no collection: 'link(a, b)' gives that of two neighbours"
    elif name in cx.environment.program.kinds or name in cx.environment.program.enums:
        holder = cx.environment.program.kinds.get(name) or cx.environment.program.enums[name]
        hint = f"'{name}' is a kind; all of them are '{holder.plural}'" if holder.plural else f"'{name}' is a kind"
    hint = hint or "declare it in the ruleset, or name it earlier in this text"
    return cx.error("unknown-name", f"nothing is called '{name}' here", node.place, hint)


def _global_type(cx: RuleContext, node: Name, target: NameTarget) -> Type:
    match target:
        case StateValue(attribute=attribute):
            return attribute.type
        case Constant():
            return cx.environment.constant(target, node.place)
        case Option(type=kind):
            return kind
        case Kind(name=name):
            return SetType(KindType(name))
        case Enum(name=name):
            return SetType(EnumType(name))
        case Table(name=name):
            message = f"table '{name}' is used here without a key"
            return cx.error("table-without-keys", message, node.place, f"look it up: '{name}[…]'")
        case _:
            return UNKNOWN


def _settled(cx: RuleContext, node: Name, meanings: list[NameTarget], expected: Type | None) -> Type:
    """Resolves an individual or word; of several with the name, the one of the expected type."""
    found = [each for each in meanings if isinstance(each, Individual | WordDeclaration)]
    if len(found) > 1 and isinstance(expected, UnknownType):
        return UNKNOWN
    if len(found) > 1 and expected is not None:
        wanted = present(expected)
        wanted = present(element(wanted) or wanted)
        fits = cx.environment.lattice.fits
        lattice = [each for each in found if fits(target_type(each), wanted) or fits(wanted, target_type(each))]
        found = lattice or found
    if len(found) > 1:
        kinds = " or ".join([str(target_type(each)) for each in found])
        hint = "use it where one of them is expected, as in a comparison with a value of that type"
        return cx.error("ambiguous-name", f"'{node.name}' can be: {kinds}", node.place, hint)
    node.ref = found[0]
    return target_type(found[0])


# ---------------------------------------------------------------- attributes
def _attr(cx: RuleContext, node: Attr, _: Type | None) -> Type:
    if isinstance(node.ref, DerivedAttribute) and node.ref.how == "index":  # made by the linker, with its meaning
        cx.infer(node.of)
        return INT
    return cx.narrowed(node, attribute_type(cx, node, cx.infer(node.of)))


def attribute_type(cx: RuleContext, node: Attr, base: Type) -> Type:
    """Returns the declared type of `node` as an attribute of a `base`, without narrowing."""
    inner = element(base)
    node.spread = inner is not None and not isinstance(base, UnknownType)
    if inner is not None and node.spread:
        if inner == NONE:
            return cx.error("wrong-type", "the element type of this empty collection is unknown", node.of.place)
        return _united(_of_one(cx, node, present(inner)))
    kind = _of_one(cx, node, present(base))
    if isinstance(base, OptionalType) and not is_collection(kind):
        return optional(kind)
    return kind


def _united(kind: Type) -> Type:
    """Returns the type of an attribute of a whole collection, given that of one element."""
    inner = element(kind)
    if inner is None or isinstance(kind, UnknownType):
        return ListType(kind)
    return SetType(inner) if isinstance(inner, KindType) else ListType(inner)


def _of_one(cx: RuleContext, node: Attr, base: Type) -> Type:
    if isinstance(base, UnknownType):
        return UNKNOWN
    found = cx.environment.attributes.find(base, node.name)
    if found is None:
        return _no_attribute(cx, node, base)
    node.ref = found
    return found_type(cx, found, base, node)


def found_type(cx: RuleContext, found: Found, base: Type, node: Attr) -> Type:
    """Returns the type of an attribute of one thing."""
    match found:
        case Attribute(type=kind):
            return kind
        case Definition():
            return cx.environment.gives(found, node.place)
        case DerivedAttribute():
            assert isinstance(base, KindType)
            return cx.environment.attributes.derived_type(base.name, found)


def _no_attribute(cx: RuleContext, node: Attr, base: Type) -> Type:
    attributes = cx.environment.attributes
    below = attributes.sub_kinds_with(base, node.name)
    if below:
        have = "has" if len(below) == 1 else "have"
        hint: str | None = f"{' and '.join(below)} {have} it: test with 'is {below[0]}' before"
    elif element(base) is not None:
        hint = "only a thing or a collection of things has attributes"
    else:
        hint = did_you_mean(node.name, attributes.visible(base))
    return cx.error("unknown-attribute", f"{base} has no attribute '{node.name}'", node.place, hint)


# ---------------------------------------------------------------- look-ups
def _index(cx: RuleContext, node: Index, _: Type | None) -> Type:
    if isinstance(node.of, Name) and node.of.name not in cx.scope.locals:
        match cx.environment.names.meanings(node.of.name):
            case [Table() as table]:
                node.of.ref = table
                node.of.type = table.type
                return _looked_up(cx, node, table)
            case [Kind(grid=grid) as kind] if grid is not None:
                cx.infer(node.of)
                _keys(cx, node, (INT, INT), f"'{kind.plural}' takes a column and a row")
                return OptionalType(KindType(kind.name))
    base = cx.infer(node.of)
    match base:
        case MapType(key, value):
            _keys(cx, node, (key,), "a map takes one key")
            return value
        case UnknownType():
            _keys(cx, node, (UNKNOWN,) * len(node.keys), "")
            return UNKNOWN
    hint = "tables, maps and the plural of a grid's spaces can be looked up; for an element take 'first(…)'"
    return cx.error("no-look-up", f"{base} can't be looked up with '[…]'", node.place, hint)


def _looked_up(cx: RuleContext, node: Index, table: Table) -> Type:
    names = ", ".join([axis.parameter.name for axis in table.axes])
    axes = tuple([axis.parameter for axis in table.axes])
    types = tuple([each.type for each in axes])
    _keys(
        cx, node, types, f"table '{table.name}' takes {len(types)} key{'' if len(types) == 1 else 's'} ({names})", axes
    )
    return table.type


def _keys(
    cx: RuleContext, node: Index, types: tuple[Type, ...], requirement: str, axes: tuple[Parameter, ...] = ()
) -> None:
    names = [f"key '{each.name}'" for each in axes] or ["key"] * len(types)
    if len(types) != len(node.keys):
        hint = "give the other keys too" if len(types) > len(node.keys) else "leave out the extra keys"
        cx.error("wrong-arity", f"{requirement}, found {len(node.keys)}", node.place, hint)
        types, names = (UNKNOWN,) * len(node.keys), [""] * len(node.keys)
    for key, wanted, name in zip(node.keys, types, names, strict=True):
        cx.expect(key, wanted, name)


HANDLERS: dict[type[Expr], Handler] = {
    IntLit: lambda _cx, _node, _: INT,
    DecimalLit: lambda _cx, _node, _: NUMBER,
    BoolLit: lambda _cx, _node, _: BOOL,
    NoneLit: lambda _cx, _node, _: NONE,
    TextLit: _text,
    Range: _range,
    SetLit: _set,
    ListLit: _list,
    It: _it,
    Name: _name,
    Attr: _attr,
    Index: _index,
}
