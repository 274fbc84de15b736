"""The reasons why a collection of rule text lacks a value, in the words of its bars and clauses and in no rule text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter.language.checking.types.derived_attributes import DerivedAttribute
from interpreter.language.codegen.emit import emit_expression
from interpreter.language.diagnostics import NOWHERE, Place
from interpreter.language.model.emitted_names import CUT_FINDER
from interpreter.language.model.image import Site
from interpreter.language.model.program import Builtin, Definition, Parameter, Program, Restrictions, Search
from interpreter.language.runtime.cuts import Cut
from interpreter.language.tree.expressions import Attr, Binary, BoolLit, In, Otherwise, Reach, SetLit
from interpreter.language.tree.statements import (
    And,
    Call,
    Each,
    Expr,
    If,
    IfElse,
    Let,
    Name,
    Not,
    Or,
    Return,
    Stmt,
    SyntaxNode,
    Where,
)
from interpreter.language.tree.traversal import children
from interpreter.language.tree.types import KindType, ListType, SetType
from interpreter.play.condition_words import ConditionWords
from interpreter.play.engine.core import Core
from interpreter.play.views.visibility import Visibility
from interpreter.play.wording import messages
from interpreter.play.wording.wording import Wording
from interpreter.world.things import Piece, Space, Thing

_MAX_DEPTH = 12
_MAX_CANDIDATES = 60
"""The most values of which it is asked why none of them is possible."""
_MAX_REASONS = 3
_MAX_NAMED = 3
_CANDIDATE = "candidate__"


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason against an action or an option: its text, clauses, and the place of its rule."""

    text: str
    cites: tuple[str, ...] = ()
    place: Place = NOWHERE

    def __str__(self) -> str:
        return self.text + (f" [{', '.join(self.cites)}]" if self.cites else "")


@dataclass(frozen=True, slots=True)
class RuleScope:
    """The names that an expression may use, their values, and the clauses of its rule.

    Inside the condition of a `where`, `filtered` is that node and `value` the element that is tested. In a computed
    attribute a leading dot means `subject`.
    """

    names: tuple[Parameter, ...]
    values: tuple[Any, ...]
    cites: tuple[str, ...] = ()
    filtered: Where | None = None
    value: Any = None
    subject: Parameter | None = None
    lets: Mapping[str, Expr] = field(default_factory=dict)
    """What the names are given in the same rule text, of those that are given a value once."""
    is_cited: bool = False
    """Whether the clauses are those of a definition or a statement, and not those of the whole question."""

    def with_name(self, name: Parameter, value: Any) -> RuleScope:
        """Returns the scope with one more name."""
        return replace(self, names=(*self.names, name), values=(*self.values, value))


