"""What people read at a pseudo-terminal: wrapped lines, and who is asked and handed the screen."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from processes import on_terminal

from interpreter.language.text_width import width

ROOT = Path(__file__).resolve().parents[2]
CLEARED = "\x1b[2J"
_STYLE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def screens(*arguments: str, typed: str = "", columns: int = 80, language: str = "en") -> list[str]:
    """What a terminal shows of a command, from one clearing of the screen to the next."""
    settings = {"COLUMNS": str(columns), "LINES": "24", "TERM": "xterm", "PYTHONPATH": str(ROOT)}
    environment = {**os.environ, **settings, "BICORNE_PATH": str(ROOT / "tests")}
    more = ("--language", language) if arguments[0] == "play" else ()
    shown = on_terminal([sys.executable, "-m", "interpreter", *arguments, *more], typed, env=environment, cwd=ROOT)
    return [_STYLE.sub("", each).replace("\r", "") for each in shown.split(CLEARED)]


@pytest.mark.parametrize("command", [["list", "napoleonic_wars/duel_1805"], ["list", "age_of_napoleon"]])
def test_output_of_commands_is_wrapped_between_words(command: list[str]) -> None:
    """On 80 columns no line is broken by the terminal itself, so that no word is."""
    [shown] = screens(*command)
    assert [each for each in shown.split("\n") if width(each) > 80] == []


@pytest.mark.parametrize("typed", ["", "q"])
def test_the_question_for_more_is_erased(typed: str) -> None:
    """Nothing of the pager stays between the lines of a long text, nor after `q`."""
    settings = {**os.environ, "COLUMNS": "80", "LINES": "24", "TERM": "xterm", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "interpreter", "play", "napoleonic_wars/duel_1805", "--language", "en"]
    shown = on_terminal([*command, "--seat", "british=greedy"], f"{typed}\nquit\nquit\n", env=settings, cwd=ROOT)
    assert len(re.findall(r"q to stop .*\r\n\x1b\[1A\x1b\[2K", shown)) == shown.count("q to stop") > 0


def test_seats_that_nobody_plays_are_no_people() -> None:
    """In a scenario of two seats, one person against a computer is asked at once, without a handover."""
    [shown] = screens("play", "napoleonic_wars/duel_1805", "--seat", "british=greedy", typed="quit\n" * 2)
    assert "imperial side: " in shown
    assert "press Enter" not in shown


def test_people_read_the_briefing_before_the_first_handover() -> None:
    """The screen is cleared before the title, and not again until the first person has taken the seat."""
    first, second, *_ = screens("play", "napoleonic_wars/duel_1805", typed="\nquit\nquit\n")[1:]
    assert "The imperial side wins with 7 points" in first
    assert "press Enter" in first
    assert "new cards (" not in first
    assert "new cards (" in second


def test_a_command_to_copy_is_one_line(tmp_path: Path) -> None:
    """The command that continues a game is not broken, however long its path is."""
    save = tmp_path / "a_game_with_a_long_name_that_fills_most_of_a_line_of_eighty_columns.save"
    shown = screens("play", "craps/standard", "--save", str(save), typed="1\nquit\n")[-1]
    assert f"'bicorne resume {save}'" in shown


@pytest.mark.parametrize(("language", "said"), [("en", "won by the coalition"), ("ja", "連合陣営の勝利")])
def test_replay_ends_with_the_result_in_words(tmp_path: Path, language: str, said: str) -> None:
    """At the end of a recorded game the prompt names the winner as the game does, not by an id."""
    save = tmp_path / "a.save"
    seats = ("--seat", "french=random", "--seat", "british=random")
    scenario = ROOT / "scenarios" / "napoleonic_wars" / "duel_1805.yaml"
    screens("play", str(scenario), *seats, "--seed", "1", "--save", str(save), "--quiet")
    [shown] = screens("replay", str(save), "--language", language, typed="end\nquit\n")
    assert said in shown


def test_replay_of_a_game_that_goes_on_keeps_its_secrets(tmp_path: Path) -> None:
    """At a terminal the only person in an unfinished game reads neither the seed nor the other hand."""
    save = tmp_path / "a.save"
    scenario = ROOT / "scenarios" / "age_of_napoleon" / "ulm_1805.yaml"
    seats = ("--seat", "french=human", "--seat", "coalition=greedy")
    screens("play", str(scenario), *seats, "--seed", "90210", "--save", str(save), typed="1\nquit\n")
    [shown] = screens("replay", str(save), typed="end\nquit\n")
    assert "this is what French may see" in shown
    assert "hidden cards (×" in shown or "hidden card (×" in shown
    assert "90210" not in shown


def test_errors_are_broken_between_words() -> None:
    """An error that is longer than a line of the terminal is wrapped between words, as all other texts are."""
    [shown] = screens("list", "chess")
    lines = [each for each in shown.split("\n") if each.strip()]
    assert max(map(width, lines)) <= 80
    assert "napoleonic_wars, nations_in_arms, three_suits" in " ".join([each.strip() for each in lines])
