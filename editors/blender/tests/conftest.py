"""Fixtures: the extension in an empty Blender, and the sample games."""

import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import antiquary
import bpy
import pytest

# The folder of the extension: the unpacked package, or its sources.
EXTENSION = Path(os.environ.get("ANTIQUARY_EXTENSION") or Path(__file__).parents[1])
NAME = "antiquary_extension"


def load() -> ModuleType:
    """Imports the extension as a package, as Blender does."""
    spec = importlib.util.spec_from_file_location(
        NAME, EXTENSION / "__init__.py", submodule_search_locations=[str(EXTENSION)]
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def extension() -> Iterator[ModuleType]:
    """The enabled extension."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    module = load()
    module.register()
    yield module
    module.unregister()


@pytest.fixture
def blender(extension: ModuleType) -> ModuleType:
    """The extension in a Blender file without objects."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    return extension


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the sample games: scpcb, ragnarok and redguard. Tests do not change it."""
    folder = tmp_path_factory.mktemp("samples")
    antiquary.write_samples(folder)
    return folder


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of public game files."""
    folder = os.environ.get("ANTIQUARY_CORPUS")
    if not folder:
        pytest.skip("no corpus: ANTIQUARY_CORPUS is not set, so no file of a game was imported into Blender")
    return Path(folder)


class Files:
    """Imports and exports with the operators."""

    def __init__(self, samples: Path, output: Path) -> None:
        self.samples, self.output = samples, output

    def read(self, path: str, entry: str = "", **options: Any) -> bpy.types.Collection:
        """Imports a file of the sample games. Returns its collection."""
        return self.read_path(self.samples / path, entry, **options)

    def read_path(self, path: Path, entry: str = "", **options: Any) -> bpy.types.Collection:
        """Imports a file."""
        before = set(bpy.data.collections)
        chosen = {f"option_{name}": value for name, value in options.items()}
        name = operator_of(entry or path.name)
        result = getattr(bpy.ops.import_scene, f"antiquary_{name}")(filepath=str(path), entry=entry, **chosen)
        assert result == {"FINISHED"}
        return next(it for it in bpy.data.collections if it not in before and it.antiquary.format)

    def write(self, name: str, **options: Any) -> bytes:
        """Exports the imported collection. Returns the bytes."""
        path = self.output / name
        chosen = {f"option_{option}": value for option, value in options.items()}
        result = getattr(bpy.ops.export_scene, f"antiquary_{operator_of(name)}")(
            filepath=str(path), check_existing=False, **chosen
        )
        assert result == {"FINISHED"}
        return path.read_bytes()


def operator_of(name: str) -> str:
    """The end of the name of the operators for a file."""
    ending = name.rsplit(".", 1)[-1].lower()
    found = [it for it in antiquary.formats()["results"] if ending in it["extensions"] and "scene" in it["can"]]
    return str(found[0]["id"].split(".")[-1])


@pytest.fixture
def files(blender: ModuleType, samples: Path, tmp_path: Path) -> Files:
    """Imports and exports in an empty Blender file."""
    return Files(samples, tmp_path)


def changes(before: bytes, after: bytes, name: str) -> dict[str, tuple[Any, Any]]:
    """The fields that differ between two files: their values by path."""
    first, second = _numbered(antiquary.open(before, name=name)), _numbered(antiquary.open(after, name=name))
    paths = sorted(first.keys() | second.keys())
    return {it: (first.get(it), second.get(it)) for it in paths if first.get(it) != second.get(it)}


def _numbered(file: antiquary.File) -> dict[str, Any]:
    out: dict[str, Any] = {}
    stack: list[tuple[str, Any]] = [("", file.fields())]
    while stack:
        path, value = stack.pop()
        if isinstance(value, dict):
            stack += [(f"{path}.{name}".lstrip("."), it) for name, it in value.items() if name != "resolved"]
        elif isinstance(value, list):
            stack += [(f"{path}[{index}]", it) for index, it in enumerate(value)]
        else:
            out[path] = value
    return out


def findings() -> list[str]:
    """The messages of the report panel."""
    return [f"{it.code} {it.message}".strip() for it in bpy.context.scene.antiquary.findings]


_status = 0


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Remembers the result."""
    global _status
    _status = int(exitstatus)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Ends the process, because Blender 4.2 as a module crashes when Python exits after its glTF exporter has run."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(_status)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Appends the skipped tests with their reasons to the list of `cargo xtask test`."""
    listed = os.environ.get("ANTIQUARY_SKIPPED")
    if listed:
        with open(listed, "a", encoding="utf-8") as out:
            for report in terminalreporter.stats.get("skipped", []):
                out.write(f"{report.nodeid}: {report.longrepr[2]}\n")
