"""The reference of documents and of the language, made of the schemas and the grammar, so that it can't go stale.

`python -m interpreter.workshop.reference FILE` writes it; a test compares the file with what would be written.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from interpreter.rules.documents.package_data import schemas_folder
from interpreter.rules.schema.validate import read_schema

GRAMMAR = Path(__file__).parent.parent / "language" / "parsing" / "grammar.lark"
DOCUMENTS = {
    "bicorne-ruleset": "Documents of a ruleset",
    "bicorne-scenario": "Scenarios",
    "bicorne-overlay": "Overlays",
}
_HEAD = (
    "Made of the schemas and the grammar by `python -m interpreter.workshop.reference docs/reference.md`; "
    "a test holds it current. What rule text means is told in [the rule language](language.md), "
    "what documents are for in [documents](documents.md)."
)
_TYPES = {"object": "mapping", "array": "list", "string": "text", "integer": "whole number", "boolean": "true or false"}


def reference() -> str:
    """The whole page, in Markdown."""
    lines = [
        "# Reference",
        "",
        _HEAD,
    ]
    for name, title in DOCUMENTS.items():
        path = schemas_folder() / f"{name}.schema.json"
        if path.is_file():
            lines += _document(title, json.loads(path.read_text(encoding="utf-8")), read_schema(name)["$defs"])
    lines += _grammar(GRAMMAR.read_text(encoding="utf-8"))
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- documents
def _document(title: str, schema: dict[str, Any], definitions: dict[str, Any]) -> Iterator[str]:
    """A kind of document; what it takes over as it is from the schema of rulesets is told there."""
    yield from ("", f"## {title}", "", str(schema.get("description", "")))
    told: set[str] = set()
    for section, value in schema["properties"].items():
        if "description" not in value:
            continue
        yield from ("", f"### `{section}`", "", str(value.get("description", "")))
        entry = _entry(value, definitions)
        yield from _example(section, value)
        if entry is not None:
            yield from _keys(entry, definitions)
            told.add(json.dumps(entry, sort_keys=True))
    shared = [(name, definitions[name]) for name in schema.get("$defs", {}) if _is_part(definitions[name], told)]
    if shared:
        yield from ("", f"### Parts of {title[:1].lower()}{title[1:]}")
    for name, value in shared:
        yield from ("", f"#### {name.replace('_', ' ')}", "", _sentence(value))
        yield from _keys(value, definitions)


def _is_part(value: dict[str, Any], told: set[str]) -> bool:
    return bool(value.get("properties")) and json.dumps(value, sort_keys=True) not in told


def _entry(value: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any] | None:
    """The schema whose keys an author fills in: of the entries of a mapping or list, else of the section itself."""
    for _ in range(6):
        name = _referred(value)
        if name in definitions:
            value = definitions[name]
        elif value.get("properties"):
            return value
        elif isinstance(inner := value.get("additionalProperties") or value.get("items"), dict):
            value = inner
        else:
            return None
    return None


def _keys(schema: dict[str, Any], definitions: dict[str, Any]) -> Iterator[str]:
    required = set(schema.get("required", ()))
    yield from ("", "| key | takes | |", "|---|---|---|")
    for key, value in schema["properties"].items():
        needed = " *(needed)*" if key in required else ""
        yield f"| `{key}`{needed} | {_cell(_taken(value, definitions))} | {_cell(value.get('description', ''))} |"


def _referred(value: dict[str, Any]) -> str:
    """The name of the part that a schema refers to, if it does."""
    return str(value.get("$ref", "")).rpartition("#/$defs/")[2]


def _taken(value: dict[str, Any], definitions: dict[str, Any]) -> str:
    """What stands after a key, in words."""
    name = _referred(value)
    inner = definitions.get(name, {}) if name else {}
    for each in (value, inner):
        if title := each.get("title"):
            return str(title)
    if "enum" in value:
        return ", ".join(f"`{each}`" for each in value["enum"])
    branches = [_taken(each, definitions) for key in ("anyOf", "oneOf") for each in value.get(key, ())]
    if branches:
        return ", or ".join(dict.fromkeys(branches))
    kinds = value.get("type", inner.get("type", ""))
    return " or ".join(_TYPES.get(each, each) for each in ([kinds] if isinstance(kinds, str) else kinds))


def _example(section: str, value: dict[str, Any]) -> Iterator[str]:
    examples = value.get("examples", ())
    if examples:
        yield from ("", "```yaml", *_yaml({section: examples[0]}), "```")


def _yaml(value: Any) -> list[str]:
    import yaml  # noqa: PLC0415 - the page is made once in a while

    text: str = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=110)
    return text.rstrip().split("\n")


def _sentence(value: dict[str, Any]) -> str:
    said = str(value.get("description", value.get("title", "")))
    return said[:1].upper() + said[1:] + ("" if said.endswith(".") else ".")


def _cell(text: Any) -> str:
    return str(text).replace("|", "\\|").replace("\n", " ")


# ---------------------------------------------------------------- the grammar
def _grammar(text: str) -> Iterator[str]:
    yield from ("", "## Grammar of rule text", "", "A word in quotation marks stands for itself; `?` may be missing,")
    yield "`*` any number of times, `+` at least once, `[ ]` may be missing."
    for title, body in _parts(text):
        yield from ("", f"### {title}", "", "```", *body, "```")


def _parts(text: str) -> Iterator[tuple[str, list[str]]]:
    """The grammar by its headlines, without the names of the methods that make nodes."""
    title, body = "Texts", list[str]()
    for line in text.split("\n"):
        head = re.match(r"// -{3,} (.*)", line)
        if head is not None:
            if any(body):
                yield title, _trimmed(body)
            title, body = head[1][:1].upper() + head[1][1:], []
        elif not line.startswith(("//", "%")):
            body.append(re.sub(r"\s+-> \w+", "", line).replace("?", "", 1) if line[:1] == "?" else _plain(line))
    yield title, _trimmed(body)


def _plain(line: str) -> str:
    return re.sub(r"\s+-> \w+", "", line)


def _trimmed(lines: list[str]) -> list[str]:
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
    return text.split("\n")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(reference(), encoding="utf-8")
