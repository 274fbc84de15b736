"""Games for tests of saves and logs, and the digest of a file."""

from __future__ import annotations

import hashlib
import random

from tiny_game import TINY

from interpreter.play.records.recording import RecordedGame


def played(moves=25, seed=5, **more):
    """Returns a recorded game after some moves, or at its end."""
    game = RecordedGame(TINY, seed, **more)
    for _ in range(moves):
        if game.decision is None:
            break
        game.choose_index(random.Random(len(game.history)).randrange(len(game.decision.options)))
    return game


def other_course():
    """Returns the same game as `played` returns, but with other decisions."""
    game = RecordedGame(TINY, 5)
    for _ in range(25):
        game.choose_index(0)
    return game


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()
