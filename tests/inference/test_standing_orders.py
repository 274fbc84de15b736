"""Standing orders of a situation: who answers which question how, in odds of a procedure and of a game."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, load_ruleset, odds, odds_ahead
from interpreter.inference.ahead_results import AheadOdds
from interpreter.inference.sampling import with_dice
from interpreter.language.diagnostics import RulesetError
from interpreter.rules.loading.ruleset import Ruleset

RULES = """\
ruleset: {id: duel, title: Duel, version: 1.0.0}
kinds:
  side: {is: seat, members: [red, blue]}
  field: {is: space}
  unit: {is: piece, in: field, has: {side: side, steps: "int = 2"}}
individuals:
  field: [plain, box]
  unit:
    guard: {side: red, at: plain}
    line: {side: red, at: plain}
    lancers: {side: blue, at: plain, steps: 1}
    foot: {side: blue, at: plain}
state: {leading: "unit?"}
priors: {lead.leader: {takes: {side: side, option: unit}, is: option.steps}}
procedures:
  fight:
    takes: {attacker: side, defender: side}
    do: |
      for each side in [attacker, defender]: lead(side)
      for each side in [attacker, defender]:
        if side agrees to yield "Yield?": return
        bleed(side, red rolls 1d2 "hits")
    outcomes:
      guard: guard.steps
      line: line.steps
      lancers: lancers.steps
      foot: foot.steps
      leader: leading
  lead:
    takes: {side: side}
    do: |
      let leader = side chooses one or none of plain.units where .side = side "Who leads?"
      if side = red: set leading = leader
  bleed:
    takes: {side: side, number: int}
    do: |
      let share = side spreads number over plain.units where .side = side at most .steps each "Who loses?"
      for each unit in plain.units where .side = side:
        set unit.steps -= share[unit]
        if unit.steps = 0: move unit to box
menus: {orders: {takes: {side: side}, prompt: What now?}}
actions:
  attack: {menu: orders, do: "fight(red, blue)"}
  rest: {menu: orders, do: "set leading = none"}
