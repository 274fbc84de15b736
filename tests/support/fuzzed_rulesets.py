"""Damages rulesets, scenarios and overlays at random, and checks and plays them.

The documents are changed as trees: entries are left out, doubled, swapped, renamed and replaced by odd values. Rule
texts lose, double and swap words too, and some documents are changed as lines. Each number makes one ruleset, always
the same.

`python tests/support/fuzzed_rulesets.py 100000` tries that many; `python tests/support/fuzzed_rulesets.py 1 4711` tries
number 4711 and leaves its folder in the working directory.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from fuzzing import GAMES, ODD_TEXTS, ROOT, TESTS, Findings, Ran, change_tree, run, watch_for

from interpreter.language.diagnostics import RulesetError
from interpreter.rules.documents.nodes import as_plain_data
from interpreter.rules.documents.yaml_reader import read_yaml_text

Files = dict[str, str]

_BLOCK = re.compile(r"^```yaml\n# ([\w./]+\.yaml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"\s+|\w+|[^\w\s]")
_PLACE = re.compile(r"\.yaml:[0-9]+:[0-9]+: ")
SITUATION = """\
options: {long: true}
board: {unit: [{id: red_foot, at: f33}, {ids: [blue_horse], at: f43}]}
set: {unit/red_foot/strength: 3}
with: {unit: red_foot, target: blue_horse}
"""
"""A situation of the skirmish."""
LARGE_EVERY = 100
"""One ruleset in this number is a change of Fin-Napoleon, which is many times larger than the game of the guide."""


# ---------------------------------------------------------------- sound rulesets
def guide_game() -> Files:
    """Returns the files of the game that the guide makes, the last text of each, and the overlays for it."""
    pages = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("guide.md", "overlays.md")]
    return {name: text for page in pages for name, text in _BLOCK.findall(page)}


def skirmish_game() -> Files:
    """Returns the files of the skirmish, which has the sections that the game of the guide lacks."""
    folder = GAMES / "rulesets"
    found = {each.relative_to(folder).as_posix(): each.read_text(encoding="utf-8") for each in folder.rglob("*.yaml")}
    overlays = {name: found.pop(name) for name in sorted(found) if "/overlays/" in name}
    return {
        **dict(sorted(found.items())),
        **{Path(name).name: text for name, text in overlays.items()},
        "fight.yaml": SITUATION,
    }


def large_game() -> Files:
    """Returns the files of Fin-Napoleon, with one scenario."""
    folder = ROOT / "rulesets" / "fin_napoleon"
    found = {f"fin_napoleon/{each.name}": each.read_text(encoding="utf-8") for each in sorted(folder.glob("*.yaml"))}
    scenario = ROOT / "scenarios" / "fin_napoleon" / "campaign.yaml"
    return {**found, "fin_napoleon/scenarios/campaign.yaml": scenario.read_text(encoding="utf-8")}


# ---------------------------------------------------------------- damage
class _Dumper(yaml.SafeDumper):
    """Writes rule texts as blocks, as people do."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)
_Dumper.ignore_aliases = lambda *_: True  # type: ignore[method-assign]


def as_tree(text: str) -> Any:
    """Returns the data of a document.

    Raises:
        RulesetError: if it is no document.
    """
    return as_plain_data(read_yaml_text(text, "document.yaml"))


def as_yaml(tree: Any) -> str:
    """Returns a document as YAML."""
    return str(yaml.dump(tree, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=100))


def damaged(number: int, files: Files, names: Sequence[str]) -> Files:
    """Returns files with a change in one of these documents, or in a few."""
    chance, changed = Random(number), dict(files)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        name = chance.choice(names)
        text = changed[name]
        match chance.randrange(6):
            case 0:
                changed[name] = _changed_lines(text, chance)
            case 1 | 2:
                changed[name] = _changed_words(text, chance)
            case _:
                changed[name] = _changed_tree(text, chance)
    return changed


def _changed_lines(text: str, chance: Random) -> str:
    lines = text.split("\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(8):
        case 0:
            del lines[at]
        case 1:
            lines.insert(other, lines[at])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] = " " * chance.randrange(1, 9) + lines[at]
        case 4:
            lines[at] = lines[at].lstrip()
        case 5:
            lines[at:] = []
        case _:
            column = chance.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:column] + chance.choice(ODD_TEXTS) + lines[at][column + chance.randrange(2) :]
    return "\n".join(lines)


def _changed_words(text: str, chance: Random) -> str:
    """Changes one word or sign of a document."""
    words = _WORD.findall(text)
    solid = [number for number, each in enumerate(words) if not each.isspace()]
    if not solid:
        return text
    at, other = chance.choice(solid), chance.choice(solid)
    match chance.randrange(5):
        case 0:
            words[at] = ""
        case 1:
            words[at] += " " + words[at]
        case 2:
            words[at], words[other] = words[other], words[at]
        case 3:
            words[at] = words[other]
        case _:
            words[at] = chance.choice((*ODD_TEXTS, "(" * 200, "not " * 300, "-1", "1_000", "9" * 5_000))
    return "".join(words)


