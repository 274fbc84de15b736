"""Finds the uses of a name in scenarios and in the situations of worked examples."""

from __future__ import annotations

from interpreter.rules.documents.nodes import Mapping, Node, Sequence
from interpreter.rules.linking.link_context import words
from interpreter.rules.overlays.rename.in_data import DataRenamer


class SituationRenamer(DataRenamer):
    """Visits what a scenario or an example sets up and collects an edit for every use of one name."""

    def _situation(self, node: Mapping) -> None:
        for part, sort in (("options", "options"), ("state", "state")):
            inner = node.get(part)
            for name in list(inner.items) if isinstance(inner, Mapping) else ():
                self._key(sort, inner, name)  # type: ignore[arg-type]
        state = node.get("state")
        for name, value in state.items.items() if isinstance(state, Mapping) else ():
            if name in self._program.state:
                self._given_value(self._program.state[name].attribute, value)
        self._sets(node.get("set"))
        for part in ("board", "pieces", "things"):
            board = node.get(part)
            for kind, items in list(board.items.items()) if isinstance(board, Mapping) else ():
                self._key("kind", board, kind)  # type: ignore[arg-type]
                self._counters(kind, items)
                for each in items.items if isinstance(items, Sequence) else ():
                    for key in ("id", "ids"):
                        self._things(kind, each.get(key) if isinstance(each, Mapping) else None)

    def _sets(self, node: Node | None) -> None:
        for path, value in list(node.items.items()) if isinstance(node, Mapping) else ():
            assert isinstance(node, Mapping)
            parts = path.split("/")
            new = list(parts)
            if len(parts) == 2 and self._is("state", parts[1]):
                new[1] = self._named.names[parts[1]]
            elif len(parts) == 3:
                kind, own, attribute = parts
                if self._is("kind", kind):
                    new[0] = self._named.names[kind]
                if self._is_individual(kind, own):
                    new[1] = self._named.names[own]
                if self._is_attribute(kind, attribute):
                    new[2] = self._named.names[attribute]
                self._given_value(self._program.attribute(kind, attribute), value)
            if new != parts:
                self._edits.key(node, path, "/".join(new))

    def _given_value(self, declared: object, node: Node) -> None:
        kind = getattr(declared, "type", None)
        for each in words(node):
            if kind is not None and self._is_value(kind, each.text):
                self._edits.whole(each, self._named.names[each.text])


class ScenarioRenamer(SituationRenamer):
    """Visits scenarios and collects an edit for every use of one name."""

    def collect(self) -> None:
        """Collects all edits."""
        for document in self._documents.documents:
            self._situation(document.root)
            seats = document.root.get("seats")
            for name in list(seats) if isinstance(seats, Mapping) else ():
                self._key("individual", seats, name)  # type: ignore[arg-type]
            names = document.root.get("names")
            for kind, inner in list(names.items.items()) if isinstance(names, Mapping) else ():
                self._individuals_by_key(kind, inner)
                self._key("kind", names, kind)  # type: ignore[arg-type]
        self._collect_citations()
