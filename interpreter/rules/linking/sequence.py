"""Links the `sequence` of play: a tree of named steps with one root."""

from __future__ import annotations

from interpreter.language.diagnostics import Place
from interpreter.language.model.program import Parameter, Step
from interpreter.language.parsing.build_expressions import RESERVED_WORDS
from interpreter.language.parsing.parse import parse_binding
from interpreter.language.tree.statements import Binding
from interpreter.rules.documents.nodes import Node
from interpreter.rules.linking.around import layered_body
from interpreter.rules.linking.link_context import Entry, LinkContext, cites, is_true


def link_sequence(context: LinkContext) -> None:
    """The only root of the sequence with all steps below it; step names differ over the whole tree."""
    entries = context.entries("sequence")
    for extra in entries[1:]:
        hint = f"put it among the 'steps' of '{entries[0].name}', or put one step around both"
        context.fault("second-root", f"the sequence begins with '{entries[0].name}' already", extra.place, hint)
    if entries:
        context.program.sequence = _step(context, entries[0], None, (), {})


def _step(
    context: LinkContext, entry: Entry, parent: str | None, around: tuple[Parameter, ...], seen: dict[str, Place]
) -> Step:
    fields = entry.fields
    context.name_is_sound(entry.name, "step", entry.place)
    if entry.name in seen:
        hint = f"rename one, as 'end {entry.name}' could mean either; the first is at {seen[entry.name]}"
        context.fault("duplicate-name", f"two steps are called '{entry.name}'", entry.place, hint)
    seen.setdefault(entry.name, entry.place)
    _check_shape(context, entry)
    each = _binding(context, fields.get("each"))
    bound = Parameter(name=each.name, place=each.place) if each is not None else None
    if bound is not None:
        context.name_is_sound(bound.name, "binding", bound.place, RESERVED_WORDS)
    scope = (*around, bound) if bound is not None else around
    return Step(
        name=entry.name,
        place=entry.place,
        cites=cites(fields),
        parent=parent,
        when=context.expr(fields.get("when")),
        each=each,
        bound=bound,
        repeat=context.expr(fields.get("repeat")),
        until=context.expr(fields.get("until")),
        body=layered_body(context, entry),
        horizon=is_true(fields.get("horizon")),
        steps=tuple(_step(context, below, entry.name, scope, seen) for below in context.pairs(fields.get("steps"))),
        scope=scope,
    )


def _check_shape(context: LinkContext, entry: Entry) -> None:
    fields = entry.fields
    if ("do" in fields) == ("steps" in fields):
        said = "both 'do' and 'steps'" if "do" in fields else "neither 'do' nor 'steps'"
        context.fault("wrong-shape", f"the step '{entry.name}' has {said}", entry.place, "a step has one of the two")
    if "around" in fields and "do" not in fields:
        hint = "wrap one of its steps, or add a step before or after it"
        context.fault("wrong-shape", f"the step '{entry.name}' has no text to lay others around", entry.place, hint)
    if "until" in fields and "repeat" not in fields:
        hint = "add 'repeat:' with the most repetitions there can be"
        context.fault("missing-key", f"the step '{entry.name}' has 'until' without 'repeat'", entry.place, hint)


def _binding(context: LinkContext, node: Node | None) -> Binding | None:
    if node is None or (text := context.scalar(node, "a binding")) is None:
        return None
    return context.attempt(parse_binding, text.source)
