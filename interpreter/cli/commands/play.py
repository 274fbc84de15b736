"""`bicorne play` and `bicorne resume`: a game at the terminal, with human or computer players."""

from __future__ import annotations

import os
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.cli.arguments import read_options, read_pairs, read_seed
from interpreter.cli.live_game import Autosave, LiveGame, StopReason
from interpreter.cli.open import open_recorded, open_scenario
from interpreter.cli.output import FINDINGS, OK, Output
from interpreter.cli.recorded_games import language_of
from interpreter.cli.streams import input_is_terminal, is_terminal
from interpreter.console.narration import cite_suffix
from interpreter.console.standing_text import briefing_lines, result_text, standing_lines
from interpreter.language.diagnostics import BicorneError, Place, UsageError
from interpreter.language.plain_files import check_writable
from interpreter.language.visible_text import visible_line
from interpreter.play.engine.source import GameSource, source_of
from interpreter.play.inputs.inputs import ANSWER
from interpreter.play.inputs.seeds import commitment, new_seed
from interpreter.play.records.recording import Header, OtherRulesError, RecordedGame, named_in_errors
from interpreter.play.records.save import SNAPSHOT_EVERY, Save
from interpreter.play.records.seating import Seating
from interpreter.play.wording import messages
from interpreter.play.wording.message import Message
from interpreter.players.player import Player
from interpreter.players.registry import AUTOMATIC, automatic_player, check_recorded_player, parse_player, trees_of
from interpreter.rules.documents.overlay_files import overlay_id, overlay_paths
from interpreter.rules.documents.own_folder import document_start
from interpreter.rules.loading.ruleset import Scenario, text_in

if TYPE_CHECKING:
    from interpreter.play.records.logfile import LogFile
    from interpreter.players.search import TreeHelper

Maker = Callable[[LiveGame], Player]
PLAYER_TYPES = ("human", *AUTOMATIC)


def play(arguments: Namespace, output: Output) -> int:
    """Plays a scenario from its beginning.

    Raises:
        BicorneError: if there is no such scenario, it has mistakes, or a file can't be written.
    """
    _check_new_file(arguments.save, "resume")
    _check_new_file(arguments.log, "replay")
    if arguments.save and arguments.log and Path(arguments.save).resolve() == Path(arguments.log).resolve():
        raise UsageError(f"--save and --log both name {arguments.save}; give each a file of its own")
    scenario = open_scenario(arguments.scenario, read_options(arguments.option), arguments.path, arguments.overlays)
    seed = new_seed() if arguments.seed is None else read_seed(arguments.seed)
    setting = source_of(scenario, arguments.language)
    game = RecordedGame(setting, seed, trace=not arguments.quiet, snapshot_every=SNAPSHOT_EVERY, checked=True)
    with _search_helpers(arguments, game) as helpers:
        players = _make_players(arguments, game, output, helpers)
        game.seating = Seating(dict(_players_by_seat(arguments.seat, game)), arguments.language)
        save = Save.create(arguments.save, game) if arguments.save else None
        live = _live_game(game, players, save, arguments, output)
        message = messages.TITLE if live.seed_is_secret else messages.SEED
        _print_title(_title_line(message, game, scenario.ruleset.version, seed=seed), live, arguments, output)
        return _play_live(live, arguments, output)


def resume(arguments: Namespace, output: Output) -> int:
    """Continues a saved game under its recorded rules and overlays; returns 1 if the rules are different now.

    Raises:
        BicorneError: if the file is not an intact save, another session has it, or its ruleset is missing or wrong.
    """
    with Save.open(arguments.file) as save:
        save.lock()
        header = save.header
        with named_in_errors(save.path):
            source = open_recorded(header, arguments.path, arguments.overlays or None)
        try:
            setting = source_of(source, language_of(header, arguments))
            game = _resumed(save, setting, trace=not arguments.quiet)
            _check_seating(save, game, arguments)
        except OtherRulesError as changed:
            _print_rule_changes(save, changed, source, output)
            return FINDINGS
        with _search_helpers(arguments, game) as helpers:
            players = _make_players(arguments, game, output, helpers)
            _note_changed_overlays(header, source.ruleset.folder, arguments.path, output)
            live = _live_game(game, players, save, arguments, output)
            title = _title_line(messages.AFTER_STEPS, game, header.version, count=len(game.finished))
            _print_title(title, live, arguments, output)
            live.recap()
            return _play_live(live, arguments, output)


def _resumed(save: Save, setting: GameSource, *, trace: bool) -> RecordedGame:
    try:
        return save.resume(setting, trace=trace, checked=True)
    except OtherRulesError:
        raise
    except UsageError as error:
        raise UsageError(
            f"{error}\n'bicorne replay {save.path}' shows where the game diverges under the present rules;"
            "\nif its ruleset is in another folder, give that folder with --path"
        ) from error


