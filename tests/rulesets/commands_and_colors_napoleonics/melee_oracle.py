"""Whole battles of chapters 5 and 6, written without the ruleset: how likely each end is if all choices are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import comb

from field_oracle import BUILT_OR_WOODED, LAST_ROW, Field, Hex, Leader, Unit, distance

FACE = Fraction(1, 6)
FACES = {"infantry": 2, "cavalry": 1, "artillery": 1}
RETREAT = 3
"""Hexes of a leader's retreat."""
States = Iterator[tuple[Fraction, Field]]
Ends = Iterator[tuple[Fraction, Field, str]]
"""With what becomes of the unit that was attacked: stands, driven_off or destroyed."""


def rolled(dice: int, hit: Fraction, flag: Fraction) -> Iterator[tuple[Fraction, int, int]]:
    """How likely how many hits and flags are."""
    for hits in range(dice + 1):
        for flags in range(dice - hits + 1 if flag else 1):
            misses = dice - hits - flags
            ways = comb(dice, hits) * comb(dice - hits, flags)
            yield ways * hit**hits * flag**flags * (1 - hit - flag) ** misses, hits, flags


# ---------------------------------------------------------------- leaders
def withdrawn(field: Field, leader: Leader) -> States:
    """A leader goes back one, two or three hexes, through enemies at his peril, or off his own edge."""
    yield from _ways_back(field, leader, 0, Fraction(1))


def _may_end(field: Field, leader: Leader, place: Hex) -> bool:
    host = field.units.get(place)
    return place not in field.leaders and (host is None or (host.side == leader.side and host.chief is None))


def _steps_back(field: Field, leader: Leader, place: Hex) -> list[Hex]:
    def passes(it: Hex) -> bool:
        other = field.leaders.get(it)
        return field.passable(it) and (other is None or other.side == leader.side)

    return [it for it in field.back(place, leader.side) if passes(it)]


def _at_edge(leader: Leader, place: Hex) -> bool:
    return place[1] == (0 if leader.side == "british" else LAST_ROW)


def _leads_out(field: Field, leader: Leader, place: Hex, more: int) -> bool:
    if _may_end(field, leader, place) or (more > 0 and _at_edge(leader, place)):
        return True
    return more > 0 and any(_leads_out(field, leader, it, more - 1) for it in _steps_back(field, leader, place))


def _ways_back(field: Field, leader: Leader, done: int, chance: Fraction) -> States:
    place = leader.at
    left = RETREAT - done
    if left == 0:
        yield chance, field.with_leader(leader)
        return
    roads = [it for it in _steps_back(field, leader, place) if _leads_out(field, leader, it, left - 1)]
    may_stop = done > 0 and _may_end(field, leader, place)
    may_go = bool(roads) or _at_edge(leader, place)
    if may_stop:
        chance /= 2 if may_go else 1
        yield chance, field.with_leader(leader)
    if not may_go:
        if not may_stop:
            yield chance, field
        return
    if _at_edge(leader, place):
        yield chance, field
        return
    for road in roads:
        share, foe = chance / len(roads), field.units.get(road)
        if foe is not None and foe.side != leader.side:
            escape = (1 - FACE) ** field.plain_dice(foe, None)
            yield share * (1 - escape), field
            share *= escape
        yield from _ways_back(field, replace(leader, at=road), done + 1, share)


def checked(field: Field, name: str) -> States:
    """Two sabers of two dice end a leader."""
    unit = field.unit(name)
    if unit.chief is None:
        yield Fraction(1), field
        return
    yield FACE**2, field.but(replace(unit, chief=None))
    yield 1 - FACE**2, field


# ---------------------------------------------------------------- losses and retreat
def destroyed(field: Field, name: str, *, was_checked: bool) -> Ends:
    unit = field.unit(name)
    left = field.but(gone=[name])
    if unit.square:
        left = left.counted(unit.side, -1)
    if unit.chief is None:
        yield Fraction(1), left, "destroyed"
        return
    lost = Fraction(0) if was_checked else FACE
    yield lost, left, "destroyed"
    for chance, after in withdrawn(left, Leader(unit.chief, unit.side, unit.at)):
        yield (1 - lost) * chance, after, "destroyed"


