"""Exact odds are those of all faces of all dice, one by one, and those that many throws come close to."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

import pytest
from doc_blocks import write_guide

from interpreter import load_ruleset, odds
from interpreter.inference.situation.situation import link_given, read_given
from interpreter.language.codegen.emit import emit_expression
from interpreter.language.model.emitted_names import OUTCOME
from interpreter.language.model.image import Site
from interpreter.language.runtime.values import value_text
from interpreter.play.engine.core import Core
from interpreter.play.engine.source import with_setup
from interpreter.play.inputs.chance import BulkChance
from interpreter.play.inputs.dice import Dice
from interpreter.rules.loading.ruleset import Ruleset

RUNS = 20_000
SIGMAS = 5


class Case(NamedTuple):
    """A procedure and the situation it runs in; decisions take their first option."""

    ruleset: str
    procedure: str
    given: dict[str, Any]


BATTLE = {"unit": [{"ids": ["France_1", "France_2"], "at": "Italy"}, {"ids": ["Austria_1"], "at": "Italy"}]}
CASES = (
    Case("guide", "duel", {"with": {"ours": "5", "theirs": "2"}}),
    Case("guide", "assault", {"with": {"unit": "red_2", "target": "camp"}}),
    Case("fin_napoleon", "declaration", {"with": {"declarer": "France", "target": "Prussia"}}),
    Case("fin_napoleon", "mobilisation", {"with": {"who": "France"}, "options": {"french_reform": True}}),
    Case("fin_napoleon", "combat", {"with": {"area": "Italy", "active": "Austria"}, "board": BATTLE}),
)


class EveryFace:
    """Dice that fall in every way, one after the other: each die is a wheel, and the last one turns first."""

    def __init__(self) -> None:
        self._wheels: list[tuple[int, int]] = []
        self._read = 0

    def _die(self, faces: int) -> int:
        if self._read == len(self._wheels):
            self._wheels.append((0, faces))
        self._read += 1
        return self._wheels[self._read - 1][0]

    def roll(self, _site: Site, count: int, faces: Any) -> list[int]:
        return [self._die(len(faces)) for _ in range(count)]

    def below(self, limit: int) -> int:
        return self._die(limit)

    @property
    def weight(self) -> Fraction:
        found = Fraction(1)
        for _, faces in self._wheels:
            found /= faces
        return found

    def turn(self) -> bool:
        """On to the next way; whether there is one."""
        self._read = 0
        while self._wheels:
            shown_face, faces = self._wheels.pop()
            if shown_face + 1 < faces:
                self._wheels.append((shown_face + 1, faces))
                return True
        return False


class Runner:
    """Runs a procedure again and again from the same situation, in the code that games are played with."""

    def __init__(self, ruleset: Ruleset, case: Case, dice: Any) -> None:
        rule = ruleset.program.procedures[case.procedure]
        given = link_given(read_given(case.given), rule, ruleset.program)
        setting = with_setup(ruleset, given.setup)
        self.core = Core(setting.shared("fast"), "fast", BulkChance(dice).names(), setup=setting.setup)
        units = [emit_expression(ruleset.program, each, (), "fast") for each in given.arguments]
        self.arguments = [self.core.bind(each, "ad_hoc")() for each in units]
        self.rule = rule

    def run(self) -> tuple[str, ...]:
        """One run, its outcomes, and back."""
        mark = len(self.core.world.journal)
        result = self.core.names[f"p_{self.rule.name}"](*self.arguments)
        if self.rule.effects.asks:
            result = _answered(result)
        read = [self.core.names[OUTCOME(self.rule.name, name)] for name in self.rule.outcomes]
        found = tuple([value_text(each(*self.arguments, result)) for each in read])
        self.core.world.rollback(mark)
        self.core.budget.decisions += 1
        return found


def _answered(asking: Any) -> Any:
    answer = None
    try:
        while True:
            _, _, options, _, _ = asking.send(answer)
            answer = (options() if callable(options) else options)[0]
    except StopIteration as done:
        return done.value


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_guide(tmp_path_factory.mktemp("guide")))


def loaded(case: Case, guide: str) -> Ruleset:
    return load_ruleset(guide if case.ruleset == "guide" else case.ruleset, options=case.given.get("options", {}))


@pytest.mark.parametrize("case", CASES, ids=lambda each: each.procedure)
def test_odds_are_those_of_all_faces(case: Case, guide: str) -> None:
    """Every face of every die tried in turn gives the same fractions, to the last digit."""
    ruleset = loaded(case, guide)
    dice = EveryFace()
    runner = Runner(ruleset, case, dice)
    expected: Counter[tuple[str, ...]] = Counter()
    while True:
        outcome = runner.run()
        expected[outcome] += dice.weight  # type: ignore[assignment]
        if not dice.turn():
            break
    found = odds(ruleset, case.procedure, case.given)
    assert len(expected) > 1
    assert sum(expected.values()) == 1
    assert dict(found.rows) == dict(expected)


@pytest.mark.parametrize("case", CASES, ids=lambda each: each.procedure)
def test_throws_come_close_to_the_odds(case: Case, guide: str) -> None:
    """Of many throws each outcome comes as often as its odds say, within five standard deviations, and no other."""
    ruleset = loaded(case, guide)
    runner = Runner(ruleset, case, Dice(1813))
    counts = Counter([runner.run() for _ in range(RUNS)])
    rows = dict(odds(ruleset, case.procedure, case.given).rows)
    assert counts.keys() <= rows.keys()
    for outcome, exact in rows.items():
        spread = sqrt(RUNS * exact * (1 - exact))
        assert abs(counts[outcome] - RUNS * exact) <= SIGMAS * spread, (outcome, float(exact), counts[outcome])
