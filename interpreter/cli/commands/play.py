"""`bicorne play` and `bicorne resume`: a game at the terminal, or one that plays itself and is told."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from secrets import randbelow
from typing import Any

from interpreter.cli.arguments import read_options, read_pairs, read_seed
from interpreter.cli.live_game import Autosave, LiveGame, StopReason
from interpreter.cli.open import open_recorded, open_scenario
from interpreter.cli.output import FINDINGS, OK, Output
from interpreter.console.human import HumanPlayer
from interpreter.console.narration import clauses
from interpreter.language.diagnostics import Place, UsageError
from interpreter.play.engine.source import GameSource, source_of
from interpreter.play.inputs.inputs import ANSWER
from interpreter.play.records.logfile import write_log
from interpreter.play.records.recording import Header, OtherRulesError, RecordedGame
from interpreter.play.records.save import SNAPSHOT_EVERY, Save
from interpreter.play.wording import messages as said
from interpreter.play.wording.messages import Message
from interpreter.players.player import Player
from interpreter.players.registry import AUTOMATIC, automatic_player, split_player
from interpreter.rules.loading.ruleset import Scenario, text_in

Maker = Callable[[LiveGame], Player]
SORTS = ("human", *AUTOMATIC)


def play(arguments: Namespace, output: Output) -> int:
    """Plays a scenario from its beginning.

    Raises:
        BicorneError: if there is no such scenario, it isn't sound, or a file can't be written.
    """
    _refuse_existing(arguments.save, "resume")
    _refuse_existing(arguments.log, "replay")
    scenario = open_scenario(arguments.scenario, read_options(arguments.option), arguments.path, arguments.overlays)
    seed = randbelow(2**31) if arguments.seed is None else read_seed(arguments.seed)
    setting = source_of(scenario, arguments.language)
    game = RecordedGame(setting, seed, trace=not arguments.quiet, snapshot_every=SNAPSHOT_EVERY, checked=True)
    players = _seated(arguments, game, output)
    save = Save.create(arguments.save, game.header) if arguments.save else None
    if not arguments.quiet:
        output.line(_titled(said.SEED, game, scenario.ruleset.version, seed=seed), "bold")
    return _at_table(game, players, save, arguments, output, resumed=False)


def resume(arguments: Namespace, output: Output) -> int:
    """Goes on with a saved game under the rules and overlays that it was played under; 1 if the rules are others now.

    Raises:
        BicorneError: if the file is no whole save, or its ruleset isn't here or isn't sound.
    """
    with Save.open(arguments.file) as save:
        header = save.header
        source = open_recorded(header, arguments.path, arguments.overlays or None)
        try:
            game = _resumed(save, source_of(source, arguments.language), trace=not arguments.quiet)
        except OtherRulesError as other:
            _refuse_rules(save, other, source, output)
            return FINDINGS
        players = _seated(arguments, game, output)
        _tell_changed_files(header, output)
        if not arguments.quiet:
            output.line(_titled(said.AFTER_STEPS, game, header.version, count=len(game.finished)), "bold")
        return _at_table(game, players, save, arguments, output, resumed=True)


def _resumed(save: Save, setting: GameSource, *, trace: bool) -> RecordedGame:
    try:
        return save.resume(setting, trace=trace, checked=True)
    except OtherRulesError:
        raise
    except UsageError as error:
        raise UsageError(
            f"{error}\n'bicorne replay {save.path}' says how far it holds under the present rules;"
            "\nif it was played from a folder of its own, name that one by --path"
        ) from error


def _refuse_rules(save: Save, other: OtherRulesError, source: Scenario, output: Output) -> None:
    """A game isn't gone on with under other rules; what is different about them is told, and where it stands here."""
    places = [_where(each, source) for each in other.differences]
    output.person(f"{save.path} was played under other rules and is left as it is; different are", "red")
    for each, place in zip(other.differences, places, strict=True):
        output.person(f"  {each}{f', {place}' if place else ''}")
    output.person(
        f"'bicorne replay {save.path}' says how far it holds under the present rules, and with '--branch FILE' takes"
        "\nit up under them; if it was played from a folder of its own, name that one by --path"
    )
    output.document(
        {"ok": False, "error": "the rules are others", "differences": list(other.differences), "places": places}
    )


def _where(difference: str, source: Scenario) -> str | None:
    """Where what is different, which is told by its path first, stands in the present rules; none for what has none."""
    from interpreter.rules.overlays.patch.expectation import place_of  # noqa: PLC0415 - as above
    from interpreter.rules.overlays.path.resolve_path import LostError, find  # noqa: PLC0415 - reads YAML
    from interpreter.workshop.report_data import place_text  # noqa: PLC0415 - as above

    if difference.startswith("the set-up of the scenario"):
        return place_text(Place(str(source.path)))
    path, _, what = difference.partition(" ")
    if "/" not in path and what not in ("has changed", "is new"):
        return None
    try:
        return place_text(place_of(find(source.ruleset.documents, tuple(path.split("/")))))
    except LostError:
        return None


