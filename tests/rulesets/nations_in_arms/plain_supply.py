"""Supply by land and sea in plain Python, read from the clauses alone, to compare the ruleset with.

The ruleset walks from post to post, one search a leg. Here a line is fuel: it starts with one leg's worth,
is spent hex by hex, and is filled up again at every post. A force is fed if the flood reaches a source.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from heapq import heappop, heappush
from typing import Any

from plain_force import armies, commander, inside

LEG = 4
GROUND = {"clear": 1, "forest": 2, "swamp": 2, "mountain": 4, "mountain_pass": 2}


def in_supply(world: Any, force: Any, readings: Collection[str] = ()) -> bool:
    """Whether a force traces a line to a source (7.1.1.2), or needs none (7.1.1.3); `readings` are options."""
    eaters = [each for each in inside(force, "combat_unit") if each.a_type.id != "guerrillas"]
    if not eaters:
        return True
    land = Land(world, readings)
    place = force.at
    if force.a_inside and place.kind == "hex" and place.a_siege is not None:
        garrison = [each for each in place.c_force if each.a_inside and each.a_flag.a_bloc is force.a_flag.a_bloc]
        hungry = {each: land.hungry(each, garrison) for each in garrison}
        return hungry[force] == 0 or sum(hungry.values()) <= land.level(place)
    chief = land.chief(force)
    return all(land.fed(line, place, pontoons=True) for line in ([chief] if chief else lines(eaters)))


def nation(eater: Any) -> Any:
    """Whose supply a unit needs: its army's, or its own."""
    return eater.at.a_power if eater.at.kind == "army" else eater.a_power


def lines(eaters: list[Any]) -> list[Any]:
    """The nations that must each trace (7.1.6): an army's for what is in it; a minor can live on its master's."""
    nations = {nation(each) for each in eaters}
    return [each for each in nations if each.a_master not in nations]


