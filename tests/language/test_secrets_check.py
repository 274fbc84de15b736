"""Warnings of decisions from which a seat could tell what is hidden from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.rules.loading.compile import inspect_ruleset

RULES = """
ruleset: {id: hands, title: Hands, version: "1.0"}
kinds:
  side: {is: seat, members: [red, blue], has: {enemy: side, points: "int = 0", goal: "int = 0", home: "int = 1"}}
  pile: {is: space, has: {owner: "side?"}}
  card:
    is: piece
    in: pile
    has: {worth: int, colour: "int = 0"}
    definitions: {covers: {takes: {side: side}, gives: bool, is: "false"}}
  trump: {is: card}
individuals:
  side: {red: {enemy: blue}, blue: {enemy: red}}
  pile: {deck: {}, discards: {}, red_hand: {owner: red}, blue_hand: {owner: blue}}
  card: {ace: {worth: 9, at: deck, covers: side.points > 1}}
pieces:
  card: [{id: card, count: 9, worth: 1, at: deck}]
definitions:
  side.hand: {gives: pile, is: first(piles where .owner = side) otherwise deck}
  strong: {takes: {card: card}, is: card.worth > 1}
  side.able: {is: side.hand.cards where strong(it)}
  holds_more:
    takes: {side: side}
    gives: bool
    do: |
      for each card in side.hand.cards:
        if card.worth > 2: return true
      return false
views:
  hands:
    of: card
    when: card.pile = deck or card.pile.owner != none
    seen_by: sides where card.pile.owner = it
    others_see: [colour]
  goals: {of: side, seen_by: side, others_see: [enemy, points]}
procedures:
  discard: {takes: {card: card}, do: move card to discards}
  ask: {takes: {side: side}, do: "if side agrees to go: set side.points += 1"}
  ask_about:
    takes: {side: side, able: set of card}
    do: |
      let one = side chooses one or none of able
      if one != none: discard(one)
  play:
    takes: {side: side}
    do: |
TEXT
sequence: {turn: {do: play(red)}}
"""
LEAKS = {
    "a hidden number": ("set side.goal = 2\nif side.goal > 1: ask(side)", "secret-condition"),
    "a condition on a hand": ("if any(side.hand.cards where .worth > 1): ask(side)", "secret-condition"),
    "a condition in a definition": ("if any(side.able): ask(side)", "secret-condition"),
    "a condition in the body of a definition": ("if holds_more(side): ask(side)", "secret-condition"),
    "a branch that leaves": ("if not any(side.able): return\nask(side)", "secret-condition"),
    "a named value": ("let able = side.able\nif count(able) > 1: ask(side)", "secret-condition"),
    "a loop": ("for each card in side.able: ask(side)", "secret-condition"),
    "a card by name": ("if ace.pile = side.hand: ask(side)", "secret-condition"),
    "a comparison with a card": ("if any(side.hand.cards where it = ace): ask(side)", "secret-condition"),
    "a sub-kind": ("if any(side.hand.cards where it is trump): ask(side)", "secret-condition"),
    "a text that a card carries": ("if any(side.hand.cards where .covers(side)): ask(side)", "secret-condition"),
    "a drawn card": ("let drawn = draw one from deck\nif drawn.worth > 1: ask(side)", "secret-condition"),
    "an open filter": (
        "let one = side chooses one or none of side.able\nif one != none: discard(one)",
        "secret-options",
    ),
    "an open filter of all cards": (
        "let one = side chooses one or none of (cards where .pile.owner = side and .worth > 1)\nif one = none: return",
        "secret-options",
    ),
    "a filter that is handed over": ("ask_about(side, side.able)", "secret-options"),
    "a number": ("let n = side chooses from 0 to count(side.able)\nset side.points += n", "secret-options"),
    "a term": (
        "let some = side chooses up to 3 of side.hand.cards, with:\n  total .worth at most 3\nset some.worth = 1",
        "secret-options",
    ),
    "a choice": ("side chooses mood:\n  stay: ask(side)\n  go when any(side.able): ask(side)", "secret-options"),
    "the hand of another": (
        "let n = side secretly chooses from 0 to count(side.enemy.able)\nset side.points += n",
        "secret-of-another",
    ),
}
SOUND = {
    "what never changes": "if side.home > 0: ask(side)",
    "the number of cards": "if any(side.hand.cards): ask(side)",
    "what others see": "if any(side.hand.cards where .colour > 1): ask(side)",
    "a secret filter": "let one = side secretly chooses one or none of side.able\nif one != none: discard(one)",
    "a whole hand": "let one = side chooses one of side.hand.cards\ndiscard(one)\nif one.worth > 1: ask(side)",
    "an open pile": "if any(discards.cards where .worth > 1): ask(side)",
    "a card that is revealed": "let drawn = draw one from deck\nreveal drawn\nif drawn.worth > 1: ask(side)",
    "a card that lies open": "let drawn = draw one from deck\nmove drawn to discards\nif drawn.worth > 1: ask(side)",
    "a choice with two others": "side chooses mood:\n  stay: return\n  sit: return\n  go when any(side.able): return",
    "an effect": "if any(side.able): set side.points += 1",
    "what is asked before": "ask(side)\nif not any(side.able): return",
}


def _warnings(folder: Path, text: str) -> list[str]:
    """Returns the codes of the warnings about secrets in a ruleset with this procedure."""
    lines = "\n".join("      " + each for each in text.splitlines())
    (folder / "ruleset.yaml").write_text(RULES.replace("TEXT", lines), encoding="utf-8")
    _, found = inspect_ruleset(folder, {}, ())
    assert [each for each in found if each.severity == "error"] == []
    assert all(each.hint and each.place.line > 0 for each in found if each.code.startswith("secret-"))
    return [each.code for each in found if each.code.startswith("secret-")]


@pytest.mark.parametrize("name", LEAKS)
def test_what_shows_something_hidden_is_reported(tmp_path: Path, name: str) -> None:
    """A decision that depends on hidden things gets one warning, at the text that reads them."""
    text, code = LEAKS[name]
    assert _warnings(tmp_path, text) == [code]


@pytest.mark.parametrize("name", SOUND)
def test_what_shows_nothing_hidden_is_not_reported(tmp_path: Path, name: str) -> None:
    """What everybody knows, or what only a secret decision reads, is no finding."""
    assert _warnings(tmp_path, SOUND[name]) == []
