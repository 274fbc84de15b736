"""Odds of what lies before a seat in a game: found, exact where they can be, and without a trace of what is hidden."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from interpreter import Game, load_ruleset, load_scenario, odds, odds_ahead
from interpreter.console.odds_text import odds_lines
from interpreter.inference.ahead import Lookout
from interpreter.inference.ahead_results import AheadOdds
from interpreter.inference.solver.path_enumerator import TooManyBranchesError
from interpreter.language.diagnostics import UsageError
from interpreter.rules.loading.ruleset import Ruleset

RULES = """\
ruleset: {id: ahead, title: Ahead, version: 1.0.0}
kinds:
  side: {is: seat, members: [red, blue]}
  hand: {is: space}
  card: {is: piece, in: hand, has: {strength: "int = 0"}}
individuals: {hand: [blue_hand, deck]}
pieces:
  card: [{id: weak, at: blue_hand}, {id: strong, at: deck, strength: 6}]
views: {cards: {of: card, when: HIDDEN, seen_by: blue}}
state: {drawn: "int = 0", done: "int = 0"}
modifiers: {bonus: {takes: {steps: int}, each: [{id: boldness, value: steps}, {id: nothing, value: 0}]}}
priors: {fight.reserve: {takes: {side: side, option: bool}, is: 3 if not option else 1}}
procedures:
  fight:
    takes: {steps: int}
    gives: int
    do: |
      let more = blue agrees to reserve "Reserve?"
      let rolled = red rolls 1d6 "fight"
      let roll = rolled + bonus(steps)
      if more: set done += 1
      return 1 if roll >= 5 else 0
    outcomes: {won: result, reserves: done}
  sure: {gives: int, do: "set done = done\\nreturn 7", outcomes: {seven: result}}
  scout: {do: "set drawn = red rolls 1d6 \\"scout\\""}
  many: {gives: int, do: "return red rolls 3d6 \\"many\\"", outcomes: {sum: result}}
  clash: {gives: int, do: "return sum(blue_hand.cards each .strength)", outcomes: {strength: result}}
menus: {orders: {takes: {side: side}, prompt: What now?}}
actions:
  attack: {menu: orders, do: "let x = sure()\\nlet y = fight(2)"}
  feint: {menu: orders, do: "let x = sure()"}
  probe: {menu: orders, do: "scout()\\nlet y = fight(drawn)"}
  mass: {menu: orders, do: "let y = many()"}
  meet: {menu: orders, do: "let y = clash()"}
  rest: {menu: orders, do: "set drawn = 0"}
sequence:
  game:
    steps:
      turn: {each: "side in sides", do: "side must take orders(side)"}
"""
ATTACK, FEINT, PROBE, MASS, MEET, REST = range(6)


def rules(folder: Path, hidden: str = "true") -> Ruleset:
    (folder / "ruleset.yaml").write_text(RULES.replace("HIDDEN", hidden))
    return load_ruleset(folder, cache=False)


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A game in which nothing is hidden."""
    return Game(rules(tmp_path, "false"))


def test_an_option_leads_to_exact_odds(game: Game) -> None:
    """The odds are those of the first procedure whose outcome is not sure, with its arguments."""
    found = odds_ahead(game, ATTACK)
    assert isinstance(found, AheadOdds)
    assert (found.procedure, found.arguments, found.is_exact) == ("fight", (("steps", "2"),), True)
    assert found.odds.rows == ((("1", "0"), Fraction(2, 3)), (("0", "0"), Fraction(1, 3)))


def test_the_odds_are_those_of_the_situation(game: Game) -> None:
    """`odds_ahead` computes the same distribution as `odds` for the same situation and answers."""
    given = {"with": {"steps": 2}, "decisions": {"default": "likeliest"}}
    found = odds_ahead(game, ATTACK)
    assert isinstance(found, AheadOdds)
    assert found.odds.rows == odds(game.source.ruleset, "fight", given).rows


