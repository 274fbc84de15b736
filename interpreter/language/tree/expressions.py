"""The expressions of the syntax tree: values, names, operators, collections, decisions and chance."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from interpreter.language.diagnostics import Place
from interpreter.language.tree.types import UNKNOWN, Type


class Target:
    """The base class of everything that a name, an attribute or a call can refer to."""

    __slots__ = ()


@dataclass(slots=True, eq=False)
class SyntaxNode:
    """A node of the syntax tree, with its place in the source."""

    place: Place


@dataclass(slots=True, eq=False)
class Expr(SyntaxNode):
    """An expression; the checker sets `type`."""

    type: Type = field(default=UNKNOWN, init=False)


# ---------------------------------------------------------------- values and names
@dataclass(slots=True, eq=False)
class IntLit(Expr):
    value: int


@dataclass(slots=True, eq=False)
class DecimalLit(Expr):
    value: Fraction


@dataclass(slots=True, eq=False)
class TextLit(Expr):
    """Text with expressions in braces; `parts` holds both in source order, a plain text is one `str`."""

    parts: tuple[str | Expr, ...]

    @property
    def template(self) -> str:
        """The text with `{}` for each expression."""
        return "".join([each if isinstance(each, str) else "{}" for each in self.parts])


@dataclass(slots=True, eq=False)
class BoolLit(Expr):
    value: bool


@dataclass(slots=True, eq=False)
class NoneLit(Expr):
    pass


@dataclass(slots=True, eq=False)
class It(Expr):
    """The element of the innermost `where`, `each`, `by` or term; the subject of a computed attribute.

    `.a` is parsed as `Attr(It, a)`.
    """


@dataclass(slots=True, eq=False)
class Name(Expr):
    name: str
    ref: Target | None = field(default=None, init=False)


@dataclass(slots=True, eq=False)
class Attr(Expr):
    """`of.name`.

    The checker sets `ref`: an `Attribute`, a `Definition` (computed), or a `DerivedAttribute` (`at`, `neighbours`,
    contents, the enclosing space …); and `spread` if `of` is a collection and the attribute that of each element.
    """

    of: Expr
    name: str
    ref: Target | None = field(default=None, init=False)
    spread: bool = field(default=False, init=False)


@dataclass(slots=True, eq=False)
class Index(Expr):
    """`of[keys]`: a table look-up, a map's value, or a grid's space by column and row."""

    of: Expr
    keys: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class Range(Expr):
    """`low..high`, both included."""

    low: Expr
    high: Expr


@dataclass(slots=True, eq=False)
class SetLit(Expr):
    items: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class ListLit(Expr):
    items: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class New(Expr):
    """`new kind(like x, attribute: value, at: holder)`."""

    kind: str
    like: Expr | None
    fields: tuple[tuple[str, Expr], ...]
    kind_place: Place
    name_place: dict[str, Place]
    """The place of the name of each field."""


@dataclass(slots=True, eq=False)
class Call(Expr):
    """`name(arguments)`; `named` holds the arguments given by name. The checker sets `ref` and `ordered`.

    `ordered` holds all arguments in the order of the parameters. A call `thing.name(arguments)` of a method has the
    thing as its first argument.
    """

    name: str
    arguments: tuple[Expr, ...]
    named: tuple[tuple[str, Expr], ...]
    name_place: dict[str, Place]
    """The place of the name of each named argument."""
    is_method: bool = field(default=False, init=False)
    ref: Target | None = field(default=None, init=False)
    ordered: tuple[Expr, ...] = field(default=(), init=False)


@dataclass(slots=True, eq=False)
class Proceed(Call):
    """`proceed(arguments)`: a call of the rule that the enclosing `around` wraps. The checker sets `ref`."""


# ---------------------------------------------------------------- operators
@dataclass(slots=True, eq=False)
class Neg(Expr):
    value: Expr


@dataclass(slots=True, eq=False)
class Not(Expr):
    value: Expr


@dataclass(slots=True, eq=False)
class Binary(Expr):
    """`+ - * / mod`; `+` and `-` also join and subtract collections (either side may be a single element)."""

    op: str
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False)
class Compare(Expr):
    """`= != < <= > >=`."""

    op: str
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False)
class In(Expr):
    value: Expr
    of: Expr
    negated: bool


@dataclass(slots=True, eq=False)
class IsKind(Expr):
    value: Expr
    kind: str
    negated: bool
    kind_place: Place


@dataclass(slots=True, eq=False)
class And(Expr):
    items: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class Or(Expr):
    items: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class IfElse(Expr):
    """`value if condition else other`."""

    condition: Expr
    value: Expr
    other: Expr


@dataclass(slots=True, eq=False)
class Otherwise(Expr):
    """The first item that is neither none nor an empty collection, else the last item."""

    items: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class Rounded(Expr):
    """`value rounded up`, `down`, or `at` a fraction (the smallest fractional part that is rounded up)."""

    value: Expr
    mode: str
    at: Expr | None


# ---------------------------------------------------------------- collections
@dataclass(slots=True, eq=False)
class Where(Expr):
    """`of where condition`; `element` is the name given by `as`, or none for `it`."""

    of: Expr
    condition: Expr
    element: str | None


@dataclass(slots=True, eq=False)
class Each(Expr):
    """`of each value`: the list of the values."""

    of: Expr
    value: Expr
    element: str | None


@dataclass(slots=True, eq=False)
class SortedBy(Expr):
    """`of by key`: a stable sort, smallest first."""

    of: Expr
    key: Expr
    element: str | None


@dataclass(slots=True, eq=False)
class After(Expr):
    """`value after call(…)`: the value in the state after the call, which is then undone."""

    value: Expr
    call: Call


@dataclass(slots=True, eq=False)
class Reach(Expr):
    """`reach search(…) from start`: the cost of each space within reach, nearest first."""

    search: Call
    start: Expr


# ---------------------------------------------------------------- decisions
@dataclass(slots=True, eq=False)
class DecisionExpr(Expr):
    """A question to a seat. The checker sets `address` to `procedure.name`."""

    who: Expr
    prompt: TextLit | None
    address: str = field(default="", init=False)
    secret: bool = field(default=False, init=False)
    """Whether the other seats learn nothing of it but that somebody decides."""


@dataclass(slots=True, eq=False)
class Choose(DecisionExpr):
    """`mode`: `one`, `maybe` (one or none), `some` (exactly `amount`), `up_to` (`amount`), `any` (of them)."""

    mode: str
    amount: Expr | None
    of: Expr


@dataclass(slots=True, eq=False)
class ChooseNumber(DecisionExpr):
    low: Expr
    high: Expr


@dataclass(slots=True, eq=False)
class Rank(DecisionExpr):
    """An order of all of a set, or of any subset (`every` false)."""

    of: Expr
    every: bool


@dataclass(slots=True, eq=False)
class Assign(DecisionExpr):
    """`who assigns each of of to one of to`: a map."""

    of: Expr
    to: Expr


@dataclass(slots=True, eq=False)
class Spread(DecisionExpr):
    """`who spreads amount over over at most at_most each`: a map to numbers; what does not fit is dropped."""

    amount: Expr
    over: Expr
    at_most: Expr


@dataclass(slots=True, eq=False)
class Agree(DecisionExpr):
    """`who agrees to name`: a bool, allowed in any condition."""

    name: str


@dataclass(slots=True, eq=False)
class Take(DecisionExpr):
    """`who may take menu(…) [up to n times]`, `who must take menu(…)`: a bool, whether anything was taken."""

    menu: Call
    must: bool
    times: Expr | None


# ---------------------------------------------------------------- chance
@dataclass(slots=True, eq=False)
class RollSum(Expr):
    """`who rolls 2d6 "label"`: the sum."""

    who: Expr
    count: int
    faces: int
    label: str


@dataclass(slots=True, eq=False)
class RollApart(Expr):
    """`who rolls n dice of d6 "label"`: an unordered list; `dice` is `d` and a number, or named dice."""

    who: Expr
    count: Expr
    dice: str
    label: str
    dice_place: Place


@dataclass(slots=True, eq=False)
class Random(Expr):
    """`random one of S` (`amount` none), `random n of S`."""

    amount: Expr | None
    of: Expr


@dataclass(slots=True, eq=False)
class Draw(Expr):
    """`draw one from pile` (`amount` none), `draw n from pile`: cards, still in the pile until they are moved."""

    amount: Expr | None
    pile: Expr
