"""Prepares a worked example for play: reads, checks and compiles everything in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter.language.checking.types.resolve_types import store
from interpreter.language.codegen.emit import emit_expressions
from interpreter.language.diagnostics import Diagnostic, Place, RulesetError, UsageError, did_you_mean
from interpreter.language.model.image import Stored, Unit, decision_addresses
from interpreter.language.model.program import Individual, Parameter, Procedure, Program, Step
from interpreter.language.model.rule_bodies import steps_of
from interpreter.language.tree.statements import Call
from interpreter.language.tree.traversal import walk_tree
from interpreter.language.tree.types import BOOL, VOID
from interpreter.play.engine.core import Core
from interpreter.play.engine.source import GameSource
from interpreter.rules.documents.nodes import Mapping as MappingNode
from interpreter.rules.documents.nodes import Node, Scalar, Sequence
from interpreter.rules.linking.examples import Example
from interpreter.rules.linking.link_context import datum
from interpreter.rules.linking.scenario import link_scenario
from interpreter.rules.linking.setup import Setup, joined
from interpreter.workshop.examples.ad_hoc_expressions import CheckedExpression, Scope, read_expression
from interpreter.workshop.examples.environment import Environment, Environments

RUN = "run_it"
RESULT = "result"


@dataclass(slots=True, eq=False)
class PreparedExample:
    """An example that can be played: its situation, the expression to run, its claims, and its answers and dice."""

    example: Example
    environment: Environment
    game_source: GameSource
    run: CheckedExpression | None
    bindings: dict[str, Stored]
    claims: tuple[CheckedExpression, ...]
    unit: Unit
    answers: dict[str, list[Any]] = field(default_factory=dict)
    faces: dict[str, list[int | str]] = field(default_factory=dict)

    @property
    def run_can_ask(self) -> bool:
        """Whether the expression to run can ask for a decision."""
        return self.run is not None and any(
            isinstance(each, Call) and isinstance(each.ref, Procedure) and each.ref.effects.asks
            for each in walk_tree(self.run.expr)
        )

    def bound_values(self, core: Core) -> Mapping[str, Any]:
        """Returns the values, in one game, that the steps around the one to run bind."""
        return {name: core.world.value(each) for name, each in self.bindings.items()}


def prepare(example: Example, environments: Environments) -> PreparedExample:
    """Prepares an example.

    Raises:
        RulesetError: with all mistakes in it.
    """
    faults: list[Diagnostic] = []
    start = _start(example, environments)
    changes, found = link_scenario(example.node, _with_counters(environments.program, start))
    setup = joined(start, changes)
    faults += found
    try:
        environment = environments.with_options({**dict(start.options), **example.options})
    except UsageError as error:
        if not faults:
            faults.append(Diagnostic("wrong-setting", str(error), example.place))
        raise RulesetError(faults) from error
    reader = _ExampleReader(_with_counters(environment.program, setup), faults)
    run = reader.run(example)
    claims = reader.claims(example, run)
    bindings = reader.bindings(example)
    reader.check_names(example, environment)
    if faults:
        raise RulesetError(faults)
    named: dict[str, tuple[Any, Scope]] = {
        f"then_{number}": (each.expr, each.scope) for number, each in enumerate(claims)
    }
    if run is not None:
        named[RUN] = (run.expr, ())
    return PreparedExample(
        example=example,
        environment=environment,
        game_source=environment.game_source(setup),
        run=run,
        bindings=bindings,
        claims=claims,
        unit=emit_expressions(reader.program, named, "traced", rules_of=environment.program),
        answers={address: [answer_value(each) for each in nodes] for address, nodes in example.decisions.items()},
        faces={label: [_face(each) for each in nodes] for label, nodes in example.dice.items()},
    )


def _start(example: Example, environments: Environments) -> Setup:
    """Returns the set-up of the example's scenario; without one it is empty: the start of the ruleset."""
    if example.scenario is None:
        return Setup()
    try:
        return environments.scenario(example.scenario.text)
    except UsageError as error:
        raise RulesetError([Diagnostic("unknown-name", str(error), example.scenario.place)]) from error


def _with_counters(program: Program, setup: Setup) -> Program:
    """Returns the program with the counters that the example adds; the example may name every counter."""
    if not setup.pieces:
        return program
    added = {(kind, name): Individual(name=name, kind=kind) for kind, name, *_ in setup.pieces}
    return replace(program, individuals={**program.individuals, **added})


