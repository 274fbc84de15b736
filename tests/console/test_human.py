"""The person at a terminal: what is asked, what may be asked back, and how an answer is understood."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from interpreter.console.board import board_text
from interpreter.console.human import HumanPlayer, Left, TakenBack
from interpreter.console.narration import listed
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_scenario

TESTS = Path(__file__).resolve().parent.parent


class Script:
    """A terminal at which lines are typed that were written before."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)
        self.said: list[str] = []
        self.offered: Sequence[str] = ()

    def ask(self, prompt: str, words: Sequence[str]) -> str | None:
        """The next line."""
        self.said.append(prompt)
        self.offered = words
        return self._lines.pop(0) if self._lines else None

    def say(self, text: str, style: str | None = None) -> None:
        """Keeps what is said."""
        self.said.append(text)

    @property
    def text(self) -> str:
        """All that was said."""
        return "\n".join(self.said)


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BICORNE_PATH", str(TESTS))


def new_game(name: str, seed: int = 5) -> Game:
    """A game at its first decision."""
    game = Game(load_scenario(name), seed=seed, trace=True)
    assert game.decision is not None
    return game


def asked(game: Game, *lines: str) -> tuple[int | None, Script]:
    """What a person who types these lines chooses, and the terminal; none if he leaves."""
    assert game.decision is not None
    script = Script(*lines)
    player = HumanPlayer(game.decision.seat, script, lambda _game, path: f"kept in {path}")
    try:
        return player.choose(game), script
    except Left:
        return None, script


def test_options_are_numbered_and_answered_by_number_name_or_beginning() -> None:
    """A number, a name and the beginning of a name mean an option; several or none are told so."""
    game = new_game("breakthrough/standard")
    assert game.decision is not None
    chosen, script = asked(game, "3")
    assert chosen == 2
    assert "white: Which man moves?  [turn.1]" in script.text or "Which man moves?" in script.text
    assert asked(game, script.offered[-1])[0] == len(game.decision.options) - 1
    chosen, script = asked(game, "white", "99", "queen", "1")
    assert chosen == 0
    assert "could be any of" in script.text
    assert "there is no option 99" in script.text
    assert "'queen' is none of the options" in script.text


def test_numbers_are_answered_by_themselves() -> None:
    """Where a number is asked for, the number typed is the answer and not the place of an option."""
    game = new_game("craps/standard")
    assert game.decision is not None
    assert [game.decision.options[position] for position in [asked(game, "3")[0]] if position is not None] == [3]
    chosen, script = asked(game, "0", "5", "4")
    assert chosen == game.decision.options.index(4)
    assert "[a number from 1 to 4, ?]" in script.text


def test_like_options_are_one_line(tmp_path: Path) -> None:
    """Options that differ in their number only are merged and counted."""
    folder = tmp_path / "alike"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(
        "ruleset: {id: alike, title: Alike, version: '1'}\n"
        "kinds:\n"
        "  player: {is: seat, members: [one]}\n"
        "  place: {is: space}\n"
        "  token: {is: piece, in: place, has: {marked: 'bool = false'}}\n"
        "individuals: {place: [here, there]}\n"
        "pieces: {token: [{id: token, count: 4, at: here}, {id: odd, at: there, marked: true}]}\n"
        'sequence:\n  game:\n    do: |\n      let taken = one chooses one of tokens "Which?"\n      remove taken\n'
    )
    from interpreter.rules.loading.load import load_ruleset

    game = Game(load_ruleset(folder), trace=True)
    chosen, script = asked(game, "2")
    assert game.decision is not None
    assert chosen is not None
    assert "  1  token, in here (×4)\n  2  odd, marked, in there" in script.text
    assert game.decision.label(game.decision.options[chosen]) == "odd"


def test_questions_are_answered_and_cost_nothing() -> None:
    """Help, board, log, clauses and refusals are answered, and the game stays where it is."""
    game = new_game("breakthrough/standard")
    before = game.hash()
    lines = ("?", "board", "log", "rule", "rule move", "rule nothing", "why", "why not advance man=white_1 to=a2",
             "why not fly", "why not", "log x", "save", "undo", "options", "")  # fmt: skip
    chosen, script = asked(game, *lines)
    assert (chosen, game.hash()) == (None, before)
    for part in (
        "a part of its name",
        "  8 b b b b b b b b",
        "A man moves one square toward the far side",
        "Straight ahead he may only enter an empty square.",
        "the rulebook has no clause 'nothing'",
        "nothing has been rolled",
        "there is no action 'fly'",
        "name an action",
        "'log' takes a number, not 'x'",
        "kept in None",
        "has not decided anything yet",
    ):
        assert part in script.text, part


