"""The human player: the question, the commands, and how an answer is read."""

from __future__ import annotations

import os
import pty
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from processes import started

from interpreter.console.board import board_text
from interpreter.console.coloured_text import ColouredText
from interpreter.console.human import HumanPlayer
from interpreter.console.narration import join_names
from interpreter.console.prompt_commands import PromptCommands
from interpreter.language.diagnostics import UsageError
from interpreter.play.engine.source import source_of
from interpreter.play.game import Game
from interpreter.players.player import DecisionUndone, PlayerLeft
from interpreter.rules.loading.load import load_ruleset, load_scenario

TESTS = Path(__file__).resolve().parent.parent


class Script:
    """A terminal with prepared input lines."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)
        self.said: list[str] = []
        self.offered: Sequence[str] = ()

    def ask(self, prompt: str, words: Sequence[str]) -> str | None:
        """Returns the next line."""
        self.said.append(prompt)
        self.offered = words
        return self._lines.pop(0) if self._lines else None

    def say(self, text: str | ColouredText, style: str | None = None) -> None:
        """Records a text."""
        self.said.append(str(text))

    @property
    def text(self) -> str:
        """All recorded text."""
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
    """Returns the choice of a person who types these lines (none: the person leaves), and the terminal."""
    assert game.decision is not None
    script = Script(*lines)
    player = HumanPlayer(game.decision.seat, script, lambda _game, path: f"saved to {path}")
    try:
        return player.choose(game), script
    except PlayerLeft:
        return None, script


def test_option_is_chosen_by_number_or_name() -> None:
    """A number, a name or the beginning of a name choose an option; ambiguous and unknown names are reported."""
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


def test_number_question_takes_the_number_itself() -> None:
    """If the options are numbers, a typed number is the answer itself, not the index of an option."""
    game = new_game("craps/standard")
    assert game.decision is not None
    assert [game.decision.options[position] for position in [asked(game, "3")[0]] if position is not None] == [3]
    chosen, script = asked(game, "0", "5", "4")
    assert chosen == game.decision.options.index(4)
    assert "[a number from 1 to 4, ?]" in script.text


def test_identical_options_are_one_line(tmp_path: Path) -> None:
    """Options that differ only in their number are merged and counted."""
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


def test_number_of_an_option_can_be_asked_about() -> None:
    """'why not' with a number means the option with that number, if there is one."""
    game = new_game("breakthrough/standard")
    assert game.decision is not None
    chosen, script = asked(game, "why not 2", "why not 99")
    label = game.decision.label(game.decision.options[1])
    assert chosen is None
    assert f"{label} can be chosen now" in script.text
    assert "there is no option 99" in script.text


def test_commands_do_not_change_the_game() -> None:
    """Help, board, log, clauses and errors are shown, and the state of the game stays the same."""
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
        "nothing here is called 'fly'",
        "name an action",
        "'log' takes a number, not 'x'",
        "saved to None",
        "has not decided anything yet",
    ):
        assert part in script.text, part


def test_commands_accept_parts_of_names() -> None:
    """'rule' shows a clause with its subclauses, and 'why not' accepts a part of an action's name."""
    _, script = asked(new_game("fin_napoleon/campaign"), "rule 10.22", "why not reinf", "why not war")
    assert "\n10.22  The rout check" in script.text
    assert "\n10.22.p2  Every army left" in script.text
    assert "there is no action 'reinf'" not in script.text
    assert "there is no action 'war'" not in script.text


def test_why_shows_sum_row_and_clauses(tmp_path: Path) -> None:
    """'why' explains the last result: dice, every modifier with its clause, the row of the table."""
    from interpreter.workshop.scaffold import make_ruleset

    make_ruleset("race", tmp_path)
    game = Game(load_scenario(tmp_path / "race" / "scenarios" / "standard.yaml"), seed=1, trace=True)
    for answer in ("rest", "run"):
        game.choose(answer)
    _, script = asked(game, "why")
    for part in ("North rolls", "pace of North: +2  [run.2]", "+2  rested  [rest.1]", "stages run, roll ", "and so:"):
        assert part in script.text, part


def test_standing_is_shown_once_until_it_changes() -> None:
    """A line above the question says how the game stands, again only after it changed; `standing` derives it."""
    game = new_game("fin_napoleon/campaign")
    script = Script("standing", "1", "1")
    player = HumanPlayer("french", script, lambda _game, _path: "saved")
    game.choose_index(player.choose(game))
    player.choose(game)
    line = "turn 1; victory points of France 5 (goal 10); French morale 20 (goal 0)"
    assert script.said.count(line) == 1
    assert "  counted: Prussia 3, Spain 2" in script.text


def test_undo_asks_for_consent() -> None:
    """'undo' works at once if nothing happened since the decision, else only if the others agree."""
    game = new_game("breakthrough/standard")
    before = game.hash()
    game.choose_index(0)
    assert game.decision is not None
    with pytest.raises(DecisionUndone):
        asked(game, "undo")
    assert game.hash() == before
    game = new_game("craps/standard")
    seat = game.decision.seat if game.decision else ""
    while game.decision is not None and (game.decision.seat != seat or len(game.history) < 4):
        game.choose_index(0)
    _, script = asked(game, "undo")
    assert "type 'undo agree'" in script.text
    with pytest.raises(DecisionUndone):
        asked(game, "undo agree")


