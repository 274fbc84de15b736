"""The hand-written game, which follows a recorded game and fails where it would go another way."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from plain_board import Area, Country
from plain_fin_napoleon import Game
from plain_result import FrenchSurrender, GameOver, Options
from stage_recorder import Asked, Stage, StageRecorder, Summary


class BrokenOff(Exception):  # noqa: N818 - what happened to the game, not an error
    """The recorded game was not played to its end and goes no further."""


class Follower(Game):
    """Takes dice and decisions from a recorded game; every stage must ask, roll and leave what it did there.

    A decision must come after the same number of dice.
    Decisions that the interpreter takes by itself because nothing depends on them (all units of an army are lost, both
    backs turn up) are free here.
    """

    def __init__(self, recorder: StageRecorder, options: Options) -> None:
        self.partners = recorder.partners
        self._stages = deque(recorder.stages)
        self._free = False
        while self._stages[0].name in ("division", "starting_position"):
            start = self._stages.popleft()
        self._open()
        super().__init__(self._answer, self._die, options)
        assert self.summary()[2:] == start.summary[2:], "set-up"

    def _open(self) -> None:
        """Begins the next stage, if there is one."""
        self._stage: Stage | None = self._stages.popleft() if self._stages else None
        self._dice = deque(self._stage.dice if self._stage else ())
        self._asked = deque(self._stage.asked if self._stage else ())

    def _close(self, name: str, active: str = "") -> None:
        """Ends a stage that must be the next one of the recorded game."""
        assert self._stage is not None, f"the interpreter's game was over before {name}"
        here = f"turn {self.turn}, {name} {active}"
        assert (name, active) == (self._stage.name, self._stage.active), here
        assert not self._dice, f"{here}: dice not rolled: {self._dice}"
        assert not self._asked, f"{here}: not asked: {self._asked}"
        assert self.summary() == self._stage.summary, here
        self._open()

    @property
    def over(self) -> bool:
        """Whether nothing of the recorded game is left."""
        return self._stage is None

    # ------------------------------------------------------------ what the recorded game gives
    def _answer(self, seat: str, address: str, options: Sequence[Any]) -> Any:
        if self._stage is None:
            raise BrokenOff
        if self._free:
            return options[0]
        words = {_said(each): each for each in options}
        assert self._asked, f"turn {self.turn}: only the hand-written game asks {seat} for {address}: {list(words)}"
        asked = self._asked.popleft()
        rolled = len(self._stage.dice) - len(self._dice)
        assert Asked(self._partner(seat), address, frozenset(words), asked.answer, rolled) == asked, f"turn {self.turn}"
        return words[asked.answer]

    def _partner(self, seat: str) -> str:
        name, _, number = seat.partition("_")
        return self.partners[int(number) - 1] if number else name

    def _die(self) -> int:
        if self._stage is None:
            raise BrokenOff
        assert self._dice, f"turn {self.turn}: only the hand-written game rolls a die"
        return self._dice.popleft()

    # ------------------------------------------------------------ stages
    def order(self, die: int) -> list[Country]:
        self._close("order_phase")
        return super().order(die)

    def activate(self, country: Country) -> None:
        try:
            super().activate(country)
        except (FrenchSurrender, GameOver):
            self._close("activity_phase", country.name)
            raise
        self._close("activity_phase", country.name)

    def french_adjustment(self) -> None:
        super().french_adjustment()
        self._close("french_army")

    def attrition(self, areas: Sequence[Area], exempt: Country, up_to: int) -> None:
        super().attrition(areas, exempt, up_to)
        self._close("russian_attrition" if exempt is self.russia else "spanish_attrition")

    def declare_victory(self) -> None:
        try:
            super().declare_victory()
        except GameOver:
            self._close("victory_declaration")
            raise
        self._close("victory_declaration")

    def after_surrender(self) -> None:
        super().after_surrender()
        self._close("after_surrender")

    # ------------------------------------------------------------ decisions without an effect
    def suffer(self, country: Country, area: Area, losses: int) -> None:
        self._free = losses >= sum([2 if unit.front else 1 for unit in self.army(country, area)])
        super().suffer(country, area, losses)
        self._free = False

    def turn_up(self, country: Country) -> None:
        self._free = len(self.backs(country)) == 2
        super().turn_up(country)
        self._free = False

    # ------------------------------------------------------------ the position
    def summary(self) -> Summary:
        """Returns the position as it is now, in the common words."""
        units = [unit for country in self.countries for unit in country.units if unit.area is not None]
        maxima = [each.setup.levels[each.level][1] for each in self.countries]
        return Summary(
            self.turn,
            self.order_die,
            self.morale,
            tuple([each.state for each in self.allies]),
            tuple([each.level + 1 for each in self.countries]),
            tuple(sorted([(unit.country.name, str(unit.area), "front" if unit.front else "back") for unit in units])),
            tuple(
                [
                    (most - len(self.on_map(each)), each.setup.counters - most)
                    for each, most in zip(self.countries, maxima, strict=True)
                ]
            ),
        )


def _said(value: Any) -> str:
    return "none" if value is None else str(value)
