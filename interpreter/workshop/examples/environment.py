"""What examples are played on: a ruleset with the options of each set that they ask for, compiled for tracing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from interpreter.language.codegen.emit import emit_unit
from interpreter.language.diagnostics import UsageError
from interpreter.language.model.image import Image
from interpreter.language.model.program import Program
from interpreter.play.engine.apply_setup import set_up, with_pieces
from interpreter.play.engine.source import GameSource
from interpreter.play.wording.wording import Wording
from interpreter.rules.linking.attribute_values import read_setting
from interpreter.rules.linking.examples import examples
from interpreter.rules.linking.setup import Setup
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset


@dataclass(frozen=True, slots=True, eq=False)
class Environment:
    """A ruleset under one setting of its options: the program for further texts, the image with its traced code.

    Texts read against `program` may name counters, which rules can't.
    """

    program: Program
    image: Image
    wording: Wording

    def setting(self, setup: Setup) -> GameSource:
        """What a game is played from that begins with this set-up."""
        image = with_pieces(self.image, setup)
        return GameSource(image, partial(set_up, setup=setup), self.wording, base=self.image)


@lru_cache(maxsize=4)
def stages_of(ruleset: Ruleset) -> Stages:
    """The stages of a ruleset, kept for those who run its examples one by one.

    Raises:
        RulesetError: if its documents have changed since it was loaded, and are no longer sound.
    """
    return Stages(ruleset)


class Stages:
    """The stages of one ruleset, each made once, and its examples by name."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        program = ruleset.program
        nameable = {key: replace(each, named=True) for key, each in program.individuals.items()}
        self.program = replace(program, individuals=nameable)
        self.examples = {each.name: each for each in examples(ruleset.documents)}
        self._wording = Wording(ruleset.presentation)
        self._made: dict[tuple[tuple[str, object], ...], Environment] = {}

    def under(self, options: Mapping[str, object]) -> Environment:
        """The stage with these options set over those that the ruleset was loaded with.

        Raises:
            UsageError: if an option can't be set so.
        """
        key = tuple(sorted(options.items()))
        if key not in self._made:
            self._made[key] = self._make(options)
        return self._made[key]

    def _make(self, options: Mapping[str, object]) -> Environment:
        if self.ruleset.toggled and options:
            return self._reload(options)
        known = dict(self.program.options)
        for name, value in options.items():
            if name not in known:
                raise UsageError(f"there is no option '{name}'")
            known[name] = replace(known[name], value=read_setting(known[name], value))
        program = replace(self.program, options=known)
        settings = tuple([(name, _stored(each.value)) for name, each in known.items()])
        unit = emit_unit(program, "traced")
        image = replace(self.ruleset.image, options=settings, units=(unit,))
        return Environment(program, image, self._wording)

    def _reload(self, options: Mapping[str, object]) -> Environment:
        """The stage of a ruleset whose options decide over patches: these are laid on anew."""
        rules = self.ruleset
        again = load_ruleset(rules.folder, rules.overlays, {**rules.options, **options})
        nameable = {key: replace(each, named=True) for key, each in again.program.individuals.items()}
        program = replace(again.program, individuals=nameable)
        image = replace(again.image, units=(again.unit("traced"),))
        return Environment(program, image, Wording(again.presentation))


def _stored(value: object) -> bool | int | str | None:
    return value if isinstance(value, bool | int | str) or value is None else str(value)
