"""Import operators: one for each format, and one for containers."""

from pathlib import Path
from typing import Any

import antiquary
import bpy
from bpy.props import CollectionProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from . import options
from .read import import_scene
from .report import Refused, guarded, show
from .source import Source

# The formats of the import menu, in its order, by their ids. Other formats with scenes follow.
_ORDER = [
    "scpcb.rmesh", "scpcb.b3d", "scpcb.x", "scpcb.cbmap", "ragnarok.rsm", "redguard.rgm", "redguard.3d", "redguard.rob",
]  # fmt: skip


def run_import(operator: Any, context: bpy.types.Context, source: Source) -> bpy.types.Collection:
    """Imports a file and reports its warnings. Selects the new objects."""
    manager = context.window_manager
    manager.progress_begin(0.0, 1.0)
    try:
        file = source.open()
        state = import_scene(context, source, file, manager.progress_update)
    finally:
        manager.progress_end()
    notes = [{"severity": "note", "message": it} for it in state.notes]
    warnings = file.warnings + notes
    show(context, f"Imported {source.name}", warnings)
    for other in context.selected_objects:
        other.select_set(False)
    for target in state.root.all_objects:
        if target.name in context.view_layer.objects:
            target.select_set(True)
    roots = [it for it in state.root.objects if it.parent is None]
    if roots:
        context.view_layer.objects.active = roots[0]
    text = f", {len(warnings)} warnings" if warnings else ""
    operator.report({"INFO"}, f"Imported {source.name}: {len(state.root.all_objects)} objects{text}")
    return state.root


class ImportBase(ImportHelper):
    """The common part of the import operators."""

    bl_options = {"REGISTER", "UNDO", "PRESET"}

    # The description of the format by the library, set by subclasses.
    game_format: dict[str, Any]

    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    entry: StringProperty(
        name="Entry",
        description="Name of an entry, if the file is a container such as a .grf",
        options={"HIDDEN", "SKIP_SAVE"},
    )

    @guarded
    def execute(self, context: bpy.types.Context) -> set[str]:
        chosen = options.chosen(self, self.game_format["options"])
        names = [it.name for it in self.files if it.name]
        paths = [Path(self.directory) / it for it in names] if names and self.directory else [Path(self.filepath)]
        for path in paths:
            path = Path(bpy.path.abspath(str(path)))
            run_import(self, context, Source(path, self.entry, chosen))
        return {"FINISHED"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        return self.invoke_popup(context)

    def draw(self, context: bpy.types.Context) -> None:
        options.draw(self, self.layout, self.game_format["options"])


def _class(description: dict[str, Any]) -> type:
    """Creates the import operator of a format."""
    name = description["id"].split(".")[-1]
    endings = [f".{it}" for it in description["extensions"]]
    members = {
        "__doc__": f"Import a {description['name']} ({', '.join(endings)})",
        "__annotations__": {
            **options.annotations(description["options"]),
            "filter_glob": StringProperty(default=";".join(f"*{it}" for it in endings), options={"HIDDEN"}),
        },
        "bl_idname": f"import_scene.antiquary_{name}",
        "bl_label": f"Import {description['name']}",
        "filename_ext": endings[0],
        "game_format": description,
    }
    return type(f"IMPORT_SCENE_OT_antiquary_{name}", (ImportBase, bpy.types.Operator), members)


def _handler(description: dict[str, Any]) -> type:
    """Creates the handler of files that are dropped into the window."""
    name = description["id"].split(".")[-1]
    members = {
        "bl_idname": f"IMPORT_SCENE_FH_antiquary_{name}",
        "bl_label": description["name"],
        "bl_import_operator": f"import_scene.antiquary_{name}",
        "bl_file_extensions": ";".join(f".{it}" for it in description["extensions"]),
        "poll_drop": classmethod(lambda cls, context: context.area and context.area.type in ("VIEW_3D", "OUTLINER")),
    }
    return type(f"IMPORT_SCENE_FH_antiquary_{name}", (bpy.types.FileHandler,), members)


def descriptions() -> list[dict[str, Any]]:
    """The formats of the import menu."""
    found = {it["id"]: it for it in options.formats()}
    ordered = [it for it in _ORDER if it in found]
    return [found[it] for it in ordered + sorted(found.keys() - set(ordered))]


def format_of(name: str) -> dict[str, Any] | None:
    """The format with scenes that a file name belongs to."""
    ending = name.rsplit(".", 1)[-1].lower()
    return next((it for it in descriptions() if ending in it["extensions"]), None)


class IMPORT_SCENE_OT_antiquary_container(bpy.types.Operator, ImportHelper):
    """Browse a container such as a .grf, and import one of its entries"""

    bl_idname = "import_scene.antiquary_container"
    bl_label = "Import from Game Archive"
    bl_options = {"REGISTER"}

    filter_glob: StringProperty(default="*.grf;*.gpf;*.rob", options={"HIDDEN"})
    entry: StringProperty(name="Entry", description="Import this entry without showing the list", options={"SKIP_SAVE"})

    @guarded
    def execute(self, context: bpy.types.Context) -> set[str]:
        path = Path(bpy.path.abspath(self.filepath))
        archive = antiquary.Archive(path)
        if self.entry:
            return _import_entry(path, self.entry)
        container = context.window_manager.antiquary
        container.path, container.active = str(path), 0
        container.entries.clear()
        for entry in archive.list():
            known = format_of(entry["name"])
            if known is not None:
                item = container.entries.add()
                item.name, item.format = entry["name"], known["name"]
                item.length = min(entry.get("length") or 0, 2**31 - 1)
        if not container.entries:
            raise Refused(f"{path.name} has no entry with a scene")
        if not bpy.app.background:
            bpy.ops.import_scene.antiquary_entry("INVOKE_DEFAULT")
        return {"FINISHED"}


def _import_entry(path: Path, entry: str) -> set[str]:
    known = format_of(entry)
    if known is None:
        raise Refused(f"{entry} has no scene")
    name = known["id"].split(".")[-1]
    return getattr(bpy.ops.import_scene, f"antiquary_{name}")(filepath=str(path), entry=entry)


class IMPORT_SCENE_OT_antiquary_entry(bpy.types.Operator):
    """Import an entry of the container. Type into the search box below the list to find one"""

    bl_idname = "import_scene.antiquary_entry"
    bl_label = "Import Entry"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return len(context.window_manager.antiquary.entries) > 0

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        return context.window_manager.invoke_props_dialog(self, width=560)

    def draw(self, context: bpy.types.Context) -> None:
        container = context.window_manager.antiquary
        self.layout.label(text=Path(container.path).name, icon="FILE_ARCHIVE")
        names = ("ANTIQUARY_UL_entries", "", container, "entries", container, "active")
        self.layout.template_list(*names, rows=14)

    @guarded
    def execute(self, context: bpy.types.Context) -> set[str]:
        container = context.window_manager.antiquary
        if container.active >= len(container.entries):
            raise Refused("no entry is selected")
        return _import_entry(Path(container.path), container.entries[container.active].name)


class ANTIQUARY_UL_entries(bpy.types.UIList):
    """The entries of a container. The search box is always shown"""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0):  # noqa: ANN001, ANN201
        self.use_filter_show = True
        row = layout.split(factor=0.7)
        row.label(text=item.name, icon="MESH_DATA")
        row.label(text=item.format)


