"""Each command does its work, says it to people, and says the same to programs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli.main import main

Bicorne = Callable[..., Any]
TESTS = Path(__file__).resolve().parent.parent


def test_list_shows_rulesets_with_their_scenarios(bicorne: Bicorne) -> None:
    """Every ruleset found is listed with version, origin and scenarios, to people and to programs."""
    told = bicorne("list")
    assert told.code == 0
    assert "craps 1.0  Two at the Pass Line" in told.out
    assert "craps/long_odds" in told.out
    data = bicorne("list", "--json").json
    assert {"craps", "three_suits"} <= {each["name"] for each in data["rulesets"]}
    assert "craps/standard" in [each["name"] for each in data["scenarios"]]


def test_list_of_one_ruleset_has_its_options(bicorne: Bicorne) -> None:
    """Each with its default, what it does, what it can be set to and its clause; of other rulesets nothing."""
    told = bicorne("list", "fin_napoleon")
    assert told.code == 0
    assert "fin_napoleon/campaign" in told.out
    assert "craps" not in told.out
    data = bicorne("list", "fin_napoleon", "--json").json
    assert [each["name"] for each in data["rulesets"]] == ["fin_napoleon"]
    assert data["options"]
    for each in data["options"]:
        [line] = [line for line in told.out.splitlines() if line.startswith(f"  {each['name']} ")]
        assert str(each["default"]).lower() in line
        assert each["says"] in line
        assert all(cite in line for cite in each["cite"])


def test_where_options_are_too_many_to_name_it_is_said_what_lists_them(bicorne: Bicorne) -> None:
    """A setting that is like none of them is wrong usage."""
    told = bicorne("ask", "nations_in_arms", "1", "--option", "xyz=1")
    assert (told.code, "'bicorne list RULESET' shows all" in told.err) == (2, True)


def test_list_of_no_ruleset(bicorne: Bicorne) -> None:
    """A wrong name is wrong usage, with the nearest right one."""
    told = bicorne("list", "fin_napolon")
    assert (told.code, "fin_napoleon" in told.err) == (2, True)


@pytest.mark.parametrize("arguments", [["--help"], ["play", "--help"], ["list"]])
def test_it_starts_light(arguments: list[str]) -> None:
    """Help and list load neither the parser, nor the schemas, nor rich."""
    script = (
        "import sys; from interpreter.cli.main import main; main(sys.argv[1:]); "
        "print([each for each in ('lark', 'jsonschema', 'rich') if each in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True, cwd=TESTS.parent
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_check_of_a_sound_ruleset_finds_nothing(bicorne: Bicorne) -> None:
    """A sound ruleset and its scenario pass, by name, by folder and by a single file of theirs."""
    folder = TESTS / "rulesets" / "craps"
    for target in ("craps", "craps/standard", folder, folder / "rules.yaml", TESTS / "scenarios" / "craps"):
        told = bicorne("check", target)
        assert (told.code, "error[" in told.out, "checked: " in told.out) == (0, False, True), told


def test_check_says_where_and_what(bicorne: Bicorne, made: Path) -> None:
    """A finding has file, line, column, code, source line and hint, in all three forms; the exit code is 1."""
    rules = made / "rules.yaml"
    rules.write_text(rules.read_text().replace("pace(player)]", "paec(player)]"))
    told = bicorne("check", made)
    assert told.code == 1
    assert "did you mean 'pace'?" in told.out
    found = bicorne("check", rules, "--format", "json").json["diagnostics"]
    [finding] = [each for each in found if each["severity"] == "error"]
    assert finding["file"] == str(rules)
    assert finding["line"] == 1 + rules.read_text()[: rules.read_text().index("paec")].count("\n")
    place, code = f"{rules}:{finding['line']}:{finding['column']}", finding["code"]
    assert f"{place}: error[{code}]: {finding['message']}\n    {finding['excerpt'].rstrip()}\n" in told.out
    assert bicorne("check", made, "--json").json["ok"] is False
    noted = bicorne("check", made, "--format", "github").out
    assert f"::error file={rules},line={finding['line']},col={finding['column']},title={code}::" in noted


def test_check_of_a_scenario_file(bicorne: Bicorne, made: Path) -> None:
    """A scenario file is checked as one, against its own ruleset."""
    scenario = made / "scenarios" / "standard.yaml"
    assert bicorne("check", scenario).code == 0
    scenario.write_text(scenario.read_text() + "state: {nonsense: 1}\n")
    told = bicorne("check", scenario)
    assert told.code == 1
    assert "nonsense" in told.out


def test_new_makes_a_game_that_works(bicorne: Bicorne, made: Path) -> None:
    """What 'new' makes passes check and test, plays to its end, and can be reckoned and simulated."""
    assert bicorne("check", made).code == 0
    tested = bicorne("test", made, "--json").json
    assert tested["ok"]
    assert len(tested["examples"]) >= 5
    assert "State: " in bicorne("play", made, "--seed", "1").out
    (made / "given.yaml").write_text("with: {player: north}\n")
    rows = bicorne("odds", made, "run_on", "--given", made / "given.yaml", "--json").json["rows"]
    assert [(row["outcome"]["reached"], row["exact"]) for row in rows] == [("1", "1/2"), ("2", "1/3"), ("0", "1/6")]
    assert bicorne("simulate", made, "--games", "20").code == 0


def test_a_failing_example_is_told_with_its_trace(bicorne: Bicorne, made: Path) -> None:
    """An example that does not hold exits with 1, says what was expected, and tells what happened."""
    examples = made / "examples.yaml"
    examples.write_text(examples.read_text().replace("north_runner.stage = meadow", "north_runner.stage = brook"))
    told = bicorne("test", made)
    assert told.code == 1
    assert "a_plain_run does not hold" in told.out
    assert "North rolls 3" in told.out
    assert "1 does not hold" in told.out
    assert bicorne("test", made, "--only", "arrival").code == 0


def test_simulate_counts_and_bounds(bicorne: Bicorne) -> None:
    """The shares of all outcomes add up, each lies within its interval, and the same seed gives the same counts."""
    first = bicorne("simulate", "craps/standard", "--games", "60", "--seed", "s", "--json").json
    assert first["games"] == sum(each["games"] for each in first["outcomes"]) == 60
    assert all(each["low"] <= each["share"] <= each["high"] for each in first["outcomes"])
    assert bicorne("simulate", "craps/standard", "--games", "60", "--seed", "s", "--json").json == first
    assert "95% interval" in bicorne("simulate", "craps/standard", "--games", "10").out


def test_a_simulated_game_can_be_played_again(bicorne: Bicorne) -> None:
    """The first game of a simulation is the game that 'play' plays with its seed."""
    [ending] = bicorne("simulate", "craps/standard", "--games", "1", "--seed", "x", "--json").json["outcomes"]
    played = bicorne("play", "craps/standard", "--seed", "x/0", "--quiet", "--json").json["end"]
    assert (played["winners"], played["reason"]) == (ending["winners"], ending["reason"])


def test_odds_are_exact(bicorne: Bicorne, tmp_path: Path) -> None:
    """A point of 6 with one roll is made in 5 of 36 cases, and the text says so too."""
    given = tmp_path / "given.yaml"
    given.write_text("with: {shooter: ann, goal: 6}\noptions: {most_rolls: 1}\n")
    rows = bicorne("odds", "craps", "settle", "--given", given, "--json").json["rows"]
    assert {row["outcome"]["won"]: row["exact"] for row in rows} == {"true": "5/36", "false": "31/36"}
    assert "5/36" in bicorne("odds", "craps", "settle", "--given", given).out


def test_explain_a_clause_and_a_result(bicorne: Bicorne, made: Path, tmp_path: Path) -> None:
    """A clause is told with its rule text; an entry of a log with what led to it, in words and as data."""
    told = bicorne("explain", "craps", "pass.1")
    assert told.code == 0
    assert told.out.startswith("pass.1 (rule): A come-out roll of 7 or 11")
    assert "procedures/pass_line" in told.out
    log = tmp_path / "a.log"
    assert bicorne("play", "craps/standard", "--seed", "1", "--log", log).code == 0
    entries = [bicorne("explain", log, "--at", str(number), "--json").json for number in range(4)]
    [roll] = [each for each in entries if " rolls " in each["text"]][:1]
    assert roll["rule_text"].startswith("let total = shooter rolls 2d6")
    assert "rolls" in bicorne("explain", log, "--at", str(roll["number"])).out


def test_a_copied_ruleset_is_played_by_its_folder(bicorne: Bicorne, tmp_path: Path) -> None:
    """A folder stands before the installed ruleset of the same id, with scenarios of its own or of that one."""
    copy = tmp_path / "my_craps"
    shutil.copytree(TESTS / "rulesets" / "craps", copy)
    head = (copy / "ruleset.yaml").read_text()
    (copy / "ruleset.yaml").write_text(head.replace('version: "1.0"', 'version: "1.7"'))
    assert "(craps/standard 1.7)" in bicorne("play", f"{copy}/standard", "--seed", "1").out
    assert "(craps/standard 1.0)" in bicorne("play", "craps/standard", "--seed", "1").out
    unknown = bicorne("play", f"{copy}/standart")
    assert unknown.code == 2
    assert f"the ruleset in {copy} has no scenario 'standart'\ndid you mean 'standard'?" in unknown.err
    (copy / "scenarios").mkdir()
    shutil.copy(TESTS / "scenarios" / "craps" / "long_odds.yaml", copy / "scenarios")
    assert "(craps/long_odds 1.7)" in bicorne("play", copy, "--seed", "1").out


def test_explain_lists_what_it_can_explain(bicorne: Bicorne, tmp_path: Path) -> None:
    """Of a log alone every entry is listed with its number, which --at takes."""
    log = tmp_path / "a.log"
    assert bicorne("play", "craps/standard", "--seed", "1", "--log", log).code == 0
    listed = bicorne("explain", log)
    assert listed.code == 0
    entries = bicorne("explain", log, "--json").json
    assert len(listed.out.splitlines()) == len(entries) > 3
    number = entries[-1]["number"]
    assert bicorne("explain", log, "--at", str(number)).out.startswith(f"{number}: {entries[-1]['text']}\n")


def test_format_rewrites_and_checks(bicorne: Bicorne, made: Path) -> None:
    """What 'new' makes is in style; a document that isn't is found by --check and brought back into it."""
    assert bicorne("format", "--check", made).code == 0
    rules = made / "rules.yaml"
    before = rules.read_text()
    rules.write_text(before.replace("  pace:", "  pace:   ").replace("\nprocedures:", "\n\n\nprocedures:"))
    told = bicorne("format", "--check", made)
    assert (told.code, told.out) == (1, f"not in style: {rules}\n")
    assert bicorne("format", made, "--json").json["changed"] == [str(rules)]
    assert rules.read_text() == before


