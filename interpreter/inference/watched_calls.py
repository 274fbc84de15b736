"""Watches the calls of procedures with outcomes in a game, and stops the game where one is entered or ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from interpreter.inference.assumptions import Assumption
from interpreter.inference.odds import Outcome, outcome_readers, outcome_texts
from interpreter.language.model.program import Procedure
from interpreter.play.engine.outcome import EndGame, EndStep
from interpreter.play.engine.rule_observer import RuleObserver
from interpreter.play.inputs.value_codec import Stable, encode
from interpreter.world.world import World


class _Stopped(BaseException):
    """The game has come to the watched point; no rule and no engine handles it."""


CallKey = tuple[str, tuple[tuple[str, str], ...]]
"""A procedure and its arguments in words."""


@dataclass(slots=True)
class WatchedCall:
    """A call of a procedure with outcomes: where the game was, and what came before it."""

    rule: Procedure
    values: tuple[Any, ...]
    title: str = ""
    """The call in words."""
    arguments: tuple[tuple[str, str], ...] = ()
    stable: tuple[Stable, ...] = ()
    state: Any = None
    assumptions: tuple[Assumption, ...] = ()
    is_certain: bool = False

    def keep(self, world: World) -> None:
        """Keeps the state and the arguments, so that the procedure can be run again from here."""
        self.stable = tuple(map(encode, self.values))
        self.state = world.dump()

    @property
    def key(self) -> CallKey:
        """What is called, with which arguments."""
        return self.rule.name, self.arguments


class CallWatch(RuleObserver):
    """Watches the calls of procedures with outcomes in a twin of a game."""

    variant = ""

    def __init__(self, procedures: dict[str, Procedure]) -> None:
        self._procedures = {f"procedures/{name}": each for name, each in procedures.items()}
        self.rules = tuple(self._procedures)
        self.open: list[WatchedCall] = []
        """The calls under way, outermost first."""
        self.finished: tuple[WatchedCall, Outcome] | None = None
        self.states_to_keep: Counter[str] = Counter()
        """By rule, how many of the next outermost calls of it keep the state in which they are entered."""
        self.ended: list[tuple[WatchedCall, Outcome]] = []
        """The outermost calls that have ended while they were collected."""
        self._stops_at_entry = self._stops_at_end = self._collects = False
        self._passing = 0

    def on_go_back(self, step: int) -> None:  # noqa: ARG002 - of any step
        """The step is run again: its calls are entered again."""
        self.open.clear()

    def on_step_begin(self) -> None:
        """No call lasts beyond a step."""
        self.open.clear()

    @contextmanager
    def stopping(self, *, at_entry: bool, passing: int = 0) -> Iterator[None]:
        """Stops the game where a procedure is entered while none is under way, or else where the outermost one ends.

        The first `passing` procedures that are entered do not count.
        """
        self.finished = None
        self._passing = passing
        self._stops_at_entry, self._stops_at_end = at_entry, not at_entry
        try:
            with suppress(_Stopped):
                yield
        finally:
            self._stops_at_entry = self._stops_at_end = False

    @contextmanager
    def collecting(self) -> Iterator[list[tuple[WatchedCall, Outcome]]]:
        """Collects the outermost calls that end meanwhile, with their outcomes."""
        self.ended, self._collects = [], True
        try:
            yield self.ended
        finally:
            self._collects = False

    def before(self, rule: str, arguments: tuple[Any, ...]) -> None:
        """A procedure is entered."""
        self.open.append(WatchedCall(self._procedures[rule], arguments))
        if len(self.open) == 1 and self.states_to_keep[rule] > 0:
            self.states_to_keep[rule] -= 1
            self.open[0].keep(self.game.core.world)
        if self._stops_at_entry and len(self.open) == 1:
            if self._passing == 0:
                raise _Stopped
            self._passing -= 1

    def after(self, rule: str, arguments: tuple[Any, ...], result: Any) -> None:  # noqa: ARG002 - of the last call
        """A procedure has returned."""
        self._leave(result, None)

    def cut_short(self, rule: str, arguments: tuple[Any, ...], end: EndGame | EndStep) -> None:  # noqa: ARG002
        """A procedure has ended the step or the game."""
        self._leave(None, end)

    def _leave(self, result: Any, end: Exception | None) -> None:
        call = self.open.pop()
        if self.open or not (self._stops_at_end or self._collects):
            return
        if self._stops_at_end and self._passing:
            self._passing -= 1
            return
        ended = call, outcome_texts(call.values, outcome_readers(call.rule, self.game.core.names), result, end)
        if self._collects:
            self.ended.append(ended)
        else:
            self.finished = ended
            raise _Stopped
