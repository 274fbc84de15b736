"""Exact odds of a combat of the hand-written game: every die and every answer is followed, all answers being alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from plain_board import Unit, put
from plain_fin_napoleon import Game

FACES = ((1, Fraction(1, 6)), (2, Fraction(1, 6)), (3, Fraction(2, 3)))
"""A 1 and a 2 differ in Spain alone; a 3 stands for all faces that miss."""


class Stand(NamedTuple):
    """Units of one country in the area of the combat: how many with their front up, how many with their back."""

    country: str
    fronts: int
    backs: int = 0


class Fight(NamedTuple):
    """A combat: the area, the active country, and who stands there; every country but those at peace is at war."""

    area: str
    active: str
    stands: tuple[Stand, ...]
    at_peace: tuple[str, ...] = ()


HOLDERS = {
    (True, True): "both_stay",
    (True, False): "french_hold",
    (False, True): "allies_hold",
    (False, False): "nobody_stays",
}
Outcome = tuple[int, int, str]
"""French losses, allied losses, and who holds the area."""


class _Branches:
    """All ways in which dice and answers can fall, one after another: the last one turns first."""

    def __init__(self) -> None:
        self._wheels: list[tuple[int, int]] = []
        self._read = 0
        self.chance = Fraction(1)

    def _turn(self, size: int) -> int:
        if self._read == len(self._wheels):
            self._wheels.append((0, size))
        self._read += 1
        return self._wheels[self._read - 1][0]

    def roll(self) -> int:
        face, chance = FACES[self._turn(len(FACES))]
        self.chance *= chance
        return face

    def choose(self, _seat: str, _address: str, options: Sequence[Any]) -> Any:
        self.chance /= len(options)
        return options[self._turn(len(options))]

    def next(self) -> bool:
        """Begins the next way, if there is one."""
        self._read, self.chance = 0, Fraction(1)
        while self._wheels:
            now, size = self._wheels.pop()
            if now + 1 < size:
                self._wheels.append((now + 1, size))
                return True
        return False


def combat_odds(fight: Fight) -> Mapping[Outcome, Fraction]:
    """The odds of a combat's outcomes."""
    found: dict[Outcome, Fraction] = {}
    branches, going = _Branches(), True
    while going:
        outcome = _fought(fight, branches)
        found[outcome] = found.get(outcome, Fraction(0)) + branches.chance
        going = branches.next()
    return found


class _Fought(Game):
    """A game that counts its losses by side."""

    def __init__(self, branches: _Branches) -> None:
        super().__init__(branches.choose, branches.roll)
        self.french_losses = self.allied_losses = 0

    def lose(self, unit: Unit) -> None:
        if unit.country is self.france:
            self.french_losses += 1
        else:
            self.allied_losses += 1
        super().lose(unit)


def _fought(fight: Fight, branches: _Branches) -> Outcome:
    game = _Fought(branches)
    area = game.area[fight.area]
    for country in game.countries:
        country.state = "peace" if country.name in fight.at_peace else "war"
        for unit in country.units:
            put(unit, None)
    for stand in fight.stands:
        for number, unit in enumerate(game.country[stand.country].units[: stand.fronts + stand.backs]):
            unit.front = number < stand.fronts
            put(unit, area)
    game.combat(area, game.country[fight.active])
    holder = HOLDERS[bool(game.army(game.france, area)), bool(game.enemies(area))]
    return game.french_losses, game.allied_losses, holder
