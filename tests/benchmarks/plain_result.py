"""What goes into a game of the hand-written Fin-Napoleon and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plain_board import Area, Country


@dataclass(frozen=True, slots=True)
class Options:
    """The five optional rules of section 14; `multiplayer` divides the allied countries' names among players."""

    multiplayer: tuple[tuple[str, ...], ...] = ()
    road_to_paris: bool = False
    nelson: bool = False
    french_reform: bool = False
    allied_reform: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: `winner` is `french`, `allied`, `draw`, or none at the turn cap; `scores` of allied players."""

    winner: str | None
    turns: int
    decisions: int
    state: tuple[Any, ...]
    scores: tuple[int, ...] = ()


class FrenchSurrender(Exception):  # noqa: N818 - an event of the game that ends the phase, not an error
    """France has surrendered: nobody else acts this turn (10.33)."""


class GameOver(Exception):  # noqa: N818 - the end of the game, not an error
    """The game is over; the argument is the winner."""

    def __init__(self, winner: str) -> None:
        super().__init__(winner)
        self.winner = winner


def allied_scores(
    country: dict[str, Country], area: dict[str, Area], players: tuple[tuple[str, ...], ...]
) -> tuple[int, ...]:
    """Each allied player's points: the shortfall of maxima, and units in and around France (14.0.multiplayer)."""
    if not players:
        return ()
    totals = [sum([country[name].setup.levels[-1][1] for name in names]) for names in players]
    worth = dict.fromkeys([*area["France"].neighbours, *area["South France"].neighbours], 1)
    worth |= {area["France"]: 2, area["South France"]: 1}
    at_the_end = [
        sum([worth.get(unit.area, 0) for name in names for unit in country[name].units if unit.area is not None])
        for names in players
    ]
    return tuple([max(totals) - total + points for total, points in zip(totals, at_the_end, strict=True)])


def canonical_state(morale: int, countries: list[Country]) -> tuple[Any, ...]:
    """Morale, war states, levels (from 1), and where units stand with which side up.

    Counters of one country are alike (1.31.p2), so units are distinguished by country, area and side only.
    """
    units = sorted(
        (country.number, unit.area.number, not unit.front, unit.area.name)
        for country in countries
        for unit in country.units
        if unit.area is not None
    )
    return (
        morale,
        tuple([each.state for each in countries[1:]]),
        tuple([each.level + 1 for each in countries]),
        tuple([(countries[number].name, area, "back" if back else "front") for number, _, back, area in units]),
    )
