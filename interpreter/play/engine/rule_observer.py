"""An observer of a game that also sees the calls of rules."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import wraps
from inspect import isgeneratorfunction
from typing import Any

from interpreter.language.diagnostics import UsageError
from interpreter.language.model.emitted_names import BY_KIND, is_part
from interpreter.play.engine.engine import Observer
from interpreter.play.engine.outcome import EndGame, EndStep
from interpreter.play.engine.rule_functions import emitted_name


class RuleObserver(Observer):
    """Sees each call of some rules, with its arguments and its result.

    `rules` are their paths in the ruleset, such as `definitions/strength`; they are read when the observer is attached
    to its game. The rules run in the variant `observed`, where each of them is a function of its own; in every variant
    a procedure is one. A call that ends by the end of a step or a game has `cut_short`; one that ends by another
    exception (a fault, a return to an earlier point) has nothing after `before`. Calls that the observer itself causes
    are not observed.

    Attaching raises `UsageError` if a path belongs to no rule, or to one that no rule calls.
    """

    variant = "observed"
    rules: tuple[str, ...] = ()
    _is_notifying = False
    """Whether `before` or `after` is running."""

    def before(self, rule: str, arguments: tuple[Any, ...]) -> None:
        """A rule is about to run."""

    def after(self, rule: str, arguments: tuple[Any, ...], result: Any) -> None:
        """A rule has run; one that asks has received all its answers."""

    def cut_short(self, rule: str, arguments: tuple[Any, ...], end: EndGame | EndStep) -> None:
        """A rule has ended the step or the game, or called one that did."""

    def on_attach(self) -> None:
        """Wraps the functions of the observed rules."""
        core = self.game.core
        tables = [table for name, table in core.names.items() if is_part(name, BY_KIND)]
        for path in dict.fromkeys(self.rules):
            name = emitted_name(path, core.rule_names)
            function = core.names[name]
            if path.startswith(("menus/", "invariants/")) or not callable(function):
                raise UsageError(f"no rule calls '{path}', so it can't be observed")
            core.names[name] = self._observed(path, function)
            for table in tables:
                for kind, each in table.items():
                    table[kind] = core.names[name] if each is function else each

    def _observed(self, path: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Returns the function with a notification before and after each call."""

        @wraps(function)
        def asking(*arguments: Any) -> Generator[Any, Any, Any]:
            self._notify(self.before, path, arguments)
            try:
                result = yield from function(*arguments)
            except (EndGame, EndStep) as end:
                self._notify(self.cut_short, path, arguments, end)
                raise
            self._notify(self.after, path, arguments, result)
            return result

        @wraps(function)
        def plain(*arguments: Any) -> Any:
            self._notify(self.before, path, arguments)
            try:
                result = function(*arguments)
            except (EndGame, EndStep) as end:
                self._notify(self.cut_short, path, arguments, end)
                raise
            self._notify(self.after, path, arguments, result)
            return result

        return asking if isgeneratorfunction(function) else plain

    def _notify(self, act: Callable[..., None], *known: Any) -> None:
        if self._is_notifying:
            return
        self._is_notifying = True
        try:
            act(*known)
        finally:
            self._is_notifying = False
