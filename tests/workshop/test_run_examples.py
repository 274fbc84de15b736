"""Tests of worked examples: those that hold, the reports of those that fail, and mistakes in examples."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from little_ruleset import EXAMPLES, RULES, little

from interpreter import load_ruleset
from interpreter.language.diagnostics import UsageError
from interpreter.workshop.examples.environment import environments_of
from interpreter.workshop.examples.run_examples import ExampleReport, run_examples


def failures(folder: Path, text: str) -> list[str]:
    """Returns the codes and messages of all failures of a single example."""
    report = run_one(folder, text)
    assert not report.passed
    return [f"{each.code}: {each.message} ({each.hint})" for each in report.failures]


def run_one(folder: Path, text: str) -> ExampleReport:
    """Returns the report on an example with this body."""
    body = "\n".join(f"    {line}" for line in text.strip().splitlines())
    return run_examples(little(folder, examples=f"examples:\n  one:\n{body}\n"))[0]


def test_correct_examples_hold(tmp_path: Path) -> None:
    """Examples with calls, steps, options, picks, random picks, offers and endings hold."""
    reports = run_examples(little(tmp_path))
    assert [each.name for each in reports] == ["six", "hard_six", "walking", "round_of_blue"]
    assert all(each.passed for each in reports), "\n".join(map(str, reports))
    assert all(each.sites for each in reports)


def test_examples_are_selected_by_name(tmp_path: Path) -> None:
    """Examples can be selected by name; the message for an unknown name has the nearest one."""
    ruleset = little(tmp_path)
    assert [each.name for each in run_examples(ruleset, ["walking"])] == ["walking"]
    with pytest.raises(UsageError, match="did you mean 'walking'"):
        run_examples(ruleset, ["walkin"])


def test_examples_leave_nothing_for_the_next(tmp_path: Path) -> None:
    """The reports on examples that share the objects of a game are those of each run alone, in any order."""
    names = ["six", "hard_six", "walking", "round_of_blue"]
    alone = {name: run_examples(little(tmp_path), [name])[0] for name in names}
    ruleset = little(tmp_path)
    for order in (names, names[::-1], [names[2], *names]):
        assert run_examples(ruleset, order) == [alone[name] for name in order]


def test_example_options_override_those_of_the_caller(tmp_path: Path) -> None:
    """With `hard` the plain example no longer holds, and the one that sets the option itself still does."""
    reports = {each.name: each.passed for each in run_examples(little(tmp_path), options={"hard": True})}
    assert not reports["six"]
    assert reports["hard_six"]


def test_example_options_decide_what_seats_may_see(tmp_path: Path) -> None:
    """The environment of an example under options has the image of a ruleset loaded with them, its views included."""
    gifts = "views:\n  gifts: {cite: '4', of: gift, when: hard, others_see: []}\n"
    ruleset = little(tmp_path, rules=RULES + gifts)
    for hard in (False, True):
        made = environments_of(ruleset).with_options({"hard": hard}).image
        loaded = load_ruleset(tmp_path, options={"hard": hard}, cache=False)
        assert [each.name for each in made.views] == ["gifts"] * hard
        assert replace(made, units=()) == replace(loaded.image, units=())
        assert made.units[0].source == loaded.unit("traced").source


def test_false_claim_shows_both_sides_and_the_tally(tmp_path: Path) -> None:
    """The values of both sides are shown with their source text, and modifiers with their clauses."""
    found = failures(
        tmp_path, "options: {hard: true}\nrun: play(red)\ndice: {luck: [6]}\nthen: [luck(red) + 1 = red.coins]"
    )
    claim, explanation = "luck(red) + 1 = red.coins", "luck(red) + 1 is 0; red.coins is 3; luck is -1 (harder -1 [4])"
    assert found == [f"not-true: this is not true: {claim} ({explanation})"]


def test_false_conjunction_shows_the_false_part(tmp_path: Path) -> None:
    """True parts are not shown; for `all` the elements without the property are shown."""
    found = failures(tmp_path, "run: 1 + 1\nthen: ['result = 2 and all(men each .field = f3)']")
    explanation = "men each .field = f3: false for {red_1, red_2}"
    assert found == [f"not-true: this is not true: result = 2 and all(men each .field = f3) ({explanation})"]


def test_false_claim_about_a_call_without_arguments_is_reported(tmp_path: Path) -> None:
    """A condition that takes nothing is false: the claim is named, and the report has no other explanation."""
    rules = RULES.replace("modifiers:", "definitions:\n  rich: {is: any(players where .coins > 9)}\nmodifiers:", 1)
    examples = "examples:\n  one: {then: ['rich()']}\n"
    report = run_examples(little(tmp_path, rules=rules, examples=examples))[0]
    assert [each.message for each in report.failures] == ["this is not true: rich()"]


def test_failure_has_place_and_trace(tmp_path: Path) -> None:
    """The place of a failure is that of the claim, and its trace has the roll with its table."""
    report = run_one(tmp_path, "run: play(red)\ndice: {luck: [1]}\nthen:\n  - result = 0\n  - result = 5")
    assert [(each.place.line, each.place.column) for each in report.failures] == [(7, 9)]
    explanation = "\n".join(map(str, report.trace))
    assert "Red rolls 1" in explanation or "red rolls 1" in explanation
    assert "prize, die 1–5: 0  [2]" in explanation
    assert "what happened" in str(report)
    assert not report.as_json()["passed"]


@pytest.mark.parametrize(
    ("body", "code", "expected"),
    [
        ("run: play(red)\ndice: {luck: [1, 2]}", "unused-dice", "were not rolled: 2"),
        ("run: play(red)\ndice: {luck: []}", "scripted-dice", "have run out"),
        ("run: play(red)", "scripted-dice", "no dice are given for 'luck'"),
        ("run: play(red)\ndice: {luck: [7]}", "scripted-dice", "'7' is not possible"),
        ("run: play(red)\ndice: {look: [1]}", "unknown-name", "there is no roll 'look' (known here: luck, stroll)"),
        ("run: play(green)", "unknown-name", "'green'"),
        ("run: play(red", "syntax", ""),
        ("run: play(red)\ndice: {luck: [1]}\nthen: [result = f1]", "never-equal", "int and field"),
        ('run: red rolls 1d6 "luck"', "asks-outside", "only the rules of the ruleset may ask or roll"),
        ("step: rounds", "unknown-name", "there is no step 'rounds' (did you mean 'round'?)"),
        ("step: game\nwith: {player: red}", "unknown-name", "there is no binding"),
        ("options: {herd: true}\nrun: play(red)", "unknown-option", "did you mean 'hard'?"),
        ("board: {man: [{id: red_3, at: f1}]}\nrun: play(red)", "unknown-individual", "red_3"),
        ("run: stroll(red)", "unanswered", "no answer is given for 'stroll.walkers'"),
        ("run: stroll(red)\ndecisions: {stroll.walkers: [[red_9]]}", "unanswered", "'red_9' is not among the options"),
        ("run: stroll(red)\ndecisions: {stroll.walker: [[]]}", "unknown-name", "did you mean 'stroll.walkers'?"),
        (
            "run: stroll(red)\ndecisions: {stroll.walkers: [[], []]}\ndice: {stroll: [red]}",
            "unused-answer",
            "was not needed",
        ),
        (
            "run: stroll(red)\ndecisions: {stroll.walkers: [[]]}\ndice: {stroll: [red]}\noffers: {stroll.goal: {}}",
            "not-asked",
            "'stroll.goal' was never asked",
        ),
        ("step: round\nwith: {player: red}\ndice: {luck: [1]}\nends: {winner: red}", "not-ended", "did not end"),
        ("step: round\nwith: {player: red}\ndice: {luck: [6]}\nends: {winner: blue}", "wrong-end", "blue should win"),
        ("step: round\nwith: {player: red}\ndice: {luck: [6]}\nends: draw", "wrong-end", "should be a draw"),
        (
            "step: round\nwith: {player: red}\ndice: {luck: [6]}\nends: {winner: red, reason: poor}",
            "wrong-end",
            "not 'rich'",
        ),
        ("set: {player/blue/coins: -1}\nstep: round\nwith: {player: red}\ndice: {luck: [1]}", "invariant", "no_debts"),
    ],
)
def test_mistakes_are_findings(tmp_path: Path, body: str, code: str, expected: str) -> None:
    """Each mistake is a finding with its own code and message; nothing is raised."""
    found = failures(tmp_path, body)
    assert any(each.startswith(f"{code}: ") and expected in each for each in found), found


def test_wrong_offers_are_reported(tmp_path: Path) -> None:
    """A missing option and a forbidden option are reported with the list of all options."""
    found = failures(
        tmp_path,
        "run: stroll(red)\ndecisions: {stroll.walkers: [[red_1]], stroll.goal: [f3]}\ndice: {stroll: [red]}\n"
        "offers: {stroll.goal: {has: [f2], lacks: [f3]}}",
    )
    assert found == [
        "wrong-offer: 'f2' is not offered at 'stroll.goal' (offered: f1, f3)",
        "wrong-offer: 'f3' is offered and must not be at 'stroll.goal' (offered: f1, f3)",
    ]


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ("[{has: [f1], lacks: [f2]}, {has: [f2]}]", None),
        ("[{}, {lacks: [f2]}]", "wrong-offer: 'f2' is offered and must not be at 'stroll.goal' (offered: f2, f1, f3)"),
        ("[{}, {}, {has: [f1]}]", "not-asked: 'stroll.goal' was asked 2 times, not 3 (None)"),
        ("{has: [f1]}", None),
    ],
)
def test_offers_may_be_about_each_asking(tmp_path: Path, claims: str, expected: str | None) -> None:
    """A list under `offers` is about the askings in order; a mapping is about the first."""
    report = run_one(
        tmp_path,
        "board: {man: [{id: red_2, at: f2}]}\nrun: stroll(red)\n"
        "decisions: {stroll.walkers: [[red_1, red_2]], stroll.goal: [f3, f2]}\n"
        f"dice: {{stroll: [red]}}\noffers: {{stroll.goal: {claims}}}",
    )
    found = [f"{each.code}: {each.message} ({each.hint})" for each in report.failures]
    assert found == ([] if expected is None else [expected])


def test_impossible_option_is_a_mistake(tmp_path: Path) -> None:
    """An unknown name under `lacks` would always hold, and is a mistake; 'none' is allowed."""
    found = failures(
        tmp_path,
        "run: stroll(red)\ndecisions: {stroll.walkers: [[red_1]], stroll.goal: [f3]}\ndice: {stroll: [red]}\n"
        "offers: {stroll.goal: {lacks: [f2, none, f33]}}",
    )
    expected = "there is no thing 'f33', so that it is never offered at 'stroll.goal'"
    assert found == [f"never-offered: {expected} (did you mean 'f3'?)"]


@pytest.mark.parametrize(
    ("men", "limit", "walkers", "claim", "expected"),
    [
        (3, "up to 2 of men", ["red_1", "red_2"], "2", None),
        (
            3,
            "up to 2 of men",
            ["red_1", "red_2"],
            "[2, 2]",
            "not-asked: 'stroll.walkers' asked for several picks 1 time",
        ),
        (3, "up to 3 of men", ["red_1", "red_2"], "2", "wrong-offer: more than 2 can be chosen at 'stroll.walkers'"),
        (3, "any of men", ["red_1"], "1", "wrong-offer: more than 1 can be chosen at 'stroll.walkers'"),
        (3, "up to 1 of men", ["red_1"], "2", "wrong-offer: that 2 are the most is not shown at 'stroll.walkers'"),
        (3, "up to 2 of men", [], "2", "wrong-offer: that 2 are the most is not shown at 'stroll.walkers'"),
        (2, "up to 3 of men", ["red_1", "red_2"], "2", "wrong-offer: that 2 are the most is not shown"),
    ],
)
def test_most_claims_how_many_can_be_chosen(
    tmp_path: Path, men: int, limit: str, walkers: list[str], claim: str, expected: str | None
) -> None:
    """`most` holds if the answer chooses as many and one more was open; more, fewer, or nothing left to choose fail."""
    rules = RULES.replace("id: red, count: 2", f"id: red, count: {men}")
    rules = rules.replace("any of (men where .owner = who)", limit)
    decisions = f"stroll.walkers: [[{', '.join(walkers)}]], stroll.goal: [{', '.join('f3' for _ in walkers)}]"
    body = f"run: stroll(red), decisions: {{{decisions}}}, dice: {{stroll: [red]}}"
    example = f"examples:\n  one: {{{body}, offers: {{stroll.walkers: {{most: {claim}}}}}}}\n"
    report = run_examples(little(tmp_path, rules=rules, examples=example))[0]
    found = [f"{each.code}: {each.message}" for each in report.failures if each.code != "unused-answer"]
    assert found == [] if expected is None else len(found) == 1 and found[0].startswith(expected), found


def test_single_option_answers_itself(tmp_path: Path) -> None:
    """A decision with one option is not asked; an answer that names it is used up, any other one is unused."""
    alone = "set: {field/f3/wet: true}\nrun: stroll(red)\ndice: {stroll: [red]}\ndecisions: {stroll.walkers: [[red_1]]"
    assert run_one(tmp_path / "a", alone + "}").passed
    assert run_one(tmp_path / "b", alone + ", stroll.goal: [f1]}").passed
    assert "unused-answer" in failures(tmp_path / "c", alone + ", stroll.goal: [f3]}")[0]


def test_call_may_break_invariants(tmp_path: Path) -> None:
    """Invariants hold between steps; a call within a step is not checked against them."""
    body = "set: {player/blue/coins: -1}\nrun: play(red)\ndice: {luck: [1]}\nthen: [blue.coins = -1]"
    assert run_one(tmp_path, body).passed


def test_step_may_run_for_one_element(tmp_path: Path) -> None:
    """`with` may give the value that the step's own `each` binds; without it the step runs for all."""
    assert run_one(tmp_path / "a", "step: round\nwith: {player: blue}\ndice: {luck: [1]}\nthen: [red.coins = 3]").passed
    assert run_one(tmp_path / "b", "step: round\ndice: {luck: [1, 1]}\nthen: [red.coins = 2, blue.coins = 2]").passed


