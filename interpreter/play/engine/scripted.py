"""Answers given beforehand, by address: whole answers, fed pick by pick to the decisions that ask for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from interpreter.language.diagnostics import BicorneError, did_you_mean
from interpreter.play.engine.decision import Decision, IllegalChoice

SCALARS = {"one", "maybe", "number", "agree", "choice", "menu", "pick", "next"}
"""Kinds of decision that are one pick; `next` asks anew for each."""


class UnscriptedError(BicorneError):
    """A decision came up that no answer was given for, or one of the answers does not fit it."""


class Script:
    """Whole answers by address, in order.

    A pick is its id, a number, `true`/`false` or none; a set or an order is a list of them; an allocation is a mapping
    from ids.
    """

    def __init__(self, answers: Mapping[str, Iterable[Any]]) -> None:
        self._queues = {address: list(given) for address, given in answers.items()}
        self._course: Any = None
        self._answer: Any = None

    @property
    def left(self) -> dict[str, list[Any]]:
        """What was not asked for, by address."""
        return {address: queue for address, queue in self._queues.items() if queue}

    def answers(self, address: str) -> bool:
        """Whether anything was given for an address."""
        return address in self._queues

    def position(self, decision: Decision) -> int:
        """The option that the script takes.

        Raises:
            UnscriptedError: if there is no answer left, or it is not among the options.
        """
        whole = self._whole(decision)
        try:
            return decision.position(_pick(whole, decision))
        except IllegalChoice as error:
            raise UnscriptedError(f"the answer given for '{decision.address}' does not fit: {error}") from error

    def took(self, decision: Decision) -> None:
        """Notes a pick that had only one option and so was not asked.

        A next answer that names this option was meant for it and is used up; any other waits for a later decision.
        What follows in the same decision belongs to the same answer.
        """
        if decision.course is not None and decision.course is self._course:
            return
        queue = self._queues.get(decision.address)
        if queue and self._names(queue[0], decision):
            self._course, self._answer = decision.course, queue.pop(0)

    @staticmethod
    def _names(whole: Any, decision: Decision) -> bool:
        try:
            decision.position(_pick(whole, decision))
        except (IllegalChoice, UnscriptedError):
            return False
        return True

    def _whole(self, decision: Decision) -> Any:
        if decision.course is not None and decision.course is self._course:
            return self._answer
        queue = self._queues.get(decision.address)
        if not queue:
            offered = ", ".join(decision.labels[:8])
            why = "no answer is given" if queue is None else "the answers given have run out"
            hint = did_you_mean(decision.address, self.left) if queue is None else None
            raise UnscriptedError(
                f"{why} for '{decision.address}' ({decision.seat}: {decision.prompt} {offered})"
                + (f"; {hint}" if hint else "")
            )
        self._course, self._answer = decision.course, queue.pop(0)
        return self._answer


def _pick(whole: Any, decision: Decision) -> Any:
    chosen = decision.chosen
    if chosen is None:
        return whole
    if isinstance(chosen, dict):
        if not isinstance(whole, Mapping):
            raise UnscriptedError(f"'{decision.address}' is an allocation: give a mapping, like {{a: 1, b: 2}}")
        named = {_key(each): given for each, given in whole.items()}
        if decision.kind == "assign":
            asked = next(reversed(chosen))
            return named.get(asked.id, named.get(asked.ref))
        for each, so_far in chosen.items():
            if so_far < named.get(each.id, named.get(each.ref, 0)):
                return each
        raise UnscriptedError(f"the allocation given for '{decision.address}' is too small: more is to be shared out")
    if not isinstance(whole, list | tuple):
        raise UnscriptedError(f"'{decision.address}' is a choice of several: give a list, like [a, b]")
    taken = [each for option in chosen for each in (option, getattr(option, "id", None), getattr(option, "ref", None))]
    return next((each for each in whole if each not in taken), None)


def _key(given: Any) -> str:
    return str(getattr(given, "id", given))
