"""A campaign of Age of Napoleon in plain Python: impulses, marches, interception and withdrawal (r.5)."""

from __future__ import annotations

from plain_combat import Combat
from plain_position import COURTED, ENEMY, SIDES


class Campaign(Combat):
    """What happens in the rounds of a year."""

    def campaign(self) -> None:
        self.decide_order()
        self.round = self.start - 1 if self.first_turn else 0
        self.free = set(SIDES)
        self.sailed: set[str] = set()
        while self.round < 6:
            self.round += 1
            self.moved: set[str] = set()
            for side in self.order:
                self.impulse(side)

    def impulse(self, side: str) -> None:
        if not self.can_pay(side):
            return
        idle, cards = self.idle(side), self.campaign_cards(side)
        action = self.ask(side, [*["move_army"][: len(idle)], *["play_campaign_card"][: len(cards)], None])
        if action == "move_army":
            leader = self.ask(side, idle)
            self.pay(side)
            self.march(side, leader)
        elif action:
            card = self.ask(side, cards)
            self.pile[card] = "discards"
            if self.event[card].id == "peace_talks":
                self.talks.add(self.ask(side, set(COURTED) - self.talks))
            else:
                self.grand_campaign(side)

    def campaign_cards(self, side: str) -> list[str]:
        events = ["grand_campaign"] * bool(self.idle(side)) + ["peace_talks"] * (self.talks != set(COURTED))
        return sorted(self.held(side, *events))

    def grand_campaign(self, side: str) -> None:
        for _ in range(3):
            leader = self.ask(side, [*self.idle(side), None])
            if leader is None:
                return
            self.march(side, leader)

    def idle(self, side: str) -> list[str]:
        """The corps that may still be named to move in this round."""
        here = [each for each, area in self.place.items() if area in self.area and self.serves(each) == side]
        here = [each for each in here if each not in self.moved]
        return [each for each in here if self.next_to[self.place[each]] or self.may_sail([each], self.place[each])]

    def may_sail(self, group: list[str], port: str) -> bool:
        able = self.in_effect("britannia") and self.coastal(port) and len(group) <= 3
        return able and all(self.serves(each) == "coalition" and each not in self.sailed for each in group)

    def can_pay(self, side: str) -> bool:
        return side in self.free or bool(self.hand(side))

    def pay(self, side: str) -> None:
        ways = ["free_move"] * (side in self.free) + ["discard"] * bool(self.hand(side))
        if self.ask(side, ways) == "free_move":
            self.free.discard(side)
        else:
            self.discard(side)

    # ---------------------------------------------------------------- an army marches
    def march(self, side: str, leader: str) -> None:
        here, rank = self.place[leader], self.command(leader)
        able = [each for each in self.idle(side) if each != leader and self.place[each] == here]
        followers = self.choose_any(side, [each for each in able if self.command(each) <= rank], most=rank - 1)
        self.leader, self.column = leader, [leader, *followers]
        self.moved.update(self.column)
        self.points = self.movement(leader) - self.winter()
        self.spent = self.entered_areas = 0
        self.hard_going = self.halted = self.checked = self.by_sea = False
        self.withdrew: set[str] = set()
        self.tired = self.worn(self.column)
        self.forced = self.plays_one(side, "forced_march")
        self.points += self.forced
        if self.stopped(ENEMY[side], leader, mud=True):
            return
        while not self.halted and self.give_order(side):
            pass
        if not self.checked:
            self.march_attrition(side, self.column, fights=False)

    def stopped(self, reacting: str, leader: str, mud: bool) -> bool:
        """Whether Command Indecision stops an army; Mud only slows one that moves."""
        events = ["mud"] * mud + ["command_indecision"] * (not self.corps[leader].a_emperor)
        card = self.ask(reacting, [*self.held(reacting, *events), None])
        if card is None:
            return False
        self.pile[card] = "discards"
        self.points -= self.event[card].id == "mud"
        return bool(self.event[card].id == "command_indecision")

    def give_order(self, side: str) -> bool:
        here = self.place[self.leader]
        roads = [each for each in self.next_to[here] if not self.barred_from(side, each)]
        harbours: list[str] = []
        if not self.entered_areas and self.points >= 1 and self.may_sail(self.column, here):
            ports = [each for each in self.area if self.coastal(each) and each != here]
            harbours = [each for each in ports if not self.barred_from(side, each, sea=True)]
        orders = ["enter"] * bool(roads) + ["sail"] * bool(harbours)
        orders += ["leave_behind"] * (self.entered_areas > 0 and len(self.column) > 1)
        order = self.ask(side, [*orders, None])
        if order == "leave_behind":
            left = self.choose_any(side, self.column[1:], least=1)
            self.column = [each for each in self.column if each not in left]
            self.march_attrition(side, sorted(left), fights=False)
        elif order:
            self.enter(side, self.ask(side, harbours if order == "sail" else roads), sea=order == "sail")
        return order is not None

    def barred_from(self, side: str, area: str, sea: bool = False) -> bool:
        foes = bool(self.army(ENEMY[side], area))
        if not sea and self.spent + 1 + foes > self.points:
            return True
        if (area == "britain" and side == "french") or (foes and self.owner(area) in self.talks):
            return True
        return self.closed(side, area) and not self.hand(side)

    def enter(self, side: str, area: str, sea: bool) -> None:
        origin = self.place[self.leader]
        if self.closed(side, area):
            self.discard(side)
            self.realign(self.owner(area), "coalition_member" if side == "french" else "french_ally")
            if self.barred_from(side, area, sea):
                return
        self.by_sea, self.halted = sea, sea
        self.spent += not sea
        if sea:
            self.sailed.update(self.column)
        self.entered_areas += 1
        self.hard_going |= self.rough(area)
        self.advance(self.column, area)
        self.meet(side, area, origin)

    def march_attrition(self, side: str, group: list[str], fights: bool) -> None:
        """One die for each of the situations a to e."""
        situations = (
            self.entered_areas >= 4,
            fights and self.entered_areas >= 3,
            self.forced and self.spent >= self.points,
            self.hard_going,
            self.winter() and self.entered_areas > 0,
        )
        self.suffer_march(side, group, sum(situations), self.tired)

    def meet(self, side: str, area: str, origin: str) -> None:
        """Enemies may be in the area, withdraw from it, or come from the areas around."""
        other = ENEMY[side]
        if self.army(other, area):
            self.withdrawal(other, area, origin)
        stayed = bool(self.army(other, area))
        base = self.intercept(other, area)
        if base is None and not stayed:
            return
        self.halted = self.checked = True
        self.spent += stayed and not self.by_sea
        self.march_attrition(side, self.column, fights=True)
        if self.army(side, area) and self.army(other, area):
            sailor = side if self.by_sea else None
            if base is not None and not stayed:
                self.battle(area, other, base, sailor)
            else:
                self.battle(area, side, origin, sailor)

    def withdrawal(self, side: str, area: str, origin: str) -> None:
        army = self.army(side, area)
        ways = self.refuges(side, area, origin)
        if not ways or max(map(self.movement, self.chiefs(army))) < self.movement(self.leader):
            return
        going = self.choose_any(side, [each for each in army if each not in self.withdrew])
        if going:
            to = self.ask(side, ways)
            self.withdrew |= going
            self.one_area(side, sorted(going), to)

    def intercept(self, side: str, area: str) -> str | None:
        """The area from which an interception succeeds."""
        if not self.can_pay(side) or self.closed(side, area) or self.owner(area) in self.talks:
            return None
        near = [each for there in self.next_to[area] for each in self.army(side, there)]
        chief: str | None = self.ask(side, [*near, None])
        if chief is None:
            return None
        base: str = self.place[chief]
        rank = self.command(chief)
        able = [each for each in self.army(side, base) if each != chief and self.command(each) <= rank]
        group = [chief, *self.choose_any(side, able, most=rank - 1)]
        self.pay(side)
        if self.stopped(ENEMY[side], chief, mud=False) or self.die() > self.movement(chief) - self.winter():
            return None
        self.one_area(side, group, area)
        return base
