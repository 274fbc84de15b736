"""On which worked examples a change of the rules can bear: those in which code ran that it makes other.

Each example is watched once under the rules as they are. A changed ruleset is then compared function by function with
these; what runs no function that is other, and says nothing itself that is written out from the changed entry, comes
out as it did.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from types import CodeType, FrameType
from typing import Final

from interpreter.language.codegen.emit import CODE_NAME
from interpreter.language.model.image import ActionImage, Image, Site
from interpreter.language.model.kind_hierarchy import Symbol
from interpreter.language.model.program import Constant, Definition
from interpreter.language.model.rule_bodies import rule_texts
from interpreter.language.tree.statements import SyntaxNode
from interpreter.language.tree.traversal import below
from interpreter.rules.linking.examples import Example
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.workshop.examples.environment import Environment, Stages, stages_of
from interpreter.workshop.examples.prepare import prepare
from interpreter.workshop.examples.run_examples import each_example

_TOLD: Final = frozenset({"units", "sites", "tables", "records", "actions"})
"""Parts of an image that are code, that are only told of, or that are compared by themselves."""
_NUMBERED: Final = re.compile(r'(\bS|\bT\("\w+", |\btally\.append\(\()(\d+)\b')
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_ASSIGNED: Final = re.compile(r"([A-Za-z_]\w*) = ")


@dataclass(frozen=True, slots=True)
class ExampleTrace:
    """What an example ran: the names of emitted functions, the rules that spoke of it, the entries that it may hold."""

    passed: bool
    ran: frozenset[str]
    spoken: frozenset[str]
    holds: frozenset[str]


def watch(ruleset: Ruleset, names: Sequence[str]) -> dict[str, ExampleTrace]:
    """These examples of a ruleset, run and watched.

    Raises:
        RulesetError, UsageError: if the ruleset can't be loaded, or there is no example of a name.
    """
    stages, sites = stages_of(ruleset), ruleset.image.sites
    found, reports = {}, each_example(ruleset, names)
    for name in names:
        with _running() as codes:
            report = next(reports)
        ran = frozenset(each.co_qualname.partition(".")[0] for each in codes if each.co_filename == CODE_NAME)
        spoken = frozenset(sites[number].rule for number in report.sites)
        holds = frozenset(_held(stages.examples[name], stages)) if report.passed else frozenset[str]()
        found[name] = ExampleTrace(report.passed, ran, spoken, holds)
    return found


@contextmanager
def _running() -> Iterator[set[CodeType]]:
    """The code of all functions that are called; others that trace see nothing meanwhile."""
    seen: set[CodeType] = set()

    def note(frame: FrameType, _event: str, _argument: object) -> None:
        seen.add(frame.f_code)

    before = sys.gettrace()
    sys.settrace(note)
    try:
        yield seen
    finally:
        sys.settrace(before)


def _held(example: Example, stages: Stages) -> Iterator[str]:
    """The entries whose text may be written out in that of an example: what it names, and what definitions name."""
    prepared = prepare(example, stages)
    spoken = [*prepared.claims, *([prepared.run] if prepared.run is not None else [])]
    waiting: list[SyntaxNode] = [each.expr for each in spoken]
    known: set[str] = set()
    while waiting:
        for node in below(waiting.pop()):
            ref = getattr(node, "ref", None)
            if isinstance(ref, Symbol) and (path := f"{ref.section}/{ref.title}") not in known:
                known.add(path)
                yield path
                waiting += _texts(ref)


def _texts(symbol: Symbol) -> Sequence[SyntaxNode]:
    if isinstance(symbol, Definition):
        return list(rule_texts(symbol))
    return [symbol.value] if isinstance(symbol, Constant) else []


class ExampleSelection:
    """The examples of a ruleset as they were watched, to be held against changed rulesets."""

    def __init__(self, ruleset: Ruleset, watched: Mapping[str, ExampleTrace]) -> None:
        self._stages = stages_of(ruleset)
        self._watched = watched
        self._sources: dict[str, _Source] = {}

    def on(self, changed: Ruleset, rule: str) -> Iterator[str]:
        """The examples that a changed ruleset has to be tried on, those likeliest to notice it first.

        `rule` is the entry that was changed. A stage of options is made when an example of it comes up.
        """
        stages = stages_of(changed)
        others: dict[str, frozenset[str] | None] = {}
        for name in sorted(self._watched, key=lambda name: self._order(name, rule)):
            each, options = self._watched[name], self._stages.examples[name].options
            key = repr(sorted(options.items()))
            if key not in others:
                others[key] = self._other(key, self._stages.under(options), stages.under(options))
            other = others[key]
            if not each.passed or other is None or rule in each.holds or not other.isdisjoint(each.ran):
                yield name

    def _order(self, name: str, rule: str) -> tuple[bool, int, int]:
        """Those that the rule spoke in first, and of these the plainest."""
        each = self._watched[name]
        return rule not in each.spoken, len(self._stages.examples[name].options), len(each.ran)

    def _other(self, key: str, mine: Environment, changed: Environment) -> frozenset[str] | None:
        """The functions that are other in a changed stage; none if anything else may be."""
        if not _alike(mine.image, changed.image):
            return None
        if key not in self._sources:
            self._sources[key] = _Source(mine.image)
        return self._sources[key].other(_Source(changed.image))


def _alike(one: Image, other: Image) -> bool:
    names = [each.name for each in fields(Image) if each.name not in _TOLD]
    return all(getattr(one, name) == getattr(other, name) for name in names) and _actions(one) == _actions(other)


def _actions(image: Image) -> list[ActionImage]:
    """The actions without the numbers of their sites."""
    return [replace(each, picks=tuple([replace(pick, site=0) for pick in each.picks])) for each in image.actions]


class _Source:
    """The emitted text of an image by function, and by name of what is worked out beforehand."""

    def __init__(self, image: Image) -> None:
        self.functions: dict[str, str] = {}
        self.values: dict[str, str] = {name: repr(stored) for name, stored in image.records}
        self.rest: list[str] = []
        text = next(each.source for each in image.units if each.variant == "traced")
        for piece in re.split(r"\n(?=\S)", _by_meaning(text, image.sites)):
            if piece.startswith("def "):
                self.functions[piece[4 : piece.index("(")]] = piece
            elif (assigned := _ASSIGNED.match(piece)) is not None:
                self.values[assigned[1]] = piece
            else:
                self.rest.append(piece)

    def other(self, changed: _Source) -> frozenset[str] | None:
        """The functions that are other there, or read a value that is; none if what is other can't be told."""
        if self.rest != changed.rest:
            return None
        values = {name for name, text in self.values.items() if changed.values.get(name) != text}
        found = {name for name, text in self.functions.items() if changed.functions.get(name) != text}
        while values:
            found |= {name for name, text in self.functions.items() if not values.isdisjoint(_NAME.findall(text))}
            more = {name for name, text in self.values.items() if not values.isdisjoint(_NAME.findall(text))}
            values = more - values
        return frozenset(found)


def _by_meaning(text: str, sites: Sequence[Site]) -> str:
    """Emitted text with what its sites are in place of their numbers, which shift when something is left out."""

    def meant(found: re.Match[str]) -> str:
        if int(found[2]) >= len(sites):
            return found[0]
        site = sites[int(found[2])]
        return f"{found[1]}<{site.kind} {site.rule} {site.address} {site.prompt} {site.labels}>"

    return _NUMBERED.sub(meant, text)
