"""The syntax tree of rule text.

Every node knows its place. The checker fills in `type` and `ref`; nothing else changes a tree once it is parsed. This
module re-exports the expressions, so that a tree needs one import only.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.language.diagnostics import Place
from interpreter.language.tree.expressions import (
    After,
    Agree,
    And,
    Assign,
    Attr,
    Binary,
    BoolLit,
    Call,
    Choose,
    ChooseNumber,
    Compare,
    DecimalLit,
    DecisionExpr,
    Draw,
    Each,
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
    New,
    NoneLit,
    Not,
    Or,
    Otherwise,
    Proceed,
    Random,
    Range,
    Rank,
    Reach,
    RollApart,
    RollSum,
    Rounded,
    SetLit,
    SortedBy,
    Spread,
    SyntaxNode,
    Take,
    TextLit,
    Where,
)

__all__ = [
    "After",
    "Agree",
    "And",
    "Assign",
    "Attr",
    "AttrDecl",
    "Binary",
    "Binding",
    "Body",
    "BoolLit",
    "Call",
    "Choice",
    "ChoiceBlock",
    "Choose",
    "ChooseNumber",
    "Compare",
    "DecimalLit",
    "DecisionExpr",
    "Do",
    "Draw",
    "Each",
    "End",
    "Expr",
    "ForEach",
    "If",
    "IfElse",
    "In",
    "Index",
    "IntLit",
    "IsKind",
    "It",
    "Let",
    "ListLit",
    "Log",
    "Move",
    "Name",
    "Neg",
    "New",
    "NoneLit",
    "Not",
    "Or",
    "Otherwise",
    "Proceed",
    "Random",
    "Range",
    "Rank",
    "Reach",
    "Remove",
    "Repeat",
    "Return",
    "Reveal",
    "RollApart",
    "RollSum",
    "Rounded",
    "Set",
    "SetLit",
    "Shuffle",
    "SortedBy",
    "Spread",
    "Stmt",
    "Stop",
    "SyntaxNode",
    "Take",
    "Term",
    "TextLit",
    "Tie",
    "Together",
    "TypeExpr",
    "Where",
    "While",
    "Win",
]


# ---------------------------------------------------------------- statements
@dataclass(slots=True, eq=False)
class Stmt(SyntaxNode):
    """A statement; `cites` are the clauses at the end of its line."""

    cites: tuple[str, ...]


@dataclass(slots=True, eq=False)
class Term(SyntaxNode):
    """A term of a decision: `at_least`/`at_most` `amount` from `of`, or `total` of `of` at most `amount`."""

    mode: str
    amount: Expr
    of: Expr
    cites: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Let(Stmt):
    name: str
    value: Expr
    terms: tuple[Term, ...] = ()


@dataclass(slots=True, eq=False)
class Set(Stmt):
    """`set target = value`, `+=`, `-=` (`op` is the sign before `=`, or empty)."""

    target: Expr
    op: str
    value: Expr


@dataclass(slots=True, eq=False)
class Move(Stmt):
    what: Expr
    to: Expr


@dataclass(slots=True, eq=False)
class Remove(Stmt):
    what: Expr


@dataclass(slots=True, eq=False)
class Shuffle(Stmt):
    pile: Expr


@dataclass(slots=True, eq=False)
class Reveal(Stmt):
    what: Expr
    to: Expr | None


@dataclass(slots=True, eq=False)
class Return(Stmt):
    value: Expr | None


@dataclass(slots=True, eq=False)
class Stop(Stmt):
    """Leaves the innermost loop."""


@dataclass(slots=True, eq=False)
class End(Stmt):
    """Leaves a step of the sequence."""

    step: str
    step_place: Place


@dataclass(slots=True, eq=False)
class Win(Stmt):
    who: Expr
    reason: TextLit | None


@dataclass(slots=True, eq=False)
class Tie(Stmt):
    reason: TextLit | None


@dataclass(slots=True, eq=False)
class Log(Stmt):
    text: TextLit


@dataclass(slots=True, eq=False)
class Do(Stmt):
    """A call, a `take` or a `new` as a statement."""

    value: Expr


@dataclass(slots=True, eq=False)
class If(Stmt):
    """`branches` are the conditions with their bodies, `if` first; `otherwise` is the `else` body."""

    branches: tuple[tuple[Expr, tuple[Stmt, ...]], ...]
    otherwise: tuple[Stmt, ...]


@dataclass(slots=True, eq=False)
class ForEach(Stmt):
    """`chosen_by` picks the next element each time; with `may_stop` that seat may end the loop."""

    name: str
    of: Expr
    body: tuple[Stmt, ...]
    chosen_by: Expr | None
    prompt: TextLit | None
    may_stop: bool
    address: str = field(default="", init=False)


@dataclass(slots=True, eq=False)
class Repeat(Stmt):
    times: Expr
    body: tuple[Stmt, ...]


@dataclass(slots=True, eq=False)
class While(Stmt):
    condition: Expr
    times: Expr
    body: tuple[Stmt, ...]


@dataclass(slots=True, eq=False)
class Together(Stmt):
    """A block whose answers and changes are hidden from other seats until it ends."""

    body: tuple[Stmt, ...]


@dataclass(slots=True, eq=False)
class Choice(SyntaxNode):
    """One named choice of a block: offered when `when` holds."""

    name: str
    prompt: TextLit | None
    when: Expr | None
    body: tuple[Stmt, ...]


@dataclass(slots=True, eq=False)
class ChoiceBlock(Stmt):
    """`who chooses name:` and its choices."""

    who: Expr
    name: str
    prompt: TextLit | None
    choices: tuple[Choice, ...]
    address: str = field(default="", init=False)
    secret: bool = field(default=False, init=False)


# ---------------------------------------------------------------- other start symbols of the grammar
@dataclass(slots=True, eq=False)
class TypeExpr(SyntaxNode):
    """A type as written; the checker resolves its names into `type`."""

    form: str
    """`name`, `set`, `list`, `map` or `optional`."""
    name: str
    of: tuple[TypeExpr, ...]


@dataclass(slots=True, eq=False)
class AttrDecl(SyntaxNode):
    """`type = default` of an attribute or a state value."""

    declared: TypeExpr
    default: Expr | None


@dataclass(slots=True, eq=False)
class Binding(SyntaxNode):
    """`name in collection`, of a sequence step's `each`."""

    name: str
    of: Expr


Body = tuple[Stmt, ...]
