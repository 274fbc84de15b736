"""Figures, the numbers that a ruleset carries as data, and what each rests on."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.language.diagnostics import Place
from interpreter.language.model.program import Datum


@dataclass(frozen=True, slots=True)
class Figure:
    """One number that a ruleset carries as data; `value` is the number, or the text of a cell that holds more."""

    path: str
    value: Datum
    standing: str
    cite: tuple[str, ...]
    source: str | None
    place: Place


@dataclass(frozen=True, slots=True)
class Basis:
    """What a figure rests on."""

    standing: str = "stated"
    source: str | None = None
    cites: tuple[str, ...] = ()
