"""Finds why a game under other rules diverges from the recorded one: the first read with another result.

Both games are replayed up to the divergence with the traced rules, and their lookups and actions are compared. The
first that differs is the reading; its cause is those changes between the two sets of rules that it depends on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from interpreter.language.diagnostics import Place
from interpreter.play.log.look_ups import LOOK_UPS
from interpreter.play.log.table_headings import heading_of
from interpreter.play.replay.divergence import Divergence
from interpreter.play.replay.name_map import NameMap
from interpreter.play.replay.state_diff import AT, Key
from interpreter.play.replay.trace_capture import TraceCapture, TraceEvent, capture_trace
from interpreter.play.replay.transcript import Transcript
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.rules.overlays.path.targets import ANY, Path
from interpreter.workshop.impact.changes import RuleChange
from interpreter.workshop.impact.dependencies import DependencyGraph
from interpreter.workshop.report_data import source_text

_MAX_SKIPPED_EVENTS: Final = 80
"""The largest number of events that are skipped to find the next common event of two games."""
_PASSIVE_EVENTS: Final = frozenset({"enter", "line", "table", "modifiers", "restriction"})
"""Events without an effect of their own."""
_FIGURE_SECTIONS: Final = frozenset({"individuals", "pieces"})
_SETUP_SECTIONS: Final = frozenset({"individuals", "pieces", "state", "scenarios"})
_MAX_CHANGES: Final = 6
NEEDED: Final = "needed"
ALONE: Final = "alone"


@dataclass(frozen=True, slots=True)
class Cause:
    """The cause of a divergence: the path of the table cell, modifier list or rule, and its result in either game.

    `places` are where each game read it. `changes` are the changes that it depends on, most likely first; with `exact`
    they change this very reading. `attribution` is the result of leaving changes out: without any one of those named
    the game does not diverge there (`needed`), or each of them suffices alone (`alone`).
    """

    reading: str
    was: str
    now: str
    places: tuple[Place | None, Place | None] = (None, None)
    changes: tuple[RuleChange, ...] = ()
    exact: bool = False
    attribution: str = ""

    @property
    def label(self) -> str:
        """The key by which causes are counted: the change or the changes that act together, else the reading."""
        paths = dict.fromkeys([each.path for each in self.changes])
        if self.attribution == ALONE:
            return " or ".join(paths)
        if len(self.changes) == 1 or self.exact or self.attribution:
            return " + ".join(paths)
        return self.reading or "unknown"

    def as_json(self) -> dict[str, Any]:
        """Returns the cause as JSON data."""
        before, after = (None if each is None else source_text(each) for each in self.places)
        return {
            "reading": self.reading,
            "was": self.was,
            "now": self.now,
            "place_before": before,
            "place_after": after,
            "exact": self.exact,
            "shown": self.attribution,
            "changes": [each.as_json() for each in self.changes],
        }


@dataclass(slots=True)
class RulesComparison:
    """Two sets of rules and their differences; `before` is none if the rules of the record are not available."""

    before: Ruleset | None
    after: Ruleset
    changes: Sequence[RuleChange]
    names: NameMap = field(default_factory=NameMap)
    _dependencies: DependencyGraph | None = field(default=None, init=False)

    @property
    def dependencies(self) -> DependencyGraph:
        """The read dependencies of the new rules."""
        if self._dependencies is None:
            self._dependencies = DependencyGraph(self.after.program)
        return self._dependencies

    def in_entry(self, path: str) -> list[RuleChange]:
        """Returns the changes of an entry, or of a step."""
        section, _, name = path.partition("/")
        if section == "sequence":
            return [each for each in self.changes if each.parts[0] == section and name in each.parts]
        return [each for each in self.changes if "/".join(each.parts[:2]) == path]

    def below(self, path: str, named: frozenset[str] = frozenset()) -> list[RuleChange]:
        """Returns the changes of everything that an entry reads; of figures only those of things in `named`, if any."""
        found = [each for each in self.changes if self.dependencies.is_affected_by(path, each.parts)]
        figures = [each for each in found if each.parts[0] in _FIGURE_SECTIONS]
        named_figures = [each for each in figures if named & set(each.parts)]
        return [each for each in found if each not in figures or not named_figures or each in named_figures]


# ---------------------------------------------------------------- the first difference
Pair = tuple[TraceEvent | None, TraceEvent | None]


class FirstDifference:
    """The first position at which two series of events contain different actions.

    `one` and `two` are the actions there, none if a series has ended. `readings` are the lookups and rules before it
    that differ and may have led to it, in order. With `keys` only these values are compared: other values that were set
    or moved differently are equal again at the end of the step.
    """

    def __init__(self, mine: Sequence[TraceEvent], other: Sequence[TraceEvent], keys: Iterable[Key] = ()) -> None:
        self.blocks: list[list[Pair]] = [[]]
        self._keys = frozenset(keys)
        i, j = self._first_unlike_action(mine, other)
        self.one = mine[i] if i < len(mine) else None
        self.two = other[j] if j < len(other) else None

    @property
    def readings(self) -> list[Pair]:
        """All readings; `blocks` groups them by the step, or the gap between steps, in which they were made."""
        return [pair for block in self.blocks for pair in block]

    def _first_unlike_action(self, mine: Sequence[TraceEvent], other: Sequence[TraceEvent]) -> tuple[int, int]:
        """Returns the positions of the first actions that differ."""
        i = j = 0
        while True:
            at, to = self._next_action(mine, i), self._next_action(other, j)
            self._collect_reads(mine[i:at], other[j:to])
            if at == len(mine) or to == len(other) or mine[at].content != other[to].content:
                return at, to
            self._discard_settled(mine[at])
            i, j = at + 1, to + 1

    def _next_action(self, series: Sequence[TraceEvent], at: int) -> int:
        """Returns the position of the next action that is relevant."""
        while at < len(series) and (series[at].kind in _PASSIVE_EVENTS or not self._is_relevant(series[at])):
            at += 1
        return at

    def _is_relevant(self, seen: TraceEvent) -> bool:
        if not self._keys or seen.kind not in ("set", "move"):
            return True
        owner, attribute = seen.data[0], AT if seen.kind == "move" else seen.data[1]
        return ("/".join(owner) if owner else "", attribute) in self._keys

    def _collect_reads(self, mine: Sequence[TraceEvent], other: Sequence[TraceEvent]) -> None:
        """Collects the differing lookups, entered rules and tests between two actions."""
        i = j = 0
        while i < len(mine) and j < len(other):
            one, two = mine[i], other[j]
            if one.subject == two.subject:
                if one.content != two.content and one.kind in LOOK_UPS:
                    self._compare_lookups(one, two)
                i, j = i + 1, j + 1
                continue
            at, to = _next_common_event(mine, other, i, j)
            self.blocks[-1] += [(each, None) for each in mine[i:at]]
            self.blocks[-1] += [(None, each) for each in other[j:to]]
            i, j = at, to
        self.blocks[-1] += [(each, None) for each in mine[i:]]
        self.blocks[-1] += [(None, each) for each in other[j:]]

    def _discard_settled(self, alike: TraceEvent) -> None:
        """Drops earlier differences that had no effect by the end of their step or question."""
        if alike.kind == "step":
            kept = [[pair for pair in block if _later_event(pair).between] for block in self.blocks]
            self.blocks = [*[block for block in kept if block], []]
        elif alike.kind == "answer":
            self.blocks = [[pair for pair in block if not _later_event(pair).listed] for block in self.blocks]

    def _compare_lookups(self, one: TraceEvent, two: TraceEvent) -> None:
        if one.data[1] != two.data[1]:
            self.blocks[-1].append((one, two))
        elif one.kind == "table":  # other keys with the same result: the modifiers of the keys do not matter
            while self.blocks[-1] and _later_event(self.blocks[-1][-1]).kind == "modifiers":
                self.blocks[-1].pop()


def _later_event(pair: Pair) -> TraceEvent:
    """Returns the event of the second game, or that of the first if there is no second."""
    one, two = pair
    found = one if two is None else two
    assert found is not None
    return found


def _next_common_event(mine: Sequence[TraceEvent], other: Sequence[TraceEvent], i: int, j: int) -> tuple[int, int]:
    """Returns the next positions at which two series have the same subject, skipping as few events as possible.

    Without one, these are the ends of the series.
    """
    for skipped in range(1, _MAX_SKIPPED_EVENTS):
        for one in range(skipped + 1):
            at, to = i + one, j + skipped - one
            if at < len(mine) and to < len(other) and mine[at].subject == other[to].subject:
                return at, to
    return len(mine), len(other)


# ---------------------------------------------------------------- the cause
def cause_of(
    divergence: Divergence, transcript: Transcript, sources: tuple[Any, Any], rules: RulesComparison, seed: int | str
) -> Cause:
    """Returns why a game diverged from a transcript.

    `sources` are the game sources of the record and of the new rules; the first is none if it is not available.
    """
    before, after = sources
    if divergence.kind == "set-up":
        return _setup_cause(divergence, rules)
    between_steps = divergence.kind in ("step", "end")
    replayed = capture_trace(
        after, rules.names.transcript(transcript), seed, divergence.step, between_steps=between_steps
    )
    if before is None:
        return _one_sided_cause(replayed, rules, divergence)
    recorded = capture_trace(before, transcript, seed, divergence.step, rules.names, between_steps=between_steps)
    found = FirstDifference(recorded.events, replayed.events, divergence.keys)
    if divergence.keys and found.one is None and found.two is None:
        found = FirstDifference(recorded.events, replayed.events)
    return _CauseFinder(recorded, replayed, rules, divergence).cause(found)


def _setup_cause(divergence: Divergence, rules: RulesComparison) -> Cause:
    """Returns the changes of the initial position, or of the scenario."""
    owners = {part for owner, _ in divergence.keys for part in owner.split("/")}
    changes = [each for each in rules.changes if owners & set(each.parts)]
    if not changes:
        changes = [each for each in rules.changes if each.parts[0] in _SETUP_SECTIONS]
    return Cause("the set-up", "", "", changes=tuple(changes[:_MAX_CHANGES]), exact=bool(changes))


def _one_sided_cause(replayed: TraceCapture, rules: RulesComparison, divergence: Divergence) -> Cause:
    """Returns the last reading of something changed, if only the new rules are available."""
    for seen in reversed(replayed.events):
        if seen.kind not in _PASSIVE_EVENTS:
            continue
        path = seen.rule
        changes = rules.in_entry(path)
        if seen.kind == "table":
            cell, _ = _cell_read(replayed, seen)
            path = "/".join([*cell[:2], *cell[3:]])
            changes = [each for each in changes if _covers_cell(each.parts, cell)]
        if changes:
            site = replayed.site(seen)
            place = None if site is None else site.place
            return Cause(path, "", replayed.entry(seen).text, (None, place), tuple(changes[:_MAX_CHANGES]))
    last = replayed.events[-1].rule if replayed.events else f"sequence/{divergence.path.rpartition('/')[2]}"
    return Cause(last, "", "", (None, divergence.place), tuple(rules.below(last)[:_MAX_CHANGES]))


class _CauseFinder:
    """Finds the cause of a first difference."""

    def __init__(
        self, recorded: TraceCapture, replayed: TraceCapture, rules: RulesComparison, divergence: Divergence
    ) -> None:
        self._recorded, self._replayed = recorded, replayed
        self._rules = rules
        self._divergence = divergence

    def cause(self, found: FirstDifference) -> Cause:
        """Returns the reading with another result, and the changes that it depends on."""
        one, two = found.one, found.two
        if (found_cause := self._read_cause(found)) is not None:
            return found_cause
        if (found_cause := self._question_cause()) is not None:
            return found_cause
        main = two or one
        if main is None or main.kind == "step":
            return self._sequence_cause(found)
        return self._untraced_cause(one, two, main)

    def _lookup_cause(self, one: TraceEvent, two: TraceEvent) -> Cause | None:
        """Returns the table or modifier list with another result as the cause, if it was itself changed."""
        if one.kind == "table":
            if one.data[0] != two.data[0]:
                return None  # the keys differ: the cause is an earlier event
            path, _ = _cell_read(self._replayed, two)
            before, after = self._rules.before, self._rules.after
            places = (_cell_place(self._recorded, one, before), _cell_place(self._replayed, two, after))
            changes = [each for each in self._rules.in_entry(two.rule) if _covers_cell(each.parts, path)]
            reading = "/".join([path[0], path[1], *path[3:]])
            return self._cause(
                reading, one, two, changes or self._rules.in_entry(two.rule), places, exact=bool(changes)
            )
        items = _differing_items(one, two)
        own = self._rules.in_entry(two.rule)
        changes = [each for each in own if not items or items & set(each.parts) or len(each.parts) < 4] if own else []
        if not changes:
            return None
        places = (_item_place(self._recorded, one, items), _item_place(self._replayed, two, items))
        reading = f"{two.rule}/each/{'+'.join(sorted(items))}" if items else two.rule
        return self._cause(reading, one, two, changes, places, exact=True)

    def _question_cause(self) -> Cause | None:
        """Returns a changed rule that asks or rolls as the cause, or an invariant that no longer holds."""
        divergence = self._divergence
        own = self._rules.in_entry(divergence.rule) if divergence.rule else []
        below = self._rules.below(divergence.rule) if divergence.kind == "fault" and divergence.rule else []
        if not own and not below:
            return None
        changes = tuple(own or below)[:_MAX_CHANGES]
        return Cause(
            divergence.rule, divergence.was, divergence.now, (None, divergence.place), changes, exact=bool(own)
        )

    def _read_cause(self, found: FirstDifference) -> Cause | None:
        """Returns the last reading of something changed before the difference; lookups take precedence over rules.

        If the next step differs, it is the first such reading of the last search for steps: a list of steps is made at
        once, and later entries come into play later.
        """
        in_order = self._divergence.kind == "step"
        readings = [pair for block in reversed(found.blocks) for pair in (block if in_order else block[::-1])]
        for one, two in readings:
            if one is not None and two is not None and (cause := self._lookup_cause(one, two)) is not None:
                return cause
        for one, two in readings:
            if (one is None or two is None) and (own := self._changes_of(_later_event((one, two)))):
                return self._cause(_later_event((one, two)).rule, one, two, own, exact=True)
        return None

    def _changes_of(self, seen: TraceEvent) -> list[RuleChange]:
        """Returns the changes of the lookup or entered rule of an event; of a table only those of the cell."""
        own = self._rules.in_entry(seen.rule)
        if seen.kind != "table" or not own:
            return own
        game = self._replayed if seen in self._replayed.events else self._recorded
        path, _ = _cell_read(game, seen)
        return [each for each in own if _covers_cell(each.parts, path)]

    def _untraced_cause(self, one: TraceEvent | None, two: TraceEvent | None, main: TraceEvent) -> Cause:
        """Returns the cause of a result that no event shows: a figure, a condition, a definition without clauses."""
        within = self._enclosing_rule(main)
        path = main.rule if main.kind not in LOOK_UPS else within
        changes = self._rules.in_entry(main.rule) or self._rules.in_entry(path)
        exact = bool(changes)
        named = frozenset(_thing_ids(self._recorded.events)) | frozenset(_thing_ids(self._replayed.events))
        for each in (path, within, *self._enclosing_rules(main)):
            changes = changes or (self._rules.below(each, named) if each else [])
        return self._cause(path or main.rule, one, two, changes, exact=exact)

    def _sequence_cause(self, found: FirstDifference) -> Cause:
        """Returns the sequence, or what it reads, as the cause if only the next step differs."""
        paths = [each.data[0] for each in (found.one, found.two) if each is not None and each.kind == "step"]
        names = [name for path in (*paths, self._divergence.path) for name in reversed(path.split("/"))]
        own = [each for name in names for each in self._rules.in_entry(f"sequence/{name}")]
        changes = own or [each for name in names for each in self._rules.below(f"sequence/{name}")]
        reading = f"sequence/{names[0]}"
        return Cause(
            reading, "", "", (None, self._divergence.place), tuple(dict.fromkeys(changes))[:_MAX_CHANGES], bool(own)
        )

    # ------------------------------------------------------------ enclosing rules
    def _enclosing_rules(self, main: TraceEvent) -> Iterator[str]:
        """Yields the rules entered before an event, latest first, then the step."""
        seen = self._replayed.events if main in self._replayed.events else self._recorded.events
        entered = [each.rule for each in seen[: seen.index(main)] if each.kind == "enter"]
        yield from dict.fromkeys(reversed(entered))
        yield f"sequence/{self._divergence.path.rpartition('/')[2]}"

    def _enclosing_rule(self, main: TraceEvent) -> str:
        return next(self._enclosing_rules(main), "")

    def _cause(
        self,
        reading: str,
        one: TraceEvent | None,
        two: TraceEvent | None,
        changes: Sequence[RuleChange],
        places: tuple[Place | None, Place | None] | None = None,
        *,
        exact: bool = False,
    ) -> Cause:
        was = "" if one is None else self._recorded.entry(one).text
        now = "" if two is None else self._replayed.entry(two).text
        if one is not None and two is None and (one.kind not in _PASSIVE_EVENTS or self._divergence.kind == "fault"):
            now = self._divergence.now  # the game diverged before this action
        if places is None:
            places = (_place_of(self._recorded, one), _place_of(self._replayed, two))
        return Cause(reading, was, now, places, tuple(dict.fromkeys(changes))[:_MAX_CHANGES], exact)


def _thing_ids(seen: Iterable[TraceEvent]) -> Iterator[str]:
    """Yields the ids of all things in the data of events."""
    pending = [each.data for each in seen]
    while pending:
        match pending.pop():
            case (str(kind), str(name)) if kind[:1] != ":":
                yield name
            case tuple(inner):
                pending += inner


def _place_of(capture: TraceCapture, seen: TraceEvent | None) -> Place | None:
    site = None if seen is None else capture.site(seen)
    return None if site is None else site.place


def _cell_read(capture: TraceCapture, seen: TraceEvent) -> tuple[Path, list[str]]:
    """Returns the full path of the cell that a lookup read, and its headings."""
    site, keys = capture.site(seen), seen.event[2][0]
    name = seen.address if site is None else site.address
    table = next(each for each in capture.game.core.image.tables if each.name == name)
    headings = [heading_of(each, key) for (_, each), key in zip(table.axes, keys, strict=True)]
    row, column = "/".join(headings[:-1]), headings[-1]
    return (("tables", name, "grid", row, column) if row else ("tables", name, "grid", column)), headings


def _cell_place(capture: TraceCapture, seen: TraceEvent, ruleset: Ruleset | None) -> Place | None:
    """Returns the place, in the rules of its capture, of the cell that a lookup read."""
    (_, name, *_), headings = _cell_read(capture, seen)
    if ruleset is None or name not in ruleset.program.tables:
        return None
    table = ruleset.program.tables[name]
    axes = next(each for each in ruleset.image.tables if each.name == name).axes
    found = [labels.index(each) for (_, labels), each in zip(axes, headings, strict=True) if each in labels]
    cell = table.cells.get(tuple(found))
    return table.place if cell is None else cell.place


def _covers_cell(touched: Path, cell: Path) -> bool:
    """Whether the path of a change covers this cell: the cell, its row or column, or the grid."""
    rest = touched[3:]
    if len(touched) < 3 or touched[2] != "grid" or not rest or rest == (ANY,):
        return len(touched) < 4
    wanted = cell[3:]
    if len(rest) == len(wanted):
        return all(one in (ANY, two) for one, two in zip(rest, wanted, strict=True))
    return rest[0] in (*wanted, ANY)


def _differing_items(one: TraceEvent, two: TraceEvent) -> set[str]:
    """Returns the modifiers that apply in one game only, or with another value."""
    mine, others = (dict(each.data[0]) for each in (one, two))
    return {name for name in mine.keys() | others.keys() if mine.get(name) != others.get(name)}


def _item_place(capture: TraceCapture, seen: TraceEvent, items: set[str]) -> Place | None:
    """Returns the place of the first of these items that applied in this game; else that of the list."""
    tally, *_ = seen.event[2]
    sites = [capture.game.core.image.sites[number] for number, _ in tally]
    return next((each.place for each in sites if each.address in items), _place_of(capture, seen))
