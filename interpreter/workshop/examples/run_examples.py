"""Runs the worked examples of a ruleset: each is a situation, an action in it, and claims about the outcome.

Every die and every answer of an example must be used, and the game may not roll or ask for anything else. A decision
with a single option answers itself, and uses up an answer that names this option.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from interpreter.language.diagnostics import (
    BicorneError,
    Diagnostic,
    Place,
    RuleFault,
    RulesetError,
    unknown,
)
from interpreter.language.gc_control import gc_between
from interpreter.play.engine.engine import Start
from interpreter.play.engine.entry import ReturnValue, start_at_call, start_at_step
from interpreter.play.engine.outcome import SEQUENCE_OVER
from interpreter.play.engine.quota import QuotaSpentError, current_quota
from interpreter.play.engine.scripted import Script, UnscriptedError
from interpreter.play.game import Game
from interpreter.play.log.log import LogBuilder, LogEntry
from interpreter.rules.documents.source_excerpts import with_excerpts
from interpreter.rules.linking.examples import Example, examples
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.workshop.examples import claims
from interpreter.workshop.examples.environment import Environment, Environments, environments_of
from interpreter.workshop.examples.prepare import RUN, PreparedExample, prepare
from interpreter.workshop.examples.scripted_game import ExampleDice, Observations, ScriptedGame, event_sites
from interpreter.workshop.examples.sights import wrong_sights
from interpreter.workshop.report_data import diagnostic_json, source_text

_NONE: Final[Mapping[str, object]] = {}
MAX_RUNAWAYS: Final = 15
"""The number of examples in a run that may exceed the limit of work between two decisions: each takes a second."""
MAX_TRACED_EVENTS: Final = 2_000
"""The number of events in the trace of a failing example; of more, the last are shown."""
MAX_RUNAWAY_EVENTS: Final = 50
"""The same for an example whose rules go round in circles."""
_RUNAWAY: Final = "budget"
"""The code of their fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleReport:
    """The result of one example: `failures` is empty if it holds.

    `trace` is its log, without the first `before_trace` events if they are many; `sites` are the numbers of all sites
    that ran, `steps` the paths of the steps of the sequence.
    """

    ruleset: str
    name: str
    place: Place
    cites: tuple[str, ...]
    says: str
    failures: tuple[Diagnostic, ...]
    trace: tuple[LogEntry, ...] = ()
    before_trace: int = 0
    sites: frozenset[int] = frozenset()
    steps: frozenset[str] = frozenset()

    @property
    def passed(self) -> bool:
        """Whether the example holds."""
        return not self.failures

    @property
    def is_runaway(self) -> bool:
        """Whether a rule of the example exceeded the limit of work between two decisions."""
        return any(each.code == _RUNAWAY for each in self.failures)

    def __str__(self) -> str:
        if self.passed:
            return f"{self.ruleset}/{self.name}: holds"
        lines = [f"{self.ruleset}/{self.name} does not hold ({source_text(self.place)})", *map(str, self.failures)]
        left_out = f" after {self.before_trace:,} other events" if self.before_trace else ""
        head = f"what happened{left_out}:" if self.trace else "nothing happened"
        return "\n".join([*lines, head, *map(str, self.trace)])

    def as_json(self) -> dict[str, Any]:
        """Returns the report as JSON data."""
        return {
            "ruleset": self.ruleset,
            "name": self.name,
            "place": source_text(self.place),
            "cites": list(self.cites),
            "says": self.says,
            "passed": self.passed,
            "failures": [diagnostic_json(each) for each in self.failures],
            "trace": [] if self.passed else [str(each) for each in self.trace],
        }


def list_examples(ruleset: str | Ruleset) -> list[Example]:
    """Returns the examples of a ruleset in document order, not yet prepared.

    Raises:
        RulesetError, UsageError: if the ruleset can't be loaded.
    """
    return examples(_loaded_ruleset(ruleset).documents)


def run_examples(
    ruleset: str | Ruleset, names: Iterable[str] | None = None, options: Mapping[str, object] = _NONE
) -> list[ExampleReport]:
    """Runs all examples of a ruleset, or those named; `options` apply where an example does not set its own.

    Raises:
        RulesetError, UsageError: if the ruleset can't be loaded, or there is no example of a name.
        QuotaSpentError: as `each_example`.
    """
    return list(each_example(ruleset, names, options))


def each_example(
    ruleset: str | Ruleset, names: Iterable[str] | None = None, options: Mapping[str, object] = _NONE
) -> Iterator[ExampleReport]:
    """Yields the reports of `run_examples` lazily, one by one.

    Raises:
        QuotaSpentError: if there is no work left in the run for the next example, or too many examples have
            exceeded the limit between two decisions.
    """
    environments = environments_of(_loaded_ruleset(ruleset, options))
    return gc_between(_run_all(environments, environments.examples if names is None else names))


def check_runaways(count: int) -> None:
    """Checks how many examples of a run have exceeded the limit of work between two decisions.

    Raises:
        QuotaSpentError: if they are too many for the rest to be run.
    """
    if count >= MAX_RUNAWAYS:
        raise QuotaSpentError(f"{count} examples have exceeded the limit of work between two decisions")


