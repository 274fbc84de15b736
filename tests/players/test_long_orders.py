"""Orders that lead through questions of the seat itself into a menu within an action, and on to their goal."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.language.diagnostics import UsageError
from interpreter.play.game import Game
from interpreter.play.inputs.value_codec import encode
from interpreter.players.orders.order_execution import Expected, OrderExecution
from interpreter.players.orders.plan_search import nearest_plan, plans_for
from interpreter.rules.loading.load import load_ruleset

CAMPAIGN = """
ruleset: {id: campaign, title: Campaign, version: "1"}
kinds:
  side: {is: seat, members: [red, blue]}
  place: {is: space, has: {held: "bool = false"}}
  troop: {is: piece, in: place, has: {owner: side, goes: "bool = false"}}
individuals:
  place: {camp: {}, fort: {}, ford: {}, mill: {held: true}, town: {}, isle: {}}
links: {roads: {of: place, between: [[camp, ford], [fort, ford], [ford, mill], [ford, town], [mill, isle]]}}
pieces:
  troop:
    - {id: first, owner: red, at: camp}
    - {id: second, owner: red, at: camp}
    - {id: third, owner: red, at: fort}
    - {id: guard, owner: blue, at: isle}
state: {money: "int = 3", halted: "bool = false", column: "place = camp"}
definitions:
  sources: {gives: set of place, is: "places where any(.troops where .owner = red)"}
menus:
  expenses: {prompt: What is paid for?}
  orders: {prompt: What does the column do?}
actions:
  build: {menu: expenses, do: set money -= 1}
  march:
    menu: expenses
    pick: {from: {of: sources(), prompt: From where?}}
    do: |
      set money -= 1
      let size = red chooses from 1 to count(from.troops where .owner = red) "How many march?"
      for each troop in from.troops where .owner = red and count(troops where .goes) < size: set troop.goes = true
      set column = from
      set halted = false
      while not halted, up to 9 times:
        let more = red may take orders() "What does the column do?"
        if not more: set halted = true
      set troops.goes = false
  go:
    menu: orders
    pick: {there: {of: column.neighbours, prompt: Where to?}}
    do: |
      move (troops where .goes) to there
      set column = there
      if there = ford:
        if blue agrees to strike "Does blue strike?":
          let lost = red chooses from 0 to 1 "How much is given up?"
          if lost = 1: move (troops where .goes) to camp
      if there.held:
        let roll = red rolls 1d6 "fight"
        set halted = roll < 7
  rest: {menu: orders, do: set halted = true}
sequence:
  game:
    do: |
      while money > 0, up to 9 times:
        let more = red may take expenses() "What is paid for?"
        if not more: set money = 0
