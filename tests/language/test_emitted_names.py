"""Names in emitted code never meet, however alike the ids of a ruleset are."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from random import Random
from unicodedata import normalize

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from interpreter import Game, load_ruleset, odds
from interpreter.language.codegen.emit import VARIANTS
from interpreter.language.diagnostics import RulesetError
from interpreter.language.model.emitted_names import (
    CATEGORIES,
    DEFINITION,
    KIND,
    KNOWN,
    NOW,
    OWN,
    ids_of,
    is_part,
    part_of,
    whole_of,
)
from interpreter.play.engine.core import Core
from interpreter.play.engine.source import source_of
from interpreter.play.inputs.chance import BulkChance
from interpreter.play.inputs.dice import Dice
from interpreter.rules.linking.link_context import IDENTIFIER
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.world.things import ROOTS, Word

ROOT = Path(__file__).resolve().parents[2]
WORDS = """
    a a_1 a_1_1 a_0 a_0_0 a_b a_b_now a_now a_own a_known a_cells b b_1 b_now now own known
    """.split()  # noqa: SIM905 - many short words
"""Ids that differ in what names were once joined with, and in the roles of names that belong to others."""
GROUPS = """
    enum_1 enum_2 kind_1 kind_2 piece carrier record seat
    attribute_1 attribute_2 computed_1 computed_2
    word_1 word_2 word_3
    space_1 space_2 space_3 member
    state_1 state_2 state_3
    constant
    table_1 table_2 table_3
    definition_1 definition_2 definition_3
    modifiers_1 modifiers_2
    restrictions_1 restrictions_2
    search_1 search_2
    procedure_1 procedure_2 procedure_3
    counter counter_2
    key_1 key_2 field_1 field_2
    item_1 item_2
    parameter local
    outcome_1 outcome_2
    menu
    action_1 action_2
    pick_1 pick_2
    step_1 step_2
    view
    invariant_1 invariant_2
    layer
    """.strip().splitlines()
"""The ids of the rules, in groups within which no id may come twice."""

CLAIMS = (
    ("{space_1}.{attribute_1} + {space_2}.{attribute_1} + {space_3}.{attribute_2}", 11 + 14 + 12),
    ("sum(all_pieces each .{attribute_1})", 13),
    ("(all_pieces each .{kind_1}.{attribute_2})", (12,)),
    ("{state_1} + {state_2}", 21 + 22),
    ("{table_1}[0, 1].{field_1} * 1000 + {table_2}[1].{field_1}", 32_042),
    ("{table_1}[1, 2].{field_1} * 1000 + {table_1}[1, 2].{field_2}", 36_006),
    ("{table_2}[2].{field_1} * 1000 + {table_3}[5]", 43_045),
    ("{definition_1}(1)", 52),
    ("{definition_2}()", 100 + 1 + 11 + 14 + 11),
    ("{definition_3}()", 54),
    ("(spaces_of_one each .{computed_1})", (55, 54, 55)),
    ("(spaces_of_one each .{computed_2})", (57, 56, 57)),
    ("{modifiers_1}() * 1000 + {modifiers_2}()", 261_060),
    ("count({restrictions_1}()) * 10 + count({restrictions_2}())", 21),
    ("any({restrictions_1}()) and any({restrictions_2}())", True),
    ("count(reach {search_1}(1) from {space_1}) * 10 + count(reach {search_2}() from {space_3})", 22),
    ("count(enum_one_words) * 10 + count(enum_two_words)", 21),
    ("enum_one_words", ("{word_1}", "{word_2}")),
    ("{constant} + 1", 16),
)

RULES = """\
ruleset: {{id: alike, title: Ids that are alike, version: "1"}}
kinds:
  {enum_1}: {{is: enum, members: [{word_1}, {word_2}], plural: enum_one_words}}
  {enum_2}: {{is: enum, members: [{word_3}], plural: enum_two_words}}
  {kind_1}:
    is: space
    plural: spaces_of_one
    has: {{{attribute_1}: "int = 11", {attribute_2}: "int = 12"}}
  {kind_2}: {{is: {kind_1}, plural: spaces_of_two}}
  {carrier}: {{is: piece, in: {kind_1}, plural: all_carriers}}
  {piece}: {{is: piece, in: [{kind_1}, {carrier}], plural: all_pieces, has: {{{attribute_1}: "int = 13"}}}}
  {record}: {{is: record, plural: records_, has: {{{field_1}: int, {field_2}: int}}}}
  {seat}: {{is: seat, plural: seats_, members: [{member}]}}
