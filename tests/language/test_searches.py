"""Searches give the same spaces at the same costs in the same order in every variant, with and without tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from interpreter import load_ruleset
from interpreter.language.codegen.emit import VARIANTS
from interpreter.language.diagnostics import RuleFault
from interpreter.play.engine.core import Core
from interpreter.play.engine.source import source_of

HEAD = """\
ruleset: {id: march, title: Marches, version: "1"}
kinds:
  side: {is: seat, members: [red, blue], has: {bold: "bool = false"}}
  ground: {is: enum, members: [plain, wood, marsh, sea]}
  place: {is: space}
  hex:
    is: place
    plural: hexes
    grid: {columns: 9, rows: 8, shape: hexes_in_columns, ids: "h{column:2}{row:2}"}
    has: {ground: "ground = plain", fort: "int = 0", lord: "side?", ruined: "bool = false"}
  box: {is: place, plural: boxes, has: {closed: "bool = false"}}
  edge: {is: link, between: place, has: {river: "bool = false", bridge: "bool = false", blown: "bool = false"}}
  stack: {is: piece, in: place, has: {owner: side, foot: "bool = true", steps: "int = 3", target: "hex?"}}
constants: {ferry: {value: 2}, rate: {value: 2}}
tables:
  worth: {keys: {low: int}, gives: int, grid: "low | 0\\npoints | 3"}
  entry: {keys: {ground: ground}, gives: int, grid: "ground | plain wood marsh sea\\npoints | 1 2 3 9"}
definitions:
  hex.guarded: {is: hex.fort > 0 and not hex.ruined}
  wet: {takes: {a: place, b: place}, gives: bool, is: "link(a, b).river and not link(a, b).bridge"}
  held: {takes: {place: place, by: side}, gives: bool, is: "any(place.stacks) and any(place.stacks where .owner != by)"}
  strong: {takes: {hex: hex, by: side}, gives: bool, is: hex.guarded and hex.lord != none and hex.lord != by}
  worst: {takes: {place: place}, gives: int, is: "entry[place.ground] if place is hex else 1"}
modifiers:
  pace:
    takes: {stack: stack, from_place: place, to_place: place}
    each:
      - {id: ground, value: worst(to_place)}
      - {id: river, when: "wet(from_place, to_place)", unless: stack.steps > 5, value: "1 if stack.foot else ferry"}
      - {id: blown, when: "link(from_place, to_place).blown and link(from_place, to_place).river", value: 3}
      - {id: box, when: from_place is box, value: ferry}
      - {id: bold, when: stack.owner.bold, value: 1}
restrictions:
  closed:
    takes: {stack: stack, a: place, b: place}
    each:
      - {id: sea, when: b is hex and b.ground = sea}
      - {id: box, when: b is box and b.closed}
      - {id: fort, when: "b is hex and strong(b, stack.owner)", unless: stack.steps > 4}
      - {id: crossing, when: "wet(a, b) and held(b, stack.owner)"}
      - {id: tired, when: stack.steps = 0}
      - {id: aim, when: stack.target != none and b is hex and b.row > stack.target.row + 4}
