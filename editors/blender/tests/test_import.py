"""An imported scene looks like the game, and has all of its data."""

from pathlib import Path
from types import ModuleType

import antiquary
import bpy
import numpy as np
import pytest
from conftest import Files
from mathutils import Vector


def test_layers_become_collections(files: Files) -> None:
    root = files.read("scpcb/GFX/map/hall_opt.rmesh")
    layers = {it.name: len(it.objects) for it in root.children}
    assert layers == {
        "lights": 4, "screens": 1, "waypoints": 4, "sounds": 1, "props": 5, "player starts": 1, "collision": 1,
        "triggers": 1,
    }  # fmt: skip


def test_objects_are_where_the_library_places_them(files: Files, samples: Path) -> None:
    for path in ("scpcb/GFX/map/hall_opt.rmesh", "redguard/maps/ISLAND.RGM", "scpcb/GFX/map/Props/lampshade.x"):
        root = files.read(path)
        bpy.context.view_layer.update()
        scene = antiquary.open(samples / path).scene()
        by_name = {}
        for index, node in enumerate(scene.nodes):
            by_name.setdefault(node.name, scene.world_matrices[index])
        for target in root.all_objects:
            matrix = by_name.get(target.antiquary.name)
            if matrix is not None and not target.antiquary.part:
                x, y, z = matrix[:3, 3]
                assert (target.matrix_world.translation - Vector((x, -z, y))).length < 1e-3, target.name


def test_normals_and_both_uv_sets_are_those_of_the_file(files: Files, samples: Path) -> None:
    root = files.read("scpcb/GFX/map/Props/plant.b3d")
    mesh = next(it.data for it in root.all_objects if it.type == "MESH")
    primitives = antiquary.open(samples / "scpcb/GFX/map/Props/plant.b3d").scene().meshes[0].primitives
    normals = np.concatenate([it.normals for it in primitives])
    for loop, shown in zip(mesh.loops, mesh.corner_normals):
        x, y, z = normals[loop.vertex_index]
        assert shown.vector.dot(Vector((x, -z, y)).normalized()) > 0.9995
    room = files.read("scpcb/GFX/map/hall_opt.rmesh").objects["hall_opt"]
    assert [it.name for it in room.data.uv_layers] == ["UVMap", "UVMap.001"]
    nodes = bpy.data.materials["concrete.png + hall_lm1.png"].node_tree.nodes
    assert nodes["Texture"].image.name == "concrete.png"
    assert nodes["Lightmap"].image.size[0] > 0


def test_keyframes_are_on_frames_of_the_game(files: Files) -> None:
    from antiquary_extension import curves

    files.read("redguard/fxart/WALKER01.3DC")
    render = bpy.context.scene.render
    assert render.fps / render.fps_base == pytest.approx(12.14, abs=0.01)
    action = next(it for it in bpy.data.actions if it.antiquary.clip)
    for curve in curves.existing(action):
        frames = curves.read(curve)[0]
        assert np.array_equal(frames, np.round(frames))
    assert bpy.context.scene.frame_end == 12


def test_a_skin_deforms_the_mesh_like_the_library(files: Files, samples: Path) -> None:
    root = files.read("scpcb/GFX/map/Props/plant.b3d")
    armature = next(it for it in root.all_objects if it.type == "ARMATURE")
    shown = next(it for it in root.all_objects if it.type == "MESH")
    scene = antiquary.open(samples / "scpcb/GFX/map/Props/plant.b3d").scene()
    assert [it.name for it in armature.data.bones][:2] == ["plant.001", "bone 0"] or len(armature.data.bones) == 5
    clip = scene.animations[0]
    time = float(clip.tracks[0].times[3])
    bpy.context.scene.frame_set(round(time * root.antiquary.rate))
    evaluated = shown.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    expected = posed(scene, clip, 3)
    for vertex, (x, y, z) in zip(evaluated.vertices, expected):
        assert (vertex.co - Vector((x, -z, y))).length < 1e-3
    assert len(evaluated.vertices) == len(expected)


def posed(scene: antiquary.Scene, clip: antiquary.Animation, key: int) -> np.ndarray:
    """The vertices of a skinned mesh at a keyframe, as glTF defines it."""
    local = {index: matrix_of(it.translation, it.rotation, it.scale) for index, it in enumerate(scene.nodes)}
    for track in clip.tracks:
        for kind, at in track.targets:
            if kind == "rotation":
                node = scene.nodes[at]
                local[at] = matrix_of(node.translation, track.values[key], node.scale)
    above = {child: index for index, node in enumerate(scene.nodes) for child in node.children}

    def world(index: int) -> np.ndarray:
        return world(above[index]) @ local[index] if index in above else local[index]

    skin = scene.skins[0]
    joints = [world(joint) @ inverse for joint, inverse in zip(skin.joints, skin.inverse_bind)]
    out = []
    for primitive in scene.meshes[0].primitives:
        for position, numbers, weights in zip(primitive.positions, primitive.joints, primitive.weights):
            point = np.append(position, 1.0)
            out.append(sum(weight * (joints[joint] @ point)[:3] for joint, weight in zip(numbers, weights)))
    return np.array(out)


def matrix_of(translation: tuple, rotation: tuple, scale: tuple) -> np.ndarray:
    """A transform of glTF as a matrix."""
    x, y, z, w = (float(it) for it in rotation)
    turn = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip
    out = np.eye(4)
    out[:3, :3] = turn * np.array(scale)
    out[:3, 3] = translation
    return out


def test_models_of_a_map_are_linked(files: Files) -> None:
    root = files.read("redguard/maps/ISLAND.RGM")
    palms = [it for it in root.all_objects if "PALMTR01" in it.name]
    assert len(palms) == 6
    assert len({it.data for it in palms}) == 1


def test_clips_can_be_shown(files: Files) -> None:
    root = files.read("scpcb/GFX/map/Props/plant.b3d")
    bpy.context.view_layer.objects.active = root.objects[0]
    assert bpy.ops.antiquary.show_clip(clip="rustle") == {"FINISHED"}
    armature = next(it for it in root.all_objects if it.type == "ARMATURE")
    assert armature.animation_data.action.antiquary.clip == "rustle"
    with pytest.raises(RuntimeError, match="no clip"):
        bpy.ops.antiquary.show_clip(clip="unknown")


def test_a_container_lists_its_entries_with_scenes(blender: ModuleType, samples: Path) -> None:
    assert bpy.ops.import_scene.antiquary_container(filepath=str(samples / "ragnarok/data.grf")) == {"FINISHED"}
    container = bpy.context.window_manager.antiquary
    names = [it.name for it in container.entries]
    assert names == ["data\\model\\antiquary\\windmill.rsm", "data\\model\\antiquary\\windmill.rsm2"]
    container.active = 1
    assert bpy.ops.import_scene.antiquary_entry() == {"FINISHED"}
    assert any(it.antiquary.entry == names[1] for it in bpy.data.collections)


def test_operators_have_the_options_of_the_library(blender: ModuleType) -> None:
    for description in antiquary.formats()["results"]:
        if "scene" not in description["can"]:
            continue
        name = description["id"].split(".")[-1]
        found = getattr(bpy.ops.import_scene, f"antiquary_{name}").get_rna_type().properties
        for option in description["options"]:
            if option["name"] != "preset":
                shown = found[f"option_{option['name'].replace('-', '_')}"]
                assert shown.description == option["about"].rstrip(".")
        if "import" in description["can"]:
            found = getattr(bpy.ops.export_scene, f"antiquary_{name}").get_rna_type().properties
            for option in description["import_options"]:
                assert f"option_{option['name'].replace('-', '_')}" in found
