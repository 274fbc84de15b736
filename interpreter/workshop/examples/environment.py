"""Environments for examples: a ruleset compiled for tracing, with the options that an example sets."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Final

from interpreter.language.codegen.emit import image_under_settings
from interpreter.language.model.image import Image
from interpreter.language.model.program import Program
from interpreter.play.engine.apply_setup import set_up, set_up_in_play, with_pieces
from interpreter.play.engine.core import Core, shared_code
from interpreter.play.engine.source import GameSource
from interpreter.play.wording.wording import Wording
from interpreter.rules.linking.examples import examples
from interpreter.rules.linking.option_settings import with_settings
from interpreter.rules.linking.setup import Setup
from interpreter.rules.loading.load import load_ruleset, load_scenario
from interpreter.rules.loading.ruleset import Ruleset

MAX_IDLE: Final = 3
"""The number of cores without a game that are kept; the oldest are dropped."""


@dataclass(frozen=True, slots=True, eq=False)
class Environment:
    """A ruleset under one setting of its options, with its program and its image with traced code.

    Expressions that are linked to `program` may name counters, unlike rules.
    """

    program: Program
    image: Image
    wording: Wording
    idle: deque[tuple[Image, Core]]
    """Cores of examples that have ended, with their images; a few, for all environments of the ruleset."""

    def game_source(self, setup: Setup) -> GameSource:
        """Returns the source of a game that begins with this set-up."""
        if all(self.program.kinds[kind].root == "piece" for kind, *_ in setup.pieces):
            return GameSource(self.image, None, self.wording, take=partial(self._taken, setup))
        image = with_pieces(self.image, setup)
        return GameSource(image, partial(set_up, setup=setup), self.wording, base=self.image)

    def _taken(self, setup: Setup) -> Core:
        """Returns a core after a set-up: to make the objects of a large map costs more than to play most examples."""
        core = self._idle_core() or Core(shared_code(self.image), "traced", {})
        with core.faults():
            set_up_in_play(core, setup)
        return core

    def _idle_core(self) -> Core | None:
        for position, (image, core) in enumerate(self.idle):
            if image is self.image:
                del self.idle[position]
                core.reset()
                return core
        return None

    def give_back(self, core: Core) -> None:
        """Keeps the core of an example that has ended, to which nobody refers any more, for the next one."""
        if core.image is self.image and core.is_at_rest:
            self.idle.append((self.image, core))


@lru_cache(maxsize=4)
def environments_of(ruleset: Ruleset) -> Environments:
    """Returns the environments of a ruleset, cached for callers that run its examples one by one.

    Raises:
        RulesetError: if its documents have changed since it was loaded, and now have mistakes.
    """
    return Environments(ruleset)


class Environments:
    """The environments of one ruleset, each made once, and its examples by name."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        program = ruleset.program
        nameable = {key: replace(each, named=True) for key, each in program.individuals.items()}
        self.program = replace(program, individuals=nameable)
        self.examples = {each.name: each for each in examples(ruleset.documents)}
        self._wording = Wording(ruleset.presentation)
        self._idle: deque[tuple[Image, Core]] = deque(maxlen=MAX_IDLE)
        self._scenarios: dict[str, Setup] = {}
        self._environments: dict[tuple[tuple[str, object], ...], Environment] = {}

    def with_options(self, options: Mapping[str, object]) -> Environment:
        """Returns the environment with these options in place of those that the ruleset was loaded with.

        Raises:
            UsageError: if an option does not exist or has no such value.
        """
        key = tuple(sorted(options.items()))
        if key not in self._environments:
            self._environments[key] = self._compiled(options)
        return self._environments[key]

    def scenario(self, name: str) -> Setup:
        """Returns the set-up of a scenario of the ruleset, loaded once.

        Raises:
            UsageError: if there is no such scenario.
            RulesetError: if it has mistakes.
        """
        if name not in self._scenarios:
            folder = self.ruleset.folder
            own = folder / "scenarios" / f"{name}.yaml"
            source = own if own.is_file() else f"{self.ruleset.name}/{name}"
            self._scenarios[name] = load_scenario(source, paths=[folder], overlays=self.ruleset.overlays).setup
        return self._scenarios[name]

    def _compiled(self, options: Mapping[str, object]) -> Environment:
        if self.ruleset.has_conditional_patches and options:
            return self._reloaded(options)
        code = self.ruleset.unit("traced")
        if not options:
            return Environment(self.program, replace(self.ruleset.image, units=(code,)), self._wording, self._idle)
        program = with_settings(self.program, options)
        return Environment(program, image_under_settings(self.ruleset.image, program, code), self._wording, self._idle)

    def _reloaded(self, options: Mapping[str, object]) -> Environment:
        """Returns the environment of a ruleset whose options switch patches, which are applied again."""
        rules = self.ruleset
        reloaded = load_ruleset(rules.folder, rules.overlays, {**rules.options, **options})
        nameable = {key: replace(each, named=True) for key, each in reloaded.program.individuals.items()}
        program = replace(reloaded.program, individuals=nameable)
        image = replace(reloaded.image, units=(reloaded.unit("traced"),))
        return Environment(program, image, Wording(reloaded.presentation), self._idle)
