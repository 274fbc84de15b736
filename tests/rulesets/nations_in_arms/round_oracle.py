"""Compares the preparation and resolution of the rounds of battles with chapters 8.2 to 8.5."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import plain_battle as plain
from battle_state import ATTACKER, DEFENDER, BattleRecorder, Round
from plain_force import commander, inside, leads_itself
from plain_retreat import Retreat
from plain_supply import Land, in_supply


class RoundOracle(BattleRecorder):
    """Compares each round of a battle."""

    def __init__(self) -> None:
        super().__init__()
        self._march_drm = 0
        """The modifiers of the march to the guns under way."""
        self.handlers |= {
            ("enter", "prepare_round"): self.enter_prepare_round,
            ("enter", "hears"): self.enter_hears,
            ("modifiers", "guns_drm"): self.modifiers_guns_drm,
            ("enter", "find_morale"): self.enter_find_morale,
            ("enter", "crush"): self.enter_crush,
            ("enter", "exchange"): self.enter_exchange,
            ("modifiers", "battle_drm"): self.modifiers_battle_drm,
            ("roll", "volley"): self.roll_volley,
            ("enter", "take_losses"): self.enter_take_losses,
            ("enter", "casualties"): self.enter_casualties,
            ("enter", "check_leader"): self.enter_check_leader,
            ("enter", "draw_replacement"): self.enter_draw_replacement,
            ("roll", "leader_casualty_check"): self.roll_casualty_check,
            ("roll", "second_die"): self.roll_casualty_check,
            ("enter", "judge_round"): self.enter_judge_round,
        }

    # ---------------------------------------------------------------- preparation
    def enter_prepare_round(self, data: Any) -> None:
        fight = self.now
        fight.battle = data[0]
        fight.camps = (fight.battle.a_attacker, fight.battle.a_defender)
        if fight.rounds:
            self.expect("second round only after a draw", "", self.round.winner)
        fight.rounds.append(Round())

    def enter_hears(self, data: Any) -> None:
        """A march to the guns: what it has but for an army's leader, and what that would be (8.2.2.3)."""
        battle, camp, force, leader = data
        self.expect("led to the guns", True, leader is not None or leads_itself(force))
        wet = Retreat(force, self.defeat_of(camp)).wet(battle.a_place)
        drm = leader.a_combat if leader is not None else 0
        drm -= 4 * (force.a_demoralized + force.a_out_of_supply)
        if wet:
            drm -= 2 if plain.side(force).engineer and not force.a_out_of_supply else 4
        here = plain.side(camp.a_force)
        helped = plain.could_guard(plain.side(force), here, [plain.side(each) for each in camp.a_force.a_guards])
        self._march_drm = drm + (max(0, here.commander.a_combat) if helped else 0)

    def modifiers_guns_drm(self, data: Any) -> None:
        self.expect("march to the guns", self._march_drm, data[1])

    def enter_find_morale(self, data: Any) -> None:
        fight = self.now
        number, now = self.which(data[0]), self.sides()
        if number == ATTACKER:
            self.round.size = plain.size(now[0].total, now[1].total, self.readings)
            self.expect("size", self.round.size, fight.battle.a_size.id)
            for each in (ATTACKER, DEFENDER):
                came = set(now[each].leaders) - fight.present[each]
                if now[each].commander in came:
                    fight.original[each] = now[each].commander
                fight.present[each] = set(now[each].leaders)
        self.round.groups.append(plain.morale_groups(now[number]))

    def _odds(self) -> int:
        fight, now = self.now, self.sides()
        found = plain.ratio(now[0].points, now[1].points, self.readings)
        self.round.odds = found
        theirs = max(-5, min(5, fight.battle.a_odds))
        if "exact_five_to_one" in self.readings and abs(found) == 4 == abs(theirs) - 1:
            theirs = found  # it is rounded to 5 there, and read as 4
        self.expect("ratio", found, theirs)
        fed = in_supply(self.world, fight.camps[1].a_force, self.readings)
        self.expect("defender in supply", fed, not now[1].unfed)
        return found

    def enter_crush(self, data: Any) -> None:
        odds = self._odds()
        self.expect("crushed at 5:1", 5, abs(odds))
        self.expect("who is crushed", DEFENDER if odds > 0 else ATTACKER, self.which(data[2]))
        self.round.winner = "attacker" if odds > 0 else "defender"

    def enter_exchange(self, _data: Any) -> None:
        fight, now, round_ = self.now, self.sides(), self.round
        odds = self._odds()
        self.expect("no dice at 5:1", True, abs(odds) < 5)
        round_.stood = now
        at = self.field()
        for number, camp in enumerate(fight.camps):
            groups, here = round_.groups[number], now[number]
            value = next((each for each, units in groups.items() if units == set(camp.a_core)), None)
            self.expect("core of the morale", True, value is not None)
            if value is not None:
                self.expect("overall morale", value - here.demoralized, camp.a_morale)
            round_.picked.append(self.picked(camp, here))
            items = plain.modifiers(here, now[1 - number], round_.picked[-1], at, self.readings)
            items |= plain.defenders_own(at) if number else plain.attackers_own(odds, at)
            for name, each in items.items():
                self.seen[f"modifier {name} {each:+}"] += 1
            round_.drm.append(sum(items.values()))

    def picked(self, camp: Any, here: plain.Side) -> tuple[Any, Any]:
        """Whom a side has named, tested (8.3.6, 8.3.7)."""
        aide, lead = camp.a_aide, camp.a_lead
        if aide is not None:
            able = aide in here.leaders and aide is not here.commander and aide not in here.armies.values()
            self.expect("aide is a subordinate", True, able)
        if lead is not None:
            self.expect("lead is there", True, lead in here.steps)
        if len(here.steps) == 1:
            self.expect("the only unit leads", next(iter(here.steps)), lead)
        elif not here.steps:
            self.expect("nobody leads", None, lead)
        return aide, lead

    def field(self) -> plain.Field:
        """Ground and crossing of the attacker, from the map (8.3.4, 6.2.1)."""
        fight = self.now
        place, origin = fight.battle.a_place, fight.origin
        ground = place.a_terrain.id if place.kind == "hex" else "clear"
        crossing = ""
        link = self.world.link(origin, place) if origin is not None else None
        if ground == "mountain_pass" and link is not None and not link.a_pass_road:
            ground = "mountain"
        if link is not None and link.a_river:
            crossing = "bridge" if link.a_bridge or self.bridged(origin, place) else "river"
        if link is not None and link.a_strait:
            crossing = "strait"
        season = self.world.state.a_season.id
        return plain.Field(ground, crossing, season, len(fight.rounds) == 1, fight.intercepted, fight.failed)

    def bridged(self, one: Any, other: Any) -> bool:
        """Whether a fed pontoon, whosever it is, or the attacker's own army bridges the river (6.2.1.4)."""
        fight = self.now
        force = fight.camps[0].a_force
        if force.a_bridged_own_way:
            return True
        land = Land(self.world, self.readings)
        return any(
            each.a_form.id == "pontoon" and each.a_aimed_at is far and land.pontoon_fed(each)
            for near, far in ((one, other), (other, one))
            for stack in near.c_force
            for each in inside(stack, "support")
        )

    # ---------------------------------------------------------------- resolution
    def modifiers_battle_drm(self, data: Any) -> None:
        round_ = self.round
        if len(round_.totals) < len(round_.dice):
            self.expect("total of modifiers", round_.drm[len(round_.totals)], data[1])
            round_.totals.append(data[1])

    def roll_volley(self, data: Any) -> None:
        round_ = self.round
        number = len(round_.dice)
        round_.dice.append(data[2])
        round_.blows.append(plain.blow(data[2] + round_.drm[number], round_.size))

    def enter_take_losses(self, data: Any) -> None:
        round_ = self.round
        number = self.which(data[0])
        blow, here, enemy = round_.blows[1 - number], round_.stood[number], round_.stood[1 - number]
        steps = min(blow.steps, enemy.total, here.total)
        self.expect("steps that the enemy inflicts", (steps, blow.cavalry), (data[1], bool(data[2])))
        lead, core = round_.picked[number][1], set(data[0].a_core)
        round_.demanded[number] = plain.demands(here, steps, lead, core, blow.cavalry)

    def enter_casualties(self, data: Any) -> None:
        round_ = self.round
        self.expect("L of each", tuple(each.leader for each in round_.blows), tuple(map(bool, data[1:3])))
        for number in (ATTACKER, DEFENDER):
            self._losses(number)
        round_.after = self.sides()

    def _losses(self, number: int) -> None:
        """Holds what a side has given against what was demanded of it (8.4.1.2)."""
        fight, round_ = self.now, self.round
        camp, stood, asked = fight.camps[number], round_.stood[number], round_.demanded[number]
        lead, core = round_.picked[number][1], set(camp.a_core)
        now = plain.side(camp.a_force)
        given = {each: steps - now.steps.get(each, 0) for each, steps in stood.steps.items()}
        given |= {each: int(each not in now.depots) for each in stood.depots}
        total, horse = sum(given.values()), sum(given[each] for each in stood.steps if plain.mounted(each))
        round_.lost.append(total)
        spared = total == asked.steps + 1 and asked.mounted > 0
        if spared:
            self.seen["two foot for one horse"] += 1
            fits = asked.steps + 1 <= min(stood.total, round_.stood[1 - number].total)
            foot = sum(given[each] for each in stood.steps if not plain.mounted(each))
            self.expect("room for two foot", (True, True), (fits, foot >= 2))
            asked = replace(plain.demands(stood, asked.steps + 1, lead, core, False), mounted=0)
        elif "two_foot_among_the_losses" in self.readings and asked.mounted and not horse:
            foot = sum(given[each] for each in stood.steps if not plain.mounted(each))
            self.expect("two foot among the losses", True, foot >= 2)
            asked = replace(asked, mounted=0)
        self.expect("steps lost", asked.steps, total)
        self.expect("the lead bleeds first", True, given.get(lead, 0) >= asked.lead)
        self.expect("half of the core", True, sum(given[each] for each in core) >= asked.core)
        self.expect("mounted loss", True, horse >= asked.mounted)
        self.expect("losses kept in mind", total, camp.a_lost)
        guard = lead is not None and lead.a_type.id == "old_guard"
        fight.guard_led[number] |= guard
        fight.guard_bled[number] |= any(each.a_type.id == "old_guard" and given[each] for each in stood.steps)

    def enter_check_leader(self, data: Any) -> None:
        number, leader = self.which(data[0]), data[1]
        force = data[0].a_force
        corps = not inside(force, "army") and commander(force) is leader
        self.round.checks.append((number, leader, corps, [], leader in inside(force, "leader")))

    def enter_draw_replacement(self, data: Any) -> None:
        self.round.draws.append((data[0], data[1]))

    def roll_casualty_check(self, data: Any) -> None:
        self.round.checks[-1][3].append(data[2])

    def enter_judge_round(self, _data: Any) -> None:
        fight, round_ = self.now, self.round
        for number in (ATTACKER, DEFENDER):
            self._fates(number)
        left = tuple(each.total for each in round_.after)
        plus = tuple(each.plus for each in round_.blows)
        round_.winner = plain.winner(tuple(round_.lost), left, plus)  # type: ignore[arg-type]
        fight.present = [set(each.leaders) for each in self.sides()]

    def _fates(self, number: int) -> None:
        """Who had to check, and what became of them (8.4.2)."""
        fight, round_ = self.now, self.round
        own, enemy = round_.blows[number], round_.blows[1 - number]
        called = plain.called_by(own, enemy, round_.odds, attacks=number == ATTACKER)
        able, aide = plain.exposed(round_.stood[number]), round_.picked[number][0]
        due = (1 if aide is not None else 0) + (called if able else 0)
        checks = [each for each in round_.checks if each[0] == number]
        fallen: set[Any] = set()
        heirs: list[Any] = []
        for place, (_, leader, corps, dice, there) in enumerate(checks):
            if not dice:
                self.expect("only the fallen need no check", True, leader in fallen)
                continue
            lawful = leader is aide if aide is not None and place == 0 else leader in able
            self.expect("who checks", True, lawful)
            self.expect("second die", corps and dice[0] == 6, len(dice) == 2)
            fate = plain.fate(dice[0], dice[1] if len(dice) > 1 else None)
            self.seen[f"leader {fate}"] += 1
            where = getattr(leader.at, "id", None)
            if fate == "slain":
                self.expect("the slain are gone", "graveyard", where)
                if leader is fight.original[number]:
                    fight.killed[number] = True
            elif fate == "wounded":
                self.expect("the wounded wait", True, where not in (None, fight.camps[number].a_force.id))
            if fate != "unhurt":
                fallen.add(leader)
                heirs += [leader.a_power] if there and round_.after[number].steps else []
        self.expect("leader checks", due, len(checks))
        drawn = [power for force, power in round_.draws if force is fight.camps[number].a_force]
        if round_.after[number].steps:
            self.expect("heirs of the fallen", heirs, drawn)