def test_claims_about_a_situation_alone(tmp_path: Path) -> None:
    """With neither `run` nor `step` the claims are about the situation."""
    assert run_one(tmp_path, "set: {player/red/coins: 7}\nthen: [red.coins = 7]").passed


def test_example_may_add_counters(tmp_path: Path) -> None:
    """`pieces` exist in this example only; its claims can name them."""
    body = "pieces: {man: [{id: scout, owner: blue, at: f2}]}\nthen: [scout.field = f2, count(men) = 3]"
    assert run_one(tmp_path / "a", body).passed
    assert "unknown-name" in failures(tmp_path / "b", "then: [scout.field = f2]")[0]


def test_example_may_add_things(tmp_path: Path) -> None:
    """`things` belong to their kind, like those of a scenario, and can be named."""
    body = "things: {gift: [{id: purse, worth: 2}]}\nthen: [purse.worth = 2, sum(gifts.worth) = 2]"
    assert run_one(tmp_path / "a", body).passed
    assert "unknown-name" in failures(tmp_path / "b", "then: [purse.worth = 2]")[0]


def test_examples_run_alike_alone_and_together(tmp_path: Path) -> None:
    """Examples run one by one have the same reports as examples run together."""
    ruleset = little(tmp_path, examples=EXAMPLES)
    together = run_examples(ruleset)
    assert [run_examples(ruleset, [each.name])[0] for each in together] == together