SEALED = """
ruleset: {id: sealed, title: Sealed, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  bid: {is: thing, has: {worth: int}}
individuals: {bid: {low: {worth: 1}, high: {worth: 2}}}
state: {made: "bid?", raised: "bid?", ended: "bool = false"}
sequence:
  game:
    do: |
      set made = red chooses one of bids "What is bid?"
      set raised = red secretly chooses one or none of (bids where .worth > 2) "Is it raised?"
      set ended = red agrees to finish "Is that all?"
"""


def test_undo_goes_past_questions_with_one_answer(tmp_path: Path) -> None:
    """A secret question with one answer is answered again by itself: undo goes back to the choice before it."""
    (tmp_path / "ruleset.yaml").write_text(SEALED, "utf-8")
    game = Game(load_ruleset(tmp_path, cache=False), seed=1, trace=True)
    before = game.hash()
    for _ in range(2):
        game.choose_index(0)
    assert len(game.history) == 2
    with pytest.raises(DecisionUndone):
        asked(game, "undo")
    assert game.hash() == before


def test_computer_agrees_to_no_undo() -> None:
    """A seat that can't agree is not asked: 'undo agree' does nothing, and says why."""
    game = new_game("craps/standard")
    seat = game.decision.seat if game.decision else ""
    while game.decision is not None and (game.decision.seat != seat or len(game.history) < 4):
        game.choose_index(0)
    before = game.history
    for line in ("undo", "undo agree"):
        script = Script(line)
        with pytest.raises(PlayerLeft):
            HumanPlayer(seat, script, lambda *_: "", can_agree=lambda _seat: False).choose(game)
        assert "needs the consent of" in script.text
        assert "a computer player does not agree" in script.text
    assert game.history == before


def test_completion_offers_options_and_commands() -> None:
    """The words that can be typed are offered for completion."""
    _, script = asked(new_game("breakthrough/standard"), "1")
    assert {"board", "undo"} <= set(script.offered)
    assert any(each.startswith("white 1") for each in script.offered)


def test_board_hides_other_hands() -> None:
    """Others see a hand as a count of hidden cards; its player sees the cards."""
    game = new_game("three_suits/standard")
    lines = [line for line in board_text(game, "north").splitlines() if "hand" in line]
    shown = {line.split("  ")[1].partition("(")[0].strip(): line for line in lines}
    assert shown["east hand"].endswith("5 hidden")
    assert "hidden" not in shown["north hand"]


def test_commands_tell_nothing_of_the_question_of_another_seat() -> None:
    """While another seat decides, as in a replay, no card of its hand has a name, and no clause tells what it is asked.

    The host, who is no seat, learns both.
    """
    game = new_game("three_suits/standard")
    assert game.decision is not None
    own, other = game.decision.seat, next(each for each in game.seats if each != game.decision.seat)
    cards = [game.source.wording.of(each) for each in game.core.world.all_of("card")]

    def answers(seat: str | None) -> list[str]:
        script = Script()
        commands = PromptCommands(game, seat, script.say)
        for card in cards:
            try:
                commands.run("why", f"not {card}")
            except UsageError as refused:
                script.say(str(refused))
        commands.run("rule", "")
        return script.said

    assert len(set(answers(own))) > 3
    assert answers(None) == answers(own)
    who = game.source.wording.of(game.decision.seat_object)
    refusal = f"{who} decides; 'why not' explains only questions to your own seat"
    assert answers(other) == [*[refusal] * len(cards), "this decision cites no clause"]


def test_names_are_joined_as_spans_and_counts() -> None:
    """Consecutive numbers become spans, equal names are counted, and a long list is cut."""
    assert join_names(["unit 1", "unit 2", "unit 3", "fleet 5"]) == "unit 1–3, fleet 5"
    assert join_names(["hidden card", "hidden card"]) == "hidden card (×2)"
    assert join_names(["非公開のカード"] * 2, "ja") == "非公開のカード（×2）"
    assert join_names([f"{sign}x" for sign in "abcdefgh"]).endswith("fx and 2 more")


