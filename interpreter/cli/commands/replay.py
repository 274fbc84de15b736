"""`bicorne replay`: recorded games read again, every state verified, or under other rules up to where they part."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.cli.open import open_recorded
from interpreter.cli.output import FINDINGS, OK, Output
from interpreter.cli.recorded_games import make_rereader, open_laid, read_recording
from interpreter.language.diagnostics import RuleFault, UsageError
from interpreter.play.records.recording import Recording, first_difference, header_of, resume

if TYPE_CHECKING:
    from interpreter.rules.loading.ruleset import Scenario


def run(arguments: Namespace, output: Output) -> int:
    """Replays a file; 1 if it comes to another state than the one recorded, or parts from it under other rules.

    Several files are a report of how many games stay the same, how many part and where, and how many are refused.

    Raises:
        UsageError: if a single file is no whole log or save, or its ruleset, scenario or an overlay is not here.
        RulesetError: if its rules are not sound.
    """
    if len(arguments.files) > 1 or Path(arguments.files[0]).is_dir():
        if arguments.branch:
            raise UsageError("--branch takes up a single game: give one file")
        from interpreter.cli.commands.replay_many import report  # noqa: PLC0415 - only for several games

        return report(arguments, output)
    file = arguments.files[0]
    recording = read_recording(Path(file))
    if arguments.overlays or arguments.without or arguments.branch:
        return _reread(file, recording, (), arguments, output)
    header = recording.header
    source = open_recorded(header, arguments.path)
    changes = header.differences(header_of(source, header.seed))
    if not changes:
        return _verify(file, recording, source, output)
    for each in changes:
        output.person(f"note: other than when it was played: {each}", "yellow")
    return _reread(file, recording, changes, arguments, output)


# ---------------------------------------------------------------- the same rules
def _verify(file: str, recording: Recording, source: Scenario, output: Output) -> int:
    """Whether every state is the one recorded."""
    try:
        game = resume(recording, source, force=True, checked=True)
        mismatch, state = first_difference(recording, game), game.hash()
    except RuleFault as fault:
        mismatch = f"the game can't be played again: {fault.diagnostic.message} ({fault.diagnostic.place})"
        state = None
    if mismatch is None:
        output.line(f"{file}: {len(recording.steps)} steps replayed, every state is as recorded", "green")
        output.line(f"State: {state}")
    else:
        output.line(f"{file}: {mismatch}", "red")
    output.document({**_data(file, recording, mismatch), "changes": [], "state": state})
    return OK if mismatch is None else FINDINGS


# ---------------------------------------------------------------- other rules
def _reread(file: str, recording: Recording, changes: Sequence[str], arguments: Namespace, output: Output) -> int:
    from interpreter.cli.divergence_text import say_offers, say_parting, so_far  # noqa: PLC0415 - only for other rules
    from interpreter.workshop.impact.replay_under import branch  # noqa: PLC0415 - as above

    if arguments.branch and Path(arguments.branch).exists():
        raise UsageError(f"{arguments.branch} is there already; name another file")
    found = make_rereader(open_laid(arguments), arguments.without, arguments.path).reread(recording)
    if found.parting is None:
        output.line(f"{file}: {so_far(found)}, all as recorded under these rules", "green")
        say_offers(found.offers, output)
    else:
        say_parting(file, found, output)
    assert found.game is not None
    if arguments.branch:
        branch(found.game, recording, arguments.branch)
        output.line(f"'bicorne resume {arguments.branch}' takes the game up there under the new rules")
    mismatch = None if found.parting is None else str(found.parting)
    told = {"changes": list(changes), "state": None if mismatch else found.game.hash(), "branch": arguments.branch}
    output.document({**_data(file, recording, mismatch), **told, **found.as_json()})
    return OK if found.parting is None else FINDINGS


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
