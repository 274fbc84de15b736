"""Events of The Napoleonic Wars that touch courts, hands and money, from the texts of the cards; who may play which."""

from __future__ import annotations

from plain_campaigns import Campaigns
from plain_court import BOXES

CARDS_OF_THE_CAMPAIGN = {
    *(
        "europe_exhausted",
        "anglo_american_war",
        "persian_war",
        "serbian_revolt",
        "revolt_in_new_spain",
        "saint_domingue",
    ),
    *("invade_canada", "dos_de_mayo", "godoy", "sebastiani_at_the_porte", "gustav_s_crusade", "the_danish_court"),
    *("treaty_of_bucharest", "the_crown_prince_of_sweden", "copenhagen_bombarded", "diplomatic_mission"),
    "secret_articles",
}
"""The duel has no diplomacy, no peace and no foreign wars."""


class Events(Campaigns):
    """All events but those that activate armies."""

    def lawful(self, card: str, nation: str) -> bool:
        """Whether a nation may play the event: it can change something that all can see (r.6.1, r.6.2)."""
        makers = {getattr(each, "id", each) for each in self.card[card].a_by}
        if (makers and nation not in makers) or (self.state.a_duel and card in CARDS_OF_THE_CAMPAIGN):
            return False
        held, self.card[card].at = self.card[card].at, self.pile["played"]
        able = getattr(self, f"can_{card}", None)
        result = able is None or bool(able(nation))
        self.card[card].at = held
        return result

    def play(self, card: str, nation: str) -> None:
        self.card[card].at = self.pile["out_of_game" if self.card[card].a_once else "played"]
        getattr(self, card)(nation)

    # ---------------------------------------------------------------- peace and war
    def europe_exhausted(self, _: str) -> None:
        self.state.a_peace_modifier += 1 if self.state.a_turn == 1 else 2

    def foes_of(self, nation: str) -> list[str]:
        return [each for each in self.majors() if self.hostile(each, nation)]

    def losers(self, nation: str) -> list[str]:
        lost = {each: self.home_keys(each) for each in self.foes_of(nation)}
        return [each for each, keys in lost.items() if any(self.controller(it) != each for it in keys)]

    can_tilsit = losers

    def tilsit(self, nation: str) -> None:
        foe = self.ask(nation, self.losers(nation))
        if self.ask(foe, (True, False)):
            self.nation[foe].a_stance = self.words["neutral"]
            self.nation[foe].a_neutral_since = 0
            for minor in [each for each in self.minors() if self.allied(each) and self.row(each) == foe]:
                self.leave_alliance(minor)
                self.set_box(minor, None, "undecided")
            self.go_neutral(foe)
            self.gain(foe)
            self.gain(nation)

    can_armistice = foes_of

    def armistice(self, nation: str) -> None:
        foe = self.ask(nation, self.foes_of(nation))
        self.state.a_pact_maker, self.state.a_pact_partner = self.nation[nation], self.nation[foe]
        self.state.a_pact_impulses = 3

    def suitors(self, nation: str) -> list[str]:
        others = [each for each in self.majors() if each != nation]
        taken = {each: sum(self.controller(it) == nation for it in self.home_keys(each)) for each in others}
        return [each for each in others if self.side(each) == "neutral" or taken[each] >= 2]

    can_imperial_marriage = suitors

    def imperial_marriage(self, nation: str) -> None:
        spouse = self.ask(nation, self.suitors(nation))
        self.state.a_match_maker, self.state.a_match_partner = self.nation[nation], self.nation[spouse]
        self.state.a_match_turn = self.state.a_turn + 1

    def can_anglo_american_war(self, _: str) -> bool:
        return not self.nation["britain"].a_foreign_war

    def anglo_american_war(self, _: str) -> None:
        self.nation["britain"].a_foreign_war = True

    def can_persian_war(self, _: str) -> bool:
        return not self.nation["russia"].a_foreign_war

    def persian_war(self, _: str) -> None:
        self.nation["russia"].a_foreign_war = True

    def can_saint_domingue(self, _: str) -> bool:
        return not self.nation["france"].a_foreign_war

    def saint_domingue(self, _: str) -> None:
        self.nation["france"].a_foreign_war = True

    def can_revolt_in_new_spain(self, _: str) -> bool:
        return self.allied("spain") and not self.nation["spain"].a_foreign_war

    def revolt_in_new_spain(self, _: str) -> None:
        self.nation["spain"].a_foreign_war = True

    def can_invade_canada(self, _: str) -> bool:
        return len(self.on_map("unit", "britain")) >= 2 or not self.nation["britain"].a_foreign_war

    def invade_canada(self, _: str) -> None:
        offers = ["war"] + ["troops"] * (len(self.on_map("unit", "britain")) >= 2)
        if self.ask("britain", offers) == "war":
            self.nation["britain"].a_foreign_war = True
            return
        for _each in range(2):
            area = self.ask("britain", [each for each in self.area if self.units(each, "britain")])
            self.scatter(self.units(area, "britain")[:1])

    # ---------------------------------------------------------------- diplomats
    def own_row(self, nation: str) -> str:
        return nation if self.major(nation) else self.row(nation) or nation

    def on_row(self, minor: str, nation: str) -> bool:
        return self.box(minor) == "undecided" or self.row(minor) == self.own_row(nation)

    def able_to_sway(self, minor: str, nation: str) -> bool:
        return not (self.allied(minor) and self.row(minor) == self.own_row(nation))

    def sway(self, minor: str, nation: str) -> None:
        if self.on_row(minor, nation):
            self.step_right(minor, self.own_row(nation))
        else:
            self.step_left(minor)

    def can_godoy(self, nation: str) -> bool:
        return self.able_to_sway("spain", nation)

    def godoy(self, nation: str) -> None:
        self.sway("spain", nation)

    def can_sebastiani_at_the_porte(self, nation: str) -> bool:
        return self.able_to_sway("turkey", nation)

    def sebastiani_at_the_porte(self, nation: str) -> None:
        self.sway("turkey", nation)

    def can_gustav_s_crusade(self, nation: str) -> bool:
        return self.able_to_sway("sweden", nation)

    def gustav_s_crusade(self, nation: str) -> None:
        self.sway("sweden", nation)

    def can_the_danish_court(self, nation: str) -> bool:
        return self.able_to_sway("denmark", nation)

    def the_danish_court(self, nation: str) -> None:
        self.sway("denmark", nation)

    def can_dos_de_mayo(self, _: str) -> bool:
        return self.allied("spain") and self.row("spain") == "france"

    def dos_de_mayo(self, _: str) -> None:
        self.leave_alliance("spain")
        self.set_box("spain", "britain", "friendly")
        self.build("spain", 3, self.free_spain)

    def can_treaty_of_bucharest(self, nation: str) -> bool:
        ally = self.allied("turkey") and self.row("turkey") == self.own_row(nation)
        return not ally and self.box("turkey") != "undecided"

    def treaty_of_bucharest(self, _: str) -> None:
        self.leave_alliance("turkey")
        self.set_box("turkey", None, "undecided")

    def can_the_crown_prince_of_sweden(self, nation: str) -> bool:
        return self.box("sweden") not in ("friendly", "alliance") or self.row("sweden") != self.own_row(nation)

    def the_crown_prince_of_sweden(self, nation: str) -> None:
        row = self.own_row(nation)
        self.leave_alliance("sweden")
        self.set_box("sweden", row, "friendly")

    def courted(self, nation: str) -> list[str]:
        return [each for each in self.minors() if not self.allied(each) and self.on_row(each, nation)]

    can_diplomatic_mission = courted

    def diplomatic_mission(self, nation: str) -> None:
        minor = self.ask(nation, self.courted(nation))
        self.nation[minor].a_plus_side = not self.nation[minor].a_plus_side
        self.step_right(minor, self.own_row(nation))

    def inclined(self, nation: str) -> list[str]:
        low = [each for each in self.minors() if BOXES.index(self.box(each)) < BOXES.index("friendly")]
        return [each for each in low if self.on_row(each, nation)]

    can_secret_articles = inclined

    def secret_articles(self, nation: str) -> None:
        for each in self.choose(nation, self.inclined(nation), 2):
            self.step_right(each, self.own_row(nation))

    # ---------------------------------------------------------------- hands and money
    def emigres_and_exiles(self, nation: str) -> None:
        self.draw(nation)

    def napoleon_marches(self) -> bool:
        return self.leader["napoleon"].at.id in self.area

    def can_infernal_machine(self, _: str) -> bool:
        return self.napoleon_marches() or bool(self.hand("france"))

    def infernal_machine(self, _: str) -> None:
        rolled = self.die()
        if rolled == 6 and self.napoleon_marches():
            self.scatter([self.leader["napoleon"]])
        if rolled == 5:
            self.discard_at_random("france")

    def wealth(self) -> dict[str, bool]:
        return {"card": bool(self.hand("britain")), "resource": self.nation["britain"].a_resources > 0}

    def can_continental_system(self, _: str) -> bool:
        return self.port_keys() >= 3 and any(self.wealth().values())

    def continental_system(self, _: str) -> None:
        for _each in range(self.port_keys() // 3):
            lost = self.ask("britain", [each for each, there in self.wealth().items() if there] or ["nothing"])
            if lost == "card":
                self.discard_at_random("britain")
            elif lost == "resource":
                self.nation["britain"].a_resources -= 1

    def can_orders_in_council(self, nation: str) -> bool:
        return self.zones_held(nation) > 2

    def orders_in_council(self, nation: str) -> None:
        self.nation["france"].a_fewer_cards += min(2, self.zones_held(nation) - 2)

    def can_bank_of_england(self, nation: str) -> bool:
        return bool(self.nation[nation].a_resources < 4)

    def bank_of_england(self, nation: str) -> None:
        self.gain(nation)

    def spied(self, nation: str) -> list[str]:
        return [each for each in self.track if each != nation and self.hand(each)]

    can_talleyrand = can_fouche_s_police = spied

    def talleyrand(self, nation: str) -> None:
        victim = self.ask(nation, self.spied(nation))
        taken = self.ask(nation, self.hand(victim))
        if mine := self.hand(nation):
            self.card[self.ask(nation, mine)].at = self.nation[victim].a_hand
        self.card[taken].at = self.nation[nation].a_hand

    def fouche_s_police(self, nation: str) -> None:
        victim = self.ask(nation, self.spied(nation))
        dropped = self.ask(nation, [*(each for each in self.hand(victim) if self.card[each].a_cp <= 3), None])
        if dropped:
            self.discard(dropped)

    def can_malet_s_conspiracy(self, _: str) -> bool:
        return bool(self.hand("france"))

    def malet_s_conspiracy(self, _: str) -> None:
        self.discard_at_random("france")
        if self.napoleon_marches() and self.leader["napoleon"].at.a_home.id != "france":
            self.discard_at_random("france")

    def can_luddites(self, _: str) -> bool:
        return bool(self.hand("britain"))

    def luddites(self, _: str) -> None:
        self.discard_at_random("britain")

    def troubles(self, nation: str) -> int:
        return bool(self.nation[nation].a_routed) + (self.captor(nation) is not None)

    def shaken(self, nation: str) -> list[str]:
        return [each for each in self.foes_of(nation) if self.troubles(each) and self.hand(each)]

    can_palace_murmurs = shaken

    def palace_murmurs(self, nation: str) -> None:
        foe = self.ask(nation, self.shaken(nation))
        for _ in range(self.troubles(foe)):
            self.discard_at_random(foe)
