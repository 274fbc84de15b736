"""Reads YAML strictly, into nodes with positions.

Every scalar but whole numbers, `true`, `false` and `null` is text. Features that could make a small file large, or
hide its meaning, are rejected: anchors, tags, merge keys, duplicate keys, several documents in a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import yaml
from yaml.events import MappingEndEvent, MappingStartEvent, ScalarEvent, SequenceEndEvent, SequenceStartEvent

from interpreter.language.diagnostics import Diagnostic, Place, RulesetError
from interpreter.language.plain_files import TooLargeError, read_named
from interpreter.language.whole_numbers import whole_number
from interpreter.rules.documents.nodes import FileText, Mapping, Node, Scalar, Sequence
from interpreter.rules.documents.own_folder import MAX_FILE_BYTES, resolved
from interpreter.rules.documents.source_excerpts import document_name
from interpreter.rules.documents.yaml_hints import likely_mistake

MAX_DEPTH: Final = 40
MAX_NODES: Final = 200_000
MAX_TEXT_LENGTH: Final = 200_000
MAX_KEY_LENGTH: Final = 500
_MAX_FAULTS: Final = 50

_WORDS: Final[dict[str, bool | None]] = {"true": True, "false": False, "null": None, "~": None, "": None}
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
"""Control characters, those that reorder the text around them (which could hide its meaning) included."""
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TOO_DEEP: Final = "maximum nesting depth"
"""What newer C parsers report while they read ahead; Python's parser comes to the place of our own limit first."""

_PLAIN_WORDS: Final = (
    ("mapping values are not allowed", "a ': ' where no key is allowed", "put a text that holds ': ' in quotes"),
    ("could not find expected ':'", "a key without its ':'", "write 'key: value', and indent the lines of a long text"),
    ("did not find expected key", "this line fits neither the mapping around it nor the one inside it",
     "check the indentation, and quotes and brackets in the lines above"),
    ("did not find expected '-' indicator", "this line isn't an item of the list around it",
     "begin each item with '- ', all equally indented"),
    ("did not find expected ',' or ']'", "a list in brackets goes on without a ','", "add a ',' or close it with ']'"),
    ("did not find expected ',' or '}'", "a mapping in braces goes on without a ','",
     "add a ',' or close it with '}'; put a text that holds ', ' or braces in quotes"),
    ("found character that cannot start any token", "this character can't begin a value",
     "indent with blanks, not tabs; put a text that begins with @, ` or % in quotes"),
    ("found unexpected end of stream", "the file ends inside a text in quotes", "close the quotes"),
    ("block sequence entries are not allowed", "a '- ' where no list can begin",
     "begin the list on a line of its own"),
    ("did not find expected node content", "a value is missing here",
     "close the brackets above; put a text that begins with a bracket, brace or comma in quotes"),
    ("did not find expected comment or line break", "text after '|' or '>' in the same line",
     "begin the text on the next line, indented"),
    ("directive", "a line that begins with '%' is not allowed", "put a text that begins with '%' in quotes"),
    ("found unknown escape character", "an unknown escape in double quotes",
     "write '\\\\' for a backslash, or use single quotes"),
)  # fmt: skip


def read_yaml(path: Path) -> Node:
    """Reads the document in a file.

    Raises:
        UsageError: if there is no such file, or it can't be read.
        RulesetError: if it is too large, not UTF-8, not YAML, or uses YAML that is rejected here.
    """
    content = read_bytes(path)
    return read_yaml_bytes(content, document_name(path, content))


def read_bytes(path: Path) -> bytes:
    """Reads the bytes of a document, never more than the size limit.

    Raises:
        UsageError: if there is no such file, it is not a plain file, or it can't be read.
        RulesetError: if it is too large, or leads out of its own folder.
    """
    try:
        resolved(path)
        return read_named(path, MAX_FILE_BYTES)
    except TooLargeError as error:
        message = f"the file is larger than {MAX_FILE_BYTES:,} bytes"
        raise _refused("too-large", message, Place(str(path)), "split it with 'include'") from error


