"""A situation changes the start of a ruleset or scenario, whichever way that is given."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from interpreter import ask, load_ruleset, load_scenario, odds
from interpreter.cli.main import main
from interpreter.inference.sampling import with_dice
from interpreter.language.diagnostics import UsageError
from interpreter.rules.loading.ruleset import Ruleset, Scenario

RULESET = """\
ruleset: {id: coin, title: Coins, version: 1.0.0}
options:
  worn: {says: Coins fall on their edge too., type: bool, default: false}
kinds:
  side: {is: seat, members: [red, blue]}
  purse: {is: space}
  coin: {is: piece, in: purse, has: {worth: "int = 1"}}
individuals: {purse: {left: {}, right: {}}}
pieces: {coin: [{id: penny, at: left}]}
state: {round: "int = 1"}
sequence: {toss: {do: throw()}}
procedures:
  throw: {gives: int, do: "return random one of (1..(3 if worn else 2))"}
  richest: {gives: int, do: "return max(coins.worth) otherwise 0"}
"""
SCENARIO = """\
scenario: {id: rich, title: Rich, ruleset: coin}
options: {worn: true}
state: {round: 5}
pieces: {coin: [{id: crown, at: right, worth: 60}]}
board: {coin: [{id: penny, at: right, worth: 2}]}
"""
OVERLAY = """\
overlay: {id: gold, for: coin}
patches: [{at: kinds/coin/has/worth, expect: "int = 1", set: "int = 100"}]
"""
Source = str | Path | Ruleset | Scenario


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a ruleset, a scenario and an overlay."""
    root = tmp_path_factory.mktemp("coins")
    (root / "rulesets" / "coin").mkdir(parents=True)
    (root / "scenarios" / "coin").mkdir(parents=True)
    (root / "rulesets" / "coin" / "ruleset.yaml").write_text(RULESET, encoding="utf-8")
    (root / "scenarios" / "coin" / "rich.yaml").write_text(SCENARIO, encoding="utf-8")
    (root / "gold.yaml").write_text(OVERLAY, encoding="utf-8")
    return root


@pytest.fixture(
    params=[
        lambda folder: "coin",
        lambda folder: folder / "rulesets" / "coin",
        lambda folder: load_ruleset("coin", paths=[folder]),
    ],
    ids=["by name", "by path", "loaded"],
)
def ruleset(request: pytest.FixtureRequest, folder: Path) -> Source:
    """The ruleset, in each way to give it."""
    give: Callable[[Path], Source] = request.param
    return give(folder)


@pytest.fixture(
    params=[
        lambda folder: "coin/rich",
        lambda folder: folder / "scenarios" / "coin" / "rich.yaml",
        lambda folder: load_scenario("coin/rich", paths=[folder]),
    ],
    ids=["by name", "by path", "loaded"],
)
def scenario(request: pytest.FixtureRequest, folder: Path) -> Source:
    """The scenario, in each way to give it."""
    give: Callable[[Path], Source] = request.param
    return give(folder)


def sides(source: Source, given: Any = None, **loading: Any) -> int:
    """The number of results of a throw."""
    return len(odds(source, "throw", given, **loading).rows)


def test_options_of_a_call_are_used(ruleset: Source, scenario: Source, folder: Path) -> None:
    """Options of the call override those of the situation, which override those of the scenario or ruleset."""
    on, off = {"worn": True}, {"worn": False}
    for source, present in ((ruleset, False), (scenario, True)):
        for count in (sides, lambda *a, **k: 3 if ask(a[0], "worn", *a[1:], **k) else 2):
            assert count(source, paths=[folder]) == (3 if present else 2)
            assert count(source, options=on, paths=[folder]) == 3
            assert count(source, options=off, paths=[folder]) == 2
            assert count(source, {"options": on}, paths=[folder]) == 3
            assert count(source, {"options": off}, paths=[folder]) == 2
            assert count(source, {"options": on}, options=off, paths=[folder]) == 2


def test_overlays_of_a_call_are_used(ruleset: Source, scenario: Source, folder: Path) -> None:
    """Overlays of the call come after those that a loaded ruleset or scenario has."""
    overlays = [folder / "gold.yaml"]
    assert ask(ruleset, "max(coins.worth)", paths=[folder]) == 1
    assert ask(ruleset, "max(coins.worth)", paths=[folder], overlays=overlays) == 100
    assert odds(ruleset, "richest", paths=[folder], overlays=overlays).rows == ((("100",), Fraction(1)),)
    assert ask(scenario, "penny.worth", paths=[folder], overlays=overlays) == 2
    assert ask(scenario, "penny.worth", {"set": {"coin/penny/worth": 7}}, paths=[folder], overlays=overlays) == 7


