"""Names of things, words and records."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.console.board import board_text, place_text
from interpreter.language.diagnostics import RulesetError
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_ruleset, load_scenario

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


def test_created_piece_has_title(game: Game) -> None:
    """The title comes from its kind or the kind above; a part in braces appears if its value is set."""
    texts = [each.text for each in game.log]
    assert "horde 1 (attila, who leads horde 1) is raised" in texts
    assert "host 1, tired stands beside it" in texts


def test_name_precedes_title(game: Game) -> None:
    """A name precedes the title; without either the id is used."""
    words = game.source.wording
    assert words.of(game.core.find("chief", "odo")) == "Odo of Paris"
    assert words.of(game.core.find("host", "first_host")) == "first host"


def test_nested_titles_are_limited(game: Game) -> None:
    """Titles that refer to each other end at a fixed depth."""
    attila = game.source.wording.of(game.core.find("chief", "attila"))
    assert attila == "attila, who leads horde 1 (attila)"


@pytest.mark.parametrize(
    ("language", "listed"),
    [("en", ["", "red", "red and blue", "red, blue and green"]), ("ja", ["", "red", "redとblue", "red、blueとgreen"])],
)
def test_the_last_of_several_follows_the_word_for_and(folder: Path, language: str, listed: list[str]) -> None:
    words = Game(load_ruleset(folder), seed=1, language=language).source.wording
    assert [words.listed(["red", "blue", "green"][:number]) for number in range(4)] == listed


def test_record_has_title(game: Game) -> None:
    """A record has no name: it has its title, else its kind and values."""
    words, state = game.source.wording, game.core.world.state
    assert words.of(state.a_last) == "2* to pay"
    assert words.of(state.a_other) == "bare (steps 1)"
    state.a_last.a_toll.a_maybe = False
    assert words.of(state.a_last) == "2 to pay"


def test_log_shows_titles_at_time_of_event(tmp_path: Path) -> None:
    """A title shows the values of the record at the time of the event, not the last ones."""
    later = "      let owed = new due(toll: new toll(steps: 2, maybe: true))\n"
    later += "".join(f"      set owed.toll = new toll(steps: {steps}, maybe: false)\n" for steps in (3, 4))
    text = RULESET.replace("      set other =", later + "      set other =")
    (tmp_path / "ruleset.yaml").write_text(text, encoding="utf-8")
    texts = [each.text for each in Game(load_ruleset(tmp_path)).log]
    assert [each.partition(":")[0] for each in texts if "to pay: toll" in each] == ["2* to pay", "3 to pay"]


def test_counters_of_one_line_share_name(folder: Path, tmp_path: Path) -> None:
    """The shared name is followed by the number; an own name, or no number, takes precedence."""
    names = "names: {host: {guard: {en: guardsmen, ja: 近衛兵}, guard_2: The Old Guard}, chief: {"
    lines = "{id: guard, count: 3, at: plain}, {id: first_host"
    text = RULESET.replace("names: {chief: {", names).replace("{id: first_host", lines)
    (tmp_path / "ruleset.yaml").write_text(text, encoding="utf-8")
    texts = {}
    for language in ("en", "ja"):
        game = Game(load_ruleset(tmp_path), language=language)
        words = game.source.wording
        pieces = [game.core.find("host", each) for each in ("guard_1", "guard_2", "guard_3")]
        texts[language] = [(words.of(each), words.stem(each)) for each in pieces]
    assert texts["en"] == [
        ("guardsmen 1", "guardsmen"),
        ("The Old Guard", "The Old Guard"),
        ("guardsmen 3", "guardsmen"),
    ]
    assert texts["ja"][0] == ("近衛兵 1", "近衛兵")


def test_titles_have_languages(folder: Path) -> None:
    """The title has the text of the language, with its values."""
    game = Game(load_ruleset(folder), language="ja")
    raised = next(each for each in game.core.world.objects if each.id == "horde_1")
    assert game.source.wording.of(raised).endswith("の軍")


def test_prompt_of_offer_replaces_prompt_of_menu(tmp_path: Path) -> None:
    """A prompt after the menu replaces the menu's own, with its values; a fixed one too."""
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


def test_translated_question_has_values(tmp_path: Path) -> None:
    """Values are in the order of the rule, or by number; a single one can be used repeatedly."""
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


