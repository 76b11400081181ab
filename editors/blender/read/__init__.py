"""Creates Blender's data from a scene of the library."""

from collections.abc import Callable
from dataclasses import dataclass, field

import antiquary
import bpy

from .. import fields
from ..source import Source
from . import animation, image, light, material, mesh, node, skin


@dataclass
class Import:
    """The state of an import: Blender's data by the index of the scene."""

    context: bpy.types.Context
    scene: antiquary.Scene
    root: bpy.types.Collection
    images: list[bpy.types.Image] = field(default_factory=list)
    materials: list[bpy.types.Material] = field(default_factory=list)
    meshes: dict[int, bpy.types.Mesh] = field(default_factory=dict)
    lights: dict[int, bpy.types.Light] = field(default_factory=dict)
    objects: dict[int, bpy.types.Object] = field(default_factory=dict)
    # The armature object and the name of the bone of each joint.
    bones: dict[int, tuple[bpy.types.Object, str]] = field(default_factory=dict)
    layers: dict[str, bpy.types.Collection] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def import_scene(
    context: bpy.types.Context,
    source: Source,
    file: antiquary.File,
    progress: Callable[[float], None] = lambda done: None,
) -> Import:
    """Imports a file into a new collection of the scene.

    Raises:
        antiquary.Error: The file has no scene, or it is damaged.
    """
    scene = file.scene()
    progress(0.3)
    root = bpy.data.collections.new(scene.name or source.name)
    context.scene.collection.children.link(root)
    state = Import(context, scene, root)
    source.store(root, file)
    state.images = image.create(scene)
    state.materials = material.create(scene, state.images, _has_colors(scene))
    progress(0.4)
    state.meshes = mesh.create(scene, state.materials)
    state.lights = light.create(scene)
    progress(0.6)
    skin.create(state)
    node.create(state)
    progress(0.8)
    _store_fields(state, file)
    animation.create(state)
    progress(1.0)
    return state


def _has_colors(scene: antiquary.Scene) -> set[int]:
    """The materials of primitives with vertex colors."""
    primitives = (it for mesh in scene.meshes for it in mesh.primitives)
    return {it.material for it in primitives if it.colors is not None and it.material is not None}


def _store_fields(state: Import, file: antiquary.File) -> None:
    """Stores the path of the field of each object, and its values as custom properties."""
    parts = [(index, state.scene.nodes[index].field) for index in state.objects]
    found = fields.read(file, [path for _, path in parts if path])
    for index, path in parts:
        if path:
            target = state.objects[index]
            target.antiquary.field = path
            fields.store(target, found.get(path, {}))
