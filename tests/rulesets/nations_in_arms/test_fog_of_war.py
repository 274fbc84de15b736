"""Under fog of war (17.7) what lies in enemy stacks changes nothing of what a player sees or may order."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from battle_play import choose_battles
from plain_force import commander
from soak import load, scenarios

from interpreter import Game
from interpreter.console.board import board_text, map_window
from interpreter.play.views.view import view
from interpreter.play.views.visibility import Visibility
from interpreter.play.views.visible_log import visible_log
from interpreter.players.random import RandomPlayer

LOOKS, DECISIONS = 3, 40
"""How often a game is looked at, and the number of random decisions between two looks."""
GAMES, ENOUGH = 12, 3
"""Games in which battles are looked for, and how many are enough."""
SHUFFLES = 4
"""How often what is hidden is mixed for each pair of stacks that face one another."""


def games(name: str) -> Iterator[Game]:
    """A game under fog of war, stopped again and again."""
    game = Game(load(name, fog_of_war=True), seed=name)
    players = {seat: RandomPlayer(name, seat) for seat in game.seats}
    for _ in range(LOOKS):
        for _ in range(DECISIONS):
            if game.decision is None:
                return
            game.choose_index(players[game.decision.seat].choose(game))
        yield game


def strangers(game: Game, seat: str) -> list[Any]:
    """The combat units that this seat cannot tell from one another."""
    sight = Visibility(game.core, game.core.find("player", seat))
    return [each for each in game.core.world.board.all_combat_unit if sight.hides(each)]


@pytest.mark.parametrize("name", scenarios("nations_in_arms"))
def test_minor_allies_reveal_no_enemy_stack(name: str) -> None:
    """A seat sees the units of its bloc and none in an enemy stack; a power without a player reveals none."""
    game = Game(load(name, fog_of_war=True), seed=name)
    for seat, own in (("french", "empire"), ("austrian", "coalition")):
        unseen = strangers(game, seat)
        assert len(unseen) > 10
        assert all(each.a_power.a_bloc.id != own for each in unseen)
        covered = [each for each in game.core.world.board.all_combat_unit if game.core.names["vw_stacks"](each)]
        assert {each for each in covered if each.a_power.a_bloc.id != own} == set(unseen)


def exchange(game: Game, hidden: list[Any], chance: Random) -> int:
    """Puts unseen units in one another's places, and gives how many stand elsewhere than before."""
    holders = [each.at for each in hidden]
    others = chance.sample(holders, len(holders))
    for unit, holder in zip(hidden, others, strict=True):
        game.core.world.place(unit, holder)
    return sum(one is not other for one, other in zip(holders, others, strict=True))


def orders(game: Game) -> list[Any]:
    """What the active stack may do, and where it may march; it depends on the enemy as far as he is seen."""
    active = game.core.world.state.a_active
    if active is None or active.at is None:
        return []
    return [game.evaluate("menus/orders", active), game.evaluate("definitions/ways", active)]


def seen_by(game: Game, seat: str) -> str:
    """All that a seat is shown: the view that programs get, the board and the map on the screen."""
    whole = {name: each for name, each in view(game, seat).items() if name != "decision"}
    return "\n".join([json.dumps(whole), board_text(game, seat), str(map_window(game, seat))])


@pytest.mark.parametrize("name", scenarios("nations_in_arms"))
def test_views_hide_units_of_enemy_stacks(name: str) -> None:
    """View, board, map and orders stay the same if the unseen units are exchanged."""
    chance, exchanged = Random(name), 0
    for game in games(name):
        world = game.core.world
        for seat in ("french", "austrian"):
            assert game.decision is not None
            mark, before = world.mark(), seen_by(game, seat)
            offered = orders(game) if game.decision.seat == seat else None
            exchanged += exchange(game, strangers(game, seat), chance)
            try:
                assert seen_by(game, seat) == before
                assert offered is None or orders(game) == offered
            finally:
                world.rollback(mark)
    assert exchanged > 20


def veiled(game: Game, seat: str) -> list[Any]:
    """All units that this seat cannot see, trains and depots too."""
    sight = Visibility(game.core, game.core.find("player", seat))
    board = game.core.world.board
    return [each for each in (*board.all_combat_unit, *board.all_support) if sight.hides(each)]


def beside(game: Game, seat: str) -> Iterator[tuple[Any, Any]]:
    """Each stack of this seat that can fight, moved next to each of the enemy's in turn."""
    world, evaluate = game.core.world, game.evaluate
    stacks = [each for each in world.board.all_force if each.at.kind == "hex"]
    taken = {each.at for each in stacks}
    own = [each for each in stacks if evaluate("definitions/force.seat", each).id == seat and commander(each)]
    for mine in (each for each in own if evaluate("definitions/force.is_force", each)):
        for other in stacks:
            blocs = [evaluate("definitions/force.bloc", each) for each in (mine, other)]
            if evaluate("definitions/hostile", *blocs) and not other.a_inside:
                mark = world.mark()
                world.place(mine, next(each for each in other.at.neighbours if each not in taken))
                yield mine, other
                world.rollback(mark)


def first_options(world: Any, asking: Any) -> list[str]:
    """What a rule offers first, if it asks anything."""
    mark = world.mark()
    try:
        options = next(asking)[2]
        return [each.id for each in (options() if callable(options) else options) if each is not None]
    except StopIteration:
        return []
    finally:
        world.rollback(mark)


