"""Intervals of confidence for shares."""

from __future__ import annotations

from math import sqrt

Z_95 = 1.959964
"""95 per cent of a normal distribution lie within this many standard deviations of its mean."""


def wilson(count: int, total: int, z: float = Z_95) -> tuple[float, float]:
    """Returns Wilson's interval for a share of which `count` of `total` were seen; it is valid for small numbers too.

    Raises:
        ValueError: if `total` is 0, or `count` is not between 0 and `total`.
    """
    if total < 1 or not 0 <= count <= total:
        raise ValueError(f"{count} of {total} is not a share")
    share, square = count / total, z * z
    middle = share + square / (2 * total)
    spread = z * sqrt(share * (1 - share) / total + square / (4 * total * total))
    scale = 1 + square / total
    return max((middle - spread) / scale, 0.0), min((middle + spread) / scale, 1.0)
