"""What the README says is so: its commands and its example run, its links and targets exist."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from flare_core.lm.embedded import bundled
from tests.fake_lm import fake_lm

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
COMMANDS = [
    line.partition("  #")[0].strip()
    for language, block in BLOCKS
    if language == "sh"
    for line in block.splitlines()
    if line.startswith("python -m flare_core")
]
EXAMPLES = [block for language, block in BLOCKS if language == "python"]
SHORT = 2
"""Sentences of a report here."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for all that runs here; what is made once, such as the index, stays for the next."""
    return tmp_path_factory.mktemp("readme")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Stands for the model server that the README names."""
    with fake_lm([]) as fake:
        yield fake.base_url


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run this Python in the folder, with no key and no address in sight."""
    hidden = ("OPENAI_API_KEY", "OPENAI_BASE_URL")
    env = {name: value for name, value in os.environ.items() if name not in hidden}
    env |= {"PYTHONPATH": str(ROOT), "FLARE_HOME": str(folder / "home"), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=env, capture_output=True, text=True, encoding="utf-8", timeout=240
    )


def words(command: str, server: str) -> list[str]:
    """The words of a command behind `python`: a shorter report, and a server and a model file that exist."""
    stand_ins = {"http://localhost:8000/v1": server, "model.gguf": str(bundled())}
    found = [stand_ins.get(word, word) for word in shlex.split(command)[1:]]
    if "--sentences" in found:
        found[found.index("--sentences") + 1] = str(SHORT)
    return found


@pytest.mark.timeout(300)
def test_the_commands_do_what_they_should(folder: Path, server: str) -> None:
    """In one test, since `replay` reads what `write` wrote."""
    for command in COMMANDS:
        done = python(folder, *words(command, server))
        assert done.returncode in ((0, 3) if " write " in command else (0,)), f"{command}\n{done.stderr}"
        assert done.stdout.strip() or "--out" in command, command
        for file in re.findall(r"--(?:out|trace) (\S+)", command):
            assert (folder / file).stat().st_size > 100, command


@pytest.mark.timeout(300)
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_runs(example: str, folder: Path) -> None:
    (folder / "example.py").write_text(re.sub(r"sentences=\d+", f"sentences={SHORT}", example), encoding="utf-8")
    done = python(folder, "example.py")
    assert done.returncode == 0, done.stderr
    assert "Curie" in done.stdout


def test_there_is_something_to_run() -> None:
    assert [command.split()[3] for command in COMMANDS][:4] == ["write", "replay", "search", "doctor"]
    assert len(EXAMPLES) == 1
    assert len(EXAMPLES[0].splitlines()) <= 10


def test_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)]+)\)", README)
    assert targets and [target for target in targets if "://" not in target and not (ROOT / target).exists()] == []


def test_make_knows_the_targets() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"`?make ([a-z-]+)", "\n".join([*(block for _, block in BLOCKS), *_inline()])))
    assert {"setup", "run", "test", "bench", "lint"} <= named
    assert [target for target in named if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []


def test_the_options_that_it_names_exist(folder: Path) -> None:
    known = python(folder, "-m", "flare_core", "write", "--help").stdout
    named = set(re.findall(r"(?<![\w-])--[a-z]+(?:-[a-z]+)*", "\n".join(_inline()))) - {"--help"}
    assert {"--source", "--lm", "--model"} <= named
    assert [option for option in named if option not in known] == []


def test_it_is_short_and_names_no_machine() -> None:
    assert len(README.splitlines()) <= 150
    assert not re.search(r"/home/|/root/|/tmp/|/work/|\bpypi\b|index-url", README, re.IGNORECASE)


def _inline() -> list[str]:
    """What stands in `code` outside of blocks."""
    prose = re.sub(r"^```.*?^```", "", README, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"`([^`]+)`", prose)
