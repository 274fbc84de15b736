"""Oracles: observers that work out by the rulebook what the rules of a game should do, and note every difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from typing import Any

from interpreter.play.engine.engine import Observer
from interpreter.play.engine.rule_observer import RuleObserver

Watcher = Callable[..., Generator[None, Any, None]]
"""Takes the arguments of a rule; yields once, and is sent the result of the rule there."""
Look = Callable[..., None] | None
"""Takes the arguments of a rule, after its result if the rule has run."""


class Oracle(Observer):
    """Compares a game with the rulebook; `seen` counts what it has compared, `mismatches` has the differences."""

    def __init__(self) -> None:
        self.mismatches: list[str] = []
        self.seen: Counter[str] = Counter()

    @property
    def core(self) -> Any:
        """The machinery of the game."""
        return self.game.core

    @property
    def world(self) -> Any:
        """All things of the game."""
        return self.game.core.world

    @property
    def state(self) -> Any:
        """The values of the game that belong to no thing."""
        return self.game.core.world.state


class RuleOracle(Oracle, RuleObserver):
    """Compares calls of rules with the rulebook.

    In a traced game it also keeps the rolls, sums of modifiers and answers by the address of their site, and the draws.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rolled: list[tuple[str, int]] = []
        self.modified: list[tuple[str, int]] = []
        self.answered: list[tuple[str, Any]] = []
        self.drawn: list[Any] = []
        self.callers: list[str] = []
        """The paths of the observed rules under way, outermost first."""
        self._looks: dict[str, tuple[Look, Look]] = {}
        self._watchers: dict[str, Watcher] = {}
        self._watching: list[Generator[None, Any, None] | None] = []

    def look_at(self, rule: str, before: Look = None, after: Look = None) -> None:
        """Has `before` called with the arguments of a rule, and `after` with its result and them."""
        self._looks[rule] = before, after
        self.rules = (*self.rules, rule)

    def watch(self, rule: str, watcher: Watcher) -> None:
        """Has a watcher go along with each call of a rule."""
        self._watchers[rule] = watcher
        self.rules = (*self.rules, rule)

    def on_step_begin(self) -> None:
        self.callers.clear()
        self._watching.clear()

    def before(self, rule: str, arguments: tuple[Any, ...]) -> None:
        begin, _ = self._looks.get(rule, (None, None))
        if begin is not None:
            begin(*arguments)
        watching = self._watchers[rule](*arguments) if rule in self._watchers else None
        if watching is not None:
            next(watching)
        self.callers.append(rule)
        self._watching.append(watching)

    def after(self, rule: str, arguments: tuple[Any, ...], result: Any) -> None:
        while self.callers.pop() != rule:
            self._watching.pop()  # an exception has left the call
        watching = self._watching.pop()
        _, end = self._looks.get(rule, (None, None))
        if end is not None:
            end(result, *arguments)
        if watching is not None:
            try:
                watching.send(result)
            except StopIteration:
                return
            raise AssertionError("a watcher yields once")

    def on_event(self, kind: str, site: int, data: Any) -> None:
        if kind == "random":
            self.drawn.append(data[0])
        elif kind in {"roll", "modifiers", "answer"}:
            address = self.game.core.image.sites[site].address
            if kind == "roll":
                self.rolled.append((address, data[2]))
            else:
                (self.answered if kind == "answer" else self.modified).append((address, data[1]))
