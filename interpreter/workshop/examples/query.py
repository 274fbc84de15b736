"""What an expression of the rule language gives in a situation: how far a stack can go, where a supply line runs."""

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
from interpreter.language.tree.traversal import below
from interpreter.play.engine.core import Core
from interpreter.play.engine.source import GameSource, source_of, with_setup
from interpreter.play.inputs.chance import BulkChance
from interpreter.play.inputs.dice import Dice
from interpreter.play.inputs.value_codec import short
from interpreter.rules.documents.search_path import locate_scenario
from interpreter.rules.documents.source_excerpts import with_excerpts
from interpreter.rules.linking.scenario import link_scenario
from interpreter.rules.loading.load import load_ruleset, load_scenario
from interpreter.rules.loading.ruleset import Ruleset, Scenario
from interpreter.workshop.examples.ad_hoc_expressions import checked_expression
from interpreter.world.things import Record


def ask(source: str | Ruleset | Scenario, question: str, given: Any = None, **loading: Any) -> Any:
    """What an expression gives, as plain data: things by their ids, sets and lists as lists, fractions as text.

    `source` is a ruleset or a scenario, by name or loaded; the situation is its beginning, or what `given` says: a file
    or plain data as `odds` takes them. `loading` goes to `load_ruleset` or `load_scenario`.

    Raises:
        UsageError: if there is no such ruleset, or the file can't be read.
        RulesetError: for mistakes in the question or the situation.
        RuleFault: if a rule goes wrong.
    """
    if isinstance(source, str):
        source = _loaded(source, given, loading)
    setting, program = _situation(source, given)
    expr = checked_expression(program, SourceText.plain(question, "<question>"), (), None)
    if found := [*_doing(expr)]:
        raise RulesetError(found)
    core = Core(setting.shared("fast"), "fast", BulkChance(Dice(0)).names(), setup=setting.setup)
    function = core.bind(emit_expression(program, expr, ()), "ad_hoc")
    core.look()
    try:
        return _plain(function())
    except Exception as error:
        raise core.fault(error) from error


def _loaded(name: str, given: Any, loading: dict[str, Any]) -> Ruleset | Scenario:
    if given is None and locate_scenario(name, loading.get("paths", ())) is not None:
        return load_scenario(name, **loading)
    options = {**options_of(read_given(given)), **loading.pop("options", {})}
    return load_ruleset(name, options=options, **loading)


def _situation(source: Ruleset | Scenario, given: Any) -> tuple[GameSource, Program]:
    """What a game would begin from, and the program with all that can be named there."""
    if isinstance(source, Scenario) and given is None:
        return source_of(source), with_counters(source.ruleset.program, source.setup)
    ruleset = source.ruleset if isinstance(source, Scenario) else source
    setup, found = link_scenario(read_given(given), ruleset.program)
    if any(each.severity == "error" for each in found):
        raise RulesetError(with_excerpts(found))
    return with_setup(ruleset, setup), with_counters(ruleset.program, setup)


def _doing(expr: Expr) -> Iterator[Diagnostic]:
    """Calls of rules that do more than read: what is only asked changes nothing, but for what is only supposed."""
    supposed = [each.call for each in below(expr) if isinstance(each, After)]
    for each in below(expr):
        if each in supposed:
            continue
        if isinstance(each, Call) and isinstance(each.ref, Procedure) and not each.ref.effects.pure:
            message = f"'{each.name}' does something; only what reads can be asked"
            yield Diagnostic("asks-outside", message, each.place, "'odds' tells what can come of a procedure")


def _plain(value: Any, *, within: bool = False) -> Any:
    """A record within a record is told by its kind: records may stand in a ring."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, Record):
        if within:
            return value.kind
        return {
            name: _plain(getattr(value, slot), within=True)
            for name, slot in zip(value.attributes, value.slots, strict=True)
        }
    if isinstance(value, Mapping):
        return {short(key): _plain(each, within=within) for key, each in value.items()}
    if isinstance(value, Iterable):
        return [_plain(each, within=within) for each in value]
    return short(value)
