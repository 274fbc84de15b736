"""Age of Napoleon written by hand from its clauses: the phases of a year, cards, reinforcement, winter and victory."""

from __future__ import annotations

from plain_campaign import Campaign
from plain_combat import ATTRITION
from plain_politics import GameOver
from plain_position import COURTED, ENEMY, SIDES


class PlainGame(Campaign):
    """The whole game, from the campaign phase with which a scenario begins."""

    def play(self) -> None:
        """Plays until the game is over, which is raised."""
        while True:
            self.play_year()

    def play_year(self) -> None:
        if not self.first_turn:
            self.diplomacy()
            self.insurrections()
            self.strategy()
            self.reinforcement()
        self.campaign()
        self.surrenders()
        self.winter_phase()
        self.judge_victory()
        self.tidy_year()

    def tidy_year(self) -> None:
        for side in self.order:
            cards = self.hand(side)
            for each in self.choose(side, max(0, len(cards) - 6), cards):
                self.throw_away(side, each)
        self.barred.clear()
        self.talks.clear()
        self.first_turn = False
        self.year += 1

    # ---------------------------------------------------------------- cards
    def strategy(self) -> None:
        self.decide_order()
        if self.major_fell or len(self.cards_in("deck")) < 20:
            self.gather()
        self.major_fell = False
        for side in self.order:
            due = self.cards_due(side)
            ready = min(due, len(self.cards_in("deck")))
            self.take(side, ready)
            if not self.cards_in("deck"):
                self.gather()
                self.take(side, min(due - ready, len(self.cards_in("deck"))))

    def gather(self) -> None:
        for each in self.cards_in("discards") | self.cards_in("set_aside"):
            self.pile[each] = "deck"

    def take(self, side: str, number: int) -> None:
        for each in self.draw(number):
            self.pile[each] = f"{side}_hand"

    # ---------------------------------------------------------------- reinforcement
    def reinforcement(self) -> None:
        self.decide_order()
        self.entered.clear()
        for side in self.order:
            while self.reinforces(side):
                pass
        self.levies.clear()
        self.to_reserve([each for each, place in self.place.items() if place.endswith("_prison")])

    def reinforces(self, side: str) -> bool:
        ready = [each for each in self.corps if self.serves(each) == side and self.may_enter(each)]
        cards = self.reinforcement_cards(side)
        worn = [each for each in self.area if any(corps in self.reduced for corps in self.army(side, each))]
        actions = ["place_corps"] * bool(ready) + ["play_reinforcement_card"] * bool(cards)
        actions += ["restore_army"] * (bool(worn) and bool(self.hand(side)))
        action = self.ask(side, [*actions, None])
        if action == "place_corps":
            corps = self.ask(side, ready)
            country = self.corps[corps].a_country.id
            area = self.ask(side, self.entry_areas(corps))
            self.entered[country if self.major(country) else side] += 1
            self.place[corps] = area
        elif action == "play_reinforcement_card":
            self.play_reinforcement_card(side, self.ask(side, cards))
        elif action == "restore_army":
            area = self.ask(side, worn)
            self.discard(side)
            self.reduced.difference_update(self.army(side, area))
        return action is not None

    def reinforcement_cards(self, side: str) -> list[str]:
        events = ["levee_en_masse"] * bool(self.levying(side)) + ["veterans"] * bool(self.eliminated(side))
        if side == "coalition":
            reforms = {"radetzky": "Austria", "stein": "Prussia"}
            events += ["britannia", *[card for card, country in reforms.items() if country in self.surrendered]]
        return sorted(self.held(side, *events))

    def levying(self, side: str) -> list[str]:
        own = [each for each in self.country if self.major(each) and self.side(each) == side]
        return [each for each in own if self.stance(each) != "french_dominion"]

    def eliminated(self, side: str) -> list[str]:
        return [each for each, place in self.place.items() if place == "eliminated" and self.serves(each) == side]

    def play_reinforcement_card(self, side: str, card: str) -> None:
        event = self.event[card].id
        self.pile[card] = "in_effect" if event in ("britannia", "radetzky", "stein") else "discards"
        if event == "levee_en_masse":
            self.levies[self.ask(side, self.levying(side))] += 2
        elif event == "veterans":
            self.to_reserve(self.choose_any(side, self.eliminated(side), most=2))

    # ---------------------------------------------------------------- winter and victory
    def winter_phase(self) -> None:
        self.decide_order()
        self.depots: set[str] = set()
        self.scorched: dict[str, str] = {}
        playing = set(SIDES)
        while playing:
            for side in [each for each in self.order if each in playing]:
                spots = {"depot": self.depot_spots(side), "scorched_earth": self.scorched_spots(side)}
                card = self.ask(side, [*self.held(side, *[each for each in spots if spots[each]]), None])
                if card is None:
                    playing.discard(side)
                    continue
                event = self.event[card].id
                spot = self.ask(side, spots[event])
                self.pile[card] = "discards"
                if event == "depot":
                    self.depots.add(spot)
                else:
                    self.scorched[spot] = side
        for side in self.order:
            for area in [each for each in self.area if len(self.army(side, each)) >= 3]:
                self.winter_check(side, area)

    def depot_spots(self, side: str) -> list[str]:
        return [each for each in self.area if self.army(side, each) and each not in self.depots]

    def scorched_spots(self, side: str) -> list[str]:
        there = [each for each in self.area if self.army(ENEMY[side], each) and each not in self.scorched]
        return [
            each
            for each in there
            if self.area_side(each) in (side, None) or self.stance(self.owner(each)) == "insurgent"
        ]

    def winter_check(self, side: str, area: str) -> None:
        army, die = self.army(side, area), self.die() + self.winter_modifier(side, area)
        lost = int(ATTRITION[min(max(die, 1), 6) - 1][min(len(army), 10) - 3]) + max(0, 1 - die)
        for each in self.choose(side, lost, army):
            self.place[each] = "eliminated"

    def winter_modifier(self, side: str, area: str) -> int:
        stance, risen = self.stance(self.owner(area)), self.owner(area) in self.risen
        bonus = 2 * (area in self.depots) + 2 * self.own_area(side, area) + self.area[area].a_capital
        malus = (self.scorched.get(area) == ENEMY[side]) + self.area[area].a_barren
        if side == "french":
            malus += stance == "insurgent" or (stance == "neutral" and risen)
        return int(bonus + (stance == "neutral") - 2 * malus)

    def judge_victory(self) -> None:
        won = {side: {each for each in COURTED if self.side(each) == side} for side in SIDES}
        if len(won["french"]) == len(COURTED):
            raise GameOver("french")
        if self.year < 1815:
            return
        invaded = any(self.army("coalition", each) for each in self.areas("France"))
        raise GameOver("coalition" if invaded and len(won["coalition"]) == len(COURTED) else "french")
