"""The contents of a saved game, with the digests that chain its parts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from interpreter.language.strict_json import canonical_json
from interpreter.play.inputs.inputs import Input
from interpreter.play.records.recording import FinishedStep, Header, Recording, chain_digest


@dataclass(slots=True)
class SaveContents:
    """The inputs and steps of a game, each with a digest over itself and all earlier ones."""

    header: Header
    inputs: list[Input] = field(default_factory=list)
    input_chains: list[str] = field(default_factory=list)
    steps: list[FinishedStep] = field(default_factory=list)
    step_chains: list[str] = field(default_factory=list)
    snapshots: dict[int, Any] = field(default_factory=dict)
    drawn: int = 0
    state: str = ""
    result: Any = None

    @property
    def recording(self) -> Recording:
        """The contents as a recording."""
        inputs, steps = tuple(self.inputs), tuple(self.steps)
        return Recording(self.header, inputs, steps, self.drawn, self.state, self.result, dict(self.snapshots))

    @property
    def root(self) -> str:
        """The digest of the header, at the start of all chains."""
        return chain_digest("", canonical_json(self.header.data()))

    def input_chain(self, number: int) -> str:
        """Returns the digest of the inputs up to this number."""
        return self.input_chains[number - 1] if number else self.root

    def step_chain(self, number: int) -> str:
        """Returns the digest of the steps up to this number."""
        return self.step_chains[number - 1] if number else self.root

    def add_input(self, item: Input) -> tuple[str, str]:
        """Adds an input; returns its text and digest."""
        text = canonical_json(item)
        chain = chain_digest(self.input_chain(len(self.inputs)), text)
        self.inputs.append(item)
        self.input_chains.append(chain)
        return text, chain

    def add_step(self, step: FinishedStep) -> str:
        """Adds a step after its inputs; returns its digest."""
        text = canonical_json([self.input_chain(step.inputs), *step])
        chain = chain_digest(self.step_chain(len(self.steps)), text)
        self.steps.append(step)
        self.step_chains.append(chain)
        return chain

    def snapshot_chain(self, step: int, text: str) -> str:
        """Returns the digest of a snapshot after this number of steps."""
        return chain_digest(self.step_chain(step), text)

    def step_of(self, number: int, start: int = 0) -> int:
        """Returns the number of the step of an input; the search begins at the step after `start`."""
        step = start
        while step < len(self.steps) and self.steps[step].inputs < number:
            step += 1
        return step + 1

    def truncate(self, inputs: int, steps: int) -> None:
        """Keeps only the first inputs and steps."""
        del self.inputs[inputs:], self.input_chains[inputs:], self.steps[steps:], self.step_chains[steps:]
        self.snapshots = {number: data for number, data in self.snapshots.items() if number <= steps}

    def head(self) -> tuple[str, str]:
        """Returns the text of the counts and the last state, and its digest over all contents."""
        text = canonical_json(
            {
                "inputs": len(self.inputs),
                "steps": len(self.steps),
                "snapshots": sorted(self.snapshots),
                "drawn": self.drawn,
                "state": self.state,
                "result": self.result,
            }
        )
        return text, chain_digest(self.input_chain(len(self.inputs)) + self.step_chain(len(self.steps)), text)
