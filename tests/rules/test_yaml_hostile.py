"""Files that are too large, deep, odd or wrong are rejected quickly, each at a position."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import pytest
from line_counter import lines_run

from interpreter.language.diagnostics import Diagnostic, Place, RulesetError, UsageError
from interpreter.rules.documents.nodes import Mapping, Scalar
from interpreter.rules.documents.yaml_reader import (
    MAX_DEPTH,
    MAX_NODES,
    MAX_TEXT_LENGTH,
    read_yaml,
    read_yaml_bytes,
    read_yaml_text,
)

ALIAS_BOMB = "a: &a [x, x]\n" + "".join(
    f"{new}: &{new} [*{old}, *{old}]\n" for old, new in zip("abcdef", "bcdefg", strict=True)
)


def first_fault(content: bytes) -> Diagnostic:
    """Returns the first diagnostic of a file that is rejected."""
    with pytest.raises(RulesetError) as caught:
        read_yaml_bytes(content, "f.yaml")
    assert all(each.place.line and each.place.file == "f.yaml" and each.hint for each in caught.value.diagnostics)
    return caught.value.diagnostics[0]


@pytest.mark.parametrize(
    ("content", "code", "line", "column"),
    [
        (ALIAS_BOMB.encode(), "yaml-feature", 2, 8),
        (b"a: &x 1\n", "yaml-feature", 1, 4),
        (b"a: 1\nb: *x\n", "yaml-feature", 2, 4),
        (b"a: !!python/object:os.system {}\n", "yaml-feature", 1, 4),
        (b"a:\n  - !!python/object/apply:os.system ['ls']\n", "yaml-feature", 2, 5),
        (b"a: !mine 3\n", "yaml-feature", 1, 4),
        (b"a: ! 3\n", "yaml-feature", 1, 4),
        (b"<<: {a: 1}\n", "yaml-feature", 1, 1),
        (b"? [a, b]\n: 1\n", "yaml-feature", 1, 3),
        (b"{a: 1}: 1\n", "yaml-feature", 1, 1),
        (b"? \n: 1\n", "yaml-feature", 1, 2),
        (b"a: 1\n---\nb: 2\n", "yaml-feature", 2, 1),
        (b"a: 1\nb: 2\na: 3\n", "duplicate-key", 3, 1),
        (b"a: {x: 1, 'x': 2}\n", "duplicate-key", 1, 11),
        (b"a: 1\nb: x\0y\n", "control-character", 2, 5),
        (b"a: 1\nb: \x1b[31m\n", "control-character", 2, 4),
        (b'a: "x\\0y"\n', "control-character", 1, 4),
        ("a: x\u2028y\n".encode(), "control-character", 1, 5),
        ("a: x\u202ey\n".encode(), "control-character", 1, 5),
        (b'a: "x\\u2066y"\n', "control-character", 1, 4),
        (b"a: x\rb: y\n", "control-character", 1, 5),
        ("a: 1\n".encode("utf-16"), "encoding", 1, 1),
        ("a: 1\n".encode("utf-16-be"), "encoding", 1, 1),
        ("a: 1\nb: Soult fährt".encode("latin-1"), "encoding", 2, 11),
        (b"\0\0\0", "encoding", 1, 1),
        (b"[" * 100_000, "too-large", 1, MAX_DEPTH + 1),
        (b"- " * 3_000, "too-large", 1, 2 * MAX_DEPTH + 1),
        (b"{a: " * 3_000, "too-large", 1, 4 * MAX_DEPTH + 1),
        (b"a: " + b"x" * (MAX_TEXT_LENGTH + 1), "too-large", 1, 4),
        (b"a: |\n  " + b"x\n  " * MAX_TEXT_LENGTH, "too-large", 1, 4),
        (b"a: [" + b"1," * 1_000, "yaml", 2, 1),
        (b"a: [1, 2\nb: 3\n", "yaml", 2, 2),
        (b"a: | text\n", "yaml", 1, 6),
        (b"%YAML 1.1 x\n---\n", "yaml", 1, 11),
        (b"a: b: c\n", "yaml", 1, 5),
        (b"a: 'open\n", "yaml", 2, 1),
        (b"a:\n\t- b\n", "yaml", 2, 1),
        (b"a: 1\n b: 2\n", "yaml", 2, 3),
        (b"a: @x\n", "yaml", 1, 4),
    ],
)
def test_bad_files_are_rejected_at_their_place(content: bytes, code: str, line: int, column: int) -> None:
    """Content that could grow, hide something or have another meaning is rejected at its place."""
    fault = first_fault(content)
    assert (fault.code, fault.place) == (code, Place("f.yaml", line, column))


def test_too_many_values_are_rejected() -> None:
    """A file with more values than the limit is rejected."""
    assert first_fault(b"[" + b"1," * (MAX_NODES + 1) + b"]").code == "too-large"


@pytest.mark.parametrize("sign", ["", "'", '"'])
def test_runs_of_blanks_take_linear_work(sign: str) -> None:
    """Positions after long runs of blanks and line breaks are exact; twice the length takes twice the work."""

    def check_place(lines: int) -> None:
        text = f"k: {sign}a{' ' * 2 * lines}b\n{' ' * lines}c{chr(10) * lines}  d{sign}\n"
        root = read_yaml_text(text, "f.yaml")
        assert isinstance(root, Mapping)
        node = root.items["k"]
        assert isinstance(node, Scalar)
        assert node.source.place(len(node.text) - 1) == Place("f.yaml", lines + 2, 3)

    check_place(50_000)
    assert lines_run(lambda: check_place(4_000)) < 2.2 * lines_run(lambda: check_place(2_000))


def test_long_keys_are_rejected() -> None:
    """A key over the limit is rejected."""
    assert first_fault(b"x" * 600 + b": 1\n").code == "yaml-feature"


def test_all_duplicate_keys_are_reported() -> None:
    """Every duplicate key of a file is reported, not only the first."""
    with pytest.raises(RulesetError) as caught:
        read_yaml_text("a: 1\na: 2\nb: {c: 1, c: 2}\n", "f.yaml")
    assert [(each.code, each.place.line) for each in caught.value.diagnostics] == [
        ("duplicate-key", 2),
        ("duplicate-key", 3),
    ]


def test_large_files_are_not_read(tmp_path: Path) -> None:
    """A file over the size limit is rejected before it is parsed."""
    path = tmp_path / "large.yaml"
    with path.open("wb") as file:
        file.truncate(1_000_000_000)
    tracemalloc.start()
    with pytest.raises(RulesetError, match=r"large\.yaml.*larger than 4,000,000 bytes"):
        read_yaml(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000_000


@pytest.mark.parametrize("name", ["missing.yaml", "folder"])
def test_missing_file_is_a_usage_error(tmp_path: Path, name: str) -> None:
    """A missing file, or a folder in its place, is a usage error that names it."""
    (tmp_path / "folder").mkdir()
    with pytest.raises(UsageError, match=name):
        read_yaml(tmp_path / name)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser can read everything")
def test_unreadable_file_is_a_usage_error(tmp_path: Path) -> None:
    """A file without read permission is a usage error, not a traceback."""
    path = tmp_path / "secret.yaml"
    path.write_text("a: 1")
    path.chmod(0)
    with pytest.raises(UsageError, match="can't be read"):
        read_yaml(path)


def test_ten_thousand_lines_are_read() -> None:
    """A document of 10,000 lines is within the limits and read completely."""
    text = "".join(
        f"name_{n}:\n  cite: [1.{n}, 2.3]\n  when: any(units where .x = {n})\n  do: |\n    set a = {n}\n"
        for n in range(2_000)
    )
    root = read_yaml_text(text, "f.yaml")
    assert isinstance(root, Mapping)
    assert len(root) == 2_000
