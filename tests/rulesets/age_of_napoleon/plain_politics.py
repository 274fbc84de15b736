"""Diplomacy, insurrections and surrenders of Age of Napoleon in plain Python (r.1, r.2, r.6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from plain_position import ENEMY, SIDES, Position

STEP = {
    "coalition": {"french_ally": "neutral", "neutral": "coalition_member"},
    "french": {"coalition_member": "neutral", "neutral": "french_ally"},
}
OWN_COURT = {"metternich": "Austria", "alexander_i": "Russia"}
COURTS = {
    "metternich": {"Austria"},
    "alexander_i": {"Russia"},
    "queen_louise": {"Prussia"},
    "godoy": {"Spain", "Portugal"},
    "imperial_marriage": {"Austria", "Prussia", "Russia"},
}
CROWNS = ("Spain", "Napoli")
AGAINST = {"russo_ottoman_war": ("Russia", 2), "war_of_1812": ("Britain", 1)}
"""Cards that send corps of a country to the reserve."""


class GameOver(Exception):  # noqa: N818 - what happened, not an error
    """The game has ended with this winner."""


class Politics(Position):
    """What happens to countries. Decisions, dice and draws come from `ask`, `die` and `draw`."""

    def ask(self, side: str, options: Iterable[Any]) -> Any:
        raise NotImplementedError

    def die(self) -> int:
        raise NotImplementedError

    def draw(self, number: int) -> Collection[str]:
        raise NotImplementedError

    def choose(self, side: str, number: int, group: Iterable[str]) -> list[str]:
        """A side chooses a number of a group, one by one, if there is a choice."""
        left, picked = list(group), list[str]()
        if number >= len(left):
            return left
        while len(picked) < number:
            picked.append(self.ask(side, [each for each in left if each not in picked]))
        return picked

    def choose_any(self, side: str, group: Iterable[str], most: int = 99, least: int = 0) -> set[str]:
        """A side chooses as many of a group as it likes, within bounds."""
        group, picked = set(group), set[str]()
        while group - picked and len(picked) < most:
            one = self.ask(side, [*(group - picked), *([None] if len(picked) >= least else [])])
            if one is None:
                break
            picked.add(one)
        return picked

    def discard(self, side: str) -> None:
        self.throw_away(side, self.ask(side, self.hand(side)))

    def throw_away(self, side: str, card: str) -> None:
        """Discards a card unplayed; the other player may take some up for another card (r.o.2)."""
        self.pile[card] = "discards"
        if "cards_taken_up" in self.options and self.event[card].a_sought_after and self.hand(ENEMY[side]):
            swapped = self.ask(ENEMY[side], [*self.hand(ENEMY[side]), None])
            if swapped is not None:
                self.pile[swapped] = "discards"
                self.pile[card] = f"{ENEMY[side]}_hand"

    def decide_order(self) -> None:
        first = self.ask("french" if self.year < 1812 else "coalition", SIDES)
        self.order = [first, ENEMY[first]]

    # ---------------------------------------------------------------- diplomacy
    def touchable(self, side: str, country: str) -> bool:
        if self.country[country].a_fixed or not self.exists(country):
            return False
        if (side == "french" or self.stance(country) == "neutral") and self.holds(ENEMY[side], country):
            return False
        return country not in self.risen if side == "french" else self.stance(country) != "french_dominion"

    def results(self, side: str, event: str) -> dict[str, str]:
        """The countries on which a card can be played, each with its alignment afterwards."""
        stance = {each: self.stance(each) for each in self.country if self.exists(each)}
        open_to_france = [each for each in stance if self.touchable("french", each)]
        if event in AGAINST:
            country = AGAINST[event][0]
            return {country: stance[country]} if self.side(country) == "coalition" else {}
        if event == "joseph":
            taken = [
                each for each in CROWNS if stance[each] == "neutral" and self.occupies("french", self.capital(each))
            ]
            crowns = [each for each in CROWNS if each in taken or stance[each] == "french_ally"]
            return {each: "french_dominion" for each in crowns if each in open_to_france}
        if event == "napoleonic_dynasty":
            allies = [each for each in open_to_france if stance[each] == "french_ally" and not self.major(each)]
            return dict.fromkeys(allies, "french_dominion")
        if event == "insurrection":
            held = [each for each in stance if stance[each] == "neutral" and self.holds("french", each)]
            return {each: "insurgent" for each in stance if each in held or stance[each] == "french_dominion"}
        if side == "coalition" and event in OWN_COURT and stance[OWN_COURT[event]] == "neutral":
            return {OWN_COURT[event]: "coalition_member"}
        able = [each for each in stance if self.touchable(side, each) and stance[each] in STEP[side]]
        if side == "french" and "firm_courts" in self.options:
            able = [each for each in able if not self.holds_out(each)]
        found = {each: STEP[side][stance[each]] for each in able if self.concerns(event, each)}
        if event == "coup_d_etat":
            free = {each: to for each, to in found.items() if not self.army(ENEMY[side], self.capital(each))}
            joins = [each for each in free if self.army(side, self.capital(each))]
            return {each: STEP[side].get(to, to) if each in joins else to for each, to in free.items()}
        return found

    def holds_out(self, country: str) -> bool:
        """Whether a court does not become an ally as long as its capital is free (r.o.1)."""
        firm = country in COURTS["imperial_marriage"] and self.stance(country) == "neutral"
        return firm and not self.occupies("french", self.capital(country))

    def concerns(self, event: str, country: str) -> bool:
        """Whether a card that moves a country by steps can be played on this one."""
        if event in COURTS:
            return country in COURTS[event]
        if event == "pitt":
            return self.stance(country) == "neutral"
        if event == "continental_system":
            return self.stance(country) == "french_ally" and any(map(self.coastal, self.areas(country)))
        return {"english_gold": self.major(country), "talleyrand": True}.get(event, not self.major(country))

    def playable(self, side: str, occasion: str) -> dict[str, dict[str, str]]:
        """The cards of a hand that can be played on countries on an occasion, with their results."""
        found = {}
        for card in self.hand(side):
            event = self.event[card]
            its_own = event.a_french if side == "french" else event.a_coalition
            when = {event.a_occasion.id, event.a_also.id if event.a_also else ""}
            if its_own and occasion in when and (results := self.results(side, event.id)):
                found[card] = results
        return found

    def diplomacy(self) -> None:
        self.decide_order()
        playing, table = set(SIDES), []
        while playing:
            for side in [each for each in self.order if each in playing]:
                able = self.playable(side, "in_diplomacy")
                card = self.ask(side, [*able, None])
                if card is None:
                    playing.discard(side)
                    continue
                country = self.ask(side, able[card])
                self.pile[card] = "on_table"
                table.append((side, card, country))
        annulled = {each for _, _, each in table if len({side for side, _, on in table if on == each}) > 1}
        for side, card, country in table:
            self.pile[card] = "discards"
            event = self.event[card].id
            if country not in annulled and country in (results := self.results(side, event)):
                if event in AGAINST:
                    field = [each for each in self.of(country) if self.on_map(each)]
                    self.to_reserve(self.choose("coalition", AGAINST[event][1], field))
                    self.barred.add(country)
                else:
                    self.realign(country, results[country])

    def realign(self, country: str, to: str) -> None:
        """Gives a country another alignment, with what follows for corps (r.1.6 to r.1.8)."""
        before = self.side(country)
        group = self.of(country)
        field = [each for each in group if self.on_map(each)]
        self.alignment[country] = to
        after = self.side(country)
        if after == before:
            return
        self.to_reserve(field)
        if after is None:
            self.to_reserve([each for each in group if self.place[each].endswith("_prison")])
            for area in self.areas(country):
                self.clear(area)
        elif before is None:
            self.muster(country, rising=False)

    def clear(self, area: str) -> None:
        for side in SIDES:
            army = self.army(side, area)
            if not army:
                continue
            havens = {each: self.distance(area, each) for each in self.area if self.own_area(side, each)}
            nearest = min(havens.values(), default=99)
            if nearest > 4:
                self.to_reserve(army)
            else:
                self.advance(army, self.ask(side, [each for each, steps in havens.items() if steps == nearest]))

    def muster(self, country: str, rising: bool) -> None:
        """Places corps of a country that joins a side or rises."""
        side = str(self.side(country))
        for _ in range(self.entry_limit(country)):
            spots = self.rising_areas(country) if rising else self.home_areas(country)
            ready = [each for each in self.of(country) if self.available(each) and self.has_room(each, beyond=rising)]
            corps = self.ask(side, [*(ready if spots else []), None])
            if corps is None:
                return
            self.place[corps] = self.ask(side, spots)

    # ---------------------------------------------------------------- insurrections
    def rising_areas(self, country: str) -> set[str]:
        own = set(self.areas(country))
        beside = {there for each in own for there in self.next_to[each] if self.area_side(there)}
        return {each for each in own if not self.army("french", each)} or {
            each for each in beside if not self.army("french", each)
        }

    def rise(self, country: str) -> None:
        self.to_reserve([each for each in self.of(country) if self.on_map(each)])
        self.alignment[country] = "insurgent"
        self.risen.add(country)
        self.muster(country, rising=True)

    def insurrections(self) -> None:
        for country in [each for each in self.country if self.exists(each) and self.stance(each) == "insurgent"]:
            areas = self.areas(country)
            held = [each for each in areas if self.army("french", each)]
            subdued = not any(map(self.on_map, self.of(country)))
            if subdued and 2 * len(held) > len(areas) and self.capital(country) in held:
                self.realign(country, "french_dominion")
            elif not held:
                self.realign(country, "coalition_member")
        while self.hand("coalition"):
            able = self.playable("coalition", "in_insurrection")
            card = self.ask("coalition", [*able, None])
            if card is None:
                break
            country = self.ask("coalition", able[card])
            self.pile[card] = "discards"
            self.rise(country)
        for country, least in self.unrest().items():
            if self.die() >= least:
                self.rise(country)

    def unrest(self) -> dict[str, int]:
        """The dominions that may rise, and the least die for it."""
        found = {}
        for country in [each for each in self.country if self.exists(each) and self.stance(each) == "french_dominion"]:
            areas = self.areas(country)
            if not any(self.army("french", each) for each in areas):
                beside = {self.stance(self.owner(there)) for each in areas for there in self.next_to[each]}
                found[country] = 5 if "insurgent" in beside else 6
        return found

    # ---------------------------------------------------------------- surrenders
    def falls(self, country: str) -> bool:
        side = self.side(country)
        if side is None or not self.exists(country) or self.stance(country) == "insurgent":
            return False
        if not self.army(ENEMY[side], self.capital(country)):
            return False
        foes, friends = (
            sum(len(self.army(each, area)) for area in self.areas(country)) for each in (ENEMY[side], side)
        )
        return foes > friends or not self.major(country)

    def surrenders(self) -> None:
        falling = [each for each in self.country if self.falls(each)]
        for country in sorted(falling, key=self.major):  # minors stand before detached areas in the list
            self.surrender(country)

    def surrender(self, country: str) -> None:
        loser = str(self.side(country))
        if self.plays_one(loser, "surrender_never"):
            return
        if country == "France":
            raise GameOver("coalition")
        self.surrendered.add(country)
        self.major_fell |= self.major(country)
        own = self.of(country)
        self.to_reserve([each for each in own if self.on_map(each) or self.place[each].endswith("_prison")])
        if loser == "coalition":
            crowned = country not in self.risen and self.plays_one("french", "napoleonic_dynasty")
            self.concede(country)
            terms = "neutral" if self.major(country) else "french_ally"
            self.alignment[country] = "french_dominion" if crowned else terms
            return
        ruler = self.country[country].a_ruler
        if ruler is not None and self.side(ruler.id) == "coalition":
            self.detached.discard(country)
            return
        ally = self.major(country) and self.stance(country) == "french_ally"
        self.alignment[country] = "neutral" if ally else "coalition_member"

    def plays_one(self, side: str, event: str) -> bool:
        card = self.ask(side, [*self.held(side, event), None])
        if card is not None:
            self.pile[card] = "discards"
        return card is not None

    def concede(self, country: str) -> None:
        """Territorial Concessions (r.6.4)."""
        rulers = {name: each.a_ruler.id for name, each in self.country.items() if each.a_ruler}
        provinces = [each for each, ruler in rulers.items() if ruler == country and each not in self.detached]
        if provinces and self.plays_one("french", "territorial_concessions"):
            for each in self.choose_any("french", provinces, least=1):
                self.detached.add(each)
                self.alignment[each] = "french_ally"
                self.to_reserve(self.army("coalition", self.capital(each)))
