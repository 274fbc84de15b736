"""A patch of what a card says or does may cite its clause and have a standing, which the reports show."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.loading.load import load_ruleset
from interpreter.workshop.coverage.provenance import provenance

CARDS = """\
ruleset: {id: cards, title: Cards, version: "1"}
clauses:
  - {id: "1", kind: rule, says: A card does what it says.}
  - {id: "2", kind: rule, says: The errata of the cards.}
kinds:
  side: {is: seat, members: [red], has: {gold: "int = 0"}}
  event:
    is: thing
    has: {text: text, worth: int}
    procedures:
      play: {cite: "1", takes: {side: side}}
individuals:
  event:
    loan: {cite: "1", text: {en: Take gold., ja: 金を取る。}, worth: 2, play: set side.gold += 2}
sequence: {game: {cite: "1", do: loan.play(red)}}
"""


def patched(folder: Path, patch: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """Returns the attributes of the card that are figures under a patch, with their standings and clauses."""
    (folder / "ruleset.yaml").write_text(CARDS, encoding="utf-8")
    text = f"overlay: {{id: errata, for: cards}}\npatches:\n  - {{at: individuals/event/loan/{patch}}}\n"
    ruleset = load_ruleset(folder, [OverlayFile(Path("errata.yaml"), text.encode())])
    found = [each for each in provenance(ruleset).figures if each.path.startswith("individuals/event/loan")]
    return [(each.path.rpartition("/")[2], each.standing, each.cites) for each in found]


WORTH = ("worth", "stated", ("1",))


@pytest.mark.parametrize(
    "patch",
    [
        'text, set: {en: Take two gold., ja: 2金を取る。}, cite: "2", standing: derived',
        'text/en, set: Take two gold., cite: "2", standing: derived',
        'text/en, replace_text: {gold: two gold}, cite: "2", standing: derived',
    ],
)
def test_patched_text_of_a_card_has_its_own_basis(tmp_path: Path, patch: str) -> None:
    """Whole or in one language, the text is listed with the figures; the other attributes keep their basis."""
    assert patched(tmp_path, patch)[:2] == [("text", "derived", ("2",)), WORTH]


def test_patched_rule_text_of_a_card_may_cite(tmp_path: Path) -> None:
    """What a card does is no figure; the numbers in it have the basis of the patch."""
    patch = 'play, set: set side.gold += 3, cite: "2", standing: reconstructed'
    assert patched(tmp_path, patch) == [WORTH, ("line 3", "reconstructed", ("2",))]
