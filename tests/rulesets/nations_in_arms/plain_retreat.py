"""Where a beaten force may go, and what that costs it, in plain Python from 8.7 alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from plain_battle import ratio, side
from plain_force import inside
from plain_supply import Land, nation

ARMY_FORTRESS = 3


@dataclass(frozen=True)
class Defeat:
    """A lost battle, as the retreat sees it."""

    world: Any
    place: Any
    contact: Any
    """The hex that the attacker came from."""
    prescribed: Any
    """Where the first step has to lead: the contact hex, or the hex that an interceptor came from."""
    beaten_defender: bool
    fought: Collection[Any]
    """The forces of the battle: their armies have no zone."""
    readings: Collection[str] = ()


class Retreat:
    """The choices of one beaten force, or of a party of it, from its place."""

    def __init__(self, force: Any, defeat: Defeat) -> None:
        self.force, self.defeat = force, defeat
        self.bloc = force.a_flag.a_bloc
        self.land = Land(defeat.world, defeat.readings)
        self.here = force.at

    # ---------------------------------------------------------------- bars
    def open(self, there: Any) -> bool:
        """Whether 8.7.1.3 b, c, d and f, a closed strait or the border of those who stay at home keep it out."""
        if there.kind == "hex":
            holder = self.land.held_by(there)
            enemy = holder is not None and self.land.hostile(self.bloc, holder.a_bloc)
            if enemy and self.land.level(there) > 0 and there.a_siege is None:
                return False
        owner = there.a_province.a_owner if there.a_province else None
        if owner is not None and owner.a_bloc is not self.bloc and not self.land.hostile(self.bloc, owner.a_bloc):
            return False
        if not self.rides_down(there):
            return False
        if any(self.enemy_ships(zone) for zone in self.defeat.world.link(self.here, there).a_strait):
            return False
        return not (self.defeat.beaten_defender and there is self.defeat.contact) and not self.kept_home(there)

    def enemy_ships(self, zone: Any) -> bool:
        """Whether enemy ships are in a sea zone; one's own are no help (6.2.1.5)."""
        return any(self.land.hostile(self.bloc, each) for each in zone.a_fleets)

    def rides_down(self, there: Any) -> bool:
        """Whether no enemy is there, or few enough to be overrun (8.7.1.3.d, 6.7.1.1)."""
        foes = [side(each) for each in self.land.foes(there, self.bloc)]
        theirs, own = sum(each.points for each in foes), side(self.force).points
        if not theirs:
            return True
        if "exact_overrun" in self.defeat.readings:
            return bool(own >= 5 * theirs)
        return own > 0 and ratio(own, theirs) == 5

    def too_weak(self, there: Any) -> bool:
        """Whether it could not besiege the enemy fortress of a hex that nobody besieges (6.2.4.2, 9.1.1.1.a, 9.1.2)."""
        holder = self.land.held_by(there) if there.kind == "hex" else None
        if holder is None or not self.land.hostile(self.bloc, holder.a_bloc) or there.a_siege is not None:
            return False
        level = self.land.level(there)
        if level >= ARMY_FORTRESS:
            return not inside(self.force, "army")
        return sum(each.a_steps for each in inside(self.force, "combat_unit")) < level

    def kept_home(self, there: Any) -> bool:
        """Whether some unit may not leave its country (6.2.3.1)."""
        return any(
            each.a_home_bound and self.at_home(each, self.here) and not self.at_home(each, there)
            for each in inside(self.force, "combat_unit")
        )

    @staticmethod
    def at_home(unit: Any, place: Any) -> bool:
        """Whether a place is national territory of a unit."""
        owner = place.a_province.a_owner if place.a_province else None
        return owner is unit.a_power

    def nearer(self, there: Any) -> bool:
        """Whether it is nearer to a supply source than the place of the force (8.7.1.3.a)."""
        chief = self.land.chief(self.force)
        users = {chief} if chief else {nation(each) for each in inside(self.force, "combat_unit")}
        sources = [
            each
            for each in self.defeat.world.objects
            if each.kind == "hex"
            and (each.a_fortress or each.a_city)
            and each is not self.defeat.place
            and any(self.land.source(each, user) for user in users)
        ]
        if not sources:
            return True
        distance = self.defeat.world.distance
        if "nearest_source_only" in self.defeat.readings:
            return bool(
                min(distance(there, each) for each in sources) < min(distance(self.here, each) for each in sources)
            )
        return any(distance(there, each) < distance(self.here, each) for each in sources)

    # ---------------------------------------------------------------- dangers
    def zoned(self, there: Any) -> bool:
        """Whether an enemy army that has not fought projects its zone there (2.4.6, 8.7.1.3.g)."""
        for force in self.land.forces:
            if not self.land.hostile(self.bloc, force.a_flag.a_bloc) or force in self.defeat.fought:
                continue
            if not inside(force, "army") or force.a_demoralized or there not in force.at.neighbours:
                continue
            foes = self.land.foes(force.at, force.a_flag.a_bloc)
            kept_in = force.a_inside and "besieged_armies_keep_in" in self.defeat.readings
            if not kept_in and (force.a_inside or not any(map(self.land.capable, foes))):
                return True
        return False

    def flank(self, there: Any) -> bool:
        """Whether it is left or right of the attacker's contact hex (6.4.2)."""
        contact = self.defeat.contact
        if not self.defeat.beaten_defender or contact is None:
            return False
        return there in contact.neighbours and there in self.defeat.place.neighbours

    def first(self) -> set[Any]:
        """Where the first step may lead (8.7.1)."""
        if self.defeat.prescribed is not None:
            there = self.defeat.prescribed
            kept = self.kept_home(there) or self.too_weak(there)
            return {there} if self.rides_down(there) and not kept else set()
        found = [each for each in self.here.neighbours if self.open(each) and self.nearer(each)]
        return self.mildest(found)

    def mildest(self, found: Iterable[Any]) -> set[Any]:
        """Those in no danger; else those in a zone; else those beside the contact hex (8.7.1.3.g.ii)."""
        found = set(found)
        flank = {each for each in found if self.flank(each)}
        zoned = {each for each in found if self.zoned(each)} - flank
        return found - flank - zoned or zoned or flank

    def second(self) -> set[Any]:
        """Where it may go on to."""
        return {
            each
            for each in self.here.neighbours
            if each is not self.defeat.place
            and self.open(each)
            and self.nearer(each)
            and not self.zoned(each)
            and not self.flank(each)
        }

    # ---------------------------------------------------------------- losses
    def wet(self, there: Any) -> bool:
        """Whether an unbridged river has to be crossed."""
        link = self.defeat.world.link(self.here, there)
        if not link.a_river or link.a_bridge:
            return False
        return not any(
            each.a_form.id == "pontoon" and each.a_aimed_at is far and self.land.pontoon_fed(each)
            for near, far in ((self.here, there), (there, self.here))
            for stack in near.c_force
            for each in inside(stack, "support")
        )

    def engineers(self) -> bool:
        """Whether an engineer that is in supply goes along: in an army always, else under a leader (7.1.7.3.d)."""
        if self.force.a_out_of_supply:
            return False
        if inside(self.force, "army"):
            return True
        led = bool(inside(self.force, "leader")) or "unled_wagons_retreat" in self.defeat.readings
        return led and any(each.a_form.id in {"engineer", "pontoon"} for each in inside(self.force, "support"))

    def loss(self, there: Any) -> int:
        """The steps that a step of the retreat costs (8.7.1.3 d, e and g)."""
        foes = [side(each) for each in self.land.foes(there, self.bloc)]
        lost = sum(each.total for each in foes)
        if "losses_for_choosers_only" in self.defeat.readings and self.defeat.prescribed is not None:
            return lost
        if self.wet(there):
            lost += 1 if self.engineers() else 2
        return lost + 2 * self.zoned(there) + 3 * self.flank(there)
