"""Secret decisions: of another seat's, nothing is known but that it decides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hidden_pairs import exchanged, moments, play_at_random
from random_games import played_at_random

from interpreter import Game, load_ruleset, load_scenario
from interpreter.console.narration import fold_entries
from interpreter.play.engine.bulk import Simulation
from interpreter.play.inputs.inputs import ANSWER, SINGLE

RULES = """
ruleset: {id: ambush, title: {en: Ambush}, version: "1.0"}
kinds:
  side: {is: seat, members: [red, blue], has: {enemy: side, losses: "int = 0", luck: "int = 0"}}
  pile: {is: space, has: {owner: "side?"}}
  card: {is: piece, in: pile, has: {strength: int}}
individuals:
  side: {red: {enemy: blue}, blue: {enemy: red}}
  pile: {deck: {}, discards: {}, red_hand: {owner: red}, blue_hand: {owner: blue}}
pieces:
  card:
    - {id: march, count: 10, strength: 0, at: deck}
    - {id: ambush, count: 4, strength: 2, at: deck}
tables:
  effect: {keys: {strength: int}, gives: int, grid: "strength | 0 1 2\\neffect | 0 1 3"}
definitions:
  side.hand: {gives: pile, is: first(piles where .owner = side) otherwise deck}
procedures:
  spring:
    takes: {side: side, card: card}
    do: |
      move card to discards
      set side.enemy.losses += effect[card.strength]
      log "{side} springs {card}"
  react:
    takes: {side: side}
    do: |
      let card = side secretly chooses one or none of (side.hand.cards where effect[.strength] > 1) "Which ambush?"
      if card != none: spring(side, card)
  ponder:
    takes: {side: side}
    do: |
      let some = side secretly chooses any of (side.hand.cards where effect[.strength] > 1) "Which cards matter?"
      let two = side secretly chooses up to 2 of some
      let order = side secretly ranks any of some
      let sent = side secretly assigns each of some to one of piles
      let shares = side secretly spreads 2 over some at most effect[.strength] each
      let kept = side secretly chooses up to 2 of some, with:
        total effect[.strength] at most 3
      let given = side secretly spreads 2 over some at most .strength each, with:
        at least 1 from some
      let bid = side secretly chooses from 0 to count(some) "How many?"
      if side secretly agrees to wait "Wait?": set side.luck += 0
      side secretly chooses mood "What next?":
        hope when any(some): set side.luck += 0
        fear: set side.luck += 0
menus:
  tricks: {takes: {side: side}, secret: true, prompt: Which trick?}
  open_choice: {takes: {side: side}, prompt: What now?}
actions:
  trick:
    menu: tricks
    pick: {card: side.hand.cards where .strength > 1}
    do: spring(side, card)
  bury:
    menu: open_choice
    secret: true
    pick: {card: side.hand.cards}
    do: move card to deck
  draw_card: {menu: open_choice, do: "move (draw one from deck) to side.hand"}
sequence:
  game:
    steps:
      deal:
        each: side in sides
        do: "move (draw 4 from deck) to side.hand"
      rounds:
        repeat: 4
        steps:
          turn:
            each: side in sides
            do: |
              let roll = side rolls 1d6 "march"
              react(side.enemy)
              side.enemy may take tricks(side.enemy)
              ponder(side.enemy)
              if any(deck.cards) and any(side.hand.cards): side must take open_choice(side)
views:
  cards:
    of: card
    when: card.pile = deck or card.pile.owner != none
    seen_by: sides where card.pile.owner = it
    others_see: []
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The rules of a small game with secret decisions of every form."""
    folder: Path = tmp_path_factory.mktemp("ambush")
    (folder / "ruleset.yaml").write_text(RULES)
    return load_ruleset(folder)


def _pairs(source: Any, seed: int, decisions: int, card: str, every: int) -> int:
    """Compares pairs of games that differ in one such card; returns the number of secret answers in them."""
    game, found = play_at_random(source, seed, decisions, card), 0
    deck = game.core.find("pile", "deck")
    for side in game.seats:
        others = [each for each in game.seats if each != side]
        for records in list(exchanged(game, "card", side, deck, card))[:1]:
            pair = (moments(source, seed, each, others, every) for each in (list(game.inputs.items), records))
            for one, other in zip(*pair, strict=True):
                assert one == other
            found += sum(each[0] == ANSWER and game.core.image.sites[each[1]].secret for each in records)
    return found


def test_hidden_cards_leave_no_trace(rules: Any) -> None:
    """Games that differ only in a hidden card look the same to the other seat at every moment."""
    assert sum(_pairs(rules, seed, 60, "ambush", 4) for seed in range(4)) > 100


def test_first_strike_leaves_no_trace() -> None:
    """A player without First Strike looks, in all that the enemy reads, like one that does not play it."""
    scenario = load_scenario("commands_and_colors_napoleonics/rolica_1")
    assert all(_pairs(scenario, seed, decisions, "first_strike", 15) for seed, decisions in ((25, 90), (7, 50)))


def test_secret_question_is_always_asked(rules: Any) -> None:
    """A secret question with one option is a decision like any other; an open one answers itself."""
    game = play_at_random(rules, 1, 80, "ambush")
    sites = game.core.image.sites
    assert not [each for each in game.inputs.items if each[0] == SINGLE and sites[each[1]].secret]
    single = Game(rules, 3)
    while single.decision is not None and len(single.decision.options) > 1:
        single.choose_index(0)
    assert single.decision is not None
    assert single.decision.site.secret


def test_other_seats_learn_only_that_a_seat_decides(rules: Any) -> None:
    """Of an open secret decision the view of another seat names the seat alone; its own has everything."""
    game = Game(rules, 2)
    decision = game.decision
    assert decision is not None
    assert decision.address == "react.card"
    other = next(each for each in game.seats if each != decision.seat)
    assert game.view(other)["decision"] == {"seat": decision.seat, "secret": True}
    assert game.view(None)["decision"] == {"seat": decision.seat, "secret": True}
    assert game.view(decision.seat)["decision"]["address"] == "react.card"


def test_played_card_is_in_every_log(rules: Any) -> None:
    """What the rules make of a secret answer is logged for all; the answer itself for its seat alone."""
    for seed in range(20):
        game = Game(rules, seed)
        decision = game.decision
        assert decision is not None
        if len(decision.options) > 1:
            break
    other = next(each for each in game.seats if each != decision.seat)
    game.choose_index(0)
    assert any("springs" in each.text for each in game.log_of(other).entries)
    assert [each.seat for each in game.log_of(decision.seat).entries if each.kind == "answer"] == [decision.seat]
    assert not [each for each in game.log_of(other).entries if each.kind == "answer"]
    assert not any("Which ambush" in str(each) for each in fold_entries(game.log_of(other).entries))


def test_bulk_play_equals_single_games(rules: Any) -> None:
    """Bulk play asks secret questions as a game does, with the same random numbers."""
    for seed in range(5):
        assert Simulation(rules).play(seed) == played_at_random(rules, seed)
