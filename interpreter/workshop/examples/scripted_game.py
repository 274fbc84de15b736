"""A game that is played by a script and watched: what is asked, what happens, what options hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.language.model.image import Site
from interpreter.play.engine.decision import Decision
from interpreter.play.engine.engine import Event, Observer, Start
from interpreter.play.engine.scripted import Script
from interpreter.play.engine.source import GameSource
from interpreter.play.game import Game
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


class Observations(Observer):
    """What was seen of a scripted game, kept even where a fault ends it before it is made.

    Questions with a single option are taken from the script, too.
    """

    def __init__(self, script: Script) -> None:
        self._script = script
        self.events: list[Event] = []
        self.sites: set[int] = set()
        """Every site that ran, while options were listed too."""
        self.asked: dict[str, Decision] = {}
        """The first decision at each address, those with a single option included."""
        self.address = ""
        """Of the last decision."""
        self.overheard: list[Event] | None = None
        """What rules did while the game was only looked at, if that is wanted."""

    def on_event(self, kind: str, site: int, data: Any) -> None:
        """Keeps the event and its sites."""
        if site >= 0:
            self.sites.update(event_sites(kind, site, data))
        self.events.append((kind, site, data))

    def on_unlogged_event(self, kind: str, site: int, data: Any) -> None:
        """Keeps the sites, and the event where looking at the game is overheard."""
        self.sites.update(event_sites(kind, site, data))
        if self.overheard is not None:
            self.overheard.append((kind, site, data))

    def on_ask(self, ask: Any) -> None:
        """Keeps what is asked."""
        self.sites.add(ask[0].number)
        self.address = ask[0].address

    def on_decision(self, decision: Decision) -> None:
        """Keeps the first decision at an address."""
        self.asked.setdefault(decision.address, decision)

    def on_single(self, decision: Decision) -> None:
        """Uses up the script's answer to a question that answers itself."""
        self.asked.setdefault(decision.address, decision)
        self._script.took(decision)


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
        seen: Observations,
        start: Start,
        *,
        checked: bool,
    ) -> None:
        self._script = script
        self._seen = seen
        super().__init__(setting, trace=True, dice=dice, start=start, checked=checked, observers=(seen,))

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
        self._seen.overheard = events
        try:
            with self.unlogged():
                return look(), events
        finally:
            self._seen.overheard = None
