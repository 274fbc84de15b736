"""Compares the sieges of a game with chapter 9."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import plain_sieges as plain
from oracle import RuleOracle
from plain_force import commander, inside

from interpreter.play.engine.decision import Decision

Watch = Generator[None, Any, None]


class SiegeOracle(RuleOracle):
    """Compares every siege, check and storm of a traced game."""

    def __init__(self, options: Mapping[str, Any] = MappingProxyType({})) -> None:
        super().__init__()
        self.exact, self.guard = (bool(options.get(each)) for each in ("exact_five_to_one", "imperial_guard"))
        self.hexes: list[Any] = []
        """The hexes of all fortresses."""
        self.begin_activation()
        self.begin_storm()
        for rule, watcher in (
            ("begin_activation", self.activation),
            ("field_battle", self.battle),
            ("sortie", self.sortie),
            ("invest", self.investment),
            ("end_with", self.ending_move),
            ("check_siege", self.payment),
            ("siege_check", self.check),
            ("storm", self.storm),
            ("storm_volley", self.storm_volley),
            ("assault_walls", self.leads),
            ("sweep_away", self.swept),
            ("check_leaders", self.bleeding),
            ("judge_storm", self.judging),
            ("end_of_storm", self.ending),
            ("find_storm_morale", self.morale),
            ("capture", self.capture),
            ("screening_checks", self.screens),
            ("fall_back", self.leaving),
        ):
            self.watch(f"procedures/{rule}", watcher)

    def begin_activation(self) -> None:
        """Declares what is known of an activation: nothing yet."""
        self.over = True
        """Whether it has come to its screening checks."""
        self.bloc: Any = None
        self.won: dict[Any, Any] = {}
        """Where stacks have won a field battle in it."""
        self.checked: set[Any] = set()
        """Who has made a check since then, or since the stack was activated."""
        self.begun_here: list[Any] = []
        self.ended: list[Any] = []
        self.sallying: Any = None
        self.price: dict[Any, int] = {}
        self.walked_away: dict[Any, int] = {}
        self.spent = -1
        self.paid = 0
        self.taken: list[tuple[Any, bool]] = []
        """The fortresses that were taken, and whether with honours."""

    def begin_storm(self) -> None:
        """Declares what is known of a storm: nothing yet."""
        self.storming: Any = None
        self.stormer: Any = None
        self.breach = False
        self.begun = 0
        self.shots: dict[str, tuple[int, bool, bool, bool]] = {}
        """What was rolled before and behind the walls."""
        self.kept: tuple[int, plain.Names, bool] = (0, {}, False)
        self.camps: tuple[Any, ...] = ()
        self.calls: dict[Any, int] = {}
        self.struck = 0
        self.full = (0, 0)
        self.bled: Any = None
        self.verdict: tuple[str, tuple[int, int]] = "", (0, 0)

    def expect(self, what: str, found: Any, wanted: Any) -> None:
        """Notes a comparison, and a difference."""
        self.seen[what.partition(":")[0]] += 1
        if found != wanted:
            self.mismatches.append(f"turn {self.state.a_turn}: {what}: found {found}, wanted {wanted}")

    def head(self, force: Any) -> Any:
        """Returns who commands a stack, and compares it with the rules."""
        own = commander(force)
        if own is not None:
            self.expect("commander", self.game.evaluate("definitions/force.commander", force), own)
        return own

    def warden(self, hex_: Any) -> Any:
        """Who commands a fortress."""
        heads = [each for each in map(self.head, plain.garrison(hex_)) if each is not None]
        return max(heads, key=lambda each: each.a_rank, default=None)

    # ---------------------------------------------------------------- between activations
    def on_decision(self, decision: Decision) -> None:
        active = self.state.a_active
        match decision.address:
            case "one_activation.impulse":
                self.compare_sieges()
            case "move_stack.orders":
                self.compare_orders([getattr(each, "name", "") for each in decision.options], active)
            case "go.there" if active is not None:
                self.compare_destinations(active, decision.options)

    def compare_sieges(self) -> None:
        """Compares who besieges what, whenever nobody is active (9.1.1, 9.1.5)."""
        for hex_ in self.fortresses():
            found = plain.besiegers(hex_)
            self.expect(f"a siege: {hex_.id}", hex_.a_siege is not None, bool(found))
            if hex_.a_siege is None:
                self.expect(f"nobody shut in: {hex_.id}", plain.garrison(hex_), [])
                lord = plain.power_of(hex_)
                if plain.level(hex_) and lord is not None:
                    near = [each for each in hex_.c_force if plain.at_war(plain.bloc_of(each), lord.a_bloc)]
                    self.expect(f"nobody there who cannot besiege: {hex_.id}", near, [])
            else:
                self.expect(f"marker: {hex_.id}", hex_.a_siege in range(5) and plain.level(hex_) > 0, True)
                self.expect(f"points: {hex_.id}", 0 <= hex_.a_fortress_hits <= plain.level(hex_), True)

    def fortresses(self) -> list[Any]:
        """The hexes of all of them."""
        if not self.hexes:
            self.hexes += [each for each in self.world.objects if each.kind == "hex" and each.a_fortress]
        return self.hexes

    def compare_orders(self, options: list[str], force: Any) -> None:
        """Whether a siege check is open to an active force where it is (9.1.2, 5.7.5, 6.1.1.2)."""
        hex_ = force.at
        if hex_.kind != "hex" or force.a_extended:
            return
        lies = hex_.a_siege is not None and plain.can_besiege(force, hex_)
        head, units = self.head(force), inside(force, "combat_unit")
        alone = head is None and not all(each.a_type.id in {"cossack", "guerrillas", "feudal"} for each in units)
        left, cost = self.left(force), plain.level(hex_)
        made = (force, hex_) in self.checked and bool(hex_.a_siege)
        free = self.won.get(force) is hex_ and not made
        last = force.a_moved and not made and self.won.get(force) is not hex_
        wanted = lies and not alone and (free or last or left >= cost)
        if head is None or force.a_under or any(force in each.a_guards for each in self.world.board.all_force):
            return
        self.expect(f"a check is open: {force.id} at {hex_.id}", "besiege" in options, wanted)
        self.expect(f"a sortie is open: {force.id} at {hex_.id}", "sally" in options, bool(force.a_inside))

    def compare_destinations(self, force: Any, options: Iterable[Any]) -> None:
        """9.1.2: nobody enters an enemy fortress hex that he could not besiege, but where friends besiege it."""
        for hex_ in options:
            lord = plain.power_of(hex_) if hex_ is not None and hex_.kind == "hex" and plain.level(hex_) else None
            if lord is not None and plain.at_war(plain.bloc_of(force), lord.a_bloc) and hex_.a_siege is None:
                self.expect(f"strong enough to enter: {hex_.id}", plain.strong_enough(force, hex_), True)

    def left(self, force: Any) -> int:
        """Returns the MP that a stack has left by the rules, which the oracle of marches compares."""
        return int(self.game.evaluate("definitions/left", force))

    # ---------------------------------------------------------------- checks
    def activation(self, force: Any) -> Watch:
        """A new activation, or the march of one of its flank guards."""
        yield
        if self.over:
            self.won.clear()
            self.checked.clear()
            self.begun_here.clear()
            self.ended.clear()
        self.over, self.bloc = False, plain.bloc_of(force)

    def ending_move(self, force: Any, *_: Any) -> Watch:
        """Where an active force has ended its move it has left no screen."""
        self.ended.append(force.at)
        yield
        if force.at is None:  # attrition has destroyed it
            self.ended.pop()

    def investment(self, force: Any) -> Watch:
        """Whether a siege begins in this activation (9.1.4.1)."""
        place = force.at
        before = place.a_siege if place is not None and place.kind == "hex" else 0
        yield
        if before is None and place.a_siege is not None:
            self.expect("siege 0", (place.a_siege, plain.can_besiege(force, place)), (0, True))
            if self.bloc is plain.bloc_of(force):
                self.begun_here.append(place)

    def screens(self) -> Watch:
        """9.1.4.3: one check for whoever was left behind, and for nobody else."""
        self.spent, self.over = -1, True
        asked, rolled = len(self.answered), len(self.rolled)
        wanted = 0
        for hex_ in dict.fromkeys(self.begun_here):
            ours = any(plain.bloc_of(each) is self.bloc for each in plain.besiegers(hex_))
            wanted += ours and hex_ not in self.ended
        yield
        answers = [each for address, each in self.answered[asked:] if address == "screening_checks.try"]
        checks = [total for address, total in self.rolled[rolled:] if address == "siege"]
        self.expect("screens asked", len(answers), wanted)
        self.expect("checks by screens", len(checks), answers.count(True))
        self.seen["screens"] += len(answers)
        self.begun_here.clear()

    def battle(self, attacker: Any, defender: Any, *_: Any) -> Watch:
        """A relief or a sortie (9.5); and who wins may check the siege for nothing (9.1.2.2.a)."""
        place, sallied = attacker.at, self.sallying is attacker
        besieged = place.kind == "hex" and place.a_siege is not None
        besieged = besieged and plain.at_war(plain.bloc_of(defender), plain.power_of(place).a_bloc)
        crew = [unit for each in plain.garrison(place) for unit in inside(each, "combat_unit")] if besieged else []
        had = {each: each.a_steps for each in crew}
        own = inside(attacker, "combat_unit")
        found = yield
        won = bool(found)
        left = [each for each in own if each.at is not None and each.at.kind != "pool"]
        if won and attacker.at is place:
            self.won[attacker] = place
            self.checked.discard((attacker, place))
        if besieged:
            self.seen["sorties" if sallied else "reliefs"] += 1
            bled = [each.id for each, before in had.items() if each.a_steps < before]  # afterwards they may absorb
            self.expect("garrison keeps out of it (9.5.1.3)", bled, [])
            if won and not sallied and place.a_siege is None:
                kept = [each for each in crew if each.at is not None and each.at.kind != "pool"]
                holders = {self.stack(each) for each in [*kept, *left]}
                holders = {each for each in holders if each.at is place}  # others may not stack there
                self.expect("joined by those who free it (9.5.1.4)", len(holders) > 1, False)
            if won:
                self.expect("siege lifted (9.5.1)", place.a_siege is None or bool(plain.besiegers(place)), True)
            elif sallied:
                self.seen["sorties beaten"] += 1
                inner = [each for one in plain.garrison(place) for each in inside(one, "combat_unit")]
                if plain.besiegers(place):
                    self.expect("back inside (9.5.2.2.b)", set(left) <= set(inner), True)
            elif plain.besiegers(place):
                self.expect("siege goes on", place.a_siege is not None, True)

    def stack(self, unit: Any) -> Any:
        """The force that a unit is in."""
        return unit.at.at if unit.at.kind == "army" else unit.at

    def sortie(self, force: Any) -> Watch:
        """9.5.2: an unfed garrison checks its attrition as it comes out."""
        self.sallying = force
        yield
        self.sallying = None

    def payment(self, force: Any, hex_: Any) -> Watch:
        """9.1.2.1 and 9.1.2.2, under our reading of them."""
        spent, cost, left = force.a_spent, plain.level(hex_), self.left(force)
        if not hex_.a_siege:  # he may have come back to one that he had lifted
            self.checked.discard((force, hex_))
        free = self.won.get(force) is hex_ and (force, hex_) not in self.checked
        last = not free and left < cost
        if last:
            self.ended.append(hex_)  # even if his leader rides on alone
            self.expect("free check at the end", (force.a_moved, (force, hex_) in self.checked), (True, False))
        self.checked.add((force, hex_))
        self.paid = 0 if free or last else cost
        self.spent = spent
        self.seen["free" if free else "last" if last else "paid"] += 1
        yield

    def check(self, force: Any, hex_: Any) -> Watch:
        """9.2: the roll, its modifiers, the cell and what follows from it."""
        if self.spent >= 0:
            self.expect("payment", force.a_spent - self.spent, self.paid)
            self.spent = -1
        self.expect("besieged", hex_.a_siege is not None and plain.can_besiege(force, hex_), True)
        head, defender = self.head(force), self.warden(hex_)
        wanted = sum(plain.check_modifiers(force, hex_, head, defender).values())
        wall, length, own = plain.level(hex_), hex_.a_siege, plain.steps([force])
        within = plain.steps(plain.garrison(hex_))
        self.walked_away.clear()
        modified, rolled, taken = len(self.modified), len(self.rolled), len(self.taken)
        yield
        sums = [total for address, total in self.modified[modified:] if address == "siege_drm"]
        dice = [total for address, total in self.rolled[rolled:] if address == "siege"]
        self.expect(f"siege modifiers: {force.id} before {hex_.id}", sums, [wanted])
        result = plain.check_result(dice[0] + wanted, wall)
        self.seen[result] += 1
        storms = [total for address, total in self.rolled[rolled:] if address == "battle"]
        lasts = force.at is hex_
        lost = own - plain.steps([force]) if lasts else own - self.walked_away.get(force, 0)
        if result in {plain.NOTHING, plain.HONOURS}:
            self.expect("nothing lost", (lost - self.paid_garrison(taken, force), storms), (0, []))
        if result == plain.REPULSE:
            self.expect("repulse", lost, 1)
        if result == plain.MAYBE:
            die = self.rolled[rolled + 1][1]
            self.expect("repulse on a die", lost, int(die >= 4))
        captured = len(self.taken) > taken
        if result in {plain.HONOURS, plain.BREACH}:
            self.expect(f"captured by {result}", captured, True)
        if result in {plain.REPULSE, plain.MAYBE, plain.NOTHING}:
            self.expect("not captured", captured, False)
            if hex_.a_siege is not None:
                self.expect("garrison untouched", plain.steps(plain.garrison(hex_)), within)
        if captured:
            self.expect("honours", self.taken[-1], (hex_, result == plain.HONOURS))
            self.expect("siege over", hex_.a_siege, None)
        else:
            lasts = bool(plain.besiegers(hex_))
            self.expect("length of the siege", hex_.a_siege, min(4, length + 1) if lasts else None)

    def paid_garrison(self, taken: int, force: Any) -> int:
        """What the last capture has cost this force for a garrison (9.4.6)."""
        return self.price[force] if len(self.taken) > taken else 0

    def leaving(self, force: Any, *_: Any) -> Watch:
        """Besiegers who have become too weak have what they have lost before they fall back."""
        self.walked_away[force] = plain.steps([force])
        yield

    # ---------------------------------------------------------------- storms
    def storm_volley(self, us: Any, _foe: Any, _battle: Any, hex_: Any) -> Watch:
        """A roll in a storm: its modifiers (9.3.1.9)."""
        rolled, drm = len(self.rolled), self.modifiers(us, hex_)
        yield
        self.expect(f"storm modifiers: {us.a_force.id} at {hex_.id}", us.a_drm, drm)
        side = "before" if us.a_force is self.stormer else "behind"
        self.called(us, self.rolled[rolled][1] + drm)
        self.shots[side] = plain.losses(self.rolled[rolled][1] + drm)

    def called(self, us: Any, roll: int) -> None:
        """8.4.2.1, 8.4.2.3: an L of 12 or more strikes who rolled, one below 2 the other; an aide is checked too."""
        other = self.camps[0] if us is not self.camps[0] else self.camps[1]
        if us.a_aide is not None:
            self.calls[us] = self.calls.get(us, 0) + 1
        victim = us if roll >= 12 else other
        chiefs = [each.a_chief for each in inside(victim.a_force, "army")]
        share = self.ratio(self.storming) * (1 if victim is self.camps[0] else -1)
        exempt = share >= 3 or all(each in chiefs for each in inside(victim.a_force, "leader"))
        if plain.losses(roll)[3] and not exempt:
            self.calls[victim] = self.calls.get(victim, 0) + 1

    def modifiers(self, us: Any, hex_: Any) -> int:
        """9.3.1.9, of either side."""
        ground, before = hex_.a_terrain.id, us.a_force is self.stormer
        head = self.head(us.a_force) if before else self.warden(hex_)
        mine, theirs = (plain.storm_guns(self.stormer, hex_, walls=walls) for walls in (not before, before))
        found = sum(each.a_combat for each in (head, us.a_aide) if each)
        found += plain.lead(us.a_lead, ground) + plain.superiority(mine, theirs, ground)
        return found + (self.ratio(hex_) if before else 0)

    def ratio(self, hex_: Any) -> int:
        """Of the combat points before and behind the walls (9.3.1.4, 9.3.1.6)."""
        behind = plain.points(hex_) + sum(map(plain.combat_points, plain.garrison(hex_)), Fraction())
        return plain.ratio(plain.combat_points(self.stormer), behind, exact=self.exact)

    def storm(self, force: Any, hex_: Any, breach: bool) -> Watch:
        """9.3, from the first gun to the end."""
        self.storming, self.stormer, self.shots, self.breach = hex_, force, {}, breach
        self.begun = len(self.rolled)
        taken = len(self.taken)
        yield
        self.seen["storms"] += 1
        dice = Counter(address for address, _ in self.rolled[self.begun :])
        self.expect("two rolls or none", dice["battle"], 2 if self.shots else 0)
        if breach:
            self.expect("a breach takes it", len(self.taken), taken + 1)
        self.storming = None

    def strengths(self) -> tuple[int, int]:
        """The steps before and behind the walls, with depots and fortress points."""
        crew = plain.garrison(self.storming)
        behind = plain.points(self.storming) + sum(map(whole, crew))
        return whole(self.stormer), behind

    def judging(self, battle: Any, *plus: bool) -> Watch:
        """What was lost, by whom; then who has won (9.3.1.10, 9.3.3.3)."""
        own, walls = self.strengths()
        before, behind = self.shots["before"], self.shots["behind"]
        mine, theirs = (min(before[0], self.full[0]), min(behind[0], self.full[1]))
        spared = [int(each[2]) for each in (behind, before)]
        lost = (self.full[0] - self.bled[0], self.full[1] - self.bled[1])
        for name, found, wanted, more, had in (
            ("before", lost[0], theirs, spared[0], self.full[0]),
            ("behind", lost[1], mine, spared[1], self.full[1]),
        ):
            least = min(wanted, had)
            self.expect(f"losses {name} the walls: {found} {least} {more}", least <= found <= least + more, True)
        dice = [each for each, _ in self.rolled[self.struck :] if each == "leader casualty"]
        # whoever has fallen is not checked a second time
        few = sum(min(each, 1) for each in self.calls.values())
        self.expect(f"leaders checked: {len(dice)}", few <= len(dice) <= sum(self.calls.values()), True)
        self.expect("plus", plus, (before[1], behind[1]))
        yield
        wins = "attacker" if lost[1] > lost[0] else "defender" if lost[1] < lost[0] else ""
        if lost[0] == lost[1] and plus[0] != plus[1]:
            wins = "attacker" if plus[0] else "defender"
        if own == 0 or walls == 0:
            wins = "" if own == walls else "attacker" if walls == 0 else "defender"
        self.verdict = wins, lost
        if own and walls:
            self.expect("won by the besieger", battle.a_winner is battle.a_attacker, wins == "attacker")
        self.seen[f"won by {wins or 'nobody'}"] += 1

    def bleeding(self, *_: Any) -> Watch:
        """When all steps are lost, and before a new leader can cost more of them (8.4.2.8.d)."""
        if self.storming is not None and self.bled is None:
            self.bled = self.strengths()
            self.struck = len(self.rolled)
        yield

    def leads(self, battle: Any, hex_: Any) -> Watch:
        """Both sides as they are when the guns speak, trains unloaded."""
        self.full, self.bled = self.strengths(), None
        self.camps, self.calls = (battle.a_attacker, battle.a_defender), {}
        yield

    def swept(self, _battle: Any, hex_: Any) -> Watch:
        """Without dice at five to one (8.3.1.5)."""
        self.full = self.strengths()
        self.expect("long odds", abs(self.ratio(hex_)) >= 5, True)
        yield
        self.verdict = "", (0, 0)
        self.seen["swept away"] += 1

    def ending(self, battle: Any, hex_: Any, breach: bool, *_: Any) -> Watch:
        """9.3.3 and 9.4.1."""
        walls = self.strengths()[1]
        own = plain.steps([self.stormer])  # a depot by itself is no force
        others = [each for each in plain.besiegers(hex_) if each is not self.stormer]
        wins, lost = self.verdict
        rolled, wall = len(self.rolled), plain.level(hex_)
        camp = battle.a_defender
        head = self.warden(hex_)
        bound = camp.a_morale + (head.a_combat if head else 0) - abs(lost[1] - lost[0]) - int(camp.a_chief_killed)
        bound -= int(self.guard and camp.a_guard_led and camp.a_guard_bled)
        morale = plain.storm_morale(self.kept[0], self.kept[1], wall, demoralized=self.kept[2])
        if self.shots:
            self.expect("morale of a garrison", camp.a_morale in morale, True)
        result = yield
        dice = [total for address, total in self.rolled[rolled:] if address == "morale check"]
        wanted = "walls_hold"
        if breach or walls == 0:
            wanted = "walls_fall" if own or breach or others else "walls_in_ruins"
        elif own > 0 and wins == "attacker" and wall < 3:
            self.expect("morale of the walls asked", len(dice), 1)
            wanted = "walls_fall" if dice and dice[0] > bound else "walls_hold"
            dice = []
        self.expect("no more morale checks", dice, [])
        self.expect(f"end of a storm: breach {breach}, {wins}, {own} and {walls} left", result.id, wanted)
        self.seen[wanted] += 1

    def morale(self, resister: Any, hex_: Any) -> Watch:
        """The garrison as it was when its morale was found."""
        crew = plain.garrison(hex_)
        self.kept = (plain.steps(crew), plain.morale_groups(crew), any(each.a_demoralized for each in crew))
        yield

    # ---------------------------------------------------------------- capture
    def capture(self, hex_: Any, by: Any, honours: bool) -> Watch:
        """9.4."""
        crew = plain.garrison(hex_)
        counters = [each for force in crew for kind in ("combat_unit", "support") for each in inside(force, kind)]
        leaders = [each for force in crew for each in inside(force, "leader")]
        counters += [] if honours else [each for force in crew for each in inside(force, "army")]
        here = [each for each in hex_.c_force if not each.a_inside]
        own = {each: {unit: unit.a_steps for unit in inside(each, "combat_unit")} for each in here}
        supplies = sum(len(plain.stores(each, form)) for each in here for form in ("train", "depot"))
        self.taken.append((hex_, bool(honours)))
        yield
        self.expect("siege ended", hex_.a_siege, None)
        for each in counters:
            pool = "honours" if honours else "force_pool"
            self.expect(f"unit of a garrison: {each.id}", each.at.id if each.at else None, pool)
        for each in leaders:
            self.expect(f"leader of a garrison: {each.id}", each.at.id if each.at else None, "spring_track")
        self.price = {each: sum(was - plain.afoot(unit) for unit, was in units.items()) for each, units in own.items()}
        lost = sum(self.price.values())
        after = sum(len(plain.stores(each, form)) for each in here for form in ("train", "depot") if each.at is hex_)
        if hex_.a_fortress_down:
            self.expect("price of ruins", (lost, supplies - after), (0, 0))
            self.seen["ruins"] += 1
        else:
            self.expect("price of a garrison", lost + supplies - after, 1)
            self.expect("fortress whole", (hex_.a_fortress_hits, bool(at_home(hex_, by))), (0, True))
            self.seen["reactivated"] += 1


def whole(force: Any) -> int:
    """Its steps, depots among them (8.2.3.1.a)."""
    return plain.steps([force]) + len(plain.stores(force, "depot"))


def at_home(hex_: Any, by: Any) -> bool:
    """Whether a fortress belongs to the side that took it."""
    bloc = by.a_bloc if by.kind == "power" else plain.bloc_of(by)
    return bool(plain.power_of(hex_).a_bloc is bloc)