def _print_rule_changes(save: Save, changed: OtherRulesError, source: Scenario, output: Output) -> None:
    """Prints why a game can't continue under other rules: each difference, with its place in the present rules."""
    places = [_where(each, source) for each in changed.differences]
    output.message(f"{save.path} was played under other rules and is not changed; the differences are", "red")
    for each, place in zip(changed.differences, places, strict=True):
        output.message(f"  {each}{f', {place}' if place else ''}")
    output.message(
        f"'bicorne replay {save.path}' shows where the game diverges under the present rules, and with '--branch FILE'"
        "\ncontinues it under them; if its ruleset is in another folder, give that folder with --path"
    )
    output.document(
        {"ok": False, "error": "the rules are others", "differences": list(changed.differences), "places": places}
    )


def _where(difference: str, source: Scenario) -> str | None:
    """Returns the place in the present rules of a difference that begins with its path; none if it has no place."""
    from interpreter.rules.overlays.patch.expectation import place_of_target  # noqa: PLC0415 - as above
    from interpreter.rules.overlays.path.resolve_path import PathNotFoundError, find  # noqa: PLC0415 - reads YAML
    from interpreter.workshop.report_data import source_text  # noqa: PLC0415 - as above

    if difference.startswith("the set-up of the scenario"):
        return source_text(Place(str(source.path)))
    path, _, what = difference.partition(" ")
    if "/" not in path and what not in ("has changed", "is new"):
        return None
    try:
        return source_text(place_of_target(find(source.ruleset.documents, tuple(path.split("/")))))
    except PathNotFoundError:
        return None


def _note_changed_overlays(header: Header, ruleset: Path, paths: Sequence[str], output: Output) -> None:
    """Notes overlays, found by name, that changed since the game began; the game keeps its own in its save."""
    recorded = {} if header.rules is None else {each.id: each.text.encode() for each in header.rules.overlays}
    for path in overlay_paths(ruleset, paths) if recorded else ():
        if (name := overlay_id(path)) in recorded and _content(path) not in (None, recorded[name]):
            output.note(
                f"the overlay '{name}' ({path}) has changed since; this game goes on with the one that it began with"
            )


def _content(path: Path) -> bytes | None:
    try:
        return document_start(path)
    except BicorneError:
        return None  # not what the game began with, nor a later version of it


def _title_line(message: Message, game: RecordedGame, version: str, **values: Any) -> str:
    """Returns the first line of a live game."""
    words, scenario = game.source.wording, game.source.scenario
    title = text_in(scenario.info.get("title"), words.language) or scenario.title
    return words.say(message, title=title, name=scenario.name, version=version, **values)


def _check_new_file(file: str | None, command: str) -> None:
    """Checks before the game that its file is new and can be written."""
    if file is not None:
        check_writable(Path(file))
        if os.path.lexists(file):
            raise UsageError(f"{file} exists; 'bicorne {command} {file}' reads it, or choose another path")


def _make_players(
    arguments: Namespace, game: RecordedGame, output: Output, helpers: Sequence[TreeHelper]
) -> dict[str, Maker]:
    """Returns the players; called before any file is created, so that a misspelt seat leaves no file behind."""
    players = read_players(arguments.seat, game, helpers)
    if output.json and any(each == "human" for each in _players_by_seat(arguments.seat, game).values()):
        raise UsageError("a human can't play with --json; give every seat another player, such as random")
    return players


def _live_game(
    game: RecordedGame, players: dict[str, Maker], save: Save | None, arguments: Namespace, output: Output
) -> LiveGame:
    return LiveGame(game, players, Autosave(save, arguments.path), output, quiet=arguments.quiet)


def _print_title(title: str, live: LiveGame, arguments: Namespace, output: Output) -> None:
    """Prints the title, the commitment to a secret seed, and what is played for.

    Where people hide things from each other, what an earlier session showed them is removed from the screen first.
    """
    if live.changes_seats:
        live.console.clear()
    if not arguments.quiet:
        live.console.say(visible_line(title), "bold")
    if live.seed_is_secret and (live.has_people or not arguments.quiet):
        committed = commitment(live.game.seed)
        live.console.say(live.game.source.wording.say(messages.COMMITMENT, commitment=committed))
        output.json_line({"commitment": committed})
    if not arguments.quiet:
        live.console.say("\n".join(briefing_lines(live.game, live.viewer)))


def _play_live(live: LiveGame, arguments: Namespace, output: Output) -> int:
    game = live.game
    with closing(live.autosave), _open_log(arguments.log, game) if arguments.log else nullcontext() as log:
        try:
            stop = live.play(arguments.turns)
        finally:
            if log is not None:
                log.write(game)
    _print_end(live, stop, arguments, output)
    return OK


def _open_log(path: str, game: RecordedGame) -> LogFile:
    from interpreter.play.records.logfile import LogFile  # noqa: PLC0415 - only with --log

    return LogFile.open(path, game)


# ---------------------------------------------------------------- players
def _search_helpers(arguments: Namespace, game: RecordedGame) -> AbstractContextManager[Sequence[TreeHelper]]:
    """Returns the processes that search with the players of a game, one for each further core that they can use."""
    trees = max([trees_of(each) for each in _players_by_seat(arguments.seat, game).values()], default=0)
    if trees < 2:
        return nullcontext(())
    from interpreter.simulation.processes import default_workers  # noqa: PLC0415 - not every game has such a player
    from interpreter.simulation.tree_workers import tree_workers  # noqa: PLC0415

    workers = min(trees, default_workers()) - 1
    return tree_workers(game.source, workers) if workers > 0 else nullcontext(())