sequence: {game: {steps: {turn: {do: "red must take orders(red)"}}}}
"""
FIGHT = {"with": {"attacker": "red", "defender": "blue"}, "decisions": {"fight.yield": False}}
GIVES_NO_GROUND = {"nobody": {"at": "fight.yield", "choose": False}}


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    """Two sides of two units that lose one or two steps each."""
    folder = tmp_path_factory.mktemp("duel")
    (folder / "ruleset.yaml").write_text(RULES)
    return load_ruleset(folder, cache=False)


def distribution(duel: Ruleset, name: str, orders: dict[str, Any], **changes: Any) -> dict[str, Fraction]:
    """The distribution of one outcome under orders; the same situation with dice has no other outcomes."""
    given = {**FIGHT, "orders": orders, **changes}
    found = odds(duel, "fight", given)
    dice = with_dice(duel, "fight", given, 1)
    assert {dice.run() for _ in range(20)} <= {row for row, _ in found.rows}
    return dict(found.of(name))


def test_order_answers_for_its_seat_alone(duel: Ruleset) -> None:
    """Attacker and defender share the address of a question; an order of one side leaves the other to the default."""
    orders = {"blue": {"of": "blue", "at": "lead.leader", "choose": "foot"}}
    assert distribution(duel, "leader", orders) == {"guard": 1}
    orders = {"red": {"of": "red", "at": "lead.leader", "choose": "line"}}
    assert distribution(duel, "leader", orders) == {"line": 1}


@pytest.mark.parametrize(("place", "leader"), [("plain", "line"), ("box", "none")])
def test_leader_leads_while_he_is_there(duel: Ruleset, place: str, leader: str) -> None:
    """The first answer that is offered is given: the leader, or nobody where he is not there."""
    orders = {"leads": {"of": "red", "at": "lead.leader", "choose": ["line", "none"]}}
    board = {"unit": [{"id": "line", "at": place}]}
    assert distribution(duel, "leader", orders, board=board) == {leader: 1}


def test_losses_follow_an_order_of_sacrifice(duel: Ruleset) -> None:
    """The first unit of the list loses all its steps before the next loses one."""
    orders = {"sacrifice": {"at": "bleed.share", "choose": ["line", "guard", "lancers", "foot"]}}
    assert distribution(duel, "line", orders) == {"0": Fraction(1, 2), "1": Fraction(1, 2)}
    assert distribution(duel, "guard", orders) == {"2": 1}


def test_orders_choose_among_what_earlier_ones_leave(duel: Ruleset) -> None:
    """Fronts are flipped first, and the line before the guard: with two hits each of them keeps a step."""
    orders = {
        "fronts_first": {"at": "bleed.share", "most": "option.steps - picked"},
        "line_first": {"of": "red", "at": "bleed.share", "choose": ["line", "guard"]},
    }
    assert distribution(duel, "line", orders) == {"1": 1}
    assert distribution(duel, "guard", orders) == {"1": Fraction(1, 2), "2": Fraction(1, 2)}
    assert distribution(duel, "lancers", orders) == {"1": Fraction(1, 2), "0": Fraction(1, 2)}


def test_order_holds_under_its_condition(duel: Ruleset) -> None:
    """Blue yields where fewer than three red steps are lost; its order names the arguments of the procedure."""
    losses = "guard.steps + line.steps"
    orders = {
        "yields": {"of": "defender", "at": "fight.yield", "for": "fight", "when": f"{losses} = 3", "choose": True},
        "stays": {"at": "fight.yield", "choose": False},
    }
    found = odds(duel, "fight", {"with": FIGHT["with"], "orders": orders})
    hurt = sum(share for row, share in found.rows if int(row[2]) + int(row[3]) < 3)
    assert hurt == Fraction(1, 2)
    assert found.warnings == ()


def test_policy_of_a_side(duel: Ruleset) -> None:
    """A policy may answer all questions of one side, here each leader of red with the same probability."""
    orders = {"red": {"of": "red", "policy": "uniform"}}
    third = Fraction(1, 3)
    assert distribution(duel, "leader", orders) == {"guard": third, "line": third, "none": third}
    assert distribution(duel, "leader", {"red": {"of": "red", "policy": "last"}}) == {"none": 1}


def test_decisions_of_a_situation_come_first(duel: Ruleset) -> None:
    """What a situation says of a single question overrides the orders, and orders override its default."""
    orders = {"leads": {"at": "lead.leader", "choose": "line"}, **GIVES_NO_GROUND}
    own = {"default": "last", "lead.leader": "none"}
    assert distribution(duel, "leader", orders, decisions=own) == {"none": 1}
    assert distribution(duel, "leader", orders, decisions="last") == {"line": 1}


def test_orders_of_a_file_come_after_those_of_the_situation(duel: Ruleset, tmp_path: Path) -> None:
    """Orders are reusable: of two with one name that of the situation counts, the others are added."""
    shared = tmp_path / "shared.yaml"
    shared.write_text("orders: {leads: {at: lead.leader, choose: guard}, nobody: {at: fight.yield, choose: false}}\n")
    given = {"with": FIGHT["with"], "orders": {"leads": {"at": "lead.leader", "choose": "line"}}}
    assert odds(duel, "fight", given, orders=[shared]).of("leader") == (("line", 1),)
    assert odds(duel, "fight", {"with": FIGHT["with"]}, orders=[shared]).of("leader") == (("guard", 1),)
    with pytest.raises(RulesetError, match="no standing orders"):
        odds(duel, "fight", FIGHT, orders=[{"with": {}}])


def test_memoized_results_keep_to_their_orders(duel: Ruleset) -> None:
    """One question after another about one situation gets the answers of its own orders and arguments."""
    for leader in ("guard", "line", "guard"):
        given = {**FIGHT, "orders": {"leads": {"at": "lead.leader", "choose": leader}}}
        assert odds(duel, "fight", given).of("leader") == ((leader, 1),)
    orders = {"leads": {"of": "attacker", "at": "lead.leader", "for": "fight", "choose": ["line", "none"]}}
    for attacker, defender, leader in (("red", "blue", "line"), ("blue", "red", "guard")):
        given = {**FIGHT, "orders": orders, "with": {"attacker": attacker, "defender": defender}}
        assert odds(duel, "fight", given).of("leader") == ((leader, 1),)


def test_order_that_is_never_followed_is_reported(duel: Ruleset) -> None:
    """The warning has the name and the place of the order, and says whether it was asked; again when memoized."""
    orders = {
        "absent": {"of": "red", "at": "lead.leader", "choose": "foot"},
        "unasked": {"at": "fight.yield", "choose": True},
        "useful": {"of": "blue", "at": "lead.leader", "choose": "foot"},
    }
    for _ in range(2):
        warnings = {each.name: str(each) for each in odds(duel, "fight", {**FIGHT, "orders": orders}).warnings}
        assert warnings.keys() == {"absent", "unasked"}
        assert "nothing that it names is offered" in warnings["absent"]
        assert "none of its questions is asked" in warnings["unasked"]
        assert "<given>:" in warnings["absent"]


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ({"at": "lead.leadr", "choose": "line"}, "no decision 'lead.leadr'.*did you mean 'lead.leader'"),
        ({"at": "lead.leader", "choose": "lin"}, "nothing is called 'lin'.*did you mean 'line'"),
        ({"at": "lead.leader", "chose": "line", "policy": "first"}, "has no 'chose'.*did you mean 'choose'"),
        ({"at": "lead.leader"}, "does not say what is answered.*choose, policy, most, least"),
        ({"at": "lead.leader", "choose": "line", "policy": "first"}, "both 'choose' and 'policy'"),
        ({"policy": "frist"}, "did you mean 'first'"),
        ({"of": "gren", "policy": "first"}, "gren"),
        ({"of": "3", "policy": "first"}, "expected.*seat|seat.*int"),
        ({"when": "attacker = red", "policy": "first"}, "attacker"),
        ({"for": "figth", "policy": "first"}, "no procedure 'figth'.*did you mean 'fight'"),
        ({"most": "option.steps"}, "name them under 'at'"),
        ({"at": "bleed.share", "most": "option.stepz"}, "stepz.*did you mean"),
        ({"at": "bleed.share", "most": "option.side"}, "needs a number"),
        ({"at": "bleed.share", "least": ["a"]}, "an expression is expected"),
        ("first", "an order is a mapping"),
    ],
)
def test_mistaken_orders_are_reported(duel: Ruleset, order: object, said: str) -> None:
    """A mistake is reported with its file, line and column, and the nearest name."""
    with pytest.raises(RulesetError) as caught:
        odds(duel, "fight", {**FIGHT, "orders": {"mine": order}})
    assert re.search(said, str(caught.value), re.DOTALL)
    assert all(each.place.line > 0 for each in caught.value.diagnostics)


def test_orders_hold_in_the_odds_of_a_game(duel: Ruleset) -> None:
    """Odds of an option of a game follow the orders, in the procedure and on the way to it."""
    game = Game(duel, seed=1)
    orders = {**GIVES_NO_GROUND, "leads": {"of": "attacker", "at": "lead.leader", "for": "fight", "choose": "line"}}
    found = odds_ahead(game, 0, orders=[{"orders": orders}])
    assert isinstance(found, AheadOdds)
    assert found.odds.of("leader") == (("line", 1),)
    plain = odds_ahead(game, 0)
    assert isinstance(plain, AheadOdds)
    assert plain.odds.of("leader") == (("guard", 1),)


def test_situation_may_give_its_own_outcomes(duel: Ruleset) -> None:
    """Outcomes of a situation replace those of the procedure; a mistake in them has its place."""
    given = {**FIGHT, "outcomes": {"lost": "4 - guard.steps - line.steps", "attackers": "attacker"}}
    found = odds(duel, "fight", given)
    assert found.rows == ((("1", "red"), Fraction(1, 2)), (("2", "red"), Fraction(1, 2)))
    assert set(with_dice(duel, "fight", given, 1).run()) <= {"1", "2", "red"}
    with pytest.raises(RulesetError, match=r"did you mean .steps.") as caught:
        odds(duel, "fight", {**FIGHT, "outcomes": {"lost": "guard.stepz"}})
    assert caught.value.diagnostics[0].place.line > 0
