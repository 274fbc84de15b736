"""Encodes values independently of the objects of one game, for inputs, saves, hashes and messages.

A *stable* value is `None`, a bool, an int, a text (the name of a choice), or a tuple: `(kind, id)` for a thing,
`(enum, word)` for a word, `(":action", name)`, `(":list", …)`, `(":map", (key, value), …)`, `(":fraction", n, d)`,
`(":record", kind, (attribute, value), …)`, `(":reason", rule, id)` for an item of a restriction. As JSON its tuples
are lists; both forms are read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

from interpreter.language.diagnostics import UsageError, brief, did_you_mean
from interpreter.language.model.image import Image, Site
from interpreter.world.things import Record, Thing, Word
from interpreter.world.world import World

Stable = None | bool | int | str | tuple[Any, ...]

_SCALARS: frozenset[Any] = frozenset((type(None), bool, int, str))
_WITH_KIND = (Thing, Word)
_SEQUENCES = (tuple, list)


class Act:
    """An action as an option of a menu."""

    __slots__ = ("cites", "id", "name")

    def __init__(self, name: str, cites: tuple[str, ...]) -> None:
        self.name = name
        self.id = name
        self.cites = cites

    def __repr__(self) -> str:
        return f"<action {self.name}>"


class Lookup(Protocol):
    """The parts of a game that decoding needs: its things, actions and sites."""

    @property
    def actions(self) -> Mapping[str, Act]:
        """The actions by name."""

    @property
    def image(self) -> Image:
        """The compiled ruleset."""

    @property
    def world(self) -> World:
        """The objects of the game."""

    def find(self, kind: str, name: str) -> Any:
        """Returns the thing or word of a kind with this id."""


def encode(value: Any) -> Stable:
    """Returns the stable form of a value of a rule."""
    if value.__class__ in _SCALARS:
        return value  # type: ignore[no-any-return]
    if isinstance(value, _WITH_KIND):
        return (value.kind, value.id)
    if isinstance(value, _SEQUENCES):
        return (":list", *[encode(each) for each in value])
    if isinstance(value, Act):
        return (":action", value.name)
    if isinstance(value, Fraction):
        return (":fraction", value.numerator, value.denominator)
    if isinstance(value, Mapping):
        return (":map", *[(encode(key), encode(each)) for key, each in value.items()])
    if isinstance(value, Site):
        return (":reason", value.rule, value.address)
    if isinstance(value, Record):
        pairs = zip(value.attributes, value.slots, strict=True)
        return (":record", value.kind, *[(name, encode(getattr(value, slot))) for name, slot in pairs])
    return (":list", *[encode(each) for each in value])


def decode(stable: Any, core: Lookup) -> Any:
    """Returns the value of a stable form in one game.

    Raises:
        UsageError: if there is no such thing in this game.
    """
    if stable.__class__ in _SCALARS:
        return stable
    match stable:
        case [str(kind), str(own)] if kind[:1] != ":":
            return core.find(kind, own)
        case [":action", str(name)]:
            return core.actions[name] if name in core.actions else _unknown_action(name, core)
        case [":fraction", int(numerator), int(denominator)] if denominator:
            return Fraction(numerator, denominator)
        case [":reason", str(rule), str(name)]:
            return _reason(rule, name, core)
        case [":list", *items]:
            return tuple(decode(each, core) for each in items)
        case [":map", *items]:
            return _map(items, core)
        case [":record", str(kind), *items]:
            return _record(kind, items, core)
    raise _no_value(stable)


def _no_value(stable: object) -> UsageError:
    return UsageError(f"{brief(stable)} is not the stable form of a value")


def _map(items: Sequence[Any], core: Lookup) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for each in items:
        match each:
            case [stable, value] if _is_hashable(key := decode(stable, core)):
                found[key] = decode(value, core)
            case _:
                raise _no_value(each)
    return found


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _record(kind: str, items: Sequence[Any], core: Lookup) -> Any:
    made = core.world.model.kinds.get(kind)
    if made is None or made.root != "record":
        raise UsageError(f"there is no kind '{kind}' of records")
    attributes, values = core.world.model.classes[kind].attributes, {}
    for each in items:
        match each:
            case [str(name), value] if name in attributes:
                values[name] = decode(value, core)
            case _:
                raise _no_value(each)
    return core.world.create(kind, values)


def _unknown_action(name: str, core: Lookup) -> Act:
    hint = did_you_mean(name, core.actions)
    raise UsageError(f"there is no action '{name}'" + (f"; {hint}" if hint else ""))


def _reason(rule: str, name: str, core: Lookup) -> Site:
    found = next(
        (each for each in core.image.sites if (each.kind, each.rule, each.address) == ("item", rule, name)), None
    )
    if found is None:
        raise UsageError(f"there is no item '{name}' in {rule}")
    return found


def encode_json(stable: Stable) -> Any:
    """Returns the JSON form of a stable value: tuples become lists."""
    return [encode_json(each) for each in stable] if isinstance(stable, tuple) else stable


def short_name(value: Any) -> str:
    """Returns the shortest name of a value: an id, a word, a number, `none`, `yes` or `no`."""
    if value is None:
        return "none"
    if value is True or value is False:
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{short_name(key)}: {short_name(each)}" for key, each in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(short_name, value))
    if isinstance(value, Site):
        return value.address
    return str(getattr(value, "id", value))


def full_name(value: Any) -> str:
    """Returns a unique name: `kind/id` for things and words, `rule/id` for reasons, else the short name."""
    if isinstance(value, Site):
        return f"{value.rule}/{value.address}"
    return value.ref if isinstance(value, _WITH_KIND) else short_name(value)
