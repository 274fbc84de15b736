"""Methods: rule text that individuals and counters carry, under a signature of their kind."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from random_games import played_at_random

from interpreter import ask, load_ruleset, load_scenario, odds
from interpreter.language.diagnostics import RulesetError
from interpreter.play.engine.bulk import Simulation
from interpreter.rules.loading.ruleset import Ruleset

RULES = """
ruleset: {{id: probe, title: Methods, version: "1"}}
kinds:
  side: {{is: seat, members: [red, blue], has: {{points: "int = 0"}}}}
  pile: {{is: space}}
  card:
    is: piece
    in: pile
    has: {{worth: "int = 1"}}
    procedures:
      play: {{takes: {{side: side}}, do: "set side.points += 100"}}
      tell: {{takes: {{side: side}}}}
    definitions:
      value: {{takes: {{bonus: int}}, gives: int, is: "0"}}
  trap: {{is: card, procedures: {{play: {{do: "set side.points -= 1000"}}}}}}
  site: {{is: thing, definitions: {{height: {{gives: int, is: "1"}}}}}}
individuals:
  pile: [stock, spent]
  site: {{hill: {{height: "3"}}, plain: {{}}, peak: {{height: {{do: "return 9"}}}}}}
pieces:
  card:
{cards}
  trap:
    - {{id: pit, at: stock}}
    - {{id: net, at: stock, play: "set side.points -= 7"}}
procedures:
  turn:
    takes: {{side: side}}
    outcomes: {{points: side.points}}
    do: |
      let card = random one of stock.cards
      move card to spent
      card.play(side)
      card.tell(side)
      set side.points += card.value(2)
  make:
    takes: {{side: side}}
    do: |
      let fresh = new card(at: stock)
      fresh.play(side)
sequence:
  game: {{repeat: 5, each: side in sides, do: turn(side)}}