def stranded(field: Field, name: str, hexes: int, was_checked: bool, end: str) -> Ends:
    """A block for each hex of retreat that is not made."""
    unit = field.unit(name)
    if hexes >= unit.blocks:
        yield from destroyed(field, name, was_checked=was_checked)
        return
    left = field.but(replace(unit, blocks=unit.blocks - hexes))
    for chance, after in [(Fraction(1), left)] if was_checked else checked(left, name):
        yield chance, after, end


def run_back(field: Field, name: str, hexes: int, was_checked: bool, end: str = "stands") -> Ends:
    unit = field.unit(name)
    refuges = [] if unit.square else field.open_behind(unit.at, unit)
    if hexes == 0:
        yield Fraction(1), field, end
    elif not refuges:
        yield from stranded(field, name, hexes, was_checked, end)
    for refuge in refuges if hexes else ():
        left = 0 if refuge in field.leaders else hexes - 1
        for chance, after, what in run_back(field.moving(unit, refuge), name, left, was_checked, "driven_off"):
            yield chance / len(refuges), after, what


def suffered(field: Field, name: str, hits: int, flags: int, attacker: Unit) -> Ends:
    """Hits, then the check of a leader, then the flags, of which any that may be are ignored."""
    unit = field.unit(name)
    if hits >= unit.blocks:
        yield from destroyed(field, name, was_checked=False)
        return
    hurt = field.but(replace(unit, blocks=unit.blocks - hits))
    for chance, after in checked(hurt, name) if hits else [(Fraction(1), hurt)]:
        ignorable = min(flags, after.ignorable(after.unit(name), attacker))
        for ignored in range(ignorable + 1):
            hexes = (flags - ignored) * unit.kind.per_flag
            for share, left, end in run_back(after, name, hexes, hits > 0):
                yield chance * share / (ignorable + 1), left, end


def struck(field: Field, by: str, name: str, guns: Sequence[str] = (), *, retiring: bool = False) -> Ends:
    """One roll at a unit, with the guns that join in. Only its own symbol hits cavalry that retires."""
    attacker, target = field.unit(by), field.unit(name)
    dice = sum(field.dice(field.unit(each), target.at) for each in (by, *guns))
    sabers = distance(attacker.at, target.at) == 1 and attacker.kind.sabers and not retiring
    hit = (FACES[target.arm] + sabers) * FACE
    for chance, hits, flags in rolled(dice, hit, Fraction(0) if retiring else FACE):
        for share, after, end in suffered(field, name, hits, flags, attacker):
            yield chance * share, after, end


# ---------------------------------------------------------------- melee
def attacked(field: Field, by: str, place: Hex, *, supported: bool, bonus: bool = False) -> States:
    """An attack on a unit or a lone leader. Supported: all guns that may join in do."""
    if place in field.leaders:
        yield from _hunted(field, by, place, supported=supported, bonus=bonus)
        return
    attacker, target = field.unit(by), field.units[place]
    guns = field.supports(attacker, place) if supported else []
    field = field.but(*(replace(each, fought=True) for each in guns))
    names = [each.name for each in guns]
    plain = Fraction(1)
    if field.strikes.get(target.side):
        plain = Fraction(1, 2)
        first = _with_advance(
            _struck_first(field, by, target.name, names), by, place, 2, supported=supported, bonus=bonus
        )
        yield from first
    choices: list[Ends] = []
    if attacker.arm == "infantry" and field.retires_through(target):
        choices.append(_retired(field, by, target.name, names))
    choices.append(_fought(field, by, target.name, names))
    for choice in choices:
        yield from _with_advance(choice, by, place, len(choices) / plain, supported=supported, bonus=bonus)


