"""A question that asks for several of some options says how many, where the options do not limit it themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_human import asked

from interpreter import Game, load_ruleset

RULES = """
ruleset: {id: picks, title: Picks, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  hand: {is: space}
  card: {is: piece, in: hand, has: {worth: "int = 1"}}
individuals: {hand: [held, spent]}
pieces: {card: [{id: ace, at: held, worth: 2}, {id: king, at: held}, {id: queen, at: held}, {id: jack, at: held}]}
sequence:
  game:
    do: |
      let first_cards = red chooses 2 of held.cards "Which are discarded?"
      let second_cards = red chooses up to 3 of held.cards "Which are shown?"
      let third_cards = red chooses 3 of held.cards "Which are kept?", with:
        at least 1 from held.cards where .worth > 1
      let fourth_cards = red chooses any of held.cards "Which are marked?"
      let fifth_card = red chooses one of held.cards "Which is last?"
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    (tmp_path / "picks").mkdir()
    (tmp_path / "picks" / "ruleset.yaml").write_text(RULES, "utf-8")
    return Game(load_ruleset(tmp_path / "picks"), trace=True)


def below(game: Game) -> str:
    """The lines between the question and its first option."""
    assert game.decision is not None
    _, script = asked(game)
    return script.text.partition(game.decision.prompt)[2].partition("\n  1  ")[0].partition("\n")[2]


def test_number_of_picks_is_said_where_the_options_do_not_say_it(game: Game) -> None:
    """An exact number or a greatest one, under terms too; nothing for any subset or one pick."""
    assert below(game) == "  2 to choose"
    game.choose("ace")
    assert "  so far: ace\n  1 to choose" in asked(game)[1].text
    game.choose("king")
    assert below(game) == "  at most 3"
    game.choose(None)
    assert below(game) == "  3 to choose"
    for answer in ("ace", "king", "queen"):
        game.choose(answer)
    assert below(game) == ""
    game.choose(None)
    assert below(game) == ""