def test_choosing_nothing_is_in_words_of_the_question(tmp_path: Path) -> None:
    """Its words change once something is chosen, replace the whole line in the log, and fall back to the usual ones."""
    (tmp_path / "ruleset.yaml").write_text(
        """\
ruleset: {id: asking, title: Asking, version: "1"}
kinds: {side: {is: seat, members: [red, blue, green]}}
sequence:
  game:
    do: |
      let first = red chooses any of sides "Who comes along?"
      let second = red chooses any of sides "Who comes along?"
      let third = red chooses one or none of sides "Who leads?"
presentation:
  declines:
    game.first: {en: "nobody{more? else} comes", ja: "{more?ほかに}誰も来ない"}
    game.second: {en: "nobody{more? else} comes", ja: "{more?ほかに}誰も来ない"}
""",
        encoding="utf-8",
    )
    game, asked = Game(load_ruleset(tmp_path), trace=True), []
    for answer in ("blue", "nobody else comes", "none", "none"):
        assert game.decision is not None
        asked.append(game.decision.labels[-1])
        game.choose(answer)
    assert asked == ["nobody comes", "nobody else comes", "nobody comes", "none"]
    said = [each.text for each in game.log if each.kind == "answer"]
    assert said[-3:] == ["red: nobody else comes", "red: nobody comes", "red: third: none"]


def test_answer_whose_text_is_conditional_is_never_empty(tmp_path: Path) -> None:
    """A text for the answer that chooses nothing may say something only later: until then its usual word stands."""
    (tmp_path / "ruleset.yaml").write_text(
        """\
ruleset: {id: asking, title: Asking, version: "1"}
kinds: {side: {is: seat, members: [red, blue, green]}}
sequence: {game: {do: 'let first = red chooses any of sides "Who comes along?"'}}
presentation: {declines: {game.first: {en: "{more?nobody else}", ja: "{more?ほかにいない}"}}}
""",
        encoding="utf-8",
    )
    game = Game(load_ruleset(tmp_path), trace=True)
    assert game.decision is not None
    before = game.decision.labels[-1]
    game.choose("blue")
    assert before.strip()
    assert game.decision.labels[-1] == "nobody else"


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
    ("language", "endings"),
    [("en", ["red has 3 gold", "nothing more", "(luck)"]), ("ja", ["3金がredにある", "nothing more", "（運）"])],
)
def test_log_line_is_translated(tmp_path: Path, language: str, endings: list[str]) -> None:
    """A translated line has its values in any order; without a translation the text of the rule is used."""
    (tmp_path / "ruleset.yaml").write_text(LOGGED, encoding="utf-8")
    game = Game(load_ruleset(tmp_path), seed=1, trace=True, language=language)
    lines = [each.text for each in game.log if each.kind in {"log", "roll"}]
    assert [line.endswith(part) for line, part in zip(lines, endings, strict=True)] == [True] * 3, lines


def test_unknown_log_line_is_refused(tmp_path: Path) -> None:
    """A translated line must be a line of a rule; the nearest one is suggested."""
    (tmp_path / "ruleset.yaml").write_text(LOGGED.replace('"{} has {} gold":', '"{} has {} golds":'), encoding="utf-8")
    with pytest.raises(RulesetError) as refused:
        load_ruleset(tmp_path)
    (found,) = refused.value.diagnostics
    assert (found.code, found.place.line) == ("unknown-line", 13)
    assert found.message == "there is no line of the log '{} has {} golds' to put into words"
    assert found.hint == "did you mean '{} has {} gold'?"


def test_scenario_names_its_own_pieces(tmp_path: Path) -> None:
    """Its names have precedence over those of the ruleset and over titles; the ruleset alone keeps its own."""
    (tmp_path / "ruleset.yaml").write_text(RULESET, encoding="utf-8")
    (tmp_path / "scenarios").mkdir()
    file = tmp_path / "scenarios" / "war.yaml"
    file.write_text(
        "scenario: {id: war, title: War, ruleset: camps}\n"
        "names: {host: {huns: {en: the Huns, ja: フン族}}, chief: {odo: Count Odo}}\n"
        "pieces: {host: [{id: huns, at: plain}]}\n",
        encoding="utf-8",
    )
    texts = {}
    for language in ("en", "ja"):
        game = Game(load_scenario(file, paths=[tmp_path]), language=language)
        names = [game.source.wording.of(game.core.find(*each)) for each in (("host", "huns"), ("chief", "odo"))]
        texts[language] = names
    assert texts == {"en": ["the Huns", "Count Odo"], "ja": ["フン族", "Count Odo"]}
    assert Game(load_ruleset(tmp_path)).source.wording.of(game.core.find("chief", "odo")) == "Odo of Paris"


def test_rule_without_a_word_is_its_clause_in_other_languages() -> None:
    """English reads the name of a rule; other languages name its first clause, if it has one."""
    source = load_scenario("fin_napoleon/campaign")
    english, japanese = (Game(source, language=each).source.wording for each in ("en", "ja"))
    assert english.rule("take_back", ("1.2", "1.3")) == "take back"
    assert japanese.rule("take_back", ("1.2", "1.3")) == "1.2の処理"
    assert japanese.rule("take_back") == "ルール"


