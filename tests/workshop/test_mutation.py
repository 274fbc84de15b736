"""Tests of mutation testing: the mutants, their detection, and the unchanged ruleset afterwards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.rules.documents.document_set import read_ruleset
from interpreter.rules.documents.nodes import as_plain_data
from interpreter.rules.loading.load import load_ruleset
from interpreter.workshop.examples.environment import environments_of
from interpreter.workshop.mutation.example_selection import trace_examples
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
    """Writes a small ruleset with examples that leave some rules untested."""
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(RULES)
    return folder


def _trials(folder: Path) -> dict[tuple[str, str, str], Trial]:
    ruleset = load_ruleset(folder)
    found = list(try_mutants(ruleset, list(list_mutants(ruleset))))
    return {(each.path, each.was, each.becomes): each for each in found}


def test_mutants_cover_cells_values_and_conditions(small: Path) -> None:
    """Mutants change cells, values, items, conditions and comparisons; never an assignment or a name."""
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


def test_played_rules_exclude_unreachable_entries(small: Path) -> None:
    """An entry that only an invariant reads, or nothing at all, is not a rule of the game."""
    played = played_rules(read_ruleset(small))
    assert {"tables/worth", "constants/goal", "modifiers/luck", "definitions/ahead"} <= played
    assert not {"constants/unread", "definitions/for_nobody"} & played


def test_trial_names_the_detecting_example(small: Path) -> None:
    """A trial names the example that detects the mutant, or reports the mutant as unnoticed."""
    trials = _trials(small)
    assert trials["tables/worth/worth/1", "0", "1"].by == "red_gains"
    assert trials["definitions/ahead/is", ">=", ">"].by == "red_wins"
    assert trials["modifiers/luck/each/rich", "the item", "left out"].by == UNNOTICED
    assert trials["modifiers/luck/each/rich/when", "5", "6"].by == UNNOTICED
    assert trials["modifiers/luck/each/red", "the item", "left out"].is_noticed
    assert trials["definitions/ahead/is", "not", "(nothing)"].is_noticed


def test_mutant_runs_its_own_code(small: Path) -> None:
    """No cache confuses the code of a mutant with that of another one, or of the ruleset."""
    ruleset = load_ruleset(small)
    runner = MutationRunner(str(small), trace_examples(ruleset, list(environments_of(ruleset).examples)))
    own = []
    for each in runner.mutants:
        with each.applied():
            changed = runner.changed()
            own += [changed.unit("fast").source] if changed is not None else []
    assert len(own) > 9
    assert len({ruleset.unit("fast").source, *own}) > len(own) / 2
    assert load_ruleset(small).unit("fast").source == ruleset.unit("fast").source


def test_documents_are_restored(small: Path) -> None:
    """Every mutant changes the documents, and is reverted."""
    documents = read_ruleset(small)
    before = [as_plain_data(each.root) for each in documents.documents]
    for each in mutants(documents):
        with each.applied():
            assert [as_plain_data(other.root) for other in documents.documents] != before
        assert [as_plain_data(other.root) for other in documents.documents] == before


def test_mutant_places_match_the_file(small: Path) -> None:
    """The original text of a mutant is found at its place in the file."""
    lines = (small / "ruleset.yaml").read_text().splitlines()
    for each in mutants(read_ruleset(small)):
        if each.was != "the item":
            assert lines[each.place.line - 1][each.place.column - 1 :].startswith(each.was)


def test_command_prints_the_score(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The score is the detected share, independent of the number of processes; --least decides the exit code."""
    assert main(["mutate", str(small), "--json", "--workers", "1"]) == 0
    one = capsys.readouterr().out
    assert main(["mutate", str(small), "--json", "--workers", "2"]) == 0
    assert capsys.readouterr().out == one
    data = json.loads(one)
    assert data["noticed"] < data["changes"]
    assert data["score"] == pytest.approx(100 * data["noticed"] / data["changes"], abs=0.01)
    assert main(["mutate", str(small), "--least", "99"]) == 1
    captured = capsys.readouterr()
    assert "modifiers/luck/each/rich: the item -> left out  undetected" in captured.out
    assert "write examples" in captured.err
    assert main(["mutate", str(small), "--only", "tables/worth"]) == 0
    assert "3 of 3 changes detected" in capsys.readouterr().out


def test_interrupt_prints_the_trials_so_far(
    small: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an interrupt, the undetected mutants so far and the progress are printed."""

    def cut_short(*_: object) -> Iterator[Trial]:
        yield Trial(1, "tables/worth", "rules.yaml:1:1", "2", "3", UNNOTICED)
        raise KeyboardInterrupt

    monkeypatch.setattr("interpreter.cli.commands.mutate.try_mutants", cut_short)
    assert main(["mutate", str(small), "--only", "tables/worth"]) == 130
    captured = capsys.readouterr()
    assert captured.out == "rules.yaml:1:1: tables/worth: 2 -> 3  undetected\n"
    assert "1 of 3 changes tried" in captured.err


def test_unknown_path_gets_a_hint(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The message for an unknown path names the nearest one."""
    assert main(["mutate", str(small), "--only", "tables/wort_"]) == 2
    assert "did you mean 'tables/worth'" in capsys.readouterr().err


CARRIED = """\
ruleset: {id: deck, title: Deck, version: 1.0.0}
kinds:
  side: {is: seat, members: [red, blue], has: {points: int = 0}}
  pile: {is: space}
  card:
    is: piece
    in: pile
    procedures: {play: {takes: {side: side}, do: set side.points += 1}}
    definitions: {worth: {gives: int, is: "0"}}
individuals:
  pile: [stock]
pieces:
  card:
    - {id: plain, at: stock}
    - {id: raid, count: 2, at: stock, worth: "3", play: {do: set side.points -= 2}}
sequence:
  game: {do: "log \\"over\\""}
examples:
  plain: {run: plain.play(red), then: [red.points = 1, plain.worth() = 0]}
  raid: {run: raid_2.play(red), then: [red.points = -2]}
"""


def test_texts_of_methods_are_mutated(tmp_path: Path) -> None:
    """Texts that kinds and counters carry are changed one by one, and noticed by the examples that run them."""
    (tmp_path / "ruleset.yaml").write_text(CARRIED, encoding="utf-8")
    assert set(list_mutants(load_ruleset(str(tmp_path))).values()) == {
        "kinds/card/definitions/worth/is",
        "kinds/card/procedures/play/do",
        "pieces/card/raid/play/do",
        "pieces/card/raid/worth",
    }
    unnoticed = [path for (path, _, _), trial in _trials(tmp_path).items() if trial.by == UNNOTICED]
    assert unnoticed == ["pieces/card/raid/worth"]
