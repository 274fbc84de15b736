"""What a stranger can plant in the place of a file: links, pipes, devices, sockets, huge files."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

SECRET = "s3cret-of-the-user"


STRANGER, OUTSIDE = "stranger", "outside"
"""The folder of the stranger, and beside it one of the user."""


def secret_document(top: Path) -> Path:
    """Writes the user's document below a folder, outside that of the stranger."""
    path = top / OUTSIDE / "secret.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"scenario: [{SECRET}\nruleset: {SECRET}\noverlay: {SECRET}\n")
    return path


def _outside(path: Path) -> Path:
    return secret_document(next(each.parent for each in path.parents if each.name == STRANGER))


def _link_of_links(path: Path) -> None:
    middle = path.with_name("middle")
    middle.symlink_to(_outside(path))
    path.symlink_to(middle)


def _socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the name of a socket must be short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def _huge_file(path: Path) -> None:
    with path.open("wb") as file:
        file.write(b"scenario:\n  id: x\noverlay:\n  id: x\n")
        file.truncate(1_000_000_000_000)


PLANTED: dict[str, Callable[[Path], None]] = {
    "link outside": lambda path: path.symlink_to(_outside(path)),
    "link of links": _link_of_links,
    "link to stdin": lambda path: path.symlink_to("/dev/stdin"),
    "link to zeros": lambda path: path.symlink_to("/dev/zero"),
    "link to itself": lambda path: path.symlink_to(path),
    "link to nothing": lambda path: path.symlink_to("/nowhere/at/all"),
    "pipe": os.mkfifo,
    "socket": _socket,
    "folder": Path.mkdir,
    "huge file": _huge_file,
}
"""Each plants something under a free path in the stranger's folder."""
