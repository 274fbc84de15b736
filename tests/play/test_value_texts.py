"""Values in texts: several in a row."""

from __future__ import annotations

from interpreter.play.wording.wording import Wording
from interpreter.world.things import Word


def test_hidden_things_that_look_alike_are_counted() -> None:
    """In a row of values only hidden ones are counted; words that are rolled are named one by one."""
    hidden, hit = Word("card", "hidden_card", 0), Word("face", "hit", 0)
    assert Wording({}).of([hidden, hidden, hit, hit, hidden]) == "hidden card (×2), hit, hit, hidden card"
    assert Wording({}, "ja").of((hidden, hidden)) == "非公開のcard（×2）"
