"""Evaluates an expression of the rule language in a situation: how far a stack can go, where a supply line runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from interpreter.inference.situation.situation import read_given, with_counters
from interpreter.inference.situation.start import start_of
from interpreter.language.codegen.emit import emit_expression
from interpreter.language.diagnostics import Diagnostic, RulesetError
from interpreter.language.model.program import Procedure
from interpreter.language.parsing.source_map import SourceText
from interpreter.language.tree.expressions import Call
from interpreter.language.tree.statements import After, Expr
from interpreter.language.tree.traversal import walk_tree
from interpreter.play.engine.core import Core
from interpreter.play.inputs.chance import BulkChance
from interpreter.play.inputs.dice import Dice
from interpreter.play.inputs.value_codec import short_name
from interpreter.rules.documents.source_excerpts import with_excerpts
from interpreter.rules.linking.scenario import link_scenario
from interpreter.rules.loading.ruleset import Ruleset, Scenario
from interpreter.workshop.examples.ad_hoc_expressions import checked_expression
from interpreter.world.things import Record


def ask(source: str | Path | Ruleset | Scenario, question: str, given: Any = None, **loading: Any) -> Any:
    """Returns the value of an expression as plain data: things as ids, sets and lists as lists, fractions as text.

    `source` is a ruleset or a scenario, by name, by path or loaded; `given`, a file or plain data as for `odds`, says
    what is different from its start. `loading`: `options`, `overlays` and `paths`, as for `load_ruleset`.

    Raises:
        UsageError: if there is no such ruleset, or the file can't be read.
        RulesetError: for mistakes in the question or the situation.
        RuleFault: if a rule fails.
    """
    node = read_given(given)
    start = start_of(source, node, **loading)
    changes, found = link_scenario(node, start.program)
    if any(each.severity == "error" for each in found):
        raise RulesetError(with_excerpts(found))
    game_source, rules = start.game_source(changes), start.ruleset.program
    program = with_counters(start.program, changes)
    expr = checked_expression(program, SourceText.plain(question, "<question>"), (), None)
    if found := list(_impure_calls(expr)):
        raise RulesetError(found)
    core = Core(game_source.shared("fast"), "fast", BulkChance(Dice(0)).names(), setup=game_source.setup)
    function = core.bind(emit_expression(rules, expr, ()), "ad_hoc")
    core.begin_query()
    with core.faults():
        return _as_data(function())


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
