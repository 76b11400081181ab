"""Edits that no file can have are reported, and change nothing else."""

from collections.abc import Callable
from pathlib import Path

import antiquary
import bmesh
import bpy
import numpy as np
import pytest
from conftest import Files, findings

PLANT = "scpcb/GFX/map/Props/plant.b3d"
ROOM = "scpcb/GFX/map/hall_opt.rmesh"
VANE = "ragnarok/data/model/antiquary/vane.rsm"
FLAG = "redguard/fxart/FLAG01.3DC"


def armature(root: bpy.types.Collection) -> bpy.types.Object:
    return next(it for it in root.all_objects if it.type == "ARMATURE")


def shown(root: bpy.types.Collection) -> bpy.types.Object:
    return next(it for it in root.all_objects if it.type == "MESH" and len(it.data.polygons))


def remove_armature(root: bpy.types.Collection) -> None:
    bpy.data.objects.remove(armature(root))


def copy_armature(root: bpy.types.Collection) -> None:
    root.objects.link(armature(root).copy())


def remove_bone(root: bpy.types.Collection) -> None:
    bpy.context.view_layer.objects.active = armature(root)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature(root).data.edit_bones
    bones.remove(bones[-1])
    bpy.ops.object.mode_set(mode="OBJECT")


def constrain_bone(root: bpy.types.Collection) -> None:
    armature(root).pose.bones[0].constraints.new("LIMIT_ROTATION")


def drive_shape_key(root: bpy.types.Collection) -> None:
    shown(root).data.shape_keys.key_blocks[1].driver_add("value")


def link_slot(root: bpy.types.Collection) -> None:
    slot = shown(root).material_slots[0]
    slot.link = "OBJECT"
    slot.material = bpy.data.materials.new("mine")


def change_rate(root: bpy.types.Collection) -> None:
    bpy.context.scene.render.fps *= 2


def animate_lamp(root: bpy.types.Collection) -> None:
    lamp = next(it for it in root.all_objects if it.type == "LIGHT")
    lamp.data.keyframe_insert("energy", frame=1)


def rename_action(root: bpy.types.Collection) -> None:
    next(it for it in bpy.data.actions if it.antiquary.clip).name = "mine"


def add_text(root: bpy.types.Collection) -> None:
    root.objects.link(bpy.data.objects.new("text", bpy.data.curves.new("text", "FONT")))


def rename_shape_key(root: bpy.types.Collection) -> None:
    shown(root).data.shape_keys.key_blocks[1].name = "mine"


def add_group(root: bpy.types.Collection) -> None:
    shown(root).vertex_groups.new(name="mine")


def add_attribute(root: bpy.types.Collection) -> None:
    shown(root).data.attributes.new("mine", "FLOAT", "POINT")


def add_slot(root: bpy.types.Collection) -> None:
    action = next(it for it in bpy.data.actions if it.antiquary.clip)
    if hasattr(action, "slots"):
        action.slots.new(id_type="OBJECT", name="mine")
    else:
        action.name = "mine"


@pytest.mark.parametrize(
    ("path", "edit", "message"),
    [
        (PLANT, remove_armature, "the removal of the armature"),
        (PLANT, copy_armature, "the new armature"),
        (PLANT, remove_bone, "the removal of the bone"),
        (PLANT, constrain_bone, 'the constraint "Limit Rotation" of the bone'),
        (PLANT, change_rate, "the frame rate of the scene"),
        (PLANT, rename_action, "the name of the action"),
        (PLANT, add_group, 'the vertex groups "mine"'),
        (PLANT, add_slot, "action"),
        (FLAG, drive_shape_key, "the drivers of"),
        (FLAG, rename_shape_key, 'the name of the shape key "mine"'),
        (ROOM, link_slot, "the material slot of"),
        (ROOM, animate_lamp, 'the curve "energy"'),
        (ROOM, add_text, 'the new object "text"'),
        (ROOM, add_attribute, 'the attribute "mine"'),
        (VANE, add_group, "the vertex groups of"),
    ],
)
def test_an_edit_that_the_file_cannot_have_is_reported(
    files: Files, samples: Path, path: str, edit: Callable[[bpy.types.Collection], None], message: str
) -> None:
    root = files.read(path)
    edit(root)
    bpy.context.view_layer.objects.active = shown(root)
    assert files.write(Path(path).name) == (samples / path).read_bytes()
    found = findings()
    assert found
    assert all(it.startswith("BLENDER-W001") for it in found), found
    assert any(message in it for it in found), found


