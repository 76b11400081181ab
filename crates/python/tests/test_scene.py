"""Scenes as arrays."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import antiquary


def test_primitives_are_arrays_of_one_length(samples: Path) -> None:
    primitives = 0
    for path in ("scpcb/GFX/map/hall_opt.rmesh", "redguard/fxart/WALKER01.3DC", "redguard/maps/ISLAND.WLD"):
        for mesh in antiquary.open(samples / path).scene().meshes:
            for primitive in mesh.primitives:
                primitives += 1
                count = len(primitive.positions)
                assert primitive.positions.shape == (count, 3)
                assert primitive.positions.dtype == np.float32
                assert primitive.indices.dtype == np.uint32
                assert primitive.indices.max() < count
                assert primitive.faces.shape == (len(primitive.indices) // 3, 3)
                assert np.shares_memory(primitive.faces, primitive.indices)
                assert all(uvs.shape == (count, 2) for uvs in primitive.uvs)
                for values, width in ((primitive.normals, 3), (primitive.tangents, 4), (primitive.colors, 4)):
                    assert values is None or values.shape == (count, width)
                assert all(target.positions.shape == (count, 3) for target in primitive.targets)
    assert primitives > 10


def test_arrays_keep_their_memory_after_the_scene(room: Path) -> None:
    positions = antiquary.open(room).scene().meshes[0].primitives[1].positions
    before = positions.copy()
    for _ in range(5):
        antiquary.open(room).scene()
    assert np.array_equal(positions, before)
    positions += 1
    assert np.array_equal(positions, before + 1)


def test_the_scene_agrees_with_its_glb(room: Path) -> None:
    file = antiquary.open(room)
    scene, document = file.scene(), gltf(file.to_glb())
    assert [node.name for node in scene.nodes] == [node["name"] for node in document["nodes"]]
    assert [material.name for material in scene.materials] == [it["name"] for it in document["materials"]]
    counts = [document["accessors"][primitive["attributes"]["POSITION"]]["count"] for primitive in document["meshes"][0]["primitives"]]
    assert [len(primitive.positions) for primitive in scene.meshes[0].primitives] == counts
    for node, other in zip(scene.nodes, document["nodes"], strict=True):
        assert node.translation == pytest.approx(other.get("translation", [0, 0, 0]))
        assert node.children == other.get("children", [])
        extras = other.get("extras", {})
        assert node.picture == extras.pop("image", None)
        assert node.extras == extras
    lights = document["extensions"]["KHR_lights_punctual"]["lights"]
    assert [light.kind for light in scene.lights] == [light["type"] for light in lights]
    assert scene.lights[3].cone is not None and scene.lights[0].cone is None


def gltf(glb: bytes) -> Any:
    """The JSON of a GLB file."""
    (length,) = struct.unpack_from("<I", glb, 12)
    return json.loads(glb[20 : 20 + length])


def test_world_matrices_include_all_parents(samples: Path) -> None:
    scene = antiquary.Game(samples / "ragnarok")["data/model/antiquary/windmill.rsm"].scene()
    parents = {child: index for index, node in enumerate(scene.nodes) for child in node.children}
    assert parents, "the model has a hierarchy"
    for index in range(len(scene.nodes)):
        expected, at = np.eye(4), index
        while True:
            expected = local(scene.nodes[at]) @ expected
            if at not in parents:
                break
            at = parents[at]
        assert np.allclose(scene.world_matrices[index], expected, atol=1e-4)


def local(node: antiquary.Node) -> np.ndarray[Any, Any]:
    """The transform from a node to its parent."""
    x, y, z, w = np.array(node.rotation) / np.linalg.norm(node.rotation)
    rotation = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    matrix = np.eye(4)
    matrix[:3, :3] = rotation * np.array(node.scale)
    matrix[:3, 3] = node.translation
    return matrix


def test_animations_have_keyframes(samples: Path) -> None:
    windmill = antiquary.Game(samples / "ragnarok")["data/model/antiquary/windmill.rsm"].scene()
    tracks = windmill.animations[0].tracks
    assert tracks
    for track in tracks:
        (kind, node) = track.targets[0]
        assert node < len(windmill.nodes)
        assert track.values.shape == (len(track.times), 4 if kind == "rotation" else 3)
        assert np.all(np.diff(track.times) > 0)
    walker = antiquary.open(samples / "redguard/fxart/WALKER01.3DC").scene()
    (track,) = walker.animations[0].tracks
    assert track.targets == [("weights", 0)]
    assert track.values.shape == (13, len(walker.meshes[0].primitives[0].targets))


def test_images_of_materials_are_decoded(room: Path) -> None:
    scene = antiquary.open(room).scene()
    material = scene.materials[0]
    reference = material.base_color_texture
    assert reference is not None and reference["scale"] == (1.0, 1.0)
    image = scene.images[scene.textures[reference["texture"]].image]
    pixels = image.pixels()
    assert (pixels.shape, pixels.dtype) == ((image.height, image.width, 4), np.uint8)
    assert image.data[:2] in (b"\x89P", b"\xff\xd8")
    assert np.array_equal(np.asarray(image), pixels)


def test_options_change_the_scene(samples: Path) -> None:
    game = antiquary.Game(samples / "redguard")
    lit = game.open("maps/ISLAND.RGM", light="baked").scene()
    plain = game.open("maps/ISLAND.RGM").scene()

    def is_colored(scene: antiquary.Scene) -> int:
        return sum(p.colors is not None for mesh in scene.meshes for p in mesh.primitives)

    assert (is_colored(lit), len(lit.images)) != (is_colored(plain), len(plain.images))


def test_parts_of_a_scene_have_the_path_of_their_field(samples: Path) -> None:
    room = antiquary.open(samples / "scpcb/GFX/map/hall_opt.rmesh")
    scene = room.scene()
    fields = {node.name: node.field for node in scene.nodes}
    assert fields["light_0"] == "entities[0]"
    assert fields["hall_opt"] is None
    assert [it.field for it in scene.meshes[0].primitives][:2] == ["surfaces[0]", "surfaces[1]"]
    edited = room.set({f"{fields['light_0']}.range": 900.0})
    assert antiquary.open(edited, name="hall.rmesh").fields("entities[0].range") == {"entities[0].range": 900.0}
