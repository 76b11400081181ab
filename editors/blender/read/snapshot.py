"""Snapshots of data that scenes of the library do not have: shader nodes, and the settings of lamps.

The import stores the snapshot, and the export compares it. So an edit that no file can have is reported.
"""

import json
from typing import Any

import bpy

# Properties without an effect on how a material or a lamp looks.
_IGNORED = {
    "name", "location", "location_absolute", "width", "width_hidden", "height", "select", "hide", "mute_preview", "color_tag",
    "label", "show_options", "show_preview", "show_texture", "use_custom_color", "warning_propagation", "is_active_output",
    "parent",
    "is_embedded_data", "tag", "use_fake_user", "use_extra_user", "use_nodes", "preview", "is_runtime_data", "use_preview_world",
    "preview_render_type", "paint_active_slot", "paint_clone_slot", "pass_index", "active_texture_index", "cycles", "antiquary",
    "node_tree", "texture_mapping", "color_mapping", "image_user", "asset_data", "animation_data", "lineart", "grease_pencil",
}  # fmt: skip

Snapshot = dict[str, Any]


def store(target: bpy.types.Material | bpy.types.Light) -> None:
    """Stores the snapshot of a datablock."""
    target.antiquary.name = target.name
    target.antiquary.snapshot = json.dumps(of(target))


def differences(target: bpy.types.Material | bpy.types.Light) -> dict[str, tuple[Any, Any]]:
    """The values that differ from the stored snapshot, before and now; None where a value does not exist. Values that one of two
    versions of Blender does not have are no differences."""
    if not target.antiquary.snapshot:
        return {}
    before, now = json.loads(target.antiquary.snapshot), json.loads(json.dumps(of(target)))
    nodes = [{it.split(" > ")[0] for it in each} for each in (before, now)]
    out = {}
    for key in sorted(before.keys() | now.keys()):
        is_known = key in before and key in now
        is_new = key.split(" > ")[0] not in nodes[0] & nodes[1]
        if before.get(key) != now.get(key) and (is_known or is_new or " > links" in key):
            out[key] = (before.get(key), now.get(key))
    return out


def of(target: bpy.types.Material | bpy.types.Light) -> Snapshot:
    """The settings of a datablock, and those of its nodes, by their names."""
    out = {f"settings > {name}": value for name, value in _properties(target).items()}
    if isinstance(target, bpy.types.Light) or not target.node_tree:
        return out
    for node in target.node_tree.nodes:
        out[f"{node.name} > type"] = node.bl_idname
        out.update({f"{node.name} > {name}": value for name, value in _properties(node).items()})
        for index, socket in enumerate(node.inputs):
            key = f"{node.name} > inputs[{index}]"
            if socket.is_linked:
                link = socket.links[0]
                out[f"{key} > links"] = f"{link.from_node.name} > {link.from_socket.identifier}"
            elif hasattr(socket, "default_value"):
                out[key] = _value(socket.default_value)
    return out


def _properties(target: Any) -> Snapshot:
    out = {}
    for it in target.bl_rna.properties:
        name = it.identifier
        if it.is_readonly or name in _IGNORED or name.startswith("bl_") or it.type == "COLLECTION":
            continue
        value = getattr(target, it.identifier)
        if it.type == "POINTER":
            if isinstance(value, bpy.types.Image):
                out[it.identifier] = image_key(value)
            continue
        out[it.identifier] = _value(value)
    return out


def image_key(image: bpy.types.Image) -> str:
    """Identifies an image: those of an import by their index, others by their name."""
    return f"image {image.antiquary.index}" if image.antiquary.index >= 0 else image.name


def _value(value: Any) -> Any:
    if isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, set):
        return sorted(value)
    try:
        return [float(it) for it in value]
    except TypeError:
        return str(value)
