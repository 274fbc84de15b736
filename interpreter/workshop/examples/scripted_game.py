"""A game with scripted answers, and an observer of its decisions and events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.language.model.image import Site
from interpreter.play.engine.decision import Decision
from interpreter.play.engine.engine import Event, Observer, Start
from interpreter.play.engine.scripted import Script
from interpreter.play.engine.source import GameSource
from interpreter.play.game import Game
from interpreter.play.inputs.dice import ScriptedDice


class ExampleDice(ScriptedDice):
    """The dice of an example; `label` is the label of the last roll or pick."""

    label = ""

    def roll(self, site: Site, count: int, faces: Sequence[Any]) -> list[int]:
        """Returns the positions of the next faces under the roll's label."""
        self.label = site.address
        return super().roll(site, count, faces)

    def pick(self, site: Site, count: int, of: Sequence[Any]) -> list[int]:
        """Returns the positions of the next picks under the pick's address."""
        self.label = site.address
        return super().pick(site, count, of)


@dataclass(slots=True)
class PickCount:
    """How far a decision with several picks has come: what was chosen and open when it was last asked."""

    live_picks: Any
    chosen: int
    open_options: int


class Observations(Observer):
    """Records the events and decisions of a scripted game, available even if a fault ends its construction.

    A question with a single option uses up its answer in the script.
    """

    def __init__(self, script: Script) -> None:
        self._script = script
        self.events: list[Event] = []
        self.sites: set[int] = set()
        """Every site that ran, also while options were listed."""
        self.asked: dict[str, list[Decision]] = {}
        """The askings at each address in order, including those with a single option; of several picks the first."""
        self.pick_counts: dict[str, list[PickCount]] = {}
        """The decisions with several picks at each address, in order."""
        self.address = ""
        """The address of the last decision."""
        self.unlogged_events: list[Event] | None = None
        """The events of an unlogged evaluation, while there is one."""

    def on_event(self, kind: str, site: int, data: Any) -> None:
        """Records the event and its sites."""
        if site >= 0:
            self.sites.update(event_sites(kind, site, data))
        self.events.append((kind, site, data))

    def on_unlogged_event(self, kind: str, site: int, data: Any) -> None:
        """Records the sites, and the event during an unlogged evaluation."""
        self.sites.update(event_sites(kind, site, data))
        if self.unlogged_events is not None:
            self.unlogged_events.append((kind, site, data))

    def on_ask(self, ask: Any) -> None:
        """Records the site and the address of a question."""
        self.sites.add(ask[0].number)
        self.address = ask[0].address

    def on_decision(self, decision: Decision) -> None:
        """Records a decision, and how many picks it has."""
        self._note(decision)
        self._count_picks(decision)

    def on_single(self, decision: Decision) -> None:
        """Uses up the script's answer to a question with a single option."""
        self._note(decision)
        self._count_picks(decision)
        self._script.consume_single(decision)

    def _note(self, decision: Decision) -> None:
        askings = self.asked.setdefault(decision.address, [])
        picks = decision.live_picks
        if not askings or picks is None or askings[-1].live_picks is not picks:
            askings.append(decision)

    def _count_picks(self, decision: Decision) -> None:
        chosen = decision.chosen
        if chosen is None:
            return
        counts = self.pick_counts.setdefault(decision.address, [])
        if not counts or counts[-1].live_picks is not decision.live_picks:
            counts.append(PickCount(decision.live_picks, 0, 0))
        counts[-1].chosen = (
            sum(chosen.values()) if isinstance(chosen, dict) and decision.kind == "spread" else len(chosen)
        )
        counts[-1].open_options = sum(each is not None for each in decision.options)


def event_sites(kind: str, site: int, data: Any) -> tuple[int, ...]:
    """Returns the sites of an event: its own, and those of the modifiers in a tally."""
    return (site, *[number for number, _ in data[0]]) if kind == "modifiers" else (site,)


class ScriptedGame(Game):
    """A game whose decisions are answered by a script.

    `checked` tests the invariants, which must hold only at the end of a step of the sequence.
    """

    def __init__(
        self,
        source: GameSource,
        script: Script,
        dice: ScriptedDice,
        observations: Observations,
        start: Start,
        *,
        checked: bool,
    ) -> None:
        self._script = script
        self._observations = observations
        super().__init__(source, trace=True, dice=dice, start=start, checked=checked, observers=(observations,))

    def play(self) -> None:
        """Plays to the end.

        Raises:
            UnscriptedError: if the script has no fitting answer.
            RuleFault: if a rule fails, or dice are missing.
        """
        while self.decision is not None:
            self.choose_index(self._script.index_for(self.decision))

    def evaluate_unlogged(self, look: Callable[[], Any]) -> tuple[Any, list[Event]]:
        """Returns the value of an evaluation and its events, which do not enter the game's log."""
        events: list[Event] = []
        self._observations.unlogged_events = events
        try:
            with self.unlogged():
                return look(), events
        finally:
            self._observations.unlogged_events = None
