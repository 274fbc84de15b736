"""Each command does its work and prints the same for people and for programs."""

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
from processes import DEADLINE

from interpreter.cli.main import main

Bicorne = Callable[..., Any]
TESTS = Path(__file__).resolve().parent.parent


def test_list_shows_rulesets_and_scenarios(bicorne: Bicorne) -> None:
    """Every ruleset is listed with version, origin and scenarios, as text and as JSON."""
    outcome = bicorne("list")
    assert outcome.code == 0
    assert "craps 1.0  Two at the Pass Line" in outcome.out
    assert "craps/long_odds" in outcome.out
    data = bicorne("list", "--json").json
    assert {"craps", "three_suits"} <= {each["name"] for each in data["rulesets"]}
    assert "craps/standard" in [each["name"] for each in data["scenarios"]]


def test_list_of_one_ruleset_shows_options(bicorne: Bicorne) -> None:
    """Each option has its default, description, values and clause; other rulesets are not listed."""
    outcome = bicorne("list", "fin_napoleon")
    assert outcome.code == 0
    assert "fin_napoleon/campaign" in outcome.out
    assert "craps" not in outcome.out
    data = bicorne("list", "fin_napoleon", "--json").json
    assert [each["name"] for each in data["rulesets"]] == ["fin_napoleon"]
    assert data["options"]
    for each in data["options"]:
        [line] = [line for line in outcome.out.splitlines() if line.startswith(f"  {each['name']} ")]
        assert str(each["default"]).lower() in line
        assert each["says"] in line
        assert all(cite in line for cite in each["cite"])


def test_list_of_one_scenario_shows_seats_and_aims(bicorne: Bicorne) -> None:
    """A scenario is listed with what it is about, its seats, and what wins with the present numbers."""
    outcome = bicorne("list", "fin_napoleon/coalition")
    assert outcome.code == 0
    assert "three allied players" in outcome.out
    assert "French morale 20 (goal 0).  [13.2, 12.0]" in outcome.out
    assert [line.split()[0] for line in outcome.out.splitlines()[-4:]] == ["french", "allied", "allied_2", "allied_3"]
    data = bicorne("list", "fin_napoleon/coalition", "--json").json
    assert (list(data["seats"]), data["standing"][0]["goal"]) == (["french", "allied", "allied_2", "allied_3"], 10)


def test_list_applies_overlays(bicorne: Bicorne) -> None:
    """A scenario is listed as it is with an overlay; without a name there is nothing to apply it to."""
    goals = []
    for extra in ((), ("--with", "even_duel")):
        data = bicorne("list", "napoleonic_wars/duel_1805", *extra, "--json").json
        goals.append(data["standing"][0]["goal"])
    assert goals[0] != goals[1]
    assert bicorne("list", "--with", "even_duel").code == 2


def test_unknown_option_names_the_list_command(bicorne: Bicorne) -> None:
    """If the options are too many to list, the error names the command that lists them."""
    outcome = bicorne("ask", "nations_in_arms", "1", "--option", "xyz=1")
    assert (outcome.code, "'bicorne list RULESET' shows all" in outcome.err) == (2, True)


def test_list_suggests_the_nearest_ruleset(bicorne: Bicorne) -> None:
    """An unknown name is wrong usage; the error gives the nearest name."""
    outcome = bicorne("list", "fin_napolon")
    assert (outcome.code, "fin_napoleon" in outcome.err) == (2, True)


