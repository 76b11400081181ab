"""Results are what the program prints as JSON."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import antiquary


@pytest.fixture
def run(program: Path) -> Any:
    """Runs the program and returns its JSON."""

    def call(*arguments: object) -> Any:
        command = [str(program), *map(str, arguments), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    return call


def test_functions_that_read(run: Any, samples: Path, room: Path) -> None:
    for game in ("scpcb", "redguard", "ragnarok"):
        folder = samples / game
        assert antiquary.check(folder) == run("check", folder)
        assert antiquary.check(folder, inside=True) == run("check", folder, "--inside")
        assert antiquary.describe(folder, full=True) == run("info", folder, "--full")
        assert antiquary.scan(folder) == run("scan", folder)
        assert antiquary.find(folder, "a") == run("find", folder, "a")
    assert antiquary.formats() == run("formats")
    assert antiquary.formats("rmesh") == run("formats", "rmesh")
    assert antiquary.diff(room, samples / "scpcb/GFX/map/hall_opt.rmesh") == run("diff", room, room)
    first, second = samples / "redguard/fonts/FONTNORM.FNT", samples / "redguard/fonts/SAMPLE.FNT"
    assert antiquary.diff(first, second) == run("diff", first, second, "--limit", 0)
    grf = samples / "ragnarok/data.grf"
    assert antiquary.Archive(grf).list() == run("list", grf)["results"][0]["entries"]


def test_functions_that_write(run: Any, samples: Path, room: Path, tmp_path: Path) -> None:
    def both(name: str) -> tuple[Path, Path]:
        return tmp_path / "python" / name, tmp_path / "program" / name

    def same(python: Any, printed: Any) -> None:
        assert python == json.loads(json.dumps(printed).replace(str(tmp_path / "program"), str(tmp_path / "python")))

    (tmp_path / "python").mkdir()
    (tmp_path / "program").mkdir()
    ours, theirs = both("game")
    same(antiquary.convert(samples / "scpcb", ours), run("convert", samples / "scpcb", "-o", theirs))
    ours, theirs = both("room")
    same(antiquary.unpack(room, ours), run("unpack", room, "-o", theirs))
    (packed, other) = both("room.rmesh")
    same(antiquary.pack(ours, packed), run("pack", theirs, "-o", other))
    ours, theirs = both("set.rmesh")
    python = antiquary.set(room, {"entities[0].range": 7}, ours)
    same(python, run("set", room, "entities[0].range=7", "-o", theirs))
    ours, theirs = both("lit/")
    python = antiquary.build("lightmaps", room, str(ours) + "/")
    same(python, run("build", "lightmaps", room, "-o", str(theirs) + "/"))
    ours, theirs = both("new.grf")
    archive = antiquary.Archive(samples / "ragnarok/data.grf")
    same(archive.add(room, ours), run("archive", "add", archive.path, room, "-o", theirs))


def test_functions_for_scripts(run: Any, samples: Path, tmp_path: Path) -> None:
    island = samples / "redguard/maps/ISLAND.RGM"
    scripts = antiquary.disassemble_scripts(island, tmp_path / "scripts")
    assert [script["facts"] for script in scripts] == run("script", "disasm", island)["results"]
    assert antiquary.run_scripts(island, updates=20) == run("script", "run", island, "--updates", 20)["results"][0]
    assert antiquary.find_in_scripts(island, "Wait") == run("script", "find", "Wait", island)
    ours = antiquary.assemble_scripts(tmp_path / "scripts", island, tmp_path / "ISLAND.RGM")
    theirs = run("script", "asm", tmp_path / "scripts", "--map", island, "-o", tmp_path / "ISLAND.RGM", "--force")
    assert ours == theirs
