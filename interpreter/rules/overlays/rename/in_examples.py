"""Finds the uses of a name in worked examples: in their situation, rule text, answers and dice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Final

from interpreter.language.checking.check import check_expression
from interpreter.language.checking.program.effects import effect_texts
from interpreter.language.diagnostics import RulesetError
from interpreter.language.model.program import Parameter, Program
from interpreter.language.parsing.parse import parse_expr
from interpreter.language.tree.statements import ChoiceBlock, Draw, Random
from interpreter.language.tree.traversal import walk_tree
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence
from interpreter.rules.linking.link_context import words
from interpreter.rules.overlays.patch.expectation import patch_error
from interpreter.rules.overlays.rename.in_data import NameChange
from interpreter.rules.overlays.rename.in_rules import NamePredicate, roots, uses_in
from interpreter.rules.overlays.rename.in_situations import SituationRenamer
from interpreter.rules.overlays.rename.text_edits import Edits, TextIndex, scalars

_UNTYPED: Final = ("decisions", "dice", "offers", "sees", "with", "ends")
"""Parts of an example whose values have no type until the example runs and a decision asks for them."""


class ExampleRenamer(SituationRenamer):
    """Visits worked examples and collects an edit for every use of one name."""

    def __init__(
        self, documents: DocumentSet, program: Program, named: NameChange, edits: Edits, means: NamePredicate
    ) -> None:
        super().__init__(documents, program, named, edits)
        self._means = means
        nameable = {key: replace(each, named=True) for key, each in program.individuals.items()}
        self._spoken = replace(program, individuals=nameable)
        self._labels = frozenset(_chance_labels(program)) & named.names.keys()

    def collect(self) -> None:
        """Collects all edits.

        Raises:
            RulesetError: if the name of an answer is ambiguous.
        """
        index = TextIndex(self._documents)
        for entry in self._documents.entries("examples"):
            if isinstance(entry.node, Mapping):
                self._situation(entry.node)
                self._texts(entry.node, index)
                self._answers(entry.node)

    # ------------------------------------------------------------ rule text
    def _texts(self, node: Mapping, index: TextIndex) -> None:
        scope: tuple[Parameter, ...] = ()
        for each in (*words(node.get("run")), *words(node.get("then"))):
            with suppress(RulesetError):
                expr = parse_expr(each.source)
                check_expression(self._spoken, expr, scope, None)
                for place, name, ref in uses_in(expr):
                    if self._means(name, ref) and (found := index.find(place, name)) is not None:
                        self._edits.word(*found, name, self._named.names[name])
                if each is node.get("run"):
                    scope = (Parameter(name="result", type=expr.type),)
        self._word("step", node.get("step"))

    # ------------------------------------------------------------ answers and dice
    def _answers(self, node: Mapping) -> None:
        dice = node.get("dice")
        for label in list(dice.items) if isinstance(dice, Mapping) else ():
            if label in self._labels and self._named.sort in ("procedures", "actions", "step"):
                self._edits.key(dice, label, self._named.names[label])  # type: ignore[arg-type]
        if self._named.sort not in ("word", "individual", "actions"):
            return
        for part in _UNTYPED:
            inner = node.get(part)
            for each in scalars(inner) if inner is not None else ():
                if each.text in self._named.names:
                    self._check_sense(each)
                    self._edits.whole(each, self._named.names[each.text])
            self._keys_of_answers(inner)

    def _keys_of_answers(self, node: Node | None) -> None:
        """Renames keys of allocations, which are ids of things."""
        for each in node.items.values() if isinstance(node, Mapping) else ():
            for answer in each.items if isinstance(each, Sequence) else ():
                for name in list(answer.items) if isinstance(answer, Mapping) else ():
                    if isinstance(answer, Mapping) and name in self._named.names:
                        self._edits.key(answer, name, self._named.names[name])

    def _check_sense(self, node: Scalar) -> None:
        if len(list(self._senses(node.text))) > 1:
            message = f"this '{node.text}' is ambiguous: it may be the renamed one or something else of the same name"
            hint = "patch this example before the rename, or choose other answers"
            raise patch_error("rename-unsure", message, node.place, hint)

    def _senses(self, text: str) -> Iterator[str]:
        """Yields what a name can mean as an answer."""
        program = self._program
        yield from (f"{kind}/{own}" for kind, own in program.individuals if own == text)
        yield from (each.name for each in program.enums.values() if text in each.words)
        yield from (each for each in program.actions if each == text)
        choices = (each for root in roots(program) for each in walk_tree(root) if isinstance(each, ChoiceBlock))
        yield from (choice.name for each in choices for choice in each.choices if choice.name == text)


def _chance_labels(program: Program) -> Iterator[str]:
    """Yields the titles of rules that draw or pick at random, under which examples give their results."""
    for symbol, found in effect_texts(program):
        if any(isinstance(each, Random | Draw) for root in found for each in walk_tree(root)):
            yield symbol.title