CARDS = """
ruleset: {id: cards, title: Cards, version: "1"}
kinds:
  side: {is: seat, members: [red, blue]}
  pile: {is: space, has: {owner: "side?"}}
  card: {is: piece, in: pile, has: {worth: "int = 1", suit: "int = 2"}}
individuals: {pile: {red_hand: {owner: red}, blue_hand: {owner: blue}, table: {}}}
pieces: {card: [{id: ace, at: red_hand}, {id: king, at: blue_hand}]}
views: {hands: {of: card, when: card.pile.owner != none, seen_by: card.pile.owner, others_see: [suit]}}
sequence: {game: {do: "move cards to table"}}
"""
SIGHTS = """
examples:
  dealt: {sees: {red: {knows: [ace], hidden: [king], shows: {king: [suit]}}, nobody: {hidden: [ace, king]}}}
  played: {run: play(ace), sees: {blue: {knows: [ace, king]}}}
  open_deal: {scenario: open, then: [king.pile = table], sees: {red: {knows: [king], hidden: ace}}}
  too_much: {sees: {red: {knows: [king], hidden: [ace], shows: {king: [worth]}}}}
  nowhere: {scenario: closed, sees: {green: {knows: [ace]}}}
  nobody_there: {sees: {green: {knows: [ace]}, red: {knows: [aces]}}}
procedures: {play: {takes: {card: card}, do: move card to table}}
"""
OPEN = """
scenario: {id: open, title: Open, ruleset: cards}
board: {card: [{id: king, at: table}]}
"""


def test_examples_say_what_seats_see_and_start_from_scenarios(tmp_path: Path) -> None:
    """Claims under `sees` hold or name what is wrong; a scenario gives the start."""
    (tmp_path / "cards" / "scenarios").mkdir(parents=True)
    (tmp_path / "cards" / "ruleset.yaml").write_text(CARDS + SIGHTS, "utf-8")
    (tmp_path / "cards" / "scenarios" / "open.yaml").write_text(OPEN, "utf-8")
    reports = {each.name: each for each in run_examples(load_ruleset(tmp_path / "cards", cache=False))}
    found = {name: [each.code for each in report.failures] for name, report in reports.items()}
    assert found == {
        "dealt": [],
        "played": [],
        "open_deal": ["not-hidden"],
        "too_much": ["not-seen", "not-hidden", "wrong-sight"],
        "nowhere": ["unknown-name"],
        "nobody_there": ["unknown-name", "unknown-name"],
    }
    assert "red sees of 'king': suit" in str(reports["too_much"])
