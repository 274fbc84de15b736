"""What values depend on that a view hides: an abstract evaluation of expressions and of rules that only read.

Which cards are in a hand is hidden, how many there are is not. So a value can hold hidden things without telling
anything, as the cards of a hand or their number do; it tells something if it depends on what these things are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from interpreter.language.checking.program.effects import effect_texts
from interpreter.language.checking.program.open_holders import OpenHolders
from interpreter.language.checking.types.derived_attributes import DerivedAttribute
from interpreter.language.diagnostics import Place
from interpreter.language.model.kind_hierarchy import Attribute, Kind
from interpreter.language.model.program import (
    Builtin,
    Definition,
    Individual,
    Modifiers,
    Parameter,
    Program,
    Restrictions,
    Rule,
    Search,
)
from interpreter.language.model.rule_bodies import rule_texts
from interpreter.language.tree.statements import (
    Attr,
    Call,
    Compare,
    DecisionExpr,
    Draw,
    Each,
    Expr,
    ForEach,
    In,
    IsKind,
    It,
    Let,
    Name,
    NoneLit,
    Reach,
    Return,
    Set,
    SortedBy,
    SyntaxNode,
    Where,
)
from interpreter.language.tree.traversal import children, walk_tree
from interpreter.language.tree.types import KindType, Type, element, present

Path = tuple[str, ...]
"""A seat as rule text names it, such as `side.enemy`; empty if it is not known which seat."""
PURE: Final = (Definition, Modifiers, Restrictions, Search)
OWNER: Final = "…"
"""The last part of a path that names a thing whose seat the owner is, such as `pile` in `pile.cards`."""
_COUNTING: Final = {"count", "any", "all", "sum"}
IT: Final = "it"
_LONGEST_PATH: Final = 3
"""The most names in the path of an owner: recursive rules could make paths longer and longer."""
_MAX_ROUNDS: Final = 8
"""The number of times that what rules give is passed on to the rules that call them."""


class Secret(NamedTuple):
    """Something that a view hides: whose it is, and where a text reads it. Without a view: what `owner` holds."""

    view: str
    owner: Path
    place: Place

    def is_of_another(self, seat: Path) -> bool:
        """Whether the owner is another seat than this one, as far as their paths show it."""
        if not self.owner or not seat or OWNER in seat:
            return False
        if self.owner[-1] == OWNER:
            return len(seat) > 1 and self.owner[:-1] != seat[: len(self.owner) - 1]
        return self.owner != seat


@dataclass(frozen=True, slots=True)
class Value:
    """What a value tells, and the hidden things that it holds."""

    tells: frozenset[Secret] = frozenset()
    holds: frozenset[Secret] = frozenset()

    def __or__(self, other: Value) -> Value:
        return Value(self.tells | other.tells, self.holds | other.holds)


OPEN: Final = Value()
Locals = Mapping[str, Value]


def kind_of(kind: Type) -> str:
    """Returns the kind of a thing, or of the things in a collection; empty for other types."""
    kind = present(kind)
    inner = element(kind)
    kind = present(inner) if inner is not None else kind
    return kind.name if isinstance(kind, KindType) else ""


class HiddenValues:
    """Evaluates expressions of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._holders = OpenHolders(program)
        self.views = [each for each in program.views.values() if not self._holders.is_idle(each)]
        """The views that can hide anything under the options of the program."""
        self._changed = set(_changed_attributes(program)) if self.views else set()
        self._rules: dict[str, Value] = {}
        """What rules that only read give, by path; what they tell of their parameters has no view."""
        if self.views:
            self._evaluate_rules()

    def _evaluate_rules(self) -> None:
        program = self._program
        rules: list[Rule] = [
            *program.definitions.values(),
            *program.modifiers.values(),
            *program.restrictions.values(),
            *program.searches.values(),
        ]
        for _ in range(_MAX_ROUNDS):
            before = dict(self._rules)
            for rule in rules:
                made = self._of_rule(rule)
                self._rules[rule.key] = Value(_one_of_each(made.tells), _one_of_each(made.holds))
            if self._rules == before:
                return

    def _of_rule(self, rule: Rule) -> Value:
        known = {each.name: Value(holds=frozenset([Secret("", (each.name,), each.place)])) for each in rule.takes}
        if isinstance(rule, Definition) and rule.subject is not None:
            known[IT] = known[rule.takes[0].name]
        texts = list(rule_texts(rule))
        if isinstance(rule, Definition) and rule.value is None:
            return self._of_body(texts, known)
        value = self._all_of(texts, known)
        return value if isinstance(rule, Definition) else Value(value.tells)

    def _of_body(self, body: Iterable[SyntaxNode], known: dict[str, Value]) -> Value:
        """Returns what a body that only reads gives: any condition in it may decide on the result."""
        tells, holds = OPEN, OPEN
        for node in [each for statement in body for each in walk_tree(statement)]:
            match node:
                case Let(name=name, value=source) | Set(target=Name(name=name), value=source):
                    known[name] = known.get(name, OPEN) | self.of(source, known)
                case ForEach(name=name, of=source):
                    found = self.of(source, known)
                    known[name] = Value(holds=found.holds)
                    tells |= found
                case Return(value=Expr() as value):
                    holds |= self.of(value, known)
                case Expr():
                    pass
                case _:
                    tells |= self._all_of([each for each in children(node) if isinstance(each, Expr)], known)
        return Value(tells.tells | holds.tells, holds.holds)

    # ------------------------------------------------------------ expressions
    def of(self, expr: Expr, known: Locals) -> Value:
        """Returns what the value of an expression tells and holds; `known` are the values of local names."""
        match expr:
            case Name(ref=Parameter(name=name)):
                return known.get(name, OPEN)
            case Name():
                return self._named(expr)
            case It():
                return known.get(IT, OPEN)
            case Attr():
                return self._attribute(expr, known)
            case Call():
                return self._call(expr.ref, expr.ordered or expr.arguments, known)
            case Reach():
                return self._call(expr.search.ref, expr.search.ordered, known) | self.of(expr.start, known)
            case Where(of=source, condition=text):
                return self._filtered(expr, source, text, known)
            case Each(of=source, value=text) | SortedBy(of=source, key=text):
                base = self.of(source, known)
                inner = self.of(text, self.inside(expr, base, known))
                return Value(base.tells | inner.tells, inner.holds if isinstance(expr, Each) else base.holds)
            case Compare(left=left, right=right) | In(value=left, of=right):
                return self._compared(left, right, known)
            case IsKind(value=value, kind=kind):
                base = self.of(value, known)
                asks = kind_of(value.type) != kind and self._covered(kind) != ""
                return Value(base.tells | (base.holds if asks else frozenset()))
            case Draw(pile=pile):
                return self._drawn(expr, self.of(pile, known))
            case DecisionExpr():
                return OPEN
        return self._all_of([each for each in children(expr) if isinstance(each, Expr)], known)

    def inside(self, expr: Where | Each | SortedBy, base: Value, known: Locals) -> Locals:
        """Returns the local names inside the text about each element of a collection."""
        return {**known, expr.element or IT: Value(holds=base.holds)}

    def _all_of(self, texts: Iterable[SyntaxNode], known: Locals) -> Value:
        value = OPEN
        for each in texts:
            if isinstance(each, Expr):
                value |= self.of(each, known)
        return value

    def _named(self, expr: Name) -> Value:
        kind = kind_of(expr.type)
        view = self._covered(kind)
        if not view or self._program.kinds[kind].root != "piece" or not isinstance(expr.ref, Kind | Individual):
            return OPEN
        return Value(holds=frozenset([Secret(view, (), expr.place)]))

    def _attribute(self, expr: Attr, known: Locals) -> Value:
        base, ref = self.of(expr.of, known), expr.ref
        if isinstance(ref, Definition):
            return self._call(ref, (expr.of,), known)
        if isinstance(ref, DerivedAttribute):
            if ref.how == "down" and (view := self._covered(ref.kind or "")):
                if self._holders.is_open(expr.of):
                    return Value(base.tells)
                return Value(base.tells, frozenset([Secret(view, self._owner(expr.of), expr.place)]))
            asks = ref.how == "index" or (isinstance(expr.of, Name) and isinstance(expr.of.ref, Individual))
            return Value(base.tells | (base.holds if asks else frozenset()))
        if isinstance(ref, Attribute) and (view := self._hiding(kind_of(expr.of.type), ref.name)):
            if self._program.kinds[kind_of(expr.of.type)].root != "piece":
                if id(ref) not in self._changed:  # as the rules give it to everybody
                    return Value(base.tells)
                return Value(base.tells | {Secret(view, path_of(expr.of), expr.place)})
            read = OPEN if isinstance(expr.of, Name) and isinstance(expr.of.ref, Individual) else base
            return Value(base.tells | {each._replace(place=expr.place) if each.view else each for each in read.holds})
        return Value(base.tells)

    def _call(self, ref: object, arguments: Iterable[Expr], known: Locals) -> Value:
        given = [self.of(each, known) for each in arguments]
        value = OPEN
        for each in given:
            value |= each
        if isinstance(ref, Builtin):
            return Value(value.tells) if ref.name in _COUNTING else value
        if not isinstance(ref, PURE):
            return Value(value.tells)
        names = {each.name: (one, path_of(arg)) for each, one, arg in zip(ref.takes, given, arguments, strict=False)}
        found = [self._rules.get(each.key, OPEN) for each in self._run(ref)]
        if len(found) > 1 and value.holds:
            found.append(Value(tells=frozenset([Secret("", (ref.takes[0].name,), ref.place)])))
        tells = [here for each in found for secret in each.tells for here in _given(secret, names)]
        holds = [here for each in found for secret in each.holds for here in _given(secret, names)]
        return Value(value.tells.union(tells), frozenset(holds))

    def _run(self, rule: Rule) -> list[Rule]:
        """Returns a rule with those that run in its place for things of sub-kinds."""
        kind, _, name = rule.name.partition(".")
        own = [self._program.definitions.get(f"{each.name}.{name}") for each in self._program.subkinds(kind)]
        return [rule, *[each for each in own if each is not None and each is not rule]]

    def _filtered(self, expr: Where, source: Expr, text: Expr, known: Locals) -> Value:
        base = self.of(source, known)
        inner = self.of(text, self.inside(expr, base, known))
        owner = _compared_seat(text)
        holds = frozenset([each._replace(owner=owner) if owner and not each.owner else each for each in base.holds])
        tells = [each._replace(owner=owner) if owner and not each.owner else each for each in inner.tells]
        return Value(base.tells.union(tells), holds)

    def _compared(self, left: Expr, right: Expr, known: Locals) -> Value:
        """Comparing hidden things with each other or with a thing that is named asks what they are."""
        one, other = self.of(left, known), self.of(right, known)
        tells = one.tells | other.tells
        if one.holds and other.holds and not isinstance(left, NoneLit) and not isinstance(right, NoneLit):
            tells |= one.holds | other.holds
        return Value(tells)

    def _drawn(self, expr: Draw, pile: Value) -> Value:
        view = self._covered(kind_of(expr.type))
        if not view or self._holders.is_open(expr.pile):
            return OPEN
        return Value(pile.tells, frozenset([Secret(view, (), expr.place)]))

    # ------------------------------------------------------------ views
    def is_open(self, holder: Expr) -> bool:
        """Whether no view hides pieces in this holder."""
        return self._holders.is_open(holder)

    def _covered(self, kind: str) -> str:
        """Returns the name of a view that hides things of this kind; empty if there is none."""
        is_a = self._program.is_a
        return next((each.name for each in self.views if kind and (is_a(kind, each.kind) or is_a(each.kind, kind))), "")

    def _hiding(self, kind: str, attribute: str) -> str:
        view = self._program.views.get(self._covered(kind))
        return "" if view is None or attribute in view.others_see else view.name

    def _owner(self, holder: Expr) -> Path:
        """Returns the seat that the text of a holder names: `side` in `side.hand`."""
        for node in [holder, *[each for each in walk_tree(holder) if each is not holder]]:
            kind = kind_of(node.type) if isinstance(node, Expr) else ""
            if kind and self._program.kinds[kind].root == "seat" and isinstance(node, Expr):
                return path_of(node)
        return (*path_of(holder)[:1], OWNER)


