"""Applies the set-up of a scenario before the first step: more pieces, other values, other places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from interpreter.language.model.emitted_names import INDIVIDUAL, SLOT
from interpreter.language.model.image import Image, IndividualImage
from interpreter.play.engine.core import Core
from interpreter.world.things import Piece, Thing
from interpreter.world.world import World

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
    _set_values(core.world, setup, core.world.assign, partial(setattr, core.world.state))


def set_up_in_play(core: Core, setup: Any) -> None:
    """Acts as `with_pieces` and `set_up`, but in a game, with journalled changes, so that `Core.reset` undoes them.

    `setup.pieces` may not have other things than pieces.
    """
    world = core.world
    added = [_add(core, kind, name) for kind, name, *_ in setup.pieces]
    for piece, (_, _, values, at) in zip(added, setup.pieces, strict=True):
        for attribute, value in values:
            world.put(piece, SLOT(attribute), world.value(value))
        if at is not None:
            world.place(piece, world.find(*at))
    _set_values(world, setup, partial(_assign_in_play, world), partial(world.put, world.state))
    core.forget()


def _set_values(
    world: World, setup: Any, assign: Callable[[Thing, str, Any], None], set_state: Callable[[str, Any], None]
) -> None:
    for kind, name, attribute, value in setup.sets:
        assign(world.find(kind, name), attribute, world.value(value))
    for name, value in setup.state:
        set_state(SLOT(name), world.value(value))
    for kind, name, values, place in setup.board:
        piece: Any = world.find(kind, name)
        for attribute, value in values:
            assign(piece, attribute, world.value(value))
        if place != ():
            world.place(piece, world.find(*place) if place is not None else None)


def _add(core: Core, kind: str, name: str) -> Piece:
    piece = core.world.add(kind, name)
    core.names[INDIVIDUAL(kind, name)] = piece  # no reset removes it: only checked code that may use it does
    return piece


def _assign_in_play(world: World, thing: Thing, attribute: str, value: Any) -> None:
    """Sets an attribute; a piece leaves the board meanwhile, whose indexes list it by its attributes."""
    at = thing.at if isinstance(thing, Piece) else None
    if isinstance(thing, Piece) and at is not None:
        world.place(thing, None)
        world.put(thing, SLOT(attribute), value)
        world.place(thing, at)
    else:
        world.put(thing, SLOT(attribute), value)
