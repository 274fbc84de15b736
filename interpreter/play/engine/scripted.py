"""Scripted answers by address: whole answers, given pick by pick to the decisions that ask for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from interpreter.language.diagnostics import BicorneError, did_you_mean
from interpreter.play.engine.decision import Decision, IllegalChoice


class UnscriptedError(BicorneError):
    """Raised for a decision without a scripted answer, or with one that does not fit it."""


class Script:
    """Whole answers by address, in order.

    A pick is its id, a number, `true`/`false` or none; a set or an order is a list of them; an allocation is a mapping
    from ids.
    """

    def __init__(self, answers: Mapping[str, Iterable[Any]]) -> None:
        self._queues = {address: list(given) for address, given in answers.items()}
        self._live_picks: Any = None
        self._answer: Any = None

    @property
    def unused(self) -> dict[str, list[Any]]:
        """The unused answers, by address."""
        return {address: queue for address, queue in self._queues.items() if queue}

    def index_for(self, decision: Decision) -> int:
        """Returns the position of the option that the script takes; a secret question with one option needs none.

        Raises:
            UnscriptedError: if no answer is left, or it is not among the options.
        """
        if decision.site.secret and len(decision.options) == 1:
            if decision.options[0] is not None:
                self.consume_single(decision)
            return 0
        answer = self._whole_answer(decision)
        try:
            return decision.index_of(_pick(answer, decision))
        except IllegalChoice as error:
            raise UnscriptedError(f"the answer given for '{decision.address}' does not fit: {error}") from error

    def consume_single(self, decision: Decision) -> None:
        """Consumes the answer to a pick with a single option, which is not asked.

        If the next answer names this option, it belongs to the pick; any other is kept for a later decision. Further
        picks of the same decision belong to the same answer.
        """
        if decision.live_picks is not None and decision.live_picks is self._live_picks:
            return
        queue = self._queues.get(decision.address)
        if queue and self._fits(queue[0], decision):
            self._live_picks, self._answer = decision.live_picks, queue.pop(0)

    @staticmethod
    def _fits(answer: Any, decision: Decision) -> bool:
        try:
            decision.index_of(_pick(answer, decision))
        except (IllegalChoice, UnscriptedError):
            return False
        return True

    def _whole_answer(self, decision: Decision) -> Any:
        if decision.live_picks is not None and decision.live_picks is self._live_picks:
            return self._answer
        queue = self._queues.get(decision.address)
        if not queue:
            options = ", ".join(decision.labels[:8])
            problem = "no answer is given" if queue is None else "the answers given have run out"
            hint = did_you_mean(decision.address, self.unused) if queue is None else None
            raise UnscriptedError(
                f"{problem} for '{decision.address}' ({decision.seat}: {decision.prompt} {options})"
                + (f"; {hint}" if hint else "")
            )
        self._live_picks, self._answer = decision.live_picks, queue.pop(0)
        return self._answer


def _pick(answer: Any, decision: Decision) -> Any:
    chosen = decision.chosen
    if chosen is None:
        return answer
    if isinstance(chosen, dict):
        if not isinstance(answer, Mapping):
            raise UnscriptedError(f"'{decision.address}' is an allocation: give a mapping, like {{a: 1, b: 2}}")
        named = {_key(each): share for each, share in answer.items()}
        if decision.kind == "assign":
            subject = next(reversed(chosen))
            return named.get(subject.id, named.get(subject.ref))
        for each, so_far in chosen.items():
            if so_far < named.get(each.id, named.get(each.ref, 0)):
                return each
        raise UnscriptedError(f"the allocation given for '{decision.address}' is too small: more must be allocated")
    if not isinstance(answer, list | tuple):
        raise UnscriptedError(f"'{decision.address}' is a choice of several: give a list, like [a, b]")
    taken = [each for option in chosen for each in (option, getattr(option, "id", None), getattr(option, "ref", None))]
    return next((each for each in answer if each not in taken), None)


def _key(name: Any) -> str:
    return str(getattr(name, "id", name))
