"""The reasons why an action is not available, from real rule text."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from interpreter.language.checking.program.wordless import check_words
from interpreter.language.diagnostics import RuleFault, UsageError
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_ruleset

HEAD = """
ruleset: {id: bridge, title: {en: Bridge}, version: 1.0.0, notice: For tests.}
include: [rules.yaml]
"""

RULES = """
kinds:
  player: {is: seat, members: [red, blue]}
  bank: {is: space, plural: banks, has: {flooded: "bool = false"}}
  squad: {is: piece, plural: squads, in: bank, has: {owner: player, tired: "bool = false", pay: "int = 0"}}
individuals:
  bank:
    east: {}
    west: {}
    island: {flooded: true}
links:
  paths: {of: bank, between: [[east, west], [west, island]]}
pieces:
  squad:
    - {id: red, count: 2, owner: red, at: east}
    - {id: lazy, owner: red, at: east, tired: true}
    - {id: blue, owner: blue, at: west}
state:
  money: "int = 2"
clauses:
  - {id: "1", kind: rule, says: Orders are given in turn.}
  - {id: "1.1", kind: rule, says: A march costs two.}
  - {id: "1.2", kind: rule, says: Tired squads rest.}
  - {id: "2.1", kind: rule, says: Nobody enters a flood.}
  - {id: "2.2", kind: rule, says: Nobody enters where an enemy stands.}
restrictions:
  entry_bars:
    takes: {squad: squad, bank: bank}
    each:
      - {id: flood, cite: "2.1", when: bank.flooded}
      - {id: enemy, cite: "2.2", when: any(bank.squads where .owner != squad.owner), says: An enemy stands there.}
menus:
  orders: {cite: "1", takes: {player: player}, prompt: "Which order?"}
actions:
  march:
    menu: orders
    cite: "1.1"
    when:
      - {id: funds, cite: "1.1", when: money >= 2, says: a march costs two}
    pick:
      squad: {of: squads where .owner = player and not .tired, prompt: "Who?"}
      goal: {of: "squad.bank.neighbours where not any(entry_bars(squad, it))", prompt: "Where to?"}
    do: |
      move squad to goal
  rest:
    menu: orders
    cite: "1.2"
    pick:
      who: {of: squads where .owner = player}
    do: |
      set who.tired = false
      set money -= 1
