"""Documents are validated against the schemas, and every diagnostic is short, plain and at its place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from interpreter.language.diagnostics import Diagnostic, Place
from interpreter.rules.documents.yaml_reader import read_yaml_text
from interpreter.rules.schema.validate import OVERLAY, RULESET, SCENARIO, check_shape, read_schema

SCHEMAS = {name: read_schema(name) for name in (RULESET, SCENARIO, OVERLAY)}


def found(text: str, schema: str = RULESET) -> list[Diagnostic]:
    return check_shape(read_yaml_text(text, "f.yaml"), schema)


def objects(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields every schema of a mapping with fixed keys."""
    if isinstance(schema, dict):
        if "properties" in schema and "type" in schema:
            yield path, schema
        for key, value in schema.items():
            if key != "examples":
                yield from objects(value, f"{path}/{key}")
    elif isinstance(schema, list):
        for number, value in enumerate(schema):
            yield from objects(value, f"{path}/{number}")


ALL_OBJECTS = [
    (name, path)
    for name, schema in SCHEMAS.items()
    for path, _ in objects(schema)
    if name != OVERLAY or path not in dict(objects(SCHEMAS[RULESET]))
]


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_valid(name: str) -> None:
    """The files are JSON Schemas of draft 2020-12, and every reference in them can be resolved."""
    Draft202012Validator.check_schema(SCHEMAS[name])
    text = json.dumps(SCHEMAS[name])
    used = {part.split('"')[0] for part in text.split("#/$defs/")[1:]}
    assert used == set(SCHEMAS[name]["$defs"]) - ({"ruleset"} if name == OVERLAY else set())


def test_overlays_accept_sections_of_rulesets() -> None:
    """An overlay may add any section but the head of a ruleset and its includes."""
    assert SCHEMAS[OVERLAY]["properties"].keys() - {"overlay", "patches"} == set(sections()) - {"ruleset", "include"}


@pytest.mark.parametrize(("name", "path"), ALL_OBJECTS)
def test_every_key_is_described(name: str, path: str) -> None:
    """Every key has a description and an example that the schema accepts, for editors."""
    schema = dict(objects(SCHEMAS[name]))[path]
    for key, value in schema["properties"].items():
        assert value.get("description"), key
        validator = Draft202012Validator({**value, "$defs": SCHEMAS[name]["$defs"]})
        assert value["examples"], key
        for example in value["examples"]:
            assert not list(validator.iter_errors(example)), (key, example)


@pytest.mark.parametrize(("name", "path"), ALL_OBJECTS)
def test_mappings_reject_unknown_keys(name: str, path: str) -> None:
    """A mapping either has fixed keys, or gives other keys a meaning (attributes, names)."""
    schema = dict(objects(SCHEMAS[name]))[path]
    assert schema.get("additionalProperties") is False or "$ref" in schema["additionalProperties"]


def sections() -> list[str]:
    return list(SCHEMAS[RULESET]["properties"])


def closed(schema: dict[str, Any]) -> Iterator[tuple[list[str | int], dict[str, Any]]]:
    """Yields the key path of every mapping with fixed keys in a section."""
    seen: set[str] = set()
    todo: list[tuple[list[str | int], Any]] = [([], schema)]
    while todo:
        way, here = todo.pop()
        if "$ref" in here:
            name = here["$ref"].rsplit("/", 1)[1]
            if name in seen:
                continue
            seen.add(name)
            here = SCHEMAS[RULESET]["$defs"][name]
        if here.get("additionalProperties") is False and "properties" in here:
            yield way, here
        for key, value in here.get("properties", {}).items():
            todo.append(([*way, key], value))
        if isinstance(here.get("additionalProperties"), dict):
            todo.append(([*way, "some_name"], here["additionalProperties"]))
        if isinstance(here.get("items"), dict):
            todo.append(([*way, 0], here["items"]))
        todo.extend((way, here[branch]) for branch in ("then", "else") if branch in here)


def document(way: list[str | int], inner: dict[str, Any]) -> Any:
    built: Any = inner
    for step in reversed(way):
        built = [built] if isinstance(step, int) else {step: built}
    return built


CLOSED = [
    pytest.param(section, way, inner, id="/".join(map(str, [section, *way])))
    for section in sections()
    for way, inner in closed(SCHEMAS[RULESET]["properties"][section])
]


