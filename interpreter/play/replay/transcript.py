"""Transcripts of recorded games: inputs by address and name, steps by path and by the values that they changed.

A game under any rules that ask and roll the same can follow a transcript; see `follower`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from interpreter.language.diagnostics import UsageError
from interpreter.play.inputs.inputs import ANSWER, DIE, PICK, REVEAL, SINGLE, Input
from interpreter.play.inputs.value_codec import Stable
from interpreter.play.records.recording import Recording
from interpreter.play.replay.state_diff import Values, Vocabulary

_MIN_LENGTHS = {DIE: 2, PICK: 2, REVEAL: 2, ANSWER: 4, SINGLE: 4}


class TranscriptInput(NamedTuple):
    """An input: its tag (see `inputs`), the address of its decision or roll, its values, and the seat that answered.

    `possible` are all possible values: the faces of a die by name, or the options of a decision; none if unknown.
    """

    tag: str
    address: str
    values: tuple[Any, ...]
    seat: str = ""
    possible: tuple[Any, ...] | None = None


class TranscriptStep(NamedTuple):
    """A finished step: its path, the number of inputs at its end, and the digest of the state.

    `scope` are its bindings and `changes` the values that it changed; none if its rules are not known.
    """

    path: str
    inputs: int
    state: str
    scope: Stable = None
    changes: Values | None = None


@dataclass(slots=True)
class Transcript:
    """The inputs and finished steps of a game; `result` holds the winners and the reason if the game is over.

    A game under the recorded rules adds the values at its start, the vocabulary of its rules, and the step that was
    unfinished at the end of the record with the values that it had changed.
    """

    inputs: list[TranscriptInput]
    steps: list[TranscriptStep]
    result: tuple[tuple[str, ...], str] | None
    start: Values | None = None
    vocabulary: Vocabulary | None = None
    last_step: str | None = None
    last_changes: Values = field(default_factory=dict)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.result is not None


def transcript_of(recording: Recording, sites: Mapping[int, str]) -> Transcript:
    """Returns the transcript of a recording; `sites` are the addresses of its inputs by number.

    Raises:
        UsageError: if an input is malformed, or its site has no address.
    """
    result = recording.result
    ended = None if result is None else (tuple(result["winners"]), result["reason"])
    inputs = [_input(number, each, sites) for number, each in enumerate(recording.inputs, 1)]
    return Transcript(inputs, [TranscriptStep(*each) for each in recording.steps], ended)


def _input(number: int, item: Input, sites: Mapping[int, str]) -> TranscriptInput:
    tag = item[0]
    if tag not in _MIN_LENGTHS or len(item) < _MIN_LENGTHS[tag] or not isinstance(item[1], int):
        raise UsageError(f"input {number} is malformed: expected [tag, site, value, …], found {item!r}")
    if item[1] not in sites:
        raise UsageError(f"input {number} belongs to site {item[1]}, where the recorded rules neither ask nor roll")
    if tag in (ANSWER, SINGLE):
        return TranscriptInput(tag, sites[item[1]], (item[2],), str(item[3]))
    return TranscriptInput(tag, sites[item[1]], tuple(item[2:]))
