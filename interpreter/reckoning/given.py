"""A situation to reckon from: what stands where, the arguments of the procedure, and how its decisions are answered."""

from __future__ import annotations

from collections.abc import Mapping as Table
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from interpreter.language.check import check_expression
from interpreter.language.diagnostics import Diagnostic, RulesetError, UsageError, did_you_mean, nearest
from interpreter.language.parse import parse_expr
from interpreter.language.program import Individual, Procedure, Program
from interpreter.language.syntax import Expr
from interpreter.rules.excerpts import with_excerpts
from interpreter.rules.link_scenario import link_scenario
from interpreter.rules.nodes import Mapping, Node, Scalar, plain
from interpreter.rules.setup import Setup
from interpreter.rules.yaml import read_yaml, read_yaml_text

KEYS = ("options", "pieces", "set", "state", "board", "with", "decisions", "says", "cite")
POLICIES = ("first", "last", "any")
"""How a decision is answered: with its first option, its last one, or with each of them as often as the others."""


@dataclass(frozen=True, slots=True)
class Given:
    """A situation, checked against a program.

    `arguments` are expressions in the order of the procedure's parameters; `policies` says by address how decisions
    are answered, `default` how all others are.
    """

    setup: Setup
    arguments: tuple[Expr, ...]
    policies: Table[str, Any]
    default: str


def read_given(source: Path | str | Table[str, Any] | Node | None) -> Mapping:
    """The document of a situation, from a file, from plain data, or from a document already read.

    Raises:
        UsageError: if the file can't be read.
        RulesetError: if it is not a mapping of what a situation can hold.
    """
    node = source if isinstance(source, Node) else _read(source)
    if not isinstance(node, Mapping):
        raise RulesetError([Diagnostic("wrong-shape", "a situation is a mapping, like 'with: {…}'", node.place)])
    found = [
        Diagnostic("unknown-key", f"a situation has no '{key}'", node.key_place(key), did_you_mean(key, KEYS))
        for key in node
        if key not in KEYS
    ]
    if found:
        raise RulesetError(with_excerpts(found))
    return node


def _read(source: Path | str | Table[str, Any] | None) -> Node:
    if isinstance(source, Path | str):
        return read_yaml(Path(source))
    return read_yaml_text(yaml.safe_dump(dict(source or {}), sort_keys=False, allow_unicode=True), "<given>")


def options_of(node: Mapping) -> dict[str, Any]:
    """The options that a situation sets; its ruleset must be loaded with them."""
    options = node.get("options")
    return (
        {key: each.value for key, each in options.items.items() if isinstance(each, Scalar)}
        if isinstance(options, Mapping)
        else {}
    )


def link_given(node: Mapping, rule: Procedure, program: Program) -> Given:
    """A situation for one procedure.

    Raises:
        RulesetError: with everything that is wrong in it.
    """
    setup, found = link_scenario(node, program)
    arguments, more = _arguments(node, rule, _with_counters(program, setup))
    found += more
    if any(each.severity == "error" for each in found):
        raise RulesetError(with_excerpts(found))
    decisions = plain(node.items["decisions"]) if "decisions" in node else {}
    policies = dict(decisions) if isinstance(decisions, dict) else {"default": decisions}
    default = policies.pop("default", "first")
    if default not in POLICIES:
        raise UsageError(f"'{default}' is no way to decide: write one of {', '.join(POLICIES)}")
    return Given(setup, tuple(arguments), policies, default)


def _with_counters(program: Program, setup: Setup) -> Program:
    """The program for arguments, which may name any counter: rules can't, but a situation is about certain ones."""
    further = {(kind, name): Individual(name=name, kind=kind) for kind, name, *_ in setup.pieces}
    return replace(program, individuals=_nameable(program) | further)


@lru_cache(maxsize=4)
def _nameable(program: Program) -> dict[tuple[str, str], Individual]:
    """All individuals of a program under their names, counters too."""
    return {key: replace(each, named=True) for key, each in program.individuals.items()}


def _arguments(node: Mapping, rule: Procedure, program: Program) -> tuple[list[Expr], list[Diagnostic]]:
    given = node.get("with")
    given = given if isinstance(given, Mapping) else None
    found: list[Diagnostic] = []
    arguments = []
    names = [each.name for each in rule.takes]
    misspelt: set[str | None] = set()
    for key in given or ():
        if given is not None and key not in names:
            message = f"'{rule.name}' takes no '{key}'"
            found.append(Diagnostic("unknown-argument", message, given.key_place(key), did_you_mean(key, names)))
            misspelt.add(nearest(key, [each for each in names if each not in given]))
    for parameter in rule.takes:
        value = given.get(parameter.name) if given is not None else None
        if value is None and parameter.name in misspelt:
            continue
        if not isinstance(value, Scalar):
            message = f"'{rule.name}' needs a value for '{parameter.name}' ({parameter.type}) under 'with'"
            found.append(Diagnostic("missing-argument", message, node.place))
            continue
        try:
            expr = parse_expr(value.source)
        except RulesetError as error:
            found += error.diagnostics
            continue
        found += check_expression(program, expr, (), parameter.type)
        arguments.append(expr)
    return arguments, found