class Land:
    """The map as it lies in one position."""

    def __init__(self, world: Any, readings: Collection[str] = ()) -> None:
        self.world, self.readings = world, readings
        self.powers = [each for each in world.objects if each.kind == "power"]
        self.cities = [each for each in world.objects if each.kind == "city"]
        self.forces = [each for each in world.objects if each.kind == "force" and each.at is not None]

    # ---------------------------------------------------------------- who and what
    def chief(self, force: Any) -> Any:
        """Whose line counts for a whole corps-level force, where that is the reading."""
        if "line_of_commander" not in self.readings or armies(force):
            return None
        head = commander(force)
        return head.a_power if head is not None else None

    def hungry(self, force: Any, garrison: list[Any]) -> int:
        """The steps of a part of a besieged garrison that no depot of it feeds by sea (7.1.8)."""
        depots = any(each.a_form.id == "depot" for stack in garrison for each in inside(stack, "support"))
        found, chief = 0, self.chief(force)
        for each in inside(force, "combat_unit"):
            if each.a_type.id == "guerrillas":
                continue
            if not (depots and self.fed_by_sea(force.at, self.lord(chief or nation(each)))):
                found += each.a_steps
        return found

    def lord(self, power: Any) -> Any:
        return power.a_master or power

    def hostile(self, bloc: Any, other: Any) -> bool:
        return other in bloc.a_enemies

    def level(self, hex_: Any) -> int:
        return 0 if hex_.a_fortress_down else hex_.a_fortress

    def owner(self, hex_: Any) -> Any:
        return hex_.a_province.a_owner if hex_.a_province else None

    def held_by(self, hex_: Any) -> Any:
        return hex_.a_holder or self.owner(hex_)

    def open_fort(self, hex_: Any, bloc: Any) -> bool:
        holder = self.held_by(hex_)
        return self.level(hex_) > 0 and hex_.a_siege is None and holder is not None and holder.a_bloc is bloc

    def capable(self, force: Any) -> bool:
        return bool(inside(force, "combat_unit")) or any(each.a_form.id == "depot" for each in inside(force, "support"))

    def foes(self, place: Any, bloc: Any) -> list[Any]:
        return [each for each in place.c_force if self.hostile(bloc, each.a_flag.a_bloc) and not each.a_inside]

    # ---------------------------------------------------------------- sources and posts
    def source(self, place: Any, user: Any) -> bool:
        """7.1.2: capitals not in ruins (9.4), fortresses at home, the fortified capitals of the lord's allies."""
        if place.kind != "hex":
            return False
        lord, holder = self.lord(user), self.held_by(place)
        held = holder is not None and holder.a_bloc is user.a_bloc
        whole = not place.a_fortress_down or "capitals_in_ruins_feed" in self.readings
        if place in (lord.a_capital, user.a_capital) and held and whole and place.a_siege is None:
            return True
        if not self.open_fort(place, user.a_bloc):
            return False
        return self.owner(place) in (lord, user) or any(
            each.a_master is lord and each.a_capital is place for each in self.powers
        )

    def post(self, place: Any, user: Any) -> bool:
        """7.1.3: fortresses of the bloc; depots and detachments of the user and of its lord."""
        if place.kind == "hex" and self.open_fort(place, user.a_bloc):
            return True
        own, depots = (user, self.lord(user)), {user, self.lord(user)}
        if "minor_depots_for_all" in self.readings:
            depots |= {each for each in self.powers if each.a_master is self.lord(user)}
        return any(each.a_form.id == "depot" and each.a_power in depots for each in inside(place, "support")) or any(
            each.a_type.id == "detachment" and each.a_power in own for each in inside(place, "combat_unit")
        )

    # ---------------------------------------------------------------- obstacles
    def zones_and_contacts(self, bloc: Any) -> set[Any]:
        """7.1.4.4.a to c: the hexes around enemy armies at large, the contact hexes of those who face an enemy."""
        found: set[Any] = set()
        for force in self.forces:
            if not self.hostile(bloc, force.a_flag.a_bloc):
                continue
            facing = self.foes(force.at, force.a_flag.a_bloc)
            army = bool(inside(force, "army"))
            unopposed = not any(map(self.capable, facing))
            if force.a_inside:
                unopposed = "besieged_armies_keep_in" not in self.readings
            if army and not force.a_demoralized and unopposed:
                found |= {each for each in force.at.neighbours if each.kind == "hex"}
            door = force.a_came_from
            if door is not None and facing:
                found.add(door)
                if army:
                    found |= {each for each in door.neighbours if each in force.at.neighbours}
        return found

    def barred(self, place: Any, bloc: Any) -> bool:
        """7.1.4.4.d and e."""
        if any(self.capable(each) for each in self.foes(place, bloc)):
            return True
        if place.kind != "hex" or self.level(place) == 0 or place.a_siege is not None:
            return False
        holder = self.held_by(place)
        return holder is not None and self.hostile(bloc, holder.a_bloc)

    def hostile_water(self, zone: Any, bloc: Any) -> bool:
        return bloc not in zone.a_fleets and any(self.hostile(bloc, each) for each in zone.a_fleets)

    def crossable(self, here: Any, there: Any, bloc: Any, pontoons: bool) -> bool:
        """7.1.4.4.f: unbridged rivers but for a fed pontoon, straits under enemy ships alone."""
        side = self.world.link(here, there)
        if any(self.hostile_water(zone, bloc) for zone in side.a_strait):
            return False
        if not side.a_river or side.a_bridge:
            return True
        return pontoons and any(
            each.at is not None
            and each.a_form.id == "pontoon"
            and each.a_aimed_at is far
            and self.force_of(each).a_flag.a_bloc is bloc
            and self.pontoon_fed(each)
            for near, far in ((here, there), (there, here))
            for each in inside(near, "support")
        )

    def force_of(self, piece: Any) -> Any:
        while piece.kind != "force":
            piece = piece.at
        return piece

    def pontoon_fed(self, support: Any) -> bool:
        force = self.force_of(support)
        if inside(force, "combat_unit"):
            return not force.a_out_of_supply
        return self.fed(support.a_power, force.at, pontoons=False)

    # ---------------------------------------------------------------- the price of a hex
    def steep(self, place: Any, other: Any) -> bool:
        """Mountain, or a pass that is entered or left off its road."""
        if place.kind != "hex":
            return False
        ground = place.a_terrain.id
        return ground == "mountain" or (ground == "mountain_pass" and not self.world.link(place, other).a_pass_road)

    def price(self, here: Any, there: Any) -> int:
        if there.kind != "hex":
            cost = 3
        else:
            cost = 4 if self.steep(there, here) else GROUND[there.a_terrain.id]
            if there.a_terrain.id == "swamp" and self.world.state.a_year >= 1798:
                owner = self.owner(there)
                cost += 1 if owner is not None and owner.id == "russia" else 0
        if self.steep(here, there) and not self.steep(there, here):
            cost += 2
        if here.kind != "hex":
            cost += 2
        return cost + (2 if self.world.link(here, there).a_strait else 0)

    # ---------------------------------------------------------------- the line
    def fed(self, user: Any, start: Any, *, pontoons: bool) -> bool:
        """Whether fuel that every post fills up again reaches a source (7.1.4.1, 7.1.4.2, 7.1.5)."""
        if self.source(start, user):
            return True
        if start.kind == "box" and not self.post(start, user):
            return False
        bloc = user.a_bloc
        cut = self.zones_and_contacts(bloc)
        fuel = {start: LEG}
        waiting = [(-LEG, start.index, start)]
        while waiting:
            left, _, here = heappop(waiting)
            if -left < fuel[here]:
                continue
            if -left == LEG and self.fed_by_sea(here, self.lord(user)):
                return True
            for there in here.neighbours:
                rest = -left - self.price(here, there)
                if rest < 0 or there in cut or self.barred(there, bloc):
                    continue
                if not self.crossable(here, there, bloc, pontoons):
                    continue
                if self.source(there, user):
                    return True
                if self.post(there, user):
                    rest = LEG
                if rest > fuel.get(there, -1):
                    fuel[there] = rest
                    heappush(waiting, (-rest, there.index, there))
        return False

    # ---------------------------------------------------------------- the sea
    def fed_by_sea(self, place: Any, lord: Any) -> bool:
        """7.1.5: a depot of the lord in an open port of its bloc, and a source's port over passable water."""
        port = place.a_city if place.kind == "hex" else None
        bloc = lord.a_bloc
        if port is None or not port.a_port or port.a_zone is None:
            return False
        if not any(each.a_form.id == "depot" and each.a_power is lord for each in inside(place, "support")):
            return False
        if any(self.hostile(bloc, each) for each in port.a_blockaders) or not self.friendly(place, bloc):
            return False
        known = set(self.waters(port.a_zone, bloc))
        return any(
            each.a_port and each.a_zone in known and each.a_hex not in (None, place) and self.source(each.a_hex, lord)
            for each in self.cities
        )

    def friendly(self, place: Any, bloc: Any) -> bool:
        holder = self.held_by(place)
        held = holder is not None and holder.a_bloc is bloc
        if self.level(place) > 0:
            return held
        if any(self.capable(each) for each in self.foes(place, bloc)):
            return False
        return held or any(each.a_flag.a_bloc is bloc and self.capable(each) for each in place.c_force)

    def waters(self, zone: Any, bloc: Any) -> Iterator[Any]:
        if self.hostile_water(zone, bloc):
            return
        known, waiting = {zone}, [zone]
        while waiting:
            here = waiting.pop()
            yield here
            for there in here.neighbours:
                if there.kind == "sea_zone" and there not in known and not self.hostile_water(there, bloc):
                    known.add(there)
                    waiting.append(there)
