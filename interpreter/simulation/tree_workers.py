"""Worker processes that run trees of a search while a game is played; they stay warm from decision to decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any, Final

from interpreter.language.diagnostics import BicorneError
from interpreter.play.engine.source import GameSource
from interpreter.play.game import Game
from interpreter.play.inputs.inputs import Input
from interpreter.players.planning.untraced_twin import advance
from interpreter.players.search import TreeName
from interpreter.players.search_tree import SearchTree
from interpreter.simulation.processes import begin_worker, interrupts_held_back

_FAST: Final = "fast"
_READY: Final = "ready"


@contextmanager
def tree_workers(source: GameSource, workers: int) -> Iterator[list[TreeWorker]]:
    """Yields this number of processes that help search players in games of one source, and ends them.

    They load the rules while the block runs.
    """
    started: list[TreeWorker] = []
    try:
        started.extend(TreeWorker() for _ in range(workers))
        Thread(target=_send_source, args=(source, started), daemon=True).start()
        yield started
    finally:
        for each in started:
            each.end()


class TreeWorker:
    """A process that runs trees of search players one after the other. It follows the game by its inputs."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self.connection, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other,), daemon=True)
        with interrupts_held_back():
            self._process.start()
        other.close()
        self._is_ready = False
        self._inputs: list[Input] = []
        """The inputs that the process knows."""
        self._asked = 0
        self._answers: dict[int, Any] = {}
        """Answers that came while an earlier one was waited for."""

    @property
    def process_id(self) -> int:
        """The number that the system has given to the process."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def is_ready(self) -> bool:
        """Whether it has loaded the rules."""
        if not self._is_ready and self.connection.poll():
            self._wait_until_ready()
        return self._is_ready

    def begin(self, game: Game, tree: TreeName, task: str, *given: Any) -> Callable[[], Any]:
        """Begins a method of a tree at the position of a game; returns a function that waits for the result.

        Raises:
            BicorneError: if the process was killed, or a rule fails in it.
        """
        if not self._is_ready:
            self._wait_until_ready()
        inputs, known = game.inputs.items, len(self._inputs)
        if inputs[:known] != self._inputs:
            known = 0
        self._inputs = list(inputs)
        self._asked += 1
        try:
            self.connection.send((self._asked, known, inputs[known:], tree, task, given))
        except OSError as error:
            raise _died() from error
        return partial(self._answer, self._asked)

    def end(self) -> None:
        """Ends the process, whatever it does."""
        self._process.terminate()
        self._process.join()
        self.connection.close()

    def _wait_until_ready(self) -> None:
        self._received()
        self._is_ready = True

    def _answer(self, number: int) -> Any:
        """Returns an answer; those to questions that were given up are dropped."""
        while number not in self._answers:
            answered, answer = self._received()
            self._answers[answered] = answer
        answer = self._answers.pop(number)
        self._answers = {each: other for each, other in self._answers.items() if each > number}
        if isinstance(answer, str):
            raise BicorneError(answer)
        return answer

    def _received(self) -> Any:
        try:
            return self.connection.recv()
        except (EOFError, OSError) as error:
            raise _died() from error


def _died() -> BicorneError:
    return BicorneError("a worker process died; it may have been killed, or memory may have run out")


def _send_source(source: GameSource, workers: list[TreeWorker]) -> None:
    """Sends workers what a game needs of its source: the code alone, neither wording nor documents."""
    unit, _ = source.shared(_FAST).code(_FAST)
    base = source.base or source.image
    images = replace(source.image, units=(unit,)), replace(base, units=(unit,))
    for each in workers:
        with suppress(OSError):  # it was ended, or killed, which its next task reports
            each.connection.send((*images, source.setup))


def _serve(connection: Connection) -> None:
    """Answers tasks until the parent process ends."""
    begin_worker()
    try:
        image, base, setup = connection.recv()
        source = GameSource(image, setup, base=base)
        game = _game_at(source, [])
        connection.send(_READY)
        trees: dict[TreeName, SearchTree] = {}
        while True:
            number, known, news, name, task, given = connection.recv()
            inputs = [*game.inputs.items[:known], *news]
            try:
                if not advance(game, inputs):
                    game = _game_at(source, inputs)
                tree = trees.setdefault(name, SearchTree(*name))
                answer = getattr(tree, task)(game, *given)
            except BicorneError as error:
                answer = str(error)
            connection.send((number, answer))
    except (EOFError, OSError):
        return  # the parent process has closed the connection


def _game_at(source: GameSource, inputs: list[Input]) -> Game:
    game = Game(source, inputs=inputs)
    game.checked = False
    return game
