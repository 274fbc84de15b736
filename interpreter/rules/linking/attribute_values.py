"""Links the values of a ruleset: options, state, constants and dice."""

from __future__ import annotations

from interpreter.language.diagnostics import Place, did_you_mean
from interpreter.language.model.kind_hierarchy import Attribute, Enum
from interpreter.language.model.program import Constant, Datum, DiceKind, Option, StateValue
from interpreter.language.parsing.build_expressions import FIXED_WORDS
from interpreter.language.parsing.parse import parse_attr
from interpreter.language.tree.statements import DecimalLit, Expr, IntLit, Neg
from interpreter.language.tree.types import BOOL, INT, EnumType, Type
from interpreter.rules.documents.nodes import Mapping, Node, Scalar
from interpreter.rules.linking.figure import Figure
from interpreter.rules.linking.figure_sources import read_basis
from interpreter.rules.linking.link_context import (
    CALLED_NAMES,
    Entry,
    LinkContext,
    cites,
    localized,
    text_of,
    texts,
    whole,
    words,
)
from interpreter.rules.linking.option_settings import apply_settings, describe_settings, setting_value

_OPTION_TYPES = ("bool", "int", "word")
_FACES = range(2, 1001)


# ---------------------------------------------------------------- options
def link_options(context: LinkContext) -> None:
    """The `options`, each with the setting that this program is linked with.

    Raises:
        UsageError: if a setting names no option, or is no value of its option.
    """
    for entry in context.entries("options"):
        if context.name_is_sound(entry.name, "option", entry.place, CALLED_NAMES):
            option = _option(context, entry)
            if option is not None:
                context.program.options[entry.name] = option
            else:
                context.broken.add(entry.name)
    apply_settings(context.program.options, context.options, context.broken)


def _option(context: LinkContext, entry: Entry) -> Option | None:
    fields = entry.fields
    default = fields.get("default")
    written = default.value if isinstance(default, Scalar) else None
    word = text_of(fields.get("type")) or _type_word(written)
    if word not in _OPTION_TYPES:
        context.unknown("type of option", word, _OPTION_TYPES, fields.items["type"].place)
        return None
    choices = texts(fields.get("choices"))
    if word == "word" and not choices:
        hint = "add 'choices:' with the words that it can be set to"
        context.fault("no-choices", f"nothing says what the option '{entry.name}' can be", entry.place, hint)
        return None
    option = Option(
        name=entry.name,
        place=entry.place,
        cites=cites(fields),
        type=_option_type(context, entry, word, fields.get("choices")),
        default=None,
        value=None,
        says=localized(fields.get("says")),
        choices=choices,
        least=_bound(context, fields, "least"),
        most=_bound(context, fields, "most"),
    )
    if written is None and word == "bool":
        written = False
    option.default = option.value = setting_value(option, text_of(default) if word == "word" else written)
    if option.default is None:
        place = default.place if default is not None else entry.place
        said = f"'{written}' can't be the default of" if default is not None else "nothing is the default of"
        message = f"{said} the option '{entry.name}'"
        context.fault("wrong-default", message, place, f"write {describe_settings(option)}")
        return None
    return option


def _type_word(default: object) -> str:
    if isinstance(default, bool) or default is None:
        return "bool"
    return "int" if isinstance(default, int) else "word"


def _option_type(context: LinkContext, entry: Entry, word: str, choices: Node | None) -> Type:
    """The type of an option; the choices belong to an enum that has all of them, else to a new enum."""
    if word != "word":
        return BOOL if word == "bool" else INT
    names = texts(choices)
    for enum in context.program.enums.values():
        if set(names) <= set(enum.words):
            return EnumType(enum.name)
    for each in words(choices):
        context.name_is_sound(each.text, "choice", each.place, FIXED_WORDS)
    if entry.name in context.program.kinds or entry.name in context.program.enums:
        message = f"'{entry.name}' is a kind already"
        context.fault("duplicate-name", message, entry.place, "give the option another name")
    else:
        context.program.enums[entry.name] = Enum(name=entry.name, place=entry.place, words=names)
    return EnumType(entry.name)


