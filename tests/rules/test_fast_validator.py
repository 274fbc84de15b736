"""The compiled predicates accept exactly the documents that jsonschema accepts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from interpreter.rules.documents.nodes import FileText, Mapping, Node, Scalar, Sequence, as_plain_data
from interpreter.rules.documents.package_data import schemas_folder
from interpreter.rules.documents.yaml_reader import read_yaml_text
from interpreter.rules.schema.fast_validator import compile_predicate
from interpreter.rules.schema.validate import RULESET, SCENARIO

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = {
    name: json.loads((schemas_folder() / f"{name}.schema.json").read_text("utf-8")) for name in (RULESET, SCENARIO)
}
QUICK = {name: compile_predicate(schema) for name, schema in SCHEMAS.items()}
SLOW = {name: Draft202012Validator(schema) for name, schema in SCHEMAS.items()}
ORIGIN = FileText("f.yaml", "")
DOCUMENTS = [
    (
        SCENARIO if "scenarios" in path.parts else RULESET,
        as_plain_data(read_yaml_text(path.read_text("utf-8"), path.name)),
    )
    for path in sorted(
        [*(ROOT / "tests").rglob("*.yaml"), *(ROOT / "rulesets" / "fin_napoleon").glob("[c-r]*.yaml")],
        key=lambda each: each.as_posix(),
    )
    if "clauses" not in path.name
]
STRANGE: list[Any] = [
    *(None, True, False, 0, 1, -3, 500, "", "x", "two words", "8.10", "a1", "stated", "squares"),
    *([], ["a"], ["a", "a"], ["a", "b", "c"], [["a", "b"]], [[1]]),
    *({}, {"x": 1}, {"en": "text"}, {"grid": "id | a\nb | 1"}, {"id": "a", "when": "true"}, {"between": [["a", "b"]]}),
]
WORDS = ["cite", "id", "is", "do", "grid", "between", "each", "when", "says", "standing", "nonsense", "two words", "en"]


def node_of(value: Any) -> Node:
    """Converts plain data to nodes."""
    if isinstance(value, dict):
        made = Mapping(ORIGIN, 0)
        made.items = {key: node_of(each) for key, each in value.items()}
        return made
    if isinstance(value, list):
        listed = Sequence(ORIGIN, 0)
        listed.items = [node_of(each) for each in value]
        return listed
    return Scalar(ORIGIN, 0, 0, "", value, str(value))


def spoilt(value: Any, data: st.DataObject) -> Any:
    """Draws a copy of the value with something changed, added or removed."""
    if isinstance(value, dict) and value and data.draw(st.integers(0, 9)):
        key = data.draw(st.sampled_from(sorted(value)))
        match data.draw(st.sampled_from(("into", "into", "into", "into", "out", "more", "rename"))):
            case "into":
                return {**value, key: spoilt(value[key], data)}
            case "out":
                return {name: each for name, each in value.items() if name != key}
            case "more":
                return {**value, data.draw(st.sampled_from(WORDS)): data.draw(st.sampled_from(STRANGE))}
            case _:
                new = data.draw(st.sampled_from(WORDS))
                return {new if name == key else name: each for name, each in value.items()}
    if isinstance(value, list) and value and data.draw(st.integers(0, 9)):
        at = data.draw(st.integers(0, len(value) - 1))
        return [*value[:at], spoilt(value[at], data), *value[at + data.draw(st.integers(0, 1)) :]]
    return data.draw(st.sampled_from(STRANGE))


@pytest.mark.parametrize("name", SCHEMAS)
def test_predicates_accept_sound_documents(name: str) -> None:
    """Sound rulesets and scenarios satisfy the predicate, so that jsonschema isn't needed for them."""
    own = [document for schema, document in DOCUMENTS if schema == name]
    assert own
    for document in own:
        assert QUICK[name](node_of(document)) == SLOW[name].is_valid(document)
    assert sum(QUICK[name](node_of(each)) for each in own) > len(own) / 2


@settings(max_examples=300)
@given(st.sampled_from(DOCUMENTS), st.data())
def test_predicates_agree_with_jsonschema(document: tuple[str, Any], data: st.DataObject) -> None:
    """For every change of a document, predicate and jsonschema give the same verdict."""
    name, value = document
    changed = spoilt(spoilt(value, data), data)
    assert QUICK[name](node_of(changed)) == SLOW[name].is_valid(changed)


def test_unsupported_keyword_is_rejected() -> None:
    """A schema with an unsupported keyword is an error; the keyword isn't ignored."""
    with pytest.raises(ValueError, match="contains"):
        compile_predicate({"type": "array", "contains": {"type": "string"}})
    with pytest.raises(ValueError, match="reference"):
        compile_predicate({"$ref": "#/$defs/nothing"})
