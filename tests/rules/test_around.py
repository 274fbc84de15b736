"""Texts laid around a rule: which of them run, in which order, and what `proceed` runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from overlay_house import BASE, changed, laid, overlay

from interpreter.language.diagnostics import RulesetError
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.workshop.examples.run_examples import run_examples

LOSE = "- {at: examples, add: {trial: {cite: [1], %s}}}\n"


def holds(ruleset: Ruleset) -> bool:
    """Whether the example that the overlay adds holds; with what happened if not."""
    (report,) = run_examples(ruleset, ["trial"])
    print(report)
    return report.passed


@pytest.mark.parametrize(
    ("wrap", "example"),
    [
        ("before: {do: set number += 1}", "run: 'lose(red_1, 2)', then: [red_1.steps = 1]"),
        ("before: {when: number > 2, do: set number = 1}", "run: 'lose(red_1, 2)', then: [red_1.steps = 2]"),
        ("before: {when: number > 2, do: set number = 1}", "run: 'lose(red_1, 3)', then: [red_1.steps = 3]"),
        ("after: {do: set unit.tired = true}", "run: 'lose(red_1, 1)', then: [red_1.steps = 3, red_1.tired]"),
        ("instead: {do: set unit.tired = true}", "run: 'lose(red_1, 3)', then: [red_1.steps = 4, red_1.tired]"),
        ("instead: {when: number = 1, do: return}", "run: 'lose(red_1, 1)', then: [red_1.steps = 4]"),
        ("instead: {when: number = 1, do: return}", "run: 'lose(red_1, 2)', then: [red_1.steps = 2]"),
        ("instead: {do: 'proceed(unit, 3 - number)'}", "run: 'lose(red_1, 1)', then: [red_1.steps = 2]"),
        (
            "before: {do: set number += 1}, instead: {do: 'proceed(unit, 1)'}, after: {do: set unit.tired = true}",
            "run: 'lose(red_1, 3)', then: [red_1.steps = 3, red_1.tired]",
        ),
    ],
)
def test_a_procedure_that_gives_nothing(wrap: str, example: str) -> None:
    """A rule before may change what the rule is given; a rule instead of it may run it, or not."""
    assert holds(laid(BASE, overlay(f"- {{at: procedures/lose, wrap: {{{wrap}}}}}\n{LOSE % example}")))


ASSAULT = "board: {unit: [{id: blue_1, at: ridge}]}, run: 'assault(blue_1, ford)', dice: {assault: [1, 1, 3]}, %s"
SHARE = "decisions: {assault.share: [{red_1: 1}]}, "


@pytest.mark.parametrize(
    ("wrap", "example"),
    [
        ("after: {when: result = 1, do: set unit.tired = true}", ASSAULT % SHARE + "then: [result = 1, blue_1.tired]"),
        ("instead: {when: storm, do: return 0}", ASSAULT % SHARE + "then: [result = 1]"),
        (
            "instead: {when: storm, do: return 0}",
            "state: {storm: true}, run: 'assault(blue_1, ford)', then: [result = 0]",
        ),
        ("instead: {do: 'return proceed(unit, target) + 1'}", ASSAULT % SHARE + "then: [result = 2]"),
        (
            "instead: {do: 'return proceed(unit, target) + proceed(unit, target)'}",
            ASSAULT.replace("3]", "3, 1, 1, 4]") % SHARE.replace("1}]", "1}, {red_1: 1}]") + "then: [red_1.steps = 2]",
        ),
    ],
)
def test_a_procedure_that_asks_rolls_and_gives(wrap: str, example: str) -> None:
    """Decisions within keep the address of the rule, dice their labels."""
    assert holds(laid(BASE, overlay(f"- {{at: procedures/assault, wrap: {{{wrap}}}}}\n{LOSE % example}")))


CLOCK = "step: clock, state: {turn: 4, storm: %s}, then: [turn = %d]"
FIGHT = "- {at: actions/fight/do, set: set side.points += unit.steps}\n"
ACT = (
    "step: moves, with: {side: red}, board: {unit: [{id: blue_1, at: ridge}]}, "
    "decisions: {moves.orders: [fight], fight.unit: [red_1]}, dice: {storm: [6, 6], omens: [plain, plain]}, "
    "then: [red.points = %d]"
)


@pytest.mark.parametrize(
    ("at", "wrap", "example"),
    [
        ("sequence/clock", "before: {do: set turn = 1}", CLOCK % ("false", 2)),
        ("sequence/clock", "after: {do: set turn = 1}", CLOCK % ("false", 1)),
        ("sequence/clock", "instead: {when: storm, do: set turn = 1}", CLOCK % ("true", 1)),
        ("sequence/clock", "instead: {when: storm, do: set turn = 1}", CLOCK % ("false", 5)),
        ("sequence/clock", "instead: {do: 'if storm: proceed()'}", CLOCK % ("true", 5)),
        ("sequence/clock", "instead: {do: 'if storm: proceed()'}", CLOCK % ("false", 4)),
        (
            "sequence/clock",
            "before: {do: set turn = 6}, after: {when: turn > 6, do: set turn = 0}",
            CLOCK % ("false", 0),
        ),
    ],
)
def test_a_step(at: str, wrap: str, example: str) -> None:
    """Its text replaces `proceed()`; if a condition does not hold, nothing changes."""
    assert holds(laid(BASE, overlay(f"- {{at: {at}, wrap: {{{wrap}}}}}\n{LOSE % example}")))


@pytest.mark.parametrize(
    ("wrap", "points"),
    [
        ("before: {do: set side.points += 10}", 14),
        ("instead: {when: unit.steps = 4, do: set side.points = 7}", 7),
        ("instead: {when: unit.steps = 5, do: set side.points = 7}", 4),
        ('instead: {when: unit.steps = 4, do: "proceed()\\nset side.points += side.points"}', 8),
    ],
)
def test_an_action(wrap: str, points: int) -> None:
    """It sees what was picked for it."""
    patches = f"{FIGHT}- {{at: actions/fight, wrap: {{{wrap}}}}}\n{LOSE % (ACT % points)}"
    assert holds(laid(BASE, overlay(patches)))


def test_layers_lie_upon_layers() -> None:
    """The overlay that is laid on last comes first; each proceeds to the one below."""
    example = LOSE % "run: 'lose(red_1, 2)', then: [red_1.steps = 2]"
    one = overlay("- {at: procedures/lose, wrap: {instead: {do: 'proceed(unit, number * 2)'}}}", "one")
    two = overlay("- {at: procedures/lose, wrap: {before: {do: set number -= 1}}}\n" + example, "two", after="one")
    assert holds(laid(BASE, one, two))


WRAPS = """\
- {at: definitions/unit.weak, wrap: {instead: {is: .steps > 3 or proceed(unit)}}}
- {at: definitions/strength, wrap: {instead: {when: place = ford, is: "proceed(place, side) + 1"}}}
- at: definitions/best
  wrap:
    instead:
      do: |
        if side = blue: return none
        return proceed(side)
"""
CLAIMS = "red_1.weak, not blue_1.weak, 'strength(ford, red) = 13', 'strength(camp, blue) = 6', 'best(blue) = none'"


def test_definitions_are_wrapped() -> None:
    """A computed attribute of a kind and a function give something else, or what they gave."""
    assert holds(laid(BASE, overlay(WRAPS + LOSE % f"then: [{CLAIMS}]")))


def test_a_ruleset_may_have_layers_itself(tmp_path: Path) -> None:
    """`around` is a part of rules, as optional rules need it; ids in it differ."""
    layer, old = '{id: mud, instead: {when: fog, do: "return 0"}}', "    outcomes: {hits: result}"
    folder = changed(tmp_path / "once", "@ rules.yaml", f"- {old}", f"+ {old}", f"+     around: [{layer}]")
    assert "procedures/assault" in laid(folder).entries
    folder = changed(tmp_path / "twice", "@ rules.yaml", f"- {old}", f"+ {old}", f"+     around: [{layer}, {layer}]")
    with pytest.raises(RulesetError, match="mud"):
        laid(folder)
