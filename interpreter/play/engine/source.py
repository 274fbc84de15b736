"""The source of a game: a scenario, a ruleset or a bare image, in one form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from interpreter.language.diagnostics import UsageError
from interpreter.language.model.image import Image
from interpreter.play.engine.apply_setup import set_up, with_pieces
from interpreter.play.engine.core import Core, SharedCode, Trace, shared_code
from interpreter.play.wording.wording import Wording
from interpreter.rules.loading.ruleset import text_in


@dataclass(frozen=True, slots=True)
class GameSource:
    """An image with the set-up of a scenario and the wording of its presentation.

    `ruleset` is the loaded ruleset, if there is one: it compiles more variants and has the program for questions like
    'why not'. `setup` changes a game before its first step. `base` is the image without the pieces that the set-up
    adds, shared with other sources. `take` gives the traced core of a game, after the set-up; else a new one is made.
    """

    image: Image
    setup: Callable[[Core], None] | None = None
    wording: Wording = field(default_factory=Wording)
    ruleset: Any = None
    scenario: Any = None
    base: Image | None = None
    take: Callable[[], Core] | None = None

    def played_seats(self, seats: Sequence[str]) -> tuple[str, ...]:
        """Returns those of the seats that the scenario names, in their order; all if it names none."""
        named = getattr(self.scenario, "seats", None) or seats
        return tuple(each for each in seats if each in named)

    def invariant_text(self, name: str) -> str:
        """Returns what an invariant says to players in the language of the game; empty if it says nothing."""
        presentation: Mapping[str, Any] = getattr(self.ruleset, "presentation", None) or {}
        return text_in(presentation.get("invariants", {}).get(name), self.wording.language)

    def has_variant(self, variant: str) -> bool:
        """Whether games of this image can run a variant."""
        return self.ruleset is not None or shared_code(self.image, self.base).has_variant(variant)

    def shared(self, variant: str) -> SharedCode:
        """Returns the shared part of the games of this image, with the code of a variant.

        Raises:
            UsageError: if the variant is not available.
        """
        found = shared_code(self.image, self.base)
        if not found.has_variant(variant):
            if self.ruleset is None:
                raise UsageError(f"'{self.image.name}' was compiled without its variant '{variant}'")
            found.add(self.ruleset.unit(variant))
        return found

    def core(self, shared: SharedCode, variant: str, chance: Mapping[str, object], trace: Trace | None) -> Core:
        """Returns the core of a traced or observed game."""
        if self.take is None or variant != "traced":
            return Core(shared, variant, chance, trace, self.setup)
        core = self.take()
        core.serve(chance, trace)
        return core


_SOURCES: dict[tuple[int, str], tuple[Any, GameSource]] = {}
_MAX_CACHED = 16


def source_of(source: Any, language: str = "en") -> GameSource:
    """Returns the cached game source of a scenario, a ruleset, an image, or a game source.

    Raises:
        UsageError: if the source is none of these.
    """
    if isinstance(source, GameSource):
        return source
    key = (id(source), language)
    if key not in _SOURCES or _SOURCES[key][0] is not source:
        while len(_SOURCES) >= _MAX_CACHED:
            del _SOURCES[next(iter(_SOURCES))]
        _SOURCES[key] = (source, _new_source(source, language))
    return _SOURCES[key][1]


def _new_source(source: Any, language: str) -> GameSource:
    if isinstance(source, Image):
        return GameSource(source, wording=Wording(language=language))
    ruleset = getattr(source, "ruleset", source)
    image = getattr(ruleset, "image", None)
    if not isinstance(image, Image):
        raise UsageError(f"expected a scenario or a ruleset, not {type(source).__name__}")
    if ruleset is source:
        return GameSource(image, None, Wording(ruleset.presentation, language), ruleset)
    return with_setup(ruleset, source.setup, source, language)


def with_setup(ruleset: Any, setup: Any, scenario: Any = None, language: str = "en") -> GameSource:
    """Returns the source of a ruleset with its own set-up (a `scenario.Setup`), for worked examples."""
    seats = getattr(scenario, "seats", None) or dict(setup.seats)
    wording = Wording(ruleset.presentation, language, seats, getattr(scenario, "names", None))
    image = with_pieces(ruleset.image, setup)
    return GameSource(image, partial(set_up, setup=setup), wording, ruleset, scenario, ruleset.image)
