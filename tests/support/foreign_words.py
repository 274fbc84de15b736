"""Finds words in foreign letters in everything that a person at the terminal can be shown in a game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress

from interpreter.console.board import board_text
from interpreter.console.coloured_text import ColouredText
from interpreter.console.human import HumanPlayer
from interpreter.console.narration import Narrator
from interpreter.console.prompt_commands import PromptCommands
from interpreter.language.diagnostics import BicorneError
from interpreter.play.game import Game
from interpreter.play.inputs.value_codec import Act
from interpreter.players.player import PlayerLeft
from interpreter.players.random import RandomPlayer
from interpreter.rules.loading.ruleset import Ruleset, Scenario
from interpreter.workshop.coverage.lint import term_words_of
from interpreter.workshop.coverage.terms import TermWords

_CITATION = re.compile(r"\[[^\]]*\]")
_CELL = re.compile(r"[ |]")
_ID = re.compile(r"[\w.]+(-[\w.]+)*", re.ASCII)


class Shown:
    """The lines that were shown, each with what showed it; a stand-in for a terminal whose person leaves at once."""

    def __init__(self) -> None:
        self.lines: dict[str, str] = {}
        self.source = ""

    def ask(self, prompt: str, words: object) -> str | None:
        """Keeps the prompt; returns the end of input."""
        self.say(prompt)
        return None

    def say(self, text: str | ColouredText, style: str | None = None) -> None:
        """Keeps the lines."""
        for line in str(text).split("\n"):
            self.lines.setdefault(line, self.source)


class ForeignWords:
    """Finds the words of a shown line that neither its language nor the glossary of the ruleset allows."""

    def __init__(self, ruleset: Ruleset, language: str) -> None:
        self.words: TermWords = term_words_of(ruleset)[language]
        self._clauses = ruleset.clauses
        self._signs = frozenset(_signs(ruleset.presentation.get("symbols", {})))
        self._things = frozenset(name for _, name in ruleset.program.individuals)
        side_signs = frozenset(_signs(ruleset.presentation.get("chart", {}).get("sides", {})))
        self._explained = side_signs | frozenset(_signs(_by_id(ruleset.presentation.get("symbols", {}))))

    def __call__(self, line: str) -> list[str]:
        """Returns the foreign words of a line, without its citations and the signs of the map."""
        text = _ID.sub(self._without_clauses, _CITATION.sub("", line))
        text = " ".join([each for each in _CELL.split(text) if not self._is_sign(each)])
        return [each.word for each in self.words.findings(text) if each.word not in self._explained]

    def _is_sign(self, text: str) -> bool:
        """Whether part of a cell is a sign, with numbers and marks, or the id of a place and the sign of its kind."""
        is_place = text[:-1] in self._things and text[-1:] in self._signs
        return is_place or not self._signs.isdisjoint({text, text.strip("0123456789>?di*!()…")})

    def _without_clauses(self, found: re.Match[str]) -> str:
        """Returns a word without the clause that it names, or without those that it joins by hyphens."""
        parts = [found[0]] if found[0] in self._clauses else found[0].split("-")
        return "-".join([each for each in parts if each not in self._clauses])


def _by_id(symbols: Mapping[str, object]) -> dict[str, object]:
    """The signs of single things, which maps explain by their names."""
    return {kind: signs for kind, signs in symbols.items() if isinstance(signs, dict)}


def _signs(symbols: object) -> Iterator[str]:
    if isinstance(symbols, dict):
        for each in symbols.values():
            yield from _signs(each)
    else:
        yield str(symbols)


def shown_in_play(scenario: Scenario, seed: int, language: str, decisions: int, every: int = 1) -> dict[str, str]:
    """Plays at random and returns each line that commands and questions can show, with what showed it first.

    Every `every`-th decision runs all commands.
    """
    game = Game(scenario, seed=seed, language=language)
    players = {seat: RandomPlayer(seed, seat) for seat in game.seats}
    shown = Shown()
    for count in range(decisions):
        if game.decision is None:
            break
        if count % every == 0:
            _show_all(game, game.decision.seat, shown)
        game.choose_index(players[game.decision.seat].choose(game))
    shown.source = "the narration"
    for each in Narrator(game).shown(game.log):
        shown.say(each.text)
    shown.source = "the log"
    for entry in game.log:
        shown.say(entry.text)
    return shown.lines


def _show_all(game: Game, seat: str, shown: Shown) -> None:
    shown.source = f"question {game.decision.address if game.decision else ''}"
    with suppress(PlayerLeft):
        HumanPlayer(seat, shown, lambda *_: "").choose(game)
    shown.source = "board"
    shown.say(board_text(game, seat))
    commands = PromptCommands(game, seat, shown.say)
    asked = ["standing", "map", "log", "why", "why all", "rule", *[f"why not {each}" for each in _open_actions(game)]]
    for each in asked:
        shown.source = each
        word, _, rest = each.partition(" ")
        try:
            commands.run(word, rest)
        except BicorneError as error:
            shown.say(str(error))


def _open_actions(game: Game) -> list[str]:
    """Returns the names of the actions of the open menu, or that of one action where no menu is open.

    The answer to `why not` is the same for every action that the question is not about.
    """
    actions, options = game.core.image.actions, game.decision.options if game.decision else ()
    offered = {each.name for each in options if isinstance(each, Act)}
    menus = {each.menu for each in actions if each.name in offered}
    return [each.name for each in actions if each.menu in menus] or [each.name for each in actions[:1]]