def test_coverage_counts_clauses(bicorne: Bicorne, made: Path) -> None:
    """Every clause of the ruleset that 'new' makes is accounted for; one that nothing cites is a finding."""
    told = bicorne("coverage", made, "--games", "2", "--all")
    assert told.code == 0
    assert "run.1  exercised by " in told.out
    clauses = made / "clauses.yaml"
    clauses.write_text(clauses.read_text() + '  - {id: run.9, kind: rule, says: "Nobody runs at night."}\n')
    told = bicorne("coverage", made, "--games", "2", "--json")
    assert (told.code, told.json["ok"]) == (1, False)
    assert [each["id"] for each in told.json["clauses"] if each["state"] == "missing"] == ["run.9"]


def test_provenance_lists_what_is_not_stated(bicorne: Bicorne) -> None:
    """Figures are counted by standing, and those that are not in the source are listed."""
    told = bicorne("provenance", "craps")
    assert "tables/ways/4" in told.out
    assert "derived: follows from what the rules say" in told.out
    totals = bicorne("provenance", "craps", "--json").json["totals"]
    assert (totals["derived"], totals["reconstructed"]) == (6, 0)


def test_bench_says_which_rules_take_the_time(bicorne: Bicorne) -> None:
    """A profile names rules with the places of their text, and its shares are shares of one time."""
    told = bicorne("bench", "breakthrough/standard", "--profile", "--seconds", "0.02")
    assert "breakthrough/rules.yaml:" in told.out
    costs = bicorne("bench", "breakthrough/standard", "--profile", "--seconds", "0.02", "--json").json["profiles"]
    (found,) = costs.values()
    assert 0.9 < sum(each["own"] for each in found) < 1.1
    assert any(each["sort"] == "action" and each["calls"] > 0 for each in found)


