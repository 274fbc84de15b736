"""Checks that overlays fit the ruleset and one another: versions, requirements, exclusions and order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.language.diagnostics import Diagnostic, did_you_mean
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Scalar
from interpreter.rules.documents.versions import range_faults
from interpreter.rules.linking.link_context import text_of
from interpreter.rules.overlays.patch.overlay import Overlay


def check_order(documents: DocumentSet, overlays: Sequence[Overlay]) -> Iterator[Diagnostic]:
    """Yields the errors of a list of overlays, lowest first, before any patch is applied."""
    known = {each.id: each for each in reversed(overlays)}
    for number, overlay in enumerate(overlays):
        yield from _for_this(documents, overlay)
        below = [each.id for each in overlays[:number]]
        if known[overlay.id] is not overlay:
            message = f"the overlay '{overlay.id}' is given twice; first from {known[overlay.id].file.path}"
            yield Diagnostic("overlay-twice", message, overlay.place, "leave one of them out, or give it another id")
            continue
        if cycle := _cycle(overlay, known):
            if overlay.id == min(cycle):
                message = f"these overlays require one another in a circle: {' -> '.join(cycle)}"
                hint = "remove one of these from 'requires' or 'after'"
                yield Diagnostic("overlay-cycle", message, overlay.place, hint)
        else:
            yield from _order(overlay, below, known)
        yield from _excluded(overlay, known)


def _for_this(documents: DocumentSet, overlay: Overlay) -> Iterator[Diagnostic]:
    head = documents.head
    name, version = text_of(head.get("id")), text_of(head.get("version"))
    if overlay.ruleset != name:
        message = f"the overlay '{overlay.id}' is for the ruleset '{overlay.ruleset}', not for '{name}'"
        place = overlay.head.items["for"].place
        yield Diagnostic("overlay-ruleset", message, place, did_you_mean(overlay.ruleset, [name]))
        return
    versions = overlay.head.get("versions")
    if isinstance(versions, Scalar):
        yield from range_faults(versions, version, "the ruleset", "ruleset-version")


def _cycle(overlay: Overlay, known: dict[str, Overlay]) -> list[str]:
    """Returns a cycle of dependencies from an overlay back to itself; empty if there is none."""
    chains = [[overlay.id]]
    seen: set[str] = set()
    for chain in chains:
        for each in _below(known[chain[-1]]):
            if each.text == overlay.id:
                return [*chain, overlay.id]
            if each.text in known and each.text not in seen:
                seen.add(each.text)
                chains.append([*chain, each.text])
    return []


def _below(overlay: Overlay) -> tuple[Scalar, ...]:
    return (*overlay.named("requires"), *overlay.named("after"))


def _order(overlay: Overlay, below: list[str], known: dict[str, Overlay]) -> Iterator[Diagnostic]:
    for each in overlay.named("requires"):
        if each.text not in known:
            message = f"the overlay '{overlay.id}' requires '{each.text}', which is not given"
            yield Diagnostic("overlay-missing", message, each.place, f"give it first: --with {each.text} --with …")
    for each in _below(overlay):
        if each.text in known and each.text not in below:
            message = f"the overlay '{each.text}' must come before '{overlay.id}', but is given after it"
            yield Diagnostic("overlay-order", message, each.place, f"give '{each.text}' first")


def _excluded(overlay: Overlay, known: dict[str, Overlay]) -> Iterator[Diagnostic]:
    for each in overlay.named("excludes"):
        if each.text in known:
            message = f"the overlay '{overlay.id}' can't be used with '{each.text}'"
            yield Diagnostic("overlay-excluded", message, each.place, "use only one of the two")


def is_below(lower: Overlay, upper: Overlay, overlays: Sequence[Overlay]) -> bool:
    """Whether `upper` declares, directly or through others, that it comes after `lower`."""
    known = {each.id: each for each in overlays}
    todo, seen = [upper.id], set[str]()
    while todo:
        for each in _below(known[todo.pop()]):
            if each.text == lower.id:
                return True
            if each.text in known and each.text not in seen:
                seen.add(each.text)
                todo.append(each.text)
    return False
