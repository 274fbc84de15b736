"""How deep a tree is: whatever walks it later may recurse, so nothing too deep is let through."""

from __future__ import annotations

from interpreter.language.diagnostics import Diagnostic, RulesetError
from interpreter.language.tree.traversal import children, nodes_in

DEEPEST_TREE = 100


def check_depth(tree: object) -> None:
    """Raises `RulesetError` at the first node that lies too deep."""
    level = list(nodes_in(tree))
    for _ in range(DEEPEST_TREE):
        level = [child for node in level for child in children(node)]
        if not level:
            return
    message = f"this rule text is nested more than {DEEPEST_TREE} deep here"
    raise RulesetError([Diagnostic("too-deep", message, level[0].place, "give inner parts a name with let")])
