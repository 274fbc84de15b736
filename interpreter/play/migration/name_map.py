"""New names for what a recorded game calls by old ones, so that a mere renaming is no difference."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from interpreter.play.inputs.inputs import DIE, PICK
from interpreter.play.migration.state_diff import SHOWN, Key, Values
from interpreter.play.migration.transcript import Transcript, TranscriptInput, TranscriptStep

_COUNTER: Final = re.compile(r"(.+)(_\d+)")


@dataclass(frozen=True, slots=True)
class NameMap:
    """From old names to new ones: of `kinds`, `things` and words by kind and id, `attributes`, `rules` and steps."""

    kinds: Mapping[str, str] = field(default_factory=dict)
    things: Mapping[tuple[str, str], str] = field(default_factory=dict)
    attributes: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.kinds or self.things or self.attributes or self.rules)

    # ------------------------------------------------------------ single names
    def thing(self, kind: str, name: str) -> str:
        """The id of a thing or word; counters of one line of a counter-mix go by its name and their number."""
        if (kind, name) in self.things:
            return self.things[kind, name]
        found = _COUNTER.fullmatch(name)
        new = None if found is None else self.things.get((kind, found[1]))
        return name if found is None or new is None else f"{new}{found[2]}"

    def bare(self, name: Any) -> Any:
        """A face, a seat or a pick, which go by their ids alone."""
        if not isinstance(name, str):
            return name
        return next((new for kind, _ in self.things if (new := self.thing(kind, name)) != name), name)

    def ref(self, ref: str) -> str:
        """The `kind/id` of a thing."""
        kind, slash, name = ref.partition("/")
        return f"{self.kinds.get(kind, kind)}{slash}{self.thing(kind, name)}"

    def address(self, address: str) -> str:
        """The address of a decision, or the name of a rule."""
        rule, dot, name = address.rpartition(".")
        return f"{self.rules.get(rule, rule)}.{name}" if dot else self.rules.get(address, address)

    def path(self, path: str) -> str:
        """The path of a step, or of a rule."""
        return "/".join([self.rules.get(each, each) for each in path.split("/")])

    def value(self, stable: Any) -> Any:
        """A value in its stable form."""
        match stable:
            case (str(kind), str(name)) if kind[:1] != ":":
                return self.kinds.get(kind, kind), self.thing(kind, name)
            case (":action", str(name)):
                return ":action", self.rules.get(name, name)
            case (":reason", str(rule), str(name)):
                return ":reason", self.path(rule), name
            case (":record", str(kind), *values):
                own = [(self.attributes.get(name, name), self.value(each)) for name, each in values]
                return (":record", self.kinds.get(kind, kind), *own)
            case tuple():
                return tuple([self.value(each) for each in stable])
        return stable

    def result(self, winners: tuple[str, ...], reason: str) -> tuple[tuple[str, ...], str]:
        """How a game ended."""
        return tuple([self.bare(each) for each in winners]), reason

    # ------------------------------------------------------------ courses
    def course(self, course: Transcript) -> Transcript:
        """A course in new names."""
        knowledge = course.knowledge
        return replace(
            course,
            given=[self._given(each) for each in course.given],
            passed=[self._passed(each) for each in course.passed],
            result=None if course.result is None else self.result(*course.result),
            start=None if course.start is None else self._values(course.start),
            knowledge=None if knowledge is None else knowledge.renamed(self.kinds, self.attributes),
            last_step=None if course.last_step is None else self.path(course.last_step),
            last_changes=self._values(course.last_changes),
        )

    def _given(self, given: TranscriptInput) -> TranscriptInput:
        told = self.bare if given.tag in (DIE, PICK) else self.value
        values = tuple([told(each) for each in given.values])
        could = None if given.could is None else tuple([told(each) for each in given.could])
        return TranscriptInput(given.tag, self.address(given.address), values, self.bare(given.seat), could)

    def _passed(self, passed: TranscriptStep) -> TranscriptStep:
        changes = None if passed.changes is None else self._values(passed.changes)
        return passed._replace(path=self.path(passed.path), scope=self.value(passed.scope), changes=changes)

    def _values(self, values: Values) -> Values:
        return {
            self._key(key): self._shown(each) if key[0] == SHOWN else self.value(each) for key, each in values.items()
        }

    def _shown(self, value: Any) -> Any:
        """What is revealed: pairs of the `kind/id` of a thing and of a seat."""
        return tuple(sorted((self.ref(thing), self.ref(seat)) for thing, seat in value))

    def _key(self, key: Key) -> Key:
        owner, attribute = key
        return (self.ref(owner) if "/" in owner else owner), self.attributes.get(attribute, attribute)
