"""Orders: the plan that leads to a wish, and its execution until something interferes."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.language.diagnostics import UsageError
from interpreter.play.game import Game
from interpreter.players.orders.order_execution import Expected, OrderExecution
from interpreter.players.orders.plan_search import plans_for
from interpreter.rules.loading.load import load_ruleset

TREK = """
ruleset: {id: trek, title: Trek, version: "1"}
kinds:
  side: {is: seat, members: [red, blue]}
  place: {is: space, has: {toll: "int = 1", watched: "bool = false", wild: "bool = false", shut: "bool = false"}}
  walker: {is: piece, in: place, has: {owner: side, worn: "bool = false"}}
individuals:
  place:
    camp: {}
    moor: {toll: 3}
    ford: {watched: true}
    mill: {}
    hill: {wild: true}
    town: {}
    den: {shut: true}
links:
  roads:
    of: place
    between:
      [[camp, moor], [moor, town], [camp, ford], [ford, mill], [mill, town], [camp, hill], [hill, den], [town, den]]
pieces:
  walker: [{id: scout, owner: red, at: camp}, {id: spy, owner: blue, at: town}]
state: {spent: "int = 0", halted: "bool = false"}
menus: {orders: {takes: {walker: walker}, prompt: What does it do?}}
definitions:
  place.price: {is: place.toll}
actions:
  go:
    menu: orders
    pick: {there: "walker.place.neighbours where not .shut and .price + spent <= 6"}
    do: enter(walker, there)
  rest: {menu: orders, do: set halted = true}
procedures:
  enter:
    takes: {walker: walker, there: place}
    do: |
      set spent += there.price
      move walker to there
      if there.watched:
        if blue agrees to ambush "Does it strike?": set spent += 1
      if there.wild:
        let roll = walker.owner rolls 1d6 "weather"
        set spent += roll
sequence:
  game:
    do: |
      while not halted, up to 20 times:
        for each walker in walkers where .owner = red: red must take orders(walker) "What does {walker} do?"
presentation:
  costs: {go.there: {of: price, unit: MP}}
