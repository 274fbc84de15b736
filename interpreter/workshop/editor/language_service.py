"""Answers an editor's questions about a ruleset: its mistakes, the meaning of a word, completions at a place.

It is independent of any protocol; lines and columns are counted from 1, as everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from interpreter.language.diagnostics import BicorneError, Diagnostic, Place, RulesetError
from interpreter.language.model.program import Program
from interpreter.language.parsing.build_expressions import RESERVED_WORDS, STATEMENT_WORDS
from interpreter.rules.documents.document_set import DocumentSet, read_ruleset
from interpreter.rules.documents.nodes import Mapping, as_plain_data, as_written
from interpreter.rules.documents.own_folder import RULESET_FILE, ruleset_around
from interpreter.rules.documents.yaml_reader import read_bytes
from interpreter.rules.loading.compile import check_documents
from interpreter.rules.loading.load import check_scenario
from interpreter.rules.loading.ruleset import text_in
from interpreter.rules.schema.validate import RULESET, SCENARIO
from interpreter.workshop.editor.key_index import keys_at
from interpreter.workshop.editor.symbol_index import Meaning, SymbolIndex, signature, symbols_of

_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_CLAUSE: Final = re.compile(r"[\w][\w.\-]*")
_AFTER_AT: Final = re.compile(r"@[\w.\-]*$")
_KEY: Final = re.compile(r"^(\s*(?:- )*\s*)([A-Za-z_][\w.]*)?$")
_LINE_KEY: Final = re.compile(r"^(\s*(?:- )*)([^\s:#][^:#]*):(?:\s|$)")
_MAX_SUGGESTIONS: Final = 1_000


class Suggestion(NamedTuple):
    """A completion at a place: the word, its kind, and its description."""

    label: str
    kind: str
    detail: str = ""


@dataclass(slots=True)
class _Project:
    """One ruleset in an editor: its last program without mistakes, and its clauses."""

    folder: Path
    program: Program | None = None
    symbols: SymbolIndex | None = None
    clauses: dict[str, str] = field(default_factory=dict)
    files: set[Path] = field(default_factory=set)


class Workspace:
    """The files that are open in an editor, which take precedence over those on disk."""

    def __init__(self) -> None:
        self._texts: dict[Path, str] = {}
        self._projects: dict[Path, _Project] = {}

    def write(self, path: Path, text: str) -> None:
        """Stores the text of an open file."""
        self._texts[path.resolve()] = text

    def close(self, path: Path) -> None:
        """Returns to the file on disk."""
        self._texts.pop(path.resolve(), None)

    def check(self, path: Path) -> dict[Path, list[Diagnostic]]:
        """Returns the mistakes in the ruleset or scenario of a file, by file; a file without any has an empty list."""
        path = path.resolve()
        folder = ruleset_around(path)
        if folder is None or not self._belongs(path, folder):
            return {path: self._check_alone(path)}
        project = self._projects.setdefault(folder, _Project(folder))
        faults = self._faults(project)
        found: dict[Path, list[Diagnostic]] = {each: [] for each in {*project.files, path}}
        for each in faults:
            found.setdefault(Path(each.place.file), []).append(each)
        return found

    def _belongs(self, path: Path, folder: Path) -> bool:
        return "scenarios" not in path.relative_to(folder).parts[:-1]

    def _check_alone(self, path: Path) -> list[Diagnostic]:
        """Returns the findings of a scenario file on disk."""
        if "scenario:" not in self.text(path):
            return []
        try:
            return [each for each in check_scenario(path) if Path(each.place.file).name == path.name]
        except RulesetError as error:
            return [each for each in error.diagnostics if Path(each.place.file).name == path.name]
        except BicorneError as error:
            return [Diagnostic("scenario", str(error), Place(str(path), 1, 1))]

    def _faults(self, project: _Project) -> list[Diagnostic]:
        try:
            documents = read_ruleset(project.folder, self._texts)
            _update_project(documents, project)
            program, found = check_documents(documents, {})
        except RulesetError as error:
            return list(error.diagnostics)
        except BicorneError as error:
            return [Diagnostic("ruleset", str(error), Place(str(project.folder / RULESET_FILE), 1, 1))]
        if program is not None:
            project.program, project.symbols = program, SymbolIndex(program)
        return found

    def text(self, path: Path) -> str:
        """Returns the text of a file: the open text, else that on disk."""
        path = path.resolve()
        if path in self._texts:
            return self._texts[path]
        try:
            return read_bytes(path).decode("utf-8")
        except (BicorneError, UnicodeDecodeError):
            return ""

    # ------------------------------------------------------------ questions about a place
    def hover(self, path: Path, line: int, column: int) -> str | None:
        """Describes the word at a place: a clause's text, a name's type and clauses, a key's description."""
        project, text = self._project(path), self._line(path, line)
        if (clause := _clause_at(text, column)) is not None and clause in project.clauses:
            return f"**{clause}** {project.clauses[clause]}"
        word, start = _word_at(text, column)
        if word is None:
            return None
        key = _LINE_KEY.match(text)
        if key is not None and key[2].strip() == word and start == key.start(2) + 1:
            description = keys_at(_schema_of(self.text(path)), _path_to(self.text(path), line)).get(word)
            return f"`{word}:` {description}" if description else None
        meaning = self._meaning(project, word, path, line, start)
        return None if meaning is None else _hover_text(meaning, project.clauses)

    def definition(self, path: Path, line: int, column: int) -> Place | None:
        """Returns the place of the declaration of the word at a place."""
        project = self._project(path)
        word, start = _word_at(self._line(path, line), column)
        meaning = None if word is None else self._meaning(project, word, path, line, start)
        place = None if meaning is None else meaning.place
        return place if place is not None and place.line else None

    def suggest(self, path: Path, line: int, column: int) -> list[Suggestion]:
        """Returns the completions at a place, given the text before it."""
        project, text = self._project(path), self._line(path, line)[: column - 1]
        if _AFTER_AT.search(text) or _in_cite(text):
            return [Suggestion(each, "clause", says) for each, says in project.clauses.items()]
        if (key := _KEY.match(text)) is not None and not _in_block(self.text(path), line, len(key[1])):
            known = keys_at(_schema_of(self.text(path)), _path_to(self.text(path), line))
            if known:
                return [Suggestion(each, "key", description) for each, description in known.items()]
            if key[2] is None:
                return []
        if project.program is None:
            return []
        if (dot := re.search(r"(\w+)?\.\w*$", text)) is not None:
            return list(self._attributes(project, dot[1], path, line, column))
        return list(_names(project.program))[:_MAX_SUGGESTIONS]

    def _attributes(
        self, project: _Project, before: str | None, path: Path, line: int, column: int
    ) -> Iterator[Suggestion]:
        program = project.program
        assert program is not None
        place = Place(str(path.resolve()), line, column)
        kind = None if before is None or project.symbols is None else project.symbols.type_before(before, place)
        lineage = None if kind is None else set(_lineage(program, kind.removesuffix("?").rpartition(" ")[2]))
        seen: set[str] = set()
        for each in program.kinds.values():
            if lineage is None or each.name in lineage:
                for attribute in each.attributes.values():
                    if attribute.name not in seen:
                        seen.add(attribute.name)
                        yield Suggestion(attribute.name, "attribute", f"{attribute.type} — {each.name}")
        for definition in program.definitions.values():
            name = definition.name.rpartition(".")[2]
            if definition.subject is not None and (lineage is None or definition.subject in lineage):
                yield Suggestion(name, "attribute", signature(definition))
        for each in program.kinds.values():
            yield Suggestion(each.plural, "attribute", f"those inside, of kind {each.name}")

    def _meaning(self, project: _Project, word: str, path: Path, line: int, column: int) -> Meaning | None:
        if project.symbols is None:
            return None
        return project.symbols.meaning(word, Place(str(path.resolve()), line, column))

    def _project(self, path: Path) -> _Project:
        folder = ruleset_around(path.resolve())
        if folder is None:
            return _Project(path)
        if folder not in self._projects:
            self.check(path)
        return self._projects.setdefault(folder, _Project(folder))

    def _line(self, path: Path, line: int) -> str:
        lines = self.text(path).splitlines()
        return lines[line - 1] if 0 < line <= len(lines) else ""


