"""The players that need no person at a terminal, by the words that name them."""

from __future__ import annotations

from interpreter.language.diagnostics import UsageError, unknown
from interpreter.players.player import Player
from interpreter.players.random import RandomPlayer

AUTOMATIC = ("random", "greedy", "search")


def automatic_player(word: str, seed: int | str, seat: str, answered: int = 0) -> Player:
    """Returns the player that a word such as `random`, `greedy`, `search:200` or `search:0.5s` names.

    `answered` is the number of decisions that the seat has already answered in a game that continues.

    Raises:
        UsageError: for an unknown player or an invalid budget.
    """
    name, budget = parse_player(word, AUTOMATIC)
    if name == "random":
        return RandomPlayer(seed, seat, answered)
    if name == "greedy":
        from interpreter.players.greedy import GreedyPlayer  # noqa: PLC0415 - not every game has one

        return GreedyPlayer(seed, seat)
    return _search(seed, seat, budget)


def parse_player(word: str, known: tuple[str, ...]) -> tuple[str, str]:
    """Returns the name of a player and its budget, which is empty if none is given.

    Raises:
        UsageError: for a name that is not among the known ones, or a budget of a player that takes none.
    """
    name, _, budget = word.partition(":")
    if name not in known:
        raise unknown("player", name, known)
    if budget and name != "search":
        raise UsageError(f"the player '{name}' takes no budget; only search does, as search:200 or search:0.5s")
    return name, budget


def _search(seed: int | str, seat: str, budget: str) -> Player:
    from interpreter.players.search import SearchBudget, SearchPlayer  # noqa: PLC0415 - as above

    if not budget:
        return SearchPlayer(seed, seat)
    try:
        spend = SearchBudget(seconds=float(budget[:-1])) if budget.endswith("s") else SearchBudget(trials=int(budget))
    except ValueError:
        spend = SearchBudget(trials=0)
    if not ((spend.trials or 0) > 0 or (spend.seconds or 0) > 0):
        raise UsageError(f"a search's budget is a number of trials (200) or of seconds (0.5s), not '{budget}'")
    return SearchPlayer(seed, seat, spend)
