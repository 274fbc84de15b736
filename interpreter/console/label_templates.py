"""Things told by the templates of the presentation: what is worth saying of a kind in lists, on the map, in a cell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from typing import Any

from interpreter.play.engine.budget import Budget
from interpreter.play.engine.core import Core
from interpreter.play.game import Game
from interpreter.play.views.visibility import Visibility
from interpreter.play.wording.wording import FIELD, NAME, Wording, is_set
from interpreter.world.things import Piece, Thing, Word

PIECES = "pieces"
"""What a template may ask of every space on the map."""


class Portraits:
    """Tells things of one position, as one pair of eyes sees them, by the templates of `presentation.portraits`.

    What is computed for a template is computed of what can be seen, as if hidden pieces stood nowhere.
    """

    def __init__(self, game: Game, sight: Visibility) -> None:
        self._core: Core = game.core
        self._sight = sight
        self._unseen = sight.settled().hidden()
        self._eyes = sight.hiding(frozenset(self._unseen)) if self._unseen else sight
        """What is hidden stays hidden to these also while it stands nowhere."""
        self._words: Wording = game.setting.wording
        presentation: Mapping[str, Any] = getattr(game.setting.ruleset, "presentation", None) or {}
        self._templates: Mapping[str, Any] = presentation.get("portraits", {})
        self._offers: Mapping[str, Mapping[str, Any]] = presentation.get("offers", {})
        self._plurals = {each.plural: each.name for each in game.core.image.kinds if each.plural}

    def of(self, thing: Thing) -> str | None:
        """A thing by the template of its nearest kind that has one; none if none has, or it may not be known."""
        return self._by(thing, self._templates)

    def offered(self, thing: Thing, address: str) -> str | None:
        """A thing as an option of the decision at this address, where the ruleset has a template for that."""
        return self._by(thing, self._offers.get(address, {}))

    def _by(self, thing: Thing, templates: Mapping[str, Any]) -> str | None:
        template = next((templates[each] for each in thing.lineage if each in templates), None)
        if template is None or self._sight.hides(thing) or self._sight.veil(thing) is not None:
            return None
        if isinstance(template, Mapping):
            template = template.get(self._words.language) or template.get("en")
        return self.fill(str(template), thing, self._said)

    def fill(self, template: str, thing: Thing, say: Callable[[Any], str]) -> str:
        """A template with the values of a thing, each said by `say`; blanks that nothing stands between become one."""

        def field(found: re.Match[str]) -> str:
            value = self.value(thing, found[1])
            if found[2] is not None:
                return FIELD.sub(field, found[2]) if is_set(value) else ""
            return self._words.of(thing) if found[1] == NAME and value is None else say(self._eyes.masked(value))

        with quietly(self._core), taken_off(self._core, self._unseen):
            return " ".join(FIELD.sub(field, template).split())

    def value(self, thing: Thing, name: str) -> Any:
        """An attribute, stored or computed, the holder of a kind, the pieces of a kind in it; none if it has none."""
        if name in thing.attributes:
            return getattr(thing, thing.slots[thing.attributes.index(name)])
        for kind in thing.lineage:
            if (rule := self._core.names.get(f"d_{kind}__{name}")) is not None:
                return self._asked(rule, thing)
        if (of := self._plurals.get(name)) is not None:
            return tuple([each for each in contents(thing) if of in each.lineage and not self._eyes.hides(each)])
        holder: Any = thing
        while isinstance(holder, Piece) and (holder := holder.at) is not None:
            if name == "at" or name in holder.lineage:
                return holder
        return thing.id if name == "id" else None

    def _asked(self, rule: Callable[[Thing], Any], thing: Thing) -> Any:
        try:
            return rule(thing)
        except Exception as error:
            raise self._core.fault(error) from error

    def _said(self, value: Any) -> str:
        return "" if value is None or (isinstance(value, Sized) and not value) else self._words.of(value)


def contents(thing: Thing) -> Iterator[Piece]:
    """All pieces in a thing, however deep."""
    for slot in sorted(thing.holds):
        for each in getattr(thing, slot):
            yield each
            yield from contents(each)


@contextmanager
def quietly(core: Core) -> Iterator[None]:
    """Rules are asked between decisions: nothing of it is recorded, and the game's budget stays as it is."""
    kept = {name: core.names[name] for name in ("T", "log", "tick")}
    core.names.update(T=_silent, log=_silent, tick=Budget().renew())
    try:
        yield
    finally:
        core.names.update(kept)


@contextmanager
def taken_off(core: Core, pieces: Sequence[Piece]) -> Iterator[None]:
    """As if these pieces stood nowhere."""
    mark = core.world.mark()
    for each in pieces:
        core.world.place(each, None)
    try:
        yield
    finally:
        if pieces:
            core.world.rollback(mark)


def _silent(*_arguments: Any) -> None:
    """Events that nobody is told of."""


def sign_of(value: Any, symbols: Mapping[str, Any], words: Wording) -> str:
    """A value as short as it goes: its symbol, else its name; nothing for none, no and 0."""
    if not is_set(value) or value is True:
        return ""
    if isinstance(value, Thing | Word):
        own = symbols.get(value.kind)
        if isinstance(own, Mapping) and value.id in own:
            return str(own[value.id])
        if isinstance(value, Word) and isinstance(symbols.get(value.id), str):
            return str(symbols[value.id])
    return words.of(value)