def test_parts_of_names_are_enough_for_questions() -> None:
    """'rule' reads a clause with those under it, and 'why not' takes a part of an action's name."""
    _, script = asked(new_game("fin_napoleon/campaign"), "rule 10.22", "why not reinf", "why not war")
    assert "\n10.22  The rout check" in script.text
    assert "\n10.22.p2  Every army left" in script.text
    assert "there is no action 'reinf'" not in script.text
    assert "there is no action 'war'" not in script.text


def test_why_tells_the_sum_the_row_and_the_clauses(tmp_path: Path) -> None:
    """'why' derives the last result: dice, every modifier with its clause, the row of the table."""
    from interpreter.workshop.scaffold import make_ruleset

    make_ruleset("race", tmp_path)
    game = Game(load_scenario(tmp_path / "race" / "scenarios" / "standard.yaml"), seed=1, trace=True)
    for answer in ("rest", "run"):
        game.choose(answer)
    _, script = asked(game, "why")
    for part in ("North rolls", "pace: +2  [run.2]", "+2  rested  [rest.1]", "stages run, roll ", "and so:"):
        assert part in script.text, part


def test_taking_back() -> None:
    """'undo' takes the last decision back at once where nothing came between, else only if the others agree."""
    game = new_game("breakthrough/standard")
    before = game.hash()
    game.choose_index(0)
    assert game.decision is not None
    with pytest.raises(TakenBack):
        asked(game, "undo")
    assert game.hash() == before
    game = new_game("craps/standard")
    seat = game.decision.seat if game.decision else ""
    while game.decision is not None and (game.decision.seat != seat or len(game.history) < 4):
        game.choose_index(0)
    _, script = asked(game, "undo")
    assert "type 'undo agree'" in script.text
    with pytest.raises(TakenBack):
        asked(game, "undo agree")


def test_completion_offers_options_and_commands() -> None:
    """What can be typed is offered for completion."""
    _, script = asked(new_game("breakthrough/standard"), "1")
    assert {"board", "undo"} <= set(script.offered)
    assert any(each.startswith("white 1") for each in script.offered)


def test_the_board_shows_each_seat_its_own_view() -> None:
    """A hidden hand is a count to others, and cards to its player."""
    game = new_game("three_suits/standard")
    shown = {line.split("  ")[1].strip(): line for line in board_text(game, "north").splitlines() if "hand" in line}
    assert shown["east hand"].endswith("5 hidden")
    assert "hidden" not in shown["north hand"]


def test_names_in_a_row() -> None:
    """Numbered names in order become spans, like names are counted, and very many are cut."""
    assert listed(["unit 1", "unit 2", "unit 3", "fleet 5"]) == "unit 1–3, fleet 5"
    assert listed(["hidden card", "hidden card"]) == "hidden card (×2)"
    assert listed([f"{sign}x" for sign in "abcdefgh"]).endswith("fx and 2 more")


# ---------------------------------------------------------------- at a true terminal
def session(arguments: Sequence[str], lines: Sequence[str]) -> tuple[str, int]:
    """What a terminal shows when these lines are typed at its prompts, and the exit code."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    process = subprocess.Popen(
        [sys.executable, "-m", "interpreter.cli.main", *arguments],
        stdin=theirs, stdout=theirs, stderr=theirs, env=environment, cwd=TESTS.parent, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    shown = ""
    try:
        for line in [*lines, None]:
            for part in _until_prompt(ours):
                shown += part
            if line is None or process.poll() is not None:
                break
            os.write(ours, f"{line}\n".encode())
        return shown, process.wait(timeout=20)
    finally:
        process.kill()
        os.close(ours)


def _until_prompt(terminal: int) -> Iterator[str]:
    """What comes until a prompt stands there, or nothing more comes."""
    tail, until = "", time.monotonic() + 20
    while time.monotonic() < until and not tail.endswith("?] "):
        ready, _, _ = select.select([terminal], [], [], 20)
        try:
            data = os.read(terminal, 65536).decode(errors="replace") if ready else ""
        except OSError:
            return
        if not data:
            return
        tail = (tail + data)[-40:]
        yield data


def test_a_session_at_a_terminal(tmp_path: Path) -> None:
    """At a terminal every seat is a person's: coloured headings, prompts, answers, and a save when he quits."""
    save = tmp_path / "a.save"
    shown, code = session(
        ["play", "craps/standard", "--seed", "1", "--save", str(save)], ["2", "board", "nonsense", "quit"]
    )
    assert code == 0, shown
    assert "\x1b[1mann: How many chips?" in shown
    assert "[a number from 1 to 4, ?]" in shown
    assert "ann: stake: 2" in shown
    assert "chips " in shown
    assert "'nonsense' is none of the options" in shown
    assert f"'bicorne resume {save}' goes on" in shown.replace("\r\n", "\n")
