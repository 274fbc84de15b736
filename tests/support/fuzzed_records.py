"""Damages saves, logs and files of simulated games at random, with right digests, and runs commands on them.

The contents of sound records are changed as trees of JSON data. Then all digests are computed anew, so that the damage
reaches the code behind them. Some records get changed bits and lines instead. Each number makes one file, always the
same.

`python tests/support/fuzzed_records.py 100000` tries that many files; `python tests/support/fuzzed_records.py 1 4711`
tries number 4711 and leaves the file in the working directory.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from fuzzing import RULESETS_PATH, Findings, change_bytes, change_tree, copied, run, watch_for

from interpreter.language.strict_json import canonical_json
from interpreter.play.engine.source import source_of
from interpreter.play.records.recording import RecordedGame, chain_digest
from interpreter.play.records.save_database import APPLICATION_ID, FORMAT, TABLES
from interpreter.play.records.seating import Seating
from interpreter.rules.loading.load import load_scenario
from interpreter.simulation.executors import play_here
from interpreter.simulation.plan import make_plan, seat_ids
from interpreter.simulation.results_file import ResultsFile

Data = dict[str, Any]

OVERLAY = """overlay: {id: short, for: craps, title: Short}
patches:
  - {at: clauses/stake.2/says, set: "The limit is five chips."}
"""
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("replay", "{}"),
    ("explain", "{}"),
    ("resume", "{}", "--quiet", "--turns", "1"),
    ("replay", "{}", "--json", "--with", "{folder}/short.yaml"),
    ("explain", "{}", "--json", "--at", "2", "--seat", "{seat}"),
    ("replay", "{}", "--without", "short", "--branch", "{folder}/branch.save"),
)
ODDS_EVERY = 50
"""One save or log in this number is asked for odds, which take as long as many replays."""
ODDS = ("odds", "{}")
GAMES_EVERY = 11
"""One file in this number is a file of simulated games."""
SIMULATED = "craps/standard"
SIMULATE = ("simulate", SIMULATED, "--games", "4", "--workers", "1", "--out", "{}")


# ---------------------------------------------------------------- sound records
@dataclass(frozen=True)
class Sound:
    """A sound record: its contents as JSON data, and the seat whose view is asked for."""

    contents: Data
    seat: str


def sound_records() -> list[Sound]:
    """Returns records of games of the test rulesets: with open and hidden things, windows, and an overlay or none."""
    with TemporaryDirectory() as folder:
        overlay = Path(folder) / "short.yaml"
        overlay.write_text(OVERLAY, encoding="utf-8")
        return [
            sound_record("craps/standard", 40, "ann", overlays=[overlay]),
            sound_record("craps/standard", 6, "ann"),
            sound_record("breakthrough/standard", 12, "white"),
            sound_record("three_suits/standard", 20, ""),
            sound_record("skirmish/standard", 9, "red"),
        ]


def sound_record(scenario: str, decisions: int, seat: str, **loading: Any) -> Sound:
    """Returns a record of a game after a number of decisions; without `seat`, the first one's view is asked for."""
    game = RecordedGame(load_scenario(scenario, **loading), seed=7, snapshot_every=3)
    game.seating = Seating(dict.fromkeys(game.seats, "random"), "ja")
    chance = Random(1)
    for _ in range(decisions):
        if game.decision is None:
            break
        game.choose_index(chance.randrange(len(game.decision.options)))
    now = game.recording
    contents = {
        "header": now.header.data(),
        "inputs": now.inputs,
        "steps": now.steps,
        "snapshots": {str(number): data for number, data in now.snapshots.items()},
        "end": {"drawn": now.drawn, "state": now.state, "result": now.result},
    }
    return Sound(json.loads(canonical_json(contents)), seat or game.seats[0])


def sound_games() -> list[Any]:
    """Returns the lines of a file of simulated games."""
    scenario = load_scenario(SIMULATED)
    plan = make_plan(scenario, {}, "0", {})
    with TemporaryDirectory() as folder:
        results = ResultsFile(Path(folder) / "games.jsonl", plan, seat_ids(source_of(scenario)))
        with results.opened():
            for each in play_here(plan, range(4)):
                results.add(each)
        return [json.loads(each) for each in results.path.read_text(encoding="utf-8").splitlines()]


