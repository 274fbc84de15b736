"""Pairs of games that differ only in a card that one seat has never seen, compared at every moment.

A game is played at random. Its twin gets the same inputs, but for one draw: a seat drew another card, which is still in
the deck at the end, in place of one that is still in its hand. What the other seats see of both games must be the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from interpreter import Game
from interpreter.console.narration import Narrator, fold_entries
from interpreter.play.inputs.inputs import ANSWER, Input
from interpreter.play.undo import UndoRefused


def play_at_random(source: Any, seed: int, decisions: int, kept: str = "") -> Game:
    """Returns a game after some random decisions; of a card whose id begins with `kept` nobody makes use."""
    game, chance = Game(source, seed), Random(seed)
    for _ in range(decisions):
        decision = game.decision
        if decision is None:
            break
        usable = [at for at, each in enumerate(decision.options) if not kept or not _id(each).startswith(kept)]
        game.choose_index(chance.choice(usable or range(len(decision.options))))
    return game


def _id(option: Any) -> str:
    return str(getattr(option, "id", ""))


def exchanged(game: Game, kind: str, hand: str, deck: Any, wanted: str = "") -> Iterator[list[Input]]:
    """Yields inputs in which one card of a hand at the end was another from the deck since it was drawn.

    `wanted` begins the id of one of both cards.
    """
    records = list(game.inputs.items)
    held = [each for each in game.core.world.all_of(kind) if hand in str(getattr(each.at, "id", ""))]
    left = [each for each in game.core.world.all_of(kind) if each.at is deck]
    for mine in held:
        for other in left:
            if not mine.id.startswith(wanted) and not other.id.startswith(wanted):
                continue
            if sum(_names(each, mine) for each in records) == 1 and not any(_names(each, other) for each in records):
                yield [tuple([other.id if part == mine.id else part for part in each]) for each in records]


def _names(item: Input, thing: Any) -> bool:
    return any(part == thing.id or (isinstance(part, tuple) and part[-1] == thing.id) for part in item)


def moments(source: Any, seed: int, records: list[Input], seats: list[str], every: int) -> Iterator[dict[str, Any]]:
    """Yields what seats see at each decision of a game; logs and undo at each `every`th one, and at the end."""
    answers = [at for at, each in enumerate(records) if each[0] == ANSWER]
    game = Game(source, seed, inputs=records[: answers[0]])
    narrator = Narrator(game)
    for number, at in enumerate([*answers[1:], len(records)], 1):
        seen = {seat: [game.view(seat)] for seat in seats}
        if number % every == 0 or at == len(records):
            for seat, parts in seen.items():
                parts += [game.view_hash(seat), *_read(game, narrator, seat)]
        yield seen
        game.feed(records[:at])


def _read(game: Game, narrator: Narrator, seat: str) -> list[Any]:
    """What a seat reads of a game: log, explanations, narration, the reason against an undo."""
    log = game.log_of(seat)
    entries = [(each.number, each.step, each.kind, each.text, str(each.data), each.cites) for each in log.entries]
    last = [str(log.explain(each.number)) for each in log.entries[-6:]]
    folded = [str(each) for each in fold_entries(log.entries)]
    news = [str(each) for each in narrator.news(game, seat)]
    return [entries, last, folded, news, _undo_reason(game, seat)]


def _undo_reason(game: Game, seat: str) -> str:
    at, records = game.mark(), list(game.inputs.items)
    try:
        game.undo(seat)
    except UndoRefused as refused:
        return str(refused)
    game.go_back(len(game.steps) - 1, len(game.inputs.items), records[len(game.inputs.items) :])
    assert game.mark().inputs == at.inputs
    return "undone"
