"""The names and types of a program against which its rule texts are checked."""

from __future__ import annotations

from abc import ABC, abstractmethod

from interpreter.language.checking.context.scope import Names
from interpreter.language.checking.types.assignability import TypeLattice
from interpreter.language.checking.types.derived_attributes import AttributeLookup
from interpreter.language.diagnostics import Place
from interpreter.language.model.program import Constant, Definition, Modifiers, Procedure, Program, Restrictions
from interpreter.language.model.rule_bodies import steps_of
from interpreter.language.tree.types import Type

CallableRule = Definition | Modifiers | Restrictions | Procedure


class TypeEnvironment(ABC):
    """Holds the names and types of one program, and finds the types of its rules and constants on demand.

    `read` holds the identities of the parameters that any text reads.
    """

    def __init__(self, program: Program, names: Names | None = None) -> None:
        self.program = program
        self.names = names or Names(program)
        self.lattice = TypeLattice(program)
        self.attributes = AttributeLookup(self.lattice)
        self.read: set[int] = set()
        self.steps = {each.name for each in steps_of(program.sequence)}
        self.callable: dict[str, CallableRule] = {
            **program.procedures,
            **program.restrictions,
            **program.modifiers,
            **{name: each for name, each in program.definitions.items() if each.subject is None},
        }

    @abstractmethod
    def gives(self, rule: CallableRule, place: Place) -> Type:
        """Returns the type of a call of a rule; a rule without a declared type is checked now."""

    @abstractmethod
    def constant(self, constant: Constant, place: Place) -> Type:
        """Returns the type of a constant, found when it is first needed."""
