"""Recorded games read again under other rules: whether they stay the same, where they part and by what change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from interpreter.language.diagnostics import BicorneError, UsageError
from interpreter.play.engine.source import source_of
from interpreter.play.inputs.dice import Dice
from interpreter.play.migration.divergence import Divergence, as_data
from interpreter.play.migration.follower import ChangedOptions, Follower
from interpreter.play.migration.name_map import NameMap
from interpreter.play.migration.transcript import Transcript, course_of
from interpreter.play.records.recording import Header, RecordedGame, Recording, header_of
from interpreter.play.records.save import SNAPSHOT_EVERY, Save
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.loading.ruleset import Scenario
from interpreter.rules.overlays.patch.overlay import read_overlay
from interpreter.workshop.impact.changes import RuleChange, changes_between, names_between
from interpreter.workshop.impact.leave_one_out import MOST, Parts, attribute, diverges_by
from interpreter.workshop.impact.root_cause import Cause, Rules, cause_of

_TRIALS: Final = 2 * MOST
"""The rules of so many trials are kept."""
Opener = Callable[[Header, Sequence[OverlayFile], bool], Scenario]
"""Opens the scenario of a recorded game under overlays; the last argument says whether options that the ruleset does
not have may be left out."""


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """A recorded game read again. Without a `parting` it is the same game; `offers` are decisions with other options.

    `steps` and `inputs` are how many of each were the same; `compared` says whether the rules of the record were there
    to compare with. `game` is the game under the new rules, as far as it followed; reports of many games do without.
    """

    game: Follower | None
    steps: int
    inputs: int
    parting: Divergence | None
    cause: Cause | None
    offers: tuple[ChangedOptions, ...]
    compared: bool
    plain: Divergence | None = None
    """Where the game parts under the rules that are here now, without the changes that were asked about."""

    def as_json(self) -> dict[str, Any]:
        """What was found as plain data."""
        return {
            "same": self.parting is None,
            "steps": self.steps,
            "inputs": self.inputs,
            "compared": self.compared,
            "parting": None if self.parting is None else as_data(self.parting),
            "cause": None if self.cause is None else self.cause.as_json(),
            "without_the_changes": None if self.plain is None else as_data(self.plain),
            "other_options": [
                {"turn": each.turn, "step": each.step, "path": each.path, "address": each.address}
                for each in self.offers
            ],
        }


class ImpactReplayer:
    """Reads games again under further overlays (`laid`), and without some of those that they were played under."""

    def __init__(self, opener: Opener, laid: Sequence[OverlayFile] = (), without: Iterable[str] = ()) -> None:
        self._open = opener
        self._laid = [(read_overlay(each).id, each) for each in laid]
        self._without = frozenset(without)
        self._sources: dict[str, Scenario] = {}
        self._trials: dict[str, Scenario | None] = {}
        self._rules: dict[tuple[int, int, str], Rules] = {}
        self._new_names: dict[tuple[int, int], NameMap] = {}

    # ------------------------------------------------------------ reading again
    def reread(self, recording: Recording) -> ReplayResult:
        """A game under the new rules, and where it parts from the record.

        Raises:
            UsageError: if its ruleset isn't here, an overlay can't be taken off, or it does not come to the states that
                were recorded under its own rules.
            RulesetError: if the rules are not sound.
        """
        header = recording.header
        after = self._source(header, self._overlays(header), loose=True)
        course, before = self._course(recording, self._own(header))
        plain = None
        if before is None and (self._laid or self._without):
            course, before, plain = self._present(course, header)
        names = NameMap() if before is None or before is after else self._names(before, after)
        game = Follower(source_of(after), names.course(course) if names else course, header.seed, checked=True)
        parting = game.parting
        compared = before is not None and (plain is None or parting is None or plain.point > parting.point)
        cause = None
        if parting is not None:
            rules = self._between(header, before if compared else None, after)
            sources = source_of(before) if before is not None and compared else None, source_of(after)
            cause = cause_of(parting, course, sources, rules, header.seed)
            cause = attribute(cause, rules.changes, self._parts_without(header, game.course, parting))
        steps = len(game.finished) if parting is None else max(parting.step - 1, 0)
        inputs = game.inputs.position if parting is None else parting.inputs
        return ReplayResult(game, steps, inputs, parting, cause, tuple(game.offers), compared, plain)

    def _parts_without(self, header: Header, course: Transcript, parting: Divergence) -> Parts:
        """What says whether a game parts where it did, or before, with changes left out."""

        @cache
        def parts(left_out: tuple[RuleChange, ...]) -> bool | None:
            places = frozenset(each.place for each in left_out if each.place is not None)
            source = self._trial(header, [each.without(places) for each in self._overlays(header)])
            if source is None:
                return None
            return diverges_by(source_of(source), course, header.seed, parting)

        return parts

    def _trial(self, header: Header, overlays: Sequence[OverlayFile]) -> Scenario | None:
        """The rules of a trial, kept for the next game, but not those of many trials; none if they are not sound."""
        key = _key(header, overlays)
        if key in self._trials:
            source = self._trials.pop(key)
        else:
            try:
                source = self._open(header, overlays, True)
            except BicorneError:
                source = None  # something else needs what is left out
        while len(self._trials) >= _TRIALS:
            del self._trials[next(iter(self._trials))]
        self._trials[key] = source
        return source

    def _present(self, course: Transcript, header: Header) -> tuple[Transcript, Scenario | None, Divergence | None]:
        """The rules as they are here without the changes, where those of the record have gone.

        Where they make the same game they stand for those; else also where it parts from the record under them.
        """
        try:
            source = self._source(header, header.overlays, loose=True)
        except BicorneError:
            return course, None, None  # the overlays of the record fit no more, or the scenario has gone
        game = Follower(source_of(source), course, header.seed, checked=True)
        return (course if game.parting is not None else game.learned()), source, game.parting

    def _overlays(self, header: Header) -> list[OverlayFile]:
        """What lies on the ruleset now: the overlays of the record, those of the same id replaced, then the others."""
        kept = {} if header.rules is None else {each.id: each.file for each in header.rules.overlays}
        for name in self._without:
            if name not in kept:
                known = ", ".join(kept) or "none"
                raise UsageError(f"the game was not played under an overlay '{name}'; its overlays: {known}")
        found = {name: file for name, file in kept.items() if name not in self._without}
        return list((found | dict(self._laid)).values())

    def _source(self, header: Header, overlays: Sequence[OverlayFile], *, loose: bool) -> Scenario:
        key = f"{_key(header, overlays)}, {loose}"
        if key not in self._sources:
            self._sources[key] = self._open(header, overlays, loose)
        return self._sources[key]

    def _own(self, header: Header) -> Scenario | None:
        """The rules of the record, if they are here unchanged."""
        try:
            source = self._source(header, header.overlays, loose=False)
        except UsageError:
            return None  # an option or a scenario that there is no longer
        here = header_of(source_of(source), header.seed)
        if not header.differences(here):
            return source
        same = header.rules is not None and here.rules is not None and not header.rules.differences(here.rules)
        return source if same and header.rules.scenario == here.rules.scenario else None  # type: ignore[union-attr]

    def _course(self, recording: Recording, before: Scenario | None) -> tuple[Transcript, Scenario | None]:
        """The course of a recording, with all that its own rules tell of it where they are here."""
        header = recording.header
        sites = None if header.rules is None else header.rules.sites
        if sites is None and before is not None:
            sites = {each.number: each.address for each in before.ruleset.image.sites}
        if sites is None:
            raise UsageError(
                "it was kept by an older version, without what its rolls and decisions are for, and its rules have "
                "changed since"
            )
        course = course_of(recording, sites)
        if before is None:
            return course, None
        own = Follower(source_of(before), course, header.seed, by_digest=True)
        if own.parting is None and own.hash() == recording.state:
            return own.learned(), before
        if header.engine == header_of(source_of(before), header.seed).engine:
            where = own.parting or "at its end"
            raise UsageError(f"it does not come to its recorded states under its own rules: {where}")
        return course, None

    def _names(self, before: Scenario, after: Scenario) -> NameMap:
        """New names, where overlays give any."""
        key = id(before), id(after)
        if key not in self._new_names:
            laid = (*before.ruleset.overlays, *after.ruleset.overlays)
            renames = any(patch.verb == "rename" for each in laid for patch in read_overlay(each).patches)
            documents = (before.ruleset.documents, after.ruleset.documents) if renames else None
            self._new_names[key] = NameMap() if documents is None else names_between(*documents)
        return self._new_names[key]

    def _between(self, header: Header, before: Scenario | None, after: Scenario) -> Rules:
        key = (id(before), id(after), header.ruleset_hash)
        if key not in self._rules:
            name = after.name.partition("/")[2]
            if before is not None:
                ruleset = before.ruleset
                changes = changes_between(ruleset.documents, ruleset.entries, after.ruleset, name)
            elif header.rules is not None:
                changes = changes_between(None, header.rules.entries, after.ruleset, name, header.rules.tables)
            else:
                changes = []
            names = NameMap() if before is None else self._names(before, after)
            self._rules[key] = Rules(None if before is None else before.ruleset, after.ruleset, changes, names)
        return self._rules[key]


def _key(header: Header, overlays: Sequence[OverlayFile]) -> str:
    """What stands for a scenario under overlays, with the options of a record."""
    return repr((header.scenario or header.ruleset, sorted(header.options.items()), [each.digest for each in overlays]))


def branch(game: Follower, recording: Recording, path: str | Path) -> Save:
    """A new save under the new rules that stands at the last decision before the game parts from its record.

    A game that stays the same is carried over whole. Where the dice of the record were the seeded ones, the same would
    come up again.

    Raises:
        UsageError: if something stands there already, or the file can't be written.
    """
    if Path(path).exists():
        raise UsageError(f"{path} is there already; name another file")
    inputs, drawn = game.standing
    dice = Dice(recording.header.seed, recording.drawn if game.parting is None or drawn is None else drawn)
    made = RecordedGame(
        game.setting,
        recording.header.seed,
        inputs=game.history[:inputs],
        dice=dice,
        checked=True,
        snapshot_every=SNAPSHOT_EVERY,
    )
    with Save.create(path, made.header) as save:
        save.update(made)
    return save


# ---------------------------------------------------------------- many games
@dataclass(slots=True)
class Impact:
    """What a change of the rules does to many games: by file what was found, or why it was refused."""

    found: dict[str, ReplayResult] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)

    @property
    def unchanged(self) -> list[str]:
        """Files whose games stay the same."""
        return [file for file, each in self.found.items() if each.parting is None]

    @property
    def diverged(self) -> list[str]:
        """Files whose games part from their records."""
        return [file for file, each in self.found.items() if each.parting is not None]

    @property
    def with_other_options(self) -> list[str]:
        """Files whose games stay the same, but in which other options were offered."""
        return [file for file in self.unchanged if self.found[file].offers]

    def by(self, told: Callable[[ReplayResult], str]) -> list[tuple[str, list[str]]]:
        """Files of diverged games in groups, the largest first."""
        groups: dict[str, list[str]] = {}
        for file in self.diverged:
            groups.setdefault(told(self.found[file]), []).append(file)
        return sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))
