"""The players that need nobody at a terminal, by the words that name them."""

from __future__ import annotations

from interpreter.language.diagnostics import UsageError, unknown
from interpreter.players.player import Player
from interpreter.players.random import RandomPlayer

AUTOMATIC = ("random", "greedy", "search")


def automatic_player(word: str, seed: int | str, seat: str, taken: int = 0) -> Player:
    """The player that a word such as `random`, `greedy`, `search:200` or `search:0.5s` stands for.

    `taken` are the decisions that the seat has answered before, in a game that goes on.

    Raises:
        UsageError: for a player that there is not, or a budget that is none.
    """
    sort, budget = split_player(word, AUTOMATIC)
    if sort == "random":
        return RandomPlayer(seed, seat, taken)
    if sort == "greedy":
        from interpreter.players.greedy import GreedyPlayer  # noqa: PLC0415 - not every game has one

        return GreedyPlayer(seed, seat)
    return _search(seed, seat, budget)


def split_player(word: str, known: tuple[str, ...]) -> tuple[str, str]:
    """A player's sort and its budget, which is empty where none is given.

    Raises:
        UsageError: for a sort that is not among the known ones, or a budget where none can be.
    """
    sort, _, budget = word.partition(":")
    if sort not in known:
        raise unknown("player", sort, known)
    if budget and sort != "search":
        raise UsageError(f"the player '{sort}' takes no budget; only search does, as search:200 or search:0.5s")
    return sort, budget


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
