"""A rename changes every use of a name: the ruleset stays sound and its examples hold."""

from __future__ import annotations

from functools import cache

import pytest
from overlay_house import BASE, laid, overlay

from interpreter.language.diagnostics import RulesetError
from interpreter.workshop.examples.run_examples import run_examples

RENAMED = [
    "tables/losses",
    "constants/quota",
    "state/storm",
    "state/turn",
    "options/fog",
    "options/weather",
    "definitions/strength",
    "definitions/unit.weak",
    "definitions/side.units",
    "modifiers/attack",
    "modifiers/attack/each/chief",
    "modifiers/attack/limits/total",
    "restrictions/march_bars",
    "restrictions/march_bars/each/enemy",
    "searches/march",
    "searches/march/bars/barred",
    "procedures/lose",
    "procedures/assault",
    "procedures/storm_check",
    "menus/orders",
    "actions/advance",
    "actions/fight",
    "actions/advance/when/rested",
    "dice/flags",
    "dice/halved",
    "views/hands",
    "invariants/no_empty_units",
    "examples/a_turn",
    "sources/fan_page",
    "readings/counted",
    "kinds/side",
    "kinds/place",
    "kinds/counter",
    "kinds/unit",
    "kinds/chief",
    "kinds/result",
    "kinds/ground",
    "kinds/road",
    "kinds/card",
    "kinds/side/has/enemy",
    "kinds/side/has/points",
    "kinds/place/has/ground",
    "kinds/counter/has/owner",
    "kinds/unit/has/steps",
    "kinds/unit/has/tired",
    "kinds/result/has/hits",
    "kinds/result/has/rout",
    "kinds/ground/members/hill",
    "kinds/ground/members/plain",
    "individuals/side/red",
    "individuals/side/blue",
    "individuals/place/ford",
    "individuals/place/camp",
    "individuals/pile/stock",
    "pieces/unit/red",
    "pieces/unit/blue",
    "pieces/chief/marshal",
    "pieces/card/card",
    "sequence/game",
    "sequence/clock",
    "sequence/moves",
    "clauses/2.1",
    "clauses/1",
    "links/roads",
]


def rename_overlay(path: str, new: str, name: str, **head: str) -> object:
    """Returns an overlay that gives something another name."""
    return overlay(f'- {{at: "{path}", rename: "{new}"}}', name, **head)


@cache
def plain_hash() -> str:
    """The hash of the ruleset without overlays."""
    return laid(BASE).hash


@pytest.mark.parametrize("path", RENAMED)
def test_rename_changes_every_use(path: str) -> None:
    """A renamed ruleset stays sound and its examples hold; renaming back restores its hash."""
    *around, old = path.split("/")
    kind, dot, own = old.rpartition(".") if path.startswith("definitions") else ("", "", old)
    new = f"{kind}{dot}new_{own}" if not path.startswith("clauses") else f"n{old}"
    there = rename_overlay(path, new, "there")
    ruleset = laid(BASE, there)  # type: ignore[arg-type]
    assert [str(each) for each in run_examples(ruleset) if not each.passed] == []
    back = rename_overlay("/".join([*around, new]), old, "back", after="there")
    assert laid(BASE, there, back).hash == plain_hash()  # type: ignore[arg-type]


def test_rename_changes_headings_of_tables() -> None:
    """A row or a column of a table gets another heading and keeps its cells."""
    ruleset = laid(
        BASE, overlay("- {at: tables/combat/10.., rename: 10..12}\n- {at: tables/combat/*/4.., rename: 4..9}")
    )
    table = ruleset.program.tables["combat"]
    assert table.axes[0].headings[-1] == (10, 12)
    assert table.axes[1].headings[-1] == (4, 9)


def test_errors_in_renamed_text_keep_their_place() -> None:
    """Text in which a name was replaced still has the file position of every character."""
    with pytest.raises(RulesetError) as caught:
        laid(BASE, overlay("- {at: kinds/unit/has/tired, rename: exhausted}\n- {at: constants/quota, remove: true}"))
    (found,) = caught.value.diagnostics
    assert (found.place.line, found.place.column) == (3, 38)
    assert "unit.weak: {is: .tired or .steps < quota}" in (found.excerpt or "")