@pytest.mark.parametrize("arguments", [["--help"], ["play", "--help"], ["list"]])
def test_help_and_list_import_few_modules(arguments: list[str]) -> None:
    """Help and list load neither the parser, nor the schemas, nor rich."""
    script = (
        "import sys; from interpreter.cli.main import main; main(sys.argv[1:]); "
        "print([each for each in ('lark', 'jsonschema', 'rich') if each in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        check=True,
        cwd=TESTS.parent,
        timeout=DEADLINE,
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_check_passes_a_sound_ruleset(bicorne: Bicorne) -> None:
    """A sound ruleset and its scenario pass, by name, by folder and by a single file of theirs."""
    folder = TESTS / "rulesets" / "craps"
    for target in ("craps", "craps/standard", folder, folder / "rules.yaml", TESTS / "scenarios" / "craps"):
        outcome = bicorne("check", target)
        assert (outcome.code, "error[" in outcome.out, "checked: " in outcome.out) == (0, False, True), outcome


def test_check_prints_place_and_hint(bicorne: Bicorne, made: Path) -> None:
    """A finding has file, line, column, code, source line and hint, in all three forms; the exit code is 1."""
    rules = made / "rules.yaml"
    rules.write_text(rules.read_text().replace("pace(player)]", "paec(player)]"))
    outcome = bicorne("check", made)
    assert outcome.code == 1
    assert "did you mean 'pace'?" in outcome.out
    found = bicorne("check", rules, "--format", "json").json["diagnostics"]
    [finding] = [each for each in found if each["severity"] == "error"]
    assert finding["file"] == str(rules)
    assert finding["line"] == 1 + rules.read_text()[: rules.read_text().index("paec")].count("\n")
    place, code = f"{rules}:{finding['line']}:{finding['column']}", finding["code"]
    assert f"{place}: error[{code}]: {finding['message']}\n    {finding['excerpt'].rstrip()}\n" in outcome.out
    assert bicorne("check", made, "--json").json["ok"] is False
    noted = bicorne("check", made, "--format", "github").out
    assert f"::error file={rules},line={finding['line']},col={finding['column']},title={code}::" in noted


def test_check_reads_a_scenario_file(bicorne: Bicorne, made: Path) -> None:
    """A scenario file is checked as one, against its own ruleset."""
    scenario = made / "scenarios" / "standard.yaml"
    assert bicorne("check", scenario).code == 0
    scenario.write_text(scenario.read_text() + "state: {nonsense: 1}\n")
    outcome = bicorne("check", scenario)
    assert outcome.code == 1
    assert "nonsense" in outcome.out


def test_new_creates_a_complete_game(bicorne: Bicorne, made: Path) -> None:
    """The ruleset passes check and test, plays to its end, and has odds and simulations."""
    assert bicorne("check", made).code == 0
    tested = bicorne("test", made, "--json").json
    assert tested["ok"]
    assert len(tested["examples"]) >= 5
    assert "State: " in bicorne("play", made, "--seed", "1").out
    (made / "given.yaml").write_text("with: {player: north}\n")
    rows = bicorne("odds", made, "run_on", "--given", made / "given.yaml", "--json").json["rows"]
    assert [(row["outcome"]["reached"], row["exact"]) for row in rows] == [("1", "1/2"), ("2", "1/3"), ("0", "1/6")]
    assert bicorne("simulate", made, "--games", "20").code == 0


def test_failing_example_prints_its_trace(bicorne: Bicorne, made: Path) -> None:
    """An example that does not hold exits with 1 and prints what was expected and what happened."""
    examples = made / "examples.yaml"
    examples.write_text(examples.read_text().replace("north_runner.stage = meadow", "north_runner.stage = brook"))
    outcome = bicorne("test", made)
    assert outcome.code == 1
    assert "a_plain_run does not hold" in outcome.out
    assert "North rolls 3" in outcome.out
    assert "1 does not hold" in outcome.out
    assert bicorne("test", made, "--only", "arrival").code == 0


def test_simulate_prints_shares_and_intervals(bicorne: Bicorne) -> None:
    """The shares of all outcomes add up, each lies within its interval, and the same seed gives the same counts."""
    first = bicorne("simulate", "craps/standard", "--games", "60", "--seed", "s", "--json").json
    assert first["games"] == sum(each["games"] for each in first["outcomes"]) == 60
    assert all(each["low"] <= each["share"] <= each["high"] for each in first["outcomes"])
    assert bicorne("simulate", "craps/standard", "--games", "60", "--seed", "s", "--json").json == first
    assert "95% interval" in bicorne("simulate", "craps/standard", "--games", "10").out


def test_play_repeats_a_simulated_game(bicorne: Bicorne) -> None:
    """'play' with the seed of a simulated game plays the same game."""
    [ending] = bicorne("simulate", "craps/standard", "--games", "1", "--seed", "x", "--json").json["outcomes"]
    played = bicorne("play", "craps/standard", "--seed", "x/0", "--quiet", "--json").json["end"]
    assert (played["winners"], played["reason"]) == (ending["winners"], ending["reason"])


def test_odds_are_exact(bicorne: Bicorne, tmp_path: Path) -> None:
    """A point of 6 with one roll is made in 5 of 36 cases, in text and in JSON."""
    given = tmp_path / "given.yaml"
    given.write_text("with: {shooter: ann, goal: 6}\noptions: {most_rolls: 1}\n")
    rows = bicorne("odds", "craps", "settle", "--given", given, "--json").json["rows"]
    assert {row["outcome"]["won"]: row["exact"] for row in rows} == {"true": "5/36", "false": "31/36"}
    assert "5/36" in bicorne("odds", "craps", "settle", "--given", given).out


def test_explain_clause_and_entry(bicorne: Bicorne, made: Path, tmp_path: Path) -> None:
    """A clause is shown with its rule text, a log entry with its causes, as text and as JSON."""
    outcome = bicorne("explain", "craps", "pass.1")
    assert outcome.code == 0
    assert outcome.out.startswith("pass.1 (rule): A come-out roll of 7 or 11")
    assert "procedures/pass_line" in outcome.out
    log = tmp_path / "a.log"
    assert bicorne("play", "craps/standard", "--seed", "1", "--log", log).code == 0
    entries = [bicorne("explain", log, "--at", str(number), "--json").json for number in range(1, 5)]
    [roll] = [each for each in entries if " rolls " in each["text"]][:1]
    assert roll["rule_text"].startswith("let total = shooter rolls 2d6")
    assert "rolls" in bicorne("explain", log, "--at", str(roll["number"])).out


def test_play_takes_a_copied_ruleset_by_folder(bicorne: Bicorne, tmp_path: Path) -> None:
    """A folder has precedence over the installed ruleset of the same id, and uses its scenarios if it has none."""
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


def test_explain_lists_log_entries(bicorne: Bicorne, tmp_path: Path) -> None:
    """For a log without --at, every entry is listed with its number, which --at accepts."""
    log = tmp_path / "a.log"
    assert bicorne("play", "craps/standard", "--seed", "1", "--log", log).code == 0
    listed = bicorne("explain", log)
    assert listed.code == 0
    entries = bicorne("explain", log, "--json").json
    assert len(listed.out.splitlines()) == len(entries) > 3
    number = entries[-1]["number"]
    assert bicorne("explain", log, "--at", str(number)).out.startswith(f"{number}: {entries[-1]['text']}\n")


def test_format_rewrites_and_checks(bicorne: Bicorne, made: Path) -> None:
    """A ruleset of 'new' is in style; --check finds a document that is not, and format restores it."""
    assert bicorne("format", "--check", made).code == 0
    rules = made / "rules.yaml"
    before = rules.read_text()
    rules.write_text(before.replace("  pace:", "  pace:   ").replace("\nprocedures:", "\n\n\nprocedures:"))
    outcome = bicorne("format", "--check", made)
    assert (outcome.code, outcome.out) == (1, f"not in style: {rules}\n")
    assert bicorne("format", made, "--json").json["changed"] == [str(rules)]
    assert rules.read_text() == before


def test_coverage_counts_clauses(bicorne: Bicorne, made: Path) -> None:
    """Every clause of a ruleset of 'new' is accounted for; a clause that nothing cites is a finding."""
    outcome = bicorne("coverage", made, "--games", "2", "--all")
    assert outcome.code == 0
    assert "run.1  exercised by " in outcome.out
    clauses = made / "clauses.yaml"
    clauses.write_text(clauses.read_text() + '  - {id: run.9, kind: rule, says: "Nobody runs at night."}\n')
    outcome = bicorne("coverage", made, "--games", "2", "--json")
    assert (outcome.code, outcome.json["ok"]) == (1, False)
    assert [each["id"] for each in outcome.json["clauses"] if each["state"] == "missing"] == ["run.9"]


def test_provenance_lists_unstated_figures(bicorne: Bicorne) -> None:
    """Figures are counted by standing, and those that are not in the source are listed."""
    outcome = bicorne("provenance", "craps")
    assert "tables/ways/4" in outcome.out
    assert "derived: follows from what the rules say" in outcome.out
    totals = bicorne("provenance", "craps", "--json").json["totals"]
    assert (totals["derived"], totals["reconstructed"]) == (6, 0)


def test_bench_profiles_rules(bicorne: Bicorne) -> None:
    """A profile names rules with their places, and their shares of the time add up to one."""
    outcome = bicorne("bench", "breakthrough/standard", "--profile", "--seconds", "0.02")
    assert "breakthrough/rules.yaml:" in outcome.out
    costs = bicorne("bench", "breakthrough/standard", "--profile", "--seconds", "0.02", "--json").json["profiles"]
    (found,) = costs.values()
    assert 0.9 < sum(each["own"] for each in found) < 1.1
    assert any(each["sort"] == "action" and each["calls"] > 0 for each in found)


def test_bench_prints_every_figure(bicorne: Bicorne, tmp_path: Path) -> None:
    """The benchmarks print every figure, and a ratio if a hand-written game is given."""
    yardstick = tmp_path / "by_hand.py"
    yardstick.write_text("def play_random(seed):\n    return sum(range(1000))\n")
    outcome = bicorne("bench", "craps/standard", "--seconds", "0.02", "--yardstick", yardstick, "--json")
    figures = {each["what"]: each["value"] for each in outcome.json["figures"]}
    assert {"load, cached", "random games in bulk", "hash of the state", "view of a seat"} <= set(figures)
    assert figures["time against the game written by hand"] > 0


def test_bench_measures_exact_odds(bicorne: Bicorne, tmp_path: Path) -> None:
    """It prints exact odds of a situation against sampling of equal precision."""
    given = tmp_path / "given.yaml"
    given.write_text("with: {shooter: ann}\n")
    words = ("bench", "craps/standard", "--odds", "pass_line_by_lot", "--given", given, "--seconds", "0.02", "--json")
    outcome = bicorne(*words).json["figures"]
    assert [each["unit"] for each in outcome] == ["ms", "ms", "times", "ms"]
    assert all(each["value"] > 0 for each in outcome)


def test_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """`--version` prints the version and does nothing else."""
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("bicorne 0.")


def test_closed_pipe_ends_the_program_quietly() -> None:
    """If the reading end of a pipe is closed, the program exits with 0 and no message."""
    command = [sys.executable, "-m", "interpreter.cli.main", "play", "craps/standard", "--seed", "1", "--json"]
    environment = {**os.environ, "BICORNE_PATH": str(TESTS)}
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        command,
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=TESTS.parent,
        check=False,
        timeout=DEADLINE,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_piped_output_has_no_colour(bicorne: Bicorne) -> None:
    """Piped output has no escape codes, and every line of JSON Lines is JSON."""
    assert "\x1b" not in bicorne("play", "craps/standard", "--seed", "2").out
    lines = bicorne("play", "craps/standard", "--seed", "2", "--json").out.splitlines()
    assert "end" in [json.loads(each) for each in lines][-1]


@pytest.mark.parametrize("given", ["-1", "0", "soon", "nan", "inf"])
def test_bench_refuses_invalid_seconds(bicorne: Bicorne, given: str) -> None:
    """A value that is not a time above 0 is refused in one line."""
    ran = bicorne("bench", "craps/standard", "--seconds", given)
    assert (ran.code, ran.out) == (2, "")
    assert f"expected seconds above 0 and up to 3600, not '{given}'" in ran.err


def test_explain_prints_another_language(bicorne: Bicorne, tmp_path: Path) -> None:
    """With --language the entries of a log and their explanations are in that language."""
    save = tmp_path / "a.save"
    bicorne("play", "craps/standard", "--seed", "1", "--turns", "1", "--save", save, "--quiet")
    listed = bicorne("explain", save, "--language", "ja").out
    rolled = next(line for line in listed.splitlines() if "のダイス：" in line)
    outcome = bicorne("explain", save, "--language", "ja", "--at", rolled.split()[0])
    assert outcome.code == 0, outcome.err
    assert "、手順 " in outcome.out
    assert "条項:" in outcome.out
    assert "rolls" not in listed
