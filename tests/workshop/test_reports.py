"""Tests of coverage, provenance, lint and explanations of a ruleset."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from little_ruleset import CLAUSES, EXAMPLES, RULES, little

from interpreter.language.diagnostics import UsageError
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_ruleset
from interpreter.workshop.coverage.clauses import coverage
from interpreter.workshop.coverage.lint import lint_ruleset
from interpreter.workshop.coverage.provenance import provenance
from interpreter.workshop.explain.explain import explain_clause, explain_entry

UNDONE = CLAUSES.replace("readings:", "  - {id: '6', kind: rule, says: Nobody does this.}\nreadings:")


# ---------------------------------------------------------------- coverage
def test_coverage_counts_only_what_ran(tmp_path: Path) -> None:
    """A modifier that never applied does not exercise its clause, one that applied in an example does."""
    found = {each.id: each for each in coverage(little(tmp_path), games=6).clauses}
    assert (found["2.1"].state, found["2.1"].games, found["2.1"].examples) == ("implemented", 0, ())
    assert "hard_six" in found["4"].examples
    assert "six" not in found["4"].examples
    assert found["1"].games == 6
    assert [each.path for each in found["5"].implemented_by] == ["searches/walk/bars/water", "procedures/stroll"]


def test_condition_counts_only_if_its_branch_is_taken(tmp_path: Path) -> None:
    """The citation of an `if` is exercised by its branch, not by the test of its condition."""
    rules = RULES.replace("return 0                     @3", "return 0                     @6")
    poor = "  broke: {cite: '6', set: {player/red/coins: 0}, run: play(red), then: [result = 0]}\n"
    never = coverage(little(tmp_path / "a", rules=rules, clauses=UNDONE), games=2)
    shown = coverage(little(tmp_path / "b", rules=rules, clauses=UNDONE, examples=EXAMPLES + poor), games=2)
    assert [each.state for each in never.clauses if each.id == "6"] == ["implemented"]
    assert [each.examples for each in shown.clauses if each.id == "6"] == [("broke",)]


def test_unimplemented_clause_is_a_finding(tmp_path: Path) -> None:
    """The finding has the place of the clause; an entry in `left_out` with a reason removes it."""
    open_ = coverage(little(tmp_path / "a", clauses=UNDONE), games=1)
    assert [(each.code, each.place.line) for each in open_.findings] == [("not-implemented", 8)]
    assert not open_.ok
    settled = coverage(
        little(tmp_path / "b", clauses=UNDONE + "left_out: [{clauses: ['6'], reason: no need}]\n"), games=1
    )
    assert settled.ok
    assert settled.totals()["rule"] == {"exercised": 3, "implemented": 1, "left out": 1}


def test_failed_examples_and_games_are_findings(tmp_path: Path) -> None:
    """Coverage reports failed examples and faults in random games."""
    rules = RULES.replace("set who.coins -= fee ", "set who.coins -= 9 ")
    found = {each.code for each in coverage(little(tmp_path, rules=rules), games=2).findings}
    assert found == {"failing-example", "invariant"}


def test_failing_evaluation_is_a_finding(tmp_path: Path) -> None:
    """Coverage evaluates the position for every seat; a fault in it is reported like any other."""
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


# ---------------------------------------------------------------- provenance and lint
def test_figures_are_counted_by_standing(tmp_path: Path) -> None:
    """Every figure is counted under its own standing, exceptions for single cells included."""
    found = provenance(little(tmp_path))
    assert found.sections()["tables"] == {"stated": 1, "derived": 0, "found": 0, "reconstructed": 1}
    assert [each.path for each in found.of_standing("reconstructed")] == ["tables/prize/1..5"]
    assert sum(found.totals().values()) == len(found.figures)


def test_reconstructed_figure_is_never_called_printed(tmp_path: Path) -> None:
    """The explanation of a reconstructed figure does not say that the rules give it, whatever it cites."""
    made_up, printed = [each for each in provenance(little(tmp_path)).figures if each.section == "tables"]
    assert "not known" in made_up.because()
    assert "given in the rules" not in made_up.because()
    assert "given in the rules; see 2" in printed.because()


def test_evaluation_weights_are_no_figures_of_the_game(tmp_path: Path) -> None:
    """The weights of evaluations are neither counted nor reported, unless they cite a clause."""
    listed = "{takes: {who: player}, each: [{id: coin, value: 3}]}"
    weights = f"  worth: {listed}\n  zeal: {listed}\nsearches:"
    judged = (
        "evaluation: {takes: {player: player}, is: worth(player) * player.coins}\n"
        "priors: {stroll.goal: {takes: {player: player, goal: field}, is: zeal(player)}}\n"
        "invariants:"
    )
    rules = RULES.replace("searches:", weights).replace("invariants:", judged)
    paths = {each.path for each in provenance(little(tmp_path, rules=rules)).figures}
    assert not any("worth" in each or "zeal" in each for each in paths)
    assert "modifiers/luck/each/poor/value" in paths


def test_lint_warns_of_unfounded_figures(tmp_path: Path) -> None:
    """Stated counters, borders and defaults without a clause get one warning for each entry."""
    found = [(each.code, each.severity, each.message.split("'")[1]) for each in lint_ruleset(little(tmp_path))]
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
def test_numbers_in_rule_text_are_figures(
    tmp_path: Path, text: str, figures: list[tuple[str, object, tuple[str, ...]]]
) -> None:
    """All numbers but 0 and 1 are figures, with the clauses of their line or rule."""
    rules = RULES.replace("  play:\n", f"  stroll_on: {{takes: {{who: player}}, do: '{text}'}}\n  play:\n")
    wanted = {(path.replace("stroll", "stroll_on"), value, cites) for path, value, cites in figures}
    found = provenance(little(tmp_path, rules=rules)).figures
    assert {
        (each.path.partition("/line")[0], each.value, each.cites) for each in found if "stroll_on" in each.path
    } == wanted
    baseless = [each for each in lint_ruleset(little(tmp_path / "b", rules=rules)) if "stroll_on" in each.message]
    assert bool(baseless) == any(not cites for _, _, cites in figures)
    assert all("constants" in str(each.hint) for each in baseless)


def test_numbers_in_the_text_of_a_thing_have_its_standing(tmp_path: Path) -> None:
    """A number in a text that a thing carries is as made up as the thing; the dispatch of calls adds no figure."""
    rules = RULES.replace(
        'has: {worth: "int = 1"}}',
        'has: {worth: "int = 1"}, procedures: {open: {takes: {who: player}, do: set who.coins = 4}}}',
    ).replace(
        "individuals:\n",
        "individuals:\n  gift:\n"
        "    purse: {standing: reconstructed, open: set who.coins += 7}\n"
        "    chest: {open: set who.coins += 9}\n",
    )
    rules = rules.replace("  play:\n", "  unwrap: {takes: {gift: gift, who: player}, do: gift.open(who)}\n  play:\n")
    found = {
        each.path.partition("/line")[0]: (each.value, each.standing)
        for each in provenance(little(tmp_path, rules=rules)).figures
        if "/open" in each.path
    }
    assert found == {
        "kinds/gift/procedures/open": (4, "stated"),
        "individuals/gift/purse/open": (7, "reconstructed"),
        "individuals/gift/chest/open": (9, "stated"),
    }


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("", ("1d6", "stated", None)),
        ("standing: reconstructed, ", ("1d6", "reconstructed", None)),
        ("standing: found, source: aid, ", ("1d6", "found", "aid")),
    ],
)
def test_numbers_have_the_standing_of_their_procedure(
    tmp_path: Path, said: str, expected: tuple[str, str, str | None]
) -> None:
    """Dice and numbers in the text of a procedure are of its standing and source; without one they are stated."""
    rules = RULES.replace(
        "  play:\n",
        f'  toss: {{{said}takes: {{who: player}}, do: "set who.coins += who rolls 1d6 \\"toss\\""}}\n  play:\n',
    )
    rules += "sources: {aid: {title: An aid, says: A die is tossed.}}\n"
    figures = provenance(little(tmp_path, rules=rules)).figures
    assert [(each.value, each.standing, each.source) for each in figures if "/toss/" in each.path] == [expected]


def test_lint_warns_of_clauses_and_examples(tmp_path: Path) -> None:
    """A clause without a rule, an example without a clause, and a clause both cited and left out are warnings."""
    clauses = UNDONE + "left_out: [{clauses: ['5'], reason: no water}]\n"
    examples = EXAMPLES.replace('    cite: "2"\n', "")
    found = [each.code for each in lint_ruleset(little(tmp_path, clauses=clauses, examples=examples))]
    assert found[:3] == ["left-out-yet-cited", "not-implemented", "example-without-clause"]


def test_left_out_section_covers_uncited_clauses(tmp_path: Path) -> None:
    """Clause 2 is left out by name, with a warning; 2.1 is cited, so it is neither left out nor reported."""
    ruleset = little(tmp_path, clauses=CLAUSES + "left_out: [{clauses: ['2'], reason: no coins}]\n")
    found = [each.message for each in lint_ruleset(ruleset) if each.code == "left-out-yet-cited"]
    assert [each.split(" is ")[0] for each in found] == ["clause 2"]
    assert (explain_clause(ruleset, "2").left_out, explain_clause(ruleset, "2.1").left_out) == ("no coins", None)


def test_many_missing_clauses_are_one_warning(tmp_path: Path) -> None:
    """A few unimplemented clauses get one warning each, many of one document a common one with their number."""
    more = [f"  - {{id: '{20 + each}', kind: rule, says: Nobody does this.}}\n" for each in range(6)]
    few, many = (UNDONE.replace("readings:", f"{''.join(each)}readings:") for each in (more[:2], more))
    apart = lint_ruleset(little(tmp_path / "a", clauses=few))
    assert [each.message for each in apart if each.code == "not-implemented"] == [
        "nothing implements clause 6",
        "nothing implements clause 20",
        "nothing implements clause 21",
    ]
    folded = lint_ruleset(little(tmp_path / "b", clauses=many))
    assert [(each.message, each.place.line) for each in folded if each.code == "not-implemented"] == [
        ("nothing implements 7 clauses of this document: 6, 20, 21 …", 8)
    ]


# ---------------------------------------------------------------- explanations
def test_explanation_under_an_overlay_shows_what_holds(tmp_path: Path) -> None:
    """Rules that an overlay changes are shown as they are under it, and lines too; others as they are written."""
    bare, overlay = little(tmp_path), tmp_path / "o.yaml"
    overlay.write_text(
        "overlay: {id: o, for: little}\npatches:\n"
        "  - {at: tables/prize/6, set: 3}\n"
        "  - {at: procedures/play, replace_text: {let won = prize: let won = 1 + prize}}\n"
    )
    table, line = explain_clause(load_ruleset(tmp_path, [overlay], cache=False), "2").implemented_by
    assert table.changed_by == (f"o ({overlay}:3:10)",)
    assert [cell for cell in table.text.split() if cell.isdigit()][-1] == "3"
    assert line.text.startswith("let won = 1 + prize[die] + luck(who)")
    assert line.changed_by == (f"o ({overlay}:4:10)",)
    assert [each.changed_by for each in explain_clause(bare, "2").implemented_by] == [(), ()]


def test_clause_explanation_is_complete(tmp_path: Path) -> None:
    """An explained clause has its rules with places and lines, its examples, readings, and figures with standing."""
    explained = explain_clause(little(tmp_path), "2")
    assert [each.path for each in explained.implemented_by] == ["tables/prize", "procedures/play:50"]
    assert explained.implemented_by[1].text.startswith("let won = prize[die] + luck(who)")
    assert [name for name, _ in explained.examples] == ["six"]
    assert [each.id for each in explained.readings] == ["ties"]
    assert {each.standing for each in explained.figures} == {"stated", "reconstructed"}
    assert "The other pays." in str(explained)
    assert explain_clause(little(tmp_path), "1").see == (("2", "A six wins two coins."),)


def test_clause_is_explained_in_a_language(tmp_path: Path) -> None:
    """Clause, kind, reading, basis of figures and headings are in the language; a text that lacks it is in English."""
    clauses = CLAUSES.replace("says: A six wins two coins.", "says: {en: A six wins two coins., ja: 六は二枚。}")
    clauses = clauses.replace(
        "reading: A prize is new money.", "reading: {en: A prize is new money., ja: 賞は新しい貨幣。}"
    )
    ruleset = little(tmp_path, clauses=clauses)
    outcome = str(explain_clause(ruleset, "2", "ja"))
    assert outcome.startswith("2（表）：六は二枚。\n")
    for part in (
        "\n解釈:\n  ties: 賞は新しい貨幣。 – Not said.",
        "\n例:\n  six: A six wins.",
        "（ルールに記載; 2を参照）",
    ):
        assert part in outcome
    assert str(explain_clause(ruleset, "2")).startswith("2 (table): A six wins two coins.\n")


def test_unknown_clause_gets_a_hint(tmp_path: Path) -> None:
    """The message for an unknown clause names the nearest one."""
    with pytest.raises(UsageError, match=r"has no clause '2.2'; did you mean '2"):
        explain_clause(little(tmp_path), "2.2")


def test_entry_explanation_includes_its_cell(tmp_path: Path) -> None:
    """An explained lookup has its roll, the standing of its cell, its clauses and their readings."""
    game = Game(little(tmp_path), seed=3)
    number = next(each.number for each in game.log if each.kind == "table")
    explained = explain_entry(game, number)
    assert explained.lines[0].kind in {"line", "set"}
    assert any(each.kind == "roll" for each in explained.lines)
    assert explained.cells[0][0] == "prize"
    assert explained.cells[0][2] in {"stated", "reconstructed"}
    assert ("2", "A six wins two coins.") in explained.clauses
    assert [each.id for each in explained.readings] == ["ties"]
    json.dumps(explained.as_json())
