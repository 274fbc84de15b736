"""One style for documents and rule text, without touching what they mean.

Two blanks a level; one empty line between top-level sections, never two in a row; nothing behind the ends of lines;
columns of text grids in line; in a block of rule text two blanks a level, single blanks between words, and the
citations at the ends of its lines in line; `cite` as a word or as a list in brackets. Comments stay where they are, and
so does every other text, such as a map or what a clause says.
"""

from __future__ import annotations

from typing import Any

from interpreter.language.diagnostics import Diagnostic, Place, RulesetError
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence
from interpreter.rules.documents.yaml_reader import read_yaml_text
from interpreter.workshop.format.cite_style import style_cites
from interpreter.workshop.format.layout import lay_out


def format_text(text: str, file: str) -> str:
    """A document in the one style; formatting it again changes nothing.

    Raises:
        RulesetError: if it can't be read as a document, or its layout is one that can't be changed safely.
    """
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
    before = read_yaml_text(plain, file)
    styled = lay_out(style_cites(plain))
    if _meaning(read_yaml_text(styled, file)) != _meaning(before):
        message = "this document is laid out in a way that can't be brought into style without changing what it says"
        raise RulesetError([Diagnostic("unsafe-format", message, Place(file), "leave it as it is, or lay it out anew")])
    return styled


def _meaning(node: Node, key: str = "") -> Any:
    """What a document says, whatever its style: how many blanks stand in a grid or in rule text is style."""
    if isinstance(node, Mapping):
        return {name: _meaning(each, name) for name, each in node.items.items()}
    if isinstance(node, Sequence):
        items = [_meaning(each, key) for each in node]
        return [name for each in items for name in each] if key == "cite" else items
    assert isinstance(node, Scalar)
    if key == "cite":
        return [node.text]
    if key == "grid":
        return "".join(node.text.split())
    return node.text.split() if key == "do" else node.value
