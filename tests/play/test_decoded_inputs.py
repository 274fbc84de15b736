"""Inputs of a game as JSON: read strictly, or refused."""

from __future__ import annotations

import pytest

from interpreter.language.diagnostics import UsageError
from interpreter.language.strict_json import canonical_json
from interpreter.play.records.recording import decode_input


@pytest.mark.parametrize(
    "data",
    [None, "d", [], ["d"], ["x", 1], [[], 1], ["d", "1"], ["d", True], ["d", 1.0], ["v", 1, 2],
     ["a", 1, 2], ["a", 1, 2, None], ["a", 1, 2, "red", 3], ["s", 1, 2, ["red"]]],
    ids=str,
)  # fmt: skip
def test_what_is_no_input_is_refused(data):
    """An input has a tag, the number of a site, and what its tag demands: an answer also the name of its seat."""
    with pytest.raises(UsageError, match="not an input"):
        decode_input(data)


@pytest.mark.parametrize("data", [["d", 1], ["r", 1, ["unit", "red_1"]], ["v", 0], ["a", 1, None, "red"]], ids=str)
def test_inputs_are_decoded(data):
    """Every type of input is read, with tuples for lists."""
    assert canonical_json(decode_input(data)) == canonical_json(data)
    hash(decode_input(data))
