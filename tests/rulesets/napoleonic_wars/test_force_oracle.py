"""Marches, battles, sieges and naval battles from random positions, followed by plain Python over the same dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from random import Random
from typing import Any, NamedTuple

import pytest
from plain_forces import Marches
from scattered_positions import RecordedDice, Scattering, rules

from interpreter import Game
from interpreter.play.engine.entry import ReturnValue, start_at_call

ON_THE_MAP = ("march", "sail", "place_marker")
MOST_OPERATIONS = 3
FREE = {"la_grande_armee": (3, 6, 8), "forced_march": (1, 6, 8), "corps_system": (2, 1, 2), "pontoon_train": (1, 1, 2)}
"""How often a card activates armies, with how many leaders of the nation and of all nations but one."""
FREE_POSITIONS = 25
POSITIONS = 100
"""The positions of each group; the oracle was run over some thousands."""


class Asked(NamedTuple):
    """A question of the game, with its answer and the number of dice before it."""

    address: str
    seat: str
    options: list[Any]
    answer: Any
    rolled: int


class Follower(Marches):
    """Answers as the game was answered, and checks that it is asked the same."""

    def __init__(self, things: dict[str, dict[str, Any]], active: str, points: int) -> None:
        super().__init__(things, active, points)
        self.seats = {name: str(each.a_seat.id) for name, each in self.nation.items()}
        self.asked: list[Asked] = []
        self.faces: list[int] = []
        self.rolled = 0

    def ask(self, address: str, nation: str, options: Iterable[Any]) -> Any:
        mine = list(options)
        if len(mine) == 1 and address != "operate.operations":
            return mine[0]
        assert self.asked, (address, mine)
        theirs = self.asked.pop(0)
        offered = [
            each for each in theirs.options if each is None or address != "operate.operations" or each in ON_THE_MAP
        ]
        assert (address, set(mine), self.rolled) == (theirs.address, set(offered), theirs.rolled), theirs
        assert self.seats[self.power[nation]] == theirs.seat, theirs
        return theirs.answer

    def die(self) -> int:
        self.rolled += 1
        return self.faces[self.rolled - 1]


class Operations:
    """A nation's CP, spent at random from a random position and then followed by plain Python."""

    def __init__(self, seed: str, only: tuple[str, ...]) -> None:
        self.random, self.dice, self.only = Random(seed), RecordedDice(seed), only
        self.operations = 0
        self.game = Game(rules(), dice=self.dice, start=start_at_call(self.begin, True, ReturnValue()))
        while self.game.decision is not None:
            self.decide(self.game.decision)

    def begin(self, core: Any) -> Callable[[], Any]:
        scattering = Scattering(core, self.random)
        self.things = scattering.things
        self.acting = self.random.choice([name for name, side in scattering.side.items() if side != "neutral"])
        points = self.random.randint(1, 12)
        core.world.state.a_points, core.world.state.a_active = points, self.things["nation"][self.acting]
        self.follower = Follower(self.things, self.acting, points)
        self.make_pact(core, scattering.side)
        return partial(core.rule("procedures/operate"), self.things["nation"][self.acting])

    def make_pact(self, core: Any, sides: dict[str, str]) -> None:
        """Often two enemies have an armistice (c.3)."""
        mine = [name for name, side in sides.items() if side == sides[self.acting]]
        foes = [name for name, side in sides.items() if side not in ("neutral", sides[self.acting])]
        pair = self.acting, self.acting
        if foes and self.random.random() < 0.4:
            pair = self.random.choice(mine), self.random.choice(foes)
            self.follower.pact = set(pair)
        state = core.world.state
        state.a_pact_impulses = 2
        state.a_pact_maker, state.a_pact_partner = (self.things["nation"][each] for each in pair)
        core.forget()

    def decide(self, decision: Any) -> None:
        options = [getattr(each, "id", each) for each in decision.options]
        index = self.chosen_index(decision.address, options)
        if len(options) > 1:
            asked = Asked(decision.address, str(decision.seat), options, options[index], len(self.dice.faces))
            self.follower.asked.append(asked)
        self.game.choose_index(index)

    def chosen_index(self, address: str, options: list[Any]) -> int:
        """At random, but forces go on, seek the enemy and are large more often than not."""
        if address == "operate.operations":
            able = [each for each in options if each in self.only]
            self.operations += 1
            return options.index(self.random.choice(able) if able and self.operations <= MOST_OPERATIONS else None)
        eager = self.random.random() < 0.65
        if eager and address == "march_step.march_orders":
            wanted = [each for each in ("embark", "go") if each in options]
            return options.index(self.random.choice(wanted or options))
        if eager and address == "go.there":
            hot = [each for each in options if self.follower.foes_at(each, self.acting)]
            return options.index(self.random.choice(hot or options))
        if eager and address == "form.number":
            return len(options) - 1
        something = [each for each in options if each is not None]
        return options.index(self.random.choice(something)) if eager else self.random.randrange(len(options))

    def follow(self) -> Counter[str]:
        """Follows the game and gives how often each question was compared."""
        compared = Counter(each.address for each in self.follower.asked)
        self.follower.faces = self.dice.faces
        self.follower.operate(self.acting)
        assert not [each for each in self.follower.asked if each.address != "operate.operations"]
        assert self.follower.rolled == len(self.dice.faces)
        self.compare_places()
        return compared

    def compare_places(self) -> None:
        plain, things = self.follower, self.things
        owners = plain.units | plain.ships
        kinds = ("unit", "leader", "squadron")
        real = Counter((owners.get(name, name), each.at.id) for kind in kinds for name, each in things[kind].items())
        assert real == Counter((owners.get(name, name), place) for name, place in plain.at.items())
        assert {name: (each.a_marker or each.a_home).id for name, each in things["area"].items()} == plain.control
        assert {name: each.a_resources for name, each in things["nation"].items()} == plain.resources
        assert {name for name, each in things["leader"].items() if each.a_failed} == plain.failed


