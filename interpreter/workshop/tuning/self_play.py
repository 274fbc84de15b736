"""Games between two evaluations of one ruleset: each player looks ahead under the evaluation of its own."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from interpreter.play.engine.source import GameSource, source_of
from interpreter.play.game import Game
from interpreter.players.planning.untraced_twin import advance
from interpreter.players.player import Player, choose_unwatched
from interpreter.players.registry import automatic_player
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.loading.load import load_scenario

MAX_DECISIONS = 20_000
"""A game that is not over after this number of decisions is even."""


class SelfPlayRules(NamedTuple):
    """The rules of the games: a scenario with its options, and the word of the player."""

    scenario: str
    options: tuple[tuple[str, Any], ...]
    paths: tuple[str, ...]
    player: str


def score_of_game(rules: SelfPlayRules, one: str, other: str, seed: str, changed_sides: bool) -> int:
    """Plays a game between two evaluations, which are texts of overlays.

    `one` is the evaluation of the seat that decides first, and `other` that of all others; or the reverse if they have
    changed sides. Returns 1 if `one` wins, -1 if it loses, and 0 if nobody wins.

    Raises:
        BicorneError: if an overlay is wrong, or a rule fails.
    """
    sources = _source(rules, one), _source(rules, other)
    game = Game(sources[0], seed)
    if game.decision is None:
        return 0
    first = game.decision.seat
    players = {
        each: OwnEvaluationPlayer(automatic_player(rules.player, seed, each), sources[(each == first) == changed_sides])
        for each in game.seats
    }
    for _ in range(MAX_DECISIONS):
        if game.decision is None:
            break
        game.choose_index(choose_unwatched(players[game.decision.seat], game))
    winners = game.result.winners if game.result is not None else ()
    if not winners:
        return 0
    return 1 if (first in winners) != changed_sides else -1


class OwnEvaluationPlayer:
    """A player that looks ahead in a copy of the game whose ruleset differs by its evaluation alone."""

    def __init__(self, player: Player, source: GameSource) -> None:
        self._player, self._source = player, source
        self._copy: Game | None = None

    def choose(self, game: Game) -> int:
        """Returns the position of the option that it takes."""
        copy = self._copy
        if copy is None or not advance(copy, game.inputs.items):
            copy = self._copy = Game(self._source, game.seed, inputs=game.inputs.items)
        return self._player.choose(copy)


@lru_cache(maxsize=8)
def _source(rules: SelfPlayRules, overlay: str) -> GameSource:
    tuned = OverlayFile(Path("<weights>"), overlay.encode())
    return source_of(load_scenario(rules.scenario, dict(rules.options), rules.paths, [tuned], cache=False))
