"""Events from random positions, whose every change plain Python predicts from the texts of the cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from followed_games import Followed
from plain_campaigns import Campaigns
from plain_events import Events

STATES = 5
"""The states of each event; the oracle was run over some thousands."""
MOST_TRIES = 150
ALWAYS = ("europe_exhausted", "emigres_and_exiles")
EVENTS = sorted({*ALWAYS, *(each for each in vars(Events) | vars(Campaigns) if hasattr(Events, f"can_{each}"))})


class Played(Followed):
    """An event as the card of an impulse, with the cards that answer it and a + card beside it."""

    def __init__(self, card: str, seed: str, star: str = "") -> None:
        self.card = card
        super().__init__(__name__, seed, star)

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
        return lawful and self.agrees()


@pytest.mark.parametrize("card", EVENTS)
def test_an_event_does_what_its_text_says(card: str) -> None:
    """Who may play it, every question, die, piece, marker, diplomat, card and resource agrees."""
    compared = 0
    for seed in range(MOST_TRIES):
        compared += Played(card, f"{card} {seed}").compare()
        if compared == STATES:
            break
    assert compared == STATES


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