def test_board_leaves_out_the_state_that_the_narration_hides(tmp_path: Path) -> None:
    """A state value in `log_hides` is for the rules alone; another one is shown."""
    (tmp_path / "ruleset.yaml").write_text(
        "ruleset: {id: camps, title: Camps, version: 1.0.0}\n"
        "kinds: {side: {is: seat, members: [red]}}\n"
        'state: {supplies: "int = 3", scratch: "int = 4"}\n'
        "sequence:\n"
        "  game:\n"
        "    do: |\n"
        "      set supplies = 5\n"
        "      set scratch = 6\n"
        "      let which = red chooses one of {3, 4}\n"
        "presentation: {log_hides: [scratch]}\n",
        encoding="utf-8",
    )
    assert board_text(Game(load_ruleset(tmp_path))).splitlines()[-1:] == ["supplies: 5"]


def test_board_leaves_out_constants_and_nothing(tmp_path: Path) -> None:
    """What no rule changes is left out, and what is none or 0; empty places share a line, but not a changed one."""
    (tmp_path / "ruleset.yaml").write_text(
        "ruleset: {id: camps, title: Camps, version: 1.0.0}\n"
        "kinds:\n"
        "  side: {is: seat, members: [red, blue], has: {morale: 'int = 3', winner: 'bool = true'}}\n"
        "  camp: {is: space, has: {burnt: 'bool = false'}}\n"
        "  unit: {is: piece, in: camp}\n"
        "individuals: {camp: [north, south, east, west]}\n"
        "pieces: {unit: [{id: guard, at: east}]}\n"
        'state: {losses: "int = 0", dice: "int = 4", round: "int = 1", chief: "side?"}\n'
        "sequence:\n"
        "  game:\n"
        "    do: |\n"
        "      set dice = 5\n"
        "      set red.morale = 2\n"
        "      set north.burnt = true\n"
        "      let which = red chooses one of {3, 4}\n",
        encoding="utf-8",
    )
    game = Game(load_ruleset(tmp_path))
    assert board_text(game) == (
        "  north (burnt)  –\n  east           guard\n  nothing in south, west\n\n"
        "Side:\n  red   morale 2\n  blue  morale 3\n\ndice: 5\nround: 1"
    )
    assert "winner" in place_text(game, "blue")


def test_changes_from_and_to_nothing_are_said_in_words(tmp_path: Path) -> None:
    """Nobody reads 'none → red'; the new value is named, or the one that is no more."""
    (tmp_path / "ruleset.yaml").write_text(
        "ruleset: {id: camps, title: Camps, version: 1.0.0}\n"
        "kinds: {side: {is: seat, members: [red, blue]}}\n"
        'state: {chief: "side?"}\n'
        "sequence:\n  game:\n    do: |\n      set chief = red\n      set chief = blue\n      set chief = none\n",
        encoding="utf-8",
    )
    texts = [each.text for each in Game(load_ruleset(tmp_path), trace=True).log if each.kind == "set"]
    assert texts == ["chief is now red", "chief red → blue", "chief is blue no more"]


CAMP = """\
ruleset: {id: camp, title: Camp, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  field: {is: space, has: {owner: side}}
  pen: {is: space}
  army: {is: thing, plural: armies, has: {losses: int, broken: "bool = false"}}
  unit: {is: piece, in: [field, pen], has: {owner: side, tired: "bool = false", late: "bool = false"}}
individuals:
  field: {east: {owner: red}, west: {owner: red}}
  pen: {fold: {}}
  army: {first: {losses: 1}, second: {losses: 2}}
pieces: {unit: [{id: foot, count: 2, owner: red, at: east}, {id: guard, count: 1, owner: red, at: east, late: true}]}
state: {secret_sum: "int = 7", day: "int = 2"}
sequence:
  game:
    do: |
      for each army in armies: log "{army} has {army.losses} losses"
      for each unit in units where .late:
        set unit.tired = true
        set unit.tired = false
        move unit to west
presentation:
  names: {unit: {foot: {en: foot unit, ja: 歩兵}, guard: guard unit}}
  plurals: {unit: {foot: {en: foot units}, guard: guard units}}
  log: {"{} has {} losses": {en: "{1} has {2} {2:loss|losses}"}}
  labels: {field: "{name}: {units:unit|units} {units}"}
  board:
    without: [unit.owner, unit.late, secret_sum]
    without_empty: [pen]
    labels: {army: "{name}: {losses} {losses:loss|losses}{broken?, {losses:once|often}}", field: "field {id}"}
"""


