"""Every mistake in the input is reported in words, with the right exit code and no traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Bicorne = Callable[..., Any]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("check nowhere", "there is no ruleset 'nowhere'"),
        ("check nowhere/at_all", "there is no scenario 'nowhere/at_all'"),
        ("check crabs", "did you mean 'craps'?"),
        ("check craps --path /no/folder", "is not a folder"),
        ("play craps", "name one: craps/long_odds, craps/standard"),
        ("play craps/standrad", "did you mean 'craps/standard'?"),
        ("play craps/standard --seat anna=random", "there is no seat 'anna' in this game"),
        ("play craps/standard --seat ann", "as seat=player"),
        ("play craps/standard --seat ann=greedi", "did you mean 'greedy'?"),
        ("play craps/standard --seat ann=random:5", "takes no budget"),
        ("play craps/standard --seat ann=search:much", "'much'"),
        ("play craps/standard --seat ann=random --seat ann=random", "given twice"),
        ("play craps/standard --option pressing", "expected an option as name=value"),
        ("play craps/standard --option presing=true", "did you mean 'pressing'?"),
        ("play craps/standard --option pressing=perhaps", "'perhaps'"),
        ("play craps/standard --seat ann=human --json", "can't play with --json"),
        ("play craps/standard --option pressing=true --option pressing=false", "given twice; leave one out"),
        ("play craps/standard --seat =random", "as seat=player"),
        ("play craps/standard --save {folder}", "is a folder, not a file"),
        ("play craps/standard --log {folder}", "is a folder, not a file"),
        ("replay {folder}", "no saves or logs in"),
        ("format {folder}", "contains no documents"),
        ("format {latin}", "it is not UTF-8; save it as UTF-8"),
        ("format /no/such", "there is no file /no/such"),
        ("mutate craps/standard", "give only the ruleset: craps"),
        ("resume /no/such.save", "there is no file /no/such.save"),
        ("replay /no/such.log", "there is no file /no/such.log"),
        ("simulate craps/nothing --games 2", "there is no scenario"),
        ("odds craps settel --given {here}", "did you mean 'settle'?"),
        ("odds craps settle --given /no/file.yaml", "/no/file.yaml"),
        ("test craps --only seven", "there is no example 'seven'"),
        ("bench craps/standard --yardstick /no/file.py", "is not a Python file"),
        ("bench --yardstick {here}", "name the one scenario"),
        ("bench craps/standard --odds pass_line", "give both --odds PROCEDURE and --given FILE"),
        ("bench --odds pass_line --given {here}", "name one scenario"),
        ("bench craps/standard --odds pass_line --given {here} --profile", "leave out --profile and --yardstick"),
        ("bench craps/standard --odds pass_line --given {here} --yardstick {here}", "leave out --profile"),
        ("bench craps/standard --odds pass_line --given /no/file.yaml", "there is no file /no/file.yaml"),
        ("explain craps", "a ruleset and a clause"),
        ("explain craps pass.1 --at 3", "a ruleset and a clause"),
        ("explain craps pas.1", "did you mean 'pass.1'?"),
        ("explain /no/such.log --at 3", "there is no file /no/such.log"),
        ("format /no/such.yaml", "there is no file"),
        ("coverage crabs", "did you mean 'craps'?"),
        ("provenance crabs", "did you mean 'craps'?"),
        ("new ruleset 1st", "can't name a ruleset"),
        ("explain /no/such.log", "there is no ruleset, save or log '/no/such.log'"),
        ("explain {here} pass.1", "is not a ruleset"),
        ("new ruleset ../out", "can't name a ruleset"),
    ],
)
def test_wrong_usage(bicorne: Bicorne, tmp_path: Path, arguments: str, said: str) -> None:
    """Unknown names and unreadable files exit with 2 and an error with the nearest known name."""
    here = tmp_path / "given.yaml"
    here.write_text("with: {shooter: ann, goal: 6}\n")
    latin, folder = tmp_path / "latin.yaml", tmp_path / "folder"
    latin.write_bytes(b"with: {shooter: \xe9nn}\n")
    folder.mkdir()
    ran = bicorne(*arguments.format(here=here, latin=latin, folder=folder).split())
    assert ran.code == 2
    assert said in ran.err
    assert "[Errno" not in ran.err
    assert ran.err.startswith("error: ")


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["play"], ["simulate", "craps", "--games", "0"], ["play", "x", "--turns", "many"], []]
)
def test_wrong_arguments(bicorne: Bicorne, arguments: list[str]) -> None:
    """Arguments that the parser refuses exit with 2 and the usage."""
    ran = bicorne(*arguments)
    assert ran.code == 2
    assert "usage: bicorne" in ran.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("chek craps", "bicorne: error: there is no command 'chek'; did you mean 'check'?"),
        (
            "play craps/standard --sead 5",
            "bicorne play: error: unknown argument '--sead 5'; did you mean '--seed'?",
        ),
        ("list craps again", "bicorne list: error: unknown argument 'again'"),
        ("play craps/standard --language de", "--language has no choice 'de'; known here: en, ja"),
        ("new scenario x", "there is no choice 'scenario'; known here: ruleset"),
        (
            "explain a.save --at last",
            "bicorne explain: error: argument --at: expected the number of an entry, not 'last'",
        ),
    ],
)
def test_parser_suggests_the_nearest_word(bicorne: Bicorne, arguments: str, said: str) -> None:
    """The nearest command, argument or choice is suggested, with the usage of the command."""
    ran = bicorne(*arguments.split())
    assert (ran.code, said in ran.err) == (2, True)


def test_empty_argument_is_no_folder(bicorne: Bicorne, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty path, such as an unset variable of the shell, is refused, and does not mean the folder one works in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text("overlay:   {id: mine,   for: craps}\n")
    for arguments in (["format", ""], ["check", ""], ["play", "craps/standard", "--save", ""]):
        ran = bicorne(*arguments)
        assert (ran.code, ran.out) == (2, "")
        assert f"argument {len(arguments)} is empty; give it a value, or leave it out" in ran.err
    assert (tmp_path / "mine.yaml").read_text() == "overlay:   {id: mine,   for: craps}\n"


def test_misspelt_seat_creates_no_file(bicorne: Bicorne, tmp_path: Path) -> None:
    """A game that can't begin writes no save, so that the corrected command is not refused because of it."""
    save = tmp_path / "a.save"
    ran = bicorne("play", "craps/standard", "--seat", "ann=greedi", "--save", save)
    assert (ran.code, ran.out, save.exists()) == (2, "", False)
    assert bicorne("play", "craps/standard", "--seat", "ann=greedy", "--save", save, "--turns", "1").code == 0


