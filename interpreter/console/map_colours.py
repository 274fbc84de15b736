"""The colours of things on maps, by the values that `presentation.coloured` names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.console.label_templates import LabelTemplates
from interpreter.play.views.visibility import Visibility
from interpreter.world.things import Thing, Word


class MapColours:
    """Finds the colours of things as one seat sees them: that of the value of one attribute of each kind of thing."""

    def __init__(self, presentation: Mapping[str, Any], labels: LabelTemplates, visibility: Visibility) -> None:
        self._by_value: Mapping[str, Mapping[str, str]] = presentation.get("colours", {})
        self._attributes: Mapping[str, str] = presentation.get("coloured", {})
        self._labels = labels
        self._visibility = visibility

    def of(self, thing: Thing) -> str | None:
        """Returns the colour of a thing; none if it has no colour, or the seat does not see its value."""
        attribute = next((self._attributes[kind] for kind in thing.lineage if kind in self._attributes), None)
        if attribute is None:
            return None
        if self._visibility.hides(thing) or self._visibility.mask(thing) is not None:
            value = self._visibility.seen_values(thing).get(attribute)
        else:
            value = self._labels.seen_value(thing, attribute)
        return self._by_value.get(value.kind, {}).get(value.id) if isinstance(value, Thing | Word) else None
