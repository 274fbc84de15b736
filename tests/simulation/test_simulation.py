"""Simulations: the same games on every executor, results files, and comparison in pairs."""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import Any

import pytest

from interpreter.language.diagnostics import RuleFault, UsageError
from interpreter.rules.loading.load import load_scenario
from interpreter.simulation.executors import play_here, play_in_processes, play_on_cluster
from interpreter.simulation.paired_comparison import compare
from interpreter.simulation.plan import GameRecord, SimulationPlan, make_plan, play_games, read_record, record_line
from interpreter.simulation.results_file import ResultsFile, write_table

GAMES = range(24)


SEATS = ("french", "allied")


@pytest.fixture(scope="module")
def plan() -> SimulationPlan:
    """A plan of random games of the campaign."""
    return make_plan(load_scenario("fin_napoleon/campaign"), {}, "seed", {})


@pytest.fixture(scope="module")
def played(plan: SimulationPlan) -> list[GameRecord]:
    """The games of the plan, played one after the other."""
    return list(play_here(plan, GAMES))


def test_worker_processes_play_the_same_games(plan: SimulationPlan, played: list[GameRecord]) -> None:
    """Two processes play the same games, down to the last state; chunks end in any order."""
    assert sorted(play_in_processes(plan, GAMES, 2)) == sorted(played)
    assert [each.number for each in played] == list(GAMES)
    assert len({each.state for each in played}) == len(GAMES)


