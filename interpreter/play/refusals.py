"""The reasons why a collection of rule text lacks a value, in the words of its bars and clauses and in no rule text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.language.checking.types.derived_attributes import DerivedAttribute
from interpreter.language.diagnostics import NOWHERE, Place
from interpreter.language.model.emitted_names import CUT_FINDER
from interpreter.language.model.image import Site
from interpreter.language.model.program import Builtin, Definition, Program, Restrictions, Search
from interpreter.language.runtime.cuts import Cut
from interpreter.language.tree.expressions import Attr, Binary, BoolLit, In, Reach, SetLit
from interpreter.language.tree.statements import (
    And,
    Call,
    Expr,
    IfElse,
    Not,
    Or,
    SyntaxNode,
    Where,
)
from interpreter.language.tree.traversal import children
from interpreter.language.tree.types import KindType, ListType, SetType
from interpreter.play.condition_words import ConditionWords
from interpreter.play.engine.core import Core
from interpreter.play.rule_reading import RuleReader, RuleScope
from interpreter.play.views.visibility import Visibility
from interpreter.play.wording import messages
from interpreter.play.wording.wording import Wording
from interpreter.world.things import Piece, Space, Thing

_MAX_DEPTH = 12
_MAX_CANDIDATES = 60
"""The most values of which it is asked why none of them is possible."""
_MAX_REASONS = 3
_MAX_NAMED = 3


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason against an action or an option: its text, clauses, and the place of its rule."""

    text: str
    cites: tuple[str, ...] = ()
    place: Place = NOWHERE

    def __str__(self) -> str:
        return self.text + (f" [{', '.join(self.cites)}]" if self.cites else "")


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
        self._reader = RuleReader(core, program)
        self._words = words
        self._clauses = clauses
        self._condition_words = ConditionWords(words, visibility, core)

    def against(self, value: Any, source: Expr, scope: RuleScope, refusal: str) -> list[Reason]:
        """Returns the reasons why `source` lacks a value; `refusal` begins those that are clauses."""
        source, scope = self._reader.opened(source, scope)
        while isinstance(source, Where):
            if value in self._reader.evaluate(source.of, scope):
                found = self.unmet(source.condition, scope.with_element(source, value), refusal)
                return found or [Reason(refusal, scope.cites, source.place)]
            source, scope = self._reader.opened(source.of, scope)
        if isinstance(source, Binary) and source.op == "+":
            part = next((each for each in (source.left, source.right) if self._may_filter(value, each, scope)), None)
            if part is not None:
                return self.against(value, part, scope, refusal)
        if isinstance(source, Reach):
            return self._out_of_reach(value, source, scope, refusal)
        if isinstance(source, Attr) and source.spread and _is_place_of(source) and isinstance(value, Thing):
            return self._against_what_is_in(value, source, scope, refusal)
        if isinstance(source, Binary) and source.op == "-":
            is_taken_out = value in self._reader.evaluate(source.left, scope)
            return (
                [self._leaf(source, scope, refusal)]
                if is_taken_out
                else self.against(value, source.left, scope, refusal)
            )
        return [self._not_among(value, source, scope, refusal)]

    def _against_what_is_in(self, place: Thing, source: Attr, scope: RuleScope, refusal: str) -> list[Reason]:
        """Returns why a place is not that of one of some pieces: the reasons against those of their kind in it."""
        kind = element_kind(source.of)
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
        source, scope = self._reader.opened(source, scope)
        depth = 0
        while isinstance(source, Where):
            candidates = self._candidates(source, scope)
            if candidates:
                return self._against_each(candidates, source, scope, refusal)
            source, scope, depth = *self._reader.opened(source.of, scope), depth + 1
        return [self._leaf(source, scope, refusal)] if depth and self.clause_text(scope.cites) else []

    def _against_each(self, candidates: Sequence[Thing], source: Where, scope: RuleScope, refusal: str) -> list[Reason]:
        """Returns the conditions that fail for the most promising candidates, with the first of these."""
        unmet = {each: self.unmet(source.condition, scope.with_element(source, each), "") for each in candidates}
        fewest = min(map(len, unmet.values()))
        by_reason: dict[tuple[str, tuple[str, ...]], list[tuple[Thing, Reason]]] = {}
        for each, reasons in unmet.items():
            for reason in reasons if len(reasons) == fewest else ():
                by_reason.setdefault((reason.text, reason.cites), []).append((each, reason))
        found = sorted(by_reason.values(), key=len, reverse=True)[:_MAX_REASONS]
        return [self._shared(refusal, [each for each, _ in pairs], pairs[0][1]) for pairs in found]

    def _shared(self, refusal: str, values: Sequence[Thing], reason: Reason) -> Reason:
        """Returns a reason against several values, of which it names the first."""
        names = self._words.say(messages.COMMA).join([self._words.of(each) for each in values[:_MAX_NAMED]])
        if len(values) > _MAX_NAMED:
            names = self._words.say(messages.AND_MORE, names=names, count=len(values) - _MAX_NAMED)
        text = self._words.say(messages.REASON_OF, rule=names, reason=reason.text)
        if refusal:
            text = self._words.say(messages.REFUSED_ALL, refusal=refusal, names=names, condition=reason.text)
        return Reason(text, reason.cites, reason.place)

    def unmet(self, condition: Expr, scope: RuleScope, refusal: str) -> list[Reason]:
        """Returns the reasons why a condition does not hold."""
        return different(self._unmet(condition, scope, refusal, wanted=True, depth=0))

    def evaluate(self, expr: Expr, scope: RuleScope) -> Any:
        """Returns the value of an expression."""
        return self._reader.evaluate(expr, scope)

    def unfiltered(self, values: Iterable[Thing], source: Expr, scope: RuleScope) -> list[Thing]:
        """Returns those values that the innermost collection has which the conditions of `source` filter."""
        source, scope = self._reader.opened(source, scope)
        while isinstance(source, Where):
            source, scope = self._reader.opened(source.of, scope)
        found = self._reader.evaluate(source, scope)
        return [each for each in values if each in found] if isinstance(found, tuple | list | frozenset) else []

    def holds(self, value: Any, source: Expr, scope: RuleScope) -> bool:
        """Whether a collection has a value."""
        return value in self._reader.evaluate(source, scope)

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

    # ------------------------------------------------------------ collections
    def _may_filter(self, value: Any, source: Expr, scope: RuleScope) -> bool:
        """Whether a part of a collection is about such values: a filter drops this one, or a search may find it."""
        source, scope = self._reader.opened(source, scope)
        while isinstance(source, Where):
            if value in self._reader.evaluate(source.of, scope):
                return True
            source, scope = self._reader.opened(source.of, scope)
        return isinstance(source, Reach) and isinstance(value, Space)

    def _not_among(self, value: Any, source: Expr, scope: RuleScope, refusal: str) -> Reason:
        """Returns where a value would have to be, else the clause that says which values are possible."""
        say = self._words.say
        base: Expr = source
        while isinstance(base, Attr | Where):
            if isinstance(base, Attr) and base.name == "neighbours" and not base.spread:
                place = self._words.of(self._reader.evaluate(base.of, scope))
                return Reason(say(messages.NOT_NEXT_TO, refusal=refusal, place=place), scope.cites, source.place)
            base = base.of
        kind = element_kind(source)
        if isinstance(value, Thing) and kind is not None and kind not in value.lineage:
            text = say(messages.NOT_OF_KIND, refusal=refusal, kind=self._words.word(kind))
            return Reason(text, scope.cites, source.place)
        elsewhere = self._elsewhere(value, source, scope, refusal) if isinstance(value, Piece) else None
        if elsewhere is not None:
            return Reason(elsewhere, scope.cites, source.place)
        if isinstance(source, SetLit):
            those = self._words.of(self._visibility.masked(self._reader.evaluate(source, scope)))
            return Reason(say(messages.NOT_AMONG, refusal=refusal, those=those), scope.cites, source.place)
        if self.clause_text(scope.cites):
            return self._leaf(source, scope, refusal)
        those = say(messages.POSSIBLE_VALUES)
        return Reason(say(messages.NOT_AMONG, refusal=refusal, those=those), scope.cites, source.place)

    def _elsewhere(self, value: Piece, source: Expr, scope: RuleScope, refusal: str) -> str | None:
        """Returns where a piece is and where all that are possible are; none if they are in no common place."""
        found = self._reader.evaluate(source, scope)
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
        found = self._reader.evaluate(places, scope)
        return any(each in found for each in (piece, *holders(piece)))

    def _out_of_reach(self, value: Any, source: Reach, scope: RuleScope, refusal: str) -> list[Reason]:
        """Returns what cuts the way of a search to a place; without cuts, the search's limit."""
        search = source.search.ref
        assert isinstance(search, Search)
        given = tuple([self._reader.evaluate(each, scope) for each in source.search.ordered])
        inner = RuleScope(search.takes, given, search.cites or scope.cites)
        cuts = self._core.names[CUT_FINDER(search.name)](self._reader.evaluate(source.start, scope), (value,), *given)
        if cuts:
            found = [self._cause(site, cut, value, inner.cites, refusal) for cut in cuts for site in cut.causes]
            return different(found)
        text = self._words.say(messages.TOO_FAR, refusal=refusal)
        if search.within is not None:
            within = self._words.of(self._reader.evaluate(search.within, inner))
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
                failing = [each for each in expr.items if bool(self._reader.evaluate(each, scope)) is not wanted]
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
                return self.against(self._reader.evaluate(sought, scope), source, scope, refusal)
            case IfElse():
                branch = expr.value if self._reader.evaluate(expr.condition, scope) else expr.other
                return self._unmet(branch, scope, refusal, wanted=wanted, depth=depth)
            case Call(ref=Definition()) | Attr(ref=Definition(), spread=False) if depth < _MAX_DEPTH:
                return self._unmet_rule(expr, scope, refusal, wanted=wanted, depth=depth)
        if wanted and (elements := self._elements(expr, scope)):
            return self._against_each(*elements, refusal)
        calls = [] if wanted else restrictions(expr)
        items = [self.item(site) for call in calls for site in self._reader.evaluate(call, scope)]
        return items or [self._leaf(expr, scope, refusal, wanted=wanted)]

    def _elements(self, expr: Expr, scope: RuleScope) -> tuple[Sequence[Thing], Where, RuleScope] | None:
        """Returns of `any(things where condition)` the things, the filter and its scope; none if there are none."""
        if not isinstance(expr, Call) or expr.name != "any" or not isinstance(expr.ref, Builtin):
            return None
        source, inner = self._reader.opened(expr.arguments[0], scope)
        found = self._candidates(source, inner) if isinstance(source, Where) else []
        return (found, source, inner) if found and isinstance(source, Where) else None

    def _candidates(self, source: Where, scope: RuleScope) -> list[Thing]:
        """Returns the things that the seat may see of those that a filter goes through, the first ones of many."""
        found = [each for each in self._reader.evaluate(source.of, scope) if isinstance(each, Thing)]
        return [each for each in found if not self._visibility.hides(each)][:_MAX_CANDIDATES]

    def _is_search(self, source: Expr, scope: RuleScope) -> bool:
        """Whether a collection is what a search reaches."""
        return isinstance(self._reader.opened(source, scope)[0], Reach)

    def _unmet_rule(
        self, call: Call | Attr, scope: RuleScope, refusal: str, *, wanted: bool, depth: int
    ) -> list[Reason]:
        rule = call.ref
        assert isinstance(rule, Definition)
        given = call.ordered if isinstance(call, Call) else (call.of,)
        inner = self._reader.inside(rule, given, scope)
        if rule.value is not None:
            return self._unmet(rule.value, inner, refusal, wanted=wanted, depth=depth + 1)
        end = self._reader.end(rule.body, inner)
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
        found = self._condition_words.unmet(expr, lambda each: self._reader.evaluate(each, scope), wanted=wanted)
        clause = self.clause_text(scope.cites)
        condition = (found and found.text) or clause or self._words.say(messages.A_CONDITION)
        if found is not None and clause and scope.is_cited and not found.is_complete:
            condition = self._words.say(messages.WITH_TRAITS, name=clause, traits=found.text)
        return Reason(self._joined(refusal, condition), scope.cites, expr.place)

    def _joined(self, refusal: str, condition: str) -> str:
        """Returns a condition after what is refused, if that is said."""
        return self._words.say(messages.CONDITION_FAILS, refusal=refusal, condition=condition) if refusal else condition


def different(reasons: Iterable[Reason]) -> list[Reason]:
    """Returns reasons without those that say the same again."""
    return list({(each.text, each.cites): each for each in reasons}.values())


def holders(thing: Thing) -> list[Thing]:
    """Returns what a thing is in, nearest first; only a piece is in anything."""
    found: list[Thing] = []
    holder = thing.at if isinstance(thing, Piece) else None
    while holder is not None:
        found.append(holder)
        holder = holder.at if isinstance(holder, Piece) else None
    return found


def element_kind(source: Expr) -> str | None:
    """Returns the kind of the things in a collection; none if they are no things."""
    element = source.type.of if isinstance(source.type, SetType | ListType) else None
    return element.name if isinstance(element, KindType) else None


def _is_place_of(source: Attr) -> bool:
    return isinstance(source.ref, DerivedAttribute) and source.ref.how in ("at", "up")


def restrictions(root: SyntaxNode) -> list[Call]:
    """Returns the calls of restrictions in an expression."""
    found = [root] if isinstance(root, Call) and isinstance(root.ref, Restrictions) else []
    return found + [each for child in children(root) for each in restrictions(child)]
