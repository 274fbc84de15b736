"""An overlay as its file gives it: the ruleset it is for, the sections it adds, and its patches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from interpreter.language.diagnostics import Diagnostic, Place, RulesetError
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence, describe
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.documents.unread_entries import UnreadEntry, read_around
from interpreter.rules.documents.yaml_reader import read_yaml_bytes
from interpreter.rules.linking.link_context import text_of, words
from interpreter.rules.overlays.patch.entries import PATCHES, as_patch, faulty_entries, without_entries
from interpreter.rules.schema.validate import OVERLAY, check_shape

VERBS: Final = ("set", "add", "remove", "rename", "wrap", "replace_cells", "replace_text")
SCENARIOS: Final = "scenarios"
"""The first part of paths into scenarios, such as `scenarios/short/state/turn`."""
_OWN: Final = ("overlay", PATCHES)


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """One change: its path `at`, its verb and value, and its other fields."""

    fields: Mapping
    at: Scalar
    verb: str
    value: Node
    cites: tuple[Scalar, ...]
    parts: tuple[str, ...]
    """The ids of the path."""
    owner: Scalar
    """The id of the overlay."""
    prefix: tuple[str, ...] = ()
    """The parts of the path before `parts`, for a patch of a scenario."""

    @property
    def when(self) -> Scalar | None:
        """The condition on options under which the patch applies."""
        node = self.fields.get("when")
        return node if isinstance(node, Scalar) else None


@dataclass(frozen=True, slots=True, eq=False)
class Overlay:
    """A document that changes a ruleset: its head, the sections it adds, and its patches in order."""

    file: OverlayFile
    root: Mapping
    head: Mapping
    sections: Mapping
    patches: tuple[Patch, ...]

    @property
    def id(self) -> str:
        return text_of(self.head.get("id"))

    @property
    def ruleset(self) -> str:
        """The id of the ruleset it is for."""
        return text_of(self.head.get("for"))

    @property
    def place(self) -> Place:
        return self.head.items["id"].place

    @property
    def digest(self) -> str:
        """The digest of its file."""
        return self.file.digest

    def named(self, key: str) -> tuple[Scalar, ...]:
        """Returns the ids of overlays under a key of the head: `requires`, `excludes`, `after`."""
        return words(self.head.get(key))


class SoundPart(NamedTuple):
    """An overlay without its faulty patches and entries; none if its faults are elsewhere."""

    overlay: Overlay | None
    faults: list[Diagnostic]
    unread: list[UnreadEntry]


def read_overlay(file: OverlayFile) -> Overlay:
    """Reads the overlay in a file.

    Raises:
        RulesetError: with everything that is wrong with its shape.
    """
    overlay, faults, _ = read_sound_part(file)
    if overlay is None or faults:
        raise RulesetError(faults)
    return overlay


def read_sound_part(file: OverlayFile) -> SoundPart:
    """Reads the overlay in a file as far as its shape is right."""
    name = str(file.path)
    faults, unread = list[Diagnostic](), list[UnreadEntry]()
    try:
        root = read_yaml_bytes(file.content, name)
    except RulesetError as error:
        rest = read_around(file.content, name, error.diagnostics)
        faults += rest.faults
        if rest.root is None:
            return SoundPart(None, faults, [])
        root = rest.root
        unread += [as_patch(entry) if entry.section == PATCHES else entry for entry in rest.entries]
    if not isinstance(root, Mapping):
        message = f"an overlay must be a mapping of sections, not {describe(root)}"
        hint = "begin with 'overlay: {id: …, for: …}'"
        return SoundPart(None, [Diagnostic("wrong-shape", message, root.place, hint)], [])
    faults += (found := check_shape(root, OVERLAY))
    faulty = faulty_entries(root, found)
    if faulty is None:
        return SoundPart(None, faults, [])
    sound = without_entries(root, file.left_out.union(place for place, _ in faulty))
    faults += (found := list(_verbs(sound)))
    faulty += (unclear := faulty_entries(root, found) or [])
    sound = without_entries(sound, [place for place, _ in unclear])
    unread += [each for _, each in faulty]
    return SoundPart(_overlay(file, root, sound), faults, unread)


def _overlay(file: OverlayFile, root: Mapping, sound: Mapping) -> Overlay:
    head = root.items["overlay"]
    assert isinstance(head, Mapping)
    owner = head.items["id"]
    assert isinstance(owner, Scalar)
    sections = Mapping(root.origin, root.start)
    sections.key_starts = root.key_starts
    sections.items = {key: node for key, node in sound.items.items() if key not in _OWN}
    usual = words(head.get("cites"))
    return Overlay(file, root, head, sections, tuple(_patch(each, usual, owner) for each in _patches(sound)))


def _patches(root: Mapping) -> Iterator[Mapping]:
    listed = root.get(PATCHES)
    for each in listed.items if isinstance(listed, Sequence) else ():
        if isinstance(each, Mapping):
            yield each


def _patch(fields: Mapping, usual: tuple[Scalar, ...], owner: Scalar) -> Patch:
    at = fields.items["at"]
    verb = next(each for each in VERBS if each in fields)
    assert isinstance(at, Scalar)
    parts = tuple(at.text.strip("/").split("/"))
    return Patch(fields, at, verb, fields.items[verb], words(fields.get("cite")) or usual, parts, owner)


def _verbs(root: Mapping) -> Iterator[Diagnostic]:
    """Yields an error for each patch that has no verb or several."""
    for fields in _patches(root):
        verbs = [each for each in VERBS if each in fields]
        if len(verbs) == 1:
            continue
        if not verbs:
            message, place = "this patch has no verb", fields.place
        else:
            message, place = f"this patch has several verbs: {', '.join(verbs)}", fields.key_place(verbs[1])
        yield Diagnostic(
            "patch-verb", message, place, f"give it one of {', '.join(VERBS)}; write two changes as two patches"
        )