def _update_project(documents: DocumentSet, project: _Project) -> None:
    """Updates files and clauses, which are known even without a program; unreadable clauses stay as they were."""
    project.files = set(documents.files)
    clauses = {
        as_written(each.items["id"]): text_in(as_plain_data(each.items["says"]))
        for each in documents.items("clauses")
        if isinstance(each, Mapping) and "id" in each and "says" in each
    }
    project.clauses = clauses or project.clauses


def _hover_text(meaning: Meaning, clauses: dict[str, str]) -> str:
    cited = [f"- **{each}** {clauses[each]}" for each in meaning.cites if each in clauses]
    return "\n".join([f"`{meaning.text}`", *([""] if cited else []), *cited])


def _lineage(program: Program, kind: str) -> Iterator[str]:
    while (known := program.kinds.get(kind)) is not None:
        yield kind
        kind = known.parent or ""


def _names(program: Program) -> Iterator[Suggestion]:
    for symbol in symbols_of(program):
        if getattr(symbol, "subject", None) is None and re.fullmatch(r"\w+", symbol.name):
            yield Suggestion(symbol.name, type(symbol).__name__.lower(), signature(symbol))
    for enum in program.enums.values():
        for word in enum.words:
            yield Suggestion(word, "word", enum.name)
    for kind in program.kinds.values():
        yield Suggestion(kind.plural, "collection", f"all of kind {kind.name}")
    for word in sorted(RESERVED_WORDS | STATEMENT_WORDS):
        yield Suggestion(word, "keyword")