def test_seat_that_the_scenario_does_not_seat_is_unknown(bicorne: Bicorne, tmp_path: Path) -> None:
    """Only the seats that a scenario names can be given a player, or see a recorded game."""
    (tmp_path / "scenarios" / "craps").mkdir(parents=True)
    alone = tmp_path / "scenarios" / "craps" / "alone.yaml"
    alone.write_text("scenario: {id: alone, title: Alone, ruleset: craps, versions: '>=1 <2'}\nseats: {ann: Ann}\n")
    log = tmp_path / "a.log"
    assert bicorne("play", alone, "--seat", "ann=random", "--turns", "1", "--log", log).code == 0
    for of_what, *arguments in (
        ("", "play", alone, "--seat", "bob=random"),
        ("", "simulate", alone, "--games", "1", "--seat", "bob=random"),
        (f"{log}: ", "explain", log, "--seat", "bob", "--path", tmp_path),
        (f"{log}: ", "replay", log, "--to", "end", "--seat", "bob", "--path", tmp_path),
    ):
        ran = bicorne(*arguments)
        assert (ran.code, ran.err) == (2, f"error: {of_what}there is no seat 'bob' in this game; known here: ann\n")


def test_misspelt_odds_argument_is_one_error(bicorne: Bicorne, tmp_path: Path) -> None:
    """A misspelt argument is not reported as missing as well."""
    given = tmp_path / "given.yaml"
    given.write_text("with: {shoter: ann, goal: 6}\n")
    ran = bicorne("odds", "craps", "settle", "--given", given)
    assert (ran.code, ran.err.count("error[")) == (1, 1)
    assert "did you mean 'shooter'?" in ran.err


