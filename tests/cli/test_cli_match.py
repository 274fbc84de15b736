"""`bicorne match`: pairs of games between two players, and wrong usage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli.commands import match
from interpreter.cli.main import main

TESTS = str(Path(__file__).resolve().parent.parent)
ARGUMENTS = ("match", "breakthrough/standard", "--path", TESTS, "--workers", "1")


def _played(capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    assert main([*ARGUMENTS, *more, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_equal_players_share_every_pair(capsys: pytest.CaptureFixture[str]) -> None:
    """Both games of a pair have one seed: random players play the same game twice, and each wins it once."""
    found = _played(capsys, "random", "random", "--pairs", "4")
    assert (found["won"], found["lost"], found["even"]) == (4, 4, 0)
    white, black = found["sides"]
    assert (white["won"], white["lost"]) == (black["lost"], black["won"])


def test_invariants_are_tested_on_request(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """With `--invariants` a game that breaks an invariant ends the match with an error."""
    overlay = tmp_path / "broken.yaml"
    overlay.write_text('overlay: {id: broken, for: breakthrough}\ninvariants: {never: {is: "1 = 2"}}\n')
    command = [*ARGUMENTS, "random", "random", "--pairs", "1", "--with", str(overlay)]
    assert main(command) == 0
    assert main([*command, "--invariants"]) == 1
    assert "the invariant 'never' does not hold" in capsys.readouterr().err


def test_stronger_player_wins_in_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    """The greedy player wins against the random one, whichever side it has, and the table says how surely."""
    assert main([*ARGUMENTS, "greedy", "random", "--pairs", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "greedy against random: 4 games"
    assert lines[-1].split()[:5] == ["all", "4", "0", "0", "100%"]


def test_player_may_have_seconds(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A budget in seconds is allowed, because the strength for a time is what a match measures."""
    record = match.GameRecord(0, None, "", 0, "")
    monkeypatch.setattr(match, "play_games", lambda plan, numbers: [record])
    found = _played(capsys, "search:0.5s", "greedy", "--pairs", "1")
    assert (found["players"], found["even"]) == (["search:0.5s", "greedy"], 2)


def test_games_before_an_interrupt_count(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """After an interrupt the command prints the score of the games that ended."""
    left = [match.GameRecord(0, ("white",), "", 9, "")]

    def interrupted(*_: object) -> list[match.GameRecord]:
        if not left:
            raise KeyboardInterrupt
        return [left.pop()]

    monkeypatch.setattr(match, "play_games", interrupted)
    assert main([*ARGUMENTS, "greedy", "random"]) == 130
    assert "greedy against random: 1 game" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("players", "message"),
    [(("greedy", "perfect"), "player 'perfect'"), (("greedy:9", "random"), "takes no budget")],
)
def test_wrong_players_are_refused(players: tuple[str, str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown player, or a budget of one that takes none, is an error of usage."""
    assert main([*ARGUMENTS, *players]) == 2
    assert message in capsys.readouterr().err


def test_seats_that_nobody_plays_are_no_side(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The duel of The Napoleonic Wars names two of the five seats of its game, and only these are matched."""
    monkeypatch.setattr(match, "play_games", lambda plan, numbers: [match.GameRecord(0, None, "", 0, "")])
    arguments = ["match", "napoleonic_wars/duel_1805", "random", "random", "--pairs", "1", "--workers", "1", "--json"]
    assert main(arguments) == 0
    assert [each["seats"] for each in json.loads(capsys.readouterr().out)["sides"]] == [["french"], ["british"]]
