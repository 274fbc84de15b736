"""Checked programs are stored as plain data, from which nothing is run, and come back as they were."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from same_graph import difference

from interpreter.language.codegen.emit import VARIANTS, emit_unit
from interpreter.language.model.image import Unit
from interpreter.language.model.program import Individual, LinkDeclaration, Program
from interpreter.rules.documents.document_set import read_ruleset
from interpreter.rules.loading.compile import checked_program, compile_ruleset
from interpreter.rules.loading.stored_program import program_text, read_program
from interpreter.rules.loading.stored_ruleset import StoredRuleset, read_stored, stored_text

ROOT = Path(__file__).resolve().parents[2]
BASE = ROOT / "tests" / "goldens" / "base"
SHIPPED = sorted(each.parent for each in (ROOT / "rulesets").glob("*/ruleset.yaml"))
OTHERS = [BASE, *sorted(each.parent for each in (ROOT / "tests" / "rulesets").glob("*/ruleset.yaml"))]
LEFT_OUT = {
    Program: ("_hierarchy", "nodes"),
    Individual: ("value_places",),
    LinkDeclaration: ("value_places",),
}


@pytest.fixture(scope="module")
def stored() -> bytes:
    """The text of the program of the guide."""
    return program_text(checked_program(read_ruleset(BASE), {}))


@pytest.mark.parametrize(
    ("folder", "variants"),
    [*[(each, ("fast",)) for each in SHIPPED], *[(each, tuple(VARIANTS)) for each in OTHERS]],
    ids=lambda each: each.name if isinstance(each, Path) else "",
)
def test_programs_are_read_as_they_were_stored(folder: Path, variants: tuple[str, ...]) -> None:
    """A program that was stored is the same after reading, and so is the code that is emitted for it."""
    made = checked_program(read_ruleset(folder), {})
    found = read_program(program_text(made))
    assert found is not None
    assert difference(made, found, LEFT_OUT) is None
    assert [emit_unit(found, each) for each in variants] == [emit_unit(made, each) for each in variants]


@pytest.mark.parametrize("folder", [*SHIPPED, *OTHERS], ids=lambda each: each.name)
def test_rulesets_are_read_as_they_were_stored(folder: Path) -> None:
    """A compiled ruleset that was stored is the same after reading, but for the code of its units."""
    made = compile_ruleset(folder, {}).data
    found = read_stored(stored_text(made), StoredRuleset)
    assert found is not None
    assert found.image.units[0].code == b""
    found.image.units[0].code = made.image.units[0].code
    for each in fields(StoredRuleset):
        assert getattr(found, each.name) == getattr(made, each.name), each.name
    assert read_stored(stored_text(made), Unit) is None


def test_shipped_rulesets_are_stored() -> None:
    """The tests above see the rulesets that are shipped."""
    assert len(SHIPPED) >= 3


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"null",
        b"{}",
        b"\x80\x05N.",
        b"cos\nsystem\n(S'true'\ntR.",
        b"[" * 100_000,
        b'{"classes": NaN}',
        b"\xff",
        b"9" * 10_000,
    ],
)
def test_other_texts_are_no_programs(text: bytes) -> None:
    """A pickle, or any other text, is no program."""
    assert read_program(text) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"Name":', '"Popen":'),
        ('"Name":', '"Expr":'),
        ('"Name":', '"Rule":'),
        ('"parts":', '"__class__":'),
        ('"root":', '"root": 0, "root":'),
        ('"root":', '"more": 0, "root":'),
    ],
)
def test_forged_texts_are_no_programs(stored: bytes, old: str, new: str) -> None:
    """A text with another class, field or key is no program."""
    assert stored.decode().count(old) >= 1
    assert read_program(stored.decode().replace(old, new, 1).encode()) is None


@given(drawn=st.data())
def test_no_change_is_a_defect(stored: bytes, drawn: st.DataObject) -> None:
    """With any scalar of the text changed to any other, it is read as a program of the same classes, or is none."""
    scalars = re.compile(r"\b(?:null|true|false|[0-9]+)\b").finditer(stored.decode())
    at = drawn.draw(st.sampled_from(list(scalars)))
    value = drawn.draw(st.sampled_from(["null", "true", "-1", "0", "7", "999999999", '"x"', "[]", "{}", "1e5"]))
    text = stored.decode()
    found = read_program(f"{text[: at.start()]}{value}{text[at.end() :]}".encode())
    if found is not None:
        assert difference(found, read_program(program_text(found)), LEFT_OUT) is None
