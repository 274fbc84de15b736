"""Selects the worked examples that a change of the rules can affect: those that ran code which the change alters.

Each example is traced once under the original rules. A changed ruleset is then compared with these function by
function. An example that ran no changed function, and whose own code inlines nothing of the changed entry, has the same
result.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from types import CodeType, FrameType
from typing import Final

from interpreter.language.model.image import CODE_NAME, ActionImage, Image, Site
from interpreter.language.model.kind_hierarchy import Symbol
from interpreter.language.model.program import Constant, Definition
from interpreter.language.model.rule_bodies import rule_texts
from interpreter.language.tree.statements import SyntaxNode
from interpreter.language.tree.traversal import walk_tree
from interpreter.rules.linking.examples import Example
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.workshop.examples.environment import Environment, Environments, environments_of
from interpreter.workshop.examples.prepare import prepare
from interpreter.workshop.examples.run_examples import each_example

_EXCLUDED_FIELDS: Final = frozenset({"units", "sites", "tables", "records", "actions"})
"""Fields of an image that are code, that affect only the log, or that are compared separately."""
_SITE_NUMBER: Final = re.compile(r'(\bS|\bT\("\w+", |\btally\.append\(\()(\d+)\b')
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_ASSIGNED: Final = re.compile(r"([A-Za-z_]\w*) = ")


@dataclass(frozen=True, slots=True)
class ExampleTrace:
    """The trace of an example: the emitted functions it ran, the rules with events, the entries it may inline."""

    passed: bool
    ran: frozenset[str]
    active_rules: frozenset[str]
    inlined: frozenset[str]
    is_runaway: bool = False


def trace_examples(ruleset: Ruleset, names: Sequence[str]) -> dict[str, ExampleTrace]:
    """Runs these examples of a ruleset and traces them.

    Raises:
        RulesetError, UsageError: if the ruleset can't be loaded, or there is no example of a name.
        QuotaSpentError: as `each_example`.
    """
    environments, sites = environments_of(ruleset), ruleset.image.sites
    found, reports = {}, each_example(ruleset, names)
    for name in names:
        with _called_code() as codes:
            report = next(reports)
        ran = frozenset(each.co_qualname.partition(".")[0] for each in codes if each.co_filename == CODE_NAME)
        active_rules = frozenset(sites[number].rule for number in report.sites)
        inlined = (
            frozenset(_inlined_entries(environments.examples[name], environments))
            if report.passed
            else frozenset[str]()
        )
        found[name] = ExampleTrace(report.passed, ran, active_rules, inlined, report.is_runaway)
    return found


@contextmanager
def _called_code() -> Iterator[set[CodeType]]:
    """Collects the code of all functions that are called; other tracers are suspended meanwhile."""
    seen: set[CodeType] = set()

    def record(frame: FrameType, _event: str, _argument: object) -> None:
        seen.add(frame.f_code)

    before = sys.gettrace()
    sys.settrace(record)
    try:
        yield seen
    finally:
        sys.settrace(before)


def _inlined_entries(example: Example, environments: Environments) -> Iterator[str]:
    """Yields the entries whose code an example may inline: those that it names, directly or through definitions."""
    prepared = prepare(example, environments)
    expressions = [*prepared.claims, *([prepared.run] if prepared.run is not None else [])]
    pending: list[SyntaxNode] = [each.expr for each in expressions]
    known: set[str] = set()
    while pending:
        for node in walk_tree(pending.pop()):
            ref = getattr(node, "ref", None)
            if (
                isinstance(ref, Symbol)
                and (path := ref.path if ref.address else f"{ref.section}/{ref.title}") not in known
            ):
                known.add(path)
                yield path
                pending += _texts(ref)


def _texts(symbol: Symbol) -> Sequence[SyntaxNode]:
    if isinstance(symbol, Definition):
        return list(rule_texts(symbol))
    return [symbol.value] if isinstance(symbol, Constant) else []


class ExampleSelection:
    """The traced examples of a ruleset, from which those affected by a change are selected."""

    def __init__(self, ruleset: Ruleset, traces: Mapping[str, ExampleTrace]) -> None:
        self._environments = environments_of(ruleset)
        self._traces = traces
        self._sources: dict[str, _SourceIndex] = {}

    def affected_by(self, changed: Ruleset, rule: str) -> Iterator[str]:
        """Yields the examples that a changed ruleset must be tested with, the most likely to fail first.

        `rule` is the changed entry. The environment of a set of options is made when its first example is reached.
        """
        environments = environments_of(changed)
        changed_by_options: dict[str, frozenset[str] | None] = {}
        for name in sorted(self._traces, key=lambda name: self._priority(name, rule)):
            each, options = self._traces[name], self._environments.examples[name].options
            key = repr(sorted(options.items()))
            if key not in changed_by_options:
                changed_by_options[key] = self._changed_functions(
                    key, self._environments.with_options(options), environments.with_options(options)
                )
            changed_functions = changed_by_options[key]
            if (
                not each.passed
                or changed_functions is None
                or rule in each.inlined
                or not changed_functions.isdisjoint(each.ran)
            ):
                yield name

    def _priority(self, name: str, rule: str) -> tuple[bool, int, int]:
        """Returns the sort key of an example: those with events of the rule first, and of these the simplest."""
        each = self._traces[name]
        return rule not in each.active_rules, len(self._environments.examples[name].options), len(each.ran)

    def _changed_functions(self, key: str, original: Environment, changed: Environment) -> frozenset[str] | None:
        """Returns the functions that differ in a changed environment; none if other parts may differ."""
        if not _same_data(original.image, changed.image):
            return None
        if key not in self._sources:
            self._sources[key] = _SourceIndex(original.image)
        return self._sources[key].changed_functions(_SourceIndex(changed.image))


def _same_data(one: Image, other: Image) -> bool:
    names = [each.name for each in fields(Image) if each.name not in _EXCLUDED_FIELDS]
    return all(getattr(one, name) == getattr(other, name) for name in names) and _actions_without_sites(
        one
    ) == _actions_without_sites(other)


def _actions_without_sites(image: Image) -> list[ActionImage]:
    """Returns the actions without the numbers of their sites."""
    return [replace(each, picks=tuple([replace(pick, site=0) for pick in each.picks])) for each in image.actions]


class _SourceIndex:
    """The emitted source of an image by function, and by name of precomputed value."""

    def __init__(self, image: Image) -> None:
        self.functions: dict[str, str] = {}
        self.values: dict[str, str] = {name: repr(stored) for name, stored in image.records}
        self.rest: list[str] = []
        text = next(each.source for each in image.units if each.variant == "traced")
        for piece in re.split(r"\n(?=\S)", _without_site_numbers(text, image.sites)):
            if piece.startswith("def "):
                self.functions[piece[4 : piece.index("(")]] = piece
            elif (assigned := _ASSIGNED.match(piece)) is not None:
                self.values[assigned[1]] = piece
            else:
                self.rest.append(piece)

    def changed_functions(self, changed: _SourceIndex) -> frozenset[str] | None:
        """Returns the functions that differ in `changed`, or read a value that does; none if this is not known."""
        if self.rest != changed.rest:
            return None
        values = {name for name, text in self.values.items() if changed.values.get(name) != text}
        found = {name for name, text in self.functions.items() if changed.functions.get(name) != text}
        while values:
            found |= {name for name, text in self.functions.items() if not values.isdisjoint(_NAME.findall(text))}
            more = {name for name, text in self.values.items() if not values.isdisjoint(_NAME.findall(text))}
            values = more - values
        return frozenset(found)


def _without_site_numbers(text: str, sites: Sequence[Site]) -> str:
    """Returns emitted source with the content of its sites in place of their numbers, which shift between rulesets."""

    def described(found: re.Match[str]) -> str:
        if int(found[2]) >= len(sites):
            return found[0]
        site = sites[int(found[2])]
        return f"{found[1]}<{site.kind} {site.rule} {site.address} {site.prompt} {site.labels}>"

    return _SITE_NUMBER.sub(described, text)
