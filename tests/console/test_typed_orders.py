"""Orders as a person types them: what a goal alone may choose, and how a way is shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripted_terminal import picked, typed

from interpreter.play.game import Game
from interpreter.rules.loading.load import load_ruleset

HIKE = """
ruleset: {id: hike, title: Hike, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  place: {is: space}
  hiker: {is: piece, in: place}
individuals: {place: [camp, ford, moor, town]}
links: {roads: {of: place, between: [[camp, ford], [camp, moor], [ford, town]]}}
pieces: {hiker: [{id: scout, at: camp}]}
menus: {orders: {takes: {hiker: hiker}, prompt: What does it do?}}
actions:
  go: {menu: orders, pick: {there: hiker.place.neighbours}, do: move hiker to there}
  rest: {menu: orders, do: return}
sequence:
  game:
    do: |
      repeat 3 times:
        for each hiker in hikers: red must take orders(hiker)
"""


def test_place_alone_at_a_menu_chooses_no_action(tmp_path: Path) -> None:
    """At a menu the name of a place asks what is meant and does nothing; with its action it is an order."""
    (tmp_path / "ruleset.yaml").write_text(HIKE)
    hike = Game(load_ruleset(tmp_path), trace=True)
    script = typed(hike, "town")
    assert (
        "'town' names no action; it could mean go: ford, town: put the action before it, such as '1 town'"
        in script.text
    )
    assert hike.core.find("hiker", "scout").at.id == "camp"
    assert "order: go: ford, town" in typed(hike, "1 town").text
    assert hike.core.find("hiker", "scout").at.id == "town"


def test_place_alone_at_a_menu_of_one_action_is_an_order(tmp_path: Path) -> None:
    """Where nothing else is offered, the action need not be named."""
    (tmp_path / "ruleset.yaml").write_text(HIKE.replace("  rest: {menu: orders, do: return}\n", ""))
    hike = Game(load_ruleset(tmp_path), trace=True)
    assert "order: go: ford, town" in typed(hike, "town").text


def test_place_asks_for_every_action_on_the_way_to_it(tmp_path: Path) -> None:
    """Two menus before a place: the first action alone does not choose the second; the example names both."""
    text = (
        'ruleset: {id: paces, title: Paces, version: "1"}\n'
        "kinds:\n"
        "  side: {is: seat, members: [red]}\n"
        "  field: {is: space}\n"
        "individuals: {field: [north, south]}\n"
        "menus: {orders: {prompt: What now?}, works: {prompt: What is done?}}\n"
        "actions:\n"
        "  pay:\n"
        "    menu: orders\n"
        "    do: |\n"
        '      red must take works() "What is paid for?"\n'
        '  wait: {menu: orders, do: log "waits"}\n'
        '  build: {menu: works, pick: {there: fields}, do: log "built"}\n'
        '  dig: {menu: works, do: log "digs"}\n'
        "sequence: {game: {do: red must take orders()}}\n"
    )
    (tmp_path / "ruleset.yaml").write_text(text, encoding="utf-8")
    for order in ("north", "pay north"):
        game = Game(load_ruleset(tmp_path), trace=True)
        script = typed(game, order)
        assert "it could mean pay, build: north: put the action before it, such as '1; build north'" in script.text
        assert picked(game, "build.there") == []
    typed(game, "1; build north")
    assert picked(game, "build.there") == ["north"]


def test_a_cost_of_nothing_is_left_out(tmp_path: Path) -> None:
    """Of a way by a ford that costs nothing to a town that costs 2, only the town has a cost."""
    priced = HIKE.replace("place: {is: space}", 'place: {is: space, has: {toll: "int = 0"}}')
    priced = priced.replace("[camp, ford, moor, town]", "{camp: {}, ford: {}, moor: {}, town: {toll: 2}}")
    costs = "definitions: {place.price: {is: place.toll}}\npresentation: {costs: {go.there: {of: price, unit: MP}}}\n"
    (tmp_path / "ruleset.yaml").write_text(priced + costs)
    assert "order: go: ford, town 2; MP in all: 2" in typed(Game(load_ruleset(tmp_path), trace=True), "go town").text


def test_ways_that_read_alike_are_one(tmp_path: Path) -> None:
    """Two actions of one name that lead to the same place are no choice for a person."""
    twice = HIKE.replace(
        "  rest:", "  run: {menu: orders, pick: {there: hiker.place.neighbours}, do: move hiker to there}\n  rest:"
    )
    (tmp_path / "ruleset.yaml").write_text(twice + "presentation: {words: {go: walk, run: walk}}\n")
    assert "order: walk: ford, town" in typed(Game(load_ruleset(tmp_path), trace=True), "plan town").text


def test_an_action_in_japanese_is_named_by_its_verb(tmp_path: Path) -> None:
    """The verb stands last in Japanese; the word for stopping, which begins with it, leads nowhere."""
    words = "{go: 徒歩で移動する（2 MP）, rest: 休む, scout_out: 谷を偵察する}"
    text = f"presentation: {{words: {words}, declines: {{game.orders: 移動を終える}}}}\n"
    rules = HIKE.replace("red must take", "red may take") + text
    rules = rules.replace("  rest:", "  scout_out: {menu: orders, do: return}\n  rest:")
    (tmp_path / "ruleset.yaml").write_text(rules, encoding="utf-8")
    game = Game(load_ruleset(tmp_path), language="ja", trace=True)
    assert "命令：徒歩で移動する（2 MP）：ford、town" in typed(game, "plan 移動 town").text
    assert "命令：" not in typed(game, "plan 動 town").text


DETOUR = """
ruleset: {id: detour, title: Detour, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  field: {is: space}
  troop: {is: piece, in: field}
  hand: {is: space}
  card: {is: piece, in: hand}
individuals: {field: [north, south], hand: [held]}
pieces:
  troop: [{id: guard, at: north}]
  card: [{id: charge, at: held}, {id: flank_march, at: held}]
sequence:
  game:
    steps:
      retreat:
        do: |
          let goes = red agrees to withdraw "Does the guard withdraw?"
          let troop = red chooses one or none of troops "Who withdraws?"
          let card = red chooses one or none of cards "Which card?"
          if goes and troop != none and card != none: move troop to south
      march:
        do: |
          let card = red chooses one of cards "Which card for the march?"
          log "plays {card}"
presentation: {names: {card: {flank_march: flank march}}}
"""


@pytest.fixture
def detour(tmp_path: Path) -> Game:
    """Whether and who withdraws is asked before the card for it."""
    (tmp_path / "ruleset.yaml").write_text(DETOUR, encoding="utf-8")
    return Game(load_ruleset(tmp_path), trace=True)


def test_the_name_of_a_card_that_is_asked_for_later_answers_nothing_now(detour: Game) -> None:
    """Neither whether nor who withdraws is chosen by the name of the card that is asked for then."""
    script = typed(detour, "charge", "yes", "charge", "guard", "charge")
    for question in ("Does the guard withdraw?", "Who withdraws?"):
        assert f"'charge' is no answer now: red is asked: {question}" in script.text
    assert picked(detour, "retreat.troop") == ["guard"]
    assert picked(detour, "retreat.card") == ["charge"]


def test_a_verb_names_no_card_in_the_middle_of_its_name(detour: Game) -> None:
    """`march`, which the rules call what is done, is not the card 'flank march'; 'flank' is."""
    script = typed(detour, "yes", "guard", "charge", "march")
    assert "'march' is no answer now: red is asked: Which card for the march?" in script.text
    assert picked(detour, "march.card") == []
    typed(detour, "flank")
    assert picked(detour, "march.card") == ["flank_march"]


FLANKS = """
ruleset: {id: flanks, title: Flanks, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  flank: {is: enum, plural: flanks, members: [left, right]}
  field: {is: space, has: {shut: bool}}
  troop: {is: piece, in: field}
individuals: {field: {north: {shut: false}, south: {shut: false}, island: {shut: true}}}
links: {roads: {of: field, between: [[north, south], [south, island]]}}
pieces: {troop: [{id: guard, at: north}, {id: rear, at: north}]}
sequence:
  game:
    do: |
      let flank = red chooses one of flanks "Which flank?"
      let troop = red chooses one of troops "Which troop of the {flank}?"
      let there = red chooses one of fields where not .shut "Where to?"
      move troop to there
"""


def test_a_way_of_which_every_place_is_still_to_be_chosen_is_none(tmp_path: Path) -> None:
    """No place is sure on the way to the island: it is said that no way leads there."""
    (tmp_path / "ruleset.yaml").write_text(FLANKS, encoding="utf-8")
    script = typed(Game(load_ruleset(tmp_path), trace=True), "island")
    assert "no way leads to island from this question" in script.text


def test_a_verb_of_a_later_question_names_an_order_that_leads_on_to_it(tmp_path: Path) -> None:
    """Before a hiker is called, `go ford` does nothing, and the order that calls him is named; a rest leads nowhere."""
    called = HIKE.replace("menus: {orders:", "menus: {calls: {takes: {side: side}, prompt: Who is called?}, orders:")
    called = called.replace("actions:\n", "actions:\n  call: {menu: calls, pick: {hiker: hikers}, do: [CALL]}\n")
    called = called.replace("[CALL]", "red may take orders(hiker)").replace(
        "  rest:", "  halt: {menu: calls, do: return}\n  rest:"
    )
    called = called.replace(
        "        for each hiker in hikers: red must take orders(hiker)", "        red may take calls(red)"
    )
    (tmp_path / "ruleset.yaml").write_text(called, encoding="utf-8")
    game = Game(load_ruleset(tmp_path), trace=True)
    script = typed(game, "go ford", "rest ford")
    assert "'go' is no answer yet, but '1 ford' leads on to it: red is asked: Who is called?" in script.text
    assert "'rest' is no answer now: red is asked: Who is called?" in script.text
    assert picked(game, "go.there") == []
    typed(game, "1 ford")
    assert picked(game, "go.there") == ["ford"]
