"""The log of a game: entries with their clauses, and explanations of results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from interpreter.language.diagnostics import Place, UsageError
from interpreter.language.model.image import Image, Site
from interpreter.play.engine.outcome import Result
from interpreter.play.engine.sequencer import Frame
from interpreter.play.inputs.value_codec import encode, encode_json
from interpreter.play.log.look_ups import LOOK_UPS, NOT_LOGGED, Event, follows_roll, parts_of_sums, sums_of_dice
from interpreter.play.log.open_calls import CALLS, open_calls, step_of
from interpreter.play.log.procedure_spans import ProcedureSpans
from interpreter.play.log.table_headings import headings_of, printed_cell
from interpreter.play.wording import messages, replay_messages
from interpreter.play.wording.message import Formatted
from interpreter.play.wording.past_values import PastValues
from interpreter.play.wording.wording import Wording
from interpreter.world.things import Record, Thing

EntryData = tuple[str | Formatted, str | None, dict[str, Any]]
"""The text of an entry, its seat, and its plain data."""

_CHANGES = {(True, False): messages.BECOMES, (False, True): messages.IS_NO_MORE}
"""The texts of changes, by whether nothing was there before and whether nothing is there now."""
_FLAGS = {True: messages.FLAG_SET, False: messages.FLAG_CLEARED}
_REPEATED = LOOK_UPS | {"line", "restriction"}


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry of the log: its number from 1, step, seat and clauses; `data` is plain data."""

    number: int
    step: str
    kind: str
    seat: str | None
    text: str
    cites: tuple[str, ...]
    data: dict[str, Any]
    formatted: Formatted | None = field(default=None, compare=False)
    """The message behind the text, if it is a message of the engine."""
    ends_picks: bool = field(default=False, compare=False)
    """Whether it is the answer 'no more' after the picks of one decision."""

    @property
    def short_text(self) -> str:
        """The text; of a sum without its parts, of a rule without its arguments."""
        short = None if self.formatted is None else _SHORT.get(self.formatted.message)
        return self.text if self.formatted is None or short is None else str(replace(self.formatted, message=short))

    @property
    def items(self) -> list[tuple[str, int, tuple[str, ...]]]:
        """The items of a sum: the name, value and clauses of each."""
        if self.kind != "modifiers" or self.formatted is None:
            return []
        pairs = zip(self.formatted.values["names"], self.data["items"], strict=True)
        return [(name, each["value"], tuple(each["cites"])) for name, each in pairs]

    def __str__(self) -> str:
        clauses = f"  [{', '.join(self.cites)}]" if self.cites else ""
        return f"{self.number:>4}  {self.text}{clauses}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of an entry: its rule with arguments, and everything that the rule did up to the entry.

    An entry in the span of a procedure with named outcomes is explained by the whole span: lines of the kind `enter`
    are its headings.
    """

    entry: LogEntry
    rule: str
    lines: tuple[LogEntry, ...]
    place: Place | None = None
    """The place of the rule text that made the entry, if there is one."""
    is_span: bool = False
    """Whether the lines are those of a whole span, including the consequences of the entry."""
    after: int = 0
    """In a whole span, the number of the first line after the entry."""
    title: str = ""
    """The name of the rule, without its arguments."""
    path: str = ""
    """The path of the rule in the ruleset; empty of a step without a rule of its own."""
    calls: tuple[LogEntry, ...] = ()
    """The calls that were running, the outermost first: the step, then the procedures and actions in it."""
    since_decision: tuple[LogEntry, ...] = ()
    """The last answers before the entry in its step, and all that the log has between them and the entry."""

    def __str__(self) -> str:
        lines = [f"{self.entry.text}, by {self.rule}:"]
        lines += [f"  {each.text}{'  ' if each.cites else ''}{_clauses(each.cites).lstrip()}" for each in self.lines]
        return "\n".join(lines)


class LogBuilder:
    """Builds the log of a traced game from its events."""

    def __init__(self, events: Sequence[Event], image: Image, wording: Wording) -> None:
        self._events = events
        self._image = image
        self._past = PastValues(events, wording.title_attributes)
        self._words = wording.as_of(self._past)
        self._tables = {each.name: each for each in image.tables}
        self._formatters: dict[str, Callable[[Site | None, Any], EntryData]] = {
            "step": self._step,
            "enter": self._enter,
            "line": self._line,
            "roll": self._roll,
            "random": self._random,
            "reveal": self._reveal,
            "shuffle": self._shuffle,
            "answer": self._answer,
            "terms": self._terms,
            "table": self._table,
            "modifiers": self._modifiers,
            "restriction": self._restriction,
            "set": self._set,
            "move": self._move,
            "log": self._log,
            "result": self._result,
        }
        self.entries: list[LogEntry] = []
        self._event_of: list[int] = []
        self._build()

    def entry(self, event: Event) -> LogEntry:
        """Returns the entry of a single event."""
        self._events = [event]
        return self._entry(0, 0, "")

    def _build(self) -> None:
        step, is_logged = "", True
        sums = sums_of_dice(self._events, self._is_call)
        of_later_rolls = parts_of_sums(self._events, sums, self._is_call)
        for index, (kind, _, data) in enumerate(self._events):
            if kind == "step":
                step, step_index, is_logged = data.node.path, index, False
            is_hidden = kind in LOOK_UPS and not self._interprets_roll(index, of_later_rolls)
            if kind in NOT_LOGGED or is_hidden or _is_idle(kind, data):
                continue
            entry = self._entry(len(self.entries) + 1 + (not is_logged), index, step)
            if _is_blank(entry):
                continue
            if not is_logged:
                self._add(self._entry(len(self.entries) + 1, step_index, step), step_index)
                is_logged = True
            self._add(entry, index)
            if index in sums:
                self._add(self._entry(len(self.entries) + 1, sums[index], step), sums[index])

    def _is_call(self, site: int) -> bool:
        return self._image.sites[site].kind in CALLS

    def _interprets_roll(self, index: int, of_later_rolls: set[int]) -> bool:
        return index not in of_later_rolls and follows_roll(self._events, index, self._is_call)

    def _add(self, entry: LogEntry, index: int) -> None:
        self.entries.append(entry)
        self._event_of.append(index)

    def _entry(self, number: int, index: int, step: str) -> LogEntry:
        kind, site_number, data = self._events[index]
        site = self._image.sites[site_number] if site_number >= 0 else None
        self._past.at = index
        text, seat, plain_data = self._formatters[kind](site, data)
        cites = site.cites if site is not None else _own_cites(data)
        formatted = text if isinstance(text, Formatted) else None
        ends_picks = kind == "answer" and data[1] is None and data[3]
        return LogEntry(number, step, kind, seat, str(text), cites, plain_data, formatted, ends_picks)

    def explain(self, number: int) -> Explanation:
        """Explains an entry by the events that led to it; its number counts from 1.

        Raises:
            UsageError: if there is no such entry.
        """
        if not 1 <= number <= len(self.entries):
            message = replay_messages.NO_ENTRY if self.entries else replay_messages.NO_ENTRIES
            raise UsageError(self._words.say(message, number=number, total=len(self.entries)))
        calls = open_calls(self._events, self._image, self._event_of[number - 1])
        begun = tuple([self._entry(at, at, self.entries[number - 1].step) for at in calls])
        return replace(self._explain(number - 1), calls=begun, since_decision=self._since_decision(number - 1))

    def _explain(self, index: int) -> Explanation:
        entry, last = self.entries[index], self._event_of[index]
        site = self._site_of(last)
        place = site.place if site is not None else None
        spans = ProcedureSpans(self._events, self._image)
        span = spans.around(last)
        if span is not None:
            begun, *rest = [self._entry(at, at, entry.step) for at in spans.explaining_events(span)]
            lines = tuple(_without_repeats(rest))
            after = sum(each.number <= last for each in lines)
            return Explanation(entry, begun.text, lines, place, True, after, begun.short_text, begun.data["rule"])
        first = self._beginning(last)
        own = [
            self._entry(index, index, entry.step)
            for index in range(first, last + 1)
            if index == first or not _is_idle(self._events[index][0], self._events[index][2])
            if self._events[index][0] in self._formatters
        ]
        begins = own[0].kind in {"enter", "step"}
        rule, title = (own[0].text, own[0].short_text) if begins else (entry.step, entry.step)
        led_to = _without_repeats([each for each in own if each.kind not in {"enter", "step"}])
        return Explanation(
            entry, rule, tuple(led_to), place, title=title, path=own[0].data.get("rule", "") if begins else ""
        )

    def _since_decision(self, index: int) -> tuple[LogEntry, ...]:
        """Returns the last answers before an entry in its step, and the entries between them and it.

        In a step without an answer these are all its entries before.
        """
        step = step_of(self._events, self._event_of[index])
        first = next((at for at in range(index, 0, -1) if self._event_of[at - 1] <= step), 0)
        answers = [at for at in range(first, index) if self.entries[at].kind == "answer"]
        begin = answers[-1] if answers else first
        while begin - 1 in answers:
            begin -= 1
        return tuple(self.entries[begin:index])

    def _site_of(self, index: int) -> Site | None:
        """Returns the site of an event; of a result, that of the line that ended the game."""
        kind, number, data = self._events[index]
        if kind == "result":
            number = data.lines[-1] if data.lines else -1
        return self._image.sites[number] if number >= 0 else None

    def _beginning(self, last: int) -> int:
        """Returns the event that entered the rule of an event, or began its step.

        The rule of a look-up is the reading rule, that of a result the one whose line is cited first.
        """
        kind, _, data = self._events[last]
        if kind == "result" and not data.lines:
            return last
        site = self._image.sites[data.lines[0]] if kind == "result" else self._site_of(last)
        rule = site.rule if site is not None and kind not in LOOK_UPS else None
        for index in range(last, -1, -1):
            kind, at, _ = self._events[index]
            if kind == "step" or (kind == "enter" and rule in (None, self._image.sites[at].rule)):
                return index
        return 0

    # ------------------------------------------------------------ kinds of events
    def _step(self, _site: Site | None, frame: Frame) -> EntryData:
        assert frame.node is not None
        name = self._words.word(frame.node.name)
        text = self._with_scope(f"{name[:1].upper()}{name[1:]}", frame.scope)
        return text, None, {"path": frame.node.path, "scope": _plain(frame.scope)}

    def _enter(self, site: Site | None, arguments: tuple[Any, ...]) -> EntryData:
        assert site is not None
        text = self._with_scope(self._words.rule(site.address, site.cites), [*filter(_is_named, arguments)])
        return text, None, {"rule": site.rule, "arguments": _plain(arguments)}

    def _with_scope(self, name: str, scope: Sequence[Any]) -> Formatted:
        if not scope:
            return self._words.formatted(messages.STEP, name=name)
        return self._words.formatted(messages.STEP_FOR, name=name, scope=self._words.of(scope))

    def _line(self, site: Site | None, _data: Any) -> EntryData:
        assert site is not None
        text = self._words.formatted(messages.LINE, line=site.place.line, rule=site.rule)
        return text, None, {"rule": site.rule, "place": str(site.place)}

    def _roll(self, site: Site | None, data: Any) -> EntryData:
        assert site is not None
        seat, faces, total = data
        between = " + " if total is not None else self._words.say(messages.COMMA)
        shown = between.join([self._words.of(face) for face in faces]) or self._words.say(messages.NO_DICE)
        result = f" = {total}" if total is not None and len(faces) > 1 else ""
        label = self._words.word(site.address)
        who, rolls = self._words.of(seat), self._words.word("rolls")
        text = self._words.formatted(messages.ROLLS, who=who, rolls=rolls, dice=shown + result, label=label)
        return text, _seat(seat), {"label": site.address, "faces": _plain(faces), "total": total}

    def _random(self, site: Site | None, values: tuple[Any, ...]) -> EntryData:
        assert site is not None
        label, shown = self._words.draw_label(site), self._words.of(values)
        text = self._words.formatted(messages.PICKED, values=shown)
        if label is not None:
            text = self._words.formatted(messages.AT_RANDOM, values=shown, label=label)
        return text, None, {"address": site.address, "values": _plain(values)}

    def _reveal(self, _site: Site | None, data: Any) -> EntryData:
        what, seats = data
        whom = self._words.say(messages.EVERYBODY) if seats is None else self._words.of(seats)
        text = self._words.formatted(messages.SHOWN, what=self._words.of(what), whom=whom)
        return text, None, {"what": _plain(what), "seats": _plain(seats)}

    def _shuffle(self, _site: Site | None, pile: Any) -> EntryData:
        return self._words.formatted(messages.SHUFFLED, pile=self._words.of(pile)), None, {"pile": _plain(pile)}

    def _answer(self, site: Site | None, data: Any) -> EntryData:
        assert site is not None
        seat, answer, subject, has_picks = data
        choice = self._words.none_text(site, has_picks=has_picks) if answer is None else self._words.of(answer)
        says_it_all = answer is None and self._words.declines(site)
        what = self._words.decision_name(site.address)
        if subject is not None:
            what = self._words.say(messages.ABOUT, what=what, subject=self._words.of(subject))
        message = messages.DECLINES if says_it_all else messages.ANSWERS
        text = self._words.formatted(message, who=self._words.of(seat), what=what, answer=choice)
        return text, _seat(seat), {"address": site.address, "answer": _plain(answer)}

    def _terms(self, site: Site | None, data: Any) -> EntryData:
        assert site is not None
        seat, answer, terms = data
        shares = answer.items() if isinstance(answer, Mapping) else ()
        taken = {each: share for each, share in shares if share} if isinstance(answer, Mapping) else answer
        bounds = [each for each in terms if each[0] != "at_least" or (each[1] and each[3])]
        bound_to = [f"{self._term(*each[:4])}{_clauses(each[4])}" for each in bounds]
        what = self._words.decision_name(site.address)
        answered = self._words.say(messages.ANSWERS, who=self._words.of(seat), what=what, answer=self._words.of(taken))
        names = ("mode", "asked", "met", "from", "cites")
        listed = [dict(zip(names, map(_plain, each), strict=True)) for each in terms]
        data = {"address": site.address, "answer": _plain(answer), "terms": listed}
        return "; ".join([answered, *bound_to]), _seat(seat), data

    def _term(self, mode: str, asked: int, met: int, of: Any) -> str:
        say = self._words.say
        bound = say(messages.AT_LEAST if mode == "at_least" else messages.AT_MOST, asked=asked)
        if of is None:
            return say(messages.TOTAL, bound=bound)
        bound = say(messages.FROM, bound=bound, whom=self._words.of(of))
        return bound if met == asked else say(messages.LOWERED, bound=bound, met=met)

    def _table(self, site: Site | None, data: Any) -> EntryData:
        assert site is not None
        asked, result = data
        table = self._tables.get(site.address)
        headings = [] if table is None else headings_of(table, asked)
        headings_text = [
            self._heading(axis, heading, key) for (axis, heading), key in zip(headings, asked, strict=False)
        ]
        at = self._words.say(messages.COMMA).join(headings_text) or self._words.of(asked)
        printed = printed_cell(table, headings) if isinstance(result, Record) and table is not None else None
        cell = printed or self._words.of(result)
        text = self._words.formatted(messages.LOOKED_UP, table=self._words.word(site.address), at=at, cell=cell)
        data = {"table": site.address, "keys": _plain(asked), "at": headings, "result": _plain(result)}
        return text, None, data | ({"cell": printed} if printed else {})

    def _heading(self, axis: str, heading: str, key: Any) -> str:
        named = self._words.of(key) if getattr(key, "id", None) == heading else self._words.span(heading)
        return self._words.say(messages.HEADING, axis=self._words.word(axis), heading=named)

    def _modifiers(self, site: Site | None, data: Any) -> EntryData:
        assert site is not None
        tally, total, whose = data
        items = [(self._image.sites[number], value) for number, value in tally]
        words = [self._words.word(item.address) for item, _ in items]
        pairs = zip(words, items, strict=True)
        parts = [f"{word} {value:+d}{_clauses(item.cites)}" for word, (item, value) in pairs if value]
        inside = self._words.say(messages.COMMA).join(parts) or self._words.say(messages.NOTHING_APPLIES)
        name = self._words.word(site.address).removesuffix(" of")
        if whose is not None:
            name = self._words.say(messages.WHOSE_SUM, list=name, whose=self._words.of(whose))
        text = self._words.formatted(messages.SUM_OF, list=name, total=total, parts=inside)
        text = text.replace(names=tuple(words))
        counted = [{"id": item.address, "value": value, "cites": list(item.cites)} for item, value in items]
        return text, None, {"list": site.address, "whose": _plain(whose), "items": counted, "total": total}

    def _restriction(self, site: Site | None, _data: Any) -> EntryData:
        assert site is not None
        rule = self._words.rule(site.rule.partition("/")[2], site.cites)
        text = self._words.formatted(messages.APPLIES, rule=rule, item=self._words.item(site))
        return text, None, {"rule": site.rule, "id": site.address}

    def _set(self, _site: Site | None, data: Any) -> EntryData:
        owner, attribute, old, new = data
        name, value = self._words.attribute(attribute, owner), self._words.of(new)
        how = messages.VALUE if old == new else _CHANGES.get((_is_nothing(old), _is_nothing(new)), messages.CHANGE)
        if isinstance(new, bool) and old != new:
            how = _FLAGS[new]
        change = self._words.formatted(how, attribute=name, old=self._words.of(old), new=value)
        if isinstance(owner, Thing | Record):
            parts = {"whose": self._words.of(owner), "attribute": name, "new": value}
            change = self._words.formatted(messages.CHANGE_OF, change=str(change), **parts)
        thing = owner.ref if isinstance(owner, Thing) else None
        data = {"thing": thing, "attribute": attribute, "old": _plain(old), "new": _plain(new)}
        return change, None, data | ({"record": owner.kind} if isinstance(owner, Record) else {})

    def _move(self, _site: Site | None, data: Any) -> EntryData:
        piece, old, new = data
        if new is None:
            how = messages.REMOVED if old is None else messages.REMOVED_FROM
        else:
            how = messages.PLACED if old is None else messages.MOVES
        ends = {name: self._words.of(each) for name, each in (("old", old), ("new", new)) if each is not None}
        text = self._words.formatted(how, what=self._words.of(piece), count=1, **ends)
        return text, None, {"piece": _plain(piece), "from": _plain(old), "to": _plain(new)}

    def _log(self, site: Site | None, parts: Any) -> EntryData:
        assert site is not None
        return self._words.line(site, (parts,) if isinstance(parts, str) else parts), None, {}

    def _result(self, _site: Site | None, result: Result) -> EntryData:
        kinds = [each.name for each in self._image.kinds if each.root == "seat"]
        outcome = self._words.ending([self._words.seat(each, kinds) for each in result.winners], result.reason)
        return outcome, result.winner, {"winners": list(result.winners), "reason": result.reason}


_SHORT = {messages.SUM_OF: messages.SUM, messages.STEP_FOR: messages.STEP}


def _without_repeats(lines: Iterable[LogEntry]) -> Iterator[LogEntry]:
    """Yields the lines of an explanation that say anything, with repeated look-ups only once after each roll."""
    seen: set[str] = set()
    for each in lines:
        if _is_blank(each):
            continue
        if each.kind == "roll":
            seen.clear()
        if each.kind in _REPEATED:
            if each.text in seen:
                continue
            seen.add(each.text)
        yield each


def _is_blank(entry: LogEntry) -> bool:
    """Whether an entry says nothing: the line of a rule whose whole text depends on a condition that does not hold."""
    return not entry.text.strip()


def _is_idle(kind: str, data: Any) -> bool:
    """Whether an event changed nothing: an attribute set to its old value, or a piece moved to its old place."""
    return (kind == "set" and data[2] == data[3]) or (kind == "move" and data[1] is data[2])


def _is_named(argument: Any) -> bool:
    """Whether a person understands an argument of a call without the name of its parameter."""
    return argument is not None and not isinstance(argument, bool | int | float | Fraction) and argument != ()


def _is_nothing(value: Any) -> bool:
    return value is None or value == ()


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return encode_json(encode(value))


def _seat(seat: Any) -> str | None:
    return seat.id if seat is not None else None


def _clauses(cites: tuple[str, ...]) -> str:
    return f" [{', '.join(cites)}]" if cites else ""


def _own_cites(data: Any) -> tuple[str, ...]:
    if isinstance(data, Frame):
        return data.node.cites if data.node is not None else ()
    return data.cites if isinstance(data, Result) else ()
