"""The game as players, tools and programs use it."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from interpreter.language.diagnostics import UsageError, with_hint
from interpreter.play.engine.engine import GameEngine, Observer, Start
from interpreter.play.engine.marks import Mark
from interpreter.play.inputs.dice import DiceSource
from interpreter.play.inputs.inputs import Input
from interpreter.play.redo import feed
from interpreter.play.undo import undo
from interpreter.play.wording import why_messages

if TYPE_CHECKING:
    from interpreter.play.log.log import Explanation, LogBuilder, LogEntry
    from interpreter.play.refusals import Reason
    from interpreter.play.views.standing import Standing
    from interpreter.play.views.view import ViewHistory


class Game(GameEngine):
    """One game: the engine with log, views, reasons and undo.

    The parameters are those of `GameEngine`. Without `trace` the log is built by replaying the inputs. The constructor
    runs the game to its first decision.

    Raises:
        RuleFault: from the constructor and from every method that runs the game, if a rule fails.
    """

    def __init__(
        self,
        source: Any,
        seed: int | str = 0,
        trace: bool = False,
        *,
        dice: DiceSource | None = None,
        inputs: Collection[Input] = (),
        checked: bool = False,
        verified: bool = False,
        start: Start | None = None,
        language: str = "en",
        observers: tuple[Observer, ...] = (),
    ) -> None:
        super().__init__(
            source,
            seed,
            trace,
            dice=dice,
            inputs=inputs,
            checked=checked,
            verified=verified,
            start=start,
            language=language,
            observers=observers,
        )
        self._log: tuple[int, LogBuilder] | None = None
        """The number of the last logged run, and the log builder made after it."""
        self._views: ViewHistory | None = None
        self._seat_logs: dict[str | None, tuple[int, LogBuilder]] = {}
        """The same for the log of each seat."""
        self.begin()

    def choose_index(self, index: int) -> None:
        """Answers with the option at this position.

        Raises:
            UsageError: if there is no such option, or no decision is open.
        """
        if self._views is not None and self.core.simultaneous_since is not None and not self.speculative:
            self._views.keep_before_answers(self)
        super().choose_index(index)

    def feed(self, inputs: Collection[Input]) -> None:
        """Replays recorded inputs that continue the present ones: a redo, or the moves of another player.

        Raises:
            UsageError: if they do not continue the present inputs, or no decision is open.
            RuleFault: `divergence`, if they do not fit the game, which then stays as it was.
        """
        self._open_decision()
        feed(self, inputs)

    def undo(self, seat: str | None = None, agreed: Collection[str] = ()) -> None:
        """Undoes the last decision of a seat (of the seat that decided last, if none is named).

        Dice that were rolled since show the same faces when they are rolled again.

        Raises:
            UndoRefused: if dice, picks, reveals, other seats' decisions or the sight of anything that was hidden
                followed, unless every other seat agreed.
        """
        undo(self, seat, agreed)

    def twin(self, trace: bool = False) -> Game:
        """Returns another game at the same point, with objects and dice of its own."""
        twin = super().twin(trace)
        assert isinstance(twin, Game)
        return twin

    def before_simultaneous(self) -> Game | None:
        """Returns the game before the current block of simultaneous lines, once one of them is answered; or none."""
        before = super().before_simultaneous()
        assert before is None or isinstance(before, Game)
        return before

    def _replayed(
        self, seed: int | str, trace: bool, dice: DiceSource | None, inputs: Collection[Input], checked: bool = False
    ) -> Game:
        return Game(self.source, seed, trace, dice=dice, inputs=inputs, checked=checked, start=self.start)

    @property
    def log(self) -> list[LogEntry]:
        """The entries of everything that has happened, with citations."""
        return self._log_builder().entries

    def explain(self, number: int) -> Explanation:
        """Explains an entry of the log, counted from 1, by what its rule rolled, looked up and added.

        Raises:
            UsageError: if the log has no such entry.
        """
        return self._log_builder().explain(number)

    def log_of(self, seat: str | None) -> LogBuilder:
        """Returns the log that a seat may read (without a seat: that everybody may read); it explains its entries too.

        Raises:
            UsageError: if there is no such seat.
        """
        from interpreter.play.views.visible_log import readable_log  # noqa: PLC0415 - needed only where a log is read

        if seat not in self._seat_logs or self._seat_logs[seat][0] != self.runs:
            self._seat_logs[seat] = self.runs, readable_log(self, seat)
        return self._seat_logs[seat][1]

    def _log_builder(self) -> LogBuilder:
        from interpreter.play.log.log import LogBuilder  # noqa: PLC0415 - needed only where a log is read

        if self._log is None or self._log[0] != self.runs:
            traced = self if self.traced else self.twin(trace=True)
            self._log = self.runs, LogBuilder(traced.events, self.core.image, self.source.wording)
        return self._log[1]

    def view(self, seat: str | None, since: Mark | None = None) -> Any:
        """Returns the state that a seat may see (without a seat: that everybody may see), as plain data.

        With a mark (see `mark`) it is what the seat has seen change since: `apply_changes` makes the view of it and of
        the view at the mark. Nothing of the data may be changed: parts of it are shared with later views.

        Raises:
            UsageError: if there is no such seat, or the mark is of a course of the game that was taken back.
        """
        from interpreter.play.views.view import ViewHistory  # noqa: PLC0415 - needed only where a view is read

        if self._views is None:
            self._views = ViewHistory()
        if since is None:
            return self._views.view(self, seat)
        return self._views.changes(self, seat, since, self.replayed_to)

    def replayed_to(self, mark: Mark) -> Game:
        """Returns another game at a mark of this one."""
        return self._replayed(f"{self.seed}/twin", self.traced, None, self.inputs.items[: mark.inputs])

    def view_hash(self, seat: str | None) -> str:
        """Returns a digest of `view(seat)`, which the seat may know; `hash` covers what is hidden as well."""
        from interpreter.play.views.view import view_hash  # noqa: PLC0415 - as above

        return view_hash(self, seat)

    def standing(self, seat: str | None = None) -> tuple[Standing, ...]:
        """Returns what is played for and how far each seat has come, as a seat sees it.

        Raises:
            UsageError: if there is no such seat.
            RuleFault: if a rule fails.
        """
        from interpreter.play.views.standing import standing  # noqa: PLC0415 - as above

        return standing(self, seat)

    def why_not(self, seat: str, action: str, /, **picks: Any) -> list[Reason]:
        """Returns to a seat the reasons why an action with these picks is not available to it now; empty if it is.

        Raises:
            UsageError: if another seat decides, or there is no such seat, action or pick.
        """
        from interpreter.play.why_not import why_not  # noqa: PLC0415 - loads the program of the ruleset

        self._check_asking(seat)
        return why_not(self, action, picks)

    def why_not_option(self, seat: str, name: str, action: str = "") -> list[Reason]:
        """Returns to a seat the reasons why what a name means is not among its options now; empty if it is.

        At a menu, what one of its actions can do is among the options; `action` limits the reasons to one action.

        Raises:
            UsageError: if another seat decides, or no decision is open, if there is no such seat, or if nothing that it
                can see has this name.
        """
        from interpreter.play.why_not_option import why_not_option  # noqa: PLC0415 - as above

        self._check_asking(seat)
        return why_not_option(self, name, action)

    def _check_asking(self, seat: str) -> None:
        """Checks that the open decision, if there is one, is that of a seat: its reasons read what only it may know.

        Raises:
            UsageError: if it is that of another seat, or there is no such seat.
        """
        if seat not in self.seats:
            raise with_hint(f"there is no seat '{seat}' in this game", seat, self.seats)
        decision = self.decision
        if decision is not None and decision.seat != seat:
            words = self.source.wording
            raise UsageError(words.say(why_messages.ANOTHER_DECIDES, who=words.of(decision.seat_object)))
