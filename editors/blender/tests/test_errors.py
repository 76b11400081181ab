"""Bad input gives a report with its code and place, never a stack trace or a crash."""

import random
from pathlib import Path
from types import ModuleType

import antiquary
import bpy
import pytest
from conftest import Files, operator_of

FILES = [
    "scpcb/GFX/map/hall_opt.rmesh",
    "scpcb/GFX/map/Props/plant.b3d",
    "scpcb/GFX/map/Props/lampshade.x",
    "ragnarok/data/model/antiquary/vane.rsm",
    "redguard/fxart/WALKER01.3DC",
    "redguard/fxart/ISLAND.ROB",
    "redguard/maps/ISLAND.RGM",
    "scpcb/Map Creator/Maps/halls.cbmap2",
]


def attempt(path: Path) -> str | None:
    """Imports a file. Returns the message if it was refused."""
    try:
        getattr(bpy.ops.import_scene, f"antiquary_{operator_of(path.name)}")(filepath=str(path))
    except RuntimeError as error:
        return str(error)
    return None


def attempt_export(path: Path) -> str | None:
    """Moves a vertex of the only import, and exports it. Returns the message if the export was refused."""
    target = next((it for it in bpy.data.objects if it.type == "MESH" and len(it.data.vertices)), None)
    if target is not None:
        target.data.vertices[0].co.z += 0.5
    name = f"antiquary_{operator_of(path.name)}"
    try:
        getattr(bpy.ops.export_scene, name)(filepath=str(path.with_stem("exported")), check_existing=False)
    except RuntimeError as error:
        return str(error)
    return None


@pytest.mark.parametrize("path", FILES)
def test_truncated_and_damaged_files_give_reports(
    blender: ModuleType, samples: Path, tmp_path: Path, path: str
) -> None:
    data = (samples / path).read_bytes()
    chance = random.Random(path)
    damaged = [data[: len(data) * part // 8] for part in range(8)]
    for _ in range(12):
        copy = bytearray(data)
        for _ in range(chance.randrange(1, 40)):
            copy[chance.randrange(len(copy))] = chance.randrange(256)
        damaged.append(bytes(copy))
    refused = 0
    for number, content in enumerate(damaged):
        target = tmp_path / f"{number}{Path(path).suffix}"
        target.write_bytes(content)
        bpy.ops.wm.read_factory_settings(use_empty=True)
        message = attempt(target)
        if message is not None:
            refused += 1
        else:
            message = attempt_export(target)
        assert "Traceback" not in (message or "")
        assert "internal" not in (message or ""), message
    assert refused > 0


def test_a_report_has_the_code_the_field_and_the_offset(blender: ModuleType, samples: Path, tmp_path: Path) -> None:
    target = tmp_path / "cut.rmesh"
    target.write_bytes((samples / "scpcb/GFX/map/hall_opt.rmesh").read_bytes()[:2000])
    message = attempt(target)
    assert message is not None
    assert "malformed" in message
    assert "surfaces[1].vertices" in message
    assert "at offset 0xfb" in message


def test_missing_files_and_entries_are_reported(blender: ModuleType, samples: Path, tmp_path: Path) -> None:
    assert "missing.rmesh" in (attempt(tmp_path / "missing.rmesh") or "")
    with pytest.raises(RuntimeError, match="unknown.rsm"):
        bpy.ops.import_scene.antiquary_container(
            filepath=str(samples / "ragnarok/data.grf"), entry="unknown.rsm"
        )


def test_the_imported_file_is_never_overwritten(files: Files, tmp_path: Path, samples: Path) -> None:
    own = tmp_path / "own.b3d"
    own.write_bytes((samples / "scpcb/GFX/map/Props/plant.b3d").read_bytes())
    files.read_path(own)
    before = own.read_bytes()
    with pytest.raises(RuntimeError, match="never overwritten"):
        files.write("own.b3d")
    assert own.read_bytes() == before


def test_a_changed_original_is_reported(files: Files, tmp_path: Path, samples: Path) -> None:
    own = tmp_path / "own.b3d"
    own.write_bytes((samples / "scpcb/GFX/map/Props/plant.b3d").read_bytes())
    files.read_path(own)
    own.write_bytes(own.read_bytes()[:-1] + b"x")
    with pytest.raises(RuntimeError, match="has changed since it was imported|malformed"):
        files.write("other.b3d")
    own.unlink()
    with pytest.raises(RuntimeError, match="was not found"):
        files.write("other.b3d")


def test_a_value_that_does_not_fit_is_reported(files: Files) -> None:
    root = files.read("scpcb/GFX/map/hall_opt.rmesh")
    root.all_objects["light_0"]["range"] = "far"
    with pytest.raises(RuntimeError, match=r"range"):
        files.write("hall_opt.rmesh")
    assert not (files.output / "hall_opt.rmesh").exists()


def test_a_format_without_import_needs_an_original(files: Files) -> None:
    bpy.ops.mesh.primitive_cube_add()
    with pytest.raises(RuntimeError, match="can only be exported if it was imported"):
        files.write("new.rgm")
    files.read("scpcb/GFX/map/Props/plant.b3d")
    with pytest.raises(RuntimeError, match="cannot be exported as redguard.rgm"):
        files.write("new.rgm")


def test_one_of_several_imports_has_to_be_selected(files: Files, samples: Path) -> None:
    plant = files.read("scpcb/GFX/map/Props/plant.b3d")
    files.read("scpcb/GFX/map/Props/lampshade.x")
    bpy.context.view_layer.objects.active = None
    bpy.context.view_layer.active_layer_collection = bpy.context.view_layer.layer_collection
    with pytest.raises(RuntimeError, match="several files were imported"):
        files.write("plant.b3d")
    bpy.context.view_layer.objects.active = plant.objects[0]
    assert files.write("plant.b3d") == (samples / "scpcb/GFX/map/Props/plant.b3d").read_bytes()


def test_damaged_files_of_the_corpus_give_reports(files: Files, corpus: Path) -> None:
    count = 0
    for path in sorted(corpus.rglob("bad_*")):
        ending = path.suffix.lower()
        if ending not in (".rsm", ".rsm2", ".rmesh", ".3d", ".3dc", ".rob", ".rgm", ".b3d", ".x"):
            continue
        message = attempt(path)
        count += 1
        assert message is None or "internal" not in message, (path, message)
    assert count > 0, "the corpus has no damaged files"
    assert antiquary.__version__
