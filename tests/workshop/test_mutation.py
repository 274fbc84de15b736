"""Mutation: what is changed, what notices it, and that the ruleset is as it was afterwards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.rules.documents.document_set import read_ruleset
from interpreter.rules.documents.nodes import plain
from interpreter.rules.loading.load import load_ruleset
from interpreter.workshop.examples.environment import stages_of
from interpreter.workshop.mutation.example_selection import watch
from interpreter.workshop.mutation.mutants import mutants, played_rules
from interpreter.workshop.mutation.run_mutants import UNNOTICED, MutationRunner, Trial, list_mutants, try_mutants

RULES = """\
ruleset: {id: small, title: Small, version: 1.0.0}
kinds:
  side: {is: seat, members: [red, blue], has: {points: int = 0}}
constants:
  goal: {value: 3}
  unread: {value: 7}
tables:
  worth:
    keys: {die: int}
    gives: int
    grid: |
      die   | 1 2 3
      worth | 0 1 2
definitions:
  ahead: {takes: {side: side}, is: side.points >= goal and not (side = blue)}
  for_nobody: {takes: {}, gives: int, is: 1 + 1}
modifiers:
  luck:
    takes: {side: side}
    each:
      - {id: red, when: side = red, value: 1}
      - {id: rich, when: side.points > 5, value: -1}
procedures:
  gain:
    takes: {side: side, die: int}
    do: |
      set side.points += worth[die] + luck(side)
      if ahead(side): win side "ahead"
sequence:
  game: {do: "gain(red, 2)"}
invariants:
  few: {is: all(sides each .points <= 40 + for_nobody())}
examples:
  red_gains: {run: "gain(red, 2)", then: [red.points = 2, "worth[1] = 0"]}
  red_wins: {run: "gain(red, 3)", ends: {winner: red}}
  blue_never: {run: "gain(blue, 3)", then: [blue.points = 2]}
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A small ruleset with examples that leave some things untested."""
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(RULES)
    return folder


def _trials(folder: Path) -> dict[tuple[str, str, str], Trial]:
    ruleset = load_ruleset(folder)
    found = list(try_mutants(ruleset, list(list_mutants(ruleset))))
    return {(each.path, each.was, each.becomes): each for each in found}


def test_what_is_changed(small: Path) -> None:
    """Cells, values, items, conditions and comparisons; never an assignment, a name or a word of the language alone."""
    found = [(each.path, each.was, each.becomes) for each in mutants(read_ruleset(small))]
    assert ("tables/worth/worth/2", "1", "2") in found
    assert ("constants/goal/value", "3", "4") in found
    assert ("definitions/ahead/is", ">=", ">") in found
    assert ("definitions/ahead/is", "and", "or") in found
    assert ("definitions/ahead/is", "not", "(nothing)") in found
    assert ("definitions/ahead/is", "=", "!=") in found
    assert ("modifiers/luck/each/red", "the item", "left out") in found
    assert ("modifiers/luck/each/rich/value", "-1", "0") not in found
    assert ("modifiers/luck/each/rich/value", "1", "2") in found
    assert ("procedures/gain/do", "+", "-") in found
    assert ("procedures/gain/do", "+=", "-=") not in found


def test_only_what_play_reads(small: Path) -> None:
    """What an invariant alone reads, or nothing at all, is no rule of the game."""
    played = played_rules(read_ruleset(small))
    assert {"tables/worth", "constants/goal", "modifiers/luck", "definitions/ahead"} <= played
    assert not {"constants/unread", "definitions/for_nobody"} & played


def test_what_is_noticed(small: Path) -> None:
    """Each change meets the example that tells it apart; what none does is named."""
    trials = _trials(small)
    assert trials["tables/worth/worth/1", "0", "1"].by == "red_gains"
    assert trials["definitions/ahead/is", ">=", ">"].by == "red_wins"
    assert trials["modifiers/luck/each/rich", "the item", "left out"].by == UNNOTICED
    assert trials["modifiers/luck/each/rich/when", "5", "6"].by == UNNOTICED
    assert trials["modifiers/luck/each/red", "the item", "left out"].noticed
    assert trials["definitions/ahead/is", "not", "(nothing)"].noticed


def test_a_change_is_played_by_its_own_code(small: Path) -> None:
    """No cache takes the code of one change for that of another, or of the ruleset."""
    ruleset = load_ruleset(small)
    laboratory = MutationRunner(str(small), watch(ruleset, list(stages_of(ruleset).examples)))
    own = []
    for each in laboratory.mutants:
        with each.applied():
            changed = laboratory.changed()
            own += [changed.unit("fast").source] if changed is not None else []
    assert len(own) > 9
    assert len({ruleset.unit("fast").source, *own}) > len(own) / 2
    assert load_ruleset(small).unit("fast").source == ruleset.unit("fast").source


def test_documents_are_as_they_were(small: Path) -> None:
    """Every change is taken back, whatever came of it."""
    documents = read_ruleset(small)
    before = [plain(each.root) for each in documents.documents]
    for each in mutants(documents):
        with each.applied():
            assert [plain(other.root) for other in documents.documents] != before
        assert [plain(other.root) for other in documents.documents] == before


def test_places_are_those_of_the_file(small: Path) -> None:
    """What a change says stood there stands there."""
    lines = (small / "ruleset.yaml").read_text().splitlines()
    for each in mutants(read_ruleset(small)):
        if each.was != "the item":
            assert lines[each.place.line - 1][each.place.column - 1 :].startswith(each.was)


def test_the_command(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The score is the share noticed; processes make no difference; --least decides the exit code."""
    assert main(["mutate", str(small), "--json", "--workers", "1"]) == 0
    one = capsys.readouterr().out
    assert main(["mutate", str(small), "--json", "--workers", "2"]) == 0
    assert capsys.readouterr().out == one
    data = json.loads(one)
    assert data["noticed"] < data["changes"]
    assert data["score"] == pytest.approx(100 * data["noticed"] / data["changes"], abs=0.01)
    assert main(["mutate", str(small), "--least", "99"]) == 1
    told = capsys.readouterr()
    assert "modifiers/luck/each/rich: the item -> left out  unnoticed" in told.out
    assert "write examples" in told.err
    assert main(["mutate", str(small), "--only", "tables/worth"]) == 0
    assert "3 of 3 changes noticed" in capsys.readouterr().out


def test_an_interrupt_tells_what_was_found(
    small: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nothing has noticed until then is listed, and how far it went."""

    def cut_short(*_: object) -> Iterator[Trial]:
        yield Trial(1, "tables/worth", "rules.yaml:1:1", "2", "3", UNNOTICED)
        raise KeyboardInterrupt

    monkeypatch.setattr("interpreter.cli.commands.mutate.try_mutants", cut_short)
    assert main(["mutate", str(small), "--only", "tables/worth"]) == 130
    told = capsys.readouterr()
    assert told.out == "rules.yaml:1:1: tables/worth: 2 -> 3  unnoticed\n"
    assert "1 of 3 changes were tried" in told.err


def test_nothing_to_change(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A path that leads nowhere is answered with the nearest."""
    assert main(["mutate", str(small), "--only", "tables/wort_"]) == 2
    assert "did you mean 'tables/worth'" in capsys.readouterr().err
