"""What a recorded game keeps of its rules: it comes back whole, and tells what is different about others."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_saves import played
from tiny_game import CODE, TINY, image

from interpreter.language.diagnostics import UsageError
from interpreter.play.records.logfile import log_text, read_log
from interpreter.play.records.recording import OtherRulesError, header_of, resume
from interpreter.play.records.rules_fingerprint import KeptOverlay, KeptRules
from interpreter.play.records.save import Save, save_game

NAMES = st.text('ab/. 0é\n"', max_size=8)
TABLES = st.fixed_dictionaries(
    {
        "axes": st.lists(st.tuples(NAMES, st.lists(NAMES, max_size=3)).map(list), max_size=2),
        "cells": st.dictionaries(NAMES, NAMES, max_size=3),
    }
)
RULES = st.builds(
    KeptRules,
    st.lists(st.builds(KeptOverlay, NAMES, NAMES, NAMES), max_size=2).map(tuple),
    st.dictionaries(NAMES, NAMES, max_size=3),
    st.dictionaries(NAMES, TABLES, max_size=2),
    st.dictionaries(st.integers(0, 10**6), NAMES, max_size=3),
    NAMES,
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=12,
)


@given(RULES)
def test_what_is_kept_comes_back(rules: KeptRules) -> None:
    """By way of JSON it is the same, and differs in nothing from itself."""
    again = KeptRules.read(json.loads(json.dumps(rules.data())))
    assert again == rules
    assert rules.differences(again) == []


@settings(deadline=None)
@given(RULES, RULES)
def test_any_two_rules_can_be_compared(one: KeptRules, other: KeptRules) -> None:
    """Whatever was kept, what is new for the one is gone for the other."""
    new, gone = (
        [each for each in told if f"{each} ".endswith(f"{what} ")]
        for told, what in ((one.differences(other), "is new"), (other.differences(one), "is gone"))
    )
    assert len(new) == len(gone)


@settings(deadline=None)
@given(RULES, st.data())
def test_what_was_not_written_so_is_refused(rules: KeptRules, data: st.DataObject) -> None:
    """Anything else in the place of a part is read as well or refused, and nothing worse."""
    written = json.loads(json.dumps(rules.data()))
    written[data.draw(st.sampled_from(sorted(written)))] = data.draw(JSON)
    with suppress(UsageError):
        again = KeptRules.read(written)
        assert KeptRules.read(again.data()) == again


def test_a_table_is_compared_cell_by_cell() -> None:
    """A cell that differs is named by its headings, and its table is not named again."""
    rules = header_of(TINY, 1).rules
    assert rules is not None
    (name, table) = next(iter(rules.tables.items()))
    mine = replace(rules, entries={f"tables/{name}": "a", "procedures/battle": "b"})
    (at, text) = next(iter(table["cells"].items()))
    changed = {name: {**table, "cells": {**table["cells"], at: "?"}}}
    other = replace(mine, tables=changed, entries={f"tables/{name}": "c", "procedures/battle": "d"})
    heading = table["axes"][0][1][0]
    assert mine.differences(other) == [
        f"tables/{name}/{heading} (recorded: {text}, here: ?)",
        "procedures/battle has changed",
    ]


def test_other_rules_are_told_as_a_list() -> None:
    """Who refuses other rules can say what is different, item by item."""
    recording = played(4).recording
    changed = replace(image(CODE.replace("return 4", "return 5")), version="2")
    with pytest.raises(OtherRulesError) as caught:
        resume(recording, changed)
    assert [each.partition(" (")[0] for each in caught.value.differences] == ["version", "ruleset hash"]


def test_a_save_without_rules_goes_on(tmp_path: Path) -> None:
    """A save of format 1 opens, is resumed and saved on in its own form."""
    game, path = played(8), tmp_path / "old.save"
    with Save.create(path, replace(game.header, rules=None)) as save:
        save.update(game)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 1")
    with Save.open(path) as save:
        again = save.resume(TINY)
        assert again.history == game.history
        again.choose_index(0)
        save.update(again)
    assert Save.open(path).recording.inputs == again.history
    assert Save.open(path).header.rules is None


def test_a_log_without_rules_is_read(tmp_path: Path) -> None:
    """A log of format 1 is read as before."""
    recording = played(8).recording
    old = replace(recording, header=replace(recording.header, rules=None), snapshots={})
    path = tmp_path / "old.log"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("interpreter.play.records.logfile.FORMAT", 1)
        path.write_text(log_text(old), encoding="utf-8")
    assert read_log(path) == old


def test_an_edited_head_is_refused(tmp_path: Path) -> None:
    """What a save keeps of its rules can't be edited unseen."""
    game, path = played(8), tmp_path / "a.save"
    save_game(path, game).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("""UPDATE meta SET header = replace(header, '"overlays":[]', '"overlays":[{}]')""")
    with pytest.raises(UsageError, match="an overlay in its head is not in the form"):
        Save.open(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        given = '"overlays":[{"id":"a","path":"a","text":"a"}]'
        connection.execute(f"""UPDATE meta SET header = replace(header, '"overlays":[{{}}]', '{given}')""")
    with pytest.raises(UsageError, match=r"edited at input 1 .or the header before it"):
        Save.open(path)
