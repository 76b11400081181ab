"""Nodes: transforms, lights, names, parents; added, copied and removed objects."""

import copy
from collections import defaultdict
from typing import Any

import antiquary
import bpy
from mathutils import Matrix

from .. import axes, curves
from ..read import light as read_light
from ..read.skin import parents

TOLERANCE = 2e-6
_LIGHTS = "KHR_lights_punctual"


def claims(root: bpy.types.Collection) -> tuple[dict[int, bpy.types.Object], list[bpy.types.Object]]:
    """The object of each node, and the further objects: copies of such objects, and new ones."""
    by_node: dict[int, list[bpy.types.Object]] = defaultdict(list)
    further = []
    for target in sorted(root.all_objects, key=lambda it: it.name):
        if target.antiquary.part:
            continue
        if target.antiquary.node < 0:
            further.append(target)
        else:
            by_node[target.antiquary.node].append(target)
    owners = {}
    for node, targets in by_node.items():
        owner = next((it for it in targets if it.name == it.antiquary.name), targets[0])
        owners[node] = owner
        further += [it for it in targets if it is not owner]
    return owners, further


def bones_of(root: bpy.types.Collection) -> dict[int, tuple[bpy.types.Object, str]]:
    """The armature and the name of the bone of each joint."""
    return {
        bone.antiquary.node: (target, bone.name)
        for target in root.all_objects
        if isinstance(target.data, bpy.types.Armature)
        for bone in target.data.bones
        if bone.antiquary.node >= 0
    }


def local_matrix(target: bpy.types.Object) -> Matrix:
    """The transform of an object in the space of its parent, in Blender's axes."""
    matrix = target.matrix_parent_inverse @ target.matrix_basis if target.parent else target.matrix_basis.copy()
    if target.parent_type == "BONE" and target.parent_bone in target.parent.data.bones:
        length = target.parent.data.bones[target.parent_bone].length
        matrix = Matrix.Translation((0.0, length, 0.0)) @ matrix
    return matrix @ light_turn(target)


def light_turn(target: bpy.types.Object) -> Matrix:
    """The turn from the axes of a lamp to those of its node."""
    if isinstance(target.data, bpy.types.Light) and target.data.type != "POINT":
        return axes.LIGHT_TURN.inverted().to_matrix().to_4x4()
    return Matrix.Identity(4)


def original_matrix(node: antiquary.Node) -> Matrix:
    """The transform of a node, in Blender's axes."""
    place = axes.location(*node.translation), axes.rotation(*node.rotation), axes.scale(*node.scale)
    return Matrix.LocRotScale(*place)


def differs(first: Matrix, second: Matrix) -> bool:
    """Whether two transforms differ by more than rounding errors."""
    for one, other in zip(first, second):
        for a, b in zip(one, other):
            if abs(a - b) > TOLERANCE * max(1.0, abs(a), abs(b)):
                return True
    return False


def posed(armature: bpy.types.Object, bone: bpy.types.Bone) -> Matrix:
    """The pose of a bone in the space of its parent."""
    inside = bone.parent.matrix_local.inverted_safe() if bone.parent else Matrix.Identity(4)
    return inside @ bone.matrix_local @ armature.pose.bones[bone.name].matrix_basis


def set_transform(json: dict[str, Any], matrix: Matrix) -> None:
    """Replaces the transform of a node."""
    location, rotation, scale = matrix.decompose()
    json.pop("matrix", None)
    json["translation"] = axes.location_to_gltf(location)
    json["rotation"] = axes.rotation_to_gltf(rotation)
    json["scale"] = axes.scale_to_gltf(scale)


def parent_node(target: bpy.types.Object) -> int | None:
    """The node of the parent of an object."""
    if target.parent is None:
        return None
    if target.parent_type == "BONE":
        bone = target.parent.data.bones.get(target.parent_bone)
        return None if bone is None or bone.antiquary.node < 0 else bone.antiquary.node
    node = target.parent.antiquary.node
    return None if node < 0 else node


# The parts of a transform: the name in a scene, in Blender, and the index in a decomposed matrix.
_SIZES = {"location": 3, "rotation_quaternion": 4, "scale": 3}
KINDS = (("translation", "location", 0), ("rotation", "rotation_quaternion", 1), ("scale", "scale", 2))


def animated(scene: antiquary.Scene) -> dict[int, set[str]]:
    """The animated parts of the transforms of nodes. Their objects show a frame of an animation."""
    out: dict[int, set[str]] = {}
    for clip in scene.animations:
        for track in clip.tracks:
            for kind, at in track.targets:
                if kind in ("translation", "rotation", "scale") and len(track.times):
                    out.setdefault(at, set()).add(kind)
    return out


def moving(
    scene: antiquary.Scene, owners: dict[int, bpy.types.Object], bones: dict[int, tuple[bpy.types.Object, str]]
) -> dict[int, set[str]]:
    """Like ``animated``, with the parts that actions of Blender animate now."""
    out = animated(scene)
    posed = {node: (armature, f'pose.bones["{bpy.utils.escape_identifier(name)}"].') for node, (armature, name) in bones.items()}
    for node, (target, prefix) in {**{node: (it, "") for node, it in owners.items()}, **posed}.items():
        paths = {curve.data_path for _, found in curves.used(target) for curve in found}
        kinds = {kind for kind, path, _ in KINDS if prefix + path in paths}
        if f"{prefix}rotation_euler" in paths:
            kinds.add("rotation")
        if kinds:
            out.setdefault(node, set()).update(kinds)
    return out


