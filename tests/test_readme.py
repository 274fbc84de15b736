"""The README, followed step by step: its commands run, and its transcripts are what the program prints."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest
from processes import DEADLINE

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]
OMITTED = "…"
_FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)#]+)[^)]*\)")
_PATH = re.compile(r"`((?:docs|interpreter|rulesets|scenarios|schemas|tests|\.ci)/[\w./-]*)`")


@dataclass(frozen=True)
class Reader:
    """A person who follows the README in a clone of the project."""

    folder: Path

    @classmethod
    def at(cls, folder: Path) -> Reader:
        """Returns a reader in a folder, with `bicorne` on the path."""
        program = folder / "bin" / "bicorne"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m interpreter "$@"\n')
        program.chmod(0o755)
        return cls(folder)

    def type(self, command: str) -> subprocess.CompletedProcess[str]:
        """Runs a line in a shell without a terminal."""
        places = {
            "PATH": f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "COLUMNS": "120",
        }
        clean = {name: value for name, value in os.environ.items() if name != "BICORNE_PATH"}
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env={**clean, **places},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=DEADLINE,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """A reader with a clone's rulesets and `bicorne` on the path."""
    folder = tmp_path_factory.mktemp("clone")
    shutil.copytree(ROOT / "rulesets", folder / "rulesets")
    return Reader.at(folder)


def indented() -> Iterator[str]:
    """Yields the indented commands of the README without their comments."""
    for line in _FENCED.sub("", README.read_text(encoding="utf-8")).splitlines():
        if line.startswith("    "):
            yield line.partition("#")[0].strip()


# ---------------------------------------------------------------- transcripts
def test_readme_transcripts_match_output(reader: Reader) -> None:
    """A newcomer plays, reads why, copies the ruleset, changes a figure, checks it and sees other odds."""
    done = [_do(language, body, reader) for language, body in _FENCED.findall(README.read_text(encoding="utf-8"))]
    assert done.count("typed") >= 5
    assert done.count("quoted") >= 2
    assert done.count("changed") == 1
    for command in [each for each in indented() if each.startswith("bicorne ")]:
        assert reader.type(command).returncode == 0, command


def _do(language: str, body: str, reader: Reader) -> str:
    """Follows a block; returns what was done."""
    if language == "console":
        for typed in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
            _type(typed, reader)
        return "typed"
    if language == "diff":
        _change(body, reader)
        return "changed"
    assert language == "yaml", language
    if (named := re.match(r"# (\w+\.yaml)\n", body)) is not None:
        (reader.folder / named[1]).write_text(body)
        return "written"
    written = [dedent(each.read_text(encoding="utf-8")) for each in (ROOT / "rulesets").rglob("*.yaml")]
    quoted = "".join([f"  {line}" for line in body.splitlines(keepends=True)])
    assert any(quoted in each for each in written), f"in no ruleset:\n{quoted}"
    return "quoted"


def _type(typed: str, reader: Reader) -> None:
    command, _, shown = typed.partition("\n")
    done = reader.type(command)
    assert done.returncode in (0, 1), done.stderr
    lines = ["(?:.*\n)*?" if line == OMITTED else f"{re.escape(line)}\n" for line in shown.splitlines()]
    assert re.fullmatch("".join(lines) + r"\n?", done.stdout), f"$ {command}\n{done.stdout}"


def _change(diff: str, reader: Reader) -> None:
    """Applies a hunk, headed by the name of a table, to the copied tables."""
    head, *lines = diff.splitlines()
    old = "".join([f"{line[1:]}\n" for line in lines if not line.startswith("+")])
    new = "".join([f"{line[1:]}\n" for line in lines if not line.startswith("-")])
    path = reader.folder / "my_napoleon" / "tables.yaml"
    before, found, after = path.read_text(encoding="utf-8").partition(f"  {head.removeprefix('@@ ')}:")
    assert found
    assert old in after
    path.write_text(before + found + after.replace(old, new, 1), encoding="utf-8")


# ---------------------------------------------------------------- the two commands
def test_first_command_plays_a_game(reader: Reader) -> None:
    """The command after the installation plays a whole game without a terminal."""
    [command] = [each for each in indented() if each.endswith("play fin_napoleon/campaign")]
    installing, program = command.split(" && ")[:2], command.split(" && ")[2]
    assert installing == ["python3 -m venv .venv", ".venv/bin/pip install --quiet ."]
    done = reader.type(program.removeprefix(".venv/bin/"))
    assert done.returncode == 0, done.stderr
    assert re.search(r"^Result: .*\n(.*Now: .*\n|  .*\n)*State: [0-9a-f]{32}$", done.stdout, re.MULTILINE)


def test_ci_runs_the_second_command() -> None:
    """.ci/run takes the test command from the README."""
    [command] = [each for each in indented() if each.endswith("-m pytest")]
    assert command == "python3 -m venv .venv && .venv/bin/pip install --quiet '.[test]' && .venv/bin/python -m pytest"
    [taking] = [each for each in (ROOT / ".ci" / "run").read_text().splitlines() if "README.md" in each]
    script = f'{taking}; echo "$test_command"'
    ran = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, check=True, timeout=DEADLINE)
    assert ran.stdout == f"{command}\n"


# ---------------------------------------------------------------- links
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_paths_exist(page: Path) -> None:
    """Every file that a page links to or names exists."""
    text = page.read_text(encoding="utf-8")
    links = [page.parent / each for each in _LINK.findall(text) if "://" not in each]
    paths = [ROOT / each for each in _PATH.findall(text)]
    assert [str(each) for each in (*links, *paths) if not each.exists()] == []
