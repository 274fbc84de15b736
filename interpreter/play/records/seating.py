"""The seating of a recorded game: who plays which seat, and in which language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from interpreter.language.diagnostics import UsageError

_KEYS: Final = ("players", "language")
_MAX_SEATS: Final = 64
_MAX_LENGTH: Final = 64


@dataclass(frozen=True, slots=True)
class Seating:
    """The player of each seat, as on the command line, and the language of the game; no rule depends on it."""

    players: Mapping[str, str]
    language: str

    def data(self) -> dict[str, Any]:
        """Returns the seating as JSON data."""
        return {"players": dict(self.players), "language": self.language}

    @classmethod
    def from_data(cls, data: object) -> Seating:
        """Returns the seating from JSON data.

        Raises:
            UsageError: if the data is not a seating.
        """
        if not isinstance(data, dict) or set(data) != set(_KEYS):
            raise UsageError(f"its seating must have exactly {', '.join(_KEYS)}")
        players, language = data["players"], data["language"]
        if not isinstance(players, dict) or len(players) > _MAX_SEATS:
            raise UsageError("the players of its seating must be a mapping from seat to player")
        texts = [*players, *players.values(), language]
        if not all(isinstance(each, str) and len(each) <= _MAX_LENGTH for each in texts):
            raise UsageError(f"its seating has something other than texts of at most {_MAX_LENGTH} characters")
        return cls(players, language)
