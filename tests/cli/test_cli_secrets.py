"""What `play`, `resume` and `replay` print of a game in which something is hidden, or several people play."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli.recorded_games import read_recording
from interpreter.play.records.logfile import log_text

Bicorne = Callable[..., Any]
HIDDEN, OPEN = "three_suits", "craps/standard"
NORTH, EAST = ("--seat", "north=human"), ("--seat", "east=human")
_HASH = re.compile(r"\b[0-9a-f]{32,64}\b")


def committed(seed: object) -> str:
    """The commitment to a seed, as anybody can compute it."""
    return sha256(f"bicorne seed 1:{seed}".encode()).hexdigest()


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Puts lines on standard input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join([f"{each}\n" for each in lines])))


def ended(ran: Any) -> dict[str, Any]:
    """The last line of a game in JSON Lines."""
    end: dict[str, Any] = json.loads(ran.out.splitlines()[-1])["end"]
    return end


def state_of(bicorne: Bicorne, save: Path) -> str:
    """The state in which a saved game stopped, as its host may know it."""
    return str(bicorne("replay", save, "--json").json["state"])


def test_hidden_game_commits_to_its_seed(bicorne: Bicorne) -> None:
    """A seed that was drawn is printed only at the end, and fits the commitment that was printed at the start."""
    lines = bicorne("play", HIDDEN).out.splitlines()
    commitment, seed = lines[1].rpartition(" ")[2], lines[-1].split("was ")[1].split(";")[0]
    assert len(seed) == 32
    assert committed(seed) == commitment
    assert seed not in "\n".join(lines[:-1])
    assert lines[-1].endswith(commitment)


def test_unfinished_hidden_game_keeps_its_secrets(bicorne: Bicorne, tmp_path: Path) -> None:
    """A game that stops early prints neither its seed nor the hash of its state, only that of what all may see."""
    save = tmp_path / "a.save"
    ran = bicorne("play", HIDDEN, "--seed", "drawn-by-lot", "--turns", 1, "--save", save)
    assert "drawn-by-lot" not in ran.out
    hashes = set(_HASH.findall(ran.out))
    assert hashes - {committed("drawn-by-lot")} == set(re.findall(r"View of all: (\w+)", ran.out))
    assert state_of(bicorne, save) not in ran.out
    end = ended(bicorne("play", HIDDEN, "--seed", "drawn-by-lot", "--turns", 1, "--json"))
    assert (end["seed"], end["state"], end["commitment"]) == (None, None, committed("drawn-by-lot"))


def test_resumed_game_shows_the_same_commitment(bicorne: Bicorne, tmp_path: Path) -> None:
    """Each session of a hidden game shows the same commitment, and the last one the seed."""
    save = tmp_path / "a.save"
    first = bicorne("play", HIDDEN, "--turns", 1, "--save", save).out
    commitment = first.splitlines()[1].rpartition(" ")[2]
    rest = bicorne("resume", save).out
    assert rest.splitlines()[1].endswith(commitment)
    seed = rest.splitlines()[-1].split("was ")[1].split(";")[0]
    assert committed(seed) == commitment


def test_person_reads_the_hash_of_their_own_view(
    bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A person who leaves a hidden game reads the hash of what they may see, and of nothing else."""
    save = tmp_path / "a.save"
    typed(monkeypatch, "1", "quit")
    ran = bicorne("play", HIDDEN, "--seed", 5, *NORTH, "--save", save)
    found = re.search(r"View of north: (\w+)", ran.out)
    assert found is not None
    assert state_of(bicorne, save) not in ran.out
    typed(monkeypatch, "quit")
    again = bicorne("resume", save, *NORTH)
    assert f"View of north: {found[1]}" in again.out


def test_quiet_hidden_game_of_people_shows_its_commitment(bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch) -> None:
    """--quiet leaves out the title, but not the commitment that people can check at the end."""
    typed(monkeypatch, "quit")
    assert committed(5) in bicorne("play", HIDDEN, "--seed", 5, "--quiet", *NORTH).out
    assert committed(5) not in bicorne("play", HIDDEN, "--seed", 5, "--quiet", "--turns", 1).out


