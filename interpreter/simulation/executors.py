"""Plays many games in this process, in worker processes of this machine, or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from importlib import import_module
from typing import Any

from interpreter.language.diagnostics import UsageError
from interpreter.simulation.plan import GameRecord, SimulationPlan, play_games
from interpreter.simulation.processes import worker_processes

CHUNKS_PER_WORKER = 24
"""Each worker's games are split into this many chunks: few enough to cost nothing, many enough to balance the load."""
MAX_GAMES_PER_CHUNK = 100
MAX_CHUNKS_IN_FLIGHT = 3
"""Chunks per worker that are submitted at the same time, the one being played included."""

Numbers = Sequence[int]


def play_here(plan: SimulationPlan, numbers: Numbers) -> Iterator[GameRecord]:
    """Yields the games, played one after the other in this process.

    Raises:
        BicorneError: if a rule fails.
    """
    for number in numbers:
        yield from play_games(plan, (number,))


def play_in_processes(plan: SimulationPlan, numbers: Numbers, workers: int) -> Iterator[GameRecord]:
    """Yields the games, played in worker processes, in the order in which their chunks finish.

    Raises:
        BicorneError: if a rule fails, or a worker is killed.
    """
    chunks = iter(_chunks(numbers, workers))
    running: set[Future[list[GameRecord]]] = set()
    with worker_processes(workers) as pool:
        while True:
            while len(running) < workers * MAX_CHUNKS_IN_FLIGHT and (chunk := next(chunks, None)) is not None:
                running.add(pool.submit(play_games, plan, chunk))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for each in done:
                yield from each.result()


def play_on_cluster(plan: SimulationPlan, numbers: Numbers, address: str) -> Iterator[GameRecord]:
    """Yields the games, played on a Dask cluster whose workers have this version of Bicorne and the same files.

    Raises:
        UsageError: if the extra is not installed, or no scheduler answers at the address.
        BicorneError: if a rule fails.
    """
    distributed = _cluster_library()
    client = _connected(distributed, address)
    try:
        workers = max(1, len(client.scheduler_info()["workers"]))
        futures = client.map(_play_chunk, [plan] * len(chunks := _chunks(numbers, workers)), chunks, pure=False)
        for _, records in distributed.as_completed(futures, loop=client.loop, with_results=True):
            yield from [GameRecord(*each) for each in records]
    finally:
        client.close()


def _play_chunk(plan: SimulationPlan, chunk: Numbers) -> list[tuple[Any, ...]]:
    return [tuple(each) for each in play_games(plan, chunk)]


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


def _chunks(numbers: Numbers, workers: int) -> list[Numbers]:
    size = max(1, min(MAX_GAMES_PER_CHUNK, len(numbers) // (workers * CHUNKS_PER_WORKER)))
    return [numbers[first : first + size] for first in range(0, len(numbers), size)]