def test_errors_are_printed_as_json(bicorne: Bicorne) -> None:
    """With --json an error is one JSON document on standard output, and words on standard error."""
    ran = bicorne("play", "craps/standrad", "--json")
    assert ran.code == 2
    assert ran.json["ok"] is False
    assert "did you mean" in ran.json["error"]
    assert ran.err.startswith("error: ")


def test_broken_yaml_is_a_finding(bicorne: Bicorne, made: Path) -> None:
    """Every command that reads broken YAML prints its place and exits with 1."""
    (made / "rules.yaml").write_text("tables: {a: [1, 2\nactions: ]\n")
    for arguments in (["check", made], ["play", made], ["test", made], ["simulate", made]):
        ran = bicorne(*arguments)
        assert ran.code == 1, arguments
        assert "rules.yaml:" in ran.out + ran.err
    assert bicorne("play", made, "--json").json["diagnostics"][0]["file"].endswith("rules.yaml")


def test_list_shows_broken_and_sound_rulesets(bicorne: Bicorne, made: Path) -> None:
    """'list' shows a ruleset whose head can't be read with its error, and all other rulesets."""
    (made / "ruleset.yaml").write_text("ruleset: [\n")
    ran = bicorne("list", "--path", made.parent)
    assert ran.code == 0
    assert "can't be read" in ran.out
    assert "craps/standard" in ran.out


def test_check_refuses_files_outside_rulesets(bicorne: Bicorne, tmp_path: Path) -> None:
    """A folder or file that belongs to no ruleset is wrong usage."""
    (tmp_path / "note.txt").write_text("hello")
    assert "contains no ruleset" in bicorne("check", tmp_path).err
    ran = bicorne("check", tmp_path / "note.txt")
    assert (ran.code, "belongs to no ruleset" in ran.err) == (2, True)


def test_new_refuses_an_existing_folder(bicorne: Bicorne, made: Path) -> None:
    """'new' never writes into a folder that exists."""
    before = (made / "rules.yaml").read_bytes()
    ran = bicorne("new", "ruleset", made.name, "--into", made.parent)
    assert (ran.code, "exists already" in ran.err) == (2, True)
    assert (made / "rules.yaml").read_bytes() == before


def test_play_refuses_existing_files(bicorne: Bicorne, tmp_path: Path) -> None:
    """'play' overwrites no save or log, and names the command that reads the file."""
    there = tmp_path / "there"
    there.write_text("precious")
    for flag, command in (("--save", "resume"), ("--log", "replay")):
        ran = bicorne("play", "craps/standard", flag, there)
        assert (ran.code, f"bicorne {command}" in ran.err) == (2, True)
    assert there.read_text() == "precious"


def test_play_refuses_unwritable_files_first(bicorne: Bicorne, tmp_path: Path) -> None:
    """A save or log in a missing folder is refused before the game begins."""
    for flag in ("--save", "--log"):
        ran = bicorne("play", "craps/standard", flag, tmp_path / "none" / "file")
        assert (ran.code, ran.out) == (2, "")
        assert "there is no folder" in ran.err


def test_save_and_log_are_two_files(bicorne: Bicorne, tmp_path: Path) -> None:
    """One file for both, however it is written, is refused before anything is made of it."""
    (tmp_path / "here").symlink_to(tmp_path)
    for other in (tmp_path / "a", tmp_path / ".." / tmp_path.name / "a", tmp_path / "here" / "a"):
        ran = bicorne("play", "craps/standard", "--save", tmp_path / "a", "--log", other)
        assert (ran.code, ran.out, (tmp_path / "a").exists()) == (2, "", False)
        assert "give each a file of its own" in ran.err


def test_resume_asks_for_the_ruleset_folder(bicorne: Bicorne, made: Path, tmp_path: Path) -> None:
    """For a save of a ruleset that is not installed, 'resume' asks for --path, and with it continues."""
    save = tmp_path / "c.save"
    assert bicorne("play", made, "--turns", "1", "--save", save).code == 0
    assert "--path" in bicorne("resume", save).err
    assert bicorne("resume", save, "--path", made.parent).code == 0


