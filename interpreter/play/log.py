"""The log: what happened in words, each entry with its clauses, and how each result came about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.language.diagnostics import Place, UsageError
from interpreter.language.image import Image, Site, TableImage
from interpreter.play.affairs import Affairs
from interpreter.play.answers import encode, plain
from interpreter.play.bygone import Bygone
from interpreter.play.outcome import Result
from interpreter.play.sequencer import Frame
from interpreter.play.words import Wording, readable
from interpreter.world.things import Record, Thing

Event = tuple[str, int, Any]

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

    def __str__(self) -> str:
        told = [f"{self.entry.text}, by {self.rule}:"]
        told += [f"  {each.text}{'  ' if each.cites else ''}{_clauses(each.cites).lstrip()}" for each in self.lines]
        return "\n".join(told)


class Teller:
    """Tells the events of a traced game."""

    def __init__(self, events: Sequence[Event], image: Image, wording: Wording) -> None:
        self._events = events
        self._image = image
        self._bygone = Bygone(events, wording.titled)
        self._words = wording.telling(self._bygone)
        self._tables = {each.name: each for each in image.tables}
        self._told: dict[str, Callable[[Site | None, Any], tuple[str, str | None, dict[str, Any]]]] = {
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
        text, seat, plain_data = self._told[kind](site, data)
        cites = site.cites if site is not None else _own_cites(data)
        return LogEntry(number, step, kind, seat, text, cites, plain_data)

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
        affairs = Affairs(self._events, self._image)
        span = affairs.around(last)
        if span is not None:
            begun, *told = [self._entry(at, at, entry.step) for at in affairs.told(span)]
            whole = tuple(_once(told))
            after = sum(each.number <= last for each in whole)
            return Explanation(entry, begun.text, whole, place, whole=True, after=after)
        first = self._beginning(last)
        lines = [
            self._entry(index, index, entry.step)
            for index in range(first, last + 1)
            if index == first or not _is_idle(self._events[index][0], self._events[index][2])
            if self._events[index][0] in self._told
        ]
        rule = lines[0].text if lines[0].kind in {"enter", "step"} else entry.step
        led_to = _once([each for each in lines if each.kind not in {"enter", "step"}])
        return Explanation(entry, rule, tuple(led_to), place)

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
    def _step(self, _site: Site | None, frame: Frame) -> tuple[str, str | None, dict[str, Any]]:
        assert frame.node is not None
        bound = f" ({self._words.of(frame.scope)})" if frame.scope else ""
        name = self._words.word(frame.node.name)
        return f"{name[:1].upper()}{name[1:]}{bound}", None, {"path": frame.node.path, "scope": _plain(frame.scope)}

    def _enter(self, site: Site | None, arguments: tuple[Any, ...]) -> tuple[str, str | None, dict[str, Any]]:
        assert site is not None
        given = f" ({self._words.of(arguments)})" if arguments else ""
        return f"{self._words.word(site.address)}{given}", None, {"rule": site.rule, "arguments": _plain(arguments)}

    def _line(self, site: Site | None, _data: Any) -> tuple[str, str | None, dict[str, Any]]:
        assert site is not None
        return f"line {site.place.line} of {site.rule}", None, {"rule": site.rule, "place": str(site.place)}

    def _roll(self, site: Site | None, data: Any) -> tuple[str, str | None, dict[str, Any]]:
        assert site is not None
        seat, faces, total = data
        shown = (" + " if total is not None else ", ").join(self._words.of(face) for face in faces) or "no dice"
        result = f" = {total}" if total is not None and len(faces) > 1 else ""
        text = f"{self._words.of(seat)} rolls {shown}{result} ({readable(site.address)})"
        return text, _seat(seat), {"label": site.address, "faces": _plain(faces), "total": total}

    def _random(self, site: Site | None, values: tuple[Any, ...]) -> tuple[str, str | None, dict[str, Any]]:
        assert site is not None
        text = f"at random: {self._words.of(values)} ({readable(site.address)})"
        return text, None, {"address": site.address, "values": _plain(values)}

    def _reveal(self, _site: Site | None, data: Any) -> tuple[str, str | None, dict[str, Any]]:
        what, seats = data
        to = "all" if seats is None else self._words.of(seats)
        return f"{self._words.of(what)} is shown to {to}", None, {"what": _plain(what), "seats": _plain(seats)}

    def _shuffle(self, _site: Site | None, pile: Any) -> tuple[str, str | None, dict[str, Any]]:
        return f"{self._words.of(pile)} is shuffled", None, {"pile": _plain(pile)}

    def _answer(self, site: Site | None, data: Any) -> tuple[str, str | None, dict[str, Any]]:
        assert site is not None
        seat, answer, subject = data
        choice = self._words.nothing(site.kind) if answer is None else self._words.of(answer)
        what = self._words.asked(site.address)
        of = f" of {self._words.of(subject)}" if subject is not None else ""
        text = f"{self._words.of(seat)}: {what}{of}: {choice}"
        return text, _seat(seat), {"address": site.address, "answer": _plain(answer)}

    def _terms(self, site: Site | None, data: Any) -> tuple[str, str | None, dict[str, Any]]:
        assert site is not None
        seat, answer, terms = data
        shares = answer.items() if isinstance(answer, Mapping) else ()
        taken = {each: share for each, share in shares if share} if isinstance(answer, Mapping) else answer
        bounds = [each for each in terms if each[0] != "at_least" or (each[1] and each[3])]
        said = [f"{self._term(*each[:4])}{_clauses(each[4])}" for each in bounds]
        what = self._words.asked(site.address)
        text = "; ".join([f"{self._words.of(seat)}: {what}: {self._words.of(taken)}", *said])
        names = ("mode", "asked", "met", "from", "cites")
        told = [dict(zip(names, map(_plain, each), strict=True)) for each in terms]
        return text, _seat(seat), {"address": site.address, "answer": _plain(answer), "terms": told}

    def _term(self, mode: str, asked: int, met: int, of: Any) -> str:
        bound = f"at least {asked}" if mode == "at_least" else f"at most {asked}"
        lowered = "" if met == asked else f", of whom only {met} could be had"
        return f"total {bound}" if of is None else f"{bound} from {self._words.of(of)}{lowered}"

    def _table(self, site: Site | None, data: Any) -> tuple[str, str | None, dict[str, Any]]:
        assert site is not None
        asked, result = data
        table = self._tables.get(site.address)
        headings = [] if table is None else _headings(table, asked)
        at = ", ".join(f"{readable(axis)} {heading}" for axis, heading in headings) or self._words.of(asked)
        printed = _printed(table, headings) if isinstance(result, Record) and table is not None else None
        text = f"{self._words.word(site.address)}, {at}: {printed or self._words.of(result)}"
        told = {"table": site.address, "keys": _plain(asked), "at": headings, "result": _plain(result)}
        return text, None, told | ({"cell": printed} if printed else {})

    def _modifiers(self, site: Site | None, data: Any) -> tuple[str, str | None, dict[str, Any]]:
        assert site is not None
        tally, total = data
        items = [(self._image.sites[number], value) for number, value in tally]
        parts = ", ".join(f"{self._words.word(item.address)} {value:+d}{_clauses(item.cites)}" for item, value in items)
        text = f"{self._words.word(site.address)}: {total:+d} ({parts or 'nothing applies'})"
        told = [{"id": item.address, "value": value, "cites": list(item.cites)} for item, value in items]
        return text, None, {"list": site.address, "items": told, "total": total}

    def _restriction(self, site: Site | None, _data: Any) -> tuple[str, str | None, dict[str, Any]]:
        assert site is not None
        text = f"{readable(site.rule.partition('/')[2])}: {readable(site.address)} applies"
        return text, None, {"rule": site.rule, "id": site.address}

    def _set(self, _site: Site | None, data: Any) -> tuple[str, str | None, dict[str, Any]]:
        owner, attribute, old, new = data
        whose = f"{self._words.of(owner)}: " if isinstance(owner, Thing | Record) else ""
        before = "" if old == new else f"{self._words.of(old)} → "
        text = f"{whose}{self._words.attribute(attribute)} {before}{self._words.of(new)}"
        thing = owner.ref if isinstance(owner, Thing) else None
        told = {"thing": thing, "attribute": attribute, "old": _plain(old), "new": _plain(new)}
        return text, None, told | ({"record": owner.kind} if isinstance(owner, Record) else {})

    def _move(self, _site: Site | None, data: Any) -> tuple[str, str | None, dict[str, Any]]:
        piece, old, new = data
        name = self._words.of(piece)
        if new is None:
            text = f"{name} is removed" + (f" from {self._words.of(old)}" if old is not None else "")
        elif old is None:
            text = f"{name} is placed in {self._words.of(new)}"
        else:
            text = f"{name} moves from {self._words.of(old)} to {self._words.of(new)}"
        return text, None, {"piece": _plain(piece), "from": _plain(old), "to": _plain(new)}

    def _log(self, _site: Site | None, parts: Any) -> tuple[str, str | None, dict[str, Any]]:
        whole = (parts,) if isinstance(parts, str) else parts
        return "".join([each if isinstance(each, str) else self._words.of(each) for each in whole]), None, {}

    def _result(self, _site: Site | None, result: Result) -> tuple[str, str | None, dict[str, Any]]:
        return str(result), result.winner, {"winners": list(result.winners), "reason": result.reason}


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