def read_yaml_bytes(content: bytes, file: str) -> Node:
    """Parses the bytes of a document; `file` is its name in messages.

    Raises:
        RulesetError: if it is not UTF-8, not YAML, or uses YAML that is rejected here.
    """
    if content[:2] in (b"\xff\xfe", b"\xfe\xff") or content[1:2] == b"\0" or content[:1] == b"\0":
        raise _refused(
            "encoding", "the file is not UTF-8 (it looks like UTF-16)", Place(file, 1, 1), "save it as UTF-8"
        )
    try:
        text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8", "replace").removeprefix("\ufeff")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        message = f"the byte {content[error.start]:#04x} is not UTF-8"
        raise _refused("encoding", message, Place(file, line, column), "save the file as UTF-8") from error
    return read_yaml_text(text, file)


def read_yaml_text(text: str, file: str) -> Node:
    """Parses the text of a document; `file` is its name in messages.

    Raises:
        RulesetError: if it is too large, not YAML, or uses YAML that is rejected here.
    """
    if len(text) > MAX_FILE_BYTES:
        raise _refused("too-large", f"the text is longer than {MAX_FILE_BYTES:,} characters", Place(file), "split it")
    origin = FileText(file, text.replace("\r\n", "\n"))
    if (found := _FORBIDDEN.search(origin.text)) is not None:
        message = f"the control character U+{ord(found[0]):04X} is not allowed"
        raise _refused("control-character", message, Place(file, *origin.position(found.start())), "remove it")
    try:
        return _NodeBuilder(origin).document()
    except yaml.MarkedYAMLError as error:
        if _TOO_DEEP in (error.problem or ""):
            return _NodeBuilder(origin, yaml.SafeLoader).document()
        raise _syntax(error, origin) from error
    except yaml.YAMLError as error:
        raise _refused("yaml", str(error), Place(file)) from error


def _refused(code: str, message: str, place: Place, hint: str | None = None) -> RulesetError:
    return RulesetError([Diagnostic(code, message, place, hint)])


def _syntax(error: yaml.MarkedYAMLError, origin: FileText) -> RulesetError:
    mark = error.problem_mark or error.context_mark
    problem = error.problem or error.context or "this is not YAML"
    if mark is not None and (mistake := likely_mistake(origin, problem, mark, error.context_mark)) is not None:
        return RulesetError([mistake])
    place = Place(origin.file, mark.line + 1, mark.column + 1) if mark else Place(origin.file)
    for known, message, hint in _PLAIN_WORDS:
        if known in problem:
            return _refused("yaml", message + _beginning(error), place, hint)
    message = " ".join(filter(None, (error.context, problem)))
    return _refused("yaml", message, place, "put the text in quotes, or check the lines above")


def _beginning(error: yaml.MarkedYAMLError) -> str:
    """Returns the line where the faulty construct begins, if the mistake is in a later line."""
    start, end = error.context_mark, error.problem_mark
    return f"; it began in line {start.line + 1}" if start and end and start.line != end.line else ""


class _NodeBuilder:
    """Builds nodes from the parser's events, with an explicit stack, so that deep nesting can't exhaust Python's."""

    def __init__(self, origin: FileText, loader: Callable[[str], Any] = _LOADER) -> None:
        self._origin = origin
        self._parser = loader(origin.text)
        self._faults: list[Diagnostic] = []

    def document(self) -> Node:
        """Returns the only document of the text; a null scalar if the text is empty."""
        try:
            root = self._read(self._parser.get_event)
        finally:
            self._parser.dispose()
        if self._faults:
            raise RulesetError(self._faults)
        return root if root is not None else Scalar(self._origin, 0, 0, "", None, "")

    def _read(self, next_event: Callable[[], Any]) -> Node | None:
        root: Node | None = None
        inside: Mapping | Sequence | None = None
        key: str | None = None
        around: list[tuple[Mapping | Sequence | None, str | None]] = []
        count = 0
        while True:
            event = next_event()
            kind = type(event)
            if kind is ScalarEvent:
                if event.anchor is not None or event.tag is not None:
                    self._reject_mark(event)
                if key is None and type(inside) is Mapping:
                    key = event.value
                    if key in inside.key_starts or len(key) > MAX_KEY_LENGTH or event.style or key in ("<<", ""):
                        self._check_key(event, inside)
                    inside.key_starts[key] = event.start_mark.index
                    continue
                node: Node = self._scalar(event)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                node = self._collection(event, len(around), as_key=type(inside) is Mapping and key is None)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                inside, key = around.pop()
                continue
            elif kind is yaml.StreamEndEvent:
                return root
            else:
                self._between(event, root)
                continue
            count += 1
            if count > MAX_NODES:
                message = f"more than {MAX_NODES:,} values in one file"
                raise _refused("too-large", message, node.place, "split it with 'include'")
            if type(inside) is Mapping:
                assert key is not None
                inside.items[key] = node
                key = None
            elif inside is not None:
                inside.items.append(node)  # type: ignore[union-attr]
            else:
                root = node
            if kind is not ScalarEvent:
                around.append((inside, key))
                inside = node  # type: ignore[assignment]

    def _place(self, event: Any) -> Place:
        return Place(self._origin.file, event.start_mark.line + 1, event.start_mark.column + 1)

    def _between(self, event: Any, root: Node | None) -> None:
        if isinstance(event, yaml.AliasEvent):
            message, hint = f"the alias '*{event.anchor}' is not allowed", "write out the value, or quote the text"
            raise _refused("yaml-feature", message, self._place(event), hint)
        if isinstance(event, yaml.DocumentStartEvent) and root is not None:
            message = "a second document begins here; a file has only one"
            raise _refused("yaml-feature", message, self._place(event), "put it in a file of its own")

    def _fault(self, code: str, message: str, place: Place, hint: str) -> None:
        self._faults.append(Diagnostic(code, message, place, hint))
        if len(self._faults) >= _MAX_FAULTS:
            raise RulesetError(self._faults)

    def _reject_mark(self, event: Any) -> None:
        """Adds a fault for an anchor or tag before a value."""
        for name, sign, word in (("anchor", "&", event.anchor), ("tag", "", event.tag)):
            if word is not None:
                message = f"the {name} '{sign}{word}' is not allowed"
                self._fault("yaml-feature", message, self._place(event), "remove it, or quote the text")

    def _scalar(self, event: Any) -> Scalar:
        text = event.value
        style = event.style or ""
        value: str | int | bool | None = text
        if len(text) > MAX_TEXT_LENGTH:
            message = f"a text of more than {MAX_TEXT_LENGTH:,} characters"
            raise _refused("too-large", message, self._place(event), "split it")
        if not style:
            number = whole_number(text) if text[-1:].isdecimal() else None
            value = _WORDS.get(text, text) if number is None else number
        elif style == '"' and (found := _FORBIDDEN.search(text)) is not None:
            message = f"the control character U+{ord(found[0]):04X} is not allowed"
            self._fault("control-character", message, self._place(event), "remove the escape")
        return Scalar(self._origin, event.start_mark.index, event.end_mark.index, style, value, text)

    def _check_key(self, event: Any, mapping: Mapping) -> None:
        """Adds a fault for a key that is a duplicate or not allowed."""
        key: str = event.value
        if not event.style and key in ("<<", ""):
            message = "merge keys ('<<') are not allowed" if key else "a value without a key"
            self._fault("yaml-feature", message, self._place(event), "write out the entries" if key else "name the key")
        elif key in mapping.key_starts:
            message = f"the key '{key}' is given twice; first in line {mapping.key_place(key).line}"
            self._fault("duplicate-key", message, self._place(event), "rename one of them, or merge the two")
        elif len(key) > MAX_KEY_LENGTH or (event.style == '"' and _FORBIDDEN.search(key) is not None):
            message = f"a key of more than {MAX_KEY_LENGTH} characters, or with control characters, is not allowed"
            self._fault("yaml-feature", message, self._place(event), "use a short plain word")

    def _collection(self, event: Any, depth: int, *, as_key: bool) -> Mapping | Sequence:
        if event.anchor is not None or event.tag is not None:
            self._reject_mark(event)
        if as_key:
            message = "a key must be a single word or text"
            raise _refused(
                "yaml-feature", message, self._place(event), "put a text that begins with '{' or '[' in quotes"
            )
        if depth >= MAX_DEPTH:
            raise _refused("too-large", f"nested more than {MAX_DEPTH} deep", self._place(event), "flatten it")
        made = Mapping if type(event) is MappingStartEvent else Sequence
        return made(self._origin, event.start_mark.index)
