"""Standing orders of a situation: how the questions to a seat are answered, by question, by thing and by state.

The orders are a mapping under `orders`. Each decision goes through them in their order: an order that concerns it
keeps one option, or those that its expression rates best, and the next ones choose among these.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from interpreter.inference.situation.situation import POLICIES, policy_of, read_given
from interpreter.language.answer_words import ANSWER_WORDS
from interpreter.language.checking.check import check_expression
from interpreter.language.checking.program.priors import option_addresses, question_types
from interpreter.language.diagnostics import Diagnostic, Place, RulesetError, did_you_mean, quoted
from interpreter.language.model.image import Image, decision_addresses
from interpreter.language.model.program import Parameter, Procedure, Program
from interpreter.language.parsing.parse import parse_expr
from interpreter.language.tree.statements import Expr
from interpreter.language.tree.types import BOOL, INT, NUMBER, KindType, Type, UnknownType, present
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, as_plain_data, describe
from interpreter.rules.documents.nodes import Sequence as ListNode
from interpreter.rules.documents.source_excerpts import with_excerpts

ORDERS: Final = "orders"
"""The key of a situation under which its standing orders are."""
OPTION, PICKED = "option", "picked"
"""The locals of a rating: the option, and how often the decision has picked it already."""
_ANSWERS = ("choose", "policy", "most", "least")
_KEYS = ("of", "at", "for", "when", *_ANSWERS)


@dataclass(frozen=True, slots=True)
class Order:
    """A standing order. `text` is all that it says: orders with equal texts are equal.

    It concerns the decisions at `addresses` (all, if there are none) of the seat that `seat` gives, while `when` holds,
    and while `procedure` runs, whose parameters are in the scope of its expressions.
    """

    name: str
    place: Place
    text: str
    addresses: tuple[str, ...]
    procedure: Procedure | None
    seat: Expr | None
    when: Expr | None
    choose: tuple[Any, ...] = ()
    """Answers: the first that is offered is given."""
    policy: str | None = None
    ratings: dict[str, Expr] = field(default_factory=dict)
    """The expression that rates an option, by address."""
    best_is_least: bool = False

    @property
    def scope(self) -> tuple[Parameter, ...]:
        """The parameters that its expressions may name."""
        return scope_of(self.procedure)


def scope_of(procedure: Procedure | None) -> tuple[Parameter, ...]:
    """Returns the parameters of a procedure that expressions of an order may name."""
    takes = () if procedure is None else procedure.takes
    return tuple([each for each in takes if each.name not in (OPTION, PICKED)])


def read_orders(source: Any) -> Mapping:
    """Reads a document with standing orders, in the form of a situation: a file or plain data.

    Raises:
        UsageError: if it can't be read.
        RulesetError: if it has no standing orders, or is no situation.
    """
    node = read_given(Path(source) if isinstance(source, str) else source)
    if ORDERS not in node:
        fault = Diagnostic("no-orders", f"no standing orders are given under '{ORDERS}'", node.place)
        raise RulesetError(with_excerpts([fault]))
    return node


def link_orders(documents: Iterable[Mapping], program: Program, image: Image) -> tuple[Order, ...]:
    """Links the standing orders of documents; of two with one name the first counts.

    In `program` every counter of the situation can be named; `image` is the same ruleset compiled.

    Raises:
        RulesetError: with everything that is wrong in them.
    """
    linker, found = _OrderLinker(program, image), dict[str, Order]()
    for document in documents:
        node = document.get(ORDERS)
        if node is not None and not isinstance(node, Mapping):
            linker.fault("wrong-shape", f"'{ORDERS}' is a mapping from names to orders, not {describe(node)}", node)
        elif node is not None:
            for name, each in node.items.items():
                order = linker.order(name, each)
                if order is not None:
                    found.setdefault(name, order)
    if linker.faults:
        raise RulesetError(with_excerpts(linker.faults))
    return tuple(found.values())


class _OrderLinker:
    """Links the orders of one program, and collects what is wrong in them."""

    def __init__(self, program: Program, image: Image) -> None:
        self._program, self._image = program, image
        self.faults: list[Diagnostic] = []
        self._types: dict[str, Type] | None = None
        self._known: frozenset[str] | None = None

    def fault(self, code: str, message: str, node: Node | Place, hint: str | None = None) -> None:
        """Adds a diagnostic."""
        self.faults.append(Diagnostic(code, message, node.place, hint))

    def order(self, name: str, node: Node) -> Order | None:
        """Returns an order; none if something is wrong in it."""
        before = len(self.faults)
        if not isinstance(node, Mapping):
            example = f"{name}: {{at: question, choose: answer}}"
            self.fault("wrong-shape", f"an order is a mapping, like '{example}', not {describe(node)}", node)
            return None
        for key in node:
            if key not in _KEYS:
                self.fault("unknown-key", f"an order has no '{key}'", node.key_place(key), did_you_mean(key, _KEYS))
        given = [key for key in _ANSWERS if key in node]
        if len(given) != 1:
            problem = f"has both {quoted(given, ' and ')}" if given else "does not say what is answered"
            hint = f"write one of {', '.join(_ANSWERS)}"
            self.fault("wrong-shape", f"the order '{name}' {problem}", node, hint)
        procedure, addresses = self._procedure(node.get("for")), self._addresses(node.get("at"))
        scope = scope_of(procedure)
        found = Order(
            name=name,
            place=node.place,
            text=repr(as_plain_data(node)),
            addresses=addresses,
            procedure=procedure,
            seat=self._expr(node.get("of"), scope, KindType("seat")),
            when=self._expr(node.get("when"), scope, BOOL),
            choose=self._answers(node.get("choose")),
            policy=self._policy(node.get("policy")),
            ratings=self._ratings(node, addresses, scope),
            best_is_least="least" in node,
        )
        return found if len(self.faults) == before else None

    def _procedure(self, node: Node | None) -> Procedure | None:
        name = self._word(node, "the procedure")
        found = self._program.procedures.get(name or "")
        if node is not None and name is not None and found is None:
            self.fault(
                "unknown-name", f"there is no procedure '{name}'", node, did_you_mean(name, self._program.procedures)
            )
        return found

    def _addresses(self, node: Node | None) -> tuple[str, ...]:
        nodes = node.items if isinstance(node, ListNode) else [] if node is None else [node]
        found = [(self._word(each, "a question"), each) for each in nodes]
        asked = decision_addresses(self._image) if found else set()
        for name, each in found:
            if name is not None and name not in asked:
                self.fault("unknown-name", f"there is no decision '{name}'", each, did_you_mean(name, asked))
        return tuple([name for name, _ in found if name is not None])

    def _policy(self, node: Node | None) -> str | None:
        word = self._word(node, "a policy")
        if node is None or word is None:
            return None
        if policy_of(word) not in POLICIES:
            message = f"'{word}' is not a policy: expected one of {', '.join(POLICIES)}"
            self.fault("unknown-policy", message, node, did_you_mean(word, POLICIES))
        return str(policy_of(word))

    def _answers(self, node: Node | None) -> tuple[Any, ...]:
        nodes = node.items if isinstance(node, ListNode) else [] if node is None else [node]
        for each in nodes:
            value = each.value if isinstance(each, Scalar) else None
            if isinstance(value, str) and value not in ANSWER_WORDS and value not in self._names():
                self.fault("unknown-name", f"nothing is called '{value}'", each, did_you_mean(value, self._names()))
        return tuple([as_plain_data(each) for each in nodes])

    def _names(self) -> frozenset[str]:
        """The names that an answer can have: of things, words, actions and choices."""
        if self._known is None:
            program = self._program
            found = {word for each in program.enums.values() for word in each.words}
            for kind, name in program.individuals:
                found |= {name, f"{kind}/{name}"}
            found |= {each.rpartition(".")[2] for each in option_addresses(program)}
            self._known = frozenset(found)
        return self._known

    def _ratings(self, node: Mapping, addresses: Sequence[str], scope: tuple[Parameter, ...]) -> dict[str, Expr]:
        key = next((each for each in ("most", "least") if each in node), None)
        if key is None:
            return {}
        if not addresses:
            self.fault("wrong-shape", f"'{key}' rates the options of certain questions: name them under 'at'", node)
        if self._types is None:
            self._types = question_types(self._program)
        found = {}
        for address in addresses:
            kind = present(self._types.get(address, UnknownType()))
            if isinstance(kind, UnknownType):
                message = f"the options of '{address}' have no type, so they can't be rated"
                self.fault("wrong-type", message, node, "name the options with 'choose'")
                continue
            locals_ = (*scope, Parameter(name=OPTION, type=kind), Parameter(name=PICKED, type=INT))
            expr = self._expr(node.get(key), locals_, None)
            if expr is None:
                continue
            if present(expr.type) not in (INT, NUMBER, BOOL) and not isinstance(expr.type, UnknownType):
                self.fault("wrong-type", f"'{key}' needs a number or a truth value, not {expr.type}", node.items[key])
            found[address] = expr
        return found

    def _expr(self, node: Node | None, scope: tuple[Parameter, ...], expected: Type | None) -> Expr | None:
        if node is None:
            return None
        if not isinstance(node, Scalar):
            self.fault("wrong-shape", f"an expression is expected, not {describe(node)}", node)
            return None
        try:
            expr = parse_expr(node.source)
        except RulesetError as error:
            self.faults += error.diagnostics
            return None
        found = check_expression(self._program, expr, scope, expected)
        self.faults += [each for each in found if each.severity == "error" and each not in self.faults]
        return expr

    def _word(self, node: Node | None, what: str) -> str | None:
        if node is None or (isinstance(node, Scalar) and isinstance(node.value, str)):
            return None if node is None else node.text
        self.fault("wrong-shape", f"{what} is expected, not {describe(node)}", node)
        return None
