"""The wheel contains everything it needs and works outside of the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from processes import DEADLINE

ROOT = Path(__file__).resolve().parent.parent
PLUGIN = ROOT / "tests" / "plugin"
CORE = {"lark", "pyyaml", "jsonschema", "rich", "platformdirs"}
LEFT_BEHIND = {"PYTHONPATH", "PYTHONHOME", "BICORNE_PATH", "VIRTUAL_ENV"}

Add = Callable[[Path], None]


@dataclass(frozen=True)
class Installed:
    """A fresh virtual environment with the wheel installed, and a working folder outside of the checkout."""

    environment: Path
    folder: Path

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        """Runs a program of the environment."""
        program, *arguments = command
        return _run([self.environment / "bin" / program, *arguments], self.folder)

    def bicorne(self, *arguments: str | Path, code: int = 0) -> str:
        """Runs `bicorne`, asserts the exit code, and returns its output."""
        done = self.run("bicorne", *arguments)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout


def _run(command: list[str | Path], folder: Path) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in LEFT_BEHIND}
    clean["XDG_CACHE_HOME"] = str(folder / "cache")
    return subprocess.run(command, cwd=folder, env=clean, capture_output=True, text=True, timeout=DEADLINE, check=False)


def _make(python: Path | str, *arguments: str | Path, folder: Path) -> None:
    done = _run([python, "-m", *arguments], folder)
    assert done.returncode == 0, done.stdout + done.stderr


def _wheel(source: Path, into: Path) -> Path:
    """Builds the wheel of a source tree with the installed build tool, so that no index is needed."""
    into.mkdir(parents=True)
    _make(sys.executable, "hatchling", "build", "-t", "wheel", "-d", into, folder=source)
    [built] = into.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel built from the source tree."""
    return _wheel(ROOT, tmp_path_factory.mktemp("wheel") / "built")


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel with its dependencies in a fresh environment.

    If no package index is available, the dependencies are those of this environment; the wheel is the same.
    """
    folder = tmp_path_factory.mktemp("elsewhere")
    environment = folder / "environment"
    venv.create(environment, with_pip=False, symlinks=True)
    fresh = Installed(environment, folder)
    pip = ("pip", f"--python={environment / 'bin' / 'python'}", "install", "--quiet", "--no-input")
    if _run([sys.executable, "-m", *pip, "--retries=0", wheel], folder).returncode != 0:
        _make(sys.executable, *pip, "--no-deps", "--no-index", wheel, folder=folder)
        here = sysconfig.get_path("purelib")
        there = sysconfig.get_path("purelib", vars={"base": str(environment), "platbase": str(environment)})
        (Path(there) / "dependencies.pth").write_text(f"{here}\n")
    return fresh


@pytest.fixture
def add(installed: Installed) -> Iterator[Add]:
    """Installs another wheel for the duration of a test."""
    python = installed.environment / "bin" / "python"
    pip = (sys.executable, "-m", "pip", f"--python={python}", "--quiet")
    added: list[str] = []

    def install(path: Path) -> None:
        done = _run([*pip, "install", "--no-deps", "--no-index", path], installed.folder)
        assert done.returncode == 0, done.stderr
        added.append(path.name.partition("-")[0])

    yield install
    for each in added:
        _run([*pip, "uninstall", "--yes", each], installed.folder)


# ---------------------------------------------------------------- contents
def test_wheel_contains_all_data_files(wheel: Path) -> None:
    """Every ruleset, scenario, schema, grammar and starter file of the tree is in the wheel, byte for byte."""
    packed = {f"interpreter/data/{each}": ROOT / each for each in _files("rulesets", "scenarios", "schemas")}
    packed |= {each: ROOT / each for each in _files("interpreter")}
    assert "interpreter/language/parsing/grammar.lark" in packed
    assert "interpreter/workshop/starter/scenarios/standard.yaml" in packed
    assert "interpreter/data/rulesets/fin_napoleon/combat.yaml" in packed
    assert "interpreter/py.typed" in packed
    with zipfile.ZipFile(wheel) as archive:
        held = {each for each in archive.namelist() if ".dist-info/" not in each}
        assert held == set(packed)
        assert [each for each in packed if archive.read(each) != packed[each].read_bytes()] == []


def test_wheel_has_five_dependencies(wheel: Path) -> None:
    """The wheel requires five libraries and no more."""
    with zipfile.ZipFile(wheel) as archive:
        [metadata] = [each for each in archive.namelist() if each.endswith(".dist-info/METADATA")]
        needed = [each for each in archive.read(metadata).decode().splitlines() if each.startswith("Requires-Dist: ")]
    core = {each.split(" ")[1].partition("<")[0].partition(">")[0].lower() for each in needed if "extra ==" not in each}
    assert core == CORE


def test_source_archive_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    """The wheel built from the unpacked source archive has the same files."""
    _make(sys.executable, "hatchling", "build", "-t", "sdist", "-d", tmp_path, folder=ROOT)
    [archive] = tmp_path.glob("*.tar.gz")
    _make(sys.executable, "tarfile", "-e", archive, tmp_path, folder=tmp_path)
    again = _wheel(tmp_path / archive.name.removesuffix(".tar.gz"), tmp_path / "again")
    with zipfile.ZipFile(wheel) as first, zipfile.ZipFile(again) as second:
        assert {each.filename: each.CRC for each in first.infolist()} == {
            each.filename: each.CRC for each in second.infolist()
        }


def _files(*folders: str) -> list[str]:
    found = [each for folder in folders for each in (ROOT / folder).rglob("*") if each.is_file()]
    return [each.relative_to(ROOT).as_posix() for each in found if not _is_scratch(each)]


def _is_scratch(path: Path) -> bool:
    """Whether a file is a by-product of running or checking."""
    return path.suffix == ".pyc" or any(part.startswith(".") for part in path.relative_to(ROOT).parts)


# ---------------------------------------------------------------- commands
def test_installed_bicorne_plays_its_game(installed: Installed) -> None:
    """Listing, checking and playing work with the package's own data; `python -m interpreter` is the same program."""
    data = str(installed.environment / "lib")
    listed = json.loads(installed.bicorne("list", "--json"))
    [ruleset] = [each for each in listed["rulesets"] if each["name"] == "fin_napoleon"]
    assert ruleset["folder"].startswith(data)
    assert "nothing wrong" in installed.bicorne("check", "fin_napoleon")
    played = installed.bicorne("play", "fin_napoleon/campaign", "--seed", "1", "--turns", "3")
    assert "The game is not over after 3 turns" in played
    assert played == installed.bicorne("play", "fin_napoleon/campaign", "--seed", "1", "--turns", "3")
    versions = [installed.bicorne("--version"), installed.run("python", "-m", "interpreter", "--version").stdout]
    assert versions[0].startswith("bicorne ")
    assert versions[0] == versions[1]


