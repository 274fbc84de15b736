"""Compares an example with its claims, and reports the actual outcome of each that is false."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sized
from typing import Any

from interpreter.language.answer_words import DECLINING
from interpreter.language.diagnostics import BicorneError, Diagnostic, Place, RuleFault, did_you_mean, number_of
from interpreter.language.model.image import Site
from interpreter.play.engine.decision import Decision, IllegalChoice
from interpreter.play.engine.engine import Event
from interpreter.play.engine.outcome import SEQUENCE_OVER, Result
from interpreter.play.engine.scripted import Script
from interpreter.play.inputs.dice import ScriptedDice
from interpreter.rules.documents.nodes import Node, Scalar
from interpreter.rules.linking.examples import Ending, Example, Offer
from interpreter.workshop.examples.ad_hoc_expressions import CheckedExpression
from interpreter.workshop.examples.claim_introspection import ClaimIntrospection, evaluate, value_summary
from interpreter.workshop.examples.prepare import PreparedExample, answer_value
from interpreter.workshop.examples.scripted_game import Observations, PickCount, ScriptedGame


# ---------------------------------------------------------------- claims
def failed_claims(prepared: PreparedExample, game: ScriptedGame, result: tuple[Any, ...]) -> Iterator[Diagnostic]:
    """Yields the false claims of `then`; `result` is the result of `run`, empty if there is none."""
    for number, claim in enumerate(prepared.claims):
        if claim.scope and not result:
            message = f"the game ended before 'run' had a result: {claim_text(claim)}"
            yield Diagnostic("no-result", message, claim.node.place)
            continue
        values = result if claim.scope else ()
        try:
            holds, events = evaluate(game, game.core.bind(prepared.unit, f"then_{number}"), values)
        except BicorneError as error:
            yield Diagnostic("rule-fault", f"{claim_text(claim)}: {fault_text(error)}", claim.node.place)
            continue
        if not holds:
            explanations = [
                *ClaimIntrospection(prepared, game, claim, values).explanations(),
                *_tallies(events, game.core.image.sites),
            ]
            hint = "; ".join(dict.fromkeys(explanations)) or None
            yield Diagnostic("not-true", f"this is not true: {claim_text(claim)}", claim.node.place, hint)


def claim_text(claim: CheckedExpression) -> str:
    """Returns a claim as it is written, on one line."""
    return " ".join(claim.node.text.split())


def fault_text(error: BicorneError) -> str:
    """Returns the message of an error, with its place in the rules."""
    if not isinstance(error, RuleFault):
        return str(error)
    found = error.diagnostic
    place = f" (at {found.place})" if found.place.line else ""
    return f"{found.message}{place}" + (f"; {found.hint}" if found.hint else "")


def _tallies(events: list[Event], sites: tuple[Site, ...]) -> Iterator[str]:
    for kind, number, data in events:
        if kind == "modifiers":
            tally, total, _ = data
            parts = [f"{sites[item].address} {value:+d} [{', '.join(sites[item].cites)}]" for item, value in tally]
            yield f"{sites[number].address} is {total:+d} ({', '.join(parts) or 'nothing applies'})"
        elif kind == "restriction":
            yield f"{sites[number].address} of {sites[number].rule} applies [{', '.join(sites[number].cites)}]"


# ---------------------------------------------------------------- what was offered
def wrong_offers(example: Example, observations: Observations, game: ScriptedGame) -> Iterator[Diagnostic]:
    """Yields the claims under `offers` that differ from the options, or that can never be false."""
    for each in example.offers:
        askings = observations.asked.get(each.address, [])
        if each.number >= len(askings):
            times = f"{number_of(len(askings), 'time')}, not {each.number + 1}"
            message = f"'{each.address}' was asked {times}" if askings else f"'{each.address}' was never asked"
            yield Diagnostic("not-asked", message, each.place)
            continue
        decision = askings[each.number]
        yield from _offer_mismatches(each, decision)
        yield from _impossible_options(each, decision, game)
        yield from _wrong_counts(each, observations.pick_counts.get(each.address, []))


def _offer_mismatches(offer: Offer, decision: Decision) -> Iterator[Diagnostic]:
    options = ", ".join([value_summary(option) for option in decision.options])
    for nodes, expected in ((offer.has, True), (offer.lacks, False)):
        for node in nodes:
            if _is_offered(decision, node) is not expected:
                fault = "is not offered" if expected else "is offered and must not be"
                message = f"'{node_summary(node)}' {fault} at '{offer.address}'"
                yield Diagnostic("wrong-offer", message, node.place, f"offered: {options}")


def _wrong_counts(offer: Offer, counts: list[PickCount]) -> Iterator[Diagnostic]:
    """Yields the claims under `most` that are false, or that the answers given do not show."""
    for number, node in enumerate(offer.most, offer.number):
        most = int(node.text)
        picked = counts[number] if number < len(counts) else None
        if picked is None:
            message = f"'{offer.address}' asked for several picks {number_of(len(counts), 'time')}, not {number + 1}"
            yield Diagnostic("not-asked", message, node.place)
        elif picked.chosen >= most:
            yield Diagnostic("wrong-offer", f"more than {most} can be chosen at '{offer.address}'", node.place)
        elif picked.chosen + 1 < most or picked.open_options < 2:
            message = f"that {most} are the most is not shown at '{offer.address}'"
            hint = f"answer with {most}, and have one more that could be chosen"
            yield Diagnostic("wrong-offer", message, node.place, hint)


def _impossible_options(offer: Offer, decision: Decision, game: ScriptedGame) -> Iterator[Diagnostic]:
    """Yields the names under `lacks` that no option of the decision can have."""
    if decision.kind == "menu":
        known, what = set(game.core.actions), "action"
    elif any(hasattr(option, "ref") for option in decision.options):
        known, what = {name for each in game.core.world.objects for name in (each.id, each.ref)}, "thing"
        for words in game.core.shared.model.words.values():
            known |= {name for each in words for name in (each.id, each.ref)}
    else:
        return
    for node in offer.lacks:
        if (
            isinstance(node, Scalar)
            and isinstance(name := answer_value(node), str)
            and name not in known.union(DECLINING)
        ):
            message = f"there is no {what} '{name}', so that it is never offered at '{offer.address}'"
            yield Diagnostic("never-offered", message, node.place, did_you_mean(name, known))


def _is_offered(decision: Decision, node: Node) -> bool:
    try:
        decision.index_of(answer_value(node))
    except IllegalChoice:
        return False
    return True


def node_summary(node: Node) -> str:
    """Returns the content of a node of an example in short."""
    return node.text if isinstance(node, Scalar) else str(answer_value(node))


# ---------------------------------------------------------------- unused inputs, and the end
def unused_inputs(example: Example, script: Script, dice: ScriptedDice) -> Iterator[Diagnostic]:
    """Yields the answers and dice that the example gives but does not need."""
    for address, left in script.unused.items():
        nodes = example.decisions[address]
        for node in nodes[len(nodes) - len(left) :]:
            message = f"the answer '{node_summary(node)}' to '{address}' was not needed"
            hint = "a decision with a single option is not asked; remove the answer if that is intended"
            yield Diagnostic("unused-answer", message, node.place, hint)
    for label, faces in dice.unused.items():
        place = example.dice[label][len(example.dice[label]) - len(faces)].place
        names = ", ".join(map(str, faces))
        hint = "remove them, or let the example continue until they are rolled"
        yield Diagnostic("unused-dice", f"these dice of '{label}' were not rolled: {names}", place, hint)


def wrong_ending(expected: Ending | None, result: Result | None) -> Iterator[Diagnostic]:
    """Yields a finding if the game did not end as the example claims."""
    if expected is None:
        return
    if result is None or result.reason == SEQUENCE_OVER:
        yield Diagnostic("not-ended", "the game did not end", expected.place)
    elif set(result.winners) != set(expected.winners):
        claim = f"{' and '.join(expected.winners)} should win" if expected.winners else "it should be a draw"
        hints = [did_you_mean(each, result.winners) for each in expected.winners]
        yield Diagnostic("wrong-end", f"{claim}, but {result}", expected.place, next(filter(None, hints), None))
    elif expected.reason is not None and result.reason != expected.reason:
        message = f"the game should end for the reason '{expected.reason}', not '{result.reason}'"
        yield Diagnostic("wrong-end", message, expected.place)


def place_of_last_input(example: Example, part: str, address: str, left: Mapping[str, Sized]) -> Place:
    """Returns the place of the last answer or die that was used: the one before those that are left."""
    nodes = (example.decisions if part == "decisions" else example.dice).get(address, ())
    due = len(nodes) - len(left.get(address, ())) - 1
    if 0 <= due < len(nodes):
        return nodes[due].place
    return example.places.get(f"{part}/{address}", example.place)
