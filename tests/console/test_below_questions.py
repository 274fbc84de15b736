"""What is listed below a question."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.console.option_labels import lines_below
from interpreter.language.diagnostics import RulesetError
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_ruleset

CARDS = """\
ruleset: {id: cards, title: Cards, version: "1"}
kinds:
  side: {is: seat, members: [red, blue], has: {hand: pile}}
  pile: {is: space, has: {of: "side?"}}
  card: {is: piece, in: pile, has: {worth: int}}
individuals:
  pile: {red_hand: {of: red}, blue_hand: {of: blue}}
  side: {red: {hand: red_hand}, blue: {hand: blue_hand}}
pieces:
  card:
    - {id: ace, worth: 5, at: red_hand}
    - {id: two, worth: 2, at: red_hand}
    - {id: king, worth: 4, at: blue_hand}
views: {hands: {of: card, seen_by: card.pile.of, others_see: []}}
definitions: {side.good: {gives: set of card, is: "side.hand.cards where .worth > 2"}}
sequence:
  game:
    do: |
      for each side in sides:
        if red agrees to trade "Is a card of {side} worth it?": move side.hand.cards to blue_hand
presentation:
  labels: {card: "{name}, worth {worth}"}
  below: {game.trade: {side: good}}
"""


def load(folder: Path, text: str) -> Game:
    (folder / "ruleset.yaml").write_text(text, encoding="utf-8")
    return Game(load_ruleset(folder))


def test_things_of_the_question_are_listed_as_the_seat_sees_them(tmp_path: Path) -> None:
    """Of the seat's own hand the good card is listed, of another's hand nothing."""
    game = load(tmp_path, CARDS)
    assert lines_below(game) == ["  – ace, worth 5"]
    game.choose(False)
    assert game.decision is not None
    assert "blue" in game.decision.prompt
    assert lines_below(game) == []


def test_unknown_names_are_reported(tmp_path: Path) -> None:
    """An address, a kind and an attribute that do not exist are errors."""
    for wrong in ("game.trad: {side: good}", "game.trade: {sid: good}", "game.trade: {side: goods}"):
        with pytest.raises(RulesetError):
            load(tmp_path, CARDS.replace("game.trade: {side: good}", wrong))
