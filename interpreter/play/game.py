"""A game under way, as players, tools and programs use it."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from interpreter.play.engine.engine import GameEngine, Observer, Start
from interpreter.play.inputs.dice import DiceSource
from interpreter.play.inputs.inputs import Record
from interpreter.play.redo import feed
from interpreter.play.undo import undo

if TYPE_CHECKING:
    from interpreter.play.log.log import Explanation, LogBuilder, LogEntry
    from interpreter.play.why_not import Reason


class Game(GameEngine):
    """One game from its start on: the engine, with its log, views, reasons and undo.

    The parameters are those of `GameEngine`. Without `trace` the log is made by playing the inputs again. The
    constructor lets the game run to its first decision.

    Raises:
        RuleFault: from the constructor and from every method that lets the game run, if a rule goes wrong.
    """

    def __init__(
        self,
        source: Any,
        seed: int | str = 0,
        trace: bool = False,
        *,
        dice: DiceSource | None = None,
        inputs: Collection[Record] = (),
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
        """The log builder, with the number of the run that it was made after."""
        self.begin()

    def feed(self, records: Collection[Record]) -> None:
        """Plays on by recorded inputs of which those so far are the beginning: a redo, or another's moves.

        Raises:
            UsageError: if they begin otherwise, or nobody is asked anything.
            RuleFault: `divergence`, if they do not fit the game, which then stays where it was.
        """
        self._asked()
        feed(self, records)

    def undo(self, seat: str | None = None, agreed: Collection[str] = ()) -> None:
        """Takes back the last decision of a seat (of the seat that decided last, if none is named).

        Raises:
            UndoRefused: across dice, random picks, reveals or other seats' decisions, unless every other seat agreed.
        """
        undo(self, seat, agreed)

    def twin(self, trace: bool = False) -> Game:
        """Another game at the same point, with objects and dice of its own."""
        made = super().twin(trace)
        assert isinstance(made, Game)
        return made

    def before_simultaneous(self) -> Game | None:
        """The game before the simultaneous lines under way, which is all that seats may see until then; or none."""
        before = super().before_simultaneous()
        assert before is None or isinstance(before, Game)
        return before

    def _replayed(
        self, seed: int | str, trace: bool, dice: DiceSource | None, inputs: Collection[Record], checked: bool = False
    ) -> Game:
        return Game(self.setting, seed, trace, dice=dice, inputs=inputs, checked=checked, start=self.beginning)

    @property
    def log(self) -> list[LogEntry]:
        """What has happened, in words, with citations."""
        return self._log_builder().entries

    def explain(self, number: int) -> Explanation:
        """How an entry of the log came about: what its rule rolled, looked up and added before it.

        Raises:
            UsageError: if the log has no such entry.
        """
        return self._log_builder().explain(number)

    def _log_builder(self) -> LogBuilder:
        from interpreter.play.log.log import LogBuilder  # noqa: PLC0415 - only who reads a log needs its words

        if self._log is None or self._log[0] != self.runs:
            traced = self if self.traced else self.twin(trace=True)
            self._log = self.runs, LogBuilder(traced.events, self.core.image, self.setting.wording)
        return self._log[1]

    def view(self, seat: str) -> Any:
        """The state as a seat sees it, as plain data."""
        from interpreter.play.views.view import view  # noqa: PLC0415 - not every program looks

        return view(self, seat)

    def why_not(self, action: str, **picks: Any) -> list[Reason]:
        """Why an action, with these picks, is not open now; empty if it is."""
        from interpreter.play.why_not import why_not  # noqa: PLC0415 - loads the program of the ruleset

        return why_not(self, action, picks)
