"""Writes the reference of documents and of the language from the schemas and the grammar, so that it is never stale.

`python -m interpreter.workshop.reference docs` writes `reference.md` into the folder and renews the lists of keys
between `<!-- keys: … -->` and `<!-- /keys -->` in its other pages; tests compare all of it with the schemas.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from interpreter.language.diagnostics import unknown
from interpreter.rules.documents.package_data import schemas_folder
from interpreter.rules.schema.validate import read_schema

GRAMMAR = Path(__file__).parent.parent / "language" / "parsing" / "grammar.lark"
DOCUMENTS = {
    "bicorne-ruleset": "Documents of a ruleset",
    "bicorne-scenario": "Scenarios",
    "bicorne-overlay": "Overlays",
}
PAGE = "reference.md"
WIDTH = 120
_HEAD = (
    "`python -m interpreter.workshop.reference docs` writes this page from the schemas and the grammar; a test checks "
    "that it is current. For the meaning of rule text see [the rule language](language.md), for documents with "
    "examples see [documents](documents.md)."
)
_TYPES = {"object": "mapping", "array": "list", "string": "text", "integer": "whole number", "boolean": "true or false"}
_MARKED = re.compile(r"(<!-- keys: (\S+) -->\n).*?(<!-- /keys -->)", re.DOTALL)
_COMMON = ("cite", "standing", "source", "figures")
"""Keys that many entries have; a list of keys outside the reference names them without describing them."""
_CODE = re.compile(r"`[^`\n]*`")
_BLANK = "\0"
"""Stands for a blank at which no line may end."""


def reference() -> str:
    """Returns the whole page, in Markdown."""
    lines = ["# Reference", "", *wrapped(_HEAD)]
    for name, title in DOCUMENTS.items():
        path = schemas_folder() / f"{name}.schema.json"
        if path.is_file():
            lines += _document(title, json.loads(path.read_text(encoding="utf-8")), read_schema(name)["$defs"])
    lines += _grammar(GRAMMAR.read_text(encoding="utf-8"))
    return "\n".join(lines) + "\n"


def with_key_lists(page: str) -> str:
    """Returns a page with its marked lists of keys regenerated.

    A mark names a section or a part of a schema, and perhaps keys below it: `tables`, `kinds.grid`,
    `scenario/scenario`.

    Raises:
        UsageError: if a mark names nothing that has keys.
    """
    return _MARKED.sub(lambda found: f"{found[1]}{_key_list(found[2])}{found[3]}", page)


def wrapped(text: str, first: str = "", rest: str = "") -> list[str]:
    """Returns the lines of a paragraph; `first` and `rest` begin its first line and all others."""
    kept = _CODE.sub(lambda code: code[0].replace(" ", _BLANK), text)
    lines = textwrap.wrap(
        kept, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
    return [each.replace(_BLANK, " ") for each in lines]


# ---------------------------------------------------------------- lists of keys on other pages
def _key_list(name: str) -> str:
    schema, definitions = _named(name)
    required = set(schema.get("required", ()))
    lines: list[str] = []
    common = []
    for key, value in schema["properties"].items():
        if key in _COMMON:
            common.append(f"`{key}`")
            continue
        needed = " (required)" if key in required else ""
        lines += wrapped(f"- `{key}`{needed}: {_description(value, definitions)}", rest="  ")
    if common:
        lines += wrapped(f"- {', '.join(common)}: see [common keys](documents.md#common-keys).", rest="  ")
    return "".join(f"{each}\n" for each in lines)


def _named(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the schema that a mark names, with the parts that its schema file refers to."""
    document, _, path = name.rpartition("/")
    schema = read_schema(f"bicorne-{document or 'ruleset'}")
    definitions = schema["$defs"]
    first, *keys = path.split(".")
    value = schema["properties"].get(first) or definitions.get(first)
    for key in keys:
        value = (_entry(value, definitions) or {}).get("properties", {}).get(key) if value else None
    entry = _entry(value, definitions) if value else None
    if entry is None:
        raise unknown("part of a schema", name, [*schema["properties"], *definitions])
    return entry, definitions


def _description(value: dict[str, Any], definitions: dict[str, Any]) -> str:
    description = value.get("description") or definitions.get(_referred(value), {}).get("description") or ""
    return str(description) if description else f"{_taken(value, definitions)}."


# ---------------------------------------------------------------- documents
def _document(title: str, schema: dict[str, Any], definitions: dict[str, Any]) -> Iterator[str]:
    """The sections of one kind of document; parts shared with the schema of rulesets are described there."""
    yield from ("", f"## {title}", "", *wrapped(str(schema.get("description", ""))))
    described: set[str] = set()
    for section, value in schema["properties"].items():
        if "description" not in value:
            continue
        yield from ("", f"### `{section}`", "", *wrapped(str(value["description"])))
        entry = _entry(value, definitions)
        yield from _example(section, value)
        if entry is not None:
            yield from _keys(entry, definitions)
            described.add(json.dumps(entry, sort_keys=True))
    parts = [(name, definitions[name]) for name in schema.get("$defs", {}) if _is_part(definitions[name], described)]
    if parts:
        yield from ("", f"### Parts of {title[:1].lower()}{title[1:]}")
    for name, value in parts:
        yield from ("", f"#### {name.replace('_', ' ')}", "", *wrapped(_sentence(value)))
        yield from _keys(value, definitions)


def _is_part(value: dict[str, Any], described: set[str]) -> bool:
    return bool(value.get("properties")) and json.dumps(value, sort_keys=True) not in described


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
    yield ""
    for key, value in schema["properties"].items():
        needed = " *(required)*" if key in required else ""
        description = str(value.get("description", ""))
        text = f"- `{key}`{needed}: {_taken(value, definitions)}. {description}".rstrip().replace("\n", " ")
        yield from wrapped(text, rest="  ")


def _referred(value: dict[str, Any]) -> str:
    """The name of the part that a schema refers to, if it does."""
    return str(value.get("$ref", "")).rpartition("#/$defs/")[2]


def _taken(value: dict[str, Any], definitions: dict[str, Any]) -> str:
    """What a key takes, in words."""
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
    description = str(value.get("description", value.get("title", "")))
    return description[:1].upper() + description[1:] + ("" if description.endswith(".") else ".")


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


def main(folder: Path) -> None:
    """Writes the reference into a folder, and renews the lists of keys in its pages."""
    (folder / PAGE).write_text(reference(), encoding="utf-8")
    for path in sorted(folder.glob("*.md")):
        page = path.read_text(encoding="utf-8")
        renewed = with_key_lists(page)
        if renewed != page:
            path.write_text(renewed, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
