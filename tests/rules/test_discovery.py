"""Rulesets and scenarios are found by path, in `BICORNE_PATH`, in the package and in plugins."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import tiny
from processes import DEADLINE

from interpreter.language.diagnostics import UsageError
from interpreter.rules.documents.discovery import discover, find_ruleset, find_scenario, list_rulesets, list_scenarios
from interpreter.rules.documents.search_path import locate_ruleset, locate_scenario, missing_folders

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BICORNE_PATH", raising=False)


def plug_in(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    """Simulates packages that declare these entry points."""
    made = [EntryPoint(name, value, "bicorne.rulesets") for name, value in values.items()]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: made if group == "bicorne.rulesets" else [])


def test_package_rulesets_are_found() -> None:
    """The rulesets in the package's own folders are found by name."""
    names = {each.name for each in list_rulesets()}
    assert names == {path.parent.name for path in ROOT.glob("rulesets/*/ruleset.yaml")}
    assert {each.origin for each in list_rulesets()} == {"bicorne"}


@pytest.mark.parametrize("shape", ["house", "holder", "itself"])
def test_path_can_have_three_layouts(tmp_path: Path, shape: str) -> None:
    """A path names a folder with `rulesets`, a folder of ruleset folders, or one ruleset."""
    tiny.write_house(tmp_path)
    path = {"house": tmp_path, "holder": tmp_path / "rulesets", "itself": tmp_path / "rulesets" / "tiny"}[shape]
    source = find_ruleset("tiny", [path])
    assert (source.name, source.version, source.title, source.origin) == ("tiny", "1.2", "Tiny", "path")
    assert source.folder == tmp_path / "rulesets" / "tiny" == locate_ruleset("tiny", [path])


def test_environment_variable_lists_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`BICORNE_PATH` lists folders; one that is missing doesn't stop the rest."""
    tiny.write_house(tmp_path / "a")
    monkeypatch.setenv("BICORNE_PATH", f"{tmp_path / 'missing'}:{tmp_path / 'a'}")
    found = discover()
    assert found.rulesets["tiny"].origin == "BICORNE_PATH"
    assert missing_folders() == [str(tmp_path / "missing")]


def test_scenarios_are_named_after_their_ruleset(tmp_path: Path) -> None:
    """The name of a scenario is `ruleset/scenario`."""
    tiny.write_house(tmp_path)
    path = tmp_path / "scenarios" / "tiny" / "short.yaml"
    assert [each.name for each in list_scenarios([tmp_path]) if each.origin == "path"] == ["tiny/short"]
    source = find_scenario("tiny/short", [tmp_path])
    assert (source.path, source.ruleset, source.title) == (path, "tiny", "A short game")
    assert find_scenario(path).name == "tiny/short"
    assert locate_scenario("tiny/short", [tmp_path]) == path == locate_scenario(path)


def test_ruleset_folder_can_contain_scenarios(tmp_path: Path) -> None:
    """A ruleset that is distributed alone has its scenarios in its own folder."""
    folder = tiny.write(tmp_path / "tiny")
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "short.yaml").write_text(tiny.SCENARIO)
    assert find_scenario("tiny/short", [folder]).path == folder / "scenarios" / "short.yaml"


def test_paths_precede_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a name occurs twice, the ruleset in the given paths is found first."""
    tiny.write_house(tmp_path / "a")
    tiny.write_house(tmp_path / "b")
    monkeypatch.setenv("BICORNE_PATH", str(tmp_path / "a"))
    assert find_ruleset("tiny", [tmp_path / "b"]).folder.is_relative_to(tmp_path / "b")


def test_plugins_add_rulesets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with an entry point adds its rulesets and scenarios; its code isn't run."""
    package = tiny.write_house(tmp_path / "tiny_plugin")
    (package / "__init__.py").write_text("raise RuntimeError('this must not run')\n")
    monkeypatch.syspath_prepend(tmp_path)
    plug_in(monkeypatch, tiny_games="tiny_plugin")
    found = discover()
    assert found.faults == []
    assert (found.rulesets["tiny"].origin, found.scenarios["tiny/short"].origin) == ("plugin tiny_games",) * 2


def test_broken_plugin_is_reported_and_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each plugin that can't be used is reported by its name; the good one is still found."""
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
    messages = [each.message for each in found.faults]
    assert len(messages) == 3
    assert all(name in text for name, text in zip(["'gone'", "'empty'", "'raising'"], messages, strict=True))
    assert "broken inside" in messages[2]
    with pytest.raises(UsageError, match="the plugin 'gone'"):
        find_ruleset("nothing")


def test_unknown_name_suggests_the_nearest(tmp_path: Path) -> None:
    """A misspelt name is reported with the nearest known one."""
    tiny.write_house(tmp_path)
    with pytest.raises(UsageError, match="did you mean 'tiny'"):
        find_ruleset("tinny", [tmp_path])
    with pytest.raises(UsageError, match="did you mean 'tiny/short'"):
        find_scenario("tiny/shot", [tmp_path])
    with pytest.raises(UsageError, match=r"no ruleset\.yaml"):
        find_ruleset(tmp_path)
    with pytest.raises(UsageError, match="there is no ruleset 'xxx"):
        find_ruleset("x" * 5_000)
    with pytest.raises(UsageError, match="is not a folder"):
        find_ruleset("tiny", [tmp_path / "missing"])


def test_broken_file_is_listed_with_its_fault(tmp_path: Path) -> None:
    """A ruleset whose head can't be read is listed with its fault and doesn't hide others."""
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
    """Listing rulesets doesn't parse the text after the head, and line numbers are right."""
    tiny.write(tmp_path / "tiny", ruleset="# first\n\nruleset:\n  id: tiny\n  title: T\n  version: 3\nbroken: [\n")
    (source,) = [each for each in list_rulesets([tmp_path]) if each.origin == "path"]
    assert (source.name, source.version, source.fault) == ("tiny", "3", None)
    tiny.write(tmp_path / "tiny", ruleset="# first\n\nruleset:\n  id: *x\n")
    fault = next(each.fault for each in list_rulesets([tmp_path]) if each.origin == "path")
    assert fault is not None
    assert (fault.place.line, fault.place.column) == (4, 7)


def test_listing_does_not_import_parsers() -> None:
    """Listing rulesets imports neither the parser of the rule language nor the schema validator."""
    code = (
        "import sys; from interpreter.rules.documents.discovery import list_rulesets, list_scenarios;"
        "list_rulesets(); list_scenarios();"
        "assert not {'lark', 'jsonschema', 'interpreter.language.parsing.parse'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, timeout=DEADLINE)
