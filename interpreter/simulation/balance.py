"""The balance of a scenario: how games of a player against itself have ended, as its file says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from interpreter.rules.loading.ruleset import Scenario
from interpreter.simulation.confidence import wilson


class Balance(NamedTuple):
    """Games of a scenario in which all seats had the same player.

    `wins` is the games that each seat has won, the most first, and `overlay` the one that they were played with.
    """

    player: str
    overlay: str
    wins: dict[str, int]
    draws: int

    @property
    def games(self) -> int:
        """The number of games, at least 1."""
        return sum(self.wins.values()) + self.draws

    def text(self, names: Mapping[str, str], prefix: str = "with ") -> str:
        """The games in a line, with the share of each seat and its 95 % interval; `prefix` precedes the overlay."""
        played = f"{self.player} {prefix}{self.overlay}" if self.overlay else self.player
        shares = [f"{names[seat]} {self._share(count)}" for seat, count in self.wins.items()]
        drawn = [f"drawn {self._share(self.draws)}"] if self.draws else []
        return f"{played}, {self.games} games: {', '.join(shares + drawn)}"

    def _share(self, count: int) -> str:
        least, most = wilson(count, self.games)
        return f"{100 * count / self.games:.0f} % ({100 * least:.0f} to {100 * most:.0f} %)"

    def as_data(self) -> dict[str, object]:
        """The games as plain data."""
        return {"player": self.player, "with": self.overlay or None, "wins": self.wins, "draws": self.draws}


def balance_of(scenario: Scenario) -> list[Balance]:
    """Returns the results of games that the file of a scenario reports, in its order."""
    return [
        Balance(
            each["player"],
            each.get("with", ""),
            dict(sorted(each["wins"].items(), key=lambda won: -won[1])),
            each.get("draws", 0),
        )
        for each in scenario.info.get("balance", ())
    ]
