"""`bicorne replay` at a point of a game, and at its prompt."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from fuzzed_records import save_bytes, sound_record

Bicorne = Callable[..., Any]
CAMPAIGN = ("fin_napoleon/campaign", "--seed", "11", "--turns", "2", "--quiet")


@pytest.fixture
def save(bicorne: Bicorne, tmp_path: Path) -> Path:
    """A game of two turns."""
    path = tmp_path / "game.save"
    assert bicorne("play", *CAMPAIGN, "--save", path).code == 0
    return path


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Lines on standard input."""
    monkeypatch.setattr("sys.stdin", StringIO("".join([f"{each}\n" for each in lines])))


def test_point_is_shown(bicorne: Bicorne, save: Path) -> None:
    """A turn is shown with its entry of the log, the standing, the question and the board; without a seed."""
    shown = bicorne("replay", save, "--to", "turn 2")
    assert shown.code == 0
    assert "turn 2\n" in shown.out
    assert "France decides: Which activity does France carry out?" in shown.out
    assert "Seed" not in shown.out
    assert bicorne("replay", save, "--to", "start").out != shown.out


def test_point_of_an_empty_log(bicorne: Bicorne, tmp_path: Path) -> None:
    """A game in which nothing has happened has no entry to go to; it can be shown at its start."""
    path = tmp_path / "new.save"
    path.write_bytes(save_bytes(sound_record("craps/standard", 0, "").contents))
    ran = bicorne("replay", path, "--to", "3", "--language", "en")
    assert ran.code == 2
    assert f"{path}: there is no entry 3: the log has no entries yet" in ran.err
    assert bicorne("replay", path, "--to", "start").code == 0


def test_point_as_json(bicorne: Bicorne, save: Path) -> None:
    """With --json the log up to the point and the view of the seat are printed."""
    data = bicorne("replay", save, "--to", "60", "--seat", "french", "--json").json
    assert data["entry"] >= 60
    assert len(data["log"]) == data["entry"] <= data["entries"]
    assert (data["turn"], data["view"]["seat"]) == (1, "french")


def test_branch_is_resumed(bicorne: Bicorne, save: Path, tmp_path: Path) -> None:
    """--branch writes the game at the point, once."""
    branch = tmp_path / "branch.save"
    made = bicorne("replay", save, "--to", "turn 2", "--branch", branch)
    assert f"bicorne resume {branch}" in made.out
    assert bicorne("replay", branch).code == 0
    assert bicorne("resume", branch, "--turns", "1", "--quiet", "--seat", "french=random").code == 0
    assert bicorne("replay", save, "--to", "turn 2", "--branch", branch).code == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--to", "99999"), "the log has the entries 1 to"),
        (("--to", "turn 9"), "the game has the turns 1 to"),
        (("--to", "turn"), "there is no point 'turn'"),
        (("--to", "end", "--seat", "franch"), "did you mean 'french'"),
        (("--to", "end", "--with", "x.yaml"), "leave --with and --without out"),
    ],
)
def test_wrong_points_are_refused(bicorne: Bicorne, save: Path, arguments: tuple[str, ...], said: str) -> None:
    """A point that does not exist is wrong usage, and the message says what there is."""
    refused = bicorne("replay", save, *arguments)
    assert refused.code == 2
    assert said in refused.err


