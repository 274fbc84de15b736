"""The piece memo: results about a piece that depend only on the piece and its contents are kept in the piece.

They are in `Thing.inside`, beside the memoized contents, and are dropped with these when something moves in or out;
and when an attribute that they read is set on the piece or on something in it (emitted as `forget`).
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.language.checking.types.derived_attributes import DerivedAttribute
from interpreter.language.codegen.analysis.containment import may_stand_in, pieces_nest
from interpreter.language.codegen.analysis.cost_model import cost_of
from interpreter.language.codegen.core.context import Emission
from interpreter.language.model.emitted_names import SLOT
from interpreter.language.model.kind_hierarchy import Attribute, Enum, Kind, WordDeclaration
from interpreter.language.model.program import (
    Builtin,
    Constant,
    Definition,
    Individual,
    Modifiers,
    Option,
    Parameter,
    Restrictions,
    Rule,
    Table,
)
from interpreter.language.model.rule_bodies import rule_texts
from interpreter.language.tree.statements import (
    And,
    Attr,
    Binary,
    BoolLit,
    Call,
    Compare,
    DecimalLit,
    Each,
    Expr,
    ForEach,
    If,
    IfElse,
    In,
    Index,
    IntLit,
    IsKind,
    It,
    Let,
    ListLit,
    Name,
    Neg,
    NoneLit,
    Not,
    Or,
    Otherwise,
    Range,
    Return,
    Rounded,
    Set,
    SetLit,
    SortedBy,
    Stmt,
    Where,
)
from interpreter.language.tree.traversal import children
from interpreter.language.tree.types import UNKNOWN, EnumType, KindType, OptionalType

MIN_COST = 30
"""Results of rules of this cost or more are kept: a cheaper rule runs as fast as a look-up."""
_OF_SAME = {"first", "distinct", "min", "max"}
_PLAIN = {"count", "any", "all", "sum", "distance", "adjacent", "between", "link", *_OF_SAME}
_MADE_IN_PLAY = {"piece", "record"}


def piece_memo_index(rule: Rule, emission: Emission) -> int | None:
    """The index of the result of a definition in `Thing.inside`; none if pieces do not keep it."""
    if rule.key not in emission.piece_memo:
        emission.piece_memo[rule.key] = None  # the value during recursion
        reading = _reading(rule, emission)
        if reading is not None:
            emission.piece_memo_slots |= reading.slots
            emission.piece_memo[rule.key] = len(emission.program.kinds) + emission.piece_memo_count
            emission.piece_memo_count += 1
    return emission.piece_memo[rule.key]


def _reading(rule: Rule, emission: Emission) -> _Scan | None:
    """The scan of a definition whose result a piece can keep, if that is worthwhile; else none."""
    if emission.variant != "fast" or emission.is_ad_hoc or not isinstance(rule, Definition) or len(rule.takes) != 1:
        return None
    subject, program = rule.takes[0].type, emission.program
    if not isinstance(subject, KindType) or subject.name not in program.kinds or not pieces_nest(program):
        return None
    answer = rule.gives.of if isinstance(rule.gives, OptionalType) else None
    if program.kinds[subject.name].root != "piece" or not _holds(subject.name, emission):
        return None
    if rule.gives == UNKNOWN or (answer is not None and not isinstance(answer, KindType | EnumType)):
        return None
    if cost_of(rule, emission) < MIN_COST:
        return None
    reading = _Scan(subject.name, emission)
    try:
        reading.rule(rule, (True,))
    except _ReadsElsewhere:
        return None
    return reading


def _holds(kind: str, emission: Emission) -> bool:
    program = emission.program
    return any(
        program.is_a(each.name, holder) or program.is_a(holder, each.name)
        for each in program.subkinds(kind)
        for piece in program.kinds.values()
        if piece.root == "piece"
        for holder in program.holders(piece.name)
        if holder in program.kinds
    )


class _ReadsElsewhere(Exception):  # noqa: N818 - it is no error
    """A rule reads state whose changes do not reach the piece."""


class _Scan:
    """Scans the text of a rule; infers of each expression whether its value is the piece or something in it.

    Changing state may be read only of such values. `slots` are the changing attributes that are read.
    """

    def __init__(self, subject: str, emission: Emission) -> None:
        self.slots: set[str] = set()
        self._subject, self._emission = subject, emission
        self._known: dict[tuple[str, tuple[bool, ...]], bool] = {}

    def rule(self, rule: Rule, given: tuple[bool, ...]) -> bool:
        """Whether the result of a rule is inside the piece; `given` says so of its arguments.

        Raises:
            _ReadsElsewhere: if it reads state outside.
        """
        key = (rule.key, given)
        if key not in self._known:
            self._known[key] = self._read(rule, given)
        return self._known[key]

    def _read(self, rule: Rule, given: tuple[bool, ...]) -> bool:
        if rule.key in self._emission.recursive or not isinstance(rule, Definition | Modifiers | Restrictions):
            raise _ReadsElsewhere
        names = {each.name: inside for each, inside in zip(rule.takes, given, strict=True)}
        if not isinstance(rule, Definition):
            for text in rule_texts(rule):
                self.text(text, names, None)
            return False
        if self._emission.is_overridden(rule):
            raise _ReadsElsewhere
        it = given[0] if rule.subject is not None else None
        if rule.value is not None:
            return self.text(rule.value, names, it)
        found: list[bool] = []
        for _ in range(len(names) + sum(1 for each in rule.body) + 1):  # until a fixed point is reached
            before = dict(names)
            found = list(self._body(rule.body, names, it))
            if names == before:
                break
        return all(found)

    # ------------------------------------------------------------ lines
    def _body(self, lines: Iterable[Stmt], names: dict[str, bool], it: bool | None) -> list[bool]:
        found: list[bool] = []
        for line in lines:
            match line:
                case Let(name=name, value=given, terms=()):
                    names[name] = self.text(given, names, it) and names.get(name, True)
                case Set(target=Name(ref=Parameter(name=name)), value=given):
                    names[name] = self.text(given, names, it) and names.get(name, True)
                case Return(value=Expr() as given):
                    found.append(self.text(given, names, it))
                case If(branches=branches, otherwise=otherwise):
                    for test, body in branches:
                        self.text(test, names, it)
                        found += self._body(body, names, it)
                    found += self._body(otherwise, names, it)
                case ForEach(name=name, of=of, body=body, chosen_by=None):
                    names[name] = self.text(of, names, it) and names.get(name, True)
                    found += self._body(body, names, it)
                case _:
                    raise _ReadsElsewhere
        return found

    # ------------------------------------------------------------ expressions
    def text(self, text: object, names: dict[str, bool], it: bool | None) -> bool:
        """Whether the value of an expression is known to be inside the piece; `none` is.

        Raises:
            _ReadsElsewhere: if it reads state outside.
        """
        match text:
            case NoneLit():
                return True
            case IntLit() | DecimalLit() | BoolLit():
                return False
            case It() if it is not None:
                return it
            case Name():
                return self._name(text, names)
            case Attr(of=of):
                return self._attr(text, self.text(of, names, it))
            case Call(ordered=ordered):
                return self._call(text, tuple([self.text(each, names, it) for each in ordered]))
            case Where(of=of, condition=inner):
                found = self.text(of, names, it)
                self._of_each(inner, found, text.element, names, it)
                return found
            case SortedBy(of=of, key=inner):
                found = self.text(of, names, it)
                self._of_each(inner, found, text.element, names, it)
                return found
            case Each(of=of, value=inner):
                return self._of_each(inner, self.text(of, names, it), text.element, names, it)
            case IfElse(condition=test, value=one, other=other):
                self.text(test, names, it)
                return self._all((one, other), names, it)
            case Otherwise(items=items) | SetLit(items=items) | ListLit(items=items):
                return self._all(items, names, it)
            case Binary(left=left, right=right):
                return self._all((left, right), names, it)
            case Index(of=Name(ref=Table()), keys=keys):
                self._all(keys, names, it)
                return False
            case And() | Or() | Not() | Compare() | In() | IsKind() | Neg() | Rounded() | Range():
                for each in children(text):
                    self.text(each, names, it)
                return False
        raise _ReadsElsewhere

    def _all(self, texts: Iterable[Expr], names: dict[str, bool], it: bool | None) -> bool:
        found = [self.text(each, names, it) for each in texts]  # all of them are scanned, whatever the first result
        return all(found)

    def _of_each(self, inner: Expr, element: bool, name: str | None, names: dict[str, bool], it: bool | None) -> bool:
        if name is None:
            return self.text(inner, names, element)
        return self.text(inner, {**names, name: element}, it)

    def _name(self, text: Name, names: dict[str, bool]) -> bool:
        match text.ref:
            case Parameter(name=name) if name in names:
                return names[name]
            case Constant(value=value):
                return self.text(value, {}, None)
            case Option() | Individual() | WordDeclaration() | Enum() | Table():
                return False
            case Kind(root=root) if root not in _MADE_IN_PLAY:
                return False
        raise _ReadsElsewhere

    def _attr(self, text: Attr, inside: bool) -> bool:
        match text.ref:
            case Attribute() as attribute:
                if id(attribute) in self._emission.changed:
                    if not inside:
                        raise _ReadsElsewhere
                    self.slots.add(SLOT(attribute.name))
                return False
            case DerivedAttribute(how="down") if inside:
                return True
            case DerivedAttribute(how="up", kind=str(kind)) if inside:
                if not may_stand_in(self._subject, kind, self._emission.program):
                    return True
            case DerivedAttribute(how="neighbours" | "row" | "column" | "index"):
                return False
            case Definition() as rule:
                return self.rule(rule, (inside,))
        raise _ReadsElsewhere

    def _call(self, text: Call, given: tuple[bool, ...]) -> bool:
        if isinstance(text.ref, Builtin) and text.name in _PLAIN:
            return text.name in _OF_SAME and all(given)
        if isinstance(text.ref, Rule):
            return self.rule(text.ref, given)
        raise _ReadsElsewhere
