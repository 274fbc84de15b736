"""Checks priors: what each is about, and that it takes the seat and, for a question, the option."""

from __future__ import annotations

from interpreter.language.checking.program.checker import Checker
from interpreter.language.checking.program.effects import effectful_texts
from interpreter.language.diagnostics import Diagnostic, did_you_mean
from interpreter.language.model.program import Definition, Program
from interpreter.language.tree.statements import (
    Agree,
    Assign,
    ChoiceBlock,
    Choose,
    ChooseNumber,
    DecisionExpr,
    ForEach,
    Rank,
    Spread,
    SyntaxNode,
)
from interpreter.language.tree.types import BOOL, INT, UNKNOWN, KindType, Type, element, present

_NAMES = ("player", "option")


def check_priors(checker: Checker) -> None:
    """Reports priors about nothing that is asked, and priors with wrong parameters."""
    program = checker.program
    if not program.priors:
        return
    named = option_addresses(program)
    asked = question_types(program)
    for prior in program.priors.values():
        if prior.name in named:
            _must_take(checker, prior, [KindType("seat")])
        elif prior.name in asked:
            _must_take(checker, prior, [KindType("seat"), present(asked[prior.name])])
        else:
            message = f"a prior is about '{prior.name}', but there is no such action, question or choice"
            hint = did_you_mean(prior.name, [*named, *asked])
            checker.report.append(Diagnostic("unknown-prior", message, prior.place, hint))


def option_addresses(program: Program) -> list[str]:
    """Returns the names of actions, and of choices as `procedure.question.choice`."""
    blocks = [node for node in _asking(program) if isinstance(node, ChoiceBlock)]
    return [*program.actions, *[f"{block.address}.{each.name}" for block in blocks for each in block.choices]]


def question_types(program: Program) -> dict[str, Type]:
    """Returns the type of an option at each address: of the picks of actions and of decisions about values."""
    found = {
        f"{action.name}.{pick.parameter.name}": pick.parameter.type
        for action in program.actions.values()
        for pick in action.picks
    }
    for node in _asking(program):
        match node:
            case Choose() | Rank():
                found[node.address] = element(node.of.type) or UNKNOWN
            case Assign():
                found[node.address] = element(node.to.type) or UNKNOWN
            case Spread():
                found[node.address] = element(node.over.type) or UNKNOWN
            case ForEach(chosen_by=who) if who is not None:
                found[node.address] = element(node.of.type) or UNKNOWN
            case ChooseNumber():
                found[node.address] = INT
            case Agree():
                found[node.address] = BOOL
    return found


def _asking(program: Program) -> list[SyntaxNode]:
    return [
        node
        for _, roots in effectful_texts(program)
        for root in roots
        for node in program.nodes(root)
        if isinstance(node, DecisionExpr | ChoiceBlock | ForEach) and node.address
    ]


def _must_take(checker: Checker, prior: Definition, offered: list[Type]) -> None:
    """Reports parameters that are not a prefix of what is offered; a question requires all of it."""
    if len(prior.takes) > len(offered) or len(prior.takes) < len(offered) == 2:
        wanted = "the seat and the option" if len(offered) == 2 else "the seat alone, or nothing"
        message = f"the prior '{prior.name}' takes {len(prior.takes)} parameters, but is given {wanted}"
        seats = [each.name for each in checker.program.kinds.values() if each.root == "seat"]
        kinds = [KindType(seats[0]) if seats else offered[0], *offered[1:]]
        hint = f"write 'takes: {{{', '.join(f'{name}: {each}' for name, each in zip(_NAMES, kinds, strict=False))}}}'"
        checker.report.append(Diagnostic("wrong-prior", message, prior.place, hint))
        return
    for parameter, given in zip(prior.takes, offered, strict=False):
        if given == KindType("seat"):
            fits = isinstance(parameter.type, KindType) and checker.lattice.root(parameter.type.name) == "seat"
        else:
            fits = checker.lattice.fits(given, parameter.type)
        if not fits:
            message = (
                f"the prior '{prior.name}' is given {given} for '{parameter.name}', but it expects {parameter.type}"
            )
            hint = f"write '{parameter.name}: {given}'"
            checker.report.append(Diagnostic("wrong-type", message, parameter.place, hint))
