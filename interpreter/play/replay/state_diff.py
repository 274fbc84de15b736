"""Game states by names, so that games under different rules can be compared.

A value has a *key*: the `kind/id` of its owner (empty for a state value, `:shown` for revealed things) and its
attribute. An attribute that only one of two rulesets has is no difference between their states. A figure that no rule
changes is a difference only where a rule reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from interpreter.language.model.emitted_names import SLOT
from interpreter.play.engine.core import Core
from interpreter.play.inputs.value_codec import Stable, encode
from interpreter.world.journal import PLACE, UNDO
from interpreter.world.things import Piece, State, Thing

Key = tuple[str, str]
Values = dict[Key, Stable]

AT: Final = "at"
REVEALED: Final = ":shown"
_MISSING: Final = object()
_WORD: Final = re.compile(r"\w+")


class Vocabulary:
    """The attributes that the rules of a game have, by kind; a state value has no kind."""

    def __init__(self, kinds: Iterable[str], attributes: Iterable[tuple[str, str]]) -> None:
        self._kinds = frozenset(kinds)
        self._attributes = frozenset(attributes)

    @classmethod
    def of(cls, core: Core) -> Vocabulary:
        """Returns the vocabulary of the rules of a game."""
        model = core.shared.model
        own = [(kind, each.name) for kind, declared in model.declared.items() for each in declared]
        return cls(model.kinds, own + [("", each.name) for each in core.image.state])

    def renamed(self, kinds: Mapping[str, str], attributes: Mapping[str, str]) -> Vocabulary:
        """Returns the same vocabulary with new names."""
        return Vocabulary(
            [kinds.get(each, each) for each in self._kinds],
            [(kinds.get(kind, kind), attributes.get(name, name)) for kind, name in self._attributes],
        )

    def has(self, key: Key) -> bool:
        """Whether a value with this key can exist."""
        kind, attribute = key[0].partition("/")[0], key[1]
        if kind == REVEALED:
            return True
        return (kind, attribute) in self._attributes or (attribute == AT and kind in self._kinds)


# ---------------------------------------------------------------- states
def values_at_start(core: Core) -> Values:
    """Returns the current values of everything that can change."""
    found: Values = {}
    for thing in core.world.objects:
        if isinstance(thing, Piece):
            found[thing.ref, AT] = encode(thing.at)
        for slot in thing.changing:
            found[thing.ref, SLOT.id(slot)] = encode(getattr(thing, slot))
    for slot in core.world.state.slots:
        found["", SLOT.id(slot)] = encode(getattr(core.world.state, slot))
    return found


def changes_since(core: Core, mark: int) -> Values:
    """Returns the current values of what has changed since the journal had `mark` entries."""
    before, where, created = _journalled(core, mark)
    found = {key: _now(core, key, *where[key]) for key in where}
    changed = {key: value for key, value in found.items() if key[0] == REVEALED or value != before[key]}
    for thing in created:
        changed |= dict(_values_of(thing))
    return changed | dict(_records(core))


def values_before(core: Core, mark: int, keys: Iterable[Key]) -> Values:
    """Returns the values of these keys when the journal had `mark` entries; missing ones are left out."""
    before, _, created = _journalled(core, mark)
    new = {each.ref for each in created}
    found: Values = {}
    for key in keys:
        owner = core.world.state if not key[0] else _thing(core, key[0])
        name = AT if key[1] == AT else SLOT(key[1])
        if key in before:
            found[key] = before[key]
        elif owner is not None and key[0] not in new and hasattr(owner, name):
            found[key] = encode(getattr(owner, name))
    return found


def _thing(core: Core, ref: str) -> Any:
    return next((each for each in core.world.objects if each.ref == ref), None)


def _journalled(core: Core, mark: int) -> tuple[Values, dict[Key, tuple[Any, str]], list[Thing]]:
    """Returns what the journal names: the first old values, the owners and slots of the values, and created pieces."""
    before: Values = {}
    where: dict[Key, tuple[Any, str]] = {}
    created: list[Thing] = []
    for target, slot, old in core.world.journal[mark:]:
        if target is PLACE:
            key, owner, name = (slot.ref, AT), slot, AT
        elif target is UNDO:
            created.append(old[0])
            continue
        elif isinstance(target, Thing | State):
            key, owner, name = (getattr(target, "ref", ""), SLOT.id(slot)), target, slot
        elif target is core and slot == "revealed":
            key, owner, name = (REVEALED, ""), core, slot
        else:
            continue
        if key not in where:
            where[key] = (owner, name)
            before.setdefault(key, () if owner is core else encode(old))
    return before, where, created


def _now(core: Core, key: Key, owner: Any, name: str) -> Stable:
    if key[0] == REVEALED:
        return tuple(sorted((thing.ref, seat.ref if seat is not None else "") for thing, seat in core.shown()))
    return encode(getattr(owner, name))


def _values_of(thing: Thing) -> Iterator[tuple[Key, Stable]]:
    """Yields all values of a piece that was created during play."""
    yield (thing.ref, AT), encode(thing.at)
    for slot in thing.slots:
        yield (thing.ref, SLOT.id(slot)), encode(getattr(thing, slot))


def _records(core: Core) -> Iterator[tuple[Key, Stable]]:
    """Yields the values that hold records: the journal does not name their owners."""
    records = {each.name for each in core.image.kinds if each.root == "record"}
    if not records:
        return
    slots = {kind: found for kind, found in core.shared.model.record_slots.items() if found and kind not in records}
    for thing in core.world.objects if slots else ():
        for slot in slots.get(thing.kind, ()):
            yield (thing.ref, SLOT.id(slot)), encode(getattr(thing, slot))
    for each in core.image.state:
        if records & set(_WORD.findall(each.type)):
            yield ("", each.name), encode(getattr(core.world.state, SLOT(each.name)))


def differing(mine: Mapping[Key, Stable], other: Mapping[Key, Stable], *both: Vocabulary) -> list[Key]:
    """Returns the keys, known to all these vocabularies, whose values differ, in a fixed order."""
    keys = [key for key in mine.keys() | other.keys() if mine.get(key, _MISSING) != other.get(key, _MISSING)]
    return sorted(key for key in keys if all(each.has(key) for each in both))


def differing_starts(mine: Mapping[Key, Stable], other: Mapping[Key, Stable], *both: Vocabulary) -> list[Key]:
    """Returns the same for the start of two games; a piece that only one of them has counts if it has a location."""
    return [
        key
        for key in differing(mine, other, *both)
        if (key in mine and key in other) or (key[1] == AT and mine.get(key, other.get(key)) is not None)
    ]
