"""Numbers of options follow from the decisions of the step: undo, resuming and a kill leave them as they were."""

from __future__ import annotations

import io
import random
import re
import sys
from pathlib import Path

import pytest
from scripted_terminal import typed

from interpreter.cli.main import main
from interpreter.console.human import Question
from interpreter.console.option_labels import option_groups
from interpreter.play.game import Game
from interpreter.play.records.recording import RecordedGame, resume
from interpreter.play.views.option_numbers import OptionNumbers
from interpreter.rules.loading.load import load_ruleset, load_scenario

MUSTER = """
ruleset: {id: muster, title: Muster, version: "1"}
kinds:
  side: {is: seat, members: [red, blue]}
  place: {is: space}
  troop: {is: piece, in: place}
individuals: {place: [pool, north]}
pieces:
  troop: [{id: alpha, at: pool}, {id: beta, at: pool}, {id: gamma, at: pool}, {id: delta, at: pool}]
sequence:
  game:
    steps:
      muster:
        do: |
          while any(pool.troops), up to 9 times:
            let troop = red chooses one or none of pool.troops "Who lands?"
            if troop = none: stop
            let wind = red rolls 1d6 "Wind"
            if wind > 0: move troop to north
      last:
        do: |
          let chief = red chooses one of troops "Who leads?"
          move chief to pool
"""

STANDARD = """
scenario: {id: standard, title: Standard, ruleset: muster}
"""


@pytest.fixture
def muster(tmp_path: Path) -> Path:
    """A ruleset in which a seat is asked again and again who lands, of fewer and fewer troops."""
    folder = tmp_path / "muster"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(MUSTER)
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "standard.yaml").write_text(STANDARD)
    return folder


def numbered(game: Game, numbers: OptionNumbers) -> list[str]:  # type: ignore[type-arg]
    """The lines of the options with their numbers."""
    return [f"{number} {line}" for number, line in numbers.of(game)]


def asked_of(game: Game) -> list[str]:
    """The lines of the options as somebody reads them who has not seen the game before."""
    return Question.asked(game).lines


def test_numbers_after_an_undo_are_those_before(muster: Path) -> None:
    """Gamma keeps number 3 while others land; taken back, every question has the numbers that it had."""
    game, numbers = Game(load_ruleset(muster), seed=3), OptionNumbers(option_groups)
    seen = []
    for answer in ("beta", "alpha", "gamma"):
        seen.append(numbered(game, numbers))
        game.choose(answer)
    assert seen[2][:2] == ["3 gamma", "4 delta"]
    while seen:
        game.undo("red", ["blue"])
        assert numbered(game, numbers) == seen.pop()


def test_another_answer_after_an_undo_is_what_counts(muster: Path) -> None:
    """What was taken back leaves no number behind."""
    game, numbers = Game(load_ruleset(muster), seed=3), OptionNumbers(option_groups)
    other = Game(load_ruleset(muster), seed=3)
    for answer in ("alpha", "beta"):
        numbered(game, numbers)
        game.choose(answer)
    for _ in range(2):
        game.undo("red", ["blue"])
    for answer in ("delta", "gamma"):
        numbered(game, numbers)
        game.choose(answer)
        other.choose(answer)
    assert numbered(game, numbers) == numbered(other, OptionNumbers(option_groups))


def test_undo_into_an_earlier_step(muster: Path) -> None:
    """The numbers of a step that was over come back with it."""
    game, numbers = Game(load_ruleset(muster), seed=3), OptionNumbers(option_groups)
    game.choose("alpha")
    before = numbered(game, numbers)
    game.choose(None)
    assert numbered(game, numbers)[0].startswith("1 ")
    game.undo("red")
    assert numbered(game, numbers) == before


def test_making_earlier_decisions_again_changes_nothing(muster: Path) -> None:
    """Numbers of a game that was played without them: the game, its log, its dice and its record stay as they are."""
    game = RecordedGame(load_ruleset(muster), seed=3, trace=True)
    for answer in ("beta", "alpha"):
        game.choose(answer)
    before = (game.recording, list(map(str, game.log)), game.view("red"), game.decision and game.decision.labels)
    assert asked_of(game)[0].strip().startswith("3 ")
    assert (
        game.recording,
        list(map(str, game.log)),
        game.view("red"),
        game.decision and game.decision.labels,
    ) == before
    again = RecordedGame(load_ruleset(muster), seed=3)
    for each in ("beta", "alpha", "gamma"):
        again.choose(each)
    game.choose("gamma")
    assert game.recording == again.recording


@pytest.mark.parametrize("scenario", ["craps/standard", "three_suits/standard", "breakthrough/standard"])
def test_every_session_has_the_same_numbers(monkeypatch: pytest.MonkeyPatch, scenario: str) -> None:
    """At each decision of a random game, whoever resumes it there reads the numbers of who played it."""
    monkeypatch.setenv("BICORNE_PATH", str(Path(__file__).resolve().parent.parent))
    source, rng = load_scenario(scenario), random.Random(scenario)
    game = RecordedGame(source, seed=2)
    numbers = {seat: OptionNumbers(option_groups) for seat in game.seats}
    for _ in range(40):
        if game.decision is None:
            break
        seen = numbered(game, numbers[game.decision.seat])
        assert numbered(resume(game.recording, source), OptionNumbers(option_groups)) == seen
        game.choose_index(rng.randrange(len(game.decision.options)))


def test_undo_at_the_terminal(muster: Path) -> None:
    """After `undo` the list stands as before, and the number of a troop means the same troop."""
    game = Game(load_ruleset(muster), seed=3)
    player_sees = typed(game, "2", "3", "undo agree", "3").said
    lists = [each for each in player_sees if re.match(r" +3  ", each)]
    assert lists == ["  3  gamma"] * len(lists)
    assert len(lists) >= 2


# ---------------------------------------------------------------- a session that ends
def shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *command: str, lines: str) -> list[str]:
    """The numbered lines that a session shows at its last question."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    capsys.readouterr()
    main(list(command))
    question = capsys.readouterr().out.rpartition("Who lands?")[2]
    return [each.strip() for each in question.splitlines() if re.match(r" +\d+  ", each)]


@pytest.mark.parametrize("ending", ["save\nquit\n", ""])
def test_resumed_session_shows_the_same_numbers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], muster: Path, tmp_path: Path, ending: str
) -> None:
    """Who saves and leaves, or whose input ends, reads the same list when the game goes on; an undo there, too."""
    save, scenario = str(tmp_path / "a.save"), str(muster / "scenarios" / "standard.yaml")
    begin = ("play", scenario, "--seed", "3", "--seat", "red=human", "--save", save)
    played = shown(monkeypatch, capsys, *begin, lines=f"2\n1\n{ending}")
    assert played[0] == "3  gamma"
    go_on = ("resume", save, "--path", str(tmp_path))
    assert shown(monkeypatch, capsys, *go_on, lines="") == played
    assert shown(monkeypatch, capsys, *go_on, lines="3\nundo agree\n") == played
