"""Why a game under other rules parts from the recorded one: the first reading that gave another answer, and its change.

Both games are played again up to there with the traced rules, and what they looked up and did is held side by side. The
first thing that is not alike is the reading; of all changes between the two sets of rules those that it rests on are
its cause.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from interpreter.language.diagnostics import Place
from interpreter.play.log.log import heading_of
from interpreter.play.migration.divergence import Divergence
from interpreter.play.migration.name_map import NameMap
from interpreter.play.migration.state_diff import AT, Key
from interpreter.play.migration.trace_capture import TraceCapture, TraceEvent, capture_trace
from interpreter.play.migration.transcript import Transcript
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.rules.overlays.path.targets import ANY, Path
from interpreter.workshop.impact.changes import RuleChange
from interpreter.workshop.impact.dependencies import Dependence
from interpreter.workshop.report_data import place_text

_WINDOW: Final = 80
"""So many events further on the two games may be alike again."""
_LOOKED_UP: Final = frozenset({"table", "modifiers"})
_LIGHT: Final = frozenset({"enter", "line", "table", "modifiers", "restriction"})
"""Events that do nothing by themselves."""
_FIGURES: Final = frozenset({"individuals", "pieces"})
_SET_UP: Final = frozenset({"individuals", "pieces", "state", "scenarios"})
_MOST: Final = 6
NEEDED: Final = "needed"
ALONE: Final = "alone"


@dataclass(frozen=True, slots=True)
class Cause:
    """What gave another answer: the path of the table cell, modifier list or rule, and what it was in either game.

    `places` are where each game read it; `changes` are the changes that it rests on, most likely first, and `exact`
    says that they are changes of this very reading. `shown` is what came of leaving changes out: without any one of
    those named the game does not part there (`needed`), or each of them by itself is enough (`alone`).
    """

    reading: str
    was: str
    now: str
    places: tuple[Place | None, Place | None] = (None, None)
    changes: tuple[RuleChange, ...] = ()
    exact: bool = False
    shown: str = ""

    @property
    def label(self) -> str:
        """What causes are counted by: the one change or those that only do it together, else the reading."""
        paths = dict.fromkeys([each.path for each in self.changes])
        if self.shown == ALONE:
            return " or ".join(paths)
        if len(self.changes) == 1 or self.exact or self.shown:
            return " + ".join(paths)
        return self.reading or "unknown"

    def as_json(self) -> dict[str, Any]:
        """The cause as plain data."""
        before, after = (None if each is None else place_text(each) for each in self.places)
        return {
            "reading": self.reading,
            "was": self.was,
            "now": self.now,
            "place_before": before,
            "place_after": after,
            "exact": self.exact,
            "shown": self.shown,
            "changes": [each.as_json() for each in self.changes],
        }


@dataclass(slots=True)
class Rules:
    """Two sets of rules and what differs between them; `before` is none where those of the record are not here."""

    before: Ruleset | None
    after: Ruleset
    changes: Sequence[RuleChange]
    names: NameMap = field(default_factory=NameMap)
    _dependence: Dependence | None = field(default=None, init=False)

    @property
    def dependence(self) -> Dependence:
        """What the new rules read."""
        if self._dependence is None:
            self._dependence = Dependence(self.after.program)
        return self._dependence

    def in_entry(self, path: str) -> list[RuleChange]:
        """The changes of an entry, or of a step."""
        section, _, name = path.partition("/")
        if section == "sequence":
            return [each for each in self.changes if each.parts[0] == section and name in each.parts]
        return [each for each in self.changes if "/".join(each.parts[:2]) == path]

    def below(self, path: str, named: frozenset[str] = frozenset()) -> list[RuleChange]:
        """The changes of whatever an entry reads; of figures those of the things named, if there are any."""
        found = [each for each in self.changes if self.dependence.touched(path, each.parts)]
        figures = [each for each in found if each.parts[0] in _FIGURES]
        met = [each for each in figures if named & set(each.parts)]
        return [each for each in found if each not in figures or not met or each in met]


# ---------------------------------------------------------------- the first difference
Pair = tuple[TraceEvent | None, TraceEvent | None]


class FirstDifference:
    """Where two series of events first tell of different things done.

    `one` and `two` are what was done there, none where a series has ended. `readings` are the look-ups and rules before
    it that differ and may have led to it, in order. With `keys` only these values are looked at: what was set and moved
    otherwise beside them came to nothing by the end of the step.
    """

    def __init__(self, mine: Sequence[TraceEvent], other: Sequence[TraceEvent], keys: Iterable[Key] = ()) -> None:
        self.blocks: list[list[Pair]] = [[]]
        self._keys = frozenset(keys)
        i, j = self._walk(mine, other)
        self.one = mine[i] if i < len(mine) else None
        self.two = other[j] if j < len(other) else None

    @property
    def readings(self) -> list[Pair]:
        """All of them; `blocks` has them by the step or the gap between steps that they were made in."""
        return [pair for block in self.blocks for pair in block]

    def _walk(self, mine: Sequence[TraceEvent], other: Sequence[TraceEvent]) -> tuple[int, int]:
        """Goes from one thing done to the next as long as they are alike; the positions of those that are not."""
        i = j = 0
        while True:
            at, to = self._next_done(mine, i), self._next_done(other, j)
            self._look(mine[i:at], other[j:to])
            if at == len(mine) or to == len(other) or mine[at].meaning != other[to].meaning:
                return at, to
            self._pass(mine[at])
            i, j = at + 1, to + 1

    def _next_done(self, series: Sequence[TraceEvent], at: int) -> int:
        """Where something is done, from here on."""
        while at < len(series) and (series[at].kind in _LIGHT or not self._matters(series[at])):
            at += 1
        return at

    def _matters(self, seen: TraceEvent) -> bool:
        if not self._keys or seen.kind not in ("set", "move"):
            return True
        owner, attribute = seen.data[0], AT if seen.kind == "move" else seen.data[1]
        return ("/".join(owner) if owner else "", attribute) in self._keys

    def _look(self, mine: Sequence[TraceEvent], other: Sequence[TraceEvent]) -> None:
        """What was looked up, entered and tested between two things done."""
        i = j = 0
        while i < len(mine) and j < len(other):
            one, two = mine[i], other[j]
            if one.spot == two.spot:
                if one.meaning != two.meaning and one.kind in _LOOKED_UP:
                    self._look_up(one, two)
                i, j = i + 1, j + 1
                continue
            at, to = _alike_again(mine, other, i, j)
            self.blocks[-1] += [(each, None) for each in mine[i:at]]
            self.blocks[-1] += [(None, each) for each in other[j:to]]
            i, j = at, to
        self.blocks[-1] += [(each, None) for each in mine[i:]]
        self.blocks[-1] += [(None, each) for each in other[j:]]

    def _pass(self, alike: TraceEvent) -> None:
        """What differed before has led to nothing if the step is over, or the question that it was looked up for."""
        if alike.kind == "step":
            kept = [[pair for pair in block if _either(pair).between] for block in self.blocks]
            self.blocks = [*[block for block in kept if block], []]
        elif alike.kind == "answer":
            self.blocks = [[pair for pair in block if not _either(pair).listed] for block in self.blocks]

    def _look_up(self, one: TraceEvent, two: TraceEvent) -> None:
        if one.data[-1] != two.data[-1]:
            self.blocks[-1].append((one, two))
        elif one.kind == "table":  # asked otherwise, and the same result: what it was asked by doesn't matter
            while self.blocks[-1] and _either(self.blocks[-1][-1]).kind == "modifiers":
                self.blocks[-1].pop()


def _either(pair: Pair) -> TraceEvent:
    """The later of the two, or the one that there is."""
    one, two = pair
    found = one if two is None else two
    assert found is not None
    return found


def _alike_again(mine: Sequence[TraceEvent], other: Sequence[TraceEvent], i: int, j: int) -> tuple[int, int]:
    """Where two series that differ here are of the same thing again, skipping as little as can be; else their ends."""
    for skipped in range(1, _WINDOW):
        for one in range(skipped + 1):
            at, to = i + one, j + skipped - one
            if at < len(mine) and to < len(other) and mine[at].spot == other[to].spot:
                return at, to
    return len(mine), len(other)


# ---------------------------------------------------------------- the cause
def cause_of(parting: Divergence, course: Transcript, sources: tuple[Any, Any], rules: Rules, seed: int | str) -> Cause:
    """Why a game parted from a course; `sources` are what each is played from, the first none where it isn't here."""
    before, after = sources
    if parting.kind == "set-up":
        return _of_set_up(parting, rules)
    between_steps = parting.kind in ("step", "end")
    there = capture_trace(after, rules.names.course(course), seed, parting.step, between_steps=between_steps)
    if before is None:
        return _one_sided(there, rules, parting)
    here = capture_trace(before, course, seed, parting.step, rules.names, between_steps=between_steps)
    found = FirstDifference(here.seen, there.seen, parting.keys)
    if parting.keys and found.one is None and found.two is None:
        found = FirstDifference(here.seen, there.seen)
    return _Finder(here, there, rules, parting).cause(found)