def test_bench_measures(bicorne: Bicorne, tmp_path: Path) -> None:
    """The benchmarks give every figure, and a ratio where a hand-written game is given."""
    yardstick = tmp_path / "by_hand.py"
    yardstick.write_text("def play_random(seed):\n    return sum(range(1000))\n")
    told = bicorne("bench", "craps/standard", "--seconds", "0.02", "--yardstick", yardstick, "--json").json["figures"]
    figures = {each["what"]: each["value"] for each in told}
    assert {"load, cached", "random games in bulk", "hash of the state", "view of a seat"} <= set(figures)
    assert figures["time against the game written by hand"] > 0


def test_bench_measures_exact_odds(bicorne: Bicorne, tmp_path: Path) -> None:
    """Exact odds of a situation, and the dice that would be as sure of them."""
    given = tmp_path / "given.yaml"
    given.write_text("with: {shooter: ann}\n")
    words = ("bench", "craps/standard", "--odds", "pass_line_by_lot", "--given", given, "--seconds", "0.02", "--json")
    told = bicorne(*words).json["figures"]
    assert [each["unit"] for each in told] == ["ms", "ms", "times", "ms"]
    assert all(each["value"] > 0 for each in told)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """The version is printed, and nothing else done."""
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("bicorne 0.")


