"""Exact odds: a procedure run once for every way in which its dice can fall."""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from collections.abc import Mapping as Table
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from interpreter.language.collecting import nothing_collected
from interpreter.language.diagnostics import UsageError, did_you_mean
from interpreter.language.emit import emit_expression
from interpreter.language.program import Procedure
from interpreter.language.runtime import shown
from interpreter.play.core import Core
from interpreter.play.decisions import Decision, no_options
from interpreter.play.outcome import EndGame
from interpreter.play.scripted import Script
from interpreter.play.setting import with_setup
from interpreter.play.words import Wording
from interpreter.reckoning.chances import Branching
from interpreter.reckoning.courses import Courses, probabilities
from interpreter.reckoning.expectations import Expectations
from interpreter.reckoning.given import Given, check_decisions, check_situation, link_given, read_given
from interpreter.reckoning.given import options_of as given_options
from interpreter.reckoning.pieces import Pieces
from interpreter.reckoning.steps import Code, beginning
from interpreter.reckoning.stretches import Stretches
from interpreter.reckoning.watch import Watch
from interpreter.rules.loading import load_ruleset
from interpreter.rules.nodes import Mapping, plain
from interpreter.rules.ruleset import Ruleset

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
            raise UsageError(f"there is no outcome '{name}'; {did_you_mean(name, self.names) or ''}".rstrip("; "))
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
        hint = did_you_mean(procedure, ruleset.program.procedures)
        raise UsageError(f"'{ruleset.name}' has no procedure '{procedure}'" + (f"; {hint}" if hint else ""))
    given = link_given(node, rule, ruleset.program)
    setting = with_setup(ruleset, given.setup)
    check_decisions(node, setting.image)
    key, alike = (id(setting.image), _situation(node)), (ruleset.hash, procedure)
    watched = _WATCHED.pop(key, None)
    if watched is None:
        core = Core(setting.shared("reckon"), "reckon", {}, setup=setting.setup)
        watched = core, Watch(core.world)
        watched[1].expect(*_EXPECTED.of(*alike))
    core = watched[0]
    arguments = [
        core.bind(emit_expression(ruleset.program, each, (), "reckon"), "ad_hoc")() for each in given.arguments
    ]
    check_situation(node, rule, ruleset.program, core, arguments)
    with nothing_collected():
        found = _Enumeration(ruleset, rule, given, arguments, watched, setting.wording, most_leaves).run()
    while len(_WATCHED) >= _KEPT:
        del _WATCHED[next(iter(_WATCHED))]
    _WATCHED[key] = watched
    _EXPECTED.learn(*alike, watched[1].likely())
    return found


_KEPT = 4
_OPENED: list[Ruleset] = []
"""The rulesets that were last opened here, with their programs, which are read when they are asked for."""
_WATCHED: dict[tuple[int, str], tuple[Core, Watch]] = {}
"""Worlds of the situations that were last reckoned from, by their images (which they keep) and what else is given."""
_EXPECTED = Expectations()


def _remember(ruleset: Ruleset) -> None:
    """Keeps a ruleset at hand: it was opened last."""
    _OPENED[:] = [ruleset, *[each for each in _OPENED if each is not ruleset]][:_KEPT]


def _situation(node: Mapping) -> str:
    """What of a document says how a world is set up, as text."""
    said = {key: plain(each) for key, each in node.items.items() if key not in ("with", "decisions", "says", "cite")}
    return json.dumps(said, sort_keys=True, default=str)


class Used:
    """How many of the answers given for each address are used up: a value of the state like any other."""

    __slots__ = ("a_used",)

    def __init__(self) -> None:
        self.a_used: tuple[tuple[str, int], ...] = ()


