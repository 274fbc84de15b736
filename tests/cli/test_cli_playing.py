"""`bicorne play`, `resume` and `replay`: playing, leaving, resuming and replaying a game."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from processes import started

Bicorne = Callable[..., Any]
TESTS = Path(__file__).resolve().parent.parent


def end_of(ran: Any) -> dict[str, Any]:
    """Returns the last line of a game in JSON Lines."""
    end: dict[str, Any] = json.loads(ran.out.splitlines()[-1])["end"]
    return end


def test_narration_cites_clauses(bicorne: Bicorne) -> None:
    """A game of computer players prints headings, lines with clauses, the result and the state."""
    ran = bicorne("play", "craps/standard", "--seed", "1")
    assert ran.code == 0
    assert "Turn (ann)  [match.2]" in ran.out
    assert "  ann rolls " in ran.out
    *_, result, state = ran.out.splitlines()
    assert result.startswith("Result: won by ")
    assert state.startswith("State: ")


def test_same_seed_gives_the_same_game(bicorne: Bicorne) -> None:
    """Without --seed the drawn seed is printed, and gives the same game again."""
    first = end_of(bicorne("play", "craps/standard", "--json"))
    again = end_of(bicorne("play", "craps/standard", "--json", "--quiet", "--seed", str(first["seed"])))
    assert again == first


def test_quiet_prints_only_the_end(bicorne: Bicorne) -> None:
    """With --quiet two lines are printed: the result and the state."""
    assert len(bicorne("play", "craps/standard", "--seed", "1", "--quiet").out.splitlines()) == 2


@pytest.mark.parametrize("scenario", ["craps/standard", "three_suits/standard"])
def test_resumed_game_equals_uninterrupted_game(bicorne: Bicorne, tmp_path: Path, scenario: str) -> None:
    """A game of random players that is stopped and resumed ends in the same state as without a stop."""
    whole = end_of(bicorne("play", scenario, "--seed", "7", "--json", "--quiet"))
    save, log = tmp_path / "a.save", tmp_path / "a.log"
    stopped = end_of(bicorne("play", scenario, "--seed", "7", "--turns", "1", "--save", save, "--json", "--quiet"))
    assert (stopped["over"], stopped["stopped"]) == (False, "turns")
    assert bicorne("replay", save).code == 0
    resumed = end_of(bicorne("resume", save, "--log", log, "--json", "--quiet"))
    assert resumed["state"] == whole["state"]
    assert bicorne("replay", save, "--json").json["state"] == whole["state"]
    assert bicorne("replay", log, "--json").json["ok"] is True


def test_turns_counts_rounds(bicorne: Bicorne) -> None:
    """--turns counts the repetitions of the outermost repeated step: each is one turn for both players."""
    out = bicorne("play", "craps/standard", "--seed", "14", "--turns", "3").out
    assert out.count("Turn (ann)") == out.count("Turn (bob)") == 3
    assert "The game is not over after 3 turns" in out


@pytest.mark.parametrize("player", ["greedy", "search:4", "search:0.01s"])
def test_look_ahead_players_finish_a_game(bicorne: Bicorne, player: str) -> None:
    """Greedy and searching players play a game to its end."""
    assert end_of(bicorne("play", "craps/standard", "--seed", "1", "--seat", f"ann={player}", "--json"))["over"]


def test_option_changes_the_game(bicorne: Bicorne) -> None:
    """An option that is turned off removes its decisions."""
    out = bicorne("play", "craps/standard", "--seed", "1", "--option", "pressing=no", "--language", "ja").out
    assert "press" not in out


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Puts lines on standard input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join([f"{each}\n" for each in lines])))


@pytest.mark.parametrize("is_saved", [True, False])
def test_odd_name_of_a_copy_does_not_end_the_game(
    bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_saved: bool
) -> None:
    """A name that can't be one of a file is refused at the prompt, and the question is asked again."""
    odd = ("~nobody_has_this_name/x", "x" * 3_000, "none/x", ".")
    typed(monkeypatch, *[f"save {each}" for each in odd], "2")
    saving = ("--save", tmp_path / "a.save") if is_saved else ()
    ran = bicorne("play", "craps/standard", "--seed", "1", "--seat", "ann=human", *saving)
    assert (ran.code, ran.out.count("cannot write the save"), "ann: stake: 2" in ran.out) == (0, 3, True)


