"""Saves and logs of games that got parts of others, or one other value, with right digests.

Each number makes one record, always the same: a sound one of some game, at some point of it, of which one value or part
is that of another record, of another game, seat, language or overlay, or is odd.

`python tests/support/swapped_records.py 1000` tries that many, of the shipped games; a second number is that of the
first.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from fuzzed_records import Data, Sound, log_bytes, save_bytes, sound_record
from fuzzing import ODD_VALUES, RULESETS_PATH, Findings, copied, run, watch_for

SCENARIOS = (
    *("craps/standard", "age_of_napoleon/ulm_1805", "commands_and_colors_napoleonics/rolica_1"),
    *("fin_napoleon/campaign", "napoleonic_wars/duel_1805", "nations_in_arms/marengo_1800"),
)
MOMENTS = (0, 4, 15)
ODD_LINES = ("ja", "fr", "EN", "e\u0301n", "\u202een", "\ufeffen", "en\u0000", "searching", "search:0", "greedy:-1")
"""Values for languages, players and seats."""
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("resume", "{}", "--quiet", "--turns", "1", "--log", "{folder}/new.log"),
    ("replay", "{}"),
    ("replay", "{}", "--seat", "{seat}", "--to", "end", "--json"),
    ("replay", "{}", "--to", "3", "--branch", "{folder}/branch.save"),
    ("explain", "{}", "--seat", "{seat}"),
    ("resume", "{}", "--seat", "{seat}=random", "--language", "ja", "--quiet", "--turns", "1"),
    ("odds", "{}"),
)
HEADER = ("header",)
PARTS: tuple[tuple[str, ...], ...] = (
    *[(*HEADER, each) for each in ("ruleset", "version", "ruleset_hash", "scenario", "options", "seed", "engine")],
    *[(*HEADER, each) for each in ("algorithm", "rules", "seating")],
    *[(*HEADER, "seating", each) for each in ("players", "language")],
    *[(*HEADER, "rules", each) for each in ("overlays", "entries", "tables", "sites")],
    *[(each,) for each in ("header", "inputs", "steps", "snapshots", "end")],
    *[("end", each) for each in ("drawn", "state", "result")],
)


def swapped(number: int, records: Sequence[Sound]) -> tuple[str, bytes, str]:
    """Returns the name, the bytes and the seat of a record."""
    chance = Random(f"swapped {number}")
    sound, other = chance.choice(records), chance.choice(records)
    contents = copied(sound.contents)
    if chance.random() < 0.4:
        _change_leaf(contents, chance)
    else:
        *way, last = chance.choice(PARTS)
        place, source = _below(contents, way), _below(other.contents, way)
        if last in source:
            place[last] = copied(source[last])
    write = chance.choice((save_bytes, log_bytes))
    return "game.save" if write is save_bytes else "game.log", write(contents), chance.choice((sound, other)).seat


def _below(tree: Data, way: Sequence[str]) -> Data:
    for each in way:
        tree = tree.setdefault(each, {})
    return tree


def _change_leaf(tree: Data, chance: Random) -> None:
    """Changes one value that holds no others."""
    place, key = tree, chance.choice(list(tree))
    while isinstance(place[key], dict | list) and place[key]:
        place = place[key]
        key = chance.choice(list(place) if isinstance(place, dict) else range(len(place)))
    place[key] = chance.choice((*ODD_LINES, *map(copied, ODD_VALUES)))


class SwapFuzzer:
    """Runs commands on such records in a folder of its own.

    A message about a record must name its file, and no record may be changed but by a game that goes on from it.
    """

    def __init__(self, folder: Path, cache: Path, records: Sequence[Sound]) -> None:
        self.findings = Findings()
        self._folder, self._records = folder, records
        self._watch = watch_for(folder, cache)

    def try_number(self, number: int) -> None:
        """Makes the record of a number, runs a command on it, and notes what is wrong with how it ended."""
        name, content, seat = swapped(number, self._records)
        path, command = self._folder / name, COMMANDS[number % len(COMMANDS)]
        path.write_bytes(content)
        ran = run([each.format(path, folder=self._folder, seat=seat) for each in command], self._watch)
        self.findings.codes[f"{command[0]} {ran.code}"] += 1
        problems = list(ran.problems)
        if ran.code != 0 and name not in ran.err + ran.out:
            problems.append(f"{command[0]} fails without the name of the file: {ran.err[:60]!r}")
        if path.read_bytes() != content and (ran.code != 0 or command[0] != "resume"):
            problems.append(f"{command[0]} changes the record")
        for each in problems:
            self.findings.add(each, f"{number}: {' '.join(command)} {name}")
        for made in self._folder.iterdir():
            made.unlink()


def main(count: int, first: int = 0) -> None:
    """Tries this many records, from the one with number `first`, and prints what was found."""
    os.environ["BICORNE_PATH"] = RULESETS_PATH
    with TemporaryDirectory() as folder, TemporaryDirectory() as cache:
        os.environ["BICORNE_CACHE"] = cache
        records = [sound_record(each, moment, "") for each in SCENARIOS for moment in MOMENTS]
        fuzzer = SwapFuzzer(Path(folder), Path(cache), records)
        for number in range(first, first + count):
            fuzzer.try_number(number)
        print(f"{count} records: {dict(fuzzer.findings.codes)}", *fuzzer.findings.lines(), sep="\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
