"""`bicorne diff`: what overlays change, as text and as JSON; and a ruleset written with overlays applied."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Bicorne = Callable[..., Any]

PATCHES = "overlay: {id: mended, for: craps}\npatches:\n"


@pytest.fixture
def overlay(tmp_path: Path) -> Path:
    """An overlay for the dice game that changes a title and a scenario."""
    path = tmp_path / "mended.yaml"
    path.write_text(
        f"{PATCHES}  - {{at: ruleset/title, set: Mended}}\n  - {{at: scenarios/standard/scenario/title, set: Again}}\n"
    )
    return path


def test_text_and_json_show_the_same_differences(bicorne: Bicorne, overlay: Path) -> None:
    """Both show every difference with its path, and that no example has another result."""
    ran = bicorne("diff", "craps", "--with", overlay)
    assert ran.code == 0
    assert ran.out.startswith("craps 1.0 under mended: 2 differences\n")
    assert "scenarios/standard" in ran.out
    assert "no worked example has another result" in ran.out
    data = bicorne("diff", "craps", "--with", overlay, "--json").json
    assert [each["path"] for each in data["differences"]] == ["ruleset/title", "scenarios/standard/scenario/title"]
    assert data["overlays"] == ["mended"]
    assert data["examples"] == []
    assert data["hash"]["before"] != data["hash"]["after"]
    assert bicorne("diff", "craps", "--with", overlay, "--json", "--no-examples").json["examples"] is None


def test_written_ruleset_is_complete(bicorne: Bicorne, overlay: Path, tmp_path: Path) -> None:
    """The folder contains a ruleset with its scenarios, with the hash that was printed."""
    folder = tmp_path / "whole"
    data = bicorne("diff", "craps", "--with", overlay, "--no-examples", "--write", folder, "--json").json
    assert "scenarios/standard.yaml" in data["written"]["files"]
    assert bicorne("check", folder).code == 0
    assert "title: Again" in (folder / "scenarios" / "standard.yaml").read_text("utf-8")
    again = bicorne("diff", folder, "--with", _back(tmp_path), "--json", "--no-examples").json
    assert again["hash"]["before"] == data["hash"]["after"]


def _back(tmp_path: Path) -> Path:
    path = tmp_path / "back.yaml"
    path.write_text("overlay: {id: back, for: craps}\npatches: [{at: ruleset/title, expect: Mended, set: Back}]\n")
    return path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name at least one overlay"),
        (["--with", "nothing.yaml"], "nothing.yaml"),
        (["--with", "OVERLAY", "--write", "FULL"], "exists already"),
    ],
)
def test_wrong_usage(bicorne: Bicorne, overlay: Path, tmp_path: Path, arguments: list[str], message: str) -> None:
    """Wrong usage exits with 2 and a message that says what to do."""
    words = {"OVERLAY": str(overlay), "FULL": str(tmp_path)}
    ran = bicorne("diff", "craps", *[words.get(each, each) for each in arguments])
    assert ran.code == 2
    assert message in ran.err


def test_patch_with_unknown_path_is_a_finding(bicorne: Bicorne, tmp_path: Path) -> None:
    """It exits with 1 and prints the place and the nearest known path."""
    path = tmp_path / "wrong.yaml"
    path.write_text("overlay: {id: wrong, for: craps}\npatches: [{at: ruleset/titel, set: Mended}]\n")
    ran = bicorne("diff", "craps", "--with", path)
    assert ran.code == 1
    assert "wrong.yaml:2:" in ran.err
    assert "title" in ran.err
