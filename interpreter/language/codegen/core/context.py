"""The state of code generation: the program, the variant, the sites, and the names in scope at a point of rule text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from interpreter.language.codegen.core.source_writer import Writer
from interpreter.language.diagnostics import Place
from interpreter.language.model.emitted_names import LOCAL
from interpreter.language.model.image import Index, Site
from interpreter.language.model.program import (
    Builtin,
    Constant,
    Definition,
    Parameter,
    Procedure,
    Program,
    Rule,
    Search,
)
from interpreter.language.model.rule_bodies import rule_texts
from interpreter.language.tree.statements import (
    After,
    Attr,
    Call,
    Compare,
    DecisionExpr,
    Draw,
    Each,
    Expr,
    In,
    Name,
    Random,
    Reach,
    RollApart,
    RollSum,
    SortedBy,
    Stmt,
    SyntaxNode,
    Where,
)
from interpreter.language.tree.traversal import walk_tree
from interpreter.language.tree.types import EnumType, KindType, Type, element, present

ATOM = re.compile(r"-?\w+(\.\w+)*")
INLINED_NODES = 40
INLINED_DEPTH = 4
_RESTING = frozenset({"procedures", "actions", "sequence", "modifiers"})
"""Sections of rules whose look-ups belong to the explanation of a result."""
_ITERATION_WORK = 20
"""The work of an iteration over a collection, without the work for each element."""
_MAX_UNCOUNTED_WORK = 500
"""Calls of rules with more work tick the budget, and so do passes of loops with more work."""
_MAX_WORK = 1_000_000
_ITERATING = frozenset({"sum", "min", "max", "distinct"})
"""Functions that visit every element of their argument."""


@dataclass(slots=True)
class Sites:
    """Sites by the node, item or rule they belong to; numbered once for all variants."""

    by_owner: dict[int, Site] = field(default_factory=dict)
    owners: list[object] = field(default_factory=list)
    """Kept alive, so that no `id` is reused while the numbers are in use."""
    all: list[Site] = field(default_factory=list)

    def add(
        self,
        owner: object,
        kind: str,
        rule: str,
        place: Place,
        cites: tuple[str, ...],
        address: str = "",
        prompt: str = "",
        labels: tuple[tuple[str, str], ...] = (),
        texts: tuple[tuple[str, str], ...] = (),
        *,
        secret: bool = False,
    ) -> Site:
        """Adds a site for `owner`."""
        site = Site(len(self.all), kind, address, prompt, rule, cites, place, labels, texts, secret)
        self.all.append(site)
        self.owners.append(owner)
        self.by_owner[id(owner)] = site
        return site


@dataclass(slots=True, kw_only=True)
class RuleFacts:
    """What is known of the rules of a program: results of analyses that read no value of an option."""

    recursive: frozenset[str] = frozenset()
    """Keys of rules that can call themselves, directly or through others."""
    has_loop: dict[str, bool] = field(default_factory=dict)
    """Whether a rule iterates over a collection, by its key."""
    constant: dict[str, bool] = field(default_factory=dict)
    """Whether a rule reads only constants and its parameters, by its key."""
    read_keys: dict[str, tuple[frozenset[str], tuple[Rule, ...]]] = field(default_factory=dict)
    """The keys of state that the text of a rule reads, and the rules that it calls, by its key."""
    log_only: dict[str, bool] = field(default_factory=dict)
    """Whether a procedure only writes to the log, by its key."""
    sizes: dict[str, int] = field(default_factory=dict)
    """The number of nodes in the text of a definition, by its key."""
    costs: dict[str, int] = field(default_factory=dict)
    """The estimated cost of a rule, by its key."""
    works: dict[str, int] = field(default_factory=dict)
    """An upper bound of the work of a rule with one pass of each loop, by its key."""
    may_fault: dict[tuple[str, frozenset[int]], bool] = field(default_factory=dict)
    """Whether a rule may fault, by its key and the parameters that are neighbours with a link."""
    always_linked: dict[str, bool] = field(default_factory=dict)
    """Whether every two neighbours of a kind have a link, by kind."""
    changed: frozenset[int] = frozenset()
    """The identities of the attributes that some rule sets."""
    changed_names: frozenset[str] = frozenset()
    """The names of these attributes."""
    indexes: frozenset[Index] = frozenset()
    """Kinds and attributes by which the board indexes pieces."""


@dataclass(slots=True)
class Emission(RuleFacts):
    """The generation of one variant of one program; shared by all of its rules."""

    program: Program
    variant: str
    sites: Sites
    out: Writer = field(default_factory=Writer)
    needed: dict[str, Callable[[], None]] = field(default_factory=dict)
    """Helper functions that rules need, by name; they are written after the rules."""
    memoized: dict[str, bool] = field(default_factory=dict)
    """Whether a rule is memoized, by its key."""
    piece_memo: dict[str, int | None] = field(default_factory=dict)
    """The index in `Thing.inside` of the result of a definition, by its key; none if pieces do not keep it."""
    piece_memo_count: int = 0
    """The number of definitions with such results."""
    piece_memo_slots: set[str] = field(default_factory=set)
    """The slots that these definitions read."""
    is_ad_hoc: bool = False
    """Whether the code is for an expression beside the rules of a game; it must not define their functions again."""
    member_filters: dict[str, str] = field(default_factory=dict)
    """Functions that return the members of a kind with a constant property, by the text of the property."""

    @property
    def traced(self) -> bool:
        """Whether the code reports events."""
        return self.variant in {"traced", "observed"}

    @property
    def can_inline(self) -> bool:
        """Whether small definitions may be written out where they are called."""
        return self.variant != "observed"

    @property
    def for_odds(self) -> bool:
        """Whether the code is for exact odds: rolls take readers, and procedures are split into basic blocks."""
        return self.variant == "odds"

    def iterates(self, rule: Rule) -> bool:
        """Whether a rule iterates over a collection."""
        if rule.key not in self.has_loop:
            self.has_loop[rule.key] = True
            self.has_loop[rule.key] = isinstance(rule, Search | Procedure) or any(
                isinstance(each, Stmt) or self._is_loop(each) for root in rule_texts(rule) for each in walk_tree(root)
            )
        return self.has_loop[rule.key]

    def work(self, rule: Rule) -> int:
        """An upper bound of the work of a rule with everything it calls, with one pass of each loop."""
        if rule.key not in self.works:
            self.works[rule.key] = 1  # the value during recursion, which is counted anyway
            nodes = [each for root in rule_texts(rule) for each in walk_tree(root)]
            self.works[rule.key] = min(sum([self._work_of(each) for each in nodes]), _MAX_WORK)
        return self.works[rule.key]

    def _work_of(self, node: SyntaxNode) -> int:
        if isinstance(node, Where | Each | SortedBy | Reach):
            return _ITERATION_WORK
        if not (isinstance(node, Call | Attr) and isinstance(node.ref, Rule)):
            return 1
        return 1 + max([self.work(each) for each in (node.ref, *self._overriding(node.ref))])

    def _overriding(self, rule: Rule) -> list[Definition]:
        """The definitions with which sub-kinds override a computed attribute."""
        kind, _, name = rule.name.partition(".")
        if not isinstance(rule, Definition) or kind not in self.program.kinds:
            return []
        below_it = [f"{each.name}.{name}" for each in self.program.subkinds(kind) if each.name != kind]
        return [self.program.definitions[each] for each in below_it if each in self.program.definitions]

    def is_counted(self, rule: Rule) -> bool:
        """Whether calls of a rule tick the budget: it is recursive, or its work is large."""
        return rule.key in self.recursive or self.work(rule) > _MAX_UNCOUNTED_WORK

    def calls_much_work(self, node: SyntaxNode) -> bool:
        """Whether a node calls a rule whose work is too large to go uncounted."""
        return any(
            isinstance(each, Call | Attr) and isinstance(each.ref, Rule) and self.work(each.ref) > _MAX_UNCOUNTED_WORK
            for each in walk_tree(node)
        )

    def expression_iterates(self, expr: Expr) -> bool:
        """Whether an expression iterates over a collection, or does as much work."""
        return any(self._is_loop(each) for each in walk_tree(expr)) or self.calls_much_work(expr)

    def _is_loop(self, node: SyntaxNode) -> bool:
        match node:
            case Where() | Each() | SortedBy() | Reach():
                return True
            case Call(ref=Builtin(name=name)):
                return name in _ITERATING and len(node.arguments) == 1
            case In(of=Name(ref=of)):
                return not isinstance(of, Constant)
            case Compare(left=left):
                return element(present(left.type)) is not None
        return isinstance(node, Call | Attr) and isinstance(node.ref, Rule) and self.iterates(node.ref)

    def is_expensive(self, expr: Expr) -> bool:
        """Whether options are expensive enough to be computed only when they are read."""
        return any(
            isinstance(each, Reach | After)
            or (isinstance(each, Call) and isinstance(each.ref, Definition) and self.iterates(each.ref))
            for each in walk_tree(expr)
        )

    def is_overridden(self, definition: Definition) -> bool:
        """Whether a sub-kind overrides a computed attribute."""
        return bool(self._overriding(definition))


@dataclass
class CodeContext:
    """A point inside a rule: the meaning of names there. `it` is the Python text of the current element."""

    emission: Emission
    rule: str
    counter: Iterator[int] = field(default_factory=lambda: count(1))
    names: dict[int, str] = field(default_factory=dict)
    elements: dict[str, str] = field(default_factory=dict)
    it: str | None = None
    replaced: dict[int, str] = field(default_factory=dict)
    """Python text that replaces a node while the reader of a roll is written."""
    readers: dict[int, str] = field(default_factory=dict)
    """The readers of rolls in the present statement."""
    depth: int = 0
    in_source: bool = False
    """Inside the source of a comprehension, where Python allows no assignment expression."""
    loops: int = 0
    """The number of loops of statements around this point."""
    sets: dict[int, str] = field(default_factory=dict)
    """Variables that hold a parameter as a set, for membership tests, by the identity of the parameter."""
    together: bool = False
    """Whether this point is inside a block of simultaneous lines."""
    together_in_loop: bool = False
    """Whether such a block is between this point and the innermost loop around it."""

    @property
    def program(self) -> Program:
        """The program that code is generated for."""
        return self.emission.program

    def fresh(self, stem: str = "_") -> str:
        """A Python name that is not used in the rule."""
        return f"{stem}{next(self.counter)}"

    def element(self, variable: str, name: str | None) -> CodeContext:
        """The context inside a `where`, `each` or `by`, whose element is `variable`."""
        if name is None:
            return self._but(it=variable)
        return self._but(elements={**self.elements, name: variable})

    def source(self) -> CodeContext:
        """The context of the source of a comprehension."""
        return self._but(in_source=True)

    def opened(self, names: dict[int, str], it: str | None) -> CodeContext:
        """The context inside the text of a definition that is inlined here."""
        return self._but(names=names, elements={}, it=it, depth=self.depth + 1)

    def _but(self, **changes: Any) -> CodeContext:
        """As `dataclasses.replace`, in a quarter of the time: a ruleset needs thousands."""
        made = CodeContext.__new__(CodeContext)
        vars(made).update(vars(self), **changes)
        return made

    def noticed(self, look_up: str) -> str:
        """A look-up, marked in traced code where a result or a sum depends on it."""
        resting = self.emission.traced and self.rule.partition("/")[0] in _RESTING
        return f"noticed({look_up})" if resting else look_up

    def parameter(self, wanted: Parameter) -> str:
        """The Python text of a local, parameter or element."""
        if (text := self.names.get(id(wanted))) is not None:
            return text
        return self.elements.get(wanted.name) or LOCAL(wanted.name)


def atomic(text: str) -> bool:
    """Whether Python text is a name, a number or a path of attributes: cheap and without effects."""
    return ATOM.fullmatch(text) is not None


def is_thing(kind: Type) -> bool:
    """Whether values of the type are objects, compared by identity and always true."""
    return isinstance(present(kind), KindType | EnumType)


def static_kind(kind: Type) -> str:
    """The kind of a thing, or of the things in a collection, according to the type."""
    bare = present(kind)
    inner = present(element(bare) or bare)
    return inner.name if isinstance(inner, KindType) else "piece"


def quiet(expr: Expr, apart_from: Expr | None = None) -> bool:
    """Whether an expression only reads, so that it can be evaluated anywhere; the node `apart_from` is ignored."""
    return not any(
        each is not apart_from
        and (
            isinstance(each, DecisionExpr | RollSum | RollApart | Random | Draw | After)
            or (isinstance(each, Call) and isinstance(each.ref, Procedure))
        )
        for each in walk_tree(expr)
    )
