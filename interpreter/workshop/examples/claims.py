"""Whether an example came out as it claims, and where it did not, what it was instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sized
from typing import Any, Final

from interpreter.language.diagnostics import BicorneError, Diagnostic, Place, RuleFault, did_you_mean
from interpreter.language.model.image import Site
from interpreter.play.engine.decision import Decision, IllegalChoice
from interpreter.play.engine.engine import Event
from interpreter.play.engine.outcome import SEQUENCE_OVER, Result
from interpreter.play.engine.scripted import Script
from interpreter.play.inputs.dice import ScriptedDice
from interpreter.rules.documents.nodes import Node, Scalar
from interpreter.rules.linking.examples import Ending, Example, Offer
from interpreter.workshop.examples.ad_hoc_expressions import Spoken
from interpreter.workshop.examples.claim_introspection import Dissection, look, shown
from interpreter.workshop.examples.prepare import Prepared, given
from interpreter.workshop.examples.scripted_game import ScriptedGame


# ---------------------------------------------------------------- claims
def claims(prepared: Prepared, game: ScriptedGame, result: tuple[Any, ...]) -> Iterator[Diagnostic]:
    """What `then` claims and does not hold; `result` is what `run` gave, empty if nothing."""
    for number, claim in enumerate(prepared.claims):
        if claim.scope and not result:
            message = f"the game ended before what was run gave a result: {claim_text(claim)}"
            yield Diagnostic("no-result", message, claim.node.place)
            continue
        values = result if claim.scope else ()
        try:
            holds, events = look(game, game.core.bind(prepared.unit, f"then_{number}"), values)
        except BicorneError as error:
            yield Diagnostic("rule-fault", f"{claim_text(claim)}: {fault_text(error)}", claim.node.place)
            continue
        if not holds:
            told = [*Dissection(prepared, game, claim, values).told(), *_tallies(events, game.core.image.sites)]
            hint = "; ".join(dict.fromkeys(told)) or None
            yield Diagnostic("not-true", f"this is not true: {claim_text(claim)}", claim.node.place, hint)


def claim_text(claim: Spoken) -> str:
    """A claim as it is written, on one line."""
    return " ".join(claim.node.text.split())


def fault_text(error: BicorneError) -> str:
    """What went wrong in a rule, with the place in the rules."""
    if not isinstance(error, RuleFault):
        return str(error)
    found = error.diagnostic
    place = f" (at {found.place})" if found.place.line else ""
    return f"{found.message}{place}" + (f"; {found.hint}" if found.hint else "")


def _tallies(events: list[Event], sites: tuple[Site, ...]) -> Iterator[str]:
    for kind, number, data in events:
        if kind == "modifiers":
            tally, total = data
            parts = [f"{sites[item].address} {value:+d} [{', '.join(sites[item].cites)}]" for item, value in tally]
            yield f"{sites[number].address} is {total:+d} ({', '.join(parts) or 'nothing applies'})"
        elif kind == "restriction":
            yield f"{sites[number].address} of {sites[number].rule} applies [{', '.join(sites[number].cites)}]"


# ---------------------------------------------------------------- what was offered
_NOTHING: Final = {"none", "pass", "no more"}


def offers(example: Example, asked: dict[str, Decision], game: ScriptedGame) -> Iterator[Diagnostic]:
    """What was to be among the options and was not, and the other way round; what never can be is no claim."""
    for each in example.offers:
        decision = asked.get(each.address)
        if decision is None:
            yield Diagnostic("not-asked", f"'{each.address}' was never asked", each.place)
            continue
        yield from _wrongly_offered(each, decision)
        yield from _never_offered(each, decision, game)


def _wrongly_offered(offer: Offer, decision: Decision) -> Iterator[Diagnostic]:
    options = ", ".join([shown(option) for option in decision.options])
    for nodes, wanted in ((offer.has, True), (offer.lacks, False)):
        for node in nodes:
            if _is_offered(decision, node) is not wanted:
                fault = "is not offered" if wanted else "is offered and must not be"
                message = f"'{shown_node(node)}' {fault} at '{offer.address}'"
                yield Diagnostic("wrong-offer", message, node.place, f"offered: {options}")


def _never_offered(offer: Offer, decision: Decision, game: ScriptedGame) -> Iterator[Diagnostic]:
    """Names under `lacks` that no option of the decision can have."""
    if decision.kind == "menu":
        known, what = set(game.core.actions), "action"
    elif any(hasattr(option, "ref") for option in decision.options):
        known, what = {name for each in game.core.world.objects for name in (each.id, each.ref)}, "thing"
        for words in game.core.shared.model.words.values():
            known |= {name for each in words for name in (each.id, each.ref)}
    else:
        return
    for node in offer.lacks:
        if isinstance(node, Scalar) and isinstance(name := given(node), str) and name not in known | _NOTHING:
            message = f"there is no {what} '{name}', so that it is never offered at '{offer.address}'"
            yield Diagnostic("never-offered", message, node.place, did_you_mean(name, known))


def _is_offered(decision: Decision, node: Node) -> bool:
    try:
        decision.position(given(node))
    except IllegalChoice:
        return False
    return True


def shown_node(node: Node) -> str:
    """What a node of an example says, in short."""
    return node.text if isinstance(node, Scalar) else str(given(node))


# ---------------------------------------------------------------- what was not used, and the end
def unused(example: Example, script: Script, dice: ScriptedDice) -> Iterator[Diagnostic]:
    """Answers and dice that were given and never needed."""
    for address, left in script.left.items():
        nodes = example.decisions[address]
        for node in nodes[len(nodes) - len(left) :]:
            message = f"the answer '{shown_node(node)}' to '{address}' was not needed"
            hint = "a decision with nothing to choose between is not asked; take the answer out if that is meant"
            yield Diagnostic("unused-answer", message, node.place, hint)
    for label, faces in dice.left.items():
        place = example.dice[label][len(example.dice[label]) - len(faces)].place
        names = ", ".join(map(str, faces))
        hint = "take them out, or let the example run on to where they are rolled"
        yield Diagnostic("unused-dice", f"these dice of '{label}' were not rolled: {names}", place, hint)


def ending(wanted: Ending | None, result: Result | None) -> Iterator[Diagnostic]:
    """Whether the game ended as it was to end, where that is claimed."""
    if wanted is None:
        return
    if result is None or result.reason == SEQUENCE_OVER:
        yield Diagnostic("not-ended", "the game did not end", wanted.place)
    elif set(result.winners) != set(wanted.winners):
        expected = f"{' and '.join(wanted.winners)} should win" if wanted.winners else "it should be a draw"
        hints = [did_you_mean(each, result.winners) for each in wanted.winners]
        yield Diagnostic("wrong-end", f"{expected}, but {result}", wanted.place, next(filter(None, hints), None))
    elif wanted.reason is not None and result.reason != wanted.reason:
        message = f"the game was to end for the reason '{wanted.reason}', not '{result.reason}'"
        yield Diagnostic("wrong-end", message, wanted.place)


def place_of(example: Example, part: str, address: str, left: Mapping[str, Sized]) -> Place:
    """Where the answer or die is written that was due last: the one before those that are left."""
    nodes = (example.decisions if part == "decisions" else example.dice).get(address, ())
    due = len(nodes) - len(left.get(address, ())) - 1
    if 0 <= due < len(nodes):
        return nodes[due].place
    return example.places.get(f"{part}/{address}", example.place)
