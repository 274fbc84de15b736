"""A game as it is kept: what it is played from, its inputs, and the state's digest after every step."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from interpreter.language.diagnostics import UsageError
from interpreter.language.model.image import Image, digest
from interpreter.play.engine.engine import Observer
from interpreter.play.engine.source import GameSource, source_of
from interpreter.play.engine.step_state import stand, standing
from interpreter.play.game import Game
from interpreter.play.inputs.dice import ALGORITHM, Dice
from interpreter.play.inputs.inputs import Record
from interpreter.play.records.rules_fingerprint import KeptRules, kept_rules
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.documents.package_data import engine_version

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Header:
    """What a recorded game is a game of: with the inputs, this is the whole of it."""

    ruleset: str
    version: str
    ruleset_hash: str
    scenario: str
    options: Mapping[str, Any]
    seed: int | str
    algorithm: str = ALGORITHM
    engine: str = field(default_factory=engine_version)
    rules: KeptRules | None = None
    """What is kept of its rules; none in files of format 1."""

    def data(self) -> Data:
        """As JSON data."""
        found = {name: getattr(self, name) for name in _HEAD}
        return found if self.rules is None else {**found, "rules": self.rules.data()}

    @classmethod
    def read(cls, data: object) -> Header:
        """Out of JSON data.

        Raises:
            UsageError: if it is not a header.
        """
        if not isinstance(data, dict) or set(data) - {"rules"} != set(_HEAD):
            raise UsageError(f"its head should hold exactly {', '.join(sorted(_HEAD))}, and may hold rules")
        wrong = [name for name in sorted(_HEAD) if name not in _NO_TEXT and not isinstance(data[name], str)]
        if wrong or not isinstance(data["options"], dict) or not isinstance(data["seed"], int | str):
            raise UsageError(f"its head holds a value of a wrong kind: {', '.join(wrong) or 'options or seed'}")
        return cls(**data | ({"rules": KeptRules.read(data["rules"])} if "rules" in data else {}))

    @property
    def overlays(self) -> tuple[OverlayFile, ...]:
        """The overlays that the game is played under, lowest first."""
        return () if self.rules is None else tuple(each.file for each in self.rules.overlays)

    def differences(self, other: Header) -> list[str]:
        """What differs from another header, in words; of other rules also what of them, as far as it is known.

        Rules of which only what is said of them is other (names, translations, clauses, examples) are the same rules.
        """
        found = [
            f"{name.replace('_', ' ')} (recorded: {_brief(name, self)}, here: {_brief(name, other)})"
            for name in _HEAD
            if getattr(self, name) != getattr(other, name) and (name != "ruleset_hash" or not self._plays_as(other))
        ]
        if self.rules is None or other.rules is None or self.rules is other.rules:
            return found
        if self.ruleset_hash != other.ruleset_hash:
            found += self.rules.differences(other.rules)
        if self.rules.scenario != other.rules.scenario and self.scenario == other.scenario:
            found.append(f"the set-up of the scenario '{self.scenario}'")
        return found

    def _plays_as(self, other: Header) -> bool:
        """Whether nothing that play reads of the rules is other, on the same engine."""
        known = self.rules is not None and other.rules is not None and self.engine == other.engine
        return known and self.rules.play_as(other.rules)  # type: ignore[union-attr, arg-type]


_HEAD: Final = tuple(each.name for each in fields(Header) if each.name != "rules")
_NO_TEXT: Final = frozenset({"options", "seed"})


def _brief(name: str, header: Header) -> Any:
    """A value of a header as it is told: of a hash the beginning."""
    value = getattr(header, name)
    return value[:12] if name == "ruleset_hash" else value


class Finished(NamedTuple):
    """A step that has ended: its path, how many inputs were in by then, and the digest of the state."""

    path: str
    inputs: int
    state: str


@dataclass(frozen=True, slots=True)
class Recording:
    """A game out of a file. `drawn` is how far its dice had been used, `state` the digest where it stood."""

    header: Header
    inputs: tuple[Record, ...]
    steps: tuple[Finished, ...]
    drawn: int
    state: str
    result: Data | None = None
    snapshots: Mapping[int, Data] = field(default_factory=dict)


class StepRecorder(Observer):
    """Notes each finished step of a game, and before every `snapshot_every`th step the whole state (0: never).

    `earlier` are steps that ended before the game began, and can't be taken back. `hashed`: each step is noted with
    the digest of its state, else with an empty one.
    """

    def __init__(self, snapshot_every: int, earlier: Sequence[Finished], inputs_earlier: int, *, hashed: bool) -> None:
        self.finished: list[Finished] = list(earlier)
        self.snapshots: dict[int, Data] = {}
        self._snapshot_every, self._hashed = snapshot_every, hashed
        self._steps_earlier, self._inputs_earlier = len(self.finished), inputs_earlier

    def on_step_begin(self) -> None:
        """Takes a snapshot where one is due."""
        steps = len(self.finished)
        if not self.game.speculative and self._snapshot_every and steps and steps % self._snapshot_every == 0:
            self.snapshots[steps] = standing(self.game.core)

    def on_step_end(self) -> None:
        """Notes the step."""
        game = self.game
        if not game.speculative:
            inputs = self._inputs_earlier + game.inputs.position
            state = game.core.hash() if self._hashed else ""
            self.finished.append(Finished(game.core.sequencer.path, inputs, state))

    def on_go_back(self, step: int) -> None:
        """Forgets what was noted since."""
        del self.finished[self._steps_earlier + step :]
        for number in [each for each in self.snapshots if each > self._steps_earlier + step]:
            del self.snapshots[number]


class RecordedGame(Game):
    """A game whose finished steps are noted, and before every `snapshot_every`th step the whole state (0: never).

    `after` begins at the snapshot of a recording after that many steps; what came before is history that cannot be
    taken back. `hashed`: steps are noted with the digests of their states.
    """

    def __init__(
        self,
        source: Any,
        seed: int | str = 0,
        *,
        snapshot_every: int = 0,
        after: tuple[Recording, int] | None = None,
        hashed: bool = True,
        observers: tuple[Observer, ...] = (),
        **more: Any,
    ) -> None:
        self._earlier: tuple[Record, ...] = ()
        steps: Sequence[Finished] = ()
        if after is not None:
            recording, number = after
            steps, snapshot = recording.steps[:number], recording.snapshots[number]
            self._earlier = recording.inputs[: steps[-1].inputs]
            more |= {"inputs": recording.inputs[steps[-1].inputs :], "start": lambda core: stand(core, snapshot)}
        self._recorder = StepRecorder(snapshot_every, steps, len(self._earlier), hashed=hashed)
        super().__init__(source, seed, observers=(self._recorder, *observers), **more)

    @property
    def finished(self) -> list[Finished]:
        """The steps that have ended, in order."""
        return self._recorder.finished

    @property
    def snapshots(self) -> dict[int, Data]:
        """Whole states, by how many steps had ended."""
        return self._recorder.snapshots

    @property
    def history(self) -> tuple[Record, ...]:
        """All inputs so far, with those before the snapshot that the game began from."""
        return (*self._earlier, *self.inputs.records)

    @property
    def header(self) -> Header:
        """What this game is a game of."""
        return header_of(self.setting, self.seed)

    @property
    def drawn(self) -> int:
        """How far the seeded dice have been used."""
        dice = self.chance.dice
        return dice.drawn if isinstance(dice, Dice) else 0

    @property
    def recording(self) -> Recording:
        """The game as it would be kept now."""
        result = None if self.result is None else asdict(self.result)
        return Recording(
            self.header, self.history, tuple(self.finished), self.drawn, self.hash(), result, dict(self.snapshots)
        )


def recorded(game: Game) -> RecordedGame:
    """The game itself if it is recorded, else the same game played again so that it is."""
    if isinstance(game, RecordedGame):
        return game
    dice = game.chance.dice
    again = RecordedGame(game.setting, game.seed, inputs=game.inputs.records, dice=dice, checked=game.checked)
    if again.hash() != game.hash():
        raise UsageError("this game did not begin where its sequence begins, so it cannot be kept")
    return again


def header_of(source: Any, seed: int | str) -> Header:
    """The header of a game of this source."""
    setting: GameSource = source_of(source)
    image, ruleset, scenario = setting.image, setting.ruleset, setting.scenario
    own = digest(image) if ruleset is None else str(ruleset.hash)
    name = "" if scenario is None else str(scenario.name)
    options = option_values(image)
    rules = kept_rules(image, ruleset, scenario)
    return Header(image.name, image.version, own, name, options, seed, rules=rules)


def option_values(image: Image) -> Data:
    """The settings of all options of an image, as headers keep them."""
    return {name: _option(value) for name, value in image.options}


def _option(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


class OtherRulesError(UsageError):
    """A recorded game is not one of these rules; `differences` says in which respects."""

    def __init__(self, differences: Sequence[str], message: str = "") -> None:
        self.differences = tuple(differences)
        super().__init__(message or f"this is a game of something else: it differs in {'; '.join(differences)}")


def resume(recording: Recording, source: Any, *, force: bool = False, quick: bool = False, **more: Any) -> RecordedGame:
    """The recorded game, played again by its inputs and ready to go on.

    `quick` begins at the last snapshot, so that nothing before it can be taken back or told. With `force` a difference
    of ruleset is allowed, and steps may come out differently (see `first_difference`).

    Raises:
        OtherRulesError: if it is a game of something else.
        UsageError: if it does not come to the recorded states.
    """
    old = recording.header
    differences = old.differences(header_of(source, old.seed))
    if differences and not force:
        raise OtherRulesError(differences)
    dice = Dice(old.seed, recording.drawn)
    if quick and recording.snapshots:
        more["after"] = (recording, max(recording.snapshots))
    else:
        more["inputs"] = recording.inputs
    game = RecordedGame(source, old.seed, dice=dice, **more)
    if not force and (said := first_difference(recording, game)) is not None:
        raise UsageError(said)
    return game


def first_difference(recording: Recording, game: RecordedGame) -> str | None:
    """Where a game played again by recorded inputs first comes out differently, or none."""
    for number, (before, now) in enumerate(zip(recording.steps, game.finished, strict=False), 1):
        if before != now:
            what = f"step '{now.path}' came instead" if before.path != now.path else "the state is another"
            return f"the game comes out differently after step {number} ('{before.path}'): {what}"
    if len(recording.steps) != len(game.finished):
        return f"the game has {len(game.finished)} finished steps where {len(recording.steps)} were recorded"
    if recording.state != game.hash():
        return f"the game comes out differently in the step after number {len(recording.steps)}"
    return None


# ---------------------------------------------------------------- text and chains
def written(data: Any) -> str:
    """JSON data in its one written form, for files and digests."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def chained(before: str, text: str) -> str:
    """The digest of a text and of everything before it, whose digest is `before`."""
    return blake2b(f"{before}\n{text}".encode(), digest_size=16).hexdigest()


def record_of(data: object) -> Record:
    """An input out of JSON data: lists read as tuples.

    Raises:
        UsageError: if it is not an input.
    """
    if not isinstance(data, list) or not data or not isinstance(data[0], str):
        raise UsageError(f"not an input: {data!r}")
    return tuple(_tuples(data))


def _tuples(items: Iterable[Any]) -> list[Any]:
    return [tuple(_tuples(each)) if isinstance(each, list) else each for each in items]
