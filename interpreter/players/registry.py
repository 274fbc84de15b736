"""The players that need no person at a terminal, by the words that name them."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING

from interpreter.language.diagnostics import UsageError, unknown
from interpreter.players.player import Player
from interpreter.players.random import RandomPlayer

if TYPE_CHECKING:
    from interpreter.players.planning.search_budget import SearchBudget
    from interpreter.players.search import TreeHelper

AUTOMATIC = ("random", "greedy", "search")
MAX_RECORDED_TRIALS = 10_000
MAX_RECORDED_SECONDS = 60
"""The most that a player named in a save may spend on a decision, for the save may be a stranger's."""


def automatic_player(
    word: str, seed: int | str, seat: str, answered: int = 0, helpers: Sequence[TreeHelper] = ()
) -> Player:
    """Returns the player that a word such as `random`, `greedy`, `search:200` or `search:0.5s` names.

    `answered` is the number of decisions that the seat has already answered in a game that continues; `helpers` are
    processes that search with it.

    Raises:
        UsageError: for an unknown player or an invalid budget.
    """
    name, budget = parse_player(word, AUTOMATIC)
    if name == "random":
        return RandomPlayer(seed, seat, answered)
    if name == "greedy":
        from interpreter.players.greedy import GreedyPlayer  # noqa: PLC0415 - not every game has one

        return GreedyPlayer(seed, seat)
    return _search(seed, seat, budget, helpers)


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


def check_recorded_player(word: str, known: tuple[str, ...]) -> None:
    """Checks that a word in a save names a player that ends.

    Raises:
        UsageError: for an unknown player, and an invalid or too large budget.
    """
    _, budget = parse_player(word, known)
    spend = _budget(budget) if budget else None
    if spend and ((spend.trials or 0) > MAX_RECORDED_TRIALS or (spend.seconds or 0) > MAX_RECORDED_SECONDS):
        limits = f"{MAX_RECORDED_TRIALS:,} trials or {MAX_RECORDED_SECONDS} seconds"
        raise UsageError(f"a player in a save spends at most {limits} on a decision, not '{budget}'")


def trees_of(word: str) -> int:
    """Returns the number of trees that the player of a word may have: more than one helps if there are more cores.

    Raises:
        UsageError: for an invalid budget.
    """
    name, _, budget = word.partition(":")
    if name != "search":
        return 0
    from interpreter.players.search import MAX_TREES, trees_of_trials  # noqa: PLC0415 - as above

    trials = _budget(budget).trials if budget else None
    return MAX_TREES if trials is None else trees_of_trials(trials)


def _search(seed: int | str, seat: str, budget: str, helpers: Sequence[TreeHelper]) -> Player:
    from interpreter.players.search import SearchPlayer  # noqa: PLC0415 - as above

    return SearchPlayer(seed, seat, _budget(budget) if budget else None, helpers)


def _budget(budget: str) -> SearchBudget:
    from interpreter.players.planning.search_budget import SearchBudget  # noqa: PLC0415 - as above

    try:
        spend = SearchBudget(seconds=float(budget[:-1])) if budget.endswith("s") else SearchBudget(trials=int(budget))
    except ValueError:
        spend = SearchBudget(trials=0)
    if not ((spend.trials or 0) > 0 or 0 < (spend.seconds or 0) < inf):
        raise UsageError(f"a search's budget is a number of trials (200) or of seconds (0.5s), not '{budget}'")
    return spend
