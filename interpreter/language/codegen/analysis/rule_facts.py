"""What is known of the rules of a program under any settings of its options."""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from interpreter.language.codegen.analysis.indexes import changes_and_indexes
from interpreter.language.codegen.analysis.recursion import recursive_rules
from interpreter.language.codegen.core.context import Sites
from interpreter.language.codegen.core.sites import find_sites
from interpreter.language.model.image import Index
from interpreter.language.model.program import Program, Rule
from interpreter.language.tree.traversal import NodeCache


@dataclass
class RuleFacts:
    """Results of analyses that read no value of an option; fields are named as those of the emission that use them."""

    recursive: frozenset[str]
    changed: frozenset[int]
    changed_names: frozenset[str]
    indexes: frozenset[Index]
    has_loop: dict[str, bool] = field(default_factory=dict)
    constant: dict[str, bool] = field(default_factory=dict)
    read_keys: dict[str, tuple[frozenset[str], tuple[Rule, ...]]] = field(default_factory=dict)
    log_only: dict[str, bool] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    costs: dict[str, int] = field(default_factory=dict)
    works: dict[str, int] = field(default_factory=dict)
    may_fault: dict[tuple[str, frozenset[int]], bool] = field(default_factory=dict)
    always_linked: dict[str, bool] = field(default_factory=dict)


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
        _facts[program.nodes] = RuleFacts(settled(program), changed, frozenset(names), indexes)
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
