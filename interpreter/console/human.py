"""The person at a terminal: is asked in words, answers by number or word, and may ask back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from interpreter.console.board import USUAL_COLUMNS, chart_text
from interpreter.console.narration import clauses
from interpreter.console.option_labels import OptionGroup, choices
from interpreter.console.prompt_commands import COMMANDS, PromptCommands
from interpreter.language.diagnostics import BicorneError
from interpreter.play.game import Game
from interpreter.play.inputs.value_codec import short
from interpreter.play.undo import UndoRefused
from interpreter.play.wording import messages as said
from interpreter.play.wording.text_table import wrapped

_MOST_LISTED = 60
_AROUND_THE_MAP = 4
"""Lines that stand around the map: two blank ones, the one that says where it is, and the prompt."""
_LONG = 40


class Terminal(Protocol):
    """Where a person reads and types."""

    def ask(self, prompt: str, words: Sequence[str]) -> str | None:
        """A line that is typed, none when there are no more; `words` are offered for completion."""

    def say(self, text: str, style: str | None = None) -> None:
        """Shows a text."""


class Left(Exception):  # noqa: N818 - it is no error: the person has had enough
    """The person leaves the game, which stays where it is."""


class TakenBack(Exception):  # noqa: N818 - it is no error: the game has gone back, and is to be looked at anew
    """The person took a decision back; the game's decision is now another one."""


class HumanPlayer:
    """Answers for one seat what a person types.

    `save` keeps the game, in a file if one is named, and says where. `size` gives the columns and lines of the screen,
    if there is one: the map takes what the question and its options leave of it.
    """

    def __init__(
        self,
        seat: str,
        terminal: Terminal,
        save: Callable[[Game, Path | None], str],
        size: Callable[[], tuple[int, int] | None] = lambda: None,
    ) -> None:
        self._seat = seat
        self._terminal = terminal
        self._save = save
        self._size = size
        self._shown = ""
        """The part of the map that was shown last."""

    def choose(self, game: Game) -> int:
        """The position of the option that the person takes.

        Raises:
            Left: if the person leaves.
            TakenBack: if the person took back a decision.
        """
        decision = game.decision
        assert decision is not None
        listed = choices(game)
        self._present(game, listed)
        words = [*COMMANDS, *[each.text for each in listed]]
        while True:
            typed = self._terminal.ask(_prompt(game, listed), words)
            if typed is None:
                raise Left
            if (text := " ".join(typed.split())) and (found := self._answered(game, text, listed)) is not None:
                return found

    # ------------------------------------------------------------ the question
    def _present(self, game: Game, listed: list[OptionGroup]) -> None:
        decision = game.decision
        assert decision is not None
        who = game.setting.wording.of(decision.seat_object)
        question = f"{who}: {decision.prompt}{clauses(decision.cites)}"
        below = [*_so_far(game), *_numbered(listed[:_MOST_LISTED] if not _numbers(decision.options) else [])]
        self._show_map(game, [question, *below])
        self._terminal.say("")
        self._terminal.say(question, "bold")
        for line in below:
            self._terminal.say(line)
        if len(listed) > _MOST_LISTED and not _numbers(decision.options):
            self._terminal.say(game.setting.wording.say(said.AND_SO_ON, count=len(listed)))

    def _show_map(self, game: Game, below: Sequence[str]) -> None:
        """The map around what is going on, if it is not the one that was shown last; its signs are explained once."""
        drawn = chart_text(game, self._seat)
        if drawn and drawn != self._shown:
            first, self._shown = not self._shown, drawn
            self._terminal.say("")
            self._terminal.say(chart_text(game, self._seat, room=self._room(below), legend=first))

    def _columns(self) -> int:
        size = self._size()
        return USUAL_COLUMNS if size is None else size[0]

    def _room(self, below: Sequence[str]) -> tuple[int, int] | None:
        """The columns and lines that are left for the map where all of this stands under it."""
        size = self._size()
        if size is None:
            return None
        taken = sum(len(wrapped(line, size[0])) for line in below)
        return size[0], size[1] - taken - _AROUND_THE_MAP

    # ------------------------------------------------------------ the answer
    def _answered(self, game: Game, text: str, listed: list[OptionGroup]) -> int | None:
        """The option that a text means; none if it was a question or a mistake, which is answered here."""
        try:
            return self._command(game, text, listed)
        except BicorneError as error:
            self._terminal.say(str(error), "yellow")
            return None

    def _command(self, game: Game, text: str, listed: list[OptionGroup]) -> int | None:
        decision = game.decision
        assert decision is not None
        word, _, rest = text.partition(" ")
        match word.casefold():
            case "quit" | "exit":
                raise Left
            case "undo":
                self._undo(game, rest)
            case "save":
                self._terminal.say(self._save(game, Path(rest).expanduser() if rest else None), "green")
            case "options":
                for line in _numbered(listed):
                    self._terminal.say(line)
            case name if name in COMMANDS:
                PromptCommands(game, self._seat, self._terminal.say, self._columns()).answer(name, rest)
            case _:
                return meant(decision, text, listed, self._terminal.say)
        return None

    def _undo(self, game: Game, rest: str) -> None:
        others, words = [each for each in game.seats if each != self._seat], game.setting.wording
        if rest == "agree":
            game.undo(self._seat, others)
        elif rest:
            self._terminal.say(words.say(said.TYPE_UNDO), "yellow")
            return
        else:
            try:
                game.undo(self._seat)
            except UndoRefused as refused:
                agreed = f"\n{words.say(said.IF_AGREED)}" if refused.needs_consent else ""
                self._terminal.say(f"{refused}{agreed}", "yellow")
                return
        self._terminal.say(words.say(said.TAKEN_BACK), "green")
        raise TakenBack


