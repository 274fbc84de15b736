"""The start that a situation changes: that of a ruleset, or of a scenario."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as Settings
from dataclasses import dataclass, replace
from pathlib import Path

from interpreter.inference.situation.situation import options_of
from interpreter.language.model.program import Individual, Program
from interpreter.play.engine.source import GameSource, with_setup
from interpreter.rules.documents.nodes import Mapping
from interpreter.rules.documents.overlay_files import OverlayName
from interpreter.rules.documents.search_path import locate_scenario
from interpreter.rules.linking.setup import Setup, joined
from interpreter.rules.loading.load import load_ruleset, load_scenario
from interpreter.rules.loading.ruleset import Ruleset, Scenario

_NONE: Settings[str, object] = {}


@dataclass(frozen=True, slots=True)
class StartingPosition:
    """The rules of a situation, and the set-up that it changes."""

    ruleset: Ruleset
    scenario: Scenario | None

    @property
    def program(self) -> Program:
        """The program of the ruleset, with the pieces and things that the scenario adds."""
        program = self.ruleset.program
        if self.scenario is None or not self.scenario.setup.pieces:
            return program
        added = {(kind, name): Individual(name=name, kind=kind) for kind, name, *_ in self.scenario.setup.pieces}
        return replace(program, individuals=program.individuals | added)

    def setup(self, changes: Setup) -> Setup:
        """Returns the set-up under the changes of a situation."""
        return changes if self.scenario is None else joined(self.scenario.setup, changes)

    def game_source(self, changes: Setup) -> GameSource:
        """Returns the source of a game that begins in the situation with these changes."""
        return with_setup(self.ruleset, self.setup(changes), self.scenario)


def start_of(
    source: str | Path | Ruleset | Scenario,
    situation: Mapping,
    overlays: Iterable[OverlayName] = (),
    options: Settings[str, object] = _NONE,
    paths: Iterable[str | Path] = (),
    *,
    opened: Iterable[Ruleset] = (),
) -> StartingPosition:
    """Returns the start of a ruleset or scenario, given by name or loaded, with the options of a situation.

    `options` override those of the situation, which override those of the scenario. What is loaded already is loaded
    again if its options differ or there are further overlays, which come after its own. `opened` is that of
    `load_ruleset`.

    Raises:
        UsageError: if there is no such ruleset or scenario, or a setting is invalid.
        RulesetError: with all diagnostics, if it has errors.
    """
    settings, further = {**options_of(situation), **options}, tuple(overlays)
    if not isinstance(source, Ruleset | Scenario):
        if _is_scenario(source, paths):
            scenario = load_scenario(source, settings, paths, further)
            return StartingPosition(scenario.ruleset, scenario)
        return StartingPosition(load_ruleset(source, further, settings, paths, opened=opened), None)
    loaded, rules = source, source.ruleset if isinstance(source, Scenario) else source
    settings, further = {**rules.options, **settings}, (*rules.overlays, *further)
    if settings != rules.options or len(further) > len(rules.overlays):
        if isinstance(source, Ruleset):
            return StartingPosition(load_ruleset(rules.folder, further, settings, paths, opened=opened), None)
        loaded = load_scenario(source.path, settings, (rules.folder, *paths), further)
    return StartingPosition(loaded.ruleset, loaded) if isinstance(loaded, Scenario) else StartingPosition(rules, None)


def _is_scenario(name: str | Path, paths: Iterable[str | Path]) -> bool:
    """Whether a name or path is that of a scenario."""
    if str(name).isidentifier() or Path(name).is_dir():
        return False
    return locate_scenario(name, paths) is not None
