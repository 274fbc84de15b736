"""The checker of a whole program: state that all its rule texts share, and types found on demand."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.language.checking.context.rule_context import WHOLE, Facts, RuleContext
from interpreter.language.checking.context.scope import Names
from interpreter.language.checking.context.type_environment import CallableRule, TypeEnvironment
from interpreter.language.checking.expressions.table import TABLE
from interpreter.language.checking.statements.statements import block
from interpreter.language.checking.types.value_readers import ValueReaders
from interpreter.language.diagnostics import Diagnostic, Place
from interpreter.language.model.program import (
    Constant,
    Definition,
    Procedure,
    Program,
    Rule,
)
from interpreter.language.tree.statements import Name, Return
from interpreter.language.tree.traversal import walk_tree
from interpreter.language.tree.types import INT, REASON, UNKNOWN, VOID, SetType, Type, UnknownType

MAX_CONSTANT_PARTS = 5_000
"""The number of parts of a constant, with the constants that it uses expanded."""
MAX_PASSES = 4
"""The number of times a text is checked, because a later line can determine the element type of an empty local."""


class Checker(TypeEnvironment):
    """Holds the names, types and findings of one program.

    A definition or procedure without `gives` is checked when its type is first needed.
    """

    def __init__(self, program: Program, names: Names | None = None) -> None:
        super().__init__(program, names)
        self.values = ValueReaders(program)
        self.report: list[Diagnostic] = []
        self.in_progress: set[int] = set()
        self.done: set[int] = set()
        self.gave_up = False
        """Whether a chain of dependencies was too deep to follow."""
        self.parts: dict[int, int] = {}
        """The number of parts of each constant by its identity, with the constants that it uses expanded."""
        for modifiers in program.modifiers.values():
            modifiers.gives = INT
        for restrictions in program.restrictions.values():
            restrictions.gives = SetType(REASON)

    # ------------------------------------------------------------ one text
    def read_text(self, owner: str, look: Callable[[RuleContext], None]) -> RuleContext:
        """Checks one rule text with `look`, and again if a later line changed what holds in an earlier one."""
        widened: dict[int, Type] = {}
        off_board: dict[int, Facts] = {}
        for _ in range(MAX_PASSES):
            cx = RuleContext(self, TABLE, owner, widened=widened, off_board=off_board)
            look(cx)
            if not cx.reread:
                break
        for local in cx.lets:
            if id(local) not in self.read:
                cx.warn("unused", f"'{local.name}' is never read", local.place, "leave 'let' out, or use it")
        self.report += cx.report
        return cx

    # ------------------------------------------------------------ types on demand
    def gives(self, rule: CallableRule, place: Place) -> Type:
        """Returns the type of a call of a rule; a rule without a declared type is checked now."""
        if not isinstance(rule, Definition | Procedure) or rule.written is not None or id(rule) in self.done:
            return rule.gives
        if not isinstance(rule.gives, UnknownType):
            return rule.gives
        if id(rule) in self.in_progress:
            hint = "write what it gives: 'gives: …'"
            self.report.append(
                Diagnostic("recursive-gives", f"'{rule.title}' calls itself, so its type can't be found", place, hint)
            )
            return UNKNOWN
        try:
            self.look_at(rule)
        except RecursionError:
            return self._too_deep(rule.title, place, "declare the types of some of them with 'gives: …'")
        return rule.gives

    def _too_deep(self, name: str, place: Place, hint: str) -> Type:
        """Returns the unknown type for a name with too long a chain of dependencies; reports only the innermost one."""
        if not self.gave_up:
            message = f"the type of '{name}' depends on too long a chain of other names"
            self.report.append(Diagnostic("too-deep", message, place, hint))
        self.gave_up = True
        return UNKNOWN

    def look_at(self, rule: Definition | Procedure) -> None:
        """Checks a definition or procedure, once per program."""
        if id(rule) in self.done or id(rule) in self.in_progress:
            return
        self.in_progress.add(id(rule))
        try:
            if isinstance(rule, Definition) and rule.value is not None:
                self._look_at_value(rule)
            else:
                self._look_at_body(rule)
        finally:
            self.in_progress.discard(id(rule))
            self.done.add(id(rule))

    def enter(self, cx: RuleContext, rule: Rule) -> None:
        """Adds the parameters of a rule to the scope, its subject also as `it`."""
        cx.proceeds = rule.inner
        subject = rule.takes[0] if isinstance(rule, Definition) and rule.subject is not None else None
        for parameter in rule.takes:
            if parameter is subject:
                cx.subject = subject
                cx.scope.it, cx.scope.it_path = parameter.type, parameter.name
                cx.scope.locals[parameter.name] = parameter
            else:
                cx.adopt(parameter)
            if isinstance(rule, Procedure):
                cx.settable.add(id(parameter))

    def _look_at_value(self, rule: Definition) -> None:
        value = rule.value
        assert value is not None

        def look(cx: RuleContext) -> None:
            self.enter(cx, rule)
            if rule.written is not None:
                cx.expect(value, rule.gives, f"'{rule.title}'", WHOLE)
                return
            found = cx.infer(value, allowed=WHOLE)
            if found == VOID:
                found = cx.error("wrong-type", f"expected a value for '{rule.title}', found nothing", value.place)
            rule.gives = found

        self.read_text(rule.title, look)

    def _look_at_body(self, rule: Definition | Procedure) -> None:
        declared = rule.gives if rule.written is not None else None
        if declared is None and isinstance(rule, Procedure) and not _returns(rule):
            declared = rule.gives = VOID

        def look(cx: RuleContext) -> None:
            self.enter(cx, rule)
            cx.gives = declared
            left = block(cx, rule.body)
            found = declared if declared is not None else _joined(cx)
            if found != VOID and not left and not isinstance(found, UnknownType):
                hint = "end it with 'return …'"
                cx.error(
                    "missing-return", f"'{rule.title}' gives {found}, but it can end without a value", rule.place, hint
                )
            elif found == VOID and isinstance(rule, Definition):
                cx.error(
                    "missing-return", f"'{rule.title}' never returns a value", rule.place, "end it with 'return …'"
                )
            rule.gives = found

        self.read_text(rule.title, look)

    def constant(self, constant: Constant, place: Place) -> Type:
        """Returns the type of a constant, found when it is first needed."""
        if id(constant) in self.in_progress:
            message = f"constant '{constant.name}' depends on itself"
            self.report.append(Diagnostic("recursive-constant", message, place, "write one of its parts as a number"))
            return UNKNOWN
        if id(constant) not in self.done:
            self.in_progress.add(id(constant))

            def look(cx: RuleContext) -> None:
                constant.type = cx.infer(constant.value)

            try:
                self.read_text(constant.name, look)
            except RecursionError:
                return self._too_deep(constant.name, place, "let it use fewer constants")
            finally:
                self.in_progress.discard(id(constant))
                self.done.add(id(constant))
            self._count_parts(constant)
        return constant.type

    def _count_parts(self, constant: Constant) -> None:
        found = [self.parts.get(id(each.ref), 1) if isinstance(each, Name) else 1 for each in walk_tree(constant.value)]
        self.parts[id(constant)] = min(sum(found), MAX_CONSTANT_PARTS + 1)
        if sum(found) > MAX_CONSTANT_PARTS >= max(found):
            message = (
                f"constant '{constant.name}' has more than {MAX_CONSTANT_PARTS:,} parts with the constants it uses"
            )
            self.report.append(Diagnostic("too-large", message, constant.place, "let it use fewer constants"))


def _returns(rule: Procedure) -> bool:
    return any(
        isinstance(node, Return) and node.value is not None for statement in rule.body for node in walk_tree(statement)
    )


def _joined(cx: RuleContext) -> Type:
    """Returns the common type of all returned values."""
    found: Type | None = None
    for given, place in cx.returns:
        both = given if found is None else cx.environment.lattice.join(found, given)
        if both is None or (found is not None and VOID in (found, given) and found != given):
            return cx.error("mixed-types", f"returns {found} and {given}", place, "say with 'gives:' what it gives")
        found = both
    return VOID if found is None else found
