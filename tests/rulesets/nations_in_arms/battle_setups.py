"""Sets up random battles: stacks of every sort meet in one place, others stand around."""

from __future__ import annotations

import random
from typing import Any

from plain_force import inside

from interpreter.play.engine.entry import ReturnValue, start_at_call

TERRAINS = ["clear", "clear", "clear", "forest", "swamp", "mountain", "mountain_pass"]
SEASONS = ["spring", "summer", "autumn", "winter"]
ROAMERS = {"cossack", "guerrillas"}
SORTS = ["unit", "corps", "corps", "army", "army", "army", "group", "group", "roamers", "stores"]


class RandomBattle:
    """Begins a game with a battle that a seed decides."""

    def __init__(self, seed: int | str, crowded: float = 0.5) -> None:
        self.random = random.Random(seed)
        self.crowded = crowded
        self.returned = ReturnValue()

    def __call__(self, core: Any) -> Any:
        """Puts everything in its place, and calls the battle."""
        self.world, self.core = core.world, core
        self.of: dict[str, list[Any]] = {}
        for each in self.world.objects:
            self.of.setdefault(each.kind, []).append(each)
        self.forms = {each: core.find("support_form", each) for each in ("train", "depot", "pontoon")}
        blocs = [self.world.find("bloc", each) for each in ("empire", "coalition")]
        self.random.shuffle(blocs)
        self.calendar()
        self.alliances(blocs)
        place, origin, other = self.places()
        sort = self.random.choice(SORTS)
        attacker = self.sized(blocs[0], place, sort if sort != "stores" else "corps")
        defender = self.sized(blocs[1], place, sort if self.random.random() < 0.6 else self.random.choice(SORTS))
        intercepts = other is not None and bool(inside(defender, "combat_unit")) and self.random.random() < 0.3
        if origin is None:
            place.a_siege, place.a_holder = self.random.randint(0, 4), attacker.a_flag
        elif self.random.random() < 0.5:
            attacker.a_came_from = origin
        self.world.state.a_active = attacker
        self.around(place, blocs, {origin, other} if intercepts else {origin})
        self.core.forget()
        failed = not intercepts and self.random.random() < 0.3
        run = core.rule("procedures/field_battle")
        given = (attacker, defender, origin, other if intercepts else None, failed)
        return start_at_call(lambda _core: lambda: run(*given), True, self.returned)(core)

    def calendar(self) -> None:
        """A season and a year."""
        self.world.state.a_season = self.core.find("season", self.random.choice(SEASONS))
        self.world.state.a_year = self.random.choice([1796, 1800, 1805])

    def alliances(self, blocs: list[Any]) -> None:
        """A bloc for every power, a master for most of the minor ones."""
        masters = [each for each in self.of["power"] if each.a_major]
        for number, each in enumerate(self.random.sample(masters, len(masters))):
            each.a_bloc = blocs[number] if number < 2 else self.random.choice(blocs)
        for each in self.of["power"]:
            if not each.a_major:
                master = self.random.choice(masters)
                each.a_bloc, each.a_master, each.a_player = master.a_bloc, master, master.a_player

    def places(self) -> tuple[Any, Any, Any]:
        """Where they meet, where the attacker comes from (nowhere: a sortie), where an interceptor may."""
        if self.random.random() < 0.07:
            place = self.random.choice([each for each in self.of["box"] if len(each.neighbours) > 1])
        else:
            terrain = self.random.choice(TERRAINS)
            wanted = [each for each in self.of["hex"] if each.a_terrain.id == terrain and len(each.neighbours) > 1]
            if self.random.random() < 0.5:
                wanted = [each for each in wanted if self.rivers(each)] or wanted
            elif self.random.random() < 0.25:
                wanted = [each for each in wanted if each.a_fortress] or wanted
            place = self.random.choice(wanted)
        if place.kind == "hex" and place.a_fortress and self.random.random() < 0.3:
            place.a_fortress_down = True
        rivers, any_ = self.rivers(place), list(place.neighbours)
        origin = self.random.choice(rivers if rivers and self.random.random() < 0.5 else any_)
        other = self.random.choice([each for each in any_ if each is not origin])
        sortie = place.kind == "hex" and self.level(place) > 0 and self.random.random() < 0.5
        return place, None if sortie else origin, other

    @staticmethod
    def level(place: Any) -> int:
        """Of its walls."""
        return 0 if place.a_fortress_down else int(place.a_fortress)

    def rivers(self, place: Any) -> list[Any]:
        """The places beyond a river or strait."""
        links = [(each, self.world.link(place, each)) for each in place.neighbours]
        return [each for each, link in links if link.a_river or link.a_strait]

    # ---------------------------------------------------------------- stacks
    def sized(self, bloc: Any, place: Any, sort: str) -> Any:
        """A force of a size: a unit, a corps, armies, or stores alone."""
        powers = [each for each in self.of["power"] if each.a_bloc is bloc]
        majors = [each for each in powers if each.a_major]
        force = self.world.create("force", {"flag": self.random.choice(majors)}, place)
        getattr(self, f"_{sort}")(force, powers, majors)
        if sort != "stores" and not inside(force, "combat_unit"):
            self._corps(force, powers, majors)
        if self.random.random() < 0.25:
            force.a_demoralized = True
        eaters = [each for each in inside(force, "combat_unit") if each.a_type.id != "guerrillas"]
        if eaters and self.random.random() < 0.3:
            force.a_out_of_supply = True
        self.raise_flag(force)
        return force

    def raise_flag(self, force: Any) -> None:
        """The nation of what is in it."""
        found = (
            inside(force, "army") + inside(force, "leader") + inside(force, "combat_unit") + inside(force, "support")
        )
        force.a_flag = found[0].a_power

    def _unit(self, force: Any, powers: list[Any], _majors: list[Any]) -> None:
        self.units(force, powers, 1)

    def _stores(self, force: Any, powers: list[Any], majors: list[Any]) -> None:
        for each in range(self.random.randint(1, 2)):
            self.support(force, powers, "depot" if each == 0 else None)
        if not inside(force, "support"):
            self._corps(force, powers, majors)
        elif self.random.random() < 0.5:
            self.take("leader", force, powers)

    def _roamers(self, force: Any, powers: list[Any], _majors: list[Any]) -> None:
        sort = self.random.choice(sorted(ROAMERS))
        loose = [each for each in self.pool("combat_unit") if each.a_type.id == sort and each.a_power in powers]
        for each in self.random.sample(loose, min(len(loose), self.random.randint(1, 2))):
            self.world.place(each, force)
        if loose and self.random.random() < 0.5:
            self.take("leader", force, [loose[0].a_power])

    def _corps(self, force: Any, powers: list[Any], _majors: list[Any]) -> None:
        self.units(force, powers, self.random.randint(1, 4))
        chiefs = [self.take("leader", force, powers) for _ in range(self.random.choice([0, 1, 1, 2]))]
        if len(chiefs) == 2 and None not in chiefs and chiefs[0].a_rank == chiefs[1].a_rank:
            self.world.place(chiefs[1], self.of_pool("leader_pool"))
        for _ in range(self.random.choice([0, 0, 1, 2])):
            self.support(force, powers)

    def _army(self, force: Any, powers: list[Any], majors: list[Any], count: int = 1) -> None:
        nations = [each for each in majors if any(army.a_power is each for army in self.pool("army"))]
        for _ in range(count):
            nation = self.random.choice(nations or majors)
            markers = [each for each in self.pool("army") if each.a_power is nation]
            leaders = [each for each in self.pool("leader") if each.a_power is nation and each.a_capacity is not None]
            if not markers or not leaders:
                continue
            marker, chief = self.random.choice(markers), self.random.choice(leaders)
            self.world.place(marker, force)
            self.world.place(chief, marker)
            marker.a_chief = chief
            self.units(marker, [nation], self.random.randint(1, 7))
            if not inside(marker, "combat_unit"):
                self.world.place(chief, self.of_pool("leader_pool"))
                marker.a_chief = None
                self.world.place(marker, self.of_pool("force_pool"))
                continue
            own = sum(each.a_steps for each in inside(marker, "combat_unit"))
            if own > 2 and self.random.random() < 0.4:
                self.units(marker, [each for each in powers if each is not nation], 1, most=(own - 1) // 2)
            lower = [each for each in self.pool("leader") if each.a_power is nation and each.a_rank <= chief.a_rank]
            for each in self.random.sample(lower, min(len(lower), self.random.choice([0, 1, 2, 3]))):
                self.world.place(each, marker)
            for _ in range(self.random.choice([0, 0, 1])):
                self.support(self.random.choice([force, marker]), [nation])

    def _group(self, force: Any, powers: list[Any], majors: list[Any]) -> None:
        self._army(force, powers, majors, self.random.choice([2, 2, 3]))

    def units(self, holder: Any, powers: list[Any], count: int, most: int = 2) -> None:
        """Some combat units, some of them reduced; no roamers among them."""
        for _ in range(count):
            unit = self.take("combat_unit", holder, powers, most)
            if unit is not None and unit.a_full > 1 and (most == 1 or self.random.random() < 0.35):
                unit.a_steps = 1

    def support(self, holder: Any, powers: list[Any], form: str | None = None) -> None:
        """A support unit, in the given form or any that it can have."""
        free = [each for each in self.pool("support") if each.a_power in powers]
        stores = [each for each in free if each.a_form.id in {"train", "depot"}]
        free = stores if form is not None else free
        if not free:
            return
        unit = self.random.choice(free)
        self.world.place(unit, holder)
        if unit in stores:
            unit.a_form = self.forms[form or self.random.choice(["train", "depot"])]
        place = holder.at if holder.kind == "force" else holder.at.at
        sides = [each for each in self.rivers(place) if each.kind == "hex"] if place.kind == "hex" else []
        if unit not in stores and sides and self.random.random() < 0.5:
            unit.a_form, unit.a_aimed_at = self.forms["pontoon"], self.random.choice(sides)

    def take(self, kind: str, holder: Any, powers: list[Any], most: int = 2) -> Any:
        """Any counter of a kind out of its pool, that may stand with others."""
        free = [
            each
            for each in self.pool(kind)
            if each.a_power in powers
            and (kind != "combat_unit" or each.a_type.id not in ROAMERS)
            and (kind != "combat_unit" or holder.kind != "army" or each.a_type.id != "detachment")
            and (kind != "leader" or not each.a_monarch or self.random.random() < 0.3)
        ]
        if not free:
            return None
        found = self.random.choice(free)
        self.world.place(found, holder)
        return found

    def pool(self, kind: str) -> list[Any]:
        """The counters of a kind that stand in no force."""
        return [each for each in self.of[kind] if each.at is not None and each.at.kind == "pool"]

    def of_pool(self, name: str) -> Any:
        """A pool."""
        return self.world.find("pool", name)

    # ---------------------------------------------------------------- other stacks
    def around(self, place: Any, blocs: list[Any], left_free: set[Any]) -> None:
        """Forces beside the battle, of either bloc."""
        for each in place.neighbours:
            if each not in left_free and self.random.random() < self.crowded * 0.5:
                self.sized(self.random.choice(blocs), each, self.random.choice(SORTS[:-1]))
        if self.random.random() < 0.4 and place.kind == "hex" and self.level(place) and place.a_siege is None:
            place.a_holder = self.random.choice(self.of["power"])
