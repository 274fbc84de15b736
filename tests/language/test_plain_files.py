"""Files of strangers are opened only if they are plain files, and read only up to a limit."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.language.diagnostics import UsageError
from interpreter.language.plain_files import TooLargeError, open_plain, read_named, read_plain

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs named pipes")


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Path]:
    """A named pipe with three bytes in it, so that a reader that takes it for a file gets an answer."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    both = os.open(path, os.O_RDWR)
    os.write(both, b"abc")
    yield path
    os.close(both)


def test_plain_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    """A file of exactly as many bytes as the limit is read; one of one byte more is refused."""
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_plain(path, 5) == read_named(str(path), 5) == b"12345"
    with pytest.raises(TooLargeError, match="file is larger than 4 bytes"):
        read_plain(path, 4)


def test_link_that_the_user_names_is_followed(tmp_path: Path) -> None:
    """A link to a plain file is read like the file."""
    (tmp_path / "file").write_bytes(b"1")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert read_plain(tmp_path / "link", 1) == b"1"


def test_named_pipe_is_refused(pipe: Path) -> None:
    """A named pipe is refused by both readers, and nothing is taken from it."""
    for read in (read_plain, read_named):
        with pytest.raises(UsageError, match="pipe is a named pipe, not a file"):
            read(pipe, 2)
    assert os.read(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), 10) == b"abc"


def test_pipe_without_a_writer_is_refused_at_once(tmp_path: Path) -> None:
    """Opening a named pipe does not wait for somebody who writes to it, also if it has just replaced a file."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="named pipe"):
        open_plain(tmp_path / "pipe")


def test_what_is_opened_is_what_is_checked(pipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe that takes the place of a file after a first look is recognized on its descriptor."""
    (tmp_path / "file").write_bytes(b"1")
    before = (tmp_path / "file").stat()
    monkeypatch.setattr(Path, "stat", lambda path: before)
    with pytest.raises(UsageError, match="named pipe"):
        open_plain(pipe)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/stdin"])
def test_link_to_a_device_is_refused(device: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link to a device or to the standard input is refused: only the user himself names these."""
    reading, writing = os.pipe()
    kept = os.dup(0)
    os.dup2(reading, 0)
    try:
        (tmp_path / "link").symlink_to(device)
        for read in (read_plain, read_named):
            with pytest.raises(UsageError, match=r"link is a (device|named pipe), not a file"):
                read(tmp_path / "link", 10)
    finally:
        os.dup2(kept, 0)
        for each in (reading, writing, kept):
            os.close(each)


def test_socket_and_folder_are_refused(tmp_path: Path) -> None:
    """A socket and a folder are refused by what they are."""
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(tmp_path / "s"))
        with pytest.raises(UsageError, match="s is a socket, not a file"):
            read_plain(tmp_path / "s", 10)
    with pytest.raises(UsageError, match="is a folder, not a file"):
        read_plain(tmp_path, 10)


@pytest.mark.parametrize("name", ["missing", "file/below", "nul\0", "x" * 5_000])
def test_path_that_leads_nowhere_is_a_usage_error(name: str, tmp_path: Path) -> None:
    """A missing file and a path that can't be one are usage errors."""
    (tmp_path / "file").write_bytes(b"1")
    with pytest.raises(UsageError, match=r"there is no file|can't be read"):
        read_plain(tmp_path / name, 10)


def test_inherited_descriptor_is_read_up_to_its_limit() -> None:
    """What a shell has opened for this process (`<(…)`) is read, and refused if it has more bytes than the limit."""
    for content, limit in ((b"abc", 3), (b"abcd", 3)):
        reading, writing = os.pipe()
        os.write(writing, content)
        os.close(writing)
        if len(content) <= limit:
            assert read_named(f"/dev/fd/{reading}", limit) == content
        else:
            with pytest.raises(TooLargeError, match="larger than 3 bytes"):
                read_named(f"/dev/fd/{reading}", limit)
        with pytest.raises(UsageError, match="named pipe"):
            read_plain(f"/dev/fd/{reading}", limit)
        os.close(reading)
