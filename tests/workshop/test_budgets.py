"""Runs of many examples, changes or games have a limit of work in all; what they did not do is a finding."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.play.engine import quota
from interpreter.play.engine.budget import MAX_EXTRA_SECONDS, MAX_SECONDS
from interpreter.play.engine.quota import Quota, QuotaSpentError
from interpreter.rules.loading.load import load_ruleset
from interpreter.workshop.examples import run_examples
from interpreter.workshop.examples.run_examples import each_example
from interpreter.workshop.mutation.run_mutants import MutationRunner, Trial, list_mutants, try_mutants

RULES = """\
ruleset: {id: endless, title: Endless, version: 1.0.0}
kinds: {side: {is: seat, members: [red, blue]}}
state: {n: int = 0}
procedures:
  spin:
    gives: int
    do: |
      repeat 1000000 times:
        repeat 1000000 times:
          set n = n + 1
      return 1
  ask_often:
    do: |
      repeat 10000 times:
        let answer = red chooses from 1 to 2 "Which?"
        repeat 1000 times:
          set n = n + answer
sequence: {game: {do: set n = 1 + 2}}
examples:
"""
ENDLESS = "  e{}: {{run: spin(), then: [result = 1]}}\n"
HOLDS = "  holds{}: {{step: game, then: [n = 3]}}\n"
LONG = "  long: {run: ask_often(), decisions: {ask_often.answer: [" + ", ".join(["1"] * 10_000) + "]}}\n"


def ruleset(folder: Path, *examples: str) -> str:
    """Writes a ruleset with these examples; returns its folder."""
    folder.mkdir()
    text = RULES + "".join([each.format(number) for number, each in enumerate(examples)])
    (folder / "ruleset.yaml").write_text(text, encoding="utf-8")
    return str(folder)


def test_endless_examples_are_not_all_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After some endless examples the rest are not run, and listed; with one endless example less, all are run."""
    assert run_examples.MAX_RUNAWAYS * (MAX_SECONDS + MAX_EXTRA_SECONDS) < 20
    monkeypatch.setattr(run_examples, "MAX_RUNAWAYS", 2)
    assert main(["test", ruleset(tmp_path / "two", *[ENDLESS] * 2, HOLDS, HOLDS)]) == 1
    out = capsys.readouterr().out
    assert "2 examples not run, because 2 examples have exceeded the limit of work" in out
    assert "endless/holds2, endless/holds3" in out
    assert "what happened after" in out
    assert main(["test", ruleset(tmp_path / "one", ENDLESS, HOLDS, HOLDS)]) == 1
    out = capsys.readouterr().out
    assert "not run" not in out
    assert "3 examples: 1 does not hold" in out


class CountingTimer:
    """A timer that lets a number of checks pass."""

    left = 0

    def has_exceeded(self, _seconds: float) -> bool:
        """Counts a check."""
        CountingTimer.left -= 1
        return CountingTimer.left < 0


@pytest.mark.parametrize(("checks", "run"), [(0, 0), (2, 2), (3, 3)])
def test_examples_after_the_budget_are_not_run(
    checks: int, run: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the time of a run is spent, no further example begins; with enough time, all run."""
    monkeypatch.setattr(quota, "CpuTimer", CountingTimer)
    monkeypatch.setattr(CountingTimer, "left", checks)
    code = main(["test", ruleset(tmp_path / "holds", HOLDS, HOLDS, HOLDS), "--budget", "5"])
    out = capsys.readouterr().out
    assert code == (0 if run == 3 else 1)
    assert out.count("holds  endless/") == run
    names = ", ".join(f"endless/holds{number}" for number in range(run, 3))
    assert ("because the budget of 5 seconds of CPU time is spent: " + names in out) is (run < 3)


def test_time_runs_out_inside_an_example(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An example with many decisions is stopped at one of them, and counts as not run."""
    monkeypatch.setattr(quota, "CpuTimer", CountingTimer)
    monkeypatch.setattr(CountingTimer, "left", 10)
    folder = ruleset(tmp_path / "long", LONG.replace("{", "{{").replace("}", "}}"))
    assert main(["test", folder]) == 1
    assert capsys.readouterr().out.startswith("no examples\n1 example not run, because the budget of 300 seconds")
    assert CountingTimer.left == -1


def test_quota_limits_games_made_within_it(tmp_path: Path) -> None:
    """Only games made in the block of a quota are limited by it."""
    rules = load_ruleset(Path(ruleset(tmp_path / "two", HOLDS, HOLDS)))
    spent = Quota(0)
    with spent.applied(), pytest.raises(QuotaSpentError):
        list(each_example(rules))
    assert all(each.passed for each in each_example(rules))


def test_endless_examples_stop_mutation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the examples of the unchanged ruleset take all the time, no change is tried."""
    monkeypatch.setattr(run_examples, "MAX_RUNAWAYS", 2)
    folder = ruleset(tmp_path / "endless", *[ENDLESS] * 3)
    assert main(["mutate", folder, "--workers", "1"]) == 2
    assert f"'bicorne test {folder}' shows which examples take it" in capsys.readouterr().err


def test_changes_that_are_not_tried_are_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the time of `mutate` is spent, it prints how many changes are left, and exits with 1."""
    folder = ruleset(tmp_path / "holds", HOLDS)
    changes = len(list_mutants(load_ruleset(Path(folder))))
    assert changes > 2
    assert main(["mutate", folder, "--workers", "1"]) == 0
    assert "not tried" not in capsys.readouterr().out
    tried: list[int] = []
    usual = MutationRunner.try_mutant

    def try_two(runner: MutationRunner, number: int) -> Trial:
        if len(tried) == 2:
            raise QuotaSpentError("spent")
        tried.append(number)
        return usual(runner, number)

    monkeypatch.setattr(MutationRunner, "try_mutant", try_two)
    assert main(["mutate", folder, "--workers", "1"]) == 1
    assert f"{changes - 2} change{'s' if changes > 3 else ''} not tried, because the budget" in capsys.readouterr().out


def test_workers_have_the_time_too(tmp_path: Path) -> None:
    """A worker process whose time is spent tries nothing; the examples are run by workers too."""
    rules = load_ruleset(Path(ruleset(tmp_path / "holds", HOLDS)))
    numbers: Sequence[int] = list(list_mutants(rules))
    assert len(list(try_mutants(rules, numbers, workers=2, seconds=100))) == len(numbers)
    with pytest.raises(QuotaSpentError):
        list(try_mutants(rules, numbers, workers=2, seconds=0))


@pytest.mark.parametrize("command", ["coverage {} --games 1", "diff {} --with {}/more.yaml"])
def test_other_runs_of_examples_are_limited(tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    """Coverage and diff, which need all of their work, are refused when their time is spent."""
    folder = ruleset(tmp_path / "endless", ENDLESS, HOLDS)
    overlay = "overlay: {id: more, for: endless, title: More}\npatches: [{at: state/n, set: int = 0}]\n"
    Path(folder, "more.yaml").write_text(overlay, encoding="utf-8")
    assert main([*command.format(folder, folder).split(), "--budget", "0.01"]) == 2
    assert "0.01 seconds of CPU time is spent; give more time with --budget SECONDS" in capsys.readouterr().err
