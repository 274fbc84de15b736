"""When it pays to keep what a rule gives."""

from __future__ import annotations

import pytest

from interpreter.world.memo_profiler import LONGEST, TRIALS, CallTimes


@pytest.mark.parametrize(
    ("known", "looking_up", "working_out", "pays"),
    [
        (0, 0.0, 1e-3, False),  # nothing ever comes up again
        (TRIALS, 1e-6, 0.0, True),  # nothing is ever asked for the first time
        (TRIALS // 2, 1e-6, 4.4e-6, False),  # half of it, and hardly dearer than to look up
        (TRIALS // 2, 1e-6, 4.6e-6, True),
        (TRIALS // 100, 1e-6, 150e-6, False),  # seldom, but dear
        (TRIALS // 100, 1e-6, 153e-6, True),
        (1, 1e-6, 10.0, True),  # one answer in two hundred saves LONGEST at most
        (1, LONGEST, 10.0, False),
    ],
)
def test_keeping_pays_where_looking_up_saves_more_than_it_takes(
    known: int, looking_up: float, working_out: float, pays: bool
) -> None:
    """What was saved is weighed against one and a half times looking up at every question."""
    trial = CallTimes()
    for number in range(TRIALS):
        assert trial.pays is None, "the trial is not over"
        trial.note(number < known, looking_up if number < known else working_out)
    assert trial.pays is pays
