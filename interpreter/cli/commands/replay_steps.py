"""`bicorne replay` at one point of a recorded game: shown, written as a save, or stepped through at a prompt."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from interpreter.cli.arguments import check_seat
from interpreter.cli.open import open_recorded
from interpreter.cli.output import OK, Output
from interpreter.cli.recorded_games import language_of, read_recording
from interpreter.cli.terminal import Console
from interpreter.console.board import board_text
from interpreter.console.prompt_commands import page_of
from interpreter.console.replay_prompt import ReplayPrompt, go_to
from interpreter.language.plain_files import check_new
from interpreter.play.engine.source import source_of
from interpreter.play.records.recording import OtherRulesError, Recording, header_of, named_in_errors
from interpreter.play.replay.stepper import ReplayStepper
from interpreter.play.wording import replay_messages


def show_point(arguments: Namespace, output: Output) -> int:
    """Shows the point of a game that is named, and writes a save of it if one is wanted.

    Raises:
        UsageError: if there is no such file, point or seat, or the save can't be written.
        OtherRulesError: if the rules have changed since the game was played.
        RuleFault: if the record does not fit the rules.
    """
    file = arguments.files[0]
    if arguments.branch:
        check_new(Path(arguments.branch))
    stepper = _stepper(read_recording(Path(file)), arguments)
    console = Console(output)
    with named_in_errors(file):
        prompt = ReplayPrompt(stepper, console.say, *page_of(console.size()))
        go_to(stepper, arguments.to)
    prompt.show()
    game, seat = stepper.game, stepper.seat
    console.say(board_text(game, seat, page_of(console.size())[0]))
    if arguments.branch:
        stepper.branch(arguments.branch)
        output.line(game.source.wording.say(replay_messages.BRANCHED, path=arguments.branch))
    entries = stepper.entries()
    output.document(
        {
            "file": file,
            "seat": seat,
            "entry": len(entries),
            "entries": prompt.total,
            "turn": stepper.turn,
            "log": [{"number": each.number, "text": each.text, "cites": list(each.cites)} for each in entries],
            "view": game.view(seat),
            "branch": arguments.branch,
        }
    )
    return OK


def step_through(recording: Recording, arguments: Namespace, output: Output) -> int:
    """Lets a person step through a game at the terminal.

    Raises:
        UsageError: if there is no such seat.
        OtherRulesError: if the rules have changed since the game was played.
        RuleFault: if the record does not fit the rules.
    """
    stepper = _stepper(recording, arguments)
    console = Console(output, stepper.game.source.wording)
    ReplayPrompt(stepper, console.say, *page_of(console.size())).run(console)
    return OK


def _stepper(recording: Recording, arguments: Namespace) -> ReplayStepper:
    with named_in_errors(arguments.files[0]):
        return _made_stepper(recording, arguments)


def _made_stepper(recording: Recording, arguments: Namespace) -> ReplayStepper:
    header = recording.header
    source = source_of(open_recorded(header, arguments.path), language_of(header, arguments))
    if differences := header.differences(header_of(source, header.seed)):
        raise OtherRulesError(
            differences,
            f"this is a game of other rules: it differs in {'; '.join(differences)}. Without --to and --seat, "
            "'bicorne replay' shows where it diverges under the present rules; with --branch FILE it is continued "
            "under them",
        )
    stepper = ReplayStepper(recording, source, arguments.seat)
    check_seat(arguments.seat, source.played_seats(stepper.game.seats))
    return stepper
