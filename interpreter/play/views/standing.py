"""How a game stands: what each seat plays for, and how far it has come, by the `victory` section of its ruleset."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from interpreter.language.model.emitted_names import DEFINITION, note_role, victory_rule
from interpreter.play.engine.engine import GameEngine
from interpreter.play.views.quiet_query import quiet_query, removed_from_board
from interpreter.play.views.visibility import Visibility, seat_by_id
from interpreter.play.wording.messages import STANDING_FOR
from interpreter.play.wording.wording import Wording, readable
from interpreter.world.things import Seat, Thing

_PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class StandingPart:
    """A thing that counts for a condition: its name, the number that it counts now, the most it can count, its clauses.

    Without clauses of its own it is counted by those of the condition.
    """

    name: str
    value: Any
    most: Any = None
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StandingLevel:
    """A possible result with its least and its greatest value, none where it has no such limit."""

    name: str
    least: Any = None
    most: Any = None


@dataclass(frozen=True, slots=True)
class StandingNote:
    """What a reader has to know about a condition, the clauses that say it, and whether it is shown at the start."""

    text: str
    cites: tuple[str, ...] = ()
    at_start: bool = True


@dataclass(frozen=True, slots=True)
class Standing:
    """A condition of victory in the present position.

    `name` is its name in the ruleset, `title` that name in words, `text` what wins. `seats` are the ids of the seats
    that play for it, all if it is empty. `value` is the number that counts now and `goal` the number that is wanted,
    both none where the condition has no numbers. `parts` are the things that the value is made of; `levels` are the
    possible results and `level` the present one. `notes` say what its words mean and which things count.
    """

    name: str
    title: str
    text: str
    cites: tuple[str, ...]
    seats: tuple[str, ...] = ()
    value: Any = None
    goal: Any = None
    parts: tuple[StandingPart, ...] = ()
    levels: tuple[StandingLevel, ...] = ()
    level: str = ""
    notes: tuple[StandingNote, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """Returns the condition as plain data; a fraction as text."""
        return {key: _plain(value) for key, value in asdict(self).items()}


def standing(game: GameEngine, seat: str | None) -> tuple[Standing, ...]:
    """Returns every condition of victory as a seat sees it (without a seat: as everybody sees it).

    The numbers are computed from what the seat can see, as if hidden pieces were off the board.

    Raises:
        UsageError: if there is no such seat.
        RuleFault: if a rule fails.
    """
    game.core.begin_query()
    visible = game.before_simultaneous() or game
    return tuple(_Conditions(visible, seat).all())


class _Conditions:
    """Evaluates the conditions of one position."""

    def __init__(self, game: GameEngine, seat: str | None) -> None:
        self._core = game.core
        visibility = Visibility(game.core, seat_by_id(game.core, seat))
        self._hidden = visibility.precomputed().hidden()
        self._masking = visibility.with_hidden(frozenset(self._hidden)) if self._hidden else visibility
        self._words: Wording = game.source.wording
        presentation: Mapping[str, Any] = getattr(game.source.ruleset, "presentation", None) or {}
        self._texts: Mapping[str, Mapping[str, Any]] = presentation.get("victory", {})

    def all(self) -> Iterator[Standing]:
        """Yields the conditions in the order of the ruleset, one for each thing that a condition takes."""
        with quiet_query(self._core), removed_from_board(self._core, self._hidden):
            for name, texts in self._texts.items():
                for subject in self._subjects(texts.get("takes") or {}):
                    if self._value(name, "when", subject, default=True):
                        yield self._condition(name, texts, subject)

    def _subjects(self, takes: Mapping[str, str]) -> list[dict[str, Thing]]:
        if not takes:
            return [{}]
        (name, kind), *_ = takes.items()
        return [{name: each} for each in self._core.world.all_of(kind)]

    def _condition(self, name: str, texts: Mapping[str, Any], subject: dict[str, Thing]) -> Standing:
        parts = self._parts(name, subject)
        value = self._value(name, "value", subject, default=sum(each.value for each in parts) if parts else None)
        goal = self._value(name, "goal", subject, default=None)
        level = self._value(name, "level", subject, default=None)
        shown = {"value": value, "goal": goal, **subject}
        return Standing(
            name=name,
            title=self._title(name, subject),
            text=self._filled(texts["says"], shown),
            cites=_cites(texts.get("cite")),
            seats=self._seats(name, subject),
            value=value,
            goal=goal,
            parts=parts,
            levels=tuple(self._levels(name, subject)),
            level="" if level is None else self._name(level),
            notes=tuple(self._notes(name, subject, shown)),
        )

    def _parts(self, name: str, subject: dict[str, Thing]) -> tuple[StandingPart, ...]:
        things = self._value(name, "parts", subject, default=())
        numbers = [self._each(name, role, subject, len(things)) for role in ("part_value", "part_most")]
        clauses: Mapping[str, Mapping[str, Any]] = self._texts[name].get("part_clauses", {})
        cites = [_cites(clauses.get(each.id, {}).get("cite")) for each in things]
        rows = zip(things, *numbers, cites, strict=True)
        return tuple([StandingPart(self._name(each), *rest) for each, *rest in rows])

    def _levels(self, name: str, subject: dict[str, Thing]) -> Iterator[StandingLevel]:
        things = self._value(name, "levels", subject, default=())
        numbers = [self._each(name, role, subject, len(things)) for role in ("level_least", "level_most")]
        for each, *rest in zip(things, *numbers, strict=True):
            yield StandingLevel(self._name(each), *rest)

    def _notes(self, name: str, subject: dict[str, Thing], shown: Mapping[str, Any]) -> Iterator[StandingNote]:
        notes: Mapping[str, Mapping[str, Any]] = self._texts[name].get("notes", {})
        for note, texts in notes.items():
            if self._value(name, note_role(note), subject, default=True):
                values = {
                    each: self._value(name, note_role(note, each), subject, default=None)
                    for each in texts.get("values", ())
                }
                text = self._filled(texts["says"], {**shown, **values})
                yield StandingNote(text, _cites(texts.get("cite")), texts.get("at_start", True))

    def _each(self, condition: str, role: str, subject: dict[str, Thing], count: int) -> Any:
        return self._value(condition, role, subject, default=(None,) * count)

    def _title(self, name: str, subject: dict[str, Thing]) -> str:
        title = self._words.word(name, readable(name))
        for each in reversed(subject.values()):
            title = self._words.say(STANDING_FOR, whose=self._name(each), title=title)
        return title

    def _seats(self, name: str, subject: dict[str, Thing]) -> tuple[str, ...]:
        players = self._value(name, "for", subject, default=tuple(subject.values()))
        players = players if isinstance(players, tuple | list) else (players,)
        return tuple(dict.fromkeys([each.id for each in players if isinstance(each, Seat)]))

    def _value(self, condition: str, role: str, subject: dict[str, Thing], *, default: Any) -> Any:
        rule = self._core.names.get(DEFINITION(victory_rule(condition, role)))
        return default if rule is None else rule(*subject.values())

    def _name(self, thing: Any) -> str:
        return self._words.of(self._masking.masked(thing))

    def _filled(self, says: Any, values: Mapping[str, Any]) -> str:
        text = says if isinstance(says, str) else says.get(self._words.language) or says.get("en") or ""
        return " ".join(_PLACEHOLDER.sub(lambda found: self._field(found, values), text).split())

    def _field(self, found: re.Match[str], values: Mapping[str, Any]) -> str:
        return self._name(values[found[1]]) if found[1] in values else found[0]


def _cites(cites: Any) -> tuple[str, ...]:
    return () if cites is None else tuple(map(str, cites if isinstance(cites, list) else [cites]))


def _plain(value: Any) -> Any:
    match value:
        case None | bool() | int() | str():
            return value
        case dict():
            return {key: _plain(each) for key, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case _:
            return str(value)
