"""Marches and reactions with cards, peace, pre-emption and cards over the hand limit, from the clauses."""

from __future__ import annotations

from typing import Any

from plain_port_fights import PortFights


class Turns(PortFights):
    """What nations do beside events and fights, with the cards of its windows."""

    evaded: tuple[Any, ...] | list[Any] = ()

    # ---------------------------------------------------------------- cards of reactions and marches
    def fits(self, card: str, nation: str, which: str, facts: dict[str, Any]) -> bool:
        if which == "movement":
            fitting = card in ("lost_orders", "bad_roads", "bridges_burnt")
            return fitting and self.hostile(facts["mover"], nation)
        if which in ("interception", "evasion"):
            if facts["rolled"]:
                helping = "slip_away" if which == "evasion" else "marched_all_night"
                return card == helping and bool(facts["reactor"] == nation)
            return which == "interception" and card == "blunder" and self.hostile(facts["reactor"], nation)
        return super().fits(card, nation, which, facts)

    def reserve_fits(self, nation: str, which: str, facts: dict[str, Any]) -> bool:
        """The Imperial Guard, Janissaries, The Archipelago Fleet and Depth of the Land."""
        if which == "evasion":
            deep = not facts["rolled"] and self.area[facts["here"]].a_home.id == "russia"
            return nation == "russia" and deep and self.friends(facts["reactor"], "russia")
        if which == "field" and nation == "france":
            return any(each.chief == "napoleon" for each in self.sides)
        if which == "field" and nation == "turkey":
            return self.area[self.place].a_home.id == "turkey" and self.present("turkey")
        return which == "naval" and nation == "sweden" and "baltic" in self.fleets and self.present("sweden")

    def use_reserve(self, nation: str, facts: dict[str, Any]) -> None:
        if nation == "russia":
            facts["played"].add("depth_of_the_land")
        else:
            self.of(nation).round.reserve += 2

    def respond_with(self, card: str, nation: str, facts: dict[str, Any]) -> None:
        if "mover" in facts or "reactor" in facts:
            facts["played"].add(card)
        else:
            super().respond_with(card, nation, facts)

    def reacts(self, nation: str, chief: str | None, here: str, there: str, which: str) -> bool:
        """Two dice, rating and modifiers; 9 succeeds (r.10.3), with the cards of the window."""
        facts: dict[str, Any] = {"reactor": nation, "here": here, "rolled": False, "played": set()}
        self.window(which, facts)
        if "blunder" in facts["played"]:
            return False
        if "depth_of_the_land" in facts["played"]:
            return True
        total = sum(self.dice(2)) + (self.leader[chief].a_battle if chief else 0)
        total += (1 if self.own(there, nation) else -1) - (self.way[here, there] != "open")
        if total < 9:
            facts["rolled"] = True
            self.window(which, facts)
            total += 3 * bool(facts["played"])
        return total >= 9

    def evade(self, nation: str, here: str, there: str) -> None:
        """The enemies of a nation that comes may leave (r.10.2, r.10.5)."""
        foes = self.foes(there, nation)
        leaders = [each for each in self.leaders(there) if self.hostile(each.a_nation.id, nation)]
        chief = self.chief_of(leaders)
        owners = [each.a_nation.id for each in foes]
        most = max(self.track, key=lambda each: (owners.count(each), -self.track.index(each)))
        evader = self.leader[chief].a_nation.id if chief else most
        ways = self.open_ways(evader, there, here)
        to = self.ask(evader, [*ways, None]) if ways else None
        if to and self.reacts(evader, chief, there, to, "evasion"):
            self.evaded = foes + leaders
            for each in self.evaded:
                self.put(each, to)
            self.strain(foes, evader, there, to)
        elif to:
            self.evasion_failed = True

    def room(self, leaders: list[Any]) -> int:
        """The units that an army group can lead (r.2.1)."""
        chief = self.leader[self.chief_of(leaders) or ""]
        others = [each for each in leaders if each is not chief]
        return int(chief.a_command - len(others) + sum(each.a_command for each in others))

    def interceptors(self, area: str, nation: str) -> list[Any]:
        """Leaders with units that were beside the area when the force entered (r.10.2, intercept.7)."""
        ready = [each for each in self.leaders(area, nation) if not each.a_failed and each not in self.evaded]
        return ready if any(each not in self.evaded for each in self.units(area, nation)) else []

    def intercept(self, nation: str, area: str, there: str) -> None:
        """Leaders of a nation in one area try once, together (r.10.2)."""
        units = [each for each in self.units(area, nation) if each not in self.evaded]
        able = self.interceptors(area, nation)
        first = self.chief_of(able)
        if first is None:
            return
        most = min(self.leader[first].a_command + 1, len(units))
        chosen = [self.leader[each] for each in self.choose(nation, [each.id for each in able], most)]
        chief = self.chief_of(chosen)
        if chief is None:
            return
        others = [each for each in chosen if each.id != chief]
        army = [self.leader[chief], *others[: self.leader[chief].a_command]]
        largest = min(self.room(army), len(units))
        force = units[: self.ask(nation, range(min(len(army), largest), largest + 1))]
        if self.reacts(nation, chief, area, there, "interception"):
            for each in force + army:
                self.put(each, there)
            self.strain(force, nation, area, there)
        else:
            for each in army:
                each.a_failed = True

    def stride(self, nation: str, here: str, there: str, entered: int) -> None:
        """Marching units and leaders enter an open area, after other areas (r.9.3, r.9.4)."""
        facts: dict[str, Any] = {"mover": nation, "played": set()}
        self.window("movement", facts)
        if facts["played"] & {"lost_orders", "bridges_burnt"}:
            return
        units = [each for each in self.units(here, nation) if each.a_marching]
        for each in units + [each for each in self.leaders(here, nation) if each.a_marching]:
            self.put(each, there)
        enemy = self.enemy_area(there, nation)
        causes = [
            entered >= 4 or "bad_roads" in facts["played"],
            enemy and self.way[here, there] in ("mountain_pass", "marsh"),
            enemy and not self.own(here, nation),
            self.area[there].a_burnt and self.hostile(self.area[there].a_home.id, nation),
        ]
        self.end_of_chouans(there)
        for _ in filter(None, causes):
            if left := [each for each in units if each.at.id == there]:
                self.wear(there, left)
        if self.units(there, nation):
            self.scatter(each for each in self.leaders(there) if self.hostile(each.a_nation.id, nation))

    # ---------------------------------------------------------------- peace
    def players(self) -> list[str]:
        """The players in the order of their major powers on the track."""
        return list(dict.fromkeys(self.seat(each) for each in self.majors()))

    def peace(self) -> str | None:
        """Cards of the next draw given up, the window, one die with modifiers (r.5.8); who wins, if the game ends."""
        if self.state.a_duel:
            return None
        if self.state.a_turn >= 5:
            return self.winner()
        for player in self.players():
            givers = [each for each in self.track if self.acts(each) and self.seat(each) == player]
            vote = self.ask(givers[0], ("keep", "for_peace", "for_war")) if givers else "keep"
            if vote != "keep":
                self.nation[self.ask(givers[0], givers)].a_gave_up = True
                self.state.a_peace_modifier += 1 if vote == "for_peace" else -1
        self.window("peace", {})
        if self.die() + self.state.a_turn - 1 + self.state.a_peace_modifier >= 6:
            return self.winner()
        self.state.a_peace_modifier = 0
        return None

    # ---------------------------------------------------------------- the marker
    def move_marker(self, nation: str) -> None:
        """To the next nation, or to the one that alone holds most cards and takes the impulse (r.5.2)."""
        acting = [each for each in self.track if self.acts(each)]
        later = [each for each in acting if self.track.index(each) > self.track.index(nation)]
        following = (later or acting)[0]
        sizes = {each: len(self.hand(each)) for each in acting}
        richest = [each for each in acting if sizes[each] == max(sizes.values()) > 0]
        bold = richest[0] if len(richest) == 1 else None
        able = bold and bold not in (nation, following) and not self.nation[bold].a_preempted
        if bold and able and self.ask(bold, (True, False)):
            self.nation[bold].a_preempted = True
            following = bold
        self.state.a_active = self.nation[following]
        if self.track.index(following) <= self.track.index(nation):
            self.state.a_mud = False
            for each in self.leader.values():
                each.a_failed = False

    # ---------------------------------------------------------------- cards over the limit
    def drop_excess(self, nation: str) -> None:
        """One card for a resource at random, others by choice; their CP buy diplomacy (r.14.6, r.14.7)."""
        before, limit = self.hand(nation), int(self.nation[nation].a_most_hand)
        if len(before) <= limit:
            return
        if self.nation[nation].a_resources < 4 and self.ask(nation, (True, False)):
            self.discard_at_random(nation)
            self.gain(nation)
        for needed in range(len(self.hand(nation)) - limit, 0, -1):
            hand = self.hand(nation)
            self.discard(self.ask(nation, hand) if len(hand) > needed else hand[0])
        if not self.state.a_duel:
            dropped = set(before) - set(self.hand(nation))
            self.spend_at_court(nation, sum(self.card[each].a_cp for each in dropped))
        self.state.a_points = 0

    def spend_at_court(self, nation: str, points: int) -> None:
        """Each diplomat moves once and turns once (r.8.4, r.8.6)."""
        moved: set[str] = set()
        turned: set[str] = set()
        while points > 0:
            free = [each for each in self.minors() if not self.allied(each)]
            still = [each for each in free if each not in moved]
            mine = self.own_row(nation)
            away = [each for each in still if self.box(each) != "undecided" and self.row(each) not in (nation, mine)]
            offers = {
                "move_diplomat": [each for each in still if max(1, self.price(each, 1)) <= points],
                "estrange": [each for each in away if self.price(each, -1) <= points],
                "turn_diplomat": [each for each in free if each not in turned],
            }
            bought = self.ask(nation, [*(each for each, able in offers.items() if able), None])
            if bought is None:
                return
            minor = self.ask(nation, offers[bought])
            if bought == "turn_diplomat":
                self.nation[minor].a_plus_side = not self.nation[minor].a_plus_side
                turned.add(minor)
                points -= 1
            elif bought == "estrange":
                points -= self.price(minor, -1)
                moved.add(minor)
                self.step_left(minor)
            else:
                moved.add(minor)
                points -= self.court(nation, minor)

    def court(self, nation: str, minor: str) -> int:
        """The CP paid to move a diplomat to the right, with the consent of the power of the row."""
        rows = self.majors() if self.box(minor) == "undecided" else [str(self.row(minor))]
        row = self.ask(nation, rows)
        if self.seat(row) != self.seat(nation) and not self.ask(row, (True, False)):
            return 0
        paid = max(1, self.price(minor, 1))
        self.step_right(minor, row)
        return paid
