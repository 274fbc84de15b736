"""The log: what happened in words, each entry with its clauses, and how each result came about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter.language.diagnostics import Place, UsageError
from interpreter.language.model.image import Image, Site, TableImage
from interpreter.play.engine.outcome import Result
from interpreter.play.engine.sequencer import Frame
from interpreter.play.inputs.value_codec import encode, plain
from interpreter.play.log.procedure_spans import ProcedureSpans
from interpreter.play.wording import messages as said
from interpreter.play.wording.messages import Formatted
from interpreter.play.wording.past_values import Bygone
from interpreter.play.wording.wording import Wording
from interpreter.world.things import Record, Thing

Event = tuple[str, int, Any]
EntryData = tuple[str | Formatted, str | None, dict[str, Any]]
"""What an entry says, to or by which seat, and its plain data."""

QUIET = frozenset({"step", "enter", "leave", "used", "terms", "line", "restriction", "shuffle"})
"""Events that become no entry of their own; a step is told with the first thing that happens in it. Only explanations
tell the `terms` of a decision; `leave` ends the affair of a procedure with outcomes, `used` marks the look-up before it
as one that what happens rests on."""
LOOKED_UP = frozenset({"table", "modifiers"})
"""Told where they turn dice into a result, each once; all others are in explanations only."""
_REPEATED = LOOKED_UP | {"line", "restriction"}


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One thing that happened: in which step, to or by which seat, under which clauses. `data` is plain data."""

    number: int
    step: str
    kind: str
    seat: str | None
    text: str
    cites: tuple[str, ...]
    data: dict[str, Any]
    told: Formatted | None = field(default=None, compare=False)
    """How its text is made, where the engine says it."""

    @property
    def head(self) -> str:
        """Its text; of a sum without what it is the sum of, of a rule without what it was asked for."""
        short = None if self.told is None else _SHORT.get(self.told.saying)
        return self.text if self.told is None or short is None else str(replace(self.told, saying=short))

    @property
    def items(self) -> list[tuple[str, int, tuple[str, ...]]]:
        """Of a sum the items: what each is called, its value and its clauses."""
        if self.kind != "modifiers" or self.told is None:
            return []
        pairs = zip(self.told.values["names"], self.data["items"], strict=True)
        return [(name, each["value"], tuple(each["cites"])) for name, each in pairs]

    def __str__(self) -> str:
        clauses = f"  [{', '.join(self.cites)}]" if self.cites else ""
        return f"{self.number:>4}  {self.text}{clauses}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """What led to an entry: the rule it stands in, with its arguments, and everything that rule did up to there.

    An entry within the affair of a procedure with named outcomes is explained by the whole of it,
    from its beginning to its end: lines of the kind `enter` are its headings.
    """

    entry: LogEntry
    rule: str
    lines: tuple[LogEntry, ...]
    place: Place | None = None
    """Where in the rules the entry was made, if it was made by a line of rule text."""
    whole: bool = False
    """Whether the lines are those of a whole affair, with what came of the entry."""
    after: int = 0
    """Of a whole affair: with which line begins what came after the entry."""
    title: str = ""
    """What the rule is called, without its arguments."""

    def __str__(self) -> str:
        told = [f"{self.entry.text}, by {self.rule}:"]
        told += [f"  {each.text}{'  ' if each.cites else ''}{_clauses(each.cites).lstrip()}" for each in self.lines]
        return "\n".join(told)


class LogBuilder:
    """Tells the events of a traced game."""

    def __init__(self, events: Sequence[Event], image: Image, wording: Wording) -> None:
        self._events = events
        self._image = image
        self._bygone = Bygone(events, wording.titled)
        self._words = wording.telling(self._bygone)
        self._tables = {each.name: each for each in image.tables}
        self._told: dict[str, Callable[[Site | None, Any], EntryData]] = {
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
        self._tell()

    def entry(self, event: Event) -> LogEntry:
        """An event by itself, whatever came before it."""
        self._events = [event]
        return self._entry(0, 0, "")

    def _tell(self) -> None:
        step, told = "", True
        for index, (kind, _, data) in enumerate(self._events):
            if kind == "step":
                step, step_index, told = data.node.path, index, False
            if kind in QUIET or (kind in LOOKED_UP and not self._is_result(index)) or _is_idle(kind, data):
                continue
            if not told:
                self._add(step_index, step)
                told = True
            self._add(index, step)

    def _is_result(self, index: int) -> bool:
        """Whether a look-up follows a roll, with nothing between but the same rule's other look-ups."""
        before = index - 1
        while before >= 0 and self._events[before][0] in QUIET | LOOKED_UP and self._events[before][0] != "step":
            if self._events[before] == self._events[index]:
                return False
            before -= 1
        return before >= 0 and self._events[before][0] == "roll"

    def _add(self, index: int, step: str) -> None:
        self.entries.append(self._entry(len(self.entries), index, step))
        self._event_of.append(index)

    def _entry(self, number: int, index: int, step: str) -> LogEntry:
        kind, site_number, data = self._events[index]
        site = self._image.sites[site_number] if site_number >= 0 else None
        self._bygone.at = index
        what, seat, plain_data = self._told[kind](site, data)
        cites = site.cites if site is not None else _own_cites(data)
        told = what if isinstance(what, Formatted) else None
        return LogEntry(number, step, kind, seat, str(what), cites, plain_data, told)

    def explain(self, number: int) -> Explanation:
        """How an entry came about.

        Raises:
            UsageError: if there is no such entry.
        """
        if not 0 <= number < len(self.entries):
            raise UsageError(f"the log has no entry {number}: its entries are 0 to {len(self.entries) - 1}")
        entry, last = self.entries[number], self._event_of[number]
        site = self._events[last][1]
        place = self._image.sites[site].place if site >= 0 else None
        affairs = ProcedureSpans(self._events, self._image)
        span = affairs.around(last)
        if span is not None:
            begun, *told = [self._entry(at, at, entry.step) for at in affairs.told(span)]
            whole = tuple(_once(told))
            after = sum(each.number <= last for each in whole)
            return Explanation(entry, begun.text, whole, place, whole=True, after=after, title=begun.head)
        first = self._beginning(last)
        lines = [
            self._entry(index, index, entry.step)
            for index in range(first, last + 1)
            if index == first or not _is_idle(self._events[index][0], self._events[index][2])
            if self._events[index][0] in self._told
        ]
        begins = lines[0].kind in {"enter", "step"}
        rule, title = (lines[0].text, lines[0].head) if begins else (entry.step, entry.step)
        led_to = _once([each for each in lines if each.kind not in {"enter", "step"}])
        return Explanation(entry, rule, tuple(led_to), place, title=title)

    def _beginning(self, last: int) -> int:
        """Where the rule that an event stands in was entered (a look-up: the rule that looks up), or its step began."""
        kind, site, _ = self._events[last]
        rule = self._image.sites[site].rule if site >= 0 and kind not in LOOKED_UP else None
        for index in range(last, -1, -1):
            kind, at, _ = self._events[index]
            if kind == "step" or (kind == "enter" and rule in (None, self._image.sites[at].rule)):
                return index
        return 0

    # ------------------------------------------------------------ kinds of events
    def _step(self, _site: Site | None, frame: Frame) -> EntryData:
        assert frame.node is not None
        name = self._words.word(frame.node.name)
        told = self._for(f"{name[:1].upper()}{name[1:]}", frame.scope)
        return told, None, {"path": frame.node.path, "scope": _plain(frame.scope)}

    def _enter(self, site: Site | None, arguments: tuple[Any, ...]) -> EntryData:
        assert site is not None
        told = self._for(self._words.word(site.address), arguments)
        return told, None, {"rule": site.rule, "arguments": _plain(arguments)}

    def _for(self, name: str, scope: Sequence[Any]) -> Formatted:
        if not scope:
            return self._words.told(said.STEP, name=name)
        return self._words.told(said.STEP_FOR, name=name, scope=self._words.of(scope))

    def _line(self, site: Site | None, _data: Any) -> EntryData:
        assert site is not None
        told = self._words.told(said.LINE, line=site.place.line, rule=site.rule)
        return told, None, {"rule": site.rule, "place": str(site.place)}

    def _roll(self, site: Site | None, data: Any) -> EntryData:
        assert site is not None
        seat, faces, total = data
        between = " + " if total is not None else self._words.say(said.COMMA)
        shown = between.join([self._words.of(face) for face in faces]) or self._words.say(said.NO_DICE)
        result = f" = {total}" if total is not None and len(faces) > 1 else ""
        label = self._words.word(site.address)
        told = self._words.told(said.ROLLS, who=self._words.of(seat), dice=shown + result, label=label)
        return told, _seat(seat), {"label": site.address, "faces": _plain(faces), "total": total}

    def _random(self, site: Site | None, values: tuple[Any, ...]) -> EntryData:
        assert site is not None
        label = self._words.word(site.address)
        told = self._words.told(said.AT_RANDOM, values=self._words.of(values), label=label)
        return told, None, {"address": site.address, "values": _plain(values)}

    def _reveal(self, _site: Site | None, data: Any) -> EntryData:
        what, seats = data
        whom = self._words.say(said.EVERYBODY) if seats is None else self._words.of(seats)
        told = self._words.told(said.SHOWN, what=self._words.of(what), whom=whom)
        return told, None, {"what": _plain(what), "seats": _plain(seats)}

    def _shuffle(self, _site: Site | None, pile: Any) -> EntryData:
        return self._words.told(said.SHUFFLED, pile=self._words.of(pile)), None, {"pile": _plain(pile)}

    def _answer(self, site: Site | None, data: Any) -> EntryData:
        assert site is not None
        seat, answer, subject = data
        choice = self._words.nothing(site.kind) if answer is None else self._words.of(answer)
        what = self._words.asked(site.address)
        if subject is not None:
            what = self._words.say(said.ABOUT, what=what, subject=self._words.of(subject))
        told = self._words.told(said.ANSWERS, who=self._words.of(seat), what=what, answer=choice)
        return told, _seat(seat), {"address": site.address, "answer": _plain(answer)}

    def _terms(self, site: Site | None, data: Any) -> EntryData:
        assert site is not None
        seat, answer, terms = data
        shares = answer.items() if isinstance(answer, Mapping) else ()
        taken = {each: share for each, share in shares if share} if isinstance(answer, Mapping) else answer
        bounds = [each for each in terms if each[0] != "at_least" or (each[1] and each[3])]
        bound_to = [f"{self._term(*each[:4])}{_clauses(each[4])}" for each in bounds]
        what = self._words.asked(site.address)
        answered = self._words.say(said.ANSWERS, who=self._words.of(seat), what=what, answer=self._words.of(taken))
        names = ("mode", "asked", "met", "from", "cites")
        listed = [dict(zip(names, map(_plain, each), strict=True)) for each in terms]
        data = {"address": site.address, "answer": _plain(answer), "terms": listed}
        return "; ".join([answered, *bound_to]), _seat(seat), data

    def _term(self, mode: str, asked: int, met: int, of: Any) -> str:
        say = self._words.say
        bound = say(said.AT_LEAST if mode == "at_least" else said.AT_MOST, asked=asked)
        if of is None:
            return say(said.TOTAL, bound=bound)
        bound = say(said.FROM, bound=bound, whom=self._words.of(of))
        return bound if met == asked else say(said.LOWERED, bound=bound, met=met)

    def _table(self, site: Site | None, data: Any) -> EntryData:
        assert site is not None
        asked, result = data
        table = self._tables.get(site.address)
        headings = [] if table is None else _headings(table, asked)
        under = [self._heading(axis, heading, key) for (axis, heading), key in zip(headings, asked, strict=False)]
        at = self._words.say(said.COMMA).join(under) or self._words.of(asked)
        printed = _printed(table, headings) if isinstance(result, Record) and table is not None else None
        cell = printed or self._words.of(result)
        told = self._words.told(said.LOOKED_UP, table=self._words.word(site.address), at=at, cell=cell)
        data = {"table": site.address, "keys": _plain(asked), "at": headings, "result": _plain(result)}
        return told, None, data | ({"cell": printed} if printed else {})

    def _heading(self, axis: str, heading: str, key: Any) -> str:
        named = self._words.of(key) if getattr(key, "id", None) == heading else heading
        return self._words.say(said.HEADING, axis=self._words.word(axis), heading=named)

    def _modifiers(self, site: Site | None, data: Any) -> EntryData:
        assert site is not None
        tally, total = data
        items = [(self._image.sites[number], value) for number, value in tally]
        parts = [f"{self._words.word(item.address)} {value:+d}{_clauses(item.cites)}" for item, value in items]
        inside = self._words.say(said.COMMA).join(parts) or self._words.say(said.NOTHING_APPLIES)
        told = self._words.told(said.SUM_OF, list=self._words.word(site.address), total=total, parts=inside)
        told = told.but(names=tuple([self._words.word(item.address) for item, _ in items]))
        counted = [{"id": item.address, "value": value, "cites": list(item.cites)} for item, value in items]
        return told, None, {"list": site.address, "items": counted, "total": total}

    def _restriction(self, site: Site | None, _data: Any) -> EntryData:
        assert site is not None
        rule = self._words.word(site.rule.partition("/")[2])
        told = self._words.told(said.APPLIES, rule=rule, item=self._words.word(site.address))
        return told, None, {"rule": site.rule, "id": site.address}

    def _set(self, _site: Site | None, data: Any) -> EntryData:
        owner, attribute, old, new = data
        name, value = self._words.attribute(attribute), self._words.of(new)
        change = self._words.told(said.VALUE, attribute=name, new=value)
        if old != new:
            change = self._words.told(said.CHANGE, attribute=name, old=self._words.of(old), new=value)
        if isinstance(owner, Thing | Record):
            change = self._words.told(said.CHANGE_OF, whose=self._words.of(owner), change=str(change))
        thing = owner.ref if isinstance(owner, Thing) else None
        told = {"thing": thing, "attribute": attribute, "old": _plain(old), "new": _plain(new)}
        return change, None, told | ({"record": owner.kind} if isinstance(owner, Record) else {})

    def _move(self, _site: Site | None, data: Any) -> EntryData:
        piece, old, new = data
        if new is None:
            how = said.REMOVED if old is None else said.REMOVED_FROM
        else:
            how = said.PLACED if old is None else said.MOVES
        ends = {name: self._words.of(each) for name, each in (("old", old), ("new", new)) if each is not None}
        told = self._words.told(how, what=self._words.of(piece), count=1, **ends)
        return told, None, {"piece": _plain(piece), "from": _plain(old), "to": _plain(new)}

    def _log(self, site: Site | None, parts: Any) -> EntryData:
        assert site is not None
        return self._words.line(site, (parts,) if isinstance(parts, str) else parts), None, {}

    def _result(self, _site: Site | None, result: Result) -> EntryData:
        names = self._words.say(said.AND).join([self._words.word(each) for each in result.winners])
        outcome = self._words.told(said.WON if names else said.NOBODY_WON, winners=names, count=len(result.winners))
        if result.reason:
            outcome = self._words.told(said.ENDED, outcome=str(outcome), reason=self._words.word(result.reason))
        return outcome, result.winner, {"winners": list(result.winners), "reason": result.reason}