def test_a_sure_outcome_is_certain(game: Game) -> None:
    """If nothing else follows, a sure outcome is given with the probability 1."""
    found = odds_ahead(game, FEINT)
    assert isinstance(found, AheadOdds)
    assert (found.procedure, found.odds.rows) == ("sure", ((("7",), Fraction(1)),))
    assert "100 %" in "\n".join(odds_lines(found, game.source.wording))


def test_nothing_ahead_has_no_odds(game: Game) -> None:
    """An option that leads to no procedure with outcomes before the turn ends has none, though the next turn might."""
    assert odds_ahead(game, REST) is None


def test_dice_before_the_procedure_make_an_estimate(game: Game) -> None:
    """Where a die decides with which arguments a procedure runs, the odds are estimated, with their standard error."""
    found = odds_ahead(game, PROBE)
    assert isinstance(found, AheadOdds)
    assert not found.is_exact
    assert 0 < found.reached < 1
    assert sum(share for _, share in found.odds.rows) == 1
    steps = int(dict(found.arguments)["steps"])
    won = sum((share for outcome, share in found.odds.rows if outcome[0] == "1"), Fraction(0))
    expected = Fraction(min(2 + steps, 6), 6)
    assert abs(won - expected) <= 5 * max(found.error_of(won), 0.02)


