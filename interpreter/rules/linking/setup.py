"""The set-up of a scenario as plain data for play; it needs neither YAML nor rule text."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.language.model.image import Stored

Values = tuple[tuple[str, Stored], ...]
Ref = tuple[str, str]
Spot = Ref | tuple[()] | None
"""The location of a piece: `(kind, id)`, none for off the board, `()` for its present location."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The changes that a scenario makes before the first step, as plain data.

    To be carried out in the order of the fields: `pieces` are made, then `sets`, `state` and `board` apply.
    """

    options: Values = ()
    pieces: tuple[tuple[str, str, Values, Ref | None], ...] = ()
    """Added counters and things: kind, id, attributes, holder."""
    sets: tuple[tuple[str, str, str, Stored], ...] = ()
    """Kind, id, attribute, value."""
    state: Values = ()
    board: tuple[tuple[str, str, Values, Spot], ...] = ()
    """Kind, id, attributes, location."""
    seats: tuple[tuple[str, str], ...] = ()
    """Seats with their names in the scenario."""


def joined(first: Setup, second: Setup) -> Setup:
    """Returns one set-up that makes the changes of two, those of the second last."""
    values = tuple([(kind, name, *each) for kind, name, values, _ in first.board for each in values])
    places: tuple[tuple[str, str, Values, Spot], ...] = tuple([(*each[:2], (), each[3]) for each in first.board])
    return Setup(
        options=first.options + second.options,
        pieces=first.pieces + second.pieces,
        sets=first.sets + values + second.sets,
        state=first.state + second.state,
        board=places + second.board,
        seats=first.seats + second.seats,
    )