"""


@pytest.fixture
def trek(tmp_path: Path) -> Game:
    """A scout at the camp: over the moor to the town for 4, or by the watched ford and the mill for 3."""
    (tmp_path / "trek").mkdir()
    (tmp_path / "trek" / "ruleset.yaml").write_text(TREK)
    return Game(load_ruleset(tmp_path / "trek"), seed=3, trace=True)


def test_plan_takes_the_cheapest_way(trek: Game) -> None:
    """The way costs 3 by ford and mill, not 4 over the moor; the seat that may react there is named."""
    [plan] = plans_for(trek, "town")
    assert plan.places == ("ford", "mill", "town")
    assert (plan.cost, plan.unit) == (3, "MP")
    assert [(each.after, each.seat) for each in plan.reactions] == [("ford", "blue")]


def test_plan_goes_by_the_places_that_are_named(trek: Game) -> None:
    """`via` leads over the moor, although that costs more."""
    [plan] = plans_for(trek, "town", via=["moor"])
    assert plan.places == ("moor", "town")
    assert plan.cost == 4


def test_start_where_the_piece_stands_need_not_be_chosen(trek: Game) -> None:
    """The question is about the scout at the camp: an order may name him, or the camp, as its start."""
    for start in ("camp", "scout"):
        assert [each.places for each in plans_for(trek, "town", start=start)] == [("ford", "mill", "town")]
    assert plans_for(trek, "town", start="mill") == []


def test_plan_leads_to_the_place_of_a_piece(trek: Game) -> None:
    """The spy is in the town: an order to go to it ends there."""
    [plan] = plans_for(trek, "spy")
    assert plan.places[-1] == "town"


def test_plan_ends_where_chance_comes_in(trek: Game) -> None:
    """The hill can be reached; nothing is planned beyond its die, and nothing leads into the den."""
    assert [each.places for each in plans_for(trek, "hill")] == [("hill",)]
    trek.choose("go")
    trek.choose("hill")
    assert plans_for(trek, "den") == []


LANE = """
ruleset: {id: lane, title: Lane, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  place: {is: space}
  walker: {is: piece, in: place, has: {owner: side, behind: "place?"}}
individuals:
  place: {camp: {}, gate: {}, lane: {}, yard: {}, town: {}, moor: {}}
links: {roads: {of: place, between: [[camp, gate], [gate, lane], [lane, yard], [yard, town], [yard, moor]]}}
pieces: {walker: [{id: scout, owner: red, at: camp}]}
menus: {orders: {takes: {walker: walker}, prompt: What does it do?}}
actions:
  go:
    menu: orders
    pick: {there: walker.place.neighbours where it != walker.behind}
    do: |
      set walker.behind = walker.place
      move walker to there
  rest: {menu: orders, do: set halted = true}
state: {halted: "bool = false"}
sequence:
  game:
    do: |
      while not halted, up to 9 times:
        for each walker in walkers: red must take orders(walker)
presentation:
  costs: {go.there: {of: price, unit: MP}}
definitions: {place.price: {gives: int, is: 2 if place = lane else 1}}
"""


@pytest.fixture
def lane(tmp_path: Path) -> Game:
    """A scout who never turns back: from the camp only one way leads on as far as the yard."""
    (tmp_path / "lane").mkdir()
    (tmp_path / "lane" / "ruleset.yaml").write_text(LANE)
    return Game(load_ruleset(tmp_path / "lane"), seed=3, trace=True)


def test_plan_goes_on_where_one_way_leads_on(lane: Game) -> None:
    """Gate, lane and yard are the only ways on and are not asked for; they count and are shown."""
    [plan] = plans_for(lane, "town")
    assert plan.places == ("gate", "lane", "yard", "town")
    assert plan.cost == 5
    assert [each["label"] for each in plan.as_data()["answers"]] == ["go", "go", "go", "go", "town"]
    order = OrderExecution.of("red", plan)
    assert carried_out(lane, order, strikes=False) == 5
    assert order.dropped is None
    assert lane.core.find("walker", "scout").at.id == "town"


def test_plan_ends_at_a_place_that_is_not_asked_for(lane: Game) -> None:
    """The lane is the only way on from the gate: a plan to it, or by it, is whole although nobody is asked for it."""
    assert [each.places for each in plans_for(lane, "lane")] == [("gate", "lane")]
    assert [each.places for each in plans_for(lane, "moor", via=["lane"])] == [("gate", "lane", "yard", "moor")]
    assert plans_for(lane, "moor", via=["town"]) == []


def test_plan_without_repetition_ends_at_the_next_place(trek: Game) -> None:
    """Without repetition only what the first choice itself offers is found."""
    assert plans_for(trek, "town", repeats=False) == []
    assert [each.places for each in plans_for(trek, "moor", repeats=False)] == [("moor",)]


def test_plan_leaves_the_game_as_it_was(trek: Game) -> None:
    """The search runs on a copy: state, inputs and dice of the game stay."""
    before = trek.hash(), trek.history, trek.runs
    plans_for(trek, "town")
    assert (trek.hash(), trek.history, trek.runs) == before


def test_plan_needs_an_open_decision_and_an_option(trek: Game) -> None:
    """A first option that is not offered is refused, and so is a plan without a question."""
    with pytest.raises(UsageError, match="there is no option 2"):
        plans_for(trek, "town", first=2)
    trek.choose("rest")
    with pytest.raises(UsageError, match="no decision is open"):
        plans_for(trek, "town")


def carried_out(game: Game, order: OrderExecution, *, strikes: bool) -> int:
    """Gives the answers of an order, and those of blue; returns how many the order gave."""
    count = 0
    while (index := order.next(game)) is not None:
        game.choose_index(index)
        count += 1
        while game.decision is not None and game.decision.seat == "blue":
            game.choose(strikes)
    return count


def test_order_is_carried_out_if_nobody_reacts(trek: Game) -> None:
    """Blue lets the scout pass: all six answers are given."""
    [plan] = plans_for(trek, "town")
    order = OrderExecution.of("red", plan)
    assert carried_out(trek, order, strikes=False) == 6
    assert order.dropped is None
    assert trek.core.find("walker", "scout").at.id == "town"


def test_order_goes_on_after_a_reaction_that_changes_nothing_for_it(trek: Game) -> None:
    """Blue strikes at the ford, which costs a point: the same way is still the cheapest, and the order goes on."""
    [plan] = plans_for(trek, "town")
    order = OrderExecution.of("red", plan)
    assert carried_out(trek, order, strikes=True) == 6
    assert order.dropped is None


@pytest.mark.parametrize("strike", ["set spent += 4", "move walker to camp", "set walker.worn = true"])
def test_order_ends_after_a_reaction_that_stops_or_harms_the_force(tmp_path: Path, strike: str) -> None:
    """Blue takes the points or throws the scout back: the rest of the order is dropped, with the reason."""
    (tmp_path / "trek").mkdir()
    text = TREK.replace('"Does it strike?": set spent += 1', f'"Does it strike?": {strike}')
    (tmp_path / "trek" / "ruleset.yaml").write_text(text)
    game = Game(load_ruleset(tmp_path / "trek"), seed=3, trace=True)
    [plan] = plans_for(game, "town")
    order = OrderExecution.of("red", plan)
    assert carried_out(game, order, strikes=True) == 2
    assert order.dropped is not None
    rest, reason = order.dropped
    assert rest == "town"
    assert reason.en == "somebody has reacted"


def test_hidden_answer_does_not_end_an_order(tmp_path: Path) -> None:
    """What blue answers in a block of simultaneous lines drops the rest of red's order only after the block."""
    votes = """\
sequence:
  game:
    do: |
      together:
        set halted = red agrees to one "One?"
        set halted = blue agrees to other "Other?"
        set halted = red agrees to two "Two?"
      set halted = red agrees to three "Three?"
"""
    (tmp_path / "trek").mkdir()
    (tmp_path / "trek" / "ruleset.yaml").write_text(TREK[: TREK.index("sequence:")] + votes)
    game = Game(load_ruleset(tmp_path / "trek"), seed=3, trace=True)
    order = OrderExecution("red", [Expected(f"game.{each}", True, each) for each in ("one", "two", "three")])
    assert carried_out(game, order, strikes=True) == 2
    assert order.dropped is not None
    assert order.dropped[0] == "three"
    assert order.dropped[1].en == "somebody has reacted"


def test_plan_as_data_names_its_answers(trek: Game) -> None:
    """Plain data has the answers in their stable form, so that another program can give them."""
    [plan] = plans_for(trek, "moor")
    assert plan.as_data()["answers"] == [
        {"address": "game.orders", "value": [":action", "go"], "label": "go", "cost": 0},
        {"address": "go.there", "value": ["place", "moor"], "label": "moor", "cost": 3},
    ]