@pytest.mark.parametrize(("section", "way", "inner"), CLOSED)
def test_unknown_key_is_found_at_any_depth(section: str, way: list[str | int], inner: dict[str, Any]) -> None:
    """In every mapping of every section a misspelt key is reported at its place, with the nearest key."""
    meant = max(inner["properties"], key=len)
    keys = dict.fromkeys(inner.get("required", []), "x")
    text = yaml.safe_dump({section: document(way, {**keys, meant + "x": "y"})}, sort_keys=False)
    line, column = next(
        (n, row.index(meant + "x:") + 1) for n, row in enumerate(text.split("\n"), 1) if meant + "x:" in row
    )
    unknown = [each for each in found(text) if each.code == "unknown-key"]
    assert [each.place for each in unknown] == [Place("f.yaml", line, column)]
    assert meant in (unknown[0].hint or "")


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "words"),
    [
        ("tabels: {}\n", "unknown-key", 1, 1, ["'tabels'", "did you mean 'tables'?"]),
        ("tables:\n  crt: {keys: {die: int}, gives: int}\n", "missing-key", 2, 3, ["'crt' of tables", "'grid'"]),
        ("tables: [a]\n", "wrong-shape", 1, 9, ["expected a mapping from name to table", "found a list"]),
        ("state:\n  morale: 20\n", "wrong-shape", 2, 11, ["a type", "the number 20", "quotes"]),
        ("state:\n  morale: {a: 1}\n", "wrong-shape", 2, 3, ["expected a type", "quotes"]),
        ("state:\n  8th: int\n", "wrong-name", 2, 3, ["'8th'", "letters, digits and underscores"]),
        ("definitions:\n  x: {cite: 1}\n", "missing-key", 2, 3, ["'is' or 'do'"]),
        ("definitions:\n  x: {is: a, do: b}\n", "wrong-shape", 2, 14, ["'is' and 'do'", "only one"]),
        ("definitions:\n  a.b.c: {is: a}\n", "wrong-name", 2, 3, ["kind.attribute"]),
        (
            "clauses:\n  - {id: 1, kind: rulle, says: x}\n",
            "wrong-shape",
            2,
            19,
            ["the text 'rulle'", "did you mean 'rule'?"],
        ),
        ("links:\n  l: {between: [[a]]}\n", "wrong-shape", 2, 17, ["a pair of spaces", "a list of 1"]),
        ("kinds:\n  k: {is: enum, members: []}\n", "wrong-shape", 2, 26, ["is empty", "a list of words"]),
        ("kinds:\n  k: {is: enum, members: [a, b, a]}\n", "duplicate", 2, 33, ["'a' twice"]),
        (
            "kinds:\n  k: {is: space, grid: {columns: 0, rows: 1, shape: squares}}\n",
            "wrong-shape",
            2,
            34,
            ["at least 1"],
        ),
        ("options:\n  o: {default: true, type: boool}\n", "wrong-shape", 2, 28, ["did you mean 'bool'?"]),
        ("constants:\n  c: {value: 1, standing: fuond}\n", "wrong-shape", 2, 27, ["did you mean 'found'?"]),
        ("include: kinds.yaml\n", "wrong-shape", 1, 10, ["a list of files"]),
        ("procedures:\n  p:\n    do:\n", "wrong-shape", 3, 5, ["statements", "found nothing"]),
        ("modifiers:\n  m: {each: [{id: a}]}\n", "missing-key", 2, 14, ["'value'"]),
        ("modifiers:\n  m: {each: [], limits: [{id: a}]}\n", "missing-key", 2, 26, ["'least' or 'most'"]),
        (
            "tables:\n  t: {keys: {d: int}, gives: int, grid: g, figures: {a: fuond}}\n",
            "wrong-shape",
            2,
            57,
            ["a standing"],
        ),
        ("examples:\n  e: {run: f(), ends: won}\n", "wrong-shape", 2, 23, ["draw, or a mapping with 'winner'"]),
        ("ruleset: {id: a, title: {English: x}, version: 1}\n", "wrong-name", 1, 26, ["'English'", "a language"]),
        ("pieces:\n  unit: [{count: 3}]\n", "missing-key", 2, 10, ["'id'"]),
    ],
)
def test_mistake_gives_one_plain_diagnostic(text: str, code: str, line: int, column: int, words: list[str]) -> None:
    """Each mistake gives one diagnostic, at the faulty key or value, that says what was expected there."""
    (fault,) = found(text)
    assert (fault.code, fault.place) == (code, Place("f.yaml", line, column))
    for each in words:
        assert each in f"{fault.message} {fault.hint}"


@pytest.mark.parametrize(
    "text",
    [
        "individuals:\n  area: [a, b]\n  country: {France: {home: a}, Spain: }\n  leader: {grid: g, cite: 3}\n",
        "constants:\n  c: {value: -1, cite: [8.10, 1]}\n",
        "clauses:\n  - {id: 10, kind: rule, says: {en: x, ja: y}, see: [1.2]}\n",
        "sequence:\n  game: {repeat: 9, steps: {a: {do: x()}, b: {each: i in s, steps: {c: {when: true, do: y()}}}}}\n",
        "actions:\n  a: {menu: m, when: [{id: n, when: x}], pick: {u: units, t: {of: areas, prompt: To?}}, do: x()}\n",
    ],
)
def test_valid_shapes_are_accepted(text: str) -> None:
    """Documents as described in documents.md are accepted."""
    assert found(text) == []


def test_all_mistakes_are_reported_in_order() -> None:
    """All mistakes of a document are reported, from top to bottom; a misspelt key is not reported as missing too."""
    text = "kinds:\n  a: {is: enum, membres: [x]}\n  b: {iss: enum}\nstate: []\n"
    assert [(each.code, each.place.line) for each in found(text)] == [
        ("unknown-key", 2),
        ("unknown-key", 3),
        ("wrong-shape", 4),
    ]


def test_scenarios_have_their_own_schema() -> None:
    """A scenario accepts its own keys, and none of a ruleset's."""
    text = "scenario: {id: s, title: S, ruleset: r}\nset: {country/France/state: war, state/x: 1}\n"
    text += "board: {unit: [{ids: [a], at: null}]}\n"
    assert found(text, SCENARIO) == []
    (fault,) = found(text + "kinds: {}\n", SCENARIO)
    assert fault.code == "unknown-key"
    assert [
        each.code for each in found("scenario: {id: s, title: S, ruleset: r}\nset: {France.state: war}\n", SCENARIO)
    ] == ["wrong-name"]


def test_bundled_documents_fit_the_schemas() -> None:
    """Every ruleset, overlay and scenario that comes with the engine has a valid shape."""
    root = Path(__file__).resolve().parents[2]
    files = [
        (path, OVERLAY if path.parent.name == "overlays" else RULESET) for path in root.glob("rulesets/*/**/*.yaml")
    ]
    files += [(path, SCENARIO) for path in root.glob("scenarios/*/*.yaml")]
    assert files
    for path, schema in files:
        assert check_shape(read_yaml_text(path.read_text("utf-8"), str(path)), schema) == []
