"""Edits of materials and their images."""

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

import antiquary
import bpy
import numpy as np

from ..read import snapshot
from ..write import material as write
from .edit import Edit
from .objects import State
from .result import Result, without_number

_NEAR = 1e-2
# Colors become images of 8 bits per channel in some formats.
_NEAR_PIXEL = 4.0
# The nodes of new materials that are written.
_WRITTEN_NODES = {
    "ShaderNodeBsdfPrincipled", "ShaderNodeEmission", "ShaderNodeTexImage", "ShaderNodeUVMap", "ShaderNodeOutputMaterial",
}  # fmt: skip


def find(state: State) -> Iterator[Edit]:
    """The edits of the materials that the objects of an import show."""
    seen: set[str] = set()
    for target in state.root.all_objects:
        for slot in target.material_slots:
            material = slot.material
            if material is not None and material.name not in seen:
                seen.add(material.name)
                yield from _material(state, target, material)


def _material(state: State, target: bpy.types.Object, material: bpy.types.Material) -> Iterator[Edit]:
    index = material.antiquary.index
    is_known = 0 <= index < len(state.scene.materials)
    name = f'the material "{material.name}"'
    if not is_known:
        yield from _new(target, material)
        return
    now, before = write.shown(material), state.scene.materials[index]
    expected = write.expected(material, before)
    different = snapshot.differences(material)
    # Settings that are compared below; those of textures that move show a frame of their animation.
    handled = {it for it in different if write.is_handled(material, it)}
    if write.differs(now.color, expected.color):
        yield Edit(f"the color of {name}", target, _has_color(material, now.color))
    if write.differs([now.alpha], [expected.alpha]):
        yield Edit(f"the alpha of {name}", target, _has(material, lambda it: it.base_color[3], now.alpha))
    for what in ("metallic", "roughness"):
        value = getattr(now, what)
        if value is not None and write.differs([value], [getattr(before, what)]):
            yield Edit(f"the {what} value of {name}", target, _has(material, attrgetter(what), value))
    if now.emissive is not None and write.differs(now.emissive, before.emissive):
        yield Edit(f"the emission of {name}", target, _has(material, attrgetter("emissive"), now.emissive))
    if material.use_backface_culling == before.double_sided:
        sided = not material.use_backface_culling
        yield Edit(f"the backface culling of {name}", target, _has(material, attrgetter("double_sided"), sided))
    if "settings > surface_render_method" in different or "settings > blend_method" in different:
        handled |= {"settings > surface_render_method", "settings > blend_method", "settings > show_transparent_back"}
        yield Edit(f"the render method of {name}", target, _has(material, lambda it: it.alpha_mode == "blend", now.is_blended))
    yield from _textures(state, target, material, before)
    if material.name != material.antiquary.name and material.antiquary.name:
        new = material.name
        yield Edit(f"the name of {name}", target, lambda it: any(m.name == new for m in it.scene.materials))
    if write.mapping_of(material) is not None and index not in _moving(state.scene):
        transform, original = write.transform_of(material), (before.base_color_texture or {})
        was = [*original.get("offset", (0, 0)), original.get("rotation", 0), *original.get("scale", (1, 1))]
        if write.differs(transform, was, 1e-5):
            yield Edit(f"the mapping of {name}", target, _has_transform(transform))
    left = sorted(set(different) - handled)
    # New and removed nodes are listed by their names.
    others = {it.split(" > ")[0] for it in left if it.endswith(" > type")}
    left = sorted({it.split(" > ")[0] if it.split(" > ")[0] in others else it for it in left})
    if left:
        listed = ", ".join(left[:4]) + (", ..." if len(left) > 4 else "")
        yield Edit(f"the shader of {name} ({listed})", target)


def _moving(scene: antiquary.Scene) -> set[int]:
    return {at for clip in scene.animations for it in clip.tracks for kind, at in it.targets if kind.startswith("uv_")}


