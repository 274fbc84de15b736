"""Examples: what holds, what does not and why, and what is wrong with the example itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from little import EXAMPLES, little

from interpreter.language.diagnostics import UsageError
from interpreter.workshop.examples.run_examples import ExampleReport, run_examples


def failures(folder: Path, text: str) -> list[str]:
    """Codes and messages of everything wrong with a single example."""
    report = run_one(folder, text)
    assert not report.passed
    return [f"{each.code}: {each.message} ({each.hint})" for each in report.failures]


def run_one(folder: Path, text: str) -> ExampleReport:
    """The report on an example that is given by its body."""
    body = "\n".join(f"    {line}" for line in text.strip().splitlines())
    return run_examples(little(folder, examples=f"examples:\n  one:\n{body}\n"))[0]


def test_sound_examples_hold(tmp_path: Path) -> None:
    """Calls, steps, options, picks, random picks, offers and endings are all run as they are written."""
    reports = run_examples(little(tmp_path))
    assert [each.name for each in reports] == ["six", "hard_six", "walking", "round_of_blue"]
    assert all(each.passed for each in reports), "\n".join(map(str, reports))
    assert all(each.sites for each in reports)


def test_only_those_named(tmp_path: Path) -> None:
    """Examples can be picked by name, and a wrong name is answered with the nearest one."""
    ruleset = little(tmp_path)
    assert [each.name for each in run_examples(ruleset, ["walking"])] == ["walking"]
    with pytest.raises(UsageError, match="did you mean 'walking'"):
        run_examples(ruleset, ["walkin"])


def test_options_of_the_caller_come_below_those_of_the_example(tmp_path: Path) -> None:
    """Under `hard` the plain example no longer holds, and the one that sets the option itself still does."""
    reports = {each.name: each.passed for each in run_examples(little(tmp_path), options={"hard": True})}
    assert not reports["six"]
    assert reports["hard_six"]


def test_a_false_claim_shows_both_sides_and_the_tally(tmp_path: Path) -> None:
    """What stood on either side is told in the words of the claim, with modifiers and their clauses."""
    found = failures(
        tmp_path, "options: {hard: true}\nrun: play(red)\ndice: {luck: [6]}\nthen: [luck(red) + 1 = red.coins]"
    )
    claim, told = "luck(red) + 1 = red.coins", "luck(red) + 1 is 0; red.coins is 3; luck is -1 (harder -1 [4])"
    assert found == [f"not-true: this is not true: {claim} ({told})"]


def test_of_a_conjunction_the_part_that_fails_is_told(tmp_path: Path) -> None:
    """Parts that hold are not told, and of `all` those for which it does not."""
    found = failures(tmp_path, "run: 1 + 1\nthen: ['result = 2 and all(men each .field = f3)']")
    told = "men each .field = f3: false for {red_1, red_2}"
    assert found == [f"not-true: this is not true: result = 2 and all(men each .field = f3) ({told})"]


def test_a_failure_points_into_the_file_and_tells_what_happened(tmp_path: Path) -> None:
    """The place is that of the claim, and the trace has the roll with its table."""
    report = run_one(tmp_path, "run: play(red)\ndice: {luck: [1]}\nthen:\n  - result = 0\n  - result = 5")
    assert [(each.place.line, each.place.column) for each in report.failures] == [(7, 9)]
    told = "\n".join(map(str, report.trace))
    assert "Red rolls 1" in told or "red rolls 1" in told
    assert "prize, die 1..5: 0  [2]" in told
    assert "what happened" in str(report)
    assert not report.as_json()["passed"]


@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        ("run: play(red)\ndice: {luck: [1, 2]}", "unused-dice", "were not rolled: 2"),
        ("run: play(red)\ndice: {luck: []}", "scripted-dice", "have run out"),
        ("run: play(red)", "scripted-dice", "no dice are given for 'luck'"),
        ("run: play(red)\ndice: {luck: [7]}", "scripted-dice", "'7' can't come up"),
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
        ("run: stroll(red)\ndecisions: {stroll.walkers: [[red_9]]}", "unanswered", "'red_9' is not an answer"),
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
def test_what_goes_wrong_is_said(tmp_path: Path, body: str, code: str, said: str) -> None:
    """Each mistake is a finding with its own code, and says what is wrong; nothing is raised."""
    found = failures(tmp_path, body)
    assert any(each.startswith(f"{code}: ") and said in each for each in found), found


def test_wrong_offers_are_told_both_ways(tmp_path: Path) -> None:
    """What should be offered and is not, and what is and should not be, each with all that is offered."""
    found = failures(
        tmp_path,
        "run: stroll(red)\ndecisions: {stroll.walkers: [[red_1]], stroll.goal: [f3]}\ndice: {stroll: [red]}\n"
        "offers: {stroll.goal: {has: [f2], lacks: [f3]}}",
    )
    assert found == [
        "wrong-offer: 'f2' is not offered at 'stroll.goal' (offered: f1, f3)",
        "wrong-offer: 'f3' is offered and must not be at 'stroll.goal' (offered: f1, f3)",
    ]


def test_what_never_can_be_offered_is_no_claim(tmp_path: Path) -> None:
    """A name under `lacks` that nothing has would always hold, and is a mistake; 'none' may be lacking."""
    found = failures(
        tmp_path,
        "run: stroll(red)\ndecisions: {stroll.walkers: [[red_1]], stroll.goal: [f3]}\ndice: {stroll: [red]}\n"
        "offers: {stroll.goal: {lacks: [f2, none, f33]}}",
    )
    said = "there is no thing 'f33', so that it is never offered at 'stroll.goal'"
    assert found == [f"never-offered: {said} (did you mean 'f3'?)"]


def test_a_single_option_answers_itself_named_or_not(tmp_path: Path) -> None:
    """With one place to go nobody is asked; an answer that names it is used up, any other is left over."""
    alone = "set: {field/f3/wet: true}\nrun: stroll(red)\ndice: {stroll: [red]}\ndecisions: {stroll.walkers: [[red_1]]"
    assert run_one(tmp_path / "a", alone + "}").passed
    assert run_one(tmp_path / "b", alone + ", stroll.goal: [f1]}").passed
    assert "unused-answer" in failures(tmp_path / "c", alone + ", stroll.goal: [f3]}")[0]


def test_a_call_may_leave_what_no_step_may(tmp_path: Path) -> None:
    """Invariants hold between steps; a call in the middle of one is not measured by them."""
    body = "set: {player/blue/coins: -1}\nrun: play(red)\ndice: {luck: [1]}\nthen: [blue.coins = -1]"
    assert run_one(tmp_path, body).passed


def test_a_step_may_be_run_for_one_alone(tmp_path: Path) -> None:
    """`with` may give what the step's own `each` binds; without it the step is run for all."""
    assert run_one(tmp_path / "a", "step: round\nwith: {player: blue}\ndice: {luck: [1]}\nthen: [red.coins = 3]").passed
    assert run_one(tmp_path / "b", "step: round\ndice: {luck: [1, 1]}\nthen: [red.coins = 2, blue.coins = 2]").passed


