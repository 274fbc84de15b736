"""The cache keeps sound rulesets, and verifies what is read from it and who can have put it there."""

from __future__ import annotations

import marshal
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from no_compiling import no_compiling
from processes import DEADLINE

from interpreter.language.codegen.emit import emit_unit
from interpreter.language.diagnostics import RulesetError
from interpreter.rules.loading import cache as cache_module
from interpreter.rules.loading.cache import Cache, cache_key, open_cache, trim
from interpreter.rules.loading.load import load_ruleset, load_scenario

ROOT = Path(__file__).resolve().parents[2]
BASE = ROOT / "tests" / "goldens" / "base"

pytestmark = pytest.mark.usefixtures("store")


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
    """An entry with a right digest and no ruleset, settings, scenario, unit or program in it is made anew."""
    first = load_scenario("tiny/short", paths=[house])
    unit, is_long = first.ruleset.unit("traced"), first.ruleset.program.options["long"].value
    forged = [each for each in entries(store) if each.read_bytes()[32:].startswith(b"{")]
    assert len(forged) == 5
    for entry in forged:
        sound = entry.read_bytes()
        Cache(store).write(entry.name, text)
        found = load_scenario("tiny/short", paths=[house])
        assert found.ruleset.image == first.ruleset.image
        assert found.ruleset.unit("traced") == unit
        assert found.ruleset.program.options["long"].value == is_long
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


def entry(folder: Path, name: str, used: int, size: int = 100) -> Path:
    """Makes a file that was last used and written at a time."""
    path = folder / name
    path.write_bytes(b"x" * size)
    os.utime(path, (used, used))
    return path


def test_least_recently_used_entries_are_removed(tmp_path: Path) -> None:
    """Of entries above the limit the least recently used go; links and files without a key for a name stay."""
    oldest, older, newest = [entry(tmp_path, cache_key(str(at)), at) for at in (1_000, 2_000, 3_000)]
    os.utime(oldest, (9_000, 1_000))  # written first, and read last
    others = [entry(tmp_path, name, 1) for name in ("notes.txt", cache_key("4")[:-1], cache_key("5").upper())]
    link = tmp_path / cache_key("6")
    link.symlink_to(others[0])
    trim(tmp_path, 300)
    assert all(each.exists() for each in (oldest, older, newest))
    trim(tmp_path, 299)
    assert not older.exists()
    trim(tmp_path, 100)
    assert (oldest.exists(), newest.exists()) == (True, False)
    assert all(each.exists() for each in (*others, link))


def test_first_write_of_a_process_trims_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is above the limit is removed with the first entry that is written, which stays."""
    monkeypatch.setattr(cache_module, "MAX_FOLDER_BYTES", 150)
    old = entry(tmp_path, cache_key("old"), 1_000)
    cache = Cache(tmp_path)
    cache.write(cache_key("new"), b"payload")
    assert old.exists()
    old.write_bytes(b"x" * 200)
    os.utime(old, (1_000, 1_000))
    cache.write(cache_key("newer"), b"payload")
    assert old.exists(), "a process looks once"
    cache_module._trim_once.cache_clear()
    cache.write(cache_key("newest"), b"payload")
    assert not old.exists()
    assert cache.read(cache_key("newest")) == b"payload"
