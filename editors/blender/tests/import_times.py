"""Compares the time of imports with that of Blender's own glTF importer, for the same scenes as GLB files.

The GLB files are written before the time is measured, while the extension also reads the file of the game and its textures.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import antiquary
import bpy
from conftest import load

FILES = [
    ("room", "scpcb/GFX/map/hall_opt.rmesh", "rmesh"),
    ("character", "redguard/fxart/WALKER01.3DC", "3d"),
    ("model with animation", "scpcb/GFX/map/Props/plant.b3d", "b3d"),
    ("island", "redguard/maps/ISLAND.RGM", "rgm"),
]
REPETITIONS = 20


def best(imports: list[Callable[[], object]]) -> list[float]:
    """The shortest time of each import in seconds. They take turns, so that other work of the machine affects all alike."""
    times: list[list[float]] = [[] for _ in imports]
    for _ in range(REPETITIONS):
        for run, own in zip(imports, times):
            bpy.ops.wm.read_factory_settings(use_empty=True)
            start = time.perf_counter()
            run()
            own.append(time.perf_counter() - start)
    return [min(own) for own in times]


def main() -> None:
    """Prints a table."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    load().register()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        antiquary.write_samples(folder)
        for name, path, operator in FILES:
            source, glb = Path(folder) / path, Path(folder) / "scene.glb"
            options = {"lightmaps": "layers", "with": ["collision", "triggers"]} if operator == "rmesh" else {}
            glb.write_bytes(antiquary.open(source, **options).to_glb())
            own = getattr(bpy.ops.import_scene, f"antiquary_{operator}")
            ours, theirs = best([
                lambda own=own, source=source: own(filepath=str(source)),
                lambda glb=glb: bpy.ops.import_scene.gltf(filepath=str(glb)),
            ])  # fmt: skip
            rows.append((name, ours, theirs))
    print(f"Blender {bpy.app.version_string}, best of {REPETITIONS}", file=sys.stderr)
    for name, ours, theirs in rows:
        print(f"{name:22} {ours * 1000:7.0f} ms   glTF importer {theirs * 1000:7.0f} ms", file=sys.stderr)


main()
sys.stderr.flush()
# Blender 4.2 as a module crashes when Python exits after its glTF add-on has run.
os._exit(0)
