"""Templates of the presentation: what they name must be there."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.rules.loading.load import check_ruleset

RULESET = """\
ruleset: {id: small, title: Small, version: "1"}
kinds:
  mood: {is: enum, members: [fresh, tired]}
  side: {is: seat, members: [red]}
  hex: {is: space, plural: hexes, grid: {columns: 2, rows: 2, shape: hexes_in_columns}, has: {town: text?}}
  bank: {is: link, between: hex, has: {river: "bool = false"}}
  stack: {is: piece, in: hex, has: {side: side, mood: "mood = fresh"}}
  guard: {is: stack}
state: {active: "stack?"}
definitions:
  stack.strength: {is: 2 + count(stack.hex.stacks)}
sequence: {turns: {repeat: 2, do: "set active = none"}}
presentation:
"""


def shown(folder: Path, presentation: str) -> list[str]:
    """What the checker says of a presentation."""
    (folder / "ruleset.yaml").write_text(RULESET + presentation, encoding="utf-8")
    return [f"{each.place.line - 13}:{each.place.column} {each.code}: {each.message}" for each in check_ruleset(folder)]


def test_what_templates_show_is_used(tmp_path: Path) -> None:
    """A computed attribute that a template shows is no rule that nothing uses."""
    assert shown(tmp_path, "  words: {hex: field}\n") == [
        "-2:3 unused-definition: nothing uses definitions/stack.strength"
    ]
    text = """\
  titles: {guard: "{name}{side? of {side}}"}
  labels: {guard: "{name} {strength}{side?, {side}} at {hex}", hex: {en: "{id} {guards}", ja: "{town}"}}
  board: {without: [bank]}
  log_hides: [active, guard.side]
  chart: {of: hex, focus: [active], cell: ["{id}{pieces}"], pieces: {stack: "{side}"}, sides: {river: "~"}}
  coloured: {stack: side, hex: town}
  colours: {side: {red: red}}
"""
    assert shown(tmp_path, text) == []


def test_what_an_option_costs_is_used(tmp_path: Path) -> None:
    """A computed attribute that is only the cost of options is no rule that nothing uses."""
    asks = RULESET.replace("set active = none", "set active = red chooses one or none of stacks")
    text = "  costs: {turns.active: {of: strength, unit: point}}\n  declines: {turns.active: nobody}\n"
    (tmp_path / "ruleset.yaml").write_text(asks + text, encoding="utf-8")
    assert list(check_ruleset(tmp_path)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('  labels: {stak: "{name}"}', "1:12 unknown-kind: there is no kind 'stak'"),
        ('  labels: {stack: "{nam}"}', "1:21 unknown-attribute: a stack has no 'nam' to show"),
        ('  titles: {stak: "{name}"}', "1:12 unknown-kind: there is no kind 'stak'"),
        (
            '  titles: {stack: "{name} of {strength}"}',
            "1:31 unknown-attribute: a stack stores no 'strength' to be called by",
        ),
        ('  titles: {guard: {ja: "{sid}"}}', "1:26 unknown-attribute: a guard stores no 'sid' to be called by"),
        ('  chart: {of: hex, overview: ["{twon}"]}', "1:33 unknown-attribute: a hex has no 'twon' to show"),
        ("  chart: {of: hex, interest: prize}", "1:30 unknown-attribute: there is no attribute 'prize'"),
        ("  coloured: {stak: side}", "1:14 unknown-kind: there is no kind 'stak'"),
        ("  coloured: {stack: sid}", "1:21 unknown-attribute: there is no attribute 'sid'"),
        ("  colours: {sid: {red: red}}", "1:13 unknown-kind: there is no kind 'sid' to colour"),
        ("  colours: {side: {rot: red}}", "1:20 unknown-individual: there is no side 'rot'"),
        ("  colours: {mood: {tird: red}}", "1:20 unknown-word: mood has no word 'tird' to colour"),
        ("  board: {without: [hexx]}", "1:21 unknown-kind: there is no kind 'hexx'"),
        ("  log_hides: [stack.sid]", "1:15 unknown-attribute: there is no attribute 'stack.sid'"),
        ("  chart: {of: bank}", "1:15 unknown-kind-with-a-grid: there is no kind with a grid 'bank'"),
        ("  chart: {of: hex, focus: [activ]}", "1:28 unknown-state-value: there is no state value 'activ'"),
        ('  chart: {of: hex, cell: ["{strength}"]}', "1:29 unknown-attribute: a hex has no 'strength' to show"),
        ('  chart: {of: hex, pieces: {stack: "{pieces}"}}', "1:38 unknown-attribute: a stack has no 'pieces' to show"),
        ('  chart: {of: hex, sides: {wall: "#"}}', "1:28 unknown-attribute: no link has 'wall' to draw between spaces"),
    ],
)
def test_mistakes_in_templates(tmp_path: Path, text: str, expected: str) -> None:
    """Each is reported at its place."""
    assert expected in shown(tmp_path, text + "\n")
