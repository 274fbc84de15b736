"""What a game is played from: a scenario, a ruleset or a bare image, in one form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from interpreter.language.diagnostics import UsageError
from interpreter.language.model.image import Image
from interpreter.play.engine.apply_setup import set_up, with_pieces
from interpreter.play.engine.core import Core, SharedCode, shared_code
from interpreter.play.wording.wording import Wording


@dataclass(frozen=True, slots=True)
class GameSource:
    """An image with what a scenario changes before the first step, and the words it is shown in.

    `ruleset` is the loaded ruleset, where there is one: it compiles further variants and gives the program for
    questions like 'why not'. `setup` changes a game before its first step; `base` is the image without the pieces that
    it adds, shared with other settings.
    """

    image: Image
    setup: Callable[[Core], None] | None = None
    wording: Wording = field(default_factory=Wording)
    ruleset: Any = None
    scenario: Any = None
    base: Image | None = None

    def has_variant(self, variant: str) -> bool:
        """Whether games of this image can be run in a variant."""
        return self.ruleset is not None or shared_code(self.image, self.base).has(variant)

    def shared(self, variant: str) -> SharedCode:
        """The shared part of the games of this image, able to run a variant.

        Raises:
            UsageError: if the variant can't be had.
        """
        found = shared_code(self.image, self.base)
        if not found.has(variant):
            if self.ruleset is None:
                raise UsageError(f"'{self.image.name}' was compiled without its variant '{variant}'")
            found.add(self.ruleset.unit(variant))
        return found


_SETTINGS: dict[tuple[int, str], tuple[Any, GameSource]] = {}
_KEPT = 16


def source_of(source: Any, language: str = "en") -> GameSource:
    """The setting of a scenario, a ruleset, an image, or a setting itself; the same one for the same source.

    Raises:
        UsageError: if the source is none of these.
    """
    if isinstance(source, GameSource):
        return source
    key = (id(source), language)
    if key not in _SETTINGS or _SETTINGS[key][0] is not source:
        while len(_SETTINGS) >= _KEPT:
            del _SETTINGS[next(iter(_SETTINGS))]
        _SETTINGS[key] = (source, _made(source, language))
    return _SETTINGS[key][1]


def _made(source: Any, language: str) -> GameSource:
    if isinstance(source, Image):
        return GameSource(source, wording=Wording(language=language))
    ruleset = getattr(source, "ruleset", source)
    image = getattr(ruleset, "image", None)
    if not isinstance(image, Image):
        raise UsageError(f"a game is played from a scenario or a ruleset, not from {type(source).__name__}")
    if ruleset is source:
        return GameSource(image, None, Wording(ruleset.presentation, language), ruleset)
    return with_setup(ruleset, source.setup, source, language)


def with_setup(ruleset: Any, setup: Any, scenario: Any = None, language: str = "en") -> GameSource:
    """The setting of a ruleset with a set-up of its own (a `link_scenario.Setup`), as worked examples have."""
    seats = getattr(scenario, "seats", None) or dict(setup.seats)
    wording = Wording(ruleset.presentation, language, seats)
    image = with_pieces(ruleset.image, setup)
    return GameSource(image, partial(set_up, setup=setup), wording, ruleset, scenario, ruleset.image)