searches:
"""
SEARCHES = """\
  opened:
    takes: {stack: stack, points: int}
    over: place
    cost: pace(stack, here, there)
    within: points
    bars: [{id: closed, when: "any(closed(stack, here, there))"}]
    stops: [{id: enemy, when: "held(there, stack.owner)"}, {id: fort, when: there is hex and there.guarded}]
  plain:
    takes: {stack: stack}
    over: place
    cost: worst(there)
    within: 7
    bars:
      - {id: river, when: "wet(here, there)", unless: stack.foot}
      - {id: enemy, when: "held(there, stack.owner) and there is hex and there.ground != wood"}
      - {id: leave, when: "held(here, stack.owner) and stack.steps < 5"}
  rings:
    takes: {stack: stack, far: int}
    over: place
    within: far
    bars:
      - {id: sea, when: there is hex and there.ground = sea}
      - {id: river, when: "wet(here, there) and not link(here, there).blown"}
      - {id: lord, when: there is hex and there.lord != none and there.lord != stack.owner, unless: stack.owner.bold}
    stops: [{id: enemy, when: "held(there, stack.owner)"}]
  leagues:
    takes: {targets: set of hex, far: int}
    over: place
    cost: 2
    within: far
    bars: [{id: shut, when: there in targets}, {id: wood, when: there is hex and there.ground = wood and there.ruined}]
  free:
    takes: {stack: stack}
    over: place
    cost: 0 if there is hex and there.ground = plain else worst(there)
    within: 3
    bars: [{id: enemy, when: "held(there, stack.owner)"}]
  alike:
    over: place
    bars: [{id: every, unless: here is hex and there is hex and here.ground = there.ground}]
  wading:
    takes: {stack: stack}
    over: place
    cost: 0 if wet(here, there) else worst(there) * rate
    within: 7
    bars: [{id: box, when: there is box}]
    stops: [{id: enemy, when: "held(there, stack.owner)"}]
  guarded:
    takes: {stack: stack}
    over: place
    cost: worst(there)
    within: 6
    bars:
      - {id: ruin, when: there is hex and there.ruined and here != there}
      - {id: weak, when: there is hex and there.fort + stack.steps = 0}
      - {id: rare, when: "there is hex and worth[1 if there.ruined else 0] > 4"}
      - {id: fort, when: there is hex and there.fort > 0 and stack.steps > -1}
      - {id: open, when: "there is hex and worth[there.fort] > 4"}
      - {id: rarer, when: "there is hex and 12 / (there.fort + stack.steps) > 6"}
  odd:
    takes: {stack: stack}
    over: place
    next: here.neighbours where it is hex and it.ground != sea
    cost: pace(stack, here, there)
    within: 6
    bars: [{id: crossing, when: "wet(here, there)"}]
    stops: [{id: uphill, when: "wet(here, there) or held(there, stack.owner)"}]
definitions:
"""
TAIL = "sequence: {game: {do: set red.bold = false}}\n"
SETTERS = """\
procedures:
  touch:
    takes: {hex: hex, stack: stack, edge: hex, near: hex}
    do: |
      set hex.ruined = not hex.ruined
      set hex.lord = stack.owner
      set stack.steps = (stack.steps + 1) if stack.steps < 7 else 0
      set stack.target = hex
      set link(edge, near).blown = not link(edge, near).blown
      set stack.owner.bold = not stack.owner.bold
