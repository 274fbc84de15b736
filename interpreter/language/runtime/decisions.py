"""Decisions made pick by pick: each is a generator that yields single asks and returns the whole answer.

An ask is `(site, seat, options, prompt, chosen)`. `chosen` is the answer so far: the same object in all asks of one
decision, which the receiver must not change. An option is offered only if the answer can still be completed after it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from functools import partial
from typing import Any

from interpreter.language.model.image import Site
from interpreter.language.runtime.allocation import Allocation, TryBudget
from interpreter.language.runtime.values import MAX_COLLECTION_SIZE, RuntimeLimitError

Ask = tuple[Site, Any, Any, str | None, Any]
AskingRule = Generator[Ask, Any, Any]

YES_NO = (True, False)

Terms = Sequence[tuple[str, int, Any]]
"""Terms of a choice: `at_least`/`at_most` n from a collection, or `total` n with a function of the element."""

TraceNote = Callable[[str, int, Any], None]
"""Receives the result of a traced decision under terms: the seat, the answer, and the `_term_records`."""


def choose_some(site: Site, seat: Any, amount: int, of: Collection[Any], prompt: str | None) -> AskingRule:
    """Asks for exactly `amount` of a set, or returns all of it if it has fewer elements."""
    left = list(of)
    chosen: list[Any] = []
    while left and len(chosen) < amount:
        if len(left) <= amount - len(chosen):
            return chosen + left
        pick = yield site, seat, tuple(left), prompt, chosen
        left.remove(pick)
        chosen.append(pick)
    return chosen


def choose_up_to(site: Site, seat: Any, amount: int | None, of: Collection[Any], prompt: str | None) -> AskingRule:
    """Asks for at most `amount` of a set, or for any subset if there is no amount."""
    left = list(of)
    chosen: list[Any] = []
    most = len(left) if amount is None else amount
    while left and len(chosen) < most:
        pick = yield site, seat, (*left, None), prompt, chosen
        if pick is None:
            break
        left.remove(pick)
        chosen.append(pick)
    return chosen


def choose_with_terms(
    site: Site,
    seat: Any,
    least: int,
    most: int | None,
    of: Collection[Any],
    prompt: str | None,
    terms: Terms,
    note: TraceNote | None = None,
    cites: Sequence[tuple[str, ...]] = (),
) -> AskingRule:
    """Asks for `least` to `most` of a set under terms in order of priority, each lowered to what can be met."""
    chosen: list[Any] = []
    bounds = yield from _choose_within(site, seat, least, most, of, prompt, terms, chosen)
    if note is not None:
        met = [amount for _, amount, _ in bounds.met]
        note("terms", site.number, (seat, tuple(chosen), _term_records(terms, met, cites)))
    return chosen


def _choose_within(
    site: Site,
    seat: Any,
    least: int,
    most: int | None,
    of: Collection[Any],
    prompt: str | None,
    terms: Terms,
    chosen: list[Any],
) -> AskingRule:
    """Fills the choice pick by pick; returns its bounds, which hold the terms as lowered."""
    pool = list(of)
    bounds = _ChoiceBounds(pool, least, len(pool) if most is None else min(most, len(pool)), terms)
    while True:
        options: list[Any] = [each for each in pool if each not in chosen and bounds.can_complete([*chosen, each])]
        if bounds.is_complete(chosen):
            options.append(None)
        if not options or options == [None]:
            return bounds
        pick = yield site, seat, tuple(options), prompt, chosen
        bounds.budget.reset()
        if pick is None:
            return bounds
        chosen.append(pick)


def _term_records(terms: Terms, met: Sequence[int], cites: Sequence[tuple[str, ...]]) -> tuple[Any, ...]:
    """Returns for each term its mode, its amount, the amount that could be met, its set, and its clauses."""
    rows = zip(terms, met, cites, strict=True)
    return tuple(
        [
            (mode, wanted, reached, None if mode == "total" else tuple(of), clauses)
            for (mode, wanted, of), reached, clauses in rows
        ]
    )


class _ChoiceBounds:
    """The bounds of a choice under terms; each term is lowered until it can be met together with those before it.

    `met` holds the lowered terms.
    """

    def __init__(self, pool: list[Any], least: int, most: int, terms: Terms) -> None:
        self._pool, self._least, self._most = pool, min(least, len(pool)), most
        self.budget = TryBudget()
        self.met: list[tuple[str, int, Any]] = []
        for mode, wanted, of in terms:
            amount = wanted
            while mode == "at_least" and amount > 0 and not self._possible([*self.met, (mode, amount, of)]):
                amount -= 1
            self.met.append((mode, amount, of))

    def _possible(self, terms: Terms) -> bool:
        kept, self.met = self.met, list(terms)
        found = self.can_complete([])
        self.met = kept
        return found

    def is_complete(self, chosen: list[Any]) -> bool:
        """Whether the choice may end here."""
        return self._least <= len(chosen) <= self._most and all(
            mode != "at_least" or sum(each in of for each in chosen) >= amount for mode, amount, of in self.met
        )

    def _within(self, chosen: list[Any]) -> bool:
        if len(chosen) > self._most:
            return False
        for mode, amount, of in self.met:
            if mode == "at_most" and sum(each in of for each in chosen) > amount:
                return False
            if mode == "total" and sum(of(each) for each in chosen) > amount:
                return False
        return True

    def can_complete(self, chosen: list[Any], start: int = 0) -> bool:
        """Whether further picks can complete the choice."""
        self.budget.spend(1 + len(chosen) * len(self.met))
        if not self._within(chosen):
            return False
        if self.is_complete(chosen):
            return True
        return any(
            self.can_complete([*chosen, self._pool[index]], index + 1)
            for index in range(start, len(self._pool))
            if self._pool[index] not in chosen
        )


def rank(site: Site, seat: Any, of: Collection[Any], every: bool, prompt: str | None) -> AskingRule:
    """Asks for an order of all of a set, or of any subset."""
    left = list(of)
    order: list[Any] = []
    while left:
        if every and len(left) == 1:
            return order + left
        pick = yield site, seat, tuple(left) if every else (*left, None), prompt, order
        if pick is None:
            break
        left.remove(pick)
        order.append(pick)
    return order


def assign(
    site: Site, seat: Any, of: Iterable[Any], to: Callable[[Any], Sequence[Any]], prompt: str | None
) -> AskingRule:
    """Asks for one of the values `to(element)` for each element."""
    answer: dict[Any, Any] = {}
    for each in of:
        answer[each] = None
        answer[each] = yield site, seat, to(each), prompt, answer
    return answer


def spread(
    site: Site, seat: Any, amount: int, over: Collection[Any], at_most: Callable[[Any], int], prompt: str | None
) -> AskingRule:
    """Asks for an allocation of points over a set, at most `at_most(element)` each; points without room are dropped."""
    if amount > MAX_COLLECTION_SIZE:
        raise RuntimeLimitError("too-large", f"{amount:,} can't be shared out; at most {MAX_COLLECTION_SIZE:,}")
    answer = dict.fromkeys(over, 0)
    room = {each: max(at_most(each), 0) for each in over}
    if amount >= sum(room.values()):
        return room
    for _ in range(amount):
        open_ = tuple([each for each in over if answer[each] < room[each]])
        if not open_:
            break
        pick = open_[0] if len(open_) == 1 else (yield site, seat, open_, prompt, answer)
        answer[pick] += 1
    return answer


def spread_with_terms(
    site: Site,
    seat: Any,
    amount: int,
    over: Collection[Any],
    at_most: Callable[[Any], int],
    prompt: str | None,
    terms: Terms,
    note: TraceNote | None = None,
    cites: Sequence[tuple[str, ...]] = (),
) -> AskingRule:
    """Asks for an allocation of points over a set under terms in order of priority, each lowered to what can be met."""
    if amount > MAX_COLLECTION_SIZE:
        raise RuntimeLimitError("too-large", f"{amount:,} can't be shared out; at most {MAX_COLLECTION_SIZE:,}")
    answer = dict.fromkeys(over, 0)
    room = {each: max(at_most(each), 0) for each in answer}
    allocation = Allocation(room, min(max(amount, 0), sum(room.values())), terms)
    if allocation.amount == sum(room.values()):
        answer.update(room)
    while sum(answer.values()) < allocation.amount:
        open_ = allocation.open_elements(answer)
        if len(open_) == 1:
            pick = open_[0]
        else:
            pick = yield site, seat, open_, prompt, answer
            allocation.budget.reset()
        answer[pick] += 1
    if note is not None and allocation.amount > 0:
        note("terms", site.number, (seat, answer, _term_records(terms, allocation.met, cites)))
    return answer


def asked(
    site: Site,
    seat: Any,
    quietly: Callable[[Callable[[], Any]], Any],
    make: Callable[[], AskingRule],
    prompt: str | None,
) -> AskingRule:
    """Runs a secret decision; asks its seat once also if nothing can be chosen, so that nobody learns that.

    `quietly` calls a function without a trace of what it looks up.
    """
    decision = quietly(make)
    answer = None
    is_asked = False
    while True:
        try:
            ask = quietly(partial(decision.send, answer))
        except StopIteration as end:
            if not is_asked:
                yield site, seat, (None,), prompt, None
            return end.value
        is_asked = True
        answer = yield ask


def take_many(take: Callable[[], AskingRule], times: int) -> AskingRule:
    """Offers a menu again until it is refused, at most `times` times; returns whether anything was taken."""
    taken = 0
    while taken < times and (yield from take()):
        taken += 1
    return taken > 0


HELPERS: dict[str, object] = {
    "YES_NO": YES_NO,
    "choose_some": choose_some,
    "choose_up_to": choose_up_to,
    "choose_with_terms": choose_with_terms,
    "rank": rank,
    "assign": assign,
    "spread": spread,
    "spread_with_terms": spread_with_terms,
    "asked": asked,
    "take_many": take_many,
}
"""The functions that generated code calls by these names."""
