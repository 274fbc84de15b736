"""Plans of orders as text: the way, its cost, and who may react."""

from __future__ import annotations

from interpreter.play.wording import messages
from interpreter.play.wording.wording import Wording
from interpreter.players.orders.order_plan import OrderPlan


def plan_name(plan: OrderPlan, words: Wording) -> str:
    """Returns a plan in one line: the choices, then the places with their costs, of which 0 is left out."""
    chosen = [each for each in plan.answers if not each.is_open]
    choices = list(dict.fromkeys([each.text for each in chosen if not each.is_place]))
    costs = [
        words.say(messages.PLACE_COST, place=each.text, cost=each.cost) if plan.unit and each.cost else each.text
        for each in chosen
        if each.is_place
    ]
    way = words.say(messages.COMMA).join(costs)
    return words.say(messages.VALUE_OF, name=words.say(messages.COMMA).join(choices), value=way) if choices else way


def plan_lines(plan: OrderPlan, words: Wording) -> list[str]:
    """Returns a plan with its cost and the seats that may react on the way."""
    name = plan_name(plan, words)
    if plan.unit:
        name = words.say(messages.PLAN_COST, plan=name, cost=plan.cost, unit=plan.unit)
    lines = [words.say(messages.PLAN, plan=name)]
    if plan.questions:
        lines.append(words.say(messages.YOU_CHOOSE, questions=words.say(messages.SEMICOLON).join(plan.questions)))
    lines += _reaction_lines(plan, words)
    if plan.other_order:
        lines.append(words.say(messages.ONLY_BEGINS, place=plan.places[-1], order=plan.other_order))
    if plan.is_part:
        lines.append(words.say(messages.ENDS_AT_CHANCE, goal=plan.goal.names[-1], place=plan.places[-1]))
    return lines


def _reaction_lines(plan: OrderPlan, words: Wording) -> list[str]:
    """Returns who may react: the seats with the same question at the same places in one line."""
    places: dict[tuple[str, str], list[str]] = {}
    for each in dict.fromkeys(plan.reactions):
        places.setdefault((each.seat, each.question), []).append(
            each.after if each.is_at_place else words.say(messages.QUOTED, text=each.after)
        )
    seats: dict[tuple[str, ...], list[str]] = {}
    for (seat, question), after in places.items():
        seats.setdefault((question, *after), []).append(seat)
    comma = words.say(messages.COMMA)
    return [
        words.say(
            messages.MAY_REACT if question else messages.MAY_DECIDE,
            after=comma.join(after),
            seat=comma.join(alike),
            question=question,
        )
        for (question, *after), alike in seats.items()
    ]
