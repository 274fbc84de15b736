"""Environments for examples: a ruleset compiled for tracing, with the options that an example sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from interpreter.language.codegen.emit import image_under_settings
from interpreter.language.model.image import Image
from interpreter.language.model.program import Program
from interpreter.play.engine.apply_setup import set_up, with_pieces
from interpreter.play.engine.source import GameSource
from interpreter.play.wording.wording import Wording
from interpreter.rules.linking.examples import examples
from interpreter.rules.linking.option_settings import with_settings
from interpreter.rules.linking.setup import Setup
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset


@dataclass(frozen=True, slots=True, eq=False)
class Environment:
    """A ruleset under one setting of its options, with its program and its image with traced code.

    Expressions that are linked to `program` may name counters, unlike rules.
    """

    program: Program
    image: Image
    wording: Wording

    def game_source(self, setup: Setup) -> GameSource:
        """Returns the source of a game that begins with this set-up."""
        image = with_pieces(self.image, setup)
        return GameSource(image, partial(set_up, setup=setup), self.wording, base=self.image)


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

    def _compiled(self, options: Mapping[str, object]) -> Environment:
        if self.ruleset.has_conditional_patches and options:
            return self._reloaded(options)
        program = with_settings(self.program, options)
        return Environment(program, image_under_settings(self.ruleset.image, program, "traced"), self._wording)

    def _reloaded(self, options: Mapping[str, object]) -> Environment:
        """Returns the environment of a ruleset whose options switch patches, which are applied again."""
        rules = self.ruleset
        reloaded = load_ruleset(rules.folder, rules.overlays, {**rules.options, **options})
        nameable = {key: replace(each, named=True) for key, each in reloaded.program.individuals.items()}
        program = replace(reloaded.program, individuals=nameable)
        image = replace(reloaded.image, units=(reloaded.unit("traced"),))
        return Environment(program, image, Wording(reloaded.presentation))
