"""Builds the expressions of a tree: one method for each rule or alias of that part of `grammar.lark`.

Each method receives the offset of its text, and the values of its symbols (none for an absent optional one).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeVar

from interpreter.language.diagnostics import Diagnostic, Place, RulesetError
from interpreter.language.parsing.interpolation import Part, split_text
from interpreter.language.parsing.lexer import Token, fault
from interpreter.language.parsing.source_map import SourceText
from interpreter.language.tree import statements as s
from interpreter.language.whole_numbers import MAX_DIGITS

MAX_DICE, MIN_FACES, MAX_FACES = 100, 2, 1000

FIXED_WORDS = frozenset({
    "agrees", "and", "chooses", "draw", "each", "else", "false", "if", "in", "is", "it", "new", "none", "not", "or",
    "otherwise", "proceed", "random", "reach", "rolls", "rounded", "true", "where",
})  # fmt: skip
"""Keywords of expressions: they are never names where a value is expected."""

_COMMANDS = frozenset({"let", "log", "move", "remove", "return", "reveal", "set", "shuffle", "stop"})
STATEMENT_WORDS = _COMMANDS | {"end", "tie", "win"}
"""Words that begin a statement of one line; the last three can be names, too."""

RESERVED_WORDS = FIXED_WORDS | _COMMANDS | {"elif", "for", "repeat", "together", "while"}
"""Words that rule text cannot declare as a name: the keywords of expressions and of statements."""


class Argument(NamedTuple):
    """An argument given by name."""

    at: int
    name: str
    value: s.Expr


class Like(NamedTuple):
    """`like x`, of a new thing."""

    value: s.Expr


class PipeStep(NamedTuple):
    make: Callable[[Place, s.Expr, s.Expr, str | None], s.Expr]
    name: str | None
    value: s.Expr


@dataclass(slots=True, eq=False)
class SecretDecider(s.Expr):
    """`who secretly`: the seat of a secret decision; only while the decision is built."""

    who: s.Expr


Asking = TypeVar("Asking", bound=s.DecisionExpr | s.ChoiceBlock)


class ExpressionBuilder:
    """Builds the expressions of one text. Its methods raise `RulesetError` for errors that the grammar cannot express.

    `braces` holds the text literals whose expressions are not parsed yet.
    """

    def __init__(self, source: SourceText) -> None:
        self._source = source
        self._places: dict[int, Place] = {}
        self.braces: list[tuple[s.TextLit, tuple[Part, ...]]] = []

    # ------------------------------------------------------------ helpers
    def _place(self, at: int) -> Place:
        place = self._places.get(at)
        if place is None:
            place = self._places[at] = self._source.place(at)
        return place

    def _fault(self, code: str, message: str, at: int, hint: str | None = None) -> RulesetError:
        return fault(code, message, self._source, at, hint)

    def _new_name(self, token: Token) -> str:
        if token.text in RESERVED_WORDS:
            message = f"'{token.text}' is a word of the rule language and cannot be a name"
            raise self._fault("syntax", message, token.at, "choose another name")
        return token.text

    def _element(self, token: Token | None) -> str | None:
        return None if token is None else self._new_name(token)

    def _integer(self, digits: str, at: int) -> int:
        if len(digits) > MAX_DIGITS:
            message = f"this number has {len(digits)} digits; at most {MAX_DIGITS} are allowed"
            raise self._fault("too-large", message, at)
        return int(digits)

    def _text(self, token: Token) -> s.TextLit:
        parts = split_text(self._source, token)
        literal = s.TextLit(self._place(token.at), ())
        if all(isinstance(part, str) for part in parts):
            literal.parts = tuple(part for part in parts if isinstance(part, str))
        else:
            self.braces.append((literal, parts))
        return literal

    def _prompt(self, token: Token | None) -> s.TextLit | None:
        return None if token is None else self._text(token)

    def _label(self, token: Token | None) -> str:
        if token is None:
            return ""
        parts = split_text(self._source, token)
        for part in parts:
            if not isinstance(part, str):
                message = "the label of a roll is plain text, without an expression in braces"
                raise self._fault("syntax", message, part[0] - 1, "put values into a log line")
        return "".join(part for part in parts if isinstance(part, str))

    def _faces(self, digits: str, at: int) -> int:
        if len(digits) > 4 or not MIN_FACES <= int(digits) <= MAX_FACES:
            message = f"a die with {_short(digits)} faces; dice have {MIN_FACES} to {MAX_FACES}"
            raise self._fault("absurd-dice", message, at)
        return int(digits)

    # ------------------------------------------------------------ operators
    def after(self, at: int, value: s.Expr, call: s.Call) -> s.After:
        return s.After(self._place(at), value, call)

    def chain(self, at: int, of: s.Expr, *steps: PipeStep) -> s.Expr:
        """Builds `S as x where c each e`: the name applies to the rest of the chain."""
        name: str | None = None
        value, place = of, self._place(at)
        for step in steps:
            name = step.name or name
            value = step.make(place, value, step.value, name)
        return value

    def where(self, _at: int, name: Token | None, value: s.Expr) -> PipeStep:
        return PipeStep(s.Where, self._element(name), value)

    def each(self, _at: int, name: Token | None, value: s.Expr) -> PipeStep:
        return PipeStep(s.Each, self._element(name), value)

    def sorted_by(self, _at: int, name: Token | None, value: s.Expr) -> PipeStep:
        return PipeStep(s.SortedBy, self._element(name), value)

    def if_else(self, at: int, value: s.Expr, condition: s.Expr, other: s.Expr) -> s.IfElse:
        return s.IfElse(self._place(at), condition, value, other)

    def any_true(self, at: int, *items: s.Expr) -> s.Or:
        return s.Or(self._place(at), items)

    def all_true(self, at: int, *items: s.Expr) -> s.And:
        return s.And(self._place(at), items)

    def negate(self, at: int, value: s.Expr) -> s.Not:
        return s.Not(self._place(at), value)

    def compare(self, at: int, left: s.Expr, op: Token, right: s.Expr) -> s.Compare:
        return s.Compare(self._place(at), op.text, left, right)

    def equal(self, at: int, left: s.Expr, right: s.Expr) -> s.Compare:
        return s.Compare(self._place(at), "=", left, right)

    def is_in(self, at: int, value: s.Expr, of: s.Expr) -> s.In:
        return s.In(self._place(at), value, of, negated=False)

    def is_not_in(self, at: int, value: s.Expr, of: s.Expr) -> s.In:
        return s.In(self._place(at), value, of, negated=True)

    def is_kind(self, at: int, value: s.Expr, kind: Token) -> s.IsKind:
        return s.IsKind(self._place(at), value, kind.text, negated=False, kind_place=self._place(kind.at))

    def is_not_kind(self, at: int, value: s.Expr, kind: Token) -> s.IsKind:
        return s.IsKind(self._place(at), value, kind.text, negated=True, kind_place=self._place(kind.at))

    def range_of(self, at: int, low: s.Expr, high: s.Expr) -> s.Range:
        return s.Range(self._place(at), low, high)

    def otherwise(self, at: int, *items: s.Expr) -> s.Otherwise:
        return s.Otherwise(self._place(at), items)

    def add(self, at: int, left: s.Expr, right: s.Expr) -> s.Binary:
        return s.Binary(self._place(at), "+", left, right)

    def subtract(self, at: int, left: s.Expr, right: s.Expr) -> s.Binary:
        return s.Binary(self._place(at), "-", left, right)

    def multiply(self, at: int, left: s.Expr, right: s.Expr) -> s.Binary:
        return s.Binary(self._place(at), "*", left, right)

    def divide(self, at: int, left: s.Expr, right: s.Expr) -> s.Binary:
        return s.Binary(self._place(at), "/", left, right)

    def remainder(self, at: int, left: s.Expr, right: s.Expr) -> s.Binary:
        return s.Binary(self._place(at), "mod", left, right)

    def rounded_up(self, at: int, value: s.Expr) -> s.Rounded:
        return s.Rounded(self._place(at), value, "up", None)

    def rounded_down(self, at: int, value: s.Expr) -> s.Rounded:
        return s.Rounded(self._place(at), value, "down", None)

    def rounded_at(self, at: int, value: s.Expr, fraction: s.Expr) -> s.Rounded:
        return s.Rounded(self._place(at), value, "at", fraction)

    def minus(self, at: int, value: s.Expr) -> s.Neg:
        return s.Neg(self._place(at), value)

    def reach(self, at: int, search: s.Call, start: s.Expr) -> s.Reach:
        return s.Reach(self._place(at), search, start)

    def attribute(self, _at: int, of: s.Expr, name: Token) -> s.Attr:
        return s.Attr(self._place(name.at), of, name.text)

    def index(self, at: int, of: s.Expr, *keys: s.Expr) -> s.Index:
        return s.Index(self._place(at), of, keys)

    # ------------------------------------------------------------ values and names
    def integer(self, at: int, token: Token) -> s.IntLit:
        return s.IntLit(self._place(at), self._integer(token.text, at))

    def decimal(self, at: int, token: Token) -> s.DecimalLit:
        self._integer(token.text.replace(".", ""), at)
        return s.DecimalLit(self._place(at), Fraction(token.text))

    def text(self, _at: int, token: Token) -> s.TextLit:
        return self._text(token)

    def true(self, at: int) -> s.BoolLit:
        return s.BoolLit(self._place(at), value=True)

    def false(self, at: int) -> s.BoolLit:
        return s.BoolLit(self._place(at), value=False)

    def none(self, at: int) -> s.NoneLit:
        return s.NoneLit(self._place(at))

    def it(self, at: int) -> s.It:
        return s.It(self._place(at))

    def its(self, at: int, name: Token) -> s.Attr:
        return s.Attr(self._place(name.at), s.It(self._place(at)), name.text)

    def name(self, at: int, token: Token) -> s.Name:
        return s.Name(self._place(at), token.text)

    def group(self, _at: int, value: s.Expr) -> s.Expr:
        return value

    def set_of(self, at: int, *items: s.Expr | None) -> s.SetLit:
        return s.SetLit(self._place(at), tuple(item for item in items if item is not None))

    def list_of(self, at: int, *items: s.Expr | None) -> s.ListLit:
        return s.ListLit(self._place(at), tuple(item for item in items if item is not None))

    def call(self, at: int, name: Token, *arguments: s.Expr | Argument | None) -> s.Call:
        positional: list[s.Expr] = []
        named: list[Argument] = []
        for argument in arguments:
            if isinstance(argument, Argument):
                named.append(argument)
            elif argument is not None:
                if named:
                    message = f"an argument without a name follows '{named[-1].name}:'"
                    raise RulesetError(
                        [Diagnostic("syntax", message, argument.place, "arguments given by name come last")]
                    )
                positional.append(argument)
        return s.Call(self._place(at), name.text, tuple(positional), self._distinct(named), self._name_places(named))

    def method(self, _at: int, of: s.Expr, name: Token, *arguments: s.Expr | Argument | None) -> s.Call:
        call = self.call(name.at, name, of, *arguments)
        call.is_method = True
        return call

    def its_method(self, at: int, name: Token, *arguments: s.Expr | Argument | None) -> s.Call:
        return self.method(at, s.It(self._place(at)), name, *arguments)

    def proceed(self, at: int, *arguments: s.Expr | Argument | None) -> s.Proceed:
        call = self.call(at, Token("NAME", "proceed", at), *arguments)
        return s.Proceed(call.place, call.name, call.arguments, call.named, call.name_place)

    def named(self, at: int, name: Token, value: s.Expr) -> Argument:
        return Argument(at, name.text, value)

    def like(self, _at: int, value: s.Expr) -> Like:
        return Like(value)

    def new(self, at: int, kind: Token, *fields: Argument | Like | None) -> s.New:
        like = next((field.value for field in fields if isinstance(field, Like)), None)
        named = [field for field in fields if isinstance(field, Argument)]
        given, places = self._distinct(named), self._name_places(named)
        return s.New(self._place(at), kind.text, like, given, self._place(kind.at), places)

    def _name_places(self, named: list[Argument]) -> dict[str, Place]:
        return {each.name: self._place(each.at) for each in named}

    def _distinct(self, named: list[Argument]) -> tuple[tuple[str, s.Expr], ...]:
        seen: set[str] = set()
        for each in named:
            if each.name in seen:
                raise self._fault("syntax", f"'{each.name}:' is given twice", each.at, "keep one of the two")
            seen.add(each.name)
        return tuple((each.name, each.value) for each in named)

    # ------------------------------------------------------------ decisions
    def secretly(self, at: int, who: s.Expr) -> SecretDecider:
        return SecretDecider(self._place(at), who)

    def _asked(self, decision: Asking) -> Asking:
        """The decision, marked as secret if its text says so."""
        if isinstance(decision.who, SecretDecider):
            decision.who, decision.secret = decision.who.who, True
        return decision

    def _choose(
        self, at: int, who: s.Expr, mode: str, amount: s.Expr | None, of: s.Expr, prompt: Token | None
    ) -> s.Choose:
        return self._asked(s.Choose(self._place(at), who, self._prompt(prompt), mode, amount, of))

    def choose_one(self, at: int, who: s.Expr, of: s.Expr, prompt: Token | None) -> s.Choose:
        return self._choose(at, who, "one", None, of, prompt)

    def choose_maybe(self, at: int, who: s.Expr, of: s.Expr, prompt: Token | None) -> s.Choose:
        return self._choose(at, who, "maybe", None, of, prompt)

    def choose_some(self, at: int, who: s.Expr, amount: s.Expr, of: s.Expr, prompt: Token | None) -> s.Choose:
        return self._choose(at, who, "some", amount, of, prompt)

    def choose_up_to(self, at: int, who: s.Expr, amount: s.Expr, of: s.Expr, prompt: Token | None) -> s.Choose:
        return self._choose(at, who, "up_to", amount, of, prompt)

    def choose_any(self, at: int, who: s.Expr, of: s.Expr, prompt: Token | None) -> s.Choose:
        return self._choose(at, who, "any", None, of, prompt)

    def choose_number(self, at: int, who: s.Expr, low: s.Expr, high: s.Expr, prompt: Token | None) -> s.ChooseNumber:
        return self._asked(s.ChooseNumber(self._place(at), who, self._prompt(prompt), low, high))

    def rank_all(self, at: int, who: s.Expr, of: s.Expr, prompt: Token | None) -> s.Rank:
        return self._asked(s.Rank(self._place(at), who, self._prompt(prompt), of, every=True))

    def rank_any(self, at: int, who: s.Expr, of: s.Expr, prompt: Token | None) -> s.Rank:
        return self._asked(s.Rank(self._place(at), who, self._prompt(prompt), of, every=False))

    def assign(self, at: int, who: s.Expr, of: s.Expr, to: s.Expr, prompt: Token | None) -> s.Assign:
        return self._asked(s.Assign(self._place(at), who, self._prompt(prompt), of, to))

    def spread(
        self, at: int, who: s.Expr, amount: s.Expr, over: s.Expr, at_most: s.Expr, prompt: Token | None
    ) -> s.Spread:
        return self._asked(s.Spread(self._place(at), who, self._prompt(prompt), amount, over, at_most))

    def agrees(self, at: int, who: s.Expr, name: Token, prompt: Token | None) -> s.Agree:
        return self._asked(s.Agree(self._place(at), who, self._prompt(prompt), self._new_name(name)))

    def may_take(self, at: int, who: s.Expr, menu: s.Call, times: s.Expr | None, prompt: Token | None) -> s.Take:
        return s.Take(self._place(at), who, self._prompt(prompt), menu, must=False, times=times)

    def must_take(self, at: int, who: s.Expr, menu: s.Call, prompt: Token | None) -> s.Take:
        return s.Take(self._place(at), who, self._prompt(prompt), menu, must=True, times=None)

    # ------------------------------------------------------------ chance
    def roll_sum(self, at: int, who: s.Expr, dice: Token, label: Token | None) -> s.RollSum:
        count, faces = dice.text.split("d")
        if len(count) > 3 or not 1 <= int(count) <= MAX_DICE:
            message = f"{_short(count)} dice in one roll; a roll has 1 to {MAX_DICE} dice"
            raise self._fault("absurd-dice", message, dice.at)
        return s.RollSum(self._place(at), who, int(count), self._faces(faces, dice.at), self._label(label))

    def roll_apart(self, at: int, who: s.Expr, count: s.Expr, dice: Token, label: Token | None) -> s.RollApart:
        if dice.text[0] == "d" and dice.text[1:].isdigit():
            self._faces(dice.text[1:], dice.at)
        return s.RollApart(self._place(at), who, count, dice.text, self._label(label), self._place(dice.at))

    def random_one(self, at: int, of: s.Expr) -> s.Random:
        return s.Random(self._place(at), None, of)

    def random_some(self, at: int, amount: s.Expr, of: s.Expr) -> s.Random:
        return s.Random(self._place(at), amount, of)

    def draw_one(self, at: int, pile: s.Expr) -> s.Draw:
        return s.Draw(self._place(at), None, pile)

    def draw_some(self, at: int, amount: s.Expr, pile: s.Expr) -> s.Draw:
        return s.Draw(self._place(at), amount, pile)


def _short(digits: str) -> str:
    return digits if len(digits) <= MAX_DIGITS else f"{digits[:6]}…"