"""


@pytest.fixture
def campaign(tmp_path: Path) -> Game:
    """Red pays for marches: from where and how many is asked, then a menu leads from place to place."""
    (tmp_path / "campaign").mkdir()
    (tmp_path / "campaign" / "ruleset.yaml").write_text(CAMPAIGN)
    return Game(load_ruleset(tmp_path / "campaign"), seed=3, trace=True)


def plan_of(game: Game, goal: str, *via: str) -> OrderExecution:
    """The order to march to a goal."""
    [plan] = plans_for(game, goal, via=via, first=1)
    return OrderExecution.of("red", plan)


def follow(game: Game, order: OrderExecution, *own: object, strikes: bool = False) -> list[str]:
    """Plays an order, with these answers of red to what it leaves open; returns the questions left open."""
    asked, answers = [], list(own)
    while game.decision is not None:
        index = order.next(game) if game.decision.seat == "red" else None
        if index is not None:
            game.choose_index(index)
        elif game.decision.seat == "blue":
            game.choose(strikes)
        else:
            asked.append(game.decision.prompt)
            if not answers:
                break
            game.choose(answers.pop(0))
    return asked


def test_plan_leads_through_open_questions_into_the_menu_of_the_march(campaign: Game) -> None:
    """Where the march begins and how many go is left to red; the way to the town is shown."""
    [plan] = plans_for(campaign, "town", first=1)
    assert plan.places == ("ford", "town")
    assert plan.questions == ("From where?", "How many march?")
    assert [(each.after, each.seat) for each in plan.reactions] == [("ford", "blue")]


def test_order_waits_for_the_answers_of_its_seat_and_goes_on(campaign: Game) -> None:
    """After 'from where?' and 'how many?' the order goes on to the town by itself, and ends there."""
    order = plan_of(campaign, "town")
    assert follow(campaign, order, "camp", 2) == ["From where?", "How many march?", "What does the column do?"]
    assert [campaign.core.find("troop", each).at.id for each in ("first", "second", "third")] == [
        "town",
        "town",
        "fort",
    ]
    assert order.dropped is None


def test_order_names_where_it_begins(campaign: Game) -> None:
    """The start answers the question where the order begins."""
    [plan] = plans_for(campaign, "town", start="fort", first=1)
    follow(campaign, OrderExecution.of("red", plan))
    assert campaign.core.find("troop", "third").at.id == "town"


def test_order_begins_nowhere_else_than_at_its_start(campaign: Game) -> None:
    """Nobody stands at the ford: a way may lead by it, but begins there no more than it leads through a later one."""
    assert [each.places for each in plans_for(campaign, "town", via=["ford"], first=1)] == [("ford", "town")]
    assert plans_for(campaign, "town", start="ford", first=1) == []
    assert nearest_plan(campaign, "isle", start="ford", first=1) is None
    nearest = nearest_plan(campaign, "isle", start="camp", first=1)
    assert nearest is not None
    assert nearest.places == ("camp", "ford", "mill")


def test_order_goes_on_after_a_list_of_answers_that_ended_early(campaign: Game) -> None:
    """A 'done' that nobody needed, as no more could be chosen, does not end the order that waits behind it."""
    order = plan_of(campaign, "town")
    campaign.choose_index(order.next(campaign) or 0)
    assert campaign.decision is not None
    address = campaign.decision.address
    from_camp = next(encode(each) for each in campaign.decision.options if each.id == "camp")
    order.follow(
        OrderExecution("red", [Expected(address, from_camp, "camp"), Expected(address, None, "", optional=True)])
    )
    follow(campaign, order, 2)
    assert order.dropped is None
    assert campaign.core.find("troop", "first").at.id == "town"


def test_order_goes_on_after_questions_of_a_reaction_that_changes_nothing(campaign: Game) -> None:
    """Blue strikes; red is asked, and nobody is thrown back: the order goes on."""
    order = plan_of(campaign, "town")
    asked = follow(campaign, order, "camp", 2, 0, strikes=True)
    assert asked == ["From where?", "How many march?", "How much is given up?", "What does the column do?"]
    assert campaign.core.find("troop", "first").at.id == "town"


def test_order_ends_after_a_reaction_that_throws_the_force_back(campaign: Game) -> None:
    """Blue strikes and the column goes back: the order ends, with the reason."""
    order = plan_of(campaign, "town")
    follow(campaign, order, "camp", 2, 1, strikes=True)
    assert campaign.core.find("troop", "first").at.id == "camp"
    assert order.dropped is not None
    assert order.dropped[1].en == "somebody has reacted"


def test_order_ends_where_its_menu_is_left(campaign: Game) -> None:
    """Red halts the column by hand: the order does not come back in the next march."""
    order = plan_of(campaign, "town")
    campaign.choose_index(order.next(campaign) or 0)
    for answer in ("camp", 1, "rest"):
        campaign.choose(answer)
    assert campaign.decision is not None
    assert order.next(campaign) is None
    assert order.dropped == ("town", order.dropped[1]) if order.dropped else False


def test_plan_without_repetition_enters_no_menu(campaign: Game) -> None:
    """What an action itself is about is found without the menus within it."""
    assert plans_for(campaign, "town", repeats=False) == []
    assert [each.places for each in plans_for(campaign, "fort", repeats=False)] == [("fort",)]


def test_nearest_plan_ends_before_chance(campaign: Game) -> None:
    """Nothing leads surely beyond the mill, where a die is rolled: the mill is the nearest place to the isle."""
    assert plans_for(campaign, "isle", first=1) == []
    nearest = nearest_plan(campaign, "isle", first=1)
    assert nearest is not None
    assert nearest.places == ("ford", "mill")
    assert nearest_plan(campaign, "town", first=1) is None


def test_order_leaves_a_choice_on_the_way_to_its_seat_and_goes_on(tmp_path: Path) -> None:
    """Red has to choose what is watched at the ford; that the goal is among the options does not answer it."""
    text = CAMPAIGN.replace("      if there = ford:\n", "      if there = ford:\n        watch()\n", 1)
    text += 'procedures: {watch: {do: let watched = red chooses one of ford.neighbours "What is watched?"}}\n'
    (tmp_path / "ruleset.yaml").write_text(text)
    campaign = Game(load_ruleset(tmp_path), seed=3, trace=True)
    [plan] = plans_for(campaign, "town", start="camp", first=1)
    assert plan.questions == ("How many march?", "What is watched?")
    order = OrderExecution.of("red", plan)
    asked = follow(campaign, order, 2, "camp")
    assert asked == ["How many march?", "What is watched?", "What does the column do?"]
    assert campaign.core.find("troop", "first").at.id == "town"
    assert order.dropped is None


@pytest.mark.parametrize("halts", ["7", "0"])
def test_order_goes_as_far_as_chance_lets_it(tmp_path: Path, halts: str) -> None:
    """The way to the isle ends with a die at the mill: the order goes there if the march goes on after it."""
    (tmp_path / "ruleset.yaml").write_text(CAMPAIGN.replace("roll < 7", f"roll < {halts}"))
    campaign = Game(load_ruleset(tmp_path), seed=3, trace=True)
    nearest = nearest_plan(campaign, "isle", start="camp", first=1)
    assert nearest is not None
    assert nearest.places == ("camp", "ford", "mill")
    assert nearest.is_part is (halts == "0")
    if nearest.is_part:
        order = OrderExecution.of("red", nearest)
        assert follow(campaign, order, 2) == ["How many march?", "What does the column do?"]
        assert campaign.core.find("troop", "first").at.id == "mill"
        assert order.dropped is not None
        assert (order.dropped[0], order.dropped[1].en) == ("isle", "chance has decided something")


def test_nearest_plan_needs_an_open_decision(campaign: Game) -> None:
    """After the end of the game nothing is planned."""
    campaign.choose(None)
    with pytest.raises(UsageError, match="no decision is open"):
        nearest_plan(campaign, "town")
