"""`bicorne odds SAVE`: the odds of what the options of the open decision of a recorded game lead to."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from interpreter.cli.output import OK, Output
from interpreter.cli.progress import status_shown
from interpreter.console.answers import AnswerReader, NoWayError
from interpreter.console.human import Question
from interpreter.console.odds_text import ahead_lines, way_lines
from interpreter.console.order_text import plan_lines
from interpreter.inference.ahead import Lookout
from interpreter.inference.ahead_results import Ahead
from interpreter.language.diagnostics import UsageError
from interpreter.language.visible_text import visible_line
from interpreter.play.engine.cpu_timer import CpuTimer
from interpreter.play.game import Game
from interpreter.players.orders.order_plan import OrderPlan

_MAX_OPTIONS = 12
"""The most options whose odds are computed without being asked for."""
_SECONDS = 60.0
"""The CPU time after which no further option is looked at."""


def run_for_game(arguments: Namespace, output: Output) -> int:
    """Prints the odds of one option, or of the first options.

    Raises:
        UsageError: if there is no such save or log, its game is over, or there is no such option.
        RulesetError: for mistakes in the standing orders.
    """
    if not Path(arguments.source).is_file():
        raise UsageError(
            "the odds of a procedure need its situation: give it with --given FILE; without it, name a save or a log"
        )
    if arguments.chart or arguments.compare:
        raise UsageError("--chart and --compare concern the odds of a procedure: give its situation with --given FILE")
    game = _open_game(arguments)
    if game.decision is None:
        raise UsageError(f"the game in {arguments.source} is over: no decision is open")
    named = _named(game, arguments.procedure)
    if isinstance(named, OrderPlan):
        return _run_for_order(game, named, arguments, output)
    found: dict[str, Ahead | None] = {}
    with status_shown("computing odds", output):
        lookout, timer = Lookout(game, map(Path, arguments.orders)), CpuTimer()
        for index in _chosen(game, named):
            if found and timer.has_exceeded(_SECONDS):
                output.message(f"'{game.decision.labels[index]}' and what follows would take long: name one of them")
                break
            found[game.decision.labels[index]] = lookout.odds(index)
    for label, odds in found.items():
        _print_option(game, label, odds, output)
    output.document({"seat": game.decision.seat, "question": game.decision.prompt, "options": _data(found)})
    return OK


def _run_for_order(game: Game, plan: OrderPlan, arguments: Namespace, output: Output) -> int:
    """Prints the odds of the rolls on the way of an order."""
    words = game.source.wording
    with status_shown("computing odds", output):
        rolls = Lookout(game, map(Path, arguments.orders)).on_way(plan.answers)
    output.lines("\n".join(plan_lines(plan, words)))
    output.lines("\n".join(way_lines(rolls, words)))
    output.document({"order": plan.as_data(), "rolls": [each.as_data() for each in rolls]})
    return OK


def _named(game: Game, text: str | None) -> int | OrderPlan | None:
    """Returns the option or the plan that a text means; none without a text."""
    assert game.decision is not None
    if text is None:
        return None
    if text in game.decision.labels:
        return game.decision.index_of(text)
    question = Question.asked(game)
    try:
        return AnswerReader(game, question.groups, question.numbers, {}).meaning(text)
    except NoWayError as error:
        if error.nearest is None:
            raise
        return error.nearest


def _chosen(game: Game, option: int | None) -> list[int]:
    assert game.decision is not None
    return [*range(min(len(game.decision.options), _MAX_OPTIONS))] if option is None else [option]


def _open_game(arguments: Namespace) -> Game:
    from interpreter.cli.recorded_games import open_game  # noqa: PLC0415 - only for games

    return open_game(arguments.source, arguments.path)


def _print_option(game: Game, label: str, odds: Ahead | None, output: Output) -> None:
    output.line(visible_line(label), "bold")
    output.lines("\n".join([f"  {each}" for each in ahead_lines(odds, game.source.wording)]))


def _data(found: dict[str, Ahead | None]) -> list[dict[str, Any]]:
    return [{"option": label, "odds": None if odds is None else odds.as_data()} for label, odds in found.items()]