@pytest.mark.parametrize("people", [1, 2])
def test_seed_of_open_game_is_secret_from_a_second_person(
    bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch, people: int
) -> None:
    """In an open game one person reads the seed at the start; two read the commitment, and the state at the end."""
    typed(monkeypatch, "quit")
    seats = [part for seat in ("ann", "bob")[:people] for part in ("--seat", f"{seat}=human")]
    out = bicorne("play", OPEN, "--seed", "drawn-by-lot", *seats).out
    assert ("seed drawn-by-lot" in out) is (people == 1)
    assert ("drawn-by-lot" in out) is (people == 1)
    assert (committed("drawn-by-lot") in out) is (people == 2)
    assert "State: " in out


def test_replay_checks_the_dice(bicorne: Bicorne, tmp_path: Path) -> None:
    """`replay` prints the seed with its commitment and compares all dice; a changed die is a finding."""
    log = tmp_path / "a.log"
    bicorne("play", OPEN, "--seed", 5, "--log", log)
    recording = read_recording(log)
    ran = bicorne("replay", log)
    dice = sum(len(each) - 2 for each in recording.inputs if each[0] in "dr")
    assert dice > 5
    assert (ran.code, f"all {dice} dice and random picks are those of the seed" in ran.out) == (0, True)
    assert f"Seed of the dice: 5\nCommitment: {committed(5)}\n" in ran.out
    log.write_text(log_text(replace(recording, header=replace(recording.header, seed=6))))
    ran = bicorne("replay", log)
    assert (ran.code, "the dice are not those of the seed from input " in ran.out) == (1, True)


def test_dice_of_an_older_algorithm_are_replayed_and_not_compared(bicorne: Bicorne, tmp_path: Path) -> None:
    """A game of an older engine has other dice for its seed: they are recorded, so that it replays and resumes."""
    log, save = tmp_path / "a.log", tmp_path / "b.save"
    bicorne("play", OPEN, "--seed", 5, "--turns", 1, "--log", log)
    recording = read_recording(log)
    older = replace(recording.header, seed=6, algorithm="mt19937-getrandbits-1")
    log.write_text(log_text(replace(recording, header=older)))
    ran = bicorne("replay", log)
    assert (ran.code, "every state is as recorded" in ran.out) == (0, True)
    assert "not compared with the seed; their algorithm is older (mt19937-getrandbits-1)" in ran.out
    assert bicorne("replay", log, "--branch", save).code == 0
    assert bicorne("resume", save).code == 0
    assert bicorne("replay", save).code == 0


def test_computer_agrees_to_no_undo_in_a_hidden_game(bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person can't take a decision back after others have acted, by agreeing for the computers."""
    typed(monkeypatch, "1", "undo agree", "quit")
    out = bicorne("play", HIDDEN, "--seed", 5, *NORTH).out
    assert "a computer player does not agree" in out


def test_two_people_agree_to_an_undo_in_a_hidden_game(bicorne: Bicorne, monkeypatch: pytest.MonkeyPatch) -> None:
    """If only people play, 'undo agree' takes a decision back for them."""
    typed(monkeypatch, *["", "none"] * 3, "", "undo agree", "quit")
    out = bicorne("play", HIDDEN, "--seed", 5, *NORTH, *EAST, "--seat", "west=human").out
    assert "undone" in out


def test_log_of_a_seat_can_be_given_away(bicorne: Bicorne, tmp_path: Path) -> None:
    """`explain FILE --seat` lists what the seat may know: no hidden card, no seed, no hash; numbered without gaps."""
    save = tmp_path / "a.save"
    bicorne("play", HIDDEN, "--seed", "drawn-by-lot", "--turns", 1, "--save", save)
    whole, own = (bicorne("explain", save, *more).out for more in ((), ("--seat", "north")))
    assert "hidden card" in own
    assert "hidden card" not in whole
    assert not _HASH.findall(own)
    assert "drawn-by-lot" not in own
    entries = bicorne("explain", save, "--seat", "north", "--json").json
    assert [each["number"] for each in entries] == list(range(1, len(entries) + 1))
    hidden = next(each for each in entries if "hidden card" in each["text"])
    explained = bicorne("explain", save, "--seat", "north", "--at", hidden["number"]).out
    assert explained.startswith(f"{hidden['number']}: {hidden['text']}")
    ran = bicorne("explain", save, "--seat", "nroth")
    assert (ran.code, "did you mean 'north'" in ran.err) == (2, True)
    assert bicorne("explain", HIDDEN, "play.1", "--seat", "north").code == 2