_SHORT = {said.SUM_OF: said.SUM, said.STEP_FOR: said.STEP}


def _once(lines: Iterable[LogEntry]) -> Iterator[LogEntry]:
    """The lines of an explanation: after each roll the same look-up is told once, however often it was made."""
    told: set[str] = set()
    for each in lines:
        if each.kind == "roll":
            told.clear()
        if each.kind in _REPEATED:
            if each.text in told:
                continue
            told.add(each.text)
        yield each


def _printed(table: TableImage, headings: Sequence[tuple[str, str]]) -> str | None:
    """The cell under these headings as it is printed."""
    pairs = [(labels, heading) for (_, labels), (_, heading) in zip(table.axes, headings, strict=True)]
    at = tuple([labels.index(heading) for labels, heading in pairs if heading in labels])
    return next((text for position, text, _ in table.cells if position == at), None)


def _is_idle(kind: str, data: Any) -> bool:
    """Whether an event changed nothing: an attribute set to what it was, a piece moved to where it stood."""
    return (kind == "set" and data[2] == data[3]) or (kind == "move" and data[1] is data[2])


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return plain(encode(value))


def _seat(seat: Any) -> str | None:
    return seat.id if seat is not None else None


def _clauses(cites: tuple[str, ...]) -> str:
    return f" [{', '.join(cites)}]" if cites else ""


def _own_cites(data: Any) -> tuple[str, ...]:
    if isinstance(data, Frame):
        return data.node.cites if data.node is not None else ()
    return data.cites if isinstance(data, Result) else ()


def _headings(table: TableImage, asked: Sequence[Any]) -> list[tuple[str, str]]:
    return [(axis, heading_of(headings, key)) for (axis, headings), key in zip(table.axes, asked, strict=True)]


def heading_of(headings: Sequence[str], key: Any) -> str:
    """The heading that a key falls under; where none holds it, the table clamps it to its nearest end."""
    own = str(getattr(key, "id", key))
    if own in headings or not isinstance(key, int):
        return own
    bounds = [(heading, *_bounds(heading)) for heading in headings]
    for heading, low, high in bounds:
        if low <= key <= high:
            return heading
    return min(bounds, key=lambda each: min(abs(key - each[1]), abs(key - each[2])))[0]


def _bounds(heading: str) -> tuple[float, float]:
    low, dots, high = heading.partition("..")
    if not dots:
        return float(low), float(low)
    return (float(low) if low else float("-inf")), (float(high) if high else float("inf"))
