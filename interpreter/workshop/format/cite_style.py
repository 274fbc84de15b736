"""Formats citations in documents: a single one bare, several in brackets on one line."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

MAX_WIDTH = 120


def style_cites(text: str) -> str:
    """Returns the text with the value of every `cite` formatted, where the result fits the line."""
    root = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    if root is None:
        return text
    for start, end, styled in sorted(_replacements(root, text), reverse=True):
        text = text[:start] + styled + text[end:]
    return text


def _replacements(node: yaml.Node, text: str) -> Iterator[tuple[int, int, str]]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == "cite" and isinstance(value, yaml.SequenceNode):
                yield from _styled(key, value, text)
            else:
                yield from _replacements(value, text)
    elif isinstance(node, yaml.SequenceNode):
        for each in node.value:
            yield from _replacements(each, text)


def _styled(key: yaml.Node, value: yaml.SequenceNode, text: str) -> Iterator[tuple[int, int, str]]:
    items = value.value
    if not items or not all(isinstance(each, yaml.ScalarNode) and each.style != "|" for each in items):
        return
    start = key.end_mark.index + 1
    end = value.end_mark.index if value.flow_style else items[-1].end_mark.index
    written = text[start:end]
    if "#" in written:
        return
    names = [text[each.start_mark.index : each.end_mark.index] for each in items]
    styled = " " + (names[0] if len(names) == 1 else f"[{', '.join(names)}]")
    line = text.rfind("\n", 0, start) + 1
    rest = text[end:].partition("\n")[0] if value.flow_style else ""
    if "\n" in written and start - line + len(styled) + len(rest) > MAX_WIDTH:
        return
    yield start, end, styled
