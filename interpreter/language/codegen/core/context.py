"""What emission carries along: the ruleset, the variant, the sites, and the names in force at a point of rule text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from interpreter.language.codegen.core.source_writer import Writer
from interpreter.language.diagnostics import Place
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

ATOM = re.compile(r"-?[A-Za-z_0-9]+(\.[A-Za-z_0-9]+)*")
INLINED_NODES = 40
INLINED_DEPTH = 4
_RESTING = frozenset({"procedures", "actions", "sequence", "modifiers"})
"""Sections of rules whose look-ups stand in an explanation of what happened."""
_RUN = 20
"""What a run over a collection counts for, apart from what is done with each element."""
_MUCH = 500
"""Of work: rules that do more are counted when they are called, and passes of loops that do more, too."""
_MOST_WORK = 1_000_000
_RUNNING = frozenset({"sum", "min", "max", "distinct"})
"""Functions that look at every element of what they are given."""


@dataclass(slots=True)
class Sites:
    """Sites by the node, item or rule they belong to; numbered once for all variants."""

    by_owner: dict[int, Site] = field(default_factory=dict)
    owners: list[object] = field(default_factory=list)
    """Kept, so that no identity is used twice while the numbers live."""
    all: list[Site] = field(default_factory=list)
    used: set[int] = field(default_factory=set)

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
    ) -> Site:
        """A new site for `owner`."""
        site = Site(len(self.all), kind, address, prompt, rule, cites, place, labels)
        self.all.append(site)
        self.owners.append(owner)
        self.by_owner[id(owner)] = site
        return site


@dataclass(slots=True)
class Emission:
    """One variant of one program under emission; shared by all of its rules."""

    program: Program
    variant: str
    sites: Sites
    out: Writer = field(default_factory=Writer)
    needed: dict[str, Callable[[], None]] = field(default_factory=dict)
    """Helper functions that rules turned out to need, written after them."""
    recursive: frozenset[str] = frozenset()
    """Paths of rules that can come to call themselves."""
    looping: dict[str, bool] = field(default_factory=dict)
    """Whether running a rule takes more than a few steps, by its path."""
    fixed: dict[str, bool] = field(default_factory=dict)
    """Whether a rule reads only what no rule changes and what it is given, by its path."""
    reads: dict[str, tuple[frozenset[str], tuple[Rule, ...]]] = field(default_factory=dict)
    """The topics that the text of a rule reads, and the rules that it calls, by its path."""
    telling: dict[str, bool] = field(default_factory=dict)
    """Whether a procedure does no more than to write to the log, by its path."""
    kept: dict[str, bool] = field(default_factory=dict)
    """Whether a rule's answers are remembered, by its path."""
    sizes: dict[str, int] = field(default_factory=dict)
    """How many nodes a definition's text has, by its path."""
    weights: dict[str, int] = field(default_factory=dict)
    """How much work a rule is as a rule, by its path."""
    works: dict[str, int] = field(default_factory=dict)
    """How much a rule does at most, passes of loops aside, by its path."""
    inner: dict[str, int | None] = field(default_factory=dict)
    """Where the answers of a definition stand in the piece that they are about, by its path; none if not there."""
    inner_count: int = 0
    """How many definitions have such answers."""
    inner_slots: set[str] = field(default_factory=set)
    """The slots that they read."""
    failing: dict[tuple[str, frozenset[int]], bool] = field(default_factory=dict)
    """Whether a rule can come to a fault, by its path and the parameters that are neighbours with a link."""
    linked: dict[str, bool] = field(default_factory=dict)
    """Whether there is a link between any two neighbours of a kind."""
    apart: bool = False
    """Whether what is written stands beside the rules of a game, and must write no function of theirs again."""
    few: dict[str, str] = field(default_factory=dict)
    """The functions that give the members of a kind for which something holds that no rule changes, by its text."""
    changed: frozenset[int] = frozenset()
    """The identities of the attributes that some rule sets."""
    changed_names: frozenset[str] = frozenset()
    """The names of these attributes."""
    indexes: frozenset[Index] = frozenset()
    """Kinds and attributes by which the board lists pieces."""

    @property
    def traced(self) -> bool:
        """Whether what happens is reported."""
        return self.variant in {"traced", "observed"}

    @property
    def inlines(self) -> bool:
        """Whether small definitions may be written out where they are called."""
        return self.variant != "observed"

    @property
    def for_odds(self) -> bool:
        """Whether rolls go through their readers."""
        return self.variant == "odds"

    def loops(self, rule: Rule) -> bool:
        """Whether running a definition, modifier list or search runs over a collection."""
        if rule.path not in self.looping:
            self.looping[rule.path] = True
            self.looping[rule.path] = isinstance(rule, Search | Procedure) or any(
                isinstance(each, Stmt) or self._is_loop(each) for root in rule_texts(rule) for each in walk_tree(root)
            )
        return self.looping[rule.path]

    def work(self, rule: Rule) -> int:
        """How much a rule does at most in one go, with all that it calls, where every loop has one pass."""
        if rule.path not in self.works:
            self.works[rule.path] = 1  # what it is taken for where it comes to call itself, which is counted anyway
            nodes = [each for root in rule_texts(rule) for each in walk_tree(root)]
            self.works[rule.path] = min(sum([self._work_of(each) for each in nodes]), _MOST_WORK)
        return self.works[rule.path]

    def _work_of(self, node: SyntaxNode) -> int:
        if isinstance(node, Where | Each | SortedBy | Reach):
            return _RUN
        if not (isinstance(node, Call | Attr) and isinstance(node.ref, Rule)):
            return 1
        return 1 + max([self.work(each) for each in (node.ref, *self._overriding(node.ref))])

    def _overriding(self, rule: Rule) -> list[Definition]:
        """What sub-kinds have in the place of a computed attribute."""
        kind, _, name = rule.name.partition(".")
        if not isinstance(rule, Definition) or kind not in self.program.kinds:
            return []
        below_it = [f"{each.name}.{name}" for each in self.program.subkinds(kind) if each.name != kind]
        return [self.program.definitions[each] for each in below_it if each in self.program.definitions]

    def counted(self, rule: Rule) -> bool:
        """Whether calls of a rule are counted: it can come to call itself, or it and what it calls multiply."""
        return rule.path in self.recursive or self.work(rule) > _MUCH

    def heavy(self, node: SyntaxNode) -> bool:
        """Whether something calls a rule that does more in one go than should be done without being counted."""
        return any(
            isinstance(each, Call | Attr) and isinstance(each.ref, Rule) and self.work(each.ref) > _MUCH
            for each in walk_tree(node)
        )

    def loops_in_expr(self, expr: Expr) -> bool:
        """Whether evaluating an expression runs over a collection, or does as much."""
        return any(self._is_loop(each) for each in walk_tree(expr)) or self.heavy(expr)

    def _is_loop(self, node: SyntaxNode) -> bool:
        match node:
            case Where() | Each() | SortedBy() | Reach():
                return True
            case Call(ref=Builtin(name=name)):
                return name in _RUNNING and len(node.arguments) == 1
            case In(of=Name(ref=of)):
                return not isinstance(of, Constant)
            case Compare(left=left):
                return element(present(left.type)) is not None
        return isinstance(node, Call | Attr) and isinstance(node.ref, Rule) and self.loops(node.ref)

    def dear(self, expr: Expr) -> bool:
        """Whether options are dear enough to be made only when somebody looks at them."""
        return any(
            isinstance(each, Reach | After)
            or (isinstance(each, Call) and isinstance(each.ref, Definition) and self.loops(each.ref))
            for each in walk_tree(expr)
        )

    def overridden(self, definition: Definition) -> bool:
        """Whether a sub-kind has its own text for a computed attribute."""
        return bool(self._overriding(definition))


