"""Saves made by a stranger, with what lies beside them: each case changes the sound save of a game in progress.

`REFUSED` are not opened, `READ` are, although something odd is in or beside them. A case gets the path of the save and
may add files to its folder; nothing but the save may be different afterwards.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

Case = Callable[[Path], None]

PAGE = 4096
JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
VICTIM = "victim.txt"
"""A file beside the save that is none of its business."""


def statements(*sql: str) -> Case:
    """Returns a case that runs statements; the schema may be written directly."""

    def change(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            for each in sql:
                connection.execute(each)

    return change


tear = statements("UPDATE steps SET state = 'x' WHERE number = 1")
"""Leaves the save as a write that was interrupted can leave it."""


def second_row(sort: str, sql: str) -> Case:
    """Returns a case with a second row of the name `head` in the schema, before that of the table."""
    insert = f"INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES ('{sort}', 'head', 'inputs', 0"
    return statements(
        "CREATE TEMP TABLE old AS SELECT * FROM main.sqlite_master WHERE name = 'head'",
        "DELETE FROM main.sqlite_master WHERE name = 'head'",
        f"""{insert}, '{sql.replace("'", "''")}')""",
        "INSERT INTO main.sqlite_master SELECT * FROM old",
    )


def header(position: int, value: bytes) -> Case:
    """Returns a case with other bytes in the file."""

    def change(path: Path) -> None:
        content = path.read_bytes()
        path.write_bytes(content[:position] + value + content[position + len(value) :])

    return change


