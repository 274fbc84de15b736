"""Checks that the entries that `presentation` translates exist, and that an example runs one thing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from interpreter.language.answer_words import ANSWER_WORDS, LOG_WORDS
from interpreter.language.checking.program.effects import effect_texts
from interpreter.language.diagnostics import Diagnostic, Place, did_you_mean
from interpreter.language.model.kind_hierarchy import Enum
from interpreter.language.model.program import Program
from interpreter.language.model.rule_bodies import steps_of
from interpreter.language.tree.statements import (
    Call,
    ChoiceBlock,
    Choose,
    DecisionExpr,
    ForEach,
    Log,
    Rank,
    RollApart,
    RollSum,
    SyntaxNode,
    Take,
    TextLit,
    Tie,
    Win,
)
from interpreter.language.tree.types import TEXT
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping, Scalar

_SPOKEN = (ChoiceBlock, DecisionExpr, ForEach, Tie, Win)
"""Sites with texts for players."""
_PLACEHOLDER = re.compile(r"\{(\w+)(?::\d{1,3})?\}")


def check_presentation(documents: DocumentSet, program: Program) -> Iterator[Diagnostic]:
    """Reports names in `presentation` that the program does not have; the program has no errors."""
    spoken = _spoken(program)
    known = {
        "words": dict.fromkeys(_words(program, spoken)),
        "attributes": dict.fromkeys(_attributes(program)),
    }
    sections = ("prompts", "answers", "option_labels", "choice_labels", "below", "costs")
    known |= dict.fromkeys(sections, dict.fromkeys(_addresses(program, spoken)))
    known |= {"log": dict.fromkeys(log_lines(program)), "declines": dict.fromkeys(can_be_declined(program))}
    what = {"words": "word", "attributes": "attribute", "log": "line of the log"}
    for document in documents.nodes("presentation"):
        parts = document.items if isinstance(document, Mapping) else {}
        for section, node in parts.items():
            if section in known and isinstance(node, Mapping):
                for name in node:
                    if name not in known[section] and section == "declines" and name in known["prompts"]:
                        yield _not_declined(name, node.key_place(name))
                    elif name not in known[section]:
                        yield _unknown(what.get(section, "decision"), name, known[section], node.key_place(name))
                if section == "costs":
                    yield from _costs(node, program)
                elif section == "choice_labels":
                    yield from _choices(node, known["words"])
            elif section in ("names", "plurals") and isinstance(node, Mapping):
                yield from _names(node, program)
            elif section == "symbols" and isinstance(node, Mapping):
                yield from _symbols(node, program)
            elif section == "colours" and isinstance(node, Mapping):
                yield from _colours(node, program)
            elif section == "map":
                for drawn in node.items.values() if isinstance(node, Mapping) else [node]:
                    if isinstance(drawn, Scalar):
                        yield from _map(drawn, program)


def decisions(program: Program) -> list[str]:
    """The addresses of all decisions."""
    return _addresses(program, _spoken(program))


def can_be_declined(program: Program) -> list[str]:
    """The addresses of the decisions with an answer that chooses nothing, or nothing more."""
    return [node.address for node in asking_nodes(program) if _can_be_declined(node)]


def asking_nodes(program: Program) -> list[DecisionExpr | ForEach]:
    """The parts of rules that ask a seat for one or more of some options."""
    return [node for node in _spoken(program) if isinstance(node, DecisionExpr | ForEach)]


def question_values(program: Program) -> dict[str, int]:
    """The number of values that the question of a decision has, by the address of the decision."""
    found = {f"{action.name}.{pick.parameter.name}": 0 for action in program.actions.values() for pick in action.picks}
    for node in _spoken(program):
        if isinstance(node, DecisionExpr | ChoiceBlock | ForEach) and node.address:
            parts = node.prompt.parts if node.prompt is not None else ()
            values = sum(not isinstance(each, str) for each in parts)
            found[node.address] = max(values, found.get(node.address, 0))
    return found


def _can_be_declined(node: SyntaxNode) -> bool:
    match node:
        case Choose():
            return node.mode in ("maybe", "up_to", "any")
        case Rank():
            return not node.every
        case Take():
            return not node.must
        case ForEach():
            return node.may_stop
    return False


def log_lines(program: Program) -> list[str]:
    """The lines that rules write to the log, with `{}` for each of their values."""
    return [node.text.template for node in _nodes(program) if isinstance(node, Log)]


def win_reasons(program: Program) -> list[str]:
    """The texts that rules give for the end of a game."""
    return _win_reasons(_spoken(program))


def outcome_texts(program: Program) -> list[str]:
    """The texts that outcomes of procedures can be: those in them and in the definitions of texts that they call."""
    roots = [each for procedure in program.procedures.values() for each in procedure.outcomes.values()]
    found: dict[str, None] = {}
    for node in [node for root in roots if root.type == TEXT for node in _with_called(program, root)]:
        if isinstance(node, TextLit):
            found |= dict.fromkeys([part for part in node.parts if isinstance(part, str)])
    return list(found)


def _with_called(program: Program, root: SyntaxNode) -> Iterator[SyntaxNode]:
    called: set[str] = set()
    waiting: list[SyntaxNode] = [root]
    while waiting:
        for node in program.nodes(waiting.pop()):
            yield node
            rule = program.definitions.get(node.name) if isinstance(node, Call) else None
            if rule is not None and rule.name not in called and rule.gives == TEXT:
                called.add(rule.name)
                waiting += [*rule.body, *([] if rule.value is None else [rule.value])]


def _spoken(program: Program) -> list[SyntaxNode]:
    return [node for node in _nodes(program) if isinstance(node, _SPOKEN)]


def _nodes(program: Program) -> Iterator[SyntaxNode]:
    for _, roots in effect_texts(program):
        for root in roots:
            yield from program.nodes(root)


def check_examples(documents: DocumentSet) -> Iterator[Diagnostic]:
    """Reports examples that name two things to run."""
    for entry in documents.entries("examples"):
        node = entry.node
        if isinstance(node, Mapping) and "run" in node and "step" in node:
            message = f"the example '{entry.name}' has both 'run' and 'step'"
            yield Diagnostic("wrong-shape", message, node.key_place("step"), "run one of them in an example of its own")


def _not_declined(address: str, place: Place) -> Diagnostic:
    message = f"'{address}' always has to be answered, so no words for declining it are shown"
    return Diagnostic("unknown-decision", message, place, "remove the entry")


def _unknown(what: str, name: str, known: Iterable[str], place: Place) -> Diagnostic:
    hint = did_you_mean(name, known)
    code = {"kind or word": "unknown-word", "line of the log": "unknown-line"}.get(what, f"unknown-{what}")
    return Diagnostic(code, f"there is no {what} '{name}' to put into words", place, hint)


# ---------------------------------------------------------------- parts
def _costs(node: Mapping, program: Program) -> Iterator[Diagnostic]:
    computed = {name.rpartition(".")[2]: None for name in program.definitions if "." in name}
    for entry in node.items.values():
        of = entry.items.get("of") if isinstance(entry, Mapping) else None
        if isinstance(of, Scalar) and of.text not in computed:
            message = f"no kind computes an attribute '{of.text}', so it cannot be a cost"
            yield Diagnostic("unknown-attribute", message, of.source.place(0), did_you_mean(of.text, computed))


def _choices(node: Mapping, words: Iterable[str]) -> Iterator[Diagnostic]:
    known = dict.fromkeys(words)
    entries = [each for each in node.items.values() if isinstance(each, Mapping)]
    for by_choice in [each for entry in entries for each in entry.items.values() if isinstance(each, Mapping)]:
        for name in [each for each in by_choice if each not in known]:
            yield _unknown("word", name, known, by_choice.key_place(name))


def _names(node: Mapping, program: Program) -> Iterator[Diagnostic]:
    for kind, inner in node.items.items():
        if kind not in program.kinds:
            yield _unknown("kind", kind, program.kinds, node.key_place(kind))
        elif isinstance(inner, Mapping):
            yield from _things(inner, kind, program)


def _things(node: Mapping, kind: str, program: Program) -> Iterator[Diagnostic]:
    below_it = {each.name for each in program.subkinds(kind)}
    known = {name: None for of, name in program.individuals if of in below_it}
    for name in node:
        if name not in known and f"{name}_1" not in known:
            hint = did_you_mean(name, known)
            yield Diagnostic("unknown-individual", f"there is no {kind} '{name}'", node.key_place(name), hint)


def _symbols(node: Mapping, program: Program) -> Iterator[Diagnostic]:
    words = {word for enum in program.enums.values() for word in enum.words}
    for name, inner in node.items.items():
        if isinstance(inner, Mapping):
            if name in program.kinds:
                yield from _things(inner, name, program)
            elif name in program.enums:
                yield from _words_of(program.enums[name], inner, "to give a sign")
            else:
                yield _unknown("kind", name, [*program.kinds, *program.enums], node.key_place(name))
        elif name not in program.kinds and name not in words:
            yield _unknown("kind or word", name, [*program.kinds, *words], node.key_place(name))


def _words_of(enum: Enum, node: Mapping, purpose: str) -> Iterator[Diagnostic]:
    for each in node:
        if each not in enum.words:
            message = f"{enum.name} has no word '{each}' {purpose}"
            yield Diagnostic("unknown-word", message, node.key_place(each), did_you_mean(each, enum.words))


def _colours(node: Mapping, program: Program) -> Iterator[Diagnostic]:
    for name, inner in node.items.items():
        if not isinstance(inner, Mapping):
            continue
        if name in program.kinds:
            yield from _things(inner, name, program)
        elif name in program.enums:
            yield from _words_of(program.enums[name], inner, "to colour")
        else:
            hint = did_you_mean(name, [*program.kinds, *program.enums])
            yield Diagnostic("unknown-kind", f"there is no kind '{name}' to colour", node.key_place(name), hint)


def _map(node: Scalar, program: Program) -> Iterator[Diagnostic]:
    spaces = {each.name for each in program.kinds.values() if each.root == "space"}
    known = {name: None for kind, name in program.individuals if kind in spaces}
    for found in _PLACEHOLDER.finditer(node.text):
        name = found[1]
        if name not in known:
            hint = did_you_mean(name, known)
            place = node.source.place(found.start(1))
            yield Diagnostic("unknown-individual", f"there is no space '{name}' to show on the map", place, hint)


# ---------------------------------------------------------------- what there is
def _words(program: Program, spoken: Iterable[SyntaxNode]) -> list[str]:
    found = [*program.kinds, *program.enums, *program.options, *program.actions, *program.menus]
    found += [*ANSWER_WORDS, *LOG_WORDS]
    found += [word for enum in program.enums.values() for word in enum.words]
    found += [*program.procedures, *program.definitions, *program.tables, *program.modifiers, *program.restrictions]
    found += [item.name for rule in program.modifiers.values() for item in (*rule.items, *rule.limits)]
    found += [item.name for bars in program.restrictions.values() for item in bars.items]
    found += [each.name for each in steps_of(program.sequence)]
    found += [each.called for each in program.victory]
    for procedure in program.procedures.values():
        if procedure.outcomes:
            found += [*procedure.outcomes, *[each.name for each in procedure.takes]]
    found += outcome_texts(program)
    found += [axis.parameter.name for table in program.tables.values() for axis in table.axes]
    found += [pick.parameter.name for action in program.actions.values() for pick in action.picks]
    found += [node.label for node in _nodes(program) if isinstance(node, RollApart | RollSum)]
    found += [each.name for node in spoken if isinstance(node, ChoiceBlock) for each in node.choices]
    return [*found, *_win_reasons(spoken)]


def _win_reasons(spoken: Iterable[SyntaxNode]) -> list[str]:
    reasons = [node.reason for node in spoken if isinstance(node, Win | Tie)]
    return [part for each in reasons if isinstance(each, TextLit) for part in each.parts if isinstance(part, str)]


def _attributes(program: Program) -> list[str]:
    found = [*program.state]
    for kind in program.kinds.values():
        found += [each for name in program.attributes(kind.name) for each in (name, f"{kind.name}.{name}")]
    for rule in program.definitions.values():
        if rule.subject is not None:
            found += [rule.name, rule.name.rpartition(".")[2]]
    return found


def _addresses(program: Program, spoken: Iterable[SyntaxNode]) -> list[str]:
    found = [f"{action.name}.{pick.parameter.name}" for action in program.actions.values() for pick in action.picks]
    found += [
        node.address for node in spoken if isinstance(node, DecisionExpr | ChoiceBlock | ForEach) and node.address
    ]
    return found
