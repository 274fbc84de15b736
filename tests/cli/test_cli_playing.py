"""Playing, leaving, going on and reading again."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

Bicorne = Callable[..., Any]
TESTS = Path(__file__).resolve().parent.parent


def end_of(told: Any) -> dict[str, Any]:
    """The last line of a game told in JSON lines."""
    end: dict[str, Any] = json.loads(told.out.splitlines()[-1])["end"]
    return end


def test_a_game_is_told_with_citations(bicorne: Bicorne) -> None:
    """A game that plays itself is told in headings and lines with clauses, then its result and state."""
    told = bicorne("play", "craps/standard", "--seed", "1")
    assert told.code == 0
    assert "Turn (ann)  [match.2]" in told.out
    assert "  ann rolls " in told.out
    *_, result, state = told.out.splitlines()
    assert result.startswith("Result: won by ")
    assert state.startswith("State: ")


def test_the_same_seed_gives_the_same_game(bicorne: Bicorne) -> None:
    """A seed makes the game; without one the seed that was drawn is told, and gives the same game again."""
    first = end_of(bicorne("play", "craps/standard", "--json"))
    again = end_of(bicorne("play", "craps/standard", "--json", "--quiet", "--seed", str(first["seed"])))
    assert again == first


def test_quiet_prints_the_end_only(bicorne: Bicorne) -> None:
    """With --quiet two lines are left: the result and the state."""
    assert len(bicorne("play", "craps/standard", "--seed", "1", "--quiet").out.splitlines()) == 2


@pytest.mark.parametrize("scenario", ["craps/standard", "three_suits/standard"])
def test_stopping_and_going_on_is_the_same_game(bicorne: Bicorne, tmp_path: Path, scenario: str) -> None:
    """A game of random players that is stopped and resumed ends in the state in which it ends without a stop."""
    whole = end_of(bicorne("play", scenario, "--seed", "7", "--json", "--quiet"))
    save, log = tmp_path / "a.save", tmp_path / "a.log"
    stopped = end_of(bicorne("play", scenario, "--seed", "7", "--turns", "1", "--save", save, "--json", "--quiet"))
    assert (stopped["over"], stopped["stopped"]) == (False, "turns")
    assert bicorne("replay", save).code == 0
    resumed = end_of(bicorne("resume", save, "--log", log, "--json", "--quiet"))
    assert resumed["state"] == whole["state"]
    assert bicorne("replay", save, "--json").json["state"] == whole["state"]
    assert bicorne("replay", log, "--json").json["ok"] is True


def test_turns_count_rounds(bicorne: Bicorne) -> None:
    """--turns counts the rounds of the outermost repeated step: each is one turn for both players."""
    out = bicorne("play", "craps/standard", "--seed", "1", "--turns", "3").out
    assert out.count("Turn (ann)") == out.count("Turn (bob)") == 3
    assert "The game is not over after 3 turns" in out


@pytest.mark.parametrize("player", ["greedy", "search:4", "search:0.01s"])
def test_players_that_look_ahead(bicorne: Bicorne, player: str) -> None:
    """Greedy and searching players play a game to its end."""
    assert end_of(bicorne("play", "craps/standard", "--seed", "1", "--seat", f"ann={player}", "--json"))["over"]


def test_options_and_language(bicorne: Bicorne) -> None:
    """An option changes the game, and is kept in its log."""
    out = bicorne("play", "craps/standard", "--seed", "1", "--option", "pressing=no", "--language", "ja").out
    assert "press" not in out


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Puts lines on standard input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join([f"{each}\n" for each in lines])))


def test_a_person_may_come_from_a_pipe(bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A seat given to a person is asked on standard input; the end of input leaves the game, which is kept."""
    save = tmp_path / "a.save"
    typed(monkeypatch, "2")
    told = bicorne("play", "craps/standard", "--seed", "1", "--seat", "ann=human", "--save", save)
    assert told.code == 0
    assert "ann: How many chips?" in told.out
    assert "ann: stake: 2" in told.out
    assert "The game is not over" in told.out
    assert bicorne("replay", save).code == 0


def test_hidden_hands_stay_hidden(bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person is told his own cards and never the others', not even where the game is saved and narrated."""
    typed(monkeypatch, "board", "log 60", "why")
    out = bicorne("play", "three_suits", "--seed", "5", "--seat", "north=human").out
    assert "north: Which card to throw away?" in out
    shown = {word for suit in ("acorns", "bells", "leaves") for word in _cards(out, suit)}
    assert "east hand    5 hidden" in out
    assert len(shown) == 6, "his five cards and the one that was turned up"


def _cards(text: str, suit: str) -> set[str]:
    words = text.replace(",", " ").replace("(", " ").replace(")", " ").split()
    pairs = pairwise(words)
    return {f"{one} {two}" for one, two in pairs if one == suit and two.isdecimal()}


def test_several_people_take_turns_at_one_terminal(bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where things are hidden the terminal is handed over, with what the other saw out of sight."""
    typed(monkeypatch, "", "none", "", "none", "")
    out = bicorne("play", "three_suits", "--seed", "5", "--seat", "north=human", "--seat", "east=human").out
    first, second = out.index("east decides next"), out.index("north decides next")
    assert first < out.index("east: Which card to throw away?") < second
    assert "\n" * 50 in out[out.index("east: Which card to throw away?") : second]


def test_what_is_typed_when_the_terminal_is_handed_over_is_an_answer(
    bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line other than Enter alone is not lost: it answers the question that comes next."""
    typed(monkeypatch, "1", "none", "2", "quit")
    out = bicorne("play", "three_suits", "--seed", "5", "--seat", "north=human", "--seat", "east=human").out
    assert "press Enter when you are there 1" in out
    assert "] 1\n" in out


def test_nothing_is_handed_over_where_an_option_hides_nothing(
    bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Views that the options of the game exclude hide nothing: no screen is cleared, and nothing is left out."""
    seats = ("--seat", "french=human", "--seat", "austrian=human")
    for fog, handed in (("no", False), ("yes", True)):
        typed(monkeypatch, "none", "quit")
        play = bicorne("play", "nations_in_arms/marengo_1800", "--seed", "1", *seats, "--option", f"fog_of_war={fog}")
        assert ("decides next" in play.out) is handed, fog


def test_an_interrupt_leaves_the_save_whole(tmp_path: Path, bicorne: Bicorne) -> None:
    """Ctrl-C ends with 130 and no traceback, a kill at any moment leaves a save that goes on."""
    environment = {**os.environ, "BICORNE_PATH": str(TESTS), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "interpreter.cli.main", "play", "craps/standard", "--seed", "1"]
    for number, (sign, code) in enumerate([(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)]):
        save = tmp_path / f"{number}.save"
        process = subprocess.Popen(
            [*command, "--seat", "ann=human", "--save", str(save)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=TESTS.parent,
        )  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"1\n")
        process.stdin.flush()
        seen = b""
        while seen.count(b"chips?") < 2:
            seen += os.read(process.stdout.fileno(), 4096)
        time.sleep(0.3)
        process.send_signal(sign)
        _, err = process.communicate(timeout=20)
        assert (process.returncode, b"Traceback" in err) == (code, False)
        assert bicorne("replay", save).code == 0
        assert "after 2 steps" in bicorne("resume", save).out
