"""What a scenario changes before the first step: further pieces, other values, another board."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter.language.model.image import Image, IndividualImage
from interpreter.play.engine.core import Core

_KEPT = 16
_MADE: dict[tuple[int, Any], tuple[Image, Image]] = {}
"""Images with further pieces, by those without (which are kept too, so that each stays itself) and by the pieces."""


def with_pieces(image: Image, setup: Any) -> Image:
    """The image with the scenario's own pieces and things among its individuals, after all others.

    The same one for the same pieces, as long as no others are asked for in between, for much is made of an image once.
    """
    if not setup.pieces:
        return image
    key = (id(image), tuple(setup.pieces))
    if key not in _MADE:
        while len(_MADE) >= _KEPT:
            del _MADE[next(iter(_MADE))]
        further = tuple([IndividualImage(kind, name, values, at) for kind, name, values, at in setup.pieces])
        _MADE[key] = (image, replace(image, individuals=image.individuals + further))
    return _MADE[key][1]


def set_up(core: Core, setup: Any) -> None:
    """Gives a game that has not begun the values and places of a scenario (`setup` is a `link_scenario.Setup`)."""
    world = core.world
    for kind, name, attribute, value in setup.sets:
        world.assign(world.find(kind, name), attribute, world.value(value))
    for name, value in setup.state:
        setattr(world.state, f"a_{name}", world.value(value))
    for kind, name, values, spot in setup.board:
        piece: Any = world.find(kind, name)
        for attribute, value in values:
            world.assign(piece, attribute, world.value(value))
        if spot != ():
            world.place(piece, world.find(*spot) if spot is not None else None)
