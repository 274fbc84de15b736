"""Versions are compared with ranges number by number."""

import pytest

from interpreter.rules.documents.versions import is_in_range


@pytest.mark.parametrize(
    ("version", "wanted", "fits"),
    [
        ("0.1.0", ">=0.1 <1", True),
        ("1.0", ">=0.1 <1", False),
        ("0.0.9", ">=0.1 <1", False),
        ("1.10", ">1.9", True),
        ("1", "1.0", True),
        ("1.0.0", "=1", True),
        ("1.2", "1.1", False),
        ("1.2", "!=1.2", False),
        ("1.2", ">= 1.2 , <= 1.2", True),
        ("1.2rc1", ">=1.2", True),
        ("2", "<1 >3", False),
    ],
)
def test_range_needs_every_condition(version: str, wanted: str, fits: bool) -> None:
    """Numbers are compared one by one, and every condition must hold."""
    assert is_in_range(version, wanted) is fits


@pytest.mark.parametrize("wanted", ["", "  ", "about 1", ">=", "~1.2", "1.2.x", ">1 or <3"])
def test_malformed_range_is_rejected(wanted: str) -> None:
    """A range that can't be read is an error, never a guess."""
    with pytest.raises(ValueError, match="range"):
        is_in_range("1.0", wanted)
