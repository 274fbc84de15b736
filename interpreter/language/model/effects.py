"""What running a rule can do to a game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True, eq=False, kw_only=True)
class Effects:
    """What running a rule can do; inferred over all calls."""

    changes: bool = False
    asks: bool = False
    rolls: bool = False
    ends: bool = False

    @property
    def pure(self) -> bool:
        """Whether it only reads."""
        return not (self.changes or self.asks or self.rolls or self.ends)
