"""Applies the set-up of a scenario before the first step: more pieces, other values, other places."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter.language.model.emitted_names import SLOT
from interpreter.language.model.image import Image, IndividualImage
from interpreter.play.engine.core import Core

_MAX_CACHED = 16
_CACHE: dict[tuple[int, Any], tuple[Image, Image]] = {}
"""Extended images by base image and pieces; the base is kept with them, so that its `id` stays unique."""


def with_pieces(image: Image, setup: Any) -> Image:
    """Returns the image with the pieces and things of the scenario after its own individuals.

    The result is cached, because much else is cached by image.
    """
    if not setup.pieces:
        return image
    key = (id(image), tuple(setup.pieces))
    if key not in _CACHE:
        while len(_CACHE) >= _MAX_CACHED:
            del _CACHE[next(iter(_CACHE))]
        added = tuple([IndividualImage(kind, name, values, at) for kind, name, values, at in setup.pieces])
        _CACHE[key] = (image, replace(image, individuals=image.individuals + added))
    return _CACHE[key][1]


def set_up(core: Core, setup: Any) -> None:
    """Sets the values and places of a scenario in a game before it starts (`setup` is a `scenario.Setup`)."""
    world = core.world
    for kind, name, attribute, value in setup.sets:
        world.assign(world.find(kind, name), attribute, world.value(value))
    for name, value in setup.state:
        setattr(world.state, SLOT(name), world.value(value))
    for kind, name, values, place in setup.board:
        piece: Any = world.find(kind, name)
        for attribute, value in values:
            world.assign(piece, attribute, world.value(value))
        if place != ():
            world.place(piece, world.find(*place) if place is not None else None)
