"""`bicorne lsp`: a language server over standard input and output."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import Awaitable, Callable
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from interpreter.cli.defect import defect_text
from interpreter.cli.output import OK, Output
from interpreter.cli.protocol_stream import BoundedInput, log_problems
from interpreter.cli.streams import raw_input, raw_output, write
from interpreter.language.diagnostics import BicorneError, Diagnostic, Place, UsageError
from interpreter.rules.documents.package_data import engine_version
from interpreter.workshop.editor.language_service import Suggestion, Workspace

Answer = Callable[[Any], Awaitable[Any]]

CHECK_DELAY = 0.25
"""The seconds without a change after which the ruleset is checked."""
_MAX_SHOWN = 100
_KINDS = {
    "key": "Property",
    "attribute": "Field",
    "clause": "Reference",
    "procedure": "Function",
    "definition": "Function",
    "modifiers": "Function",
    "restrictions": "Function",
    "search": "Function",
    "table": "Variable",
    "constant": "Constant",
    "kind": "Class",
    "individual": "Value",
    "word": "EnumMember",
    "enum": "Enum",
    "keyword": "Keyword",
    "collection": "Module",
}


def run(_arguments: Namespace, _output: Output) -> int:
    """Serves one editor until it exits.

    Raises:
        UsageError: if the extra is not installed, or the editor sends an endless message.
    """
    try:
        types: Any = import_module("lsprotocol.types")
        server_module: Any = import_module("pygls.lsp.server")
    except ImportError as error:
        raise UsageError("the language server needs the extra 'editor': pip install 'bicorne[editor]'") from error
    log_problems()
    messages = BoundedInput(raw_input())
    Service(types, server_module.LanguageServer("bicorne", engine_version())).serve(messages)
    if messages.problem is not None:
        raise UsageError(messages.problem)
    return OK


class Service:
    """The session of one editor: its open files, and the requests of the protocol."""

    def __init__(self, types: Any, server: Any) -> None:
        self._types = types
        self._server = server
        self._workspace = Workspace()
        self._pending_check: asyncio.Task[None] | None = None
        self._files_with_findings: set[Path] = set()

    def serve(self, messages: BoundedInput) -> None:
        """Registers the supported requests and answers the messages until they end."""
        types = self._types
        triggers = types.CompletionOptions(trigger_characters=[".", "@"])
        features: list[tuple[str, Answer, Any]] = [
            (types.TEXT_DOCUMENT_DID_OPEN, self._opened, None),
            (types.TEXT_DOCUMENT_DID_CHANGE, self._changed, None),
            (types.TEXT_DOCUMENT_DID_SAVE, self._saved, None),
            (types.TEXT_DOCUMENT_DID_CLOSE, self._closed, None),
            (types.TEXT_DOCUMENT_HOVER, self._hover, None),
            (types.TEXT_DOCUMENT_DEFINITION, self._definition, None),
            (types.TEXT_DOCUMENT_COMPLETION, self._completion, triggers),
        ]
        for name, answer, options in features:
            self._server.feature(name, options)(_function(answer))
        self._server.start_io(messages, raw_output())

    # ------------------------------------------------------------ files
    async def _opened(self, params: Any) -> None:
        self._update(params.text_document.uri)
        self._check_soon(_path(params.text_document.uri), 0)

    async def _changed(self, params: Any) -> None:
        self._update(params.text_document.uri)
        self._check_soon(_path(params.text_document.uri), CHECK_DELAY)

    async def _saved(self, params: Any) -> None:
        self._check_soon(_path(params.text_document.uri), 0)

    async def _closed(self, params: Any) -> None:
        self._workspace.close(_path(params.text_document.uri))

    def _update(self, uri: str) -> None:
        self._workspace.write(_path(uri), self._server.workspace.get_text_document(uri).source)

    def _check_soon(self, path: Path, pause: float) -> None:
        if self._pending_check is not None:
            self._pending_check.cancel()
        self._pending_check = asyncio.ensure_future(self._check(path, pause))

    async def _check(self, path: Path, pause: float) -> None:
        await asyncio.sleep(pause)
        found = self._workspace.check(path)
        for each in self._files_with_findings - found.keys():
            self._publish(each, [])
        for file, diagnostics in found.items():
            self._publish(file, diagnostics)
        self._files_with_findings = {file for file, diagnostics in found.items() if diagnostics}

    def _publish(self, path: Path, found: list[Diagnostic]) -> None:
        types = self._types
        items = [
            types.Diagnostic(
                range=self._range(path, each.place, word=True),
                message=each.message + (f"\n{each.hint}" if each.hint else ""),
                severity=types.DiagnosticSeverity.Error
                if each.severity == "error"
                else types.DiagnosticSeverity.Warning,
                code=each.code,
                source="bicorne",
            )
            for each in found
        ]
        self._server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=path.as_uri(), diagnostics=items)
        )

    # ------------------------------------------------------------ requests
    async def _hover(self, params: Any) -> Any:
        text = self._workspace.hover(*self._position(params))
        if text is None:
            return None
        return self._types.Hover(contents=self._types.MarkupContent(kind=self._types.MarkupKind.Markdown, value=text))

    async def _definition(self, params: Any) -> Any:
        place = self._workspace.definition(*self._position(params))
        if place is None:
            return None
        path = Path(place.file)
        return self._types.Location(uri=path.as_uri(), range=self._range(path, place, word=True))

    async def _completion(self, params: Any) -> Any:
        return [self._item(each) for each in self._workspace.suggest(*self._position(params))]

    def _item(self, each: Suggestion) -> Any:
        kind = getattr(self._types.CompletionItemKind, _KINDS.get(each.kind, "Text"))
        return self._types.CompletionItem(label=each.label, kind=kind, detail=each.detail or each.kind)

    def _position(self, params: Any) -> tuple[Path, int, int]:
        """Returns the file, line and column (from 1, in characters) of a request."""
        path, position = _path(params.text_document.uri), params.position
        lines = self._workspace.text(path).splitlines(keepends=True)
        if position.line < len(lines):
            position = self._codec().position_from_client_units(lines, position)
        return path, position.line + 1, position.character + 1

    def _range(self, path: Path, place: Place, *, word: bool) -> Any:
        """Returns the range of the word at a place in the units of the editor."""
        lines = self._workspace.text(path).splitlines(keepends=True)
        line, column = max(place.line, 1) - 1, max(place.column, 1) - 1
        text = lines[line] if line < len(lines) else ""
        end = column + 1
        while word and end < len(text) and (text[end].isalnum() or text[end] in "_.-"):
            end += 1
        types = self._types
        span = types.Range(
            start=types.Position(line, column), end=types.Position(line, min(end, max(len(text), column)))
        )
        return self._codec().range_to_client_units(lines, span) if line < len(lines) else span

    def _codec(self) -> Any:
        """Returns the converter of columns.

        Raises:
            UsageError: if the editor has not begun its session.
        """
        try:
            return self._server.workspace.position_codec
        except RuntimeError as error:
            raise UsageError("a request before 'initialize' has no answer") from error


def _function(answer: Answer) -> Answer:
    """Wraps a method as a function, since the server sets attributes on it; after an error there is no answer."""

    async def answered(params: Any) -> Any:
        try:
            return await answer(params)
        except BicorneError as error:
            write(f"language server: {error}", error=True)
        except Exception as error:
            write(f"language server: {defect_text(error)}", error=True)
        return None

    return answered


def _path(uri: str) -> Path:
    """Returns the path of a file.

    Raises:
        UsageError: if the address is not that of a file.
    """
    try:
        parts = urlsplit(uri)
        if parts.scheme == "file":
            return Path(unquote(parts.path)).resolve()
    except (OSError, ValueError) as error:
        raise UsageError(f"'{uri[:_MAX_SHOWN]}' is no address of a file: {error}") from error
    raise UsageError(f"'{uri[:_MAX_SHOWN]}' is no address of a file")
