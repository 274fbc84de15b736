"""Battles, attrition and retreats of Age of Napoleon in plain Python (the aid's tables, r.5.10 to r.5.12)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from plain_politics import Politics
from plain_position import ENEMY, PRISON

COMBAT = ("00001111", "00011112", "00111122", "00111222", "01112223", "11122233")
"""Losses inflicted, by die and band of the total."""
ATTRITION = ("11122233", "01112223", "00111222", "00111122", "00011112", "00001111")
"""Corps lost by die: on the march for armies of 1 to 8 corps, in winter of 3 to 10."""


def band(total: int) -> int:
    """The column of a battle total, which is also its tie-break modifier."""
    return min(max((total - 1) // 5, 0), 7)


class Combat(Politics):
    """What armies suffer."""

    def winter(self) -> bool:
        return self.round >= 5

    # ---------------------------------------------------------------- march attrition
    def suffer_march(self, side: str, group: Collection[str], dice: int, worn: set[str]) -> None:
        """The lowest die counts; `worn` are the corps that were reduced when the move began."""
        if not dice or not group:
            return
        lowest = min(self.die() for _ in range(dice))
        lost = int(ATTRITION[lowest - 1][min(len(group), 8) - 1])
        tired = set(group) & worn
        gone = self.choose(side, min(lost, len(tired)), tired)
        gone += self.choose(side, lost - len(gone), set(group) - tired)
        self.reduced.update(group)
        for each in gone:
            self.place[each] = "out_of_game" if self.winter() else PRISON[ENEMY[side]]

    def one_area(self, side: str, group: Sequence[str], to: str) -> None:
        """Intercepts, withdraws or retreats into an area."""
        worn = self.worn(group)
        self.advance(group, to)
        self.suffer_march(side, group, self.rough(to) + self.winter(), worn)

    def worn(self, group: Iterable[str]) -> set[str]:
        return {each for each in group if each in self.reduced}

    def refuges(self, side: str, area: str, origin: str) -> list[str]:
        near = [each for each in self.next_to[area] if each != origin and not self.closed(side, each)]
        return [each for each in near if not self.army(ENEMY[side], each)]

    # ---------------------------------------------------------------- battle
    def battle(self, area: str, attacker: str, origin: str, sailor: str | None) -> None:
        order = (attacker, ENEMY[attacker])
        self.tactics: dict[str, set[str]] = {side: set() for side in order}
        self.total: dict[str, int] = {}
        self.general: dict[str, str] = {}
        self.fighters: dict[str, list[str]] = {}
        for side in order:
            self.declare(side, area, landed=sailor == side)
        for side in order:
            self.battle_cards(side)
        beaten, losses = self.fight(order)
        for side in order:
            self.take_losses(side, losses[side], beaten)
        for side in order:
            self.reduced.update(self.fighters[side])
        left = {side: len(self.army(side, area)) for side in order}
        holder = ENEMY[beaten] if left[beaten] <= left[ENEMY[beaten]] else beaten
        loser = ENEMY[holder]
        if left[loser]:
            if loser == attacker:
                self.one_area(loser, self.army(loser, area), origin)
            else:
                self.retreat(loser, area, origin)
        self.reward(holder, area)

    def declare(self, side: str, area: str, landed: bool) -> None:
        """Who fights, and with how many points."""
        army = self.army(side, area)
        leader = self.ask(side, self.chiefs(army))
        others: Iterable[str] = [each for each in army if each != leader]
        if len(army) > self.command(leader):
            others = self.choose_any(side, others, most=self.command(leader) - 1)
        self.general[side], self.fighters[side] = leader, [leader, *others]
        figures = [(self.corps[each], each in self.reduced) for each in self.fighters[side]]
        points = sum(each.a_battle_reduced if reduced else each.a_battle for each, reduced in figures)
        home = self.corps[leader].a_country.id in (self.owner(area), self.area[area].a_land.id)
        self.total[side] = points + home - 2 * landed

    def battle_cards(self, side: str) -> None:
        while self.hand(side):
            card = self.ask(side, [*[each for each in self.hand(side) if self.can_fight_with(side, each)], None])
            if card is None:
                return
            self.pile[card] = "discards"
            event = self.event[card].id
            self.tactics[side].add(event)
            if event == "cavalry_charge":
                self.total[side] += 3
            elif event == "grand_battery":
                self.total[side] += 4 if len(self.fighters[side]) >= 4 else 2
            elif event == "flank_march":
                self.total[ENEMY[side]] -= 4

    def can_fight_with(self, side: str, card: str) -> bool:
        event = self.event[card]
        faster = self.movement(self.general[side]) > self.movement(self.general[ENEMY[side]])
        new = event.a_occasion.id == "in_battle" and event.id not in self.tactics[side]
        return new and (event.id != "flank_march" or faster)

    def fight(self, order: tuple[str, str]) -> tuple[str, dict[str, int]]:
        """Who is beaten, and what both lose."""
        inflicted = {}
        columns = {side: band(self.total[side]) for side in order}
        for side in order:
            genius = "art_of_war" in self.tactics[side]
            die = min(self.command(self.general[side]), 6) if genius else self.die()
            inflicted[side] = int(COMBAT[die - 1][columns[side]])
        attacker, defender = order
        margin, extra = inflicted[attacker] - inflicted[defender], 1
        if not margin:
            extra = 0
            attack = self.die() + columns[attacker]
            margin = attack - self.die() - columns[defender]
        beaten = defender if margin > 0 else attacker
        suffered = {side: inflicted[ENEMY[side]] + (extra if side == beaten else 0) for side in order}
        return beaten, {side: min(number, len(self.fighters[side])) for side, number in suffered.items()}

    def take_losses(self, side: str, losses: int, beaten: str) -> None:
        permanent = (losses + 1) // 2
        if losses and "fatal_wound" in self.tactics[ENEMY[side]]:
            mortal = [each for each in self.fighters[side] if not self.corps[each].a_emperor]
            if mortal:
                self.lose([self.ask(ENEMY[side], mortal)], "eliminated")
                permanent -= 1
                losses -= 1
        dead = self.name_losses(side, permanent)
        self.lose(dead, "eliminated")
        taken = self.name_losses(side, losses - permanent)
        self.lose(taken, PRISON[ENEMY[side]])
        if side != beaten:
            self.to_reserve(taken)

    def lose(self, group: Iterable[str], place: str) -> None:
        for each in group:
            next(army for army in self.fighters.values() if each in army).remove(each)
            self.place[each] = place

    def name_losses(self, side: str, number: int) -> Collection[str]:
        """The owner's choice; the leader's corps goes last."""
        rank = [each for each in self.fighters[side] if each != self.general[side]]
        return list(self.fighters[side]) if number > len(rank) else self.choose(side, number, rank)

    def retreat(self, side: str, area: str, origin: str) -> None:
        army, ways = self.army(side, area), self.refuges(side, area, origin)
        if ways:
            best = [each for each in ways if self.own_area(side, each)]
            self.one_area(side, army, self.ask(side, best or ways))
        elif side == "coalition" and self.coastal(area) and self.in_effect("britannia"):
            self.one_area(side, army, "britain")
        else:
            for each in army:
                self.place[each] = PRISON[ENEMY[side]]

    def reward(self, holder: str, area: str) -> None:
        worn = [each for each in self.army(holder, area) if each in self.reduced]
        if self.hand(holder) and worn:
            restored = self.ask(holder, [*worn, None])
            if restored is not None:
                self.discard(holder)
                self.reduced.discard(restored)