def _of_set_up(parting: Divergence, rules: Rules) -> Cause:
    """Changes of what stands on the map at the start, or of the scenario."""
    owners = {part for owner, _ in parting.keys for part in owner.split("/")}
    changes = [each for each in rules.changes if owners & set(each.parts)]
    if not changes:
        changes = [each for each in rules.changes if each.parts[0] in _SET_UP]
    return Cause("the set-up", "", "", changes=tuple(changes[:_MOST]), exact=bool(changes))


def _one_sided(there: TraceCapture, rules: Rules, parting: Divergence) -> Cause:
    """Where only the new rules are here: the last reading of something that has changed."""
    for seen in reversed(there.seen):
        if seen.kind not in _LIGHT:
            continue
        path = seen.rule
        changes = rules.in_entry(path)
        if seen.kind == "table":
            cell, _ = _cell_read(there, seen)
            path = "/".join([*cell[:2], *cell[3:]])
            changes = [each for each in changes if _covers(each.parts, cell)]
        if changes:
            site = there.site(seen)
            place = None if site is None else site.place
            return Cause(path, "", there.told(seen).text, (None, place), tuple(changes[:_MOST]))
    last = there.seen[-1].rule if there.seen else f"sequence/{parting.path.rpartition('/')[2]}"
    return Cause(last, "", "", (None, parting.place), tuple(rules.below(last)[:_MOST]))


