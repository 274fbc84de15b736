"""Loading checks everything, and compiles each variant once."""

from __future__ import annotations

import gc
from dataclasses import replace
from pathlib import Path

import pytest
import tiny
from no_compiling import no_compiling
from touched_paths import touched_paths

from interpreter.language.codegen.emit import VARIANTS, emit_unit
from interpreter.language.diagnostics import Place, RulesetError, UsageError
from interpreter.language.model.image import Unit
from interpreter.language.model.program import Program
from interpreter.rules.loading.check_overlay import check_overlay
from interpreter.rules.loading.load import check_ruleset, check_scenario, load_ruleset, load_scenario

ROOT = Path(__file__).resolve().parents[2]
BASE = ROOT / "tests" / "goldens" / "base"

pytestmark = pytest.mark.usefixtures("store")


# ---------------------------------------------------------------- rulesets
def test_ruleset_has_what_play_and_tools_need(house: Path) -> None:
    """A ruleset has its head, image, clauses by id in every language, and presentation."""
    found = load_ruleset("tiny", paths=[house])
    assert (found.name, found.version, found.title) == ("tiny", "1.2", "Tiny")
    assert found.image.name == "tiny"
    assert list(found.clauses) == ["1.10", "2"]
    clause = found.clauses["1.10"]
    assert (clause.kind, clause.says, clause.see) == ("rule", "A die each turn.", ("2",))
    assert clause.texts["ja"] == "毎手番一つ振る。"
    assert found.presentation == {"words": {"turn": "Turn"}, "terms": {}, "victory": {}, "values": {}, "invariants": {}}
    assert [each.name for each in found.documents.documents] == ["ruleset.yaml", "rules.yaml"]
    assert list(found.program.procedures) == ["take_turn"]


def test_hash_depends_on_options(house: Path) -> None:
    """The options are part of the ruleset's hash; the folder isn't."""
    plain = load_ruleset("tiny", paths=[house])
    assert load_ruleset("tiny", options={"long": False}, paths=[house]).hash == plain.hash
    assert load_ruleset("tiny", options={"long": True}, paths=[house]).hash != plain.hash
    assert load_ruleset(tiny.write(house / "elsewhere")).hash == plain.hash
    with pytest.raises(UsageError, match="lomg"):
        load_ruleset("tiny", options={"lomg": True}, paths=[house])


def test_each_variant_is_compiled_once(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another variant is compiled on first use and then cached; an unknown one is rejected."""
    made = load_ruleset("tiny", paths=[house]).unit("traced")
    assert made.variant == "traced"
    monkeypatch.setattr("interpreter.language.codegen.emit.emit_unit", lambda *_: pytest.fail("compiled again"))
    assert load_ruleset("tiny", paths=[house]).unit("traced") == made
    assert isinstance(load_ruleset("tiny", paths=[house]).unit("fast"), Unit)
    with pytest.raises(ValueError, match="'slow'"):
        load_ruleset("tiny", paths=[house]).unit("slow")


def test_program_is_cached(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program of a ruleset is cached on first use, for other settings too; the generated code is the same."""
    load_ruleset("tiny", paths=[house])
    made = load_ruleset("tiny", paths=[house])
    sources = [emit_unit(made.program, each).source for each in VARIANTS]
    monkeypatch.setattr("interpreter.rules.loading.compile.checked_program", lambda *_: pytest.fail("read again"))
    kept = load_ruleset("tiny", paths=[house])
    assert [emit_unit(kept.program, each).source for each in VARIANTS] == sources
    assert kept.program.procedures["take_turn"].place == made.program.procedures["take_turn"].place
    for _ in range(2):
        assert load_ruleset("tiny", options={"long": True}, paths=[house]).program.options["long"].value is True


def test_programs_are_not_held_on_to() -> None:
    """Of many rulesets that are compiled in one process, only the programs of the last few stay in memory."""
    gc.freeze()  # what existed before is not searched
    try:
        for _ in range(16):
            load_ruleset(BASE, cache=False)
        gc.collect()
        held = sum(isinstance(each, Program) for each in gc.get_objects())
    finally:
        gc.unfreeze()
    assert 0 < held <= 10


@pytest.mark.parametrize("settings", [{"fog": True}, {"rounds": 9}, {"weather": "wet", "fog": False}])
def test_settings_are_compiled_from_the_cached_program(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, object]
) -> None:
    """Once a ruleset is cached, other settings are compiled without its documents, to the same code and hash.

    Each variant of the code is written when it is first used: odds under other options need none of the code of games.
    """
    load_ruleset(BASE)
    expected = load_ruleset(BASE, options=settings, cache=False)
    no_compiling(monkeypatch)
    found = load_ruleset(BASE, options=settings)
    bare = replace(expected.image, units=())
    assert (found.hash, found.image, found.options) == (expected.hash, bare, settings)
    assert [_text(found.unit(each)) for each in VARIANTS] == [_text(expected.unit(each)) for each in VARIANTS]
    again = load_ruleset(BASE, options=settings)
    assert (again.image, again.unit("fast")) == (bare, found.unit("fast"))
    with pytest.raises(UsageError, match="fgo"):
        load_ruleset(BASE, options={"fgo": True})


def _text(unit: Unit) -> tuple[str, str, tuple[Place | None, ...]]:
    return unit.variant, unit.source, unit.lines


