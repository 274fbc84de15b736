"""Evaluates an expression of the rule language in a situation: how far a stack can go, where a supply line runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from interpreter.inference.situation.situation import options_of, read_given, with_counters
from interpreter.language.codegen.emit import emit_expression
from interpreter.language.diagnostics import Diagnostic, RulesetError
from interpreter.language.model.program import Procedure, Program
from interpreter.language.parsing.source_map import SourceText
from interpreter.language.tree.expressions import Call
from interpreter.language.tree.statements import After, Expr
from interpreter.language.tree.traversal import walk_tree
from interpreter.play.engine.core import Core
from interpreter.play.engine.source import GameSource, source_of, with_setup
from interpreter.play.inputs.chance import BulkChance
from interpreter.play.inputs.dice import Dice
from interpreter.play.inputs.value_codec import short_name
from interpreter.rules.documents.search_path import locate_scenario
from interpreter.rules.documents.source_excerpts import with_excerpts
from interpreter.rules.linking.scenario import link_scenario
from interpreter.rules.loading.load import load_ruleset, load_scenario
from interpreter.rules.loading.ruleset import Ruleset, Scenario
from interpreter.workshop.examples.ad_hoc_expressions import checked_expression
from interpreter.world.things import Record


def ask(source: str | Ruleset | Scenario, question: str, given: Any = None, **loading: Any) -> Any:
    """Returns the value of an expression as plain data: things as ids, sets and lists as lists, fractions as text.

    `source` is a ruleset or a scenario, by name or loaded. The situation is its beginning, or that of `given`: a file
    or plain data as for `odds`. `loading` is passed on to `load_ruleset` or `load_scenario`.

    Raises:
        UsageError: if there is no such ruleset, or the file can't be read.
        RulesetError: for mistakes in the question or the situation.
        RuleFault: if a rule fails.
    """
    if isinstance(source, str):
        source = _loaded(source, given, loading)
    game_source, program = _situation(source, given)
    expr = checked_expression(program, SourceText.plain(question, "<question>"), (), None)
    if found := [*_impure_calls(expr)]:
        raise RulesetError(found)
    core = Core(game_source.shared("fast"), "fast", BulkChance(Dice(0)).names(), setup=game_source.setup)
    function = core.bind(emit_expression(program, expr, ()), "ad_hoc")
    core.begin_query()
    try:
        return _as_data(function())
    except Exception as error:
        raise core.fault(error) from error


def _loaded(name: str, given: Any, loading: dict[str, Any]) -> Ruleset | Scenario:
    if given is None and locate_scenario(name, loading.get("paths", ())) is not None:
        return load_scenario(name, **loading)
    options = {**options_of(read_given(given)), **loading.pop("options", {})}
    return load_ruleset(name, options=options, **loading)


def _situation(source: Ruleset | Scenario, given: Any) -> tuple[GameSource, Program]:
    """Returns the source of a game in the situation, and the program with all names that are known there."""
    if isinstance(source, Scenario) and given is None:
        return source_of(source), with_counters(source.ruleset.program, source.setup)
    ruleset = source.ruleset if isinstance(source, Scenario) else source
    setup, found = link_scenario(read_given(given), ruleset.program)
    if any(each.severity == "error" for each in found):
        raise RulesetError(with_excerpts(found))
    return with_setup(ruleset, setup), with_counters(ruleset.program, setup)


def _impure_calls(expr: Expr) -> Iterator[Diagnostic]:
    """Yields a finding for each call of a rule with effects, which only the hypothetical part of `after` may make."""
    hypothetical = [each.call for each in walk_tree(expr) if isinstance(each, After)]
    for each in walk_tree(expr):
        if each in hypothetical:
            continue
        if isinstance(each, Call) and isinstance(each.ref, Procedure) and not each.ref.effects.pure:
            message = f"'{each.name}' changes the game; a question can only read it"
            yield Diagnostic("asks-outside", message, each.place, "use 'odds' for the outcomes of a procedure")


def _as_data(value: Any, *, within: bool = False) -> Any:
    """Returns a value as plain data; a record within a record becomes its kind, because records can form cycles."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, Record):
        if within:
            return value.kind
        return {
            name: _as_data(getattr(value, slot), within=True)
            for name, slot in zip(value.attributes, value.slots, strict=True)
        }
    if isinstance(value, Mapping):
        return {short_name(key): _as_data(each, within=within) for key, each in value.items()}
    if isinstance(value, Iterable):
        return [_as_data(each, within=within) for each in value]
    return short_name(value)
