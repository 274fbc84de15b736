"""Links `windows`: who may react to an event under way, in which order and how often.

A window becomes a record of its parameters and variables, a menu, and a procedure that makes the record, offers the
menu to one after another, and returns the record. An inner procedure asks; the outer one counts how deep the window is
open, in a state value that no ruleset can name.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.language.diagnostics import Place
from interpreter.language.model.emitted_names import layer, window_depth
from interpreter.language.model.kind_hierarchy import Attribute, Kind
from interpreter.language.model.program import Menu, Parameter, Procedure, StateValue
from interpreter.language.parsing.build_expressions import RESERVED_WORDS
from interpreter.language.parsing.parse import parse_attr, parse_expr
from interpreter.language.parsing.source_map import SourceText
from interpreter.language.tree.statements import (
    AttrDecl,
    Body,
    BoolLit,
    Call,
    Compare,
    Do,
    Expr,
    ForEach,
    If,
    IntLit,
    Let,
    Name,
    New,
    Not,
    Repeat,
    Return,
    Set,
    Stop,
    Take,
    TextLit,
    TypeExpr,
    While,
)
from interpreter.rules.documents.nodes import Scalar
from interpreter.rules.linking.link_context import CALLED_NAMES, Entry, LinkContext, cites, is_true, text_of


def link_window_records(context: LinkContext) -> None:
    """The record of each window, and the count of how deep it is open."""
    for entry in context.entries("windows"):
        if not context.name_is_sound(entry.name, "window", entry.place, CALLED_NAMES):
            continue
        if (known := context.program.kinds.get(entry.name)) is not None:
            context.twice(f"'{entry.name}' is a kind already", entry.place, known.place)
            continue
        types = [(each.name, each.place, each.written) for each in context.parameters(entry.fields.get("takes"))]
        types += [(each.name, each.place, each.declared) for each in _variables(context, entry)]
        context.program.kinds[entry.name] = Kind(
            name=entry.name,
            place=entry.place,
            root="record",
            attributes={name: _attribute(entry.name, name, place, written) for name, place, written in types},
        )
        depth = window_depth(entry.name)
        count = AttrDecl(entry.place, TypeExpr(entry.place, "name", "int", ()), IntLit(entry.place, 0))
        attribute = Attribute(name=depth, owner=None, place=entry.place, written=count)
        context.program.state[depth] = StateValue(name=depth, place=entry.place, attribute=attribute)


def link_windows(context: LinkContext) -> None:
    """The menu and the procedures of each window."""
    for entry in context.entries("windows"):
        if window_depth(entry.name) in context.program.state:
            _Window(context, entry).link()


def is_window(context: LinkContext, name: str) -> bool:
    """Whether a menu of this name is that of a window."""
    return window_depth(name) in context.program.state


@dataclass(frozen=True, slots=True)
class _Variable:
    name: str
    place: Place
    declared: TypeExpr | None
    start: Expr | None


def _attribute(owner: str, name: str, place: Place, declared: TypeExpr | None) -> Attribute:
    written = None if declared is None else AttrDecl(place, declared, None)
    return Attribute(name=name, owner=owner, place=place, written=written)


def _variables(context: LinkContext, entry: Entry) -> list[_Variable]:
    """The variables of a window with their first values."""
    found = []
    for each in context.pairs(entry.fields.get("has")):
        text = context.scalar(each.node, "a variable")
        written = context.attempt(parse_attr, text.source) if text is not None else None
        if context.name_is_sound(each.name, "variable", each.place, RESERVED_WORDS):
            parts = (None, None) if written is None else (written.declared, written.default)
            found.append(_Variable(each.name, each.place, *parts))
    return found


def _has_values(prompt: str) -> bool:
    return "{" in prompt and '"' not in prompt


class _Window:
    """The rules of one window."""

    def __init__(self, context: LinkContext, entry: Entry) -> None:
        self._context, self._entry = context, entry
        self._place, self._name = entry.place, entry.name
        fields = entry.fields
        self._takes = context.parameters(fields.get("takes"))
        self._record = self._parameter(entry.name, TypeExpr(entry.place, "name", entry.name, ()))
        respondents = context.parameters(fields.get("each"))
        if len(respondents) != 1 and "each" in fields:
            message = f"the window '{entry.name}' needs one name for those who may react"
            context.fault("wrong-shape", message, fields.key_place("each"), "write 'each: {player: player}'")
        self._respondent = respondents[0] if respondents else self._parameter("respondent", None)

    def link(self) -> None:
        """Adds the menu and the procedures to the program."""
        program, fields = self._context.program, self._entry.fields
        secret = is_true(fields.get("secret")) if "secret" in fields else True
        takes = (*self._takes, self._respondent, self._record)
        prompt = text_of(fields.get("prompt"))
        program.menus[self._name] = Menu(
            name=self._name,
            place=self._place,
            cites=cites(fields),
            takes=takes,
            prompt="" if _has_values(prompt) else prompt,
            secret=secret,
        )
        asking = layer(self._name, "asking")
        program.procedures[self._name] = self._procedure(self._name, self._takes, self._opening(asking))
        program.procedures[self._name].written = self._record.written
        program.procedures[self._name].address = f"windows/{self._name}"
        inner = self._procedure(asking, (*self._takes, self._record), self._rounds())
        inner.layer_of = self._name
        program.procedures[asking] = inner

    # ------------------------------------------------------------ parts
    def _parameter(self, name: str, written: TypeExpr | None) -> Parameter:
        return Parameter(name=name, place=self._place, written=written)

    def _procedure(self, name: str, takes: tuple[Parameter, ...], body: Body) -> Procedure:
        return Procedure(name=name, place=self._place, cites=cites(self._entry.fields), takes=takes, body=body)

    def _value(self, name: str) -> Name:
        return Name(self._place, name)

    def _values(self, takes: tuple[Parameter, ...]) -> tuple[Expr, ...]:
        return tuple([self._value(each.name) for each in takes])

    def _text(self, key: str) -> Expr | None:
        return self._context.expr(self._entry.fields.get(key))

    def _depth(self) -> Name:
        return self._value(window_depth(self._name))

    def _opening(self, asking: str) -> Body:
        """Makes the record, asks if the window may be open once more, and returns the record."""
        place = self._place
        given = [(each.name, self._value(each.name)) for each in self._takes]
        started = [(each.name, each.start) for each in _variables(self._context, self._entry) if each.start is not None]
        places = {name: place for name, _ in (*given, *started)}
        made = New(place, self._name, None, (*given, *started), place, places)
        most = self._text("nested") or IntLit(place, 0)
        call = Call(place, asking, (*self._values(self._takes), self._value(self._name)), (), {})
        asked: Body = (
            Set(place, (), self._depth(), "+", IntLit(place, 1)),
            Do(place, (), call),
            Set(place, (), self._depth(), "-", IntLit(place, 1)),
        )
        return (
            Let(place, (), self._name, made),
            If(place, (), ((Compare(place, "<=", self._depth(), most), asked),), ()),
            Return(place, (), self._value(self._name)),
        )

    def _prompt(self) -> TextLit | None:
        """The question, if it names values; else it belongs to the menu."""
        node = self._entry.fields.get("prompt")
        if not isinstance(node, Scalar) or not _has_values(node.text):
            return None
        text, spans = " ".join(node.text.split("\n")), node.source.spans
        quoted = tuple([(offset + 1, line, column) for offset, line, column in spans])
        first = (0, spans[0][1], max(spans[0][2] - 1, 1))
        found = self._context.attempt(parse_expr, SourceText(f'"{text}"', node.source.file, (first, *quoted)))
        return found if isinstance(found, TextLit) else None

    def _rounds(self) -> Body:
        """Asks in the order, again as long as somebody reacted, until nobody did or the window has ended."""
        place, rounds = self._place, self._text("rounds")
        again = layer(self._name, "again")
        order = self._text("order") or self._value(self._respondent.name)
        one = self._one_turn(again, repeated=rounds is not None)
        each = ForEach(place, (), self._respondent.name, order, one, None, None, may_stop=False)
        if rounds is None:
            return (each,)
        began = Set(place, (), self._value(again), "", BoolLit(place, False))
        loop = While(place, (), self._value(again), rounds, (began, each))
        return (Let(place, (), again, BoolLit(place, True)), loop)

    def _one_turn(self, again: str, *, repeated: bool) -> Body:
        """Offers the menu to one respondent, as often as it may react in a row."""
        place, times, until = self._place, self._text("times"), self._text("until")
        seat = self._text("seat") or self._value(self._respondent.name)
        order = self._entry.fields.get("order")
        respondent = Name(place if order is None else order.place, self._respondent.name)
        given = (*self._values(self._takes), respondent, self._value(self._name))
        menu = Call(place, self._name, given, (), {})
        acted = layer(self._name, "acted")
        take = Take(place, seat, self._prompt(), menu, must=False, times=None)
        taken = Let(place, (), acted, take)
        after: Body = (Set(place, (), self._value(again), "", BoolLit(place, True)),) if repeated else ()
        if until is not None:
            after += (If(place, (), ((until, (Return(place, (), None),)),), ()),)
        if times is None and not after:
            return (Do(place, (), take),)
        if times is None:
            return (taken, If(place, (), ((self._value(acted), after),), ()))
        stop = If(place, (), ((Not(place, self._value(acted)), (Stop(place, ()),)),), ())
        return (Repeat(place, (), times, (taken, stop, *after)),)