class _Finder:
    """Names the cause of a first difference."""

    def __init__(self, here: TraceCapture, there: TraceCapture, rules: Rules, parting: Divergence) -> None:
        self._here, self._there = here, there
        self._rules = rules
        self._parting = parting

    def cause(self, found: FirstDifference) -> Cause:
        """The reading that gave another answer, with the changes that it rests on."""
        one, two = found.one, found.two
        if (by := self._by_readings(found)) is not None:
            return by
        if (by := self._by_question()) is not None:
            return by
        main = two or one
        if main is None or main.kind == "step":
            return self._by_sequence(found)
        return self._by_main(one, two, main)

    def _by_look_up(self, one: TraceEvent, two: TraceEvent) -> Cause | None:
        """A table or a list of modifiers that came to something else, if it is itself what has changed."""
        if one.kind == "table":
            if one.data[0] != two.data[0]:
                return None  # it was asked something else: the cause lies before it
            path, _ = _cell_read(self._there, two)
            before, after = self._rules.before, self._rules.after
            places = (_cell_place(self._here, one, before), _cell_place(self._there, two, after))
            changes = [each for each in self._rules.in_entry(two.rule) if _covers(each.parts, path)]
            shown = "/".join([path[0], path[1], *path[3:]])
            return self._told(shown, one, two, changes or self._rules.in_entry(two.rule), places, exact=bool(changes))
        items = _other_items(one, two)
        own = self._rules.in_entry(two.rule)
        changes = [each for each in own if not items or items & set(each.parts) or len(each.parts) < 4] if own else []
        if not changes:
            return None
        places = (_item_place(self._here, one, items), _item_place(self._there, two, items))
        shown = f"{two.rule}/each/{'+'.join(sorted(items))}" if items else two.rule
        return self._told(shown, one, two, changes, places, exact=True)

    def _by_question(self) -> Cause | None:
        """A question or roll in a rule that has itself changed, or an invariant that holds no more."""
        parting = self._parting
        own = self._rules.in_entry(parting.rule) if parting.rule else []
        below = self._rules.below(parting.rule) if parting.kind == "fault" and parting.rule else []
        if not own and not below:
            return None
        changes = tuple(own or below)[:_MOST]
        return Cause(parting.rule, parting.was, parting.now, (None, parting.place), changes, exact=bool(own))

    def _by_readings(self, found: FirstDifference) -> Cause | None:
        """The last reading before the difference that is itself of what has changed: look-ups before rules.

        Where another step comes it is the first of the last time that steps were looked for: a list of what comes in
        turn is made at once, and what stands further down in it comes later.
        """
        in_order = self._parting.kind == "step"
        readings = [pair for block in reversed(found.blocks) for pair in (block if in_order else block[::-1])]
        for one, two in readings:
            if one is not None and two is not None and (cause := self._by_look_up(one, two)) is not None:
                return cause
        for one, two in readings:
            if (one is None or two is None) and (own := self._of(_either((one, two)))):
                return self._told(_either((one, two)).rule, one, two, own, exact=True)
        return None

    def _of(self, seen: TraceEvent) -> list[RuleChange]:
        """The changes of what was looked up or entered; of a table those of the cell."""
        own = self._rules.in_entry(seen.rule)
        if seen.kind != "table" or not own:
            return own
        game = self._there if seen in self._there.seen else self._here
        path, _ = _cell_read(game, seen)
        return [each for each in own if _covers(each.parts, path)]

    def _by_main(self, one: TraceEvent | None, two: TraceEvent | None, main: TraceEvent) -> Cause:
        """Something untraced gave another answer: a figure, a condition, a definition without clauses."""
        within = self._rule_around(main)
        path = main.rule if main.kind not in _LOOKED_UP else within
        changes = self._rules.in_entry(main.rule) or self._rules.in_entry(path)
        exact = bool(changes)
        named = frozenset(_names(self._here.seen)) | frozenset(_names(self._there.seen))
        for each in (path, within, *self._around(main)):
            changes = changes or (self._rules.below(each, named) if each else [])
        return self._told(path or main.rule, one, two, changes, exact=exact)

    def _by_sequence(self, found: FirstDifference) -> Cause:
        """Nothing that is traced differs but the step that comes: it lies with the sequence or what it reads."""
        paths = [each.data[0] for each in (found.one, found.two) if each is not None and each.kind == "step"]
        names = [name for path in (*paths, self._parting.path) for name in reversed(path.split("/"))]
        own = [each for name in names for each in self._rules.in_entry(f"sequence/{name}")]
        changes = own or [each for name in names for each in self._rules.below(f"sequence/{name}")]
        reading = f"sequence/{names[0]}"
        return Cause(reading, "", "", (None, self._parting.place), tuple(dict.fromkeys(changes))[:_MOST], bool(own))

    # ------------------------------------------------------------ where it stands
    def _around(self, main: TraceEvent) -> Iterator[str]:
        """The rules entered before an event, latest first, and the step."""
        seen = self._there.seen if main in self._there.seen else self._here.seen
        entered = [each.rule for each in seen[: seen.index(main)] if each.kind == "enter"]
        yield from dict.fromkeys(reversed(entered))
        yield f"sequence/{self._parting.path.rpartition('/')[2]}"

    def _rule_around(self, main: TraceEvent) -> str:
        return next(self._around(main), "")

    def _told(
        self,
        reading: str,
        one: TraceEvent | None,
        two: TraceEvent | None,
        changes: Sequence[RuleChange],
        places: tuple[Place | None, Place | None] | None = None,
        *,
        exact: bool = False,
    ) -> Cause:
        was = "" if one is None else self._here.told(one).text
        now = "" if two is None else self._there.told(two).text
        if one is not None and two is None and (one.kind not in _LIGHT or self._parting.kind == "fault"):
            now = self._parting.now  # it parted before that was done
        if places is None:
            places = (_place(self._here, one), _place(self._there, two))
        return Cause(reading, was, now, places, tuple(dict.fromkeys(changes))[:_MOST], exact)


