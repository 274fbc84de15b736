"""The model of a ruleset: its classes, map and blueprint, built once and shared by all its games."""

from __future__ import annotations

from copy import copy

from interpreter.language.model.image import Image
from interpreter.world.blueprint import Blueprint
from interpreter.world.class_model import ClassModel


class Model(ClassModel):
    """Adds the blueprint of games to the classes and the map of a ruleset; it is immutable in play."""

    def __init__(self, image: Image) -> None:
        super().__init__(image)
        self.blueprint = Blueprint(self)

    def extended(self, image: Image) -> Model:
        """Returns the model of an image that appends individuals to this one, as a scenario does."""
        begin = len(self.image.individuals)
        made = copy(self)
        made.image = image
        made.map = self.map.extended(len(image.individuals) - begin)
        made.blueprint = self.blueprint.extended(made, begin)
        return made
