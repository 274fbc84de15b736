"""What is known of the rules of a program under any settings of its options."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from interpreter.language.codegen.analysis.indexes import changes_and_indexes
from interpreter.language.codegen.analysis.recursion import recursive_rules
from interpreter.language.codegen.core.context import RuleFacts, Sites
from interpreter.language.codegen.core.sites import find_sites
from interpreter.language.model.program import Program
from interpreter.language.tree.traversal import NodeCache

_facts: WeakKeyDictionary[NodeCache, RuleFacts] = WeakKeyDictionary()
"""The facts by the nodes of the rules, which a program shares with itself under other settings."""
_sites: WeakKeyDictionary[NodeCache, Sites] = WeakKeyDictionary()


def facts_of(program: Program) -> RuleFacts:
    """The facts of a program, which no longer changes."""
    if program.nodes not in _facts:
        changed, indexes = changes_and_indexes(program)
        names = [
            name for kind in program.kinds.values() for name, each in kind.attributes.items() if id(each) in changed
        ]
        _facts[program.nodes] = RuleFacts(
            recursive=settled(program), changed=changed, changed_names=frozenset(names), indexes=indexes
        )
    return _facts[program.nodes]


def sites_of(program: Program) -> Sites:
    """The sites of a program, which no longer changes."""
    if program.nodes not in _sites:
        _sites[program.nodes] = find_sites(program)
    return _sites[program.nodes]


def settled(program: Program) -> frozenset[str]:
    """The recursive rules; they are kept with the program, which no longer changes."""
    if program.recursive is None:
        program.recursive = recursive_rules(program)
    return program.recursive
