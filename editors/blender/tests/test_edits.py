"""An edit changes what it must change, and nothing else."""

from pathlib import Path

import antiquary
import bpy
import numpy as np
import pytest
from conftest import Files, changes, findings
from mathutils import Vector


def move_vertex(target: bpy.types.Object, index: int, offset: tuple[float, float, float]) -> None:
    """Moves a vertex and all others at its place, also in the shape keys."""
    keys = target.data.shape_keys
    vertices = target.data.vertices
    position = vertices[index].co.copy()
    moved = [it.index for it in vertices if (it.co - position).length < 1e-6]
    for points in [vertices] + ([it.data for it in keys.key_blocks] if keys else []):
        for it in moved:
            points[it].co += Vector(offset)
    target.data.update()


def test_a_moved_vertex_of_a_room_changes_its_position_alone(files: Files, samples: Path) -> None:
    root = files.read("scpcb/GFX/map/hall_opt.rmesh")
    before = (samples / "scpcb/GFX/map/hall_opt.rmesh").read_bytes()
    root.objects["hall_opt"].data.vertices[5].co.z += 0.5
    found = changes(before, files.write("hall_opt.rmesh"), "hall_opt.rmesh")
    assert list(found) == ["surfaces[1].vertices[1].position[1]"]
    old, new = found["surfaces[1].vertices[1].position[1]"]
    assert new == old + 0.5 * 256


def test_a_moved_vertex_of_a_skinned_model_keeps_weights_and_animations(files: Files, samples: Path) -> None:
    path = "scpcb/GFX/map/Props/plant.b3d"
    root = files.read(path)
    move_vertex(next(it for it in root.all_objects if it.type == "MESH"), 10, (0.25, 0.0, 0.0))
    before, after = (samples / path).read_bytes(), files.write("plant.b3d")
    # An edited mesh of this format is written again; everything else is kept.
    assert all("KEYS" not in it and "BRUS" not in it and "TEXS" not in it for it in changes(before, after, "plant.b3d"))
    shapes = [frames(antiquary.open(it, name="plant.b3d").scene().meshes[0])[0] for it in (before, after)]
    moved = np.unique(np.round(shapes[1] - shapes[0], 4), axis=0).tolist()
    assert moved == [[0.0, 0.0, 0.0], [0.25, 0.0, 0.0]]


@pytest.mark.parametrize("entry", ["windmill.rsm", "windmill.rsm2"])
def test_a_moved_vertex_of_an_archived_model_keeps_its_animation(files: Files, samples: Path, entry: str) -> None:
    name = f"data\\model\\antiquary\\{entry}"
    root = files.read("ragnarok/data.grf", name)
    before = antiquary.Archive(samples / "ragnarok/data.grf").read(name)
    move_vertex(next(it for it in root.all_objects if it.type == "MESH"), 0, (0.0, 0.0, 1.0))
    found = changes(before, files.write(entry), entry)
    assert found
    assert all("vertices" in it for it in found), list(found)


def test_a_moved_vertex_of_a_redguard_model_keeps_its_frames(files: Files, samples: Path) -> None:
    path = "redguard/fxart/BARREL01.3D"
    root = files.read(path)
    move_vertex(next(it for it in root.all_objects if it.type == "MESH"), 0, (0.0, 0.0, 0.1))
    found = changes((samples / path).read_bytes(), files.write("BARREL01.3D"), "BARREL01.3D")
    moved = [it for it in found if "vertices[" in it]
    assert len(moved) == 1, list(found)


def test_a_moved_segment_of_a_rob_changes_that_segment_alone(files: Files, samples: Path) -> None:
    path = "redguard/fxart/ISLAND.ROB"
    root = files.read(path)
    move_vertex(root.all_objects["CRATE01"], 0, (0.0, 0.0, 0.1))
    found = changes((samples / path).read_bytes(), files.write("ISLAND.ROB"), "ISLAND.ROB")
    assert found
    assert all(it.startswith("segments[1].") for it in found), list(found)