sequence:
  game:
    repeat: 9
    steps:
      order: {cite: "1", each: player in players, do: player may take orders(player)}
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A game of the bridge in which red may give an order."""
    folder = tmp_path / "bridge"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(HEAD)
    (folder / "rules.yaml").write_text(RULES)
    return Game(load_ruleset(str(folder)), seed=1)


def test_available_action_has_no_reasons(game: Game) -> None:
    """An available action has no reasons against it."""
    assert game.why_not("red", "rest") == []
    assert game.why_not("red", "rest", who="red_1") == []


def test_refused_pick_names_its_condition(game: Game) -> None:
    """A value that fails the `where` of a pick is refused by the value that is read and the one that is needed."""
    (reason,) = game.why_not("red", "rest", who="blue")
    assert reason.text == "blue can't be picked as who: owner: blue, not red"
    assert reason.place.file.endswith("rules.yaml")


def test_failed_need_has_its_text(game: Game) -> None:
    """A failed need has its own text and clause."""
    game.choose("rest")
    game.choose("red_1")
    for _ in range(2):
        assert game.decision is not None
        game.choose(None)
    game.core.world.state.a_money = 1
    (reason,) = game.why_not("blue", "march")
    assert (reason.text, reason.cites) == ("a march costs two", ("1.1",))


def test_restriction_gives_its_items(game: Game) -> None:
    """The items of a failed restriction are the reasons, each with its clause."""
    game.core.world.place(game.core.find("squad", "red_1"), game.core.find("bank", "west"))
    reasons = game.why_not("red", "march", squad="red_1", goal="island")
    assert [(each.text, each.cites) for each in reasons] == [("entry bars: flood", ("2.1",))]
    game.core.world.place(game.core.find("squad", "blue"), game.core.find("bank", "island"))
    (_, reason) = game.why_not("red", "march", squad="red_1", goal="island")
    assert (reason.text, reason.cites) == ("An enemy stands there.", ("2.2",))


def test_open_question_is_shown_by_its_text(game: Game) -> None:
    """The reason has the texts of the menu and of the open question."""
    game.choose("rest")
    (reason,) = game.why_not("red", "rest")
    assert "red is asked: Who?" in reason.text
    assert "rest.who" not in reason.text


def test_empty_pick_is_the_reason(game: Game) -> None:
    """A pick without any option is the reason, here the second: a pick that leads to none is no option."""
    (reason,) = game.why_not("red", "march")
    assert str(reason) == "nothing can be picked as goal (west: An enemy stands there.) [2.2]"


def test_closed_menu_names_open_question(game: Game) -> None:
    """An action of another menu, or within an action, is not available, whatever its needs."""
    game.choose("rest")
    (reason,) = game.why_not("red", "rest")
    assert "another action is in progress" in reason.text


def test_unknown_names_have_hints(game: Game) -> None:
    """Unknown actions and picks are reported with the nearest name."""
    with pytest.raises(UsageError, match="did you mean 'march'"):
        game.why_not("red", "marsh")
    with pytest.raises(UsageError, match="did you mean 'goal'"):
        game.why_not("red", "march", gaol="east")


def test_reasons_are_given_in_the_language_of_the_game(tmp_path: Path) -> None:
    """Conditions of actions and items of restrictions say why not in it; without a text, by their names."""
    (tmp_path / "ruleset.yaml").write_text(HEAD, encoding="utf-8")
    rules = RULES.replace("says: a march costs two", "says: {en: a march costs two, ja: 行軍には2金が必要}")
    rules = rules.replace("says: An enemy stands there.", "says: {en: An enemy stands there., ja: 敵がいる。}")
    words = "presentation:\n  words: {entry_bars: {ja: 進入禁止}, flood: {ja: 洪水}}\n"
    (tmp_path / "rules.yaml").write_text(rules + words, encoding="utf-8")
    game = Game(load_ruleset(tmp_path), seed=1, language="ja")
    game.core.world.place(game.core.find("squad", "red_1"), game.core.find("bank", "west"))
    (flood,) = game.why_not("red", "march", squad="red_1", goal="island")
    assert str(flood) == "進入禁止：洪水 [2.1]"
    game.core.world.place(game.core.find("squad", "blue"), game.core.find("bank", "island"))
    assert "敵がいる。 [2.2]" in [str(each) for each in game.why_not("red", "march", squad="red_1", goal="island")]
    game.core.world.state.a_money = 1
    assert [str(each) for each in game.why_not("red", "march")] == ["行軍には2金が必要 [1.1]"]


def test_condition_without_words_is_explained_by_its_clause(tmp_path: Path) -> None:
    """A condition without `says` is explained by the words of its clause, never by rule text; the check warns of it."""
    for name in ("ruleset.yaml", "rules.yaml"):
        text = (HEAD if name == "ruleset.yaml" else RULES).replace(", says: a march costs two", "")
        (tmp_path / name).write_text(text.replace('money: "int = 2"', 'money: "int = 1"'))
    loaded = load_ruleset(tmp_path, cache=False)
    (reason,) = Game(loaded, seed=1).why_not("red", "march")
    assert reason.text == loaded.clauses["1.1"].says
    assert [each.message for each in check_words(loaded.program)] == ["no words say why 'funds' forbids the action"]
    (tmp_path / "rules.yaml").write_text(RULES)
    assert check_words(load_ruleset(tmp_path, cache=False).program) == []


def reasons(game: Game, name: str) -> list[str]:
    """The reasons against an option, as text."""
    return [str(each) for each in game.why_not_option("red", name)]


def test_offered_thing_has_no_reasons(game: Game) -> None:
    """What is among the options has no reason against it, by name or by what it holds."""
    game.choose("rest")
    assert game.why_not_option("red", "red 1") == []
    assert reasons(game, "blue") == ["blue is not offered: owner: blue, not red [1.2]"]


def test_thing_at_a_menu_is_refused_by_its_actions(game: Game) -> None:
    """At a menu the reasons are those against the actions that could be about the thing; none if one can do it."""
    assert game.why_not_option("red", "red 1") == []
    assert "rest: blue can't be picked as who: owner: blue, not red [1.2]" in reasons(game, "blue")


def test_view_that_reads_the_place_of_what_it_hides(tmp_path: Path) -> None:
    """Reasons at a menu are found though what is hidden is off the board, and a view asks where it is."""
    (tmp_path / "ruleset.yaml").write_text(HEAD)
    spies = "kinds:\n  spy: {is: piece, plural: spies, in: bank}"
    views = "views: {spies: {of: spy, when: spy.bank.flooded, others_see: []}}\npieces:\n  spy: [{id: spy, at: island}]"
    (tmp_path / "rules.yaml").write_text(RULES.replace("kinds:", spies).replace("pieces:", views))
    watched = Game(load_ruleset(tmp_path, cache=False), seed=1)
    assert any("owner: blue, not red [1.2]" in each for each in reasons(watched, "blue"))


def test_unknown_name_is_refused(game: Game) -> None:
    """A name of nothing is an error of whoever asks."""
    with pytest.raises(UsageError, match="nothing here is called 'dragon'"):
        game.why_not_option("red", "dragon")


SEARCH = """
ruleset: {id: hunt, title: Hunt, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  place: {is: space, has: {shut: "bool = false", far: "bool = false"}}
  dog: {is: piece, in: place, has: {tired: "bool = false", old: "bool = false"}}
individuals: {place: {yard: {}, lane: {}, wood: {}, mill: {shut: true}, hill: {}}}
links: {roads: {of: place, between: [[yard, lane], [lane, wood], [wood, hill], [lane, mill]]}}
pieces:
  dog:
    - {id: stray, at: mill, old: true}
    - {id: rex, at: yard}
    - {id: bello, at: yard, tired: true}
    - {id: nero, at: yard, old: true}
clauses:
  - {id: "1", kind: rule, says: A tired dog rests.}
  - {id: "2", kind: rule, says: An old dog stays at home.}
  - {id: "3", kind: rule, says: Dogs run two places.}
  - {id: "4", kind: rule, says: The mill is shut.}
searches:
  run:
    cite: "3"
    takes: {dog: dog}
    over: place
    within: 2
    bars: [{id: shut, cite: "4", when: there.shut}]
definitions:
  keen: {cite: "1", takes: {dog: dog}, gives: bool, do: "if dog.tired: return false\\nreturn not stiff(dog)"}
  stiff: {cite: "2", takes: {dog: dog}, is: dog.old}
  others: {cite: "2", takes: {dog: dog}, gives: set of dog, is: yard.dogs - dog}
  able: {takes: {side: side}, gives: set of dog, do: "let all_dogs = dogs\\nreturn all_dogs where keen(it)"}
sequence:
  game:
    do: |
      let pack = able(red)
      let first_dog = red chooses one of pack "Which dog?"
      let ways = reach run(first_dog) from first_dog.place
      let goal = red chooses one of ways "Where to?"
      let watchdog = red chooses one of others(first_dog) "Who keeps watch?"
      move first_dog to goal
"""


@pytest.fixture
def hunt(tmp_path: Path) -> Game:
    """A game that asks for a dog, by nested definitions, and for a place, by a search."""
    (tmp_path / "hunt").mkdir()
    (tmp_path / "hunt" / "ruleset.yaml").write_text(SEARCH.replace("id: rex, at: yard", "id: rex, count: 2, at: yard"))
    return Game(load_ruleset(tmp_path / "hunt"), trace=True)


def test_reason_comes_from_the_rule_that_says_no(hunt: Game) -> None:
    """Through definitions and their branches, the clause is that of the line or definition that says no."""
    assert reasons(hunt, "bello") == ["bello is not offered: A tired dog rests. (tired: yes) [1]"]
    assert reasons(hunt, "nero") == ["nero is not offered: An old dog stays at home. (old: yes) [2]"]


def test_search_names_its_bar_or_its_limit(hunt: Game) -> None:
    """Beside the reached places the bar is named, beyond them the limit of the search."""
    hunt.choose("rex_1")
    assert reasons(hunt, "mill") == ["mill is not offered: The mill is shut. [4]"]
    assert reasons(hunt, "hill") == ["hill is not offered: no way within 2 leads there [3]"]
    assert reasons(hunt, "wood") == []


def test_search_names_the_step_where_it_is_cut(tmp_path: Path) -> None:
    """On the way to a place behind a bar, the step that is forbidden is named with its clause."""
    text = SEARCH.replace("within: 2", "within: 5").replace("wood: {}", "wood: {shut: true}")
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / "ruleset.yaml").write_text(text, "utf-8")
    game = Game(load_ruleset(tmp_path / "cut"), trace=True)
    assert game.decision is not None
    assert game.decision.prompt == "Where to?"
    cut = "the way is cut between lane and wood: The mill is shut."
    assert reasons(game, "hill") == [f"hill is not offered: {cut} [4]"]


def test_secret_question_without_any_option_has_reasons(tmp_path: Path) -> None:
    """Where a seat is asked secretly although nothing can be chosen, what could be asked for has its reason."""
    asked = 'red secretly chooses one or none of (dogs where keen(it) and .at = lane) "Which dog?"'
    text = SEARCH.replace("let pack = able(red)", f"let guard_dog = {asked}\n      let pack = able(red)")
    (tmp_path / "kennel").mkdir()
    (tmp_path / "kennel" / "ruleset.yaml").write_text(text, "utf-8")
    game = Game(load_ruleset(tmp_path / "kennel"), trace=True)
    assert game.decision is not None
    assert game.decision.options == (None,)
    assert reasons(game, "bello")[0] == "bello is not offered: A tired dog rests. (tired: yes) [1]"
    assert "the question is 'Which dog?'" in reasons(game, "hill")[0]


def test_question_leaves_the_game_as_it_was(hunt: Game) -> None:
    """Asking why not changes neither state nor inputs nor options."""
    before = hunt.hash(), hunt.history, hunt.runs
    reasons(hunt, "bello")
    assert (hunt.hash(), hunt.history, hunt.runs) == before


def test_refusal_of_a_value_from_elsewhere_names_the_place(hunt: Game) -> None:
    """What is offered are the dogs of a place; one elsewhere is not in it, and one that is taken out has its clause."""
    for answer in ("rex_1", "wood"):
        hunt.choose(answer)
    assert reasons(hunt, "stray") == ["stray is not offered: it is in mill, not in yard [2]"]
    assert reasons(hunt, "rex_1") == ["rex 1 is not offered: An old dog stays at home. [2]"]


CAMP = """
ruleset: {id: camp, title: Camp, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  field: {is: space}
  squad: {is: piece, in: field, has: {tired: "bool = false", far: "bool = false", steps: "int = 2"}}
individuals: {field: {north: {}, south: {}}}
pieces: {squad: [{id: guard, at: north, tired: true}, {id: scout, at: south, tired: true, far: true}]}
clauses:
  - {id: "1", kind: rule, says: Tired squads stay.}
  - {id: "2", kind: rule, says: Who is far does not march.}
  - {id: "3", kind: rule, says: Fires are lit where a squad is fresh.}
definitions:
  squad.fresh: {cite: "1", is: not .tired}
  squad.near: {cite: "2", is: not .far}
menus: {orders: {takes: {side: side}, prompt: "What now?"}}
actions:
  march: {menu: orders, cite: "2", pick: {squad: squads where .fresh and .near}, do: "set squad.tired = true"}
  rest: {menu: orders, do: "set squads.steps = 1"}
  sing: {menu: orders, do: "set squads.steps = 3"}
sequence:
  game:
    cite: "3"
    do: |
      red must take orders(red)
      let count = red chooses from 0 to 2 "How many?"
      red chooses evening "Evening?":
        fire "light a fire" when any(squads where .fresh): set squads.steps = count
        sleep "sleep": set squads.steps = 3
        watch "keep watch": set squads.steps = 4
"""


@pytest.fixture
def camp(tmp_path: Path) -> Game:
    """A game with a menu, a number and named choices."""
    (tmp_path / "camp").mkdir()
    (tmp_path / "camp" / "ruleset.yaml").write_text(CAMP, "utf-8")
    return Game(load_ruleset(tmp_path / "camp"), trace=True)


def test_action_with_nothing_to_pick_names_who_nearly_could(camp: Game) -> None:
    """Of all that could be picked those are named that the fewest conditions keep out, with these conditions."""
    assert [str(each) for each in camp.why_not("red", "march")] == [
        "nothing can be picked as squad (guard: Tired squads stay. (tired: yes)) [1]"
    ]


def test_answers_that_are_no_things_can_be_asked_about(camp: Game) -> None:
    """A pass, yes or no, a number beyond the bounds and a named choice that is not offered have their reasons."""
    assert reasons(camp, "pass") == ["'pass' is not offered: one of the options has to be chosen [3]"]
    assert reasons(camp, "rest") == []
    camp.choose("rest")
    assert reasons(camp, "3") == ["'3' is not offered: 0 to 2 can be chosen [3]"]
    assert reasons(camp, "2") == []
    assert reasons(camp, "yes") == ["'yes' is not offered: the question is 'How many?' [3]"]
    camp.choose(1)
    assert reasons(camp, "light a fire") == [
        "light a fire is not offered (guard, scout: Tired squads stay. (tired: yes)) [1]"
    ]
    assert reasons(camp, "sleep") == []


def test_a_layer_of_a_rule_is_a_reason_only_where_it_applies(tmp_path: Path) -> None:
    """Of a rule with a layer around it, the text that applies now gives the reason."""
    layer = "{id: drums, cite: '3', instead: {when: drums, is: proceed(squad) and not .near}}"
    text = CAMP.replace("is: not .tired}", f"is: not .tired, around: [{layer}]}}").replace(
        "menus:", 'state: {drums: "bool = false"}\nmenus:', 1
    )
    (tmp_path / "ruleset.yaml").write_text(text.replace("and .near}, do", "}, do"), "utf-8")
    game = Game(load_ruleset(tmp_path), trace=True)
    assert reasons(game, "guard") == [
        "march: nothing can be picked as squad (guard, scout: Tired squads stay. (tired: yes)) [1]"
    ]


DEAL = """
ruleset: {id: deal, title: Deal, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  place: {is: space}
  card: {is: piece, in: place, has: {worn: "bool = false"}}
individuals: {place: {spent: {}, hand: {}}}
pieces: {card: [{id: charge_1, at: spent}, {id: charge_2, at: hand, worn: true}, {id: ace, at: hand}]}
sequence:
  game:
    do: |
      let card = red chooses one or none of hand.cards where not .worn "Which card?"
"""


def test_of_several_things_of_a_name_that_beside_the_options_is_meant(tmp_path: Path) -> None:
    """Of cards of one name, the one in the hand is meant, not the one that was played before."""
    (tmp_path / "ruleset.yaml").write_text(DEAL, "utf-8")
    game = Game(load_ruleset(tmp_path), trace=True)
    assert reasons(game, "charge") == ["charge 2 is not offered: worn: yes"]


def test_a_rule_that_fails_on_what_is_no_option_is_a_fault_with_its_place(tmp_path: Path) -> None:
    """A condition that fails on a thing that is asked about is reported at its line, and the game goes on."""
    text = DEAL.replace("hand.cards where not .worn", "cards where .place = hand and 6 / .worth > 2")
    text = text.replace("at: spent", "at: spent, worth: 0")
    text = text.replace(", worn: true", "").replace('worn: "bool = false"', 'worth: "int = 1"')
    (tmp_path / "ruleset.yaml").write_text(text, "utf-8")
    game = Game(load_ruleset(tmp_path))
    with pytest.raises(RuleFault, match=r"ruleset.yaml:12:.*division by zero"):
        game.why_not_option("red", "charge_1")
    game.choose("ace")


HANDS = """
ruleset: {id: hands, title: Hands, version: "1"}
kinds:
  side: {is: seat, members: [red, blue]}
  place: {is: space, has: {owner: "side?"}}
  squad: {is: piece, in: place}
  card: {is: piece, in: place}
individuals: {place: {north: {}, hand: {owner: blue}}}
pieces: {squad: [{id: guard, at: north}], card: [{id: ace, at: hand}]}
views: {hands: {of: card, when: card.place.owner != none, seen_by: card.place.owner}}
menus: {orders: {takes: {side: side}, prompt: "What now?"}}
actions:
  march: {menu: orders, pick: {squad: squads}, do: move squad to hand}
  rest: {menu: orders, do: move guard to hand}
sequence: {game: {do: red must take orders(red)}}
"""


def test_hidden_pieces_are_no_hindrance(tmp_path: Path) -> None:
    """What is hidden is off the board while reasons are looked for; the views are not asked about it there."""
    text = HANDS.replace("do: move guard to hand", "do: move squads to hand")
    (tmp_path / "hands").mkdir()
    (tmp_path / "hands" / "ruleset.yaml").write_text(text, "utf-8")
    game = Game(load_ruleset(tmp_path / "hands"), trace=True)
    assert reasons(game, "guard") == []


def test_only_the_seat_that_decides_gets_reasons(game: Game) -> None:
    """Reasons read what the deciding seat may know: they are refused to every other seat, and to one of no game."""
    assert game.decision is not None
    assert game.decision.seat == "red"
    asking = (partial(game.why_not_option, name="west"), lambda seat: game.why_not(seat, "march"))
    for ask in asking:
        assert ask("red") != []
        with pytest.raises(UsageError, match="red decides; 'why not' explains only questions to your own seat"):
            ask("blue")
        with pytest.raises(UsageError, match="there is no seat 'rad' in this game"):
            ask("rad")