def _changed_attributes(program: Program) -> Iterator[int]:
    """Yields the identities of the attributes that a rule sets."""
    for _, roots in effect_texts(program):
        for node in [each for root in roots for each in program.nodes(root)]:
            if isinstance(node, Set) and isinstance(node.target, Attr) and isinstance(node.target.ref, Attribute):
                yield id(node.target.ref)


def path_of(expr: Expr) -> Path:
    """Returns names and attributes as a path; empty for anything else."""
    match expr:
        case Name(name=name):
            return (name,)
        case It():
            return (IT,)
        case Attr(of=base, name=name):
            before = path_of(base)
            return (*before, name) if before else ()
    return ()


def _one_of_each(secrets: Iterable[Secret]) -> frozenset[Secret]:
    """Returns for each view and owner the first place that reads it."""
    found: dict[tuple[str, Path], Secret] = {}
    for each in sorted(secrets):
        found.setdefault(each[:2], each)
    return frozenset(found.values())


def _given(secret: Secret, names: Mapping[str, tuple[Value, Path]]) -> Iterable[Secret]:
    """Returns what a secret of a rule is for its caller: what the argument holds, or the same with its owner."""
    first = secret.owner[0] if secret.owner else ""
    if secret.view == "":
        return names[first][0].holds if first in names else ()
    owner = names[first][1] if first in names else ()
    path = (*owner, *secret.owner[1:])
    return [secret._replace(owner=path if owner and len(path) <= _LONGEST_PATH else ())]


def _compared_seat(condition: Expr) -> Path:
    """Returns the seat that a filter compares the owner of its elements with: `side` in `.pile.owner = side`."""
    for node in walk_tree(condition):
        if isinstance(node, Compare) and node.op == "=":
            for one, other in ((node.left, node.right), (node.right, node.left)):
                if path_of(one)[:1] == (IT,) and (path := path_of(other)) and path[0] != IT:
                    return path
    return ()
