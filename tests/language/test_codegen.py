"""Rule text means what the guide says it means, in every variant of emitted code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from variants import Probe

from interpreter.language.diagnostics import RulesetError


class Meaning(NamedTuple):
    """A claim, rules to test it on, dice to throw, and what texts then give, one after the other in one game."""

    claim: str
    rules: str
    dice: tuple[int, ...]
    texts: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return self.claim


def _meaning(block: str) -> Meaning:
    head, _, tail = block.partition("\n---")
    claim, _, rules = head.partition("\n")
    dice, _, lines = tail.partition("\n")
    texts = [line.rpartition(" => ") for line in lines.splitlines() if line.strip()]
    faces = tuple([int(each) for each in dice.split()])
    return Meaning(claim.strip(), rules, faces, tuple([(text, gives) for text, _, gives in texts]))


def _meanings() -> list[Meaning]:
    text = Path(__file__).with_name("meanings.txt").read_text(encoding="utf-8")
    return [_meaning(each) for each in re.split(r"^=== ", text, flags=re.MULTILINE)[1:]]


@pytest.mark.parametrize("meaning", _meanings(), ids=str)
def test_rule_text_means_what_the_guide_says(meaning: Meaning, tmp_path: Path) -> None:
    """Each text gives the value after its arrow, alike in every variant; the answers it needs follow `<-`."""
    if meaning.texts[0][0] == "refused":
        with pytest.raises(RulesetError, match=re.escape(meaning.texts[0][1])):
            Probe(tmp_path, meaning.rules)
        return
    probe = Probe(tmp_path, meaning.rules, meaning.dice)
    for text, gives in meaning.texts:
        asked, _, answers = text.partition(" <- ")
        found = probe(asked, *answers.split())
        assert found.startswith(gives) if gives.startswith("fault:") else found == gives, (text, found)
