"""The invariants of a ruleset, tested on a game."""

from __future__ import annotations

from interpreter.language.diagnostics import Diagnostic, RuleFault
from interpreter.play.engine.core import Core


def check_invariants(core: Core, path: str | None = None) -> None:
    """Tests what must hold whenever a step has ended: that of this path, or the one the sequencer stands on.

    Raises:
        RuleFault: `invariant`, with its name and the step.
    """
    for name, holds in core.invariants:
        if not holds():
            step = core.sequencer.path if path is None else path
            message = f"the invariant '{name}' does not hold after step '{step}'"
            place = core.place_of(holds)
            hint = "change a rule of this step so that it holds, or the invariant if it demands too much"
            raise RuleFault(Diagnostic("invariant", message, place, hint))
