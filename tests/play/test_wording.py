"""What things, words and records are called."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.language.diagnostics import RulesetError
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_ruleset

RULESET = """\
ruleset: {id: camps, title: Camps, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  field: {is: space}
  chief: {is: thing, has: {rank: "int = 1", host: "host?"}}
  host: {is: piece, in: field, has: {chief: "chief?", tired: "bool = false"}}
  horde: {is: host}
  toll: {is: record, has: {steps: int, maybe: bool}}
  due: {is: record, has: {toll: toll}}
  bare: {is: record, has: {steps: int}}
individuals: {field: [plain], chief: [attila, odo]}
pieces: {host: [{id: first_host, at: plain}]}
state: {last: "due?", other: "bare?"}
sequence:
  game:
    do: |
      let fresh = new horde(chief: attila, at: plain)
      set attila.host = fresh
      log "{fresh} is raised"
      let nobodys = new host(tired: true, at: plain)
      log "{nobodys} stands beside it"
      set last = new due(toll: new toll(steps: 2, maybe: true))
      set other = new bare(steps: 1)
presentation:
  names: {chief: {odo: Odo of Paris}}
  titles:
    host: {en: "{name}{chief? ({chief})}{tired?, tired}", ja: "{chief}の軍"}
    chief: "{name}, who leads {host}"
    toll: "{steps}{maybe?*}"
    due: "{toll} to pay"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ruleset with titles."""
    folder = tmp_path_factory.mktemp("camps")
    (folder / "ruleset.yaml").write_text(RULESET, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def game(folder: Path) -> Game:
    """Played to its end."""
    return Game(load_ruleset(folder))


def test_what_is_made_in_play_is_called_by_its_title(game: Game) -> None:
    """By that of its kind or the one above it; a part in braces stands where the value is set."""
    told = [each.text for each in game.log]
    assert "horde 1 (attila, who leads horde 1) is raised" in told
    assert "host 1, tired stands beside it" in told


def test_a_title_is_for_what_has_no_name(game: Game) -> None:
    """A name goes before the title; without either it is the id that is read."""
    words = game.setting.wording
    assert words.of(game.core.find("chief", "odo")) == "Odo of Paris"
    assert words.of(game.core.find("host", "first_host")) == "first host"


def test_titles_within_titles_come_to_an_end(game: Game) -> None:
    """A chief that is called by his host, which is called by its chief, is named in the end."""
    attila = game.setting.wording.of(game.core.find("chief", "attila"))
    assert attila == "attila, who leads horde 1 (attila)"


def test_records_are_told_by_their_titles(game: Game) -> None:
    """A record has no name: it reads as its title says, else by its kind and values."""
    words, state = game.setting.wording, game.core.world.state
    assert words.of(state.a_last) == "2* to pay"
    assert words.of(state.a_other) == "bare (steps 1)"
    state.a_last.a_toll.a_maybe = False
    assert words.of(state.a_last) == "2 to pay"


def test_the_log_tells_records_as_they_were_called_then(tmp_path: Path) -> None:
    """A title shows what the record held when it happened, not what it holds in the end."""
    later = "      let owed = new due(toll: new toll(steps: 2, maybe: true))\n"
    later += "".join(f"      set owed.toll = new toll(steps: {steps}, maybe: false)\n" for steps in (3, 4))
    text = RULESET.replace("      set other =", later + "      set other =")
    (tmp_path / "ruleset.yaml").write_text(text, encoding="utf-8")
    told = [each.text for each in Game(load_ruleset(tmp_path)).log]
    assert [each.partition(":")[0] for each in told if "to pay: toll" in each] == ["2* to pay", "3 to pay"]


def test_counters_of_one_line_have_a_name_together(folder: Path, tmp_path: Path) -> None:
    """It stands for all of them, with their numbers; one that has a name of its own, or no number, is told by that."""
    names = "names: {host: {guard: {en: guardsmen, ja: 近衛兵}, guard_2: The Old Guard}, chief: {"
    lines = "{id: guard, count: 3, at: plain}, {id: first_host"
    text = RULESET.replace("names: {chief: {", names).replace("{id: first_host", lines)
    (tmp_path / "ruleset.yaml").write_text(text, encoding="utf-8")
    told = {}
    for language in ("en", "ja"):
        game = Game(load_ruleset(tmp_path), language=language)
        words = game.setting.wording
        pieces = [game.core.find("host", each) for each in ("guard_1", "guard_2", "guard_3")]
        told[language] = [(words.of(each), words.stem(each)) for each in pieces]
    assert told["en"] == [
        ("guardsmen 1", "guardsmen"),
        ("The Old Guard", "The Old Guard"),
        ("guardsmen 3", "guardsmen"),
    ]
    assert told["ja"][0] == ("近衛兵 1", "近衛兵")


def test_titles_have_languages(folder: Path) -> None:
    """The text of the language, with the values in it."""
    game = Game(load_ruleset(folder), language="ja")
    raised = next(each for each in game.core.world.objects if each.id == "horde_1")
    assert game.setting.wording.of(raised).endswith("の軍")


def test_a_menu_asks_in_the_words_of_who_offers_it(tmp_path: Path) -> None:
    """A prompt after the menu stands in place of the menu's own, with the values of the moment; a fixed one too."""
    (tmp_path / "ruleset.yaml").write_text(
        """\
ruleset: {id: asking, title: Asking, version: "1"}
kinds: {side: {is: seat, members: [red], has: {gold: "int = 3"}}}
menus: {orders: {takes: {side: side}, prompt: What next?}}
actions:
  pay: {menu: orders, do: set side.gold -= 1}
  keep: {menu: orders, do: set side.gold += 1}
sequence:
  game:
    do: |
      red must take orders(red) "What does {red} do with {red.gold}?"
      red may take orders(red) "And then?"
      red may take orders(red) up to 2 times "Once more, {red}?"
      red must take orders(red)
""",
        encoding="utf-8",
    )
    game, asked = Game(load_ruleset(tmp_path)), []
    while game.decision is not None:
        asked.append(game.decision.prompt)
        game.choose("pay")
    assert asked == ["What does red do with 3?", "And then?", "Once more, red?", "Once more, red?", "What next?"]


def test_a_question_in_another_language_has_its_values(tmp_path: Path) -> None:
    """In the order in which the rule names them, or by their number; a single one wherever it is wanted."""
    (tmp_path / "ruleset.yaml").write_text(
        """\
ruleset: {id: asking, title: Asking, version: "1"}
kinds: {side: {is: seat, members: [red], has: {gold: "int = 3"}}}
sequence:
  game:
    do: |
      let first = red chooses from 1 to 2 "How much of {red.gold} does {red} pay?"
      let second = red chooses from 1 to 2 "How much of {red.gold} does {red} pay?"
      let third = red chooses from 1 to 2 "How much of {red.gold}?"
      set red.gold -= first + second + third
presentation:
  prompts:
    game.first: {ja: "{gold}金のうち{side}は"}
    game.second: {ja: "{2}は{1}金のうち"}
    game.third: {ja: "{gold}、{gold}"}
""",
        encoding="utf-8",
    )
    game, asked = Game(load_ruleset(tmp_path), language="ja"), []
    while game.decision is not None:
        asked.append(game.decision.prompt)
        game.choose(1)
    assert asked == ["3金のうちredは", "redは3金のうち", "3、3"]


LOGGED = """\
ruleset: {id: telling, title: Telling, version: "1"}
kinds: {side: {is: seat, members: [red], has: {gold: "int = 3"}}}
sequence:
  game:
    do: |
      log "{red} has {red.gold} gold"
      log "nothing more"
      let score = red rolls 1d6 "luck"
      set red.gold += score
presentation:
  words: {luck: {ja: 運}}
  log:
    "{} has {} gold": {ja: "{2}金が{1}にある"}
"""


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", ["red has 3 gold", "nothing more", "(luck)"]), ("ja", ["3金がredにある", "nothing more", "（運）"])],
)
def test_a_line_of_the_log_in_another_language(tmp_path: Path, language: str, told: list[str]) -> None:
    """By the text of the rule with its values in any order; without one as the rule says it; a roll by its label."""
    (tmp_path / "ruleset.yaml").write_text(LOGGED, encoding="utf-8")
    game = Game(load_ruleset(tmp_path), seed=1, trace=True, language=language)
    lines = [each.text for each in game.log if each.kind in {"log", "roll"}]
    assert [line.endswith(part) for line, part in zip(lines, told, strict=True)] == [True] * 3, lines


def test_a_line_that_no_rule_writes_is_refused(tmp_path: Path) -> None:
    """What is put into words must be a line of a rule; the nearest one is offered."""
    (tmp_path / "ruleset.yaml").write_text(LOGGED.replace('"{} has {} gold":', '"{} has {} golds":'), encoding="utf-8")
    with pytest.raises(RulesetError) as refused:
        load_ruleset(tmp_path)
    (found,) = refused.value.diagnostics
    assert (found.code, found.place.line) == ("unknown-line", 13)
    assert found.message == "there is no line of the log '{} has {} golds' to put into words"
    assert found.hint == "did you mean '{} has {} gold'?"
