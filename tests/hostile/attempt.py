"""Loads one ruleset and plays it a little, under hard limits; prints what came of it as one JSON line.

Run as `python attempt.py FOLDER`. Nothing is caught but the errors that the interpreter means for people, so that
anything else shows as a traceback.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import time
from pathlib import Path
from typing import Any

MEMORY_LIMIT = 1_500_000_000
CPU_LIMIT = 20
DECISIONS = 40


def play(folder: Path) -> str:
    """Loads and plays, evenly at random; the outcome in a word."""
    from interpreter.play.game import Game
    from interpreter.rules.loading.load import load_ruleset

    game = Game(load_ruleset(str(folder)), seed=1)
    source = random.Random(1)
    for _ in range(DECISIONS):
        if game.decision is None:
            break
        game.choose_index(source.randrange(len(game.decision.options)))
    game.hash()
    return "played"


def attempt(folder: Path) -> dict[str, Any]:
    """What came of it: the outcome, the diagnostics with their lines, seconds of the processor, and peak memory."""
    from interpreter.language.diagnostics import RuleFault, RulesetError, UsageError

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
    """The most memory that this program has held.

    Where Linux tells it, that is taken: what `getrusage` gives has the peak of the process that started this one in it.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        [line] = [each for each in status.read_text().splitlines() if each.startswith("VmHWM:")]
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT, CPU_LIMIT))
    sys.stdout.write(json.dumps(attempt(Path(sys.argv[1]))) + "\n")