def journal_naming(victim: Path) -> bytes:
    """Returns a journal that SQLite plays back, and which then makes it delete `victim`."""
    name = os.fsencode(victim)
    head = (JOURNAL_MAGIC + struct.pack(">5I", 0, 1, 2, 512, PAGE)).ljust(512, b"\0")
    return (
        head
        + struct.pack(">I", 0x40000000 // PAGE + 1)
        + name
        + struct.pack(">2I", len(name), sum(name))
        + JOURNAL_MAGIC
    )


def with_super_journal(path: Path, *, torn: bool) -> None:
    """Lays a journal beside the save that names a further file; if `torn`, the save needs a journal to be intact."""
    if torn:
        tear(path)
    beside(path, "-journal").write_bytes(journal_naming(path.parent / VICTIM))


def beside(path: Path, suffix: str) -> Path:
    """Returns the path of a file that belongs to a database."""
    return path.with_name(path.name + suffix)


def with_link_as_journal(path: Path) -> None:
    """Lays a link to another file beside the save, where its journal would be."""
    journal = path.parent / "elsewhere"
    journal.write_bytes((JOURNAL_MAGIC + struct.pack(">5I", 0, 1, 2, 512, PAGE)).ljust(512, b"\0"))
    beside(path, "-journal").symlink_to(journal)


def with_other_journals(path: Path) -> None:
    """Lays files of other kinds beside the save."""
    beside(path, "-journal").write_text("my notes about the game\n")
    beside(path, "-wal").write_bytes(struct.pack(">4I", 0x377F0682, 3007000, PAGE, 1).ljust(32 + 24 + PAGE, b"\1"))
    beside(path, "-shm").write_bytes(b"\1" * 32768)


def with_pipe_as_journal(path: Path) -> None:
    """Lays a named pipe beside a torn save."""
    tear(path)
    os.mkfifo(beside(path, "-journal"))


def with_growing_journal(path: Path) -> None:
    """Lays a journal beside a torn save by which it had four billion pages."""
    tear(path)
    head = JOURNAL_MAGIC + struct.pack(">5I", 0, 1, 0xFFFFFFF0, 512, PAGE)
    beside(path, "-journal").write_bytes(head.ljust(512, b"\0"))


def with_write_ahead_log(path: Path) -> None:
    """Leaves the save in the mode of SQLite that reads a log beside it, with such a log."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("UPDATE head SET data = 'x'")
    connection.commit()
    log = beside(path, "-wal").read_bytes()
    connection.close()
    header(18, b"\2\2")(path)
    beside(path, "-wal").write_bytes(log)


def with_shared_children(path: Path) -> None:
    """Makes the schema a tree of 20 pages, each of which has the next one as a child 400 times: 400 ** 20 rows."""
    content = bytearray(path.read_bytes())
    last = len(content) // PAGE
    for number in range(20):
        page = bytearray(PAGE)
        start = 100 if number == 0 else 0
        page[start : start + 12] = struct.pack(">BHHHBI", 5, 0, 400, PAGE - 400 * 5, 0, last + number + 1)
        for cell in range(400):
            at = PAGE - (cell + 1) * 5
            page[at : at + 5] = struct.pack(">IB", last + number + 1, 1)
            struct.pack_into(">H", page, start + 12 + cell * 2, at)
        if number == 0:
            page[:100] = content[:100]
            content[:PAGE] = page
        else:
            content += page
    content += bytearray(struct.pack(">BHHHB", 13, 0, 0, 0, 0).ljust(PAGE, b"\0"))
    struct.pack_into(">I", content, 28, len(content) // PAGE)
    path.write_bytes(content)


def with_cycle_in_table(path: Path) -> None:
    """Makes the table of inputs a tree whose root is its own child."""
    with closing(sqlite3.connect(path)) as connection:
        [[root]] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'inputs'")
    content = bytearray(path.read_bytes())
    page = struct.pack(">BHHHBI", 5, 0, 1, PAGE - 5, 0, root) + struct.pack(">H", PAGE - 5)
    content[(root - 1) * PAGE : root * PAGE] = page.ljust(PAGE - 5, b"\0") + struct.pack(">IB", root, 1)
    path.write_bytes(content)


def of_one_gigabyte(path: Path) -> None:
    """Makes the save a gigabyte long, without taking so much of the disk."""
    with path.open("r+b") as file:
        file.truncate(1_000_000_000)


def replaced_by(make: Callable[[Path], None]) -> Case:
    """Returns a case in which something else has the name of the save."""

    def change(path: Path) -> None:
        path.unlink()
        make(path)

    return change


INSERT = "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES"

REFUSED: dict[str, Case] = {
    "super_journal_of_a_torn_save": lambda path: with_super_journal(path, torn=True),
    "pipe_as_journal": with_pipe_as_journal,
    "growing_journal": with_growing_journal,
    "write_ahead_log": with_write_ahead_log,
    "hidden_trigger": second_row("trigger", f"CREATE TRIGGER head AFTER INSERT ON inputs BEGIN {ENDLESS}; END"),
    "trigger": statements(f"CREATE TRIGGER t AFTER INSERT ON inputs BEGIN {ENDLESS}; END"),
    "growing_trigger": statements(
        "CREATE TRIGGER t AFTER DELETE ON steps BEGIN INSERT INTO steps VALUES (NULL, '', 0, '', zeroblob(1e9)); END"
    ),
    "hidden_view": second_row("view", f"CREATE VIEW head AS {ENDLESS}"),
    "view": statements(f"CREATE VIEW v AS {ENDLESS}"),
    "view_as_table": statements(
        "DELETE FROM sqlite_master WHERE name = 'snapshots'",
        f"{INSERT} ('view', 'snapshots', 'snapshots', 0, 'CREATE VIEW snapshots(step, data, chain) AS {ENDLESS}')",
    ),
    "view_with_the_text_of_a_table": statements("UPDATE sqlite_master SET type = 'view' WHERE name = 'snapshots'"),
    "table_twice": statements("INSERT INTO sqlite_master SELECT * FROM sqlite_master WHERE name = 'head'"),
    "index": statements("CREATE INDEX i ON inputs (record)"),
    "index_of_an_expression": statements("CREATE INDEX i ON inputs (record || printf('%.*c', 100000, 'x'))"),
    "partial_index": statements("CREATE INDEX i ON inputs (step) WHERE record LIKE '%a%a%a%a%a%a%a%a%a%'"),
    "generated_column": statements("CREATE TABLE g (a INT, b TEXT AS (hex(zeroblob(100000000))) STORED)"),
    "check_of_a_function": statements(
        "CREATE TABLE g (a INT CHECK (length(hex(zeroblob(100000000))) > a))", "INSERT INTO g VALUES (1)"
    ),
    "search_table": statements("CREATE VIRTUAL TABLE f USING fts5(a)"),
    "shadow_tables": statements("CREATE VIRTUAL TABLE f USING fts4(a)", "INSERT INTO f VALUES ('x')"),
    "virtual_table_of_the_file_system": statements(
        f"{INSERT} ('table', 'c', 'c', 0, 'CREATE VIRTUAL TABLE c USING csv(filename=/etc/passwd)')"
    ),
    "statistics": statements("ANALYZE"),
    "malformed_schema": statements("UPDATE sqlite_master SET sql = 'CREATE TABLE (' WHERE name = 'head'"),
    "schema_without_text": statements("UPDATE sqlite_master SET sql = NULL WHERE name = 'head'"),
    "schema_of_bytes": statements("UPDATE sqlite_master SET name = x'ff00ff' WHERE name = 'head'"),
    "overlong_schema": statements(
        f"{INSERT} ('table', 'g', 'g', 2, 'CREATE TABLE g (a' || printf('%.*c', 30000000, ' ') || ')')"
    ),
    "deep_schema": statements(
        f"{INSERT} ('table', 'g', 'g', 2, 'CREATE TABLE g (a CHECK (' || printf('%.*c', 900, '(') || '1))')"
    ),
    "other_root_page": statements("UPDATE sqlite_master SET rootpage = 4000000 WHERE name = 'head'"),
    "shared_root_page": statements("UPDATE sqlite_master SET rootpage = 2 WHERE name = 'head'"),
    "shared_children": with_shared_children,
    "cycle_in_table": with_cycle_in_table,
    "small_pages": statements("PRAGMA page_size = 512", "VACUUM"),
    "page_size_of_one_byte": header(16, b"\0\3"),
    "utf_16": header(56, b"\0\0\0\2"),
    "reserved_bytes": header(20, b"\xff"),
    "incremental_vacuum": header(52, b"\0\0\0\2\0\0\0\0\0\0\0\1"),
    "huge_text": statements("UPDATE inputs SET record = printf('%.*c', 30000000, '[') WHERE number = 1"),
    "deep_text": statements("UPDATE head SET data = printf('%.*c', 1000000, '[')"),
    "bytes_as_text": statements("UPDATE meta SET header = CAST(x'ff7bff' AS TEXT)"),
    "two_headers": statements("PRAGMA ignore_check_constraints = ON", "INSERT INTO meta VALUES (2, '{}')"),
    "one_gigabyte": of_one_gigabyte,
    "pipe": replaced_by(os.mkfifo),
    "folder": replaced_by(Path.mkdir),
    "device": replaced_by(lambda path: path.symlink_to("/dev/zero")),
    "endless_device": replaced_by(lambda path: path.symlink_to("/dev/urandom")),
    "loop_of_links": replaced_by(lambda path: path.symlink_to(path)),
}

READ: dict[str, Case] = {
    "unchanged": lambda path: None,
    "super_journal": lambda path: with_super_journal(path, torn=False),
    "link_as_journal": with_link_as_journal,
    "other_journals": with_other_journals,
    "large_pages": statements("PRAGMA page_size = 65536", "VACUUM"),
    "vacuumed": statements("VACUUM"),
}
