"""Interception, avoiding combat, overruns and attrition in plain Python, read from chapters 6 and 7 alone."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from plain_force import armies, commander, leaders, leads_itself, steps, supports, units
from plain_marches import ENTRY, Marches

COLUMNS = (2, 4, 6, 9, 12, 16)
ATTRITION = """
 2  0    0    0    0    0    0    *
 3  0    0    0    0    0    *    *
 4  0    0    0    0    *    *    *
 5  0    0    0    *    *    *    1
 6  0    0    *    *    *    1    1
 7  0    *    *    *    1    1    1*
 8  0    *    *    1    1    1*   1*
 9  *    *    1    1    1*   1*   2
10  *    *    1    1*   1*   2    2*
11  *    1    1    1*   2    2*   3
12  *    1    1*   2    2*   3    3*
13  1    1    1*   2    2*   3    4
14  1    1*   2    2*   3    3*   4*
15  1    1*   2    3    3*   4    5
16  1*   2    2*   3*   4    5    6
"""
"""The table as it was made up (figures_tables.yaml); rows are 2d6 with modifiers, columns steps."""
TOLLS = {int(row[0]): row[1:] for row in map(str.split, ATTRITION.strip().splitlines())}


def toll(roll: int, exposed: int, *, harsh: bool) -> tuple[int, bool]:
    """The steps that an attrition check costs, and whether a die may cost one more (7.2.5.1, 17.9.1)."""
    cell = TOLLS[min(16, max(2, roll))][sum(exposed > each for each in COLUMNS)]
    lost = int(cell.rstrip("*") or 0)
    return lost, cell.endswith("*") or (harsh and lost == 0)


def initiative(force: Any) -> int:
    """2.5.1.3 and 5.7.1."""
    head = commander(force)
    if head is not None:
        return int(head.a_initiative)
    return 2 if any(each.a_type.id == "cossack" for each in units(force)) else 1


def light(force: Any) -> bool:
    """One leader and light cavalry, nobody else (6.5.3.1.a, m_light_patrols)."""
    corps = units(force)
    riders = bool(corps) and all(each.a_type.id == "cavalry" for each in corps)
    return riders and len(leaders(force)) == 1 and not supports(force)


class Reactions(Marches):
    """What those may do who are not on the move."""

    def costly(self, place: Any) -> bool:
        """Ground of 2 MP or more."""
        return place.kind == "hex" and ENTRY[place.a_terrain.id] >= 2

    def free_hands(self, force: Any) -> bool:
        """Not face to face with an enemy who can fight."""
        return not any(map(self.capable, self.foes(force.at, force.a_flag.a_bloc)))

    def step_barred(self, force: Any, there: Any, *, bridging: bool) -> bool:
        """What bars every move out of turn: rivers, straits, neutral land, a fortress that it cannot besiege."""
        here, bloc = force.at, force.a_flag.a_bloc
        if not self.bridge(here, there) and not bridging:
            return True
        if any(self.hostile(bloc, each) for zone in self.world.link(here, there).a_strait for each in zone.a_fleets):
            return True
        owner = there.a_province.a_owner if there.a_province is not None else None
        if owner is not None and owner.a_bloc.a_side.id == "neutral_side":
            return True
        walls = self.enemy_walls(there, bloc)
        return walls > 0 and not self.can_besiege(force, walls)

    # ---------------------------------------------------------------- interception
    def interceptors(self, mover: Any, there: Any) -> tuple[set[Any], set[Any]]:
        """Who may try (6.3.1), and of whom that depends on the part that may be detached."""
        sure: set[Any] = set()
        perhaps: set[Any] = set()
        for place in there.neighbours:
            for force in place.c_force if place.kind == "hex" else ():
                if not self.hostile(force.a_flag.a_bloc, mover.a_flag.a_bloc) or force.a_inside or force.a_demoralized:
                    continue
                led = commander(force) is not None or leads_itself(force)
                if not units(force) or not led or not self.free_hands(force):
                    continue
                barred = self.step_barred(force, there, bridging=self.builders(force))
                if not barred and not self.goes_abroad(force, there):
                    sure.add(force)
                elif armies(force) or (not barred and len(units(force)) > 1):
                    perhaps.add(force)
        return sure, perhaps

    def interception(self, main: Any, array: Collection[Any], mover: Any, there: Any) -> int:
        """6.3.2.1."""
        corps = [each for force in array for each in units(force)]
        staff = [each for force in array for each in leaders(force)]
        own, other = initiative(main), initiative(mover)
        crossed = there in main.at.neighbours and not self.bridge(main.at, there)
        majors = {each.a_power for force in array for each in [*units(force), *supports(force), *leaders(force)]}
        drm = any(each.a_type.id == "cavalry" for each in corps) + any(each.a_cavalry for each in staff)
        drm += (own > other) - (own < other) - self.costly(there) - 3 * crossed
        return drm - (sum(each.a_major for each in majors) > 1)

    # ---------------------------------------------------------------- avoiding combat
    def surely_away(self, force: Any, mover: Any) -> bool:
        """6.5.3."""
        if force.a_demoralized:
            return True
        if light(force) and (not light(mover) or mover.a_demoralized):
            return True
        rough = force.at.kind == "hex" and force.at.a_terrain.id in {"mountain", "mountain_pass"}
        corps = units(force)
        return rough and bool(corps) and all(each.a_type.id == "guerrillas" for each in corps)

    def avoidance(self, main: Any, array: Collection[Any], mover: Any) -> int:
        """6.5.2."""
        corps = [each for force in array for each in units(force)]
        staff = [each for force in array for each in leaders(force)]
        drm = any(each.a_type.id == "cavalry" for each in corps) + any(each.a_cavalry for each in staff)
        drm += self.costly(main.at)
        if any(each.a_haven is not None and not self.bridge(each.at, each.a_haven) for each in array):
            drm -= 3
        own, other = initiative(main), initiative(mover)
        drm += own - max(0, other - own)
        sole = [*units(main), *supports(main), *leaders(main)]
        if len(sole) == 1 and sole[0].kind == "combat_unit" and sole[0].a_type.id in {"cossack", "guerrillas"}:
            return drm + 5
        return max(-3, min(3, drm))

    def refuges(self, force: Any, mover: Any, came_from: Any, *, bridging: bool) -> set[Any]:
        """6.5.4.2 and 6.4: where it may withdraw to."""
        place, bloc = force.at, force.a_flag.a_bloc
        area = {came_from, *(each for each in came_from.neighbours if each in mover.at.neighbours)}
        found = set()
        for there in place.neighbours:
            if there.kind not in {"hex", "box"} or there in area or there is mover.at:
                continue
            if self.step_barred(force, there, bridging=bridging) or self.goes_abroad(force, there):
                continue
            if self.enemy_walls(there, bloc) or self.watched(there, bloc, mover):
                continue
            foes = self.foes(there, bloc)
            if foes and not (units(force) and self.overruns(force, [each for each in foes if self.capable(each)])):
                continue
            found.add(there)
        met_in_a_box = place.kind == "box" and force.a_boxed and "boxes_like_hexes" not in self.readings
        return set() if met_in_a_box and units(force) else found

    def watched(self, place: Any, bloc: Any, but: Any) -> bool:
        """Whether an enemy army's zone of influence lies on it (2.4.6); that of the mover does not count."""
        if place.kind != "hex":
            return False
        for near in place.neighbours:
            for force in near.c_force if near.kind == "hex" else ():
                if force is but or not self.hostile(bloc, force.a_flag.a_bloc) or not armies(force):
                    continue
                if force.a_demoralized:
                    continue
                if force.a_inside:
                    if "besieged_armies_keep_in" not in self.readings:
                        return True
                elif self.free_hands(force):
                    return True
        return False

    # ---------------------------------------------------------------- overruns
    def overruns(self, force: Any, foes: Collection[Any], trains: int = 0) -> bool:
        """6.7.1, with a number of trains turned into depots; by m_overrun_ratio 4.5 to 1 is enough."""
        mine = 2 * steps(units(force)) + trains
        theirs = 2 * sum(steps(units(each)) for each in foes) + sum(
            each.a_form.id == "depot" for foe in foes for each in supports(foe)
        )
        return 2 * mine >= (10 if "exact_overrun" in self.readings else 9) * theirs

    def may_ride_over(self, force: Any) -> bool:
        """Whether an overrun of all who stand there is possible, if need be with trains unloaded for it."""
        foes = [each for each in self.foes(force.at, force.a_flag.a_bloc) if self.capable(each)]
        if not foes:
            return False
        duty = force.at.kind == "box" and "boxes_like_hexes" not in self.readings
        if duty and any(each.a_boxed and units(each) for each in foes):
            return False
        trains = sum(each.a_form.id == "train" for each in supports(force))
        usable = trains if commander(force) is not None and not force.a_extended else 0
        return any(self.overruns(force, foes, number) for number in range(usable + 1))

    # ---------------------------------------------------------------- attrition
    def attrition(self, march: Any, force: Any, *, final: bool, stores: bool, hardy: Any) -> int:
        """7.2.4 and figures_tables.yaml; `march` is what the force has done in this activation."""
        drm = 2 * force.a_out_of_supply + force.a_demoralized - 3 * stores - (hardy is not None)
        if force.a_inside and force.at.kind == "hex" and force.at.a_siege is not None:
            drm += force.at.a_siege
        if final:
            return int(drm)
        mp = march.forced if march.forced_only else march.spent
        drm += -1 if mp <= 4 else 0 if mp <= 6 else 1 if mp <= 8 else 2
        drm += 2 * march.rough + march.marsh + (self.world.state.a_season.id == "winter")
        return int(drm)

    def unfed(self, force: Any) -> int:
        """The steps of a besieged stack for which its fortress has no food (7.1.8)."""
        garrison = [each for each in force.at.c_force if each.a_inside and each.a_flag.a_bloc is force.a_flag.a_bloc]
        own = self.hungry(force, garrison)
        return min(own, max(0, sum(self.hungry(each, garrison) for each in garrison) - self.level(force.at)))

    def hardy(self, corps: Collection[Any]) -> set[str]:
        """The nations with half of the steps that have a modifier of their own (7.2.4.4)."""
        counted = [each for each in corps if each.a_type.id != "guerrillas"]
        found = {each: steps([one for one in counted if one.a_power.id == each]) for each in ("france", "russia")}
        return {each for each, own in found.items() if own and 2 * own >= steps(counted)}
