"""Reasons: items of restrictions as values of rule text, logged, chosen, saved and renamed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from interpreter.language.diagnostics import UsageError
from interpreter.play.game import Game
from interpreter.play.inputs.value_codec import decode, encode, encode_json, full_name, short_name
from interpreter.play.records.recording import RecordedGame
from interpreter.play.records.save import Save, save_game
from interpreter.play.replay.name_map import NameMap
from interpreter.play.views.view import view
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset

BASE = Path(__file__).resolve().parents[1] / "goldens" / "base"
STEPS = """    steps:
      judged:
        each: why in entry_bars(ford)
        do: |
          log "judged {why}"
          let agreed = red chooses one of {red, blue} "Agreed?"
          if agreed = red: set storm = true
      asked:
        do: |
          let against = entry_bars(ford)
          log "against: {against}"
          for each why in against: log "one is {why}"
          let worst = red chooses one or none of against "Which is worst?"
          let drawn = random one of against
          log "worst is {worst}, drawn {drawn}"
          if worst = drawn: win red "it was {worst}"
"""
RESTRICTIONS = """restrictions:
  entry_bars:
    takes: {place: place}
    each:
      - {id: enemy, when: any(place.units), says: an enemy is there}
      - {id: dog_tired, when: turn < 9}
"""
SAID = "an enemy is there"


@pytest.fixture
def rules(tmp_path: Path) -> Ruleset:
    """The ruleset of the goldens, with questions about two reasons, one of them without a text."""
    folder = tmp_path / "guide"
    shutil.copytree(BASE, folder)
    file = folder / "rules.yaml"
    text = file.read_text("utf-8")
    for old, new in (("restrictions:\n", RESTRICTIONS), ("    steps:\n      clock:", f"{STEPS}      clock:")):
        assert text.count(old) == 1
        text = text.replace(old, new)
    file.write_text(text, "utf-8")
    return load_ruleset(folder, cache=False)


def asked(rules: Ruleset, seed: int = 1) -> RecordedGame:
    """Returns a game at the decision of red about a reason."""
    game = RecordedGame(rules, seed)
    game.choose_index(0)
    game.choose_index(0)
    assert game.decision is not None
    assert game.decision.address == "asked.worst"
    return game


def test_reason_is_shown_by_its_text(rules: Ruleset) -> None:
    """In a log line, alone and among others, and as a binding of a step; without a text the id is shown."""
    game = asked(rules)
    assert [each.text for each in game.log if each.kind == "log"] == [
        f"judged {SAID}", "judged dog tired", f"against: {SAID}, dog tired", f"one is {SAID}", "one is dog tired",
    ]  # fmt: skip
    assert [each.text for each in game.log if each.kind == "step"][:2] == [f"Judged ({SAID})", "Judged (dog tired)"]


@pytest.mark.usefixtures("rules")
def test_reason_is_said_in_the_language_of_the_game(tmp_path: Path) -> None:
    """In log lines and as an option; a reason without a text in the language has its English one, else its word."""
    file = tmp_path / "guide" / "rules.yaml"
    text = file.read_text("utf-8").replace(f"says: {SAID}", f"says: {{en: {SAID}, ja: 敵がいる}}")
    file.write_text(text.replace("  words: {", "  words: {dog_tired: {ja: 疲労}, "), "utf-8")
    for language, said in (("en", [SAID, "dog tired"]), ("ja", ["敵がいる", "疲労"])):
        game = Game(load_ruleset(file.parent, cache=False), 1, language=language)
        game.choose_index(0)
        game.choose_index(0)
        assert [each.text for each in game.log if each.kind == "log"][:2] == [f"judged {each}" for each in said]
        assert [each["label"] for each in view(game, "red")["decision"]["options"]][:2] == said


def test_reason_is_chosen_and_drawn(rules: Ruleset) -> None:
    """Reasons as options have labels; they can be compared, and used in the text that ends a game."""
    game = asked(rules)
    assert [each["label"] for each in view(game, "red")["decision"]["options"]] == [SAID, "dog tired", "none"]
    ended = []
    for seed in range(9):
        game = asked(rules, seed)
        game.choose_index(0)
        assert any(each.text.startswith(f"worst is {SAID}, drawn ") for each in game.log)
        ended += [game.result.reason] if game.result is not None else []
    assert set(ended) == {f"it was {SAID}"}
    assert 0 < len(ended) < 9


def test_game_with_reasons_is_saved(rules: Ruleset, tmp_path: Path) -> None:
    """A save in a step that binds a reason, or with a reason as answer, resumes as the same game."""
    for answers in ((), (0,), (0, 0), (0, 0, 1)):
        game = RecordedGame(rules, 3)
        for each in answers:
            game.choose_index(each)
        path = tmp_path / f"{len(answers)}.save"
        save_game(path, game).close()
        with Save.open(path) as save:
            assert save.resume(rules).hash() == game.hash()


def test_reason_has_stable_form(rules: Ruleset) -> None:
    """The stable form has the rule and the item; an unknown item is refused."""
    game = asked(rules)
    assert game.decision is not None
    reason = game.decision.options[1]
    assert encode(reason) == (":reason", "restrictions/entry_bars", "dog_tired")
    assert decode(encode_json(encode(reason)), game.core) is reason
    assert (short_name(reason), full_name(reason)) == ("dog_tired", "restrictions/entry_bars/dog_tired")
    with pytest.raises(UsageError, match="there is no item 'lame' in restrictions/entry_bars"):
        decode((":reason", "restrictions/entry_bars", "lame"), game.core)
    renamed = NameMap({}, {}, {}, {"entry_bars": "way_bars"}).value(encode(reason))
    assert renamed == (":reason", "restrictions/way_bars", "dog_tired")
