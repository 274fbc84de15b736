"""Random rule text has the same value in every variant of generated code and in a naive evaluator."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from doc_blocks import write_guide
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from naive_evaluator import NaiveEvaluator
from random_texts import texts

from interpreter import load_ruleset
from interpreter.inference.enumerated_chance import EnumeratedChance
from interpreter.inference.solver.path_enumerator import PathEnumerator
from interpreter.language.checking.check import check_expression
from interpreter.language.codegen.emit import VARIANTS, emit_expression
from interpreter.language.parsing.parse import parse_expr
from interpreter.language.parsing.source_map import SourceText
from interpreter.language.tree.types import SetType
from interpreter.play.engine.core import Core
from interpreter.play.engine.source import source_of
from interpreter.play.inputs.chance import BulkChance
from interpreter.play.inputs.dice import Dice
from interpreter.play.inputs.value_codec import encode
from interpreter.rules.loading.ruleset import Ruleset


class Worlds:
    """The guide's ruleset in all three variants, with the same pieces at the same places in each."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.program = ruleset.program
        setting = source_of(ruleset)
        self.cores = {each: Core(setting.shared(each), each, _chance(each)) for each in VARIANTS}

    def stir(self, seed: int) -> None:
        """Puts every piece into the same random place and state in each world."""
        for core in self.cores.values():
            core.reset()
            source = Random(seed)
            objects: list[Any] = list(core.world.objects)
            places = [each for each in objects if each.kind == "place"]
            core.world.state.a_turn = source.randrange(6)
            for unit in [each for each in objects if each.kind == "unit"]:
                core.world.place(unit, source.choice([*places, None]))
                unit.a_steps, unit.a_tired = source.randint(1, 4), source.random() < 0.5

    def value(self, text: str, variant: str) -> Any:
        """Returns the value of a text by generated code."""
        core = self.cores[variant]
        expr = parse_expr(SourceText.plain(text))
        assert [str(each) for each in check_expression(self.program, expr, (), None) if each.severity == "error"] == []
        return core.bind(emit_expression(self.program, expr, (), variant), "ad_hoc")()

    def naive(self, text: str) -> Any:
        """Returns the value of a text by the naive evaluator."""
        expr = parse_expr(SourceText.plain(text))
        check_expression(self.program, expr, (), None)
        found = NaiveEvaluator(self.program, self.cores["fast"]).value(expr, {})
        return _in_order(found) if isinstance(expr.type, SetType) else encode(found)

    def plain(self, value: Any, text: str) -> Any:
        """Returns a value of generated code in comparable form: sets without order, each element once."""
        expr = parse_expr(SourceText.plain(text))
        check_expression(self.program, expr, (), None)
        if not isinstance(expr.type, SetType):
            return encode(value)
        found = _in_order(value)
        assert len(set(found)) == len(found), "an element of a set comes twice"
        return found


def _in_order(values: Any) -> list[Any]:
    stable: list[Any] = [encode(each) for each in values]
    return sorted(stable)


def _chance(variant: str) -> dict[str, object]:
    return EnumeratedChance(PathEnumerator(1)).names() if variant == "odds" else BulkChance(Dice(0)).names()


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Worlds:
    return Worlds(load_ruleset(write_guide(tmp_path_factory.mktemp("guide"))))


@settings(max_examples=400, suppress_health_check=list(HealthCheck))
@given(text=texts(), seed=st.integers(0, 1_000))
def test_variants_agree_with_naive_evaluator(worlds: Worlds, text: str, seed: int) -> None:
    """Generated code of every variant agrees with the naive evaluator, and evaluation changes no state."""
    worlds.stir(seed)
    before = [core.hash() for core in worlds.cores.values()]
    assert len(set(before)) == 1
    expected = worlds.naive(text)
    for variant in VARIANTS:
        assert worlds.plain(worlds.value(text, variant), text) == expected, variant
    assert [core.hash() for core in worlds.cores.values()] == before
