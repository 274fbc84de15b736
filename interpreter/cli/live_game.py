"""A live game at the command line: its players, its narration and the file that it is saved in."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interpreter.cli.output import Output
from interpreter.cli.terminal import Console
from interpreter.console.narration import HEADING, NarrationLine, Narrator
from interpreter.language.diagnostics import UsageError
from interpreter.language.visible_text import visible_line
from interpreter.play.engine.turn_counter import TurnCounter
from interpreter.play.game import Game
from interpreter.play.inputs.inputs import ANSWER
from interpreter.play.records.recording import RecordedGame
from interpreter.play.records.save import Save, save_game
from interpreter.play.views.visibility import has_secrets
from interpreter.play.wording import messages
from interpreter.players.player import DecisionUndone, Person, Player, PlayerLeft


@dataclass(frozen=True, slots=True)
class StopReason:
    """The reason why a live game stopped before its end: `quit`, `turns` or none."""

    reason: str | None = None


class Autosave:
    """Saves a game in a file, step by step."""

    def __init__(self, save: Save | None, folders: Sequence[str] = ()) -> None:
        """`folders` are the folders of `--path`, in which rulesets are searched first."""
        self._save = save
        self._folders = folders
        self._saved_at: tuple[int, int] = (-1, -1)
        self._copied_at = -1
        """The number of inputs of the last copy."""

    def update(self, game: RecordedGame, *, now: bool = False) -> None:
        """Writes what is new, once per step; with `now`, also within a step."""
        at = (len(game.finished), len(game.history))
        if self._save is not None and (at != self._saved_at if now else at[0] != self._saved_at[0]):
            self._save.update(game)
            self._saved_at = at

    def save(self, game: Game, path: Path | None) -> str:
        """Saves the game at once, or a copy of it in another file if `path` is given; returns a confirmation.

        Raises:
            UsageError: if there is no file to save to, or `path` is another file than an earlier copy of this game.
        """
        assert isinstance(game, RecordedGame)
        words = game.source.wording
        if path is not None and not self._is_own(path):
            save_game(path, game).close()
            self._copied_at = len(game.history)
            message = messages.COPIED if self._save is not None else messages.COPIED_ONLY
            return words.say(message, path=path, command=self.resume_command(path))
        if self._save is None:
            raise UsageError(words.say(messages.NOT_SAVED))
        self.update(game, now=True)
        return words.say(messages.SAVED, path=self._save.path)

    def has_copy_of(self, game: RecordedGame) -> bool:
        """Whether the game as it is now can be continued from a file."""
        return self._save is not None or self._copied_at == len(game.history)

    def _is_own(self, path: Path) -> bool:
        try:
            return self._save is not None and path.samefile(self._save.path)
        except OSError:  # there is no such file, or the name can't be one
            return False

    def resume_command(self, path: Path) -> str:
        """Returns the command that continues the game in a file."""
        return shlex.join(
            ["bicorne", "resume", *[part for each in self._folders for part in ("--path", each)], str(path)]
        )

    @property
    def path(self) -> Path | None:
        """The path of the file, if there is one."""
        return None if self._save is None else self._save.path

    def close(self) -> None:
        """Closes the file."""
        if self._save is not None:
            self._save.close()


class LiveGame:
    """Plays a game until it is over, a person leaves or the given number of turns has passed."""

    def __init__(
        self,
        game: RecordedGame,
        players: Mapping[str, Callable[[LiveGame], Player]],
        autosave: Autosave,
        output: Output,
        *,
        quiet: bool = False,
    ) -> None:
        self.game = game
        self.autosave = autosave
        self.console = Console(output, game.source.wording)
        self._output = output
        self._quiet = quiet
        self._players = {seat: make(self) for seat, make in players.items()}
        self._people = [seat for seat, each in self._players.items() if isinstance(each, Person)]
        if not self._people:
            self.console.scroll()
        self._has_secrets = has_secrets(game.core.image)
        self._narrator = Narrator(game)
        self._seated: str | None = self._people[0] if len(self._people) == 1 else None
        self._narrated_step = -1
        self._narrated_to: set[str | None] = (
            {None, *self._people} if any(each[0] == ANSWER for each in game.history) else set()
        )
        """The people whom something has been narrated to; none stands for all where nothing is hidden."""

    @property
    def has_people(self) -> bool:
        """Whether a person plays."""
        return bool(self._people)

    @property
    def seed_is_secret(self) -> bool:
        """Whether the seed stays with the host until the game is over: something is hidden, or several people play."""
        return self._has_secrets or len(self._people) > 1

    @property
    def changes_seats(self) -> bool:
        """Whether several people sit at the terminal in turn and hide things from each other."""
        return self._has_secrets and len(self._people) > 1

    @property
    def hides_state(self) -> bool:
        """Whether the state holds something that a seat may not know yet."""
        hidden_choice = self.game.core.simultaneous_since is not None
        return self.game.result is None and (self._has_secrets or hidden_choice)

    @property
    def viewer(self) -> str | None:
        """The seat that reads the output: the person at the terminal; none if no person plays."""
        return self._seated if self._people else None

    def is_saved(self) -> bool:
        """Whether the game is kept in a file, or nothing has been decided yet."""
        return self.autosave.has_copy_of(self.game) or not self.game.history

    def can_agree(self, seat: str) -> bool:
        """Whether a seat can agree to an undo: a computer player does not where something is hidden."""
        return seat in self._people or not self._has_secrets

    def recap(self) -> None:
        """Skips the narration of everything before a resumed game, but for what followed a person's last decision."""
        self._narrator.skip(self.game, *self._people)
        for each in reversed(self._people):
            self._narrator.skip_to_last_answer(self.game, each)

    def play(self, turns: int | None = None) -> StopReason:
        """Plays the game; with `turns`, at most that many repetitions of the outermost repeated step."""
        if self._people:
            self.console.say(self.game.source.wording.say(messages.TYPE_HELP), "dim")
        counter = TurnCounter(self.game)
        stop = StopReason()
        while self.game.decision is not None:
            self.autosave.update(self.game)
            if turns is not None and counter.finished() >= turns:
                stop = StopReason("turns")
                break
            try:
                self._decide(self.game.decision.seat)
            except DecisionUndone:
                self._narrator.skip(self.game)
                self.autosave.update(self.game, now=True)
            except PlayerLeft:
                stop = StopReason("quit")
                break
        self._narrate(self.viewer)
        self.autosave.update(self.game, now=True)
        return stop

    def _decide(self, seat: str) -> None:
        player, game = self._players[seat], self.game
        if isinstance(player, Person) and not self._passes_for(seat):
            self.autosave.update(game, now=True)  # nobody sees a result that a kill could still undo
            self._hand_over_to(seat)
            self._narrate(seat)
            game.choose_index(player.choose(game))
            self.autosave.update(game, now=True)
            return
        if len(game.steps) != self._narrated_step and not (self._has_secrets and self._people):
            self._narrated_step = len(game.steps)
            self._narrate(None)
        words = game.source.wording
        assert game.decision is not None
        with self.console.waiting(words.say(messages.THINKS, who=words.of(game.decision.seat_object))):
            index = 0 if self._passes_for(seat) else player.choose(game)
        game.choose_index(index)

    def _passes_for(self, seat: str) -> bool:
        """Whether a person need not be asked: there is one answer, and nobody else at the terminal could notice."""
        decision = self.game.decision
        assert decision is not None
        return len(decision.options) == 1 and self._people == [seat]

    def _hand_over_to(self, seat: str) -> None:
        """Hands the terminal over to the next person, if several people play and something is hidden."""
        secret = self._has_secrets or self.game.core.simultaneous_since is not None
        if secret and len(self._people) > 1 and self._seated != seat:
            words = self.game.source.wording
            who = words.of(self.game.core.find(*self._seat_key(seat)))
            self.console.hand_over(who, words, is_first=self._seated is None)
        self._seated = seat

    def _seat_key(self, seat: str) -> tuple[str, str]:
        found: Any = next(each for each in self.game.core.seats if each.id == seat)
        return found.kind, found.id

    def _narrate(self, viewer: str | None) -> None:
        if self._quiet:
            return
        news = list(self._narrator.news(self.game, viewer))
        size = None if self._output.json or not self._people else self.console.size()
        reader = viewer if self._has_secrets else None
        if reader not in self._narrated_to and size is not None and len(news) > size[1] // 2:
            # the set-up of a large game would push what is played for off the screen
            cut = len(news) - size[1] // 4
            self.console.say(self.game.source.wording.say(messages.MORE_LINES, count=cut))
            news = news[cut:]
        if news:
            self._narrated_to.add(reader)
        for each in news:
            self._print(each)

    def _print(self, line: NarrationLine) -> None:
        if self._output.json:
            self._output.json_line({"sort": line.sort, "text": line.text, "cites": list(line.cites)})
        else:
            self.console.say(visible_line(str(line)), "bold" if line.sort == HEADING else None)