def test_values_of_an_entity_are_edited_by_name(files: Files, samples: Path) -> None:
    root = files.read("scpcb/GFX/map/hall_opt.rmesh")
    lamp = root.all_objects["light_0"]
    assert lamp["range"] == 1200.0
    assert lamp["color"] == "255 240 205"
    lamp["range"] = 900.0
    lamp["color"] = "255 0 0"
    root.all_objects["soundemitter_9"]["sound"] = 2
    before = (samples / "scpcb/GFX/map/hall_opt.rmesh").read_bytes()
    found = changes(before, files.write("hall_opt.rmesh"), "hall_opt.rmesh")
    assert found == {
        "entities[0].light.color": ("255 240 205", "255 0 0"),
        "entities[0].light.range": (1200.0, 900.0),
        "entities[9].soundemitter.sound": (1, 2),
    }


def test_moved_rotated_and_dimmed_objects_change_their_entities(files: Files, samples: Path) -> None:
    root = files.read("scpcb/GFX/map/hall_opt.rmesh")
    root.all_objects["waypoint_5"].location.z += 1.0
    root.all_objects["light_1"].data.energy *= 0.5
    model = root.all_objects["model_12"]
    model.rotation_quaternion = (1.0, 0.0, 0.0, 0.0)
    before = (samples / "scpcb/GFX/map/hall_opt.rmesh").read_bytes()
    found = changes(before, files.write("hall_opt.rmesh"), "hall_opt.rmesh")
    assert found["entities[5].waypoint.position[1]"] == (16.0, 272.0)
    old, new = found["entities[1].light.intensity"]
    assert (old, round(new, 3)) == (1.0, 0.5)
    assert found["entities[12].model.rotation[1]"] == (20.0, 0.0)
    assert len(found) == 3, found


def test_removed_and_copied_objects_are_removed_and_added(files: Files) -> None:
    root = files.read("scpcb/GFX/map/hall_opt.rmesh")
    waypoint = root.all_objects["waypoint_6"]
    bpy.data.objects.remove(waypoint)
    lamp = root.all_objects["light_2"]
    copied = lamp.copy()
    lamp.users_collection[0].objects.link(copied)
    copied.location.x += 1.0
    data = files.write("hall_opt.rmesh")
    entities = antiquary.open(data, name="hall_opt.rmesh").fields()["entities"]
    kinds = [next(iter(it)) for it in entities]
    assert kinds.count("waypoint") == 3
    assert kinds.count("light") == 4
    added = [it["light"] for it in entities if "light" in it and it["light"]["position"] == [256.0, 360.0, 930.0]]
    assert [it["color"] for it in added] == ["120 165 220"]
    assert any("missing" in it for it in findings()), findings()


def test_a_new_waypoint_and_a_new_mesh_become_parts_of_the_room(files: Files) -> None:
    root = files.read("scpcb/GFX/map/hall_opt.rmesh")
    empty = bpy.data.objects.new("waypoint", None)
    empty.location = (1.0, 2.0, 0.5)
    root.objects.link(empty)
    mesh = bpy.data.meshes.new("floor")
    mesh.from_pydata([(0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)], [], [(0, 1, 2, 3)])
    mesh.uv_layers.new(name="UVMap")
    mesh.materials.append(bpy.data.materials["tiles.png + hall_lm1.png"])
    root.objects.link(bpy.data.objects.new("floor", mesh))
    fields = antiquary.open(files.write("hall_opt.rmesh"), name="hall_opt.rmesh").fields()
    assert {"waypoint": {"position": [256.0, 128.0, 512.0]}} in fields["entities"]
    positions = [it["position"] for surface in fields["surfaces"] for it in surface["vertices"]]
    assert [256.0, 256.0, 256.0] in positions


def test_removed_faces_are_removed_from_their_surface(files: Files, samples: Path) -> None:
    import bmesh

    root = files.read("scpcb/GFX/map/hall_opt.rmesh")
    mesh = root.objects["hall_opt"].data
    edited = bmesh.new()
    edited.from_mesh(mesh)
    edited.faces.ensure_lookup_table()
    bmesh.ops.delete(edited, geom=[edited.faces[4]], context="FACES_ONLY")
    edited.to_mesh(mesh)
    edited.free()
    before = antiquary.open(samples / "scpcb/GFX/map/hall_opt.rmesh").fields()
    after = antiquary.open(files.write("hall_opt.rmesh"), name="hall_opt.rmesh").fields()
    counts = [[len(it["triangles"]) for it in fields["surfaces"]] for fields in (before, after)]
    assert counts[1] == [counts[0][0], counts[0][1] - 1, *counts[0][2:]]
    assert after["entities"] == before["entities"]