def _names(seen: Iterable[TraceEvent]) -> Iterator[str]:
    """The ids of all things that events tell of."""
    waiting = [each.data for each in seen]
    while waiting:
        match waiting.pop():
            case (str(kind), str(name)) if kind[:1] != ":":
                yield name
            case tuple(inner):
                waiting += inner


def _place(capture: TraceCapture, seen: TraceEvent | None) -> Place | None:
    site = None if seen is None else capture.site(seen)
    return None if site is None else site.place


def _cell_read(capture: TraceCapture, seen: TraceEvent) -> tuple[Path, list[str]]:
    """The full path of the cell that a look-up read, and its headings."""
    site, keys = capture.site(seen), seen.event[2][0]
    name = seen.address if site is None else site.address
    table = next(each for each in capture.game.core.image.tables if each.name == name)
    headings = [heading_of(each, key) for (_, each), key in zip(table.axes, keys, strict=True)]
    row, column = "/".join(headings[:-1]), headings[-1]
    return (("tables", name, "grid", row, column) if row else ("tables", name, "grid", column)), headings


def _cell_place(capture: TraceCapture, seen: TraceEvent, ruleset: Ruleset | None) -> Place | None:
    """Where the cell that a look-up read stands in the rules of its capture."""
    (_, name, *_), headings = _cell_read(capture, seen)
    if ruleset is None or name not in ruleset.program.tables:
        return None
    table = ruleset.program.tables[name]
    axes = next(each for each in ruleset.image.tables if each.name == name).axes
    found = [labels.index(each) for (_, labels), each in zip(axes, headings, strict=True) if each in labels]
    cell = table.cells.get(tuple(found))
    return table.place if cell is None else cell.place


def _covers(touched: Path, cell: Path) -> bool:
    """Whether a change of a table is one of this cell: the cell, its row or column, or the grid."""
    rest = touched[3:]
    if len(touched) < 3 or touched[2] != "grid" or not rest or rest == (ANY,):
        return len(touched) < 4
    wanted = cell[3:]
    if len(rest) == len(wanted):
        return all(one in (ANY, two) for one, two in zip(rest, wanted, strict=True))
    return rest[0] in (*wanted, ANY)


def _other_items(one: TraceEvent, two: TraceEvent) -> set[str]:
    """The modifiers that count in one game only, or otherwise."""
    mine, others = (dict(each.data[0]) for each in (one, two))
    return {name for name in mine.keys() | others.keys() if mine.get(name) != others.get(name)}


def _item_place(capture: TraceCapture, seen: TraceEvent, items: set[str]) -> Place | None:
    """Where the first of these items stands, if it counted in this game; else where the list does."""
    tally, _ = seen.event[2]
    sites = [capture.game.core.image.sites[number] for number, _ in tally]
    return next((each.place for each in sites if each.address in items), _place(capture, seen))