"""


def _entries(number: int) -> str:
    """Entries with and without texts, of one and of several counters, in turn."""
    lines = []
    for each in range(number):
        count = f"count: {each % 3 + 1}, " if each % 4 else ""
        play = f'play: "set side.points += {each + 1}", ' if each % 3 else ""
        value = f'value: "bonus * {each}", ' if each % 5 == 1 else ""
        lines.append(f"    - {{id: c{each}, {count}{play}{value}at: stock}}")
    return "\n".join(lines)


def _folder(folder: Path, rules: str) -> str:
    (folder / "ruleset.yaml").write_text(rules, encoding="utf-8")
    return str(folder)


def _loaded(folder: Path, number: int = 17) -> Ruleset:
    return load_ruleset(_folder(folder, RULES.format(cards=_entries(number))))


@pytest.mark.parametrize("number", [1, 2, 3, 8, 17])
def test_every_thing_runs_its_own_text(number: int, tmp_path: Path) -> None:
    """Each counter of each entry runs the text of its entry, and one without a text that of its kind."""
    ruleset = _loaded(tmp_path, number)
    for each in range(number):
        name = f"c{each}_1" if each % 4 else f"c{each}"
        points = each + 1 if each % 3 else 100
        assert ask(ruleset, f"red.points after {name}.play(red)") == points
        assert ask(ruleset, f"{name}.value(2)") == (2 * each if each % 5 == 1 else 0)
    assert ask(ruleset, "red.points after pit.play(red)") == -1000
    assert ask(ruleset, "red.points after net.play(red)") == -7
    assert ask(ruleset, "(sites each .height())") == [3, 1, 9]


def test_variants_dispatch_alike(tmp_path: Path) -> None:
    """Bulk play, a traced game and exact odds find the same text for every card."""
    ruleset = _loaded(tmp_path)
    simulation = Simulation(ruleset)
    for seed in range(4):
        assert simulation.play(seed) == played_at_random(ruleset, seed)
    cards = [name for kind, name in ruleset.program.individuals if kind in ("card", "trap")]
    by_hand = [ask(ruleset, f"red.points + {name}.value(2) after {name}.play(red)") for name in cards]
    found = odds(ruleset, "turn", {"with": {"side": "red"}})
    assert dict(found.of("points")) == {
        str(points): Fraction(by_hand.count(points), len(by_hand)) for points in by_hand
    }


def test_new_things_have_the_text_of_their_kind(tmp_path: Path) -> None:
    """A thing that a rule makes carries no text."""
    assert ask(_loaded(tmp_path), "red.points after make(red)") == 100


FAULTS = {
    "a text with a mistake": (
        "{id: a, at: stock, play: set side.pionts += 1}",
        ["unknown-attribute: side has no attribute 'pionts'"],
    ),
    "a value that is none": ("{id: a, at: stock, value: blue}", ["wrong-type: 'a.value': expected int, found side"]),
    "an unknown method": (
        "{id: a, at: stock, pla: set side.points += 1}",
        ["unknown-attribute: card has no attribute 'pla'"],
    ),
}


@pytest.mark.parametrize(("entry", "said"), FAULTS.values(), ids=FAULTS)
def test_mistakes_are_reported_at_the_text(entry: str, said: list[str], tmp_path: Path) -> None:
    """A mistake in a text is reported at the place of the text, under the name of its thing."""
    with pytest.raises(RulesetError) as error:
        load_ruleset(_folder(tmp_path, RULES.format(cards=f"    - {entry}")))
    assert [f"{each.code}: {each.message}" for each in error.value.diagnostics] == said
    assert {each.place.line for each in error.value.diagnostics} == {22}


DECLARATIONS = {
    "a method named like an attribute": ("worth: {gives: int, is: '1'}", "", "duplicate-name"),
    "a value without a text of the kind": ("cost: {gives: int}", "", "missing-key"),
    "another signature in a sub-kind": ("", "value: {takes: {bonus: int}, is: '2'}", "wrong-shape"),
}


@pytest.mark.parametrize(("of_card", "of_trap", "code"), DECLARATIONS.values(), ids=DECLARATIONS)
def test_declarations_are_checked(of_card: str, of_trap: str, code: str, tmp_path: Path) -> None:
    """A method has a name of its own, a text where it must give a value, and one signature."""
    rules = RULES.format(cards=_entries(2))
    rules = rules.replace("    definitions:\n", f"    definitions:\n      {of_card}\n", 1) if of_card else rules
    rules = rules.replace("{is: card, ", f"{{is: card, definitions: {{{of_trap}}}, ") if of_trap else rules
    with pytest.raises(RulesetError) as error:
        load_ruleset(_folder(tmp_path, rules))
    assert code in [each.code for each in error.value.diagnostics]


def test_scenario_carries_no_text(tmp_path: Path) -> None:
    """A counter of a scenario has the text of its kind, and one that carries a text is refused."""
    folder = tmp_path / "games" / "probe"
    (folder / "scenarios").mkdir(parents=True)
    _folder(folder, RULES.format(cards=_entries(3)))
    head = "scenario: {id: more, title: More, ruleset: probe}\npieces:\n  card:\n    - {id: late, at: stock%s}\n"
    path = folder / "scenarios" / "more.yaml"
    path.write_text(head % ", play: set side.points += 1", encoding="utf-8")
    with pytest.raises(RulesetError, match="a scenario has no rule text"):
        load_scenario(str(path), paths=(folder.parent,))
    path.write_text(head % "", encoding="utf-8")
    scenario = load_scenario(str(path), paths=(folder.parent,))
    assert ask(scenario, "red.points after late.play(red)") == 100


def test_overlay_replaces_a_text(tmp_path: Path) -> None:
    """A text is patched by the id of its thing and the method, that of a kind by its declaration."""
    folder = _folder(tmp_path, RULES.format(cards=_entries(3)))
    overlay = tmp_path / "errata.yaml"
    overlay.write_text(
        "overlay: {id: errata, for: probe}\npatches:\n"
        "  - {at: pieces/card/c1/play, set: set side.points += 77}\n"
        "  - {at: kinds/card/procedures/play/do, set: set side.points += 88}\n",
        encoding="utf-8",
    )
    ruleset = load_ruleset(folder, overlays=[str(overlay)])
    assert [ask(ruleset, f"red.points after {name}.play(red)") for name in ("c0", "c1_1", "c2_1")] == [88, 77, 3]
