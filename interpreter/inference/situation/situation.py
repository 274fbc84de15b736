"""A situation for odds: the position, the arguments of the procedure, and how its decisions are answered."""

from __future__ import annotations

from collections.abc import Mapping as Table
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from interpreter.inference.situation.plain_data import document_text
from interpreter.language.checking.check import check_expression
from interpreter.language.codegen.emit import emit_expressions
from interpreter.language.diagnostics import Diagnostic, RulesetError, did_you_mean, nearest
from interpreter.language.model.image import Image, decision_addresses
from interpreter.language.model.program import Individual, Item, Parameter, Procedure, Program
from interpreter.language.parsing.parse import parse_expr
from interpreter.language.tree.statements import Expr
from interpreter.language.tree.types import VOID
from interpreter.play.engine.core import Core
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, as_plain_data, describe
from interpreter.rules.documents.nodes import Sequence as ListNode
from interpreter.rules.documents.source_excerpts import with_excerpts
from interpreter.rules.documents.yaml_reader import read_yaml, read_yaml_text
from interpreter.rules.linking.scenario import link_scenario
from interpreter.rules.linking.setup import Setup

KEYS = ("options", "pieces", "set", "state", "board", "with", "decisions", "orders", "outcomes", "says", "cite")
UNIFORM, LIKELIEST = "uniform", "likeliest"
POLICIES = ("first", "last", LIKELIEST, UNIFORM)
"""How a decision is answered: with its first option, its last one, the one to which the ruleset's `priors` give the
greatest weight, or with each option equally likely."""
_SYNONYMS = {"any": UNIFORM}
"""Deprecated spellings of policies, read for one more version."""
DEFAULT = "default"
"""The key under `decisions` for all addresses that have none of their own."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A situation, checked against a program.

    `arguments` are expressions in the order of the procedure's parameters; `policies` says by address how decisions
    are answered, `default` how all others are. `outcomes` are expressions about the procedure's end, by name, in place
    of the procedure's own.
    """

    setup: Setup
    arguments: tuple[Expr, ...]
    policies: Table[str, Any]
    default: str
    outcomes: Table[str, Expr] = field(default_factory=dict)


class SituationWarning(NamedTuple):
    """A condition of a procedure that the situation does not meet: its id, its text, and its clauses."""

    name: str
    text: str
    cites: tuple[str, ...]

    def __str__(self) -> str:
        return self.text + (f"  [{', '.join(self.cites)}]" if self.cites else "")


def read_given(source: Path | str | Table[str, Any] | Node | None) -> Mapping:
    """Reads the document of a situation from a file, from plain data, or from nodes.

    Raises:
        UsageError: if the file can't be read, or the data is none that a document can have.
        RulesetError: if it is not a mapping with the keys of a situation.
    """
    node = source if isinstance(source, Node) else _read(source)
    if not isinstance(node, Mapping):
        raise RulesetError([Diagnostic("wrong-shape", "a situation is a mapping, like 'with: {…}'", node.place)])
    found = [
        Diagnostic("unknown-key", f"a situation has no '{key}'", node.key_place(key), did_you_mean(key, KEYS))
        for key in node
        if key not in KEYS
    ]
    if found:
        raise RulesetError(with_excerpts(found))
    return node


def _read(source: Path | str | Table[str, Any] | None) -> Node:
    if isinstance(source, Path | str):
        return read_yaml(Path(source))
    return read_yaml_text(document_text(source or {}), "<given>")


def options_of(node: Mapping) -> dict[str, Any]:
    """The options that a situation sets; the ruleset must be loaded with them."""
    options = node.get("options")
    return (
        {key: each.value for key, each in options.items.items() if isinstance(each, Scalar)}
        if isinstance(options, Mapping)
        else {}
    )


