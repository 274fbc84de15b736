"""Many games over many workers: here, in processes of this machine, or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from importlib import import_module
from typing import Any

from interpreter.language.diagnostics import UsageError
from interpreter.simulation.plan import GameRecord, SimulationPlan, play_games
from interpreter.simulation.processes import worker_processes

SHARES = 24
"""Into how many parts a worker's games are cut: few enough to cost nothing, many enough that all end together."""
MOST_IN_PART = 100
WAITING = 3
"""Parts that wait for each worker beside the one it plays."""

Numbers = Sequence[int]


def play_here(plan: SimulationPlan, numbers: Numbers) -> Iterator[GameRecord]:
    """The games in this process, one after the other.

    Raises:
        BicorneError: if a rule goes wrong.
    """
    for number in numbers:
        yield from play_games(plan, (number,))


def play_in_processes(plan: SimulationPlan, numbers: Numbers, workers: int) -> Iterator[GameRecord]:
    """The games over worker processes, in the order in which their parts are done.

    Raises:
        BicorneError: if a rule goes wrong, or a worker is killed.
    """
    parts = iter(_parts(numbers, workers))
    running: set[Future[list[GameRecord]]] = set()
    with worker_processes(workers) as pool:
        while True:
            while len(running) < workers * WAITING and (part := next(parts, None)) is not None:
                running.add(pool.submit(play_games, plan, part))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for each in done:
                yield from each.result()


def play_on_cluster(plan: SimulationPlan, numbers: Numbers, address: str) -> Iterator[GameRecord]:
    """The games on the workers of a Dask cluster, which must have this version of Bicorne and the same files.

    Raises:
        UsageError: if the extra is not installed, or nothing answers at the address.
        BicorneError: if a rule goes wrong.
    """
    distributed = _cluster_library()
    client = _connected(distributed, address)
    try:
        workers = max(1, len(client.scheduler_info()["workers"]))
        futures = client.map(_played, [plan] * len(parts := _parts(numbers, workers)), parts, pure=False)
        for _, records in distributed.as_completed(futures, loop=client.loop, with_results=True):
            yield from [GameRecord(*each) for each in records]
    finally:
        client.close()


def _played(plan: SimulationPlan, part: Numbers) -> list[tuple[Any, ...]]:
    return [tuple(each) for each in play_games(plan, part)]


def _cluster_library() -> Any:
    try:
        return import_module("distributed")
    except ImportError as error:
        raise UsageError("a cluster needs the extra 'cluster': pip install 'bicorne[cluster]'") from error


def _connected(distributed: Any, address: str) -> Any:
    try:
        return distributed.Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler answers at '{address}': {error}") from error


def _parts(numbers: Numbers, workers: int) -> list[Numbers]:
    size = max(1, min(MOST_IN_PART, len(numbers) // (workers * SHARES)))
    return [numbers[first : first + size] for first in range(0, len(numbers), size)]
