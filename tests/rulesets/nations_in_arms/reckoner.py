"""Somebody who looks on at a game from outside and reckons every march, reaction and attrition check once more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from inspect import isgeneratorfunction
from sys import _getframe
from typing import Any

from plain_marches import armies, half_more, leaders, stands, steps, supports, units
from plain_reactions import Reactions, toll
from plain_supply import in_supply

PRICES = {"p_after_battle": 1, "p_overrun": 1, "ar_be_absorbed": 1, "ar_recover": 3}
"""6.1.3: what operations cost, by the rule that takes the MP."""


@dataclass
class March:
    """What a stack has done in its activation."""

    cap: int = 99
    """The MP that it has had at most so far, before they are stretched."""
    moved: bool = False
    ended: bool = False
    short: bool = False
    forced_march: bool = False
    far: bool = False
    spent: int = 0
    forced: int = 0
    rough: bool = False
    marsh: bool = False
    checked: bool = False
    level: int = 0
    absorbed_at: Any = None
    alone: bool = False

    @property
    def forced_only(self) -> bool:
        """Whether the forced march is the only reason for a check (7.2.4.5.a, mp_that_count)."""
        return self.forced_march and not self.short and not self.far


class Reckoner:
    """Hangs itself into the rules of one game; what it finds otherwise than they do is in `found`."""

    def __init__(self, game: Any, options: Mapping[str, Any]) -> None:
        self.game, self.options = game, options
        self.names, self.world = game.core.names, game.core.world
        self.readings = [name for name, value in options.items() if value is True]
        self.found: list[str] = []
        self.seen: Counter[str] = Counter()
        self.marches: dict[Any, March] = {}
        self.price = self.rolled = 0
        self.exposed: list[Any] = []
        self.checks = 0
        self.host: Any = None
        self.last_side: Any = None
        self.impulses = self.winters = 0
        for name, before, after in (
            ("p_begin_activation", None, self.begun),
            ("p_set_out", self.setting_out, self.set_out),
            ("p_split_off", None, self.parted),
            ("p_ride_alone", None, self.rode),
            ("p_stop_unpaid", self.stopped, None),
            ("p_bear_level", None, self.held),
            ("p_unite_at_once", None, self.held),
            ("p_drop", None, self.held),
            ("p_come_up", None, self.held),
            ("p_take_on_level", self.worse_level, None),
            ("p_pay_and_go", self.going, self.gone),
            ("p_spend", self.spending, None),
            ("p_interception", self.entered, None),
            ("m_interception_drm", None, self.interception),
            ("m_avoidance_drm", None, self.avoidance),
            ("d_slips_away", None, self.slipped),
            ("d_refuges", None, self.refuge),
            ("p_overrun", self.strong, None),
            ("p_attrition_check", self.checking, self.checked),
            ("p_wear_down", self.wearing, None),
            ("m_attrition_drm", None, self.attrition),
            ("t_attrition", None, self.read_toll),
            ("p_worsen", self.ending, self.worsened),
            ("p_integrate", self.joining, None),
            ("p_end_with", self.joining, None),
            ("p_close_impulse", self.closing, None),
            ("p_begin_impulse", self.impulse, None),
            ("p_draw_quarters", None, self.quarters),
            ("p_fill_pool", None, self.filled),
        ):
            self.hook(name, before, after)

    # ---------------------------------------------------------------- looking on
    def hook(self, name: str, before: Callable[..., None] | None, after: Callable[..., None] | None) -> None:
        """Calls `before` with what a rule is called with, and `after` with its result and that."""
        rule = self.names[name]

        def asked(*given: Any) -> Any:
            if before:
                before(*given)
            result = yield from rule(*given)
            if after:
                after(result, *given)
            return result

        def plain(*given: Any) -> Any:
            if before:
                before(*given)
            result = rule(*given)
            if after:
                after(result, *given)
            return result

        self.names[name] = asked if isgeneratorfunction(rule) else plain

    def same(self, what: str, theirs: Any, ours: Any, *about: Any) -> None:
        """Notes a difference."""
        self.seen[what] += 1
        if theirs != ours:
            told = ", ".join(self.told(each) for each in about)
            self.found.append(f"{what} at {len(self.game.history)}: {theirs}, and by the book {ours}: {told}")

    def told(self, thing: Any) -> str:
        """A stack with what is in it, or anything else."""
        if getattr(thing, "kind", "") != "force" or thing.at is None:
            return str(getattr(thing, "id", thing))
        inside = [*armies(thing), *leaders(thing), *units(thing), *supports(thing)]
        counters = " ".join(f"{each.id}:{getattr(each, 'a_steps', '')}" for each in inside)
        return f"{thing.id} at {thing.at.id} ({counters}) level {thing.a_level} spent {thing.a_spent} of {thing.a_mf}"

    @property
    def land(self) -> Reactions:
        """The map as it lies now."""
        return Reactions(self.world, self.readings)

    def march(self, force: Any) -> March:
        """What is known of a stack's march."""
        return self.marches.setdefault(force, March())

    # ---------------------------------------------------------------- an activation
    def begun(self, _: Any, force: Any) -> None:
        """7.1.1.1.a: supply is looked at when the activation begins."""
        for each in (force, *force.a_guards):
            if units(each):
                short = not in_supply(self.world, each, self.readings)
                self.same("supply at the start", bool(each.a_was_short), short, each)

    def setting_out(self, force: Any) -> None:
        """5.3.3.1, with the level noted in this impulse (5.5.2.4)."""
        level = max(force.a_level, force.a_noted_level or 0) if units(force) else 0
        alone = not leaders(force)
        self.marches[force] = March(short=bool(force.a_was_short), forced_march=level > 0, level=level, alone=alone)

    def set_out(self, _: Any, force: Any) -> None:
        march = self.march(force)
        self.same("forced march", bool(force.a_marching), march.forced_march, force)
        march.cap = self.land.allowance(force)

    def parted(self, party: Any, force: Any, *_: Any) -> None:
        self.marches[party] = replace(self.march(force))

    def rode(self, _: Any, force: Any) -> None:
        self.march(force).cap = 8

    def stopped(self, force: Any) -> None:
        self.march(force).ended = True

    def held(self, _: Any, force: Any, *__: Any) -> None:
        """5.2.2, 5.6.1.1.a and the like: a rule that may end the move, and says so by leaving no MP."""
        march = self.march(force)
        march.ended |= 0 < force.a_mf == force.a_spent < march.cap

    def worse_level(self, force: Any) -> None:
        """5.5.1.1.2: it goes on after it took in a stack of level 1."""
        if force.a_taken_level is not None and force.a_taken_level > force.a_level:
            march = self.march(force)
            march.forced_march, march.checked, march.level = True, False, force.a_taken_level

    def joining(self, force: Any, host: Any) -> None:
        self.host = host

    def operation(self, force: Any, mp: int, by: str) -> None:
        """6.1.3 and 3.3.1: what is paid for anything but a march."""
        march, land = self.march(force), self.land
        left = 0 if march.ended else max(0, self.limits(land, force)[0])
        if by in PRICES:
            self.same(by, mp, PRICES[by], force)
        elif by == "p_check_siege":
            self.same(by, mp, land.level(force.at), force)
        elif by == "ar_absorb":
            paid = march.absorbed_at is force.at
            self.same(by, mp == 0, paid or (mp == 0 and not march.moved), force)
            march.absorbed_at = force.at if mp else march.absorbed_at
        elif by in {"p_integrate", "p_end_with"} and self.host is not None:
            price = land.price_of_joining(force, self.host)
            part = by == "p_integrate" and price == 2 and mp == 1
            self.same(by, mp, 1 if part else min(price, left) if by == "p_end_with" else price, force, self.host)

    def spending(self, force: Any, mp: int) -> None:
        march = self.march(force)
        self.operation(force, mp, _getframe(2).f_code.co_name)
        if mp > 0 and force.a_taken_level is not None and force.a_taken_level > force.a_level:
            march.forced_march, march.checked, march.level = True, False, force.a_taken_level
        march.spent += mp
        march.forced += mp if march.forced_march else 0

    def limits(self, land: Reactions, force: Any) -> tuple[int, int]:
        """What is left to it, and to the slowest of its companions."""
        march = self.march(force)
        if force.a_spent == 0 and not march.moved:
            march.cap = land.allowance(force)
        base = min(march.cap, land.allowance(force))
        mf = half_more(base) if force.a_extended and not force.a_hurried else base
        return mf - force.a_spent, land.slowest(force) - force.a_spent

    def going(self, force: Any, here: Any, there: Any) -> None:
        """6.2.1, and 5.2.1: nobody spends more than he has, or enters what is closed to him."""
        land, march = self.land, self.march(force)
        self.price = land.cost(force, here, there, set_out=march.moved)
        self.was = force.a_spent
        self.same("MP enough", True, self.price <= min(self.limits(land, force)), force, there)
        self.same("bars", "", land.bars(force, here, there), force, there)
        march.rough |= land.steep(there, here) or land.steep(here, there)
        march.marsh |= there.kind == "hex" and there.a_terrain.id == "swamp"
        march.moved, march.checked = True, False

    def gone(self, _: Any, force: Any, here: Any, there: Any) -> None:
        self.same("price", force.a_spent - self.was, self.price, force, here, there)
        if units(force):
            march = self.march(force)
            march.cap = min(march.cap, self.land.allowance(force))

    def asks(self) -> None:
        """At a decision about orders: what is offered to the stack is what it can afford, no more and no less."""
        force = self.world.state.a_active
        if self.game.decision.address != "move_stack.orders" or force is None or force.at is None:
            return
        self.game.core.budget.decisions += 1
        land = self.land
        mp, slow = self.limits(land, force)
        fixed = force.a_inside or any(each.a_form.id in {"depot", "pontoon"} for each in supports(force))
        march = self.march(force)
        free = mp > 0 and slow > 0 and not fixed
        ours = land.ways(force, mp, slow, set_out=march.moved) if free else set()
        theirs = set() if fixed or self.names["d_left"](force) <= 0 else set(self.names["d_ways"](force))
        stopped = march.ended or force.a_camped
        if not stopped:
            self.same("MP left", self.names["d_left"](force), max(0, mp), force)
        if stopped or force.a_guards or land.guards(force):
            ours &= theirs
        self.same("ways", sorted(each.id for each in theirs), sorted(each.id for each in ours), force)

    # ---------------------------------------------------------------- reactions
    def entered(self, mover: Any, _: Any, there: Any) -> None:
        """6.3.1: who may try to intercept."""
        if there.kind != "hex" or not units(mover):
            return
        sure, perhaps = self.land.interceptors(mover, there)
        theirs = set(self.names["d_interceptors"](mover, there))
        if "guards_widen_range" in self.readings:
            theirs = {each for each in theirs if there in each.at.neighbours}
        told = [sorted(each.id for each in found - perhaps) for found in (theirs, sure)]
        self.same("interceptors", *told, mover, there)

    def interception(self, drm: int, main: Any, array: Any, mover: Any, there: Any) -> None:
        self.same("interception", drm, self.land.interception(main, list(array), mover, there), main, mover, there)

    def avoidance(self, drm: int, main: Any, array: Any, mover: Any) -> None:
        self.same("avoidance", drm, self.land.avoidance(main, list(array), mover), main, mover)

    def slipped(self, away: bool, force: Any, mover: Any) -> None:
        self.same("sure to get away", bool(away), self.land.surely_away(force, mover), force, mover)

    def refuge(self, theirs: Any, force: Any, mover: Any, here: Any, bridging: bool) -> None:
        ours = self.land.refuges(force, mover, here, bridging=bool(bridging))
        self.same("refuges", sorted(each.id for each in theirs), sorted(each.id for each in ours), force, mover, here)

    def strong(self, force: Any) -> None:
        """6.7.1: whether an overrun is possible at all."""
        foes = self.names["d_capable_foes_in"](force.at, force.a_flag.a_bloc)
        ours = self.land.may_ride_over(force)
        box = force.at.kind == "box"
        if foes and not box:
            self.same("overrun", self.names["d_trains_to_unload"](force, foes, 0) is not None, ours, force, *foes)

    # ---------------------------------------------------------------- attrition
    def due(self, force: Any) -> bool:
        """7.2.1.1."""
        march = self.march(force)
        march.far = bool(force.a_extended)
        eaters = [each for each in units(force) if each.a_type.id != "guerrillas"]
        return bool(eaters) and (march.short or march.forced > 0 or march.far)

    def checking(self, force: Any, final: bool) -> None:
        self.checks = 0
        self.expected = None if final else self.due(force)

    def checked(self, _: Any, force: Any, final: bool) -> None:
        march = self.march(force)
        if self.expected is not None:
            self.same("check due", self.checks > 0, self.expected, force)
        if self.expected:
            march.checked, march.rough, march.marsh = True, False, False

    def wearing(self, force: Any, group: Any, stores: Any, final: bool) -> None:
        """One check: the steps that are counted (7.2.2.1, 7.1.8.2)."""
        self.exposed = [each for each in group if each.a_type.id != "guerrillas"]

    def attrition(self, drm: int, force: Any, final: bool, provisioned: bool, hardy: Any) -> None:
        self.checks += 1
        land, march = self.land, self.march(force)
        march.far = bool(force.a_extended)
        ours = land.attrition(march, force, final=bool(final), stores=bool(provisioned), hardy=hardy)
        self.same("attrition", drm, ours, force, final, hardy)
        able = land.hardy(self.exposed)
        if len({each.a_power for each in self.exposed}) == 1:
            self.same("hardy nation", hardy.id if hardy else None, next(iter(able), None), force)
        elif hardy is not None:
            self.same("hardy nation", hardy.id in able, True, force)
        self.whole = steps(self.exposed)
        shut_in = force.a_inside and force.at.kind == "hex" and force.at.a_siege is not None
        if shut_in and not (force.a_demoralized if final else march.forced > 0):
            self.whole = land.unfed(force)

    def read_toll(self, found: Any, roll: int, exposed: int) -> None:
        self.same("toll", (found.a_steps, bool(found.a_maybe)), toll(roll, exposed, harsh=False), roll, exposed)
        self.same("exposed steps", exposed, self.whole)

    def ending(self, force: Any, _: bool) -> None:
        """7.2.3.1: whoever ends an activation with a check due has made it."""
        march, self.taken = self.march(force), force.a_taken_level
        if "battle_ends_checks" in self.readings:
            return
        self.same("checked in the end", march.checked or not self.due(force), True, force)

    def worsened(self, _: Any, force: Any, spared: bool) -> None:
        """5.4.1, 5.7.7.a and 5.5.1.1.1: one level worse, or as bad as whom it has taken in."""
        march = self.march(force)
        picket = march.alone and [each.a_type.id for each in units(force)] == ["detachment"] and not leaders(force)
        level = 0 if not units(force) else march.level if picket else min(2, march.level + 1)
        if not self.land.guards(force) and self.taken is None:
            self.same("level", force.a_level, level, force)

    # ---------------------------------------------------------------- initiative
    def filled(self, _: Any) -> None:
        """4.1.1: the pool of a turn, but for Naval 2."""
        pool = self.world.find("marker_box", "initiative_pool")
        found = {each.id for each in pool.c_marker if not each.id.endswith("naval_2")}
        ours = {f"{side}_land_{each}" for side in ("empire", "coalition") for each in range(1, 5)}
        ours |= {"empire_naval_1", "coalition_naval_1", "neutral_land", "neutral_naval"}
        if self.world.state.a_season.id != "summer":
            ours.add("winter_quarters_marker")
        self.same("pool", found, ours)
        self.impulses = self.winters = 0

    def impulse(self, marker: Any) -> None:
        """4.2.2: no side has two land impulses running."""
        self.impulses += 1
        side = marker.a_side.id if marker.a_side is not None else "none"
        self.same("winter first", marker.a_sort.id != "winter_quarters", True)
        if marker.a_sort.id == "land" and side != "neutral_side":
            self.same("flip-flop", side != self.last_side, True, marker)
            self.last_side = side

    def quarters(self, _: Any, marker: Any) -> None:
        """4.2.3 and 4.3: the draw of Winter Quarters that ends the phase."""
        self.winters += self.impulses > 0
        limit = {"spring": 3, "autumn": 2, "winter": 1}[self.world.state.a_season.id]
        self.same("end of the phase", bool(self.world.state.a_phase_over), self.winters >= limit, marker)

    # ---------------------------------------------------------------- stacking
    def closing(self) -> None:
        """3.1.1 and 3.1.2 when an impulse ends."""
        stacks = Counter[Any]()
        for force in self.land.forces:
            self.same("stack", self.may_stand(force), True, force)
            stacks[force.at, force.a_flag.a_bloc, bool(force.a_inside)] += bool(units(force))
        for (place, _, _), number in stacks.items():
            self.same("one stack", number <= 1, True, place)

    def may_stand(self, force: Any) -> bool:
        """3.1.2.2."""
        corps, staff = units(force), leaders(force)
        if not corps:
            return len(staff) <= 1
        markers = armies(force)
        if not markers:
            top = max((each.a_rank for each in staff), default=0)
            heads = len(staff) <= (2 if top >= 3 else 1) and sum(each.a_rank == top for each in staff) <= 1
            return heads and stands(corps, staff)
        loose = len(corps) != sum(len(units(each)) for each in markers)
        return not loose and len(markers) <= 3 and all(map(self.army_stands, markers))

    def army_stands(self, army: Any) -> bool:
        """2.4.1, 2.4.4 and 3.1.3.2."""
        corps, staff, head = units(army), leaders(army), army.a_chief
        if not corps or head is None or head not in staff or steps(corps) > (head.a_capacity or 0):
            return False
        own = steps([each for each in corps if each.a_power is army.a_power])
        others = steps(corps) - own
        irregular = any(each.a_type.id in {"detachment", "cossack", "guerrillas"} for each in corps)
        ranks = all(each.a_rank <= head.a_rank for each in staff)
        return len(staff) <= 5 and ranks and not irregular and (not others or own > 2 * others)
