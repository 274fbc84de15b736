"""Sieges and naval battles with cards, from the clauses (r.12, r.13) and the texts of siege and naval cards."""

from __future__ import annotations

from typing import Any

from plain_battle_cards import Round, Side
from plain_combats import Combats

OTHER = {"imperial": "coalition", "coalition": "imperial"}


class PortFights(Combats):
    """Sieges roll by roll, and naval battles in one round."""

    stubborn = 0
    betrayed = fortress_silent = False
    relieved = False
    besiegers = 0
    fleets: tuple[str, str] = ("", "")
    nelson: Side | None = None

    # ---------------------------------------------------------------- who plays what
    def present(self, nation: str) -> bool:
        if self.kind == "naval":
            return any(each.a_nation.id == nation for each in self.ships_of(self.of(nation)))
        if self.kind == "siege" and self.of(nation) is self.sides[1]:
            return self.controller(self.place) == nation
        return super().present(nation)

    def siege_fits(self, card: str, nation: str, mine: Side, foe: Side) -> bool:
        attacks = mine is self.sides[0]
        fortress = int(self.area[self.place].a_fortress)
        weak = fortress <= 2 and self.besiegers >= 3
        when = {
            "siege_train": attacks,
            "engineers": attacks,
            "treachery_at_the_gate": attacks and weak,
            "sortie": not attacks,
            "stubborn_governor": not attacks,
            "relieved_by_sea": not attacks and bool(self.zones(self.place, nation)),
        }
        return when.get(card, card in ("grand_battery", "reserve_artillery", "grenadiers", "short_of_powder"))

    def naval_fits(self, card: str, nation: str, mine: Side, foe: Side) -> bool:
        british = any(each.a_nation.id == "britain" for each in self.ships_of(mine))
        attacks_port = mine is self.sides[0] and self.fleets[1] in self.area
        when = {"the_weather_gauge": True, "the_nelson_touch": british, "fireships": attacks_port}
        return when.get(card, False)

    def _siege_train(self, nation: str, mine: Side, foe: Side) -> None:
        mine.round.extra += 3

    def _engineers(self, nation: str, mine: Side, foe: Side) -> None:
        mine.round.extra += 2
        foe.round.fewer += 1

    def _treachery_at_the_gate(self, nation: str, mine: Side, foe: Side) -> None:
        self.betrayed = True

    def _sortie(self, nation: str, mine: Side, foe: Side) -> None:
        mine.round.extra += 2

    def _stubborn_governor(self, nation: str, mine: Side, foe: Side) -> None:
        mine.round.extra += 1
        self.stubborn += 1

    def _relieved_by_sea(self, nation: str, mine: Side, foe: Side) -> None:
        self.relieved = True

    def _short_of_powder(self, nation: str, mine: Side, foe: Side) -> None:
        """Two dice fewer, but one is left; engineers may take the last (c.105, r.12.4)."""
        if self.kind == "siege" and foe is self.sides[1]:
            foe.round.fewer += min(2, max(0, self.fortress_dice() - 1))
        else:
            foe.round.fewer += 2

    def _the_weather_gauge(self, nation: str, mine: Side, foe: Side) -> None:
        mine.round.extra += 3
        foe.barred = True

    def _the_nelson_touch(self, nation: str, mine: Side, foe: Side) -> None:
        mine.round.extra += min(4, sum(each.a_nation.id == "britain" for each in self.ships_of(mine)))
        self.nelson = mine

    def _fireships(self, nation: str, mine: Side, foe: Side) -> None:
        self.fortress_silent = True
        mine.round.extra += 2

    # ---------------------------------------------------------------- sieges
    def fortress_dice(self) -> int:
        defender = self.sides[1]
        return max(0, int(self.area[self.place].a_fortress) + defender.round.extra - defender.round.fewer)

    def siege_dice(self, units: list[Any], plain: bool) -> int:
        attacker, defender = self.sides
        dice = len(units)
        if attacker.chief and not plain:
            dice += self.leader[attacker.chief].a_battle
        if not plain and self.units(self.place, attacker.speaker):
            dice += self.nation_dice(attacker.speaker)
        dice -= any(self.controls_sea(defender.side, each) for each in self.area[self.place].a_ports)
        return max(1, dice + attacker.round.extra - attacker.round.fewer)

    def siege(self, area: str, nation: str) -> None:
        """The siege of a nation that stands there, in its impulse (r.12.2 to r.12.7)."""
        self.line_up("siege", area, self.side(nation), OTHER[self.side(nation)])
        attacker, defender = self.sides
        defender.speaker = self.controller(area)
        self.stubborn, self.betrayed, self.relieved = 0, False, False
        plain = attacker.speaker != nation
        attacker.speaker = nation
        group = self.units(area, nation) if plain else self.force(attacker)
        fallen = self.siege_round(group, plain)
        left = [each for each in group if each.at.id == area]
        hits = attacker.round.hits, defender.round.hits
        strength = int(self.area[area].a_fortress) + self.stubborn
        if not fallen and hits[1] < hits[0] < strength and left:
            self.number_of_round = 2
            fallen = self.siege_round(left, plain)
        self.kind = ""
        if fallen:
            self.take(area, nation)
        self.leave_alone(area, attacker.side)

    def siege_round(self, group: list[Any], plain: bool) -> bool:
        """Whether the fortress falls."""
        attacker, defender = self.sides
        for each in self.sides:
            each.round = Round()
        self.besiegers = len(group)
        self.window("siege", {})
        if self.betrayed and not self.relieved:
            return True
        attacker.round.hits = self.dice(self.siege_dice(group, plain)).count(6)
        defender.round.hits = sum(each >= 5 for each in self.dice(self.fortress_dice()))
        attacker.total += attacker.round.hits
        strength = int(self.area[self.place].a_fortress) + self.stubborn
        lost = self.lose(attacker, self.force(attacker), defender.round.hits)
        self.eliminate(lost)
        return attacker.total >= strength and not self.relieved

    # ---------------------------------------------------------------- naval battles
    def ships_of(self, side: Side) -> list[Any]:
        return self.fleet(self.fleets[side is not self.sides[0]], side.side)

    def broadside(self, side: Side) -> int:
        nations = {each.a_nation.id for each in self.ships_of(side)}
        dice = len(self.ships_of(side)) + ("britain" in nations and "france" not in nations) + side.round.extra
        port = self.area.get(self.fleets[1])
        if side is self.sides[1] and port and not self.fortress_silent:
            dice += int(port.a_fortress)
        return dice

    def naval_battle(self, side: str, here: str, there: str) -> None:
        """One round; the loser's rest runs to the nearest port (r.13.5)."""
        self.kind, self.fleets = "naval", (here, there)
        self.sides = (Side(side), Side(OTHER[side]))
        self.fortress_silent, self.nelson = False, None
        attacker, defender = self.sides
        self.window("naval", {})
        rolls = [self.dice(self.broadside(attacker))]
        rolls.append(self.dice(self.broadside(defender)))
        for each, thrown in zip(self.sides, rolls, strict=True):
            each.round.hits = sum(face >= 5 for face in thrown)
            if each is self.nelson and thrown.count(1) >= 2:
                self.card["the_nelson_touch"].at = self.pile["out_of_game"]
        for each, thrown in zip((defender, attacker), rolls, strict=True):
            self.batter(each, thrown.count(6), thrown.count(5))
        beaten = defender if attacker.round.hits > defender.round.hits else attacker
        self.kind = ""
        for ship in self.ships_of(beaten):
            self.run_to_port(ship)

    def batter(self, side: Side, sunk: int, damaged: int) -> None:
        ships = self.ships_of(side)
        self.sink(ships[:sunk])
        for each in ships[sunk : sunk + damaged]:
            each.at = self.box_named["fleet_box"]