def test_settings_that_switch_patches_are_compiled_from_documents(tmp_path: Path) -> None:
    """If an overlay has a patch under a condition, other settings do not use the program of the default ones."""
    mud = tmp_path / "mud.yaml"
    mud.write_text(
        "overlay: {id: mud, for: guide}\noptions: {mud: {default: false}}\n"
        "patches: [{at: tables/losses/6, set: 5, when: mud}]\n",
        encoding="utf-8",
    )
    load_ruleset(BASE, [mud])
    expected = load_ruleset(BASE, [mud], {"mud": True}, cache=False)
    found = load_ruleset(BASE, [mud], {"mud": True})
    assert (found.hash, found.entries, found.image) == (expected.hash, expected.entries, expected.image)
    assert found.entries != load_ruleset(BASE, [mud]).entries


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("title: {en", "titel: {en", "unknown-key"),
        ('">=0.1 <1"', '">=9"', "engine-version"),
        ('">=0.1 <1"', "soon", "wrong-shape"),
        ('"int = 0"', '"itn = 0"', "unknown-type"),
        ("- {id: 2,", "- {id: 1.10,", "duplicate"),
    ],
)
def test_loading_raises_faults_with_source_lines(tmp_path: Path, old: str, new: str, code: str) -> None:
    """A ruleset with errors doesn't load; each diagnostic has its place and source line."""
    folder = tiny.write(tmp_path / "tiny", ruleset=tiny.FILES["ruleset.yaml"].replace(old, new))
    with pytest.raises(RulesetError) as caught:
        load_ruleset(folder)
    assert code in [each.code for each in caught.value.diagnostics] or code == "unknown-type"
    assert all(each.place.line and each.excerpt for each in caught.value.diagnostics)
    assert [each.code for each in check_ruleset(folder)] == [each.code for each in caught.value.diagnostics]


def test_sound_ruleset_has_no_diagnostics(house: Path) -> None:
    """Checking a sound ruleset and a sound scenario finds nothing."""
    assert check_ruleset(house / "rulesets" / "tiny") == []
    assert check_scenario(house / "scenarios" / "tiny" / "short.yaml") == []


@pytest.mark.parametrize(
    ("text", "code"), [("ruleset: [\n", "yaml"), ("- a\n", "wrong-shape"), ("state: {}\n", "missing-key")]
)
def test_broken_head_is_a_diagnostic(tmp_path: Path, text: str, code: str) -> None:
    """A `ruleset.yaml` that can't be parsed is reported like any other fault."""
    folder = tiny.write(tmp_path / "tiny", ruleset=text)
    assert [each.code for each in check_ruleset(folder)] == [code]
    with pytest.raises(RulesetError, match=r"ruleset\.yaml"):
        load_ruleset(folder)


def test_shape_faults_do_not_hide_rule_faults(tmp_path: Path) -> None:
    """A misspelt key doesn't hide a misspelt name in rule text."""
    rules = tiny.FILES["rules.yaml"].replace("    cite:", "    ciet:").replace("set score", "set scroe")
    found = check_ruleset(tiny.write(tmp_path / "tiny", rules=rules))
    assert (found[0].code, found[0].place.line) == ("unknown-key", 3)
    assert 7 in [each.place.line for each in found]


# ---------------------------------------------------------------- scenarios
def test_scenario_has_options_and_setup(house: Path) -> None:
    """A scenario sets options and a set-up; options given by the caller override its own."""
    found = load_scenario("tiny/short", paths=[house])
    assert (found.name, found.title, found.ruleset.name) == ("tiny/short", "A short game", "tiny")
    assert found.setup.state == (("score", 2),)
    assert found.seats == {"red": "The Reds"}
    assert dict(found.ruleset.image.options) == {"long": True}
    assert dict(load_scenario("tiny/short", {"long": False}, [house]).ruleset.image.options) == {"long": False}


def test_scenario_file_finds_its_ruleset(house: Path) -> None:
    """A scenario given as a file needs no path to its ruleset."""
    assert load_scenario(house / "scenarios" / "tiny" / "short.yaml").ruleset.folder == house / "rulesets" / "tiny"


def test_ids_in_documents_are_no_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ruleset of a scenario or overlay, and a required overlay, are no folder or file of that name."""
    tiny.write(tmp_path / "here" / "tiny", ruleset=tiny.FILES["ruleset.yaml"].replace("id: tiny", "id: other"))
    (tmp_path / "here" / "base").write_text("overlay: {id: base, for: tiny}\n")
    monkeypatch.chdir(tmp_path / "here")
    scenario, overlay = tmp_path / "elsewhere" / "short.yaml", tmp_path / "elsewhere" / "more.yaml"
    scenario.parent.mkdir()
    scenario.write_text(tiny.SCENARIO)
    overlay.write_text("overlay: {id: more, for: tiny, requires: base}\n")
    with touched_paths() as touched:
        assert [each.code for each in check_scenario(scenario)] == ["unknown-ruleset"]
        assert [each.code for each in check_overlay(overlay).found] == ["unknown-ruleset"]
        overlay.write_text("overlay: {id: more, for: other, requires: base}\n")
        assert "overlay-missing" in [each.code for each in check_overlay(overlay).found]
    assert not any(Path(each).name == "base" for each in touched.opened)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("seats:", "seasts:", "unknown-key"),
        ('">=1 <2"', '">=2"', "ruleset-version"),
        ("score: 2", "scroe: 2", "unknown-state-value"),
    ],
)
def test_loading_raises_faults_of_a_scenario(house: Path, old: str, new: str, code: str) -> None:
    """A scenario with errors doesn't load, and each error has its place."""
    path = house / "scenarios" / "tiny" / "short.yaml"
    path.write_text(tiny.SCENARIO.replace(old, new))
    with pytest.raises(RulesetError) as caught:
        load_scenario(path)
    assert [each.code for each in caught.value.diagnostics] == [code]
    assert [each.code for each in check_scenario(path)] == [code]