def test_wrong_points_are_refused_in_japanese(bicorne: Bicorne, save: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a prompt in Japanese a turn or an entry that does not exist is refused in Japanese."""
    typed(monkeypatch, "turn 9", "entry 99999", "quit")
    ran = bicorne("replay", save, "--seat", "french", "--language", "ja")
    assert "第9ターンはありません。第1ターンから第3ターンまでです" in ran.out
    assert "記録に99999番はありません。1番から" in ran.out
    assert "there is no" not in ran.out


def test_an_answer_that_nothing_else_tells_of_is_shown(
    bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A step whose decision the narration leaves out shows the answer."""
    save, seats = tmp_path / "march.save", ("--seat", "french=human", "--seat", "austrian=human")
    typed(monkeypatch, "13", "1", "Moreau", "Lecourbe", "3")
    bicorne("play", "nations_in_arms/marengo_1800", "--seed", "11", "--save", save, *seats)
    typed(monkeypatch, "entry 28", "next", "quit")
    monkeypatch.setattr("interpreter.cli.commands.replay.input_is_terminal", lambda: True)
    monkeypatch.setattr("interpreter.cli.commands.replay.is_terminal", lambda: True)
    assert "  France: force of Moreau: activates as flank guard: force of Lecourbe" in bicorne("replay", save).out


@pytest.mark.parametrize("language", ["en", "ja"])
def test_prompt_steps_forwards_and_back(
    bicorne: Bicorne, save: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: str
) -> None:
    """At the prompt of a seat one goes on, back, to a turn, and branches; mistakes are reported, and it goes on."""
    branch = tmp_path / "branch.save"
    commands = (
        "",
        "next 2",
        "back",
        "turn 2",
        "entry 1",
        "next x",
        "nonsense",
        "log 2",
        f"branch {branch}",
        "branch ~nobody_has_this_name/x",
        "branch",
    )
    typed(monkeypatch, *commands, "quit")
    ran = bicorne("replay", save, "--seat", "french", "--language", language)
    assert ran.code == 0
    assert branch.exists()
    assert "Seed" not in ran.out
    said = (
        ("turn 2\n", "'nonsense'", "takes a number", "needs the name")
        if language == "en"
        else ("第2ターン", "nonsense")
    )
    assert [each for each in said if each not in ran.out] == []


def test_the_ends_of_the_record_are_named(bicorne: Bicorne, save: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `back` and `next` lead no further, a line says that the game starts there, or the record ends."""
    typed(monkeypatch, "next", "back", "back", "end", "next", "quit")
    ran = bicorne("replay", save, "--seat", "french")
    begun, gone_on, back, no_further, ended, beyond = ran.out.split("replay> ")[:6]
    assert [
        each for each in (begun, back, no_further) if "this is the start: 'back' leads no further" not in each
    ] == []
    assert [each for each in (ended, beyond) if "this is the end of the record" not in each] == []
    assert "this is the" not in gone_on


def test_prompt_follows_the_verification_at_a_terminal(
    bicorne: Bicorne, save: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a terminal `replay FILE` verifies the game and then goes through it; the end of input leaves."""
    for name in ("input_is_terminal", "is_terminal"):
        monkeypatch.setattr(f"interpreter.cli.commands.replay.{name}", lambda: True)
    typed(monkeypatch, "next")
    ran = bicorne("replay", save)
    assert ran.code == 0
    assert "every state is as recorded" in ran.out
    assert "replay> " in ran.out
    typed(monkeypatch, "next")
    assert "replay> " not in bicorne("replay", save, "--json").out


def test_verification_speaks_the_language_of_the_game(bicorne: Bicorne, tmp_path: Path) -> None:
    """A game that was played in Japanese is verified in Japanese, and any game in the language that is asked for."""
    save = tmp_path / "game.save"
    assert bicorne("play", *CAMPAIGN, "--language", "ja", "--save", save).code == 0
    ran = bicorne("replay", save)
    assert ran.code == 0
    shown = ran.out.replace(str(save), "").splitlines()
    heads = ("：", "状態：", "乱数の種：11", "そのコミットメント：", "ダイス：")
    assert len(shown) == len(heads)
    for line, head in zip(shown, heads, strict=True):
        assert line.startswith(head)
        assert not re.search("[a-z]{2}", line.removeprefix(head)) or head in ("状態：", "そのコミットメント：")
    assert "every state is as recorded" in bicorne("replay", save, "--language", "en").out


def test_words_that_a_command_does_not_take_are_refused(
    bicorne: Bicorne, save: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the prompt of a replay, too, 'quit now' does not leave, and no command passes over a word."""
    refused = [f"{each} now" for each in ("quit", "?", "standing", "start", "end", "next", "back", "board", "log")]
    typed(monkeypatch, *refused, "QUIT", "next")
    ran = bicorne("replay", save, "--seat", "french")
    assert ran.out.count("takes no further words, such as 'now'") == 3
    assert ran.out.count("there is no point") == 2
    assert ran.out.count("takes a number, not 'now'") == 3
    assert ran.out.count("entry ") == 1 + 2


@pytest.mark.parametrize(
    ("language", "given", "asked", "refused"),
    [
        (
            "en",
            "of the answer that was given, '",
            "  1  declaration of war",
            "only for decisions of your own seat",
        ),
        ("ja", "実際の答え「", "  1  宣戦布告", "自分の側の決定についてだけです"),
    ],
)
def test_odds_of_the_decision_that_was_made(
    bicorne: Bicorne, save: Path, monkeypatch: pytest.MonkeyPatch, language: str, given: str, asked: str, refused: str
) -> None:
    """At a decision of its seat a replay shows the options, the odds of the answer given, and those of another."""
    typed(monkeypatch, "options", "odds", "odds 3", "odds 99", "next 3", "odds", "options", "quit")
    ran = bicorne("replay", save, "--seat", "french", "--language", language)
    _, options, odds, third, none, _, others, own, _ = ran.out.split("replay> ")
    assert asked in options
    assert given in odds
    assert "100 %" in odds
    assert given not in third
    assert "%" in third
    assert "99" in none
    assert refused in others
    assert refused in own


def test_odds_at_the_end_of_a_game_are_refused(
    bicorne: Bicorne, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nobody decides any more, there are neither options nor odds."""
    save = tmp_path / "over.save"
    assert bicorne("play", "craps/standard", "--seed", "5", "--quiet", "--save", save).code == 0
    typed(monkeypatch, "end", "odds", "options", "quit")
    ran = bicorne("replay", save, "--seat", "ann")
    assert ran.out.count("nobody decides here: the game is over") == 2


def test_entries_have_one_number_everywhere(bicorne: Bicorne, save: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last entry of 'log' where a game stands has the number that replay counts, and explain and 'why' know it."""
    typed(monkeypatch, "end", "log 1", "quit")
    ran = bicorne("replay", save, "--seat", "french", "--language", "en")
    counted = re.findall(r"entry (\d+) of (\d+)", ran.out)[-1]
    numbers = re.findall(r"^ *(\d+)  ", bicorne("explain", save, "--seat", "french").out, re.MULTILINE)
    assert [*map(int, numbers)] == [*range(1, len(numbers) + 1)]
    assert counted == (numbers[-1], numbers[-1])
    assert bicorne("explain", save, "--seat", "french", "--at", numbers[-1]).code == 0
    refused = bicorne("explain", save, "--seat", "french", "--at", "0")
    assert (refused.code, f"the log has the entries 1 to {numbers[-1]}" in refused.err) == (2, True)