def answer_value(node: Node) -> Any:
    """Returns an answer as it is written: a value, a list of values, or a mapping from ids to values."""
    if isinstance(node, MappingNode):
        return {key: answer_value(each) for key, each in node.items.items()}
    if isinstance(node, Sequence):
        return [answer_value(each) for each in node]
    return node.value if isinstance(node, Scalar) else None


def _face(node: Node) -> int | str:
    value = node.value if isinstance(node, Scalar) else None
    return value if isinstance(value, int | str) and not isinstance(value, bool) else getattr(node, "text", "")


@dataclass(slots=True)
class _ExampleReader:
    """Reads the rule text and the values of one example, and collects the mistakes in them."""

    program: Program
    faults: list[Diagnostic]

    def _attempt(self, read: Callable[[], Any]) -> Any:
        try:
            return read()
        except RulesetError as error:
            self.faults += error.diagnostics
            return None

    def run(self, example: Example) -> CheckedExpression | None:
        """Returns the expression of `run`; an example has this, or a `step`, or only claims about its situation."""
        node = example.run
        if node is None:
            return None
        found: CheckedExpression | None = self._attempt(lambda: read_expression(self.program, node, (), None))
        return found

    def claims(self, example: Example, run: CheckedExpression | None) -> tuple[CheckedExpression, ...]:
        """Returns the claims of `then`, with `result` in scope if `run` has a result."""
        scope: Scope = ()
        if run is not None and run.expr.type != VOID:
            scope = (Parameter(name=RESULT, place=run.expr.place, type=run.expr.type),)
        elif run is None and example.run is not None:
            return ()  # the type of 'result' is unknown: every claim about it would be reported too
        found = [
            self._attempt(lambda each=each: read_expression(self.program, each, scope, BOOL))  # type: ignore[misc]
            for each in example.then
        ]
        return tuple([each for each in found if each is not None])

    def bindings(self, example: Example) -> dict[str, Stored]:
        """Returns the values that `with` gives to the steps around the one to run."""
        node = example.step
        step = None
        if node is not None:
            steps = {each.name: each for each in steps_of(self.program.sequence)}
            step = steps.get(node.text)
            if step is None:
                self._unknown("step", node.text, list(steps), node.place)
        if step is None and (node is not None or not example.bindings):
            return {}
        takes = {} if step is None else {each.name: each for each in step.scope}
        found: dict[str, Stored] = {}
        for name, value in example.bindings.items():
            if name not in takes:
                self._unknown("binding of this step or around it", name, list(takes), value.place)
                continue
            kind = takes[name].type
            found[name] = self._attempt(lambda v=value, k=kind: store(self.program, datum(v), k, v.place))  # type: ignore[misc]
        needed = [] if step is None else [each.name for each in _outer_bindings(step)]
        if node is not None and (missing := [each for each in needed if each not in example.bindings]):
            message = f"the step '{node.text}' needs a value for {', '.join(missing)}"
            self.faults.append(
                Diagnostic("missing-value", message, node.place, f"add 'with: {{{missing[0]}: …}}' to the example")
            )
        return found

    def check_names(self, example: Example, environment: Environment) -> None:
        """Checks that addresses of decisions and labels of dice are those of the ruleset."""
        addresses = decision_addresses(environment.image)
        chance = {each.address for each in environment.image.sites if each.kind in {"roll", "random", "draw"}}
        for address in example.decisions:
            if address not in addresses:
                place = example.places[f"decisions/{address}"]
                self._unknown("decision", address, sorted(addresses), place)
        for each in example.offers:
            if each.address not in addresses:
                self._unknown("decision", each.address, sorted(addresses), each.place)
        for label in example.dice:
            if label not in chance:
                self._unknown("roll", label, sorted(chance), example.places[f"dice/{label}"])

    def _unknown(self, what: str, name: str, known: list[str], place: Place) -> None:
        self.faults.append(Diagnostic("unknown-name", f"there is no {what} '{name}'", place, did_you_mean(name, known)))


def _outer_bindings(step: Step) -> tuple[Parameter, ...]:
    return step.scope[:-1] if step.bound is not None else step.scope
