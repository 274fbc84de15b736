"""Carries out the `wrap` verb: adds a layer around a procedure, a definition, an action or a step."""

from __future__ import annotations

from interpreter.language.parsing.source_map import ComposedText
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence
from interpreter.rules.linking.link_context import text_of
from interpreter.rules.overlays.patch.expectation import check_expected, patch_error, target_of
from interpreter.rules.overlays.patch.overlay import Patch
from interpreter.rules.overlays.path.targets import Path

WRAPPED = ("procedures", "definitions", "actions", "sequence")


_STATEMENT_RULES = {
    "procedures": ("a procedure", "write 'do: return …'"),
    "actions": ("an action", "write 'do: …'"),
    "sequence": ("a step", "write 'do: …'"),
}


def wrap(documents: DocumentSet, patch: Patch) -> list[Path]:
    """Adds a layer around a rule; the layer has the id of the overlay.

    Raises:
        RulesetError: if the rule has no text of its own, or the layer doesn't fit its kind.
    """
    target = target_of(documents, patch)
    fields = target.node
    whole = len(target.path) == 2 or (target.path[0] == "sequence" and target.path[-2] == "steps")
    if not whole or target.path[0] not in WRAPPED or not isinstance(fields, Mapping):
        message = f"'{patch.at.text}' can't be wrapped; only procedures, definitions, actions and steps can"
        raise patch_error("wrong-wrap", message, patch.at.place, "set its text")
    if target.path[0] == "sequence" and "do" not in fields:
        message = f"'{patch.at.text}' is a step with sub-steps and has no text to wrap"
        raise patch_error("wrong-wrap", message, patch.at.place, "wrap a sub-step, or add a step before or after it")
    check_expected(target, patch)
    assert isinstance(patch.value, Mapping)
    value = patch.value
    _check_parts(target.path[0], value)
    around = fields.get("around")
    if not isinstance(around, Sequence):
        around = Sequence(patch.at.origin, patch.at.start)
        fields.put("around", around, patch.at.origin, patch.at.start)
    layer = Mapping(value.origin, value.start)
    layer.put("id", _id(patch, around), patch.owner.origin, patch.owner.start)
    for key, node in value.items.items():
        layer.put(key, node, value.key_origin(key), value.key_starts[key])
    if patch.cites:
        cited = Sequence(patch.at.origin, patch.at.start)
        cited.items = list(patch.cites)
        layer.put("cite", cited, patch.at.origin, patch.at.start)
    around.items.append(layer)
    return [target.path]


def _check_parts(section: str, value: Mapping) -> None:
    instead = value.get("instead")
    for key in ("before", "after"):
        if section == "definitions" and key in value:
            message = f"a definition only gives a value, so '{key}' can't be used"
            raise patch_error("wrong-wrap", message, value.key_place(key), "write its value under 'instead'")
    if section != "definitions" and isinstance(instead, Mapping) and "is" in instead:
        what, hint = _STATEMENT_RULES[section]
        message = f"{what} carries out statements, but 'is' only gives a value"
        raise patch_error("wrong-wrap", message, instead.key_place("is"), hint)


def _id(patch: Patch, around: Sequence) -> Node:
    """Returns the id of the overlay, with a number if it wraps the rule again."""
    taken = {text_of(each.get("id")) for each in around.items if isinstance(each, Mapping)}
    name, number = patch.owner.text, 1
    while name in taken:
        number += 1
        name = f"{patch.owner.text}_{number}"
    if name == patch.owner.text:
        return patch.owner
    return Scalar.composed(patch.owner.origin, patch.owner.start, ComposedText.of([(name, patch.owner.place)]))