class Refusals:
    """Finds the conditions of rule text that keep a value out of a collection, on the objects of one game."""

    def __init__(
        self,
        core: Core,
        program: Program | None,
        words: Wording,
        clauses: Mapping[str, Any],
        visibility: Visibility,
    ) -> None:
        self._core = core
        self._visibility = visibility
        self._program = program
        self._words = words
        self._clauses = clauses
        self._condition_words = ConditionWords(words, visibility, core)

    def against(self, value: Any, source: Expr, scope: RuleScope, refusal: str) -> list[Reason]:
        """Returns the reasons why `source` lacks a value; `refusal` begins those that are clauses."""
        source, scope = self._opened(source, scope)
        while isinstance(source, Where):
            if value in self.evaluate(source.of, scope):
                inside = replace(scope, filtered=source, value=value)
                found = self._unmet(source.condition, inside, refusal, wanted=True, depth=0)
                found = list({(each.text, each.cites): each for each in found}.values())
                return found or [Reason(refusal, scope.cites, source.place)]
            source, scope = self._opened(source.of, scope)
        if isinstance(source, Binary) and source.op == "+":
            part = next((each for each in (source.left, source.right) if self._may_filter(value, each, scope)), None)
            if part is not None:
                return self.against(value, part, scope, refusal)
        if isinstance(source, Reach):
            return self._out_of_reach(value, source, scope, refusal)
        if isinstance(source, Attr) and source.spread and _is_place_of(source) and isinstance(value, Thing):
            return self._against_what_is_in(value, source, scope, refusal)
        if isinstance(source, Binary) and source.op == "-":
            is_taken_out = value in self.evaluate(source.left, scope)
            return (
                [self._leaf(source, scope, refusal)]
                if is_taken_out
                else self.against(value, source.left, scope, refusal)
            )
        return [self._not_among(value, source, scope, refusal)]

    def _against_what_is_in(self, place: Thing, source: Attr, scope: RuleScope, refusal: str) -> list[Reason]:
        """Returns why a place is not that of one of some pieces: the reasons against those of their kind in it."""
        kind = _element_kind(source.of)
        if kind is None:
            return [self._not_among(place, source, scope, refusal)]
        pieces = [each for each in self._core.world.all_of(kind) if isinstance(each, Piece)]
        inside = [each for each in pieces if place in holders(each)]
        if not inside:
            text = self._words.say(messages.NOTHING_IN_IT, refusal=refusal, kind=self._words.word(kind))
            return [Reason(text, scope.cites, source.place)]
        found: list[Reason] = []
        for each in inside[:_MAX_NAMED]:
            named = self._words.say(messages.REASON_OF, rule=refusal, reason=self._words.of(each))
            found += self.against(each, source.of, scope, named)
        return found

    def against_all(self, source: Expr, scope: RuleScope, refusal: str) -> list[Reason]:
        """Returns the reasons why `source` is empty: those against the values that the fewest conditions keep out.

        The values are those of the innermost collection that a condition filters and that has any.
        """
        source, scope = self._opened(source, scope)
        depth = 0
        while isinstance(source, Where):
            candidates = [each for each in self.evaluate(source.of, scope) if isinstance(each, Thing)]
            if candidates:
                return self._against_each(candidates[:_MAX_CANDIDATES], source, scope, refusal)
            source, scope, depth = *self._opened(source.of, scope), depth + 1
        return [self._leaf(source, scope, refusal)] if depth and self.clause_text(scope.cites) else []

    def _against_each(self, candidates: Sequence[Thing], source: Where, scope: RuleScope, refusal: str) -> list[Reason]:
        """Returns the conditions that fail for the most promising candidates, with the first of these."""
        unmet = {each: self._unmet_of(each, source, scope) for each in candidates}
        fewest = min(map(len, unmet.values()))
        by_reason: dict[tuple[str, tuple[str, ...]], list[tuple[Thing, Reason]]] = {}
        for each, reasons in unmet.items():
            for reason in reasons if len(reasons) == fewest else ():
                by_reason.setdefault((reason.text, reason.cites), []).append((each, reason))
        found = sorted(by_reason.values(), key=len, reverse=True)[:_MAX_REASONS]
        return [self._shared(refusal, [each for each, _ in pairs], pairs[0][1]) for pairs in found]

    def _unmet_of(self, value: Thing, source: Where, scope: RuleScope) -> list[Reason]:
        inside = replace(scope, filtered=source, value=value)
        found = self._unmet(source.condition, inside, "", wanted=True, depth=0)
        return list({(each.text, each.cites): each for each in found}.values())

    def _shared(self, refusal: str, values: Sequence[Thing], reason: Reason) -> Reason:
        """Returns a reason against several values, of which it names the first."""
        names = self._words.say(messages.COMMA).join([self._words.of(each) for each in values[:_MAX_NAMED]])
        if len(values) > _MAX_NAMED:
            names = self._words.say(messages.AND_MORE, names=names, count=len(values) - _MAX_NAMED)
        text = self._words.say(messages.REFUSED_ALL, refusal=refusal, names=names, condition=reason.text)
        return Reason(text, reason.cites, reason.place)

    def unmet(self, condition: Expr, scope: RuleScope, refusal: str) -> list[Reason]:
        """Returns the reasons why a condition does not hold."""
        found = self._unmet(condition, scope, refusal, wanted=True, depth=0)
        return list({(each.text, each.cites): each for each in found}.values())

    def holds(self, value: Any, source: Expr, scope: RuleScope) -> bool:
        """Whether a collection has a value."""
        return value in self.evaluate(source, scope)

    def evaluate(self, expr: Expr, scope: RuleScope) -> Any:
        """Returns the value of an expression."""
        if scope.filtered is None:
            return self._run(expr, scope.names, scope.values, scope.subject)
        alone = Parameter(name=_CANDIDATE, type=SetType(KindType("thing")))
        name = Name(expr.place, _CANDIDATE)
        name.ref, name.type = alone, scope.filtered.of.type
        each = Each(expr.place, name, expr, scope.filtered.element)
        each.type = ListType(expr.type)
        return self._run(each, (*scope.names, alone), (*scope.values, (scope.value,)))[0]

    def clause_text(self, cites: tuple[str, ...]) -> str:
        """Returns the words of the first of these clauses; empty if there is none."""
        known = [self._clauses[each] for each in cites if each in self._clauses]
        return known[0].text(self._words.language) if known else ""

    def item(self, site: Site) -> Reason:
        """Returns an item of a restriction as a reason."""
        reason = self._words.reason(site)
        if not site.prompt:
            rule = self._words.word(site.rule.partition("/")[2])
            reason = self._words.say(messages.REASON_OF, rule=rule, reason=reason)
        return Reason(reason, site.cites, site.place)

    def _run(
        self, expr: Expr, names: tuple[Parameter, ...], values: tuple[Any, ...], subject: Parameter | None = None
    ) -> Any:
        assert self._program is not None
        return self._core.bind(emit_expression(self._program, expr, names, subject=subject), "ad_hoc")(*values)

    # ------------------------------------------------------------ collections
    def _opened(self, source: Expr, scope: RuleScope) -> tuple[Expr, RuleScope]:
        """Follows calls of definitions, branches and differences to the expression that makes the collection."""
        for _ in range(_MAX_DEPTH):
            match source:
                case Call(ref=Definition()) | Attr(ref=Definition(), spread=False):
                    inner = self._returned(source, scope)
                    if inner is None:
                        return source, scope
                    source, scope = inner
                case Name(name=name) if name in scope.lets:
                    source = scope.lets[name]
                case Call(name="distinct", ref=Builtin()):
                    source = source.arguments[0]
                case Otherwise(items=items):
                    source = next((each for each in items if self.evaluate(each, scope)), items[-1])
                case IfElse():
                    source = source.value if self.evaluate(source.condition, scope) else source.other
                case _:
                    return source, scope
        return source, scope

    def _returned(self, call: Call | Attr, scope: RuleScope) -> tuple[Expr, RuleScope] | None:
        """Returns the expression that a definition returns here, and the names there; none if it is too complex."""
        rule = call.ref
        assert isinstance(rule, Definition)
        if scope.filtered is not None or rule.inner is not None:
            return None
        given = call.ordered if isinstance(call, Call) else (call.of,)
        inner = self._inside(rule, given, scope)
        if rule.value is not None:
            return rule.value, inner
        end = self._end(rule.body, inner)
        return None if end is None or end[0].value is None else (end[0].value, end[1])

    def _inside(self, rule: Definition, given: Sequence[Expr], scope: RuleScope) -> RuleScope:
        """Returns the names inside a definition that is called with these arguments."""
        values = tuple([self.evaluate(each, scope) for each in given])
        subject = rule.takes[0] if rule.subject is not None else None
        is_cited = bool(rule.cites) or scope.is_cited
        return RuleScope(rule.takes, values, rule.cites or scope.cites, subject=subject, is_cited=is_cited)

    def _end(self, body: tuple[Stmt, ...], scope: RuleScope) -> tuple[Return, RuleScope, tuple[Expr, ...]] | None:
        """Returns the return statement that a body reaches, the names there, and the conditions that led to it."""
        met: tuple[Expr, ...] = ()
        for each in body:
            match each:
                case Let(terms=()):
                    name = Parameter(name=each.name, type=each.value.type)
                    scope = scope.with_name(name, self.evaluate(each.value, scope))
                case Return():
                    return each, self._citing(each, scope), met
                case If():
                    chosen = next((pair for pair in each.branches if self.evaluate(pair[0], scope)), None)
                    branch = each.otherwise if chosen is None else chosen[1]
                    inner = self._citing(each, scope)
                    end = self._end(branch, inner) if branch else None
                    if end is not None:
                        return (*end[:2], (*(() if chosen is None else (chosen[0],)), *end[2]))
                    if branch:
                        return None
                case _:
                    return None
        return None

    def _citing(self, statement: Return | If, scope: RuleScope) -> RuleScope:
        return replace(scope, cites=statement.cites, is_cited=True) if statement.cites else scope

    def _may_filter(self, value: Any, source: Expr, scope: RuleScope) -> bool:
        """Whether a part of a collection is about such values: a filter drops this one, or a search may find it."""
        source, scope = self._opened(source, scope)
        while isinstance(source, Where):
            if value in self.evaluate(source.of, scope):
                return True
            source, scope = self._opened(source.of, scope)
        return isinstance(source, Reach) and isinstance(value, Space)

    def _not_among(self, value: Any, source: Expr, scope: RuleScope, refusal: str) -> Reason:
        """Returns where a value would have to be, else the clause that says which values are possible."""
        say = self._words.say
        base: Expr = source
        while isinstance(base, Attr | Where):
            if isinstance(base, Attr) and base.name == "neighbours" and not base.spread:
                place = self._words.of(self.evaluate(base.of, scope))
                return Reason(say(messages.NOT_NEXT_TO, refusal=refusal, place=place), scope.cites, source.place)
            base = base.of
        kind = _element_kind(source)
        if isinstance(value, Thing) and kind is not None and kind not in value.lineage:
            text = say(messages.NOT_OF_KIND, refusal=refusal, kind=self._words.word(kind))
            return Reason(text, scope.cites, source.place)
        elsewhere = self._elsewhere(value, source, scope, refusal) if isinstance(value, Piece) else None
        if elsewhere is not None:
            return Reason(elsewhere, scope.cites, source.place)
        if isinstance(source, SetLit):
            those = self._words.of(self._visibility.masked(self.evaluate(source, scope)))
            return Reason(say(messages.NOT_AMONG, refusal=refusal, those=those), scope.cites, source.place)
        if self.clause_text(scope.cites):
            return self._leaf(source, scope, refusal)
        those = say(messages.POSSIBLE_VALUES)
        return Reason(say(messages.NOT_AMONG, refusal=refusal, those=those), scope.cites, source.place)

    def _elsewhere(self, value: Piece, source: Expr, scope: RuleScope, refusal: str) -> str | None:
        """Returns where a piece is and where all that are possible are; none if they are in no common place."""
        found = self.evaluate(source, scope)
        possible = [each for each in found if isinstance(each, Piece)] if isinstance(found, tuple | list) else []
        outside = set(holders(value))
        common = next(
            (
                holder
                for each in possible[:1]
                for holder in holders(each)
                if holder not in outside and all(holder in holders(other) for other in possible)
            ),
            None,
        )
        if value.at is None:
            return self._words.say(messages.NOT_IN_PLAY, refusal=refusal)
        here = self._words.of(self._visibility.masked(value.at))
        if common is None:
            is_apart = isinstance(source, Attr) and source.spread and not self._is_in_one_of(value, source.of, scope)
            return self._words.say(messages.IS_IN, refusal=refusal, here=here) if is_apart else None
        place = self._words.of(self._visibility.masked(common))
        return self._words.say(messages.ELSEWHERE, refusal=refusal, here=here, place=place)

    def _is_in_one_of(self, piece: Piece, places: Expr, scope: RuleScope) -> bool:
        found = self.evaluate(places, scope)
        return any(each in found for each in (piece, *holders(piece)))

    def _out_of_reach(self, value: Any, source: Reach, scope: RuleScope, refusal: str) -> list[Reason]:
        """Returns what cuts the way of a search to a place; without cuts, the search's limit."""
        search = source.search.ref
        assert isinstance(search, Search)
        given = tuple([self.evaluate(each, scope) for each in source.search.ordered])
        inner = RuleScope(search.takes, given, search.cites or scope.cites)
        cuts = self._core.names[CUT_FINDER(search.name)](self.evaluate(source.start, scope), (value,), *given)
        if cuts:
            found = [self._cause(site, cut, value, inner.cites, refusal) for cut in cuts for site in cut.causes]
            return list({(each.text, each.cites): each for each in found}.values())
        text = self._words.say(messages.TOO_FAR, refusal=refusal)
        if search.within is not None:
            within = self._words.of(self.evaluate(search.within, inner))
            text = self._words.say(messages.BEYOND_LIMIT, refusal=refusal, limit=within)
        return [Reason(text, inner.cites, source.place)]

    def _cause(self, site: Site, cut: Cut, goal: Any, cites: tuple[str, ...], refusal: str) -> Reason:
        """Returns a bar or stop of a search as a reason, with the step that it forbids unless it leads to the goal."""
        own = site.cites or cites
        said = self._words.said(site.prompt, site.texts) or self.clause_text(own) or self._words.word(site.address)
        if cut.there is goal:
            text = self._joined(refusal, said)
        else:
            here, there = self._words.of(cut.here), self._words.of(cut.there)
            text = self._words.say(messages.CUT_BETWEEN, refusal=refusal, here=here, there=there, condition=said)
        return Reason(text, own, site.place)

    # ------------------------------------------------------------ conditions
    def _unmet(self, expr: Expr, scope: RuleScope, refusal: str, *, wanted: bool, depth: int) -> list[Reason]:
        """Returns the reasons why a condition is not as it is wanted."""
        match expr:
            case And() | Or() if isinstance(expr, And) is wanted:
                failing = [each for each in expr.items if bool(self.evaluate(each, scope)) is not wanted]
                return [
                    one for each in failing for one in self._unmet(each, scope, refusal, wanted=wanted, depth=depth)
                ]
            case Not():
                return self._unmet(expr.value, scope, refusal, wanted=not wanted, depth=depth)
            case Or() if wanted:
                return [
                    one for each in expr.items for one in self._unmet(each, scope, refusal, wanted=True, depth=depth)
                ]
            case In(value=sought, of=source, negated=False) if wanted and self._is_search(source, scope):
                return self.against(self.evaluate(sought, scope), source, scope, refusal)
            case IfElse():
                branch = expr.value if self.evaluate(expr.condition, scope) else expr.other
                return self._unmet(branch, scope, refusal, wanted=wanted, depth=depth)
            case Call(ref=Definition()) | Attr(ref=Definition(), spread=False) if depth < _MAX_DEPTH:
                return self._unmet_rule(expr, scope, refusal, wanted=wanted, depth=depth)
        items = (
            [] if wanted else [self.item(site) for call in restrictions(expr) for site in self.evaluate(call, scope)]
        )
        return items or [self._leaf(expr, scope, refusal, wanted=wanted)]

    def _is_search(self, source: Expr, scope: RuleScope) -> bool:
        """Whether a collection is what a search reaches."""
        return isinstance(self._opened(source, scope)[0], Reach)

    def _unmet_rule(
        self, call: Call | Attr, scope: RuleScope, refusal: str, *, wanted: bool, depth: int
    ) -> list[Reason]:
        rule = call.ref
        assert isinstance(rule, Definition)
        given = call.ordered if isinstance(call, Call) else (call.of,)
        inner = self._inside(rule, given, scope)
        if rule.inner is not None:
            return [self._leaf(call, inner, refusal)]
        if rule.value is not None:
            return self._unmet(rule.value, inner, refusal, wanted=wanted, depth=depth + 1)
        end = self._end(rule.body, inner)
        if end is None or end[0].value is None:
            return [self._leaf(call, inner, refusal)]
        last, inside, met = end
        assert last.value is not None
        if isinstance(last.value, BoolLit) and met:
            return self._unmet(met[-1], inside, refusal, wanted=False, depth=depth + 1)
        return self._unmet(last.value, inside, refusal, wanted=wanted, depth=depth + 1)

    def _leaf(self, expr: Expr, scope: RuleScope, refusal: str, *, wanted: bool = True) -> Reason:
        """Returns a condition in its clause's words and with the values that it reads.

        The values alone are a reason that says more than the first clause of the whole question.
        """
        found = self._condition_words.unmet(expr, lambda each: self.evaluate(each, scope), wanted=wanted)
        clause = self.clause_text(scope.cites)
        condition = (found and found.text) or clause or self._words.say(messages.A_CONDITION)
        if found is not None and clause and scope.is_cited and not found.is_complete:
            condition = self._words.say(messages.WITH_TRAITS, name=clause, traits=found.text)
        return Reason(self._joined(refusal, condition), scope.cites, expr.place)

    def _joined(self, refusal: str, condition: str) -> str:
        """Returns a condition after what is refused, if that is said."""
        return self._words.say(messages.CONDITION_FAILS, refusal=refusal, condition=condition) if refusal else condition


def holders(piece: Piece) -> list[Thing]:
    """Returns what a piece is in, nearest first."""
    found: list[Thing] = []
    holder = piece.at
    while holder is not None:
        found.append(holder)
        holder = holder.at if isinstance(holder, Piece) else None
    return found


def _element_kind(source: Expr) -> str | None:
    """Returns the kind of the things in a collection; none if they are no things."""
    element = source.type.of if isinstance(source.type, SetType | ListType) else None
    return element.name if isinstance(element, KindType) else None


def _is_place_of(source: Attr) -> bool:
    return isinstance(source.ref, DerivedAttribute) and source.ref.how in ("at", "up")


def restrictions(root: SyntaxNode) -> list[Call]:
    """Returns the calls of restrictions in an expression."""
    found = [root] if isinstance(root, Call) and isinstance(root.ref, Restrictions) else []
    return found + [each for child in children(root) for each in restrictions(child)]
