"""What rules gave is remembered while nothing changes, and never longer."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from interpreter import load_ruleset
from interpreter.language.checking.check import check_expression
from interpreter.language.codegen.analysis import constancy, cost_model
from interpreter.language.codegen.analysis.indexes import changes_and_indexes
from interpreter.language.codegen.core.context import Emission, Sites
from interpreter.language.codegen.emit import VARIANTS, emit_expression
from interpreter.language.codegen.memo import piece_memo
from interpreter.language.parsing.parse import parse_expr
from interpreter.language.parsing.source_map import SourceText
from interpreter.language.runtime.values import RuntimeLimitError
from interpreter.play.engine.core import Core
from interpreter.play.engine.source import source_of
from interpreter.world import memo_profiler

RULES = """\
ruleset: {id: stacks, title: Stacks in stacks, version: "1"}
kinds:
  side: {is: seat, members: [red, blue], has: {points: "int = 0"}}
  place: {is: space, has: {weight: "int = 1"}}
  counter: {is: piece, in: [place, stack], has: {owner: side, steps: "int = 3"}}
  stack: {is: counter, has: {best: "int = 0"}}
  unit: {is: counter}
  token: {is: piece, in: unit, has: {worth: "int = 1"}}
individuals: {place: {a: {weight: 2}, b: {}, c: {weight: 3}, d: {weight: 2}}}
links: {ring: {of: place, between: [[a, b], [b, c], [c, d], [d, a]]}}
pieces:
  stack: [{id: s, count: 4, owner: red, at: a}]
  unit: [{id: red, count: 5, owner: red, at: b}, {id: blue, count: 5, owner: blue, at: c}]
  token: [{id: t, count: 3, at: red_1}]
state: {turn: "int = 0"}
definitions:
  place.strength: {is: sum(place.units where .steps > 1 each .steps) + turn}
  place.totals: {is: "place.stacks each .total"}
  stack.total: {is: sum(stack.units where .owner = stack.owner each .steps)}
  stack.doubled: {is: stack.best * 2}
  unit.load: {is: sum(unit.tokens.worth)}
  heavier:
    takes: {least: int}
    is: places where .weight > 1 and count(.units) + .weight > least by -.weight
  like: {takes: {place: place}, is: places as other where other.weight = 2 and other != place}
  place.twins: {is: places as other where other.weight = .weight and any(other.units)}
  held: {takes: {place: place, side: side}, gives: int, is: count(place.counters where .owner = side and .steps > 0)}
  richest: {gives: "place?", is: first(places where any(.units where .steps > 1) by -.strength)}
  beside: {takes: {stack: stack}, is: stack.place.stacks where it != stack}
  home: {takes: {stack: stack}, is: stack.place}
  pressed: {takes: {stack: stack}, is: stack.total > turn}
  leads: {takes: {stack: stack}, is: units where .owner = stack.owner and .steps > stack.best}
  unit.fit: {is: unit.steps > 1 and unit.owner = red}
  fit_in: {takes: {place: place}, is: place.units where .fit}
  fit_near:
    takes: {place: place, least: int}
    gives: set of unit
    do: |
      if count(place.stacks) > least: return fit_in(place)
      for each stack in place.stacks where .best > 0: return stack.units where .steps > least
      return place.neighbours.units where .fit and .steps > least
  reinforced: {takes: {place: place}, gives: bool, is: "any(fit_in(place)) or any(fit_near(place, 1))"}
  rated: {takes: {place: place}, is: "place.units where worth_of[.steps] > 0"}
  any_rated: {takes: {place: place}, gives: bool, is: any(rated(place))}
  with_one_less: {takes: {stack: stack}, gives: int, is: (stack.total after thin(stack)) + stack.total}
tables:
  worth_of: {keys: {steps: int}, gives: int, grid: "steps | 3 4\\npoints | 1 2"}
modifiers:
  worth: {takes: {place: place}, each: [{id: all, value: place.strength}, {id: red, value: "held(place, red)"}]}
restrictions:
  crowded: {takes: {place: place}, each: [{id: full, when: count(place.counters where .steps > 0) > 6}]}
