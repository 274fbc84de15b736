"""The player at a terminal, who answers questions by number or name and may type commands first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from interpreter.console.board import DEFAULT_COLUMNS
from interpreter.console.coloured_text import ColouredText
from interpreter.console.map_changes import MapChanges
from interpreter.console.map_window import MapWindow
from interpreter.console.narration import cite_suffix
from interpreter.console.option_labels import OptionGroup, option_groups
from interpreter.console.prompt_commands import COMMANDS, PromptCommands
from interpreter.console.standing_text import status_line
from interpreter.language.diagnostics import BicorneError
from interpreter.language.visible_text import control_character, visible_line
from interpreter.play.game import Game
from interpreter.play.inputs.value_codec import short_name
from interpreter.play.undo import UndoRefused
from interpreter.play.wording import messages
from interpreter.play.wording.text_table import wrapped

_MAX_LISTED = 60
_LINES_AROUND_MAP = 4
"""Lines around the map: two blank lines, the line that names the place, and the prompt."""
_MAX_NAME_LENGTH = 40


class Terminal(Protocol):
    """The terminal where a person reads and types."""

    def ask(self, prompt: str, words: Sequence[str]) -> str | None:
        """Returns a typed line, none at the end of input; `words` are offered for completion."""

    def say(self, text: str | ColouredText, style: str | None = None) -> None:
        """Shows a text."""


class PlayerLeft(Exception):  # noqa: N818 - not an error
    """The person leaves the game, which stays as it is."""


class DecisionUndone(Exception):  # noqa: N818 - not an error
    """The person undid a decision; the game is now at another decision."""


class HumanPlayer:
    """A player whose decisions a person types.

    `save` saves the game, in another file if a path is given, and returns a confirmation. `size` returns the columns
    and lines of the screen, if there is one; the map takes the space that the question and its options leave.
    `can_agree` returns whether a seat can agree to an undo, `is_saved` whether leaving loses nothing.
    """

    def __init__(
        self,
        seat: str,
        terminal: Terminal,
        save: Callable[[Game, Path | None], str],
        size: Callable[[], tuple[int, int] | None] = lambda: None,
        can_agree: Callable[[str], bool] = lambda _seat: True,
        is_saved: Callable[[], bool] = lambda: True,
    ) -> None:
        self._seat = seat
        self._terminal = terminal
        self._save = save
        self._size = size
        self._can_agree = can_agree
        self._is_saved = is_saved
        self._warned = False
        """Whether the person knows that leaving now loses the game."""
        self._shown = ""
        """The map text that was shown last."""
        self._changes = MapChanges(seat)
        self._status = ""
        """The status line that was shown last."""

    def choose(self, game: Game) -> int:
        """Returns the index of the option that the person chooses.

        Raises:
            PlayerLeft: if the person leaves.
            DecisionUndone: if the person undid a decision.
        """
        decision = game.decision
        assert decision is not None
        groups = option_groups(game)
        self._show_question(game, groups)
        words = [*COMMANDS, *[each.text for each in groups]]
        while True:
            typed = self._terminal.ask(_prompt(game, groups), words)
            if typed is None:
                raise PlayerLeft
            text = " ".join(typed.split())
            if (control := control_character(text)) is not None:
                self._terminal.say(game.source.wording.say(messages.CONTROL_TYPED, control=control), "yellow")
            elif text and (index := self._read_answer(game, text, groups)) is not None:
                return index

    # ------------------------------------------------------------ the question
    def _show_question(self, game: Game, groups: list[OptionGroup]) -> None:
        decision = game.decision
        assert decision is not None
        who = game.source.wording.of(decision.seat_object)
        cites = cite_suffix(decision.cites)
        asked = game.source.wording.say(messages.ASKED, who=who, question=decision.prompt, cites=cites)
        question = visible_line(asked)
        below = [*_so_far(game), *_numbered(groups[:_MAX_LISTED] if not _are_numbers(decision.options) else [])]
        status = status_line(game, self._seat)
        self._show_map(game, [status, question, *below])
        self._terminal.say("")
        if status and status != self._status:
            self._status = status
            self._terminal.say(status, "dim")
        self._terminal.say(question, "bold")
        for line in below:
            self._terminal.say(line)
        if len(groups) > _MAX_LISTED and not _are_numbers(decision.options):
            self._terminal.say(game.source.wording.say(messages.MORE_OPTIONS, count=len(groups)))

    def _show_map(self, game: Game, below: Sequence[str]) -> None:
        """Shows the map around what others moved, and around the current location if it changed.

        The symbols are explained the first time.
        """
        window = MapWindow(game, self._seat)
        if not window.exists:
            return
        current, moved = window.focus(), self._changes.middle(game, window)
        if moved is not None and moved is not current:
            self._terminal.say("")
            self._terminal.say(game.source.wording.say(messages.MOVES_OF_OTHERS))
            self._terminal.say(window.drawn(moved, self._space_for_map(()), legend=False))
        if current is None:
            return
        drawn = str(window.drawn(current, legend=False))
        if drawn != self._shown:
            first, self._shown = not self._shown, drawn
            self._terminal.say("")
            self._terminal.say(MapWindow(game, self._seat).drawn(current, self._space_for_map(below), legend=first))

    def _columns(self) -> int:
        size = self._size()
        return DEFAULT_COLUMNS if size is None else size[0]

    def _space_for_map(self, below: Sequence[str]) -> tuple[int, int] | None:
        """Returns the columns and lines that the lines `below` leave for the map; none without a screen."""
        size = self._size()
        if size is None:
            return None
        taken = sum(len(wrapped(line, size[0])) for line in below)
        return size[0], size[1] - taken - _LINES_AROUND_MAP

    # ------------------------------------------------------------ the answer
    def _read_answer(self, game: Game, text: str, groups: list[OptionGroup]) -> int | None:
        """Returns the option that a text means; none after a command or an error, which is shown here."""
        try:
            return self._run_or_answer(game, text, groups)
        except BicorneError as error:
            self._terminal.say(str(error), "yellow")
            return None

    def _run_or_answer(self, game: Game, text: str, groups: list[OptionGroup]) -> int | None:
        decision = game.decision
        assert decision is not None
        word, _, rest = text.partition(" ")
        match word.casefold():
            case "quit" | "exit":
                if self._warned or self._is_saved():
                    raise PlayerLeft
                self._warned = True
                self._terminal.say(game.source.wording.say(messages.QUIT_UNSAVED), "yellow")
            case "undo":
                self._undo(game, rest)
            case "save":
                self._terminal.say(self._save(game, Path(rest).expanduser() if rest else None), "green")
            case "odds":
                self._odds(game, rest, groups)
            case "options":
                for line in _numbered(groups):
                    self._terminal.say(line)
            case name if name in COMMANDS:
                PromptCommands(game, self._seat, self._terminal.say, self._columns()).run(name, rest)
            case _:
                return parse_answer(decision, text, groups, self._terminal.say)
        return None

    def _odds(self, game: Game, rest: str, groups: list[OptionGroup]) -> None:
        """Shows the odds of what an option (by default the likeliest) leads to; an estimate first if that is slow."""
        from interpreter.console.odds_text import odds_lines  # noqa: PLC0415 - loads the program of the ruleset
        from interpreter.inference.ahead import Lookout  # noqa: PLC0415 - as above

        option = parse_answer(game.decision, rest, groups, self._terminal.say) if rest else None
        if rest and option is None:
            return
        words, shown = game.source.wording, False
        for found in Lookout(game).in_steps(option):
            shown = True
            self._terminal.say("\n".join(odds_lines(found, words)))
        if not shown:
            self._terminal.say(words.say(messages.NO_ODDS))

    def _undo(self, game: Game, rest: str) -> None:
        words = game.source.wording
        if rest not in ("", "agree"):
            self._terminal.say(words.say(messages.TYPE_UNDO), "yellow")
            return
        others = [each for each in game.seats if each != self._seat]
        agreeing = [each for each in others if self._can_agree(each)]
        try:
            game.undo(self._seat, agreeing if rest else ())
        except UndoRefused as refused:
            hint = messages.IF_AGREED if agreeing == others else messages.COMPUTER_REFUSES
            self._terminal.say(f"{refused}\n{words.say(hint)}" if refused.needs_consent else str(refused), "yellow")
            return
        self._terminal.say(words.say(messages.UNDONE), "green")
        raise DecisionUndone


def parse_answer(decision: Any, text: str, groups: list[OptionGroup], say: Callable[..., None]) -> int | None:
    """Returns the index that a number, a name or a part of one means; shows what is wrong if it means none."""
    options, words = decision.options, decision.wording
    if _are_numbers(options):
        if text.removeprefix("-").isdecimal() and len(text) < 10 and int(text) in options:
            return int(options.index(int(text)))
    elif text.isdecimal() and len(text) < 10:
        if 1 <= int(text) <= len(groups):
            return groups[int(text) - 1].positions[0]
        say(words.say(messages.NO_OPTION, typed=text, count=len(groups)), "yellow")
        return None
    if set(options) == {True, False} and text.casefold() in {"y", "n"}:
        return int(options.index(text.casefold() == "y"))
    found = _groups_named(decision, text.casefold(), groups)
    if len(found) == 1:
        return found[0].positions[0]
    if found:
        names = words.say(messages.COMMA).join([each.text for each in found[:8]])
        problem = words.say(messages.AMBIGUOUS_OPTION, typed=text, names=names)
    else:
        problem = words.say(messages.UNKNOWN_OPTION, typed=text)
        problem = words.with_hint(problem, text, [each.text for each in groups if len(each.text) <= _MAX_NAME_LENGTH])
        problem = words.say(messages.WITH_HELP_HINT, text=problem)
    say(problem, "yellow")
    return None


def _groups_named(decision: Any, text: str, groups: list[OptionGroup]) -> list[OptionGroup]:
    """Returns the options that a text names: by the whole name or id, else by its beginning, else by any part."""
    names = {
        each: {each.text.casefold(), *[short_name(decision.options[at]).casefold() for at in each.positions]}
        for each in groups
    }
    for fits in (str.__eq__, str.startswith, str.__contains__):
        found = [each for each in groups if any(fits(name, text) for name in names[each])]
        if found:
            return found
    return []


def _numbered(groups: Sequence[OptionGroup]) -> list[str]:
    """Returns the lines of a numbered list of the options."""
    size = len(str(len(groups)))
    return [visible_line(f"  {number:>{size}}  {each}") for number, each in enumerate(groups, 1)]


def _so_far(game: Game) -> list[str]:
    """Returns a line with the earlier picks of a decision of several picks; shares of 0 are left out."""
    decision = game.decision
    chosen = decision.chosen if decision is not None else None
    if isinstance(chosen, Mapping):
        chosen = {each: share for each, share in chosen.items() if share}
    words = game.source.wording
    return [words.say(messages.SO_FAR, chosen=words.of(chosen))] if chosen else []


def _are_numbers(options: Sequence[Any]) -> bool:
    return all(isinstance(each, int) and not isinstance(each, bool) for each in options)


def _prompt(game: Game, groups: list[OptionGroup]) -> str:
    decision = game.decision
    assert decision is not None
    words = game.source.wording
    if not _are_numbers(decision.options):
        return words.say(messages.CHOOSE, count=len(groups))
    low, high = min(decision.options), max(decision.options)
    if len(decision.options) == high - low + 1:
        return words.say(messages.CHOOSE_BETWEEN, low=low, high=high)
    return words.say(messages.CHOOSE_NUMBER, numbers=", ".join(map(str, decision.options)))
