"""The ruleset compared with a game written by hand from the same clauses, over the same dice, draws and decisions."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, partial
from random import Random
from typing import Any, NamedTuple

import pytest
from plain_age_of_napoleon import PlainGame
from plain_politics import GameOver
from plain_position import ENEMY, SIDES
from scattered import scatter

from interpreter import Game, load_ruleset, load_scenario
from interpreter.play.engine.core import Core
from interpreter.play.engine.decision import Decision
from interpreter.play.engine.entry import ReturnValue, start_at_call
from interpreter.play.inputs.dice import Dice
from interpreter.rules.loading.ruleset import Ruleset, Scenario

OPTIONS = ("firm_courts", "cards_taken_up")
SCENARIOS = [("ulm_1805", ()), ("wagram_1809", ()), ("leipzig_1813", ()), ("wagram_1809", OPTIONS)]
SOAK = bool(os.environ.get("BICORNE_SOAK"))
GAMES, POSITIONS = (60, 1000) if SOAK else (1, 20)
PHASES = {
    "diplomacy": (PlainGame.diplomacy, "diplomatic_card.target"),
    "insurrections": (PlainGame.insurrections, "muster.area"),
    "strategy": (PlainGame.strategy, "decide_order.goes_first"),
    "reinforcement": (PlainGame.reinforcement, "place_corps.area"),
    "surrenders": (PlainGame.surrenders, "plead.card"),
    "winter_attrition_phase": (PlainGame.winter_phase, "winter_check.gone"),
    "tidy_year": (PlainGame.tidy_year, "take_up.swapped"),
}
"""What the hand-written game does in each phase, and a question that must have been put in one."""
SEEKS_BATTLE, IS_ACTIVE = 0.7, 0.6


class Summary(NamedTuple):
    """All that can change, in common words."""

    places: dict[str, str]
    reduced: set[str]
    piles: dict[str, str]
    alignment: dict[str, str]
    detached: set[str]
    risen: set[str]


class Asked(NamedTuple):
    """A decision among several options, and the position in which it was made."""

    address: str
    seat: str
    options: set[Any]
    answer: Any
    rolled: int
    """How many dice had been rolled before it."""
    summary: Summary


class RecordedDice(Dice):
    """The dice and draws of a game, in the order in which they were made."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self.faces: list[int] = []
        self.draws: list[list[str]] = []

    def roll(self, site: Any, count: int, faces: Sequence[Any]) -> list[int]:
        rolled = super().roll(site, count, faces)
        self.faces += [faces[each] for each in rolled]
        return rolled

    def pick(self, site: Any, count: int, of: Sequence[Any]) -> list[int]:
        picked = super().pick(site, count, of)
        self.draws.append([of[each].id for each in picked])
        return picked


class Follower(PlainGame):
    """The hand-written game over the dice, draws and answers of a played one."""

    def __init__(self, core: Core, dice: RecordedDice, options: Collection[str]) -> None:
        super().__init__(core, options)
        self.dice, self.rolled, self.drawn = dice, 0, len(dice.draws)
        self.asked: deque[Asked] = deque()

    def ask(self, side: str, options: Iterable[Any]) -> Any:
        options = set(options)
        if len(options) == 1:
            return options.pop()
        assert self.asked, f"{self.year}, round {self.round}: only the hand-written game asks {side} for {options}"
        asked = self.asked.popleft()
        here = f"{self.year}, round {self.round}: {asked.address}"
        assert (side, options) == (asked.seat, asked.options), here
        assert self.rolled == asked.rolled, here
        assert self.summary() == asked.summary, here
        return asked.answer

    def die(self) -> int:
        self.rolled += 1
        return self.dice.faces[self.rolled - 1]

    def draw(self, number: int) -> list[str]:
        if not number:
            return []
        self.drawn += 1
        drawn = self.dice.draws[self.drawn - 1]
        assert len(drawn) == number
        assert set(drawn) <= self.cards_in("deck")
        return drawn

    def summary(self) -> Summary:
        on_map = {each for each in self.reduced if self.on_map(each)}
        alignment = {each: self.alignment[each] for each in self.country if self.exists(each)}
        return Summary(dict(self.place), on_map, dict(self.pile), alignment, set(self.detached), set(self.risen))


def begin_scattered(
    follow: Callable[[Core], Follower],
    rule: str,
    sides: Sequence[str],
    random: Random,
    begun: list[Follower],
    core: Core,
) -> Callable[[], Any]:
    """Makes a random position in which a rule begins; the follower that begins there is added to `begun`."""
    scatter(core, random)
    begun.append(follow(core))
    return partial(core.rule(f"procedures/{rule}"), *[core.find("player", each) for each in sides])