@dataclass
class CodeContext:
    """A point inside a rule: what names mean there. `it` is the text of the current element."""

    emission: Emission
    rule: str
    counter: Iterator[int] = field(default_factory=lambda: count(1))
    names: dict[int, str] = field(default_factory=dict)
    elements: dict[str, str] = field(default_factory=dict)
    it: str | None = None
    replaced: dict[int, str] = field(default_factory=dict)
    """Python text that stands for a node, while the reader of a roll is written."""
    readers: dict[int, str] = field(default_factory=dict)
    """The readers of rolls in the statement under emission."""
    depth: int = 0
    in_source: bool = False
    """Inside the source of a comprehension, where Python allows no assignment expression."""
    loops: int = 0
    """How many loops of statements this point stands in."""
    sets: dict[int, str] = field(default_factory=dict)
    """Variables that hold what a parameter does as a set, to look things up in, by the parameter's identity."""
    together: bool = False
    """Inside a block of lines that are done together."""
    together_in_loop: bool = False
    """Such a block stands between this point and the innermost loop around it."""

    @property
    def program(self) -> Program:
        """The ruleset being emitted."""
        return self.emission.program

    def fresh(self, stem: str = "_") -> str:
        """A Python name that nothing else in the rule bears."""
        return f"{stem}{next(self.counter)}"

    def element(self, variable: str, name: str | None) -> CodeContext:
        """The context inside a `where`, `each` or `by`, whose element is `variable`."""
        if name is None:
            return self._but(it=variable)
        return self._but(elements={**self.elements, name: variable})

    def source(self) -> CodeContext:
        """The context of a collection that a comprehension runs over."""
        return self._but(in_source=True)

    def opened(self, names: dict[int, str], it: str | None) -> CodeContext:
        """The context inside the text of another definition that is written out here."""
        return self._but(names=names, elements={}, it=it, depth=self.depth + 1)

    def _but(self, **changes: Any) -> CodeContext:
        """As `dataclasses.replace`, at a quarter of the time: thousands are made for a ruleset."""
        made = CodeContext.__new__(CodeContext)
        vars(made).update(vars(self), **changes)
        return made

    def noticed(self, look_up: str) -> str:
        """A look-up, marked in traced code where what happens, or a sum, rests on it."""
        resting = self.emission.traced and self.rule.partition("/")[0] in _RESTING
        return f"noticed({look_up})" if resting else look_up

    def parameter(self, wanted: Parameter) -> str:
        """The Python text of a local, parameter or element."""
        if (text := self.names.get(id(wanted))) is not None:
            return text
        return self.elements.get(wanted.name) or f"v_{wanted.name}"


def atomic(text: str) -> bool:
    """Whether Python text is a name, a number or a path of attributes: cheap, and the same each time it is read."""
    return ATOM.fullmatch(text) is not None


def is_thing(kind: Type) -> bool:
    """Whether values of the type are objects, told apart by identity and always true."""
    return isinstance(present(kind), KindType | EnumType)


def static_kind(kind: Type) -> str:
    """The kind of a thing, or of the things in a collection, as far as the type says."""
    bare = present(kind)
    inner = present(element(bare) or bare)
    return inner.name if isinstance(inner, KindType) else "piece"


def quiet(expr: Expr, apart_from: Expr | None = None) -> bool:
    """Whether an expression only reads, so that it can stand anywhere; one node in it may be left out of account."""
    return not any(
        each is not apart_from
        and (
            isinstance(each, DecisionExpr | RollSum | RollApart | Random | Draw | After)
            or (isinstance(each, Call) and isinstance(each.ref, Procedure))
        )
        for each in walk_tree(expr)
    )
