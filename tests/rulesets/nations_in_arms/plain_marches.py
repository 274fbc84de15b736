"""What a march costs and where it may lead, in plain Python, read from chapters 2, 3, 5 and 6 alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from plain_force import armies, commander, leaders, leads_itself, mounted, steps, supports, units
from plain_supply import Land

ENTRY = {"clear": 1, "forest": 2, "swamp": 2, "mountain": 4, "mountain_pass": 2}
STEPS_BY_RANK = {1: 2, 2: 4, 3: 6, 4: 6}
LOOSE = {"cossack", "guerrillas", "feudal"}
"""Who may come near the enemy without a leader (5.7.6)."""
GUARDS = {"guards", "old_guard", "young_guard", "grenadiers", "janissaries", "guard_cavalry"}
APART = GUARDS | {"guerrillas", "cossack"}
"""Who neither absorbs nor is absorbed (3.4.2.2)."""


def half_more(mf: int) -> int:
    """6.1.5.1."""
    return mf + mf // 2


class Marches(Land):
    """The map as it lies, for those who march over it."""

    def __init__(self, world: Any, readings: Collection[str] = ()) -> None:
        super().__init__(world, readings)
        self.year = world.state.a_year

    # ---------------------------------------------------------------- how far
    def allowance(self, force: Any) -> int:
        """6.1.2: the MP of those who march, as the stack is now."""
        corps, head = units(force), commander(force)
        if armies(force):
            return 6
        if not corps:
            return 8
        if head is not None and head.a_cavalry and all(map(mounted, corps)):
            return 8
        printed = max(each.a_mf or 6 for each in corps)
        return printed if head is None else min(6, printed)

    def slowest(self, force: Any) -> int:
        """5.2.1.3 and 6.1.5.10: where the first of its companions stops."""
        ends = []
        for each in supports(force):
            slow = each.a_form.id in {"train", "depot"}
            mf = 6 if not slow or each.a_power.id == "france" else 4
            far = force.a_extended and (slow or not force.a_hurried)
            ends.append(half_more(mf) if far else mf)
        far = force.a_extended and not force.a_hurried
        ends += [half_more(each.a_mf) if far else each.a_mf for each in units(force) if each.a_mf]
        return min(ends, default=99)

    # ---------------------------------------------------------------- what a step costs
    def bridge(self, here: Any, there: Any) -> bool:
        """Whether nothing has to be waded: printed bridges and pontoons that are in supply (6.2.1.4)."""
        side = self.world.link(here, there)
        if not side.a_river or side.a_bridge:
            return True
        for near, far in ((here, there), (there, here)):
            for force in near.c_force:
                for each in supports(force):
                    if each.a_form.id == "pontoon" and each.a_aimed_at is far and self.pontoon_fed(each):
                        return True
        return False

    def builders(self, force: Any) -> bool:
        """Engineers, or an army's own, who can work (6.2.1.4.b, 2.4.5.4, 7.1.7.3.d)."""
        if force.a_out_of_supply:
            return False
        return bool(armies(force)) or any(each.a_form.id == "engineer" for each in supports(force))

    def cost(self, force: Any, here: Any, there: Any, *, set_out: bool) -> int:
        """6.2.1 and 6.2.2; `set_out` says that it has entered a place already in this activation."""
        if there.kind == "box":
            mp = 3
        else:
            mp = 4 if self.steep(there, here) else ENTRY[there.a_terrain.id]
            if there.a_terrain.id == "swamp" and self.year >= 1798:
                owner = self.owner(there)
                mp += owner is not None and owner.id == "russia"
        if self.steep(here, there) and not self.steep(there, here):
            mp += 2
        if here.kind == "box":
            mp += 2
        if self.world.link(here, there).a_strait:
            mp += 2
        own = armies(force) and not set_out and not force.a_extended and not force.a_out_of_supply
        if not self.bridge(here, there) and not own:
            mp += 1 if self.builders(force) else 2
        return mp

    # ---------------------------------------------------------------- what bars it
    def alone(self, force: Any) -> bool:
        """5.1.3.1.1 and 5.7.5: a leader by himself, or one unit that nobody leads."""
        corps = units(force)
        if not corps:
            return True
        return (
            commander(force) is None and not self.guards(force) and not any(each.a_type.id in LOOSE for each in corps)
        )

    def guards(self, force: Any) -> bool:
        """Whether it marches as a flank guard (t_guard_of_one_unit)."""
        return any(force in each.a_guards for each in self.forces)

    def about(self, place: Any) -> Iterator[Any]:
        """The stacks there and next to it that count as near."""
        for each in (place, *place.neighbours):
            if each.kind in {"hex", "box"}:
                for force in each.c_force:
                    if not (force.a_inside and "besieged_are_no_threat" in self.readings):
                        yield force

    def enemy_walls(self, place: Any, bloc: Any) -> int:
        """The level of an enemy fortress that is not besieged (6.2.4.1)."""
        if place.kind != "hex" or self.level(place) == 0 or place.a_siege is not None:
            return 0
        holder = self.held_by(place)
        return self.level(place) if holder is not None and self.hostile(bloc, holder.a_bloc) else 0

    def can_besiege(self, force: Any, level: int) -> bool:
        """9.1.1.1.a."""
        return bool(armies(force)) if level >= 3 else steps(units(force)) >= level

    def goes_abroad(self, force: Any, there: Any) -> bool:
        """6.2.3.1, as it is read in m_militia_at_the_border."""
        home = force.at.a_province
        for each in units(force):
            out = there.a_province is None or there.a_province.a_owner is not each.a_power
            if each.a_home_bound and out and home is not None and home.a_owner is each.a_power:
                return True
        return False

    def bars(self, force: Any, here: Any, there: Any) -> str:
        """Why it may not go there whatever it has to spend; empty if it may."""
        bloc = force.a_flag.a_bloc
        if any(self.hostile(bloc, each) for zone in self.world.link(here, there).a_strait for each in zone.a_fleets):
            return "strait"
        owner = there.a_province.a_owner if there.a_province is not None else None
        if owner is not None and owner.a_bloc.a_side.id == "neutral_side":
            return "neutral"
        if here.kind == "box" and force.a_boxed:
            return "box"
        if self.goes_abroad(force, there):
            return "home"
        walls = self.enemy_walls(there, bloc)
        if walls and not self.can_besiege(force, walls):
            return "fortress"
        return self.bars_by_the_enemy(force, there, bloc, walls)

    def bars_by_the_enemy(self, force: Any, there: Any, bloc: Any, walls: int) -> str:
        """6.1.5.2, 5.1.3.1.1.b, 5.7.5 and m_unled_strike_once."""
        near = [each for each in self.about(there) if self.hostile(bloc, each.a_flag.a_bloc)]
        foes = self.foes(there, bloc)
        if force.a_extended:
            if any(map(units, near)) or walls:
                return "far"
            if any(each.a_form.id == "depot" for foe in foes for each in supports(foe)):
                return "far"
        if self.alone(force) and (walls or foes or any(units(each) or supports(each) for each in near)):
            return "alone"
        unled = commander(force) is None and not leads_itself(force) and not self.guards(force)
        again = force.a_struck and unled and "unled_strike_again" not in self.readings
        return "again" if again and any(map(self.capable, foes)) else ""

    # ---------------------------------------------------------------- room with friends
    def host(self, force: Any, place: Any) -> Any:
        """The force of its own side in the open there."""
        bloc = force.a_flag.a_bloc
        for each in place.c_force:
            if each is not force and each.a_flag.a_bloc is bloc and not each.a_inside and units(each):
                return each
        return None

    def price_of_joining(self, force: Any, host: Any) -> int:
        """3.3.1."""
        if not units(force) or not units(host) or force in host.a_guards:
            return 0
        return 2 if armies(force) and armies(host) else 1

    def fits(self, force: Any, host: Any) -> bool:
        """3.1.2 and 2.4.4: whether the two can stand as one, leaders in excess going to the pool."""
        if armies(force) and armies(host):
            return len(armies(force)) + len(armies(host)) <= 3
        marker, corps = (force, host) if armies(force) else (host, force)
        if armies(marker):
            return self.armies_take(marker, corps)
        return may_stack(units(force) + units(host), leaders(force) + leaders(host))

    def armies_take(self, marker: Any, corps: Any) -> bool:
        """Whether one army takes all of a corps-level stack, or the armies of a group share its units out."""
        if "voluntary_overstacking" in self.readings:
            return not any(each.a_type.id in {"detachment", "cossack", "guerrillas"} for each in units(corps))
        if any(army_takes(each, units(corps), leaders(corps)) for each in armies(marker)):
            return True
        return len(armies(marker)) > 1 and shares_out(armies(marker), units(corps), leaders(corps))

    def blends(self, force: Any, host: Any) -> bool:
        """3.4: whether a unit of either can be broken up to restore the other's."""
        for taker, giver in ((force, host), (host, force)):
            rank = [commander(each).a_rank if commander(each) else 0 for each in (taker, giver)]
            may = rank[0] >= rank[1] or (commander(taker) is None and "unled_rank_lowest" not in self.readings)
            if may and any(self.restores(taker, each) for each in units(giver)):
                return True
        return False

    def restores(self, force: Any, given: Any) -> bool:
        """3.4.2: every step finds a reduced corps, and room in the stack (3.1.5)."""
        holders = armies(force) or [force]
        room = 0
        for each in holders:
            taken = sum(one.a_full - one.a_steps for one in units(each) if absorbs(one, given))
            room += min(taken, self.steps_free(force, each, given))
        return room >= given.a_steps

    def steps_free(self, force: Any, holder: Any, given: Any) -> int:
        """How many of its steps may come into a corps-level stack, or into one army."""
        if holder is force:
            top = max((each.a_rank for each in leaders(force)), default=0)
            return STEPS_BY_RANK[top] - steps(units(force)) if top else 99
        room = (holder.a_chief.a_capacity or 0) - steps(units(holder)) if holder.a_chief else 0
        if given.a_power is not holder.a_power:
            own = steps([each for each in units(holder) if each.a_power is holder.a_power])
            others = steps(units(holder)) - own
            room = min(room, (own - 1) // 2 - others)
        return max(0, room)

    # ---------------------------------------------------------------- all together
    def ways(self, force: Any, mp: int, slowest: int, *, set_out: bool) -> set[Any]:
        """Where it may go next with these MP, and those of its companions, who may be left with friends there."""
        found = set()
        for there in force.at.neighbours:
            rest = self.rest(force, force.at, there, mp, set_out=set_out)
            if rest >= max(0, mp - slowest) and self.welcome(force, there, rest):
                found.add(there)
        return found

    def rest(self, force: Any, here: Any, there: Any, mp: int, *, set_out: bool) -> int:
        """What is left after one step; negative if it is not to be made."""
        if there.kind not in {"hex", "box"} or self.bars(force, here, there):
            return -1
        return mp - self.cost(force, here, there, set_out=set_out)

    def welcome(self, force: Any, place: Any, mp: int) -> bool:
        """5.2.4 to 5.2.7: with friends there it could join them, or go on to where it can stay."""
        host = self.host(force, place)
        if host is None or host in force.a_guards or (place.kind == "hex" and place.a_siege is not None):
            return True
        if mp < self.price_of_joining(force, host):
            return False
        if self.fits(force, host) or self.blends(force, host):
            return True
        for there in place.neighbours:
            rest = self.rest(force, place, there, mp, set_out=True)
            if rest >= 0 and self.welcome(force, there, rest):
                return True
        return False


def mixes(corps: Collection[Any], staff: Collection[Any]) -> bool:
    """15.5.4.6 and 15.5.5.5: guerrillas and Cossacks keep to themselves."""
    sorts = [each.a_type.id for each in corps]
    if "guerrillas" in sorts:
        return set(sorts) == {"guerrillas"} and (len(sorts) == 1 or any(each.a_power.id == "spain" for each in staff))
    riders = sorts.count("cossack")
    if not riders:
        return True
    if not staff:
        return len(sorts) == 1
    if not all(each.a_cavalry and each.a_power.id == "russia" for each in staff):
        return False
    rest = [each for each in corps if each.a_type.id != "cossack"]
    if not rest:
        return riders <= 2
    return riders == 1 and len(rest) == 1 and rest[0].a_type.id == "cavalry" and rest[0].a_power.id == "russia"


def may_stack(corps: Collection[Any], staff: Collection[Any]) -> bool:
    """3.1.2.2 a to d, of a stack that keeps the best of its leaders."""
    top = max((each.a_rank for each in staff), default=0)
    if not corps:
        return True
    if not top:
        return len(corps) == 1
    return steps(corps) <= STEPS_BY_RANK[top] and mixes(corps, [each for each in staff if each.a_rank == top])


def left_behind(army: Any) -> tuple[set[Any], set[Any]]:
    """5.6.1.3, by the reading f_army_account: units and leaders left behind in this impulse who are still away."""
    force = army.at
    own = {force, *force.a_guards}

    def holder(piece: Any) -> Any:
        while piece is not None and piece.kind not in {"force", "pool"}:
            piece = piece.at
        return piece

    def away(pieces: Collection[Any]) -> set[Any]:
        return {each for each in pieces if holder(each).kind == "force" and holder(each) not in own}

    return away(army.a_left_corps), away(army.a_left_staff)


def army_takes(army: Any, corps: Collection[Any], staff: Collection[Any]) -> bool:
    """2.4.4 and 3.1.3.2, with an heir of its own nation who would take the command over (3.2.5.2.2.a)."""
    if any(each.a_type.id in {"detachment", "cossack", "guerrillas"} for each in corps):
        return False
    rank = army.a_chief.a_rank if army.a_chief else 0
    higher = [each for each in staff if each.a_rank > rank]
    if any(each.a_power is not army.a_power or each.a_capacity is None for each in higher):
        return False
    heir = max(higher, key=lambda each: each.a_rank, default=army.a_chief)
    away, staff_away = left_behind(army)
    heads = len(set(leaders(army)) | set(staff)) - 1 - (1 if higher else 0) + len(staff_away - set(staff))
    if staff_away - set(staff) and heads > 4:
        return False
    mine = set(units(army))
    if steps(mine) + steps(away | set(corps)) > ((heir.a_capacity if heir else 0) or 0):
        return False
    return majority(army, [*mine, *corps])


def majority(army: Any, corps: Collection[Any]) -> bool:
    """3.1.3.2."""
    own = steps([each for each in corps if each.a_power is army.a_power])
    others = steps(corps) - own
    return not others or own > 2 * others


def shares_out(markers: Collection[Any], corps: Collection[Any], staff: Collection[Any]) -> bool:
    """Whether every unit finds an army of a group that has room for it, in some order of filling (2.4.7.4)."""
    if not any(army_takes(each, [], staff) for each in markers):
        return False
    filled: dict[Any, list[Any]] = {each: [] for each in markers}

    def place(rest: list[Any]) -> bool:
        if not rest:
            return True
        for each in markers:
            if army_takes(each, [*filled[each], rest[0]], []):
                filled[each].append(rest[0])
                if place(rest[1:]):
                    return True
                filled[each].pop()
        return False

    return place(sorted(corps, key=lambda each: -each.a_steps))


def absorbs(taker: Any, given: Any) -> bool:
    """3.4.2."""
    one, two = taker.a_type.id, given.a_type.id
    if taker is given or taker.a_steps >= taker.a_full or APART & {one, two}:
        return False
    if one != two and not (two == "detachment" and not mounted(taker)):
        return False
    kin = taker.a_power is given.a_power or taker.a_power.a_master is given.a_power
    return (kin or given.a_power.a_master is taker.a_power) and abs(taker.a_combat - given.a_combat) <= 1