class Play:
    """A game of random decisions, followed by the hand-written game.

    It is a whole game, or one rule from a random position.
    """

    def __init__(
        self, source: Scenario | Ruleset, seed: str, options: Collection[str], rule: str = "", *sides: str
    ) -> None:
        self.dice, self.random = RecordedDice(seed), Random(seed)
        begun: list[Follower] = []
        follow = partial(Follower, dice=self.dice, options=options)
        begin = partial(begin_scattered, follow, rule, sides, self.random, begun)
        self.game = Game(source, dice=self.dice, start=start_at_call(begin, True, ReturnValue()) if rule else None)
        self.follower = begun.pop() if rule else follow(self.game.core)
        things: dict[str, list[Any]] = {}
        for each in self.game.core.world.objects:
            things.setdefault(each.kind, []).append(each)
        self.corps, self.cards, self.countries = things["corps"], things["card"], things["country"]
        self.asked: list[Asked] = []
        while self.game.decision is not None:
            self.decide(self.game.decision)
        self.follower.asked.extend(self.asked)

    def decide(self, decision: Decision) -> None:
        options = [getattr(each, "id", each) for each in decision.options]
        index = self.index_of_choice(decision)
        if len(options) > 1:
            rolled, summary = len(self.dice.faces), self.summary()
            answer = options[index]
            self.asked.append(Asked(decision.address, str(decision.seat), set(options), answer, rolled, summary))
        self.game.choose_index(index)

    def index_of_choice(self, decision: Decision) -> int:
        """At random, but armies seek the enemy, and something is done more often than nothing."""
        options = list(decision.options)
        if decision.address in ("enter.area", "sail.area") and self.random.random() < SEEKS_BATTLE:
            foe = self.game.core.find("player", ENEMY[str(decision.seat)])
            hostile = [each for each in options if self.game.evaluate("definitions/army", foe, each)]
            return options.index(self.random.choice(hostile or options))
        index = self.random.randrange(len(options))
        return 0 if options[index] is None and self.random.random() < IS_ACTIVE else index

    def summary(self) -> Summary:
        real = [each for each in self.countries if each.a_ruler is None or each.a_detached]
        return Summary(
            {each.id: each.at.id for each in self.corps},
            {each.id for each in self.corps if each.a_reduced and each.at.kind == "area"},
            {each.id: each.at.id for each in self.cards},
            {each.id: each.a_alignment.id for each in real},
            {each.id for each in self.countries if each.a_detached},
            {each.id for each in self.countries if each.a_once_insurgent},
        )

    def compare(self, follow: Callable[[Follower], object]) -> Counter[str]:
        """Has the hand-written game follow, and returns how often the questions were asked."""
        winners: tuple[str, ...] = ()
        try:
            follow(self.follower)
        except GameOver as end:
            winners = (str(end),)
        assert not self.follower.asked
        assert self.follower.rolled == len(self.dice.faces)
        assert self.follower.summary() == self.summary()
        assert self.game.result is not None
        assert self.game.result.winners == winners
        return Counter([each.address for each in self.asked])


@cache
def scenario(name: str, *options: str) -> Scenario:
    return load_scenario(f"age_of_napoleon/{name}", options=dict.fromkeys(options, True))


@cache
def rules(*options: str) -> Ruleset:
    return load_ruleset("age_of_napoleon", options=dict.fromkeys(options, True))


def impulse(side: str) -> Callable[[Follower], None]:
    """Returns what the hand-written game does in an impulse at the beginning of a campaign."""

    def follow(follower: Follower) -> None:
        follower.free, follower.moved, follower.sailed = set(SIDES), set(), set()
        follower.impulse(side)

    return follow


@pytest.mark.parametrize(("name", "options"), SCENARIOS)
def test_ruleset_matches_plain_game(name: str, options: tuple[str, ...]) -> None:
    """Both ask the same of the same seats with the same options, roll, draw, stand and end the same."""
    for number in range(GAMES):
        asked = Play(scenario(name, *options), f"{name} {number}", options).compare(PlainGame.play)
        assert asked["enter.area"] > asked["reward.restored"] > 0


@pytest.mark.parametrize("phase", PHASES)
def test_phases_match_from_random_positions(phase: str) -> None:
    """Both go through a phase alike with any alignments, armies and hands, without and with optional rules."""
    follow, question = PHASES[phase]
    asked = Counter[str]()
    for options in ((), OPTIONS):
        for number in range(POSITIONS):
            asked += Play(rules(*options), f"{phase} {number}", options, phase).compare(follow)
    assert asked[question] > 0


@pytest.mark.parametrize("side", SIDES)
def test_impulses_match_from_random_positions(side: str) -> None:
    """Both march, sail, intercept, withdraw, fight and retreat alike, in every season."""
    asked = Counter[str]()
    for number in range(2 * POSITIONS):
        asked += Play(rules(), f"{side} {number}", (), "impulse", side).compare(impulse(side))
    assert min(asked[each] for each in ("intercept.chief", "withdrawal.to", "retreat.to", "leave_behind.left")) > 0
