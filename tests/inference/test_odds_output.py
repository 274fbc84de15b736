"""Output of odds: quantiles, two sets of rules side by side, charts."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.inference.odds import Odds

BATTLE = """\
with: {area: Austria_area, active: France}
board:
  unit:
    - {id: France_1, at: Austria_area}
    - {id: Austria_1, at: Austria_area}
"""
ERRATUM = """\
overlay: {id: threes_hit, for: fin_napoleon, versions: ">=1 <2"}
patches:
  - {at: tables/combat_table/3, expect: 0, set: 1}
"""
DIE = Odds("die", ("face",), tuple(((str(face),), Fraction(1, 6)) for face in range(1, 7)), 6)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A battle and an erratum."""
    (tmp_path / "battle.yaml").write_text(BATTLE)
    (tmp_path / "erratum.yaml").write_text(ERRATUM)
    return str(tmp_path / "battle.yaml"), str(tmp_path / "erratum.yaml")


@pytest.mark.parametrize(
    ("share", "value"),
    [(Fraction(1, 6), 1), (Fraction(1, 6) + Fraction(1, 1000), 2), (Fraction(1, 2), 3), (Fraction(1), 6)],
)
def test_quantiles_of_a_die_are_exact(share: Fraction, value: int) -> None:
    """A quantile is the least face that is not exceeded with that probability, exact at the boundary."""
    assert DIE.quantile("face", share) == value


@pytest.mark.parametrize("share", [Fraction(0), Fraction(-1, 2), Fraction(3, 2)])
def test_quantile_refuses_shares_outside_0_to_1(share: Fraction) -> None:
    """Shares outside 0 to 1 are refused."""
    with pytest.raises(ValueError, match="between 0 and 1"):
        DIE.quantile("face", share)


def test_words_have_no_quantile() -> None:
    """An outcome in words has none."""
    assert Odds("p", ("who",), ((("red",), Fraction(1)),), 1).quantile("who", Fraction(1, 2)) is None


def test_compared_odds_show_both_sides(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """Both sets of odds, exact, with the difference; the JSON holds both whole."""
    battle, erratum = files
    command = ["odds", "fin_napoleon", "combat", "--given", battle, "--with", erratum, "--compare"]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert "0 1 french_hold 4/9 44.44% 1/2 50.00% +5.56%" in " ".join(out.split())
    assert "without: mean french losses" in out
    assert main([*command, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["without"]["rows"][0]["exact"], data["with"]["rows"][0]["exact"]) == ("4/9", "1/2")
    assert data["without"]["quantiles"]["french_losses"] == {"0.1": 0, "0.5": 0, "0.9": 1}


WARY = """\
overlay: {id: wary, for: fin_napoleon}
patches:
  - at: procedures/combat/when/enemies
    set: {id: enemies, cite: "10.2", unless: active = France, says: France is active., warns: true}
"""


def test_warnings_are_printed_with_odds(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A warning is a line above the odds, said of the side that it is about, and in the JSON with id and clauses."""
    wary = tmp_path / "wary.yaml"
    wary.write_text(WARY, encoding="utf-8")
    command = ["odds", "fin_napoleon", "combat", "--given", files[0], "--with", str(wary)]
    assert main(command) == 0
    assert capsys.readouterr().out.splitlines()[1] == "warning: France is active.  [10.2]"
    assert main([*command, "--json"]) == 0
    warning = {"name": "enemies", "text": "France is active.", "cites": ["10.2"]}
    assert json.loads(capsys.readouterr().out)["warnings"] == [warning]
    assert main([*command, "--compare"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "warning with: France is active.  [10.2]"


@pytest.mark.parametrize(("name", "begins"), [("odds.svg", b"<?xml"), ("odds.png", b"\x89PNG")])
def test_charts_are_deterministic(files: tuple[str, str], name: str, begins: bytes, tmp_path: Path) -> None:
    """A chart in either format, of one ruleset or two, is the same file each time."""
    pytest.importorskip("matplotlib")
    battle, erratum = files
    chart = tmp_path / name
    command = ["odds", "fin_napoleon", "combat", "--given", battle, "--chart", str(chart), "--json"]
    assert main(command) == 0
    assert chart.read_bytes().startswith(begins)
    assert main([*command, "--with", erratum, "--compare"]) == 0
    assert chart.read_bytes().startswith(begins)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["battle.yaml", "erratum.yaml", name]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--chart", "odds.pdf"], "a chart is written as .svg or .png"),
        (["--chart", "nowhere/odds.svg"], "there is no folder"),
        (["--compare"], "--with FILE"),
    ],
)
def test_wrong_usage_is_reported_first(
    files: tuple[str, str], more: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What cannot be drawn or compared is reported before anything is computed."""
    assert main(["odds", "fin_napoleon", "combat", "--given", files[0], *more]) == 2
    assert said in capsys.readouterr().err