"""


def written(random: Random) -> str:
    """Returns the text of a random map."""
    cells = [f"h{column:02}{row:02}" for column in range(1, 10) for row in range(1, 9) if random.random() < 0.85]
    grounds = ("plain", "plain", "wood", "marsh", "sea")
    lines = "".join(
        f"      {each} | {random.choice(grounds)} {random.choice((0, 0, 0, 2))} {random.choice(('-', 'red', 'blue'))}\n"
        for each in cells
    )
    text = f"individuals:\n  box: [east, west]\n  hex:\n    grid: |\n      id | ground fort lord\n{lines}"
    pairs = [(one, two) for one in cells for two in around(one) if two in cells and one < two and random.random() < 0.3]
    rivers = "".join(f"      {one} {two} | true {random.choice(('true', 'false'))}\n" for one, two in pairs)
    ferries = ", ".join(f"[{box}, {random.choice(cells)}]" for box in ("east", "west"))
    text += f"links:\n  ferries: {{kind: edge, between: [{ferries}]}}\n"
    text += f"  rivers:\n    kind: edge\n    grid: |\n      from to | river bridge\n{rivers}"
    counters = "".join(
        f"    - {{id: s{each}, owner: {random.choice(('red', 'blue'))}, at: {random.choice(cells)}, steps: {each}}}\n"
        for each in range(8)
    )
    return text + f"pieces:\n  stack:\n{counters}"


def around(name: str) -> list[str]:
    column, row = int(name[1:3]), int(name[3:])
    low = row if column % 2 == 0 else row - 1
    cells = [(column, row + 1), (column + 1, low), (column + 1, low + 1), (column - 1, low), (column - 1, low + 1)]
    return [f"h{a:02}{b:02}" for a, b in cells]


def cores(folder: Path, random: Random) -> dict[str, Core]:
    text = HEAD + SEARCHES.removesuffix("definitions:\n") + SETTERS + TAIL + written(random)
    (folder / "ruleset.yaml").write_text(text, encoding="utf-8")
    setting = source_of(load_ruleset(folder, cache=False))
    return {each: Core(setting.shared(each), each, {}) for each in VARIANTS}


def found(core: Core) -> list[Any]:
    """Returns the results of every search from some places, for some stacks."""
    names, board = core.names, core.world.board
    results: list[Any] = []
    for number, stack in enumerate(board.all_stack):
        start = stack.at
        calls = [
            names["r_opened"](start, stack, 2 + number),
            names["r_plain"](start, stack),
            names["r_rings"](start, stack, number),
            names["r_leagues"](start, board.all_hex[number::5], 2 * number),
            names["r_free"](start, stack),
            names["r_alike"](start),
            names["r_wading"](start, stack),
            names["r_guarded"](start, stack),
            names["r_odd"](start, stack),
        ]
        results += [[(place.ref, cost) for place, cost in each.items()] for each in calls]
    return results


@pytest.mark.parametrize("seed", range(6))
def test_searches_agree_in_every_variant(tmp_path: Path, seed: int) -> None:
    """All variants agree on maps with holes, boxes and rivers, also after changes."""
    random = Random(seed)
    made = cores(tmp_path, random)
    for _ in range(8):
        results = {name: found(core) for name, core in made.items()}
        assert results["fast"] == results["traced"] == results["odds"]
        assert any(len(each) > 3 for each in results["fast"])
        picks = [random.random() for _ in range(6)]
        for core in made.values():
            change(core, picks)


def cheapest(start: Any, cost: Callable[[Any, Any], Any], ends: Callable[[Any], bool], limit: Any) -> dict[str, Any]:
    """Returns the costs of places by relaxation to a fixed point; `cost` is none for a forbidden step."""
    best = {start: 0}
    better = True
    while better:
        better = False
        for here in [each for each in best if each is start or not ends(each)]:
            for there in here.neighbours:
                step = cost(here, there)
                if step is not None and best[here] + step <= limit and best[here] + step < best.get(there, limit + 1):
                    best[there], better = best[here] + step, True
    return {each.ref: far for each, far in best.items()}


def by_hand(plain: dict[str, Any], stack: Any, points: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the results of `opened` and `wading`, computed from single calls of the rules that they name."""

    def pace(here: Any, there: Any) -> Any:
        return None if plain["b_closed"](stack, here, there) else plain["m_pace"](stack, here, there)

    def wading(here: Any, there: Any) -> Any:
        if there.kind == "box":
            return None
        return 0 if plain["d_wet"](here, there) else plain["d_worst"](there) * 2

    def held(place: Any) -> bool:
        return bool(plain["d_held"](place, stack.a_owner))

    def guarded(place: Any) -> bool:
        return held(place) or (place.kind == "hex" and bool(plain["d_hexːguarded"](place)))

    return cheapest(stack.at, pace, guarded, points), cheapest(stack.at, wading, held, 7)


@pytest.mark.parametrize("seed", range(3))
def test_searches_find_the_cheapest_ways(tmp_path: Path, seed: int) -> None:
    """Searches agree with a fixed-point computation over single calls of costs and bars."""
    random = Random(seed)
    made = cores(tmp_path, random)
    names = made["fast"].names
    for _ in range(3):
        stacks = zip(made["fast"].world.board.all_stack, made["traced"].world.board.all_stack, strict=True)
        for points, (stack, other) in enumerate(stacks, 2):
            opened, wading = by_hand(made["traced"].names, other, points)
            found = names["r_opened"](stack.at, stack, points)
            assert {each.ref: far for each, far in found.items()} == opened
            found = names["r_wading"](stack.at, stack)
            assert {each.ref: far for each, far in found.items()} == wading
            assert list(found.values()) == sorted(found.values())
        picks = [random.random() for _ in range(6)]
        for each in made.values():
            change(each, picks)


Step = tuple[Any, Any]


def fewest_cuts(
    start: Any, steps: dict[Step, tuple[Any, bool]], ends: Callable[[Any], bool], limit: Any, goal: Any
) -> int | None:
    """Returns the fewest steps to allow so that a way leads to a goal, by relaxation; none if every way is too long.

    `steps` has for each step its cost and whether it is barred; to go on where a way ends is a cut, too.
    """
    best = {(start, 0): 0}
    better = True
    while better:
        better = False
        for here, cuts in list(best):
            far = best[here, cuts]
            for (origin, there), (cost, barred) in steps.items():
                if origin is not here:
                    continue
                key = (there, cuts + (barred or (here is not start and ends(here))))
                if far + cost <= limit and far + cost < best.get(key, limit + 1):
                    best[key], better = far + cost, True
    return min([cuts for place, cuts in best if place is goal], default=None)


