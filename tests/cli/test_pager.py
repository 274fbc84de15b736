"""A text that is longer than the screen stops where the screen is full."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from interpreter.cli import output, pager, terminal
from interpreter.cli.main import main
from interpreter.cli.output import Output
from interpreter.cli.terminal import Console
from interpreter.play.wording.wording import Wording

TESTS = str(Path(__file__).resolve().parent.parent)
BOARD = "\n".join(f"line {number}" for number in range(1, 61))


class FakeTerminal:
    """A terminal of 24 lines of 80 columns, at which lines are typed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, typed: Sequence[str], *, is_piped: bool = False) -> None:
        self.typed, self.prompts = list(typed), list[str]()
        for module in (output, pager, terminal):
            monkeypatch.setattr(module, "terminal_size", lambda: (80, 24))
        for module in (pager, terminal):
            monkeypatch.setattr(module, "read_line", self.read)
            monkeypatch.setattr(module, "input_is_terminal", lambda: not is_piped)

    def read(self, prompt: str) -> str | None:
        """Returns the next typed line."""
        self.prompts.append(prompt)
        return self.typed.pop(0) if self.typed else None


def said(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The lines shown since the last call."""
    return capsys.readouterr().out.splitlines()


def test_each_screen_waits_for_enter(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A list of 60 lines takes three screens of 23, and the line below each asks for more."""
    screen = FakeTerminal(monkeypatch, ["", ""])
    Console(Output(), Wording()).say(BOARD)
    assert len(said(capsys)) == 60
    assert screen.prompts == ["more: Enter, q to stop "] * 2


def test_q_leaves_out_the_rest_of_the_text(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """After q the next text begins a new screen."""
    FakeTerminal(monkeypatch, ["q"])
    console = Console(Output(), Wording(language="ja"))
    console.say(BOARD)
    assert said(capsys)[-1] == "line 23"
    console.say("the question")
    assert said(capsys) == ["the question"]


def test_lines_count_from_the_last_question(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Short texts fill a screen together; what is typed at a question begins a new one."""
    screen = FakeTerminal(monkeypatch, ["1", ""])
    console = Console(Output(), Wording())
    for number in range(20):
        console.say(str(number))
    assert console.room() == (80, 24)
    assert console.ask("which? ", ()) == "1"
    assert console.room() == (80, 24)
    for number in range(10):
        console.say(str(number))
    assert console.room() == (80, 14)
    console.say("\n".join("x" * 14))
    assert screen.prompts == ["which? ", "more: Enter, q to stop "]


def test_an_answer_typed_for_more_answers_the_question(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who types an answer already gets the rest of the text at once, and is not asked again."""
    screen = FakeTerminal(monkeypatch, ["undo"])
    console = Console(Output(), Wording())
    console.say(BOARD)
    assert console.ask("which? ", ()) == "undo"
    assert screen.prompts == ["more: Enter, q to stop "]
    assert said(capsys)[-2:] == ["line 60", "which? undo"]


@pytest.mark.parametrize("words", [None, Wording()])
def test_nothing_stops_without_a_person_to_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: Wording | None
) -> None:
    """Input from a file, and a command without questions, are never asked for more."""
    screen = FakeTerminal(monkeypatch, [], is_piped=words is not None)
    Console(Output(), words).say(BOARD)
    assert len(said(capsys)) == 60
    assert screen.prompts == []


@pytest.mark.parametrize(("player", "prompts"), [("random", 0), ("human", 1)])
def test_game_without_people_does_not_stop(monkeypatch: pytest.MonkeyPatch, player: str, prompts: int) -> None:
    """Where computers play, all texts scroll by; a person who sits at the table is asked."""
    screen = FakeTerminal(monkeypatch, [])
    seats = [f"--seat={seat}={player}" for seat in ("white", "black")]
    assert main(["play", "breakthrough/standard", "--path", TESTS, "--seed", "1", *seats]) == 0
    assert min(len(screen.prompts), 1) == prompts
