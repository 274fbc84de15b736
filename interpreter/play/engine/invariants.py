"""Checks the invariants of a ruleset on a game."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.language.diagnostics import Diagnostic, RuleFault
from interpreter.play.engine.core import Core
from interpreter.play.engine.source import GameSource


def check_invariants(core: Core, source: GameSource, path: str | None = None) -> None:
    """Checks the invariants after a step: the one at `path`, or the current step of the sequencer.

    Raises:
        RuleFault: `invariant`, with what it says in the language of the game, its name and the step.
    """
    for name, holds in core.invariants:
        if not holds():
            step = core.sequencer.path if path is None else path
            raise RuleFault(_broken(core, source, name, holds, step))


def _broken(core: Core, source: GameSource, name: str, holds: Callable[[], bool], step: str) -> Diagnostic:
    from interpreter.play.wording import fault_messages  # noqa: PLC0415 - only for faults

    message = source.wording.say(fault_messages.INVARIANT, name=name, step=step)
    if says := source.invariant_text(name):
        message = source.wording.say(fault_messages.INVARIANT_SAYS, broken=message, says=says)
    hint = source.wording.say(fault_messages.INVARIANT_HINT)
    return Diagnostic("invariant", message, core.place_of(holds), hint)