def test_a_reader_who_leaves_early_does_no_harm() -> None:
    """When the reading end of a pipe is closed, the program ends quietly."""
    command = [sys.executable, "-m", "interpreter.cli.main", "play", "craps/standard", "--seed", "1", "--json"]
    environment = {**os.environ, "BICORNE_PATH": str(TESTS)}
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        command, stdout=writing, stderr=subprocess.PIPE, text=True, env=environment, cwd=TESTS.parent, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_no_colour_where_output_is_piped(bicorne: Bicorne) -> None:
    """What is piped holds no escape codes, and JSON lines are JSON to the last one."""
    assert "\x1b" not in bicorne("play", "craps/standard", "--seed", "2").out
    lines = bicorne("play", "craps/standard", "--seed", "2", "--json").out.splitlines()
    assert "end" in [json.loads(each) for each in lines][-1]


@pytest.mark.parametrize("given", ["-1", "0", "soon", "nan", "inf"])
def test_bench_takes_a_time_that_can_pass(bicorne: Bicorne, given: str) -> None:
    """What is no time above 0 is refused in one line."""
    ran = bicorne("bench", "craps/standard", "--seconds", given)
    assert (ran.code, ran.out) == (2, "")
    assert f"seconds above 0, up to an hour, are needed, not '{given}'" in ran.err


def test_a_result_is_explained_in_another_language(bicorne: Bicorne, tmp_path: Path) -> None:
    """With --language the entries of a log and what stands behind one are told in that language."""
    save = tmp_path / "a.save"
    bicorne("play", "craps/standard", "--seed", "1", "--turns", "1", "--save", save, "--quiet")
    listed = bicorne("explain", save, "--language", "ja").out
    rolled = next(line for line in listed.splitlines() if "のダイス：" in line)
    told = bicorne("explain", save, "--language", "ja", "--at", rolled.split()[0])
    assert told.code == 0, told.err
    assert "、手順 " in told.out
    assert "条項:" in told.out
    assert "rolls" not in listed