def test_an_edited_key_changes_that_key_alone(files: Files, samples: Path) -> None:
    path = "ragnarok/data/model/antiquary/vane.rsm"
    files.read(path)
    from antiquary_extension import curves

    action = next(it for it in bpy.data.actions if it.antiquary.clip)
    for curve in curves.existing(action):
        point = curve.keyframe_points[1]
        point.co = (point.co[0], (0.5, 0.5, 0.5, 0.5)[curve.array_index])
        curve.update()
    found = changes((samples / path).read_bytes(), files.write("vane.rsm"), "vane.rsm")
    assert found
    assert all("rotation_keys[1]" in it or "keys[1]" in it for it in found), list(found)


def edit_key(clip: str) -> None:
    """Edits the third key of a bone of the sample plant in a clip."""
    from antiquary_extension import curves

    action = next(it for it in bpy.data.actions if it.antiquary.clip == clip)
    quaternion = (0.96, 0.28, 0.0, 0.0)
    for curve in curves.existing(action):
        if '"bone 1"' in curve.data_path and curve.data_path.endswith("rotation_quaternion"):
            point = curve.keyframe_points[2]
            point.co = (point.co[0], quaternion[curve.array_index])
            curve.update()


def test_an_edited_key_of_a_bone_changes_that_bone_alone(files: Files, samples: Path) -> None:
    path = "scpcb/GFX/map/Props/plant.b3d"
    files.read(path)
    edit_key("sway")
    before, after = (samples / path).read_bytes(), files.write("plant.b3d")
    # An edited list of keys of this format is written again; those of other bones are kept.
    assert len({it.split(".KEYS")[0] for it in changes(before, after, "plant.b3d")}) == 1
    scenes = [antiquary.open(it, name="plant.b3d").scene() for it in (before, after)]
    clips = [next(clip for clip in it.animations if clip.name == "sway") for it in scenes]
    for old, new in zip(clips[0].tracks, clips[1].tracks):
        kept = np.isin(np.round(np.asarray(new.times), 3), np.round(np.asarray(old.times), 3))
        differ = ~np.isclose(old.values, new.values[kept], atol=1e-5).all(axis=1)
        is_edited = scenes[0].nodes[old.targets[0][1]].name == "bone 1"
        assert np.flatnonzero(differ).tolist() == ([2] if is_edited else [])


def test_an_edit_that_another_clip_hides_is_reported(files: Files) -> None:
    files.read("scpcb/GFX/map/Props/plant.b3d")
    edit_key("animation")
    files.write("plant.b3d")
    assert any('"sway", which takes precedence' in it for it in findings()), findings()


def test_an_edited_frame_of_a_redguard_model_changes_that_frame(files: Files, samples: Path) -> None:
    path = "redguard/fxart/FLAG01.3DC"
    root = files.read(path)
    flag = next(it for it in root.all_objects if it.type == "MESH")
    block = flag.data.shape_keys.key_blocks[3]
    position = block.data[0].co.copy()
    for point in block.data:
        if (point.co - position).length < 1e-6:
            point.co.z += 0.2
    before, after = (samples / path).read_bytes(), files.write("FLAG01.3DC")
    assert after != before
    shapes = [frames(antiquary.open(it, name="FLAG01.3DC").scene().meshes[0]) for it in (before, after)]
    assert len(shapes[0]) == len(shapes[1]) == 17
    different = [it for it in range(17) if not np.allclose(shapes[0][it], shapes[1][it], atol=1e-3)]
    # The shape key after the basis is the second frame.
    assert different == [3]


