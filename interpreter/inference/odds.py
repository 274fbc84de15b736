"""Exact odds: a procedure run once for every way in which its dice can fall."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from interpreter.inference.memo.tracking_hints import Expectations
from interpreter.inference.situation.situation import check_decisions, check_situation, link_given, read_given
from interpreter.inference.situation.situation import options_of as given_options
from interpreter.inference.situation_cache import SituationCache
from interpreter.inference.solver.machine import entry_of
from interpreter.inference.solver.solver import Solver, probabilities
from interpreter.language.codegen.emit import emit_expression
from interpreter.language.diagnostics import unknown, with_hint
from interpreter.language.gc_control import gc_paused
from interpreter.language.model.program import Procedure
from interpreter.language.runtime.values import shown
from interpreter.play.engine.core import Core
from interpreter.play.engine.outcome import EndGame
from interpreter.play.engine.source import with_setup
from interpreter.rules.documents.nodes import Mapping, plain
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset

MOST_LEAVES = 200_000
ENDED = "the game ends"
QUANTILES = (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))
"""Those that are told: nine times in ten at least the first, half the time at most the second, and so on."""

Outcome = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Odds:
    """An exact distribution: each combination of the outcomes in `names` with its probability, likeliest first."""

    procedure: str
    names: tuple[str, ...]
    rows: tuple[tuple[Outcome, Fraction], ...]
    leaves: int = field(compare=False)
    """How many courses of events were followed: fewer where much was known before."""

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
        return tuple(sorted(found.items(), key=lambda each: _sort_key(each[0])))

    def mean(self, name: str) -> Fraction | None:
        """The expectation of an outcome, or none where it is not a number."""
        values = self.of(name)
        if not all(_is_number(value) for value, _ in values):
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
        if not all(_is_number(value) for value, _ in values):
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
        }


def odds(
    ruleset: str | Ruleset, procedure: str, given: Any = None, *, most_leaves: int = MOST_LEAVES, **loading: Any
) -> Odds:
    """The exact distribution of a procedure's outcomes from a situation.

    `ruleset` is a name, a path or a loaded ruleset; `given` a file or plain data (see `given.read_given`); `loading`
    goes to `load_ruleset`. A procedure without declared outcomes is told by its result.

    Raises:
        UsageError: for an unknown procedure or a situation that can't be read.
        RulesetError: for mistakes in the situation.
        TooManyLeavesError: if there are more courses of events than `most_leaves`.
        RuleFault: if a rule goes wrong.
    """
    node = read_given(given if not isinstance(given, str) else Path(given))
    settings = given_options(node)
    if not isinstance(ruleset, Ruleset):
        options = {**settings, **loading.pop("options", {})}
        ruleset = load_ruleset(ruleset, options=options, opened=_OPENED, **loading)
        _remember(ruleset)
    elif settings:
        options = {**ruleset.options, **settings}
        ruleset = load_ruleset(ruleset.folder, ruleset.overlays, options, opened=_OPENED)
        _remember(ruleset)
    rule = ruleset.program.procedures.get(procedure)
    if rule is None:
        known = ruleset.program.procedures
        raise with_hint(f"'{ruleset.name}' has no procedure '{procedure}'", procedure, known)
    given = link_given(node, rule, ruleset.program)
    setting = with_setup(ruleset, given.setup)
    check_decisions(node, setting.image)
    key, alike = (id(setting.image), _situation(node)), (ruleset.hash, procedure)
    ground = _GROUNDS.pop(key, None)
    if ground is None:
        core = Core(setting.shared("reckon"), "reckon", {}, setup=setting.setup)
        ground = SituationCache(core, ruleset.program, _EXPECTED.of(*alike))
    core = ground.core
    arguments = [
        core.bind(emit_expression(ruleset.program, each, (), "reckon"), "ad_hoc")() for each in given.arguments
    ]
    check_situation(node, rule, ruleset.program, core, arguments)
    with gc_paused():
        ground.begin(given, setting.wording, most_leaves)
        found = _Enumeration(rule, arguments, ground, most_leaves).run()
        ground.end()
    if ground.worth_keeping:
        while len(_GROUNDS) >= _KEPT:
            del _GROUNDS[next(iter(_GROUNDS))]
        _GROUNDS[key] = ground
    _EXPECTED.learn(*alike, ground.watch.likely())
    return found


_KEPT = 4
_OPENED: list[Ruleset] = []
"""The rulesets that were last opened here, with their programs, which are read when they are asked for."""
_GROUNDS: dict[tuple[int, str], SituationCache] = {}
"""Those of the situations that were last reckoned from, by their images (which they keep) and what else is given."""
_EXPECTED = Expectations()


def forget_situations() -> None:
    """Lets go of all that is known of situations: the next question about each is as if nobody had asked before."""
    _GROUNDS.clear()


def _remember(ruleset: Ruleset) -> None:
    """Keeps a ruleset at hand: it was opened last."""
    _OPENED[:] = [ruleset, *[each for each in _OPENED if each is not ruleset]][:_KEPT]


def _situation(node: Mapping) -> str:
    """What of a document says how a world is set up, as text."""
    said = {key: plain(each) for key, each in node.items.items() if key not in ("with", "decisions", "says", "cite")}
    return json.dumps(said, sort_keys=True, default=str)


class _Enumeration:
    """One procedure, followed from one situation through every course of events."""

    def __init__(self, rule: Procedure, arguments: list[Any], ground: SituationCache, most_leaves: int) -> None:
        self._rule, self._arguments, self._ground, self._most = rule, arguments, ground, most_leaves

    def run(self) -> Odds:
        """Follows every course of events."""
        ground = self._ground
        courses = Solver(ground.watch, ground.pieces, self._outcome, self._most)
        arguments = [tuple(each) if isinstance(each, list) else each for each in self._arguments]
        code = ground.codes[self._rule.name]
        try:
            if not ground.watch.grown:
                courses.scout(entry_of(code, arguments, None))
            weights = probabilities(courses.future(entry_of(code, arguments, None)))
        except Exception as error:
            raise ground.core.fault(error) from error
        rows = sorted(weights.items(), key=lambda row: (-row[1], [_sort_key(each) for each in row[0]]))
        names = tuple(self._rule.outcomes) or ("result",)
        return Odds(self._rule.name, names, tuple(rows), courses.leaves)

    def _outcome(self, result: Any, raised: Exception | None) -> Outcome:
        """What came of a course that is over."""
        if raised is not None:
            return self._ended(raised)
        names = self._ground.core.names
        read = [names[f"o_{self._rule.name}__{name}"] for name in self._rule.outcomes]
        if not read:
            return (shown(result),)
        return tuple([shown(each(*self._arguments, result)) for each in read])

    def _ended(self, end: Exception) -> Outcome:
        if isinstance(end, EndGame):
            text = f"{ENDED}: {end.reason}" if end.reason else ENDED
        else:
            text = f"the step '{end}' ends"
        return (text, *["-"] * (max(len(self._rule.outcomes), 1) - 1))


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdigit()


def _sort_key(text: str) -> tuple[int, int, str]:
    return (0, int(text), "") if _is_number(text) else (1, 0, text)