def test_installed_bicorne_creates_a_ruleset(installed: Installed) -> None:
    """A ruleset written by `new` passes check, test and play with only the wheel installed."""
    installed.bicorne("new", "ruleset", "mine")
    assert "nothing wrong" in installed.bicorne("check", "mine")
    assert "all hold" in installed.bicorne("test", "mine")
    assert "State: " in installed.bicorne("play", "mine", "--seed", "1")


# ---------------------------------------------------------------- plugins
def test_plugin_is_found_and_played(installed: Installed, add: Add, tmp_path: Path) -> None:
    """A package whose entry point names a folder of data is listed with its origin, tested and played."""
    add(_wheel(PLUGIN, tmp_path / "built"))
    assert "high_roll 1.0.0  High Roll  (plugin high_roll: " in installed.bicorne("list")
    assert "1 example: all hold" in installed.bicorne("test", "high_roll")
    assert "Result: " in installed.bicorne("play", "high_roll/standard", "--seed", "1")


def test_broken_plugin_does_not_stop_the_rest(installed: Installed, add: Add, tmp_path: Path) -> None:
    """A broken plugin is reported with its package and what to do; everything else is listed and plays."""
    add(_broken_plugin(tmp_path))
    listed = installed.run("bicorne", "list")
    assert listed.returncode == 0
    assert "fin_napoleon/campaign" in listed.stdout
    assert "the plugin 'lost' (bicorne_lost) can't be used: there is no module bicorne_lost" in listed.stderr
    assert "repair or uninstall the package 'bicorne-lost'" in listed.stderr
    assert "State: " in installed.bicorne("play", "fin_napoleon/campaign", "--seed", "1", "--turns", "1")


def _broken_plugin(folder: Path) -> Path:
    """Writes a wheel with an entry point to a module that it doesn't contain."""
    path = folder / "bicorne_lost-1.0-py3-none-any.whl"
    info = "bicorne_lost-1.0.dist-info"
    files = {
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: bicorne-lost\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: by hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "[bicorne.rulesets]\nlost = bicorne_lost\n",
    }
    records = "".join([f"{each},,\n" for each in [*files, f"{info}/RECORD"]])
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {**files, f"{info}/RECORD": records}.items():
            archive.writestr(name, text)
    return path
