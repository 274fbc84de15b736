"""Compiled rulesets and scenarios as plain data: what play needs of them, and their text for the cache."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeVar

from interpreter.language.field_shapes import MalformedDataError
from interpreter.language.model.image import (
    ActionImage,
    AttributeImage,
    EnumImage,
    GridLayout,
    Image,
    IndividualImage,
    KindImage,
    LinkImage,
    MenuImage,
    PickImage,
    RuleImage,
    Site,
    StepImage,
    Stored,
    TableImage,
    Unit,
    ViewImage,
)
from interpreter.language.object_codec import ObjectCodec
from interpreter.language.strict_json import Json, JsonError, read_own_json
from interpreter.rules.linking.setup import Setup
from interpreter.rules.loading.ruleset import Clause


@dataclass(slots=True, kw_only=True, eq=False)
class StoredRuleset:
    """A compiled ruleset under overlays and options; `files` are the digests of its files by name.

    `stamp` is a digest of their bytes, `overlays` are the ids of the overlays with the plain data of their heads,
    `toggled` says whether one has a patch under a condition.
    """

    files: dict[str, str]
    hash: str
    stamp: str
    entries: dict[str, str]
    overlays: list[tuple[str, dict[str, Json]]]
    toggled: bool
    image: Image
    info: dict[str, Json]
    clauses: list[Clause]
    presentation: dict[str, Json]
    readings: list[dict[str, Json]]
    left_out: list[dict[str, Json]]


@dataclass(slots=True, kw_only=True, eq=False)
class StoredSettings:
    """What a ruleset under other settings of its options has of its own."""

    hash: str
    options: tuple[tuple[str, Stored], ...]
    views: tuple[ViewImage, ...]


@dataclass(slots=True, kw_only=True, eq=False)
class StoredScenario:
    """A compiled scenario; `options` are those that it sets, `ruleset_hash` is that of its ruleset under these."""

    files: dict[str, str]
    id: str
    info: dict[str, Json]
    seats: dict[str, Json]
    names: dict[str, Json]
    options: dict[str, Json]
    ruleset: str
    ruleset_hash: str
    setup: Setup


_ALIASES: Final = {
    "Stored": 'None | bool | int | str | tuple["Stored", ...]',
    "Index": "tuple[str, str, str]",
    "Values": "tuple[tuple[str, Stored], ...]",
    "Ref": "tuple[str, str]",
    "Spot": "Ref | tuple[()] | None",
}
_CLASSES: Final = (
    *(Site, AttributeImage, GridLayout, KindImage, EnumImage, IndividualImage, LinkImage, TableImage),
    *(PickImage, ActionImage, MenuImage, StepImage, RuleImage, ViewImage, Unit, Image),
    *(Clause, Setup, StoredRuleset, StoredSettings, StoredScenario),
)
S = TypeVar("S", StoredRuleset, StoredSettings, StoredScenario, Unit)


@cache
def _codec() -> ObjectCodec:
    return ObjectCodec(_CLASSES, _ALIASES, left_out={Unit: ("code",)})


def stored_text(value: S) -> bytes:
    """Returns a ruleset, its settings, a scenario or a unit as JSON; the code of units is not in it."""
    return json.dumps(_codec().encode(value), separators=(",", ":"), allow_nan=False).encode()


def read_stored(text: bytes, kind: type[S]) -> S | None:
    """Returns what is in a text of `stored_text`; none if it is not one of this version."""
    try:
        found: S = _codec().decode(read_own_json(text), kind)
    except (JsonError, MalformedDataError, RecursionError):
        return None
    return found