def meant(decision: Any, text: str, listed: list[OptionGroup], say: Callable[..., None]) -> int | None:
    """The position that a number, a name or a part of one means; says what is wrong if it means none."""
    options, words = decision.options, decision.wording
    if _numbers(options):
        if text.removeprefix("-").isdecimal() and len(text) < 10 and int(text) in options:
            return int(options.index(int(text)))
    elif text.isdecimal() and len(text) < 10:
        if 1 <= int(text) <= len(listed):
            return listed[int(text) - 1].positions[0]
        say(words.say(said.NO_OPTION, typed=text, count=len(listed)), "yellow")
        return None
    if set(options) == {True, False} and text.casefold() in {"y", "n"}:
        return int(options.index(text.casefold() == "y"))
    found = _named(decision, text.casefold(), listed)
    if len(found) == 1:
        return found[0].positions[0]
    if found:
        told = words.say(said.COMMA).join([each.text for each in found[:8]])
        answer = words.say(said.SEVERAL_OPTIONS, typed=text, told=told)
    else:
        none = words.say(said.NONE_OF_THEM, typed=text)
        none = words.hinted(none, text, [each.text for each in listed if len(each.text) <= _LONG])
        answer = words.say(said.WHAT_ELSE, said=none)
    say(answer, "yellow")
    return None


def _named(decision: Any, text: str, listed: list[OptionGroup]) -> list[OptionGroup]:
    """The options that a text names: by their whole name or id, else by its beginning, else by any part of it."""
    names = {
        each: {each.text.casefold(), *[short(decision.options[at]).casefold() for at in each.positions]}
        for each in listed
    }
    for fits in (str.__eq__, str.startswith, str.__contains__):
        found = [each for each in listed if any(fits(name, text) for name in names[each])]
        if found:
            return found
    return []


def _numbered(listed: Sequence[OptionGroup]) -> list[str]:
    """The options with their numbers, as they are listed."""
    size = len(str(len(listed)))
    return [f"  {number:>{size}}  {each}" for number, each in enumerate(listed, 1)]


def _so_far(game: Game) -> list[str]:
    """What was picked before in a decision that is made pick by pick; of shares those that are."""
    decision = game.decision
    chosen = decision.chosen if decision is not None else None
    if isinstance(chosen, Mapping):
        chosen = {each: share for each, share in chosen.items() if share}
    words = game.setting.wording
    return [words.say(said.SO_FAR, chosen=words.of(chosen))] if chosen else []


def _numbers(options: Sequence[Any]) -> bool:
    return all(isinstance(each, int) and not isinstance(each, bool) for each in options)


def _prompt(game: Game, listed: list[OptionGroup]) -> str:
    decision = game.decision
    assert decision is not None
    words = game.setting.wording
    if not _numbers(decision.options):
        return words.say(said.CHOOSE, count=len(listed))
    low, high = min(decision.options), max(decision.options)
    if len(decision.options) == high - low + 1:
        return words.say(said.CHOOSE_BETWEEN, low=low, high=high)
    return words.say(said.CHOOSE_NUMBER, numbers=", ".join(map(str, decision.options)))
