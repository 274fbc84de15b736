"""Formats things, words and prompts in one language, by the presentation of a ruleset."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from copy import copy
from fractions import Fraction
from typing import Any

from interpreter.language.diagnostics import MAX_LISTED, nearest
from interpreter.language.model.image import Site
from interpreter.language.whole_numbers import whole_number
from interpreter.play.inputs.value_codec import Act
from interpreter.play.wording import messages, odds_messages
from interpreter.play.wording.default_question import default_question
from interpreter.play.wording.message import Formatted, Message
from interpreter.play.wording.messages import AND, COMMA, HIDDEN, HIDDEN_OF, RECORD, RECORD_OF, VALUE_OF, WORDS
from interpreter.play.wording.past_values import AT, EarlierValues
from interpreter.play.wording.value_texts import decimal, placed_values, texts_in_row
from interpreter.world.things import Piece, Record, Seat, Space, Thing, Word

_NONE_WORDS = {
    "maybe": "none",
    "menu": "pass",
    "next": "stop",
    "up_to": "no more",
    "any": "no more",
    "some": "no more",
    "rank": "no more",
}
"""The word for the option 'none', by kind of decision."""

_NUMBERED = re.compile(r"(.+)_(\d+)")
"""The id of one of several counters of one line of the counter-mix."""
_PLACEHOLDER = re.compile(r"\{[^}]*\}")
_COUNTED = r":([^{}|]*)\|([^{}|]*)"
FIELD = re.compile(rf"\{{(\w+)(?:\?((?:[^{{}}]|\{{\w+(?:{_COUNTED.replace('(', '(?:')})?\}})*)|{_COUNTED})?\}}")
"""In a template: `{name}` for a value; `{name?text}` for a text, which may contain values, if the value is set;
`{name:one|many}` for the first text if the value is 1 or has one element, else the second."""
VALUE_NAME = re.compile(r"\{(\w+)")
"""In a template: the name of a value, of all forms of fields."""
NAME = "name"
"""The field of every template for the name of the thing without the template."""
NEARBY = "nearby"
"""The field of titles of spaces for the attribute that `presentation.nearby` names."""
_MAX_TITLE_DEPTH = 2
_MAX_NEARBY_STEPS = 4


def counted(text: str, count: int) -> str:
    """Returns a text with one of the texts of each `{count:one|many}` in it, by a number."""
    return FIELD.sub(lambda found: found[0] if found[3] is None else found[3] if count == 1 else found[4], text)


class Wording:
    """The presentation of a ruleset: `names`, `plurals`, `titles`, `words`, `attributes`, `prompts`, `answers`,
    `declines`, `log` and `procedures`.

    Each text is plain or a mapping from language to text. Words and attributes without a text have that of the term of
    the same name in the glossary (`terms`). Without a text the id is used, with blanks for underscores. Every text
    becomes one line. `values` are the texts by language of values that are texts, by the English one.
    Counters of one line may share a name, followed by their numbers. A title is a template of stored values, for
    things without a fixed name: pieces created during play, and records. The title of a space may show what is
    `nearby`. `seats` are the scenario's own names of the seats, `names` those of other things by kind.
    """

    def __init__(
        self,
        presentation: Mapping[str, Any] | None = None,
        language: str = "en",
        seats: Mapping[str, Any] | None = None,
        names: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        data = presentation or {}
        self.language = language
        self._names: dict[str, Mapping[str, Any]] = dict(data.get("names", {}))
        for kind, own in (names or {}).items():
            self._names[kind] = {**self._names.get(kind, {}), **own}
        self._plurals: Mapping[str, Mapping[str, Any]] = data.get("plurals", {})
        self._titles: Mapping[str, Any] = data.get("titles", {})
        self._words: Mapping[str, Any] = data.get("words", {})
        self._terms: Mapping[str, Any] = data.get("terms", {})
        self._attributes: Mapping[str, Any] = data.get("attributes", {})
        self._values: Mapping[str, Any] = data.get("values", {})
        self._prompts: Mapping[str, Any] = data.get("prompts", {})
        self._answers: Mapping[str, Any] = data.get("answers", {})
        self._declines: Mapping[str, Any] = data.get("declines", {})
        self._log: Mapping[str, Any] = data.get("log", {})
        self._procedures: Mapping[str, Any] = data.get("procedures", {})
        self._nearby: Mapping[str, str] = data.get("nearby", {})
        self._near: dict[str, str] = {}
        """The cached text of `nearby`, by space."""
        self._seats = seats or {}
        self._title_depth = 0
        """The current number of nested titles."""
        self._past: EarlierValues | None = None
        """The values of an earlier time, which titles show; none for the current values."""

    @property
    def title_attributes(self) -> frozenset[str]:
        """The attributes that titles may show."""
        titles = [each.values() if isinstance(each, Mapping) else [each] for each in self._titles.values()]
        return frozenset(found[1] for texts in titles for text in texts for found in VALUE_NAME.finditer(str(text)))

    def as_of(self, past: EarlierValues) -> Wording:
        """Returns the same wording for an earlier time: titles show the values of that time."""
        earlier = copy(self)
        earlier._past = past
        return earlier

    def of(self, value: Any) -> str:
        """Returns the text of a value."""
        match value:
            case None:
                return self.word("none")
            case bool():
                return self.word("yes" if value else "no")
            case Thing():
                return self._named(value)
            case Word() if value.id == f"hidden_{value.kind}":
                return self._hidden(self.word(value.kind), getattr(value, "owner", None))
            case Word() | Act():
                return self.word(value.id)
            case Record():
                return self._titled(value, None) or self._recorded(value)
            case Site():
                return self.reason(value)
            case str():
                return self._text(self._values.get(value)) or self.word(value)
            case Mapping():
                pairs = [(self.of(each), self.of(share)) for each, share in value.items()]
                return self.join([self.say(messages.VALUE_OF, name=name, value=share) for name, share in pairs])
            case Sequence():
                return self.join(texts_in_row(value, self.of, self.language))
            case Fraction():
                return decimal(value)
            case _:
                return str(value)

    def say(self, message: Message, **values: Any) -> str:
        """Returns a formatted message in this language."""
        return message.format(self.language, values)

    def formatted(self, message: Message, **values: Any) -> Formatted:
        """Returns a message with its values, which can be formatted again with other values."""
        return Formatted(message, self.language, values)

    def join(self, texts: Sequence[str]) -> str:
        """Joins texts by commas; without texts, returns the word for none."""
        return self.say(COMMA).join(texts) or self.word("none")

    def listed(self, texts: Sequence[str]) -> str:
        """Joins texts by commas, the last two by the word for 'and'; without texts, returns an empty one."""
        return self.say(AND).join([each for each in (self.say(COMMA).join(texts[:-1]), *texts[-1:]) if each])

    def labelled(self, name: str, value: str) -> str:
        """Returns a value after its name; a blank goes before figures in every language, before words in some."""
        return f"{name} {value}" if value[:1].isascii() else self.say(messages.TRAIT_OF, name=name, value=value)

    def none_text(self, site: Site, *, has_picks: bool = False) -> str:
        """Returns the text of the option 'none' of a decision: its own, else the word for its kind of decision.

        `{more?text}` in a text of its own is shown once something is picked; a text that is empty without it counts as
        none before.
        """
        own = self._text(self._declines.get(site.address)) or ""
        shown = FIELD.sub(lambda found: found[2] or "" if has_picks else "", own)
        return shown if shown.strip() else self.word(_NONE_WORDS.get(site.kind, "none"))

    def words_for_none(self) -> list[str]:
        """Returns the words for the option 'none' that may be typed wherever it is offered."""
        return [self.word(each).casefold() for each in dict.fromkeys(_NONE_WORDS.values())]

    def declines(self, site: Site) -> bool:
        """Whether the option 'none' of a decision has a text of its own, which needs no name of the decision."""
        return site.address in self._declines

    def prompt(self, site: Site, parts: str | Sequence[Any] | None, options: Iterable[Any] = ()) -> str:
        """Returns the question of a decision: by the presentation, else by the rule, else by what is chosen.

        `parts` are the texts and values of a question with values.
        """
        parts = (parts,) if isinstance(parts, str) else tuple(parts or ())
        asked = "".join([each if isinstance(each, str) else self.of(each) for each in parts])
        own = self._text(self._prompts.get(site.address))
        if own is None or (asked and self.language == "en"):
            return asked or own or site.prompt or default_question(self, site.address.rpartition(".")[2], options)
        return self._filled(own, [each for each in parts if not isinstance(each, str)])

    def menu_prompt(self, site: Site | None, default: str) -> str:
        """Returns the question of a menu that is opened at a site, without its values; empty if it has none."""
        own = None if site is None else self._text(self._prompts.get(site.address))
        asked = default or (site.prompt if site is not None else "")
        return self._filled(own, ()) if own is not None and (self.language != "en" or not asked) else asked

    def _filled(self, text: str, values: Sequence[Any]) -> str:
        """Fills in the values of a question: `{1}` by number, others in order; a single value goes everywhere.

        `{1:one|many}` is one of two texts, by the number that the value is.
        """
        rest = iter(values)

        def value(found: re.Match[str]) -> str:
            number, counts, texts = found[0][1:-1].partition(":")
            if len(values) == 1:
                own = values[0]
            elif number.isdecimal():
                at = whole_number(number) or 0
                own = values[at - 1] if 0 < at <= len(values) else "…"
            else:
                own = next(rest, "…")
            one, bar, many = texts.partition("|")
            return (one if is_one(own) else many) if counts and bar else self.of(own)

        return _PLACEHOLDER.sub(value, text)

    def line(self, site: Site, parts: Sequence[Any]) -> str:
        """Returns a line of the log: by the presentation, else by the rule."""
        own = self._text(self._log.get(site.prompt))
        values = None if own is None else placed_values(site.prompt, parts)
        if own is not None and values is not None:
            return self._filled(own, values)
        return "".join([each if isinstance(each, str) else self.of(each) for each in parts])

    def decision_name(self, address: str) -> str:
        """Returns the name of the decision at this address in the log."""
        return self._text(self._answers.get(address)) or readable(address.rpartition(".")[2])

    def question(self, site: Site) -> str:
        """Returns the text for an answered decision: its name in the log, else its question, else its address."""
        own = self._text(self._answers.get(site.address))
        asked = self._text(self._prompts.get(site.address)) or site.prompt
        return own or (asked if asked and not _PLACEHOLDER.search(asked) else self.decision_name(site.address))

    def span(self, heading: str) -> str:
        """Returns a heading of a table in words: `2..5`, `6..` and `..1` are ranges of numbers."""
        low, is_range, high = heading.partition("..")
        if not is_range:
            return heading
        message = messages.FROM_TO if low and high else messages.OR_MORE if low else messages.OR_LESS
        return self.say(message, low=low, high=high)

    def with_hint(self, text: str, name: str, known: Iterable[str]) -> str:
        """Returns a message about an unknown name, with the nearest known name, or all names if they are few."""
        candidates = sorted(set(known))
        if (close := nearest(name, candidates)) is not None:
            return self.say(messages.WITH_HINT, text=text, hint=self.say(messages.DID_YOU_MEAN, name=close))
        if 0 < len(candidates) <= MAX_LISTED:
            hint = self.say(messages.KNOWN_HERE, names=self.say(COMMA).join(candidates))
            return self.say(messages.WITH_HINT, text=text, hint=hint)
        return text

    def word(self, word: str, default: str | None = None) -> str:
        """Returns the text of a word, an action or a step: by the presentation, else the default, else its name."""
        own = self._called(word, self._words) or default
        return own or (self.say(WORDS[word]) if word in WORDS else readable(word))

    def has_word(self, name: str) -> bool:
        """Whether the ruleset has a text for a word, an action, a step or a rule."""
        return self._called(name, self._words) is not None

    def rule(self, name: str, cites: Sequence[str] = ()) -> str:
        """Returns the text of a rule: its word, in English else its name, in other languages its first clause."""
        own = self._called(name, self._words)
        if own or self.language == "en":
            return own or readable(name)
        return self.clause_rule(cites)

    def clause_rule(self, cites: Sequence[str]) -> str:
        """Returns the text of a rule without a word: by its first clause."""
        return self.say(messages.RULE_OF, clause=cites[0]) if cites else self.say(messages.UNNAMED_RULE)

    def run_of(self, procedure: str, values: Mapping[str, Any]) -> str:
        """Returns what a run of a procedure with these arguments is called: by its template, else its name and these.

        The name of a parameter that has no words of its own says nothing to a player: only its value is shown.
        """
        template = self._text(self._procedures.get(procedure))
        if template is not None:
            return filled(template, values, self.of)
        shown = []
        for name, value in [each for each in values.items() if is_set(each[1])]:
            own = self._called(name, self._words)
            if own is not None or value is not True:
                shown.append(self.of(value) if own is None else self.say(VALUE_OF, name=own, value=self.of(value)))
        text = self.rule(procedure)
        return self.say(odds_messages.RUN_OF, procedure=text, arguments=self.join(shown)) if shown else text

    def draw_label(self, site: Site) -> str | None:
        """Returns the word for a draw or a random pick; none if it is named by its rule and the rule has no word."""
        is_unnamed = site.address == site.rule.rpartition("/")[2] and not self.has_word(site.address)
        return None if is_unnamed else self.word(site.address)

    def said(self, text: str, texts: Iterable[tuple[str, str]]) -> str:
        """Returns what an item says in this language, else `text`."""
        return dict(texts).get(self.language) or text

    def item(self, site: Site) -> str:
        """Returns the name of an item of a rule: its word, in English else its id, in other languages what it says."""
        own = self._called(site.address, self._words)
        return own or (readable(site.address) if self.language == "en" else self.reason(site))

    def _hidden(self, kind: str, owner: Any) -> str:
        return self.say(HIDDEN, kind=kind) if owner is None else self.say(HIDDEN_OF, kind=kind, owner=self.of(owner))

    def reason(self, site: Site) -> str:
        """Returns the text of a reason: what its item says, else the name of the item."""
        return self.said(site.prompt, site.texts) or self.word(site.address)

    def attribute(self, name: str, owner: Any = None) -> str:
        """Returns the text of a state value or an attribute: the one for its owner's kind, else for any kind."""
        kinds = () if not isinstance(owner, Thing | Record) else _kinds(owner)
        of_kind = next((key for kind in kinds if (key := f"{kind}.{name}") in self._attributes), name)
        return self._called(of_kind, self._attributes) or self._called(name, self._attributes) or readable(name)

    def of_reading(self, name: str, owner: Any, kind: str | None) -> str | None:
        """Returns the text of what a rule reads of a thing: an attribute, a computed value or its contents of a kind.

        There is none if it is not named in this language.
        """
        own = self._called(name, self._words)
        text = self.attribute(name, owner)
        if self.language == "en" or text != readable(name):
            return own or text
        return own or (None if kind is None else self._called(kind, self._words))

    def _called(self, name: str, texts: Mapping[str, Any]) -> str | None:
        """Returns the text of a name: its own in each language, else that of the glossary."""
        own, term = texts.get(name), self._terms.get(name)
        if isinstance(own, Mapping) and isinstance(term, Mapping):
            own = {**term, **own}
        return self._text(term if own is None else own)

    def _named(self, thing: Thing) -> str:
        if isinstance(thing, Seat) and (own := self._text(self._seats.get(thing.id))) is not None:
            return own
        if (own := self._own_name(thing, thing.id)) is not None:
            return own
        if isinstance(thing, Piece) and (numbered := _NUMBERED.fullmatch(thing.id)):
            own = self._own_name(thing, numbered[1])
            if own is not None:
                return f"{own} {numbered[2]}"
        return self._titled(thing, readable(thing.id)) or readable(thing.id)

    def _own_name(self, thing: Thing, name: str) -> str | None:
        """Returns the name of this id in `names`, for the thing's kind or a kind above it."""
        for kind in (thing.kind, *thing.lineage):
            own = self._text(self._names.get(kind, {}).get(name))
            if own is not None:
                return own
        return None

    def seat(self, name: str, kinds: Iterable[str]) -> str:
        """Returns the name of the seat of an id: the scenario's, else that of a kind of seat, else the id."""
        texts = [self._seats.get(name), *[self._names.get(kind, {}).get(name) for kind in kinds]]
        return next((own for own in map(self._text, texts) if own is not None), readable(name))

    def ending(self, winners: Sequence[str], reason: str) -> Formatted:
        """Returns how a game ended, with the names of the winners."""
        names = self.listed(winners)
        won = messages.WON if winners else messages.NOBODY_WON
        outcome = self.formatted(won, winners=names, count=len(winners))
        return self.formatted(messages.ENDED, outcome=str(outcome), reason=self.word(reason)) if reason else outcome

    def stem(self, thing: Thing) -> str:
        """Returns the name of a counter without its number; the full name of anything else."""
        name, numbered = self.of(thing), _NUMBERED.fullmatch(thing.id)
        if numbered is None:
            return name
        own = self._own_name(thing, numbered[1]) or readable(numbered[1])
        return own if name == f"{own} {numbered[2]}" else name

    def several(self, thing: Thing, count: int) -> str:
        """Returns the name of this many counters like one; counters with a plural are shown without numbers."""
        numbered = _NUMBERED.fullmatch(thing.id)
        name = thing.id if numbered is None else numbered[1]
        plurals = [own for kind in (thing.kind, *thing.lineage) if (own := self._plurals.get(kind, {}).get(name))]
        if count == 1:
            return self.stem(thing) if plurals else self.of(thing)
        own = next(iter(plurals), None)
        own = own.get(self.language) if isinstance(own, Mapping) else own
        return self.say(messages.SEVERAL_OF, count=count, name=self._text(own) or self.stem(thing))

    def _titled(self, bundle: Thing | Record, name: str | None) -> str:
        """Returns the text of the title of the nearest kind that has one; empty without a title."""
        title = next((self._text(self._titles[each]) for each in _kinds(bundle) if each in self._titles), None)
        if title is None or self._title_depth == _MAX_TITLE_DEPTH:
            return ""

        def field(found: re.Match[str]) -> str:
            known = found[1] in bundle.attributes or (found[1] == AT and isinstance(bundle, Piece))
            value = self._stored(bundle, found[1]) if known else name
            if found[1] == NEARBY and isinstance(bundle, Space):
                value = self.nearby(bundle)
            if found[2] is not None:
                return FIELD.sub(field, found[2]) if is_set(value) else ""
            if found[3] is not None:
                return found[3] if is_one(value) else found[4]
            return self.of(value) if known else value or ""

        self._title_depth += 1
        try:
            return " ".join(FIELD.sub(field, title).split())
        finally:
            self._title_depth -= 1

    def _stored(self, bundle: Thing | Record, attribute: str) -> Any:
        is_place = attribute == AT and attribute not in bundle.attributes
        value = getattr(bundle, AT if is_place else bundle.slots[bundle.attributes.index(attribute)])
        if self._past is None:
            return value
        return self._past.value(bundle, attribute, value)

    def nearby(self, space: Space) -> str:
        """Returns the text of the `nearby` attribute of the nearest space that has one; empty if none is near."""
        if space.ref not in self._near:
            attribute = next((self._nearby[each] for each in space.lineage if each in self._nearby), None)
            slot = space.slots[space.attributes.index(attribute)] if attribute in space.attributes else None
            self._near[space.ref] = "" if slot is None else self._nearest(space, slot)
        return self._near[space.ref]

    def _nearest(self, space: Space, slot: str) -> str:
        seen, ring = {space}, [space]
        for _ in range(_MAX_NEARBY_STEPS):
            ring = list(dict.fromkeys([each for one in ring for each in one.neighbours if each not in seen]))
            seen.update(ring)
            found = next((value for each in ring if (value := getattr(each, slot, None)) is not None), None)
            if found is not None:
                return self.of(found)
        return ""

    def _recorded(self, record: Record) -> str:
        """Returns a record by its kind and the first thing in it; without a thing, by all its values."""
        values = [(name, getattr(record, slot)) for name, slot in zip(record.attributes, record.slots, strict=True)]
        thing = next((value for _, value in values if isinstance(value, Thing)), None)
        if thing is not None:
            return self.say(RECORD_OF, kind=self.word(record.kind), thing=self.of(thing))
        texts = self.say(COMMA).join([self.labelled(self.attribute(name), self.of(value)) for name, value in values])
        return self.say(RECORD, kind=self.word(record.kind), values=texts)

    def _text(self, texts: Any) -> str | None:
        if isinstance(texts, Mapping):
            texts = texts.get(self.language) or texts.get("en")
        return str(texts).replace("\n", " ") if texts else None


