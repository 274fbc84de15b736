"""Events of The Napoleonic Wars that touch armies, areas, builds and ships, from the texts of the cards.

For each card a method says what it does; another, with the prefix `can_`, whether it can do anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from plain_table import Table

POLAND = ("warsaw", "cracow", "lemberg")
ALPS = ("tyrol", "zurich", "trieste")
CALABRIA = ("naples", "rome", "palermo")
RHINE = ("munich", "ulm")
NORTH = {"north_sea", "baltic"}


class Campaigns(Table):
    """Events of armies and fleets."""

    # ---------------------------------------------------------------- the land war
    def can_polish_uprising(self, nation: str) -> list[str]:
        return [each for each in POLAND if self.enemy_area(each, nation)]

    def polish_uprising(self, nation: str) -> None:
        area = self.ask(nation, self.can_polish_uprising(nation))
        for left in (2, 1):
            foes = self.foes(area, nation)
            owners = {each.a_nation.id for each in foes}
            if not owners:
                break
            whose = self.ask(nation, owners) if len(foes) > left else next(iter(owners))
            self.eliminate([each for each in foes if each.a_nation.id == whose][:1])
        if not self.foes(area, nation):
            self.scatter(each for each in self.leaders(area) if self.hostile(each.a_nation.id, nation))
            self.take(area, nation)
            for each in self.in_box("unit", nation, "pool")[:2]:
                self.put(each, area)

    def intruders(self) -> list[str]:
        home = self.home("russia")
        return [each for each in home if any(unit.a_nation.id != "russia" for unit in self.units(each))]

    def can_russian_winter(self, _: str) -> bool:
        return not self.state.a_winter or bool(self.intruders())

    def russian_winter(self, _: str) -> None:
        self.state.a_winter = True
        for area in self.intruders():
            self.attrition(area, [each for each in self.track if each != "russia"])

    def can_burnt_earth(self, nation: str) -> list[str]:
        return [each for each in self.home(nation) if not self.area[each].a_burnt]

    def burnt_earth(self, nation: str) -> None:
        chosen = [self.ask(nation, self.can_burnt_earth(nation))]
        while len(chosen) < 3:
            beside = {each for each in self.home(nation) if self.next_to[each] & set(chosen)} - set(chosen)
            beside = {each for each in beside if not self.area[each].a_burnt}
            answer = self.ask(nation, [*beside, None])
            if answer is None:
                break
            chosen.append(answer)
        for each in chosen:
            self.area[each].a_burnt = True

    def surprised(self, nation: str) -> list[str]:
        armies = {each for each in self.area if self.units(each, nation) and self.leaders(each, nation)}
        return [
            each
            for each, area in self.area.items()
            if self.enemy_area(each, nation) and not area.a_fortress and not self.foes(each, nation)
            if self.next_to[each] & armies
        ]

    can_coup_de_main = surprised

    def coup_de_main(self, nation: str) -> None:
        self.take(self.ask(nation, self.surprised(nation)), nation)

    def prey_in_spain(self, nation: str) -> dict[str, list[str]]:
        def preyed(other: str) -> bool:
            return self.hostile(other, nation) or self.hostile(other, "spain")

        forces = {
            area: [each for each in self.strangers(area) if self.units(area, each)] for area in self.home("spain")
        }
        found = {area: [each for each in nations if preyed(each)] for area, nations in forces.items()}
        return {area: nations for area, nations in found.items() if nations}

    def free_spain(self) -> list[str]:
        """Home areas where Spain may build: its own, free of enemies, not cut off, fewer than 2 builds (r.7)."""
        own = [each for each in self.home("spain") if self.controller(each) == "spain"]
        safe = [each for each in own if not self.threatened(each, "spain") and not self.cut_off(each, "spain")]
        return [each for each in safe if self.area[each].a_built < 2]

    def can_guerrillas(self, nation: str) -> bool:
        builds = self.friends("spain", nation) and self.in_box("unit", "spain", "pool") and self.free_spain()
        return bool(self.prey_in_spain(nation) or builds)

    def guerrillas(self, nation: str) -> None:
        for area, nations in self.prey_in_spain(nation).items():
            self.attrition(area, nations)
        if self.friends("spain", nation):
            self.build("spain", 1, self.free_spain)

    def prey(self, areas: Iterable[str], nation: str) -> list[str]:
        return [each for each in areas if self.foes(each, nation)]

    def rise(self, area: str, nation: str) -> None:
        for _ in range(2):
            self.attrition(area, [each for each in self.track if self.hostile(each, nation)])

    def marked(self, area: str, nation: str) -> bool:
        """Whether an enemy's marker lies where no unit is."""
        lone = not self.units(area) and self.area[area].a_marker is not None
        return lone and self.enemy_area(area, nation)

    def can_tyrolean_rising(self, nation: str) -> list[str]:
        return [each for each in ALPS if self.foes(each, nation) or self.marked(each, nation)]

    def tyrolean_rising(self, nation: str) -> None:
        area = self.ask(nation, self.can_tyrolean_rising(nation))
        self.rise(area, nation)
        if self.marked(area, nation):
            self.lift_marker(area)

    def can_calabrian_brigands(self, nation: str) -> list[str]:
        return self.prey(CALABRIA, nation)

    def calabrian_brigands(self, nation: str) -> None:
        self.rise(self.ask(nation, self.can_calabrian_brigands(nation)), nation)

    def rebels(self, _: str) -> list[str]:
        coalition = [each for each in self.track if self.side(each) == "coalition"]
        return [each for each in coalition if self.controller("vendee") != each]

    def can_chouans(self, nation: str) -> bool:
        return not self.units("vendee", "france") and bool(self.rebels(nation))

    def chouans(self, nation: str) -> None:
        self.take("vendee", self.ask(nation, self.rebels(nation)))
        self.area["vendee"].a_raised = True

    def can_the_irish_rising(self, _: str) -> bool:
        return bool(self.units("dublin", "britain")) or self.controller("dublin") != "france"

    def the_irish_rising(self, _: str) -> None:
        if garrison := self.units("dublin", "britain"):
            self.eliminate(garrison[:1])
        else:
            self.take("dublin", "france")

    def camps(self, _: str) -> list[str]:
        return [each for each in self.area if len(self.units(each)) >= 5]

    can_camp_fever = camps

    def camp_fever(self, nation: str) -> None:
        self.attrition(self.ask(nation, self.camps(nation)), self.track)

    def can_rasputitsa(self, _: str) -> bool:
        return not self.state.a_mud

    def rasputitsa(self, _: str) -> None:
        self.state.a_mud = True

    def can_serbian_revolt(self, _: str) -> bool:
        if self.allied("turkey"):
            return not self.nation["turkey"].a_foreign_war
        return bool(self.units("belgrade", "turkey"))

    def serbian_revolt(self, _: str) -> None:
        if self.allied("turkey"):
            self.nation["turkey"].a_foreign_war = True
        else:
            self.eliminate(self.units("belgrade", "turkey")[:2])

    # ---------------------------------------------------------------- builds
    def build(self, nation: str, most: int, areas: Callable[[], Iterable[str]]) -> None:
        """Builds units one by one, as far as there are units and areas."""
        for _ in range(most):
            able = list(areas())
            if not able or not self.in_box("unit", nation, "pool"):
                return
            self.raise_unit(nation, self.ask(nation, able))

    def able_to_levy(self, nation: str) -> bool:
        return bool(self.in_box("unit", nation, "pool") and self.build_areas(nation, limit=True))

    def levy(self, nation: str, most: int) -> None:
        self.build(nation, most, lambda: self.build_areas(nation, limit=True))

    can_conscription_of_the_class = can_landwehr = can_opolchenie = can_militia_and_volunteers = able_to_levy

    def conscription_of_the_class(self, nation: str) -> None:
        self.levy(nation, 3)

    landwehr = opolchenie = conscription_of_the_class

    def militia_and_volunteers(self, nation: str) -> None:
        self.levy(nation, 2)

    def can_hungarian_insurrection(self, nation: str) -> bool:
        return bool(self.in_box("unit", nation, "pool")) and "buda" in self.build_areas(nation, limit=False)

    def hungarian_insurrection(self, nation: str) -> None:
        for _ in range(3):
            self.raise_unit(nation, "buda")

    def rhine_areas(self) -> list[str]:
        free = [each for each in RHINE if not self.threatened(each, "france")]
        return [each for each in free if self.area[each].a_built < 2 and not self.cut_off(each, "france")]

    def rhine_posts(self) -> list[str]:
        return [each for each in RHINE if not self.threatened(each, "france")]

    def can_confederation_of_the_rhine(self, _: str) -> bool:
        if any(self.controller(each) != "france" for each in RHINE):
            return False
        builds = self.in_box("unit", "france", "pool") and self.rhine_areas()
        return bool(builds or (self.in_box("leader", "france", "regroup") and self.rhine_posts()))

    def confederation_of_the_rhine(self, nation: str) -> None:
        self.build(nation, 3, self.rhine_areas)
        if (marshals := self.in_box("leader", nation, "regroup")) and self.rhine_posts():
            marshal = self.ask(nation, [*(each.id for each in marshals), None])
            if marshal:
                self.put(self.leader[marshal], self.ask(nation, self.rhine_posts()))

    def leader_areas(self, nation: str) -> list[str]:
        """Where a leader is built: the capital, or a home area with an own unit (r.7.2)."""
        capital = self.nation[nation].a_capital.id
        posts = [each for each in self.home(nation) if self.units(each, nation)]
        if self.controller(capital) == nation and capital not in posts:
            posts.append(capital)
        return [each for each in posts if not self.threatened(each, nation) and not self.cut_off(each, nation)]

    def new_leaders(self, nation: str) -> list[str]:
        return [each.id for each in self.in_box("leader", nation, "pool") if each.a_entry <= self.state.a_turn]

    def regroup_areas(self, nation: str) -> list[str]:
        """Home keys of its own without an enemy (r.7.4); r.7.5 speaks of builds alone."""
        own = [each for each in self.home_keys(nation) if self.controller(each) == nation]
        return [each for each in own if not self.threatened(each, nation)]

    def reformers(self, nation: str) -> list[str]:
        return [each for each in self.new_leaders(nation) if self.leader[each].a_battle == 2]

    def can_army_reforms(self, nation: str) -> bool:
        return bool(self.reformers(nation) and self.leader_areas(nation))

    def army_reforms(self, nation: str) -> None:
        reformer = self.ask(nation, self.reformers(nation))
        area = self.ask(nation, self.leader_areas(nation))
        self.put(self.leader[reformer], area)
        if area in self.build_areas(nation, limit=True):
            self.raise_unit(nation, area)

    def promoted(self, nation: str) -> list[str]:
        built = self.new_leaders(nation) if self.leader_areas(nation) else []
        back = self.in_box("leader", nation, "regroup") if self.regroup_areas(nation) else []
        return [*built, *(each.id for each in back)]

    can_a_marshal_s_baton = promoted

    def a_marshal_s_baton(self, nation: str) -> None:
        marshal = self.leader[self.ask(nation, self.promoted(nation))]
        back = marshal.at is self.nation[nation].a_regroup
        self.put(marshal, self.ask(nation, self.regroup_areas(nation) if back else self.leader_areas(nation)))

    def can_depots(self, nation: str) -> bool:
        waiting = self.in_box("unit", nation, "regroup") + self.in_box("leader", nation, "regroup")
        return bool(waiting and self.regroup_areas(nation))

    def depots(self, nation: str) -> None:
        self.bring_back(nation, 4, with_leaders=True)

    def bring_back(self, nation: str, most: int, with_leaders: bool) -> None:
        waiting = [each.id for each in self.in_box("leader", nation, "regroup")] if with_leaders else []
        leaders = self.choose(nation, waiting, most)
        for each in leaders:
            self.put(self.leader[each], self.ask(nation, self.regroup_areas(nation)))
        for _ in range(most - len(leaders)):
            units = self.in_box("unit", nation, "regroup")
            area = self.ask(nation, [*self.regroup_areas(nation), None]) if units else None
            if area is None:
                break
            self.put(units[0], area)

    def aid(self, nation: str, left: int) -> dict[str, bool]:
        """What a friend can buy with British money."""
        back = self.in_box("unit", nation, "regroup") + self.in_box("leader", nation, "regroup")
        return {
            "unit": left >= 2 and self.able_to_levy(nation),
            "back": bool(back and self.regroup_areas(nation)),
            "squadron_back": bool(self.in_box("squadron", nation, "regroup") and self.home_ports(nation)),
        }

    def home_ports(self, nation: str) -> list[str]:
        ports = [each for each in self.home(nation) if self.area[each].a_ports and self.controller(each) == nation]
        return [each for each in ports if not self.threatened(each, nation)]

    def paid(self, nation: str) -> list[str]:
        friends = [each for each in self.track if each != nation and self.friends(each, nation)]
        return [each for each in friends if any(self.aid(each, 6).values())]

    can_british_subsidies = paid

    def british_subsidies(self, nation: str) -> None:
        friends = self.paid(nation)
        shares = dict.fromkeys(friends, 0)
        for _ in range(6):
            shares[self.ask(nation, friends)] += 1
        for friend in friends:
            self.spend_aid(friend, shares[friend])

    def spend_aid(self, nation: str, left: int) -> None:
        while left:
            bought = self.ask(nation, [*(each for each, able in self.aid(nation, left).items() if able), "done"])
            if bought == "done":
                return
            left -= 2 if bought == "unit" else 1
            if bought == "unit":
                self.levy(nation, 1)
            elif bought == "back":
                self.bring_back(nation, 1, with_leaders=True)
            else:
                ship = self.in_box("squadron", nation, "regroup")[0]
                ship.a_state = self.words["refit"]
                self.put(ship, self.ask(nation, self.home_ports(nation)))

    # ---------------------------------------------------------------- the sea
    def can_baltic_naval_stores(self, nation: str) -> bool:
        builds = self.in_box("squadron", nation, "pool") and self.dockyards(nation)
        return self.own("stockholm", nation) and bool(builds or self.refits(nation))

    def baltic_naval_stores(self, nation: str) -> None:
        if self.in_box("squadron", nation, "pool") and self.dockyards(nation):
            port = self.ask(nation, [*self.dockyards(nation), None])
            if port:
                self.lay_down(nation, port, "ready")
        for each in self.refits(nation):
            each.a_state = self.words["ready"]

    def can_press_gang(self, nation: str) -> bool:
        return bool((self.in_box("squadron", nation, "pool") and self.dockyards(nation)) or self.refits(nation))

    def press_gang(self, nation: str) -> None:
        builds = bool(self.in_box("squadron", nation, "pool") and self.dockyards(nation))
        offers = {"build": builds, "man": bool(self.refits(nation))}
        if self.ask(nation, [each for each, able in offers.items() if able]) == "build":
            self.lay_down(nation, self.ask(nation, self.dockyards(nation)), "under_construction")
        else:
            for each in self.choose(nation, [ship.id for ship in self.refits(nation)], 2):
                self.ship[each].a_state = self.words["ready"]

    def raided(self, nation: str) -> list[str]:
        """Enemy squadrons in ports beside a zone of the own side."""
        beside = [each for each in self.area if self.zones(each, nation)]
        return [each for each in beside if any(self.hostile(it.a_nation.id, nation) for it in self.ships(each))]

    def zones(self, area: str, nation: str) -> list[str]:
        return [each for each in self.area[area].a_ports if self.controls_sea(self.side(nation), each)]

    can_cutting_out_party = raided

    def cutting_out_party(self, nation: str) -> None:
        port = self.ask(nation, self.raided(nation))
        rolled = self.die()
        if rolled >= 5:
            self.sink([each for each in self.ships(port) if self.hostile(each.a_nation.id, nation)][:1])
        if rolled == 1:
            boats = [ship for ship in self.ship.values() if ship.at.id in self.zones(port, nation)]
            mine = [each for each in boats if each.a_nation.id == nation]
            self.sink((mine or [each for each in boats if self.friends(each.a_nation.id, nation)])[:1])

    def stormy(self, _: str) -> list[str]:
        return [each for each in self.sea if self.ships(each)]

    can_storm_at_sea = stormy

    def storm_at_sea(self, nation: str) -> None:
        for each in self.ships(self.ask(nation, self.stormy(nation))):
            rolled = self.die()
            if rolled == 6:
                self.sink([each])
            elif rolled >= 4:
                each.a_state = self.words["refit"]
                self.run_to_port(each)

    def blockaded(self, nation: str) -> list[str]:
        return [each for each in self.area if self.ready_ships(each, nation)]

    can_breaking_the_blockade = blockaded

    def breaking_the_blockade(self, nation: str) -> None:
        port = self.ask(nation, self.blockaded(nation))
        ships = self.ready_ships(port, nation)
        number = self.ask(nation, range(1, min(3, len(ships)) + 1))
        ports = [each for each in self.area if self.area[each].a_ports and self.own(each, nation)]
        there = self.ask(nation, [each for each in [*ports, *self.sea] if each != port])
        for each in ships[:number]:
            self.put(each, there)

    def can_copenhagen_bombarded(self, _: str) -> bool:
        return self.controls_sea(self.side("britain"), "north_sea")

    def copenhagen_bombarded(self, nation: str) -> None:
        hits = sum(each >= 4 for each in self.dice(3))
        danes = self.on_map("squadron", "denmark")
        if hits and danes and self.in_box("squadron", nation, "pool") and self.dockyards(nation):
            self.lay_down(nation, self.ask(nation, self.dockyards(nation)), "refit")
        self.sink(danes[:hits])
        if not (self.allied("denmark") and self.row("denmark") == "france"):
            self.leave_alliance("denmark")
            self.set_box("denmark", "france", "friendly")

    def leagued(self, nation: str) -> list[str]:
        """Russia, Sweden and Denmark as far as they are neutral or friends; the duel has no neutral minor nations."""
        north = ("russia", "sweden", "denmark")
        free = [each for each in north if self.major(each) or not self.state.a_duel]
        return [each for each in north if self.friends(each, nation) or (each in free and self.side(each) == "neutral")]

    def can_league_of_armed_neutrality(self, nation: str) -> bool:
        builders = [
            each for each in self.leagued(nation) if self.in_box("squadron", each, "pool") and self.dockyards(each)
        ]
        return bool(builders or self.ships("baltic", "britain"))

    def league_of_armed_neutrality(self, nation: str) -> None:
        for each in self.leagued(nation):
            if self.in_box("squadron", each, "pool") and self.dockyards(each):
                self.lay_down(each, self.ask(each, self.dockyards(each)), "under_construction")
        for ship in self.ships("baltic", "britain"):
            self.run_to_port(ship)

    def port_keys(self) -> int:
        """Port keys on the North Sea and the Baltic under the control of France's side."""
        northern = [each for each, area in self.area.items() if area.a_key and area.a_ports & NORTH]
        return sum(self.friends(self.controller(each), "france") for each in northern)

    def zones_held(self, nation: str) -> int:
        return sum(self.controls_sea(self.side(nation), each) for each in self.sea)