def test_cluster_plays_the_same_games(plan: SimulationPlan, played: list[GameRecord]) -> None:
    """A Dask cluster of two processes on this machine plays the same games."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        assert sorted(play_on_cluster(plan, GAMES, cluster.scheduler_address)) == sorted(played)


def test_missing_cluster_is_an_error() -> None:
    """An address without a scheduler is reported."""
    pytest.importorskip("distributed")
    plan = SimulationPlan("a/b", "", (), (), "0", ("x",))
    with pytest.raises(UsageError, match="no Dask scheduler answers at 'nowhere'"):
        list(play_on_cluster(plan, GAMES, "nowhere"))


def test_plan_includes_players(plan: SimulationPlan, played: list[GameRecord]) -> None:
    """Greedy and search players play different games, the same ones each time."""
    scenario = load_scenario("fin_napoleon/campaign")
    seat, other = "french", "allied"
    better = make_plan(scenario, {seat: "greedy", other: "random"}, "seed", {})
    assert better.players == ((seat, "greedy"),)
    first = play_games(better, [1])
    assert first == play_games(better, [1]) != played[1:2]
    assert make_plan(scenario, {seat: "search"}, "seed", {}).players == ((seat, "search:100"),)


@pytest.mark.parametrize(
    ("players", "message"),
    [
        ({"frensh": "greedy"}, "no seat 'frensh' in this game; did you mean 'french'"),
        ({"french": "gredy"}, "no player 'gredy'; did you mean 'greedy'"),
        ({"french": "search:0.5s"}, "would play different games on a faster machine"),
        ({"french": "human"}, "no player 'human'"),
    ],
)
def test_invalid_players_are_refused(players: dict[str, str], message: str) -> None:
    """Unknown seats and players are refused, and players whose choices depend on the clock."""
    with pytest.raises(UsageError, match=message):
        make_plan(load_scenario("fin_napoleon/campaign"), players, "seed", {})


def test_changed_rules_are_refused(plan: SimulationPlan) -> None:
    """A worker whose rules differ from those of the plan refuses to play."""
    other = SimulationPlan(plan.scenario, "other", plan.options, plan.players, plan.seed, plan.where)
    with pytest.raises(UsageError, match="have changed since the simulation began"):
        play_games(other, [0])


def test_fault_in_worker_keeps_its_place(tmp_path: Path) -> None:
    """A fault in a worker process is raised here with its place in the rule."""
    folder = tmp_path / "broken"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "ruleset.yaml").write_text(
        "ruleset: {id: broken, title: Broken, version: 1.0.0}\n"
        "kinds: {side: {is: seat, members: [red, blue]}}\n"
        'tables: {t: {keys: {n: int}, gives: int, grid: "n | 1 2\\nr | 1 2"}}\n'
        "state: {last: int = 0}\n"
        "sequence: {game: {do: 'set last = t[last + 7]'}}\n"
    )
    (folder / "scenarios" / "only.yaml").write_text(
        "scenario: {id: only, title: Only, ruleset: broken, versions: '>=1'}\n"
    )
    plan = make_plan(load_scenario(folder / "scenarios" / "only.yaml", paths=[folder]), {}, "0", {})
    with pytest.raises(RuleFault) as fault:
        list(play_in_processes(plan, range(4), 2))
    assert fault.value.diagnostic.place.line == 5


# ---------------------------------------------------------------- results files
def test_interrupted_results_file_continues(plan: SimulationPlan, played: list[GameRecord], tmp_path: Path) -> None:
    """A file with an incomplete last line keeps the games before it and accepts further ones."""
    results = ResultsFile(tmp_path / "games.jsonl", plan, SEATS)
    assert results.read() == {}
    with results.opened():
        for each in played[:5]:
            results.add(each)
    whole = results.path.read_bytes()
    results.path.write_bytes(whole[:-7])
    assert results.read() == {each.number: each for each in played[:4]}
    with results.opened():
        for each in played[4:]:
            results.add(each)
    assert list(results.read().values()) == played


@pytest.mark.parametrize("cut", [0, 1, 20])
def test_incomplete_first_line_is_replaced(plan: SimulationPlan, cut: int, tmp_path: Path) -> None:
    """A file with an incomplete first line is overwritten."""
    results = ResultsFile(tmp_path / "games.jsonl", plan, SEATS)
    with results.opened():
        pass
    results.path.write_bytes(results.path.read_bytes()[:cut])
    assert results.read() == {}
    with results.opened():
        results.add(GameRecord(0, None, "", 1, "x"))
    assert list(results.read()) == [0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello\n", "is not a simulation results file"),
        ('{"a": 1}\n', "is not a simulation results file"),
        ("hello", "is not a simulation results file"),
        ("[]\n", "is not a simulation results file"),
        ("[" * 100_000 + "\n", "is not a simulation results file"),
    ],
)
def test_foreign_file_is_not_overwritten(plan: SimulationPlan, text: str, message: str, tmp_path: Path) -> None:
    """A file with other content is refused and stays unchanged."""
    path = tmp_path / "games.jsonl"
    path.write_text(text)
    with pytest.raises(UsageError, match=message):
        ResultsFile(path, plan, SEATS).read()
    assert path.read_text() == text


def test_named_pipe_is_no_results_file(plan: SimulationPlan, tmp_path: Path) -> None:
    """A named pipe is refused at once; nothing waits for somebody to write to it."""
    path = tmp_path / "games.jsonl"
    os.mkfifo(path)
    with pytest.raises(UsageError, match="is a named pipe, not a file"):
        ResultsFile(path, plan, SEATS).read()


def test_results_of_different_plan_are_refused(plan: SimulationPlan, tmp_path: Path) -> None:
    """A results file of a plan with a different seed is refused, and the difference is named."""
    path = tmp_path / "games.jsonl"
    with ResultsFile(path, plan, SEATS).opened():
        pass
    other = SimulationPlan(plan.scenario, plan.ruleset_hash, plan.options, plan.players, "other", plan.where)
    with pytest.raises(UsageError, match="another simulation \\(seed: seed in the file, other now\\)"):
        ResultsFile(path, other, SEATS).read()


@pytest.mark.parametrize(
    "line",
    ["[1, 2]", "{}", "1", "", "[" * 5_000, "[0, null, 1, 2, 3]", '[0, 5, "", 1, ""]',
     '[0, ["nobody"], "", 1, ""]', '[0, [["french"]], "", 1, ""]', '[0, "french", "", 1, ""]',
     '[-1, null, "", 1, ""]', '[true, null, "", 1, ""]', '[0, null, "", -1, ""]', '[0.5, null, "", 1, ""]'],
)  # fmt: skip
def test_damaged_line_is_reported(plan: SimulationPlan, line: str, tmp_path: Path) -> None:
    """A line that does not hold a game of these seats is refused with its number."""
    path = tmp_path / "games.jsonl"
    results = ResultsFile(path, plan, SEATS)
    with results.opened():
        results.add(GameRecord(0, ("french",), "why", 3, "x"))
    with path.open("a") as file:
        file.write(f"{line}\n")
    with pytest.raises(UsageError, match=":3: this line is not a game"):
        results.read()


@pytest.mark.parametrize("line", ["[]", "[" * 5_000, '{"form": []}', '{"form": "bicorne-games-1"}'])
def test_damaged_head_is_reported(plan: SimulationPlan, line: str, tmp_path: Path) -> None:
    """A file whose first line is not that of a simulation is refused."""
    path = tmp_path / "games.jsonl"
    path.write_text(f"{line}\n")
    with pytest.raises(UsageError, match=r"not a simulation results file|another simulation"):
        ResultsFile(path, plan, SEATS).read()


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\xff",
        b"{}",
        b"[1, 2]",
        b'[0, null, "", 1, NaN]',
        b'[0.0, null, "", 1, "x"]',
        b'[true, null, "", 1, "x"]',
        b'[0, "french", "", 1, "x"]',
        b'[0, [7], "", 1, "x"]',
        b'[0, null, null, 1, "x"]',
        b'[0, null, "", "1", "x"]',
        b'[0, null, "", 1, {}]',
        b'[0, null, "\\ud800", 1, "x"]',
        b"[" * 100_000,
    ],
)
def test_other_lines_are_no_games(line: bytes) -> None:
    """A line that is no strict JSON, or has a value of another type, is no game."""
    with pytest.raises(ValueError, match=r"."):
        read_record(line, ("french",))


def test_game_records_round_trip() -> None:
    """Winners, a tie and a game that did not end survive writing and reading."""
    for winners in (("a", "b"), (), None):
        record = GameRecord(3, winners, "why", 7, "hash")
        assert read_record(record_line(record).encode(), ("a", "b")) == record


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_table_holds_every_game(played: list[GameRecord], suffix: str, tmp_path: Path) -> None:
    """CSV and Parquet files hold every game, in order."""
    pytest.importorskip("pyarrow")
    path = tmp_path / f"games{suffix}"
    write_table(path, reversed(played))
    rows = _rows(path)
    assert [int(row["game"]) for row in rows] == list(GAMES)
    assert [row["winners"] for row in rows] == ["+".join(each.winners or ()) for each in played]
    assert [int(row["decisions"]) for row in rows] == [each.decisions for each in played]
    assert list(tmp_path.iterdir()) == [path]


def _rows(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".csv":
        with path.open(newline="") as file:
            return list(csv.DictReader(file))
    from pyarrow import parquet

    rows: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    return rows


# ---------------------------------------------------------------- paired comparison
def test_pairs_narrow_the_interval() -> None:
    """If 10 of 100 pairs change sides, the difference is 10 % with the interval of paired samples."""
    before = {n: GameRecord(n, ("a",) if n < 50 else ("b",), "", 5, "x") for n in range(100)}
    after = {n: GameRecord(n, ("a",) if n < 60 else ("b",), "", 5, "x") for n in range(100)}
    found = compare(before, after)
    assert (found.games, found.different_endings, found.diverged) == (100, 10, 10)
    first, second = found.differences
    assert (first.ending, first.before, first.after) == ((("a",), ""), 0.5, 0.6)
    assert first.difference == pytest.approx(0.1)
    assert (first.low, first.high) == pytest.approx((0.1 - 0.0588, 0.1 + 0.0588), abs=1e-4)
    assert second.difference == pytest.approx(-0.1)


def test_equal_games_do_not_differ(played: list[GameRecord]) -> None:
    """Equal games have no differences, and games without a common number cannot be compared."""
    records = {each.number: each for each in played}
    found = compare(records, records)
    assert (found.different_endings, found.diverged) == (0, 0)
    assert all(each.low == each.high == 0 for each in found.differences)
    with pytest.raises(ValueError, match="no games to compare"):
        compare(records, {})