def menu(self: Any, context: bpy.types.Context) -> None:
    """Adds the operators to File > Import."""
    self.layout.menu("ANTIQUARY_MT_import")


class ANTIQUARY_MT_import(bpy.types.Menu):
    """Files of old games"""

    bl_idname = "ANTIQUARY_MT_import"
    bl_label = "Antiquary"

    def draw(self, context: bpy.types.Context) -> None:
        for description in descriptions():
            name = description["id"].split(".")[-1]
            endings = ", ".join(f".{it}" for it in description["extensions"])
            self.layout.operator(f"import_scene.antiquary_{name}", text=f"{description['name']} ({endings})")
        self.layout.separator()
        self.layout.operator("import_scene.antiquary_container", text="From Game Archive (.grf, .gpf, .rob)")


_created: list[type] = []


def register() -> None:
    """Registers the operators and their menu."""
    formats = descriptions()
    _created.extend([_class(it) for it in formats] + [_handler(it) for it in formats])
    _created.extend(
        [
            IMPORT_SCENE_OT_antiquary_container,
            IMPORT_SCENE_OT_antiquary_entry,
            ANTIQUARY_UL_entries,
            ANTIQUARY_MT_import,
        ]
    )
    for cls in _created:
        bpy.utils.register_class(cls)
    bpy.types.TOPBAR_MT_file_import.append(menu)


def unregister() -> None:
    """Removes the operators and their menu."""
    bpy.types.TOPBAR_MT_file_import.remove(menu)
    for cls in reversed(_created):
        bpy.utils.unregister_class(cls)
    _created.clear()
