"""Formats documents and rule text in one style, without a change of their meaning.

The style: an indentation of two blanks; one empty line between top-level sections, never two in a row; no blanks at the
ends of lines; aligned columns in text grids; in a block of rule text, that of a card too, an indentation of two blanks,
single blanks between words, and aligned citations at the ends of lines; `cite` as a word or as a list in brackets.
Comments and all other texts, such as a map or the text of a clause, stay as they are.
"""

from __future__ import annotations

from typing import Any

from interpreter.language.diagnostics import Diagnostic, Place, RulesetError
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence
from interpreter.rules.documents.yaml_reader import read_yaml_text
from interpreter.workshop.format.cite_style import style_cites
from interpreter.workshop.format.layout import lay_out
from interpreter.workshop.format.text_style import is_rule_text


def format_text(text: str, file: str) -> str:
    """Returns a document in the one style; formatting is idempotent.

    Raises:
        RulesetError: if it can't be read as a document, or its layout can't be changed safely.
    """
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
    before = read_yaml_text(plain, file)
    styled = lay_out(style_cites(plain))
    if _meaning(read_yaml_text(styled, file)) != _meaning(before):
        message = "this document has a layout that can't be formatted without changing its meaning"
        hint = "leave it as it is, or change its layout by hand"
        raise RulesetError([Diagnostic("unsafe-format", message, Place(file), hint)])
    return styled


def _meaning(node: Node, key: str = "") -> Any:
    """Returns the content of a document without its style; the number of blanks in a grid or rule text is style."""
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
    return node.text.split() if node.literal and is_rule_text(node.text, key) else node.value