individuals:
  {kind_1}: {{{space_1}: {{}}, {space_2}: {{{attribute_1}: 14}}}}
  {kind_2}: {{{space_3}: {{}}}}
pieces:
  {piece}: [{{id: {counter}, at: {space_1}}}]
  {carrier}: [{{id: {counter_2}, at: {space_2}}}]
links:
  way: {{of: {kind_1}, between: [[{space_1}, {space_2}], [{space_2}, {space_3}]]}}
constants:
  {constant}: {{value: 15}}
state:
  {state_1}: "int = 21"
  {state_2}: "int = 22"
  {state_3}: "int = 0"
tables:
  {table_1}:
    keys: {{{key_1}: int, {key_2}: int}}
    gives: {record}
    cell: "{{{field_1}}}/{{{field_2}}}"
    grid: "{key_1} | 0 1 2\\n0 | 31/1 32/2 33/3\\n1 | 34/4 35/5 36/6"
  {table_2}:
    keys: {{{key_1}: int}}
    gives: {record}
    cell: "{{{field_1}}}/{{{field_2}}}"
    grid: "{key_1} | 0 1 2\\nrow | 41/1 42/2 43/3"
  {table_3}: {{keys: {{{key_1}: int}}, clamp: true, gives: int, grid: "{key_1} | 0..1 2..\\nrow | 44 45"}}
definitions:
  {definition_1}: {{takes: {{{parameter}: int}}, is: "{parameter} + 51"}}
  {definition_2}: {{is: "sum(spaces_of_one each count(.all_pieces) + .{attribute_1}) + 100"}}
  {definition_3}: {{is: 53, around: [{{id: {layer}, instead: {{is: proceed() + 1}}}}]}}
  {kind_1}.{computed_1}: {{is: "54 + count(.all_pieces)"}}
  {kind_2}.{computed_1}: {{is: 55}}
  {kind_1}.{computed_2}: {{is: "56 + count(.neighbours where .{attribute_1} = 14)"}}
  {claims}
modifiers:
  {modifiers_1}: {{each: [{{id: {item_1}, value: 61}}, {{id: {item_2}, value: 200}}]}}
  {modifiers_2}: {{each: [{{id: {item_1}, value: 62}}], limits: [{{id: {item_2}, most: 60}}]}}
restrictions:
  {restrictions_1}: {{each: [{{id: {item_1}, when: {state_1} > 0}}, {{id: {item_2}, when: {state_1} > 0}}]}}
  {restrictions_2}: {{each: [{{id: {item_1}, when: {state_2} > 0}}]}}
searches:
  {search_1}: {{takes: {{{parameter}: int}}, over: {kind_1}, within: {parameter}}}
  {search_2}: {{over: {kind_1}, cost: 2 if there.{attribute_1} = 14 else 3, within: 2}}
procedures:
  {procedure_1}:
    gives: int
    outcomes: {{{outcome_1}: result, {outcome_2}: result + 100}}
    do: |
      let {local} = {member} rolls 1d2 "first"
      return {local} + 70
  {procedure_2}:
    gives: int
    outcomes: {{{outcome_1}: result + 200}}
    do: |
      let {local} = {procedure_1}()
      if {local} = 71: set {state_3} += 1
      return {local}
  {procedure_3}:
    takes: {{{parameter}: int}}
    do: set {state_3} += {parameter}
    around: [{{id: {layer}, after: {{do: set {state_3} += 1000}}}}]
