"""Steps through a recorded game, forwards and back, as the host or one seat may see it.

The stops are the decisions. For a seat in a game that hides anything they are its own decisions alone: where others
decide in secret, the number of stops would show it.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from pathlib import Path
from typing import Any

from interpreter.language.diagnostics import UsageError
from interpreter.play.engine.turn_counter import TurnCounter
from interpreter.play.game import Game
from interpreter.play.inputs.inputs import ANSWER
from interpreter.play.inputs.value_codec import decode
from interpreter.play.log.log import LogEntry
from interpreter.play.records.recording import Recording
from interpreter.play.records.save import save_branch
from interpreter.play.views.visibility import has_secrets, seat_by_id
from interpreter.play.wording import replay_messages
from interpreter.play.wording.wording import Wording


class ReplayStepper:
    """A recorded game at one of its stops; without `seat` everything is shown, as to the host.

    Raises:
        UsageError: if there is no such seat.
        RuleFault: if the recorded game does not fit the rules.
    """

    def __init__(self, recording: Recording, source: Any, seat: str | None = None) -> None:
        self._recording, self._source, self.seat = recording, source, seat
        self._inputs = recording.inputs
        self.game = Game(source, recording.header.seed, trace=True, inputs=self._inputs)
        seat_by_id(self.game.core, seat)
        self._stops = self._find_stops()
        """The number of inputs before each stop, in order; the last is where the record ends."""
        self.at = len(self._stops) - 1
        """The number of the present stop, from 0."""

    def _find_stops(self) -> list[int]:
        answers = [(number, item) for number, item in enumerate(self._inputs) if item[0] == ANSWER]
        if self.seat is not None and has_secrets(self.game.core.image):
            answers = [(number, item) for number, item in answers if item[3] == self.seat]
        return [*[number for number, _ in answers], len(self._inputs)]

    @property
    def _words(self) -> Wording:
        return self.game.source.wording

    @property
    def last(self) -> int:
        """The number of the last stop."""
        return len(self._stops) - 1

    def go(self, stop: int) -> None:
        """Goes to a stop; a number beyond the first or the last means that one."""
        self.at = max(0, min(stop, self.last))
        inputs, game = self._stops[self.at], self.game
        if inputs > game.inputs.position:
            game.feed(self._inputs[:inputs])
        elif inputs < game.inputs.position:
            step = max(number for number, each in enumerate(game.steps) if each.inputs <= inputs)
            game.go_back(step, inputs)

    def go_to_entry(self, number: int) -> None:
        """Goes to the first stop at which an entry of the log is past, counted from 1.

        Raises:
            UsageError: if the log has no such entry.
        """
        back = self.at
        self.go(self.last)
        total = len(self.entries())
        if not 1 <= number <= total:
            self.go(back)
            message = replay_messages.NO_ENTRY if total else replay_messages.NO_ENTRIES
            raise UsageError(self._words.say(message, number=number, total=total))
        self.go(bisect_left(range(self.last), number, key=self._entries_at))

    def go_to_turn(self, number: int) -> None:
        """Goes to the first stop of a turn, counted from 1.

        Raises:
            UsageError: if the game has no such turn.
        """
        if not 1 <= number <= self._turns[-1]:
            raise UsageError(self._words.say(replay_messages.NO_TURN, number=number, total=self._turns[-1]))
        self.go(bisect_left(self._turns, number))

    def _entries_at(self, stop: int) -> int:
        self.go(stop)
        return len(self.entries())

    def entries(self) -> list[LogEntry]:
        """Returns the entries of the log up to here."""
        return self.game.log if self.seat is None else self.game.log_of(self.seat).entries

    @property
    def answer(self) -> int | None:
        """The position of the option that was chosen at the present stop; none at the end of the record."""
        decision, at = self.game.decision, self._stops[self.at]
        if decision is None or at == len(self._inputs):
            return None
        return decision.index_of(decode(self._inputs[at][2], self.game.core))

    @property
    def turn(self) -> int:
        """The turn at the present stop, from 1."""
        return self._turns[self.at]

    @cached_property
    def _turns(self) -> list[int]:
        """The turn at each stop."""
        asked = [number for number, item in enumerate(self._inputs) if item[0] == ANSWER] + [len(self._inputs)]
        game = Game(self._source, self._recording.header.seed, inputs=self._inputs[: asked[0]])
        counter, turns = TurnCounter(game), dict[int, int]()
        for inputs in asked:
            if inputs > game.inputs.position:
                game.feed(self._inputs[:inputs])
            turns[inputs] = counter.finished() + 1
        if game.result is not None and len(asked) > 1:
            turns[asked[-1]] = turns[asked[-2]]
        return [turns[each] for each in self._stops]

    def branch(self, path: str | Path) -> None:
        """Makes a save of the game as it is here, which can be continued.

        Raises:
            UsageError: if the file exists already, or can't be written.
        """
        save_branch(path, self._source, self._recording.header, self._inputs[: self._stops[self.at]])
