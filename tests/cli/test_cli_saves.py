"""Saves and logs at the command line: a session owns its files, a copy is a copy, no other game is overwritten."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from processes import started

from interpreter.language.diagnostics import UsageError
from interpreter.play.records.logfile import read_log
from interpreter.play.records.recording import RecordedGame
from interpreter.play.records.save import Save
from interpreter.play.records.save_reader import read_save
from interpreter.play.records.seating import Seating
from interpreter.rules.loading.load import load_scenario

Bicorne = Callable[..., Any]
TESTS = Path(__file__).resolve().parent.parent
HUMAN = ("--seat", "ann=human")


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str | Path) -> None:
    """Puts lines on standard input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join([f"{each}\n" for each in lines])))


def answers(path: Path) -> int:
    """Returns the number of answers of the person in a save or log."""
    recording = read_log(path) if path.suffix == ".log" else read_save(path).recording
    return sum(each[0] == "a" and each[3] == "ann" for each in recording.inputs)


# ---------------------------------------------------------------- two sessions
def test_second_session_learns_who_has_the_save(tmp_path: Path, bicorne: Bicorne) -> None:
    """A save that is being played is read but not resumed; the first session goes on and loses nothing."""
    save = tmp_path / "a.save"
    command = [sys.executable, "-m", "interpreter", "play", "craps/standard", "--seed", "1", *HUMAN]
    environment = {**os.environ, "BICORNE_PATH": str(TESTS), "PYTHONUNBUFFERED": "1"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    seen = b""
    with started([*command, "--save", save], cwd=TESTS.parent, env=environment, **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for count in range(1, 4):
            while seen.count(b"?] ") < count:
                data = os.read(process.stdout.fileno(), 4096)
                assert data, seen
                seen += data
            assert answers(save) == count - 1
            refused = bicorne("resume", save, "--quiet")
            assert refused.code == 2
            assert re.search(rf"is in use by another session \(process {process.pid}, since 20[^)]+\)", refused.err)
            assert bicorne("replay", save).code == 0
            process.stdin.write(b"1\n")
            process.stdin.flush()
        process.communicate(b"quit\n")
    assert process.returncode == 0
    assert answers(save) == 3
    assert bicorne("resume", save, "--quiet").code == 0


# ---------------------------------------------------------------- copies
def test_save_with_a_name_makes_a_copy(bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """'save FILE' leaves a copy as the game is then; the game goes on in its own file."""
    save, copy = tmp_path / "a.save", tmp_path / "before_battle"
    typed(monkeypatch, "1", f"save {copy}", "1", "save", f"save {save}", "1")
    ran = bicorne("play", "craps/standard", "--seed", "2", *HUMAN, "--save", save)
    assert f"a copy of the game as it is now is in {copy}; continue the copy with 'bicorne resume {copy}'" in ran.out
    assert ran.out.count(f"saved to {save}") == 2
    assert f"continue later with 'bicorne resume {save}'" in ran.out
    assert (answers(copy), answers(save)) == (1, 3)
    assert bicorne("resume", copy, "--quiet").code == 0


def test_copy_of_a_game_without_a_file_stays_as_it_is(
    bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without --save a copy is a copy too, which the game says; the same name again makes it newer."""
    first, second = tmp_path / "first", tmp_path / "second"
    typed(monkeypatch, "save", "1", f"save {first}", f"save {second}", "1", f"save {second}", "1")
    ran = bicorne("play", "craps/standard", "--seed", "1", *HUMAN)
    assert "this game is not being saved; type 'save FILE' for a copy of it" in ran.out
    assert ran.out.count("what follows is not saved") == 3
    assert (answers(first), answers(second)) == (1, 2)


def test_copy_replaces_no_other_course(bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A copy is refused where it would overwrite another game, a later state of this one, or a file of its owner."""
    later, other, letter = tmp_path / "later", tmp_path / "other", tmp_path / "letter"
    letter.write_text("dear reader")
    for seed, file in ((1, later), (2, other)):
        typed(monkeypatch, "1", "1", "1")
        assert bicorne("play", "craps/standard", "--seed", seed, *HUMAN, "--save", file).code == 0
    files = later, other, letter
    before = [each.read_bytes() for each in files]
    typed(monkeypatch, "1", *[f"save {each}" for each in files], "1")
    ran = bicorne("play", "craps/standard", "--seed", "1", *HUMAN)
    assert ran.code == 0
    assert "another course of this game" in ran.out
    assert "is the save of another game; it differs in seed" in ran.out
    assert "is not a Bicorne save" in ran.out
    assert [each.read_bytes() for each in files] == before


# ---------------------------------------------------------------- logs
def test_resumed_game_does_not_overwrite_the_log_of_another(bicorne: Bicorne, tmp_path: Path) -> None:
    """'resume --log' refuses the log of another game before anything is played; its own log it continues."""
    save, mine, other = tmp_path / "a.save", tmp_path / "a.log", tmp_path / "b.log"
    for seed, log, more in ((1, mine, ("--save", save)), (2, other, ())):
        assert bicorne("play", "craps/standard", "--seed", seed, "--turns", "1", "--log", log, *more).code == 0
    before = save.read_bytes(), other.read_bytes()
    ran = bicorne("resume", save, "--log", other, "--quiet")
    assert ran.code == 2
    assert "is the file of another game; it differs in seed (recorded: 2, here: 1)" in ran.err
    assert f"{other} exists and is not overwritten; choose another path" in ran.err
    assert (save.read_bytes(), other.read_bytes()) == before
    assert bicorne("resume", save, "--log", mine, "--quiet").code == 0
    assert read_log(mine).inputs == read_save(save).recording.inputs


def test_resumed_game_does_not_overwrite_a_later_log(bicorne: Bicorne, tmp_path: Path) -> None:
    """The log of a later state of the same game is not overwritten."""
    save, log = tmp_path / "a.save", tmp_path / "a.log"
    assert bicorne("play", "craps/standard", "--seed", "1", "--quiet", "--log", log).code == 0
    assert bicorne("play", "craps/standard", "--seed", "1", "--quiet", "--turns", "1", "--save", save).code == 0
    before = log.read_bytes()
    ran = bicorne("resume", save, "--log", log, "--turns", "1", "--quiet")
    assert (ran.code, "another course of this game" in ran.err) == (2, True)
    assert log.read_bytes() == before


def test_log_has_the_first_state_while_the_game_is_played(
    bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The log is there when the game begins, so that nobody else takes its name, and is complete when it ends."""
    log, seen = tmp_path / "a.log", []

    class Lines(io.StringIO):
        def readline(self, *_: Any) -> str:
            seen.append(read_log(log).inputs)
            return super().readline()

    monkeypatch.setattr(sys, "stdin", Lines("1\n1\n"))
    assert bicorne("play", "craps/standard", "--seed", "1", *HUMAN, "--log", log).code == 0
    assert seen == [()] * 3
    assert answers(log) == 2


def test_save_and_log_are_two_files(bicorne: Bicorne, tmp_path: Path) -> None:
    """One name for both is wrong usage, and nothing is created."""
    ran = bicorne("play", "craps/standard", "--save", tmp_path / "a", "--log", tmp_path / "a")
    assert (ran.code, "give each a file of its own" in ran.err) == (2, True)
    assert not list(tmp_path.iterdir())


# ---------------------------------------------------------------- the table
def test_resumed_game_keeps_its_players_and_its_language(
    bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A save knows who plays each seat and in which language; what the command line gives comes first."""
    save = tmp_path / "a.save"
    typed(monkeypatch, "1", "quit")
    began = bicorne("play", "craps/standard", "--seed", "1", *HUMAN, "--language", "ja", "--save", save)
    assert began.code == 0
    seating = read_save(save).recording.header.seating
    assert seating is not None
    assert (seating.players["ann"], seating.language) == ("human", "ja")
    typed(monkeypatch, "quit")
    again = bicorne("resume", save)
    assert (again.code, "再開：bicorne resume" in again.out) == (0, True)
    ended = bicorne("resume", save, "--seat", "ann=random", "--language", "en")
    assert (ended.code, "Result: " in ended.out) == (0, True)


def test_a_seating_of_strangers_is_checked(tmp_path: Path) -> None:
    """The seating in a header has exactly its two parts, of short texts; a language without messages is no error."""
    good = {"players": {"ann": "human"}, "language": "xx"}
    assert Seating.from_data(good).data() == good
    for bad in (
        None, {}, {"players": {}}, {**good, "more": 1}, {**good, "players": ["ann"]}, {**good, "language": 1},
        {**good, "players": {"ann": None}}, {**good, "players": {"ann": "x" * 65}},
        {**good, "players": {str(number): "human" for number in range(65)}},
    ):  # fmt: skip
        with pytest.raises(UsageError, match="seating"):
            Seating.from_data(bad)


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("search:10000", None),
        ("search:10001", "at most 10,000 trials or 60 seconds"),
        ("search:60s", None),
        ("search:60.1s", "at most 10,000 trials or 60 seconds"),
        ("search:infs", "a search's budget is"),
        ("search:1e999s", "a search's budget is"),
        ("search:nans", "a search's budget is"),
        ("search:-1s", "a search's budget is"),
        ("greedy:1", "takes no budget"),
        ("x\u202e", "no player 'x\\u202e'"),
    ],
)
def test_players_in_the_save_of_a_stranger_end(
    word: str, said: str | None, bicorne: Bicorne, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A recorded player may think as long as a person waits, and no longer; the command line names another one."""
    monkeypatch.setattr("interpreter.players.search.SearchPlayer.choose", lambda *_: 0)
    save = tmp_path / "a.save"
    game = RecordedGame(load_scenario("craps/standard"), 1)
    game.seating = Seating({"ann": "random", "bob": word}, "en")
    Save.create(save, game).close()
    ran = bicorne("resume", save, "--turns", "1")
    if said is None:
        assert ran.code == 0, ran
    else:
        assert (ran.code, said in ran.err, "--seat bob=random" in ran.err) == (2, True, True), ran
    assert bicorne("resume", save, "--turns", "1", "--seat", "bob=random").code == 0


def test_odds_of_slow_options_are_left_out(bicorne: Bicorne, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the time for the odds of a saved game is spent, the first option without odds is named; one may be asked."""
    save = tmp_path / "a.save"
    game = RecordedGame(load_scenario("breakthrough/standard"), 1)
    Save.create(save, game).close()
    assert game.decision is not None
    monkeypatch.setattr("interpreter.cli.commands.odds_of_game._SECONDS", -1.0)
    first, second, *_ = game.decision.labels
    ran = bicorne("odds", save)
    assert (ran.code, ran.out.splitlines()[0], len(ran.out.splitlines())) == (0, first, 2)
    assert f"'{second}' and what follows would take long" in ran.err


def test_odds_of_a_save_understand_orders(bicorne: Bicorne, tmp_path: Path) -> None:
    """An option of a saved game may be named by its number, and an order by where it leads."""
    save = tmp_path / "a.save"
    game = RecordedGame(load_scenario("breakthrough/standard"), 1)
    Save.create(save, game).close()
    assert game.decision is not None
    assert bicorne("odds", save, "2").out.splitlines()[0] == game.decision.labels[1]
    ran = bicorne("odds", save, "white 9 to a3")
    assert (ran.code, ran.out.splitlines()[1:]) == (0, ["no roll with named outcomes is to be expected on this way"])
    assert ran.out.splitlines()[0].strip().startswith("order: ")
    data = json.loads(bicorne("odds", save, "white 9 to a3", "--json").out)
    assert (data["rolls"], [each["label"] for each in data["order"]["answers"]]) == ([], ["white 9", "a3"])
    assert bicorne("odds", save, "white 9 to nowhere").code == 2


def test_resuming_recaps_what_followed_the_last_decision(
    bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A person who resumes reads what happened since his last decision, and nothing from before it."""
    save = tmp_path / "a.save"
    campaign = ("fin_napoleon/campaign", "--seed", "5", "--seat", "french=human", "--seat", "allied=random")
    typed(monkeypatch, "pass", "quit")
    began = bicorne("play", *campaign, "--save", save)
    after = began.out.partition("France: pass")[2].partition("France: Which activity does")[0]
    happened = [line for line in after.splitlines() if line.startswith("  the allied player:")]
    assert happened
    typed(monkeypatch, "quit")
    lines = bicorne("resume", save).out.splitlines()
    assert set(happened) <= set(lines)
    assert not any("France: pass" in line for line in lines)


def test_quitting_an_unsaved_game_asks(bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The first `quit` of a game that is in no file says so; the next leaves, unless an answer lies between.

    The first `quit` after a copy leaves at once.
    """
    warning = "the game is not saved"
    typed(monkeypatch, "1", "quit", "quit", "1")
    assert bicorne("play", "craps/standard", "--seed", "1", *HUMAN).out.count(warning) == 1
    typed(monkeypatch, "1", "quit", "log", "quit", "1")
    assert bicorne("play", "craps/standard", "--seed", "1", *HUMAN).out.count(warning) == 1
    typed(monkeypatch, "1", "quit", "1", "quit", "quit")
    assert bicorne("play", "craps/standard", "--seed", "1", *HUMAN).out.count(warning) == 2
    typed(monkeypatch, "1", f"save {tmp_path / 'a.save'}", "quit", "1")
    assert warning not in bicorne("play", "craps/standard", "--seed", "1", *HUMAN).out
    typed(monkeypatch, "quit")
    assert warning not in bicorne("play", "craps/standard", "--seed", "1", *HUMAN).out
    typed(monkeypatch, "1", "quit")
    assert warning not in bicorne("play", "craps/standard", *HUMAN, "--save", tmp_path / "b.save").out
