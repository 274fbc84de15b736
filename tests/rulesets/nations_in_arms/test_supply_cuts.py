"""Where supply lines are cut, against a search in plain Python: without the named cuts the line leads to a source."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from interpreter import Game, load_scenario

LEG = 4
"""The movement points of a leg."""


def cheapest(start: Any, steps: Callable[[Any], Iterable[tuple[Any, int]]], limit: int) -> set[Any]:
    """Returns the places within a limit, by relaxation to a fixed point."""
    best = {start: 0}
    better = True
    while better:
        better = False
        for here in list(best):
            for there, cost in steps(here):
                if best[here] + cost <= min(limit, best.get(there, limit + 1) - 1):
                    best[there], better = best[here] + cost, True
    return set(best)


class Lines:
    """The supply lines of one position."""

    def __init__(self, game: Game) -> None:
        self.rules = game.core.names

    def check(self, origin: Any, line: Any) -> bool:
        """Compares the cuts of one line with the line that is open without them; returns whether it is cut."""
        rules, bloc = self.rules, line.a_bloc
        zones, contacts = rules["d_enemy_zones"](bloc), rules["d_enemy_contacts"](bloc)
        shut, pontoons = rules["d_shut_zones"](bloc), rules["d_fed_pontoons"](bloc)
        lord = rules["d_powerːoverlord"](line)
        ends = {*rules["d_sources_of"](line), *rules["d_fed_posts"](lord, shut)}
        found = rules["rc_line"](origin, ends, line, tuple(ends), zones, contacts, shut, pontoons)
        if not found:
            return False
        allowed = {(each.here, each.there) for each in found}

        def is_barred(here: Any, there: Any) -> bool:
            return bool(rules["b_line_bars"](bloc, zones, contacts, shut, pontoons, here, there))

        def leg(post: Any, opened: set[tuple[Any, Any]]) -> set[Any]:
            return cheapest(
                post,
                lambda here: [
                    (there, rules["m_leg_cost"](here, there))
                    for there in here.neighbours
                    if (here, there) in opened or not is_barred(here, there)
                ],
                LEG,
            )

        def leads_home(more: set[tuple[Any, Any]]) -> bool:
            known, front = {origin}, [origin]
            while front:
                post = front.pop()
                near = leg(post, set()) | {there for here, there in more if here is post}
                if near & ends:
                    return True
                further = [each for each in near - known if rules["d_relay_for"](each, line, lord)]
                known.update(further)
                front += further
            return False

        assert not leads_home(set())
        assert leads_home(allowed)
        first = found[0]
        assert first.there not in leg(first.here, set())
        steps = rules["rc_supply_leg"](first.here, (first.there,), bloc, zones, contacts, shut, pontoons)
        assert all(is_barred(each.here, each.there) for each in steps)
        assert first.there in leg(first.here, {(each.here, each.there) for each in steps})
        return True


def test_without_its_cuts_a_line_is_open() -> None:
    """In random games of Marengo, from wherever a force is, a line that is cut leads home without its cuts alone."""
    cut = 0
    for seed in (3, 4):
        game, chance = Game(load_scenario("nations_in_arms/marengo_1800"), seed=seed), Random(seed)
        for _ in range(130):
            if game.decision is None:
                break
            game.choose_index(chance.randrange(len(game.decision.options)))
        game.core.begin_query()
        lines = Lines(game)
        origins = {each.at for each in game.core.world.all_of("force") if each.at is not None and each.at.kind == "hex"}
        for origin in sorted(origins, key=lambda each: each.index):
            for power in ("france", "austria"):
                cut += lines.check(origin, game.core.world.find("power", power))
    assert cut > 20
