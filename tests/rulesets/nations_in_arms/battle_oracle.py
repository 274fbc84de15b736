"""Compares the field battles of a game with chapter 8, as `plain_battle` has it."""

from __future__ import annotations

from typing import Any

import plain_battle as plain
from plain_force import commander, inside
from plain_retreat import Retreat
from plain_supply import in_supply
from round_oracle import RoundOracle

from interpreter.play.engine.decision import Decision


class BattleOracle(RoundOracle):
    """Compares what follows a battle, too."""

    def __init__(self) -> None:
        super().__init__()
        self.handlers |= {
            ("answer", "concede"): self.answer_concede,
            ("enter", "concede"): self.enter_concede,
            ("enter", "aftermath"): self.enter_aftermath,
            ("enter", "beat"): self.enter_beat,
            ("enter", "morale_check"): self.enter_morale_check,
            ("modifiers", "morale_change"): self.modifiers_morale_change,
            ("roll", "morale_check"): self.roll_morale_check,
            ("enter", "pursue"): self.enter_pursue,
            ("roll", "weak_hunt"): self.roll_weak_hunt,
            ("enter", "run_down"): self.enter_run_down,
            ("enter", "retreat"): self.enter_retreat,
            ("enter", "retire"): self.enter_retire,
            ("enter", "give_ground"): self.enter_give_ground,
            ("modifiers", "retreat_loss"): self.modifiers_retreat_loss,
            ("enter", "lose_all"): self.enter_lose_all,
            ("answer", "dismiss_after_defeat"): self.answer_dismiss_after_defeat,
            ("leave", "field_battle"): self.leave_field_battle,
        }

    # ---------------------------------------------------------------- aftermath
    def answer_concede(self, data: Any) -> None:
        self.round.answers.append((data[0], data[1]))

    def enter_concede(self, _data: Any) -> None:
        self.expect("nobody has won yet", "", self.round.winner)

    def enter_aftermath(self, data: Any) -> None:
        fight, round_ = self.now, self.round
        found = "attacker" if fight.battle.a_winner is fight.camps[0] else "defender"
        expected = round_.winner
        if not expected and round_.answers:
            expected = {1: "defender", 2: "attacker"}[len(round_.answers)] if round_.answers[-1][1] else ""
        if not expected:
            self.expect("two rounds at most", 2, len(fight.rounds))
            expected = "defender"
        self.seen[f"rounds {len(fight.rounds)}"] += 1
        self.expect("winner", expected, found)

    def enter_beat(self, data: Any) -> None:
        fight = self.now
        fight.shaken_before = bool(data[1].a_force.a_demoralized)
        fight.had_units = bool(inside(data[1].a_force, "combat_unit"))
        fight.beaten = inside(data[1].a_force, "combat_unit")
        fight.attackers = inside(fight.camps[0].a_force, "combat_unit")

    def enter_morale_check(self, data: Any) -> None:
        fight, round_ = self.now, self.round
        number = self.which(data[0])
        self.expect("no morale check in a skirmish", False, round_.size == "skirmish")
        guard = "imperial_guard" in self.readings and fight.guard_led[number] and fight.guard_bled[number]
        fight.target = plain.morale_target(
            data[0].a_morale,
            commander(data[0].a_force),
            fight.killed[number],
            round_.lost[number] - round_.lost[1 - number],
            guard,
        )

    def modifiers_morale_change(self, data: Any) -> None:
        fight = self.now
        loser = fight.camps[0] if fight.battle.a_winner is fight.camps[1] else fight.camps[1]
        self.expect("morale to hold by", fight.target, loser.a_morale + data[1])

    def roll_morale_check(self, data: Any) -> None:
        self.now.die = data[2]

    def enter_pursue(self, data: Any) -> None:
        fight = self.now
        self.expect("pursued who breaks", False, self._held())
        self.expect("pursued who was whole", False, fight.shaken_before)
        fight.hunted = plain.pursuit(plain.side(data[2].a_force))

    def roll_weak_hunt(self, data: Any) -> None:
        self.now.weak_dice += data[1]

    def enter_run_down(self, data: Any) -> None:
        fight = self.now
        if fight.hunted is None:
            self.seen["pursuit doubled at a river"] += 1
            self.expect("pursuit at the river", fight.doubling, data[2])
            here = plain.side(data[1])
            fight.hits -= min(fight.hits, here.total + len(here.wagons))
            fight.doubling = None
            return
        if "weak_pursuit" in self.readings:
            winner = fight.battle.a_winner
            fight.hunted = plain.weak_pursuit(plain.side(winner.a_force), fight.weak_dice)
        self.expect("pursuit", fight.hunted, data[2])
        self.seen[f"pursuit by {fight.hunted}"] += 1
        fight.hits, fight.hunted = fight.hunted, None

    def _held(self) -> bool:
        fight = self.now
        if fight.target is None:
            return True
        assert fight.die is not None
        return fight.die <= fight.target

    def enter_retreat(self, data: Any) -> None:
        fight = self.now
        if fight.rounds[-1].size != "skirmish" and fight.had_units:
            self.expect("morale was checked", True, fight.target is not None)
        self.expect("demoralized after defeat", fight.shaken_before or not self._held(), data[1].a_force.a_demoralized)

    # ---------------------------------------------------------------- retreat
    def enter_retire(self, data: Any) -> None:
        fight = self.now
        if data[1] not in fight.camps:
            return  # besiegers who have become too weak go without a battle
        fight.way, fight.steps = Retreat(data[2], self.defeat_of(data[1])), 0
        self.expect("no depot retreats", False, any(each.a_form.id == "depot" for each in inside(data[2], "support")))

    def enter_give_ground(self, data: Any) -> None:
        fight = self.now
        if data[1] not in fight.camps:
            return  # besiegers who have become too weak go without a battle
        way = Retreat(data[2], self.defeat_of(data[1]))
        allowed = way.first() if fight.steps == 0 else way.second()
        self.expect(f"hex of retreat {fight.steps + 1}", True, data[3] in allowed)
        fight.steps += 1
        fight.cost = way.loss(data[3])
        self.seen[f"cost of a retreat {fight.cost}"] += 1
        fight.way = None
        if fight.hits and way.wet(data[3]) and not way.engineers():
            fight.doubling, fight.river = fight.hits, data[2]

    def modifiers_retreat_loss(self, data: Any) -> None:
        fight = self.now
        if fight.cost is not None:
            self.expect("steps lost on the way", fight.cost, data[1])
        fight.cost = None

    def enter_lose_all(self, data: Any) -> None:
        fight = self.now
        if data[0] not in fight.camps:
            return  # besiegers who have become too weak go without a battle
        if fight.way is not None:
            self.expect("nowhere to go", set(), {each.id for each in fight.way.first()})
        elif fight.steps == 0:
            self.expect("broken again", (True, False), (fight.shaken_before, self._held()))
        fight.way = None

    def answer_dismiss_after_defeat(self, _data: Any) -> None:
        fight = self.now
        loser = fight.camps[0] if fight.battle.a_winner is fight.camps[1] else fight.camps[1]
        chief, size = commander(loser.a_force), self.round.size
        lawful = size == "decisive_battle" or (size == "engagement" and not (chief is not None and chief.a_monarch))
        self.expect("dismissal", True, lawful)

    def on_decision(self, decision: Decision) -> None:
        """Compares the places that are offered for a retreat with those that the rulebook allows."""
        fight = self.fight
        if fight is None or "fog_of_war" in self.readings:
            return
        if decision.address not in {"retire.there", "retire.beyond"}:
            return
        force, battle = fight.battle.a_retreating, fight.battle
        if force is None:
            return  # a victor who is too weak for a siege goes without a battle
        loser = fight.camps[0] if battle.a_winner is fight.camps[1] else fight.camps[1]
        way = Retreat(force, self.defeat_of(loser))
        allowed = way.first() if decision.address == "retire.there" else way.second()
        offered = {each.id for each in decision.options if hasattr(each, "neighbours")}
        self.expect(decision.address, sorted(each.id for each in allowed), sorted(offered))

    def leave_field_battle(self, data: Any) -> None:
        fight = self.now
        self.seen["battles"] += 1
        self.seen[fight.rounds[-1].size] += 1
        self._left_behind()
        self.expect("who has won it", fight.battle.a_winner is fight.camps[0], bool(data))
        self.fight = None

    def _left_behind(self) -> None:
        """What must hold of the beaten once a battle is over, and whether the attackers are fed."""
        fight = self.now
        battle = fight.battle
        loser = fight.camps[0] if battle.a_winner is fight.camps[1] else fight.camps[1]
        winner = fight.camps[1] if loser is fight.camps[0] else fight.camps[0]
        broken = fight.target is not None and not self._held()
        enemy = winner.a_force.a_flag.a_bloc
        stay = [each.id for each in battle.a_place.c_force if each.a_flag.a_bloc is not enemy and not each.a_inside]
        if winner.a_force.at is battle.a_place:
            self.expect("nobody of the beaten stays", [], stay)
        for unit in fight.beaten:
            stack = outermost(unit)
            if stack is not None and (broken or fight.shaken_before):
                self.expect("the beaten are demoralized", True, bool(stack.a_demoralized))
        self.expect(
            "twice broken, none is left", False, broken and fight.shaken_before and any(map(outermost, fight.beaten))
        )
        for stack in {outermost(each) for each in fight.attackers} - {None}:
            if any(each.a_type.id != "guerrillas" for each in inside(stack, "combat_unit")):
                self.expect(
                    "attacker in supply", in_supply(self.world, stack, self.readings), not stack.a_out_of_supply
                )


def outermost(piece: Any) -> Any:
    """The force that a piece is in, if it is in one."""
    while piece is not None and piece.kind in {"combat_unit", "army", "leader", "support"}:
        piece = piece.at
    return piece if piece is not None and piece.kind == "force" else None
