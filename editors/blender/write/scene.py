"""Exports to formats that are built from scenes: the edited parts of the original's glTF file are replaced."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import antiquary
import bpy

from .. import check
from .. import source as sources
from ..read.skin import skeletons
from ..report import Refused
from . import animation, record
from . import mesh as meshes
from . import node as nodes
from .glb import Document
from .material import Materials

# Formats whose objects have no names: the library recognizes them by the names that it gives them.
_WITHOUT_NAMES = ("scpcb.rmesh",)


def export(
    context: bpy.types.Context,
    root: bpy.types.Collection,
    file: antiquary.File,
    output: Path,
    file_format: dict[str, Any],
    options: dict[str, Any],
    progress: Callable[[float], None],
) -> Any:
    """Exports a collection. See ``write.export_collection``."""
    from . import packed

    original = sources.of_collection(root)
    with sources.temporary() as folder:
        base: Path = original.whole_path
        changes = record.edits(root, file)
        imported, before = file, file.scene()
        if changes:
            # Edited values are part of the new original, so its scene has everything that follows from them.
            data = file.set(changes)
            layer = Path(folder) / "edited"
            layer.mkdir()
            file = original.open_edited(data, layer)
            base = Path(folder) / f"base{Path(original.name).suffix}"
            base.write_bytes(data)
        scene = file.scene()
        if len(scene.nodes) != len(before.nodes):
            raise Refused("an edited value adds or removes objects; export the other edits separately")
        progress(0.4)
        edited = _Scene(root, before, scene, Document(file.to_glb()))
        edits = check.find(root, imported, before) + edited.apply()
        progress(0.6)
        glb = Path(folder) / f"{output.stem}.glb"
        glb.write_bytes(edited.document.to_bytes())
        game = original.game_folder()
        is_same_format = file.format == file_format["id"]
        result = antiquary.pack(
            glb,
            output,
            base=base if is_same_format else None,
            games=game if game is not None and game.is_dir() else None,
            overwrite=True,
            **options,
        )
        out = packed(result)
        out.warnings += edited.losses
        if not is_same_format:
            # Another format has other names and structures, so only edits that no format has are known.
            edits = [it for it in edits if it.is_in is None]
        is_unchanged = len(out.outputs) == 1 and output.read_bytes() == imported.read()
        if not edits or not is_same_format or is_unchanged:
            out.warnings += check.missing(edits, imported, before)
        else:
            out.warnings += check.missing(edits, _reopened(original, output, out.outputs, Path(folder)))
    return out


def _reopened(original: sources.Source, output: Path, written: list[str], folder: Path) -> antiquary.File:
    """An exported file, with the game of the original around it."""
    if original.game_folder() is None:
        return antiquary.open(output, **original.options)
    layer = folder / "result"
    layer.mkdir()
    return original.open_edited(output.read_bytes(), layer, [Path(it) for it in written], output.parent)


class _Scene:
    """The document of an original, in which edited parts are replaced.

    ``before`` is the scene that was imported, with which Blender's data is compared; ``scene`` is the same scene with edited
    values, and that of the document.
    """

    def __init__(
        self, root: bpy.types.Collection, before: antiquary.Scene, scene: antiquary.Scene, document: Document
    ) -> None:
        self.root, self.before, self.scene, self.document = root, before, scene, document
        self.materials = Materials(document, before, root)
        self.tree = nodes.Tree(document, scene)
        self.losses: list[dict[str, Any]] = []
        self.owners, self.further = nodes.claims(root)
        self.bones = nodes.bones_of(root)
        # The material of Blender of each material of the scene, if an object shows it.
        shown = {slot.material.name: slot.material for it in root.all_objects for slot in it.material_slots if slot.material}
        self.materials_of_root = dict.fromkeys(range(len(before.materials)))
        self.materials_of_root.update({i: shown[name] for i, name in self.materials.owners.items() if i >= 0})
        # The new meshes of datablocks, and the original meshes that were replaced.
        self.meshes: dict[str, int | None] = {}
        # The nodes of new objects by their names.
        self.created: dict[str, int] = {}

    @property
    def added(self) -> set[int]:
        """The nodes of new objects."""
        return set(self.created.values())

    def apply(self) -> list[check.Edit]:
        """Replaces what was edited. Returns the edits of animations."""
        moving = nodes.moving(self.before, self.owners, self.bones)
        joints = {it for one in skeletons(self.before) for it in one}
        for index, target in self.owners.items():
            self._node(index, target, moving.get(index, set()))
        for index in range(len(self.before.nodes)):
            # A removed bone stays, because its children and the skin depend on it.
            if index not in self.owners and index not in joints:
                self.tree.detach(index)
        self._bones(moving)
        for target in self.further:
            if target.type in ("MESH", "EMPTY", "LIGHT"):
                self.created[target.name] = self._add(target)
        for target in self.further:
            if target.name in self.created and target.parent is not None and target.parent.name in self.created:
                self.tree.detach(self.created[target.name])
                self.tree.attach(self.created[target.name], self.created[target.parent.name])
        return animation.Animations(self).apply()

    def _node(self, index: int, target: bpy.types.Object, kinds: set[str]) -> None:
        node, json = self.before.nodes[index], self.document["nodes"][index]
        if target.name != target.antiquary.name and self.root.antiquary.format not in _WITHOUT_NAMES:
            json["name"] = target.name
        if node.skin is None:
            original = nodes.original_matrix(node)
            now = nodes.without(nodes.local_matrix(target), original, kinds)
            if nodes.differs(now, original):
                nodes.set_transform(json, now)
            self._parent(index, target)
        if isinstance(target.data, bpy.types.Mesh) or node.mesh is not None:
            self._mesh(index, target, json)
        lamp = target if isinstance(target.data, bpy.types.Light) else _part(target, "light")
        if lamp is not None:
            stored = nodes.light_of(json)
            light = nodes.edited_light(self.document, self.before, lamp.data, stored)
            if light != stored:
                nodes.set_light(self.document, json, light)
        elif node.light is not None:
            json.get("extensions", {}).pop("KHR_lights_punctual", None)

    def _parent(self, index: int, target: bpy.types.Object) -> None:
        before, now = self.tree.above.get(index), nodes.parent_node(target)
        if now == before or (target.parent is not None and now is None):
            return
        self.tree.detach(index)
        self.tree.attach(index, now)
        if now is None:
            nodes.set_transform(self.document["nodes"][index], target.matrix_world)

    def _mesh(self, index: int, target: bpy.types.Object, json: dict[str, Any]) -> None:
        node = self.before.nodes[index]
        if node.mesh is not None and index in self.before.instances:
            return
        data = target.data
        if not isinstance(data, bpy.types.Mesh) or self._is_emptied(data):
            json.pop("mesh", None)
            json.pop("skin", None)
            return
        if data.name not in self.meshes:
            self.meshes[data.name] = self._edited_mesh(target, json.get("mesh"), node)
        found = self.meshes[data.name]
        if found is not None:
            json["mesh"] = found

    def _is_emptied(self, data: bpy.types.Mesh) -> bool:
        """Whether all faces of a mesh were removed."""
        own = data.antiquary.index
        if len(data.polygons) or not 0 <= own < len(self.before.meshes):
            return False
        return any(it.topology == "triangles" and len(it.indices) for it in self.before.meshes[own].primitives)

    def _edited_mesh(self, target: bpy.types.Object, stored: int | None, node: antiquary.Node | None) -> int | None:
        """The index of the new mesh of an object, or None if it was not edited. ``node`` is one that shows the original."""
        data, own = target.data, target.data.antiquary.index
        if node is None or own != node.mesh:
            # The object shows another mesh of the scene, or a new one.
            known = next((i for i, it in enumerate(self.before.nodes) if it.mesh == own and own >= 0), None)
            if known is not None and known in self.owners and self.owners[known].data == data:
                return self.document["nodes"][known].get("mesh")
        source = self.before.meshes[own] if 0 <= own < len(self.before.meshes) else None
        if source is None or stored is None:
            json = meshes.create(self.document, target, self.materials.index)
            if json is None:
                return None
            self.document["meshes"].append(json)
            return len(self.document["meshes"]) - 1
        primitives = self.document["meshes"][stored]["primitives"]
        parts = self.document, target, source, self.before, primitives, self.materials.index
        edited = meshes.edit(*parts, self._joints(node))
        if edited is None:
            return None
        json = copy.deepcopy(self.document["meshes"][stored])
        json["primitives"] = edited.primitives
        if self._is_shared(own, data):
            self.document["meshes"].append(json)
            return len(self.document["meshes"]) - 1
        self.document["meshes"][stored] = json
        return stored

    def _is_shared(self, index: int, data: bpy.types.Mesh) -> bool:
        """Whether other objects still show the original of a mesh."""
        others = (it for it in self.root.all_objects if isinstance(it.data, bpy.types.Mesh))
        return any(it.data != data and it.data.antiquary.index == index for it in others)

    def _joints(self, node: antiquary.Node | None) -> list[str]:
        """The names of the bones of the skin of a node. A removed bone keeps its vertex group."""
        if node is None or node.skin is None:
            return []
        joints = self.before.skins[node.skin].joints
        return [self.bones[it][1] if it in self.bones else self.before.nodes[it].name for it in joints]

    def _bones(self, moving: dict[int, set[str]]) -> None:
        """Writes the names of bones, and the parts of their poses that no clip moves."""
        for index, (armature, name) in self.bones.items():
            bone, json = armature.data.bones[name], self.document["nodes"][index]
            if name != bone.antiquary.blender_name:
                json["name"] = name
            before = nodes.original_matrix(self.before.nodes[index])
            now = nodes.without(nodes.posed(armature, bone), before, moving.get(index, set()))
            # Rest poses are rounded when Blender computes them from head, tail and roll.
            if max(abs(a - b) for one, other in zip(now, before) for a, b in zip(one, other)) > 1e-4:
                nodes.set_transform(json, now)

    def _add(self, target: bpy.types.Object) -> int:
        """Adds a node for a new object, or for a copy of one."""
        index = target.antiquary.node
        is_copy = 0 <= index < len(self.before.nodes)
        json = nodes.copy_of(self.document["nodes"][index], target.name) if is_copy else {"name": target.name}
        if is_copy:
            self._set_copied_values(target, json)
        else:
            extras = nodes.custom_properties(target)
            if extras:
                json["extras"] = extras
        parent = nodes.parent_node(target)
        matrix = nodes.local_matrix(target)
        if parent is None:
            parent = self.tree.default_parent()
            if parent in self.owners:
                matrix = self.owners[parent].matrix_world.inverted_safe() @ target.matrix_world
                matrix = matrix @ nodes.light_turn(target)
        nodes.set_transform(json, matrix)
        if isinstance(target.data, bpy.types.Mesh):
            self._add_mesh(target, json)
        if isinstance(target.data, bpy.types.Light):
            stored = nodes.light_of(json)
            nodes.set_light(self.document, json, nodes.edited_light(self.document, self.before, target.data, stored))
        return self.tree.add(json, parent)

    def _add_mesh(self, target: bpy.types.Object, json: dict[str, Any]) -> None:
        data = target.data
        if data.name not in self.meshes:
            own = data.antiquary.index
            known = next((it for it in self.before.nodes if it.mesh == own and own >= 0), None)
            self.meshes[data.name] = self._edited_mesh(target, json.get("mesh"), known)
        found = self.meshes[data.name]
        if found is not None:
            json["mesh"] = found

    def _set_copied_values(self, target: bpy.types.Object, json: dict[str, Any]) -> None:
        """Writes the custom properties of a copy into the further data of its node, where the original has them."""
        for holder in (json.get("extras", {}).get("entity"), json.get("extras")):
            if isinstance(holder, dict):
                for name in target.antiquary.names.split("\n"):
                    if name in holder and name in target.keys():
                        value = target[name]
                        holder[name] = value.to_list() if hasattr(value, "to_list") else value


def _part(target: bpy.types.Object, part: str) -> bpy.types.Object | None:
    """A further object of the node of an object."""
    return next((it for it in target.children if it.antiquary.part == part), None)