def _bound(context: LinkContext, fields: Mapping, name: str) -> int | None:
    node = fields.get(name)
    if node is None:
        return None
    if (bound := whole(node)) is None:
        context.fault("wrong-bound", f"'{name}' must be a whole number", node.place)
    return bound


# ---------------------------------------------------------------- state, constants
def link_state(context: LinkContext) -> None:
    """The `state`: values of the game as a whole."""
    for entry in context.entries("state"):
        if not context.name_is_sound(entry.name, "state value", entry.place, CALLED_NAMES):
            continue
        text = context.scalar(entry.node, "a state value")
        written = context.attempt(parse_attr, text.source) if text is not None else None
        attribute = Attribute(name=entry.name, owner=None, place=entry.place, written=written)
        context.program.state[entry.name] = StateValue(name=entry.name, place=entry.place, attribute=attribute)


def link_constants(context: LinkContext) -> None:
    """The `constants`, each of them a figure."""
    for entry in context.entries("constants"):
        fields = entry.fields
        if not context.name_is_sound(entry.name, "constant", entry.place, CALLED_NAMES):
            continue
        value = fields.get("value")
        if value is None:
            context.fault("missing-key", f"the constant '{entry.name}' has no 'value'", entry.place, "add 'value:'")
            continue
        basis = read_basis(context, fields)
        expr = context.expr(value)
        if expr is None:
            context.broken.add(entry.name)
            continue
        context.program.constants[entry.name] = Constant(
            name=entry.name, place=entry.place, cites=cites(fields), value=expr, standing=basis.standing
        )
        number = literal_number(expr)
        said = number if number is not None else text_of(value)
        path = f"constants/{entry.name}"
        context.figures.append(Figure(path, said, basis.standing, basis.cites, basis.source, value.place))


def literal_number(expr: Expr | None) -> Datum:
    """The number of a literal expression, or none for any other expression."""
    match expr:
        case IntLit(value=whole):
            return whole
        case DecimalLit(value=fraction):
            return fraction
        case Neg(value=IntLit(value=whole)):
            return -whole
        case Neg(value=DecimalLit(value=fraction)):
            return -fraction
        case _:
            return None


# ---------------------------------------------------------------- dice
def link_dice(context: LinkContext) -> None:
    """The `dice` with names: faces of an enum, or whole numbers."""
    for entry in context.entries("dice"):
        if not context.name_is_sound(entry.name, "die", entry.place, CALLED_NAMES):
            continue
        fields = entry.fields
        faces = words(fields.get("faces"))
        of = fields.get("of")
        if len(faces) not in _FACES:
            message = f"a die has {_FACES.start} to {_FACES.stop - 1} faces, not {len(faces)}"
            context.fault("wrong-faces", message, _place(entry, "faces"))
            continue
        enum = _enum_of_faces(context, of) if of is not None else None
        if of is not None and enum is None:
            continue
        read = tuple(_face(context, each, enum) for each in faces)
        context.program.dice[entry.name] = DiceKind(
            name=entry.name,
            place=entry.place,
            cites=cites(fields),
            enum=enum.name if enum is not None else None,
            faces=tuple(each for each in read if each is not None),
        )


def _place(entry: Entry, key: str) -> Place:
    return entry.fields.key_place(key) if key in entry.fields else entry.place


def _enum_of_faces(context: LinkContext, of: Node) -> Enum | None:
    name = text_of(of)
    if name not in context.program.enums:
        context.unknown("enum", name, context.program.enums, of.place)
    return context.program.enums.get(name)


def _face(context: LinkContext, node: Scalar, enum: Enum | None) -> str | int | None:
    if enum is not None:
        if node.text not in enum.words:
            message = f"{enum.name} has no word '{node.text}'"
            context.fault("unknown-word", message, node.place, did_you_mean(node.text, enum.words))
            return None
        return node.text
    if (number := whole(node)) is None:
        hint = "write whole numbers, or name an enum with 'of:'"
        context.fault("wrong-faces", f"'{node.text}' is no face of a die without an enum", node.place, hint)
    return number
