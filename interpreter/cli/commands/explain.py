"""`bicorne explain`: what implements a clause, or how a result in a log came about."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from interpreter.cli.arguments import check_seat
from interpreter.cli.output import OK, Output
from interpreter.language.diagnostics import UsageError
from interpreter.rules.documents.search_path import locate_ruleset
from interpreter.rules.loading.load import load_ruleset

_USAGE = (
    "give a ruleset and a clause; or a save or log, with --at N for one entry, --seat SEAT for what a seat may know"
)


def run(arguments: Namespace, output: Output) -> int:
    """Explains a clause of a ruleset or one entry of a recorded game's log; lists the entries of a file alone.

    With `--seat` the log is the one that the seat may read, whose entries have numbers of their own.

    Raises:
        BicorneError: if the ruleset, the clause, the file or the entry is missing or wrong.
    """
    given = (arguments.clause is not None, arguments.at is not None)
    is_file = Path(arguments.target).is_file()
    if all(given) or not (any(given) or is_file) or (arguments.clause is not None and arguments.seat is not None):
        missing = not is_file and locate_ruleset(arguments.target, arguments.path) is None
        raise UsageError(f"there is no ruleset, save or log '{arguments.target}'\n{_USAGE}" if missing else _USAGE)
    if is_file and arguments.at is None and any(given) and locate_ruleset(arguments.target) is None:
        raise UsageError(f"{arguments.target} is not a ruleset\n{_USAGE}")
    from interpreter.workshop.explain.explain import explain_clause, explain_entry  # noqa: PLC0415 - one of several commands

    if not any(given):
        return _list_entries(_recorded_game(arguments), arguments.seat, output)
    if arguments.at is None:
        rules = load_ruleset(arguments.target, arguments.overlays, paths=arguments.path)
        found: Any = explain_clause(rules, arguments.clause, arguments.language)
    else:
        found = explain_entry(_recorded_game(arguments), arguments.at, arguments.seat)
    output.lines(str(found))
    output.document(found.as_json())
    return OK


def _list_entries(game: Any, seat: str | None, output: Output) -> int:
    entries = game.log if seat is None else game.log_of(seat).entries
    for each in entries:
        output.line(str(each))
    output.document([{"number": each.number, "text": each.text, "cites": list(each.cites)} for each in entries])
    return OK


def _recorded_game(arguments: Namespace) -> Any:
    from interpreter.cli.recorded_games import open_game  # noqa: PLC0415 - only for games
    from interpreter.play.records.recording import named_in_errors  # noqa: PLC0415 - as above

    game = open_game(arguments.target, arguments.path, arguments.language, trace=True)
    with named_in_errors(arguments.target):
        check_seat(arguments.seat, game.source.played_seats(game.seats))
    return game