searches:
  walk: {takes: {side: side, far: int}, over: place, within: far, bars: [{id: held, when: "held(there, side) > 4"}]}
procedures:
  thin: {takes: {stack: stack}, do: set stack.units.steps -= 1}
  note: {takes: {stack: stack}, do: set stack.best = stack.total + stack.best}
  name_best: {takes: {stack: stack, best: int}, do: set stack.best = best}
  count_up: {takes: {place: place}, do: set turn += place.strength - turn + 1}
  raise: {takes: {place: place}, do: "let fresh = new unit(owner: blue, at: place)"}
  drop: {takes: {stack: stack}, do: remove stack}
sequence: {game: {do: set turn += 0}}
"""


@pytest.fixture(autouse=True)
def keep_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """However little work a rule is, its answers are kept."""
    monkeypatch.setattr(cost_model, "MIN_COST_TO_MEMOIZE", 1)
    monkeypatch.setattr(constancy, "MIN_MEMBERS", 1)
    monkeypatch.setattr(piece_memo, "MIN_COST", 10**9)


def _written(folder: Path) -> Path:
    (folder / "ruleset.yaml").write_text(RULES, encoding="utf-8")
    return folder


def cores(folder: Path) -> dict[str, Core]:
    setting = source_of(load_ruleset(_written(folder), cache=False))
    return {each: Core(setting.shared(each), each, {}) for each in VARIANTS}


def readings(core: Core) -> list[Any]:
    """All that the rules say of a state."""
    names, world = core.names, core.world
    red, blue = core.seats
    found: list[Any] = [names["d_richest"]()]
    found += [names["d_heavier"](least) for least in (2, 3, 4)]
    for place in world.board.all_place:
        found += [names["d_like"](place), names["d_placeːtwins"](place)]
        found += [names["d_placeːstrength"](place), names["m_worth"](place), names["b_crowded"](place)]
        found += [names["d_held"](place, side) for side in (red, blue)]
        found += [names["d_reinforced"](place), names["d_fit_in"](place), names["d_fit_near"](place, 1)]
        found.append(list(names["r_walk"](place, blue, 2).items()))
        found += [names["in_unitːplace"](place), names["in_stackːplace"](place), names["d_placeːtotals"](place)]
    found += [names["d_unitːload"](unit) for unit in world.board.all_unit]
    for stack in world.board.all_stack:
        found += [names["d_stackːtotal"](stack), names["d_with_one_less"](stack)]
    return shown(found)


def shown(value: Any) -> Any:
    """Values that can be compared between worlds."""
    if isinstance(value, list | tuple):
        return [shown(each) for each in value]
    return getattr(value, "ref", value)


def act(core: Core, number: int) -> None:
    """One change, chosen by a number; the same in every world."""
    random = Random(number)
    world, names = core.world, core.names
    pieces = [each for each in world.objects if each.kind in ("unit", "stack")]
    places, stacks = world.board.all_place, [each for each in pieces if each.kind == "stack"]
    piece, stack, place = random.choice(pieces), random.choice(stacks), random.choice(places)
    match random.randrange(10):
        case 0 | 1:
            world.place(piece, place)
        case 2 | 3:
            piece_memo, up = piece, stack
            while up is not None and up is not piece_memo:
                up = up.at
            if up is None:
                world.place(piece, stack)
        case 4:
            names["p_thin"](stack)
        case 5:
            names["p_note"](stack)
        case 6:
            names["p_count_up"](place)
        case 7:
            names["p_raise"](place)
        case 8 if piece.kind == "unit":
            world.place(random.choice([each for each in world.objects if each.kind == "token"]), piece)
        case _:
            names["p_drop"](stack)


@pytest.mark.parametrize("trials", [memo_profiler.TRIALS, 5], ids=["a long trial", "a short one"])
@pytest.mark.parametrize("lightest", [1, 10**9], ids=["in the pieces", "in tables"])
@pytest.mark.parametrize("seed", range(6))
def test_answers_are_those_of_the_state(
    tmp_path: Path, seed: int, lightest: int, trials: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is changed, taken back, settled or begun anew, the fast variant says what the others say."""
    monkeypatch.setattr(piece_memo, "MIN_COST", lightest)
    monkeypatch.setattr(memo_profiler, "TRIALS", trials)
    made = cores(tmp_path)
    random = Random(seed)
    marks: list[dict[str, int]] = []
    for number in range(120):
        step = random.choice(("act", "act", "act", "act", "mark", "back", "settle", "reset"))
        for variant, core in made.items():
            match step:
                case "act":
                    act(core, seed * 1000 + number)
                case "back" if marks:
                    core.world.rollback(marks[-1][variant])
                case "settle":
                    core.world.commit()
                case "reset" if number % 3 == 0:
                    core.world.reset()
        mark = {variant: core.world.mark() for variant, core in made.items()}
        if step in ("settle", "reset"):
            marks = []
        marks = [each for each in marks if each["traced"] <= mark["traced"]] + ([mark] if step == "mark" else [])
        said = [readings(core) for core in made.values()]
        assert said[0] == said[1] == said[2]


