"""Fingerprints of rules in recorded games: round trips and differences."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from saved_games import played
from tiny_game import CODE, TINY, image

from interpreter.language.diagnostics import UsageError
from interpreter.play.records.logfile import log_text, read_log
from interpreter.play.records.recording import OtherRulesError, header_of, resume
from interpreter.play.records.rules_fingerprint import OverlayCopy, RulesFingerprint
from interpreter.play.records.save import Save, save_game
from interpreter.play.records.save_database import SaveDatabase

NAMES = st.text('ab/. 0é\n"', max_size=8)
TABLES = st.fixed_dictionaries(
    {
        "axes": st.lists(st.tuples(NAMES, st.lists(NAMES, max_size=3)).map(list), max_size=2),
        "cells": st.dictionaries(NAMES, NAMES, max_size=3),
    }
)
RULES = st.builds(
    RulesFingerprint,
    st.lists(st.builds(OverlayCopy, NAMES, NAMES, NAMES), max_size=2).map(tuple),
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
def test_fingerprint_round_trips(rules: RulesFingerprint) -> None:
    """The JSON form is read back equal and has no differences."""
    again = RulesFingerprint.from_data(json.loads(json.dumps(rules.data())))
    assert again == rules
    assert rules.differences(again) == []


@given(RULES, RULES)
def test_differences_are_symmetric(one: RulesFingerprint, other: RulesFingerprint) -> None:
    """An entry that is new for one fingerprint was removed for the other."""
    new, removed = (
        [each for each in texts if f"{each} ".endswith(f"{change} ")]
        for texts, change in ((one.differences(other), "is new"), (other.differences(one), "was removed"))
    )
    assert len(new) == len(removed)


@given(RULES, st.data())
def test_malformed_fingerprint_is_refused(rules: RulesFingerprint, data: st.DataObject) -> None:
    """Any other data is read or refused with a usage error."""
    written = json.loads(json.dumps(rules.data()))
    written[data.draw(st.sampled_from(sorted(written)))] = data.draw(JSON)
    with suppress(UsageError):
        again = RulesFingerprint.from_data(written)
        assert RulesFingerprint.from_data(again.data()) == again


def test_tables_are_compared_by_cells() -> None:
    """A changed cell is named by its headings, and its table is not named again."""
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


def test_other_rules_error_lists_differences() -> None:
    """The error for other rules has the list of differences."""
    recording = played(4).recording
    changed = replace(image(CODE.replace("return 4", "return 5")), version="2")
    with pytest.raises(OtherRulesError) as caught:
        resume(recording, changed)
    assert [each.partition(" (")[0] for each in caught.value.differences] == ["version", "ruleset hash"]


def test_save_of_format_1_continues(tmp_path: Path) -> None:
    """A save of format 1 opens, is resumed and is updated in its own format."""
    game, path = played(8), tmp_path / "old.save"
    old = replace(game.recording, header=replace(game.header, rules=None))
    path.write_bytes(SaveDatabase(old).image)
    with Save.open(path) as save:
        again = save.resume(TINY)
        assert again.history == game.history
        again.choose_index(0)
        save.update(again)
    assert Save.open(path).recording.inputs == again.history
    assert Save.open(path).header.rules is None
    assert path.read_bytes()[60:64] == bytes([0, 0, 0, 1])


def test_log_of_format_1_is_read(tmp_path: Path) -> None:
    """A log of format 1 is read as before."""
    recording = played(8).recording
    old = replace(recording, header=replace(recording.header, rules=None), snapshots={})
    path = tmp_path / "old.log"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("interpreter.play.records.logfile.FORMAT", 1)
        path.write_text(log_text(old), encoding="utf-8")
    assert read_log(path) == old


def test_edited_header_is_refused(tmp_path: Path) -> None:
    """An edit of the rules in a save is noticed."""
    game, path = played(8), tmp_path / "a.save"
    save_game(path, game).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("""UPDATE meta SET header = replace(header, '"overlays":[]', '"overlays":[{}]')""")
    with pytest.raises(UsageError, match="an overlay in its header is malformed"):
        Save.open(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        overlays = '"overlays":[{"id":"a","path":"a","text":"a"}]'
        connection.execute(f"""UPDATE meta SET header = replace(header, '"overlays":[{{}}]', '{overlays}')""")
    with pytest.raises(UsageError, match=r"edited at input 1 .or the header before it"):
        Save.open(path)
