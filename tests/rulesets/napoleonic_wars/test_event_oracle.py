"""Events from random positions, whose every change plain Python predicts from the texts of the cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from followed_games import Followed
from plain_campaigns import Campaigns
from plain_events import Events
from plain_ground import OTHER_SIDE

STATES = 5
"""The states of each event; the oracle was run over some thousands."""
BATTLES = 1
"""The naval battles of each event; the oracle was run over some hundreds."""
MOST_TRIES = 150
ALWAYS = ("europe_exhausted", "emigres_and_exiles")
NAVAL = ("the_weather_gauge", "the_nelson_touch", "fireships")
PORTS = {
    "coup_de_main": ("calais", "hanover", "florence", "lisbon", "gothenburg", "norway", "holstein", "konigsberg"),
    "tyrolean_rising": ("trieste",),
    "chouans": ("vendee",),
    "the_irish_rising": ("dublin",),
}
"""The events that take ports, and ports that they may take."""
EVENTS = sorted({*ALWAYS, *(each for each in vars(Events) | vars(Campaigns) if hasattr(Events, f"can_{each}"))})


class Played(Followed):
    """An event as the card of an impulse, with the cards that answer it and a + card beside it."""

    def __init__(self, card: str, seed: str, star: str = "") -> None:
        self.card = card
        super().__init__(seed, star)

    def start(self, core: Any) -> Callable[[], Any]:
        card, able = self.scene.things["card"][self.card], self.scene.acting()
        makers = [each for each in able if each in card.a_by] or able
        self.nation = self.random.choice(makers if self.random.random() < 0.9 else able)
        core.world.place(card, self.nation.a_hand)
        if self.star:
            others = [each for each in able if each is not self.nation]
            core.world.place(self.scene.things["card"][self.star], self.random.choice(others).a_hand)
        core.world.state.a_active = self.nation
        core.forget()
        self.offered = bool(core.rule("definitions/playable_event")(card, self.nation))
        return partial(core.rule("procedures/play_event_card"), self.nation, card) if self.offered else lambda: iter(())

    def predict(self) -> None:
        self.table.perform(self.card, self.nation.id)

    def compare(self) -> bool:
        """Whether the event was played; before it all agrees on whether it may be."""
        lawful = self.table.lawful(self.card, self.nation.id)
        assert self.offered == lawful, (self.nation.id, "may play it" if lawful else "may not play it")
        if lawful:
            self.check()
        return lawful


@pytest.mark.parametrize("card", EVENTS)
def test_an_event_does_what_its_text_says(card: str) -> None:
    """Who may play it, every question, die, piece, marker, diplomat, card and resource agrees."""
    compared = 0
    for seed in range(MOST_TRIES):
        compared += Played(card, f"{card} {seed}").compare()
        if compared == STATES:
            break
    assert compared == STATES


class LostPort(Played):
    """An event that takes a port full of squadrons from its holder, whose enemies wait at sea."""

    def start(self, core: Any) -> Callable[[], Any]:
        scene, random, ready = self.scene, self.random, core.find("readiness", "ready")
        port = scene.area[random.choice(PORTS[self.card])]
        self.port = port.id
        warring = [scene.nation[each] for each, side in scene.side.items() if side != "neutral"]
        holder = random.choice([port.a_home, *warring])
        port.a_marker = None if holder is port.a_home else holder
        foes = [each for each in warring if scene.side[each.id] == OTHER_SIDE[scene.side[holder.id]]]
        beside = scene.area[random.choice(scene.beside(port.id))]
        for each in [it for kind in ("unit", "leader") for it in scene.things[kind].values()]:
            if each.a_nation in foes and random.random() < 0.3:
                core.world.place(each, beside)
            elif each.at in (port, beside):
                core.world.place(each, each.a_nation.a_pool)
        for each in scene.things["squadron"].values():
            inside = scene.side[each.a_nation.id] == scene.side[holder.id]
            core.world.place(each, port if inside else random.choice(list(port.a_ports)))
            each.a_state = ready if random.random() < 0.8 or not inside else core.find("readiness", "refit")
        for each in NAVAL:
            core.world.place(scene.things["card"][each], self.random.choice(scene.acting()).a_hand)
        return super().start(core)

    def preferred(self, address: str, options: list[Any]) -> int:
        return options.index(self.port) if self.port in options else super().preferred(address, options)


@pytest.mark.parametrize("card", PORTS)
def test_a_port_lost_by_an_event_sends_its_fleet_to_battle(card: str) -> None:
    """The zone, the windows and the dice of the naval battle, and what becomes of the squadrons."""
    fought = 0
    for seed in range(MOST_TRIES):
        lost = LostPort(card, f"port {card} {seed}")
        fought += lost.compare() and lost.table.fleets != ("", "")
        if fought == BATTLES:
            break
    assert fought == BATTLES


@pytest.mark.parametrize(("star", "card"), [("court_intrigue", "luddites"), ("queen_louise", "secret_articles")])
def test_an_event_is_cancelled(star: str, card: str) -> None:
    """The answers to an event, and those to the answers, agree."""
    cancelled = 0
    for seed in range(MOST_TRIES):
        played = Played(card, f"{star} {card} {seed}", star)
        cancelled += played.compare() and played.starred
        if cancelled == STATES:
            break
    assert cancelled == STATES