def read_players(
    given_players: Sequence[str], game: RecordedGame, helpers: Sequence[TreeHelper] = ()
) -> dict[str, Maker]:
    """Returns the player of each seat: as given, else as recorded, else a human at a terminal, else a random player.

    Raises:
        UsageError: for an unknown seat or player.
    """
    decisions_made = Counter(str(each[3]) for each in game.history if each[0] == ANSWER)
    return {
        seat: _player_maker(word, game.seed, seat, decisions_made[seat], helpers)
        for seat, word in _players_by_seat(given_players, game).items()
    }


def _players_by_seat(given_players: Sequence[str], game: RecordedGame) -> Mapping[str, str]:
    given = read_pairs(given_players, "--seat", game.source.played_seats(game.seats))
    seating = {} if game.seating is None else game.seating.players
    recorded = {seat: player for seat, player in seating.items() if seat in game.seats}
    has_terminal = input_is_terminal() and is_terminal() and "human" not in given.values()
    people = game.source.played_seats(game.seats) if has_terminal else ()
    default = {seat: "human" if seat in people else "random" for seat in game.seats}
    return default | recorded | given


def _check_seating(save: Save, game: RecordedGame, arguments: Namespace) -> None:
    """Checks the players that a save names, for the seats to which the command line gives no other.

    Raises:
        UsageError: for a player that there is not, or that may not end, or a seat that the game does not have.
    """
    with named_in_errors(save.path):
        given = read_pairs(arguments.seat, "--seat", game.source.played_seats(game.seats))
        seating = {} if game.seating is None else game.seating.players
        for seat, player in seating.items():
            if seat in game.seats and seat not in given:
                try:
                    check_recorded_player(player, PLAYER_TYPES)
                except UsageError as error:
                    advice = f"name another player, as with --seat {seat}=random"
                    raise UsageError(f"in its header: {error}\n{advice}") from error


def _player_maker(word: str, seed: int | str, seat: str, decisions_made: int, helpers: Sequence[TreeHelper]) -> Maker:
    sort, _ = parse_player(word, PLAYER_TYPES)
    if sort == "human":
        from interpreter.console.human import HumanPlayer  # noqa: PLC0415 - only where a person plays

        return lambda live: HumanPlayer(
            seat,
            live.console,
            live.autosave.save,
            live.console.room,
            live.can_agree,
            live.is_saved,
            live.console.waiting,
        )
    player = automatic_player(word, seed, seat, decisions_made, helpers)
    return lambda _table: player


# ---------------------------------------------------------------- the end
def _step_name(game: RecordedGame) -> str:
    """Returns the name of the open step, without those around it."""
    return game.source.wording.word(str(game.step_path).rpartition("/")[2])


def _print_end(live: LiveGame, stop: StopReason, arguments: Namespace, output: Output) -> None:
    game, autosave = live.game, live.autosave
    result, say = game.result, game.source.wording.say
    if result is not None:
        text = say(messages.RESULT, result=result_text(game), count=len(game.finished))
        output.line(text + cite_suffix(result.cites), "bold green")
        if not arguments.quiet and game.standing():
            live.console.say("\n".join(standing_lines(game, None)))
    elif game.decision is not None and stop.reason == "turns":
        output.line(say(messages.NOT_OVER_AFTER, count=arguments.turns, step=_step_name(game)), "bold")
    elif game.decision is not None:
        output.line(say(messages.NOT_OVER, step=_step_name(game)), "bold")
    if live.hides_state:
        viewer = next((each for each in game.core.seats if each.id == live.viewer), None)
        who = say(messages.EVERYBODY) if viewer is None else game.source.wording.of(viewer)
        output.line(say(messages.VIEW_OF, who=who, digest=game.view_hash(live.viewer)))
    else:
        output.line(say(messages.STATE, state=game.hash()))
    if live.seed_is_secret and result is not None:
        output.line(say(messages.SEED_REVEALED, seed=game.seed, commitment=commitment(game.seed)))
    if autosave.path is not None and result is None:
        output.verbatim(say(messages.CONTINUE_LATER, command=autosave.resume_command(autosave.path)))
    output.json_line({"end": _end_data(live, stop)})


def _end_data(live: LiveGame, stop: StopReason) -> dict[str, Any]:
    game, autosave = live.game, live.autosave
    result = game.result
    return {
        "over": result is not None,
        "winners": None if result is None else list(result.winners),
        "standing": [each.as_data() for each in game.standing(live.viewer)],
        "reason": None if result is None else result.reason,
        "cites": [] if result is None else list(result.cites),
        "steps": len(game.finished),
        "decisions": sum(each[0] == ANSWER for each in game.history),
        "stopped": stop.reason,
        "seed": None if live.seed_is_secret and result is None else game.seed,
        "commitment": commitment(game.seed),
        "state": None if live.hides_state else game.hash(),
        "view": game.view_hash(live.viewer),
        "save": None if autosave.path is None else str(autosave.path),
    }
