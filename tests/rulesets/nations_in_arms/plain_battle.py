"""Field battles in plain Python, written from the rulebook alone (chapter 8), to compare the ruleset with.

A `Side` is one side at one moment; everything else is a function of two sides and of what is known of
the battle. Figures that the rulebook leaves out are those of the reconstructed charts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from plain_force import MOUNTED, commander, inside, mounted

STAFF = 4
DEPOT_MORALE = 2
SIZES = ("skirmish", "engagement", "decisive_battle")
CRT = """
0L 0L 0L|0L 0L 0+L|0 0 1|0 0+ 1|0 0+ 1+|0+ 1 1+|0+ 1 2|0+ 1 2|1 1+ 2+|1 1+ 3|1 1+ 3|1+ 2 3+|1+ 2+L 4L|1+ 3L 4+L|
2L 3CL 5CL|2CL 3+CL 5+CL|2+CL 4CL 6CL|3CL 5CL 7CL
""".replace("\n", "")
CHART = [row.split() for row in CRT.split("|")]
ODDS = {-4: -4, -3: -3, -2: -2, 1: 0, 2: 2, 3: 3, 4: 4}
GROUND = {"clear": 0, "forest": 0, "swamp": -1, "mountain_pass": -2, "mountain": -3}
CROSSING = {"": 0, "bridge": -1, "river": -2, "strait": -3}
CLOSE = {"mountain", "forest"}


@dataclass(frozen=True)
class Side:
    """A force at one moment."""

    force: Any
    steps: Mapping[Any, int]
    depots: tuple[Any, ...]
    wagons: tuple[Any, ...]
    """Trains: in a pursuit they may be given up for steps."""
    engineer: bool
    armies: Mapping[Any, Any]
    """The leader of each army marker."""
    leaders: tuple[Any, ...]
    commander: Any
    demoralized: bool
    unfed: bool

    @property
    def total(self) -> int:
        """Its combat steps (8.2.3.1.a)."""
        return sum(self.steps.values()) + len(self.depots)

    @property
    def points(self) -> Fraction:
        """Its combat points (2.2.3, 8.3.1.1)."""
        return sum(self.steps.values()) + Fraction(len(self.depots), 2)

    def of(self, *types: str) -> int:
        """The steps of its units of these types."""
        return sum(steps for unit, steps in self.steps.items() if unit.a_type.id in types)

    @property
    def mounted(self) -> int:
        """The steps of its mounted class."""
        return self.of(*MOUNTED)


def side(force: Any) -> Side:
    """Returns the side that a force is now."""
    supports = inside(force, "support")
    form = {name: tuple(each for each in supports if each.a_form.id == name) for name in ("depot", "train")}
    armies = {each: each.a_chief for each in inside(force, "army")}
    return Side(
        force,
        {each: each.a_steps for each in inside(force, "combat_unit")},
        form["depot"],
        form["train"],
        bool(armies) or any(each.a_form.id in {"engineer", "pontoon"} for each in supports),
        armies,
        tuple(inside(force, "leader")),
        commander(force),
        bool(force.a_demoralized),
        bool(force.a_out_of_supply),
    )


def could_guard(here: Side, group: Side, guards: Collection[Side]) -> bool:
    """Whether another force is a flank guard of a force or could be one, too (2.4.3, 2.4.4, 3.6.1)."""
    if any(each.force is here.force for each in guards):
        return True
    chiefs, types = [each for each in group.armies.values() if each], sorted(each.a_type.id for each in here.steps)
    if here.armies or not chiefs or "detachment" in types:
        return False
    riders = bool(here.leaders) and all(each.a_cavalry for each in here.leaders)
    if "cossack" in types and not (riders and types == ["cavalry", "cossack"]):
        return False  # 15.5.5.6
    staff = sum(len(each.leaders) for each in (group, here, *guards)) - len(chiefs)
    ranks = all(each.a_rank <= max(one.a_rank for one in chiefs) for each in here.leaders)
    steps = sum(sum(each.steps.values()) for each in (group, here, *guards))
    return bool(ranks and steps <= sum(each.a_capacity for each in chiefs) and staff <= STAFF * len(chiefs))


# ---------------------------------------------------------------- preparation
def size(one: int, other: int, readings: Collection[str] = ()) -> str:
    """The size of a battle, by the steps of either side (8.2.3)."""
    both, weaker = one + other, min(one, other)
    if both <= 8:
        return "skirmish"
    if both <= 20:
        return "engagement"
    if both == 21 and "decisive_at_21" in readings:
        return "decisive_battle"
    return "decisive_battle" if weaker >= 9 else "engagement"


def morale_groups(here: Side) -> dict[int, set[Any]]:
    """The groups that may set the overall morale: by value those with most steps (8.2.4.2, 8.2.4.3)."""
    steps: Counter[int] = Counter()
    groups: dict[int, set[Any]] = {}
    for unit, number in here.steps.items():
        steps[unit.a_morale] += number
        groups.setdefault(unit.a_morale, set()).add(unit)
    for depot in here.depots:
        steps[DEPOT_MORALE] += 1
        groups.setdefault(DEPOT_MORALE, set()).add(depot)
    most = max(steps.values())
    return {value: groups[value] for value, number in steps.items() if number == most}


def ratio(attacker: Fraction, defender: Fraction, readings: Collection[str] = ()) -> int:
    """The ratio as the chart has it: 3 is 3:1, -3 is 1:3; 5 and -5 decide without dice (8.3.1.3, 8.3.1.5)."""
    weak = attacker < defender
    exact = defender / attacker if weak else attacker / defender
    whole = int(exact)
    found = whole + (1 if exact - whole >= (Fraction(3, 4) if weak else Fraction(1, 2)) else 0)
    if "exact_five_to_one" in readings and exact < 5:
        found = min(found, 4)
    found = min(found, 5)
    return found if not weak or found == 1 else -found


def superior(own: Fraction | int, other: Fraction | int, *, close: bool) -> int:
    """What superiority in guns or horse is worth (8.3.2.2, 8.3.2.3, 8.3.3.2, 8.3.3.3)."""
    if own <= other:
        return 0
    return 1 if close or own < 2 * other else 2


def guns(here: Side) -> int:
    """Artillery points of corps and army markers (8.3.2.1, 8.3.2.4)."""
    if here.unfed:
        return 0
    corps = sum(
        unit.a_guns if steps == unit.a_full else unit.a_guns_reduced for unit, steps in here.steps.items() if steps
    )
    return int(corps + sum(each.a_guns for each in here.armies))


def horse(here: Side, ground: str) -> Fraction:
    """Cavalry strength (8.3.3.1)."""
    heavy = Fraction(1) if ground in CLOSE else Fraction(3, 2)
    return here.of("cavalry", "cossack") + heavy * here.of("cuirassiers") + Fraction(3, 2) * here.of("guard_cavalry")


def cavalry(here: Side, other: Side, ground: str, season: str, readings: Collection[str]) -> int:
    """What cavalry superiority gives a side (8.3.3)."""
    if ground == "swamp" and season != "winter":
        return 0
    own, its = horse(here, ground), horse(other, ground)
    if own != its:
        return superior(own, its, close=ground in CLOSE)
    if "cavalry_leaders_need_cavalry" in readings and own == 0:
        return 0
    best = [max([each.a_combat for each in who.leaders if each.a_cavalry], default=-1) for who in (here, other)]
    return 1 if best[0] > best[1] else 0


def lead_value(unit: Any, ground: str, season: str) -> int:
    """The combat modifier of a lead assault unit (8.3.7.1, 2.2.6, 2.2.7)."""
    if unit is None:
        return 0
    if unit.a_type.id == "cossack":
        return int(unit.a_winter_combat) if season == "winter" else 0
    if unit.a_type.id == "guerrillas":
        return int(unit.a_mountain_combat) if ground.startswith("mountain") else 0
    return int(unit.a_combat)


@dataclass(frozen=True)
class Field:
    """What is known of a round besides the two sides."""

    ground: str
    """The ground for the caps of superiority: a pass entered off its road is a mountain."""
    crossing: str
    season: str
    first: bool
    intercepted: bool
    failed_to_avoid: bool


def modifiers(here: Side, other: Side, picked: tuple[Any, Any], at: Field, readings: Collection[str]) -> dict[str, int]:
    """What every die roll of a side has but for the ratio and what is the attacker's or defender's own (8.3)."""
    aide, lead = picked
    return {
        "artillery": superior(guns(here), guns(other), close=at.ground in CLOSE),
        "cavalry": cavalry(here, other, at.ground, at.season, readings),
        "commander": here.commander.a_combat if here.commander is not None else 0,
        "aide": aide.a_combat if aide is not None else 0,
        "lead": lead_value(lead, at.ground, at.season),
        "unfed": -4 if here.unfed else 0,
        "demoralized": -2 if here.demoralized else 0,
    }


def attackers_own(odds: int, at: Field) -> dict[str, int]:
    """What the attacker alone has (8.3.1.4, 8.3.4.1)."""
    return {"ratio": ODDS[odds], "ground": GROUND[at.ground], "crossing": CROSSING[at.crossing]}


def defenders_own(at: Field) -> dict[str, int]:
    """What the defender alone has, in the first round (8.3.8.1, 8.3.8.2)."""
    return {"interception": int(at.first and at.intercepted), "caught": -int(at.first and at.failed_to_avoid)}


# ---------------------------------------------------------------- resolution
@dataclass(frozen=True)
class Blow:
    """A result of the chart."""

    row: int
    steps: int
    plus: bool
    cavalry: bool
    leader: bool


def blow(total: int, of: str) -> Blow:
    """The result of a modified roll (8.4.2, 8.4.3)."""
    row = min(max(total, 0), 17)
    cell = CHART[row][SIZES.index(of)]
    return Blow(row, int(cell[0]), "+" in cell, "C" in cell, "L" in cell)


def called_by(own: Blow, enemy: Blow, odds: int, *, attacks: bool) -> int:
    """How many leader casualty checks the L results lay on a side (8.4.2.1, 8.3.1.6)."""
    if (odds if attacks else -odds) >= 3:
        return 0
    return int(own.leader and own.row >= 12) + int(enemy.leader and enemy.row <= 1)


def exposed(here: Side) -> set[Any]:
    """Of whom one must check at an L: the lowest in rank, no army's leader (8.4.2.1, 8.4.2.2)."""
    able = [each for each in here.leaders if each not in here.armies.values()]
    lowest = min((each.a_rank for each in able), default=0)
    return {each for each in able if each.a_rank == lowest}