# ---------------------------------------------------------------- lines
def _word_at(text: str, column: int) -> tuple[str | None, int]:
    """Returns the word around a column, and the column at which it begins."""
    for found in _WORD.finditer(text):
        if found.start() < column <= found.end() + 1:
            return found[0], found.start() + 1
    return None, 0


def _clause_at(text: str, column: int) -> str | None:
    """Returns the possible clause id around a column: after an `@`, or in a `cite`."""
    for found in _CLAUSE.finditer(text):
        if found.start() < column <= found.end() + 1:
            before = text[: found.start()]
            if before.endswith("@") or _in_cite(before):
                return found[0].rstrip(".")
    return None


def _in_cite(text: str) -> bool:
    """Whether a line with this beginning continues with the id of a clause."""
    found = list(re.finditer(r"\bcite:\s*", text))
    if not found:
        return False
    rest = text[found[-1].end() :]
    return "]" not in rest if rest.startswith("[") else not re.search(r"[\s,}]", rest)


def _in_block(text: str, line: int, margin: int) -> bool:
    """Whether text with this indentation on a line is in a block of rule text, not among keys."""
    for each in reversed(text.splitlines()[: line - 1]):
        if each.strip() and (indent := len(each) - len(each.lstrip())) < margin:
            if re.search(r":\s*[|>][+-]?\s*(#.*)?$", each):
                return True
            margin = indent
    return False


def _path_to(text: str, line: int) -> list[str]:
    """Returns the keys around the mapping that contains a line, outermost first, according to its indentation."""
    lines = text.splitlines()
    here = lines[line - 1] if 0 < line <= len(lines) else ""
    margin = _margin(here)
    path: list[str] = ["-"] if re.match(r"\s*- ", here) else []
    for each in reversed(lines[: line - 1]):
        key = _LINE_KEY.match(each)
        if not each.strip() or each.lstrip().startswith("#"):
            continue
        indent = _margin(each)
        if indent < margin or (path[:1] == ["-"] and indent <= margin and not re.match(r"\s*- ", each)):
            if key is not None:
                path.insert(0, key[2].strip().strip("\"'"))
            if re.match(r"\s*- ", each) and len(each) - len(each.lstrip()) < margin:
                path.insert(0, "-")
            margin = len(each) - len(each.lstrip())
        if margin == 0:
            break
    return path


def _margin(line: str) -> int:
    """Returns the column of the first key of a line, after dashes."""
    found = re.match(r"\s*(?:- )*", line)
    return found.end() if found is not None else 0


def _schema_of(text: str) -> str:
    return SCENARIO if re.search(r"^scenario:", text, re.MULTILINE) else RULESET
