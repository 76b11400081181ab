"""Export operators: one for each format that the library writes from scenes or edits."""

from pathlib import Path
from typing import Any

import bpy
from bpy.props import StringProperty
from bpy_extras.io_utils import ExportHelper

from . import options, write
from . import source as sources
from .ops_import import descriptions
from .report import Refused, guarded, show


class ExportBase(ExportHelper):
    """The common part of the export operators."""

    bl_options = {"REGISTER", "PRESET"}

    # The description of the format by the library, set by subclasses.
    game_format: dict[str, Any]

    @guarded
    def execute(self, context: bpy.types.Context) -> set[str]:
        if context.mode != "OBJECT" and bpy.ops.object.mode_set.poll():
            # Edits are part of the data only outside of edit modes.
            bpy.ops.object.mode_set(mode="OBJECT")
        output = Path(bpy.path.abspath(self.filepath))
        chosen = options.chosen(self, self.game_format["import_options"])
        manager = context.window_manager
        manager.progress_begin(0.0, 1.0)
        try:
            root = sources.find_root(context)
            if root is not None:
                progress = manager.progress_update
                result = write.export_collection(context, root, output, self.game_format, chosen, progress)
            elif sources.roots():
                raise Refused("several files were imported; select an object of the one to export")
            elif "import" in self.game_format["can"]:
                result = write.export_new(context, output, chosen)
            else:
                name = self.game_format["name"]
                raise Refused(f"a {name} can only be exported if it was imported; select one of its objects")
        finally:
            manager.progress_end()
        show(context, f"Exported {output.name}", result.warnings)
        count = len(result.warnings)
        text = f", {count} messages in Scene Properties > Antiquary" if count else ""
        self.report({"WARNING" if count else "INFO"}, f"Exported {output.name}{text}")
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        options.draw(self, self.layout, self.game_format["import_options"])


def exported() -> list[dict[str, Any]]:
    """The formats of the export menu."""
    return [it for it in descriptions() if "pack" in it["can"] and "write" in it["can"]]


def _class(description: dict[str, Any]) -> type:
    """Creates the export operator of a format."""
    name = description["id"].split(".")[-1]
    endings = [f".{it}" for it in description["extensions"]]
    is_known = property(lambda self: Path(self.filepath).suffix.lower() in endings)
    members = {
        "__doc__": f"Export a {description['name']} ({', '.join(endings)}). What was not edited keeps its bytes",
        "__annotations__": {
            **options.annotations(description["import_options"]),
            "filter_glob": StringProperty(default=";".join(f"*{it}" for it in endings), options={"HIDDEN"}),
        },
        "bl_idname": f"export_scene.antiquary_{name}",
        "bl_label": f"Export {description['name']}",
        # Formats with several extensions keep the one that was typed.
        "filename_ext": property(lambda self: "" if self.has_known_ending else endings[0]),
        "has_known_ending": is_known,
        "check_extension": None if len(endings) > 1 else True,
        "game_format": description,
    }
    return type(f"EXPORT_SCENE_OT_antiquary_{name}", (ExportBase, bpy.types.Operator), members)


class ANTIQUARY_MT_export(bpy.types.Menu):
    """Files of old games"""

    bl_idname = "ANTIQUARY_MT_export"
    bl_label = "Antiquary"

    def draw(self, context: bpy.types.Context) -> None:
        for description in exported():
            name = description["id"].split(".")[-1]
            endings = ", ".join(f".{it}" for it in description["extensions"])
            self.layout.operator(f"export_scene.antiquary_{name}", text=f"{description['name']} ({endings})")


def menu(self: Any, context: bpy.types.Context) -> None:
    """Adds the operators to File > Export."""
    self.layout.menu("ANTIQUARY_MT_export")


_created: list[type] = []


def register() -> None:
    """Registers the operators and their menu."""
    _created.extend([_class(it) for it in exported()] + [ANTIQUARY_MT_export])
    for cls in _created:
        bpy.utils.register_class(cls)
    bpy.types.TOPBAR_MT_file_export.append(menu)


def unregister() -> None:
    """Removes the operators and their menu."""
    bpy.types.TOPBAR_MT_file_export.remove(menu)
    for cls in reversed(_created):
        bpy.utils.unregister_class(cls)
    _created.clear()