def link_given(node: Mapping, rule: Procedure, program: Program) -> Situation:
    """Links a situation for one procedure.

    Raises:
        RulesetError: with everything that is wrong in it.
    """
    setup, found = link_scenario(node, program)
    named = with_counters(program, setup)
    arguments, more = _arguments(node, rule, named)
    outcomes, others = _outcomes(node, rule, named)
    found += [*more, *others]
    if any(each.severity == "error" for each in found):
        raise RulesetError(with_excerpts(found))
    policies, default = _policies(node)
    return Situation(setup, tuple(arguments), policies, default, outcomes)


def _policies(node: Mapping) -> tuple[dict[str, Any], str]:
    """The policies by address, and the default policy."""
    decisions = node.get("decisions")
    policies: dict[str, Any] = {}
    place = node.place
    if isinstance(decisions, Mapping):
        policies, place = {key: as_plain_data(each) for key, each in decisions.items.items()}, decisions.place
        place = decisions.items[DEFAULT].place if DEFAULT in decisions else place
    elif decisions is not None:
        policies, place = {DEFAULT: as_plain_data(decisions)}, decisions.place
    policies = {address: policy_of(each) for address, each in policies.items()}
    default = policies.pop(DEFAULT, "first")
    if default not in POLICIES:
        message = f"'{default}' is not a policy: expected one of {', '.join(POLICIES)}"
        hint = did_you_mean(default, POLICIES) if isinstance(default, str) else None
        raise RulesetError(with_excerpts([Diagnostic("unknown-policy", message, place, hint)]))
    return policies, default


def policy_of(value: Any) -> Any:
    """Returns a policy by its present name; any other value stays as it is."""
    return _SYNONYMS.get(value, value) if isinstance(value, str) else value


def check_decisions(node: Mapping, image: Image) -> None:
    """Checks that every address under `decisions` is one at which the rules ask.

    Raises:
        RulesetError: with the unknown addresses.
    """
    said = node.get("decisions")
    if not isinstance(said, Mapping):
        return
    asked = decision_addresses(image)
    found = [
        Diagnostic("unknown-name", f"there is no decision '{key}'", said.key_place(key), did_you_mean(key, asked))
        for key in said
        if key != DEFAULT and key not in asked
    ]
    if found:
        raise RulesetError(with_excerpts(found))


def check_situation(
    node: Mapping, rule: Procedure, program: Program, core: Core, arguments: Sequence[Any]
) -> tuple[SituationWarning, ...]:
    """Checks the conditions that a procedure states for every situation; returns the warnings about it.

    Raises:
        RulesetError: with the first that fails and does not only warn; later ones may depend on it.
    """
    found: list[SituationWarning] = []
    scope = tuple(rule.takes)
    texts = {
        f"need_{each.name}_{word}": (text, scope)
        for each in rule.needs
        for word, text in (("when", each.when), ("unless", each.unless))
        if text is not None
    }
    unit = emit_expressions(program, texts, core.variant) if texts else None
    for each in rule.needs:
        for word, wanted in (("when", True), ("unless", False)):
            name = f"need_{each.name}_{word}"
            if unit is None or name not in texts:
                continue
            with core.faults():
                so = bool(core.bind(unit, name)(*arguments))
            if so is wanted:
                continue
            unmet = SituationWarning(each.name, each.says or each.name, each.cites or rule.cites)
            if not each.warns:
                raise RulesetError(with_excerpts([_not_so(node, rule, each, unmet)]))
            found.append(unmet)
            break
    return tuple(found)


def _not_so(node: Mapping, rule: Procedure, need: Item, unmet: SituationWarning) -> Diagnostic:
    given = node.get("with")
    hint = f"'{rule.name}' requires it of every situation ({need.place.file}:{need.place.line})"
    return Diagnostic("impossible-situation", str(unmet), node.place if given is None else given.place, hint)


def with_counters(program: Program, setup: Setup) -> Program:
    """The program for texts that may name any counter: rules cannot, but a situation is about particular counters."""
    further = {(kind, name): Individual(name=name, kind=kind) for kind, name, *_ in setup.pieces}
    return replace(program, individuals=_nameable(program) | further)


