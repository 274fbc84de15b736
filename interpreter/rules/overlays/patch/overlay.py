"""An overlay as it is written: what it lies on, the sections it adds, and its patches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from interpreter.language.diagnostics import Diagnostic, Place, RulesetError
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence, described
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.documents.yaml_reader import read_yaml_bytes
from interpreter.rules.linking.link_context import text_of, words
from interpreter.rules.schema.validate import OVERLAY, check_shape

VERBS: Final = ("set", "add", "remove", "rename", "wrap", "replace_cells")
SCENARIOS: Final = "scenarios"
"""Where the paths of scenarios begin: `scenarios/short/state/turn`."""
_OWN: Final = ("overlay", "patches")


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """One change: the place it is `at`, what is done there, and what else it says."""

    fields: Mapping
    at: Scalar
    verb: str
    value: Node
    cites: tuple[Scalar, ...]
    parts: tuple[str, ...]
    """The ids of its path."""
    owner: Scalar
    """The id of its overlay."""
    prefix: tuple[str, ...] = ()
    """What stands before them, where they are those of a scenario."""

    @property
    def when(self) -> Scalar | None:
        """The condition on options under which it holds."""
        node = self.fields.get("when")
        return node if isinstance(node, Scalar) else None


@dataclass(frozen=True, slots=True, eq=False)
class Overlay:
    """A document that is laid over a ruleset: its head, the sections that it adds whole, its patches in order."""

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
        """The id of the ruleset that it lies on."""
        return text_of(self.head.get("for"))

    @property
    def place(self) -> Place:
        return self.head.items["id"].place

    @property
    def digest(self) -> str:
        """That of its file."""
        return self.file.digest

    def named(self, key: str) -> tuple[Scalar, ...]:
        """The ids of overlays under a key of its head: `requires`, `excludes`, `after`."""
        return words(self.head.get(key))


def read_overlay(file: OverlayFile) -> Overlay:
    """The overlay in a file.

    Raises:
        RulesetError: with everything that is wrong with its shape.
    """
    name = str(file.path)
    root = read_yaml_bytes(file.content, name)
    if not isinstance(root, Mapping):
        message = f"an overlay must be a mapping of sections, not {described(root)}"
        hint = "begin with 'overlay: {id: …, for: …}'"
        raise RulesetError([Diagnostic("wrong-shape", message, root.place, hint)])
    if found := check_shape(root, OVERLAY) or list(_verbs(root)):
        raise RulesetError(found)
    head = root.items["overlay"]
    assert isinstance(head, Mapping)
    sections = Mapping(root.origin, root.start)
    sections.key_starts = root.key_starts
    sections.items = {key: _kept(node, file) for key, node in root.items.items() if key not in _OWN}
    usual = words(head.get("cites"))
    owner = head.items["id"]
    assert isinstance(owner, Scalar)
    patches = tuple(_patch(each, usual, owner) for each in _patches(root))
    return Overlay(file, root, head, sections, tuple(each for each in patches if each.at.place not in file.left_out))


def _kept(section: Node, file: OverlayFile) -> Node:
    """A section without the entries that are left out."""
    if not file.left_out or not isinstance(section, Mapping):
        return section
    made = Mapping(section.origin, section.start)
    for name, node in section.items.items():
        if section.key_place(name) not in file.left_out:
            made.put(name, node, section.key_origin(name), section.key_starts[name])
    return made


def _patches(root: Mapping) -> Iterator[Mapping]:
    listed = root.get("patches")
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
    """A patch does one thing."""
    for fields in _patches(root):
        said = [each for each in VERBS if each in fields]
        if len(said) == 1:
            continue
        if not said:
            message, place = "this patch doesn't say what is done", fields.place
        else:
            message, place = f"this patch does several things: {', '.join(said)}", fields.key_place(said[1])
        yield Diagnostic(
            "patch-verb", message, place, f"give it one of {', '.join(VERBS)}; two changes are two patches"
        )
