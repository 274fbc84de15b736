"""What estimated odds assume is said with its share of the samples, and whether exact odds follow."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from scripted_terminal import lines_shown

from interpreter import Game, load_ruleset
from interpreter.console.odds_text import ahead_lines
from interpreter.inference.ahead import Lookout
from interpreter.inference.ahead_results import AheadOdds
from interpreter.inference.assumptions import Assumption, commonest, constant, without_idle_ends
from interpreter.inference.estimates import rolls_in_turn
from interpreter.inference.modifier_sums import ModifierSum
from interpreter.inference.watched_calls import WatchedCall

RULES = """\
ruleset: {id: samples, title: Samples, version: 1.0.0}
kinds:
  side: {is: seat, members: [red, blue]}
  field: {is: space}
  troop: {is: piece, in: field, has: {tired: "bool = false"}}
individuals: {field: [wood]}
pieces: {troop: [{id: guard, at: wood}, {id: horse, at: wood}]}
priors:
  battle.troop: {takes: {side: side, option: "troop?"}, is: 1 if option = none else 9}
  battle.flee: {takes: {side: side, option: bool}, is: 1 if option else 9}
procedures:
  battle:
    gives: int
    do: |
      while any(troops), up to 3 times:
        let troop = red chooses one or none of troops where not .tired "Which troop strikes?"
        if troop != none: set troop.tired = true
      let luck = red rolls 1d6 "luck"
      if luck >= 4:
        if blue agrees to flee "Does blue flee?": return 0
      return red rolls 3d6 "battle"
    outcomes: {losses: result}
menus: {orders: {takes: {side: side}, prompt: What now?}}
actions:
  attack: {menu: orders, do: "let losses = battle()"}
  shoot: {menu: orders, do: "let losses = shots()"}
sequence:
  game:
    steps:
      turn: {each: "side in sides", do: "side must take orders(side)"}
"""
SHOTS = """\
  shots: {gives: int, do: "return red rolls 3d6 \\"shots\\"", outcomes: {losses: result}}
menus:"""
ATTACK, SHOOT = range(2)


def no_sums(_: list[WatchedCall]) -> tuple[ModifierSum, ...]:
    """No modifiers."""
    return ()


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A game before its first order."""
    (tmp_path / "ruleset.yaml").write_text(RULES.replace("menus:", SHOTS, 1))
    return Game(load_ruleset(tmp_path, cache=False), trace=True)


def test_what_is_asked_again_is_one_condition(game: Game) -> None:
    """Answers to the same question come in turn, without the last one that chooses no more."""
    game.choose_index(ATTACK)
    lines = ahead_lines(Lookout(game).estimate(0), game.source.wording)
    assert [each for each in lines if "Which troop" in each] == [
        "  if red answers 'Which troop strikes?' with 'horse'",
    ]
    lines = ahead_lines(Lookout(game).estimate(2), game.source.wording)
    assert [each for each in lines if "Which troop" in each] == [
        "  if red answers 'Which troop strikes?' with 'guard', then 'horse'",
    ]


def test_what_is_asked_in_some_samples_has_a_share(game: Game) -> None:
    """An answer of a part of the samples is no condition of all of them."""
    game.choose_index(ATTACK)
    found = Lookout(game).estimate(0)
    assert isinstance(found, AheadOdds)
    [flees] = [each for each in found.assumptions if each.seat == "blue"]
    assert 0 < flees.share < 1
    assert found.as_data()["assumptions"][-1]["share"] == float(flees.share)
    [line] = [each for each in ahead_lines(found, game.source.wording) if "flee" in each]
    assert line == f"  in the samples, blue answers 'Does blue flee?' with 'no' ({100 * float(flees.share):.1f} %)"


def test_shares_are_counted_by_answer() -> None:
    """Each answer has the share of the samples in which it is given, however often; seldom ones are left out."""
    card, other = Assumption("red", "Which card?", "a"), Assumption("red", "Which card?", "b")
    seldom, none = Assumption("red", "Which card?", "c"), Assumption("red", "Which card?", "none", declines=True)
    ways = [[card, card, none]] * 20 + [[card, other, none]] * 15 + [[none]] * 4 + [[seldom, none]]
    assert [(each.answer, each.share) for each in commonest(ways)] == [
        ("a", Fraction(35, 40)),
        ("b", Fraction(15, 40)),
        ("none", Fraction(4, 40)),
    ]
    assert without_idle_ends([none, card]) == (card,)


