"""Checks the invariants of a ruleset on a game."""

from __future__ import annotations

from interpreter.language.diagnostics import Diagnostic, RuleFault
from interpreter.play.engine.core import Core


def check_invariants(core: Core, path: str | None = None) -> None:
    """Checks the invariants after a step: the one at `path`, or the current step of the sequencer.

    Raises:
        RuleFault: `invariant`, with its name and the step.
    """
    for name, holds in core.invariants:
        if not holds():
            step = core.sequencer.path if path is None else path
            message = f"the invariant '{name}' does not hold after step '{step}'"
            place = core.place_of(holds)
            hint = "change a rule of this step so that it holds, or the invariant if it is too strict"
            raise RuleFault(Diagnostic("invariant", message, place, hint))