def without(now: Matrix, original: Matrix, kinds: set[str]) -> Matrix:
    """A transform with the original values of its animated parts."""
    if not kinds:
        return now
    parts = [was if kind in kinds else it for (kind, _, _), it, was in zip(KINDS, now.decompose(), original.decompose())]
    return Matrix.LocRotScale(*parts)


def has_tracks(target: bpy.types.Object) -> bool:
    """Whether tracks of the NLA editor mix animations of an object, so that the values that they give are not known."""
    return target.animation_data is not None and len(target.animation_data.nla_tracks) > 0


def evaluated(target: bpy.types.Object, root: bpy.types.Collection) -> dict[str, list[list[float]]]:
    """The values of actions of an object at the current frame, by path. An action that does not animate a value keeps that of
    the action before it, so those of all actions of the import are returned."""
    index = getattr(target.data, "antiquary", None)
    keys = {f"object {target.antiquary.node}", f"armature {index.index if index else -1}"}
    own = [it for it in bpy.data.actions if it.antiquary.source == root.antiquary.key and it.antiquary.target in keys]
    frame = bpy.context.scene.frame_current_final
    out: dict[str, list[list[float]]] = defaultdict(list)
    for group in [curves.of_target(target), *map(curves.existing, own)]:
        found: dict[str, list[float]] = defaultdict(list)
        for curve in sorted(group, key=lambda it: (it.data_path, it.array_index)):
            found[curve.data_path].append(curve.evaluate(frame))
        for path, values in found.items():
            if len(values) == _SIZES.get(path.rsplit(".", 1)[-1]):
                out[path].append(values)
    return out


class Tree:
    """The hierarchy of the nodes of a document."""

    def __init__(self, document: Any, scene: antiquary.Scene) -> None:
        self.document, self.scene = document, scene
        self.above = parents(scene)

    def detach(self, node: int) -> None:
        """Removes a node from its parent and from the scenes. It stays in the list, so indices do not change."""
        for other in self.document["nodes"]:
            if node in other.get("children", ()):
                other["children"].remove(node)
                if not other["children"]:
                    del other["children"]
        for scene in self.document["scenes"]:
            if node in scene.get("nodes", ()):
                scene["nodes"].remove(node)

    def attach(self, node: int, parent: int | None) -> None:
        """Adds a node to a parent, or to the scene."""
        if parent is None:
            self.document["scenes"][0].setdefault("nodes", []).append(node)
        else:
            self.document["nodes"][parent].setdefault("children", []).append(node)

    def add(self, json: dict[str, Any], parent: int | None) -> int:
        """Adds a new node."""
        self.document["nodes"].append(json)
        self.attach(len(self.document["nodes"]) - 1, parent)
        return len(self.document["nodes"]) - 1

    def default_parent(self) -> int | None:
        """The parent of new objects without one: the root, if there is just one that is not deformed."""
        roots = [it for it in self.scene.roots if self.scene.nodes[it].skin is None]
        return roots[0] if len(roots) == 1 else None


def copy_of(json: dict[str, Any], name: str) -> dict[str, Any]:
    """A copy of a node without its children."""
    out = copy.deepcopy(json)
    out.pop("children", None)
    out["name"] = name
    return out


def edited_light(
    document: Any, scene: antiquary.Scene, light: bpy.types.Light, stored: int | None
) -> int | None:
    """The index of the light of a document: the stored one if it was not edited, otherwise a new one."""
    index = light.antiquary.index
    source = scene.lights[index] if 0 <= index < len(scene.lights) else None
    is_sun = light.type == "SUN"
    intensity = light.energy if is_sun else read_light.candela(light.energy)
    json: dict[str, Any] = {"name": light.name, "type": {"SUN": "directional", "SPOT": "spot"}.get(light.type, "point")}
    json["color"] = [float(it) for it in light.color]
    json["intensity"] = intensity
    if getattr(light, "use_custom_distance", False) and not is_sun:
        json["range"] = light.cutoff_distance
    if light.type == "SPOT":
        outer = min(light.spot_size / 2.0, 1.5707962)
        json["spot"] = {"innerConeAngle": outer * (1.0 - light.spot_blend), "outerConeAngle": outer}
    if source is not None and stored is not None and not _light_differs(json, source):
        return stored
    if source is not None and stored is not None:
        json = {**copy.deepcopy(document.lights()[stored]), **json}
    document.lights().append(json)
    return len(document.lights()) - 1


def _light_differs(json: dict[str, Any], source: antiquary.Light) -> bool:
    if json["type"] != source.kind:
        return True
    inner, outer = source.cone or (0.0, 0.0)
    spot = json.get("spot", {})
    pairs = [(json["intensity"], source.intensity), *zip(json["color"], source.color)]
    pairs += [(spot.get("innerConeAngle", inner), inner), (spot.get("outerConeAngle", outer), outer)]
    if source.range is not None and "range" in json:
        pairs.append((json["range"], source.range))
    return any(abs(a - b) > 1e-4 * max(1.0, abs(b)) for a, b in pairs)


def set_light(document: Any, json: dict[str, Any], index: int) -> None:
    """Lets a node use a light."""
    document.use(_LIGHTS)
    json.setdefault("extensions", {})[_LIGHTS] = {"light": index}


def light_of(json: dict[str, Any]) -> int | None:
    """The light of a node."""
    return json.get("extensions", {}).get(_LIGHTS, {}).get("light")


def custom_properties(target: bpy.types.Object) -> dict[str, Any]:
    """The custom properties of an object, as further data of its node."""
    out = {}
    for name in target.keys():
        value = target[name]
        if hasattr(value, "to_list"):
            value = value.to_list()
        elif hasattr(value, "to_dict"):
            value = value.to_dict()
        if isinstance(value, str | bool | int | float | list | dict):
            out[name] = value
    return out
