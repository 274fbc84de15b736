"""Sets up random sieges: random besiegers before a random fortress with a random garrison."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from interpreter.play.engine.core import Core
from interpreter.play.engine.entry import ReturnValue, start_at_call
from interpreter.play.engine.sequencer import Frame


class RandomSiege:
    """One such siege, set up in a world at its beginning."""

    def __init__(self, core: Core, seed: int | str) -> None:
        self.core, self.world, self.random = core, core.world, Random(seed)
        self.everything = list(core.world.objects)
        self.state: Any = core.world.state

    def found(self, kind: str) -> list[Any]:
        """All things of a kind."""
        return [each for each in self.everything if each.kind == kind]

    def set_up(self) -> tuple[Any, Any]:
        """A force, and the fortress that it besieges."""
        chance = self.random
        hexes = [each for each in self.found("hex") if each.a_fortress]
        wanted = chance.choice([1, 2, 2, 3])
        hex_ = chance.choice([each for each in hexes if each.a_fortress == wanted])
        blocs = {each.id: each for each in self.found("bloc")}
        sides = [("france", "empire"), ("austria", "coalition")]
        chance.shuffle(sides)
        (attacker, first), (holder, second) = [(self.world.find("power", each), blocs[bloc]) for each, bloc in sides]
        attacker.a_bloc, holder.a_bloc = first, second
        hex_.a_holder, hex_.a_siege = holder, chance.randint(0, 4)
        hex_.a_fortress_hits = chance.choice([0, 0, 0, chance.randint(0, hex_.a_fortress - 1)])
        self.state.a_year, self.state.a_turn = 1805, 1
        army = hex_.a_fortress == 3 or chance.random() < 0.3
        force = self.stack(attacker, hex_, army=army, least=min(2, hex_.a_fortress), most=7 if army else 4)
        if chance.random() < 0.7:
            army = chance.random() < 0.25
            self.stack(holder, hex_, army=army, least=1, most=6 if army else 3, inside=True)
        if chance.random() < 0.2:
            self.stack(attacker, hex_, army=False, least=1, most=2)
        self.core.forget()
        return force, hex_

    def stack(self, power: Any, place: Any, *, army: bool, least: int, most: int, inside: bool = False) -> Any:
        """A force of a power, under a leader if it is an army or he is there by chance."""
        chance = self.random
        force = self.world.create("force", {"flag": power, "inside": inside}, place)
        leaders = self.free("leader", power)
        holder = force
        if army:
            holder = chance.choice(self.free("army", power))
            self.world.place(holder, force)
            holder.a_chief = chance.choice([each for each in leaders if each.a_capacity is not None])
            leaders.remove(holder.a_chief)
            self.world.place(holder.a_chief, holder)
        if army or not inside or chance.random() < 0.6:
            for each in chance.sample(leaders, chance.randint(0 if army else 1, 2)):
                self.world.place(each, holder)
        for unit in chance.sample(self.free("combat_unit", power), chance.randint(max(1, least), most)):
            self.world.place(unit, force if unit.a_type.id == "detachment" else holder)
            unit.a_steps = chance.randint(1, unit.a_full)
        forms = {each: self.core.find("support_form", each) for each in ("train", "depot", "engineer")}
        for unit in chance.sample(self.free("support", power), chance.choice([0, 0, 1, 2])):
            self.world.place(unit, force)
            supplies = unit.a_form.id in {"train", "depot"}
            unit.a_form = forms[chance.choice(["train", "depot"]) if supplies else "engineer"]
        force.a_out_of_supply, force.a_demoralized = chance.random() < 0.2, chance.random() < 0.2
        return force

    def free(self, kind: str, power: Any) -> list[Any]:
        """The counters of a power that stand in no stack."""
        return [
            each
            for each in self.found(kind)
            if each.a_power is power and (each.at is None or each.at.kind == "pool") and each.id != ""
        ]


def siege_check(seed: int | str) -> Callable[[Core], Frame | None]:
    """Begins a game with one check of a random siege, and ends with it."""

    def rule(core: Core) -> Callable[[], Any]:
        force, hex_ = RandomSiege(core, seed).set_up()
        return partial(core.rule("procedures/siege_check"), force, hex_)

    return start_at_call(rule, True, ReturnValue())