menus:
  {menu}: {{takes: {{{seat}: {seat}}}, prompt: What now?}}
actions:
  {action_1}:
    menu: {menu}
    pick: {{{pick_1}: "spaces_of_one where .{attribute_1} = 14", {pick_2}: "{pick_1}.neighbours"}}
    do: set {state_3} += {pick_1}.{attribute_1} + {pick_2}.{attribute_1}
  {action_2}:
    menu: {menu}
    pick: {{{pick_1}: "1..2"}}
    do: "{procedure_3}({pick_1})"
sequence:
  game:
    repeat: 2
    steps:
      {step_1}:
        when: {state_1} = 21
        each: {seat} in {{{member}}}
        do: "{seat} must take {menu}({seat})"
      {step_2}:
        do: "{procedure_2}()"
views:
  {view}: {{of: {piece}, when: {piece}.{attribute_1} = 13, seen_by: "{{{member}}}", others_see: []}}
invariants:
  {invariant_1}: {{is: {state_1} = 21}}
  {invariant_2}: {{is: {state_2} = 22}}
"""

PLAIN = {each: f"the_{each}" for group in GROUPS for each in group.split()}
FOUND_ALIKE = (
    {"table_1": "t", "table_2": "t_1"},
    {"definition_2": "yard", "kind_1": "yard", "computed_1": "now"},
    {"enum_1": "march", "search_2": "march"},
    {"kind_1": "state", "attribute_1": "amount", "state_1": "amount"},
)
"""Ids that once had equal names in emitted code."""


def load(folder: Path, ids: dict[str, str]) -> Ruleset:
    """Loads the rules with these ids, and with a definition for each claim."""
    claims = "\n  ".join([f"claim_{number}: {{is: '{text.format(**ids)}'}}" for number, (text, _) in enumerate(CLAIMS)])
    (folder / "ruleset.yaml").write_text(RULES.format(**ids, claims=claims), encoding="utf-8")
    return load_ruleset(folder)


def values(ruleset: Ruleset, variant: str) -> list[object]:
    """Returns the values of the claims in a variant of emitted code; those of a collection as a tuple."""
    core = Core(source_of(ruleset).shared(variant), variant, BulkChance(Dice(0)).names())
    return [plain_value(core.names[DEFINITION(f"claim_{number}")]()) for number in range(len(CLAIMS))]


def plain_value(value: object) -> object:
    """Returns a value without objects of the game: words by their ids."""
    if isinstance(value, tuple | list):
        return tuple([plain_value(each) for each in value])
    return value.id if isinstance(value, Word) else value


def played(ruleset: Ruleset, *, trace: bool) -> tuple[object, ...]:
    """Plays a game at random; returns the number of options at each decision, and the state values at the end."""
    game, chance, counts = Game(ruleset, seed=5, trace=trace, checked=True), Random(5), []
    while game.decision is not None:
        counts.append(len(game.decision.options))
        game.choose_index(chance.randrange(counts[-1]))
    state = game.core.world.state
    return counts, [getattr(state, each) for each in state.slots]


class PlainRules:
    """The rules with ids that have nothing in common."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset


def check_alike(ruleset: Ruleset, ids: dict[str, str], plain: PlainRules) -> None:
    """Checks that rules with these ids do what the same rules with plain ids do, in every variant."""
    expected = [
        tuple([each.format(**ids) if isinstance(each, str) else each for each in value])
        if isinstance(value, tuple)
        else value
        for _, value in CLAIMS
    ]
    for variant in VARIANTS:
        assert values(ruleset, variant) == expected, variant
    assert played(ruleset, trace=False) == played(ruleset, trace=True) == played(plain.ruleset, trace=False)
    for slot in ("procedure_1", "procedure_2"):
        assert odds(ruleset, ids[slot], {}).rows == odds(plain.ruleset, PLAIN[slot], {}).rows


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> PlainRules:
    """The rules with ids that have nothing in common, loaded once."""
    return PlainRules(load(tmp_path_factory.mktemp("plain"), PLAIN))


