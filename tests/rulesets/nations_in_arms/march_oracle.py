"""Compares every march, reaction and attrition check of a game with chapters 3 to 7."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from oracle import RuleOracle
from plain_force import armies, leaders, steps, supports, units
from plain_marches import half_more, may_stack
from plain_reactions import Reactions, toll
from plain_supply import in_supply

from interpreter.play.engine.decision import Decision

PRICES = {
    "procedures/go_on_victorious": 1,
    "procedures/overrun": 1,
    "actions/be_absorbed": 1,
    "actions/recover": 3,
}
"""6.1.3: what operations cost, by the rule that takes the MP."""
PAYING = (
    *PRICES,
    *("actions/absorb", "procedures/check_siege", "procedures/end_with", "procedures/integrate"),
    *("procedures/join_at_once", "procedures/join_relief", "procedures/pay_and_go", "procedures/unite_at_once"),
)
"""All rules that take MP."""


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


class MarchOracle(RuleOracle):
    """Compares marches, reactions, attrition, initiative and stacking."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__()
        self.readings = [name for name, value in options.items() if value is True]
        self.marches: dict[Any, March] = {}
        self.price = self.was = 0
        """What the step under way costs, and what the stack had spent before it."""
        self.exposed: list[Any] = []
        self.whole = 0
        """The steps that the check under way counts."""
        self.checks = 0
        self.expected: bool | None = None
        """Whether a check is due, where the rulebook says."""
        self.taken: int | None = None
        """The level of whom the stack at the end of its move has taken in."""
        self.host: Any = None
        self.last_side: Any = None
        self.impulses = self.winters = 0
        for rule in PAYING:
            self.look_at(rule)
        for rule, before, after in (
            ("procedures/begin_activation", None, self.begun),
            ("procedures/set_out", self.setting_out, self.set_out),
            ("procedures/split_off", None, self.parted),
            ("procedures/ride_alone", None, self.rode),
            ("procedures/stop_unpaid", self.stopped, None),
            ("procedures/bear_level", None, self.held),
            ("procedures/unite_at_once", None, self.held),
            ("procedures/drop", None, self.held),
            ("procedures/come_up", None, self.held),
            ("procedures/take_on_level", self.worse_level, None),
            ("procedures/pay_and_go", self.going, self.gone),
            ("procedures/spend", self.spending, None),
            ("procedures/interception", self.entered, None),
            ("modifiers/interception_drm", None, self.interception),
            ("modifiers/avoidance_drm", None, self.avoidance),
            ("definitions/slips_away", None, self.slipped),
            ("definitions/refuges", None, self.refuge),
            ("procedures/overrun", self.strong, None),
            ("procedures/attrition_check", self.checking, self.checked),
            ("procedures/wear_down", self.wearing, None),
            ("modifiers/attrition_drm", None, self.attrition),
            ("tables/attrition", None, self.read_toll),
            ("procedures/worsen", self.ending, self.worsened),
            ("procedures/integrate", self.joining, None),
            ("procedures/end_with", self.joining, None),
            ("procedures/close_impulse", self.closing, None),
            ("procedures/begin_impulse", self.impulse, None),
            ("procedures/draw_quarters", None, self.quarters),
            ("procedures/fill_pool", None, self.filled),
        ):
            self.look_at(rule, before, after)

    # ---------------------------------------------------------------- comparisons
    def compare(self, what: str, theirs: Any, ours: Any, *about: Any) -> None:
        """Notes a comparison, and a difference."""
        self.seen[what] += 1
        if theirs != ours:
            where = ", ".join(self.described(each) for each in about)
            here = len(self.game.history)
            self.mismatches.append(f"{what} at {here}: {theirs}, and by the rulebook {ours}: {where}")

    def described(self, thing: Any) -> str:
        """Returns a stack with what is in it, or the id of anything else."""
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
                self.compare("supply at the start", bool(each.a_was_short), short, each)

    def setting_out(self, force: Any) -> None:
        """5.3.3.1, with the level noted in this impulse (5.5.2.4)."""
        level = max(force.a_level, force.a_noted_level or 0) if units(force) else 0
        alone = not leaders(force)
        self.marches[force] = March(short=bool(force.a_was_short), forced_march=level > 0, level=level, alone=alone)

    def set_out(self, _: Any, force: Any) -> None:
        march = self.march(force)
        self.compare("forced march", bool(force.a_marching), march.forced_march, force)
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
        what = f"price of {by.rpartition('/')[2]}"
        if by in PRICES:
            self.compare(what, mp, PRICES[by], force)
        elif by == "procedures/check_siege":
            self.compare(what, mp, land.level(force.at), force)
        elif by == "actions/absorb":
            paid = march.absorbed_at is force.at
            self.compare(what, mp == 0, paid or (mp == 0 and not march.moved), force)
            march.absorbed_at = force.at if mp else march.absorbed_at
        elif by in {"procedures/integrate", "procedures/end_with"} and self.host is not None:
            price = land.price_of_joining(force, self.host)
            part = by == "procedures/integrate" and price == 2 and mp == 1
            ours = 1 if part else min(price, left) if by == "procedures/end_with" else price
            self.compare(what, mp, ours, force, self.host)

    def spending(self, force: Any, mp: int) -> None:
        march = self.march(force)
        self.operation(force, mp, self.callers[-1] if self.callers else "")
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
        self.compare("MP enough", True, self.price <= min(self.limits(land, force)), force, there)
        self.compare("bars", "", land.bars(force, here, there), force, there)
        march.rough |= land.steep(there, here) or land.steep(here, there)
        march.marsh |= there.kind == "hex" and there.a_terrain.id == "swamp"
        march.moved, march.checked = True, False

    def gone(self, _: Any, force: Any, here: Any, there: Any) -> None:
        self.compare("price", force.a_spent - self.was, self.price, force, here, there)
        if units(force):
            march = self.march(force)
            march.cap = min(march.cap, self.land.allowance(force))

    def on_decision(self, decision: Decision) -> None:
        """At a decision about orders: what is offered to the stack is what it can afford, no more and no less."""
        force = self.state.a_active
        if decision.address != "move_stack.orders" or force is None or force.at is None:
            return
        land = self.land
        mp, slow = self.limits(land, force)
        fixed = force.a_inside or any(each.a_form.id in {"depot", "pontoon"} for each in supports(force))
        march = self.march(force)
        free = mp > 0 and slow > 0 and not fixed
        ours = land.ways(force, mp, slow, set_out=march.moved) if free else set()
        left = self.game.evaluate("definitions/left", force)
        theirs = set() if fixed or left <= 0 else set(self.game.evaluate("definitions/ways", force))
        stopped = march.ended or force.a_camped
        if not stopped:
            self.compare("MP left", left, max(0, mp), force)
        if stopped or force.a_guards or land.guards(force):
            ours &= theirs
        self.compare("ways", sorted(each.id for each in theirs), sorted(each.id for each in ours), force)

    # ---------------------------------------------------------------- reactions
    def entered(self, mover: Any, _: Any, there: Any) -> None:
        """6.3.1: who may try to intercept."""
        if there.kind != "hex" or not units(mover):
            return
        sure, perhaps = self.land.interceptors(mover, there)
        theirs = set(self.game.evaluate("definitions/interceptors", mover, there))
        if "guards_widen_range" in self.readings:
            theirs = {each for each in theirs if there in each.at.neighbours}
        named = [sorted(each.id for each in found - perhaps) for found in (theirs, sure)]
        self.compare("interceptors", *named, mover, there)

    def interception(self, drm: int, main: Any, array: Any, mover: Any, there: Any) -> None:
        self.compare("interception", drm, self.land.interception(main, list(array), mover, there), main, mover, there)

    def avoidance(self, drm: int, main: Any, array: Any, mover: Any) -> None:
        self.compare("avoidance", drm, self.land.avoidance(main, list(array), mover), main, mover)

    def slipped(self, away: bool, force: Any, mover: Any) -> None:
        self.compare("sure to get away", bool(away), self.land.surely_away(force, mover), force, mover)

    def refuge(self, theirs: Any, force: Any, mover: Any, here: Any, bridging: bool) -> None:
        ours = self.land.refuges(force, mover, here, bridging=bool(bridging))
        self.compare(
            "refuges", sorted(each.id for each in theirs), sorted(each.id for each in ours), force, mover, here
        )

    def strong(self, force: Any) -> None:
        """6.7.1: whether an overrun is possible at all."""
        land = self.land
        foes = [each for each in land.foes(force.at, force.a_flag.a_bloc) if land.capable(each)]
        ours = land.may_ride_over(force)
        box = force.at.kind == "box"
        if foes and not box:
            theirs = self.game.evaluate("definitions/trains_to_unload", force, foes, 0) is not None
            self.compare("overrun", theirs, ours, force, *foes)

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
            self.compare("check due", self.checks > 0, self.expected, force)
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
        self.compare("attrition", drm, ours, force, final, hardy)
        able = land.hardy(self.exposed)
        if len({each.a_power for each in self.exposed}) == 1:
            self.compare("hardy nation", hardy.id if hardy else None, next(iter(able), None), force)
        elif hardy is not None:
            self.compare("hardy nation", hardy.id in able, True, force)
        self.whole = steps(self.exposed)
        shut_in = force.a_inside and force.at.kind == "hex" and force.at.a_siege is not None
        if shut_in and not (force.a_demoralized if final else march.forced > 0):
            self.whole = land.unfed(force)

    def read_toll(self, found: Any, roll: int, exposed: int) -> None:
        self.compare("toll", (found.a_steps, bool(found.a_maybe)), toll(roll, exposed, harsh=False), roll, exposed)
        self.compare("exposed steps", exposed, self.whole)

    def ending(self, force: Any, _: bool) -> None:
        """7.2.3.1: whoever ends an activation with a check due has made it."""
        march, self.taken = self.march(force), force.a_taken_level
        if "battle_ends_checks" in self.readings:
            return
        self.compare("checked in the end", march.checked or not self.due(force), True, force)

    def worsened(self, _: Any, force: Any, spared: bool) -> None:
        """5.4.1, 5.7.7.a and 5.5.1.1.1: one level worse, or as bad as whom it has taken in."""
        march = self.march(force)
        picket = march.alone and [each.a_type.id for each in units(force)] == ["detachment"] and not leaders(force)
        level = 0 if not units(force) else march.level if picket else min(2, march.level + 1)
        if not self.land.guards(force) and self.taken is None:
            self.compare("level", force.a_level, level, force)

    # ---------------------------------------------------------------- initiative
    def filled(self, _: Any) -> None:
        """4.1.1: the pool of a turn, but for Naval 2."""
        pool = self.world.find("marker_box", "initiative_pool")
        found = {each.id for each in pool.c_marker if not each.id.endswith("naval_2")}
        ours = {f"{side}_land_{each}" for side in ("empire", "coalition") for each in range(1, 5)}
        ours |= {"empire_naval_1", "coalition_naval_1", "neutral_land", "neutral_naval"}
        if self.state.a_season.id != "summer":
            ours.add("winter_quarters_marker")
        self.compare("pool", found, ours)
        self.impulses = self.winters = 0

    def impulse(self, marker: Any) -> None:
        """4.2.2: no side has two land impulses running."""
        self.impulses += 1
        side = marker.a_side.id if marker.a_side is not None else "none"
        self.compare("winter first", marker.a_sort.id != "winter_quarters", True)
        if marker.a_sort.id == "land" and side != "neutral_side":
            self.compare("flip-flop", side != self.last_side, True, marker)
            self.last_side = side

    def quarters(self, _: Any, marker: Any) -> None:
        """4.2.3 and 4.3: the draw of Winter Quarters that ends the phase."""
        self.winters += self.impulses > 0
        limit = {"spring": 3, "autumn": 2, "winter": 1}[self.state.a_season.id]
        self.compare("end of the phase", bool(self.state.a_phase_over), self.winters >= limit, marker)

    # ---------------------------------------------------------------- stacking
    def closing(self) -> None:
        """3.1.1 and 3.1.2 when an impulse ends."""
        stacks = Counter[Any]()
        for force in self.land.forces:
            self.compare("stack", self.may_stand(force), True, force)
            stacks[force.at, force.a_flag.a_bloc, bool(force.a_inside)] += bool(units(force))
        for (place, _, _), number in stacks.items():
            self.compare("one stack", number <= 1, True, place)

    def may_stand(self, force: Any) -> bool:
        """3.1.2.2."""
        corps, staff = units(force), leaders(force)
        if not corps:
            return len(staff) <= 1
        markers = armies(force)
        if not markers:
            top = max((each.a_rank for each in staff), default=0)
            heads = len(staff) <= (2 if top >= 3 else 1) and sum(each.a_rank == top for each in staff) <= 1
            return heads and may_stack(corps, staff)
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