def fate(die: int, second: int | None) -> str:
    """What a casualty check does to a leader; a corps commander's 6 needs a second one (8.4.2.5)."""
    if die <= 3:
        return "unhurt"
    if die <= 5 or (second is not None and second <= 5):
        return "wounded"
    return "slain"


@dataclass(frozen=True)
class Demands:
    """The least that a loss must take: of the lead, of the core, of the mounted (8.4.1.2); and what may be more."""

    steps: int
    lead: int
    core: int
    mounted: int


def demands(here: Side, number: int, lead: Any, core: Collection[Any], struck: bool) -> Demands:
    """What a loss of steps demands of a side, in the order of 8.4.1.2."""
    lost = min(number, here.total)
    first = 1 if lost and lead is not None else 0
    led_core = first if lead in core else 0
    in_core = sum(steps for unit, steps in here.steps.items() if unit in core) + len(set(core) & set(here.depots))
    half = min(ceil(lost / 2), in_core, lost - first + led_core)
    free = lost - first - max(half - led_core, 0)
    horse_in_core = half > led_core and any(
        steps and mounted(unit) for unit, steps in here.steps.items() if unit in core
    )
    can = free > 0 or horse_in_core or (first > 0 and mounted(lead))
    return Demands(lost, first, half, int(struck and lost > 0 and here.mounted > 0 and can))


