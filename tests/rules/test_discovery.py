"""Rulesets and scenarios are found by path, in the environment, in the package and in plugins."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import tiny

from interpreter.language.diagnostics import UsageError
from interpreter.rules.documents.discovery import discover, find_ruleset, find_scenario, list_rulesets, list_scenarios
from interpreter.rules.documents.search_path import locate_ruleset, locate_scenario

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BICORNE_PATH", raising=False)


def plug_in(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    """Entry points as if packages had declared them."""
    made = [EntryPoint(name, value, "bicorne.rulesets") for name, value in values.items()]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: made if group == "bicorne.rulesets" else [])


def test_the_house_comes_with_rulesets() -> None:
    """What lies in the package's own folders is found by name."""
    names = {each.name for each in list_rulesets()}
    assert names == {path.parent.name for path in ROOT.glob("rulesets/*/ruleset.yaml")}
    assert {each.origin for each in list_rulesets()} == {"bicorne"}


@pytest.mark.parametrize("shape", ["house", "holder", "itself"])
def test_a_path_may_be_a_house_a_holder_or_a_ruleset(tmp_path: Path, shape: str) -> None:
    """A path names a folder with `rulesets`, a folder of ruleset folders, or one ruleset."""
    tiny.write_house(tmp_path)
    path = {"house": tmp_path, "holder": tmp_path / "rulesets", "itself": tmp_path / "rulesets" / "tiny"}[shape]
    source = find_ruleset("tiny", [path])
    assert (source.name, source.version, source.title, source.origin) == ("tiny", "1.2", "Tiny", "path")
    assert source.folder == tmp_path / "rulesets" / "tiny" == locate_ruleset("tiny", [path])


def test_the_environment_names_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`BICORNE_PATH` lists folders; one that is missing is reported and doesn't stop the rest."""
    tiny.write_house(tmp_path / "a")
    monkeypatch.setenv("BICORNE_PATH", f"{tmp_path / 'missing'}:{tmp_path / 'a'}")
    found = discover()
    assert found.rulesets["tiny"].origin == "BICORNE_PATH"
    assert [(each.code, each.severity) for each in found.faults] == [("missing-folder", "warning")]
    assert "missing" in found.faults[0].message


def test_scenarios_are_found_with_their_ruleset(tmp_path: Path) -> None:
    """A scenario's name is that of its ruleset and its own."""
    tiny.write_house(tmp_path)
    path = tmp_path / "scenarios" / "tiny" / "short.yaml"
    assert [each.name for each in list_scenarios([tmp_path]) if each.origin == "path"] == ["tiny/short"]
    source = find_scenario("tiny/short", [tmp_path])
    assert (source.path, source.ruleset, source.title) == (path, "tiny", "A short game")
    assert find_scenario(path).name == "tiny/short"
    assert locate_scenario("tiny/short", [tmp_path]) == path == locate_scenario(path)


def test_scenarios_may_lie_in_their_ruleset(tmp_path: Path) -> None:
    """A ruleset that travels alone has its scenarios beside its rules."""
    folder = tiny.write(tmp_path / "tiny")
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "short.yaml").write_text(tiny.SCENARIO)
    assert find_scenario("tiny/short", [folder]).path == folder / "scenarios" / "short.yaml"


def test_the_first_of_a_name_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths come before the environment."""
    tiny.write_house(tmp_path / "a")
    tiny.write_house(tmp_path / "b")
    monkeypatch.setenv("BICORNE_PATH", str(tmp_path / "a"))
    assert find_ruleset("tiny", [tmp_path / "b"]).folder.is_relative_to(tmp_path / "b")


def test_plugins_add_rulesets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that declares an entry point brings its rulesets and scenarios, without its code being run."""
    package = tiny.write_house(tmp_path / "tiny_plugin")
    (package / "__init__.py").write_text("raise RuntimeError('this must not run')\n")
    monkeypatch.syspath_prepend(tmp_path)
    plug_in(monkeypatch, tiny_games="tiny_plugin")
    found = discover()
    assert found.faults == []
    assert (found.rulesets["tiny"].origin, found.scenarios["tiny/short"].origin) == ("plugin tiny_games",) * 2


