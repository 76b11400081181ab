"""Operator properties that are generated from the library's descriptions of options."""

import json
from typing import Any

import antiquary
import bpy

# Settings that differ from the defaults of the library: Blender shows and keeps texture and lightmap separately.
_DEFAULTS = {"lightmaps": "layers"}

# A preset prepares a scene for another program that reads glTF. This extension creates Blender's data itself.
_UNUSED = {"preset"}

_PREFIX = "option_"


def formats() -> list[dict[str, Any]]:
    """The formats with scenes, as ``antiquary.formats`` describes them."""
    return [it for it in antiquary.formats()["results"] if "scene" in it["can"]]


def attribute(name: str) -> str:
    """The name of the operator property of an option."""
    return _PREFIX + name.replace("-", "_")


def annotations(options: list[dict[str, Any]]) -> dict[str, Any]:
    """Creates the operator properties of options."""
    shown = [it for it in options if it["name"] not in _UNUSED]
    return {attribute(it["name"]): _property(it) for it in shown}


def _property(option: dict[str, Any]) -> Any:
    name, about, value = option["name"], option["about"].rstrip("."), option["value"]
    label = name.replace("-", " ").title()
    preset = dict(option.get("presets") or []).get("blender")
    default = _DEFAULTS.get(name, preset)
    if value == "flag":
        return bpy.props.BoolProperty(name=label, description=about, default=default == "true")
    kind, details = next(iter(value.items()))
    if kind == "number":
        bounds = {"min": _within(details.get("least")), "max": _within(details.get("most"))}
        return bpy.props.FloatProperty(name=label, description=about, default=details["default"], **bounds)
    if kind == "choice":
        chosen = default if default is not None else details["default"]
        return bpy.props.EnumProperty(name=label, description=about, items=_items(details), default=chosen)
    if kind == "words":
        chosen = set(default.split(",")) if default else set()
        flags = {"options": {"ENUM_FLAG"}, "default": chosen}
        return bpy.props.EnumProperty(name=label, description=about, items=_items(details), **flags)
    return bpy.props.StringProperty(name=label, description=about, default=default or "")


def _within(bound: float | None) -> float:
    """A bound that fits into the numbers of Blender."""
    return max(-1e30, min(1e30, 0.0 if bound is None else bound))


def _items(details: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(name, name.replace("-", " ").capitalize(), about) for name, about in details["values"]]


def chosen(operator: Any, options: list[dict[str, Any]]) -> dict[str, Any]:
    """The values of an operator that differ from the library's defaults, as keyword arguments of the library."""
    out: dict[str, Any] = {}
    for option in options:
        if option["name"] in _UNUSED:
            continue
        value = getattr(operator, attribute(option["name"]))
        if isinstance(value, set):
            value = sorted(value)
        if value != _default(option["value"]):
            out[option["name"].replace("-", "_")] = value
    return out


def _default(value: Any) -> Any:
    """The default of the library."""
    if value == "flag":
        return False
    kind, details = next(iter(value.items()))
    return {"number": details.get("default"), "choice": details.get("default"), "words": []}.get(kind, "")


def draw(operator: Any, layout: Any, options: list[dict[str, Any]]) -> None:
    """Draws the properties of options, for the sidebar of the file browser."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    for option in options:
        if option["name"] not in _UNUSED:
            layout.prop(operator, attribute(option["name"]))


def dumps(chosen: dict[str, Any]) -> str:
    """Options as text, to be stored in a collection."""
    return json.dumps(chosen, sort_keys=True)
