"""Figures, the numbers that a ruleset has as data, and the basis of each."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.language.diagnostics import Place
from interpreter.language.model.program import Datum


@dataclass(frozen=True, slots=True)
class Figure:
    """One number in the data of a ruleset; `value` is the number, or the text of a cell with more than a number."""

    path: str
    value: Datum
    standing: str
    cite: tuple[str, ...]
    source: str | None
    place: Place


@dataclass(frozen=True, slots=True)
class Basis:
    """The basis of a figure: its standing, source and clauses."""

    standing: str = "stated"
    source: str | None = None
    cites: tuple[str, ...] = ()