@lru_cache(maxsize=4)
def _nameable(program: Program) -> dict[tuple[str, str], Individual]:
    """All individuals of a program as ones that can be named, including counters."""
    return {key: replace(each, named=True) for key, each in program.individuals.items()}


def _outcomes(node: Mapping, rule: Procedure, program: Program) -> tuple[dict[str, Expr], list[Diagnostic]]:
    given = node.get("outcomes")
    if given is None:
        return {}, []
    if isinstance(given, ListNode):
        return _own_outcomes(given, rule)
    if not isinstance(given, Mapping):
        message = f"'outcomes' is a mapping from names to expressions, or a list of names, not {describe(given)}"
        return {}, [Diagnostic("wrong-shape", message, given.place)]
    found: list[Diagnostic] = []
    outcomes = {}
    scope = (*rule.takes, *([] if rule.gives == VOID else [Parameter(name="result", type=rule.gives)]))
    for name, each in given.items.items():
        if not isinstance(each, Scalar):
            found.append(Diagnostic("wrong-shape", f"an expression is expected, not {describe(each)}", each.place))
            continue
        try:
            outcomes[name] = parse_expr(each.source)
        except RulesetError as error:
            found += error.diagnostics
            continue
        more = check_expression(program, outcomes[name], scope, None)
        own = nearest(each.text, rule.outcomes)
        hint = f"'{own}' is an outcome of '{rule.name}' itself: leave 'outcomes' out, or list names, as in [{own}]"
        is_unknown = own is not None and any(fault.code == "unknown-name" for fault in more)
        found += [replace(fault, hint=hint) for fault in more] if is_unknown else more
    return outcomes, found


def _own_outcomes(names: ListNode, rule: Procedure) -> tuple[dict[str, Expr], list[Diagnostic]]:
    """Returns those of the procedure's own outcomes that are listed."""
    found, outcomes = [], {}
    for each in names.items:
        if not isinstance(each, Scalar):
            message = f"the name of an outcome is expected, not {describe(each)}"
            found.append(Diagnostic("wrong-shape", message, each.place))
        elif each.text in rule.outcomes:
            outcomes[each.text] = rule.outcomes[each.text]
        else:
            near = nearest(each.text, rule.outcomes)
            known = f"it has {', '.join(rule.outcomes)}" if rule.outcomes else "it has none: give 'name: expression'"
            hint = known if near is None else f"did you mean '{near}'?"
            message = f"'{rule.name}' has no outcome '{each.text}'"
            found.append(Diagnostic("unknown-outcome", message, each.place, hint))
    return outcomes, found


def _arguments(node: Mapping, rule: Procedure, program: Program) -> tuple[list[Expr], list[Diagnostic]]:
    given = node.get("with")
    given = given if isinstance(given, Mapping) else None
    found: list[Diagnostic] = []
    arguments = []
    names = [each.name for each in rule.takes]
    misspelt: set[str | None] = set()
    for key in given or ():
        if given is not None and key not in names:
            message = f"'{rule.name}' takes no '{key}'"
            found.append(Diagnostic("unknown-argument", message, given.key_place(key), did_you_mean(key, names)))
            misspelt.add(nearest(key, [each for each in names if each not in given]))
    for parameter in rule.takes:
        value = given.get(parameter.name) if given is not None else None
        if value is None and parameter.name in misspelt:
            continue
        if not isinstance(value, Scalar):
            message = f"'{rule.name}' needs a value for '{parameter.name}' ({parameter.type}) under 'with'"
            found.append(Diagnostic("missing-argument", message, node.place))
            continue
        try:
            expr = parse_expr(value.source)
        except RulesetError as error:
            found += error.diagnostics
            continue
        found += check_expression(program, expr, (), parameter.type)
        arguments.append(expr)
    return arguments, found
