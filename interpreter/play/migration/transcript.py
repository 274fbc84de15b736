"""The course of a recorded game in meaning: its inputs by address and name, its steps by path and by what they changed.

A course can be followed by a game under any rules that ask and roll the same; see `following`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from interpreter.language.diagnostics import UsageError
from interpreter.play.inputs.inputs import ANSWER, DIE, PICK, SHOWN, SINGLE, Record
from interpreter.play.inputs.value_codec import Stable
from interpreter.play.migration.state_diff import Values, Vocabulary
from interpreter.play.records.recording import Recording

_LENGTHS = {DIE: 2, PICK: 2, SHOWN: 2, ANSWER: 4, SINGLE: 4}


class TranscriptInput(NamedTuple):
    """An input: its tag (see `inputs`), the address of what it is for, its values, and the seat that answered.

    `could` is what could have come: the faces of a die by name, the options of a decision; none where nobody knows.
    """

    tag: str
    address: str
    values: tuple[Any, ...]
    seat: str = ""
    could: tuple[Any, ...] | None = None


class TranscriptStep(NamedTuple):
    """A step that was over: its path, how many inputs were in by then, the digest of the state.

    `scope` is what its bindings were and `changes` what it changed; none where its rules are not known.
    """

    path: str
    inputs: int
    state: str
    scope: Stable = None
    changes: Values | None = None


@dataclass(slots=True)
class Transcript:
    """The inputs and steps of a game. `over` says whether it has ended, `result` how: winners and reason.

    What a game under the recorded rules adds: the values at its start, what its rules know, the step that was under
    way at the end with what it had changed.
    """

    given: list[TranscriptInput]
    passed: list[TranscriptStep]
    result: tuple[tuple[str, ...], str] | None
    start: Values | None = None
    knowledge: Vocabulary | None = None
    last_step: str | None = None
    last_changes: Values = field(default_factory=dict)

    @property
    def over(self) -> bool:
        """Whether the game had ended."""
        return self.result is not None


def course_of(recording: Recording, sites: Mapping[int, str]) -> Transcript:
    """What a recording says of a game; `sites` are the addresses of its inputs by number.

    Raises:
        UsageError: if an input is none, or is for nothing that has an address.
    """
    result = recording.result
    if result is not None and not (
        isinstance(result, dict) and isinstance(result.get("winners"), list | tuple) and "reason" in result
    ):
        raise UsageError("its result is not in the form in which it is written")
    ended = None if result is None else (tuple(map(str, result["winners"])), str(result["reason"]))
    given = [_given(number, each, sites) for number, each in enumerate(recording.inputs, 1)]
    return Transcript(given, [TranscriptStep(*each) for each in recording.steps], ended)


def _given(number: int, record: Record, sites: Mapping[int, str]) -> TranscriptInput:
    tag = record[0]
    if tag not in _LENGTHS or len(record) < _LENGTHS[tag] or not isinstance(record[1], int):
        raise UsageError(f"input {number} is not in the form in which inputs are written")
    if record[1] not in sites:
        raise UsageError(f"input {number} is for something that its rules do not ask or roll")
    if tag in (ANSWER, SINGLE):
        return TranscriptInput(tag, sites[record[1]], (record[2],), str(record[3]))
    return TranscriptInput(tag, sites[record[1]], tuple(record[2:]))