def _tell_changed_files(header: Header, output: Output) -> None:
    """The overlays come out of the save: says so where their files have changed since."""
    for each in header.overlays:
        try:
            same = not each.path.is_file() or each.path.read_bytes() == each.content
        except OSError:
            same = True
        if not same:
            output.person(
                f"note: {each.path} has changed since; this game goes on under the one it began with", "yellow"
            )


def _titled(saying: Message, game: RecordedGame, version: str, **values: Any) -> str:
    """The line that a game at the table begins with."""
    words, scenario = game.setting.wording, game.setting.scenario
    title = text_in(scenario.info.get("title"), words.language) or scenario.title
    return words.say(saying, title=title, name=scenario.name, version=version, **values)


def _refuse_existing(file: str | None, command: str) -> None:
    """A game is not played for nothing: its file must be new, and must be one that can be written."""
    if file is not None and not Path(file).absolute().parent.is_dir():
        raise UsageError(f"{file} can't be written: there is no folder {Path(file).absolute().parent}")
    if file is not None and Path(file).is_dir():
        raise UsageError(f"{file} is a folder; name a file")
    if file is not None and Path(file).exists():
        raise UsageError(f"{file} is there already; 'bicorne {command} {file}' reads it, or name another file")


def _seated(arguments: Namespace, game: RecordedGame, output: Output) -> dict[str, Maker]:
    """Who plays; read before a file is begun or anything is told, so that a misspelt seat leaves nothing behind."""
    players = read_players(arguments.seat, game)
    if output.json and any(each == "human" for each in _sorts(arguments.seat, game).values()):
        raise UsageError("a person can't play in JSON; give every seat another player, such as random")
    return players


def _at_table(
    game: RecordedGame,
    players: dict[str, Maker],
    save: Save | None,
    arguments: Namespace,
    output: Output,
    *,
    resumed: bool,
) -> int:
    keeper = Autosave(save, arguments.path)
    table = LiveGame(game, players, keeper, output, quiet=arguments.quiet)
    if resumed:
        table.forget_past()
    try:
        stop = table.play(arguments.turns)
    finally:
        if arguments.log:
            write_log(arguments.log, game)
        keeper.close()
    _say_end(game, stop, keeper, arguments, output)
    return OK


# ---------------------------------------------------------------- players
def read_players(written: Sequence[str], game: RecordedGame) -> dict[str, Maker]:
    """Who plays each seat: as written, else a person where one sits at the terminal, else chance.

    Raises:
        UsageError: for a seat or a player that there is not.
    """
    taken = Counter(str(each[3]) for each in game.history if each[0] == ANSWER)
    return {seat: _maker(word, game.seed, seat, taken[seat]) for seat, word in _sorts(written, game).items()}


def _sorts(written: Sequence[str], game: RecordedGame) -> Mapping[str, str]:
    given = read_pairs(written, "--seat", game.seats)
    people = sys.stdin.isatty() and sys.stdout.isatty() and "human" not in given.values()
    return dict.fromkeys(game.seats, "human" if people else "random") | given


def _maker(word: str, seed: int | str, seat: str, taken: int) -> Maker:
    sort, _ = split_player(word, SORTS)
    if sort == "human":
        return lambda table: HumanPlayer(seat, table.console, table.keeper.save, table.console.size)
    player = automatic_player(word, seed, seat, taken)
    return lambda _table: player


# ---------------------------------------------------------------- the end
def _say_end(game: RecordedGame, stop: StopReason, keeper: Autosave, arguments: Namespace, output: Output) -> None:
    result, say = game.result, game.setting.wording.say
    if result is not None:
        told = say(said.RESULT, result=result_text(game), count=len(game.finished))
        output.line(told + clauses(result.cites), "bold green")
    elif game.decision is not None and stop.why == "turns":
        output.line(say(said.NOT_OVER_AFTER, count=arguments.turns, step=game.step_path), "bold")
    elif game.decision is not None:
        output.line(say(said.NOT_OVER, step=game.step_path), "bold")
    output.line(say(said.STATE, state=game.hash()))
    if keeper.path is not None and result is None:
        output.line(say(said.GOES_ON, command=keeper.resuming(keeper.path)))
    output.json_line({"end": _end_data(game, stop, keeper)})


def result_text(game: RecordedGame) -> str:
    """How a game ended, in words."""
    words, result = game.setting.wording, game.result
    assert result is not None
    winners = [words.of(each) for each in game.core.seats if each.id in result.winners]
    won = words.say(said.WON_BY, winners=words.say(said.AND).join(winners))
    outcome = won if winners else words.say(said.NOBODY_WON)
    return words.say(said.ENDED, outcome=outcome, reason=words.word(result.reason)) if result.reason else outcome


def _end_data(game: RecordedGame, stop: StopReason, keeper: Autosave) -> dict[str, Any]:
    result = game.result
    return {
        "over": result is not None,
        "winners": None if result is None else list(result.winners),
        "reason": None if result is None else result.reason,
        "cites": [] if result is None else list(result.cites),
        "steps": len(game.finished),
        "decisions": sum(each[0] == ANSWER for each in game.history),
        "stopped": stop.why,
        "seed": game.seed,
        "state": game.hash(),
        "save": None if keeper.path is None else str(keeper.path),
    }