def test_numbers_choose_between_one_and_many(tmp_path: Path) -> None:
    """A log line, a label and counters of one line are in the singular or the plural by their number."""
    (tmp_path / "ruleset.yaml").write_text(CAMP, encoding="utf-8")
    game = Game(load_ruleset(tmp_path), trace=True)
    texts = [each.text for each in game.log]
    assert [each for each in texts if "loss" in each] == ["first has 1 loss", "second has 2 losses"]
    assert [each for each in texts if "tired" in each] == ["guard unit 1: now tired", "guard unit 1: tired no more"]
    assert place_text(game, "east").splitlines()[0] == "east: units foot unit 1, foot unit 2"
    assert place_text(game, "west").splitlines()[0] == "west: unit guard unit 1"


def test_board_has_templates_of_its_own(tmp_path: Path) -> None:
    """The board has templates of its own; left-out attributes, state values and empty places are not in it."""
    (tmp_path / "ruleset.yaml").write_text(CAMP, encoding="utf-8")
    lines = board_text(Game(load_ruleset(tmp_path))).splitlines()
    assert lines == [
        "  field east  2 foot units",
        "  field west  guard unit",
        "",
        "Army:",
        "  first: 1 loss",
        "  second: 2 losses",
        "",
        "day: 2",
    ]
    japanese = board_text(Game(load_ruleset(tmp_path), language="ja"))
    assert "歩兵×2" in japanese


def test_board_cannot_leave_out_what_is_not_there(tmp_path: Path) -> None:
    """Unknown kinds and values of `board`, and plurals of unknown things, are reported."""
    text = (
        CAMP.replace("secret_sum]", "sum]")
        .replace("[pen]", "[pan]")
        .replace("plurals: {unit: {foot", "plurals: {unit: {fool")
    )
    (tmp_path / "ruleset.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(RulesetError) as error:
        load_ruleset(tmp_path)
    messages = [each.message for each in error.value.diagnostics]
    assert messages == ["there is no unit 'fool'", "there is no kind 'sum'", "there is no kind 'pan'"]


def test_title_may_name_the_place_of_that_time(tmp_path: Path) -> None:
    """`{at}` in a title is the place of the piece: in the log as it was at each event, also before it was removed."""
    text = CAMP.replace("presentation:\n", 'presentation:\n  titles: {unit: "foot{at? in {at}}"}\n')
    text = text.replace("move unit to west", 'move unit to west\n        log "{unit} is here"\n        remove unit')
    text = text.replace("  names: {unit: {foot: {en: foot unit, ja: 歩兵}, guard: guard unit}}\n", "")
    text = text.replace("  plurals: {unit: {foot: {en: foot units}, guard: guard units}}\n", "")
    (tmp_path / "ruleset.yaml").write_text(text, encoding="utf-8")
    game = Game(load_ruleset(tmp_path), trace=True)
    assert [each.text for each in game.log if each.kind in ("move", "log", "set")][-3:] == [
        "foot in east moves from east to west",
        "foot in west is here",
        "foot in west is removed from west",
    ]
    wrong = text.replace("foot{at?", "foot{place?")
    (tmp_path / "ruleset.yaml").write_text(wrong, encoding="utf-8")
    with pytest.raises(RulesetError, match="a unit stores no 'place'"):
        load_ruleset(tmp_path)


PICKS = """\
ruleset: {id: picks, title: Picks, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  field: {is: space}
  unit: {is: piece, in: field}
individuals: {field: [plain, hill]}
pieces: {unit: [{id: first, at: plain}, {id: second, at: plain}]}
menus: {orders: {takes: {side: side}, prompt: Orders?}}
actions:
  march: {menu: orders, pick: {unit: units, there: fields, other_man: units}, do: move unit to there}
sequence: {game: {do: red must take orders(red)}}
presentation:
  words: {unit: {en: unit, ja: 部隊}, there: {en: goal, ja: 目的地}}
"""


@pytest.mark.parametrize(
    ("language", "questions"),
    [
        ("en", ["Unit?", "Goal?", "Other man: which unit?"]),
        ("ja", ["部隊は？", "目的地は？", "どの部隊？（Other man）"]),
    ],
)
def test_pick_without_a_question_is_asked_in_words(tmp_path: Path, language: str, questions: list[str]) -> None:
    """A pick without a text is asked by the word for its name, else for the kind of its options."""
    (tmp_path / "ruleset.yaml").write_text(PICKS, encoding="utf-8")
    game = Game(load_ruleset(tmp_path), language=language)
    asked = []
    while game.decision is not None:
        asked.append(game.decision.prompt)
        game.choose_index(0)
    assert [each for each in asked if each != "Orders?"] == questions
