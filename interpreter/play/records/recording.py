"""Recorded games: the header, the inputs, and the digest of the state after every step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeGuard

from interpreter.language.diagnostics import Diagnostic, Place, RuleFault, RulesetError, UsageError, brief
from interpreter.language.model.image import Image, digest
from interpreter.language.visible_text import control_character, visible_line
from interpreter.play.engine.engine import Observer
from interpreter.play.engine.source import GameSource, source_of
from interpreter.play.engine.step_state import capture_state, restore_state
from interpreter.play.game import Game
from interpreter.play.inputs.dice import ALGORITHM, MAX_DRAWN_WORDS, Dice
from interpreter.play.inputs.inputs import ANSWER, DIE, PICK, REVEAL, SINGLE, Input, count_drawn
from interpreter.play.records.rules_fingerprint import RulesFingerprint, fingerprint_of
from interpreter.play.records.seating import Seating
from interpreter.play.wording import divergence_messages as said
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.documents.package_data import engine_version

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Header:
    """The rules, scenario, options and seed of a recorded game; with the inputs they determine the game."""

    ruleset: str
    version: str
    ruleset_hash: str
    scenario: str
    options: Mapping[str, Any]
    seed: int | str
    algorithm: str = ALGORITHM
    engine: str = field(default_factory=engine_version)
    rules: RulesFingerprint | None = None
    """The fingerprint of the rules; none in files of format 1."""
    seating: Seating | None = None
    """Who plays which seat; none where nobody said."""

    def data(self) -> Data:
        """Returns the header as JSON data."""
        found = {name: getattr(self, name) for name in _FIELDS}
        parts = {"rules": self.rules, "seating": self.seating}
        return found | {name: part.data() for name, part in parts.items() if part is not None}

    @classmethod
    def from_data(cls, data: object) -> Header:
        """Returns the header from JSON data.

        Raises:
            UsageError: if the data is not a header.
        """
        if not isinstance(data, dict) or set(data) - set(_PARTS) != set(_FIELDS):
            known = ", ".join(sorted(_FIELDS))
            raise UsageError(f"its header must have exactly {known}, and may have {' and '.join(_PARTS)}")
        wrong = [name for name in sorted(_FIELDS) if name not in _NOT_TEXT and not isinstance(data[name], str)]
        if wrong or not isinstance(data["options"], dict) or data["seed"].__class__ not in (int, str):
            raise UsageError(f"its header has a value of the wrong type: {', '.join(wrong) or 'options or seed'}")
        _check_lines(data)
        return cls(**data | {name: read(data[name]) for name, read in _PARTS.items() if name in data})

    @property
    def overlays(self) -> tuple[OverlayFile, ...]:
        """The overlays of the game, lowest first."""
        return () if self.rules is None else tuple(each.file for each in self.rules.overlays)

    def differences(self, other: Header) -> list[str]:
        """Returns the texts of the differences from another header, with the known differences of the rules.

        Rules that differ only in descriptions (names, translations, clauses, examples) are the same rules. Another
        algorithm of dice is no difference: the dice are recorded.
        """
        found = [
            f"{name.replace('_', ' ')} (recorded: {_brief(name, self)}, here: {_brief(name, other)})"
            for name in _FIELDS
            if name != "algorithm"
            and getattr(self, name) != getattr(other, name)
            and (name != "ruleset_hash" or not self._plays_as(other))
        ]
        if self.rules is None or other.rules is None or self.rules is other.rules:
            return found
        if self.ruleset_hash != other.ruleset_hash:
            found += self.rules.differences(other.rules)
        if self.rules.scenario != other.rules.scenario and self.scenario == other.scenario:
            found.append(f"the set-up of the scenario '{self.scenario}'")
        return found

    def _plays_as(self, other: Header) -> bool:
        """Whether everything that play reads of the rules is the same, on the same engine."""
        comparable = self.rules is not None and other.rules is not None and self.engine == other.engine
        return comparable and self.rules.plays_like(other.rules)  # type: ignore[union-attr, arg-type]


_PARTS: Final = {"rules": RulesFingerprint.from_data, "seating": Seating.from_data}
"""The parts of a header that may be missing, with their readers."""
_FIELDS: Final = tuple(each.name for each in fields(Header) if each.name not in _PARTS)
_NOT_TEXT: Final = frozenset({"options", "seed"})


def _check_lines(data: Data) -> None:
    """Refuses control characters and line breaks in the texts of a header, but for the documents of overlays."""
    waiting: list[Any] = [data]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str) and (found := control_character(each)) is not None:
            raise UsageError(f"its header has the control character {found} in '{brief(visible_line(each))}'")
        if isinstance(each, dict):
            waiting += [*each, *[value for key, value in each.items() if key != "text"]]
        elif isinstance(each, list):
            waiting += each


def _brief(name: str, header: Header) -> str:
    """Returns a header value for a message; a hash or a long text is shortened."""
    value = getattr(header, name)
    return value[:12] if name == "ruleset_hash" else brief(value)


class FinishedStep(NamedTuple):
    """A finished step: its path, the number of inputs at its end, and the digest of the state."""

    path: str
    inputs: int
    state: str


@dataclass(frozen=True, slots=True)
class Recording:
    """A game from a file. `drawn` is the number of words drawn from its dice, `state` the digest of its last state."""

    header: Header
    inputs: tuple[Input, ...]
    steps: tuple[FinishedStep, ...]
    drawn: int
    state: str
    result: Data | None = None
    snapshots: Mapping[int, Data] = field(default_factory=dict)

    @property
    def is_unplayed(self) -> bool:
        """Whether the file was created before the game began; earlier engines did that."""
        return not (self.inputs or self.steps or self.drawn or self.state)


class StepRecorder(Observer):
    """Records each finished step of a game, and before every `snapshot_every`th step the whole state (0: never).

    `earlier` are steps before the start of this game, which can't be undone. With `hashed` each step has the digest of
    its state, else an empty one.
    """

    def __init__(
        self, snapshot_every: int, earlier: Sequence[FinishedStep], inputs_earlier: int, *, hashed: bool
    ) -> None:
        self.finished: list[FinishedStep] = list(earlier)
        self.snapshots: dict[int, Data] = {}
        self._snapshot_every, self._hashed = snapshot_every, hashed
        self._steps_earlier, self._inputs_earlier = len(self.finished), inputs_earlier

    def on_step_begin(self) -> None:
        """Takes a snapshot if it is due."""
        steps = len(self.finished)
        if not self.game.speculative and self._snapshot_every and steps and steps % self._snapshot_every == 0:
            self.snapshots[steps] = capture_state(self.game.core)

    def on_step_end(self) -> None:
        """Records the step."""
        game = self.game
        if not game.speculative:
            inputs = self._inputs_earlier + game.inputs.position
            state = game.core.hash() if self._hashed else ""
            self.finished.append(FinishedStep(game.core.sequencer.path, inputs, state))

    def on_go_back(self, step: int) -> None:
        """Drops the records of later steps."""
        del self.finished[self._steps_earlier + step :]
        for number in [each for each in self.snapshots if each > self._steps_earlier + step]:
            del self.snapshots[number]


class RecordedGame(Game):
    """A game that records its finished steps, and before every `snapshot_every`th step the whole state (0: never).

    `after` starts at the snapshot of a recording after this number of steps; earlier steps can't be undone. With
    `hashed` the steps have the digests of their states. `algorithm` is that of the first dice of the game.
    """

    def __init__(
        self,
        source: Any,
        seed: int | str = 0,
        *,
        snapshot_every: int = 0,
        after: tuple[Recording, int] | None = None,
        hashed: bool = True,
        algorithm: str = ALGORITHM,
        observers: tuple[Observer, ...] = (),
        **more: Any,
    ) -> None:
        self._algorithm = algorithm
        self.seating: Seating | None = None
        """Who plays which seat, for the header."""
        self._earlier: tuple[Input, ...] = ()
        steps: Sequence[FinishedStep] = ()
        if after is not None:
            recording, number = after
            steps, snapshot = recording.steps[:number], recording.snapshots[number]
            self._earlier = recording.inputs[: steps[-1].inputs]
            more |= {
                "inputs": recording.inputs[steps[-1].inputs :],
                "start": lambda core: restore_state(core, snapshot),
            }
        self._recorder = StepRecorder(snapshot_every, steps, len(self._earlier), hashed=hashed)
        super().__init__(source, seed, observers=(self._recorder, *observers), **more)

    @property
    def finished(self) -> list[FinishedStep]:
        """The finished steps, in order."""
        return self._recorder.finished

    @property
    def snapshots(self) -> dict[int, Data]:
        """The snapshots by the number of finished steps."""
        return self._recorder.snapshots

    @property
    def history(self) -> tuple[Input, ...]:
        """All inputs so far, including those before the snapshot at the start."""
        return (*self._earlier, *self.inputs.items)

    @property
    def header(self) -> Header:
        """The header of this game."""
        return replace(header_of(self.source, self.seed, self._algorithm), seating=self.seating)

    @property
    def drawn(self) -> int:
        """The number of words drawn from the seeded dice."""
        dice = self.chance.dice
        return dice.drawn if isinstance(dice, Dice) else 0

    @property
    def recording(self) -> Recording:
        """The recording of the game up to now."""
        result = None if self.result is None else asdict(self.result)
        return Recording(
            self.header, self.history, tuple(self.finished), self.drawn, self.hash(), result, dict(self.snapshots)
        )


def as_recorded(game: Game) -> RecordedGame:
    """Returns the game itself if it is a recorded game, else a recorded replay of it."""
    if isinstance(game, RecordedGame):
        return game
    dice = game.chance.dice
    replay = RecordedGame(game.source, game.seed, inputs=game.inputs.items, dice=dice, checked=game.checked)
    if replay.hash() != game.hash():
        raise UsageError("this game did not start at the beginning of its sequence, so it cannot be saved")
    return replay


def header_of(source: Any, seed: int | str, algorithm: str = ALGORITHM) -> Header:
    """Returns the header of a game of this source."""
    game_source: GameSource = source_of(source)
    image, ruleset, scenario = game_source.image, game_source.ruleset, game_source.scenario
    own = digest(image) if ruleset is None else str(ruleset.hash)
    name = "" if scenario is None else str(scenario.name)
    options = option_values(image)
    rules = fingerprint_of(image, ruleset, scenario)
    return Header(image.name, image.version, own, name, options, seed, algorithm, rules=rules)


def option_values(image: Image) -> Data:
    """Returns the values of all options of an image, in the form of headers."""
    return {name: _option_value(value) for name, value in image.options}


def _option_value(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


class OtherRulesError(UsageError):
    """Raised for a recorded game of other rules; `differences` are the texts of the differences."""

    def __init__(self, differences: Sequence[str], message: str = "") -> None:
        self.differences = tuple(differences)
        super().__init__(message or f"this is a game of other rules: it differs in {'; '.join(differences)}")


@contextmanager
def named_in_errors(path: str | Path) -> Iterator[None]:
    """Names the file of a record in the errors about what it holds. A divergence is a mistake there, not in the rule.

    Raises:
        BicorneError: any error of what is done with the record, of the same class.
    """
    try:
        yield
    except OtherRulesError as error:
        raise OtherRulesError(error.differences, f"{path}: {error}") from error
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
    except RulesetError as error:
        raise RulesetError([_in_overlay(each, path) for each in error.diagnostics]) from error
    except RuleFault as fault:
        raise RuleFault(_of_record(fault.diagnostic, path)) from fault


def _in_overlay(found: Diagnostic, path: str | Path) -> Diagnostic:
    """Returns a mistake in rules; one in an overlay that is recorded with the game with the name of the file."""
    is_recorded = found.place.file.startswith("<")
    return replace(found, message=f"{found.message} (the overlay is in {path})") if is_recorded else found


def _of_record(found: Diagnostic, path: str | Path) -> Diagnostic:
    if found.code != "divergence":
        return replace(found, message=f"{found.message}, while {path} is replayed")
    hint = f"{found.hint}; give the folder of its ruleset with --path, or use a copy of the file"
    return Diagnostic(found.code, f"{found.message} ({found.place})", Place(str(path)), hint)


def resume(recording: Recording, source: Any, *, force: bool = False, quick: bool = False, **more: Any) -> RecordedGame:
    """Replays a recorded game, which is then ready to continue.

    `quick` starts at the last snapshot, so that nothing before it can be undone or logged. With `force` other rules
    are allowed, and steps may differ from the record (see `first_difference`).

    Raises:
        OtherRulesError: if it is a game of other rules.
        UsageError: if it does not reach the recorded states.
    """
    old = recording.header
    differences = old.differences(header_of(source, old.seed))
    if differences and not force:
        raise OtherRulesError(differences)
    dice = Dice(old.seed, count_drawn(recording.inputs))
    more["algorithm"] = old.algorithm
    if quick and recording.snapshots:
        more["after"] = (recording, max(recording.snapshots))
    else:
        more["inputs"] = recording.inputs
    game = RecordedGame(source, old.seed, dice=dice, **more)
    game.seating = old.seating
    if not force and (difference := first_difference(recording, game)) is not None:
        raise UsageError(difference)
    return game


def first_difference(recording: Recording, game: RecordedGame) -> str | None:
    """Returns the text of the first difference between a replayed game and its recording, or none."""
    say = game.source.wording.say
    for number, (before, now) in enumerate(zip(recording.steps, game.finished, strict=False), 1):
        if before != now:
            message = said.OTHER_STEP if before.path != now.path else said.OTHER_STATE
            return say(message, number=number, path=brief(before.path), now=now.path)
    if len(recording.steps) != len(game.finished):
        return say(said.OTHER_LENGTH, now=len(game.finished), then=len(recording.steps))
    if recording.state != game.hash() and not recording.is_unplayed:
        return say(said.OTHER_REST, number=len(recording.steps))
    return None


def check_continued(path: Path, old: Recording, now: Recording) -> None:
    """Checks that a recording continues the one in a file, which it may then replace.

    Raises:
        UsageError: if it is another game, or another course of it.
    """
    if differences := old.header.differences(now.header):
        raise UsageError(f"{path} is the file of another game; it differs in {'; '.join(differences)}")
    if now.inputs[: len(old.inputs)] != old.inputs:
        raise UsageError(f"{path} has another course of this game, which would be lost")


# ---------------------------------------------------------------- chains
def chain_digest(before: str, text: str) -> str:
    """Returns the digest of a text and of everything before it, whose digest is `before`."""
    return blake2b(f"{before}\n{text}".encode(), digest_size=16).hexdigest()


def decode_end(drawn: object, state: object, result: object) -> tuple[int, str, Data | None]:
    """Returns the number of drawn words, the digest of the last state and the result of a game from JSON data.

    Raises:
        UsageError: if the data is not the end of a recording.
    """
    if not is_count(drawn) or drawn > MAX_DRAWN_WORDS:
        raise UsageError(f"the number of words drawn from its dice is not one from 0 to {MAX_DRAWN_WORDS:,}")
    if not isinstance(state, str):
        raise UsageError("the digest of its last state is not text")
    if result is None:
        return drawn, state, None
    if not isinstance(result, dict) or not {"winners", "reason"} <= result.keys() <= _RESULT.keys():
        raise UsageError(f"its result must have winners and reason, and may have {', '.join(list(_RESULT)[2:])}")
    wrong = [name for name, fits in _RESULT.items() if name in result and not fits(result[name])]
    if wrong:
        raise UsageError(f"its result has a value of the wrong type: {', '.join(wrong)}")
    return drawn, state, result


def is_count(value: object) -> TypeGuard[int]:
    """Whether a value of JSON is a whole number from 0 on."""
    return value.__class__ is int and value >= 0


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


_RESULT: Final[Mapping[str, Callable[[object], bool]]] = {
    "winners": _are_texts,
    "reason": lambda value: isinstance(value, str),
    "steps": is_count,
    "cites": _are_texts,
    "lines": lambda value: isinstance(value, list) and all(map(is_count, value)),
}


def decode_input(data: object) -> Input:
    """Returns an input from JSON data, with tuples for lists.

    Raises:
        UsageError: if the data is not an input.
    """
    if not _is_input(data):
        raise UsageError(f"it is not an input: {brief(data)}")
    assert isinstance(data, list)
    return tuple(_tuples(data))


def _is_input(data: object) -> bool:
    if not isinstance(data, list) or len(data) < 2 or data[1].__class__ is not int:
        return False
    if data[0] in (ANSWER, SINGLE):
        return len(data) == 4 and isinstance(data[3], str)
    return data[0] in (DIE, PICK) or (data[0] == REVEAL and len(data) == 2)


def _tuples(items: Iterable[Any]) -> list[Any]:
    return [tuple(_tuples(each)) if isinstance(each, list) else each for each in items]
