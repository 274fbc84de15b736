"""Exact odds: the outcome distribution of a procedure, by enumeration of its dice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Mapping as Names
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from interpreter.inference.memo.tracking_hints import HintStore
from interpreter.inference.situation.order_book import OrderBook, RunningCall
from interpreter.inference.situation.situation import (
    Situation,
    SituationWarning,
    check_decisions,
    check_situation,
    link_given,
    read_given,
    with_counters,
)
from interpreter.inference.situation.standing_orders import ORDERS, link_orders, read_orders
from interpreter.inference.situation.start import start_of
from interpreter.inference.situation_cache import SituationCache
from interpreter.inference.solver.deferred_outcomes import OutcomeReaders
from interpreter.inference.solver.machine import entry_of
from interpreter.inference.solver.solver import Solver, probabilities
from interpreter.language.codegen.emit import emit_expression, emit_expressions
from interpreter.language.diagnostics import unknown, with_hint
from interpreter.language.gc_control import gc_paused
from interpreter.language.model.emitted_names import OUTCOME
from interpreter.language.model.program import Parameter, Procedure, Program
from interpreter.language.runtime.values import value_text
from interpreter.language.whole_numbers import whole_number
from interpreter.play.engine.core import Core
from interpreter.play.engine.outcome import EndGame
from interpreter.rules.documents.nodes import Mapping, as_plain_data
from interpreter.rules.loading.ruleset import Ruleset, Scenario

MAX_BRANCHES = 200_000
ENDED = "the game ends"
QUANTILES = (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))
"""The quantiles that are reported: the lowest tenth, the median, the highest tenth."""

Outcome = tuple[str, ...]
Readers = Names[str, Callable[..., Any]]
"""Functions of the arguments and the result of a procedure, by the outcomes that they give."""


@dataclass(frozen=True, slots=True)
class Odds:
    """An exact distribution: each combination of the outcomes in `names` with its probability, likeliest first."""

    procedure: str
    names: tuple[str, ...]
    rows: tuple[tuple[Outcome, Fraction], ...]
    branches_followed: int = field(compare=False)
    """How many branches were followed: fewer where much was memoized before."""
    warnings: tuple[SituationWarning, ...] = ()
    """The conditions that the situation should meet and does not."""

    def of(self, name: str) -> tuple[tuple[str, Fraction], ...]:
        """The distribution of one outcome alone, numbers in order.

        Raises:
            UsageError: if there is no such outcome.
        """
        if name not in self.names:
            raise unknown("outcome", name, self.names)
        column = self.names.index(name)
        found: dict[str, Fraction] = {}
        for outcome, probability in self.rows:
            found[outcome[column]] = found.get(outcome[column], Fraction(0)) + probability
        return tuple(sorted(found.items(), key=lambda each: sort_key(each[0])))

    def mean(self, name: str) -> Fraction | None:
        """The expectation of an outcome, or none where it is not a number."""
        values = self.of(name)
        if any(_number(value) is None for value, _ in values):
            return None
        return sum((Fraction(value) * probability for value, probability in values), Fraction(0))

    def quantile(self, name: str, share: Fraction) -> int | None:
        """The least value that an outcome does not exceed with at least this probability, or none if it is no number.

        Raises:
            ValueError: if the share is not between 0 and 1.
        """
        if not 0 < share <= 1:
            raise ValueError(f"a quantile lies between 0 and 1, not at {share}")
        values = self.of(name)
        if any(_number(value) is None for value, _ in values):
            return None
        so_far = Fraction(0)
        for value, probability in values:
            so_far += probability
            if so_far >= share:
                return int(value)
        return int(values[-1][0])

    def as_json(self) -> dict[str, Any]:
        """Plain data: fractions as text, beside their decimal value."""
        return {
            "procedure": self.procedure,
            "outcomes": list(self.names),
            "rows": [
                {"outcome": dict(zip(self.names, outcome, strict=True)), "exact": str(odds), "odds": float(odds)}
                for outcome, odds in self.rows
            ],
            "means": {name: None if (mean := self.mean(name)) is None else float(mean) for name in self.names},
            "quantiles": {
                name: {f"{float(each):g}": self.quantile(name, each) for each in QUANTILES}
                for name in self.names
                if self.mean(name) is not None
            },
            "warnings": [each._asdict() for each in self.warnings],
        }


def odds(
    source: str | Path | Ruleset | Scenario,
    procedure: str,
    given: Any = None,
    *,
    orders: Iterable[Any] = (),
    max_branches: int = MAX_BRANCHES,
    **loading: Any,
) -> Odds:
    """Computes the exact distribution of a procedure's outcomes from a situation.

    `source` is a ruleset or a scenario, by name, by path or loaded; `given`, a file or plain data, says what is
    different from its start. `orders` are further documents, in the same form, whose standing orders come after its
    own. `loading`: `options`, `overlays` and `paths`, as for `load_ruleset`. A procedure without declared outcomes has
    its result as its outcome.

    Raises:
        UsageError: for an unknown procedure or a situation that can't be read.
        RulesetError: for mistakes in the situation.
        TooManyBranchesError: if there are more branches than `max_branches`.
        RuleFault: if a rule goes wrong.
    """
    node = read_given(given if not isinstance(given, str) else Path(given))
    start = start_of(source, node, opened=_OPENED, **loading)
    ruleset = start.ruleset
    if ruleset is not source:
        _keep_open(ruleset)
    rule = ruleset.program.procedures.get(procedure)
    if rule is None:
        known = ruleset.program.procedures
        raise with_hint(f"'{ruleset.name}' has no procedure '{procedure}'", procedure, known)
    given = link_given(node, rule, start.program)
    setting = start.game_source(given.setup)
    check_decisions(node, setting.image)
    nodes = [node, *[read_orders(each) for each in orders]]
    linked = link_orders(nodes, with_counters(start.program, given.setup), ruleset.image)
    key, hint_key = (id(setting.image), start.scenario, _situation_key(node)), (ruleset.hash, procedure)
    cache = _CACHES.pop(key, None)
    if cache is None:
        core = Core(setting.shared("odds"), "odds", {}, setup=setting.setup)
        cache = SituationCache(core, ruleset.program, _HINTS.of(*hint_key), _STEPWISE.get(hint_key, ()))
    core = cache.core
    arguments = [core.bind(emit_expression(ruleset.program, each, (), "odds"), "ad_hoc")() for each in given.arguments]
    warnings = check_situation(node, rule, ruleset.program, core, arguments)
    book, call = OrderBook(linked, core, ruleset.program), RunningCall(rule, arguments)
    with gc_paused(), cache.attached(given, setting.wording, max_branches, book, call):
        found = enumerate_outcomes(rule, arguments, cache, max_branches, readers_of(given, rule, ruleset.program, core))
    if cache.is_small_enough:
        while len(_CACHES) >= _MAX_CACHES:
            del _CACHES[next(iter(_CACHES))]
        _CACHES[key] = cache
    _HINTS.update(*hint_key, cache.tracker.hints())
    _STEPWISE.pop(hint_key, None)
    _STEPWISE[hint_key] = cache.calls.stepwise
    while len(_STEPWISE) > _MAX_CACHES:
        del _STEPWISE[next(iter(_STEPWISE))]
    return replace(found, warnings=(*warnings, *book.warnings(rule)))


_MAX_CACHES = 4
_OPENED: list[Ruleset] = []
"""The rulesets opened last, with their programs, which are read when they are needed."""
_CACHES: dict[tuple[int, Scenario | None, str], SituationCache] = {}
"""The caches of the situations used last, by the image (which they keep alive), scenario and text of the situation."""
_HINTS = HintStore()
_STEPWISE: dict[tuple[str, str], frozenset[str]] = {}
"""Which calls were not worth a summary the last time, by ruleset and procedure asked about."""


def clear_situations() -> None:
    """Drops all situation caches: the next question about each situation begins from nothing."""
    _CACHES.clear()
    _STEPWISE.clear()


def _keep_open(ruleset: Ruleset) -> None:
    """Keeps a ruleset as the one opened last."""
    _OPENED[:] = [ruleset, *[each for each in _OPENED if each is not ruleset]][:_MAX_CACHES]


def _situation_key(node: Mapping) -> str:
    """The keys of a document that set up the world, as text."""
    others = ("with", "decisions", ORDERS, "says", "cite")
    texts = {key: as_plain_data(each) for key, each in node.items.items() if key not in others}
    return json.dumps(texts, sort_keys=True, default=str)


def readers_of(given: Situation, rule: Procedure, program: Program, core: Core) -> Readers:
    """Returns the functions of the outcomes that a situation gives, else of the procedure's own."""
    if not given.outcomes:
        return outcome_readers(rule, core.names)
    takes = (*rule.takes, Parameter(name="result"))
    unit = emit_expressions(
        program, {f"outcome_{name}": (each, takes) for name, each in given.outcomes.items()}, core.variant
    )
    return {name: core.bind(unit, f"outcome_{name}") for name in given.outcomes}