def test_human_answers_from_a_pipe(bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A human seat is asked on standard input; the end of input leaves the game, which is saved."""
    save = tmp_path / "a.save"
    typed(monkeypatch, "2")
    ran = bicorne("play", "craps/standard", "--seed", "1", "--seat", "ann=human", "--save", save)
    assert ran.code == 0
    assert "ann: How many chips?" in ran.out
    assert "ann: stake: 2" in ran.out
    assert "The game is not over" in ran.out
    assert bicorne("replay", save).code == 0


def test_output_hides_other_hands(bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person sees their own cards and never those of others, in the narration, the board and the log."""
    typed(monkeypatch, "board", "log 60", "why")
    out = bicorne("play", "three_suits", "--seed", "5", "--seat", "north=human").out
    assert "north: Which card to throw away?" in out
    shown = {word for suit in ("acorns", "bells", "leaves") for word in _cards(out, suit)}
    assert re.search(r"east hand +5 hidden", out)
    assert len(shown) == 6, "five cards in hand and the one that was turned up"


def _cards(text: str, suit: str) -> set[str]:
    words = text.replace(",", " ").replace("(", " ").replace(")", " ").split()
    pairs = pairwise(words)
    return {f"{one} {two}" for one, two in pairs if one == suit and two.isdecimal()}


def test_terminal_is_handed_over_between_people(bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch) -> None:
    """If something is hidden, the terminal is handed over and the previous text scrolls out of sight."""
    typed(monkeypatch, "", "none", "", "none", "")
    out = bicorne("play", "three_suits", "--seed", "5", "--seat", "north=human", "--seat", "east=human").out
    first, second = out.index("next to decide: east"), out.index("next to decide: north")
    assert first < out.index("east: Which card to throw away?") < second
    assert "\n" * 50 in out[out.index("east: Which card to throw away?") : second]


def test_line_typed_at_handover_answers_next_question(bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line other than Enter alone is not lost: it answers the next question."""
    typed(monkeypatch, "1", "none", "2", "quit")
    out = bicorne("play", "three_suits", "--seed", "5", "--seat", "north=human", "--seat", "east=human").out
    assert "press Enter when you are ready 1" in out
    assert "] 1\n" in out


def test_game_without_hidden_things_has_no_handover(bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch) -> None:
    """Views that the options of the game exclude hide nothing: the terminal is not handed over."""
    seats = ("--seat", "french=human", "--seat", "austrian=human")
    for fog, handed in (("no", False), ("yes", True)):
        typed(monkeypatch, "none", "quit")
        play = bicorne("play", "nations_in_arms/marengo_1800", "--seed", "1", *seats, "--option", f"fog_of_war={fog}")
        assert ("next to decide" in play.out) is handed, fog


def test_set_up_of_a_large_game_is_cut_on_a_screen(bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch) -> None:
    """On 24 lines the briefing stays in sight: the set-up is cut to its end, and `log` shows all of it."""
    play = ("play", "fin_napoleon/road_to_paris", "--seed", "3", "--seat", "french=human", "--seat", "allied=human")
    typed(monkeypatch, "log 200", "quit")
    whole = bicorne(*play).out
    monkeypatch.setattr("interpreter.cli.terminal.terminal_size", lambda: (80, 24))
    typed(monkeypatch, "log 200", "quit")
    shown, _, logged = bicorne(*play).out.partition("[1-4, ?] log 200")
    assert "lines before; 'log' shows them" not in whole
    cut = re.search(r"… (\d+) lines before; 'log' shows them", shown)
    assert cut is not None
    assert int(cut[1]) > 6
    first = whole.partition("for all that counts.\n")[2].split("\n")[1].strip()[:40]
    assert first in whole.partition("log 200")[0]
    assert first not in shown
    assert "France 1 moves from unused French units" in logged


def test_interrupted_game_leaves_an_intact_save(tmp_path: Path, bicorne: Bicorne) -> None:
    """Ctrl-C exits with 130 and no traceback; after a kill the save can be resumed."""
    environment = {**os.environ, "BICORNE_PATH": str(TESTS), "PYTHONUNBUFFERED": "1"}
    command = [
        sys.executable,
        "-m",
        "interpreter.cli.main",
        "play",
        "craps/standard",
        "--seed",
        "14",
        "--seat",
        "ann=human",
    ]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    for number, (sign, code) in enumerate([(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)]):
        save = tmp_path / f"{number}.save"
        with started([*command, "--save", save], env=environment, cwd=TESTS.parent, **pipes) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(b"1\n")
            process.stdin.flush()
            seen = b""
            while seen.count(b"?] ") < 2:
                data = os.read(process.stdout.fileno(), 4096)
                assert data, seen
                seen += data
            process.send_signal(sign)
            _, err = process.communicate()
        assert (process.returncode, b"Traceback" in err) == (code, False)
        assert bicorne("replay", save).code == 0
        assert "after 2 steps" in bicorne("resume", save).out
