"""Playing a recorded game again, with a check of the state after every step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.language.diagnostics import BicorneError, RuleFault
from interpreter.play.records.recording import RecordedGame, Recording


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first point where a replay is another game than the one recorded: the number and path of its step (from 1).

    `expected` and `found` are digests of the state after the step, or what was recorded and what came instead.
    """

    step: int
    path: str
    expected: str
    found: str
    why: str

    def __str__(self) -> str:
        return f"step {self.step} ({self.path}): {self.why}; expected {self.expected}, found {self.found}"


class Diverged(BicorneError):  # noqa: N818 - what happened to the replay
    """A replay came to another state than the record; `mismatch` says where first."""

    def __init__(self, mismatch: Mismatch) -> None:
        self.mismatch = mismatch
        super().__init__(f"the game comes out differently in {mismatch}")


class ReplayedGame(RecordedGame):
    """A game made of recorded inputs, its answers tested, that stops at the first step that comes out differently.

    Raises:
        Diverged: at that step.
    """

    def __init__(self, source: Any, recording: Recording, **rest: Any) -> None:
        self.expected = recording.steps
        try:
            super().__init__(source, recording.header.seed, inputs=recording.inputs, verified=True, **rest)
        except RuleFault as fault:
            if fault.diagnostic.code != "divergence":
                raise
            raise Diverged(self._other_input(fault)) from fault

    def _other_input(self, fault: RuleFault) -> Mismatch:
        number, path = len(self.finished), self.step_path
        wanted = self.expected[number].path if number < len(self.expected) else "the recorded input"
        if wanted != path:
            return Mismatch(number + 1, path, wanted, path, "another step came")
        return Mismatch(number + 1, path, "the recorded input", "something else", fault.diagnostic.message)

    def _step_done(self) -> None:
        super()._step_done()
        number = len(self.finished)
        if number > len(self.expected):
            return
        wanted, found = self.expected[number - 1], self.finished[-1]
        if wanted.path != found.path:
            raise Diverged(Mismatch(number, found.path, wanted.path, found.path, "another step came"))
        if wanted.inputs != found.inputs:
            inputs = f"{wanted.inputs} inputs", f"{found.inputs} inputs"
            raise Diverged(Mismatch(number, found.path, *inputs, "it took another number of rolls and decisions"))
        if wanted.state != found.state:
            raise Diverged(Mismatch(number, found.path, wanted.state, found.state, "the state is another one"))


def replay(recording: Recording, source: Any, **rest: Any) -> ReplayedGame:
    """The game that a recording makes of a scenario, perhaps under other rules than it was played with.

    Raises:
        Diverged: if it comes out differently there; a rule that asks or rolls something else counts as such.
        RuleFault: if a rule goes wrong that did not when it was recorded.
    """
    game = ReplayedGame(source, recording, **rest)
    steps, found = len(recording.steps), len(game.finished)
    if steps != found or game.inputs.position < len(recording.inputs):
        counts = f"{steps} steps, {len(recording.inputs)} inputs", f"{found} steps, {game.inputs.position} inputs"
        raise Diverged(Mismatch(found, game.step_path or "the end", *counts, "it ends elsewhere"))
    if recording.state != game.hash():
        raise Diverged(Mismatch(found + 1, game.step_path, recording.state, game.hash(), "the state is another one"))
    return game
