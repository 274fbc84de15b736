"""The weights of an evaluation: numbers in its text, and in the text of rules that nothing but players reads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interpreter.language.diagnostics import RulesetError, UsageError
from interpreter.language.parsing.parse import rule_tokens
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping, Node, Scalar
from interpreter.rules.documents.nodes import Sequence as NodeSequence
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.workshop.mutation.mutants import evaluated_rules

_TEXT_KEYS = ("is", "do", "value")


@dataclass(frozen=True, slots=True)
class Weight:
    """A number of rule text: the path of the text, the offset in it, and the value."""

    path: str
    at: int
    value: int


class EvaluationWeights:
    """The weights of the evaluation of a ruleset, in document order, and overlays that change them.

    A weight is a factor beside `*`, or a modifier's value that is a plain number. Only the evaluation and the
    definitions and modifiers that it alone reads are searched: no rule of the game changes with a weight.

    Raises:
        UsageError: if the ruleset has no evaluation, or there is no weight in it.
    """

    def __init__(self, ruleset: Ruleset, documents: DocumentSet) -> None:
        self._ruleset = ruleset
        self._texts: dict[str, str] = {}
        self.weights: list[Weight] = []
        for path, node in _texts(documents):
            found = list(_factors(path, node))
            if found:
                self._texts[path] = node.text
                self.weights += found
        if not self.weights:
            raise UsageError(
                f"the ruleset {ruleset.name} has no weights to tune: a weight is a number beside '*' in its "
                "evaluation, or the value of a modifier that nothing but the evaluation reads"
            )

    def overlay(self, values: Sequence[int], identity: str, title: str) -> str:
        """Returns the text of an overlay that gives the weights these values; texts that stay have no patch."""
        ruleset = self._ruleset
        versions, title = json.dumps(f"={ruleset.version}"), json.dumps(title, ensure_ascii=False)
        lines = [
            f"overlay: {{id: {identity}, for: {ruleset.name}, versions: {versions}, title: {title}}}",
            "patches:" + ("" if [each.value for each in self.weights] != list(values) else " []"),
        ]
        for path, text in self._texts.items():
            changed = self._changed(path, text, values)
            if changed != text:
                lines.append(f"  - at: {path}")
                lines.append(f"    expect: {_scalar(text)}")
                lines.append(f"    set: {_scalar(changed)}")
        return "\n".join(lines) + "\n"

    def _changed(self, path: str, text: str, values: Sequence[int]) -> str:
        pairs = [(each, value) for each, value in zip(self.weights, values, strict=True) if each.path == path]
        for weight, value in reversed(pairs):
            text = text[: weight.at] + str(value) + text[weight.at + len(str(weight.value)) :]
        return text


def _scalar(text: str) -> str:
    """Writes a text of rules as a value of YAML; a plain number stays a number."""
    number = text.strip().removeprefix("-")
    return text.strip() if number.isdecimal() else json.dumps(text, ensure_ascii=False)


def _texts(documents: DocumentSet) -> Iterator[tuple[str, Scalar]]:
    """Yields the texts of the evaluation, and of the definitions and modifiers that it alone reads, by path."""
    for node in documents.nodes("evaluation"):
        yield from _texts_of(node, "evaluation")
    evaluated = evaluated_rules(documents)
    for section in ("definitions", "modifiers"):
        for node in documents.nodes(section):
            for name, entry in node.items.items() if isinstance(node, Mapping) else ():
                if (path := f"{section}/{name}") in evaluated:
                    yield from _texts_of(entry, path)


def _texts_of(entry: Node, path: str) -> Iterator[tuple[str, Scalar]]:
    if not isinstance(entry, Mapping):
        return
    for key in _TEXT_KEYS:
        if isinstance(node := entry.get(key), Scalar):
            yield f"{path}/{key}", node
    items = entry.get("each")
    for item in items.items if isinstance(items, NodeSequence) else ():
        if isinstance(item, Mapping) and isinstance(name := item.get("id"), Scalar):
            yield from _texts_of(item, f"{path}/each/{name.text}")


def _factors(path: str, node: Scalar) -> Iterator[Weight]:
    try:
        tokens = list(rule_tokens(node.source))
    except RulesetError:
        return
    visible = [each for each in tokens if each.text.strip()]
    plain = path.endswith("/value") and [each.text for each in visible if each.text != "-"] == [
        each.text for each in visible if each.kind == "INT"
    ]
    for number, token in enumerate(visible):
        around = [each.text for each in visible[max(number - 1, 0) : number + 2]]
        if token.kind == "INT" and int(token.text) and (plain or "*" in (around[0], around[-1])) and around[0] != "/":
            yield Weight(path, token.at, int(token.text))