def test_loaded_overlays_stay(folder: Path) -> None:
    """A ruleset that was loaded with an overlay keeps it when options are set."""
    gold = load_ruleset("coin", [folder / "gold.yaml"], paths=[folder])
    assert ask(gold, "penny.worth", options={"worn": True}) == 100
    assert sides(gold, options={"worn": True}) == 3


def test_situation_changes_the_start_of_a_scenario(scenario: Source, folder: Path) -> None:
    """What the situation does not name is as in the scenario; what it names is as in the situation."""

    def found(question: str, **given: Any) -> Any:
        return ask(scenario, question, given, paths=[folder])

    assert found("round") == 5
    assert found("round", state={"round": 6}) == 6
    assert found("count(right.coins)", state={"round": 6}) == 2
    assert found("count(right.coins)", board={"coin": [{"id": "crown", "at": "left"}]}) == 1
    assert found("count(right.coins)", pieces={"coin": [{"id": "ducat", "at": "right"}]}) == 3
    assert found("penny.worth", set={"coin/penny/worth": 3}) == 3
    assert found("count(right.coins)", set={"coin/penny/worth": 3}) == 2
    changed = {"set": {"coin/crown/worth": 4}}
    assert odds(scenario, "richest", changed, paths=[folder]).rows == ((("4",), Fraction(1)),)
    assert odds(scenario, "richest", paths=[folder]).rows == ((("60",), Fraction(1)),)


def test_sampling_uses_the_options_of_the_situation(folder: Path) -> None:
    """Dice are thrown under the same rules as the exact odds."""
    runner = with_dice(load_ruleset("coin", paths=[folder]), "throw", {"options": {"worn": True}}, 1)
    assert {runner.run() for _ in range(200)} == {("1",), ("2",), ("3",)}


def test_commands_take_scenarios_with_situations(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`ask` and `odds` take the name of a scenario together with a situation."""
    given = folder / "given.yaml"
    given.write_text("set: {coin/crown/worth: 8}\n", encoding="utf-8")
    assert main(["ask", "coin/rich", "crown.worth", "--given", str(given), "--path", str(folder)]) == 0
    assert capsys.readouterr().out == "8\n"
    assert main(["odds", "coin/rich", "richest", "--given", str(given), "--path", str(folder)]) == 0
    assert "mean result: 8.000" in capsys.readouterr().out


# ---------------------------------------------------------------- plain data
def test_object_may_occur_twice(folder: Path) -> None:
    """Plain data in which one object occurs several times is read as if each were an object of its own."""
    options, cite = {"worn": True}, ["1.1"]
    coins = [{"id": "ducat", "at": "right", "cite": cite}, {"id": "florin", "at": "right", "cite": cite}]
    given = {"pieces": {"coin": coins}, "options": options, "decisions": options, "says": [coins, coins]}
    assert ask("coin", "count(right.coins)", given, paths=[folder]) == 2
    del given["decisions"]
    assert sides("coin", given, paths=[folder]) == 3


def contains_itself(data: dict[str, Any]) -> dict[str, Any]:
    """Returns data after it has been put into itself."""
    data["with"] = {"x": [1, data]}
    return data


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (contains_itself({}), "contains itself at 'with/x/1'"),
        ({"with": {"x": {1, 2}}}, "has a set at 'with/x'"),
        ({"with": Fraction(1, 2)}, "has a Fraction at 'with'"),
    ],
)
def test_data_that_no_document_can_have_is_refused(folder: Path, given: Any, message: str) -> None:
    """Data that contains itself, or has other values than documents, is refused with the place in it."""
    for find in (lambda: ask("coin", "1", given, paths=[folder]), lambda: odds("coin", "throw", given, paths=[folder])):
        with pytest.raises(UsageError, match=message):
            find()


def test_data_that_is_too_large_is_refused(folder: Path) -> None:
    """Data that becomes huge when each shared object is written out is refused, and so is very deep data."""
    wide: Any = [1] * 10
    for _ in range(7):
        wide = [wide] * 10
    with pytest.raises(UsageError, match="more than 200,000 values"):
        ask("coin", "1", {"says": wide}, paths=[folder])
    deep: Any = 1
    for _ in range(100):
        deep = [deep]
    with pytest.raises(UsageError, match="nested deeper than 40"):
        ask("coin", "1", {"says": deep}, paths=[folder])
