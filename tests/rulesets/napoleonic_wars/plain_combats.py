"""Field battles, sieges and naval battles with cards, from the clauses (r.11 to r.13) and the texts of the cards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from plain_battle_cards import BattleCards, Round, Side
from plain_ground import TERRAIN_DICE


class Combats(BattleCards):
    """Fights, roll by roll, with every card that may be played in them."""

    nobody_retreats = False

    # ---------------------------------------------------------------- rounds of a field battle
    def nation_dice(self, nation: str) -> int:
        bonus = int(self.nation[nation].a_die_bonus)
        return max(0, bonus) if self.area[self.place].a_home.id == nation else bonus

    def rolling(self, side: Side) -> int:
        """Ready units; of a quarrelling group only the commander's own, as many as he can still command (c.103)."""
        if side.chief is None or not side.round.alone:
            return len(self.fresh(side))
        chief = self.leader[side.chief]
        own = [each for each in self.fresh(side) if each.a_nation is chief.a_nation]
        return int(min(max(0, chief.a_command - (len(self.staff(side)) - 1)), len(own)))

    def battle_dice(self, side: Side, over: bool) -> int:
        cards, first, foe = side.round, self.number_of_round == 1, self.against(side)
        dice = self.rolling(side)
        if side.chief and not self.foggy and not (cards.leaderless and not foe.round.ignored):
            dice += int(self.leader[side.chief].a_battle)
        if side.chief and first and not self.foggy:
            there = any(each.a_nation.id == side.speaker for each in self.force(side))
            dice += self.nation_dice(side.speaker) if there else 0
        level = cards.flat and not foe.round.ignored
        if side is self.sides[1] and first and not self.evasion_failed and not level:
            dice += TERRAIN_DICE[self.area[self.place].a_terrain.id] + over
        if side is self.sides[0] and first and self.evasion_failed:
            dice += 1
        return max(1, dice + cards.reserve + (0 if cards.ignored else cards.extra) - cards.fewer)

    def lose(self, side: Side, units: list[Any], number: int) -> list[Any]:
        """The units that a side loses, disrupted ones of a nation first; of several nations its speaker divides."""
        left, taken = list(units), []
        for remaining in range(min(number, len(left)), 0, -1):
            owners = [each for each in self.track if any(unit.a_nation.id == each for unit in left)]
            whose = self.ask(side.speaker, owners) if len(left) > remaining else owners[0]
            unit = min((each for each in left if each.a_nation.id == whose), key=lambda each: not each.a_disrupted)
            left.remove(unit)
            taken.append(unit)
        return taken

    def disrupt(self, side: Side, number: int) -> None:
        for each in self.lose(side, self.fresh(side), number):
            each.a_disrupted = True

    def eliminate(self, units: Iterable[Any]) -> None:
        gone = list(units)
        for each in gone:
            each.a_disrupted = False
        super().eliminate(gone)

    def scatter(self, pieces: Iterable[Any]) -> None:
        gone = list(pieces)
        for each in gone:
            if each.kind == "unit":
                each.a_disrupted = False
        super().scatter(gone)

    def strike(self, foe: Side, sixes: int, fives: int) -> int:
        """Applies the hits to a side and gives their number."""
        slain = self.lose(foe, self.force(foe), sixes + (fives if self.deadly else 0))
        self.eliminate(slain)
        foe.lost += len(slain)
        if not self.deadly:
            self.disrupt(foe, fives)
        return sixes + fives

    def fight_round(self, over: bool) -> None:
        for each in self.sides:
            each.round = Round()
        self.taken_away, self.foggy = 0, False
        attacker, defender = self.sides
        self.window("field", {})
        answers = self.battle_dice(defender, over)
        thrown = self.dice(self.battle_dice(attacker, over))
        sixes, fives = thrown.count(6), thrown.count(5)
        attacker.round.hits = self.strike(
            defender, max(0, sixes - self.taken_away), max(0, fives - max(0, self.taken_away - sixes))
        )
        answered = self.dice(answers)
        defender.round.hits = self.strike(attacker, answered.count(6), answered.count(5))
        self.ahead += attacker.round.hits - defender.round.hits
        self.window("after_round", {})

    def goes_on(self) -> bool:
        """Whether a second round follows (r.11.4)."""
        attacker, defender = self.sides
        if not self.force(attacker) or not self.force(defender) or abs(self.ahead) >= 3:
            return False
        if self.ahead == 0:
            return bool(self.fresh(attacker) and self.fresh(defender))
        behind = defender if self.ahead > 0 else attacker
        return bool(self.fresh(behind)) and bool(self.ask(behind.speaker, (True, False)))

    def crosses_hard(self, here: str, place: str) -> bool:
        """Whether the attacker comes over a pass, a marsh or a strait (r.11.2)."""
        return self.way[here, place] != "open"

    def battle(self, nation: str, here: str, place: str) -> str:
        """A battle in an area that the attacker enters from another; gives lost, won or overrun."""
        other = {"imperial": "coalition", "coalition": "imperial"}[self.side(nation)]
        self.line_up("field", place, self.side(nation), other)
        attacker, defender = self.sides
        over = self.crosses_hard(here, place)
        self.fight_round(over)
        if self.goes_on():
            self.number_of_round = 2
            self.fight_round(over)
        left = bool(self.force(attacker)), bool(self.force(defender))
        winner = defender if not left[0] or (left[1] and self.ahead <= 0) else attacker
        if not any(left):
            for each in self.staff(attacker):
                self.put(each, here)
        else:
            self.beat(self.against(winner), not all(left) or abs(self.ahead) >= 3, here)
        for each in self.unit.values():
            each.a_disrupted = False
        self.kind = ""
        if any(left):
            self.occupy(place, winner.speaker)
        self.leave_port("vendee", self.controller("vendee"))
        if winner is defender or not any(left):
            return "lost"
        return "overrun" if self.number_of_round == 1 and self.nobody_retreats else "won"

    def occupy(self, area: str, nation: str) -> None:
        """Takes an enemy area without a fortress (r.9.7)."""
        friends = [each for each in self.troops(area) if self.friends(each.a_nation.id, nation)]
        open_area = not self.area[area].a_fortress and not self.foes(area, nation)
        if friends and open_area and self.enemy_area(area, nation):
            self.take(area, nation)

    def beat(self, loser: Side, by_far: bool, here: str) -> None:
        """Rout, resource roll and retreat (r.11.5 to r.11.10)."""
        winner = self.against(loser)
        routed = by_far and not (loser.tenacious and self.force(loser))
        if routed:
            self.rout(loser, winner)
        if winner.scatters:
            self.scatter_of(loser, self.force(loser), winner.scatters)
        rating = int(self.leader[loser.chief].a_battle) if loser.chief else 0
        due = routed and loser.chief is not None and loser.lost >= len(self.force(loser))
        if due and self.die() <= rating:
            self.gain(winner.speaker)
        self.nobody_retreats = not self.force(loser)
        if self.nobody_retreats:
            self.lose_leaders(loser)
        elif loser is self.sides[0]:
            self.move_off(loser, here)
        else:
            self.retreat(loser, here)
        if loser.guard and (hand := self.hand("france")):
            self.discard(self.ask("france", hand))

    def rout(self, loser: Side, winner: Side) -> None:
        fighters = self.force(loser) + self.staff(loser)
        for nation in {loser.speaker, *(each.a_nation.id for each in fighters)}:
            self.nation[nation].a_routed = True
        self.window("rout", {"loser": loser})
        broken = [each for each in self.force(loser) if each.a_disrupted]
        self.scatter_of(loser, broken, len(broken) // 2 if loser.rearguard else len(broken))
        if winner.pursues:
            left = self.force(loser)
            self.scatter_of(loser, left, sum(each >= 5 for each in self.dice(len(left))))

    def scatter_of(self, loser: Side, units: list[Any], number: int) -> None:
        gone = self.lose(loser, units, number)
        loser.lost += len(gone)
        self.scatter(gone)

    def lose_leaders(self, loser: Side) -> None:
        for each in self.staff(loser):
            if self.die() == 1:
                each.at, each.a_fallen_in = each.a_nation.a_fallen, self.state.a_turn
            else:
                self.scatter([each])

    def retreat(self, loser: Side, enemy_from: str) -> None:
        """One area, together (r.11.5)."""
        ways = self.open_ways(loser.speaker, self.place, enemy_from)
        if ways:
            self.move_off(loser, self.ask(loser.speaker, ways))
        else:
            self.eliminate(self.force(loser))
            self.scatter(self.staff(loser))

    def move_off(self, loser: Side, there: str) -> None:
        units, leaders = self.force(loser), self.staff(loser)
        for each in units + leaders:
            self.put(each, there)
        self.strain(units, loser.speaker, self.place, there)

    def strain(self, units: list[Any], nation: str, here: str, there: str) -> None:
        """What follows an evasion, an interception or a retreat (attrition.5, attrition.6, c.6, c.53)."""
        if not self.foes(there, nation):
            self.scatter(each for each in self.leaders(there) if self.hostile(each.a_nation.id, nation))
        causes = [
            self.enemy_area(there, nation),
            self.way[here, there] == "strait",
            bool(self.area[there].a_burnt) and self.hostile(self.area[there].a_home.id, nation),
        ]
        self.end_of_chouans(there)
        for _ in filter(None, causes):
            self.wear(there, [unit for unit in units if unit.at.id == there])

    def end_of_chouans(self, area: str) -> None:
        """Their marker goes when a French unit enters; fleets leave the port, after a battle on land (c.53, r.13.8)."""
        if self.area[area].a_raised and self.units(area, "france"):
            self.area[area].a_marker, self.area[area].a_raised = None, False
            if not self.kind:
                self.leave_port(area, "france")

    def crosses(self, here: str, there: str, nation: str) -> bool:
        """Whether a strait, if it is one, is open (r.9.9)."""
        if self.way[here, there] != "strait" or self.side(nation) == "neutral":
            return True
        shared = self.area[here].a_ports & self.area[there].a_ports or {"north_sea", "atlantic"}
        other = {"imperial": "coalition", "coalition": "imperial"}[self.side(nation)]
        return not any(self.controls_sea(other, each) for each in shared)

    def open_ways(self, nation: str, area: str, enemy_from: str) -> list[str]:
        """Areas beside, own ones before the enemy's, without enemy units (r.10.5)."""
        near = [each for each in self.next_to[area] - {enemy_from} if not self.foes(each, nation)]
        ways = [each for each in near if self.crosses(area, each, nation) and not self.closed(each, nation)]
        own = [each for each in ways if self.own(each, nation)]
        return own or [each for each in ways if self.enemy_area(each, nation)]