# ---------------------------------------------------------------- files with right digests
def log_bytes(contents: Data, chance: Random | None = None) -> bytes:
    """Returns a log of any contents with right digests; `chance` moves, doubles or removes lines of it."""
    lines: list[Any] = [{"bicorne_log": 2, "header": contents["header"]}]
    done = 0
    for number, (path, inputs, state) in enumerate(map(_step, _items(contents["steps"])), 1):
        lines += [{"input": each} for each in _items(contents["inputs"])[done:inputs]]
        lines.append({"step": number, "path": path, "state": state})
        done = max(done, inputs)
    lines += [{"input": each} for each in _items(contents["inputs"])[done:]]
    lines.append({"end": contents["end"]})
    if chance is not None:
        for _ in range(chance.randrange(1, 3)):
            change_tree(lines or [0], chance)
    chain, texts = "", []
    for line in lines:
        if isinstance(line, dict):
            line.pop("chain", None)
        chain = _digest(chain, canonical_json(line))
        texts.append(canonical_json(line | {"chain": chain} if isinstance(line, dict) else line))
    return ("\n".join(texts) + "\n").encode("utf-8", "surrogatepass")


def save_bytes(contents: Data) -> bytes:
    """Returns a save of any contents with right digests."""
    root = _digest("", canonical_json(contents["header"]))
    inputs, chains = _items(contents["inputs"]), [root]
    for each in inputs:
        chains.append(_digest(chains[-1], canonical_json(each)))
    steps = [_step(each) for each in _items(contents["steps"])]
    step_chains = [root]
    for path, count, state in steps:
        before = chains[min(max(count, 0), len(inputs))]
        step_chains.append(_digest(step_chains[-1], canonical_json([before, path, count, state])))
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {FORMAT}")
        for table in TABLES.values():
            connection.execute(table)
        _insert(connection, "meta", 1, canonical_json(contents["header"]))
        step = 0
        for number, each in enumerate(inputs, 1):
            while step < len(steps) and steps[step][1] < number:
                step += 1
            _insert(connection, "inputs", number, step + 1, canonical_json(each), chains[number])
        for number, (path, count, state) in enumerate(steps, 1):
            _insert(connection, "steps", number, path, count, state, step_chains[number])
        snapshots = []
        for name, data in _entries(contents["snapshots"]):
            if name.isascii() and name.isdecimal() and 0 < int(name) < len(step_chains):
                text = canonical_json(data)
                snapshots.append(int(name))
                _insert(connection, "snapshots", int(name), text, _digest(step_chains[int(name)], text))
        counts = {"inputs": len(inputs), "steps": len(steps), "snapshots": sorted(set(snapshots))}
        end = {"drawn": 0, "state": "", "result": None} | dict(_entries(contents["end"]))
        text = canonical_json(counts | end)
        _insert(connection, "head", 1, text, _digest(chains[-1] + step_chains[-1], text))
        connection.commit()
        return connection.serialize()


def _insert(connection: sqlite3.Connection, table: str, *values: Any) -> None:
    encoded = [each.encode("utf-8", "surrogatepass") if isinstance(each, str) else each for each in values]
    as_text = ", ".join("CAST(? AS TEXT)" if isinstance(each, bytes) else "?" for each in encoded)
    connection.execute(f"INSERT OR REPLACE INTO {table} VALUES ({as_text})", encoded)


def _digest(before: str, text: str) -> str:
    return chain_digest(before, text.encode("utf-8", "replace").decode())


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _entries(value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, dict) else []


def _step(value: Any) -> tuple[str, int, str]:
    """Returns a step of any shape with the types that the tables demand."""
    path, inputs, state = [*_items(value), 0, 0, 0][:3]
    count = inputs if isinstance(inputs, int) and abs(inputs) < 2**62 else 0
    return path if isinstance(path, str) else canonical_json(path), int(count), state if isinstance(state, str) else ""