def _new(target: bpy.types.Object, material: bpy.types.Material) -> Iterator[Edit]:
    """Edits of a material that was created in Blender: its color or its image."""
    now, name = write.shown(material), f'the new material "{material.name}"'
    if now.image is not None:
        yield Edit(f"the image of {name}", target, _has_image(now.image))
    elif write.differs(now.color, (1.0, 1.0, 1.0)):
        yield Edit(f"the color of {name}", target, _has_color(material, now.color))
    if write.differs([now.alpha], [1.0]):
        yield Edit(f"the alpha of {name}", target, _has(material, lambda it: it.base_color[3], now.alpha))
    for what, value in (("metallic", 0.0), ("roughness", 0.5)):
        if write.differs([value if getattr(now, what) is None else getattr(now, what)], [value]):
            yield Edit(f"the {what} value of {name}", target)
    nodes = material.node_tree.nodes if material.node_tree else ()
    left = sorted(it.name for it in nodes if it.bl_idname not in _WRITTEN_NODES)
    if left:
        yield Edit(f"the shader of {name} ({', '.join(left)})", target)


def _textures(
    state: State, target: bpy.types.Object, material: bpy.types.Material, before: antiquary.Material
) -> Iterator[Edit]:
    for node_name, reference, what in (
        (write.COLOR_TEXTURE, before.base_color_texture, "texture"),
        (write.LIGHTMAP, before.lightmap, "lightmap"),
    ):
        node = material.node_tree.nodes.get(node_name) if material.node_tree else None
        image = getattr(node, "image", None)
        index = -1 if reference is None else state.scene.textures[reference["texture"]].image
        if image is None and index < 0:
            continue
        what = f'the {what} of the material "{material.name}"'
        if image is None:
            yield Edit(f"the removal of {what}", target, _has_fewer_images(state, index))
        elif image.antiquary.index != index:
            yield Edit(what, target, _has_image(image))
        elif write.image_is_edited(image, state.scene):
            yield Edit(f'the pixels of the image "{image.name}"', target, _has_image(image))


def _far(first: object, second: object) -> bool:
    return bool(np.abs(np.array(first, np.float64) - np.array(second, np.float64)).max() > _NEAR)


def _candidates(result: Result, material: bpy.types.Material) -> list[antiquary.Material]:
    """The materials that a material may have become."""
    names = {material.name, without_number(material.name)}
    return [it for it in result.scene.materials if it.name in names] or result.scene.materials


def _has(
    material: bpy.types.Material, read: Callable[[antiquary.Material], Any], expected: Any
) -> Callable[[Result], bool]:
    return lambda result: any(not _far(read(it), expected) for it in _candidates(result, material))


def _has_color(material: bpy.types.Material, color: tuple[float, ...]) -> Callable[[Result], bool]:
    encoded = [255.0 * (12.92 * it if it <= 0.0031308 else 1.055 * it ** (1 / 2.4) - 0.055) for it in color]

    def is_in(result: Result) -> bool:
        if any(not _far(it.base_color[:3], color) for it in _candidates(result, material)):
            return True
        # A format without colors has a small image of the color.
        small = (it for it in result.scene.images if it.width * it.height <= 4096)
        return any(np.abs(it.pixels()[..., :3].reshape(-1, 3) - np.array(encoded)).max() < _NEAR_PIXEL for it in small)

    return is_in


def _has_transform(transform: list[float]) -> Callable[[Result], bool]:
    def is_in(result: Result) -> bool:
        for it in result.scene.materials:
            found = it.base_color_texture
            if found and not _far([*found["offset"], found["rotation"], *found["scale"]], transform):
                return True
        return False

    return is_in


def _has_fewer_images(state: State, index: int) -> Callable[[Result], bool]:
    def uses(scene: antiquary.Scene, name: str) -> int:
        found = [it.base_color_texture for it in scene.materials if it.base_color_texture]
        return sum(scene.images[scene.textures[it["texture"]].image].name == name for it in found)

    name = state.scene.images[index].name
    return lambda it: uses(it.scene, name) < uses(state.scene, name)


def _has_image(image: bpy.types.Image) -> Callable[[Result], bool]:
    def is_in(result: Result) -> bool:
        width, height = image.size
        expected = write.pixels_of(image)
        for it in result.scene.images:
            if (it.width, it.height) == (width, height):
                found = it.pixels()[..., :3].astype(np.float64)
                if _mean_difference(found, expected) < _NEAR_PIXEL:
                    return True
        return False

    return is_in


def _mean_difference(found: np.ndarray, expected: np.ndarray) -> float:
    """The mean difference of the colors of visible pixels. Formats without alpha have any color at transparent ones."""
    visible = expected[..., 3] > 127
    difference = np.abs(found - expected[..., :3])[visible]
    return float(difference.mean()) if difference.size else 0.0
