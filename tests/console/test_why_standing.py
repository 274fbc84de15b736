"""'why' with an item of the standing: its value, its clause, what counts for it, and what changed it last."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from scripted_terminal import Script

from interpreter.console.human import HumanPlayer
from interpreter.console.prompt_commands import PromptCommands
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_ruleset

RULES = """
ruleset: {id: towns, title: Towns, version: "1"}
clauses: [{id: "1", kind: rule, says: Each town counts what it is worth.}]
kinds:
  side: {is: seat, members: [red, blue]}
  town: {is: space, has: {worth: int, owner: "side?"}}
  spy: {is: piece, in: town}
individuals: {town: {north: {worth: 1}, south: {worth: 2}, west: {worth: 1}}}
pieces: {spy: [{id: fox, at: west}]}
views: {spies: {of: spy, when: spy.town = west, seen_by: "{blue}"}}
sequence:
  game:
    repeat: 9
    steps:
      turn:
        cite: "1"
        do: |
          let town = red chooses one of towns "Which town?"
          set town.owner = red
victory:
  towns:
    cite: "1"
    takes: {side: side}
    for: side
    says: {en: "{side} wins with the most.", ja: "{side}は最多で勝つ。"}
    parts: {of: towns, value: .worth if .owner = side else 0, most: .worth}
presentation:
  names: {side: {red: {en: red, ja: 赤}}}
  words: {towns: {en: victory points, ja: 勝利得点}}
"""


@pytest.fixture
def ruleset(tmp_path: Path) -> Path:
    (tmp_path / "ruleset.yaml").write_text(RULES, encoding="utf-8")
    return tmp_path


def why(ruleset: Path, text: str, *answers: str, language: str = "en", seat: str | None = "red") -> str:
    game = Game(load_ruleset(ruleset), seed=1, trace=True, language=language)
    for each in answers:
        game.choose(each)
    said: list[str] = []
    PromptCommands(game, seat, said.append).run("why", text)
    return "\n".join(map(str, said))


@pytest.mark.parametrize("typed", ["VP", "victory points", "did I get points", "red VP", "my victory points"])
def test_item_is_explained_with_its_last_change(ruleset: Path, typed: str) -> None:
    """The item of the seat that asks: value, clause, parts, the value before, and how the part changed."""
    text = why(ruleset, typed, "north", "south")
    assert text.startswith("red victory points: 3  [1]\n  red wins with the most.\n  counted: north 1, south 2")
    assert "  before the step of its last change: red victory points: 1\n  changed in that step: south\n" in text
    assert "what the log says of it last:\nsouth: owner is now red  [1]" in text
    assert "blue victory points" not in text


def test_item_of_another_seat_is_named_with_it(ruleset: Path) -> None:
    """The name of a seat chooses its item; what has not changed says so."""
    text = why(ruleset, "blue VP", "north")
    assert text.startswith("blue victory points: 0")
    assert text.endswith("  it has not changed so far")


def test_host_is_shown_the_items_of_all(ruleset: Path) -> None:
    """Without a seat nobody's item comes first."""
    text = why(ruleset, "VP", "north", seat=None)
    assert "red victory points: 1" in text
    assert "blue victory points: 0" in text


@pytest.mark.parametrize("typed", ["VP", "得点", "赤の勝利得点はなぜ"])
def test_item_is_named_in_japanese(ruleset: Path, typed: str) -> None:
    """The words for a score are known in both languages."""
    text = why(ruleset, typed, "north", language="ja")
    assert "勝利得点：1" in text
    assert "最後に変わったステップの前：" in text
    assert "そこで変わった内訳：north" in text


def test_thing_of_the_log_is_no_item(ruleset: Path) -> None:
    """The name of a town that counts means what happened to it."""
    assert why(ruleset, "did north get an owner", "north").startswith("north: owner is now red")


def test_what_takes_long_is_named_meanwhile(ruleset: Path) -> None:
    """While the game is looked back through, or a meaning sought, a text says so."""
    game, script, waited = (
        Game(load_ruleset(ruleset), seed=1, trace=True),
        Script(["why VP", "plan south", "north"]),
        [],
    )

    @contextmanager
    def waiting(what: str) -> Iterator[None]:
        said = len(script.said)
        yield
        waited.append(what)
        assert len(script.said) == said

    game.choose("north")
    HumanPlayer("red", script, lambda *_: "", waiting=waiting).choose(game)
    assert waited[0] == "looking back through the game"
    assert set(waited[1:]) == {"looking for what that can mean"}
    assert len(waited) == 3
