"""Coverage, provenance, soundness and explanations of a ruleset."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from little import CLAUSES, EXAMPLES, RULES, little

from interpreter.language.diagnostics import UsageError
from interpreter.play.game import Game
from interpreter.workshop.coverage.clauses import coverage
from interpreter.workshop.coverage.lint import check_soundness
from interpreter.workshop.coverage.provenance import provenance
from interpreter.workshop.explain.explain import explain_clause, explain_entry

UNDONE = CLAUSES.replace("readings:", "  - {id: '6', kind: rule, says: Nobody does this.}\nreadings:")


# ---------------------------------------------------------------- coverage
def test_what_ran_counts_and_what_only_stands_there_does_not(tmp_path: Path) -> None:
    """A modifier that never applied leaves its clause unseen, one that applied in an example is seen there."""
    found = {each.id: each for each in coverage(little(tmp_path), games=6).clauses}
    assert (found["2.1"].state, found["2.1"].games, found["2.1"].examples) == ("implemented", 0, ())
    assert "hard_six" in found["4"].examples
    assert "six" not in found["4"].examples
    assert found["1"].games == 6
    assert [each.path for each in found["5"].implemented_by] == ["searches/walk/bars/water", "procedures/stroll"]


def test_a_condition_counts_only_where_its_branch_is_taken(tmp_path: Path) -> None:
    """The citation of an `if` is exercised by the case that it speaks of, not by its being tested."""
    rules = RULES.replace("return 0                     @3", "return 0                     @6")
    poor = "  broke: {cite: '6', set: {player/red/coins: 0}, run: play(red), then: [result = 0]}\n"
    never = coverage(little(tmp_path / "a", rules=rules, clauses=UNDONE), games=2)
    shown = coverage(little(tmp_path / "b", rules=rules, clauses=UNDONE, examples=EXAMPLES + poor), games=2)
    assert [each.state for each in never.clauses if each.id == "6"] == ["implemented"]
    assert [each.examples for each in shown.clauses if each.id == "6"] == [("broke",)]


def test_a_rule_that_nothing_implements_is_a_finding_unless_left_out(tmp_path: Path) -> None:
    """The finding points at the clause; `left_out` with a reason settles it."""
    open_ = coverage(little(tmp_path / "a", clauses=UNDONE), games=1)
    assert [(each.code, each.place.line) for each in open_.findings] == [("not-implemented", 8)]
    assert not open_.ok
    settled = coverage(
        little(tmp_path / "b", clauses=UNDONE + "left_out: [{clauses: ['6'], reason: no need}]\n"), games=1
    )
    assert settled.ok
    assert settled.totals()["rule"] == {"exercised": 3, "implemented": 1, "left out": 1}


def test_examples_that_fail_and_games_that_break_off_are_findings(tmp_path: Path) -> None:
    """Coverage does not count on rules that go wrong."""
    rules = RULES.replace("set who.coins -= fee ", "set who.coins -= 9 ")
    found = {each.code for each in coverage(little(tmp_path, rules=rules), games=2).findings}
    assert found == {"failing-example", "invariant"}


def test_an_evaluation_that_fails_is_a_finding_at_its_place(tmp_path: Path) -> None:
    """Coverage asks every seat what it makes of the position; what goes wrong there is told like any other fault."""
    judged = "evaluation: {takes: {player: player}, is: 6 / (player.coins - player.coins)}\ninvariants:"
    rules = RULES.replace("invariants:", judged).replace('if player.coins > 3: win player "rich"', "stroll(player)")
    examples = EXAMPLES.split("  round_of_blue")[0]
    found = coverage(little(tmp_path, rules=rules, examples=examples), games=1).findings
    assert [(each.code, Path(each.place.file).name) for each in found] == [("division-by-zero", "rules.yaml")]


def test_reports_are_json(tmp_path: Path) -> None:
    """Every report can be written as JSON."""
    ruleset = little(tmp_path)
    for report in (coverage(ruleset, games=1), provenance(ruleset), explain_clause(ruleset, "2")):
        assert json.loads(json.dumps(report.as_json()))["ruleset"] == "little"


# ---------------------------------------------------------------- provenance and soundness
def test_figures_by_standing(tmp_path: Path) -> None:
    """Every figure is counted under its own standing, exceptions for single cells included."""
    found = provenance(little(tmp_path))
    assert found.sections()["tables"] == {"stated": 1, "derived": 0, "found": 0, "reconstructed": 1}
    assert [each.path for each in found.of_standing("reconstructed")] == ["tables/prize/1..5"]
    assert sum(found.totals().values()) == len(found.figures)


def test_reconstructed_never_passes_for_printed(tmp_path: Path) -> None:
    """A reconstructed figure under a clause is not said to be given there."""
    made_up, printed = [each for each in provenance(little(tmp_path)).figures if each.section == "tables"]
    assert "not known" in made_up.because
    assert "given in the rules" not in made_up.because
    assert "given in the rules; see 2" in printed.because


def test_weights_of_the_evaluation_are_no_figures_of_the_game(tmp_path: Path) -> None:
    """What a position is worth is nobody's print: neither counted nor missed, unless a clause is cited for it."""
    listed = "{takes: {who: player}, each: [{id: coin, value: 3}]}"
    weights = f"  worth: {listed}\n  zeal: {listed}\nsearches:"
    judged = (
        "evaluation: {takes: {player: player}, is: worth(player) * player.coins}\n"
        "leanings: {stroll.goal: {takes: {player: player, goal: field}, is: zeal(player)}}\n"
        "invariants:"
    )
    rules = RULES.replace("searches:", weights).replace("invariants:", judged)
    paths = {each.path for each in provenance(little(tmp_path, rules=rules)).figures}
    assert not any("worth" in each or "zeal" in each for each in paths)
    assert "modifiers/luck/each/poor/value" in paths


