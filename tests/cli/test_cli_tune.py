"""`bicorne tune`: the overlay it writes, interrupts, and wrong usage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli.commands import tune
from interpreter.cli.main import main

RULES = """
ruleset: {id: gain, title: Gain, version: "1.0"}
kinds:
  side: {is: seat, members: [red, blue], has: {points: "int = 0"}}
procedures:
  grab:
    takes: {side: side}
    do: |
      let share = side chooses from 0 to 3 "How much?"
      set side.points += share
sequence:
  game: {repeat: 1, each: side in sides, do: grab(side)}
evaluation: {takes: {side: side}, is: 30 * side.points}
"""


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    """The arguments of a short tuning of a small ruleset with one scenario."""
    folder = tmp_path / "gain"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(RULES, encoding="utf-8")
    scenario = tmp_path / "gain.yaml"
    scenario.write_text("scenario: {id: standard, title: Standard, ruleset: gain}\n", encoding="utf-8")
    out = str(tmp_path / "tuned.yaml")
    return ["tune", str(scenario), "--path", str(tmp_path), "--games", "16", "--workers", "1", "--out", out]


def test_tuned_weights_are_written_as_overlay(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The command prints and writes the weights that won, and the overlay is sound."""
    monkeypatch.setattr(tune, "score_of_game", _greater_wins)
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["won"], found["lost"], found["weights"][0]["before"]) == (4, 0, 30)
    assert found["weights"][0]["after"] > 30
    assert f'set: "{found["weights"][0]["after"]} * side.points"' in (tmp_path / "tuned.yaml").read_text()
    assert not (tmp_path / "tuned.yaml.part").exists()
    assert main(["check", arguments[1], "--path", str(tmp_path), "--with", found["overlay"]]) == 0


def test_interrupted_tuning_continues(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """After an interrupt the overlay holds the weights so far; the same command ends with those of a whole run."""
    played: list[str] = []

    def interrupted(*given: Any) -> int:
        played.append(given[3])
        if len(played) == 5:
            raise KeyboardInterrupt
        return _greater_wins(*given)

    monkeypatch.setattr(tune, "score_of_game", interrupted)
    assert main(arguments) == 130
    assert "2 of 6 rounds played" in capsys.readouterr().err
    assert "side.points" in (tmp_path / "tuned.yaml").read_text()
    assert main(arguments) == 0
    assert len(played) == 5 + 2 * 4 + 4
    continued = (tmp_path / "tuned.yaml").read_text()
    assert main(arguments) == 0
    assert (tmp_path / "tuned.yaml").read_text() == continued


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--games", "7"), "at least 8 are needed"),
        (("--player", "random"), "the player 'random' can't tune"),
        (("--player", "search:1s"), "the player 'search:1s' can't tune"),
        (("--out", "nowhere/tuned.yaml"), "there is no folder"),
        (("--out", "."), "is a folder, not a file"),
    ],
)
def test_wrong_usage_is_refused(
    arguments: list[str], more: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Too few games, a player that does not look ahead or is not reproducible, and a missing folder are errors."""
    assert main([*arguments, *more]) == 2
    assert said in capsys.readouterr().err


def _greater_wins(_rules: object, one: str, other: str, _seed: str, _changed: bool) -> int:
    """The result of a game that the greater weight wins."""
    weights = [int(each.partition('set: "')[2].partition(" ")[0] or 30) for each in (one, other)]
    return (weights[0] > weights[1]) - (weights[0] < weights[1])
