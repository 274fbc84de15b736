"""Maps the old names of a recorded game to new ones, so that a renaming alone is no difference."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from interpreter.play.inputs.inputs import DIE, PICK
from interpreter.play.replay.state_diff import REVEALED, Key, Values
from interpreter.play.replay.transcript import Transcript, TranscriptInput, TranscriptStep

_COUNTER: Final = re.compile(r"(.+)(_\d+)")


@dataclass(frozen=True, slots=True)
class NameMap:
    """Maps old names to new ones: `kinds`, `things` and words by kind and id, `attributes`, `rules` and steps."""

    kinds: Mapping[str, str] = field(default_factory=dict)
    things: Mapping[tuple[str, str], str] = field(default_factory=dict)
    attributes: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.kinds or self.things or self.attributes or self.rules)

    # ------------------------------------------------------------ single names
    def thing(self, kind: str, name: str) -> str:
        """Returns the new id of a thing or word; a numbered counter follows the name of its line of the counter-mix."""
        if (kind, name) in self.things:
            return self.things[kind, name]
        found = _COUNTER.fullmatch(name)
        new = None if found is None else self.things.get((kind, found[1]))
        return name if found is None or new is None else f"{new}{found[2]}"

    def plain_id(self, name: Any) -> Any:
        """Returns the new id of a face, a seat or a pick, which are recorded without their kind."""
        if not isinstance(name, str):
            return name
        return next((new for kind, _ in self.things if (new := self.thing(kind, name)) != name), name)

    def ref(self, ref: str) -> str:
        """Returns the new `kind/id` of a thing."""
        kind, slash, name = ref.partition("/")
        return f"{self.kinds.get(kind, kind)}{slash}{self.thing(kind, name)}"

    def address(self, address: str) -> str:
        """Returns the new address of a decision, or the new name of a rule."""
        rule, dot, name = address.rpartition(".")
        return f"{self.rules.get(rule, rule)}.{name}" if dot else self.rules.get(address, address)

    def path(self, path: str) -> str:
        """Returns the new path of a step or of a rule."""
        return "/".join([self.rules.get(each, each) for each in path.split("/")])

    def value(self, stable: Any) -> Any:
        """Returns a value in its stable form with new names."""
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
        """Returns the winners and the reason of an ended game with new names."""
        return tuple([self.plain_id(each) for each in winners]), reason

    # ------------------------------------------------------------ transcripts
    def transcript(self, transcript: Transcript) -> Transcript:
        """Returns a transcript with new names."""
        vocabulary = transcript.vocabulary
        return replace(
            transcript,
            inputs=[self._input(each) for each in transcript.inputs],
            steps=[self._step(each) for each in transcript.steps],
            result=None if transcript.result is None else self.result(*transcript.result),
            start=None if transcript.start is None else self._values(transcript.start),
            vocabulary=None if vocabulary is None else vocabulary.renamed(self.kinds, self.attributes),
            last_step=None if transcript.last_step is None else self.path(transcript.last_step),
            last_changes=self._values(transcript.last_changes),
        )

    def _input(self, old: TranscriptInput) -> TranscriptInput:
        rename = self.plain_id if old.tag in (DIE, PICK) else self.value
        values = tuple([rename(each) for each in old.values])
        possible = None if old.possible is None else tuple([rename(each) for each in old.possible])
        return TranscriptInput(old.tag, self.address(old.address), values, self.plain_id(old.seat), possible)

    def _step(self, old: TranscriptStep) -> TranscriptStep:
        changes = None if old.changes is None else self._values(old.changes)
        return old._replace(path=self.path(old.path), scope=self.value(old.scope), changes=changes)

    def _values(self, values: Values) -> Values:
        return {
            self._key(key): self._revealed(each) if key[0] == REVEALED else self.value(each)
            for key, each in values.items()
        }

    def _revealed(self, value: Any) -> Any:
        """Renames revealed things: pairs of the `kind/id` of a thing and of a seat."""
        return tuple(sorted((self.ref(thing), self.ref(seat)) for thing, seat in value))

    def _key(self, key: Key) -> Key:
        owner, attribute = key
        return (self.ref(owner) if "/" in owner else owner), self.attributes.get(attribute, attribute)
