"""The card games: what a seat reads, asks and is advised is the same whichever cards the others hold unseen.

Pairs of games have the same inputs, but for one draw: a card that is still in a hand was another, still in the deck. Or
they differ in the seed, and so in all that chance is still to bring.
"""

from __future__ import annotations

from contextlib import suppress

import pytest
from hidden_pairs import exchanged, play_at_random
from scripted_terminal import Script

from interpreter import Game, load_scenario
from interpreter.console.human import HumanPlayer
from interpreter.console.prompt_commands import PromptCommands
from interpreter.console.replay_prompt import ReplayPrompt
from interpreter.language.diagnostics import BicorneError
from interpreter.play.records.recording import as_recorded
from interpreter.play.replay.stepper import ReplayStepper
from interpreter.players.greedy import GreedyPlayer
from interpreter.players.player import PlayerLeft

COMMANDS = ("board", "log 20", "why", "standing")
ABOUT = ("board", "why", "why not")


def blind_seats(game: Game, card: str) -> list[str]:
    """The seats that do not see a card."""
    return [each for each in game.seats if repr(card) not in repr(game.view(each))]


def read(game: Game, seat: str, names: list[str]) -> list[str]:
    """What a seat reads at any time: its hash, its log, and the answers to commands."""
    script = Script(())
    commands = PromptCommands(game, seat, script.say)
    for line in (*COMMANDS, *[f"{each} {name}" for each in ABOUT for name in names]):
        word, _, rest = line.partition(" ")
        try:
            commands.run(word, rest)
        except BicorneError as error:
            script.say(error)
    log = [f"{each.number} {each.step} {each.text} {each.data}" for each in game.log_of(seat).entries]
    return [game.view_hash(seat), *log, *script.said]


def asked(game: Game, seat: str, names: list[str]) -> list[str]:
    """What the seat that decides sees of its question, the way to what it names, and what a player advises."""
    script = Script(tuple(f"plan {each}" for each in names))
    with suppress(PlayerLeft):
        HumanPlayer(seat, script, lambda _game, _path: "").choose(game)
    return [*script.said, str(GreedyPlayer(5, seat, trials=4).choose(game))]


def replayed(game: Game, seat: str) -> list[str]:
    """What a seat reads of the last recorded decision when it steps through a game."""
    stepper, script = ReplayStepper(as_recorded(game).recording, game.source, seat), Script(())
    prompt = ReplayPrompt(stepper, script.say)
    stepper.go(stepper.last - 1)
    for line in ("options", "odds"):
        try:
            prompt.obey(line, "")
        except BicorneError as error:
            script.say(error)
    return script.said


@pytest.mark.parametrize(
    ("name", "seed", "decisions", "hands"),
    [
        ("napoleonic_wars/duel_1805", 104, 7, ("france",)),
        ("napoleonic_wars/campaign_3", 103, 9, ("austria",)),
        ("napoleonic_wars/campaign_4", 102, 9, ("austria",)),
        ("napoleonic_wars/campaign_5", 104, 9, ("prussia",)),
        ("age_of_napoleon/wagram_1809", 101, 54, ("french", "coalition")),
        ("commands_and_colors_napoleonics/rolica_1", 102, 9, ("french",)),
    ],
)
def test_unseen_cards_leave_no_trace(name: str, seed: int, decisions: int, hands: tuple[str, ...]) -> None:
    """View, hash, log, commands, question, orders, a replay and the choice of a greedy player tell no unseen card."""
    source = load_scenario(name)
    game = play_at_random(source, seed, decisions)
    assert game.decision is not None
    decides, deck = game.decision.seat, game.core.find("pile", "deck")
    compared = 0
    for hand in hands:
        records = next(exchanged(game, "card", hand, deck))
        pair = [Game(source, seed, True, inputs=each) for each in (game.inputs.items, records)]
        changed = [part for one, other in zip(game.inputs.items, records, strict=True) if one != other for part in one]
        drawn = [part for one, other in zip(records, game.inputs.items, strict=True) if one != other for part in one]
        [was] = set(changed) - set(drawn)
        [became] = set(drawn) - set(changed)
        names = [pair[0].source.wording.of(pair[0].core.find("card", each)) for each in (was, became)]
        for seat in blind_seats(pair[0], was):
            one, other = (each.view(seat) for each in pair)
            assert one == other
            one, other = (read(each, seat, names) for each in pair)
            assert one == other
            one, other = (replayed(each, seat) for each in pair)
            assert one == other
            compared += 1
            if seat == decides:
                one, other = (asked(each, seat, names) for each in pair)
                assert one == other
    assert compared >= len(hands)


@pytest.mark.parametrize(
    ("name", "decisions"),
    [
        ("napoleonic_wars/campaign_5", 9),
        ("age_of_napoleon/ulm_1805", 20),
        ("commands_and_colors_napoleonics/rolica_1", 9),
        ("fin_napoleon/campaign", 20),
    ],
)
def test_chance_to_come_leaves_no_trace(name: str, decisions: int) -> None:
    """View, hash, log, commands, question and the choice of a greedy player tell nothing of the seed."""
    source = load_scenario(name)
    game = play_at_random(source, 102, decisions)
    assert game.decision is not None
    pair = [Game(source, seed, True, inputs=game.inputs.items) for seed in (102, "another")]
    for seat in game.seats:
        one, other = ([each.view(seat), *read(each, seat, [])] for each in pair)
        assert one == other
    one, other = (asked(each, game.decision.seat, []) for each in pair)
    assert one == other
