"""Loads one ruleset and plays a few decisions.

Only errors that the interpreter reports to users are caught, so that any other is a traceback.
"""

from __future__ import annotations

import random
import resource
import time
from pathlib import Path
from typing import Any

from interpreter.language.diagnostics import RuleFault, RulesetError, UsageError
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_ruleset

MAX_DECISIONS = 40


def play(folder: Path) -> str:
    """Loads and plays a ruleset uniformly at random; returns the outcome `played`."""
    game = Game(load_ruleset(str(folder)), seed=1)
    source = random.Random(1)
    for _ in range(MAX_DECISIONS):
        if game.decision is None:
            break
        game.choose_index(source.randrange(len(game.decision.options)))
    game.hash()
    game.standing()
    return "played"


def attempt(folder: Path) -> dict[str, Any]:
    """Returns the outcome, the diagnostics with their lines, the CPU seconds, and the peak memory."""
    began = time.process_time()
    messages: list[tuple[str, int]] = []
    try:
        outcome = play(folder)
    except RulesetError as error:
        outcome = "refused"
        messages = [(str(each), each.place.line) for each in error.diagnostics]
    except RuleFault as error:
        outcome = "fault"
        messages = [(str(error.diagnostic), error.diagnostic.place.line)]
    except UsageError as error:
        outcome = "refused"
        messages = [(str(error), 1)]
    seconds = time.process_time() - began
    return {"outcome": outcome, "messages": messages, "seconds": seconds, "megabytes": peak_megabytes()}


def peak_megabytes() -> float:
    """Returns the peak memory of this process.

    On Linux it is read from `/proc`, because `getrusage` includes the peak of the parent process.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        [line] = [each for each in status.read_text().splitlines() if each.startswith("VmHWM:")]
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
