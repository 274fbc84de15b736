"""Field battles, sieges and naval battles of The Napoleonic Wars in plain Python (r.11 to r.13)."""

from __future__ import annotations

from plain_ground import OTHER_SIDE, TERRAIN_DICE, Ground


class Battles(Ground):
    """Fights are followed roll by roll; each result stands in the places of the pieces."""

    evasion_failed = assaults = False
    """`assaults`: a force lands in a port under enemy control (r.13.7)."""

    def nation_dice(self, chief: str | None, units: list[str], area: str) -> int:
        """The dice of the commander's nation, if units of it are there; never fewer at home."""
        if chief is None or all(self.units[each] != self.owner(chief) for each in units):
            return 0
        bonus = int(self.nation[self.owner(chief)].a_die_bonus)
        return max(0, bonus) if self.home[area] == self.owner(chief) else bonus

    def fresh(self, units: list[str]) -> list[str]:
        return [each for each in units if each not in self.disrupted]

    # ---------------------------------------------------------------- field battles
    def battle(self, nation: str, here: str, field: str, by_sea: bool) -> str:
        """Fights a battle and gives won, lost or overrun."""
        foe = self.units[self.foes_at(field, nation)[0]]
        sides = (nation, foe)
        speakers = [
            self.spokesman(self.units_at(field, each), self.chief(self.leaders_at(field, each))) for each in sides
        ]
        lost, hits = [0, 0], [0, 0]
        number, end = 1, self.fight_round(1, sides, speakers, field, here, by_sea, lost, hits)
        if not end:
            number, end = 2, self.fight_round(2, sides, speakers, field, here, by_sea, lost, hits)
        if end == "nobody":
            for each in self.leaders_at(field, nation):
                self.at[each] = here
            self.disrupted.clear()
            return "lost"
        wins = end.startswith("defender")
        gone = self.beaten(sides, speakers, field, here, by_sea, wins, end.endswith("routed"), lost)
        self.disrupted.clear()
        self.occupy(field, speakers[0] if wins else speakers[1])
        if not wins:
            return "lost"
        return "overrun" if number == 1 and gone else "won"

    def battle_dice(self, round_number: int, sides: tuple[str, str], field: str, here: str, by_sea: bool) -> list[int]:
        """The dice of attacker and defender (r.11.2)."""
        pools = []
        for each in sides:
            units, chief = self.units_at(field, each), self.chief(self.leaders_at(field, each))
            pool = len(self.fresh(units)) + self.rating(chief)
            pools.append(pool + (self.nation_dice(chief, units, field) if round_number == 1 else 0))
        if round_number == 1 and self.evasion_failed:
            pools[0] += 1
        elif round_number == 1:
            over = self.assaults or (not by_sea and self.passage(here, field, sides[0]) != "open")
            pools[1] += TERRAIN_DICE[self.area[field].a_terrain.id] + over
        return [max(1, each) for each in pools]

    def fight_round(
        self,
        round_number: int,
        sides: tuple[str, str],
        speakers: list[str],
        field: str,
        here: str,
        by_sea: bool,
        lost: list[int],
        hits: list[int],
    ) -> str:
        """Fights a round and gives its end, or nothing if a second round follows (r.11.3, r.11.4)."""
        for mine, pool in enumerate(self.battle_dice(round_number, sides, field, here, by_sea)):
            other = 1 - mine
            thrown = self.dice(pool)
            hits[mine] += sum(each >= 5 for each in thrown)
            lost[other] += self.strike(self.units_at(field, sides[other]), thrown, speakers[other])
        left = [self.units_at(field, each) for each in sides]
        if not left[0] or not left[1]:
            return "nobody" if left[0] == left[1] else "attacker routed" if left[1] else "defender routed"
        ahead = hits[0] - hits[1]
        loser = "defender" if ahead > 0 else "attacker"
        if abs(ahead) >= 3:
            return f"{loser} routed"
        if round_number == 1:
            if ahead == 0:
                again = bool(self.fresh(left[0]) and self.fresh(left[1]))
            else:
                behind = int(ahead > 0)
                able = self.fresh(left[behind])
                again = bool(able) and self.ask("asks_for_more.fight_on", speakers[behind], (True, False))
            if again:
                return ""
        return f"{loser} beaten"

    def strike(self, units: list[str], thrown: list[int], speaker: str) -> int:
        """Applies 6s, then 5s, and gives the number of eliminated units."""
        dead = self.share("lose_units.share", speaker, units, thrown.count(6))
        for each in dead:
            self.eliminate(each)
        fresh = self.fresh([each for each in units if each not in dead])
        self.disrupted.update(self.share("disrupt.share", speaker, fresh, thrown.count(5)))
        return len(dead)

    def beaten(
        self,
        sides: tuple[str, str],
        speakers: list[str],
        field: str,
        here: str,
        by_sea: bool,
        wins: bool,
        routed: bool,
        lost: list[int],
    ) -> bool:
        """Rout, resource roll and retreat; gives whether no unit is left to retreat (r.11.5 to r.11.10)."""
        loser = sides[wins]
        chief = self.chief(self.leaders_at(field, loser))
        if routed:
            for each in [each for each in self.units_at(field, loser) if each in self.disrupted]:
                self.scatter(each)
                lost[wins] += 1
            if chief and lost[wins] >= len(self.units_at(field, loser)) and self.die() <= self.rating(chief):
                winner = speakers[not wins]
                self.resources[winner] = min(4, self.resources[winner] + 1)
        left, leaders = self.units_at(field, loser), self.leaders_at(field, loser)
        if not left:
            for each in leaders:
                figures = self.nation[self.owner(each)]
                self.at[each] = str((figures.a_fallen if self.die() == 1 else figures.a_regroup).id)
            return True
        if not wins:
            self.slip(loser, left + leaders, field, here, int(self.assaults) if by_sea else None)
            return False
        ways = self.open_areas(speakers[1], field, here)
        if ways:
            there = self.ask("fall_back_from.there", speakers[1], ways)
            self.slip(loser, left + leaders, field, there)
            return False
        for each in left:
            self.eliminate(each)
        for each in leaders:
            self.scatter(each)
        return False

    # ---------------------------------------------------------------- sieges
    def siege(self, area: str, units: list[str], leaders: list[str]) -> str:
        """The siege of an army that has just arrived: won, lost or overrun (r.12)."""
        chief = self.chief(leaders)
        assert chief is not None
        strength, hits, besieged = self.fortress[area], 0, self.side[self.control[area]]
        speaker = self.owner(chief)
        for round_number in (1, 2):
            force = [each for each in units if self.at[each] == area]
            pool = len(force) + self.rating(chief) + self.nation_dice(chief, force, area)
            pool -= any(self.controls(besieged, sea) for sea in self.ports[area])
            stormed, held = self.dice(max(1, pool)).count(6), sum(each >= 5 for each in self.dice(strength))
            hits += stormed
            for each in self.share("lose_units.share", speaker, force, held):
                self.eliminate(each)
            if hits >= strength:
                self.take(area, speaker)
                self.orphan(area, speaker)
                return "overrun" if hits > strength or round_number < strength else "won"
            if stormed <= held or held >= len(force):
                break
        self.orphan(area, speaker)
        return "lost"

    # ---------------------------------------------------------------- naval battles
    def broadside(self, fleet: list[str]) -> int:
        nations = {self.ships[each] for each in fleet}
        return len(fleet) + ("britain" in nations and "france" not in nations)

    def naval_battle(self, side: str, here: str, there: str) -> None:
        """One round; who attacks a port stays in the zone (r.13.5)."""
        attackers, defenders = self.fleet(here, side), self.fleet(there, OTHER_SIDE[side])
        attack = self.dice(self.broadside(attackers))
        reply = self.dice(self.broadside(defenders) + self.fortress.get(there, 0))
        for fleet, thrown in ((defenders, attack), (attackers, reply)):
            sunk, damaged = thrown.count(6), thrown.count(5)
            for each in fleet[:sunk]:
                self.sink(each)
            for each in fleet[sunk : sunk + damaged]:
                self.at[each] = "fleet_box"
        attack_hits, reply_hits = (sum(each >= 5 for each in thrown) for thrown in (attack, reply))
        beaten, place = (defenders, there) if attack_hits > reply_hits else (attackers, here)
        for each in beaten:
            if self.at[each] == place:
                self.flee(each, place)

    def sink(self, squadron: str) -> None:
        self.at[squadron] = str(self.nation[self.ships[squadron]].a_pool.id)

    def flee(self, squadron: str, place: str) -> None:
        """To the nearest other port of the side, or lost."""
        nation = self.ships[squadron]
        near = self.sea_distances([place] if place in self.seas else self.ports[place])
        away = {
            area: min(near[sea] for sea in seas)
            for area, seas in self.ports.items()
            if seas and area != place and self.own(area, nation)
        }
        if not away:
            self.sink(squadron)
            return
        nearest = [area for area, steps in away.items() if steps == min(away.values())]
        self.at[squadron] = self.ask("run_to_port.there", nation, nearest)

    def sea_distances(self, starts: list[str]) -> dict[str, int]:
        found = dict.fromkeys(starts, 0)
        row = list(starts)
        for sea in row:
            for other in self.sea_neighbours(sea):
                if other not in found:
                    found[other] = found[sea] + 1
                    row.append(other)
        return found

    def leave_port(self, area: str, nation: str) -> None:
        """Ready squadrons put to sea, others are lost (r.13.8)."""
        lost = [each for each in self.ships if self.at[each] == area and not self.friends(self.ships[each], nation)]
        for each in lost:
            if not self.ready[each]:
                self.sink(each)
        out = [each for each in lost if self.ready[each]]
        if not out:
            return
        owner = self.ships[out[0]]
        zone = self.ask("leave_port.zone", owner, self.ports[area])
        for each in out:
            self.at[each] = zone
        side = self.side[owner]
        if side != "neutral" and self.fleet(zone, OTHER_SIDE[side]) and not self.truce(side, zone, zone):
            self.naval_battle(side, zone, zone)
