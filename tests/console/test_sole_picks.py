"""Actions of a menu that can be about one thing alone name it: nobody is asked for it afterwards."""

from __future__ import annotations

from pathlib import Path

from interpreter import Game, load_ruleset
from interpreter.console.option_labels import option_groups

RULES = """
ruleset: {id: hands, title: Hands, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  hand: {is: space}
  card: {is: piece, in: hand, has: {ready: "bool = true"}}
individuals: {hand: {open_hand: {}, spent: {}}}
pieces: {card: [{id: ace, at: open_hand}, {id: king, at: open_hand}, {id: queen, at: spent}]}
menus: {turn: {takes: {side: side, hand: hand}, prompt: "What now?"}}
actions:
  play: {menu: turn, pick: {card: hand.cards where .ready}, do: move card to spent}
  take_back: {menu: turn, pick: {card: spent.cards}, do: move card to hand}
  bid: {menu: turn, pick: {number: "{3}"}, do: "set cards.ready = number > 2"}
sequence: {game: {repeat: 3, steps: {turn_step: {do: "red must take turn(red, open_hand)"}}}}
presentation:
  labels: {card: "{name}, a card"}
  choice_labels: {turn_step.turn: {side: {take_back: "take back what {name} has spent"}}}
"""


def test_an_action_about_one_thing_alone_names_it(tmp_path: Path) -> None:
    """Of several cards, none is named; the only one is, once; a number is no thing."""
    (tmp_path / "hands").mkdir()
    (tmp_path / "hands" / "ruleset.yaml").write_text(RULES, "utf-8")
    game = Game(load_ruleset(tmp_path / "hands"), trace=True)
    before = game.hash(), len(game.events)
    assert [each.text for each in option_groups(game)] == ["play", "take back what red has spent: queen", "bid"]
    assert (game.hash(), len(game.events)) == before
    game.choose("play")
    game.choose("ace")
    assert [each.text for each in option_groups(game)] == ["play: king", "take back what red has spent", "bid"]