@pytest.mark.parametrize("alike", FOUND_ALIKE, ids=lambda each: " ".join(each.values()))
def test_ids_that_once_met_are_kept_apart(alike: dict[str, str], plain: PlainRules, tmp_path: Path) -> None:
    """Rules whose ids once made equal names in emitted code do what they say."""
    ids = PLAIN | alike
    check_alike(load(tmp_path, ids), ids, plain)


@settings(max_examples=30, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 1_000_000))
def test_rules_with_ids_that_are_alike_do_what_they_say(
    seed: int, plain: PlainRules, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever ids the checker lets pass, fast and traced play, queries and exact odds are those of plain ids."""
    ids = dict(PLAIN)
    chance = Random(seed)
    for group in chance.sample(GROUPS, chance.randint(4, 16)):
        ids.update(zip(group.split(), chance.sample(WORDS, 8), strict=False))
    try:
        ruleset = load(tmp_path_factory.mktemp("alike"), ids)
    except RulesetError:
        assume(False)
    check_alike(ruleset, ids, plain)


def test_no_name_of_the_engine_has_the_form_of_an_emitted_name(plain: PlainRules) -> None:
    """No name that the engine gives to emitted code begins with a prefix of names from rulesets, but for root kinds."""
    for variant in VARIANTS:
        core = Core(source_of(plain.ruleset).shared(variant), variant, BulkChance(Dice(0)).names())
        lines = ast.parse(core.unit.source).body
        emitted = {each.name for each in lines if isinstance(each, ast.FunctionDef)}
        emitted |= {ast.unparse(each.targets[0]) for each in lines if isinstance(each, ast.Assign)}
        engine = [each for each in core.names if each not in emitted and "the_" not in each]
        assert len(engine) > 60
        alike = {each for each in engine if each.partition("_")[0] in CATEGORIES}
        assert alike == {KIND(each) for each in ROOTS}


@settings(max_examples=300)
@given(
    prefix=st.sampled_from(sorted(CATEGORIES)),
    ids=st.lists(st.from_regex(IDENTIFIER, fullmatch=True), min_size=1, max_size=3),
    role=st.sampled_from(("", NOW, KNOWN, OWN, "0")),
)
def test_names_say_what_they_name(prefix: str, ids: list[str], role: str) -> None:
    """From a name its category, its ids and its role can be read, so that equal names name the same."""
    whole = CATEGORIES[prefix](*ids)
    name = part_of(whole, role) if role else whole
    assert name.isidentifier()
    assert normalize("NFKC", name) == name
    assert name.partition("_")[0] == prefix
    assert list(ids_of(name)) == ids
    assert whole_of(name) == whole
    assert [each for each in (NOW, KNOWN, OWN, "0") if is_part(name, each)] == [role] * bool(role)


def test_page_lists_every_prefix() -> None:
    """The page on code generation lists every prefix of emitted names with its meaning."""
    page = (ROOT / "docs" / "codegen.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)_…` \| (.*) \|$", page, re.MULTILINE)
    assert listed == [(prefix, each.meaning) for prefix, each in CATEGORIES.items()]


def test_no_other_module_makes_names() -> None:
    """Only the module of emitted names joins a prefix with an id."""
    made = re.compile(rf"""\bf["'](?:[^"'\n]*[\s.(])?(?:{"|".join(CATEGORIES)})_\{{""")
    modules = [each for each in (ROOT / "interpreter").rglob("*.py") if each.name != "emitted_names.py"]
    assert [str(each) for each in modules if made.search(each.read_text(encoding="utf-8"))] == []
