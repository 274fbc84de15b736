"""The language server, driven over its standard input and output as by an editor."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from processes import started

pytest.importorskip("pygls")

RULES = """\
ruleset: {id: small, title: Small, version: 1.0.0}
kinds:
  side: {is: seat, members: [red, blue], has: {points: int = 0}}
clauses:
  - {id: "1.2", kind: rule, says: "Whoever gains three points wins."}
procedures:
  gain:
    cite: 1.2
    takes: {side: side}
    do: set side.points += 3   # größer 🎲
sequence:
  game: {do: gain(red)}
"""


class Editor:
    """A scripted client."""

    def __init__(self, folder: Path, processes: ExitStack) -> None:
        command = [sys.executable, "-m", "interpreter.cli.main", "lsp"]
        self._problems = (folder / "problems.txt").open("w+", encoding="utf-8")
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self._problems}
        self._process = processes.enter_context(started(command, **pipes))
        self._number = 0
        self.folder = folder
        self.notes: list[dict[str, Any]] = []
        self.ask("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}})
        self.tell("initialized", {})

    def tell(self, method: str, params: Any) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: Any) -> None:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})

    def ask(self, method: str, params: Any) -> Any:
        self.request(method, params)
        while True:
            message = self._read()
            if message.get("id") == self._number and "method" not in message:
                assert "error" not in message, message
                return message["result"]
            self.notes.append(message)

    def diagnostics(self, path: Path) -> list[dict[str, Any]]:
        """Returns the next findings that are published for a file."""
        while True:
            for note in self.notes:
                if note.get("method") == "textDocument/publishDiagnostics" and note["params"]["uri"] == path.as_uri():
                    self.notes.remove(note)
                    found: list[dict[str, Any]] = note["params"]["diagnostics"]
                    return found
            self.notes.append(self._read())

    def leave(self) -> int:
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.end()

    def end(self) -> int:
        """Closes the input; returns the exit code."""
        self._process.stdin.close()  # type: ignore[union-attr]
        return self._process.wait()

    def problems(self) -> str:
        """Returns what the server has written to standard error."""
        self._problems.seek(0)
        return self._problems.read()

    def _send(self, message: dict[str, Any]) -> None:
        content = json.dumps(message).encode()
        self.write(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))

    def write(self, content: bytes) -> None:
        """Sends bytes as they are."""
        assert self._process.stdin is not None
        self._process.stdin.write(content)
        self._process.stdin.flush()

    def _read(self) -> dict[str, Any]:
        stream = self._process.stdout
        assert stream is not None
        length = 0
        while line := stream.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        assert length, "the server has exited"
        message: dict[str, Any] = json.loads(stream.read(length))
        return message


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    """An editor with a small ruleset open."""
    (tmp_path / "ruleset.yaml").write_text(RULES, encoding="utf-8")
    with ExitStack() as processes:
        client = Editor(tmp_path, processes)
        yield client
        assert client.leave() == 0


def _open(editor: Editor, text: str) -> Path:
    path = editor.folder / "ruleset.yaml"
    document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
    editor.tell("textDocument/didOpen", {"textDocument": document})
    return path


URI = "file:///dev/zero"
BAD_REQUESTS: list[Any] = [
    None,
    [1],
    {},
    {"textDocument": {"uri": URI}, "position": {"line": "x", "character": None}},
    {"textDocument": {"uri": URI}, "position": {"line": -1, "character": -5}},
    {"textDocument": {"uri": URI}, "position": {"line": 10**18, "character": 10**18}},
    *[
        {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 1}}
        for uri in (URI, "", "http://[", "file:///a%00b", "file:///etc", "untitled:1", "file:///" + "a" * 10_000)
    ],
]
BAD_NOTIFICATIONS: list[tuple[str, Any]] = [
    ("textDocument/didOpen", {}),
    ("textDocument/didOpen", {"textDocument": {"uri": "http://[", "languageId": "y", "version": 1, "text": "x"}}),
    ("textDocument/didOpen", {"textDocument": {"uri": "untitled:1", "languageId": "y", "version": 1, "text": "x"}}),
    ("textDocument/didChange", {"textDocument": {"uri": "file:///x", "version": 2}, "contentChanges": [{"text": ""}]}),
    ("textDocument/didSave", {"textDocument": {"uri": "file:///a%00b"}}),
    ("textDocument/didClose", {"textDocument": {"uri": "file:///nowhere"}}),
    ("$/cancelRequest", {"id": 12345}),
    ("$/cancelRequest", {}),
]
BAD_BYTES = (b"{{{", b"[]", b"null", b"{}", b"\xff", b"[" * 100_000, b'{"jsonrpc":"9.9"}', b'{"jsonrpc":"2.0","id":{}}')


def test_malformed_messages_are_survived(editor: Editor) -> None:
    """Bad parameters, addresses, positions and JSON are reported in one line each; the session goes on."""
    path = _open(editor, RULES)
    for params in BAD_REQUESTS:
        for method in ("textDocument/hover", "textDocument/definition", "textDocument/completion"):
            editor.request(method, params)
    for method, params in BAD_NOTIFICATIONS:
        editor.tell(method, params)
    for content in BAD_BYTES:
        editor.write(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))
    editor.write(b"Content-Length: 0\r\n\r\nContent-Length: x\r\n" + b"x" * 5_000 + b"\r\n\r\n")
    assert editor.ask("textDocument/hover", _place(path, 11, 14))["contents"]["value"].startswith("`procedure gain")
    problems = editor.problems()
    assert "'http://[' is no address of a file" in problems
    assert all(each.startswith("language server: ") for each in problems.splitlines()), problems
    assert "defect" not in problems


@pytest.mark.parametrize("size", [b"64000001", b"1000000000000000000", b"9" * 500])
def test_endless_message_ends_the_server(tmp_path: Path, size: bytes) -> None:
    """A message that is too large is not read: the server ends with 2 and one line."""
    with ExitStack() as processes:
        editor = Editor(tmp_path, processes)
        editor.write(b"Content-Length: " + size + b"\r\n\r\n{}")
        assert editor.end() == 2
    assert "at most 64,000,000 are read" in editor.problems()
    assert "Traceback" not in editor.problems()


def _place(path: Path, line: int, character: int) -> dict[str, Any]:
    return {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": character}}


def test_session_covers_every_request(editor: Editor) -> None:
    """Findings appear while typing and disappear when corrected; hover, definition, completion and shutdown work."""
    path = _open(editor, RULES)
    assert editor.diagnostics(path) == []
    broken = RULES.replace("gain(red)", "gian(red)")
    change = {"textDocument": {"uri": path.as_uri(), "version": 2}, "contentChanges": [{"text": broken}]}
    editor.tell("textDocument/didChange", change)
    (fault,) = [each for each in editor.diagnostics(path) if each["severity"] == 1]
    assert fault["code"] == "unknown-call"
    assert fault["message"].endswith("did you mean 'gain'?")
    assert fault["range"] == {"start": {"line": 11, "character": 13}, "end": {"line": 11, "character": 17}}
    back = {"textDocument": {"uri": path.as_uri(), "version": 3}, "contentChanges": [{"text": RULES}]}
    editor.tell("textDocument/didChange", back)
    assert editor.diagnostics(path) == []
    hover = editor.ask("textDocument/hover", _place(path, 11, 14))
    assert hover["contents"]["value"].startswith("`procedure gain(side: side)`")
    target = editor.ask("textDocument/definition", _place(path, 11, 14))
    assert target["range"]["start"]["line"] == 6
    offered = editor.ask("textDocument/completion", _place(path, 7, 10))
    items = offered if isinstance(offered, list) else offered["items"]
    assert [each["label"] for each in items] == ["1.2"]
    assert items[0]["detail"] == "Whoever gains three points wins."


def test_columns_count_utf16_units(editor: Editor) -> None:
    """Columns are in UTF-16 units, as in the protocol, also after characters of two units."""
    text = RULES.replace('"Whoever gains three points wins."', '"🎲🎲 wins", sais: 1')
    path = _open(editor, text)
    line = text.splitlines()[4]
    (fault, *_) = [each for each in editor.diagnostics(path) if each["code"] == "unknown-key"]
    units = len(line[: line.index("sais")].encode("utf-16-le")) // 2
    assert fault["range"]["start"] == {"line": 4, "character": units}