def frames(mesh: antiquary.Mesh) -> list[np.ndarray]:
    """The positions of the corners of all faces in each frame, in an order that does not depend on the vertices."""
    count = len(mesh.primitives[0].targets)
    out = []
    for frame in range(count + 1):
        parts = []
        for it in mesh.primitives:
            moved = it.positions if frame == 0 else it.positions + it.targets[frame - 1].positions
            parts.append(moved[it.indices])
        out.append(np.concatenate(parts))
    return out


def test_objects_of_a_map_are_moved_edited_copied_and_removed(files: Files, samples: Path) -> None:
    path = "redguard/maps/ISLAND.RGM"
    before = (samples / path).read_bytes()
    root = files.read(path)
    crate = root.all_objects["S000_CRATE01"]
    assert crate.data == root.all_objects["S001_CRATE01"].data
    crate.location.x += 2.0
    crate.location.z += 1.0
    root.all_objects["L000"]["radius"] = 500
    root.all_objects["B_001_BARREL"].location.y += 0.5
    bpy.context.view_layer.update()
    found = changes(before, files.write("ISLAND.RGM"), "ISLAND.RGM")
    changed = {it.split(".", 1)[1]: pair for it, pair in found.items()}
    values = {name.split(".")[-1]: (old, new) for name, (old, new) in changed.items()}
    assert values["radius"] == (300, 500)
    statics = [pair for name, pair in found.items() if "MPSO" in name]
    assert sorted(new - old for old, new in statics) == [-40, -20], found
    placed = [pair for name, pair in found.items() if "MPOB" in name and name.endswith("position[2]")]
    assert [new - old for old, new in placed] == [-0.5 * 20 * 256], found


def test_a_rotated_object_of_a_map_comes_back_rotated(files: Files, samples: Path) -> None:
    path = "redguard/maps/ISLAND.RGM"
    root = files.read(path)
    from mathutils import Euler

    turns = {"S002_FERN01": (0.3, -0.2, 1.1), "B_001_BARREL": (0.0, 0.0, -0.7), "B_002_BARREL": (0.5, 0.1, 2.0)}
    for name, angles in turns.items():
        root.all_objects[name].rotation_quaternion = Euler(angles).to_quaternion()
    bpy.context.view_layer.update()
    (files.output / "map").mkdir()
    data = files.write("ISLAND.RGM")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    mod = files.output / "mod"
    (mod / "maps").mkdir(parents=True)
    (mod / "maps/ISLAND.RGM").write_bytes(data)
    scene = antiquary.Game(samples / "redguard", mods=mod).open("maps/ISLAND.RGM").scene()
    from antiquary_extension import axes

    for node in scene.nodes:
        if node.name in turns:
            expected = Euler(turns[node.name]).to_quaternion()
            assert abs(axes.rotation(*node.rotation).dot(expected)) > 0.99999, node.name


def test_copied_and_removed_objects_of_a_map(files: Files) -> None:
    path = "redguard/maps/ISLAND.RGM"
    root = files.read(path)
    fern = root.all_objects["S002_FERN01"]
    copied = fern.copy()
    fern.users_collection[0].objects.link(copied)
    copied.location.x += 3.0
    bpy.data.objects.remove(root.all_objects["S005_LANTRN01"])
    bpy.context.view_layer.update()
    sections = antiquary.open(files.write("ISLAND.RGM"), name="ISLAND.RGM").fields()["sections"]
    statics = next(it["MPSO"]["records"] for it in sections if "MPSO" in it)
    assert [it["model"] for it in statics].count("LANTRN01") == 0
    ferns = [it for it in statics if it["model"] == "FERN01"]
    assert len(ferns) == 3
    assert ferns[-1]["position"][0] == ferns[0]["position"][0] - 60


def test_a_copy_does_not_get_the_edits_of_its_original(files: Files) -> None:
    root = files.read("redguard/maps/ISLAND.RGM")
    barrel = root.all_objects["B_001_BARREL"]
    copied = barrel.copy()
    barrel.users_collection[0].objects.link(copied)
    copied.location.x += 3.0
    barrel.location.y += 0.5
    barrel.rotation_quaternion = (0.6, 0.0, 0.0, 0.8)
    bpy.context.view_layer.update()
    sections = antiquary.open(files.write("ISLAND.RGM"), name="ISLAND.RGM").fields()["sections"]
    first, second = [it for it in next(it["MPOB"]["records"] for it in sections if "MPOB" in it) if it["object"] == "BARREL"][::2]
    assert second["position"][0] - first["position"][0] == -3.0 * 20 * 256
    assert second["position"][2] - first["position"][2] == 0.5 * 20 * 256
    assert first["angles"] != second["angles"]
    assert not findings()


