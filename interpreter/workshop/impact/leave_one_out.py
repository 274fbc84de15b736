"""Which of several changes a game parts by: they are left out by turns, and the game followed to where it parted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from interpreter.play.engine.engine import Observer
from interpreter.play.migration.divergence import Divergence
from interpreter.play.migration.follower import Follower
from interpreter.play.migration.transcript import Transcript
from interpreter.workshop.impact.changes import RuleChange
from interpreter.workshop.impact.root_cause import ALONE, NEEDED, Cause

MOST: Final = 6
"""So many changes are left out one by one."""

Changes = tuple[RuleChange, ...]
Parts = Callable[[Changes], bool | None]
"""Whether a game still parts where it did with these changes left out; none where the rules are not sound then."""


class _StopAfter(Observer):
    """Ends a game that follows a transcript where the step after the last one begins."""

    def __init__(self, last: int) -> None:
        self._last = last

    def on_step_begin(self) -> None:
        """Ends the game behind the last step."""
        if len(self.game.steps) > self._last:
            assert isinstance(self.game, Follower)
            raise self.game.parted("end", "", "")


def diverges_by(source: Any, transcript: Transcript, seed: int | str, divergence: Divergence) -> bool:
    """Whether a game under the rules of `source` leaves the transcript where `divergence` says and so, or earlier."""
    game = Follower(source, transcript, seed, checked=True, observers=(_StopAfter(divergence.step),))
    own = game.parting
    return own is not None and (
        own.point < divergence.point or (own.point, own.kind) == (divergence.point, divergence.kind)
    )


def attribute(cause: Cause, changes: Sequence[RuleChange], parts: Parts) -> Cause:
    """The cause with those of its changes that it can be shown to rest on; as it is where nothing can be shown.

    Where the game parts there even without all that were named, the other changes are looked through.
    """
    named, every = _patches(cause.changes), _patches(changes)
    if len(every) < 2 or (cause.exact and len(named) < 2) or len(named) > MOST:
        return cause
    others = [each for each in every if each not in named]
    fixed = len(_together(named)) < len(cause.changes)
    if named and parts(_together(named)) is not True:
        return _shown(cause, named, parts)
    if fixed or not 0 < len(others) <= MOST or parts(_together(others)) is not False:
        return cause
    found = _shown(replace(cause, exact=False), others, parts)
    return found if found.shown else cause


@dataclass(frozen=True, slots=True)
class _ChangeGroup:
    """The changes that one patch, or one entry of an overlay, makes: they can only be left out together."""

    key: tuple[Any, ...]
    changes: tuple[RuleChange, ...]


def _patches(changes: Iterable[RuleChange]) -> list[_ChangeGroup]:
    """By the patches that make them; what no overlay that lies there makes can't be left out."""
    found: dict[tuple[Any, ...], list[RuleChange]] = {}
    for each in changes:
        if each.overlay is not None and not each.taken_off and each.place is not None:
            found.setdefault((each.overlay, each.place), []).append(each)
    return [_ChangeGroup(key, tuple(each)) for key, each in found.items()]


def _together(patches: Iterable[_ChangeGroup]) -> Changes:
    return tuple([change for each in patches for change in each.changes])


def _shown(cause: Cause, patches: list[_ChangeGroup], parts: Parts) -> Cause:
    """Those without any one of which the game does not part there; else those each of which is enough."""
    needed = [each for each in patches if parts(each.changes) is False]
    if needed:
        return replace(cause, changes=_together(needed), shown=NEEDED)
    enough = [each for each in patches if parts(_together(other for other in patches if other is not each)) is True]
    return replace(cause, changes=_together(enough), shown=ALONE) if enough else cause
