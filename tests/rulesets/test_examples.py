"""Every worked example of every ruleset in the tree holds; each is a test of its own."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from interpreter.language.diagnostics import BicorneError
from interpreter.rules.documents.document_set import read_ruleset
from interpreter.rules.linking.examples import examples
from interpreter.rules.loading.load import load_ruleset
from interpreter.workshop.examples.run_examples import ExampleReport, run_examples

HERE = Path(__file__).resolve().parent
FOLDERS = {
    each.parent.name: each.parent
    for root in (HERE, HERE.parents[1] / "rulesets")
    for each in root.glob("*/ruleset.yaml")
}
CASES = [(name, each.name) for name, folder in sorted(FOLDERS.items()) for each in examples(read_ruleset(folder))]


@cache
def reports(ruleset: str) -> dict[str, ExampleReport] | BicorneError:
    """All examples of one ruleset, run once, for they share what is compiled for them; or why it can't be loaded."""
    try:
        return {each.name: each for each in run_examples(load_ruleset(FOLDERS[ruleset]))}
    except BicorneError as error:
        return error


def test_there_are_examples() -> None:
    """Every ruleset in the tree has examples, so that the test below is not empty for any."""
    assert {name for name, _ in CASES} == set(FOLDERS)


@pytest.mark.parametrize(("ruleset", "example"), CASES, ids=[f"{name}/{example}" for name, example in CASES])
def test_example(ruleset: str, example: str) -> None:
    """The example comes out as it claims, with every die and every answer used."""
    found = reports(ruleset)
    assert not isinstance(found, BicorneError), f"\n{found}"
    report = found[example]
    assert report.passed, f"\n{report}"