# ---------------------------------------------------------------- damaged files
def damaged(number: int, records: Sequence[Sound]) -> tuple[str, bytes, str]:
    """Returns the name, the bytes and the seat of a damaged record."""
    chance = Random(number)
    sound = chance.choice(records)
    contents = copied(sound.contents)
    sort = chance.choice(("log", "save"))
    as_bytes: Callable[[Data], bytes] = log_bytes if sort == "log" else save_bytes
    match chance.randrange(10):
        case 0 | 1:
            return f"game.{sort}", change_bytes(as_bytes(contents), chance), sound.seat
        case 2:
            return "game.log", log_bytes(contents, chance), sound.seat
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        part = chance.choice(("header", "rules", "inputs", "inputs", "steps", "snapshots", "end"))
        tree = contents["header"].get("rules") if part == "rules" else contents.get(part)
        if not isinstance(tree, dict | list) or not tree:
            part, tree = "", contents
        change_tree(tree, chance)
        contents = {**copied(sound.contents), **contents}
        if not isinstance(contents["header"], dict):
            break
    return f"game.{sort}", as_bytes(contents), sound.seat


def damaged_games(number: int, lines: Sequence[Any]) -> bytes:
    """Returns a damaged file of simulated games."""
    chance, changed = Random(number), copied(lines)
    for _ in range(chance.choice((0, 1, 1, 2))):
        change_tree(changed or [0], chance)
    content = "".join([json.dumps(each) + "\n" for each in changed]).encode()
    return content if chance.random() < 0.8 else change_bytes(content, chance)


class Fuzzer:
    """Runs commands on damaged records in a folder of its own."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.findings = Findings()
        self._folder = folder
        self._watch = watch_for(folder, cache)
        self._records, self._games = sound_records(), sound_games()
        (folder / "short.yaml").write_text(OVERLAY, encoding="utf-8")

    def try_number(self, number: int, *, all_commands: bool = False) -> tuple[str, bytes]:
        """Makes the file of a number and runs commands on it: one that is chosen by the number, or all of its sort.

        Returns the name of the file and its content.
        """
        one = ODDS if number % ODDS_EVERY == 0 else COMMANDS[number % len(COMMANDS)]
        chosen: Sequence[Sequence[str]] = (*COMMANDS, ODDS) if all_commands else (one,)
        if number % GAMES_EVERY == 0:
            name, content, seat, chosen = "games.jsonl", damaged_games(number, self._games), "", (SIMULATE,)
        else:
            name, content, seat = damaged(number, self._records)
        path = self._folder / name
        for each in chosen:
            path.write_bytes(content)
            before = self._listed()
            words = [word.format(path, folder=self._folder, seat=seat) for word in each]
            ran = run(words, self._watch)
            shown = " ".join(each)
            self.findings.codes[f"{each[0]} {ran.code}"] += 1
            problems = list(ran.problems)
            problems += [f"{each[0]} changes {name}" for name in self._changed(before, path, each)]
            for problem in problems:
                self.findings.add(problem, f"{number}: {shown}")
        path.unlink(missing_ok=True)
        (self._folder / "branch.save").unlink(missing_ok=True)
        return name, content

    def _listed(self) -> dict[str, bytes]:
        return {each.name: each.read_bytes() for each in self._folder.iterdir()}

    def _changed(self, before: dict[str, bytes], path: Path, command: Sequence[str]) -> list[str]:
        """Returns the names of files that a command changed although it may not."""
        after = self._listed()
        allowed = {path.name} if command[0] in {"resume", "simulate"} else {"branch.save"}
        return [
            name for name in before.keys() | after.keys() if before.get(name) != after.get(name) and name not in allowed
        ]


def main(count: int, first: int = 0) -> None:
    """Tries this many files, from the one with number `first`, and prints what was found."""
    os.environ["BICORNE_PATH"] = RULESETS_PATH
    with TemporaryDirectory() as folder, TemporaryDirectory() as cache:
        os.environ["BICORNE_CACHE"] = cache
        fuzzer = Fuzzer(Path(folder), Path(cache))
        for number in range(first, first + count):
            name, content = fuzzer.try_number(number, all_commands=count == 1)
            if (number + 1) % 2_000 == 0:
                print(f"{number + 1 - first} files", *fuzzer.findings.lines(), sep="\n", flush=True)
        if count == 1:
            Path(name).write_bytes(content)
        print(f"{count} files: {dict(fuzzer.findings.codes)}", *fuzzer.findings.lines(), sep="\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
