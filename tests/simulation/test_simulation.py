"""Simulations: the same games however they are played, kept as they end, compared in pairs."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from interpreter.language.diagnostics import RuleFault, UsageError
from interpreter.rules.loading.load import load_scenario
from interpreter.simulation.executors import play_here, play_in_processes, play_on_cluster
from interpreter.simulation.paired_comparison import compare
from interpreter.simulation.plan import GameRecord, SimulationPlan, make_plan, play_games, read_record, record_line
from interpreter.simulation.results_file import Ledger, write_table

GAMES = range(24)


@pytest.fixture(scope="module")
def plan() -> SimulationPlan:
    """Random games of the campaign."""
    return make_plan(load_scenario("fin_napoleon/campaign"), {}, "seed", {})


@pytest.fixture(scope="module")
def played(plan: SimulationPlan) -> list[GameRecord]:
    """They, played one after the other."""
    return list(play_here(plan, GAMES))


def test_workers_make_no_difference(plan: SimulationPlan, played: list[GameRecord]) -> None:
    """Two processes play the same games, down to the last state; parts end in any order."""
    assert sorted(play_in_processes(plan, GAMES, 2)) == sorted(played)
    assert [each.number for each in played] == list(GAMES)
    assert len({each.state for each in played}) == len(GAMES)


def test_a_cluster_plays_the_same_games(plan: SimulationPlan, played: list[GameRecord]) -> None:
    """A Dask cluster of two processes on this machine."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        assert sorted(play_on_cluster(plan, GAMES, cluster.scheduler_address)) == sorted(played)


def test_no_cluster_there() -> None:
    """An address where nothing answers is said, not waited for."""
    pytest.importorskip("distributed")
    plan = SimulationPlan("a/b", "", (), (), "0", ("x",))
    with pytest.raises(UsageError, match="no Dask scheduler answers at 'nowhere'"):
        list(play_on_cluster(plan, GAMES, "nowhere"))


def test_players_are_part_of_the_plan(plan: SimulationPlan, played: list[GameRecord]) -> None:
    """Greedy and search players play other games, the same ones each time."""
    scenario = load_scenario("fin_napoleon/campaign")
    seat, other = "french", "allied"
    better = make_plan(scenario, {seat: "greedy", other: "random"}, "seed", {})
    assert better.players == ((seat, "greedy"),)
    first = play_games(better, [1])
    assert first == play_games(better, [1]) != played[1:2]
    assert make_plan(scenario, {seat: "search"}, "seed", {}).players == ((seat, "search:100"),)


@pytest.mark.parametrize(
    ("players", "said"),
    [
        ({"frensh": "greedy"}, "no seat of this game; did you mean 'french'"),
        ({"french": "gredy"}, "no player 'gredy'; did you mean 'greedy'"),
        ({"french": "search:0.5s"}, "would play other games on a faster machine"),
        ({"french": "human"}, "no player 'human'"),
    ],
)
def test_bad_players(players: dict[str, str], said: str) -> None:
    """Seats and players that there are not, and those that hang on the clock."""
    with pytest.raises(UsageError, match=said):
        make_plan(load_scenario("fin_napoleon/campaign"), players, "seed", {})


def test_changed_rules_are_refused(plan: SimulationPlan) -> None:
    """A worker that has other rules than the plan says so."""
    other = SimulationPlan(plan.scenario, "other", plan.options, plan.players, plan.seed, plan.where)
    with pytest.raises(UsageError, match="not those that the simulation began with"):
        play_games(other, [0])


def test_a_fault_comes_back_whole(tmp_path: Path) -> None:
    """What goes wrong in a worker is told with its place in the rule."""
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


# ---------------------------------------------------------------- kept
def test_a_ledger_goes_on_where_it_was_cut(plan: SimulationPlan, played: list[GameRecord], tmp_path: Path) -> None:
    """A file whose last line a kill cut short keeps the games before it, and takes the rest."""
    ledger = Ledger(tmp_path / "games.jsonl", plan)
    assert ledger.read() == {}
    with ledger.writing():
        for each in played[:5]:
            ledger.add(each)
    whole = ledger.path.read_bytes()
    ledger.path.write_bytes(whole[:-7])
    assert ledger.read() == {each.number: each for each in played[:4]}
    with ledger.writing():
        for each in played[4:]:
            ledger.add(each)
    assert list(ledger.read().values()) == played


