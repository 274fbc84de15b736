"""The standing orders of a situation, bound to the objects of a game: they narrow down the options of its decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from interpreter.inference.situation.situation import SituationWarning
from interpreter.inference.situation.standing_orders import OPTION, PICKED, Order, scope_of
from interpreter.language.codegen.emit import emit_expressions
from interpreter.language.model.program import Parameter, Procedure, Program
from interpreter.play.engine.core import Core
from interpreter.play.engine.decision import Decision, IllegalChoice

_NEVER_ASKED: Final = "none of its questions is asked"
_NEVER_FITS: Final = "its condition is never met, or nothing that it names is offered"


class RunningCall(NamedTuple):
    """The procedure that runs, and its arguments."""

    rule: Procedure
    arguments: Sequence[Any]


class OrderUse:
    """Which orders have been consulted, and which of them have answered, by name."""

    def __init__(self) -> None:
        self.consulted: set[str] = set()
        self.followed: set[str] = set()


class OrderBook:
    """Orders in one game.

    Raises `RuleFault` if an expression of an order fails.
    """

    def __init__(self, orders: Sequence[Order], core: Core, program: Program) -> None:
        self.text = repr([(each.name, each.text) for each in orders])
        """Everything that the orders say: equal texts give equal answers to the same call."""
        self.use = OrderUse()
        self._orders, self._core = tuple(orders), core
        self._functions: dict[tuple[str, str], Callable[..., Any]] = {}
        texts = {key: text for each in orders for key, text in _texts(each)}
        names = {f"order_{number}": key for number, key in enumerate(texts)}
        if texts:
            named = {name: texts[key] for name, key in names.items()}
            unit = emit_expressions(program, named, core.variant)
            self._functions = {key: core.bind(unit, name) for name, key in names.items()}

    def __bool__(self) -> bool:
        return bool(self._orders)

    def narrowed(self, decision: Decision, call: RunningCall | None) -> tuple[Sequence[int], str | None]:
        """Returns the positions of the options that the orders leave, and the policy that chooses among them, if any.

        `call` is the call of a procedure that runs, for the orders that are given for it.
        """
        left: Sequence[int] = range(len(decision.options))
        with self._core.faults():
            for each in self._orders:
                if len(left) == 1:
                    break
                if self._concerns(each, decision, call):
                    if each.policy is not None:
                        self.use.followed.add(each.name)
                        return left, each.policy
                    left = self._kept(each, decision, call, left)
        return left, None

    def warnings(self, running: Procedure) -> tuple[SituationWarning, ...]:
        """Returns a warning for each order that could be asked while a procedure runs and has answered nothing."""
        found = []
        for each in self._orders:
            if each.name in self.use.followed or each.procedure not in (None, running):
                continue
            why = _NEVER_FITS if each.name in self.use.consulted else _NEVER_ASKED
            text = f"the order '{each.name}' ({each.place.file}:{each.place.line}) is never followed: {why}"
            found.append(SituationWarning(each.name, text, ()))
        return tuple(found)

    def _concerns(self, order: Order, decision: Decision, call: RunningCall | None) -> bool:
        if order.addresses and decision.address not in order.addresses:
            return False
        if order.procedure is not None and (call is None or call.rule.name != order.procedure.name):
            return False
        if order.seat is not None and self._value(order, "of", call) is not decision.seat_object:
            return False
        self.use.consulted.add(order.name)
        return order.when is None or bool(self._value(order, "when", call))

    def _kept(self, order: Order, decision: Decision, call: RunningCall | None, left: Sequence[int]) -> Sequence[int]:
        """Returns the options that an order keeps of those that are left; all if it has nothing to say of them."""
        for answer in order.choose:
            try:
                index = decision.index_of(answer)
            except IllegalChoice:
                continue
            if index in left:
                self.use.followed.add(order.name)
                return (index,)
        rated = [each for each in left if order.ratings and decision.options[each] is not None]
        if not rated:
            return left
        key = f"rate {decision.address}"
        values = [
            self._value(order, key, call, decision.options[each], _times_picked(decision, decision.options[each]))
            for each in rated
        ]
        best = min(values) if order.best_is_least else max(values)
        self.use.followed.add(order.name)
        return [each for each, value in zip(rated, values, strict=True) if value == best]

    def _value(self, order: Order, part: str, call: RunningCall | None, *further: Any) -> Any:
        known = () if order.procedure is None or call is None else zip(call.rule.takes, call.arguments, strict=True)
        wanted = scope_of(order.procedure)
        arguments = [value for parameter, value in known if any(parameter.name == each.name for each in wanted)]
        return self._functions[order.name, part](*arguments, *further)


def _texts(order: Order) -> list[tuple[tuple[str, str], tuple[Any, tuple[Parameter, ...]]]]:
    """Returns the expressions of an order with their parameters, by name and part."""
    scope = scope_of(order.procedure)
    found = [((order.name, part), (text, scope)) for part, text in (("of", order.seat), ("when", order.when)) if text]
    rating = (*scope, Parameter(name=OPTION), Parameter(name=PICKED))
    return found + [((order.name, f"rate {address}"), (text, rating)) for address, text in order.ratings.items()]


def _times_picked(decision: Decision, option: Any) -> int:
    """Returns how often a decision that is made pick by pick has picked an option."""
    chosen = decision.chosen
    if isinstance(chosen, dict):
        return int(chosen.get(option, 0)) if decision.kind == "spread" else [*chosen.values()].count(option)
    return 0 if chosen is None else chosen.count(option)