def test_what_is_asked_twice_is_worked_out_once(tmp_path: Path) -> None:
    """An answer is kept until the journal reports a change of what it rests on, also of one that is taken back."""
    core = cores(tmp_path)["fast"]
    place, stack = core.world.find("place", "b"), core.world.board.all_stack[0]
    known = core.names["d_placeːstrengthːːknown"]
    strength = core.names["d_placeːstrength"](place)
    assert core.names["d_placeːstrength"](place) == strength == known[place]
    core.names["p_note"](stack)
    assert core.names["d_placeːstrength"](place) == strength
    assert known, "a note changes nothing of what strength reads"
    mark = core.world.mark()
    core.names["p_thin"](stack)
    core.names["p_count_up"](place)
    assert core.names["d_placeːstrength"](place) == strength + 1 + strength
    core.world.rollback(mark)
    assert place not in known
    assert core.names["d_placeːstrength"](place) == strength


def test_what_never_comes_up_again_is_no_longer_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a trial a rule that is never asked the same is worked out each time, in further games from the start."""
    monkeypatch.setattr(memo_profiler, "TRIALS", 6)
    setting = source_of(load_ruleset(_written(tmp_path), cache=False))
    core = Core(setting.shared("fast"), "fast", {})
    for number in range(6):
        core.world.put(core.world.find("unit", "red_1"), "a_steps", 3 + number)
        core.names["d_placeːstrength"](core.world.find("place", "b"))
        core.names["d_stackːdoubled"](core.world.board.all_stack[0])
    for each in (core, Core(setting.shared("fast"), "fast", {})):
        names, world = each.names, each.world
        assert names["d_placeːstrength"] is names["d_placeːstrengthːːnow"]
        assert names["d_stackːdoubled"] is not names["d_stackːdoubledːːnow"]
        place = world.find("place", "b")
        before = names["d_placeːstrength"](place)
        world.put(world.find("unit", "red_2"), "a_steps", 5)
        assert names["d_placeːstrength"](place) == before + 2
        names["d_stackːdoubled"](world.board.all_stack[0])
        assert names["d_stackːdoubledːːknown"], "what comes up again and again is known"
        assert names["d_placeːstrengthːːknown"] == {}


def test_what_can_fail_is_gone_through_to_its_end(tmp_path: Path) -> None:
    """A fault behind the first element is a fault in every variant."""
    made = cores(tmp_path)
    for core in made.values():
        place = core.world.find("place", "b")
        assert core.names["d_any_rated"](place) is True
        core.world.put(core.world.find("unit", "red_5"), "a_steps", 9)
        with pytest.raises((KeyError, RuntimeLimitError)):
            core.names["d_any_rated"](place)


def test_an_expression_of_its_own_leaves_the_rules_alone(tmp_path: Path) -> None:
    """What is written for an expression in a game takes no name that the rules of the game use."""
    ruleset = load_ruleset(_written(tmp_path), cache=False)
    core = Core(source_of(ruleset).shared("fast"), "fast", {})
    before = core.names["d_heavier"](2)
    expr = parse_expr(
        SourceText.plain("count(places where .weight = 1) + count(fit_in(a)) + (1 if any(fit_in(b)) else 0)")
    )
    assert not [each for each in check_expression(ruleset.program, expr, (), None) if each.severity == "error"]
    assert core.bind(emit_expression(ruleset.program, expr, ()), "ad_hoc")() == 2
    core.names["d_heavierːːknown"].clear()
    assert core.names["d_heavier"](2) == before


def test_what_rests_on_a_piece_and_its_contents_is_kept_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is forgotten when something moves in or out or is changed in there, and when that is taken back; else kept."""
    monkeypatch.setattr(piece_memo, "MIN_COST", 1)
    core = cores(tmp_path)["fast"]
    world, names, asked = core.world, core.names, []
    worked_out = names["d_stackːtotalːːnow"]
    names["d_stackːtotalːːnow"] = lambda stack: asked.append(stack) or worked_out(stack)
    stack, unit, other = world.board.all_stack[0], world.find("unit", "red_1"), world.find("unit", "red_2")
    world.place(unit, stack)
    assert [names["d_stackːtotal"](stack) for _ in range(2)] == [3, 3]
    world.place(stack, world.find("place", "c"))
    world.put(other, "a_steps", 2)
    assert names["d_stackːtotal"](stack) == 3
    assert asked == [stack]
    mark = world.mark()
    names["p_thin"](stack)
    assert names["d_stackːtotal"](stack) == 2
    world.rollback(mark)
    assert names["d_stackːtotal"](stack) == 3
    world.place(other, stack)
    assert names["d_stackːtotal"](stack) == 5
    world.put(unit, "a_steps", 7)
    assert names["d_stackːtotal"](stack) == 9
    world.assign(unit, "steps", 1)
    assert names["d_stackːtotal"](stack) == 3
    assert asked == [stack] * 6


