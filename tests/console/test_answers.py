"""Answers as a person types them: lists, words for several, orders, and numbers that stay."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripted_terminal import picked, typed

from interpreter.console.answers import AnswerReader
from interpreter.console.option_labels import option_groups
from interpreter.language.diagnostics import UsageError
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_ruleset

CAMP = """
ruleset: {id: camp, title: Camp, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  place: {is: space}
  troop: {is: piece, in: place, has: {steps: "int = 3"}}
individuals: {place: [north, south, east]}
links: {roads: {of: place, between: [[north, south], [south, east]]}}
pieces:
  troop: [{id: alpha, at: north}, {id: beta, at: north}, {id: gamma, at: south}, {id: delta, at: south}]
state: {counted: "int = 0"}
sequence:
  game:
    steps:
      losses:
        do: |
          let share = red spreads 5 over troops at most 3 each "Who loses?"
          set counted = count(troops where share[it] > 0)
      guards:
        do: |
          let guards = red chooses up to 3 of troops "Who stands guard?"
          set counted = count(guards)
      moves:
        do: |
          for each troop in troops:
            let goal = red chooses one of places "Where does {troop} go?"
            move troop to goal
      last:
        do: |
          let chief = red chooses one of troops "Who leads?"
          move chief to north
"""


@pytest.fixture
def camp(tmp_path: Path) -> Game:
    """A game that asks one seat for losses, guards, goals and a leader."""
    (tmp_path / "camp").mkdir()
    (tmp_path / "camp" / "ruleset.yaml").write_text(CAMP)
    return Game(load_ruleset(tmp_path / "camp"), trace=True)


def places(game: Game) -> dict[str, str]:
    """Where each troop is."""
    return {each.id: each.at.id for each in game.core.world.all_of("troop")}


def test_losses_are_one_answer(camp: Game) -> None:
    """Five losses are picked by one list; every pick is of the thing that had the number when it was typed."""
    script = typed(camp, "1 1 1 2 3")
    assert picked(camp, "losses.share") == ["alpha"] * 3 + ["beta", "gamma"]
    assert camp.decision is not None
    assert camp.decision.address == "guards.guards"
    assert script.text.count("Who loses?") == 1


def test_list_without_an_end_is_asked_on(camp: Game) -> None:
    """Two of five losses leave three to pick; numbers stay with their troops, also when one can take no more."""
    script = typed(camp, "1 1 1")
    assert picked(camp, "losses.share") == ["alpha"] * 3
    assert "  1  alpha" not in script.text.rpartition("so far")[2]
    assert "[2-4, ?]" in script.said[-1]
    assert "  3  gamma" in script.text.rpartition("so far")[2]


def test_rest_takes_what_is_left_in_order(camp: Game) -> None:
    """After one loss for delta, the rest is taken from the top of the list."""
    typed(camp, "delta, rest")
    assert picked(camp, "losses.share") == ["delta", "alpha", "alpha", "alpha", "beta"]


def test_list_ends_a_choice_that_may_end(camp: Game) -> None:
    """Two guards of up to three are these two: nobody is asked for a third."""
    script = typed(camp, "rest", "2 4")
    assert picked(camp, "guards.guards") == ["beta", "delta", None]
    assert script.text.count("Who stands guard?") == 1


def test_same_answers_for_all_others(camp: Game) -> None:
    """`east same` sends all troops there; the next question is asked as usual."""
    script = typed(camp, "rest", "done", "east same")
    assert set(places(camp).values()) == {"east"}
    assert script.text.count("Where does alpha go?") == 1
    assert "Where does beta go?" not in script.text
    assert "Who leads?" in script.text


def test_list_answers_successive_questions(camp: Game) -> None:
    """A list of goals is for one troop after the other; `stay` leaves a troop where it is, `same` the others."""
    typed(camp, "rest", "done", "east, stay, north, stay same")
    assert places(camp) == {"alpha": "east", "beta": "north", "gamma": "north", "delta": "south"}


def test_line_answers_several_questions(camp: Game) -> None:
    """Parts between semicolons answer the questions that follow."""
    script = typed(camp, "rest; 1 2; stay same; gamma")
    assert camp.decision is None
    assert places(camp)["gamma"] == "north"
    assert script.text.count("Who leads?") == 0


def test_mistake_drops_the_rest_of_a_line(camp: Game) -> None:
    """After a part that means nothing, the question is shown and the other parts are not used."""
    script = typed(camp, "rest; nobody; stay same")
    assert camp.decision is not None
    assert camp.decision.address == "guards.guards"
    assert "'nobody' is none of the options" in script.text
    assert "Who stands guard?" in script.text


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["rest", "done", "all"], "'all' answers a question of which several options are chosen"),
        (["rest", "done", "same"], "'same' repeats the last answer to this question, and there is none yet"),
        (["done"], "'done' is no answer here: one of the options must be chosen"),
        (["rest", "stay"], "'stay' is no answer here: the question is not where something goes"),
        (["7"], "there is no option 7; the numbers are 1-4"),
        (["alpha; 9"], "there is no option 9; the numbers are 1-4"),
    ],
)
def test_words_that_fit_no_question_are_reported(camp: Game, lines: list[str], problem: str) -> None:
    """Each mistake has its own message, and nothing is chosen."""
    assert problem in typed(camp, *lines).text


def test_plan_shows_an_order_and_does_nothing(camp: Game) -> None:
    """`plan` needs something that leads further; without a way it says so, and the question remains open."""
    script = typed(camp, "rest", "done", "plan east", "plan nowhere")
    assert "order: east" in script.text
    assert "no way leads to nowhere" in script.text
    assert camp.decision is not None
    assert camp.decision.address == "moves.goal"


DRILL = """
ruleset: {id: drill, title: Drill, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  yard: {is: space, plural: yards, has: {far: "bool = false"}}
individuals: {yard: {gate: {}, well: {}, wall: {far: true}, tower: {far: true}}}
sequence:
  game:
    do: |
      for each start in yards:
        let goal = red chooses one of yards where .far = start.far "Where to?"
"""


def test_new_options_are_numbered_anew(tmp_path: Path) -> None:
    """The same question about other things has numbers from 1; about the same things, these keep theirs."""
    (tmp_path / "ruleset.yaml").write_text(DRILL)
    script = typed(Game(load_ruleset(tmp_path), trace=True), "1", "2", "1")
    assert "  1  wall" in script.text
    assert script.text.count("  2  well") == 2


RELIEF = """
ruleset: {id: relief, title: Relief, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  place: {is: space}
  troop: {is: piece, in: place}
individuals: {place: [pool, north, south]}
pieces:
  troop: [{id: alpha, at: pool}, {id: beta, at: pool}, {id: gamma, at: pool}, {id: delta, at: north}]
sequence:
  game:
    steps:
      muster:
        do: |
          while any(pool.troops), up to 9 times:
            let troop = red chooses one or none of pool.troops "Who lands?"
            if troop = none: stop
            let goal = red chooses one of {north, south} "Where?"
            move troop to goal
      last:
        do: |
          let chief = red chooses one of troops "Who leads?"
          move chief to pool
"""


@pytest.fixture
def relief(tmp_path: Path) -> Game:
    """A game in which a seat is asked in turn who lands, and where."""
    (tmp_path / "relief").mkdir()
    (tmp_path / "relief" / "ruleset.yaml").write_text(RELIEF)
    return Game(load_ruleset(tmp_path / "relief"), trace=True)


@pytest.mark.parametrize(
    ("line", "landed"),
    [
        ("alpha, gamma; south same", {"alpha": "south", "beta": "pool", "gamma": "south"}),
        ("1 2 3; south, same", {"alpha": "south", "beta": "south", "gamma": "south"}),
        ("1, 2, 3; south, north, south", {"alpha": "south", "beta": "north", "gamma": "south"}),
        ("alpha same; south", {"alpha": "south", "beta": "pool", "gamma": "pool"}),
    ],
)
def test_parts_of_a_line_answer_in_turn(relief: Game, line: str, landed: dict[str, str]) -> None:
    """Several counters go to one place in one line, though each is asked about by two questions."""
    script = typed(relief, line)
    assert {each: place for each, place in places(relief).items() if each in landed} == landed
    assert script.text.count("Where?") == 0 or "pool" in landed.values()


def test_place_of_a_piece_names_it(camp: Game) -> None:
    """`south` at a question that lists pieces with their places is the piece there, not a way to that place."""
    typed(camp, "rest", "done", "east, east, stay, north", "south")
    assert camp.decision is None
    assert places(camp) == {"alpha": "east", "beta": "east", "gamma": "north", "delta": "north"}


def test_order_that_finds_no_way_says_why(camp: Game) -> None:
    """A place that the question is not about has a reason, and two things in one answer are kept apart."""
    script = typed(camp, "rest", "east", "done", "gamma north")
    assert "no way leads to east from this question: east is not offered: the question is 'Who stands" in script.text
    assert "these are two things: answer with 'gamma' first, and with 'north' when that is asked" in script.text


def test_a_part_of_a_number_is_no_answer(tmp_path: Path) -> None:
    """Among numbers 4 to 10 a 1 is not taken for 10."""
    text = (
        'ruleset: {id: counts, title: Counts, version: "1"}\n'
        "kinds: {side: {is: seat, members: [red]}}\n"
        'state: {chosen: "int = 0"}\n'
        "sequence: {game: {do: 'set chosen = red chooses from 4 to 10 \"How many?\"'}}\n"
    )
    (tmp_path / "ruleset.yaml").write_text(text, encoding="utf-8")
    game = Game(load_ruleset(tmp_path))
    numbers = list(range(1, 8))
    reader = AnswerReader(game, option_groups(game), numbers, {})
    assert reader.option("10") == 6
    with pytest.raises(UsageError, match="no option 1; the numbers are 4-10"):
        reader.option("1")


def test_an_order_chooses_no_number_for_its_giver(tmp_path: Path) -> None:
    """At 'how many', the name of a place waits for the number before it."""
    text = (
        'ruleset: {id: paces, title: Paces, version: "1"}\n'
        "kinds:\n"
        "  side: {is: seat, members: [red]}\n"
        "  field: {is: space}\n"
        "individuals: {field: [north, south]}\n"
        "state: {sent: int = 0}\n"
        "sequence:\n"
        "  game:\n"
        "    do: |\n"
        '      set sent = red chooses from 1 to 3 "How many march?"\n'
        '      let there = red chooses one of fields "Where to?"\n'
        '      log "{there}"\n'
    )
    (tmp_path / "ruleset.yaml").write_text(text, encoding="utf-8")
    game = Game(load_ruleset(tmp_path))
    reader = AnswerReader(game, option_groups(game), range(1, 4), {})
    with pytest.raises(UsageError, match=r"^'north' names no number: .*such as '3 north'$"):
        reader.read("north")
    assert reader.read("2 north")[1][0].startswith("  order: 2: north")


def test_an_order_of_an_action_says_what_keeps_that_action_from_its_goal(tmp_path: Path) -> None:
    """`march north` at a menu with other actions gives the reason against marching alone, and what to do."""
    text = (
        'ruleset: {id: paces, title: Paces, version: "1"}\n'
        "kinds:\n"
        "  side: {is: seat, members: [red]}\n"
        "  field: {is: space, has: {wet: bool}}\n"
        "individuals: {field: {north: {wet: true}, south: {wet: false}}}\n"
        "menus: {orders: {takes: {side: side}, prompt: What now?}}\n"
        "actions:\n"
        '  build: {menu: orders, pick: {there: fields where .wet}, do: log "built"}\n'
        '  march: {menu: orders, pick: {there: fields where not .wet}, do: log "there"}\n'
        "sequence: {game: {do: red may take orders(red)}}\n"
    )
    (tmp_path / "ruleset.yaml").write_text(text, encoding="utf-8")
    game = Game(load_ruleset(tmp_path))
    groups = option_groups(game)
    reader = AnswerReader(game, groups, range(1, len(groups) + 1), {})
    with pytest.raises(
        UsageError, match=r"^'march' alone does not lead to north: march: north can't be picked as there"
    ):
        reader.read("march north")


def test_the_name_of_a_later_answer_chooses_nothing_now(tmp_path: Path) -> None:
    """At the question where to, the name of the action that is offered next does not choose the nearest place."""
    text = (
        'ruleset: {id: paces, title: Paces, version: "1"}\n'
        "kinds:\n"
        "  side: {is: seat, members: [red]}\n"
        "  field: {is: space}\n"
        "individuals: {field: [north, south]}\n"
        "menus: {orders: {takes: {side: side}, prompt: What now?}}\n"
        "actions:\n"
        '  march: {menu: orders, pick: {there: {of: fields, prompt: Where to?}}, do: log "there"}\n'
        '  halt: {menu: orders, do: log "halts"}\n'
        "sequence:\n  game:\n    do: |\n      repeat 3 times:\n        red may take orders(red)\n"
    )
    (tmp_path / "ruleset.yaml").write_text(text, encoding="utf-8")
    game = Game(load_ruleset(tmp_path))
    script = typed(game, "march", "march", "halt")
    assert picked(game, "march.there") == []
    assert "'march' is no answer now: red is asked: Where to?" in script.text
    assert "'halt' is no answer now" in script.text


MARCHES = """
ruleset: {id: paces, title: Paces, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  field: {is: space}
  troop: {is: piece, in: field}
individuals: {field: [north, middle, south]}
links: {roads: {of: field, between: [[north, middle], [middle, south]]}}
pieces: {troop: [{id: guard, at: north}, {id: rear, at: middle}]}
state: {column: "field = north"}
menus: {orders: {prompt: What now?}, steps: {prompt: Where does the force go?}}
actions:
  march:
    menu: orders
    pick: {from: {of: fields where any(.troops), prompt: From where?}}
    do: |
      set column = from
      let more = red may take steps() "What does the force do?"
  rest: {menu: orders, do: log "rests"}
  go:
    menu: steps
    pick: {there: {of: column.neighbours, prompt: Where to?}}
    do: |
      move (column.troops) to there
      set column = there
sequence: {game: {do: red may take orders()}}
presentation:
  declines: {march.steps: end the march}
"""


@pytest.fixture
def marches(tmp_path: Path) -> Game:
    """Troops in the north and in the middle; one of them marches, to the next field only."""
    (tmp_path / "ruleset.yaml").write_text(MARCHES, encoding="utf-8")
    return Game(load_ruleset(tmp_path))


def test_an_order_with_no_sure_way_shows_how_far_one_leads(marches: Game) -> None:
    """The march ends in the middle: the way to there is shown, and nothing is done."""
    script = typed(marches, "march north to south")
    assert "no sure way leads to south, but as far as middle" in script.text
    assert "order: march, go: north, middle" in script.text
    assert picked(marches, "march.from") == []


def test_an_order_that_only_begins_at_its_goal_says_how_to_get_there(marches: Game) -> None:
    """`march middle` begins in the middle; what leads there is an order that begins elsewhere."""
    script = typed(marches, "plan march middle")
    assert "order: march: middle" in script.text
    assert (
        "this begins at middle; an order that leads there names a start, such as 'march north to middle'" in script.text
    )


def test_a_verb_does_not_choose_to_end_what_it_names(marches: Game) -> None:
    """`march` and `march south` are not 'end the march'; 'end' is."""
    script = typed(marches, "march north", "the march", "march south")
    assert "'the march' is none of the options" in script.text
    assert marches.decision is not None
    typed(marches, "end")
    assert marches.decision is None


def test_an_order_of_an_action_that_is_not_asked_for_says_what_is_asked(marches: Game) -> None:
    """Where the force goes, nobody can march: the question is named, and no part of another option is taken."""
    script = typed(marches, "march north", "march south", "march", "rest")
    assert "'march' is no answer now: red is asked: What does the force do?" in script.text
    assert marches.decision is not None
