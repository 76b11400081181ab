"""The edits of the matrix of materials, lamps, bones and animations."""

from types import ModuleType
from typing import Any

import bpy
import numpy as np
from mathutils import Quaternion
from matrix import Check, armature, lamp, material, never, placed, shader

# Materials.


def color_socket(of: bpy.types.Material) -> Any:
    """The socket with the color of a material, or None if its texture alone determines the color."""
    socket = shader(of).inputs.get("Base Color") or shader(of).inputs["Color"]
    if not socket.is_linked:
        return socket
    tint = of.node_tree.nodes.get("Tint")
    return None if tint is None else next(it for it in tint.inputs if it.type == "RGBA" and not it.is_linked)


def all_materials(root: bpy.types.Collection) -> list[bpy.types.Material]:
    """The materials of all objects."""
    return [slot.material for it in root.all_objects for slot in it.material_slots if slot.material is not None]


def set_color(root: bpy.types.Collection) -> Check | None:
    """Changes the color of a material; one with a texture gets a node that multiplies it."""
    target = material(root)
    if target is None:
        return None
    color = (0.1, 0.4, 0.7)
    socket = color_socket(target)
    if socket is not None:
        socket.default_value = (*color, 1.0)
    else:
        nodes, links = target.node_tree.nodes, target.node_tree.links
        node = nodes.new("ShaderNodeMix")
        node.data_type, node.blend_type = "RGBA", "MULTIPLY"
        inputs = [it for it in node.inputs if it.type == "RGBA"]
        shown_by = shader(target).inputs.get("Base Color") or shader(target).inputs["Color"]
        links.new(shown_by.links[0].from_socket, inputs[0])
        inputs[1].default_value = (*color, 1.0)
        links.new(next(it for it in node.outputs if it.type == "RGBA"), shown_by)

    def check(again: bpy.types.Collection) -> bool:
        for it in all_materials(again):
            found = color_socket(it)
            if found is not None and np.abs(np.array(found.default_value)[:3] - color).max() < 0.01:
                return True
        # A format without colors has a small image of the color.
        return any(_is_plain(it, color) for it in bpy.data.images)

    return check


def _is_plain(image: bpy.types.Image, color: tuple[float, ...]) -> bool:
    pixels = np.array(image.pixels[:4]) if image.size[0] and image.size[0] <= 64 else np.zeros(4)
    linear = [it / 12.92 if it <= 0.04045 else ((it + 0.055) / 1.055) ** 2.4 for it in pixels[:3]]
    return bool(np.abs(np.array(linear) - color).max() < 0.02)


def set_alpha(root: bpy.types.Collection) -> Check | None:
    """Makes a material half transparent."""
    target = material(root)
    if target is None:
        return None
    opacity, socket = target.node_tree.nodes.get("Opacity"), shader(target).inputs.get("Alpha")
    if opacity is not None:
        next(it for it in opacity.inputs if not it.is_linked and it.enabled).default_value = 0.5
    elif socket is not None and not socket.is_linked:
        socket.default_value = 0.5
    else:
        _add_transparency(target)

    def check(again: bpy.types.Collection) -> bool:
        for it in all_materials(again):
            node, alpha = it.node_tree.nodes.get("Opacity"), shader(it).inputs.get("Alpha")
            mix = next((other.inputs["Fac"] for other in it.node_tree.nodes if other.type == "MIX_SHADER"), None)
            if node is not None and any(abs(other.default_value - 0.5) < 0.01 for other in node.inputs if not other.is_linked):
                return True
            for found in (alpha, mix):
                if found is not None and not found.is_linked and abs(found.default_value - 0.5) < 0.01:
                    return True
        return False

    return check


def _add_transparency(target: bpy.types.Material) -> None:
    nodes, links = target.node_tree.nodes, target.node_tree.links
    output = next(it for it in nodes if it.type == "OUTPUT_MATERIAL").inputs["Surface"]
    mix, clear = nodes.new("ShaderNodeMixShader"), nodes.new("ShaderNodeBsdfTransparent")
    links.new(output.links[0].from_socket, mix.inputs[2])
    links.new(clear.outputs[0], mix.inputs[1])
    links.new(mix.outputs[0], output)


