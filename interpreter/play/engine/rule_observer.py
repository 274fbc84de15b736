"""An observer of a game that also sees calls of rules."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import wraps
from inspect import isgeneratorfunction
from typing import Any

from interpreter.language.diagnostics import UsageError
from interpreter.play.engine.engine import Observer
from interpreter.play.engine.rule_functions import emitted_name

_DISPATCHER = "__by_kind"
"""How the tables end by which a computed attribute finds the text of each kind."""


class RuleObserver(Observer):
    """Sees each call of some rules, with its arguments and its result.

    `rules` names them by their paths in the ruleset, such as `definitions/strength`; it is read when the observer gets
    its game. The rules run in the variant `observed`, in which every one of them is a function of its own. A call that
    an exception leaves (the end of a step or a game, a fault, a return to an earlier point) has no `after`. What the
    observer itself evaluates is not observed.

    Attaching it raises `UsageError` if a path is of no rule, or of one that nothing can call.
    """

    variant = "observed"
    rules: tuple[str, ...] = ()
    _acting = False
    """Whether `before` or `after` is running."""

    def before(self, rule: str, arguments: tuple[Any, ...]) -> None:
        """A rule is about to run."""

    def after(self, rule: str, arguments: tuple[Any, ...], result: Any) -> None:
        """A rule has run; one that asks has got all its answers."""

    def on_attach(self) -> None:
        core = self.game.core
        tables = [table for name, table in core.names.items() if name.endswith(_DISPATCHER)]
        for path in dict.fromkeys(self.rules):
            name = emitted_name(path, core.rule_names)
            function = core.names[name]
            if path.startswith(("menus/", "invariants/")) or not callable(function):
                raise UsageError(f"'{path}' is called by no rule, so it can't be observed")
            core.names[name] = self._observed(path, function)
            for table in tables:
                for kind, each in table.items():
                    table[kind] = core.names[name] if each is function else each

    def _observed(self, path: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, with a look before and after each call."""

        @wraps(function)
        def asking(*arguments: Any) -> Generator[Any, Any, Any]:
            self._look(self.before, path, arguments)
            result = yield from function(*arguments)
            self._look(self.after, path, arguments, result)
            return result

        @wraps(function)
        def plain(*arguments: Any) -> Any:
            self._look(self.before, path, arguments)
            result = function(*arguments)
            self._look(self.after, path, arguments, result)
            return result

        return asking if isgeneratorfunction(function) else plain

    def _look(self, act: Callable[..., None], *known: Any) -> None:
        if self._acting:
            return
        self._acting = True
        try:
            act(*known)
        finally:
            self._acting = False
