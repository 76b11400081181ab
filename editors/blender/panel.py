"""Panels: the values of an object, the clips of an import, and the messages of the last import or export."""

import bpy
from bpy.props import StringProperty

from . import curves, report
from . import source as sources


class ANTIQUARY_OT_select_object(bpy.types.Operator):
    """Select the object that the message is about"""

    bl_idname = "antiquary.select_object"
    bl_label = "Select Object"
    bl_options = {"REGISTER", "UNDO"}

    name: StringProperty(name="Object", options={"HIDDEN"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        target = context.view_layer.objects.get(self.name)
        if target is None:
            self.report({"ERROR"}, f'"{self.name}" is not an object of this view layer')
            return {"CANCELLED"}
        for other in context.view_layer.objects:
            other.select_set(other == target)
        target.hide_set(False)
        context.view_layer.objects.active = target
        return {"FINISHED"}


class ANTIQUARY_OT_show_clip(bpy.types.Operator):
    """Show a clip: assign its actions to their objects, and set the frame range"""

    bl_idname = "antiquary.show_clip"
    bl_label = "Show Clip"
    bl_options = {"REGISTER", "UNDO"}

    clip: StringProperty(name="Clip", options={"HIDDEN"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        root = sources.find_root(context)
        actions = [] if root is None else clips(root).get(self.clip, [])
        if not actions:
            self.report({"ERROR"}, f'there is no clip "{self.clip}"')
            return {"CANCELLED"}
        targets = animated(root)
        for action in actions:
            target = targets.get(action.antiquary.target)
            if target is not None:
                curves.assign(target, action)
        context.scene.frame_start = 0
        context.scene.frame_end = max(1, round(max(it.frame_range[1] for it in actions)))
        context.scene.frame_set(0)
        return {"FINISHED"}


def animated(root: bpy.types.Collection) -> dict[str, bpy.types.ID]:
    """The datablocks of an import that actions can animate, by the name that actions store."""
    out: dict[str, bpy.types.ID] = {}
    for target in root.all_objects:
        node = target.antiquary.node
        if isinstance(target.data, bpy.types.Armature):
            out[f"armature {target.data.antiquary.index}"] = target
        elif node >= 0 and not target.antiquary.part:
            out[f"object {node}"] = target
            keys = getattr(target.data, "shape_keys", None)
            if keys is not None:
                out[f"shape keys {node}"] = keys
        for slot in target.material_slots:
            if slot.material is not None and slot.material.node_tree:
                out[f"material {slot.material.antiquary.index}"] = slot.material.node_tree
    return out


def clips(root: bpy.types.Collection) -> dict[str, list[bpy.types.Action]]:
    """The actions of an import by the name of their clip."""
    out: dict[str, list[bpy.types.Action]] = {}
    for action in bpy.data.actions:
        if action.antiquary.clip and action.antiquary.source == root.antiquary.key:
            out.setdefault(action.antiquary.clip, []).append(action)
    return out


class OBJECT_PT_antiquary(bpy.types.Panel):
    """The record of the file that an object was created from"""

    bl_label = "Antiquary"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "object"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.object is not None and context.object.antiquary.node >= 0

    def draw(self, context: bpy.types.Context) -> None:
        draw_object(self.layout, context, context.object)


class VIEW3D_PT_antiquary(bpy.types.Panel):
    """The same, in the sidebar of the viewport"""

    bl_label = "Antiquary"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Antiquary"

    def draw(self, context: bpy.types.Context) -> None:
        if context.object is not None and context.object.antiquary.node >= 0:
            draw_object(self.layout, context, context.object)
        root = sources.find_root(context)
        names = {} if root is None else clips(root)
        if names:
            box = self.layout.box()
            box.label(text="Clips", icon="ACTION")
            for name in names:
                box.operator("antiquary.show_clip", text=name).clip = name


def draw_object(layout: bpy.types.UILayout, context: bpy.types.Context, target: bpy.types.Object) -> None:
    """Draws the original field of an object, and its values."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    root = sources.find_root(context)
    if root is not None:
        source = sources.of_collection(root)
        layout.label(text=f"{source.name} ({root.antiquary.format})", icon="FILE")
    layout.label(text=target.antiquary.field or "no field of its own", icon="OUTLINER_DATA_EMPTY")
    for name in target.antiquary.names.split("\n"):
        if name and name in target.keys():
            label = name.replace("_", " ").replace(".", " > ").capitalize()
            layout.prop(target, f'["{bpy.utils.escape_identifier(name)}"]', text=label)


class ANTIQUARY_UL_findings(bpy.types.UIList):
    """The messages of the last import or export"""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0):  # noqa: ANN001, ANN201
        row = layout.row(align=True)
        row.label(text=f"{item.code} {item.message}".strip(), icon=report.icon(item.severity))
        if item.object:
            row.operator("antiquary.select_object", text="", icon="RESTRICT_SELECT_OFF").name = item.object


class SCENE_PT_antiquary(bpy.types.Panel):
    """What was lost or is wrong, with a button that selects the object"""

    bl_label = "Antiquary"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "scene"

    def draw(self, context: bpy.types.Context) -> None:
        state, layout = context.scene.antiquary, self.layout
        layout.label(text=state.title or "Nothing was imported or exported yet")
        if not state.findings:
            return
        layout.template_list("ANTIQUARY_UL_findings", "", state, "findings", state, "active", rows=6)
        if state.active < len(state.findings):
            finding = state.findings[state.active]
            column = layout.column(align=True)
            for line in _wrapped(finding.message):
                column.label(text=line)
            if finding.field:
                column.label(text=f"Field: {finding.field}")
            if finding.object:
                button = layout.operator("antiquary.select_object", text=f"Select {finding.object}")
                button.name = finding.object


def _wrapped(text: str, width: int = 60) -> list[str]:
    import textwrap

    return textwrap.wrap(text, width) or [""]


_CLASSES = (
    ANTIQUARY_OT_select_object,
    ANTIQUARY_OT_show_clip,
    ANTIQUARY_UL_findings,
    OBJECT_PT_antiquary,
    VIEW3D_PT_antiquary,
    SCENE_PT_antiquary,
)


def register() -> None:
    """Registers the panels and their operators."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)


def unregister() -> None:
    """Removes the panels and their operators."""
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