def set_texture(root: bpy.types.Collection) -> Check | None:
    """Replaces the texture of a material by a new image."""
    target = material(root)
    node = target.node_tree.nodes.get("Texture") if target else None
    if node is None:
        return None
    image = bpy.data.images.new("STRIPES.png", 16, 16)
    pixels = _stripes(image)
    image.pack()
    node.image = image
    return lambda it: any(_has_pixels(other, pixels) for other in bpy.data.images)


def paint(root: bpy.types.Collection) -> Check | None:
    """Paints the texture of a material, and packs the image, as saving a Blender file does."""
    target = material(root)
    node = target.node_tree.nodes.get("Texture") if target else None
    if node is None:
        return None
    pixels = _stripes(node.image)
    node.image.pack()
    return lambda it: any(_has_pixels(other, pixels) for other in bpy.data.images)


def _stripes(image: bpy.types.Image) -> np.ndarray:
    width, height = image.size
    pixels = np.ones((height, width, 4), np.float32)
    pixels[:, : width // 2, :3] = (1.0, 0.0, 0.0)
    image.pixels.foreach_set(pixels.ravel())
    image.update()
    return pixels


def _has_pixels(image: bpy.types.Image, expected: np.ndarray) -> bool:
    if (image.size[1], image.size[0]) != expected.shape[:2]:
        return False
    found = np.array(image.pixels[:]).reshape(expected.shape)
    return bool(np.abs(found[..., :3] - expected[..., :3]).mean() < 0.02)


def remove_texture(root: bpy.types.Collection) -> Check | None:
    """Removes the texture of a material."""
    target = material(root)
    node = target.node_tree.nodes.get("Texture") if target else None
    if node is None:
        return None
    name = node.image.name
    before = sum(_shows(it, name) for it in all_materials(root))
    node.image = None
    return lambda it: sum(_shows(other, name) for other in all_materials(it)) < before


def _shows(of: bpy.types.Material, name: str) -> bool:
    node = of.node_tree.nodes.get("Texture")
    return node is not None and node.image is not None and node.image.name == name


def set_culling(root: bpy.types.Collection) -> Check | None:
    """Changes whether a material shows back faces."""
    target = material(root)
    if target is None:
        return None
    target.use_backface_culling = now = not target.use_backface_culling
    name = target.name
    return lambda it: any(other.name == name and other.use_backface_culling == now for other in all_materials(it))


def set_roughness(root: bpy.types.Collection) -> Check | None:
    """Changes the roughness of a material."""
    target = material(root)
    socket = shader(target).inputs.get("Roughness") if target else None
    if socket is None:
        return None
    socket.default_value = 0.25
    return lambda it: any(
        "Roughness" in shader(other).inputs and abs(shader(other).inputs["Roughness"].default_value - 0.25) < 0.01
        for other in all_materials(it)
    )


def set_interpolation(root: bpy.types.Collection) -> Check | None:
    """Changes the filter of a texture."""
    target = material(root)
    node = target.node_tree.nodes.get("Texture") if target else None
    if node is None:
        return None
    node.interpolation = now = "Closest" if node.interpolation == "Linear" else "Linear"
    name = target.name
    return lambda it: any(
        other.name == name and other.node_tree.nodes["Texture"].interpolation == now for other in all_materials(it)
    )


# Lamps.


def lamp_color(root: bpy.types.Collection) -> Check | None:
    """Makes a lamp red."""
    return _set_lamp(root, "color", (1.0, 0.0, 0.0))


def lamp_power(root: bpy.types.Collection) -> Check | None:
    """Halves the power of a lamp."""
    target = lamp(root)
    return None if target is None else _set_lamp(root, "energy", target.data.energy * 0.5)


def lamp_distance(root: bpy.types.Collection) -> Check | None:
    """Changes the distance that a lamp reaches."""
    target = lamp(root)
    return None if target is None else _set_lamp(root, "cutoff_distance", target.data.cutoff_distance * 0.5)


def lamp_size(root: bpy.types.Collection) -> Check | None:
    """Changes the size of a lamp, which makes shadows soft."""
    return _set_lamp(root, "shadow_soft_size", 0.75)


def _set_lamp(root: bpy.types.Collection, name: str, value: Any) -> Check | None:
    target = lamp(root)
    if target is None:
        return None
    setattr(target.data, name, value)
    expected = np.array(value)
    return lambda it: any(
        other.type == "LIGHT" and np.abs(np.array(getattr(other.data, name)) - expected).max() < 0.02 * max(1.0, expected.max())
        for other in it.all_objects
    )


# Bones.


def rename_bone(root: bpy.types.Collection) -> Check | None:
    """Renames a bone."""
    target = armature(root)
    if target is None:
        return None
    target.data.bones[1].name = "mine"
    return lambda it: armature(it) is not None and "mine" in armature(it).data.bones


def pose_bone(root: bpy.types.Collection) -> Check | None:
    """Turns an animated bone without setting a keyframe."""
    target = armature(root)
    if target is None:
        return None
    target.pose.bones[1].rotation_quaternion = Quaternion((1.0, 0.0, 0.0), 0.8)
    return never


def move_bone(root: bpy.types.Collection) -> Check | None:
    """Changes the rest pose of a bone."""
    target = armature(root)
    if target is None:
        return None
    bpy.context.view_layer.objects.active = target
    bpy.ops.object.mode_set(mode="EDIT")
    target.data.edit_bones[-1].tail.x += 0.5
    bpy.ops.object.mode_set(mode="OBJECT")
    return never


def move_armature(root: bpy.types.Collection) -> Check | None:
    """Moves an armature."""
    target = armature(root)
    if target is None:
        return None
    target.location.z += 2.0
    return never


# Animations.


def extension() -> ModuleType:
    """The module with the keyframes of the extension."""
    from antiquary_extension import curves

    return curves


def actions(root: bpy.types.Collection, paths: tuple[str, ...]) -> list[tuple[bpy.types.Action, list[bpy.types.FCurve]]]:
    """The actions of an import with curves whose paths end with one of these, and the curves of the first such path. A clip
    that is a part of another one comes first."""
    out = []
    for action in bpy.data.actions:
        if action.antiquary.source == root.antiquary.key:
            found = [it for it in extension().existing(action) if it.data_path.endswith(paths) and len(it.keyframe_points) > 2]
            if found:
                path = found[0].data_path
                out.append((action, [it for it in found if it.data_path == path]))
    return sorted(out, key=lambda it: (it[0].frame_range[1] - it[0].frame_range[0], it[0].name))


_TRANSFORMS = ("location", "rotation_quaternion", "scale", ".value")
_NEW = {"location": (0.5, 0.25, -0.5), "rotation_quaternion": (0.8, 0.6, 0.0, 0.0), "scale": (1.5, 1.25, 1.75)}


def _values(path: str, number: int) -> float:
    return next((it[number] for name, it in _NEW.items() if path.endswith(name)), 0.375)


def _check(action: bpy.types.Action, curves: list[bpy.types.FCurve], frames: list[float]) -> Check:
    """Whether the second import has the same values at frames."""
    rate = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    clip, path = action.antiquary.clip or action.name, curves[0].data_path
    expected = {it.array_index: [it.evaluate(frame) for frame in frames] for it in curves}
    seconds = [frame / rate for frame in frames]

    def check(again: bpy.types.Collection) -> bool:
        now = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
        for other in bpy.data.actions:
            if other.antiquary.source != again.antiquary.key or other.antiquary.clip != clip:
                continue
            found = {it.array_index: it for it in extension().existing(other) if it.data_path == path}
            if found.keys() >= expected.keys() and _is_same(found, expected, [it * now for it in seconds]):
                return True
        return False

    return check


def _is_same(found: dict[int, bpy.types.FCurve], expected: dict[int, list[float]], frames: list[float]) -> bool:
    rows = np.array([[found[it].evaluate(frame) for frame in frames] for it in expected])
    wanted = np.array(list(expected.values()))
    far = np.minimum(np.abs(rows - wanted).max(), np.abs(rows + wanted).max() if len(wanted) == 4 else np.inf)
    return bool(far < 4e-3)


def change_key(root: bpy.types.Collection) -> Check | None:
    """Changes a key."""
    found = actions(root, _TRANSFORMS)
    if not found:
        return None
    action, curves = found[0]
    for curve in curves:
        point = curve.keyframe_points[1]
        point.co = (point.co[0], _values(curve.data_path, curve.array_index))
        curve.update()
    return _check(action, curves, [curves[0].keyframe_points[1].co[0]])


def add_key(root: bpy.types.Collection) -> Check | None:
    """Adds a key between two others."""
    found = actions(root, _TRANSFORMS)
    if not found:
        return None
    action, curves = found[0]
    first, second = (curves[0].keyframe_points[it].co[0] for it in (0, 1))
    frame = round((first + second) / 2)
    if frame in (first, second):
        frame = (first + second) / 2
    for curve in curves:
        curve.keyframe_points.insert(frame, _values(curve.data_path, curve.array_index)).interpolation = (
            curve.keyframe_points[0].interpolation
        )
        curve.update()
    return _check(action, curves, [frame])


def remove_key(root: bpy.types.Collection) -> Check | None:
    """Removes a key."""
    found = actions(root, _TRANSFORMS)
    if not found:
        return None
    action, curves = found[0]
    # A key that the curve does not need is none.
    number = max(range(1, len(curves[0].keyframe_points) - 1), key=lambda it: _bend(curves, it))
    frame = curves[0].keyframe_points[number].co[0]
    for curve in curves:
        curve.keyframe_points.remove(curve.keyframe_points[number])
        curve.update()
    return _check(action, curves, [frame])


def _bend(curves: list[bpy.types.FCurve], number: int) -> float:
    values = [[it.keyframe_points[number + step].co[1] for step in (-1, 0, 1)] for it in curves]
    return max(abs(b - (a + c) / 2) for a, b, c in values)


def change_interpolation(root: bpy.types.Collection) -> Check | None:
    """Makes the keys of a curve constant, or linear if they are constant."""
    found = actions(root, ("location", "rotation_quaternion", "scale"))
    if not found:
        return None
    action, curves = found[0]
    now = "LINEAR" if curves[0].keyframe_points[0].interpolation == "CONSTANT" else "CONSTANT"
    for curve in curves:
        for point in curve.keyframe_points:
            point.interpolation = now
        curve.update()
    number = max(range(len(curves[0].keyframe_points) - 1), key=lambda it: _step(curves, it))
    first, second = (curves[0].keyframe_points[number + it].co[0] for it in (0, 1))
    return _check(action, curves, [first, (first + second) / 2])


def _step(curves: list[bpy.types.FCurve], number: int) -> float:
    return max(abs(it.keyframe_points[number].co[1] - it.keyframe_points[number + 1].co[1]) for it in curves)


def animate_more(root: bpy.types.Collection) -> Check | None:
    """Keys a value in an existing action that the clip does not animate."""
    found = actions(root, ("location", "rotation_quaternion"))
    if not found:
        return None
    action, curves = found[0]
    prefix = curves[0].data_path.rpartition(".")[0]
    path = f"{prefix}.scale" if prefix else "scale"
    if any(it.data_path == path for it in extension().existing(action)):
        return None
    target = armature(root) if prefix else next(it for it in root.all_objects if it.animation_data)
    into, added = extension().channels(action, target), []
    for index in range(3):
        curve = into.new(path, index=index)
        for frame, value in ((0.0, 1.0), (action.frame_range[1], 1.5)):
            curve.keyframe_points.insert(frame, value).interpolation = "LINEAR"
        added.append(curve)
    return _check(action, added, [0.0, action.frame_range[1]])


def remove_action(root: bpy.types.Collection) -> Check | None:
    """Removes an action."""
    found = actions(root, _TRANSFORMS)
    if not found:
        return None
    clip = found[0][0].antiquary.clip
    bpy.data.actions.remove(found[0][0])
    return lambda it: not any(other.antiquary.clip == clip for other in bpy.data.actions)


def new_action(root: bpy.types.Collection) -> Check | None:
    """Animates an object with a new action, and assigns it."""
    target = armature(root) or placed(root)
    if target is None:
        return None
    action = bpy.data.actions.new("leap")
    prefix = ""
    if target.type == "ARMATURE":
        prefix = f'pose.bones["{bpy.utils.escape_identifier(target.data.bones[-1].name)}"].'
    else:
        target.rotation_mode = "QUATERNION"
    into, added = extension().channels(action, target), []
    for index in range(4):
        curve = into.new(f"{prefix}rotation_quaternion", index=index)
        for frame, value in ((0.0, (1.0, 0.0, 0.0, 0.0)), (12.0, (0.8, 0.0, 0.0, 0.6)), (24.0, (1.0, 0.0, 0.0, 0.0))):
            curve.keyframe_points.insert(frame, value[index]).interpolation = "LINEAR"
        added.append(curve)
    extension().assign(target, action)
    return _check(action, added, [0.0, 12.0, 24.0])


def copy_action(root: bpy.types.Collection) -> Check | None:
    """Copies an action, edits the copy, and assigns it."""
    found = actions(root, _TRANSFORMS)
    if not found:
        return None
    users = [it for it in [*bpy.data.objects, *bpy.data.shape_keys] if it.animation_data and it.animation_data.action]
    action = next(it for it, _ in found if any(other.animation_data.action == it for other in users))
    target = next(it for it in users if it.animation_data.action == action)
    copied = action.copy()
    copied.name = "variant"
    extension().assign(target, copied)
    path = dict((it.name, curves[0].data_path) for it, curves in found)[action.name]
    curves = [it for it in extension().existing(copied) if it.data_path == path]
    for curve in curves:
        point = curve.keyframe_points[1]
        point.co = (point.co[0], _values(curve.data_path, curve.array_index))
        curve.update()
    frame = curves[0].keyframe_points[1].co[0]
    check = _check(copied, curves, [frame])
    return _renamed(check, copied, curves, frame)


def _renamed(check: Check, copied: bpy.types.Action, curves: list[bpy.types.FCurve], frame: float) -> Check:
    copied.antiquary.clip = "variant"
    return _check(copied, curves, [frame])


def change_uv_key(root: bpy.types.Collection) -> Check | None:
    """Changes a key of an animated texture."""
    found = actions(root, ("inputs[1].default_value",))
    if not found:
        return None
    action, curves = found[0]
    for curve in curves:
        point = curve.keyframe_points[1]
        point.co = (point.co[0], point.co[1] + 0.25)
        curve.update()
    return _check(action, curves, [curves[0].keyframe_points[1].co[0]])


def animate_texture(root: bpy.types.Collection) -> Check | None:
    """Animates the offset of a texture with a new action."""
    target = material(root)
    node = target.node_tree.nodes.get("Texture") if target else None
    if node is None or any(actions(root, ("inputs[1].default_value",))):
        return None
    nodes, links = target.node_tree.nodes, target.node_tree.links
    mapping = nodes.get("Mapping")
    if mapping is None:
        mapping = nodes.new("ShaderNodeMapping")
        links.new(node.inputs["Vector"].links[0].from_socket, mapping.inputs["Vector"])
        links.new(mapping.outputs["Vector"], node.inputs["Vector"])
    action = bpy.data.actions.new("scroll")
    if not hasattr(action, "slots"):
        action.id_root = "NODETREE"
    path, added = f'nodes["{mapping.name}"].inputs[1].default_value', []
    into = extension().channels(action, target.node_tree)
    for index in (0, 1):
        curve = into.new(path, index=index)
        for frame, value in ((0.0, 0.0), (24.0, 0.5)):
            curve.keyframe_points.insert(frame, value).interpolation = "LINEAR"
        added.append(curve)
    extension().assign(target.node_tree, action)
    return _check(action, added, [0.0, 24.0])


def animate_color(root: bpy.types.Collection) -> Check | None:
    """Animates the color of a material with a new action."""
    target = material(root)
    if target is None:
        return None
    action = bpy.data.actions.new("glow")
    if not hasattr(action, "slots"):
        action.id_root = "NODETREE"
    name = shader(target).name
    into, added = extension().channels(action, target.node_tree), []
    for index in range(3):
        curve = into.new(f'nodes["{name}"].inputs[0].default_value', index=index)
        for frame, value in ((0.0, 0.0), (24.0, 1.0)):
            curve.keyframe_points.insert(frame, value).interpolation = "LINEAR"
        added.append(curve)
    extension().assign(target.node_tree, action)
    return _check(action, added, [0.0, 24.0])