def test_what_looks_further_than_its_piece_is_not_kept_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it stands, what stands beside it and values of the game may change without a word to the piece."""
    monkeypatch.setattr(piece_memo, "MIN_COST", 1)
    program = load_ruleset(_written(tmp_path), cache=False).program
    emission = Emission(program, "fast", Sites(), changed=changes_and_indexes(program)[0])
    index_of = {name: piece_memo.piece_memo_index(each, emission) for name, each in program.definitions.items()}
    kept = {name for name, index in index_of.items() if index is not None}
    assert {"stack.total", "unit.load", "unit.fit"} <= kept
    assert not kept & {"beside", "home", "pressed", "leads", "place.strength", "held"}


def test_where_a_holder_goes_does_not_matter_to_what_stands_in_it(tmp_path: Path) -> None:
    """Moving a piece empties no answer about what stands in it; moving something out of it does."""
    core = cores(tmp_path)["fast"]
    world, known = core.world, core.names["d_unitːloadːːknown"]
    one, other = world.find("unit", "red_1"), world.find("unit", "red_2")
    assert core.names["d_unitːload"](one) == 3
    world.place(one, world.find("place", "d"))
    assert core.names["d_unitːload"](one) == 3
    assert known, "the march of a unit changes nothing of what it carries"
    world.place(world.board.all_token[0], other)
    assert core.names["d_unitːload"](one) == 2
    assert core.names["d_unitːload"](other) == 1


def test_a_change_to_what_stands_is_none(tmp_path: Path) -> None:
    """Setting a value to what it is notes nothing, so that answers that rest on it stay."""
    core = cores(tmp_path)["fast"]
    stack = core.world.board.all_stack[0]
    core.names["p_name_best"](stack, 4)
    mark, known = core.world.mark(), core.names["d_stackːdoubledːːknown"]
    assert core.names["d_stackːdoubled"](stack) == 8
    core.names["p_name_best"](stack, 4)
    assert core.world.mark() == mark
    assert core.names["d_stackːdoubled"](stack) == 8
    assert known
    core.names["p_name_best"](stack, 5)
    assert core.names["d_stackːdoubled"](stack) == 10