def _struck_first(field: Field, by: str, name: str, guns: Sequence[str]) -> Ends:
    """First Strike: the target battles first, and nobody but the attacker battles after it."""
    side = field.unit(name).side
    cards, strikes = dict(field.hands), dict(field.strikes)
    cards[side] -= 1
    strikes[side] -= 1
    for chance, after, state in struck(replace(field, hands=cards, strikes=strikes), name, by):
        if state != "stands":
            yield chance, after, "over"
            continue
        for share, left, end in struck(after, by, name, guns):
            yield chance * share, left, "over" if end == "stands" else end


def _with_advance(ends: Ends, by: str, place: Hex, choices: int | Fraction, *, supported: bool, bonus: bool) -> States:
    for chance, after, end in ends:
        for share, left in (
            advanced(after, by, place, supported=supported, bonus=bonus) if end != "over" else _same(after)
        ):
            yield chance * share / choices, left


def _same(field: Field) -> States:
    yield Fraction(1), field


def _hunted(field: Field, by: str, place: Hex, *, supported: bool, bonus: bool) -> States:
    leader = field.leaders[place]
    escape = (1 - FACE) ** field.dice(field.unit(by), place)
    left = field.but(gone=[leader.name])
    ends: Iterable[tuple[Fraction, Field]] = [
        (1 - escape, left),
        *((escape * chance, after) for chance, after in withdrawn(left, leader)),
    ]
    for chance, after in ends:
        for share, end in advanced(after, by, place, supported=supported, bonus=bonus):
            yield chance * share, end


def _retired(field: Field, by: str, name: str, guns: Sequence[str]) -> Ends:
    for chance, after, end in struck(field, by, name, guns, retiring=True):
        if end == "destroyed":
            yield chance, after, end
            continue
        unit = after.unit(name)
        first = after.retires_through(unit)
        for step in first:
            second = after.open_behind(step, unit)
            for goal in second:
                yield chance / len(first) / len(second), after.moving(unit, goal), "driven_off"


def _fought(field: Field, by: str, name: str, guns: Sequence[str]) -> Ends:
    """The roll of the attacker, after that of a square or before a battle back; over if it takes no ground."""
    attacker, target = field.unit(by), field.unit(name)
    starts = [field]
    if attacker.arm == "cavalry" and field.may_form_square(target):
        starts.append(field.but(replace(target, square=True)).counted(target.side, 1))
    for start in starts:
        square_first = attacker.arm == "cavalry" and start.unit(name).square
        before = struck(start, name, by) if square_first else iter([(Fraction(1), start, "stands")])
        for chance, ready, state in before:
            share = chance / len(starts)
            if state != "stands":
                yield share, ready, "over"
                continue
            for odds, after, end in struck(ready, by, name, guns):
                if end != "stands" or square_first:
                    yield share * odds, after, "over" if end == "stands" else end
                    continue
                for back, left, _ in struck(after, name, by):
                    yield share * odds * back, left, "over"


def advanced(field: Field, by: str, place: Hex, *, supported: bool, bonus: bool) -> States:
    """Taking ground or not; cavalry breaks through and attacks again."""
    unit = field.unit(by)
    if unit.arm == "artillery" or unit.square or place in field.units or place in field.leaders:
        yield Fraction(1), field
        return
    if not field.passable(place, unit.arm):
        yield Fraction(1), field
        return
    yield Fraction(1, 2), field
    taken = field.moving(unit, place)
    if unit.arm != "cavalry" or bonus:
        yield Fraction(1, 2), taken
        return
    goals = taken.marches(taken.unit(by), 0 if field.stops(unit.at, place) else 1)
    for goal in goals:
        chance = Fraction(1, 2) / len(goals)
        there = taken if goal == place else taken.moving(taken.unit(by), goal)
        again = () if there.ground(goal) in BUILT_OR_WOODED else there.melee_targets(goal, unit.side)
        if unit.card == "cold_steel" and there.ground(goal) not in BUILT_OR_WOODED:
            there = there.but(replace(there.unit(by), card=None))
        yield chance / (len(again) + 1), there
        for target in again:
            for share, after in attacked(there, by, target, supported=supported, bonus=True):
                yield chance / (len(again) + 1) * share, after