class _Enumeration:
    """One procedure, followed from one situation through every course of events."""

    def __init__(
        self,
        ruleset: Ruleset,
        rule: Procedure,
        given: Given,
        arguments: list[Any],
        watched: tuple[Core, Watch],
        wording: Wording,
        most_leaves: int,
    ) -> None:
        core, self._watch = watched
        self._rule, self._given, self._core, self._wording = rule, given, core, wording
        self._watch.begin()
        self._names = dict(core.names)
        """As they were: the world is given back when all is over."""
        core.names.update(Branching(self).names())
        self._used = Used()
        self._stretches = Stretches(core, self._watch, self._answered, most_leaves)
        core.names.update(self._watch.names(core.names))
        self._arguments = arguments
        codes = {
            each.name: Code(each.name, core.names[f"q_{each.name}"])
            for each in ruleset.program.procedures.values()
            if each.effects.rolls
        }
        codes[WHOLE] = _whole(rule, core.names)
        self._codes = codes
        self._courses = Courses(self._watch, Pieces(self._watch, self._stretches, codes), self._outcome, most_leaves)

    def pick(self, weights: Sequence[int], total: int) -> int:
        """The branch of chance that the present course is on."""
        return self._stretches.pick(weights, total)

    def run(self) -> Odds:
        """Follows every course of events."""
        code = self._codes.get(self._rule.name, self._codes[WHOLE])
        arguments = [tuple(each) if isinstance(each, list) else each for each in self._arguments]
        try:
            if not self._watch.grown:
                self._courses.scout(beginning(code, arguments, None))
            weights = probabilities(self._courses.future(beginning(code, arguments, None)))
        except Exception as error:
            raise self._core.fault(error) from error
        leaves = self._courses.leaves
        del self._courses, self._stretches, self._codes  # all that is known hangs together in a ring
        self._watch.end()
        self._core.names.clear()
        self._core.names.update(self._names)
        rows = sorted(weights.items(), key=lambda row: (-row[1], [_sort_key(each) for each in row[0]]))
        names = tuple(self._rule.outcomes) or ("result",)
        return Odds(self._rule.name, names, tuple(rows), leaves)

    def _outcome(self, result: Any, raised: Exception | None) -> Outcome:
        """What came of a course that is over."""
        if raised is not None:
            return self._ended(raised)
        names = self._core.names
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

    def _answered(self, generator: Generator[Any, Any, Any]) -> Any:
        """The result of a rule that asks, with all that it asks answered."""
        answer, told = None, dict[int, Any]()
        try:
            while True:
                ask = generator.send(answer)
                options = ask[2]() if callable(ask[2]) else ask[2]
                if not options:
                    raise no_options(ask[0])
                answer = options[0] if len(options) == 1 else options[self._choice(ask, options, told)]
        except StopIteration as done:
            return done.value

    def _choice(self, ask: tuple[Any, ...], options: Sequence[Any], told: dict[int, Any]) -> int:
        policy = self._given.policies.get(ask[0].address, self._given.default)
        if policy == "any":
            return self.pick([1] * len(options), len(options))
        if policy in ("first", "last"):
            return 0 if policy == "first" else len(options) - 1
        decision = Decision(ask, tuple(options), self._wording)
        return self._scripted(decision, policy, told) if isinstance(policy, list) else decision.position(policy)

    def _scripted(self, decision: Decision, answers: list[Any], told: dict[int, Any]) -> int:
        """The next of the answers given for an address; all picks of one decision belong to one answer."""
        course = decision.course
        if course is None or id(course) not in told:
            used = dict(self._used.a_used)
            number = used.get(decision.address, 0)
            used[decision.address] = number + 1
            self._watch.put(self._used, "a_used", tuple(sorted(used.items())))
            told[id(course)] = (course, Script({decision.address: answers[number:]}))
        position: int = told[id(course)][1].position(decision)
        return position


WHOLE = ""
"""The name of the code that runs a procedure in one piece."""


def _whole(rule: Procedure, names: Table[str, Any]) -> Code:
    """The code of a procedure that does not roll: it is run in one piece."""
    slots = tuple(range(len(rule.takes)))
    result = len(slots)
    run = names[f"p_{rule.name}"]

    def part(*arguments: Any) -> tuple[Any, ...]:
        return (run(*arguments),)

    def asking(*arguments: Any) -> Generator[Any, Any, tuple[Any, ...]]:
        return ((yield from run(*arguments)),)

    steps = (("run", asking if rule.effects.asks else part, slots, (result,)), ("return", result))
    return Code(WHOLE, (result + 1, steps, (((), ()), (slots, ()))))


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdigit()


def _sort_key(text: str) -> tuple[int, int, str]:
    return (0, int(text), "") if _is_number(text) else (1, 0, text)
