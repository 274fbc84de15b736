"""Labels of things by the templates of the presentation: in lists, on the map, in a cell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set, Sized
from contextlib import contextmanager
from typing import Any

from interpreter.language.model.emitted_names import DEFINITION
from interpreter.play.engine.core import Core
from interpreter.play.game import Game
from interpreter.play.views.quiet_query import quiet_query, removed_from_board
from interpreter.play.views.visibility import Visibility
from interpreter.play.wording.wording import FIELD, NAME, Wording, is_one, is_set
from interpreter.world.things import Piece, Thing, Word

PIECES = "pieces"
"""The field of a cell template that shows the pieces in a space."""


class LabelTemplates:
    """Labels the things of one position, as one seat sees them, by the templates of `presentation.labels`.

    Computed values are computed from what the seat can see, as if hidden pieces were off the board.
    """

    def __init__(self, game: Game, visibility: Visibility) -> None:
        self._core: Core = game.core
        self._visibility = visibility
        self._hidden = visibility.precomputed().hidden()
        self._masking = visibility.with_hidden(frozenset(self._hidden)) if self._hidden else visibility
        """Keeps hidden pieces hidden also while they are off the board."""
        self._words: Wording = game.source.wording
        presentation: Mapping[str, Any] = getattr(game.source.ruleset, "presentation", None) or {}
        self._templates: Mapping[str, Any] = presentation.get("labels", {})
        self._option_templates: Mapping[str, Mapping[str, Any]] = presentation.get("option_labels", {})
        self._choice_templates: Mapping[str, Mapping[str, Mapping[str, Any]]] = presentation.get("choice_labels", {})
        self._board_templates: Mapping[str, Any] = presentation.get("board", {}).get("labels", {})
        self._plurals = {each.plural: each.name for each in game.core.image.kinds if each.plural}
        self._is_cleared = False
        """Whether hidden pieces are off the board."""

    @property
    def visibility(self) -> Visibility:
        """The visibility of the position, the same while hidden pieces are off the board."""
        return self._masking

    @contextmanager
    def together(self) -> Iterator[None]:
        """Takes hidden pieces off the board once for all labels that are made meanwhile."""
        if self._is_cleared:
            yield
            return
        with removed_from_board(self._core, self._hidden):
            self._is_cleared = True
            try:
                yield
            finally:
                self._is_cleared = False

    def of(self, thing: Thing) -> str | None:
        """Returns the label of a thing by the template of its nearest kind; none if it has no template or is hidden."""
        return self._filled(thing, self._templates)

    def option_label(self, thing: Thing, address: str) -> str | None:
        """Returns the label of a thing as an option of the decision at `address`; none if it has no template."""
        return self._filled(thing, self._option_templates.get(address, {}))

    def choice_label(self, choice: str, address: str, subjects: Sequence[Any]) -> str | None:
        """Returns the label of an action or word as an option of the decision at `address`; none without a template.

        The first of the subjects that has a kind with a template fills it.
        """
        templates = self._choice_templates.get(address, {})
        for subject in subjects if templates else ():
            kinds = subject.lineage if isinstance(subject, Thing) else ()
            if any(choice in templates.get(kind, {}) for kind in kinds):
                return self._filled(
                    subject, {kind: texts[choice] for kind, texts in templates.items() if choice in texts}
                )
        return None

    def board_label(self, thing: Thing) -> str | None:
        """Returns the label of a thing in the list of the whole position; none if it has no template there."""
        return self._filled(thing, self._board_templates)

    def _filled(self, thing: Thing, templates: Mapping[str, Any]) -> str | None:
        template = next((templates[each] for each in thing.lineage if each in templates), None)
        if template is None or self._visibility.hides(thing) or self._visibility.mask(thing) is not None:
            return None
        if isinstance(template, Mapping):
            template = template.get(self._words.language) or template.get("en")
        return self.fill(str(template), thing, self._text)

    def fill(self, template: str, thing: Thing, to_text: Callable[[Any], str]) -> str:
        """Returns a template with the values of a thing, each formatted by `to_text`; runs of blanks become one."""

        def field(found: re.Match[str]) -> str:
            value = self.value(thing, found[1])
            if found[2] is not None:
                return FIELD.sub(field, found[2]) if is_set(value) else ""
            if found[3] is not None:
                return found[3] if is_one(value) else found[4]
            return self._words.of(thing) if found[1] == NAME and value is None else to_text(self._masking.masked(value))

        with quiet_query(self._core), self.together():
            return " ".join(FIELD.sub(field, template).split())

    def seen_value(self, thing: Thing, name: str) -> Any:
        """Returns what `value` returns, as far as the seat may know it."""
        with quiet_query(self._core), self.together():
            return self._masking.masked(self.value(thing, name))

    def value(self, thing: Thing, name: str) -> Any:
        """Returns an attribute (stored or computed), the holder of a kind, or the pieces of a kind; none if unknown."""
        if name in thing.attributes:
            return getattr(thing, thing.slots[thing.attributes.index(name)])
        for kind in thing.lineage:
            if (rule := self._core.names.get(DEFINITION(kind, name))) is not None:
                return rule(thing)
        if (of := self._plurals.get(name)) is not None:
            return tuple([each for each in contents(thing) if of in each.lineage and not self._masking.hides(each)])
        holder: Any = thing
        while isinstance(holder, Piece) and (holder := holder.at) is not None:
            if name == "at" or name in holder.lineage:
                return holder
        return thing.id if name == "id" else None

    def _text(self, value: Any) -> str:
        return "" if value is None or (isinstance(value, Sized) and not value) else self._words.of(value)


def contents(thing: Thing) -> Iterator[Piece]:
    """Yields all pieces in a thing, at any depth."""
    for slot in sorted(thing.holds):
        for each in getattr(thing, slot):
            yield each
            yield from contents(each)


def symbol_of(value: Any, symbols: Mapping[str, Any], words: Wording) -> str:
    """Returns a value in its shortest form: its symbol, else its name; empty for none, no and 0."""
    if not is_set(value) or value is True:
        return ""
    if isinstance(value, Sequence | Set) and not isinstance(value, str):
        return " ".join([symbol_of(each, symbols, words) for each in value])
    if isinstance(value, Thing | Word):
        own = symbols.get(value.kind)
        if isinstance(own, Mapping) and value.id in own:
            return str(own[value.id])
        if isinstance(value, Word) and isinstance(symbols.get(value.id), str):
            return str(symbols[value.id])
    return words.of(value)
