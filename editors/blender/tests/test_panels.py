"""Panels and lists, drawn into a layout that records what it shows. Blender's module has no window."""

from types import ModuleType, SimpleNamespace
from typing import Any

import bpy
from conftest import Files


class Layout:
    """Records the texts, properties and operators that are drawn."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def label(self, text: str = "", icon: str = "NONE") -> None:
        self.shown.append(text)

    def prop(self, data: Any, name: str, text: str = "") -> None:
        # Blender would draw an error for a property that does not exist.
        assert data.path_resolve(name) is not None
        self.shown.append(f"{text}={data.path_resolve(name)}")

    def operator(self, name: str, text: str = "", icon: str = "NONE") -> SimpleNamespace:
        group, operator = name.split(".")
        assert operator in dir(getattr(bpy.ops, group)), name
        self.shown.append(text)
        return SimpleNamespace()

    def template_list(self, kind: str, key: str, data: Any, items: str, active_data: Any, active: str, rows: int) -> None:
        assert hasattr(bpy.types, kind)
        self.shown += [it.name if hasattr(it, "name") and it.name else it.message for it in getattr(data, items)]

    def menu(self, name: str) -> None:
        assert hasattr(bpy.types, name)
        self.shown.append(name)

    def separator(self) -> None: ...

    def row(self, align: bool = False) -> "Layout":
        return self

    def split(self, factor: float = 0.0) -> "Layout":
        return self

    def column(self, align: bool = False) -> "Layout":
        return self

    def box(self) -> "Layout":
        return self


def draw(cls: Any, target: bpy.types.Object | None = None) -> list[str]:
    """Draws a panel or a menu. Returns what it shows."""
    layout = Layout()
    context = SimpleNamespace(
        object=target, scene=bpy.context.scene, view_layer=bpy.context.view_layer,
        window_manager=bpy.context.window_manager,
    )  # fmt: skip
    cls.draw(SimpleNamespace(layout=layout), context)
    return layout.shown


def test_the_panel_of_an_object_shows_its_field_and_its_values(blender: ModuleType, files: Files) -> None:
    root = files.read("scpcb/GFX/map/hall_opt.rmesh")
    lamp = root.all_objects["light_0"]
    bpy.context.view_layer.objects.active = lamp
    for panel in (blender.panel.OBJECT_PT_antiquary, blender.panel.VIEW3D_PT_antiquary):
        shown = draw(panel, lamp)
        assert shown[:2] == ["hall_opt.rmesh (scpcb.rmesh)", "entities[0]"]
        assert {"Range=1200.0", "Color=255 240 205", "Intensity=1.0"} <= set(shown)


def test_the_sidebar_lists_the_clips(blender: ModuleType, files: Files) -> None:
    root = files.read("scpcb/GFX/map/Props/plant.b3d")
    bpy.context.view_layer.objects.active = root.objects[0]
    assert {"animation", "sway", "rustle"} <= set(draw(blender.panel.VIEW3D_PT_antiquary, root.objects[0]))


def test_the_report_shows_messages_with_their_objects(blender: ModuleType, files: Files) -> None:
    root = files.read("redguard/maps/ISLAND.WLD")
    tile = next(it for it in root.all_objects if it.type == "MESH")
    tile.data.vertices[0].co.z += 1.0
    files.write("ISLAND.WLD")
    shown = draw(blender.panel.SCENE_PT_antiquary)
    assert shown[0] == "Exported ISLAND.WLD"
    assert f"Select {tile.name}" in shown


def test_the_menus_list_all_formats(blender: ModuleType) -> None:
    for menu, least in ((blender.ops_import.ANTIQUARY_MT_import, 12), (blender.ops_export.ANTIQUARY_MT_export, 8)):
        shown = draw(menu)
        assert len(shown) >= least
        assert any(".rmesh" in it for it in shown)


def test_the_options_of_operators_are_drawn(blender: ModuleType) -> None:
    from antiquary_extension import options

    for description in options.formats():
        layout = Layout()
        names = [options.attribute(it["name"]) for it in description["options"]]
        operator = SimpleNamespace(path_resolve=lambda name, names=names: name in names or None)
        options.draw(operator, layout, description["options"])
        assert len(layout.shown) == len(description["options"]) - sum(it["name"] == "preset" for it in description["options"])