def test_rooms_of_a_map_are_moved_by_cells(files: Files, samples: Path) -> None:
    path = "scpcb/Map Creator/Maps/halls.cbmap2"
    root = files.read(path)
    room = next(it for it in root.all_objects if it.antiquary.field == "rooms[1]")
    room.location.x += 8.0
    room["event"] = "alarm"
    bpy.context.view_layer.update()
    found = changes((samples / path).read_bytes(), files.write("halls.cbmap2"), "halls.cbmap2")
    # Columns are counted from the right.
    assert found == {"rooms[1].x": (9, 8), "rooms[1].event": ("hum", "alarm")}


def test_an_edited_height_of_a_terrain_changes_that_height(files: Files, samples: Path) -> None:
    root = files.read("redguard/maps/ISLAND.WLD")
    tile = next(it for it in root.all_objects if it.type == "MESH")
    tile.data.vertices[0].co.z += 10.0
    before, after = (samples / "redguard/maps/ISLAND.WLD").read_bytes(), files.write("ISLAND.WLD")
    opened = [antiquary.open(it, name="ISLAND.WLD") for it in (before, after)]
    heights = [next(it.gray() for it in file.images() if it.name.endswith("height")).astype(int) for file in opened]
    assert np.count_nonzero(heights[1] - heights[0]) == 1
    # A meter has 20 world units, each with 8 steps; the object has a scale of 0.4.
    assert (heights[1] - heights[0]).max() == 640
    assert sum(a != b for a, b in zip(before, after)) == 1
    assert not findings()


def test_a_height_that_a_terrain_cannot_have_is_rounded_and_reported(files: Files) -> None:
    root = files.read("redguard/maps/ISLAND.WLD")
    tile = next(it for it in root.all_objects if it.type == "MESH")
    tile.data.vertices[0].co.z += 1.0
    files.write("ISLAND.WLD")
    finding = bpy.context.scene.antiquary.findings[0]
    assert finding.code == "BLENDER-W002"
    assert "nearest of the 128" in finding.message
    assert finding.object == tile.name
    assert bpy.ops.antiquary.select_object(name=finding.object) == {"FINISHED"}
    assert bpy.context.view_layer.objects.active == tile


def test_edited_uvs_and_materials_are_written(files: Files, samples: Path) -> None:
    path = "scpcb/GFX/map/hall_opt.rmesh"
    root = files.read(path)
    mesh = root.objects["hall_opt"].data
    for corner in (0, 1, 2):
        vertex = mesh.loops[corner].vertex_index
        for loop in mesh.loops:
            if loop.vertex_index == vertex:
                mesh.uv_layers[1].uv[loop.index].vector = (0.25, 0.75)
    found = changes((samples / path).read_bytes(), files.write("hall_opt.rmesh"), "hall_opt.rmesh")
    assert found
    assert all(it.startswith("surfaces[0].vertices[") and "uv" in it for it in found), list(found)

    material = bpy.data.materials["crate.png"]
    image = bpy.data.images.new("planks.png", 8, 8)
    image.pack()
    material.node_tree.nodes["Texture"].image = image
    fields = antiquary.open(files.write("planks.rmesh"), name="planks.rmesh").fields()
    names = [it["texture"]["name"] for it in fields["surfaces"]]
    assert "planks.png" in names
    assert (files.output / "planks.png").exists()


def test_a_scene_made_in_blender_is_exported(files: Files) -> None:
    bpy.ops.mesh.primitive_cube_add(size=4.0)
    cube = bpy.context.object
    material = bpy.data.materials.new("concrete.jpg")
    cube.data.materials.append(material)
    room = antiquary.open(files.write("cube.rmesh", images="none"), name="cube.rmesh")
    assert sum(len(it.faces) for mesh in room.scene().meshes for it in mesh.primitives) == 12
