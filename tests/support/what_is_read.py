"""All that a seat reads at a decision of its own."""

from __future__ import annotations

from typing import Any

from interpreter import Game
from interpreter.console.board import board_text, map_text, place_text
from interpreter.console.human import Question, _so_far
from interpreter.console.standing_text import status_line
from interpreter.world.things import Link, Space


def what_is_read(game: Game, seat: str, most: int = 20) -> list[Any]:
    """Returns all that a seat reads at its decision; it asks about at most this number of things, and of places."""
    assert game.decision is not None
    question = Question.asked(game)
    named = [each.id for each in game.core.world.objects if not isinstance(each, Link)]
    spaces = [each.id for each in game.core.world.objects if isinstance(each, Space)][:most]
    return [
        game.view(seat),
        game.view_hash(seat),
        [question.text, question.prompt, *question.lines, *_so_far(game)],
        [game.decision.prompt, *game.decision.labels],
        [_reasons(game, each) for each in named[:most]],
        [board_text(game, seat, 80), str(map_text(game, seat)), status_line(game, seat)],
        [place_text(game, each, seat) for each in spaces],
        [str(each) for each in game.log_of(seat).entries],
    ]


def _reasons(game: Game, name: str) -> list[str]:
    assert game.decision is not None
    return [str(each) for each in game.why_not_option(game.decision.seat, name)]