# ---------------------------------------------------------------- at a real terminal
def session(arguments: Sequence[str], lines: Sequence[str]) -> tuple[str, int]:
    """Returns the text of a terminal where these lines are typed at the prompts, and the exit code."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    command = [sys.executable, "-m", "interpreter.cli.main", *arguments]
    shown = ""
    try:
        with started(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, cwd=TESTS.parent) as process:
            os.close(theirs)
            for line in [*lines, None]:
                for part in _until_prompt(ours):
                    shown += part
                if line is None or process.poll() is not None:
                    break
                os.write(ours, f"{line}\n".encode())
            return shown, process.wait()
    finally:
        os.close(ours)


def _until_prompt(terminal: int) -> Iterator[str]:
    """Yields the output until a prompt appears or the program ends."""
    tail = ""
    while not tail.endswith("?] "):
        try:
            data = os.read(terminal, 65536).decode(errors="replace")
        except OSError:
            return
        if not data:
            return
        tail = (tail + data)[-40:]
        yield data


def test_terminal_session_asks_every_seat(tmp_path: Path) -> None:
    """At a terminal every seat is human: coloured headings, prompts, answers, and the save after 'quit'."""
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
    assert f"continue later with 'bicorne resume {save}'" in shown.replace("\r\n", "\n")


def test_values_that_are_in_a_name_are_not_repeated(tmp_path: Path) -> None:
    """A card named by suit and rank has no traits; what is not in a name, can change, or is only like it, is shown."""
    folder = tmp_path / "cards"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(
        "ruleset: {id: cards, title: Cards, version: '1'}\n"
        "kinds:\n"
        "  suit: {is: enum, members: [acorns, bells]}\n"
        "  player: {is: seat, members: [one]}\n"
        "  hand: {is: space}\n"
        "  card: {is: piece, in: hand, has: {suit: suit, rank: int, worth: 'int = 0', bent: 'int = 0'}}\n"
        "  guard: {is: piece, in: hand, has: {speed: int}}\n"
        "individuals: {hand: [table]}\n"
        "pieces:\n"
        "  card:\n"
        "    - {id: acorns_6, suit: acorns, rank: 6, at: table}\n"
        "    - {id: bells_3, suit: bells, rank: 3, worth: 2, bent: 3, at: table}\n"
        "  guard: [{id: guard_6, speed: 6, at: table}]\n"
        "sequence:\n  game:\n    do: |\n"
        '      let taken = one chooses one of cards "Which?"\n'
        "      set taken.bent = 1\n"
    )
    from interpreter.rules.loading.load import load_ruleset

    game = Game(load_ruleset(folder))
    assert board_text(game, "one").splitlines()[0].split(None, 1)[1] == (
        "acorns 6; bells 3 (worth 2, bent 3); guard 6 (speed 6)"
    )


def test_why_explains_no_draw_of_which_all_is_hidden(tmp_path: Path) -> None:
    """After a roll the other side draws a card unseen: `why` explains the roll."""
    text = """\
ruleset: {id: draws, title: Draws, version: "1"}
kinds:
  side: {is: seat, members: [red, blue]}
  pile: {is: space, has: {of: "side?"}}
  card: {is: piece, in: pile}
individuals: {pile: {deck: {}, hand: {of: blue}}}
pieces: {card: [{id: ace, at: deck}, {id: two, at: deck}]}
views: {hands: {of: card, seen_by: card.pile.of, others_see: []}}
sequence:
  game:
    do: |
      let roll = red rolls 1d6 "attack"
      let card = draw one from deck
      move card to hand
      let ready = red agrees to go "Go?"
"""
    (tmp_path / "ruleset.yaml").write_text(text, encoding="utf-8")
    game = Game(load_ruleset(tmp_path), seed=1, trace=True)
    said: list[str] = []
    PromptCommands(game, "red", said.append).run("why", "")
    assert "attack" in said[0]
    assert "random" not in said[0]


def test_enter_shows_the_question_again() -> None:
    """Enter, 'options' and semicolons without an answer show the question and all its options again."""
    game = new_game("breakthrough/standard")
    assert game.decision is not None
    for typed in ("", "options", ";", "；", "; ;；"):
        chosen, script = asked(game, typed)
        assert chosen is None
        assert script.text.count(game.decision.prompt) == 2
        assert script.text.count(game.decision.label(game.decision.options[-1])) == 2


@pytest.mark.parametrize("command", ["quit", "exit", "standing", "options", "?", "help"])
def test_words_that_a_command_does_not_take_are_refused(command: str) -> None:
    """A command that takes no words is not obeyed with some, and it is said what it takes."""
    chosen, script = asked(new_game("breakthrough/standard"), f"{command} now", "1")
    assert chosen == 0
    assert f"'{command}' takes no further words, such as 'now'; type '{command}' alone" in script.said


def test_plan_without_an_order_says_what_it_takes() -> None:
    """'plan' alone shows no help for everything, but what belongs to it."""
    _, script = asked(new_game("breakthrough/standard"), "plan")
    assert "'plan' takes an order: an option and a goal" in script.said


@pytest.mark.parametrize("number", ["-1", "0", "99999", "99999999999999", "+3", "1.5"])
def test_number_that_no_entry_has_is_refused(number: str) -> None:
    """'why' with a number that the log does not have says which numbers there are, in each language."""
    for language, said in (
        ("en", "there is no entry {number}: the log has the entries 1 to {last}"),
        ("ja", "記録に{number}番はありません。1番から{last}番までです"),
    ):
        game = Game(source_of(load_scenario("breakthrough/standard"), language), seed=5, trace=True)
        game.choose_index(0)
        assert said.format(number=number, last=len(game.log)) in asked(game, f"why {number}")[1].said
