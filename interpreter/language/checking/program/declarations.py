"""Resolves and checks kinds, attributes and parameters: their types, and names that clash."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.language.checking.context.rule_context import RuleContext
from interpreter.language.checking.context.scope import BUILTINS
from interpreter.language.checking.program.checker import Checker
from interpreter.language.checking.types.assignability import HOLDERS
from interpreter.language.checking.types.resolve_types import resolve_type
from interpreter.language.diagnostics import Diagnostic, did_you_mean
from interpreter.language.model.kind_hierarchy import Attribute, Kind, Symbol
from interpreter.language.model.program import Definition, Parameter, Program, Rule
from interpreter.language.model.rule_bodies import all_rules
from interpreter.language.tree.types import UNKNOWN, EnumType, KindType

RESERVED = ("at", "id", "index", "kind", "neighbours", "row", "column")
"""Built-in attributes of things."""


def resolve_declarations(program: Program, report: list[Diagnostic]) -> None:
    """Resolves every written type: of attributes, state values, parameters, tables and results of rules."""
    for attribute in attributes(program):
        if attribute.written is not None and attribute.type == UNKNOWN:
            attribute.type = resolve_type(program, attribute.written.declared, report)
    for rule in all_rules(program):
        if isinstance(rule, Definition):
            _add_subject(program, rule)
        for parameter in rule.takes:
            _resolve_parameter(program, parameter, report)
        if rule.written is not None and rule.gives == UNKNOWN:
            rule.gives = resolve_type(program, rule.written, report)
    for table in program.tables.values():
        for axis in table.axes:
            _resolve_parameter(program, axis.parameter, report)
        if table.written is not None and table.type == UNKNOWN:
            table.type = resolve_type(program, table.written, report)


def attributes(program: Program) -> Iterator[Attribute]:
    """Yields every declared attribute and state value."""
    for kind in program.kinds.values():
        yield from kind.attributes.values()
    for value in program.state.values():
        yield value.attribute


def _resolve_parameter(program: Program, parameter: Parameter, report: list[Diagnostic]) -> None:
    if parameter.written is not None and parameter.type == UNKNOWN:
        parameter.type = resolve_type(program, parameter.written, report)


def _add_subject(program: Program, rule: Definition) -> None:
    """Adds to a computed attribute its first parameter: the thing it is an attribute of."""
    subject = rule.subject
    if subject is None:
        return
    if not rule.takes or rule.takes[0].name != subject:
        rule.takes = (Parameter(name=subject, place=rule.place), *rule.takes)
    if subject in program.enums:
        rule.takes[0].type = EnumType(subject)
    elif subject in program.kinds:
        rule.takes[0].type = KindType(subject)


def check_declarations(checker: Checker) -> None:
    """Reports kinds with unknown names, names that clash, and defaults of the wrong type."""
    program = checker.program
    for kind in program.kinds.values():
        _check_kind(checker, kind)
        for attribute in kind.attributes.values():
            _check_attribute(checker, kind, attribute)
    for value in program.state.values():
        _check_default(checker, value.attribute)
    _check_computed(checker)
    _check_callable(checker)


def _report(checker: Checker, code: str, message: str, symbol: Symbol | Attribute, hint: str | None = None) -> None:
    checker.report.append(Diagnostic(code, message, symbol.place, hint))


def _check_kind(checker: Checker, kind: Kind) -> None:
    program = checker.program
    homes = [each.name for each in program.kinds.values() if each.root in HOLDERS]
    for holder in kind.holders:
        if holder not in homes and holder not in HOLDERS:
            message = f"{kind.name} is in '{holder}', which is not a kind of space or piece"
            _report(checker, "unknown-kind", message, kind, did_you_mean(holder, homes))
    if kind.parent is not None and kind.parent not in program.kinds:
        message = f"{kind.name} is a '{kind.parent}', but there is no such kind"
        _report(checker, "unknown-kind", message, kind, did_you_mean(kind.parent, program.kinds))
    spaces = [each.name for each in program.kinds.values() if each.root == "space"]
    if kind.between is not None and kind.between not in spaces:
        message = f"{kind.name} is between '{kind.between}', which is not a kind of space"
        _report(checker, "unknown-kind", message, kind, did_you_mean(kind.between, spaces))


def _check_attribute(checker: Checker, kind: Kind, attribute: Attribute) -> None:
    name = attribute.name
    inherited = None if kind.parent is None else checker.program.attribute(kind.parent, name)
    if name in RESERVED:
        _report(checker, "reserved-attribute", f"every thing has a built-in '{name}'", attribute, "choose another name")
    elif inherited is not None:
        message = f"{kind.name} already has '{name}' from {inherited.owner}"
        _report(checker, "attribute-again", message, attribute, "leave it out here")
    _check_default(checker, attribute)


def _check_default(checker: Checker, attribute: Attribute) -> None:
    written = attribute.written
    if written is None or written.default is None:
        return
    default = written.default

    def look(cx: RuleContext) -> None:
        cx.expect(default, attribute.type, attribute.name)

    checker.read_text(attribute.name, look)


def _check_computed(checker: Checker) -> None:
    program = checker.program
    for rule in program.definitions.values():
        if rule.subject is None:
            continue
        name = rule.name.partition(".")[2]
        if rule.subject not in program.kinds and rule.subject not in program.enums:
            hint = did_you_mean(rule.subject, [*program.kinds, *program.enums])
            _report(checker, "unknown-kind", f"there is no kind '{rule.subject}'", rule, hint)
        elif program.attribute(rule.subject, name) is not None:
            _report(
                checker,
                "attribute-again",
                f"{rule.subject} already has a declared attribute '{name}'",
                rule,
                "rename one",
            )
        elif checker.attributes.derived(rule.subject, name) is not None if rule.subject in program.kinds else False:
            message = f"'{name}' of {rule.subject} is already derived from where things are"
            _report(checker, "attribute-again", message, rule, "rename it")
        if len(rule.takes) > 1:
            message = f"'{rule.name}' is an attribute, so it takes no parameters"
            _report(checker, "wrong-arity", message, rule, "make it a definition with a plain name")


def _check_callable(checker: Checker) -> None:
    """Reports rules that share a name with another rule or a built-in function."""
    program = checker.program
    seen: dict[str, Rule] = {}
    functions = [each for each in program.definitions.values() if each.subject is None]
    sections: list[Iterable[Rule]] = [
        functions,
        program.modifiers.values(),
        program.restrictions.values(),
        program.procedures.values(),
    ]
    for rule in [each for section in sections for each in section]:
        if rule.name in BUILTINS:
            message = f"'{rule.name}' is a function of the language"
            _report(checker, "same-name", message, rule, "rename it")
        elif rule.name in seen:
            message = f"'{rule.name}' is also the name of {seen[rule.name].path}"
            _report(checker, "same-name", message, rule, "rename one of them")
        seen.setdefault(rule.name, rule)