def _run_all(environments: Environments, names: Iterable[str]) -> Iterator[ExampleReport]:
    runaways = 0
    for name in names:
        if (quota := current_quota()) is not None:
            quota.check()
        check_runaways(runaways)
        report = _run(_example_named(name, environments.examples), environments)
        runaways += report.is_runaway
        yield report


def play_example(ruleset: str | Ruleset, name: str) -> Game:
    """Returns the game of an example, played to its end, so that its log can be read and explained.

    Raises:
        RulesetError, UsageError: if the ruleset can't be loaded, or there is no example of this name.
        BicorneError: if the example can't be played.
    """
    environments = environments_of(_loaded_ruleset(ruleset))
    prepared = prepare(_example_named(name, environments.examples), environments)
    script, dice = Script(prepared.answers), ExampleDice(prepared.faces)
    start = _start(prepared, ReturnValue())
    game = ScriptedGame(
        prepared.game_source, script, dice, Observations(script), start, checked=prepared.example.step is not None
    )
    game.play()
    return game


def _loaded_ruleset(ruleset: str | Ruleset, options: Mapping[str, object] = _NONE) -> Ruleset:
    if isinstance(ruleset, Ruleset):
        return load_ruleset(ruleset.folder, ruleset.overlays, {**ruleset.options, **options}) if options else ruleset
    return load_ruleset(ruleset, options=options)


def _example_named(name: str, known: Mapping[str, Example]) -> Example:
    if name not in known:
        raise unknown("example", name, known)
    return known[name]


# ---------------------------------------------------------------- one example
def _run(example: Example, environments: Environments) -> ExampleReport:
    try:
        prepared = prepare(example, environments)
    except RulesetError as error:
        return _report(example, environments, error.diagnostics)
    script, dice = Script(prepared.answers), ExampleDice(prepared.faces)
    observations = Observations(script)
    failures = _play_prepared(prepared, script, dice, observations)
    report = _report(example, environments, failures, observations, prepared.environment)
    if report.passed:  # else its trace may refer to objects of the game
        prepared.environment.give_back(observations.game.core)
    return report


def _play_prepared(
    prepared: PreparedExample, script: Script, dice: ExampleDice, observations: Observations
) -> list[Diagnostic]:
    example, returned = prepared.example, ReturnValue()
    try:
        start, checked = _start(prepared, returned), example.step is not None
        game = ScriptedGame(prepared.game_source, script, dice, observations, start, checked=checked)
        game.play()
    except UnscriptedError as error:
        place = claims.place_of_last_input(example, "decisions", observations.address, script.unused)
        return [Diagnostic("unanswered", str(error), place)]
    except QuotaSpentError:
        raise
    except BicorneError as error:
        place, code = example.place, _code(error)
        if code == "scripted-dice":
            place = claims.place_of_last_input(example, "dice", dice.label, dice.unused)
        return [Diagnostic(code, claims.fault_text(error), place)]
    result = (returned.value,) if returned.done else ()
    return [
        *claims.unused_inputs(example, script, dice),
        *claims.wrong_offers(example, observations, game),
        *wrong_sights(example, game),
        *claims.failed_claims(prepared, game, result),
        *claims.wrong_ending(example.ends, game.result),
    ]


def _start(prepared: PreparedExample, returned: ReturnValue) -> Start:
    if prepared.example.step is not None:
        return start_at_step(prepared.example.step.text, prepared.bound_values)
    if prepared.run is None:
        return start_at_call(lambda _core: _nothing, False, ReturnValue())
    return start_at_call(lambda core: core.bind(prepared.unit, RUN), prepared.run_can_ask, returned)


def _nothing() -> None:
    """Does nothing: the body of an example that only makes claims about a situation."""


def _code(error: BicorneError) -> str:
    return error.diagnostic.code if isinstance(error, RuleFault) else "fault"


def _report(
    example: Example,
    environments: Environments,
    failures: Iterable[Diagnostic],
    observations: Observations | None = None,
    environment: Environment | None = None,
) -> ExampleReport:
    failures = tuple(with_excerpts(failures))
    trace: tuple[LogEntry, ...] = ()
    before_trace = 0
    sites: set[int] = set()
    steps: set[str] = set()
    if observations is not None and environment is not None:
        if failures:
            is_runaway = any(each.code == _RUNAWAY for each in failures)
            shown = MAX_RUNAWAY_EVENTS if is_runaway else MAX_TRACED_EVENTS
            before_trace = max(len(observations.events) - shown, 0)
            events = observations.events[before_trace:]
            events = [each for each in events if each[0] != "result" or each[2].reason != SEQUENCE_OVER]
            trace = tuple(LogBuilder(events, environment.image, environment.wording).entries)
        sites.update(observations.sites)
        for kind, site, data in observations.events:
            sites.update(event_sites(kind, site, data))
            if kind == "step":
                steps.add(data.node.path)
    return ExampleReport(
        ruleset=environments.ruleset.name,
        name=example.name,
        place=example.place,
        cites=example.cites,
        says=example.says,
        failures=failures,
        trace=trace,
        before_trace=before_trace,
        sites=frozenset(sites - {-1}),
        steps=frozenset(steps),
    )
