"""A ruleset's classes, map and blueprint, built once and shared by all its games."""

from __future__ import annotations

from copy import copy

from interpreter.language.model.image import Image
from interpreter.world.blueprint import Blueprint
from interpreter.world.class_model import ClassModel


class Model(ClassModel):
    """Adds to the classes and the map of a ruleset the blueprint of its games; nothing in it changes in play."""

    def __init__(self, image: Image) -> None:
        super().__init__(image)
        self.blueprint = Blueprint(self)

    def extended(self, image: Image) -> Model:
        """The model of an image that is this one with further individuals behind its own: what a scenario adds."""
        begin = len(self.image.individuals)
        made = copy(self)
        made.image = image
        made.map = self.map.extended(len(image.individuals) - begin)
        made.blueprint = self.blueprint.extended(made, begin)
        return made