def test_a_flipped_face_is_written(files: Files, samples: Path) -> None:
    root = files.read(ROOM)
    mesh = root.objects["hall_opt"].data
    edited = bmesh.new()
    edited.from_mesh(mesh)
    edited.faces.ensure_lookup_table()
    edited.faces[0].normal_flip()
    edited.to_mesh(mesh)
    edited.free()
    data = files.write("hall_opt.rmesh")
    assert not [it for it in findings() if it.startswith("BLENDER")], findings()
    before, after = (antiquary.open(it, name="hall_opt.rmesh").scene() for it in ((samples / ROOM).read_bytes(), data))
    areas = [sum(_areas(mesh) for mesh in it.meshes) for it in (before, after)]
    # The sum of directed areas differs by twice the area of the face.
    assert not np.allclose(areas[0], areas[1], atol=1e-3)


def _areas(mesh: antiquary.Mesh) -> np.ndarray:
    total = np.zeros(3)
    for it in mesh.primitives:
        a, b, c = (it.positions[it.faces[:, column]].astype(np.float64) for column in range(3))
        total += np.cross(b - a, c - a).sum(axis=0)
    return total


@pytest.mark.parametrize(("name", "value", "number"), [("soundemitter_9", "range", 5.0), ("light_2", "range", 777.0)])
def test_a_value_of_a_copy_is_written_or_reported(files: Files, name: str, value: str, number: float) -> None:
    root = files.read(ROOM)
    copied = root.all_objects[name].copy()
    root.all_objects[name].users_collection[0].objects.link(copied)
    copied.location.x += 1.0
    copied[value] = number
    entities = antiquary.open(files.write("hall_opt.rmesh"), name="hall_opt.rmesh").fields()["entities"]
    kind = name.partition("_")[0]
    is_written = number in [it[kind][value] for it in entities if kind in it]
    assert is_written != any(f'the value "{value}"' in it for it in findings()), findings()
    assert [it.startswith("BLENDER") for it in findings()].count(True) == (not is_written)


def test_an_action_of_several_objects_becomes_one_clip(files: Files) -> None:
    from antiquary_extension import curves

    root = files.read(PLANT)
    action = bpy.data.actions.new("nod")
    target = armature(root)
    into = curves.channels(action, target)
    for bone in list(target.data.bones)[1:3]:
        for index, value in enumerate((0.8, 0.6, 0.0, 0.0)):
            curve = into.new(f'pose.bones["{bone.name}"].rotation_quaternion', index=index)
            for frame, share in ((0.0, 0.0), (10.0, 1.0)):
                curve.keyframe_points.insert(frame, share * value + (1.0 - share) * (index == 0)).interpolation = "LINEAR"
    curves.assign(target, action)
    scene = antiquary.open(files.write("plant.b3d"), name="plant.b3d").scene()
    assert [it.name for it in scene.animations].count("nod") == 1
    clip = next(it for it in scene.animations if it.name == "nod")
    names = {scene.nodes[at].name for track in clip.tracks for _, at in track.targets if len(track.times) > 1}
    assert {it.antiquary.name for it in list(target.data.bones)[1:3]} <= names


def test_an_object_without_faces_loses_its_mesh(files: Files) -> None:
    root = files.read("redguard/fxart/ISLAND.ROB")
    root.all_objects["CRATE01"].data.clear_geometry()
    scene = antiquary.open(files.write("ISLAND.ROB"), name="ISLAND.ROB").scene()
    assert [it.name for it in scene.nodes if it.mesh is None] == ["ISLAND", "CRATE01", "WALKER01"]
    assert any("the scene has no visible faces" in it for it in findings()), findings()
    assert not any(it.startswith("BLENDER") for it in findings()), findings()
