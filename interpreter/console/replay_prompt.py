"""The prompt at which a person steps through a recorded game, forwards and back, and branches from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from interpreter.console.answers import AnswerReader, NoWayError
from interpreter.console.board import DEFAULT_COLUMNS
from interpreter.console.human import Question
from interpreter.console.narration import Narrator, fold_entries
from interpreter.console.order_text import plan_lines
from interpreter.console.prompt_commands import PromptCommands, check_alone
from interpreter.console.standing_text import result_text, status_line
from interpreter.console.typed_words import typed_path
from interpreter.language.diagnostics import BicorneError, UsageError
from interpreter.language.visible_text import visible_line
from interpreter.play.replay.stepper import ReplayStepper
from interpreter.play.wording import command_messages, replay_messages
from interpreter.players.orders.order_plan import OrderPlan

_SHOWN: Final = ("board", "standing", "map", "log", "why", "rule")
"""The commands that are the same as in a game."""
COMMANDS: Final = (
    *("next", "back", "start", "end", "entry", "turn", "branch", "options", "odds", *_SHOWN, "quit", "?"),
)
_MAX_NEWS: Final = 30
"""The most log entries that are shown after a step."""
_AFTER_JUMP: Final = 5
"""The number of log entries that are shown after going back or far."""


class _Asking(Protocol):
    def ask(self, prompt: str, words: tuple[str, ...]) -> str | None:
        """Returns a typed line; none at the end of input."""


def go_to(stepper: ReplayStepper, point: str) -> None:
    """Goes to a point: `start`, `end`, the number of an entry of the log, or `turn N`.

    Raises:
        UsageError: if there is no such point.
    """
    word, number = _parsed(point)
    match word, number:
        case "start" | "end", None:
            stepper.go(0 if word == "start" else stepper.last)
        case "turn", int(turn):
            stepper.go_to_turn(turn)
        case "" | "entry", int(entry):
            stepper.go_to_entry(entry)
        case _:
            raise UsageError(
                stepper.game.source.wording.say(replay_messages.NO_REPLAY_POINT, typed=visible_line(point))
            )


def _parsed(text: str) -> tuple[str, int | None]:
    """Returns the word and the number of a text such as 'turn 3', '12' or 'end'."""
    word = text.strip().rstrip("0123456789")
    number = text.strip()[len(word) :]
    return word.strip().casefold(), int(number) if number else None


class ReplayPrompt:
    """Shows the stops of a recorded game, and takes commands."""

    def __init__(
        self,
        stepper: ReplayStepper,
        say: Callable[[str], None],
        columns: int = DEFAULT_COLUMNS,
        lines: int | None = None,
    ) -> None:
        self._stepper, self._say, self._words = stepper, say, stepper.game.source.wording
        self._columns = columns
        self._commands = PromptCommands(stepper.game, stepper.seat, say, columns, lines)
        self._narrator = Narrator(stepper.game)
        stepper.go(stepper.last)
        self.total = len(stepper.entries())
        """The number of entries of the whole log."""
        self._shown = self.total

    def run(self, terminal: _Asking) -> None:
        """Takes commands from the start of the game on, until the person leaves."""
        self._stepper.go(0)
        self._say(self._words.say(replay_messages.REPLAY_HELP))
        self.show()
        while (typed := terminal.ask("replay> ", COMMANDS)) is not None:
            word, _, rest = typed.strip().partition(" ")
            word, rest = word.casefold(), rest.strip()
            try:
                if word in ("quit", "exit"):
                    check_alone(word, rest, self._words)
                    return
                self.obey(word, rest)
            except BicorneError as error:
                self._say(visible_line(str(error)))

    def obey(self, word: str, rest: str) -> None:
        """Runs the command `word` with the arguments `rest`.

        Raises:
            UsageError: if there is no such command or point, or it does not take these arguments.
        """
        stepper = self._stepper
        if word in _SHOWN:
            self._commands.run(word, rest)
            return
        if word == "branch":
            self._branch(rest)
            return
        if word == "options":
            check_alone(word, rest, self._words)
            question = self._explained()
            self._say("\n".join([question.text, *question.lines]))
            return
        if word == "odds":
            self._odds(rest)
            return
        if word in ("", "next", "back"):
            far = 1 if not rest else int(rest) if rest.isdecimal() else 0
            if not far:
                raise UsageError(self._words.say(command_messages.TAKES_NUMBER, command=word, typed=rest))
            stepper.go(stepper.at + (-far if word == "back" else far))
        elif word in ("?", "help"):
            check_alone(word, rest, self._words)
            self._say(self._words.say(replay_messages.REPLAY_HELP))
            return
        else:
            go_to(stepper, f"{word} {rest}".strip())
        self.show()

    def _branch(self, rest: str) -> None:
        if not rest:
            raise UsageError(self._words.say(replay_messages.BRANCH_NEEDS_FILE))
        path = typed_path(rest)
        self._stepper.branch(path)
        self._say(self._words.say(replay_messages.BRANCHED, path=path))

    def _explained(self) -> Question:
        """Returns the question of the present stop.

        Raises:
            UsageError: if there is none, or the seat for which the game is shown is not asked.
        """
        decision = self._stepper.game.decision
        if decision is None:
            raise UsageError(self._words.say(replay_messages.NOBODY_DECIDES))
        if self._stepper.seat not in (None, decision.seat):
            who = self._words.of(decision.seat_object)
            raise UsageError(self._words.say(replay_messages.OTHERS_DECISION, who=who))
        return Question.asked(self._stepper.game)

    def _odds(self, rest: str) -> None:
        """Shows the odds of what an option or an order leads to; by default, of the answer that was given."""
        from interpreter.console.odds_text import odds_in_steps  # noqa: PLC0415 - loads the program of the ruleset

        question, game = self._explained(), self._stepper.game
        meant: int | OrderPlan | None = None
        if rest:
            try:
                meant = AnswerReader(game, question.groups, question.numbers, {}).meaning(rest)
            except NoWayError as error:
                if error.nearest is None:
                    raise
                self._say(visible_line(str(error)))
                meant = error.nearest
        if isinstance(meant, OrderPlan):
            self._say("\n".join(plan_lines(meant, self._words)))
        for text, _ in odds_in_steps(game, meant, self._columns, self._stepper.answer):
            self._say(text)

    def show(self) -> None:
        """Shows what has happened since the last shown point, where the game is, and who decides."""
        stepper, entries = self._stepper, self._stepper.entries()
        is_next = self._shown <= len(entries) <= self._shown + _MAX_NEWS
        news = entries[self._shown :] if is_next else entries[-_AFTER_JUMP:]
        self._shown = len(entries)
        listed = self._narrator.shown(news) or [each for each in news if each.kind == "answer"]
        for line in fold_entries(listed):
            self._say(visible_line(str(line)))
        self._say(self._words.say(replay_messages.REPLAY_AT, entry=len(entries), total=self.total, turn=stepper.turn))
        if stepper.at in (0, stepper.last):
            self._say(self._words.say(replay_messages.REPLAY_END if stepper.at else replay_messages.REPLAY_START))
        if status := status_line(stepper.game, stepper.seat):
            self._say(status)
        if (asked := self._question()) is not None:
            self._say(visible_line(asked))

    def _question(self) -> str | None:
        """Returns who decides, and the question if it may be seen."""
        game, seat = self._stepper.game, self._stepper.seat
        decision = game.decision
        if decision is None:
            return None if game.result is None else result_text(game)
        who = self._words.of(decision.seat_object)
        if seat is None or decision.seat == seat:
            return self._words.say(replay_messages.REPLAY_ASKED, who=who, question=decision.prompt)
        return self._words.say(replay_messages.REPLAY_DECIDES, who=who)
