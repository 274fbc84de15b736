"""Replays recorded games under other rules, and reports whether, where and by which change they diverge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from interpreter.language.diagnostics import BicorneError, UsageError
from interpreter.play.engine.source import source_of
from interpreter.play.records.recording import Header, Recording, header_of
from interpreter.play.records.save import save_branch
from interpreter.play.replay.divergence import Divergence, divergence_data
from interpreter.play.replay.follower import ChangedOptions, Follower
from interpreter.play.replay.name_map import NameMap
from interpreter.play.replay.transcript import Transcript, transcript_of
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.loading.ruleset import Scenario
from interpreter.rules.overlays.patch.overlay import read_overlay
from interpreter.workshop.impact.changes import RuleChange, changes_between, names_between
from interpreter.workshop.impact.leave_one_out import MAX_TRIED_CHANGES, DivergenceTest, attribute, diverges_by
from interpreter.workshop.impact.root_cause import Cause, RulesComparison, cause_of

_MAX_KEPT_TRIALS: Final = 2 * MAX_TRIED_CHANGES
"""The number of trials whose rules are kept."""
Opener = Callable[[Header, Sequence[OverlayFile], bool], Scenario]
"""Opens the scenario of a recorded game under overlays; with the last argument, unknown options are ignored."""


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """The result of replaying a recorded game; without a `divergence` the game is the same.

    `changed_options` are decisions with other options. `steps` and `inputs` count how many of each were the same.
    `compared` says whether the rules of the record were available for comparison. `game` is the game under the new
    rules as far as it follows the record; reports of many games omit it.
    """

    game: Follower | None
    steps: int
    inputs: int
    divergence: Divergence | None
    cause: Cause | None
    changed_options: tuple[ChangedOptions, ...]
    compared: bool
    without_changes: Divergence | None = None
    """The divergence under the current rules without the requested changes."""

    def as_json(self) -> dict[str, Any]:
        """Returns the result as JSON data."""
        return {
            "same": self.divergence is None,
            "steps": self.steps,
            "inputs": self.inputs,
            "compared": self.compared,
            "parting": None if self.divergence is None else divergence_data(self.divergence),
            "cause": None if self.cause is None else self.cause.as_json(),
            "without_the_changes": None if self.without_changes is None else divergence_data(self.without_changes),
            "other_options": [
                {"turn": each.turn, "step": each.step, "path": each.path, "address": each.address}
                for each in self.changed_options
            ],
        }


class ImpactReplayer:
    """Replays games under the additional `overlays`, and without those overlays of the record named in `without`.

    Divergences are described in the `language`.
    """

    def __init__(
        self,
        opener: Opener,
        overlays: Sequence[OverlayFile] = (),
        without: Iterable[str] = (),
        language: str = "en",
    ) -> None:
        self._opener, self._language = opener, language
        self._added = [(read_overlay(each).id, each) for each in overlays]
        self._without = frozenset(without)
        self._sources: dict[str, Scenario] = {}
        self._trials: dict[str, Scenario | None] = {}
        self._rules: dict[tuple[int, int, str], RulesComparison] = {}
        self._name_maps: dict[tuple[int, int], NameMap] = {}

    # ------------------------------------------------------------ replay
    def replay(self, recording: Recording) -> ReplayResult:
        """Replays a game under the new rules up to its divergence from the record.

        Raises:
            UsageError: if its ruleset is not found, an overlay can't be removed, or the game does not reach its
                recorded states under its own rules.
            RulesetError: if the rules have mistakes.
        """
        header = recording.header
        after = self._opened_source(header, self._overlays(header), allow_missing_options=True)
        transcript, before = self._transcript_of(recording, self._recorded_source(header))
        without_changes = None
        if before is None and (self._added or self._without):
            transcript, before, without_changes = self._current_rules(transcript, header)
        name_map = NameMap() if before is None or before is after else self._name_map(before, after)
        game = Follower(
            source_of(after, self._language),
            name_map.transcript(transcript) if name_map else transcript,
            header.seed,
            checked=True,
        )
        divergence = game.divergence
        compared = before is not None and (
            without_changes is None or divergence is None or without_changes.point > divergence.point
        )
        cause = None
        if divergence is not None:
            rules = self._comparison(header, before if compared else None, after)
            spoken = partial(source_of, language=self._language)
            sources = spoken(before) if before is not None and compared else None, spoken(after)
            cause = cause_of(divergence, transcript, sources, rules, header.seed)
            cause = attribute(cause, rules.changes, self._divergence_test(header, game.transcript, divergence))
        steps = len(game.finished) if divergence is None else max(divergence.step - 1, 0)
        inputs = game.inputs.position if divergence is None else divergence.inputs
        return ReplayResult(
            game, steps, inputs, divergence, cause, tuple(game.changed_options), compared, without_changes
        )

    def _divergence_test(self, header: Header, transcript: Transcript, divergence: Divergence) -> DivergenceTest:
        """Returns a test of whether the game diverges at the same place, or earlier, without given changes."""

        @cache
        def diverges_without(left_out: tuple[RuleChange, ...]) -> bool | None:
            places = frozenset(each.place for each in left_out if each.place is not None)
            source = self._trial(header, [each.without(places) for each in self._overlays(header)])
            if source is None:
                return None
            return diverges_by(source_of(source), transcript, header.seed, divergence)

        return diverges_without

    def _trial(self, header: Header, overlays: Sequence[OverlayFile]) -> Scenario | None:
        """Returns the rules of a trial, from a small cache; none if they have mistakes."""
        key = _key(header, overlays)
        if key in self._trials:
            source = self._trials.pop(key)
        else:
            try:
                source = self._opener(header, overlays, True)
            except BicorneError:
                source = None  # another part of the ruleset needs the change
        while len(self._trials) >= _MAX_KEPT_TRIALS:
            del self._trials[next(iter(self._trials))]
        self._trials[key] = source
        return source

    def _current_rules(
        self, transcript: Transcript, header: Header
    ) -> tuple[Transcript, Scenario | None, Divergence | None]:
        """Returns the current rules without the changes, as a substitute for unavailable rules of the record.

        With them come the transcript, completed if the game is the same under them, and the divergence if it is not.
        """
        try:
            source = self._opened_source(header, header.overlays, allow_missing_options=True)
        except BicorneError:
            return transcript, None, None  # the overlays of the record no longer fit, or the scenario is missing
        game = Follower(source_of(source, self._language), transcript, header.seed, checked=True)
        return (transcript if game.divergence is not None else game.own_transcript()), source, game.divergence

    def _overlays(self, header: Header) -> list[OverlayFile]:
        """Returns the overlays to apply: those of the record, replaced where the id is the same, then the others."""
        kept = {} if header.rules is None else {each.id: each.file for each in header.rules.overlays}
        for name in self._without:
            if name not in kept:
                known = ", ".join(kept) or "none"
                raise UsageError(f"the game was not played under an overlay '{name}'; its overlays: {known}")
        found = {name: file for name, file in kept.items() if name not in self._without}
        return list((found | dict(self._added)).values())

    def _opened_source(
        self, header: Header, overlays: Sequence[OverlayFile], *, allow_missing_options: bool
    ) -> Scenario:
        key = f"{_key(header, overlays)}, {allow_missing_options}"
        if key not in self._sources:
            self._sources[key] = self._opener(header, overlays, allow_missing_options)
        return self._sources[key]

    def _recorded_source(self, header: Header) -> Scenario | None:
        """Returns the rules of the record, if they are available unchanged."""
        try:
            source = self._opened_source(header, header.overlays, allow_missing_options=False)
        except UsageError:
            return None  # an option or a scenario no longer exists
        here = header_of(source_of(source), header.seed)
        if not header.differences(here):
            return source
        same = header.rules is not None and here.rules is not None and not header.rules.differences(here.rules)
        return source if same and header.rules.scenario == here.rules.scenario else None  # type: ignore[union-attr]

    def _transcript_of(self, recording: Recording, before: Scenario | None) -> tuple[Transcript, Scenario | None]:
        """Returns the transcript of a recording and its own rules, which complete it if they are available."""
        header = recording.header
        sites = None if header.rules is None else header.rules.sites
        if sites is None and before is not None:
            sites = {each.number: each.address for each in before.ruleset.image.sites}
        if sites is None:
            raise UsageError(
                "it was recorded by an older version, without the purposes of its rolls and decisions, and its rules "
                "have changed since"
            )
        transcript = transcript_of(recording, sites)
        if before is None:
            return transcript, None
        replayed = Follower(source_of(before), transcript, header.seed, by_digest=True)
        if replayed.divergence is None and replayed.hash() == recording.state:
            return replayed.own_transcript(), before
        if header.engine == header_of(source_of(before), header.seed).engine:
            where = replayed.divergence or "at its end"
            raise UsageError(f"it does not reach its recorded states under its own rules: {where}")
        return transcript, None

    def _name_map(self, before: Scenario, after: Scenario) -> NameMap:
        """Returns the new names that overlays give, if any."""
        key = id(before), id(after)
        if key not in self._name_maps:
            overlays = (*before.ruleset.overlays, *after.ruleset.overlays)
            renames = any(patch.verb == "rename" for each in overlays for patch in read_overlay(each).patches)
            documents = (before.ruleset.documents, after.ruleset.documents) if renames else None
            self._name_maps[key] = NameMap() if documents is None else names_between(*documents)
        return self._name_maps[key]

    def _comparison(self, header: Header, before: Scenario | None, after: Scenario) -> RulesComparison:
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
            name_map = NameMap() if before is None else self._name_map(before, after)
            self._rules[key] = RulesComparison(
                None if before is None else before.ruleset, after.ruleset, changes, name_map
            )
        return self._rules[key]


def _key(header: Header, overlays: Sequence[OverlayFile]) -> str:
    """Returns the cache key of a scenario under overlays with the options of a record."""
    return repr((header.scenario or header.ruleset, sorted(header.options.items()), [each.digest for each in overlays]))


def branch(game: Follower, recording: Recording, path: str | Path) -> None:
    """Makes a save under the new rules, at the last decision before the game diverges from its record.

    A game without a divergence is copied whole. The dice of the seed go on where those of the copied record end.

    Raises:
        UsageError: if the file exists already, or can't be written.
    """
    inputs = game.history[: game.inputs_before_last_decision]
    save_branch(path, game.source, recording.header, inputs, checked=True)


# ---------------------------------------------------------------- many games
@dataclass(slots=True)
class Impact:
    """The effect of changed rules on many games: for each file the result, or the reason why it was refused."""

    found: dict[str, ReplayResult] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)

    @property
    def unchanged(self) -> list[str]:
        """The files whose games stay the same."""
        return [file for file, each in self.found.items() if each.divergence is None]

    @property
    def diverged(self) -> list[str]:
        """The files whose games diverge from their records."""
        return [file for file, each in self.found.items() if each.divergence is not None]

    @property
    def with_other_options(self) -> list[str]:
        """The files whose games stay the same but offer other options."""
        return [file for file in self.unchanged if self.found[file].changed_options]

    def grouped_by(self, label: Callable[[ReplayResult], str]) -> list[tuple[str, list[str]]]:
        """Returns the files of diverged games grouped by label, the largest group first."""
        groups: dict[str, list[str]] = {}
        for file in self.diverged:
            groups.setdefault(label(self.found[file]), []).append(file)
        return sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))
