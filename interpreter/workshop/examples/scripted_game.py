"""A game that is played by a script and watched: what is asked, what happens, what options hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from interpreter.language.model.image import Site
from interpreter.play.engine.decision import Decision
from interpreter.play.engine.scripted import Script
from interpreter.play.engine.source import GameSource
from interpreter.play.game import Event, Game, Start
from interpreter.play.inputs.dice import ScriptedDice


class ExampleDice(ScriptedDice):
    """The dice of an example; `label` is that of the last roll or pick."""

    label = ""

    def roll(self, site: Site, count: int, faces: Sequence[Any]) -> list[int]:
        """The positions of the next faces under the roll's label."""
        self.label = site.address
        return super().roll(site, count, faces)

    def pick(self, site: Site, count: int, of: Sequence[Any]) -> list[int]:
        """The positions of the next picks under the pick's address."""
        self.label = site.address
        return super().pick(site, count, of)


@dataclass(slots=True)
class Observations:
    """What was seen of a game, kept even where a fault ends it before it is made."""

    events: list[Event] = field(default_factory=list)
    sites: set[int] = field(default_factory=set)
    """Every site that ran, while options were listed too."""
    asked: dict[str, Decision] = field(default_factory=dict)
    """The first decision at each address, those with a single option included."""
    address: str = ""
    """Of the last decision."""


def event_sites(kind: str, site: int, data: Any) -> tuple[int, ...]:
    """The sites that an event speaks of: its own, and those of the modifiers in a tally."""
    return (site, *[number for number, _ in data[0]]) if kind == "modifiers" else (site,)


class ScriptedGame(Game):
    """A game whose decisions are answered by a script.

    `checked` tests the invariants, which need to hold only when a step of the sequence ends.
    """

    def __init__(
        self,
        setting: GameSource,
        script: Script,
        dice: ScriptedDice,
        witness: Observations,
        start: Start,
        *,
        checked: bool,
    ) -> None:
        self._script = script
        self._witness = witness
        self._overheard: list[Event] | None = None
        super().__init__(setting, trace=True, dice=dice, start=start, checked=checked)

    def play(self) -> None:
        """Plays to the end.

        Raises:
            UnscriptedError: if the script has no fitting answer.
            RuleFault: if a rule goes wrong, or dice are missing.
        """
        while self.decision is not None:
            self.choose_index(self._script.position(self.decision))

    def overhear(self, look: Callable[[], Any]) -> tuple[Any, list[Event]]:
        """What looking at the game gives, and the events on the way, which are no part of the game."""
        events: list[Event] = []
        self._overheard = events
        try:
            return look(), events
        finally:
            self._overheard = None

    def _settled(self, ask: Any) -> Any:
        self._witness.sites.add(ask[0].number)
        self._witness.address = ask[0].address
        answer = super()._settled(ask)
        if self.decision is not None:
            self._witness.asked.setdefault(self.decision.address, self.decision)
        else:
            only = Decision(ask, (answer,), self.setting.wording)
            self._witness.asked.setdefault(only.address, only)
            self._script.took(only)
        return answer

    def _event(self, kind: str, site: int, data: Any) -> None:
        self._witness.sites.update(event_sites(kind, site, data))
        if self._overheard is not None:
            self._overheard.append((kind, site, data))
            return
        super()._event(kind, site, data)

    def _note(self, kind: str, site: int, data: Any) -> None:
        self._witness.events.append((kind, site, data))
        super()._note(kind, site, data)