@pytest.mark.parametrize("seed", range(3))
def test_cuts_are_the_fewest_that_keep_a_search_from_a_place(tmp_path: Path, seed: int) -> None:
    """A place is reached or cut off; its cuts are forbidden steps, as few as can be, and without them it is reached."""
    random = Random(seed)
    core = cores(tmp_path, random)["traced"]
    names, board = core.names, core.world.board
    places = [*board.all_hex, *board.all_box]
    seen = {"reached": 0, "cut": 0, "too far": 0}
    for points, stack in enumerate(board.all_stack, 3):
        start = stack.at

        def ends(place: Any, stack: Any = stack) -> bool:
            return bool(names["d_held"](place, stack.a_owner)) or (
                place.kind == "hex" and bool(names["d_hexːguarded"](place))
            )

        steps = {
            (here, there): (names["m_pace"](stack, here, there), bool(names["b_closed"](stack, here, there)))
            for here in places
            for there in here.neighbours
        }
        reached = names["r_opened"](start, stack, points)
        for goal in random.sample(places, 12):
            cuts = names["rc_opened"](start, (goal,), stack, points)
            if cuts is None or not cuts:
                seen["too far" if cuts is None else "reached"] += 1
                assert (goal in reached) is (cuts is not None)
                assert cuts is not None or fewest_cuts(start, steps, ends, points, goal) is None
                continue
            seen["cut"] += 1
            assert goal not in reached
            assert len(cuts) == fewest_cuts(start, steps, ends, points, goal)
            removed = {(each.here, each.there) for each in cuts}
            assert all(steps[each][1] or ends(each[0]) for each in removed)
            assert all(each.causes for each in cuts)
            assert cuts[0].here in reached
            without = {each: (cost, barred and each not in removed) for each, (cost, barred) in steps.items()}
            opened = {each.here for each in cuts}
            assert (
                fewest_cuts(
                    start, without, lambda place, opened=opened: ends(place) and place not in opened, points, goal
                )
                == 0
            )
    assert seen["reached"] > 2
    assert seen["cut"] > 2


def change(core: Core, picks: list[float]) -> None:
    """Applies the same random change to a world."""
    board, world = core.world.board, core.world
    one, two, three = (int(each * len(board.all_hex)) for each in picks[:3])
    stack = board.all_stack[int(picks[3] * len(board.all_stack))]
    edge = next(each for each in board.all_hex[three:] + board.all_hex if any(n.kind == "hex" for n in each.neighbours))
    near = next(each for each in edge.neighbours if each.kind == "hex")
    core.names["p_touch"](board.all_hex[one], stack, edge, near)
    world.place(stack, board.all_hex[two])


def test_negative_cost_is_a_fault(tmp_path: Path) -> None:
    """A negative cost of a step is a fault, whether the cost is in a table or not."""
    for number, cost in enumerate(("worst(there) - 2", "worst(there) - stack.steps", "down(stack, here, there)")):
        items = "[{id: a, value: worst(b)}, {id: b, value: -2}]"
        less = f"modifiers:\n  down: {{takes: {{s: stack, a: place, b: place}}, each: {items}}}\n"
        head = HEAD.replace("modifiers:\n", less)
        text = f"{head}  gain: {{takes: {{stack: stack}}, over: place, within: 9, cost: '{cost}'}}\n{SETTERS}{TAIL}"
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "ruleset.yaml").write_text(text + written(Random(1)), encoding="utf-8")
        setting = source_of(load_ruleset(folder, cache=False))
        for variant in VARIANTS:
            core = Core(setting.shared(variant), variant, {})
            stack = core.world.board.all_stack[-1]
            with pytest.raises(Exception) as caught:
                core.names["r_gain"](stack.at, stack)
            fault = core.fault(caught.value)
            assert isinstance(fault, RuleFault)
            assert fault.diagnostic.code == "negative-cost"
