"""Files that one session owns: locked, replaced as a whole, with nothing left beside them."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from interpreter.language.diagnostics import UsageError
from interpreter.play.records.owned_file import OwnedFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of the file, in an empty folder."""
    return tmp_path / "game.save"


@pytest.fixture
def owned(path: Path) -> OwnedFile:
    """An owned file with the content `one`."""
    return OwnedFile.create("save", path, b"one")


def take(path: Path, content: bytes = b"one") -> OwnedFile:
    """Takes over a file."""
    return OwnedFile.take("save", path, content)


# ---------------------------------------------------------------- content
def test_replacement_keeps_mode_and_leaves_no_other_file(owned: OwnedFile, path: Path) -> None:
    """A replaced file has the new content and the old permissions, and is alone in its folder."""
    path.chmod(0o640)
    for content in (b"two", b"", b"three" * 100_000):
        owned.replace(content)
        assert (path.read_bytes(), path.stat().st_mode & 0o777) == (content, 0o640)
    assert list(path.parent.iterdir()) == [path]


def test_existing_file_is_not_created_again(owned: OwnedFile, path: Path) -> None:
    """An existing file, folder or link of that name stays as it is."""
    (path.parent / "folder").mkdir()
    (path.parent / "link").symlink_to(path.parent / "nothing")
    for each in (path, path.parent / "folder", path.parent / "link"):
        with pytest.raises(UsageError, match=f"{each} exists; choose another path"):
            OwnedFile.create("save", each, b"two")
    assert sorted(each.name for each in path.parent.iterdir()) == ["folder", "game.save", "link"]
    assert path.read_bytes() == b"one"


def test_file_system_without_links_and_locks_is_enough(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are no hard links and no locks, a file is created, replaced, and not created twice."""

    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    monkeypatch.setattr("fcntl.flock", refuse)
    owned = OwnedFile.create("save", path, b"one")
    owned.replace(b"two")
    with pytest.raises(UsageError, match="exists; choose another path"):
        OwnedFile.create("save", path, b"three")
    assert path.read_bytes() == b"two"
    assert list(path.parent.iterdir()) == [path]
    second = take(path, b"two")
    owned.replace(b"three")
    with pytest.raises(UsageError, match="was changed by something else during this game"):
        second.replace(b"four")
    assert path.read_bytes() == b"three"


def test_link_to_a_file_is_followed(owned: OwnedFile, path: Path) -> None:
    """A link to a file stays a link; the file is taken and replaced."""
    owned.close()
    link = path.parent / "link"
    link.symlink_to(path)
    taken = take(link)
    taken.replace(b"two")
    assert link.is_symlink()
    assert path.read_bytes() == b"two"


def test_write_protected_file_is_not_replaced(owned: OwnedFile, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that its owner has write-protected is not taken, although its folder can be written to."""
    owned.close()
    path.chmod(0o400)
    opened = os.open

    def open_as_user(name: str | Path, flags: int, mode: int = 0o777) -> int:
        """An administrator may write everything."""
        if Path(name) == path and flags & os.O_RDWR:
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(name, flags, mode)

    monkeypatch.setattr("os.open", open_as_user)
    with pytest.raises(UsageError, match=r"cannot write the save .*: Permission denied"):
        take(path)


@pytest.mark.parametrize("sort", ["pipe", "folder", "device"])
def test_only_plain_files_are_taken(tmp_path: Path, sort: str) -> None:
    """A named pipe, a folder or a device is refused at once."""
    path = tmp_path / "game.save"
    match sort:
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case _:
            path.symlink_to("/dev/zero")
    with pytest.raises(UsageError, match=r"is not a plain file|Is a directory|cannot write"):
        take(path)


# ---------------------------------------------------------------- owners
def test_owner_is_alone_until_it_closes(owned: OwnedFile, path: Path) -> None:
    """A second owner is refused before and after a replacement, also through a link, and taken after the first."""
    link = path.parent / "link"
    link.hardlink_to(path)
    for content in (b"two", b"three"):
        for each in (path, link):
            with pytest.raises(UsageError, match=rf"in use by another session \(process {os.getpid()}, since 20"):
                take(each, owned.content)
        link.unlink()
        link.symlink_to(path)
        owned.replace(content)
    owned.close()
    take(path, b"three").close()


def test_file_is_refused_if_it_changed_since_it_was_read(owned: OwnedFile, path: Path) -> None:
    """Only a file with the content that was read is taken, whether it is longer, shorter or another one now."""
    owned.close()
    for other in (b"on", b"ones", b"two", b""):
        with pytest.raises(UsageError, match="has changed since it was read"):
            take(path, other)
    take(path).close()


def test_foreign_change_is_not_overwritten(owned: OwnedFile, path: Path) -> None:
    """What something else wrote into the file, or put in its place, stays; the same content is no change."""
    path.write_bytes(b"one")
    owned.replace(b"two")
    path.unlink()
    path.write_bytes(b"two")
    owned.replace(b"three")
    path.write_bytes(b"THREE")
    with pytest.raises(UsageError, match="was changed by something else during this game, and is not overwritten"):
        owned.replace(b"four")
    path.unlink()
    path.mkdir()
    with pytest.raises(UsageError, match="was changed by something else"):
        owned.replace(b"four")
    path.rmdir()
    path.symlink_to(path.parent / "other")
    with pytest.raises(UsageError, match="was changed by something else"):
        owned.replace(b"four")
    assert [each.name for each in path.parent.iterdir()] == ["game.save"]


def test_file_that_was_moved_away_is_written_anew(owned: OwnedFile, path: Path) -> None:
    """A file that its user moves away during the game stays there; the game goes on under the old name."""
    moved = path.rename(path.parent / "moved")
    owned.replace(b"two")
    assert (path.read_bytes(), moved.read_bytes()) == (b"two", b"one")


# ---------------------------------------------------------------- left-overs
@pytest.mark.parametrize("begin", ["create", "take"])
def test_leftovers_of_killed_sessions_are_removed(path: Path, begin: str) -> None:
    """The next session removes what killed ones left, whole or begun; it keeps all that may be somebody's."""
    folder, content = path.parent, b"SQLite format 3\0 and more"
    if begin == "take":
        path.write_bytes(content)
    for name, left in (("a_b3", content), ("x", b""), ("y", content[:5]), ("z", content[:16] + b"other")):
        (folder / f".game.save.{name}.new").write_bytes(left)
    kept = [".game.save.mine.txt", ".game.save.LETTER.new", ".other.save.abc.new", "game.save.abc.new"]
    for name in kept:
        (folder / name).write_bytes(content)
    (folder / ".game.save.diary.new").write_bytes(b"dear diary")
    (folder / ".game.save.folder.new").mkdir()
    (folder / ".game.save.link.new").symlink_to(folder / "game.save.abc.new")
    os.mkfifo(folder / ".game.save.pipe.new")
    alive = OwnedFile.create("save", folder / ".game.save.alive.new", content)
    kept += [f".game.save.{each}.new" for each in ("diary", "folder", "link", "pipe", "alive")]
    owned = OwnedFile.create("save", path, content) if begin == "create" else take(path, content)
    assert sorted(each.name for each in folder.iterdir()) == sorted([*kept, "game.save"])
    alive.close()
    owned.close()


def test_second_name_of_a_new_file_is_removed(owned: OwnedFile, path: Path) -> None:
    """A session killed just after it created a file leaves a second name of it, which the next one removes."""
    owned.close()
    (path.parent / ".game.save.abc.new").hardlink_to(path)
    take(path).close()
    assert list(path.parent.iterdir()) == [path]