def test_slow_rules_get_fewer_samples(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the time for an option is spent, the samples so far are the estimate; without a limit all are taken."""
    monkeypatch.setattr("interpreter.inference.ahead.SAMPLING_SECONDS", -1.0)
    one = Lookout(game).estimate(MASS, 50)
    monkeypatch.setattr("interpreter.inference.ahead.SAMPLING_SECONDS", 1e9)
    all_of_them = Lookout(game).estimate(MASS, 50)
    assert isinstance(one, AheadOdds)
    assert isinstance(all_of_them, AheadOdds)
    assert (one.samples, one.reached, all_of_them.samples) == (1, 1, 50)


def test_estimates_agree_with_exact_odds(game: Game) -> None:
    """An estimate of odds that are exact otherwise lies within five standard errors, under any number of samples."""
    exact, estimate = odds_ahead(game, MASS), Lookout(game).estimate(MASS, 300)
    assert isinstance(exact, AheadOdds)
    assert isinstance(estimate, AheadOdds)
    ten = dict(exact.odds.rows)[("10",)]
    assert abs(dict(estimate.odds.rows)[("10",)] - ten) <= 5 * estimate.error_of(ten)


def test_decisions_in_the_procedure_get_the_likeliest_answer(game: Game) -> None:
    """Without an option the likeliest is taken, and the decisions in the procedure are answered by the priors too."""
    game.choose_index(REST)
    found = odds_ahead(game)
    assert isinstance(found, AheadOdds)
    assert found.odds.names == ("won", "reserves")
    assert all(outcome[1] == "0" for outcome, _ in found.odds.rows)


def test_a_procedure_under_way_is_estimated_to_its_end(game: Game) -> None:
    """When a seat is asked within a procedure with outcomes, its options lead to the outcomes of that procedure."""
    game.choose_index(ATTACK)
    assert game.decision is not None
    assert game.decision.address == "fight.reserve"
    yes = game.decision.options.index(True)
    found = odds_ahead(game, yes)
    assert isinstance(found, AheadOdds)
    assert (found.procedure, found.is_exact, found.reached) == ("fight", False, 1)
    assert {outcome[1] for outcome, _ in found.odds.rows} == {"1"}


def test_modifiers_come_with_their_items(game: Game) -> None:
    """The sums of modifiers that the outcome depends on are given item by item; items of 0 are not shown."""
    found = odds_ahead(game, ATTACK)
    assert isinstance(found, AheadOdds)
    [sum_] = found.modifiers
    assert [(each.name, each.least, each.most) for each in sum_.items] == [("boldness", 2, 2), ("nothing", 0, 0)]
    lines = odds_lines(found, game.source.wording)
    assert "    +2  boldness" in lines
    assert not any("nothing" in each for each in lines)


def test_asking_changes_nothing(game: Game) -> None:
    """Asking for odds changes neither the state, nor the inputs, nor the dice that come."""
    game.choose_index(ATTACK)
    game.choose_index(0)
    rolled = game.history
    again = Game(game.source, game.seed)
    before = again.hash()
    for option in range(6):
        odds_ahead(again, option)
    assert (again.hash(), again.history) == (before, ())
    again.choose_index(ATTACK)
    odds_ahead(again, 1)
    again.choose_index(0)
    assert again.history == rolled


def test_hidden_pieces_leave_no_trace(tmp_path: Path) -> None:
    """Games that differ only in hidden cards give the seat the same odds, which are estimates then."""
    hidden = rules(tmp_path)
    found = []
    for holders in ({"weak": "blue_hand", "strong": "deck"}, {"weak": "deck", "strong": "blue_hand"}):
        game = Game(hidden)
        for name, holder in holders.items():
            game.core.world.place(game.core.find("card", name), game.core.find("hand", holder))
        found.append(odds_ahead(game, MEET))
    assert found[0] == found[1]
    assert isinstance(found[0], AheadOdds)
    assert not found[0].is_exact


def test_slow_odds_are_estimated_first(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the exact odds take long, an estimate comes first, and the exact ones follow if they can be computed."""
    monkeypatch.setattr("interpreter.inference.ahead._QUICK_BRANCHES", 3)
    estimate, exact = Lookout(game).in_steps(MASS)
    assert isinstance(estimate, AheadOdds)
    assert isinstance(exact, AheadOdds)
    assert (estimate.is_exact, exact.is_exact) == (False, True)
    with pytest.raises(TooManyBranchesError):
        odds_ahead(game, MASS, max_branches=3)


def test_wrong_options_are_refused(game: Game) -> None:
    """An option that is not offered is an error; so is asking when the game is over."""
    with pytest.raises(UsageError, match="there is no option 6: 6 are offered"):
        odds_ahead(game, 6)
    game.choose_index(REST)
    game.choose_index(REST)
    with pytest.raises(UsageError, match="no decision is open"):
        odds_ahead(game)


def test_assumed_answers_on_the_way_are_named() -> None:
    """A decision between the option and the procedure is named with who decides, the question and the answer."""
    game, chance = Game(load_scenario("commands_and_colors_napoleonics/rolica_1"), seed=3), Random(3)
    for _ in range(118):
        assert game.decision is not None
        game.choose_index(chance.randrange(len(game.decision.options)))
    found = odds_ahead(game, 1)
    assert isinstance(found, AheadOdds)
    assumed = found.assumptions[0]
    assert (assumed.seat, assumed.answer) == ("British", "melee")
    lines = odds_lines(found, game.source.wording)
    assert f"  if British answers '{assumed.question}' with 'melee'" in lines


@pytest.mark.parametrize(
    ("scenario", "seed", "decisions", "option", "procedure"),
    [
        ("fin_napoleon/campaign", 3, 87, 1, "combat"),
        ("commands_and_colors_napoleonics/rolica_1", 3, 106, 1, "shoot"),
    ],
)
def test_games_show_the_odds_of_a_battle_before_it(
    scenario: str, seed: int, decisions: int, option: int, procedure: str
) -> None:
    """In the midst of a random game an option has the odds of the battle that it leads to; the game stays as it is."""
    game, chance = Game(load_scenario(scenario), seed=seed), Random(seed)
    for _ in range(decisions):
        assert game.decision is not None
        game.choose_index(chance.randrange(len(game.decision.options)))
    before = game.hash()
    found = odds_ahead(game, option)
    assert isinstance(found, AheadOdds)
    assert found.procedure == procedure
    assert sum(share for _, share in found.odds.rows) == 1
    assert game.hash() == before
