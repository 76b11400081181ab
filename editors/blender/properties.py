"""Data that the extension stores in collections, objects, meshes, materials, images and actions."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)


class AntiquaryCollection(bpy.types.PropertyGroup):
    """The file that a collection was imported from."""

    path: StringProperty(name="File", subtype="FILE_PATH")
    entry: StringProperty(name="Entry")
    game: StringProperty(name="Game")
    format: StringProperty(name="Format")
    options: StringProperty(name="Options")
    digest: StringProperty(name="Digest")
    rate: FloatProperty(name="Frames per Second", default=0.0)
    # Identifies the import in the properties of actions.
    key: StringProperty(name="Key")
    # The layer of the scene that the collection was created for.
    layer: StringProperty(name="Layer")


class AntiquaryObject(bpy.types.PropertyGroup):
    """The node of the scene that an object was created from."""

    node: IntProperty(name="Node", default=-1)
    name: StringProperty(name="Original Name")
    # The name of a bone, which is not that of the node if another bone has it.
    blender_name: StringProperty(name="Name in Blender")
    field: StringProperty(name="Field")
    part: StringProperty(name="Part")
    names: StringProperty(name="Names of Values")


class AntiquaryIndex(bpy.types.PropertyGroup):
    """The index in the scene that a mesh, a material, an image, a light or an armature was created from."""

    index: IntProperty(name="Index", default=-1)
    name: StringProperty(name="Original Name")
    # The values that were imported, of which the scene does not have all.
    snapshot: StringProperty(name="Snapshot")


class AntiquaryAction(bpy.types.PropertyGroup):
    """The clip that an action was created from."""

    clip: StringProperty(name="Clip")
    target: StringProperty(name="Target")
    # The key of the import, and the name of the action.
    source: StringProperty(name="Source")
    name: StringProperty(name="Original Name")
    index: IntProperty(name="Index", default=-1)


class AntiquaryFinding(bpy.types.PropertyGroup):
    """A message about an import or an export."""

    severity: StringProperty(name="Severity")
    code: StringProperty(name="Code")
    message: StringProperty(name="Message")
    field: StringProperty(name="Field")
    object: StringProperty(name="Object")


class AntiquaryReport(bpy.types.PropertyGroup):
    """What was reported by the last import or export."""

    title: StringProperty(name="Title")
    findings: CollectionProperty(type=AntiquaryFinding)
    active: IntProperty(name="Active Message")


class AntiquaryEntry(bpy.types.PropertyGroup):
    """An entry of a container that can be imported."""

    name: StringProperty(name="Name")
    format: StringProperty(name="Format")
    length: IntProperty(name="Bytes", default=0)


class AntiquaryContainer(bpy.types.PropertyGroup):
    """The container that is being browsed."""

    path: StringProperty(name="Container", subtype="FILE_PATH")
    entries: CollectionProperty(type=AntiquaryEntry)
    active: IntProperty(name="Active Entry")
    is_open: BoolProperty(name="Open")


CLASSES = (
    AntiquaryCollection,
    AntiquaryObject,
    AntiquaryIndex,
    AntiquaryAction,
    AntiquaryFinding,
    AntiquaryReport,
    AntiquaryEntry,
    AntiquaryContainer,
)

_POINTERS = (
    (bpy.types.Collection, AntiquaryCollection),
    (bpy.types.Object, AntiquaryObject),
    (bpy.types.Mesh, AntiquaryIndex),
    (bpy.types.Material, AntiquaryIndex),
    (bpy.types.Image, AntiquaryIndex),
    (bpy.types.Light, AntiquaryIndex),
    (bpy.types.Armature, AntiquaryIndex),
    (bpy.types.Bone, AntiquaryObject),
    (bpy.types.Action, AntiquaryAction),
    (bpy.types.Scene, AntiquaryReport),
    (bpy.types.WindowManager, AntiquaryContainer),
)


def register() -> None:
    """Adds the property ``antiquary`` to types of Blender."""
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    for owner, group in _POINTERS:
        owner.antiquary = PointerProperty(type=group)


def unregister() -> None:
    """Removes the properties."""
    for owner, _ in reversed(_POINTERS):
        del owner.antiquary
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