def reactions(game: Game, mine: Any, other: Any) -> list[Any]:
    """Where a stack may withdraw to, retreat to, march afar, and whether it may intercept an enemy beside it."""
    world, rule = game.core.world, game.core.rule
    game.core.begin_query()  # the next questions have a time of their own
    there = next(each for each in other.at.neighbours if each in mine.at.neighbours)
    mine.a_extended, mine.a_mf, before = True, 9, (mine.a_extended, mine.a_mf)
    try:
        afar = game.evaluate("definitions/ways", mine)
    finally:
        mine.a_extended, mine.a_mf = before
    return [
        game.evaluate("definitions/refuges", mine, other, there, True),
        first_options(world, rule("procedures/fall_back")(mine)),
        first_options(world, rule("procedures/interception")(other, other.at, there)),
        afar,
    ]


@pytest.mark.parametrize("name", scenarios("nations_in_arms"))
def test_options_reveal_no_hidden_units(name: str) -> None:
    """A stack beside the enemy has the same options if the unseen units are exchanged and reduced at random."""
    chance, compared = Random(name), 0
    game = next(games(name))
    world = game.core.world
    for seat in ("french", "austrian"):
        for mine, other in beside(game, seat):
            before, hidden = reactions(game, mine, other), veiled(game, seat)
            for _ in range(SHUFFLES):
                mark = world.mark()
                exchange(game, hidden, chance)
                steps = {each: each.a_steps for each in hidden if each.kind == "combat_unit"}
                for each in steps:
                    each.a_steps = chance.randint(1, each.a_full)
                try:
                    assert reactions(game, mine, other) == before
                finally:
                    for each, number in steps.items():
                        each.a_steps = number
                    world.rollback(mark)
            compared += 1
    assert compared > 20


def test_open_game_shows_exchanged_units() -> None:
    """In a game without fog the view and the map of the place show the exchange at once."""
    game = Game(load("nations_in_arms/marengo_1800"))
    before = board_text(game, "french"), json.dumps(view(game, "french"))
    world = game.core.world
    moreau, kray = (world.find("army", each) for each in ("fr_army_rhine", "au_army_rhine"))
    assert strangers(game, "french") == []
    world.place(world.find("combat_unit", "au_inf_3"), world.find("force", "force_of_Reuss"))
    assert moreau.at is not kray.at
    assert board_text(game, "french") != before[0]
    assert json.dumps(view(game, "french")) != before[1]


def met(game: Game) -> tuple[set[Any], set[Any]]:
    """The combat units of the active stack, and all that stand with it in the open."""
    active = game.core.world.state.a_active
    stacks = {}
    for unit in game.core.world.board.all_combat_unit:
        stacks[unit] = unit.at.at if unit.at.kind == "army" else unit.at
    mine = {unit for unit, stack in stacks.items() if stack is active}
    here = {stack for stack in set(stacks.values()) if stack.kind == "force" and stack.at is active.at}
    return mine, {unit for unit, stack in stacks.items() if stack in here and not stack.a_inside}


def test_battle_reveals_both_stacks() -> None:
    """A seat that may avoid combat sees no enemy units, one that names its lead sees all (17.7.2), later none does."""
    before = battles = 0
    for seed in range(GAMES):
        game = Game(load("nations_in_arms/ulm_austerlitz_1805", fog_of_war=True), seed=seed)
        players = {seat: RandomPlayer(seed, seat) for seat in game.seats}
        while (decision := game.decision) is not None and min(before, battles) < ENOUGH:
            if decision.address == "avoid_combat.stance":
                led = commander(game.core.world.state.a_active) is not None
                assert not led or met(game)[0] <= set(strangers(game, decision.seat))
                before += led
            elif decision.address == "commit.lead":
                for seat in ("french", "austrian"):
                    assert not met(game)[1] & set(strangers(game, seat))
                battles += 1
            elif decision.address == "one_activation.impulse":
                assert not any(each.a_revealed for each in game.core.world.board.all_force)
            game.choose_index(choose_battles(game, players))
    assert min(before, battles) == ENOUGH


def test_log_of_a_seat_names_no_unseen_corps() -> None:
    """If Murat takes a corps out of the Army of Reserve, only the log of France names the corps."""
    game = Game(load("nations_in_arms/marengo_1800", fog_of_war=True))
    led_out = ("lead_out", "fr_murat", "fr_inf_4", None, None, None)
    for answer in ("empire_land_4", *led_out):
        game.choose(answer)
    corps = game.source.wording.of(game.core.find("combat_unit", "fr_inf_4"))
    mine, theirs = ([each.text for each in visible_log(game, seat)] for seat in ("french", "austrian"))
    assert f"{corps} moves from Armée de Réserve to force of Murat" in mine
    assert "Murat moves from Armée de Réserve to force of Murat" in theirs
    assert [each for each in theirs if corps in each] == []


def shown(game: Game, seat: str) -> set[str]:
    """Of the corps at Aosta those that stand in the view of a seat, which programs get."""
    whole = json.dumps({name: each for name, each in view(game, seat).items() if name != "decision"})
    return {each for each in ("fr_inf_4", "fr_inf_5", "fr_cav_1", "au_det_1") if f'"{each}"' in whole}


def test_overrun_reveals_both_stacks() -> None:
    """If Bonaparte comes upon Haddick, each sees the other's corps until the overrun is over (17.7.2)."""
    game = Game(load("nations_in_arms/marengo_1800", fog_of_war=True))
    french, austrian = {"fr_inf_4", "fr_inf_5", "fr_cav_1"}, {"au_det_1"}
    march = ("empire_land_4", "activate", "army_of_Bonaparte", "go", "h3230", None, "go", "h3231", None)
    for answer in (*march, "stand"):
        assert shown(game, "french") == french
        assert shown(game, "austrian") == austrian
        game.choose(answer)
    assert game.decision is not None
    assert game.decision.address == "overrun.ride_over"
    assert shown(game, "french") == shown(game, "austrian") == french | austrian
    game.choose(True)
    assert shown(game, "austrian") == austrian
