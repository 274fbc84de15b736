"""Attributes a divergence to some of several changes: replays the game up to the divergence without each change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from interpreter.play.engine.engine import Observer
from interpreter.play.replay.divergence import Divergence
from interpreter.play.replay.follower import Follower
from interpreter.play.replay.transcript import Transcript
from interpreter.workshop.impact.changes import RuleChange
from interpreter.workshop.impact.root_cause import ALONE, NEEDED, Cause

MAX_TRIED_CHANGES: Final = 6
"""The largest number of changes that are left out one by one."""

Changes = tuple[RuleChange, ...]
DivergenceTest = Callable[[Changes], bool | None]
"""Whether a game still diverges at the same place without these changes; none if the rules have mistakes then."""


class _StopAfter(Observer):
    """Ends a follower game at the beginning of the step after `last`."""

    def __init__(self, last: int) -> None:
        self._last = last

    def on_step_begin(self) -> None:
        """Ends the game after the last step."""
        if len(self.game.steps) > self._last:
            assert isinstance(self.game, Follower)
            raise self.game.diverged("end", "", "")


def diverges_by(source: Any, transcript: Transcript, seed: int | str, divergence: Divergence) -> bool:
    """Whether a game under the rules of `source` diverges from the transcript as `divergence` does, or earlier."""
    game = Follower(source, transcript, seed, checked=True, observers=(_StopAfter(divergence.step),))
    reached = game.divergence
    return reached is not None and (
        reached.point < divergence.point or (reached.point, reached.kind) == (divergence.point, divergence.kind)
    )


def attribute(cause: Cause, changes: Sequence[RuleChange], diverges_without: DivergenceTest) -> Cause:
    """Returns the cause with only those changes that trials prove responsible; unchanged if trials prove nothing.

    If the game diverges there even without all named changes, the other changes are tried.
    """
    named_groups, all_groups = _change_groups(cause.changes), _change_groups(changes)
    if len(all_groups) < 2 or (cause.exact and len(named_groups) < 2) or len(named_groups) > MAX_TRIED_CHANGES:
        return cause
    others = [each for each in all_groups if each not in named_groups]
    fixed = len(_all_changes(named_groups)) < len(cause.changes)
    if named_groups and diverges_without(_all_changes(named_groups)) is not True:
        return _attributed(cause, named_groups, diverges_without)
    if fixed or not 0 < len(others) <= MAX_TRIED_CHANGES or diverges_without(_all_changes(others)) is not False:
        return cause
    found = _attributed(replace(cause, exact=False), others, diverges_without)
    return found if found.attribution else cause


@dataclass(frozen=True, slots=True)
class _ChangeGroup:
    """The changes of one patch, or of one entry of an overlay, which can only be left out together."""

    key: tuple[Any, ...]
    changes: tuple[RuleChange, ...]


def _change_groups(changes: Iterable[RuleChange]) -> list[_ChangeGroup]:
    """Groups changes by the patches that make them; changes that no applied overlay makes can't be left out."""
    found: dict[tuple[Any, ...], list[RuleChange]] = {}
    for each in changes:
        if each.overlay is not None and not each.overlay_removed and each.place is not None:
            found.setdefault((each.overlay, each.place), []).append(each)
    return [_ChangeGroup(key, tuple(each)) for key, each in found.items()]


def _all_changes(groups: Iterable[_ChangeGroup]) -> Changes:
    return tuple([change for each in groups for change in each.changes])


def _attributed(cause: Cause, groups: list[_ChangeGroup], diverges_without: DivergenceTest) -> Cause:
    """Returns the cause with the necessary changes; if there are none, with the changes that suffice alone."""
    necessary = [each for each in groups if diverges_without(each.changes) is False]
    if necessary:
        return replace(cause, changes=_all_changes(necessary), attribution=NEEDED)
    sufficient = [
        each
        for each in groups
        if diverges_without(_all_changes(other for other in groups if other is not each)) is True
    ]
    return replace(cause, changes=_all_changes(sufficient), attribution=ALONE) if sufficient else cause
