"""Compiles a JSON Schema to predicates over nodes, which validate a document quickly.

The library jsonschema explains errors, but is slow on valid documents; so it runs only if a predicate fails. Only the
keywords that our schemas use are supported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from interpreter.rules.documents import nodes
from interpreter.rules.documents.nodes import Node, Scalar, Sequence, as_plain_data

Schema = dict[str, Any]
Predicate = Callable[[Any], bool]

_TYPES: Final[dict[str, type]] = {
    "object": nodes.Mapping,
    "array": Sequence,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}
"""The class of the node for each type, or of its value for a scalar."""
_ANNOTATIONS: Final = frozenset({"title", "description", "examples", "default", "$comment", "$schema", "$id", "$defs"})
_OBJECT_KEYWORDS: Final = frozenset(
    {"properties", "additionalProperties", "required", "propertyNames", "minProperties"}
)
_ARRAY_KEYWORDS: Final = frozenset({"items", "minItems", "maxItems", "uniqueItems"})
_TEXT_KEYWORDS: Final = frozenset({"minLength", "maxLength", "pattern"})
_NUMBER_KEYWORDS: Final = frozenset({"minimum", "maximum"})
_CHOICE_KEYWORDS: Final = frozenset({"anyOf", "oneOf", "if", "then", "else"})
_SUPPORTED: Final = frozenset({"type", "enum", "$ref"}).union(
    _ANNOTATIONS, _OBJECT_KEYWORDS, _ARRAY_KEYWORDS, _TEXT_KEYWORDS, _NUMBER_KEYWORDS, _CHOICE_KEYWORDS
)


def compile_predicate(schema: Schema) -> Callable[[Node], bool]:
    """Compiles a schema to a predicate over documents.

    Raises:
        ValueError: if the schema has an unsupported keyword.
    """
    return _PredicateCompiler(schema.get("$defs", {})).predicate(schema)


@dataclass(slots=True)
class _PredicateCompiler:
    """Compiles the parts of one schema; each definition is compiled once, and may refer to itself."""

    definitions: Schema
    compiled: dict[str, list[Predicate]] = field(default_factory=dict)

    def predicate(self, schema: Any) -> Predicate:
        """Returns a predicate over nodes."""
        if isinstance(schema, bool):
            return lambda _: schema
        if unknown := schema.keys() - _SUPPORTED:
            raise ValueError(f"unknown keywords: {unknown}")
        general = [*self._references(schema), *self._choices(schema)]
        wanted = schema.get("type", _TYPES)
        allowed = {wanted} if isinstance(wanted, str) else set(wanted)
        if "enum" in schema:
            known = {(type(each), each) for each in schema["enum"]}
            general.append(lambda node: isinstance(node, Scalar) and (type(node.value), node.value) in known)
        by_kind = {
            "object": [*general, *self._of_object(schema)],
            "array": [*general, *self._of_array(schema)],
            "string": [*general, *_of_text(schema)],
            "integer": [*general, *_of_number(schema)],
            "boolean": general,
            "null": general,
        }
        tests = {_TYPES[kind]: tuple(each) for kind, each in by_kind.items() if kind in allowed}

        def fits(node: Node) -> bool:
            own = tests.get(type(node.value) if type(node) is Scalar else type(node))
            if own is None:
                return False
            for each in own:  # noqa: SIM110 - a generator takes twice as long
                if not each(node):
                    return False
            return True

        return fits

    def _references(self, schema: Schema) -> Iterator[Predicate]:
        if "$ref" not in schema:
            return
        name = str(schema["$ref"]).removeprefix("#/$defs/")
        if name not in self.definitions:
            raise ValueError(f"unknown reference: {schema['$ref']}")
        if name not in self.compiled:
            self.compiled[name] = []
            self.compiled[name].append(self.predicate(self.definitions[name]))
        cell = self.compiled[name]
        yield cell[0] if cell else lambda node: cell[0](node)  # noqa: PLW0108 - a recursive definition isn't complete yet

    def _choices(self, schema: Schema) -> Iterator[Predicate]:
        if "anyOf" in schema:
            some = [self.predicate(each) for each in schema["anyOf"]]
            yield lambda node: any(each(node) for each in some)
        if "oneOf" in schema:
            one = [self.predicate(each) for each in schema["oneOf"]]
            yield lambda node: sum(each(node) for each in one) == 1
        if "if" in schema:
            first = self.predicate(schema["if"])
            then, otherwise = (self.predicate(schema.get(key, True)) for key in ("then", "else"))
            yield lambda node: then(node) if first(node) else otherwise(node)

    def _of_object(self, schema: Schema) -> Iterator[Predicate]:
        if not _OBJECT_KEYWORDS & schema.keys():
            return
        known = {key: self.predicate(each) for key, each in schema.get("properties", {}).items()}
        others = self.predicate(schema.get("additionalProperties", True))
        required = frozenset(schema.get("required", ()))
        minimum = schema.get("minProperties", 0)
        name = self._of_key(schema.get("propertyNames", {}))

        def fits(node: nodes.Mapping) -> bool:
            items = node.items
            if len(items) < minimum or not required <= items.keys():
                return False
            for key, value in items.items():
                if not known.get(key, others)(value) or (name is not None and not name(key)):
                    return False
            return True

        yield fits

    def _of_key(self, schema: Schema) -> Predicate | None:
        """Returns a predicate over the keys of a mapping, which are texts."""
        if "$ref" in schema:
            return self._of_key(self.definitions[str(schema["$ref"]).removeprefix("#/$defs/")])
        if unknown := schema.keys() - _ANNOTATIONS - _TEXT_KEYWORDS - {"type"}:
            raise ValueError(f"unknown keywords for keys: {unknown}")
        return _all_of(_texts(schema))

    def _of_array(self, schema: Schema) -> Iterator[Predicate]:
        minimum, maximum = schema.get("minItems", 0), schema.get("maxItems")
        if minimum or maximum is not None:
            yield lambda node: minimum <= len(node) and (maximum is None or len(node) <= maximum)
        if schema.get("uniqueItems"):
            yield _is_distinct
        if "items" in schema:
            item = self.predicate(schema["items"])
            yield lambda node: all(map(item, node.items))


def _of_text(schema: Schema) -> Iterator[Predicate]:
    predicate = _all_of(_texts(schema))
    if predicate is not None:
        yield lambda node: predicate(node.value)


def _all_of(tests: Iterator[Predicate]) -> Predicate | None:
    """Combines predicates into one; `None` if there are none."""
    known = tuple(tests)
    if len(known) < 2:
        return known[0] if known else None
    return lambda value: all(each(value) for each in known)


def _texts(schema: Schema) -> Iterator[Predicate]:
    """Yields the predicates over a text."""
    if (minimum := schema.get("minLength")) is not None:
        yield lambda text: len(text) >= minimum
    if (maximum := schema.get("maxLength")) is not None:
        yield lambda text: len(text) <= maximum
    if (pattern := schema.get("pattern")) is not None:
        found = re.compile(pattern).search
        yield lambda text: found(text) is not None


def _of_number(schema: Schema) -> Iterator[Predicate]:
    minimum, maximum = schema.get("minimum"), schema.get("maximum")
    if minimum is not None:
        yield lambda node: node.value >= minimum
    if maximum is not None:
        yield lambda node: node.value <= maximum


def _is_distinct(node: Sequence) -> bool:
    seen = {repr(as_plain_data(each)) for each in node}
    return len(seen) == len(node)
