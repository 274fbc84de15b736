"""Loading checks everything, caches sound rulesets, and verifies what it reads from the cache."""

from __future__ import annotations

import gc
import marshal
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import tiny
from processes import DEADLINE
from touched_paths import touched_paths

from interpreter.language.codegen.emit import VARIANTS, emit_unit
from interpreter.language.diagnostics import RulesetError, UsageError
from interpreter.language.model.image import Unit
from interpreter.language.model.program import Program
from interpreter.rules.loading import cache as cache_module
from interpreter.rules.loading.cache import Cache, cache_key, open_cache
from interpreter.rules.loading.check_overlay import check_overlay
from interpreter.rules.loading.load import check_ruleset, check_scenario, load_ruleset, load_scenario

ROOT = Path(__file__).resolve().parents[2]
BASE = ROOT / "tests" / "goldens" / "base"


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Gives each test its own cache."""
    monkeypatch.delenv("BICORNE_PATH", raising=False)
    monkeypatch.setenv("BICORNE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def house(tmp_path: Path) -> Path:
    return tiny.write_house(tmp_path / "house")


def no_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes any compilation fail."""

    def refuse(*_: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr("interpreter.rules.loading.compile.compile_ruleset", refuse)
    monkeypatch.setattr("interpreter.rules.loading.compile_scenario.compile_scenario", refuse)


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
    assert found.presentation == {"words": {"turn": "Turn"}, "terms": {}, "victory": {}, "values": {}}
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
    """The program of a cached ruleset is read on first use and then cached; the generated code is the same."""
    load_ruleset("tiny", paths=[house])
    made = load_ruleset("tiny", paths=[house])
    sources = [emit_unit(made.program, each).source for each in VARIANTS]
    monkeypatch.setattr("interpreter.rules.loading.compile.checked_program", lambda *_: pytest.fail("read again"))
    kept = load_ruleset("tiny", paths=[house])
    assert [emit_unit(kept.program, each).source for each in VARIANTS] == sources
    assert kept.program.procedures["take_turn"].place == made.program.procedures["take_turn"].place
    load_ruleset("tiny", options={"long": True}, paths=[house])
    with pytest.raises(pytest.fail.Exception, match="read again"):
        _ = load_ruleset("tiny", options={"long": True}, paths=[house]).program


def test_programs_are_not_held_on_to() -> None:
    """Of many rulesets that are compiled in one process, only the programs of the last few stay in memory."""

    def held() -> int:
        gc.collect()
        return sum(isinstance(each, Program) for each in gc.get_objects())

    before = held()
    for _ in range(16):
        load_ruleset(BASE, cache=False)
    assert held() - before <= 10


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
    assert [found.unit(each) for each in VARIANTS] == [expected.unit(each) for each in VARIANTS]
    again = load_ruleset(BASE, options=settings)
    assert (again.image, again.unit("fast")) == (bare, expected.unit("fast"))
    with pytest.raises(UsageError, match="fgo"):
        load_ruleset(BASE, options={"fgo": True})


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


# ---------------------------------------------------------------- cache
def test_unchanged_ruleset_comes_from_the_cache(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unchanged ruleset and scenario are read from the cache, equal to the compiled ones."""
    first = load_scenario("tiny/short", paths=[house])
    no_compiling(monkeypatch)
    again = load_scenario("tiny/short", paths=[house])
    assert again.ruleset.image == first.ruleset.image
    assert (again.setup, again.ruleset.clauses, again.ruleset.hash) == (
        first.setup,
        first.ruleset.clauses,
        first.ruleset.hash,
    )
    with pytest.raises(AssertionError, match="compiled again"):
        load_ruleset("tiny", paths=[house], cache=False)


def test_cached_ruleset_imports_no_parsers(house: Path) -> None:
    """Opening a cached ruleset imports neither the rule parser nor YAML nor the schema validator."""
    load_scenario("tiny/short", paths=[house])
    code = (
        "import sys; from interpreter.rules.loading.load import load_scenario;"
        " load_scenario('tiny/short', paths=[sys.argv[1]]);"
        "assert not {'lark', 'yaml', 'jsonschema', 'interpreter.language.parsing.parse'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code, str(house)], check=True, cwd=ROOT, timeout=DEADLINE)


@pytest.mark.parametrize("name", ["ruleset.yaml", "rules.yaml"])
def test_changed_file_invalidates_the_cache(house: Path, name: str) -> None:
    """A changed byte in any file invalidates the cache, even if size and time are the same."""
    path = house / "rulesets" / "tiny" / name
    first = load_ruleset("tiny", paths=[house])
    times = path.stat()
    path.write_text(path.read_text("utf-8").replace("Turn", "Move").replace("Tiny", "Tine"), encoding="utf-8")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert load_ruleset("tiny", paths=[house]).hash != first.hash


def test_deleted_file_invalidates_the_cache(house: Path) -> None:
    """A cached ruleset isn't used if one of its files is missing."""
    load_ruleset("tiny", paths=[house])
    (house / "rulesets" / "tiny" / "rules.yaml").unlink()
    with pytest.raises(RulesetError, match="include-missing"):
        load_ruleset("tiny", paths=[house])


def entries(store: Path) -> list[Path]:
    """Returns the entries of the cache: those of a ruleset and of its code, if nothing else is loaded."""
    found = sorted(store.iterdir())
    assert len(found) >= 2
    return found


@pytest.mark.parametrize("damage", [b"", b"x", b"x" * 500])
def test_damaged_entry_is_rewritten(house: Path, store: Path, damage: bytes) -> None:
    """A damaged entry isn't used: the ruleset is compiled and written again."""
    first = load_ruleset("tiny", paths=[house])
    for entry in entries(store):
        sound = entry.read_bytes()
        entry.write_bytes(damage)
        assert load_ruleset("tiny", paths=[house]).image == first.image
        assert entry.read_bytes() == sound


@pytest.mark.parametrize("text", [b"", b"{}", b"null", marshal.dumps({"image": b""}), pickle.dumps({})])
def test_forged_entry_is_made_anew(text: bytes, house: Path, store: Path) -> None:
    """An entry with a right digest and no ruleset, scenario or unit in it is made anew."""
    first = load_scenario("tiny/short", paths=[house])
    unit = first.ruleset.unit("traced")
    forged = [each for each in entries(store) if each.read_bytes()[32:].startswith(b"{")]
    assert len(forged) == 3
    for entry in forged:
        sound = entry.read_bytes()
        Cache(store).write(entry.name, text)
        found = load_scenario("tiny/short", paths=[house])
        assert found.ruleset.image == first.ruleset.image
        assert found.ruleset.unit("traced") == unit
        assert found.setup == first.setup
        assert entry.read_bytes() == sound


def test_digest_detects_every_flipped_bit(store: Path) -> None:
    """With any bit of an entry flipped, or bytes missing or added, it is taken for a missing one."""
    cache = Cache(store)
    store.mkdir()
    cache.write("k", b"payload")
    sound = (store / "k").read_bytes()
    bits = [(at, 1 << bit) for at in range(len(sound)) for bit in range(8)]
    flipped = [sound[:at] + bytes([sound[at] ^ bit]) + sound[at + 1 :] for at, bit in bits]
    for content in (*flipped, *[sound[:size] for size in range(len(sound))], sound + b"\0"):
        (store / "k").write_bytes(content)
        assert cache.read("k") is None
    (store / "k").write_bytes(sound)
    assert cache.read("k") == b"payload"


def test_no_entry_is_taken_for_another(store: Path) -> None:
    """An entry under another key is taken for a missing one."""
    cache = Cache(store)
    store.mkdir()
    cache.write("k", b"payload")
    (store / "k").rename(store / "l")
    assert cache.read("l") is None


@pytest.mark.parametrize("text", [b"", b"{}", pickle.dumps({"x": 1}), b"cos\nsystem\n(S'touch pickled'\ntR."])
def test_forged_program_is_made_anew(text: bytes, house: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry with a right digest and no program in it, such as a pickle, runs nothing: the program is made anew."""
    monkeypatch.chdir(house)
    load_ruleset("tiny", paths=[house])
    known = set(store.iterdir())
    made = load_ruleset("tiny", paths=[house]).program
    (entry,) = set(store.iterdir()) - known
    sound = entry.read_bytes()
    Cache(store).write(entry.name, text)
    found = load_ruleset("tiny", paths=[house]).program
    assert emit_unit(found, "fast") == emit_unit(made, "fast")
    assert entry.read_bytes() == sound
    assert not (house / "pickled").exists()


def test_code_of_another_source_is_not_used(house: Path, store: Path) -> None:
    """Compiled code is found by its source alone: under the key of another source it is made anew."""
    unit = load_ruleset("tiny", paths=[house]).unit("fast")
    cache = Cache(store)
    (entry,) = [each for each in entries(store) if cache.read(each.name) == unit.code]
    assert entry.name == cache_key("code", unit.source)
    other = cache_key("code", "x = 1")
    entry.rename(store / other)
    assert cache.read(other) is None
    assert load_ruleset("tiny", paths=[house]).unit("fast") == unit
    assert cache.read(entry.name) == unit.code


def test_cache_is_private(house: Path, store: Path) -> None:
    """The folder and every entry are accessible to their user only, and no temporary file remains."""
    load_ruleset("tiny", paths=[house])
    assert store.stat().st_mode & 0o777 == 0o700
    assert [each.stat().st_mode & 0o777 for each in entries(store)] == [0o600, 0o600]


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_folder_writable_by_others_is_not_used(house: Path, store: Path, mode: int) -> None:
    """A folder that others can write to is neither read nor written, with a warning."""
    store.mkdir()
    store.chmod(mode)
    with pytest.warns(UserWarning, match="can write to it"):
        load_ruleset("tiny", paths=[house])
    assert list(store.iterdir()) == []


def _writable_by_group(entry: Path) -> None:
    entry.chmod(0o660)


def _writable_by_all(entry: Path) -> None:
    entry.chmod(0o606)


def _symbolic_link(entry: Path) -> None:
    entry.symlink_to(entry.rename(entry.parent.parent / f"planted_{entry.name}"))


def _hard_link(entry: Path) -> None:
    (entry.parent.parent / f"planted_{entry.name}").hardlink_to(entry)


def _named_pipe(entry: Path) -> None:
    entry.unlink()
    os.mkfifo(entry)


@pytest.mark.parametrize("plant", [_writable_by_group, _writable_by_all, _symbolic_link, _hard_link, _named_pipe])
def test_entry_that_others_may_have_made_is_not_used(
    plant: Callable[[Path], None], house: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry that others own, could write to or have linked is not read, with a warning, and is made anew."""
    first = load_ruleset("tiny", paths=[house])
    for entry in entries(store):
        plant(entry)
        with pytest.warns(UserWarning, match=r"is not used|can't be read"):
            assert load_ruleset("tiny", paths=[house]).image == first.image
        assert entry.is_file()
        assert not entry.is_symlink()
        assert entry.stat().st_mode & 0o777 == 0o600
        assert Cache(store).read(entry.name) is not None


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give files away")
def test_entry_of_another_user_is_not_used(house: Path, store: Path) -> None:
    """An entry of another user is not read but made anew, though the folder is private today."""
    first = load_ruleset("tiny", paths=[house])
    for entry in entries(store):
        os.chown(entry, 12_345, 12_345)
        with pytest.warns(UserWarning, match="is not used: others own it .* delete the folder"):
            assert Cache(store).read(entry.name) is None
        with pytest.warns(UserWarning, match="is not used: others own it .* delete the folder"):
            assert load_ruleset("tiny", paths=[house]).image == first.image
        assert entry.stat().st_uid == os.getuid()
        assert Cache(store).read(entry.name) is not None


def test_folder_of_another_user_is_not_used(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that belongs to another user is not used, with a warning."""
    monkeypatch.setattr(cache_module.os, "getuid", lambda: 12_345, raising=False)
    with pytest.warns(UserWarning, match="not used"):
        assert open_cache() is None


def test_folder_relative_to_where_one_works_is_not_used(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that is not named from the root is not used: in the folder of a stranger it would be the stranger's."""
    monkeypatch.chdir(house)
    monkeypatch.setenv("BICORNE_CACHE", "planted")
    with pytest.warns(UserWarning, match=r"planted.* is not used: give the whole path"):
        assert load_ruleset("tiny", paths=[house]).name == "tiny"
    assert not (house / "planted").exists()


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give links away")
@pytest.mark.parametrize("spot", ["link", "link/below", "own", "own/below"])
def test_folder_behind_a_link_of_another_user_is_not_used(
    spot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link that others own may not lead to the cache, through a link of the user's own either; a link of his may."""
    (tmp_path / "link").symlink_to(tmp_path)
    (tmp_path / "own").symlink_to("link")
    monkeypatch.setenv("BICORNE_CACHE", str(tmp_path / spot))
    assert open_cache() == Cache(tmp_path / spot)
    os.lchown(tmp_path / "link", 12_345, 12_345)
    with pytest.warns(UserWarning, match=r"/link is a link that others own"):
        assert open_cache() is None


def test_entries_have_a_limit(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry as large as the limit is written and read; no more bytes of a larger one are read than tell it."""
    monkeypatch.setattr(cache_module, "MAX_ENTRY_BYTES", 100)
    store.mkdir()
    cache = Cache(store)
    cache.write("k", b"x" * 68)
    assert cache.read("k") == b"x" * 68
    cache.write("l", b"x" * 69)
    assert not (store / "l").exists()
    with monkeypatch.context() as larger:
        larger.setattr(cache_module, "MAX_ENTRY_BYTES", 101)
        cache.write("l", b"x" * 69)
        assert cache.read("l") == b"x" * 69
    assert cache.read("l") is None
    with (store / "l").open("r+b") as file:
        file.truncate(1_000_000_000_000)
    assert cache.read("l") is None


def test_unwritable_cache_does_not_stop_loading(house: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading works without a cache if its folder can't be created, with a warning."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BICORNE_CACHE", str(tmp_path / "file" / "below"))
    with pytest.warns(UserWarning, match="can't be used"):
        assert load_ruleset("tiny", paths=[house]).name == "tiny"


def test_cache_can_be_switched_off(house: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`BICORNE_CACHE=off` writes nothing."""
    monkeypatch.setenv("BICORNE_CACHE", "off")
    load_ruleset("tiny", paths=[house])
    assert not store.exists()


def test_cache_key_depends_on_engine_and_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another engine or other parts give another key, also if the joined parts are equal."""
    first = cache_key("a", "b")
    assert first == cache_key("a", "b")
    assert len({first, cache_key("ab"), cache_key("a", "c"), cache_key("b", "a")}) == 4
    monkeypatch.setattr(cache_module, "engine_stamp", lambda: "another")
    assert cache_key("a", "b") != first