def enumerate_outcomes(
    rule: Procedure,
    arguments: Sequence[Any],
    cache: SituationCache,
    max_branches: int,
    readers: Readers,
    seconds: float | None = None,
) -> Odds:
    """Follows every branch of a procedure from the situation of an attached cache.

    `readers` are the functions of its outcomes.

    Raises:
        TooManyBranchesError: if there are more branches than `max_branches`, or they take more CPU time than `seconds`.
        RuleFault: if a rule goes wrong.
    """
    texts: list[Callable[[Any], str]] = [partial(_text, cache.core, each, arguments) for each in readers.values()]
    solver = Solver(
        cache.tracker,
        cache.calls,
        OutcomeReaders(cache.tracker, texts or [value_text]),
        lambda raised: outcome_texts(arguments, readers, None, raised),
        max_branches,
        seconds,
    )
    values = [tuple(each) if isinstance(each, list) else each for each in arguments]
    with cache.core.faults():
        weights = probabilities(solver.outcomes(entry_of(cache.codes[rule.name], values, None)))
    return Odds(rule.name, tuple(readers) or ("result",), sort_rows(weights), solver.branches_followed)


def _text(core: Core, reader: Callable[..., Any], arguments: Sequence[Any], result: Any) -> str:
    core.begin_query()
    return value_text(reader(*arguments, result))


