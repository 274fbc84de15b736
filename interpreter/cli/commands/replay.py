"""`bicorne replay`: verifies every state of recorded games, or replays them under other rules until they diverge."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.cli.open import open_recorded
from interpreter.cli.output import FINDINGS, OK, Output
from interpreter.cli.recorded_games import language_of, make_replayer, read_overlays, read_recording
from interpreter.cli.streams import input_is_terminal, is_terminal
from interpreter.language.diagnostics import RuleFault, UsageError
from interpreter.language.plain_files import check_new
from interpreter.play.engine.source import source_of
from interpreter.play.inputs.dice import ALGORITHM
from interpreter.play.inputs.seeds import commitment
from interpreter.play.records.dice_audit import DiceAudit
from interpreter.play.records.recording import Recording, first_difference, header_of, named_in_errors, resume
from interpreter.play.views.visibility import has_secrets
from interpreter.play.wording import divergence_messages, messages, replay_messages
from interpreter.rules.documents.source_excerpts import relative_place

if TYPE_CHECKING:
    from interpreter.rules.loading.ruleset import Scenario


def run(arguments: Namespace, output: Output) -> int:
    """Replays a file; returns 1 if it diverges from its record. At a terminal it can then be stepped through.

    At a terminal a game that goes on and hides anything is shown as its only person sees it, and not verified. With
    `--to` or `--seat` nothing is verified: a point of the game is shown, or a prompt for the game of that seat.

    For several files, prints how many games are unchanged, how many diverge and where, and how many are refused.

    Raises:
        UsageError: if a single file is not an intact log or save, or its ruleset, scenario or an overlay is missing.
        RulesetError: if its rules have mistakes.
    """
    if len(arguments.files) > 1 or Path(arguments.files[0]).is_dir():
        if arguments.branch or arguments.to is not None or arguments.seat is not None:
            raise UsageError("--branch, --to and --seat concern a single game; give one file")
        from interpreter.cli.commands.replay_many import report  # noqa: PLC0415 - only for several games

        return report(arguments, output)
    if arguments.to is not None:
        if arguments.overlays or arguments.without:
            raise UsageError("--to shows a point of the game as it was played; leave --with and --without out")
        from interpreter.cli.commands.replay_steps import show_point  # noqa: PLC0415 - only for one point

        return show_point(arguments, output)
    file = arguments.files[0]
    recording = read_recording(Path(file))
    if arguments.seat is not None:
        return _step_through(recording, arguments, output)
    if arguments.overlays or arguments.without or arguments.branch:
        return _replay_under(file, recording, (), arguments, output)
    header = recording.header
    with named_in_errors(file):
        source = open_recorded(header, arguments.path)
    changes = header.differences(header_of(source, header.seed))
    if not changes:
        language = language_of(header, arguments)
        at_prompt = input_is_terminal() and is_terminal() and not arguments.json
        person = _person(recording) if at_prompt and has_secrets(source_of(source).image) else None
        if person is not None:
            arguments.seat = person
            setting = source_of(source, language)
            kinds = [each.name for each in setting.image.kinds if each.root == "seat"]
            who = setting.wording.seat(person, kinds)
            output.message(setting.wording.say(replay_messages.SEEN_BY_PERSON, who=who), "yellow")
            return _step_through(recording, arguments, output)
        found = _verify(file, recording, source, language, output)
        return _step_through(recording, arguments, output) if at_prompt and found == OK else found
    for each in changes:
        output.note(f"different from when the game was played: {each}")
    return _replay_under(file, recording, changes, arguments, output)


def _step_through(recording: Recording, arguments: Namespace, output: Output) -> int:
    from interpreter.cli.commands.replay_steps import step_through  # noqa: PLC0415 - only at a prompt

    return step_through(recording, arguments, output)


def _person(recording: Recording) -> str | None:
    """Returns the seat of the only person in a game that goes on; its seed and the other hands are not for it."""
    seating = recording.header.seating
    if recording.result is not None or seating is None:
        return None
    people = [seat for seat, player in seating.players.items() if player == "human"]
    return people[0] if len(people) == 1 else None


# ---------------------------------------------------------------- the same rules
def _verify(file: str, recording: Recording, source: Scenario, language: str, output: Output) -> int:
    """Compares every state with the record, and the dice with their seed."""
    header = recording.header
    audit = DiceAudit(header.seed)
    is_audited = header.algorithm == ALGORITHM
    setting = source_of(source, language)
    say = setting.wording.say
    try:
        game = resume(recording, setting, force=True, checked=True, observers=(audit,) if is_audited else ())
        mismatch, state = first_difference(recording, game) or audit.difference, game.hash()
    except (RuleFault, UsageError) as error:
        mismatch, state = say(divergence_messages.NO_REPLAY, problem=_text_of(error)), None
    if mismatch is None:
        steps = len(recording.steps)
        output.line(say(replay_messages.VERIFIED, file=file, steps=steps), "green")
        output.line(say(messages.STATE, state=state))
        output.line(say(replay_messages.SEED_OF_DICE, seed=header.seed))
        output.line(say(replay_messages.COMMITMENT_OF_SEED, commitment=commitment(header.seed)))
        if is_audited:
            output.line(say(replay_messages.DICE_OF_SEED, count=f"{audit.compared:,}"))
        else:
            output.line(say(replay_messages.DICE_NOT_COMPARED, algorithm=header.algorithm))
    else:
        output.line(say(divergence_messages.MISMATCH, file=file, mismatch=mismatch), "red")
    dice = {"commitment": commitment(header.seed), "dice_compared": audit.compared if is_audited else None}
    output.document({**_data(file, recording, mismatch), "changes": [], "state": state, **dice})
    return OK if mismatch is None else FINDINGS


def _text_of(error: RuleFault | UsageError) -> str:
    if isinstance(error, UsageError):
        return str(error)
    return f"{error.diagnostic.message} ({relative_place(error.diagnostic.place)})"


# ---------------------------------------------------------------- other rules
def _replay_under(file: str, recording: Recording, changes: Sequence[str], arguments: Namespace, output: Output) -> int:
    from interpreter.cli.divergence_text import (  # noqa: PLC0415 - only for other rules
        print_changed_options,
        print_divergence,
    )
    from interpreter.workshop.impact.replay_under import branch  # noqa: PLC0415 - as above

    if arguments.branch:
        check_new(Path(arguments.branch))
    language = language_of(recording.header, arguments)
    replayer = make_replayer(read_overlays(arguments), arguments.without, arguments.path, language)
    with named_in_errors(file):
        found = replayer.replay(recording)
    assert found.game is not None
    say = found.game.source.wording.say
    if found.divergence is None:
        message = divergence_messages.ALL_AS_RECORDED
        output.line(say(message, file=file, steps=found.steps, inputs=found.inputs), "green")
        print_changed_options(found.changed_options, say, output)
    else:
        print_divergence(file, found, output)
    if arguments.branch:
        branch(found.game, recording, arguments.branch)
        output.line(say(divergence_messages.CONTINUE_UNDER, path=arguments.branch))
    mismatch = None if found.divergence is None else found.divergence.text(language)
    more = {"changes": list(changes), "state": None if mismatch else found.game.hash(), "branch": arguments.branch}
    output.document({**_data(file, recording, mismatch), **more, **found.as_json()})
    return OK if found.divergence is None else FINDINGS


def _data(file: str, recording: Recording, mismatch: str | None) -> dict[str, Any]:
    header = recording.header.data()
    rules = header.pop("rules", {"overlays": []})
    return {
        "ok": mismatch is None,
        "file": file,
        "header": {**header, "overlays": [each["id"] for each in rules["overlays"]]},
        "steps": len(recording.steps),
        "mismatch": mismatch,
        "result": recording.result,
    }
