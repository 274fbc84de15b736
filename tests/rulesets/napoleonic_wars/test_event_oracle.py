"""Events from random positions, whose every change plain Python predicts from the texts of the cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest
from plain_events import Events
from plain_table import NavalBattleError, Question, differences, name, snapshot
from scattered_positions import RecordedDice, Scattering, rules

from interpreter import Game
from interpreter.play.engine.entry import ReturnValue, start_at_call

STATES = 5
"""The states of each event; the oracle was run over some thousands."""
MOST_TRIES = 150
EVENTS = sorted(each for each in vars(Events) | vars(Events.__mro__[1]) if f"can_{each}" in dir(Events))
ALWAYS = ("europe_exhausted", "emigres_and_exiles")
SILENT = {"card_play", "attrition"}
"""The windows that an event can open."""


class Court(Scattering):
    """A random position with diplomats anywhere, hands that answer nothing, and boxes full of pieces."""

    def take_sides(self) -> None:
        super().take_sides()
        random, patrons = self.random, [each for each in self.nation.values() if each.a_major]
        for each in self.nation.values():
            each.a_foreign_war, each.a_routed = random.random() < 0.4, random.random() < 0.4
            each.a_plus_side, each.a_fewer_cards = random.random() < 0.3, 0
            if not each.a_major and each.a_patron is None and random.random() < 0.7:
                each.a_patron = random.choice(patrons)
                each.a_attitude = self.core.find("attitude", random.choice(("leaning", "friendly")))

    def place_fleets(self) -> None:
        super().place_fleets()
        for kind in ("unit", "leader", "squadron"):
            for each in self.things[kind].values():
                if each.at.kind == "box" and self.random.random() < 0.5:
                    self.core.world.place(each, each.a_nation.a_pool)
                    if kind == "squadron":
                        each.a_state = self.core.find("readiness", "ready")
        self.deal()
        self.set_marks()

    def deal(self) -> None:
        piles = self.things["pile"]
        for each in self.things["card"].values():
            self.core.world.place(each, piles["deck"])
        silent = [each for each in self.things["card"].values() if not SILENT & set(map(name, each.a_windows))]
        for each in self.random.sample(silent, self.random.randint(0, 20)):
            self.core.world.place(each, self.random.choice(list(self.nation.values())).a_hand)

    def set_marks(self) -> None:
        random, state = self.random, self.core.world.state
        state.a_turn, state.a_duel = random.randint(1, 5), random.random() < 0.1
        state.a_winter, state.a_mud = random.random() < 0.2, random.random() < 0.2
        for each in self.area.values():
            each.a_burnt = random.random() < 0.1
        belgrade = [each for each in self.things["unit"].values() if each.a_nation.id == "turkey"]
        if self.side["turkey"] == "neutral":
            for each in belgrade[: random.randint(0, 3)]:
                self.core.world.place(each, self.area["belgrade"])


class Played:
    """An event in a random position, played at random by the rules and then by plain Python."""

    def __init__(self, card: str, seed: str) -> None:
        self.card, self.random, self.dice = card, Random(seed), RecordedDice(seed)
        self.questions: list[Question] = []
        self.game = Game(rules(__name__), dice=self.dice, start=start_at_call(self.begin, True, ReturnValue()))
        while self.game.decision is not None:
            self.decide(self.game.decision)

    def begin(self, core: Any) -> Callable[[], Any]:
        court = Court(core, self.random)
        card = court.things["card"][self.card]
        able = [each for each in court.nation.values() if each.a_major or each.a_attitude.id == "alliance"]
        makers = [each for each in able if each in card.a_by] or able
        self.nation = self.random.choice(makers if self.random.random() < 0.9 else able)
        core.world.place(card, self.nation.a_hand)
        core.world.state.a_active = self.nation
        core.forget()
        self.table = Events(core)
        self.offered = core.rule("definitions/playable_event")(card, self.nation)
        if not self.offered:
            return lambda: iter(())
        return partial(core.rule("procedures/play_event_card"), self.nation, card)

    def decide(self, decision: Any) -> None:
        options = [name(each) for each in decision.options]
        if decision.address == "add_plus.added":
            self.game.choose_index(options.index(None))
            return
        index = self.random.randrange(len(options))
        if len(options) > 1:
            seat = str(decision.seat)
            self.questions.append(Question(decision.address, seat, options, options[index], len(self.dice.faces)))
        self.game.choose_index(index)

    def compare(self) -> bool:
        """Whether the event was played; then all its changes agree, and before it whether it may be played."""
        lawful = self.table.lawful(self.card, self.nation.id)
        assert bool(self.offered) == lawful, (self.nation.id, "may play it" if lawful else "may not play it")
        if not lawful:
            return False
        self.table.questions, self.table.faces = (
            self.questions,
            [each for each in self.dice.faces if isinstance(each, int)],
        )
        self.table.end = snapshot(self.game.core)
        try:
            self.table.play(self.card, self.nation.id)
        except NavalBattleError:
            return False
        assert not self.table.questions, "the game asks more"
        assert not differences(self.table.end, snapshot(self.table.core))
        return True


@pytest.mark.parametrize("card", sorted({*EVENTS, *ALWAYS}))
def test_an_event_does_what_its_text_says(card: str) -> None:
    """Who may play it, every question, die, piece, marker, diplomat, card and resource agrees."""
    compared = 0
    for seed in range(MOST_TRIES):
        compared += Played(card, f"{card} {seed}").compare()
        if compared == STATES:
            break
    assert compared == STATES
