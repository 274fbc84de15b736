"""Conquest, submission, foreign wars, changes of side and wars on neutrals, from the clauses (r.8, r.15, r.16)."""

from __future__ import annotations

from collections.abc import Iterable

from plain_court import OTHER_SIDE
from plain_turns import Turns

KEYS_KEPT = 3


class Conquests(Turns):
    """What becomes of beaten nations, and who joins a war."""

    # ---------------------------------------------------------------- conquest
    def conquest(self) -> str | None:
        """All are judged on the same map, then one after another bears the effects (r.15.1); who wins, if it ends."""
        beaten = {each: str(self.captor(each)) for each in self.track if self.conquered(each)}
        for nation, conqueror in beaten.items():
            if not self.major(nation):
                self.give_back(nation, self.side(conqueror))
        for nation, conqueror in beaten.items():
            self.gain(conqueror)
            self.lose_abroad(nation)
            if self.major(nation):
                self.retire(nation)
                self.go_neutral(nation)
            else:
                self.change_master(nation, conqueror)
        return self.victor("austria" in beaten)

    def retire(self, nation: str) -> None:
        """A power leaves the war, and its minor allies with it (r.15.3, r.15.5)."""
        allies = self.realm(nation) - {nation}
        self.nation[nation].a_stance = self.words["neutral"]
        self.nation[nation].a_neutral_since = self.state.a_turn
        for each in (it for it in self.track if it in allies):
            self.leave_alliance(each)
            self.set_box(each, None, "undecided")

    def lose_abroad(self, nation: str) -> None:
        """Units outside the home areas, all leaders and squadrons, and markers abroad are lost (r.15.3)."""
        home = self.home(nation)
        self.eliminate(each for each in self.on_map("unit", nation) if each.at.id not in home)
        self.scatter(self.on_map("leader", nation) + self.on_map("squadron", nation))
        self.lift(each for each in self.area if each not in home and self.controller(each) == nation)

    def lift(self, areas: Iterable[str]) -> None:
        for each in list(areas):
            self.lift_marker(each)

    def give_back(self, minor: str, side: str) -> None:
        """Its new friends leave it what they took (r.15.6)."""
        for each in self.home(minor):
            if self.side(self.controller(each)) == side:
                self.area[each].a_marker = None

    def change_master(self, minor: str, conqueror: str) -> None:
        """A conquered minor nation is the ally of the conqueror's power, unless that has fallen (r.15.6, r.8.6)."""
        for each in self.hand(minor):
            self.discard(each)
        if self.side(conqueror) == "neutral":
            self.set_box(minor, None, "undecided")
            self.go_neutral(minor)
        else:
            self.set_box(minor, self.power(conqueror), "alliance")
            self.clear_enemies(minor)
            self.greet(minor)

    def greet(self, minor: str) -> None:
        """A new ally draws its minimum hand (r.8.7)."""
        for _ in range(self.nation[minor].a_least_hand):
            self.draw(minor)

    # ---------------------------------------------------------------- submission
    def offer_submission(self, nation: str) -> None:
        """After the impulse of the loser or of its captor both players are asked (r.15.5)."""
        able = [each for each in self.track if self.captor(each) and nation in (each, self.captor(each))]
        for loser in able:
            captor = self.captor(loser)
            if captor is None or self.seat(captor) == self.seat(loser):
                continue
            if self.ask(loser, (True, False)) and self.ask(captor, (True, False)):
                self.submit(loser, captor)

    def submit(self, nation: str, captor: str) -> None:
        """The captor keeps up to three keys of its own; all other home areas go back (r.15.5)."""
        self.gain(captor)
        keys = [each for each in self.home_keys(nation) if self.controller(each) == captor]
        kept = self.choose(captor, keys, KEYS_KEPT)
        abroad = [each for each in self.area if self.area[each].a_marker is self.nation[nation]]
        for each in abroad + [each for each in self.home(nation) if each not in kept]:
            self.area[each].a_marker, self.area[each].a_raised = None, False
        if self.major(nation):
            self.retire(nation)
            self.go_neutral(nation)
        else:
            self.leave_alliance(nation)
            self.set_box(nation, None, "undecided")
        for each in abroad:
            self.leave_port(each, self.area[each].a_home.id)

    # ---------------------------------------------------------------- the end of an impulse
    def end_impulse(self, nation: str) -> None:
        """Who may pre-empt again, submissions, and whether the impulses are over (r.5.2.1, r.5.4, r.15.5)."""
        for each in self.track:
            freed = each != nation if self.side(each) == "neutral" else self.hostile(each, nation)
            self.nation[each].a_preempted = bool(self.nation[each].a_preempted and not freed)
        self.offer_submission(nation)
        holders = [each for each in self.track if self.acts(each) and self.hand(each)]
        self.state.a_over = holders in ([], [nation])
        if not self.state.a_over:
            self.move_marker(nation)

    # ---------------------------------------------------------------- foreign wars
    def fight_overseas(self, nation: str) -> None:
        """Two units or a squadron go overseas; who has neither submits without consent (r.16.4)."""
        if not self.nation[nation].a_foreign_war:
            return
        troops = self.on_map("unit", nation)
        ships = [each.id for each in self.on_map("squadron", nation) if each.a_state.id == "ready"]
        offers = ["troops"] * (len(troops) >= 2) + ["ship"] * bool(ships)
        if not offers:
            if enemies := self.enemies_by_keys(nation):
                self.nation[nation].a_foreign_war = False
                self.submit(nation, enemies[0])
        elif self.ask(nation, offers) == "troops":
            for _ in range(2):
                area = self.ask(nation, [each for each in self.area if self.units(each, nation)])
                self.scatter(self.units(area, nation)[:1])
        else:
            self.scatter([self.ship[self.ask(nation, ships)]])

    def can_end_foreign_war(self, nation: str) -> bool:
        return bool(self.nation[nation].a_foreign_war)

    def end_foreign_war(self, nation: str) -> None:
        """One to five CP; a die not above them ends it (r.16.5)."""
        paid = self.ask(nation, range(1, min(5, self.state.a_points) + 1))
        if self.die() <= paid:
            self.nation[nation].a_foreign_war = False

    def enemies_by_keys(self, nation: str) -> list[str]:
        """Enemy major powers, most keys first, of equals the earlier on the track (r.8.9, r.16.4)."""
        return sorted(self.foes_by_side(nation), key=lambda each: -self.keys(each))

    def foes_by_side(self, nation: str) -> list[str]:
        return [each for each in self.majors() if self.hostile(each, nation)]

    # ---------------------------------------------------------------- changes of side
    def change_sides(self) -> None:
        """A neutral major power may join a side if all its players agree (r.8.11, r.15.4)."""
        for nation in self.majors():
            if self.side(nation) != "neutral" or self.nation[nation].a_neutral_since == self.state.a_turn:
                continue
            answer = self.ask(nation, ["stay", "france", "allies"])
            side = {"france": "imperial", "allies": "coalition"}.get(answer)
            if side and all(self.ask(each, (True, False)) for each in self.members(side, nation)):
                self.nation[nation].a_stance = self.words[side]
                self.clear_enemies(nation)

    def members(self, side: str, applicant: str) -> list[str]:
        """A power of each player of a side but the applicant's own."""
        powers = {self.seat(each): each for each in reversed(self.majors()) if self.side(each) == side}
        powers.pop(self.seat(applicant), None)
        return [each for each in self.majors() if each in powers.values()]

    # ---------------------------------------------------------------- war on a neutral
    def neutrals(self, nation: str) -> list[str]:
        """Who may be attacked by a declaration of war: no partner of a pact (c.3, c.46)."""
        return [each for each in self.track if self.side(each) == "neutral" and not self.bound(nation, each)]

    def can_declare_war(self, nation: str) -> bool:
        able = self.major(nation) and self.side(nation) != "neutral" and self.state.a_points >= 2
        return able and not self.state.a_duel and bool(self.neutrals(nation))

    def declare_war(self, nation: str) -> None:
        """Two CP; a major power joins the other side, a minor nation finds an ally there (r.8.9)."""
        foe = self.ask(nation, self.neutrals(nation))
        if self.major(foe):
            self.nation[foe].a_stance = self.words[OTHER_SIDE[self.side(nation)]]
            self.clear_enemies(foe)
            return
        enemies = self.enemies_by_keys(nation)
        if not enemies:
            return
        self.set_box(foe, next((each for each in enemies if each == self.row(foe)), enemies[0]), "alliance")
        self.clear_enemies(foe)
        self.greet(foe)

    # ---------------------------------------------------------------- the end of the game
    def victor(self, austria_fell: bool) -> str | None:
        """The player who wins in step 4, if the game ends there (r.17.2, figures_setup duel_1805)."""
        last = self.state.a_turn >= (self.state.a_last_turn or 5)
        if not self.state.a_duel:
            return None if self.at_war() else self.winner()
        if self.state.a_turn == 1 and austria_fell:
            return "french"
        if self.leader["napoleon"].at.id not in self.area or self.side(self.controller("paris")) == "coalition":
            return "british"
        if last or not self.at_war():
            return "french" if self.imperial_points() >= 7 else "british"
        return None
