"""Runs the worked examples of a ruleset: each a situation, what happens in it, and what must have come of it.

Every die and every answer must be used, and nothing may be rolled or asked that the example does not give. A decision
with a single option answers itself; an answer that names this option is used up by it.
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
from interpreter.play.engine.entry import Returned, at_call, at_step
from interpreter.play.engine.outcome import SEQUENCE_OVER
from interpreter.play.engine.scripted import Script, UnscriptedError
from interpreter.play.game import Game
from interpreter.play.log.log import LogBuilder, LogEntry
from interpreter.rules.documents.source_excerpts import with_excerpts
from interpreter.rules.linking.examples import Example, examples
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.workshop.examples import claims
from interpreter.workshop.examples.environment import Environment, Stages, stages_of
from interpreter.workshop.examples.prepare import RUN, Prepared, prepare
from interpreter.workshop.examples.scripted_game import ExampleDice, Observations, ScriptedGame, event_sites
from interpreter.workshop.report_data import diagnostic_json, place_text

_NONE: Final[Mapping[str, object]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleReport:
    """How one example came out: `failures` is empty if it holds.

    `trace` tells what happened in it, `sites` are the numbers of all places of the rules that ran, `steps` the paths of
    the steps of the sequence.
    """

    ruleset: str
    name: str
    place: Place
    cites: tuple[str, ...]
    says: str
    failures: tuple[Diagnostic, ...]
    trace: tuple[LogEntry, ...] = ()
    sites: frozenset[int] = frozenset()
    steps: frozenset[str] = frozenset()

    @property
    def passed(self) -> bool:
        """Whether the example holds."""
        return not self.failures

    def __str__(self) -> str:
        if self.passed:
            return f"{self.ruleset}/{self.name}: holds"
        lines = [f"{self.ruleset}/{self.name} does not hold ({place_text(self.place)})", *map(str, self.failures)]
        return "\n".join([*lines, "what happened:" if self.trace else "nothing happened", *map(str, self.trace)])

    def as_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "ruleset": self.ruleset,
            "name": self.name,
            "place": place_text(self.place),
            "cites": list(self.cites),
            "says": self.says,
            "passed": self.passed,
            "failures": [diagnostic_json(each) for each in self.failures],
            "trace": [] if self.passed else [str(each) for each in self.trace],
        }


def list_examples(ruleset: str | Ruleset) -> list[Example]:
    """The examples of a ruleset in document order, unread.

    Raises:
        RulesetError, UsageError: if the ruleset can't be loaded.
    """
    return examples(_loaded(ruleset).documents)


def run_examples(
    ruleset: str | Ruleset, names: Iterable[str] | None = None, options: Mapping[str, object] = _NONE
) -> list[ExampleReport]:
    """Runs all examples of a ruleset, or those named; `options` hold where an example does not set its own.

    Raises:
        RulesetError, UsageError: if the ruleset can't be loaded, or there is no example of a name.
    """
    return list(each_example(ruleset, names, options))


def each_example(
    ruleset: str | Ruleset, names: Iterable[str] | None = None, options: Mapping[str, object] = _NONE
) -> Iterator[ExampleReport]:
    """As `run_examples`, one after the other as they are asked for."""
    stages = stages_of(_loaded(ruleset, options))
    known = stages.examples
    return gc_between(_run(_named(name, known), stages) for name in (known if names is None else names))


def rehearsed(ruleset: str | Ruleset, name: str) -> Game:
    """The game that an example makes, played as far as the example goes: its log can be read and explained.

    Raises:
        RulesetError, UsageError: if the ruleset can't be loaded, or there is no example of this name.
        BicorneError: if the example can't be played.
    """
    stages = stages_of(_loaded(ruleset))
    prepared = prepare(_named(name, stages.examples), stages)
    script, dice = Script(prepared.answers), ExampleDice(prepared.faces)
    start = _start(prepared, Returned())
    game = ScriptedGame(
        prepared.setting, script, dice, Observations(script), start, checked=prepared.example.step is not None
    )
    game.play()
    return game


def _loaded(ruleset: str | Ruleset, options: Mapping[str, object] = _NONE) -> Ruleset:
    if isinstance(ruleset, Ruleset):
        return load_ruleset(ruleset.folder, ruleset.overlays, {**ruleset.options, **options}) if options else ruleset
    return load_ruleset(ruleset, options=options)


def _named(name: str, known: Mapping[str, Example]) -> Example:
    if name not in known:
        raise unknown("example", name, known)
    return known[name]


# ---------------------------------------------------------------- one example
def _run(example: Example, stages: Stages) -> ExampleReport:
    try:
        prepared = prepare(example, stages)
    except RulesetError as error:
        return _report(example, stages, error.diagnostics)
    script, dice = Script(prepared.answers), ExampleDice(prepared.faces)
    seen = Observations(script)
    failures = _played(prepared, script, dice, seen)
    return _report(example, stages, failures, seen, prepared.stage)


def _played(prepared: Prepared, script: Script, dice: ExampleDice, seen: Observations) -> list[Diagnostic]:
    example, returned = prepared.example, Returned()
    try:
        start, checked = _start(prepared, returned), example.step is not None
        game = ScriptedGame(prepared.setting, script, dice, seen, start, checked=checked)
        game.play()
    except UnscriptedError as error:
        place = claims.place_of(example, "decisions", seen.address, script.left)
        return [Diagnostic("unanswered", str(error), place)]
    except BicorneError as error:
        place, code = example.place, _code(error)
        if code == "scripted-dice":
            place = claims.place_of(example, "dice", dice.label, dice.left)
        return [Diagnostic(code, claims.fault_text(error), place)]
    result = (returned.value,) if returned.done else ()
    return [
        *claims.unused(example, script, dice),
        *claims.offers(example, seen.asked, game),
        *claims.claims(prepared, game, result),
        *claims.ending(example.ends, game.result),
    ]


def _start(prepared: Prepared, returned: Returned) -> Start:
    if prepared.example.step is not None:
        return at_step(prepared.example.step.text, prepared.bound)
    if prepared.run is None:
        return at_call(lambda _core: _nothing, False, Returned())
    return at_call(lambda core: core.bind(prepared.unit, RUN), prepared.run_asks, returned)


def _nothing() -> None:
    """What an example runs that only makes claims about a situation."""


def _code(error: BicorneError) -> str:
    return error.diagnostic.code if isinstance(error, RuleFault) else "fault"


def _report(
    example: Example,
    stages: Stages,
    failures: Iterable[Diagnostic],
    seen: Observations | None = None,
    stage: Environment | None = None,
) -> ExampleReport:
    failures = tuple(with_excerpts(failures))
    trace: tuple[LogEntry, ...] = ()
    sites: set[int] = set()
    steps: set[str] = set()
    if seen is not None and stage is not None:
        if failures:
            told = [each for each in seen.events if each[0] != "result" or each[2].reason != SEQUENCE_OVER]
            trace = tuple(LogBuilder(told, stage.image, stage.wording).entries)
        sites.update(seen.sites)
        for kind, site, data in seen.events:
            sites.update(event_sites(kind, site, data))
            if kind == "step":
                steps.add(data.node.path)
    return ExampleReport(
        ruleset=stages.ruleset.name,
        name=example.name,
        place=example.place,
        cites=example.cites,
        says=example.says,
        failures=failures,
        trace=trace,
        sites=frozenset(sites - {-1}),
        steps=frozenset(steps),
    )