def test_a_broken_plugin_is_blamed_and_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each plugin that can't be used is reported by its name; the good one is still there."""
    package = tiny.write_house(tmp_path / "good_plugin")
    (package / "__init__.py").write_text("")
    (tmp_path / "empty_plugin").mkdir()
    (tmp_path / "empty_plugin" / "__init__.py").write_text("")
    (tmp_path / "raising").mkdir()
    (tmp_path / "raising" / "__init__.py").write_text("raise RuntimeError('broken inside')\n")
    monkeypatch.syspath_prepend(tmp_path)
    plug_in(monkeypatch, gone="not_there", empty="empty_plugin", raising="raising.inner", good="good_plugin")
    found = discover()
    assert "tiny" in found.rulesets
    said = [each.message for each in found.faults]
    assert len(said) == 3
    assert all(name in text for name, text in zip(["'gone'", "'empty'", "'raising'"], said, strict=True))
    assert "broken inside" in said[2]
    with pytest.raises(UsageError, match="the plugin 'gone'"):
        find_ruleset("nothing")


def test_an_unknown_name_has_a_near_one(tmp_path: Path) -> None:
    """A misspelt name is answered with the nearest there is."""
    tiny.write_house(tmp_path)
    with pytest.raises(UsageError, match="did you mean 'tiny'"):
        find_ruleset("tinny", [tmp_path])
    with pytest.raises(UsageError, match="did you mean 'tiny/short'"):
        find_scenario("tiny/shot", [tmp_path])
    with pytest.raises(UsageError, match=r"no ruleset\.yaml"):
        find_ruleset(tmp_path)
    with pytest.raises(UsageError, match="there is no ruleset 'xxx"):
        find_ruleset("x" * 5_000)
    with pytest.raises(UsageError, match="is no folder"):
        find_ruleset("tiny", [tmp_path / "missing"])


def test_a_broken_file_is_listed_with_its_fault(tmp_path: Path) -> None:
    """A ruleset whose head can't be read stands in the list, with what is wrong, and hides no other."""
    tiny.write_house(tmp_path)
    for name, text in {
        "bad_yaml": "ruleset: {id: [\n",
        "headless": "state: {}\n",
        "latin": "ruleset: {id: \udce9}\n",
    }.items():
        (tmp_path / "rulesets" / name).mkdir()
        (tmp_path / "rulesets" / name / "ruleset.yaml").write_bytes(text.encode("utf-8", "surrogateescape"))
    found = {each.name: each.fault for each in list_rulesets([tmp_path]) if each.origin == "path"}
    assert {name: fault.code if fault else None for name, fault in found.items()} == {
        "tiny": None,
        "bad_yaml": "yaml",
        "headless": "missing-key",
        "latin": "encoding",
    }


def test_only_the_head_is_read(tmp_path: Path) -> None:
    """What follows the head is neither parsed nor judged when rulesets are listed; lines are counted all the same."""
    tiny.write(tmp_path / "tiny", ruleset="# first\n\nruleset:\n  id: tiny\n  title: T\n  version: 3\nbroken: [\n")
    (source,) = [each for each in list_rulesets([tmp_path]) if each.origin == "path"]
    assert (source.name, source.version, source.fault) == ("tiny", "3", None)
    tiny.write(tmp_path / "tiny", ruleset="# first\n\nruleset:\n  id: *x\n")
    fault = next(each.fault for each in list_rulesets([tmp_path]) if each.origin == "path")
    assert fault is not None
    assert (fault.place.line, fault.place.column) == (4, 7)


def test_listing_is_light() -> None:
    """Rulesets are listed without the rule language's parser and without the schema checker."""
    code = (
        "import sys; from interpreter.rules.documents.discovery import list_rulesets, list_scenarios;"
        "list_rulesets(); list_scenarios();"
        "assert not {'lark', 'jsonschema', 'interpreter.language.parsing.parse'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
