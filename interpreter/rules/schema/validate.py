"""Validates a document against its JSON Schema, and explains errors in plain words.

The schemas are primarily for editors; each `title` is worded so that it can follow "expected" in a message.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from interpreter.language.diagnostics import Diagnostic, Place, did_you_mean, nearest
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence, as_plain_data, describe, shortened
from interpreter.rules.documents.package_data import schemas_folder
from interpreter.rules.schema.fast_validator import compile_predicate

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

RULESET: Final = "bicorne-ruleset"
SCENARIO: Final = "bicorne-scenario"
OVERLAY: Final = "bicorne-overlay"
_MAX_FINDINGS: Final = 200
_SPLIT: Final = "a comma in braces begins a new key; put the text before it, with this, in quotes"
_SECTION: Final = f"{RULESET}.schema.json#/properties/"
"""The prefix of references to a section of rulesets, which editors can resolve too."""
_WORDS: Final = {
    "object": "a mapping",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "nothing",
}


_LISTED: Final = re.compile(r"\^\((\w+(?:\|\w+)+)\)\$")
_OTHER_WORDS: Final = {
    "max": "most", "maximum": "most", "min": "least", "minimum": "least", "except": "unless", "if": "when",
    "condition": "when", "text": "says", "description": "says", "reason": "says", "effect": "do", "then": "do",
    "type": "gives", "returns": "gives", "args": "takes", "parameters": "takes", "name": "id", "where": "at",
    "in": "within", "cites": "cite", "clause": "cite",
}  # fmt: skip
"""The correct key by one that authors know from elsewhere; suggested only where the correct one is allowed."""
_RENAMED: Final = {
    "leanings": "priors", "portraits": "labels", "offers": "option_labels", "untold": "log_hides",
}  # fmt: skip
"""The present name of a key by a former one; suggested only where the present one is allowed."""


def check_shape(node: Node, schema_name: str) -> list[Diagnostic]:
    """Returns the shape errors of a document, in document order; at most about 200."""
    found: list[Diagnostic] = []
    if _predicate(schema_name)(node):
        return found
    for error in _validator(schema_name).iter_errors(as_plain_data(node)):
        found.extend(_explained(error, node))
        if len(found) >= _MAX_FINDINGS:
            break
    split = {each.place for each in found if each.hint == _SPLIT}
    real = (each for each in found if each.place not in split or each.hint == _SPLIT)
    return sorted(real, key=lambda each: each.place)


@lru_cache
def _schema(name: str) -> Any:
    return read_schema(name)


@lru_cache
def _predicate(name: str) -> Callable[[Node], bool]:
    return compile_predicate(_schema(name))


@lru_cache
def _validator(name: str) -> Validator:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - slow, and not needed for a valid document

    schema = _schema(name)
    return Draft202012Validator(_inlined(schema, schema.get("$defs", {}), {}, ()))


def read_schema(name: str) -> dict[str, Any]:
    """Reads a schema, with its references to the schema of rulesets resolved."""
    text = (schemas_folder() / f"{name}.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text.replace(f'"{RULESET}.schema.json#/$defs/', '"#/$defs/'))
    sections = {
        key: each["$ref"].removeprefix(_SECTION)
        for key, each in schema["properties"].items()
        if each.get("$ref", "").startswith(_SECTION)
    }
    if sections:
        rulesets = read_schema(RULESET)
        schema["properties"] |= {key: rulesets["properties"][section] for key, section in sections.items()}
        schema["$defs"] = {**rulesets["$defs"], **schema.get("$defs", {})}
    return schema


_ANNOTATIONS: Final = {"title", "description", "examples", "default", "$comment"}
"""Annotation keywords, which may be beside a reference that is inlined."""


def _inlined(schema: Any, definitions: dict[str, Any], known: dict[str, Any], within: tuple[str, ...]) -> Any:
    """Returns a schema with its references inlined: resolving them costs half the time of a validation.

    Recursive definitions stay references.
    """
    if isinstance(schema, list):
        return [_inlined(each, definitions, known, within) for each in schema]
    if not isinstance(schema, dict):
        return schema
    name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
    if name in definitions and name not in within and schema.keys() - {"$ref"} <= _ANNOTATIONS:
        if name not in known:
            inlined = _inlined(definitions[name], definitions, known, (*within, name))
            if within and any(f"#/$defs/{outer}" in json.dumps(inlined) for outer in within):
                return {**inlined, **{key: value for key, value in schema.items() if key != "$ref"}}
            known[name] = inlined
        return {**known[name], **{key: value for key, value in schema.items() if key != "$ref"}}
    return {
        key: value if key == "$defs" else _inlined(value, definitions, known, within) for key, value in schema.items()
    }


def _explained(error: ValidationError, root: Node) -> Iterator[Diagnostic]:
    if error.validator in ("anyOf", "oneOf") and not _asks_for_keys(error):
        branch = _best_branch(error)
        yield from _explained(branch, root) if branch is not None else iter([_mismatch(error, root)])
    elif error.validator in ("anyOf", "oneOf") and not isinstance(_at(error, root), Mapping):
        return  # it isn't a mapping, which is reported on its own
    elif "propertyNames" in error.relative_schema_path:
        yield _bad_name(error, root)
    elif error.validator == "required" and _missing_key(error) in _meant(error, root).values():
        return  # it is misspelt, and reported as an unknown key
    else:
        yield _EXPLAINERS.get(str(error.validator), _mismatch)(error, root)
        if error.validator == "additionalProperties":
            yield from _further_unknown(error, root)


def _best_branch(error: ValidationError) -> ValidationError | None:
    """Returns the failure of the branch that was most likely meant: the one deepest in the document."""
    failures = list(error.context or ())
    for failure in failures:
        failure.parent = error
    return max(failures, key=lambda each: len(each.absolute_path), default=None)


def _argument(error: ValidationError) -> Any:
    """Returns the value of the keyword that failed."""
    return error.validator_value


def _asks_for_keys(error: ValidationError) -> bool:
    return all(set(each) == {"required"} for each in _argument(error))


# ---------------------------------------------------------------- places
def _at(error: ValidationError, root: Node) -> Node:
    node = root
    for step in error.absolute_path:
        node = _inner(node, step)
    return node


def _inner(node: Node, step: str | int) -> Node:
    if isinstance(step, str):
        assert isinstance(node, Mapping)
        return node.items[step]
    assert isinstance(node, Sequence)
    return node.items[step]


def _place(error: ValidationError, root: Node) -> Place:
    """Returns the place of the faulty value; for a mapping or an empty value, that of its key."""
    node = _at(error, root)
    if error.absolute_path and (isinstance(node, Mapping) or (isinstance(node, Scalar) and node.value is None)):
        holder = root
        *steps, last = error.absolute_path
        for step in steps:
            holder = _inner(holder, step)
        if isinstance(holder, Mapping) and isinstance(last, str):
            return holder.key_place(last)
    return node.place


def _whose(error: ValidationError) -> str:
    """Names the faulty value: `'grid' of losses`, `item 2 of 'each' of attack`."""
    names = [each for each in error.absolute_path if isinstance(each, str)]
    if not names:
        return "the document"
    last = error.absolute_path[-1]
    item = f"item {last + 1} of " if isinstance(last, int) else ""
    return f"{item}'{names[-1]}'" + (f" of {names[-2]}" if len(names) > 1 else "")


# ---------------------------------------------------------------- messages
def _expected(schema: Any) -> str:
    if isinstance(schema, dict):
        if "title" in schema:
            return str(schema["title"])
        if "enum" in schema:
            return " or ".join(str(each) for each in schema["enum"])
        kinds = schema.get("type")
        if kinds:
            return " or ".join(_WORDS.get(each, each) for each in ([kinds] if isinstance(kinds, str) else kinds))
    return "something else"


def _mismatch(error: ValidationError, root: Node) -> Diagnostic:
    node = _at(error, root)
    message = f"{_whose(error)}: expected {_expected(error.schema)}, found {describe(node)}"
    return Diagnostic("wrong-shape", message, _place(error, root), _hint(node, _types(error.schema)))


def _types(schema: Any) -> frozenset[str]:
    """Returns the types that a schema allows, as far as it names them."""
    if not isinstance(schema, dict):
        return frozenset()
    kinds = schema.get("type", ())
    return frozenset((kinds,) if isinstance(kinds, str) else kinds).union(
        *(_types(each) for each in (*schema.get("anyOf", ()), *schema.get("oneOf", ())))
    )


def _hint(node: Node, wanted: frozenset[str]) -> str | None:
    if isinstance(node, Scalar) and isinstance(node.value, bool | int) and "string" in wanted:
        return f"for the text write '{node.text}' in quotes"
    if isinstance(node, Scalar) and node.value is None:
        return "fill it in, or leave the key out"
    if isinstance(node, Scalar) and "array" in wanted:
        dashes = node.text.startswith("-")
        return "write a blank after each '-' of a list" if dashes else "write a list: '[first, second]'"
    if isinstance(node, Sequence) and "string" in wanted and "array" not in wanted:
        return "write a block of text: '|' after the key, and a line for each, indented"
    if isinstance(node, Mapping) and wanted == {"array"}:
        return "write a list: each item begins with '- '"
    if not isinstance(node, Mapping) and wanted == {"object"}:
        return "write a line 'name: …' for each, indented"
    if isinstance(node, Mapping) and "string" in wanted and isinstance(declared := node.get("type"), Scalar):
        return f"write the type alone: '{shortened(declared.text)}'; clauses are cited by the rules that use the value"
    if isinstance(node, Mapping) and len(node) == 1 and isinstance(value := next(iter(node.items.values())), Scalar):
        return (
            f"a text that holds ': ' or braces needs quotes: '{shortened(next(iter(node)))}: {shortened(value.text)}'"
        )
    return None


def _enum(error: ValidationError, root: Node) -> Diagnostic:
    node = _at(error, root)
    message = f"{_whose(error)}: expected {_expected(error.schema)}, found {describe(node)}"
    written = node.text if isinstance(node, Scalar) else ""
    close = nearest(written, map(str, _argument(error)))
    return Diagnostic("wrong-shape", message, _place(error, root), f"did you mean '{close}'?" if close else None)


def _unknown(error: ValidationError, root: Node) -> Diagnostic:
    return _unknown_keys(error, root)[0]


def _further_unknown(error: ValidationError, root: Node) -> list[Diagnostic]:
    return _unknown_keys(error, root)[1:]


def _unknown_keys(error: ValidationError, root: Node) -> list[Diagnostic]:
    node = _at(error, root)
    assert isinstance(node, Mapping)
    assert isinstance(error.schema, dict)
    allowed = error.schema.get("properties", {})
    where = f"in {_whose(error)}" if error.absolute_path else "at the top of a document"
    meant = _meant(error, root)
    strange = [key for key in node.items if key not in allowed][:_MAX_FINDINGS]
    return [
        Diagnostic(
            "unknown-key",
            f"unknown key '{key}' {where}",
            node.key_place(key),
            _known(key, node.items[key], allowed, meant),
        )
        for key in strange
    ]


def _meant(error: ValidationError, root: Node) -> dict[str, str]:
    """Returns the missing keys that unknown keys of a mapping are probably meant to be."""
    node = _at(error, root)
    assert isinstance(node, Mapping)
    assert isinstance(error.schema, dict)
    allowed = error.schema.get("properties", {})
    if error.schema.get("additionalProperties") is not False:
        return {}
    unknown = [each for each in node if each not in allowed and each.isidentifier()][:_MAX_FINDINGS]
    missing = [each for each in error.schema.get("required", ()) if each not in node]
    found = {each: close for each in unknown if (close := nearest(each, missing)) is not None}
    strange = [each for each in unknown if each not in found and nearest(each, allowed) is None]
    left = [each for each in missing if each not in found.values()]
    if len(strange) == len(left) == 1:
        found[strange[0]] = left[0]
    return found


def _known(key: str, value: Node, allowed: dict[str, Any], meant: dict[str, str]) -> str:
    if (renamed := renamed_key(key, allowed)) is not None:
        return renamed
    if key in meant:
        return f"did you mean '{meant[key]}'?"
    if isinstance(value, Scalar) and value.value is None and not key.isidentifier():
        return "a text that holds a comma needs quotes inside braces"
    if nearest(key, allowed) is None and _OTHER_WORDS.get(key) in allowed:
        return f"did you mean '{_OTHER_WORDS[key]}'?"
    return did_you_mean(key, allowed) or "known here: " + ", ".join(allowed)


def renamed_key(key: str, allowed: Collection[str]) -> str | None:
    """Returns a hint with the present name of a key that has been renamed; none if that name is not allowed here."""
    return f"it is called '{_RENAMED[key]}' now" if _RENAMED.get(key) in allowed else None


def _missing(error: ValidationError, root: Node) -> Diagnostic:
    key = _missing_key(error)
    message = f"{_whose(error)} lacks the key '{key}'"
    return Diagnostic("missing-key", message, _place(error, root), _described_key(error.schema, key))


def _missing_key(error: ValidationError) -> str:
    return str(next(each for each in _argument(error) if error.message.startswith(f"'{each}' ")))


def _described_key(schema: Any, key: str) -> str | None:
    described_as = schema.get("properties", {}).get(key, {}).get("description") if isinstance(schema, dict) else None
    return f"add '{key}': {described_as[:1].lower()}{described_as[1:].rstrip('.')}" if described_as else f"add '{key}:'"


def _one_of_keys(error: ValidationError, root: Node) -> Diagnostic:
    keys = [each["required"][0] for each in _argument(error)]
    node = _at(error, root)
    assert isinstance(node, Mapping)
    given = [each for each in keys if each in node]
    either = " or ".join(f"'{each}'" for each in keys)
    if given:
        both = " and ".join(f"'{each}'" for each in given)
        message, place = f"{_whose(error)} has {both}; it takes only one of them", node.key_place(given[-1])
        return Diagnostic("wrong-shape", message, place, "remove one")
    hint = "add one of them" if len(keys) > 1 else f"add '{keys[0]}:'"
    return Diagnostic("missing-key", f"{_whose(error)} lacks the key {either}", _place(error, root), hint)


def _bad_name(error: ValidationError, root: Node) -> Diagnostic:
    node = _at(error, root)
    assert isinstance(node, Mapping)
    what, _, how = _expected(error.schema).partition(": ")
    name = str(error.instance)
    hint = _SPLIT if _is_split_off(name, node) else f"write {how}" if how else None
    return Diagnostic("wrong-name", f"'{name}' is not {what}", node.key_place(name), hint)


def _is_split_off(name: str, within: Mapping) -> bool:
    """Whether a key without a value is rather the end of the text before it, which a comma in braces cut off."""
    value = within.get(name)
    return isinstance(value, Scalar) and not value.text and not name.replace("_", "").isalnum()


def _pattern(error: ValidationError, root: Node) -> Diagnostic:
    node = _at(error, root)
    message = f"{describe(node)} is not {_expected(error.schema)}"
    return Diagnostic("wrong-shape", message, _place(error, root), _pattern_hint(error, node))


def _pattern_hint(error: ValidationError, node: Node) -> str | None:
    """Returns a hint with the maximal length of a text, or with the nearest of the words that a pattern lists."""
    if error.validator == "maxLength":
        return f"write at most {error.validator_value} characters"
    words = _LISTED.fullmatch(str(error.validator_value))
    return did_you_mean(node.text, words[1].split("|")) if words is not None and isinstance(node, Scalar) else None


def _too_short(error: ValidationError, root: Node) -> Diagnostic:
    return Diagnostic(
        "wrong-shape", f"{_whose(error)} is empty: expected {_expected(error.schema)}", _place(error, root)
    )


def _length(error: ValidationError, root: Node) -> Diagnostic:
    node = _at(error, root)
    assert isinstance(node, Mapping | Sequence)
    if not len(node):
        return _too_short(error, root)
    message = f"{_whose(error)}: expected {_expected(error.schema)}, found {describe(node)} of {len(node)}"
    return Diagnostic("wrong-shape", message, _place(error, root))


def _bound(error: ValidationError, root: Node) -> Diagnostic:
    side = "at least" if error.validator == "minimum" else "at most"
    return Diagnostic("wrong-shape", f"{_whose(error)} must be {side} {error.validator_value}", _place(error, root))


def _twice(error: ValidationError, root: Node) -> Diagnostic:
    node = _at(error, root)
    assert isinstance(node, Sequence)
    seen: set[str] = set()
    for each in node:
        text = each.text if isinstance(each, Scalar) else repr(as_plain_data(each))
        if text in seen:
            return Diagnostic("duplicate", f"{_whose(error)} holds '{shortened(text)}' twice", each.place, "remove one")
        seen.add(text)
    return _mismatch(error, root)


_EXPLAINERS: Final[dict[str, Callable[[ValidationError, Node], Diagnostic]]] = {
    "enum": _enum,
    "additionalProperties": _unknown,
    "required": _missing,
    "oneOf": _one_of_keys,
    "anyOf": _one_of_keys,
    "pattern": _pattern,
    "minLength": _too_short,
    "maxLength": _pattern,
    "minItems": _length,
    "maxItems": _length,
    "minProperties": _length,
    "minimum": _bound,
    "maximum": _bound,
    "uniqueItems": _twice,
}
