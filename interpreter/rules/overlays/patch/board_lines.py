"""Splits lines of a board that place several pieces, so that a patch can change one of them."""

from __future__ import annotations

from copy import copy

from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence
from interpreter.rules.linking.link_context import words
from interpreter.rules.overlays.path.targets import Path, inner_path


def split_line(root: Mapping, path: Path) -> None:
    """Splits the line of a board that places the piece of a path together with others; the set-up stays the same."""
    place = inner_path(path)
    if len(place) < 3 or place[0] != "board":
        return
    node: Node | None = root
    for part in path[: len(path) - len(place) + 2]:
        node = node.get(part) if isinstance(node, Mapping) else None
    if isinstance(node, Sequence):
        node.items = [line for each in node.items for line in _divided(each, place[2])]


def one_piece_lines(line: Node) -> list[Node]:
    """Returns a line of a board as one line for each piece."""
    ids = list(words(line.get("ids"))) if isinstance(line, Mapping) else []
    return [_line(line, [each], alone=True) for each in ids] if isinstance(line, Mapping) and ids else [line]


def _divided(line: Node, name: str) -> list[Node]:
    ids = list(words(line.get("ids"))) if isinstance(line, Mapping) else []
    names = [each.text for each in ids]
    if not isinstance(line, Mapping) or name not in names:
        return [line]
    number = names.index(name)
    groups = [ids[:number], [ids[number]], ids[number + 1 :]]
    return [_line(line, each, alone=each is groups[1]) for each in groups if each]


def _line(line: Mapping, ids: list[Scalar], *, alone: bool) -> Mapping:
    """Returns a copy of a line for some of its pieces."""
    made = Mapping(line.origin, line.start)
    several = Sequence(line.origin, ids[0].start)
    several.items = list(ids)
    for key, node in line.items.items():
        own = key == "ids"
        what = (ids[0] if alone else several) if own else _copied(node)
        made.put("id" if own and alone else key, what, line.key_origin(key), line.key_starts[key])
    return made


def _copied(node: Node) -> Node:
    """Returns a deep copy of a node."""
    made = copy(node)
    if isinstance(made, Sequence):
        made.items = [_copied(each) for each in made.items]
    elif isinstance(made, Mapping):
        made.items = {key: _copied(each) for key, each in made.items.items()}
    return made
