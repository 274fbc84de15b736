"""A game at the table: its players, what is told of it, and the files that it is kept in."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interpreter.cli.output import Output
from interpreter.cli.terminal import Console
from interpreter.console.human import HumanPlayer, Left, TakenBack
from interpreter.console.narration import HEADING, NarrationLine, Narrator
from interpreter.language.diagnostics import UsageError
from interpreter.play.engine.turn_counter import TurnCounter
from interpreter.play.game import Game
from interpreter.play.records.recording import RecordedGame
from interpreter.play.records.save import Save
from interpreter.play.wording import messages as said
from interpreter.players.player import Player


@dataclass(frozen=True, slots=True)
class StopReason:
    """Why the table broke up before the game was over; `quit`, `turns` or none."""

    why: str | None = None


class Autosave:
    """Keeps a game in a file, from step to step."""

    def __init__(self, save: Save | None, folders: Sequence[str] = ()) -> None:
        """`folders` are those in which rulesets are looked for first, as the person named them."""
        self._save = save
        self._folders = folders
        self._kept: tuple[int, int] = (-1, -1)

    def keep(self, game: RecordedGame, *, always: bool = False) -> None:
        """Writes what is new, once a step, or now if `always`."""
        at = (len(game.finished), len(game.history) if always else 0)
        if self._save is not None and at != self._kept:
            self._save.update(game)
            self._kept = at

    def save(self, game: Game, path: Path | None) -> str:
        """Keeps the game on a person's word, in another file if one is named; says where.

        Raises:
            UsageError: if there is no file to keep it in, or another one stands there.
        """
        assert isinstance(game, RecordedGame)
        words = game.setting.wording
        if path is None:
            if self._save is None:
                raise UsageError(words.say(said.NOT_KEPT))
            self.keep(game, always=True)
            return words.say(said.KEPT, path=self._save.path)
        save = Save.create(path, game.header)
        save.update(game)
        self.close()
        self._save, self._kept = save, (-1, -1)
        return words.say(said.KEPT_FROM_NOW, path=path, command=self.resuming(path))

    def resuming(self, path: Path) -> str:
        """The command that goes on with the game in a file."""
        return shlex.join(
            ["bicorne", "resume", *[part for each in self._folders for part in ("--path", each)], str(path)]
        )

    @property
    def path(self) -> Path | None:
        """The file, if there is one."""
        return None if self._save is None else self._save.path

    def close(self) -> None:
        """Lets go of the file."""
        if self._save is not None:
            self._save.close()


class LiveGame:
    """Plays a game on until it is over, a person leaves or enough turns have passed."""

    def __init__(
        self,
        game: RecordedGame,
        players: Mapping[str, Callable[[LiveGame], Player]],
        keeper: Autosave,
        output: Output,
        *,
        quiet: bool = False,
    ) -> None:
        self.game = game
        self.keeper = keeper
        self.console = Console(output)
        self._output = output
        self._quiet = quiet
        self._players = {seat: make(self) for seat, make in players.items()}
        self._people = [seat for seat, each in self._players.items() if isinstance(each, HumanPlayer)]
        self._hides = bool(game.core.image.views)
        self._narrator = Narrator(game)
        self._sitting: str | None = self._people[0] if len(self._people) == 1 else None
        self._told_step = -1

    def forget_past(self) -> None:
        """Takes what happened before now as told: a game that goes on doesn't begin with its whole story."""
        self._narrator.skip(self.game, *self._people)

    def play(self, turns: int | None = None) -> StopReason:
        """Plays on; `turns` more of the outermost repeated step, if given."""
        if self._people:
            self.console.say(self.game.setting.wording.say(said.TYPE_HELP), "dim")
        counter = TurnCounter(self.game)
        stop = StopReason()
        while self.game.decision is not None:
            self.keeper.keep(self.game)
            if turns is not None and counter.passed() >= turns:
                stop = StopReason("turns")
                break
            try:
                self._decide(self.game.decision.seat)
            except TakenBack:
                self._narrator.skip(self.game)
                self.keeper.keep(self.game, always=True)
            except Left:
                stop = StopReason("quit")
                break
        self._tell(self._eyes())
        self.keeper.keep(self.game, always=True)
        return stop

    def _decide(self, seat: str) -> None:
        player, game = self._players[seat], self.game
        if isinstance(player, HumanPlayer):
            self._seat_person(seat)
            self._tell(self._eyes(seat))
            game.choose_index(player.choose(game))
            self.keeper.keep(game, always=True)
            return
        if len(game.steps) != self._told_step and not (self._hides and self._people):
            self._told_step = len(game.steps)
            self._tell(None)
        game.choose_index(player.choose(game))

    def _seat_person(self, seat: str) -> None:
        """Where things are hidden now and several people play, the next one takes the place at the terminal."""
        secret = self._hides or self.game.core.together is not None
        if secret and len(self._people) > 1 and self._sitting != seat:
            words = self.game.setting.wording
            self.console.hand_over(words.of(self.game.core.find(*self._seat_key(seat))), words)
        self._sitting = seat

    def _seat_key(self, seat: str) -> tuple[str, str]:
        found: Any = next(each for each in self.game.core.seats if each.id == seat)
        return found.kind, found.id

    def _eyes(self, seat: str | None = None) -> str | None:
        """Whose eyes the narration is for: nobody is kept from anything where no person plays."""
        return (seat or self._sitting) if self._people else None

    def _tell(self, eyes: str | None) -> None:
        if self._quiet:
            return
        for each in self._narrator.news(self.game, eyes):
            self._say(each)

    def _say(self, line: NarrationLine) -> None:
        if self._output.json:
            self._output.json_line({"sort": line.sort, "text": line.text, "cites": list(line.cites)})
        else:
            self.console.say(str(line), "bold" if line.sort == HEADING else None)
