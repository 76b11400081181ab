"""A scene that was not edited gives the bytes it was imported from."""

import os
from pathlib import Path
from types import ModuleType
from typing import Any

import antiquary
import bpy
import pytest
from conftest import Files, findings

SAMPLES = [
    "scpcb/GFX/map/hall_opt.rmesh",
    "scpcb/GFX/map/Props/plant.b3d",
    "scpcb/GFX/map/Props/lampshade.x",
    "scpcb/Map Creator/Maps/halls.cbmap2",
    "ragnarok/data/model/antiquary/vane.rsm",
    "redguard/fxart/BARREL01.3D",
    "redguard/fxart/WALKER01.3DC",
    "redguard/fxart/FLAG01.3DC",
    "redguard/fxart/ISLAND.ROB",
    "redguard/maps/ISLAND.RGM",
    "redguard/maps/ISLAND.WLD",
]


@pytest.mark.parametrize("path", SAMPLES)
def test_an_unedited_scene_gives_the_same_bytes(files: Files, samples: Path, path: str) -> None:
    files.read(path)
    assert files.write(Path(path).name) == (samples / path).read_bytes()
    assert not [it for it in bpy.context.scene.antiquary.findings if it.severity != "note"], findings()


@pytest.mark.parametrize("entry", ["windmill.rsm", "windmill.rsm2"])
def test_an_unedited_entry_of_an_archive_gives_the_same_bytes(files: Files, samples: Path, entry: str) -> None:
    name = f"data\\model\\antiquary\\{entry}"
    files.read("ragnarok/data.grf", name)
    assert files.write(entry) == antiquary.Archive(samples / "ragnarok/data.grf").read(name)


OPTIONS = [
    ("scpcb/GFX/map/hall_opt.rmesh", {"lightmaps": "bake"}),
    ("scpcb/GFX/map/hall_opt.rmesh", {"lightmaps": "none"}),
    ("redguard/fxart/BARREL01.3D", {"axes": "yflip"}),
    ("redguard/maps/ISLAND.RGM", {"light": "baked"}),
    ("redguard/maps/ISLAND.RGM", {"with": {"statics", "lights"}}),
    ("redguard/maps/ISLAND.RGM", {"instancing": True}),
    ("ragnarok/data/model/antiquary/vane.rsm", {"recenter": True}),
]


@pytest.mark.parametrize(("path", "options"), OPTIONS)
def test_options_of_the_import_do_not_change_the_bytes(
    files: Files, samples: Path, path: str, options: dict[str, Any]
) -> None:
    files.read(path, **options)
    assert files.write(Path(path).name) == (samples / path).read_bytes()


def test_an_unedited_scene_changes_nothing_in_the_gltf_file(
    blender: ModuleType, files: Files, samples: Path
) -> None:
    from antiquary_extension.write.glb import Document
    from antiquary_extension.write.scene import _Scene

    for path in SAMPLES:
        root = files.read(path)
        file = antiquary.open(samples / path, **_options(root))
        original = Document(file.to_glb())
        edited = _Scene(root, file.scene(), file.scene(), Document(file.to_glb()))
        edited.apply()
        assert edited.document.json == original.json, path
        assert edited.document.binary == original.binary, path
        assert not edited.losses, path


def _options(root: bpy.types.Collection) -> dict[str, Any]:
    import json

    return dict(json.loads(root.antiquary.options))


def test_a_saved_blender_file_gives_the_same_bytes(files: Files, samples: Path, tmp_path: Path) -> None:
    for path in SAMPLES[:3]:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        files.read(path)
        saved = str(tmp_path / "saved.blend")
        bpy.ops.wm.save_as_mainfile(filepath=saved)
        bpy.ops.wm.open_mainfile(filepath=saved)
        assert files.write(Path(path).name) == (samples / path).read_bytes()


def test_files_of_the_corpus_give_the_same_bytes(files: Files, corpus: Path) -> None:
    endings = (".rmesh", ".rm", ".b3d", ".x", ".rsm", ".rsm2", ".3d", ".3dc", ".rob", ".rgm", ".wld", ".cbmap2")
    every = sorted(it for it in corpus.rglob("*") if it.suffix.lower() in endings and "broken" not in it.parts)
    # One file in several, so that the test takes a minute.
    step = int(os.environ.get("ANTIQUARY_CORPUS_STEP", "6"))
    count, different = 0, []
    for path in every[::step]:
        try:
            antiquary.open(path).scene()
        except antiquary.Error:
            continue
        bpy.ops.wm.read_factory_settings(use_empty=True)
        files.read_path(path)
        if files.write(path.name) != path.read_bytes() and is_restored_by_the_library(path, files.output):
            different.append(path)
        count += 1
    assert not different
    assert count > 20, f"only {count} files of the corpus were imported"


def is_restored_by_the_library(path: Path, folder: Path) -> bool:
    """Whether `pack` gives the bytes of a file for its own scene. Forged files may have data that it does not restore."""
    file = antiquary.open(path)
    glb, packed = folder / "scene.glb", folder / f"packed{path.suffix}"
    glb.write_bytes(file.to_glb())
    antiquary.pack(glb, packed, base=path, overwrite=True)
    return packed.read_bytes() == path.read_bytes()
