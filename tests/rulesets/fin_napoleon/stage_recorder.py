"""Records a game of the interpreter stage by stage, in words that any other implementation understands."""

from __future__ import annotations

from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from interpreter.play.engine.engine import Observer
from interpreter.play.engine.outcome import Result
from interpreter.play.inputs.inputs import DIE

COUNTRIES = ("France", "Prussia", "Austria", "Russia", "Spain", "Britain")
WORDS = {
    "declare_war": "declare",
    "move_and_fight": "march",
    "raise_unit": "place",
    "turn_up": "turn",
    "save": "stop",
    "Rhine": "Confederation of the Rhine",
    "South_France": "South France",
    "Western_Russia": "Western Russia",
} | {f"{each}_area": each for each in COUNTRIES}
ADDRESSES = {
    "activity_phase.activities": "activity",
    "declare_war.target": "target",
    "reinforcement.spending": "reinforcement",
    "restore.rested": "turn_up",
    "declare_marches.marchers": "forced_march",
    "move_unit.goal": "destination",
    "combats.area": "combat",
    "french_attack.aim": "allotment",
    "suffer.share": "loss",
    "rout.refuge": "refuge",
    "regroup.fresh": "regroup",
    "declare_victory.declare": "declare_victory",
}
"""The addresses of the ruleset's decisions, and what the hand-written game calls the same question."""

LIKING = {"none": 0.1, "march": 4.0, "declare": 2.0, "France": 4.0, "True": 0.2}
"""Weights by which armies meet: marches and Paris have more than most, idleness and an early end less."""


class Asked(NamedTuple):
    """One decision: the seat, the address, the options in no order, the answer, and the dice rolled before it."""

    seat: str
    address: str
    options: frozenset[str]
    answer: str
    rolled: int
    """How many dice the stage had rolled when the question came."""


class Summary(NamedTuple):
    """All that counts of a position; units are given by country, place and face, since counters are alike."""

    turn: int
    order_die: int
    morale: int
    states: tuple[str, ...]
    levels: tuple[int, ...]
    units: tuple[tuple[str, str, str], ...]
    boxes: tuple[tuple[int, int], ...]
    """For each country the units on the chart: in its box, and not in use."""


class Stage(NamedTuple):
    """One step of the sequence: its name, its country, its dice and decisions, and the position at its end."""

    name: str
    active: str
    dice: tuple[int, ...]
    asked: tuple[Asked, ...]
    summary: Summary


def said(value: Any) -> str:
    """A value in the common words."""
    if value is None:
        return "none"
    own = value if isinstance(value, str) else str(getattr(value, "id", value))
    return WORDS.get(own, own)


class StageRecorder(Observer):
    """Records the stages of a game, and plays it by weights that differ from game to game."""

    def __init__(self, seed: int) -> None:
        self.stages: list[Stage] = []
        self._questions: list[Asked] = []
        self._noted = 0
        self._whims = Random(seed)
        self._tastes: dict[tuple[str, str], float] = {}
        self._idle = self._whims.choice(("french", "allied", "nobody", "nobody"))

    def play(self, turns: int) -> None:
        """Plays to the end, or to the first decision after this number of turns."""
        game = self.game
        while (decision := game.decision) is not None and game.core.world.state.a_turn <= turns:
            words = [said(each) for each in decision.options]
            index = self._whims.choices(range(len(words)), [self._taste(decision.seat, each) for each in words])[0]
            if decision.address in ADDRESSES:
                rolled = len(self._faces())
                self._questions.append(
                    Asked(decision.seat, ADDRESSES[decision.address], frozenset(words), words[index], rolled)
                )
            else:
                assert decision.address == "divide_the_allies.share"
            game.choose_index(index)

    def _taste(self, seat: str, word: str) -> float:
        """How much a seat likes an option: now bold, now idle, now drawn to one place; every so often it changes."""
        if self._whims.random() < 0.002:
            self._tastes.clear()
        key = (seat, word)
        if key not in self._tastes:
            idle = 100.0 if word == "none" and seat.startswith(self._idle) else 1.0
            self._tastes[key] = self._whims.choice((0.1, 1.0, 1.0, 5.0)) * LIKING.get(word, 1.0) * idle
        return self._tastes[key]

    def on_step_end(self) -> None:
        frame, dice = self.game.steps[-1].frame, self._faces()
        assert frame.node is not None
        self._noted = len(self.game.inputs.items)
        active = said(frame.scope[0]) if frame.scope else ""
        self.stages.append(Stage(frame.node.name, active, dice, tuple(self._questions), self.summary()))
        self._questions = []

    def _faces(self) -> tuple[int, ...]:
        """The dice rolled in the present stage."""
        records = self.game.inputs.items[self._noted :]
        return tuple([face for record in records if record[0] == DIE for face in record[2:]])

    # ------------------------------------------------------------ the position
    def summary(self) -> Summary:
        """Returns the position as it is now."""
        state, countries = self.game.core.world.state, self._countries
        on_map = [(name, unit) for name, area in self._areas for unit in area.c_unit]
        return Summary(
            state.a_turn,
            state.a_order_die,
            state.a_morale,
            tuple([each.a_state.id for each in countries[1:]]),
            tuple([each.a_level for each in countries]),
            tuple(sorted([(unit.a_country.id, name, unit.a_face.id) for name, unit in on_map])),
            tuple([(len(each.a_reserve.c_unit), len(each.a_unused.c_unit)) for each in countries]),
        )

    @cached_property
    def _countries(self) -> list[Any]:
        return [self.game.core.find("country", each) for each in COUNTRIES]

    @cached_property
    def _areas(self) -> list[tuple[str, Any]]:
        return [(said(each), each) for each in self.game.core.world.objects if each.kind == "area"]

    @property
    def result(self) -> Result | None:
        """How the game has ended, if it has."""
        return self.game.result

    @property
    def partners(self) -> list[str]:
        """The allied players, where there are several."""
        found = [each.id for each in self.game.evaluate("definitions/partners")]
        return found if len(found) > 1 else []

    def countries_of(self, partner: str) -> tuple[str, ...]:
        """Whom an allied player decides for."""
        return tuple([each.id for each in self._countries if each.a_player.id == partner])

    def points_of(self, partner: str) -> int:
        """Returns an allied player's points at this moment."""
        return int(self.game.evaluate("definitions/partner_points", self.game.core.find("player", partner)))

    @property
    def winner(self) -> str | None:
        """`french`, `allied`, `draw`, or none where nobody has won by the last turn."""
        if self.result is None:
            return None
        if self.result.winners:
            return "french" if self.result.winners == ("french",) else "allied"
        return "draw" if self.result.reason == "both sides have won" else None
