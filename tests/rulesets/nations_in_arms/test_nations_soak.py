"""Random games of Nations in Arms, looked at from outside: counters and steps are kept, supply is traced twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from soak import SOAK, Tally, load, play, played_game, scenarios, settings
from test_supply_trace import compare

KINDS = ("combat_unit", "support", "army", "leader", "marker")
TRACED = 97
"""The number of decisions between two traces of the supply of all forces."""


class Ledger:
    """What is counted all along a game: nothing of it may get lost, and steps come from nowhere."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.readings = [name for name, value in options.items() if value is True]
        self.asked = 0
        self.counters: dict[str, int] = {}
        self.steps = 0

    def __call__(self, core: Any) -> None:
        """Looks at a game that is asking, or over."""
        counters = {kind: len(getattr(core.world.board, f"all_{kind}")) for kind in KINDS}
        counters["leader"] += sum(awaited(each) for each in core.world.objects if each.kind == "arrival")
        steps = sum(afoot(core))
        begun = core.world.state.a_turn == 1 and core.world.state.a_impulses_made == 0
        assert begun or counters == self.counters
        assert begun or steps <= self.steps, f"{steps} steps in the field, and {self.steps} before"
        self.counters, self.steps = counters, steps
        self.asked += 1
        if self.asked % TRACED == 0:
            compare(SimpleNamespace(core=core), self.readings)


def awaited(arrival: Any) -> bool:
    """Whether it is a leader who stands nowhere yet."""
    return arrival.a_year > 0 and arrival.a_leader is not None and arrival.a_leader.at is None


def afoot(core: Any) -> Iterator[int]:
    """The steps of every combat unit in a stack, on the map or on its way to it."""
    for each in core.world.board.all_combat_unit:
        holder = each.at.at if each.at.kind == "army" else each.at
        if holder.kind == "force":
            yield each.a_steps


@pytest.mark.soak
@pytest.mark.parametrize("name", scenarios("nations_in_arms"))
def test_random_games_keep_counters_and_steps(name: str) -> None:
    """Random games keep their counters, gain no steps and trace supply as the plain trace does, under every option."""
    tally, every = Tally(), settings(name)
    games = SOAK // (len(every) * len(scenarios("nations_in_arms"))) or 1
    for options in every if SOAK else every[:1]:
        play(name, options, range(70_000, 70_000 + games), tally, Ledger(options))
    assert tally.failures == []
    assert tally.games > 0


class AfterTheEnemy:
    """What players like who march on the enemy wherever he can be reached, where chance alone seldom gets them."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def __call__(self, core: Any, address: str, options: Sequence[Any]) -> Sequence[Any]:
        self.asked[address] += 1
        match address:
            case "one_activation.impulse":
                return [each for each in options if getattr(each, "name", "") != "finish_impulse"]
            case "move_stack.orders":
                return [each for each in options if getattr(each, "name", "") == "go"]
            case "go.there":
                held = {id(each.at) for each in core.world.board.all_force}
                return [each for each in options if id(each) in held]
        return ()


@pytest.mark.soak
@pytest.mark.parametrize("name", scenarios("nations_in_arms"))
def test_war_games_keep_counters_and_steps(name: str) -> None:
    """Games in which the armies seek each other do so too, with battles, sieges, pursuits and retreats."""
    tally, every, seeker = Tally(), settings(name), AfterTheEnemy()
    games = SOAK // (len(every) * len(scenarios("nations_in_arms"))) or 4
    for options in every if SOAK else every[:1]:
        play(name, options, range(80_000, 80_000 + games), tally, Ledger(options), seeker)
    assert tally.failures == []
    assert min(seeker.asked[each] for each in ("commit.lead", "take_losses.share", "retire.there")) > 0, seeker.asked


def test_every_log_line_cites_a_clause() -> None:
    """Each line of the log of a whole game of Marengo cites the clauses that it follows from."""
    game = played_game(load("nations_in_arms/marengo_1800"), 3)
    assert game.result is not None
    assert len(game.log) > 500
    assert [each.text for each in game.log if not each.cites] == []