def _changed_tree(text: str, chance: Random) -> str:
    """Changes a document as a tree; one that is no longer YAML is changed as lines."""
    try:
        tree = as_tree(text)
    except RulesetError:
        tree = None
    if not isinstance(tree, dict | list) or not tree:
        return _changed_lines(text, chance)
    change_tree(tree, chance)
    try:
        return as_yaml(tree)
    except RecursionError:
        return _changed_lines(text, chance)


# ---------------------------------------------------------------- what is wrong
def misplaced(ran: Ran, folder: Path) -> list[str]:
    """Returns the findings of `check --json` without a place in a document of the folder."""
    if ran.code == 2:
        return [] if _PLACE.search(ran.err) else [f"no place in {ran.err.strip()[:150]!r}"]
    found = []
    for each in json.loads(ran.out)["diagnostics"]:
        path = Path(each["file"])
        if not path.is_relative_to(folder) or not path.is_file():
            found.append(f"'{each['code']}' in no document: {each['file']}")
            continue
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines() or [""]
        line = lines[min(each["line"], len(lines)) - 1]
        if not 1 <= each["line"] <= len(lines) + 1 or not 1 <= each["column"] <= len(line) + 1:
            found.append(f"'{each['code']}' at no place: {each['line']}:{each['column']} of {len(lines)} lines")
    return found


@dataclass(frozen=True)
class Small:
    """The files of a small game, a situation and overlays among them, and its procedure that has odds."""

    files: Files
    procedure: str

    @property
    def overlays(self) -> list[str]:
        """The names of the overlays."""
        return [name for name, text in self.files.items() if "/" not in name and text.startswith("overlay:")]

    @property
    def situation(self) -> str:
        """The name of the situation."""
        [found] = [name for name in self.files if "/" not in name and name not in self.overlays]
        return found

    @property
    def documents(self) -> list[str]:
        """The names of the documents of the ruleset, and of its scenarios."""
        return [name for name in self.files if "/" in name]

    @property
    def name(self) -> str:
        """The name of the ruleset's folder."""
        return self.documents[0].split("/")[0]


class RulesetFuzzer:
    """Checks and plays damaged rulesets in a folder of its own."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.findings = Findings()
        self._folder = folder
        self._watch = watch_for(folder, cache)
        self._small = (Small(guide_game(), "battle"), Small(skirmish_game(), "fight"))
        self._large = large_game()

    def try_number(self, number: int) -> Files:
        """Checks the ruleset of a number, or the ruleset with an overlay, and plays it if it is sound; returns it.

        If a situation is damaged, odds are computed instead.
        """
        game = self._small[number // 2 % 2]
        if number % LARGE_EVERY == LARGE_EVERY - 1:
            files = damaged(number, self._large, list(self._large))
            self._try(number, files, ["fin_napoleon"])
        elif number % 8 == 0:
            files = damaged(number, game.files, [game.situation])
            self._try(number, files, [game.name], ["odds", game.name, game.procedure, "--given", game.situation])
        elif number % 3 == 0:
            overlay = game.overlays[number % len(game.overlays)]
            files = damaged(number, game.files, [overlay])
            self._try(number, files, [game.name, "--with", overlay])
        else:
            files = damaged(number, game.files, game.documents)
            self._try(number, files, [game.name])
        return files

    def _try(self, number: int, files: Files, words: Sequence[str], more: Sequence[str] = ()) -> None:
        for name, text in files.items():
            path = self._folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "surrogatepass"))
        if more:
            self._run(number, [str(self._folder / each) if "." in each or each == words[0] else each for each in more])
        else:
            paths = [str(self._folder / each) if each[0] != "-" else each for each in words]
            ran = self._run(number, ["check", *paths, "--json"])
            for each in [] if ran.problems else misplaced(ran, self._folder):
                self.findings.add(each, str(number))
            if ran.code == 0:
                self._run(number, ["play", *paths, "--quiet", "--turns", "2", "--seed", "1"])
        for path in self._folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def _run(self, number: int, words: Sequence[str]) -> Ran:
        ran = run(words, self._watch)
        if words[0] == "odds" and ran.code != 0 and not _PLACE.search(ran.err + ran.out):
            ran.problems.append(f"no place in {ran.err.strip()[:150]!r}")
        self.findings.codes[f"{words[0]} {ran.code}"] += 1
        for each in ran.problems:
            self.findings.add(each, f"{number}: {words[0]}")
        return ran


def main(count: int, first: int = 0) -> None:
    """Tries this many rulesets, from the one with number `first`, and prints what was found."""
    os.environ["BICORNE_PATH"] = str(TESTS)
    with TemporaryDirectory() as folder, TemporaryDirectory() as cache:
        os.environ["BICORNE_CACHE"] = cache
        fuzzer = RulesetFuzzer(Path(folder), Path(cache))
        for number in range(first, first + count):
            files = fuzzer.try_number(number)
            if (number + 1) % 2_000 == 0:
                print(f"{number + 1 - first} rulesets", *fuzzer.findings.lines(), sep="\n", flush=True)
        if count == 1:
            for name, text in files.items():
                Path(name).parent.mkdir(exist_ok=True)
                Path(name).write_bytes(text.encode("utf-8", "surrogatepass"))
        print(f"{count} rulesets: {dict(fuzzer.findings.codes)}", *fuzzer.findings.lines(), sep="\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
