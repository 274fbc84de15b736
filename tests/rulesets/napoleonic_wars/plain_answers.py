"""Windows of The Napoleonic Wars: who may answer a card, what cancels it, and responses to attrition (r.6.2, r.6.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from plain_events import Events

DIPLOMACY = {
    *("dos_de_mayo", "godoy", "sebastiani_at_the_porte", "treaty_of_bucharest", "gustav_s_crusade"),
    *(
        "the_crown_prince_of_sweden",
        "the_danish_court",
        "copenhagen_bombarded",
        "diplomatic_mission",
        "secret_articles",
    ),
}
CAVALRY = {"cuirassiers", "hussars_in_pursuit"}
FIELD_AND_RESPONSE = {*range(58, 79), *range(93, 111)}
"""The numbers of battle and response cards, which a cipher can break; those of sieges and of the sea are neither."""


class Answers(Events):
    """Cards played for their event, for CP or in a window, and the cards that answer them."""

    def secret(self, nation: str, cards: Iterable[str]) -> str | None:
        """A card of the hand, or none; nothing to compare where only none is left."""
        able = list(cards)
        return str(answer) if able and (answer := self.ask(nation, [*able, None])) else None

    def in_order(self) -> list[str]:
        """All nations, the active one first (r.6.3.1)."""
        first = self.track.index(self.state.a_active.id)
        return self.track[first:] + self.track[:first]

    def number(self, card: str) -> int:
        return int(self.card[card].a_n)

    # ---------------------------------------------------------------- cards against cards
    def cancels(self, reply: str, nation: str, maker: str, card: str, use: str) -> bool:
        """Whether a card answers another, played by `maker` as event, for points or in a window."""
        if reply == "court_intrigue":
            return use == "event"
        if reply == "queen_louise":
            return use == "event" and card in DIPLOMACY
        if reply == "courier_taken":
            return use == "points"
        if reply == "broken_cipher":
            return use == "window" and self.hostile(maker, nation) and self.number(card) in FIELD_AND_RESPONSE
        return reply == "in_squares" and use == "window" and card in CAVALRY and self.squares(nation, maker)

    def squares(self, nation: str, maker: str) -> bool:
        """Whether squares can be formed: in a field battle of the nation's own."""
        return False

    def replied(self, reply: str, nation: str) -> None:
        self.discard(reply)

    def announce(self, maker: str, card: str, use: str) -> tuple[bool, int]:
        """Whether the card is cancelled, and the CP taken off it (r.6.3.2)."""
        docked = 0
        for nation in self.in_order():
            if nation == maker or (use == "window" and not self.hostile(maker, nation)):
                continue
            able = [each for each in self.hand(nation) if self.cancels(each, nation, maker, card, use)]
            reply = self.secret(nation, able)
            if reply is None:
                continue
            self.replied(reply, nation)
            if self.overruled(nation, reply):
                continue
            if reply != "courier_taken":
                return True, docked
            docked = 1
        return False, docked

    def overruled(self, maker: str, reply: str) -> bool:
        """Whether an enemy cancels the card that answers."""
        for nation in self.in_order():
            if self.hostile(nation, maker):
                able = [each for each in self.hand(nation) if self.cancels(each, nation, maker, reply, "window")]
                counter = self.secret(nation, able)
                if counter:
                    self.replied(counter, nation)
                    return True
        return False

    # ---------------------------------------------------------------- the card of an impulse
    def perform(self, card: str, nation: str) -> None:
        """Plays an event, and perhaps a + card for its CP (r.5.1.3)."""
        self.card[card].at = self.pile["played"]
        cancelled, _ = self.announce(nation, card, "event")
        if not cancelled:
            self.play(card, nation)
        self.add_plus(nation)

    def spend(self, card: str, nation: str) -> None:
        """Plays a card for its CP, and perhaps a + card."""
        self.score(card, nation)
        self.add_plus(nation)

    def score(self, card: str, nation: str) -> None:
        self.card[card].at = self.pile["played"]
        cancelled, docked = self.announce(nation, card, "points")
        if not cancelled:
            self.state.a_points += max(1, self.card[card].a_cp - docked)

    def add_plus(self, nation: str) -> None:
        added = self.secret(nation, [each for each in self.hand(nation) if self.card[each].a_plus])
        if added:
            self.score(added, nation)

    # ---------------------------------------------------------------- windows
    def window(self, which: str, facts: dict[str, Any]) -> None:
        """Each nation may use its strategic reserve or play one card, the active one first."""
        for nation in self.in_order():
            due = not self.nation[nation].a_reserve_used and self.acts(nation)
            if due and self.reserve_fits(nation, which, facts) and self.ask(nation, (True, False)):
                self.nation[nation].a_reserve_used = True
                self.use_reserve(nation, facts)
                continue
            fits = [each for each in self.hand(nation) if self.fits(each, nation, which, facts)]
            card = self.secret(nation, fits)
            if card:
                self.respond(card, nation, facts)

    def reserve_fits(self, nation: str, which: str, facts: dict[str, Any]) -> bool:
        """Whether the power card of the nation has this window, and a use in it (r.6.4)."""
        return False

    def use_reserve(self, nation: str, facts: dict[str, Any]) -> None:
        raise NotImplementedError

    def respond(self, card: str, nation: str, facts: dict[str, Any], pile: str = "discards") -> None:
        self.card[card].at = self.pile[pile]
        cancelled, _ = self.announce(nation, card, "window")
        if not cancelled:
            if self.card[card].a_once:
                self.card[card].at = self.pile["out_of_game"]
            self.respond_with(card, nation, facts)

    def fits(self, card: str, nation: str, which: str, facts: dict[str, Any]) -> bool:
        """Whether a card can be played in a window of attrition or of peace."""
        if which == "peace":
            return card == "peace_party" and self.acts(nation)
        if which != "attrition":
            return False
        if card == "foraging":
            return bool(facts["worn"] == nation)
        hunted = nation == "russia" and self.hostile(facts["worn"], nation)
        return card == "cossacks" and hunted and self.near_russians(facts["area"])

    def respond_with(self, card: str, nation: str, facts: dict[str, Any]) -> None:
        if card == "foraging":
            facts["spared"] = True
        elif card == "cossacks":
            facts["least"] = 5
        elif card == "peace_party":
            self.state.a_peace_modifier += 1 if self.ask(nation, ("for_peace", "for_war")) == "for_peace" else -1

    def near_russians(self, area: str) -> bool:
        """A Russian home area, or a Russian army, there or beside it."""
        around = {area, *self.next_to[area]}
        armies = {each for each in around if self.units(each, "russia") and self.leaders(each, "russia")}
        return bool(armies) or any(self.area[each].a_home.id == "russia" for each in around)

    def wear(self, area: str, group: list[Any]) -> None:
        """Attrition of a force, nation by nation, each with its window (r.14.9)."""
        rolling = [each for each in self.track if any(unit.a_nation.id == each for unit in group)]
        for nation in rolling:
            facts: dict[str, Any] = {"worn": nation, "area": area, "spared": False, "least": 6}
            force = [each for each in group if each.a_nation.id == nation]
            self.window("attrition", facts)
            if facts["spared"]:
                continue
            losses = sum(each >= facts["least"] for each in self.dice(len(force)))
            if nation == "france" and self.area[area].a_home.id not in ("russia", "spain", "turkey"):
                losses = (losses + 1) // 2
            self.eliminate(sorted(force, key=lambda each: not each.a_disrupted)[:losses])
        for side in {self.side(each) for each in rolling} - {"neutral"}:
            self.leave_alone(area, side)

    def leave_alone(self, area: str, side: str) -> None:
        """Leaders left without a unit of their side are regrouped (r.2.5)."""
        if not any(self.side(each.a_nation.id) == side for each in self.troops(area)):
            self.scatter(each for each in self.leaders(area) if self.side(each.a_nation.id) == side)

    def attrition(self, area: str, nations: Iterable[str]) -> None:
        rolling = set(nations)
        self.wear(area, [each for each in self.troops(area) if each.a_nation.id in rolling])
