"""Names: those that the ruleset declares, and those in scope at one place of a rule text."""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.language.diagnostics import with_article
from interpreter.language.model.kind_hierarchy import Enum, Kind, WordDeclaration
from interpreter.language.model.program import (
    Constant,
    Individual,
    NameTarget,
    Option,
    Parameter,
    Program,
    StateValue,
    Table,
)
from interpreter.language.tree.types import EnumType, KindType, Type

BUILTINS = (
    "count",
    "any",
    "all",
    "sum",
    "min",
    "max",
    "first",
    "distinct",
    "distance",
    "adjacent",
    "cuts",
    "cut_by",
    "between",
    "link",
)


class Names:
    """Everything that a bare name can mean in a ruleset.

    State values, constants and options take precedence over tables, then plurals, then individuals and words.
    """

    def __init__(self, program: Program) -> None:
        self.words: dict[str, list[Individual | WordDeclaration]] = {}
        self.single: dict[str, NameTarget] = {}
        for enum in program.enums.values():
            for word in enum.words:
                self.words.setdefault(word, []).append(WordDeclaration(enum=enum.name, name=word))
        for (_, name), individual in program.individuals.items():
            if individual.named:
                self.words.setdefault(name, []).append(individual)
        for kind in program.kinds.values():
            for name in kind.members:
                if (kind.name, name) not in program.individuals:
                    self.words.setdefault(name, []).append(Individual(name=name, place=kind.place, kind=kind.name))
        for enum in program.enums.values():
            if enum.plural:
                self.single[enum.plural] = enum
        for kind in program.kinds.values():
            if kind.plural and kind.root not in ("record", "link"):
                self.single[kind.plural] = kind
        for section in (program.tables, program.options, program.constants, program.state):
            self.single.update(section)

    def meanings(self, name: str) -> list[NameTarget]:
        """Returns everything the name can mean: one thing, or the individuals and words of that name."""
        if name in self.single:
            return [self.single[name]]
        return list(self.words.get(name, ()))

    def shadowed_by(self, name: str) -> list[NameTarget]:
        """Returns what a local of that name would shadow; it may shadow the plural of the kind it is named for."""
        return [each for each in self.meanings(name) if not isinstance(each, Kind) or each.name != name]

    def all(self) -> list[str]:
        """Returns every global name, for hints."""
        return [*self.single, *self.words]


def target_type(target: Individual | WordDeclaration) -> Type:
    """Returns the type of an individual or a word."""
    return KindType(target.kind) if isinstance(target, Individual) else EnumType(target.enum)


def target_noun(target: NameTarget) -> str:
    """Returns a noun phrase for what a name means, for messages."""
    match target:
        case StateValue():
            return "a state value"
        case Constant():
            return "a constant"
        case Option():
            return "an option"
        case Table():
            return "a table"
        case Kind():
            return f"all things of kind {target.name}"
        case Enum():
            return f"all words of {target.name}"
        case Individual():
            return f"{with_article(target.kind)} of the ruleset"
        case WordDeclaration():
            return f"a word of {target.enum}"
        case _:
            return "a local name"


@dataclass(slots=True)
class Scope:
    """What is in scope at a place: locals, the element that `it` means, and the narrowed types of paths.

    `facts` maps a path (`melee.target`) to its narrowed type. `it_path` is the root of paths that begin with `it`:
    the subject's name in a computed attribute, otherwise a name for each level of nesting.
    """

    locals: dict[str, Parameter] = field(default_factory=dict)
    facts: dict[str, Type] = field(default_factory=dict)
    it: Type | None = None
    it_path: str = "it"
    depth: int = 0

    def child(self) -> Scope:
        """Returns a scope inside this one, to which locals and facts can be added."""
        return Scope(dict(self.locals), dict(self.facts), self.it, self.it_path, self.depth)

    def element(self, kind: Type) -> Scope:
        """Returns the scope in which `it` is an element of that type."""
        inner = self.child()
        inner.depth += 1
        inner.it, inner.it_path = kind, f"it {inner.depth}"
        inner.forget(inner.it_path)
        return inner

    def forget(self, path: str) -> None:
        """Drops the facts about a path and about all paths that extend it."""
        for each in [known for known in self.facts if known == path or known.startswith(f"{path}.")]:
            del self.facts[each]
