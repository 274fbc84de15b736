"""Battles and sieges of The Napoleonic Wars in plain Python, from the clauses: exact distributions without cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from math import comb, factorial
from typing import NamedTuple

Fight = dict[tuple[str, int, int], Fraction]
"""The chance of each verdict with the losses of attacker and defender: eliminated, and scattered in a rout."""


class Side(NamedTuple):
    """The units of a side's nations in the order in which they are lost, its other dice, and those of round 1 alone."""

    units: tuple[int, ...]
    leader: int
    first: int


class Part(NamedTuple):
    """Units of a nation that are left, and those of them that are ready."""

    units: int
    ready: int


class Force(NamedTuple):
    """The units of a side, by nations."""

    parts: tuple[Part, ...]

    @property
    def units(self) -> int:
        return sum(each.units for each in self.parts)

    @property
    def ready(self) -> int:
        return sum(each.ready for each in self.parts)

    def after(self, sixes: int, fives: int) -> Force:
        """What is left after 6s, which take a nation's disrupted units first, and then 5s (r.11.3)."""
        parts = []
        for units, ready in self.parts:
            left = max(0, units - sixes)
            sixes -= units - left
            parts.append(Part(left, min(ready, left)))
        for number, (units, ready) in enumerate(parts):
            hurt = min(fives, ready)
            fives -= hurt
            parts[number] = Part(units, ready - hurt)
        return Force(tuple(parts))


def pool(dice: int) -> Iterator[tuple[int, int, Fraction]]:
    """Each number of 6s and 5s of a pool with its chance; a side rolls one die at least (r.11.2)."""
    dice = max(1, dice)
    for sixes in range(dice + 1):
        for fives in range(dice - sixes + 1):
            rest = dice - sixes - fives
            ways = factorial(dice) // factorial(sixes) // factorial(fives) // factorial(rest)
            yield sixes, fives, Fraction(ways * 4**rest, 6**dice)


def verdict(attacker: Force, defender: Force, ahead: int) -> str:
    """Who is beaten or routed by the hits of all rounds (r.11.4)."""
    if attacker.units == 0 or defender.units == 0:
        if attacker.units == defender.units:
            return "nobody_left"
        return "defender_routed" if defender.units == 0 else "attacker_routed"
    if ahead > 0:
        return "defender_routed" if ahead >= 3 else "defender_beaten"
    return "attacker_routed" if ahead <= -3 else "attacker_beaten"


def goes_on(attacker: Force, defender: Force, ahead: int, asks: bool) -> bool:
    """Whether a second round follows the first; `asks` says what the side that is behind decides (r.11.4)."""
    if attacker.units == 0 or defender.units == 0 or abs(ahead) >= 3:
        return False
    if ahead == 0:
        return attacker.ready > 0 and defender.ready > 0
    behind = defender if ahead > 0 else attacker
    return asks and behind.ready > 0


def battle(attacker: Side, defender: Side, asks: bool) -> Fight:
    """The distribution of a field battle."""
    found: Fight = defaultdict(Fraction)
    later: dict[tuple[Force, Force, int], Fraction] = defaultdict(Fraction)
    fresh = [Force(tuple(Part(each, each) for each in side.units)) for side in (attacker, defender)]
    for one, other, ahead, chance in fight_round(*fresh, attacker, defender, 1):
        if goes_on(one, other, ahead, asks):
            later[one, other, ahead] += chance
        else:
            settle(found, attacker, defender, one, other, ahead, chance)
    for (one, other, before), share in later.items():
        for third, fourth, ahead, chance in fight_round(one, other, attacker, defender, 2):
            settle(found, attacker, defender, third, fourth, before + ahead, share * chance)
    return dict(found)


def fight_round(
    one: Force, other: Force, attacker: Side, defender: Side, number: int
) -> Iterator[tuple[Force, Force, int, Fraction]]:
    """What is left of both after a round, the attacker's hits less the defender's, and the chance."""
    answers = list(pool(other.ready + defender.leader + (defender.first if number == 1 else 0)))
    for sixes, fives, chance in pool(one.ready + attacker.leader + (attacker.first if number == 1 else 0)):
        left = other.after(sixes, fives)
        for deaths, wounds, answer in answers:
            yield one.after(deaths, wounds), left, sixes + fives - deaths - wounds, chance * answer


def settle(
    found: Fight, attacker: Side, defender: Side, one: Force, other: Force, ahead: int, chance: Fraction
) -> None:
    """Adds an end: the disrupted units of a routed side scatter (r.11.6)."""
    end = verdict(one, other, ahead)
    stays = one.ready if end == "attacker_routed" else one.units
    holds = other.ready if end == "defender_routed" else other.units
    found[end, sum(attacker.units) - stays, sum(defender.units) - holds] += chance


def chances(dice: int, faces: int) -> list[Fraction]:
    """The chance of each number of dice that show one of this many faces of six."""
    hit = Fraction(faces, 6)
    return [comb(dice, n) * hit**n * (1 - hit) ** (dice - n) for n in range(dice + 1)]


def siege(units: int, bonus: int, strength: int) -> dict[tuple[bool, int], Fraction]:
    """The chance of each end of a siege, whether it falls and the units left: two rounds, 6s against 5s and 6s."""
    found: dict[tuple[bool, int], Fraction] = defaultdict(Fraction)
    for hits, chance in enumerate(chances(max(1, units + bonus), 1)):
        for lost, answer in enumerate(chances(strength, 2)):
            left, share = max(0, units - lost), chance * answer
            if hits >= strength or hits <= lost or left == 0:
                found[hits >= strength, left] += share
                continue
            for more, second in enumerate(chances(max(1, left + bonus), 1)):
                for gone, reply in enumerate(chances(strength, 2)):
                    found[hits + more >= strength, max(0, left - gone)] += share * second * reply
    return dict(found)
