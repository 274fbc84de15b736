"""A person at a terminal whose lines are prepared."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import pytest

from interpreter.console.human import HumanPlayer
from interpreter.play.game import Game
from interpreter.players.player import DecisionUndone, PlayerLeft


class Script:
    """A terminal with prepared lines."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = list(lines)
        self.prompts: list[str] = []
        self.said: list[str] = []

    def ask(self, prompt: str, words: Sequence[str]) -> str | None:
        """Returns the next line."""
        self.said.append(prompt)
        self.prompts.append(prompt)
        return self._lines.pop(0) if self._lines else None

    def say(self, text: object, style: str | None = None) -> None:
        """Records a text."""
        self.said.extend(str(text).splitlines())

    @property
    def text(self) -> str:
        """All recorded text."""
        return "\n".join(self.said)


def typed(game: Game, *lines: str) -> Script:
    """Plays until these lines are typed; returns the terminal."""
    script = Script(lines)
    player = HumanPlayer("red", script, lambda _game, _path: "")
    with suppress(PlayerLeft):  # at the end of the lines
        while game.decision is not None:
            with suppress(DecisionUndone):
                game.choose_index(player.choose(game))
    return script


def lines_shown(game: Game, *lines: str) -> list[str]:
    """Returns what a person sees, except prompts, who types these lines at one decision and leaves."""
    script = Script(lines)
    with pytest.raises(PlayerLeft):
        HumanPlayer("red", script, lambda _game, path: f"saved to {path}").choose(game)
    return [each for each in script.said if each not in script.prompts]


def picked(game: Game, address: str) -> list[str | None]:
    """The answers to a question so far."""
    found = [each.data["answer"] for each in game.log if each.data.get("address") == address]
    return [each if each is None else each[1] for each in found]
