"""Fixtures: the sample games, and the corpus of public game files."""

import os
from pathlib import Path

import pytest

import antiquary


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the sample games: scpcb, ragnarok and redguard. Tests do not change it."""
    folder = tmp_path_factory.mktemp("samples")
    antiquary.write_samples(folder)
    return folder


@pytest.fixture(scope="session")
def room(samples: Path) -> Path:
    """A room of SCP – Containment Breach."""
    return samples / "scpcb/GFX/map/hall_opt.rmesh"


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of public game files."""
    folder = os.environ.get("ANTIQUARY_CORPUS")
    if not folder:
        pytest.skip("no corpus: ANTIQUARY_CORPUS is not set, so no file of a game was read")
    return Path(folder)


@pytest.fixture(scope="session")
def program() -> Path:
    """The program `antiquary` of the same version."""
    path = os.environ.get("ANTIQUARY_PROGRAM")
    if not path or not Path(path).exists():
        pytest.skip("no program: ANTIQUARY_PROGRAM is not set, so no output was compared with it")
    return Path(path)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Appends the skipped tests with their reasons to the list of `cargo xtask test`."""
    listed = os.environ.get("ANTIQUARY_SKIPPED")
    if listed:
        with open(listed, "a", encoding="utf-8") as out:
            for report in terminalreporter.stats.get("skipped", []):
                out.write(f"{report.nodeid}: {report.longrepr[2]}\n")
