"""The player at a terminal, who answers questions by number or name and may type commands first."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from interpreter.console.answers import AnswerReader, NoWayError, are_numbers, as_expected
from interpreter.console.board import drawn_map
from interpreter.console.coloured_text import ColouredText
from interpreter.console.map_changes import MapChanges, middle_of
from interpreter.console.map_window import MapWindow
from interpreter.console.narration import cite_suffix
from interpreter.console.option_labels import OptionGroup, lines_below, option_groups
from interpreter.console.order_text import plan_lines
from interpreter.console.prompt_commands import COMMANDS, PromptCommands, Waiting, check_alone, page_of, unshown
from interpreter.console.standing_text import status_line
from interpreter.console.typed_words import typed_path
from interpreter.language.diagnostics import BicorneError
from interpreter.language.visible_text import control_character, visible_line
from interpreter.play.engine.decision import Decision
from interpreter.play.game import Game
from interpreter.play.undo import UndoRefused
from interpreter.play.views.option_numbers import OptionNumbers, number_ranges
from interpreter.play.views.picks_left import picks_left
from interpreter.play.wording import command_messages, messages
from interpreter.play.wording.text_table import wrapped
from interpreter.players.orders.interference import AnswerWatch
from interpreter.players.orders.order_execution import Expected, OrderExecution
from interpreter.players.orders.order_plan import OrderPlan
from interpreter.players.player import DecisionUndone, Person, PlayerLeft
from interpreter.world.things import Space

_MAX_LISTED = 60
_PARTS = re.compile(r"[;；]")
_NOT_NUMBER = re.compile(r"not (\d+)")
_MAX_DRAWN_MOVES = 18
"""The most lines of the part of a drawn map where others moved something."""
_LINES_AROUND_MAP = 4
"""Lines around the map: two blank lines, the line that names the place, and the prompt."""


class Terminal(Protocol):
    """The terminal where a person reads and types."""

    def ask(self, prompt: str, words: Sequence[str]) -> str | None:
        """Returns a typed line, none at the end of input; `words` are offered for completion."""

    def say(self, text: str | ColouredText, style: str | None = None) -> None:
        """Shows a text."""


class HumanPlayer(Person):
    """A player whose decisions a person types.

    `save` saves the game, in another file if a path is given, and returns a confirmation. `size` returns the columns
    and lines of the screen, if there is one; the map takes the space that the question and its options leave.
    `can_agree` returns whether a seat can agree to an undo, `is_saved` whether leaving loses nothing; within `waiting`
    the person sees a text that says what takes so long.
    """

    def __init__(
        self,
        seat: str,
        terminal: Terminal,
        save: Callable[[Game, Path | None], str],
        size: Callable[[], tuple[int, int] | None] = lambda: None,
        can_agree: Callable[[str], bool] = lambda _seat: True,
        is_saved: Callable[[], bool] = lambda: True,
        waiting: Waiting = unshown,
    ) -> None:
        self._seat = seat
        self._terminal = terminal
        self._save = save
        self._size = size
        self._can_agree = can_agree
        self._is_saved = is_saved
        self._waiting_for = waiting
        self._warned = False
        """Whether the person, who has answered nothing since, knows that leaving loses the game."""
        self._shown = ""
        """The map text that was shown last."""
        self._changes = MapChanges(seat)
        self._status = ""
        """The status line that was shown last."""
        self._numbers = OptionNumbers(option_groups)
        self._order = OrderExecution(seat, ())
        self._waiting: list[str] = []
        """The answers of the last line whose questions have not come yet."""
        self._watch = AnswerWatch(seat)
        self._last: dict[str, Expected] = {}
        """The last answer to each question, by its address."""

    def choose(self, game: Game) -> int:
        """Returns the index of the option that the person chooses.

        Raises:
            PlayerLeft: if the person leaves.
            DecisionUndone: if the person undid a decision.
        """
        numbered = self._numbers.of(game)
        assert game.decision is not None
        index = self._order.next(game, more_follows=bool(self._waiting))
        if index is not None and self._order.resumed is not None:
            self._terminal.say("\n".join(plan_lines(self._order.resumed, game.source.wording)))
        if index is None:
            self._drop_rest(game)
            index = self._ask(game, Question.of(game.decision, numbered))
        self._last[game.decision.address] = as_expected(game.decision, index)
        if self._waiting:
            self._watch.start(game, index)
        return index

    def _drop_rest(self, game: Game) -> None:
        """Drops what waits for its question if something came before it, and says so."""
        dropped, reason = self._order.dropped or ("", None)
        if reason is None and self._waiting:
            dropped, reason = self._waiting[-1], self._watch.interference(game)
        if reason is None:
            return
        words, rest = game.source.wording, [dropped, *self._waiting][-1]
        self._order.dropped = None
        self._waiting.clear()
        self._terminal.say(words.say(messages.ORDER_DROPPED, rest=rest, reason=words.say(reason)), "yellow")

    def _ask(self, game: Game, question: Question) -> int:
        """Returns the index that the person types, or has typed already."""
        reader = AnswerReader(game, question.groups, question.numbers, self._last)
        words = [*COMMANDS, *[each.text for each in question.groups]]
        is_shown = False
        while True:
            follows = bool(self._waiting)
            if follows:
                typed: str | None = self._waiting.pop(0)
                self._terminal.say(f"{question.prompt}{typed}", "dim")
            else:
                if not is_shown:
                    self._show_question(game, question)
                    is_shown = True
                typed = self._terminal.ask(question.prompt, words)
            if typed is None:
                raise PlayerLeft
            if not follows:
                self._order = self._order.plan_of(question.seat)
            text = " ".join(typed.split())
            if (control := control_character(text)) is not None:
                self._terminal.say(game.source.wording.say(messages.CONTROL_TYPED, control=control), "yellow")
            elif not any(map(str.strip, _PARTS.split(text))):
                self._repeat(game, question)
            elif (index := self._read_answer(game, text, question, reader)) is not None:
                return index

    # ------------------------------------------------------------ the question
    def _show_question(self, game: Game, question: Question) -> None:
        listed = [] if question.takes_number else question.lines
        below = [*_so_far(game), *lines_below(game), *listed[:_MAX_LISTED]]
        status = status_line(game, self._seat)
        self._show_map(game, [status, question.text, *below])
        self._terminal.say("")
        if status and status != self._status:
            self._status = status
            self._terminal.say(status, "dim")
        self._terminal.say(question.text, "bold")
        for line in below:
            self._terminal.say(line)
        if len(listed) > _MAX_LISTED:
            self._terminal.say(game.source.wording.say(messages.MORE_OPTIONS, count=len(listed)))

    def _repeat(self, game: Game, question: Question) -> None:
        """Shows the question again with all its options: on the screen it may be far above."""
        self._terminal.say(question.text, "bold")
        for line in [*_so_far(game), *lines_below(game), *question.lines]:
            self._terminal.say(line)

    def _show_map(self, game: Game, below: Sequence[str]) -> None:
        """Shows the map around the current location if it changed, and around what others moved if that is far away.

        The symbols are explained the first time.
        """
        window = MapWindow(game, self._seat)
        if not window.exists:
            self._show_drawn_moves(game, below)
            return
        moved, space = self._changes.spaces(game, window), self._space_for_map(below)
        middle = _middle_with(moved, window, space)
        others = middle_of(moved, window)
        if others is not None and (middle is None or not window.shows(middle, moved, space)):
            self._terminal.say("")
            self._terminal.say(game.source.wording.say(messages.MOVES_OF_OTHERS))
            self._terminal.say(window.drawn(others, self._space_for_map(() if middle else below), legend=False))
        if middle is None:
            return
        drawn = str(window.drawn(middle, legend=False))
        if drawn != self._shown:
            first, self._shown = not self._shown, drawn
            self._terminal.say("")
            self._terminal.say(window.drawn(middle, space, legend=first))

    def _show_drawn_moves(self, game: Game, below: Sequence[str]) -> None:
        """Shows the part of a drawn map where others moved something, if the question leaves room for it."""
        space, drawn = self._space_for_map(below), drawn_map(game, self._seat)
        if space is None or not drawn:
            return
        moved = middle_of(self._changes.spaces(game, drawn), drawn)
        if moved is None:
            return
        if part := drawn.around(moved, space[0], min(space[1], _MAX_DRAWN_MOVES)):
            self._terminal.say("")
            self._terminal.say(game.source.wording.say(messages.MOVES_OF_OTHERS))
            self._terminal.say(part)

    def _space_for_map(self, below: Sequence[str]) -> tuple[int, int] | None:
        """Returns the columns and lines that the lines `below` leave for the map; none without a screen."""
        size = self._size()
        if size is None:
            return None
        taken = sum(len(wrapped(line, size[0])) for line in below)
        return size[0], size[1] - taken - _LINES_AROUND_MAP

    # ------------------------------------------------------------ the answer
    def _read_answer(self, game: Game, text: str, question: Question, reader: AnswerReader) -> int | None:
        """Returns the option that a text means; none after a command or an error, which is shown here."""
        try:
            return self._run_or_answer(game, text, question, reader)
        except BicorneError as error:
            self._waiting.clear()
            self._order = self._order.plan_of(question.seat)
            self._terminal.say(str(error), "yellow")
            if isinstance(error, NoWayError) and error.nearest is not None:
                self._terminal.say("\n".join(plan_lines(error.nearest, game.source.wording)))
            return None

    def _run_or_answer(self, game: Game, text: str, question: Question, reader: AnswerReader) -> int | None:
        word, _, rest = text.partition(" ")
        match word.casefold():
            case "quit" | "exit":
                check_alone(word, rest, game.source.wording)
                if self._warned or self._is_saved():
                    raise PlayerLeft
                self._warned = True
                self._terminal.say(game.source.wording.say(messages.QUIT_UNSAVED), "yellow")
            case "undo":
                self._undo(game, rest)
            case "save":
                self._terminal.say(self._save(game, typed_path(rest) if rest else None), "green")
            case "odds":
                self._odds(game, self._meaning(game, rest, reader) if rest else None)
            case "plan" if rest:
                with self._seeking(game):
                    plan = reader.plan(rest)
                self._terminal.say("\n".join(plan_lines(plan, game.source.wording)))
            case "options":
                check_alone(word, rest, game.source.wording)
                self._repeat(game, question)
            case "why" if not question.takes_number and (numbered := _NOT_NUMBER.fullmatch(rest)):
                option = reader.option(numbered[1])
                label = visible_line(game.decision.label(game.decision.options[option])) if game.decision else ""
                self._terminal.say(game.source.wording.say(messages.IS_OFFERED, option=label))
            case name if name in COMMANDS:
                PromptCommands(game, self._seat, self._terminal.say, *page_of(self._size()), self._waiting_for).run(
                    name, rest
                )
            case _:
                return self._answer(game, text, reader)
        return None

    def _answer(self, game: Game, text: str, reader: AnswerReader) -> int | None:
        """Returns the first answer of a line; the others wait for their questions."""
        self._warned = False
        text, *waiting = [part for each in _PARTS.split(text) if (part := each.strip())]
        with self._seeking(game):
            part, lines = reader.read(text)
        for each in lines:
            self._terminal.say(each)
        self._waiting = [*waiting, *self._waiting]
        self._order.follow(part)
        return self._order.next(game)

    def _seeking(self, game: Game) -> AbstractContextManager[None]:
        return self._waiting_for(game.source.wording.say(messages.SEEKS_ANSWER))

    def _meaning(self, game: Game, text: str, reader: AnswerReader) -> int | OrderPlan:
        """Returns what odds are asked about; of an order whose way ends before its goal, the way that there is."""
        try:
            with self._seeking(game):
                return reader.meaning(text)
        except NoWayError as error:
            if error.nearest is None:
                raise
            self._terminal.say(str(error), "yellow")
            return error.nearest

    def _odds(self, game: Game, meant: int | OrderPlan | None) -> None:
        """Shows the odds of what an option (by default the likeliest) or an order leads to, as they are computed."""
        from interpreter.console.odds_text import odds_in_steps  # noqa: PLC0415 - loads the program of the ruleset

        words = game.source.wording
        if isinstance(meant, OrderPlan):
            self._terminal.say("\n".join(plan_lines(meant, words)))
        steps = odds_in_steps(game, meant, page_of(self._size())[0])
        while True:
            with self._waiting_for(words.say(messages.COMPUTES_ODDS)):
                step = next(steps, None)
            if step is None:
                return
            self._terminal.say(*step)

    def _undo(self, game: Game, rest: str) -> None:
        words = game.source.wording
        if rest not in ("", "agree"):
            self._terminal.say(words.say(command_messages.TYPE_UNDO), "yellow")
            return
        others = [each for each in game.source.played_seats(game.seats) if each != self._seat]
        agreeing = [each for each in others if self._can_agree(each)]
        undone = 0
        try:
            while not undone or _has_no_choice(game):
                game.undo(self._seat, agreeing if rest else ())
                undone += 1
        except UndoRefused as refused:
            hint = messages.IF_AGREED if agreeing == others else messages.COMPUTER_REFUSES
            self._terminal.say(f"{refused}\n{words.say(hint)}" if refused.needs_consent else str(refused), "yellow")
            if undone:
                raise DecisionUndone from None  # what has one answer is answered again
            return
        self._terminal.say(words.say(messages.UNDONE), "green")
        self._waiting.clear()
        self._order = OrderExecution(self._seat, ())
        raise DecisionUndone


@dataclass(frozen=True, slots=True)
class Question:
    """A decision as a person reads it: its question, its options with their numbers, and the prompt."""

    seat: str
    text: str
    groups: Sequence[OptionGroup]
    numbers: Sequence[int]
    prompt: str
    takes_number: bool
    """Whether the options are numbers, which are typed themselves."""

    @classmethod
    def asked(cls, game: Game) -> Question:
        """Returns the open decision of a game."""
        numbered = OptionNumbers(option_groups).of(game)
        assert game.decision is not None
        return cls.of(game.decision, numbered)

    @classmethod
    def of(cls, decision: Decision, numbered: Sequence[tuple[int, OptionGroup]]) -> Question:
        """Returns a decision with the lines of its options and their numbers."""
        words = decision.wording
        listed = [number for number, _ in numbered]
        who, cites = words.of(decision.seat_object), cite_suffix(decision.cites)
        text = visible_line(words.say(messages.ASKED, who=who, question=decision.prompt, cites=cites))
        is_number = are_numbers(decision.options)
        prompt = _number_prompt(decision) if is_number else words.say(messages.CHOOSE, numbers=number_ranges(listed))
        return cls(decision.seat, text, [each for _, each in numbered], listed, prompt, is_number)

    @property
    def lines(self) -> list[str]:
        """The lines of the numbered list of the options."""
        size = len(str(max(self.numbers, default=0)))
        pairs = zip(self.numbers, self.groups, strict=True)
        return [visible_line(f"  {number:>{size}}  {each}") for number, each in pairs]


def _has_no_choice(game: Game) -> bool:
    return game.decision is not None and len(game.decision.options) == 1


def _so_far(game: Game) -> list[str]:
    """Returns the earlier picks of a decision of several picks, without shares of 0, and how many are left."""
    decision, left = game.decision, picks_left(game)
    chosen = decision.chosen if decision is not None else None
    if isinstance(chosen, Mapping):
        chosen = {each: share for each, share in chosen.items() if share}
    if decision is None:
        return []
    say = decision.wording.say
    lines = [say(messages.SO_FAR, chosen=decision.wording.of(chosen))] if chosen else []
    if left is not None:
        lines.append(say(messages.CHOOSE_COUNT if left.is_exact else messages.CHOOSE_AT_MOST, count=left.number))
    return lines


def _number_prompt(decision: Decision) -> str:
    low, high = min(decision.options), max(decision.options)
    if len(decision.options) == high - low + 1:
        return decision.wording.say(messages.CHOOSE_BETWEEN, low=low, high=high)
    return decision.wording.say(messages.CHOOSE, numbers=", ".join(map(str, decision.options)))


def _middle_with(moved: Sequence[Space], window: MapWindow, size: tuple[int, int] | None) -> Space | None:
    """Returns the middle of a map of the current location, which shows what others moved, too, if it can."""
    current = window.focus()
    if current is None or window.shows(current, moved, size):
        return current
    together = [current, *moved]
    middle = window.middle(together)
    return middle if middle is not None and window.shows(middle, together, size) else current
