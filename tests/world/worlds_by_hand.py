"""Worlds of hand-written images: areas with stacked pieces and leaders, an 8x8 board, and hexes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields
from fractions import Fraction
from itertools import product
from typing import Any

from interpreter.language.model.image import (
    AttributeImage,
    EnumImage,
    GridLayout,
    Image,
    IndividualImage,
    KindImage,
    LinkImage,
    Stored,
)
from interpreter.world.model import Model
from interpreter.world.world import World


def kind(
    name: str,
    root: str,
    parent: str | None = None,
    has: dict[str, tuple[str, str | None]] | None = None,
    contents: tuple[str, ...] = (),
    *,
    between: str | None = None,
    **layout: str,
) -> KindImage:
    """Returns the image of a kind; `has` maps attributes to their types and defaults, `layout` is that of its grid."""
    attributes = tuple(AttributeImage(each, written, default) for each, (written, default) in (has or {}).items())
    grid = GridLayout(**layout) if layout else None
    return KindImage(name, root, parent, f"{name}s", attributes, contents, grid, between)


def image(**parts: Any) -> Image:
    """Returns an image with these parts, and all others empty."""
    empty: dict[str, Any] = {each.name: () for each in fields(Image)}
    fixed: dict[str, Any] = {"name": "by_hand", "version": "1", "sequence": None, "evaluation": False}
    return Image(**(empty | fixed | parts))


def put(what: str, name: str, at: tuple[str, str] | None = None, **values: Stored) -> IndividualImage:
    """Returns the image of an individual of the kind `what`."""
    return IndividualImage(what, name, tuple(values.items()), at)


AREAS = ("north", "east", "south", "west")

AREA_IMAGE = image(
    enums=(EnumImage("face", ("front", "back"), "faces"),),
    kinds=(
        kind("player", "seat"),
        kind("place", "space"),
        kind("area", "space", "place", {"sea": ("bool", "default_false")}, ("counter",)),
        kind("box", "space", "place", contents=("counter",)),
        kind("road", "link", has={"paved": ("bool", "default_false")}, between="area"),
        kind("side", "thing", has={"home": ("area?", None), "score": ("number", "default_zero")}),
        kind("counter", "piece", has={"side": ("side", None)}),
        kind(
            "unit",
            "piece",
            "counter",
            {"face": ("face", "default_front"), "steps": ("int", "default_two")},
            ("counter",),
        ),
        kind("leader", "piece", "counter", {"friends": ("set of unit", None), "order": ("order?", None)}),
        kind(
            "order",
            "record",
            has={"goal": ("area?", None), "after": ("order?", None), "lost": ("map of side to int", None)},
        ),
    ),
    individuals=(
        put("player", "red_player"),
        *[put("area", each) for each in AREAS[:3]],
        put("area", "west", sea=True),
        put("box", "pool"),
        put("side", "red", home=("ref", "area", "north"), score=("fraction", 1, 2)),
        put("side", "blue", home=("ref", "place", "south")),
        *[put("unit", f"Red_{n}", ("area", "north"), side=("ref", "side", "red")) for n in (1, 2, 3)],
        put("unit", "Blue_1", ("area", "south"), side=("ref", "side", "blue"), face=("word", "face", "back")),
        put("leader", "Marshal", ("unit", "Red_2"), side=("ref", "side", "red")),
    ),
    links=(
        LinkImage(None, (("area", "north"), ("area", "east")), ()),
        LinkImage("road", (("area", "south"), ("area", "east")), (("paved", True),)),
        LinkImage(None, (("area", "south"), ("area", "west")), ()),
    ),
    state=(AttributeImage("turn", "int", "default_zero"), AttributeImage("last", "order?", None)),
    indexes=(("counter", "side", ""), ("unit", "side", ""), ("unit", "side", "area"), ("counter", "side", "place")),
    records=(("rec_1", ("record", "order", (("goal", ("ref", "area", "east")),))),),
)


def area_defaults(names: dict[str, Any]) -> dict[str, Any]:
    """Returns the names with the default functions that emitted code would define."""
    return names | {
        "default_false": lambda: False,
        "default_zero": lambda: 0,
        "default_two": lambda: 2,
        "default_front": lambda: names["e_faceːfront"],
    }


BOARD_IMAGE = image(
    kinds=(
        kind("square", "space", contents=("man",), shape="squares_with_diagonals"),
        kind("man", "piece", has={"white": ("bool", None)}),
        kind("rook", "piece", "man"),
    ),
    individuals=(
        *[
            IndividualImage("square", f"{'abcdefgh'[column - 1]}{row}", (), None, column, row)
            for row, column in product(range(1, 9), repeat=2)
        ],
        put("rook", "white_rook_1", ("square", "a1"), white=True),
        put("man", "black_man_1", ("square", "d4"), white=False),
    ),
)


def area_world() -> World:
    """Returns a sealed world of the areas."""
    world = World(Model(AREA_IMAGE))
    world.fill_defaults(area_defaults(world.namespace()))
    world.seal()
    return world


def board_world() -> World:
    """Returns a sealed world of the board."""
    world = World(Model(BOARD_IMAGE))
    world.fill_defaults(world.namespace())
    world.seal()
    return world


def hex_world(columns: int = 7, rows: int = 6, holes: Collection[tuple[int, int]] = (), **layout: str) -> World:
    """Returns a sealed world of empty hexes, with hexsides between them."""
    hexes = tuple(
        IndividualImage("hex", f"h{column}_{row}", (), None, column, row)
        for row, column in product(range(1, rows + 1), range(1, columns + 1))
        if (column, row) not in holes
    )
    hex_kind = kind("hex", "space", **{"shape": "hexes_in_rows", **layout})
    side = kind("hexside", "link", has={"river": ("bool", None)}, between="hex")
    world = World(Model(image(kinds=(hex_kind, side), individuals=hexes)))
    world.fill_defaults(world.namespace())
    world.seal()
    return world


HALF = Fraction(1, 2)