@pytest.mark.parametrize("cut", [0, 1, 20])
def test_a_ledger_cut_in_its_first_line(plan: SimulationPlan, cut: int, tmp_path: Path) -> None:
    """A kill in the very first line leaves a file that is begun anew."""
    ledger = Ledger(tmp_path / "games.jsonl", plan)
    with ledger.writing():
        pass
    ledger.path.write_bytes(ledger.path.read_bytes()[:cut])
    assert ledger.read() == {}
    with ledger.writing():
        ledger.add(GameRecord(0, None, "", 1, "x"))
    assert list(ledger.read()) == [0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hello\n", "is no file of simulated games"),
        ('{"a": 1}\n', "is no file of simulated games"),
        ("hello", "is no file of simulated games"),
    ],
)
def test_foreign_files_are_left_alone(plan: SimulationPlan, text: str, said: str, tmp_path: Path) -> None:
    """What is something else is not written over."""
    path = tmp_path / "games.jsonl"
    path.write_text(text)
    with pytest.raises(UsageError, match=said):
        Ledger(path, plan).read()
    assert path.read_text() == text


def test_another_plan_is_refused(plan: SimulationPlan, tmp_path: Path) -> None:
    """Games of another seed are not mixed in, and the difference is named."""
    path = tmp_path / "games.jsonl"
    with Ledger(path, plan).writing():
        pass
    other = SimulationPlan(plan.scenario, plan.ruleset_hash, plan.options, plan.players, "other", plan.where)
    with pytest.raises(UsageError, match="another simulation \\(seed: seed there, other now\\)"):
        Ledger(path, other).read()


def test_a_damaged_line_is_named(plan: SimulationPlan, tmp_path: Path) -> None:
    """A line that is no game is refused with its number."""
    path = tmp_path / "games.jsonl"
    ledger = Ledger(path, plan)
    with ledger.writing():
        ledger.add(GameRecord(0, ("french",), "why", 3, "x"))
    with path.open("a") as file:
        file.write("[1, 2]\n")
    with pytest.raises(UsageError, match=":3: this line is no game"):
        ledger.read()


def test_records_round_trip() -> None:
    """Winners, a tie and a game that did not end stay what they are."""
    for winners in (("a", "b"), (), None):
        record = GameRecord(3, winners, "why", 7, "hash")
        assert read_record(record_line(record)) == record


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_tables(played: list[GameRecord], suffix: str, tmp_path: Path) -> None:
    """Both forms hold every game, in order."""
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


# ---------------------------------------------------------------- compared
def test_pairs_narrow_the_difference() -> None:
    """Of 100 pairs 10 went over from one side to the other: 10 % with the interval of pairs, not of two samples."""
    before = {n: GameRecord(n, ("a",) if n < 50 else ("b",), "", 5, "x") for n in range(100)}
    after = {n: GameRecord(n, ("a",) if n < 60 else ("b",), "", 5, "x") for n in range(100)}
    found = compare(before, after)
    assert (found.games, found.ended_otherwise, found.diverged) == (100, 10, 10)
    first, second = found.differences
    assert (first.ending, first.before, first.after) == ((("a",), ""), 0.5, 0.6)
    assert first.difference == pytest.approx(0.1)
    assert (first.low, first.high) == pytest.approx((0.1 - 0.0588, 0.1 + 0.0588), abs=1e-4)
    assert second.difference == pytest.approx(-0.1)


def test_like_games_do_not_differ(played: list[GameRecord]) -> None:
    """The same games twice differ in nothing; games of other numbers are no pairs."""
    records = {each.number: each for each in played}
    found = compare(records, records)
    assert (found.ended_otherwise, found.diverged) == (0, 0)
    assert all(each.low == each.high == 0 for each in found.differences)
    with pytest.raises(ValueError, match="no games to compare"):
        compare(records, {})