def test_figures_without_a_basis_are_warned_of(tmp_path: Path) -> None:
    """Counters, borders and defaults given as stated without any clause are found; one warning for each entry."""
    found = [(each.code, each.severity, each.message.split("'")[1]) for each in check_soundness(little(tmp_path))]
    assert found == [
        ("no-basis", "warning", each) for each in ("pieces/man", "links/roads", "kinds/player", "sequence/round")
    ]


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("set who.coins -= 1", []),
        ("set who.coins -= 2", [("procedures/stroll", 2, ())]),
        ("set who.coins -= 2   @3", [("procedures/stroll", 2, ("3",))]),
        ("if who.coins > 7: set who.coins = 5  @3", [("procedures/stroll", 7, ()), ("procedures/stroll", 5, ("3",))]),
        ('set who.coins = who rolls 2d6 "more"', [("procedures/stroll", "2d6", ())]),
        (
            'set who.coins = sum(who rolls 4 dice of d6 "more")',
            [("procedures/stroll", "d6", ()), ("procedures/stroll", 4, ())],
        ),
    ],
)
def test_numbers_in_rule_text_are_figures_too(
    tmp_path: Path, text: str, figures: list[tuple[str, object, tuple[str, ...]]]
) -> None:
    """All but 0 and 1; they rest on what their line cites, or their rule; none can be hidden there."""
    rules = RULES.replace("  play:\n", f"  stroll_on: {{takes: {{who: player}}, do: '{text}'}}\n  play:\n")
    wanted = {(path.replace("stroll", "stroll_on"), value, cites) for path, value, cites in figures}
    found = provenance(little(tmp_path, rules=rules)).figures
    assert {
        (each.path.partition("/line")[0], each.value, each.cites) for each in found if "stroll_on" in each.path
    } == wanted
    baseless = [each for each in check_soundness(little(tmp_path / "b", rules=rules)) if "stroll_on" in each.message]
    assert bool(baseless) == any(not cites for _, _, cites in figures)
    assert all("constants" in str(each.hint) for each in baseless)


