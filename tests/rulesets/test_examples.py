"""Tests that every worked example of every ruleset in the tree holds, one test for each."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from interpreter.language.diagnostics import BicorneError
from interpreter.rules.documents.document_set import read_ruleset
from interpreter.rules.linking.examples import examples
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.workshop.examples.run_examples import ExampleReport, run_examples

HERE = Path(__file__).resolve().parent
FOLDERS = {
    each.parent.name: each.parent
    for root in (HERE, HERE.parents[1] / "rulesets")
    for each in root.glob("*/ruleset.yaml")
}
CASES = [
    (name, each.place.file, each.name)
    for name, folder in sorted(FOLDERS.items())
    for each in examples(read_ruleset(folder))
]
"""The ruleset, the file and the name of each example."""


@cache
def loaded(ruleset: str) -> Ruleset:
    """Loads a ruleset, once, because its examples share compiled code."""
    return load_ruleset(FOLDERS[ruleset])


@cache
def reports(ruleset: str, file: str) -> dict[str, ExampleReport] | BicorneError:
    """Runs all examples of one file, so that processes can share a ruleset; or returns why it can't be loaded."""
    names = [example for _, written_in, example in CASES if written_in == file]
    try:
        return {each.name: each for each in run_examples(loaded(ruleset), names)}
    except BicorneError as error:
        return error


def test_every_ruleset_has_examples() -> None:
    """Every ruleset in the tree has examples, so that none is missing from the test below."""
    assert {name for name, *_ in CASES} == set(FOLDERS)


@pytest.mark.parametrize("ruleset", FOLDERS)
def test_no_document_of_a_ruleset_is_forgotten(ruleset: str) -> None:
    """Each file is read with the ruleset, so that no example lies unread; overlays and scenarios are read by name."""
    folder = FOLDERS[ruleset]
    written = {each for each in folder.rglob("*.yaml") if not {"overlays", "scenarios"} & set(each.parts)}
    assert written <= {each.path for each in read_ruleset(folder).documents}


@pytest.mark.parametrize(("ruleset", "file", "example"), CASES, ids=[f"{name}/{example}" for name, _, example in CASES])
def test_example_holds(ruleset: str, file: str, example: str) -> None:
    """The claims of the example are true, and every die and every answer is used."""
    found = reports(ruleset, file)
    assert not isinstance(found, BicorneError), f"\n{found}"
    report = found[example]
    assert report.passed, f"\n{report}"