class FreeArmies(Operations):
    """A card that activates armies for nothing, or ships a force."""

    offered = False

    def __init__(self, seed: str, card: str) -> None:
        self.card = card
        super().__init__(seed, ON_THE_MAP)

    def begin(self, core: Any) -> Callable[[], Any]:
        super().begin(core)
        if self.card == "la_grande_armee":
            self.acting = "france"
        nation = self.things["nation"][self.acting]
        core.world.state.a_points, core.world.state.a_active = 0, nation
        pact, self.follower = self.follower.pact, Follower(self.things, self.acting, 0)
        self.follower.pact = pact
        card = self.things["card"][self.card]
        self.offered = bool(core.rule("definitions/playable_event")(card, nation))
        return partial(core.rule("procedures/play_event_card"), nation, card) if self.offered else lambda: iter(())

    def chosen_index(self, address: str, options: list[Any]) -> int:
        if address == "add_plus.added":
            return options.index(None)
        if self.card == "pontoon_train" and address == "go.there" and self.random.random() < 0.5:
            hard = [each for each in options if self.follower.way[self.column_at(), each] != "open"]
            return options.index(self.random.choice(hard or options))
        return super().chosen_index(address, options)

    def column_at(self) -> str:
        return str(self.game.core.world.state.a_column_at.id)

    def follow(self) -> Counter[str]:
        compared = Counter(each.address for each in self.follower.asked)
        self.follower.faces, self.follower.untiring = self.dice.faces, self.card == "forced_march"
        self.follower.bridged = self.card == "pontoon_train"
        self.play()
        assert not self.follower.asked
        assert self.follower.rolled == len(self.dice.faces)
        self.compare_places()
        return compared

    def play(self) -> None:
        if self.card == "a_convoy":
            assert self.offered == bool(self.follower.quays(self.acting))
            self.follower.sail_in_convoy(self.acting)
            return
        assert self.offered == bool(self.follower.camps(self.acting))
        times, most, budget = FREE[self.card]
        for _ in range(times):
            self.follower.free_army(self.acting, most, budget)
            self.follower.untiring = False


@pytest.mark.parametrize(
    ("only", "questions"),
    [
        (("march",), {"go.there", "evade.to", "intercept.chosen", "lose_units.share", "fall_back_from.there"}),
        (("sail",), {"sail_from.there", "arrive.attack_fleet", "arrive.meet_fleet", "run_to_port.there"}),
        (ON_THE_MAP, {"march.area", "sail.place", "embark.there"}),
    ],
)
def test_operations_follow_the_clauses(only: tuple[str, ...], questions: set[str]) -> None:
    """Every question, die, place, control marker and resource agrees."""
    compared: Counter[str] = Counter()
    for seed in range(POSITIONS):
        compared += Operations(f"{only} {seed}", only).follow()
    assert questions <= set(compared)


@pytest.mark.parametrize("card", [*FREE, "a_convoy"])
def test_armies_activated_for_nothing_follow_the_clauses(card: str) -> None:
    """Whether the card may be played, who marches or sails, and all that follows, agrees."""
    compared: Counter[str] = Counter()
    for seed in range(FREE_POSITIONS):
        compared += FreeArmies(f"{card} {seed}", card).follow()
    questions = {"free_march.area", "embark.there"} if card == "a_convoy" else {"free_army.area", "go.there"}
    assert questions <= set(compared)
