"""The plan of a search: which conditions of a step are constant, and which must be tested each time.

Bars that are a list of restrictions, and a cost that is a list of modifiers, are opened: their items count one by one.
A condition is split at its `and`, also at that of a definition. Parts that read only what no rule changes are
decided once for each step of the map; the others are read as far out as what they name allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from interpreter.language.codegen.analysis.constancy import is_constant
from interpreter.language.codegen.analysis.may_fault import linked_everywhere, text_can_fail
from interpreter.language.codegen.core.context import CodeContext, Emission
from interpreter.language.codegen.core.dispatch import condition, value
from interpreter.language.diagnostics import NOWHERE, Place
from interpreter.language.model.emitted_names import LOCAL
from interpreter.language.model.program import (
    Builtin,
    Definition,
    Item,
    Modifiers,
    Parameter,
    Restrictions,
    Rule,
    Search,
)
from interpreter.language.tree.statements import (
    And,
    Attr,
    BoolLit,
    Call,
    Expr,
    In,
    Name,
    Not,
)
from interpreter.language.tree.traversal import walk_tree
from interpreter.language.tree.types import BOOL, OptionalType

TRUE = BoolLit(NOWHERE, True)
SEARCH, HERE, THERE, STEP = range(4)
"""What a term reads of a step: nothing, the space where it begins, the space where it ends, or both."""


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """An expression, and the parameters of the search that its names mean; `it` is what a leading dot means."""

    text: Expr
    names: Mapping[int, Parameter] = field(default_factory=dict)
    it: Parameter | None = None

    def level(self, rule: Search) -> int:
        """Which ends of a step it reads."""
        meant = {id(self.names.get(id(each.ref), each.ref)) for each in walk_tree(self.text) if isinstance(each, Name)}
        meant.add(id(self.it))
        return (HERE if id(rule.here) in meant else 0) + (THERE if id(rule.there) in meant else 0)

    def is_constant(self, rule: Search, emission: Emission) -> bool:
        """Whether it reads only constants and the ends of the step."""
        ends = {id(rule.here), id(rule.there)}
        if self.it is not None and id(self.it) not in ends:
            return False
        known = ends | {own for own, outer in self.names.items() if id(outer) in ends}
        return is_constant(self.text, known, emission)

    def within(self, cx: CodeContext) -> CodeContext:
        """The context for its Python text."""
        if not self.names:
            return cx
        names = {own: LOCAL(outer.name) for own, outer in self.names.items()}
        sets = {own: cx.sets[id(outer)] for own, outer in self.names.items() if id(outer) in cx.sets}
        it = LOCAL(self.it.name) if self.it is not None else None
        return replace(cx, names=names, sets=sets, elements={}, it=it)

    def looks_in(self) -> Iterator[Parameter]:
        """The parameters of the search in which it tests membership."""
        for each in walk_tree(self.text):
            if isinstance(each, In) and isinstance(each.of, Name):
                meant = self.names.get(id(each.of.ref), each.of.ref)
                if isinstance(meant, Parameter):
                    yield meant

    def test(self, cx: CodeContext) -> str:
        """Its Python text as a condition."""
        return condition(self.text, self.within(cx))

    def value(self, cx: CodeContext) -> str:
        """Its Python text as a value."""
        return value(self.text, self.within(cx))


@dataclass(slots=True)
class Guard:
    """A condition: its constant part, and the terms to test by level; `bit` is its mark in the table of steps."""

    place: Place
    fixed: list[SearchTerm] = field(default_factory=list)
    moving: tuple[list[SearchTerm], ...] = field(default_factory=lambda: ([], [], [], []))
    bit: int = 0
    known: str | None = None
    """The variable for the terms that read nothing of the step."""
    left: str | None = None
    """The variable for the terms that read only the space where steps begin."""

    @property
    def moves(self) -> bool:
        """Whether any term must be tested each time."""
        return any(self.moving)

    def reads(self, level: int) -> bool:
        """Whether it reads no more of a step than this."""
        return not any(parts for each, parts in enumerate(self.moving) if each & ~level)


@dataclass(slots=True)
class Charge:
    """What one item adds to the cost of a step, with its condition."""

    guard: Guard
    value: SearchTerm
    fixed: bool


class SearchPlan:
    """The bars and the cost of one search, split by what they read."""

    def __init__(self, rule: Search, emission: Emission) -> None:
        self.rule, self.emission = rule, emission
        self._bits = 0
        self.bars: list[Guard] = []
        for place, parts in self._bars():
            self.bars.append(self.guard(place, parts))
        self.charges = [] if rule.cost is None else list(self._charges(rule.cost))

    @property
    def tabled(self) -> bool:
        """Whether any condition of a step is constant."""
        return any(each.fixed for each in self.bars) or any(each.fixed or each.guard.fixed for each in self.charges)

    @property
    def marked(self) -> bool:
        """Whether steps have marks for the conditions that must be tested."""
        return self._bits > 0

    def guard(self, place: Place, parts: list[SearchTerm]) -> Guard:
        """Splits a condition; it gets a mark where only a part of it is constant.

        One that can fail is decided for no step that a bar in front of it may yet forbid.
        """
        loose = any(each.moves for each in self.bars) and self.can_fail(parts)
        made = split_condition(place, parts, self.rule, self.emission, loose=loose)
        if made.fixed and made.moves:
            self._mark(made)
        return made

    def can_fail(self, parts: Iterable[SearchTerm]) -> bool:
        """Whether evaluating one of them may fault."""
        return any(can_fail(each, self.rule, self.emission) for each in parts)

    def _mark(self, guard: Guard) -> None:
        guard.bit = 1 << self._bits
        self._bits += 1

    # ------------------------------------------------------------ bars
    def _bars(self) -> Iterator[tuple[Place, list[SearchTerm]]]:
        for bar in self.rule.bars:
            opened = _restrictions(bar)
            if opened is None:
                yield bar.place, conditions(bar, {}, self.emission)
            else:
                restrictions, names = opened
                yield from ((each.place, conditions(each, names, self.emission)) for each in restrictions.items)

    # ------------------------------------------------------------ cost
    def _charges(self, cost: Expr) -> Iterator[Charge]:
        names = _names(cost) if isinstance(cost, Call) and isinstance(cost.ref, Modifiers) else None
        if names is None or not isinstance(cost, Call) or not isinstance(cost.ref, Modifiers) or cost.ref.limits:
            yield self._charge(cost.place, [], SearchTerm(cost))
            return
        for item in cost.ref.items:
            assert item.value is not None
            yield self._charge(item.place, conditions(item, names, self.emission), SearchTerm(item.value, names))

    def _charge(self, place: Place, parts: list[SearchTerm], given: SearchTerm) -> Charge:
        guard = self.guard(place, parts) if parts else Guard(place)
        fixed = (
            self.rule.next is None
            and not guard.moves
            and given.is_constant(self.rule, self.emission)
            and not self.can_fail((*guard.fixed, given))
        )
        if not fixed and guard.fixed and not guard.bit:
            self._mark(guard)
        return Charge(guard, given, fixed)


# ---------------------------------------------------------------- taking conditions apart
def split_condition(
    place: Place, parts: list[SearchTerm], rule: Search, emission: Emission, *, loose: bool = False
) -> Guard:
    """Splits a condition by what its parts read; of a `loose` one no part counts as constant.

    Parts keep their order within a level, so that a test for none still precedes what relies on it; one that can
    fail is never read before a part that was written in front of it.
    """
    made, outer = Guard(place), SEARCH
    for part in parts or [SearchTerm(TRUE)]:
        level, failing = part.level(rule), can_fail(part, rule, emission)
        decided = level != SEARCH and not loose and rule.next is None
        if decided and part.is_constant(rule, emission) and not (failing and made.moves):
            made.fixed.append(part)
        else:
            if failing:
                level |= outer
            made.moving[level].append(part)
        outer |= level
    return made


def conditions(item: Item, names: Mapping[int, Parameter], emission: Emission) -> list[SearchTerm]:
    """The conjuncts of the condition of an item."""
    parts = [] if item.when is None else list(_conjuncts(SearchTerm(item.when, names), emission))
    if item.unless is not None:
        denied = Not(item.unless.place, item.unless)
        denied.type = BOOL
        parts.append(SearchTerm(denied, names))
    return parts


def _conjuncts(part: SearchTerm, emission: Emission) -> Iterator[SearchTerm]:
    if isinstance(part.text, And):
        for each in part.text.items:
            yield from _conjuncts(replace(part, text=each), emission)
    elif (behind := _opened(part, emission)) is not None:
        yield from _conjuncts(behind, emission)
    else:
        yield part


def _opened(part: SearchTerm, emission: Emission) -> SearchTerm | None:
    """The conjuncts behind the name of a definition, where there are several."""
    rule = part.text.ref if isinstance(part.text, Call | Attr) else None
    if not isinstance(rule, Definition) or not isinstance(rule.value, And):
        return None
    if not emission.can_inline:
        return None
    if rule.key in emission.recursive or emission.is_overridden(rule) or (emission.traced and rule.cites):
        return None
    if isinstance(part.text, Call):
        inner = _names(part.text, part.names)
        return None if inner is None else SearchTerm(rule.value, inner)
    assert isinstance(part.text, Attr)
    owner = part.text.of
    if part.text.spread or isinstance(owner.type, OptionalType) or not _is_parameter(owner):
        return None
    subject = part.names.get(id(owner.ref), owner.ref)  # type: ignore[attr-defined]
    return SearchTerm(rule.value, {id(rule.takes[0]): subject}, subject)


def _is_parameter(text: Expr) -> bool:
    return isinstance(text, Name) and isinstance(text.ref, Parameter)


def _names(call: Call, outer: Mapping[int, Parameter] | None = None) -> dict[int, Parameter] | None:
    """The meaning of the parameters of a called rule, where its arguments are names of parameters."""
    if not isinstance(call.ref, Rule) or not all(_is_parameter(each) for each in call.ordered):
        return None
    found = {}
    for own, given in zip(call.ref.takes, call.ordered, strict=True):
        assert isinstance(given, Name)
        assert isinstance(given.ref, Parameter)
        found[id(own)] = (outer or {}).get(id(given.ref), given.ref)
    return found


def _restrictions(bar: Item) -> tuple[Restrictions, dict[int, Parameter]] | None:
    """The restrictions in a bar, with the meaning of their parameters."""
    text = bar.when
    if bar.unless is not None or not (isinstance(text, Call) and isinstance(text.ref, Builtin) and text.name == "any"):
        return None
    call = text.ordered[0]
    if not isinstance(call, Call) or not isinstance(call.ref, Restrictions):
        return None
    names = _names(call)
    return None if names is None else (call.ref, names)


# ---------------------------------------------------------------- what can go wrong
def can_fail(part: SearchTerm, search: Search, emission: Emission) -> bool:
    """Whether evaluating a part may fault, so that the tests before it must come first."""
    ends: set[int] = set()
    if search.next is None and linked_everywhere(search.over, emission):
        ends = {id(search.here), id(search.there)}
        ends |= {own for own, outer in part.names.items() if id(outer) in ends}
    return text_can_fail(part.text, ends, emission)