# ---------------------------------------------------------------- aftermath
def winner(lost: tuple[int, int], left: tuple[int, int], plus: tuple[bool, bool]) -> str:
    """Who has won a round: by losses of attacker and defender, steps left to them, and the + of each (8.5.1).

    Where neither survives, losses and + decide, too; if they do not, the defender has won (8.5.2.1.c).
    """
    if (left[0] > 0) != (left[1] > 0):
        return "attacker" if left[0] else "defender"
    if lost[0] != lost[1]:
        return "attacker" if lost[1] > lost[0] else "defender"
    if plus[0] != plus[1]:
        return "attacker" if plus[0] else "defender"
    return "" if left[0] else "defender"


def morale_target(morale: int, chief: Any, killed: bool, more_lost: int, guard: bool) -> int:
    """Up to which roll the beaten hold (8.6.5, 17.3.2)."""
    return int(morale + (chief.a_combat if chief is not None else 0) - killed - max(more_lost, 0) - guard)


def pursuit(winners: Side) -> int:
    """The steps that cavalry takes of a broken enemy (8.6.1.2)."""
    return winners.of("cavalry", "cossack", "guard_cavalry") + winners.of("cuirassiers") // 2


def weak_pursuit(winners: Side, dice: list[int]) -> int:
    """The same with a die for each step, those of heavy cavalry first (17.8)."""
    heavy = winners.of("cuirassiers")
    assert len(dice) == winners.mounted, (dice, winners.mounted)
    return sum(each >= 5 for each in dice[:heavy]) + sum(each >= 3 for each in dice[heavy:])
