"""What a saved game holds, and the digests that bind its parts to one another."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from interpreter.play.inputs.inputs import Record
from interpreter.play.records.recording import Finished, Header, Recording, chained, written


@dataclass(slots=True)
class Contents:
    """The inputs and steps of a game, each with a digest over itself and everything before it."""

    header: Header
    inputs: list[Record] = field(default_factory=list)
    input_chains: list[str] = field(default_factory=list)
    steps: list[Finished] = field(default_factory=list)
    step_chains: list[str] = field(default_factory=list)
    snapshots: dict[int, Any] = field(default_factory=dict)
    drawn: int = 0
    state: str = ""
    result: Any = None

    def copy(self) -> Contents:
        """The same contents, to go back to."""
        return Contents(
            self.header,
            list(self.inputs),
            list(self.input_chains),
            list(self.steps),
            list(self.step_chains),
            dict(self.snapshots),
            self.drawn,
            self.state,
            self.result,
        )

    def restore(self, before: Contents) -> None:
        """Go back to a copy."""
        for each in fields(self):
            setattr(self, each.name, getattr(before, each.name))

    @property
    def recording(self) -> Recording:
        """The contents as a recording."""
        inputs, steps = tuple(self.inputs), tuple(self.steps)
        return Recording(self.header, inputs, steps, self.drawn, self.state, self.result, dict(self.snapshots))

    @property
    def root(self) -> str:
        """The digest of the header, where all chains begin."""
        return chained("", written(self.header.data()))

    def input_chain(self, number: int) -> str:
        """The digest of the first inputs up to this number."""
        return self.input_chains[number - 1] if number else self.root

    def step_chain(self, number: int) -> str:
        """The digest of the first steps up to this number."""
        return self.step_chains[number - 1] if number else self.root

    def add_input(self, record: Record) -> tuple[str, str]:
        """Add an input; its text and digest."""
        text = written(record)
        chain = chained(self.input_chain(len(self.inputs)), text)
        self.inputs.append(record)
        self.input_chains.append(chain)
        return text, chain

    def add_step(self, step: Finished) -> str:
        """Add a step, whose inputs are there already; its digest."""
        text = written([self.input_chain(step.inputs), *step])
        chain = chained(self.step_chain(len(self.steps)), text)
        self.steps.append(step)
        self.step_chains.append(chain)
        return chain

    def snapshot_chain(self, step: int, text: str) -> str:
        """The digest of a snapshot after this many steps."""
        return chained(self.step_chain(step), text)

    def step_of(self, number: int, start: int = 0) -> int:
        """The number of the step that an input belongs to, looked for from the step after `start`."""
        step = start
        while step < len(self.steps) and self.steps[step].inputs < number:
            step += 1
        return step + 1

    def cut(self, inputs: int, steps: int) -> None:
        """Keep only so many inputs and steps."""
        del self.inputs[inputs:], self.input_chains[inputs:], self.steps[steps:], self.step_chains[steps:]
        self.snapshots = {number: data for number, data in self.snapshots.items() if number <= steps}

    def head(self) -> tuple[str, str]:
        """How much there is and where the game stands, as text, and the digest of that and of everything."""
        text = written(
            {
                "inputs": len(self.inputs),
                "steps": len(self.steps),
                "snapshots": sorted(self.snapshots),
                "drawn": self.drawn,
                "state": self.state,
                "result": self.result,
            }
        )
        return text, chained(self.input_chain(len(self.inputs)) + self.step_chain(len(self.steps)), text)