def test_questions_that_differ_in_a_number_share_a_line_if_they_are_many() -> None:
    """A question that names the roll of each sample is one question; few to which somebody acts have their numbers."""
    low, high = [Assumption("red", f"Answer the roll of {roll}?", "no", declines=True) for roll in (3, 11)]
    first, second = [Assumption("red", f"Which card in round {number}?", "ace") for number in (1, 2)]
    found = commonest([[low, first], [high, second], [first], [second]])
    assert [(each.question, each.share) for each in found] == [
        ("Answer the roll of …?", Fraction(1, 2)),
        ("Which card in round 1?", Fraction(1, 2)),
        ("Which card in round 2?", Fraction(1, 2)),
    ]
    third = Assumption("red", "Which card in round 3?", "ace")
    assert [each.question for each in commonest([[first], [second], [third]])] == ["Which card in round …?"]


def test_what_is_always_answered_alike_is_assumed_of_exact_odds(game: Game) -> None:
    """Exact odds say what is assumed within the procedure, where the answer does not depend on the dice."""
    found = Lookout(game).odds(ATTACK)
    assert isinstance(found, AheadOdds)
    assert found.is_exact
    assert [(each.question, each.answer) for each in found.assumptions] == [
        ("Which troop strikes?", "guard"),
        ("Which troop strikes?", "horse"),
        ("Does blue flee?", "no"),
    ]
    first, second = Assumption("red", "Who?", "a"), Assumption("red", "Who?", "b")
    other = Assumption("red", "Where?", "c")
    assert constant([[first, other], [second], [first, first]]) == (other,)


def test_odds_without_an_option_name_the_likeliest(game: Game) -> None:
    """'odds' alone says first of which answer the odds are; 'odds OPTION' does not repeat it."""
    shown = [each for each in lines_shown(game, "odds") if each.startswith("of the likeliest answer")]
    assert shown == ["of the likeliest answer, 'attack':"]
    assert not [each for each in lines_shown(game, "odds shoot") if each.startswith("of the likeliest answer")]


def test_rolls_that_few_samples_come_to_are_left_out(game: Game) -> None:
    """One sample of twenty tells nothing about the odds of a roll; of fewer than five samples, all must come to it."""
    call = WatchedCall(game.source.ruleset.program.procedures["battle"], (), "battle")
    assert rolls_in_turn([[(call, ("3",))], *[[]] * 19], no_sums) == []
    [odds] = rolls_in_turn([[(call, (str(at),))] for at in range(3)], no_sums)
    assert odds.samples == 3


def test_exact_odds_are_promised_only_if_they_are_computed(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """An estimate says that exact odds are computed next only where that is so, and then they come or are given up."""
    monkeypatch.setattr("interpreter.inference.ahead._QUICK_BRANCHES", 3)
    promise, given_up = "the exact odds are now computed", "would take too long"
    lines = lines_shown(game, "odds shoot")
    assert [each for each in lines if promise in each or given_up in each or each == "shots:"] == [
        "this is an estimate; the exact odds are now computed",
        "shots:",
    ]
    for name in ("_QUICK_SECONDS", "_EXACT_SECONDS"):
        monkeypatch.setattr(f"interpreter.inference.ahead.{name}", 0)
    monkeypatch.setattr("interpreter.inference.ahead._QUICK_BRANCHES", 100)
    lines = lines_shown(game, "odds shoot")
    assert [promise in each for each in lines].count(True) == 1
    assert lines[-1] == "the exact odds would take too long: the estimate stands"
    game.choose_index(ATTACK)
    assert not any(promise in each for each in lines_shown(game, "odds guard"))


def test_each_decision_has_its_own_samples(tmp_path: Path) -> None:
    """The samples of one decision are the same whenever it is asked; those of the seat's next one are others."""
    twice = RULES.replace(
        'do: "side must take orders(side)"', 'do: "side must take orders(side)\\nside must take orders(side)"'
    )
    (tmp_path / "ruleset.yaml").write_text(twice.replace("menus:", SHOTS, 1))
    game = Game(load_ruleset(tmp_path, cache=False))

    def shares() -> tuple[object, ...]:
        found = Lookout(game).estimate(SHOOT)
        assert isinstance(found, AheadOdds)
        return found.odds.rows

    first = shares()
    assert shares() == first
    game.choose_index(SHOOT)
    assert game.decision is not None
    assert game.decision.seat == "red"
    assert shares() != first
