"""No text of a stranger reaches the terminal unescaped: names of files, arguments, documents, saves and logs."""

from __future__ import annotations

import os
import re
import sys
from argparse import _SubParsersAction
from pathlib import Path

import pytest
from processes import on_terminal

TESTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "hostile"))

from hostile_texts import IN_ARGUMENTS, IN_NAMES, hostile_house, hostile_log, hostile_save  # noqa: E402 - path above

from interpreter.cli.main import main  # noqa: E402 - as above
from interpreter.cli.parser import build_parser  # noqa: E402 - as above

HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\ud800-\udfff]"
)
FAKED = re.compile("^faked", re.MULTILINE)
STYLES = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\?25[lh]|\x1b\[2K|\x1b\[1A|\r")
"""What Rich writes to a terminal: styles, and the moves of a progress bar that removes itself."""

COMMANDS = {
    "list": ["list --path .", "list odd --path . --path ..", "list {argument}", "list --path no{argument}"],
    "play": [
        "play . --seed 1 --save {folder}/new.save --log {folder}/new.log",
        "play . --seed 1 --language ja --seat {argument}=random",
        "play . --seed 1 --seat red={argument}",
        "play . --option long={argument}",
        "play . --option {argument}",
        "play . --with {overlay} --seed 2",
        "play . --seed {argument} --turns 1",
        "play odd/short --path .",
        "play no{argument}",
    ],
    "resume": [
        "resume {save} --path .",
        "resume {hostile_save} --path .",
        "resume {other_save} --path .",
        "resume no{argument}",
    ],
    "replay": [
        "replay {log} --path .",
        "replay {log} --path . --with {overlay}",
        "replay {log} {hostile_log} {save} {hostile_save} --path .",
        "replay {hostile_log} --path .",
        "replay {other_log} --path .",
        "replay {other_save} --path . --without {argument}",
        "replay {log} --without {argument}",
        "replay .",
    ],
    "odds": ["odds . take --given {given}", "odds . {argument} --given {given}"],
    "ask": ["ask . prize[1] --given {given}", "ask . {argument} --given {given}", "ask . red"],
    "simulate": ["simulate . --games 3", "simulate . --games 3 --out {folder}/{argument}.txt"],
    "match": [
        "match . random random --pairs 2 --workers 1",
        "match . {argument} random",
        "match {argument} random random",
    ],
    "tune": [
        "tune . --games 8 --out {folder}/{argument}.yaml",
        "tune {argument}",
        "tune . --games 8 --player {argument}",
    ],
    "bench": ["bench . --seconds 0.01", "bench {argument}", "bench . --profile --seconds 0.01"],
    "check": [
        "check .",
        "check . --format github",
        "check {broken}",
        "check {overlay}",
        "check {argument}",
        "check . --format {argument}",
    ],
    "test": ["test .", "test . --only {argument}", "test {broken}"],
    "explain": [
        "explain . 1",
        "explain . {argument}",
        "explain {save} --path .",
        "explain {save} --path . --at 2 --language ja",
        "explain {hostile_log} --at 2 --path .",
        "explain {other_save} --path .",
    ],
    "coverage": ["coverage . --all --games 2", "coverage {argument}"],
    "provenance": ["provenance . --all"],
    "diff": ["diff . --with {overlay}", "diff . --with {argument}"],
    "mutate": ["mutate . --workers 1 --all", "mutate . --only {argument}"],
    "format": ["format . --check", "format {broken}", "format no{argument}"],
    "lsp": ["lsp --{argument}"],
    "new": ["new ruleset {argument} --into {folder}", "new {argument} x"],
}


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The files of a hostile game, by the names that `COMMANDS` uses."""
    folder = tmp_path_factory.mktemp("strangers")
    house = hostile_house(folder / f"houses{IN_NAMES}" / f"house{IN_NAMES}")
    broken = hostile_house(folder / f"broken{IN_ARGUMENTS}")
    rules = broken / "ruleset.yaml"
    rules.write_text(rules.read_text(encoding="utf-8").replace("prize[roll]", "price[roll]"), encoding="utf-8")
    (folder / "given.yaml").write_text("with: {side: red}\n", encoding="utf-8")
    found = {
        "folder": folder,
        "house": house,
        "broken": broken,
        "given": folder / "given.yaml",
        "log": hostile_log(folder / f"intact{IN_ARGUMENTS}.log", house),
        "save": hostile_save(folder / f"intact{IN_ARGUMENTS}.save", house),
        "hostile_log": hostile_log(folder / "hostile.log", house, IN_NAMES),
        "hostile_save": hostile_save(folder / "hostile.save", house, IN_NAMES),
        "other_log": hostile_log(folder / "other.log", house, IN_ARGUMENTS),
        "other_save": hostile_save(folder / "other.save", house, IN_ARGUMENTS),
    }
    relative = {name: os.path.relpath(each, house) for name, each in found.items()}
    return relative | {"argument": IN_ARGUMENTS, "overlay": f"more{IN_ARGUMENTS}.yaml", "house": str(house)}


def test_every_command_is_tried() -> None:
    """There is no command without a hostile call."""
    commands = next(each for each in build_parser()._actions if isinstance(each, _SubParsersAction))
    assert COMMANDS.keys() == commands.choices.keys()


@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
@pytest.mark.parametrize("line", [each for lines in COMMANDS.values() for each in lines])
def test_texts_of_strangers_are_escaped(
    line: str,
    as_json: bool,
    words: dict[str, str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A command writes no character of a stranger that is obeyed, reorders or hides, and no line that is faked."""
    arguments = [each.format(**words) for each in line.split()] + ["--json"] * as_json
    monkeypatch.chdir(words["house"])
    for path in ("new.save", "new.log"):
        Path(words["folder"], path).unlink(missing_ok=True)
    code = main(arguments)
    written = "".join(capsys.readouterr())
    assert code in {0, 1, 2}
    assert written
    assert "Traceback" not in written
    assert "a defect of Bicorne" not in written
    assert HIDDEN.findall(written) == [], written
    assert FAKED.search(written) is None, written


def test_hidden_characters_are_shown(
    words: dict[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hidden characters are not dropped: their escapes are shown."""
    main(["list", "--path", words["house"]])
    assert r"control character \x1b" in capsys.readouterr().err
    monkeypatch.chdir(words["house"])
    main(["list", "--path", ".."])
    listed = capsys.readouterr().out
    assert r"house\x1b]0;owned\x07\x1b[2J\x7f\x9b1m\u202e\u2066\u200b\nfaked: \xff" in listed
    assert r"Short\u200e\u200f\u061c\u200b\u2060\xad\nfaked:" in listed


@pytest.mark.parametrize(
    "line",
    [
        "list --path .",
        "play . --seed 1 --seat red=human",
        "test .",
        "check {broken}",
        "replay {log} {hostile_log} --path .",
        "simulate . --games 3",
    ],
)
def test_a_terminal_gets_no_text_of_strangers_unescaped(line: str, words: dict[str, str]) -> None:
    """On a terminal, where Rich adds colours and progress bars, the same holds."""
    arguments = [each.format(**words) for each in line.split()]
    typed = "rule 1\n\x01nothing\nboard\nlog\nwhy\n2\nquit\nquit\n"
    environment = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": os.pathsep.join(sys.path)}
    environment.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "interpreter", *arguments]
    written = on_terminal(command, typed, env=environment, cwd=words["house"])
    assert "Traceback" not in written
    assert HIDDEN.findall(STYLES.sub("", written)) == [], written
