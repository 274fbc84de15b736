"""Things, words and prompts as people read them, in one language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Sized
from copy import copy
from fractions import Fraction
from typing import Any

from interpreter.language.diagnostics import MOST_LISTED, nearest
from interpreter.language.model.image import Site
from interpreter.play.inputs.value_codec import Act
from interpreter.play.wording import messages
from interpreter.play.wording.messages import COMMA, HIDDEN, RECORD, RECORD_OF, WORDS, Formatted, Message
from interpreter.play.wording.past_values import Bygone
from interpreter.world.things import Piece, Record, Seat, Space, Thing, Word

_NOTHING = {
    "maybe": "none",
    "menu": "pass",
    "next": "stop",
    "up_to": "no more",
    "any": "no more",
    "some": "no more",
    "rank": "no more",
}

_NUMBERED = re.compile(r"(.+)_(\d+)")
"""The id of one of several counters that a line of the counter-mix stands for."""
_PLACEHOLDER = re.compile(r"\{[^}]*\}")
FIELD = re.compile(r"\{(\w+)(?:\?((?:[^{}]|\{\w+\})*))?\}")
"""In a template: `{name}` for a value, `{name?text}` for a text, with values in it, that stands where it is set."""
_ATTRIBUTE = re.compile(r"\{(\w+)")
NAME = "name"
"""What every template may show: what the thing is called without it."""
NEARBY = "nearby"
"""What a title of spaces may show besides: what `presentation.nearby` names for them."""
_DEEPEST_TITLE = 2
_FARTHEST = 4
"""Steps beyond which nothing is near."""


class Wording:
    """The presentation of a ruleset: `names`, `titles`, `words`, `attributes`, `prompts`, `answers` and `log`.

    Each text is plain or a mapping from language to text. What has none is called by its id, underscores read as
    blanks; counters of one line may have a name together, which their numbers follow. A title is a template of stored
    values, for what no name can be given beforehand: pieces made in play, and records; of a space it may show what is
    `nearby`. `seats` are a scenario's own names of them.
    """

    def __init__(
        self,
        presentation: Mapping[str, Any] | None = None,
        language: str = "en",
        seats: Mapping[str, Any] | None = None,
    ) -> None:
        data = presentation or {}
        self.language = language
        self._names: Mapping[str, Mapping[str, Any]] = data.get("names", {})
        self._titles: Mapping[str, Any] = data.get("titles", {})
        self._words: Mapping[str, Any] = data.get("words", {})
        self._attributes: Mapping[str, Any] = data.get("attributes", {})
        self._prompts: Mapping[str, Any] = data.get("prompts", {})
        self._answers: Mapping[str, Any] = data.get("answers", {})
        self._log: Mapping[str, Any] = data.get("log", {})
        self._nearby: Mapping[str, str] = data.get("nearby", {})
        self._near: dict[str, str] = {}
        """What lies nearest to a space, as far as that was asked."""
        self._seats = seats or {}
        self._within = 0
        """How many titles stand within one another at the moment."""
        self._bygone: Bygone | None = None
        """What titles showed at the time that is told of; none: what they show now."""

    @property
    def titled(self) -> frozenset[str]:
        """The attributes that titles may show."""
        titles = [each.values() if isinstance(each, Mapping) else [each] for each in self._titles.values()]
        return frozenset(found[1] for texts in titles for text in texts for found in _ATTRIBUTE.finditer(str(text)))

    def telling(self, bygone: Bygone) -> Wording:
        """The same words for what is past: titles show what they showed then."""
        made = copy(self)
        made._bygone = bygone
        return made

    def of(self, value: Any) -> str:
        """A value in words."""
        match value:
            case None:
                return self.word("none")
            case bool():
                return self.word("yes" if value else "no")
            case Thing():
                return self._named(value)
            case Word() if value.id == f"hidden_{value.kind}":
                return self.say(HIDDEN, kind=self.word(value.kind))
            case Word() | Act():
                return self.word(value.id)
            case Record():
                return self._titled(value, None) or self._recorded(value)
            case str():
                return self.word(value)
            case Mapping():
                return self.listed([f"{self.of(each)}: {self.of(share)}" for each, share in value.items()])
            case Sequence():
                return self.listed([self.of(each) for each in value])
            case Fraction():
                return _decimal(value)
            case _:
                return str(value)

    def say(self, saying: Message, **values: Any) -> str:
        """A sentence of the engine in this language."""
        return saying.within(self.language, values)

    def told(self, saying: Message, **values: Any) -> Formatted:
        """The same, to be told again with other values."""
        return Formatted(saying, self.language, values)

    def listed(self, texts: Sequence[str]) -> str:
        """Texts in a row; of none, the word for none."""
        return self.say(COMMA).join(texts) or self.word("none")

    def nothing(self, kind: str) -> str:
        """What choosing nothing is called in a decision of this kind."""
        return self.word(_NOTHING.get(kind, "none"))

    def prompt(self, site: Site, given: str | Sequence[Any] | None) -> str:
        """The question of a decision: of the presentation, else as the rule says it, else by its address.

        `given` are the parts of a question that depends on the moment.
        """
        parts = (given,) if isinstance(given, str) else tuple(given or ())
        asked = "".join([each if isinstance(each, str) else self.of(each) for each in parts])
        own = self._text(self._prompts.get(site.address))
        if own is None or (asked and self.language == "en"):
            return asked or own or site.prompt or readable(site.address.rpartition(".")[2]).capitalize() + "?"
        return self._filled(own, [each for each in parts if not isinstance(each, str)])

    def _filled(self, text: str, values: Sequence[Any]) -> str:
        """A prompt with the values of the question: `{1}` by number, others in their order; a single one for all."""
        told = [self.of(each) for each in values]
        rest = iter(told)

        def given(found: re.Match[str]) -> str:
            number = found[0][1:-1]
            if len(told) == 1:
                return told[0]
            if number.isdecimal():
                return told[int(number) - 1] if 0 < int(number) <= len(told) else "…"
            return next(rest, "…")

        return _PLACEHOLDER.sub(given, text)

    def line(self, site: Site, parts: Sequence[Any]) -> str:
        """A line of the log: of the presentation, else as the rule says it."""
        own = self._text(self._log.get(site.prompt))
        values = None if own is None else _values(site.prompt, parts)
        if own is not None and values is not None:
            return self._filled(own, values)
        return "".join([each if isinstance(each, str) else self.of(each) for each in parts])

    def asked(self, address: str) -> str:
        """What an answer to the decision at this address is called in the log."""
        return self._text(self._answers.get(address)) or readable(address.rpartition(".")[2])

    def question(self, site: Site) -> str:
        """What a decision was about, told when it is over: as the log calls it, else its question, else its address."""
        own = self._text(self._answers.get(site.address))
        asked = self._text(self._prompts.get(site.address)) or site.prompt
        return own or (asked if asked and not _PLACEHOLDER.search(asked) else self.asked(site.address))

    def hinted(self, text: str, name: str, known: Iterable[str]) -> str:
        """A message that a name is not known, with the nearest one that is, or the few there are."""
        candidates = sorted(set(known))
        if (close := nearest(name, candidates)) is not None:
            return self.say(messages.HINTED, said=text, hint=self.say(messages.DID_YOU_MEAN, name=close))
        if 0 < len(candidates) <= MOST_LISTED:
            told = self.say(messages.KNOWN_HERE, names=self.say(COMMA).join(candidates))
            return self.say(messages.HINTED, said=text, hint=told)
        return text

    def word(self, word: str, said: str | None = None) -> str:
        """A word, an action or a step: as the presentation calls it, else as the rules say, else by its name."""
        own = self._text(self._words.get(word)) or said
        return own or (self.say(WORDS[word]) if word in WORDS else readable(word))

    def attribute(self, name: str) -> str:
        """An attribute or state value by its name."""
        return self._text(self._attributes.get(name)) or readable(name)

    def _named(self, thing: Thing) -> str:
        if isinstance(thing, Seat) and (own := self._text(self._seats.get(thing.id))) is not None:
            return own
        if (own := self._given(thing, thing.id)) is not None:
            return own
        if isinstance(thing, Piece) and (numbered := _NUMBERED.fullmatch(thing.id)):
            own = self._given(thing, numbered[1])
            if own is not None:
                return f"{own} {numbered[2]}"
        return self._titled(thing, readable(thing.id)) or readable(thing.id)

    def _given(self, thing: Thing, name: str) -> str | None:
        """What `names` say of this id, for the thing's kind or one above it."""
        for kind in (thing.kind, *thing.lineage):
            own = self._text(self._names.get(kind, {}).get(name))
            if own is not None:
                return own
        return None

    def stem(self, thing: Thing) -> str:
        """What a counter is called together with its like, without its number; anything else by its name."""
        name, numbered = self.of(thing), _NUMBERED.fullmatch(thing.id)
        if numbered is None:
            return name
        own = self._given(thing, numbered[1]) or readable(numbered[1])
        return own if name == f"{own} {numbered[2]}" else name

    def _titled(self, bundle: Thing | Record, name: str | None) -> str:
        """By the title of its nearest kind that has one, its own name in it; nothing where there is none."""
        kinds = bundle.lineage if isinstance(bundle, Thing) else (bundle.kind,)
        title = next((self._text(self._titles[each]) for each in kinds if each in self._titles), None)
        if title is None or self._within == _DEEPEST_TITLE:
            return ""

        def field(found: re.Match[str]) -> str:
            known = found[1] in bundle.attributes
            value = self._stored(bundle, found[1]) if known else name
            if found[1] == NEARBY and isinstance(bundle, Space):
                value = self.nearby(bundle)
            if found[2] is not None:
                return FIELD.sub(field, found[2]) if is_set(value) else ""
            return self.of(value) if known else value or ""

        self._within += 1
        try:
            return " ".join(FIELD.sub(field, title).split())
        finally:
            self._within -= 1

    def _stored(self, bundle: Thing | Record, attribute: str) -> Any:
        value = getattr(bundle, bundle.slots[bundle.attributes.index(attribute)])
        if self._bygone is None:
            return value
        return self._bygone.value(bundle, attribute, value)

    def nearby(self, space: Space) -> str:
        """What the nearest space has of the attribute that `nearby` names for this kind; nothing if all are far."""
        if space.ref not in self._near:
            attribute = next((self._nearby[each] for each in space.lineage if each in self._nearby), None)
            slot = space.slots[space.attributes.index(attribute)] if attribute in space.attributes else None
            self._near[space.ref] = "" if slot is None else self._nearest(space, slot)
        return self._near[space.ref]

    def _nearest(self, space: Space, slot: str) -> str:
        seen, ring = {space}, [space]
        for _ in range(_FARTHEST):
            ring = list(dict.fromkeys([each for one in ring for each in one.neighbours if each not in seen]))
            seen.update(ring)
            found = next((value for each in ring if (value := getattr(each, slot, None)) is not None), None)
            if found is not None:
                return self.of(found)
        return ""

    def _recorded(self, record: Record) -> str:
        """A record by its kind and the first thing in it; one that holds none, by all its values."""
        values = [(name, getattr(record, slot)) for name, slot in zip(record.attributes, record.slots, strict=True)]
        thing = next((value for _, value in values if isinstance(value, Thing)), None)
        if thing is not None:
            return self.say(RECORD_OF, kind=self.word(record.kind), thing=self.of(thing))
        told = self.say(COMMA).join([f"{self.attribute(name)} {self.of(value)}" for name, value in values])
        return self.say(RECORD, kind=self.word(record.kind), values=told)

    def _text(self, texts: Any) -> str | None:
        if isinstance(texts, Mapping):
            texts = texts.get(self.language) or texts.get("en")
        return str(texts) if texts else None


def is_set(value: Any) -> bool:
    """Whether there is anything to show of a value: it is neither none, no, 0 nor empty."""
    return len(value) > 0 if isinstance(value, Sized) else bool(value)


def _values(template: str, parts: Sequence[Any]) -> list[Any] | None:
    """Those parts of a line that stand where its template has `{}`; none where the line is not of that template."""
    found, rest = [], template
    for each in parts:
        if rest.startswith("{}"):
            found.append(each)
            rest = rest[2:]
        elif isinstance(each, str) and rest.startswith(each):
            rest = rest[len(each) :]
        else:
            return None
    return None if rest else found


def readable(name: str) -> str:
    """A name of a ruleset as text."""
    return name.replace("_", " ")


def _decimal(value: Fraction) -> str:
    """A fraction as people write it: with a point where that comes out even, else as a fraction."""
    for places in range(1, 4) if value.denominator > 1 else ():
        scaled = value * 10**places
        if scaled.denominator == 1:
            whole, rest = divmod(abs(scaled.numerator), 10**places)
            return f"{'-' if value < 0 else ''}{whole}.{rest:0{places}d}"
    return str(value)