def _kinds(bundle: Thing | Record) -> Sequence[str]:
    """Returns the kind of a thing or record and the kinds above it."""
    return bundle.lineage if isinstance(bundle, Thing) else (bundle.kind,)


def is_set(value: Any) -> bool:
    """Whether a value has something to show: it is neither none, no, 0 nor empty."""
    return len(value) > 0 if isinstance(value, Sized) else bool(value)


def is_one(value: Any) -> bool:
    """Whether a value is 1, or has one element."""
    is_many = isinstance(value, Sized) and not isinstance(value, str)
    return len(value) == 1 if is_many else bool(value == 1)


def filled(template: str, values: Mapping[str, Any], to_text: Callable[[Any], str]) -> str:
    """Returns a template with values by name; runs of blanks become one."""

    def field(found: re.Match[str]) -> str:
        value = values.get(found[1])
        if found[2] is not None:
            return FIELD.sub(field, found[2]) if is_set(value) else ""
        if found[3] is not None:
            return found[3] if is_one(value) else found[4]
        return "" if value is None else to_text(value)

    return " ".join(FIELD.sub(field, template).split())


def readable(name: str) -> str:
    """Returns a name of a ruleset with blanks for underscores and line breaks."""
    return name.replace("_", " ").replace("\n", " ")
