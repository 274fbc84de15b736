"""Battle and response cards in a field battle: when they fit and what they do, from their texts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from plain_answers import Answers

MOST_CARDS = 2
"""Cards that a side may play in a fight (r.6.3.1)."""


@dataclass
class Round:
    """What cards change in the dice of a side in this round."""

    extra: int = 0
    reserve: int = 0
    fewer: int = 0
    flat: bool = False
    leaderless: bool = False
    ignored: bool = False
    alone: bool = False
    hits: int = 0


@dataclass
class Side:
    """A side of a fight."""

    side: str
    chief: str | None = None
    speaker: str = ""
    cards: int = 0
    lost: int = 0
    total: int = 0
    scatters: int = 0
    barred: bool = False
    pursues: bool = False
    tenacious: bool = False
    rearguard: bool = False
    guard: bool = False
    round: Round = field(default_factory=Round)


class BattleCards(Answers):
    """The sides of a fight, and the cards that may be played in a field battle."""

    kind = ""
    place = ""
    number_of_round = 0
    ahead = 0
    deadly = foggy = False
    taken_away = 0
    evasion_failed = False
    sides: tuple[Side, Side]

    def __init__(self, core: Any) -> None:
        super().__init__(core)
        self.way: dict[tuple[str, str], str] = {}
        for each, road in self.things["road"].items():
            one, other = each.split("-")
            self.way[one, other] = self.way[other, one] = str(road.a_way.id)

    # ---------------------------------------------------------------- who is where
    def of(self, nation: str) -> Side:
        return self.sides[1] if self.side(nation) != self.sides[0].side else self.sides[0]

    def against(self, side: Side) -> Side:
        return self.sides[1] if side is self.sides[0] else self.sides[0]

    def force(self, side: Side) -> list[Any]:
        return [each for each in self.troops(self.place) if self.side(each.a_nation.id) == side.side]

    def fresh(self, side: Side) -> list[Any]:
        return [each for each in self.force(side) if not each.a_disrupted]

    def staff(self, side: Side) -> list[Any]:
        return [each for each in self.leaders(self.place) if self.side(each.a_nation.id) == side.side]

    def chief_of(self, leaders: Iterable[Any]) -> str | None:
        """The commander-in-chief; of equals one of the active nation, else the first listed (r.2.2)."""
        listed = list(self.leader.values())

        def rank(each: Any) -> tuple[int, int, bool, int]:
            mine = each.a_nation.id == self.state.a_active.id
            return each.a_command, each.a_battle, mine, -listed.index(each)

        chief = max(leaders, key=rank, default=None)
        return None if chief is None else str(chief.id)

    def call_up(self, side: Side) -> None:
        """Who commands, and which nation speaks for the side (r.2.2, r.11.8)."""
        side.chief = self.chief_of(self.staff(side))
        owners = [each.a_nation.id for each in self.force(side)]
        if side.chief:
            side.speaker = self.leader[side.chief].a_nation.id
        elif owners:
            side.speaker = max(self.track, key=lambda each: (owners.count(each), -self.track.index(each)))
        else:
            side.speaker = self.controller(self.place)

    def line_up(self, kind: str, place: str, one: str, other: str) -> None:
        self.kind, self.place = kind, place
        self.sides = (Side(one), Side(other))
        self.number_of_round, self.ahead, self.deadly = 1, 0, False
        for each in self.sides:
            self.call_up(each)

    def terrain(self) -> str:
        return str(self.area[self.place].a_terrain.id) if self.kind == "field" else ""

    def present(self, nation: str) -> bool:
        return any(each.a_nation.id == nation for each in self.troops(self.place) + self.leaders(self.place))

    # ---------------------------------------------------------------- cards of a field battle
    def near_armies(self, nation: str) -> list[str]:
        """Leaders with a unit of theirs beside the battle, not over a strait, where they may go (c.93)."""
        if self.closed(self.place, nation):
            return []
        beside = [each for each in self.area if each in self.next_to[self.place]]
        return [
            leader.id
            for leader in self.leader.values()
            if leader.a_nation.id == nation and leader.at.id in beside
            if self.way[leader.at.id, self.place] != "strait" and self.units(leader.at.id, nation)
        ]

    def closed(self, area: str, nation: str) -> bool:
        """Neutral land, and the Russian winter (r.9.8, c.5)."""
        winter = self.state.a_winter and self.area[area].a_home.id == "russia" and nation != "russia"
        return winter or not (self.own(area, nation) or self.enemy_area(area, nation))

    def squares(self, nation: str, maker: str) -> bool:
        return self.kind == "field" and self.may_play(nation) and self.present(nation)

    def may_play(self, nation: str) -> bool:
        if self.side(nation) == "neutral":
            return False
        mine = self.of(nation)
        return not mine.barred and mine.cards < MOST_CARDS

    def replied(self, reply: str, nation: str) -> None:
        super().replied(reply, nation)
        if self.kind and reply == "in_squares":
            self.of(nation).cards += 1

    def respond(self, card: str, nation: str, facts: dict[str, Any], pile: str = "discards") -> None:
        if self.kind:
            self.of(nation).cards += 1
        super().respond(card, nation, facts, "played" if self.kind else pile)

    def fits(self, card: str, nation: str, which: str, facts: dict[str, Any]) -> bool:
        makers = {getattr(each, "id", each) for each in self.card[card].a_by}
        if makers and nation not in makers:
            return False
        if which not in ("field", "after_round", "rout", "siege", "naval"):
            return super().fits(card, nation, which, facts)
        if not self.may_play(nation) or not (self.present(nation) or card == "march_to_the_guns"):
            return False
        mine = self.of(nation)
        judge = getattr(self, f"{which}_fits")
        return bool(judge(card, nation, mine, facts.get("loser", self.against(mine))))

    def field_fits(self, card: str, nation: str, mine: Side, foe: Side) -> bool:
        first, attacks = self.number_of_round == 1, mine is self.sides[0]
        british = mine.chief is not None and self.leader[mine.chief].a_nation.id == "britain"
        when = {
            "the_old_guard": any(each.id == "napoleon" for each in self.leaders(self.place)),
            "skirmishers": first,
            "column_of_attack": first and attacks,
            "reverse_slope": not attacks and british,
            "oblique_order": first,
            "russian_tenacity": any(each.a_nation.id == "russia" for each in self.force(mine)),
            "hold_the_village": not attacks,
            "night_march": first and attacks,
            "march_to_the_guns": first and bool(self.near_armies(nation)),
            "quarrelling_marshals": len(self.staff(foe)) >= 2,
        }
        plain = {
            *("to_the_death", "grand_battery", "reserve_artillery", "horse_artillery", "cuirassiers", "grenadiers"),
            *("thin_red_line", "sun_of_austerlitz", "fog_and_snow", "in_squares", "short_of_powder"),
        }
        return card in plain or when.get(card, False)

    def after_round_fits(self, card: str, nation: str, mine: Side, foe: Side) -> bool:
        when = {
            "envelopment": mine.round.hits > foe.round.hits,
            "rally": any(each.a_disrupted for each in self.force(mine)),
            "a_general_falls": bool(self.staff(foe)),
        }
        return when.get(card, False)

    def rout_fits(self, card: str, nation: str, mine: Side, loser: Side | None) -> bool:
        return (card == "rearguard" and mine is loser) or (card == "hussars_in_pursuit" and mine is not loser)

    def respond_with(self, card: str, nation: str, facts: dict[str, Any]) -> None:
        if not self.kind or "worn" in facts:
            super().respond_with(card, nation, facts)
            return
        mine = self.of(nation)
        foe, attacks, clear = self.against(mine), mine is self.sides[0], self.terrain() == "clear"
        british = sum(each.a_nation.id == "britain" for each in self.force(mine))
        extra = {
            "the_old_guard": 4,
            "grand_battery": 3,
            "reserve_artillery": 2,
            "grenadiers": 2,
            "column_of_attack": 2,
            "horse_artillery": 3 if clear else 2,
            "cuirassiers": 3 if clear else 1,
            "reverse_slope": 1,
            "thin_red_line": min(4, british),
            "oblique_order": 3 if attacks else 1,
            "sun_of_austerlitz": 3,
            "hold_the_village": 2,
            "night_march": 1,
        }
        mine.round.extra += extra.get(card, 0)
        effect = getattr(self, f"_{card}", None)
        if effect:
            effect(nation, mine, foe)
        else:
            assert card in extra, card

    def _to_the_death(self, nation: str, mine: Side, foe: Side) -> None:
        self.deadly = True

    def _the_old_guard(self, nation: str, mine: Side, foe: Side) -> None:
        mine.guard = True

    def _hussars_in_pursuit(self, nation: str, mine: Side, foe: Side) -> None:
        mine.pursues = True

    def _rearguard(self, nation: str, mine: Side, foe: Side) -> None:
        mine.rearguard = True

    def disrupt(self, side: Side, number: int) -> None:
        raise NotImplementedError

    def _skirmishers(self, nation: str, mine: Side, foe: Side) -> None:
        self.disrupt(foe, self.dice(3).count(6))

    def _column_of_attack(self, nation: str, mine: Side, foe: Side) -> None:
        foe.round.extra += 1

    def _reverse_slope(self, nation: str, mine: Side, foe: Side) -> None:
        foe.round.ignored = True

    def _russian_tenacity(self, nation: str, mine: Side, foe: Side) -> None:
        mine.tenacious = True

    def _sun_of_austerlitz(self, nation: str, mine: Side, foe: Side) -> None:
        foe.round.flat = foe.round.leaderless = True

    def _fog_and_snow(self, nation: str, mine: Side, foe: Side) -> None:
        self.foggy = True

    def _hold_the_village(self, nation: str, mine: Side, foe: Side) -> None:
        self.taken_away = 2

    def _night_march(self, nation: str, mine: Side, foe: Side) -> None:
        foe.round.flat = True

    def _in_squares(self, nation: str, mine: Side, foe: Side) -> None:
        foe.round.fewer += 1

    def _quarrelling_marshals(self, nation: str, mine: Side, foe: Side) -> None:
        foe.round.alone = True

    def _short_of_powder(self, nation: str, mine: Side, foe: Side) -> None:
        foe.round.fewer += 2

    def _envelopment(self, nation: str, mine: Side, foe: Side) -> None:
        self.ahead += 1 if mine is self.sides[0] else -1
        mine.scatters += 1

    def _rally(self, nation: str, mine: Side, foe: Side) -> None:
        for each in [each for each in self.force(mine) if each.a_disrupted][:3]:
            each.a_disrupted = False

    def _a_general_falls(self, nation: str, mine: Side, foe: Side) -> None:
        target = self.leader[self.ask(nation, [each.id for each in self.staff(foe)])]
        if self.die() >= (6 if target.id in ("napoleon", "wellington") else 5):
            self.scatter([target])
            self.call_up(foe)

    def _march_to_the_guns(self, nation: str, mine: Side, foe: Side) -> None:
        """The leader comes with units of his nation up to his command."""
        general = self.leader[self.ask(nation, self.near_armies(nation))]
        units = self.units(general.at.id, nation)
        number = self.ask(nation, range(1, min(len(units), general.a_command) + 1))
        for each in [general, *units[:number]]:
            self.put(each, self.place)
        self.call_up(mine)