def test_play_prints_the_resume_command_with_paths(bicorne: Bicorne, made: Path, tmp_path: Path) -> None:
    """The command that 'play' prints at the end has each --path of the game and can be typed as it is."""
    save = tmp_path / "d.save"
    ran = bicorne("play", made.name, "--path", made.parent, "--turns", "1", "--save", save)
    assert f"continue later with 'bicorne resume --path {made.parent} {save}'" in ran.out
    assert bicorne("resume", "--path", made.parent, save, "--turns", "1").code == 0


@pytest.fixture
def kept(bicorne: Bicorne, tmp_path: Path) -> Path:
    """A folder with the save and the log of one complete game."""
    save, log = tmp_path / "a.save", tmp_path / "a.log"
    assert bicorne("play", "craps/standard", "--seed", "4", "--save", save, "--log", log).code == 0
    return tmp_path


def test_damaged_saves_and_logs_are_refused(bicorne: Bicorne, kept: Path) -> None:
    """A cut or edited save or log is unreadable input: exit 2, and the file is named."""
    save, log = kept / "a.save", kept / "a.log"
    whole = save.read_bytes()
    save.write_bytes(whole[: len(whole) // 2])
    for command in ("resume", "replay"):
        ran = bicorne(command, save)
        assert (ran.code, "a.save" in ran.err) == (2, True)
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(lines[:-3]))
    assert (bicorne("replay", log).code, "truncated" in bicorne("replay", log).err) == (2, True)
    log.write_text("".join([*lines[:3], *lines[4:]]))
    assert bicorne("replay", log).code == 2
    log.write_bytes(b"\xff\xfe\x00nothing")
    assert bicorne("replay", log).code == 2


def test_replay_prints_the_first_mismatch(bicorne: Bicorne, made: Path, tmp_path: Path) -> None:
    """After a change of the rules, a replay exits with 1 and names the first step that differs."""
    log, save = tmp_path / "b.log", tmp_path / "b.save"
    assert bicorne("play", made, "--seed", "1", "--log", log, "--save", save, "--path", made.parent).code == 0
    assert bicorne("replay", log, "--path", made.parent).code == 0
    rules = made / "rules.yaml"
    rules.write_text(rules.read_text().replace("| 0   1    2    3", "| 1   2    3    4"))
    assert f"bicorne replay {save}" in bicorne("resume", save, "--path", made.parent).err
    ran = bicorne("replay", log, "--path", made.parent, "--json")
    assert ran.code == 1
    assert "step" in ran.json["mismatch"]
    assert any("ruleset hash" in each for each in ran.json["changes"])
    assert "ruleset hash" in ran.err
    assert json.loads(ran.out)["ok"] is False


@pytest.mark.parametrize(
    "arguments",
    [
        "list",
        "list fin_napoleon --json",
        "check fin_napoleon",
        "explain fin_napoleon 10.22",
        "ask fin_napoleon 1+1",
        "provenance fin_napoleon",
        "test fin_napoleon --only routed_at_home",
        "play fin_napoleon/campaign --turns 1 --quiet",
        "play rulesets/fin_napoleon/campaign --turns 1 --quiet",
    ],
)
def test_missing_folder_of_the_search_path_is_one_warning(
    bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch, arguments: str
) -> None:
    """A folder that `BICORNE_PATH` names and that does not exist is one warning on standard error, and no error."""
    monkeypatch.setenv("BICORNE_PATH", "/no/such")
    monkeypatch.chdir(Path(__file__).resolve().parents[2])
    ran = bicorne(*arguments.split())
    assert ran.code == 0
    assert ran.err.splitlines() == ["warning: BICORNE_PATH names '/no/such', and there is no such folder"]
    assert "/no/such" not in ran.out


def test_missing_folder_is_no_matter_without_a_search(
    bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A command that searches no ruleset says nothing of `BICORNE_PATH`, nor does any if all folders exist."""
    monkeypatch.setenv("BICORNE_PATH", "/no/such")
    assert bicorne("new", "ruleset", "made", "--into", tmp_path).err == ""
    monkeypatch.setenv("BICORNE_PATH", str(tmp_path))
    assert bicorne("list").err == ""
