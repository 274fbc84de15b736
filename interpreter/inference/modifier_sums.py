"""The sums of modifiers on which a procedure depends, from traced runs of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from interpreter.inference.situation.order_book import OrderBook, RunningCall
from interpreter.inference.situation.policies import Answers, Used
from interpreter.inference.situation.situation import LIKELIEST, Situation
from interpreter.inference.watched_calls import WatchedCall
from interpreter.language.model.emitted_names import PROCEDURE
from interpreter.play.engine.core import Core
from interpreter.play.engine.outcome import EndGame, EndStep
from interpreter.play.engine.source import GameSource
from interpreter.play.inputs.chance import BulkChance
from interpreter.play.inputs.dice import Dice
from interpreter.play.inputs.value_codec import decode
from interpreter.play.log.log import LogBuilder, LogEntry
from interpreter.play.views.visibility import Visibility, seat_by_id
from interpreter.play.views.visible_log import masked_event
from interpreter.rules.linking.setup import Setup

LIKELIEST_ANSWERS: Final = Situation(Setup(), (), {}, LIKELIEST)
"""A situation that changes nothing, and in which every decision gets the likeliest answer."""


@dataclass(frozen=True, slots=True)
class ModifierItem:
    """An item of a sum: its name, and the least and greatest value that it has in the runs."""

    name: str
    least: int
    most: int
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModifierSum:
    """A sum of modifiers: its name with whose it is, the least and greatest total of the runs, and its items.

    `is_later` tells that a run makes this sum, with another result, after one of the same name.
    """

    name: str
    least: int
    most: int
    items: tuple[ModifierItem, ...]
    cites: tuple[str, ...]
    is_later: bool = False


class ModifierRuns:
    """Runs procedures traced, from where they are entered, with likeliest answers and dice of its own.

    `seat` is the seat for which names of hidden things are left out; `book_in` makes the standing orders.
    """

    def __init__(self, source: GameSource, seat: str, book_in: Callable[[Core], OrderBook]) -> None:
        self._wording, self._dice, self._events = source.wording, Dice("ahead"), list[tuple[str, int, Any]]()
        names = BulkChance(self._dice).names()
        self._core = Core(source.shared("traced"), "traced", names, self._trace, source.setup)
        self._seat, self._book = seat, book_in(self._core)

    def sums(self, calls: Iterable[WatchedCall]) -> tuple[ModifierSum, ...]:
        """Returns the different sums of modifiers in one run of each call, those of the same name as one.

        Raises:
            RuleFault: if a rule fails.
        """
        return _merged([self._run(each) for each in calls])

    def _trace(self, kind: str, site: int, data: Any) -> None:
        self._events.append((kind, site, data))

    def _pick(self, _weights: Sequence[int], total: int) -> int:
        return self._dice.below(total)

    def _run(self, call: WatchedCall) -> list[LogEntry]:
        """Returns the different sums of one run that its outcome depends on, in their order."""
        core = self._core
        core.begin_query()
        core.world.load(call.state)
        arguments = [decode(each, core) for each in call.stable]
        running = RunningCall(call.rule, arguments)
        answers = Answers(LIKELIEST_ANSWERS, self._wording, Used(), self._pick, setattr, core, self._book, running)
        self._events.clear()
        with core.faults(), suppress(EndGame, EndStep):
            result = core.names[PROCEDURE(call.rule.name)](*arguments)
            if call.rule.effects.asks:
                answers.result(result)
        return [*self._used_sums()]

    def _used_sums(self) -> Iterator[LogEntry]:
        core = self._core
        builder, visible = LogBuilder((), core.image, self._wording), Visibility(core, seat_by_id(core, self._seat))
        seen = set[str]()
        for (kind, site, data), (after, *_) in pairwise([*self._events]):
            if kind == "modifiers" and after == "used":
                entry = builder.entry((kind, site, masked_event(kind, data, visible)))
                if entry.text not in seen:
                    seen.add(entry.text)
                    yield entry


def _merged(runs: Sequence[Sequence[LogEntry]]) -> tuple[ModifierSum, ...]:
    """Returns the sums of several runs: the first ones of a name as one, and the later ones of it as another."""
    found: dict[tuple[str, bool], list[LogEntry]] = {}
    for entries in runs:
        names = set[str]()
        for entry in entries:
            name = str(entry.formatted.values["list"]) if entry.formatted is not None else entry.text
            found.setdefault((name, name in names), []).append(entry)
            names.add(name)
    return tuple([_sum_of(name, is_later, entries) for (name, is_later), entries in found.items()])


def _sum_of(name: str, is_later: bool, entries: Sequence[LogEntry]) -> ModifierSum:
    tallies = [{(item, cites): value for item, value, cites in each.items} for each in entries]
    items = []
    for item, cites in dict.fromkeys([key for tally in tallies for key in tally]):
        values = [tally.get((item, cites), 0) for tally in tallies]
        items.append(ModifierItem(item, min(values), max(values), cites))
    totals = [each.data["total"] for each in entries]
    return ModifierSum(name, min(totals), max(totals), tuple(items), entries[0].cites, is_later)