def test_a_situation_alone_can_be_claimed_about(tmp_path: Path) -> None:
    """With neither `run` nor `step` the claims are about what is set up."""
    assert run_one(tmp_path, "set: {player/red/coins: 7}\nthen: [red.coins = 7]").passed


def test_an_example_may_bring_counters_of_its_own(tmp_path: Path) -> None:
    """`pieces` are there for this example alone; its claims name them."""
    body = "pieces: {man: [{id: scout, owner: blue, at: f2}]}\nthen: [scout.field = f2, count(men) = 3]"
    assert run_one(tmp_path / "a", body).passed
    assert "unknown-name" in failures(tmp_path / "b", "then: [scout.field = f2]")[0]


def test_an_example_may_bring_things_of_its_own(tmp_path: Path) -> None:
    """`things` are among all of their kind, as those of a scenario, and are named too."""
    body = "things: {gift: [{id: purse, worth: 2}]}\nthen: [purse.worth = 2, sum(gifts.worth) = 2]"
    assert run_one(tmp_path / "a", body).passed
    assert "unknown-name" in failures(tmp_path / "b", "then: [purse.worth = 2]")[0]


def test_examples_of_one_ruleset_share_what_is_compiled(tmp_path: Path) -> None:
    """Running examples one by one gives the same reports as running them together."""
    ruleset = little(tmp_path, examples=EXAMPLES)
    together = run_examples(ruleset)
    assert [run_examples(ruleset, [each.name])[0] for each in together] == together