def test_clauses_without_rules_and_examples_without_clauses_are_warned_of(tmp_path: Path) -> None:
    """Both are warnings with a place; a clause both cited and left out is one too."""
    clauses = UNDONE + "left_out: [{clauses: ['5'], reason: no water}]\n"
    examples = EXAMPLES.replace('    cite: "2"\n', "")
    found = [each.code for each in check_soundness(little(tmp_path, clauses=clauses, examples=examples))]
    assert found[:3] == ["left-out-yet-cited", "not-implemented", "example-without-clause"]


def test_a_section_left_out_stands_for_what_nothing_cites_in_it(tmp_path: Path) -> None:
    """Clause 2 is named and warned of; 2.1 below it is cited, so that it is neither left out nor warned of."""
    ruleset = little(tmp_path, clauses=CLAUSES + "left_out: [{clauses: ['2'], reason: no coins}]\n")
    found = [each.message for each in check_soundness(ruleset) if each.code == "left-out-yet-cited"]
    assert [each.split(" is ")[0] for each in found] == ["clause 2"]
    assert (explain_clause(ruleset, "2").left_out, explain_clause(ruleset, "2.1").left_out) == ("no coins", None)


def test_many_missing_clauses_are_one_warning(tmp_path: Path) -> None:
    """A few clauses that nothing implements are told apart, many of one document in one line with their number."""
    more = [f"  - {{id: '{20 + each}', kind: rule, says: Nobody does this.}}\n" for each in range(6)]
    few, many = (UNDONE.replace("readings:", f"{''.join(each)}readings:") for each in (more[:2], more))
    apart = check_soundness(little(tmp_path / "a", clauses=few))
    assert [each.message for each in apart if each.code == "not-implemented"] == [
        "nothing implements clause 6",
        "nothing implements clause 20",
        "nothing implements clause 21",
    ]
    folded = check_soundness(little(tmp_path / "b", clauses=many))
    assert [(each.message, each.place.line) for each in folded if each.code == "not-implemented"] == [
        ("nothing implements 7 clauses of this document: 6, 20, 21 …", 8)
    ]


# ---------------------------------------------------------------- explanations
def test_a_clause_is_explained_with_all_that_stands_behind_it(tmp_path: Path) -> None:
    """Text, rules with their places and lines, examples, readings, figures with standing."""
    told = explain_clause(little(tmp_path), "2")
    assert [each.path for each in told.implemented_by] == ["tables/prize", "procedures/play:50"]
    assert told.implemented_by[1].text.startswith("let won = prize[die] + luck(who)")
    assert [name for name, _ in told.examples] == ["six"]
    assert [each.id for each in told.readings] == ["ties"]
    assert {each.standing for each in told.figures} == {"stated", "reconstructed"}
    assert "The other pays." in str(told)
    assert explain_clause(little(tmp_path), "1").see == (("2", "A six wins two coins."),)


def test_an_unknown_clause_gets_a_hint(tmp_path: Path) -> None:
    """The nearest clause is offered."""
    with pytest.raises(UsageError, match=r"has no clause '2.2'; did you mean '2"):
        explain_clause(little(tmp_path), "2.2")


def test_an_entry_is_explained_down_to_its_cell(tmp_path: Path) -> None:
    """The look-up comes with its roll, the standing of its cell, the clauses and the reading that touches them."""
    game = Game(little(tmp_path), seed=3)
    number = next(each.number for each in game.log if each.kind == "table")
    told = explain_entry(game, number)
    assert told.lines[0].kind in {"line", "set"}
    assert any(each.kind == "roll" for each in told.lines)
    assert told.cells[0][0] == "prize"
    assert told.cells[0][2] in {"stated", "reconstructed"}
    assert ("2", "A six wins two coins.") in told.clauses
    assert [each.id for each in told.readings] == ["ties"]
    json.dumps(told.as_json())
