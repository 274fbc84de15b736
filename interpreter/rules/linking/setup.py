"""What a scenario changes before the first step, as play reads it: nothing here needs YAML or rule text."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.language.model.image import Stored

Values = tuple[tuple[str, Stored], ...]
Ref = tuple[str, str]
Spot = Ref | tuple[()] | None
"""Where a piece is put: `(kind, id)`, none for off the board, `()` for where it stands already."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a scenario changes before the first step; plain data that marshals.

    To be carried out in the order of the fields: `pieces` are made, then `sets`, `state` and `board` apply.
    """

    options: Values = ()
    pieces: tuple[tuple[str, str, Values, Ref | None], ...] = ()
    """Further counters, and things of the scenario's own: kind, id, attributes, holder."""
    sets: tuple[tuple[str, str, str, Stored], ...] = ()
    """Kind, id, attribute, value."""
    state: Values = ()
    board: tuple[tuple[str, str, Values, Spot], ...] = ()
    """Kind, id, attributes, where it is put."""
    seats: tuple[tuple[str, str], ...] = ()
    """Seat and what the scenario calls it."""