def outcome_readers(rule: Procedure, names: Names[str, Any]) -> Readers:
    """Returns the functions of a procedure's outcomes in the namespace of a game."""
    return {name: names[OUTCOME(rule.name, name)] for name in rule.outcomes}


def outcome_texts(arguments: Sequence[Any], readers: Readers, result: Any, raised: Exception | None) -> Outcome:
    """Returns the outcomes after a procedure has ended with a result, or by the end of a step or of the game."""
    if raised is None:
        return tuple([value_text(each(*arguments, result)) for each in readers.values()]) or (value_text(result),)
    text = f"the step '{raised}' ends"
    if isinstance(raised, EndGame):
        text = f"{ENDED}: {raised.reason}" if raised.reason else ENDED
    return (text, *["-"] * (max(len(readers), 1) - 1))


def sort_rows(weights: Names[Outcome, Fraction]) -> tuple[tuple[Outcome, Fraction], ...]:
    """Returns the outcomes with their probabilities, likeliest first."""
    return tuple(sorted(weights.items(), key=lambda row: (-row[1], [sort_key(each) for each in row[0]])))


def _number(text: str) -> int | None:
    return whole_number(text, most=4_000)  # values of rules may have more digits than those of documents


def sort_key(text: str) -> tuple[int, int, str]:
    """Returns the key by which values of outcomes are sorted: numbers first."""
    number = _number(text)
    return (1, 0, text) if number is None else (0, number, "")
