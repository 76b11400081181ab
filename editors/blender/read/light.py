"""Lights."""

import math

import antiquary
import bpy

from . import snapshot

_KINDS = {"point": "POINT", "spot": "SPOT", "directional": "SUN"}


def watts(candela: float) -> float:
    """The power of a lamp of Blender: its light in watts, spread over a sphere."""
    return candela * 4.0 * math.pi


def candela(watts: float) -> float:
    """The inverse of ``watts``."""
    return watts / (4.0 * math.pi)


def create(scene: antiquary.Scene) -> dict[int, bpy.types.Light]:
    """Creates the lights of a scene."""
    return {index: _light(index, light) for index, light in enumerate(scene.lights)}


def _light(index: int, source: antiquary.Light) -> bpy.types.Light:
    light = bpy.data.lights.new(source.name or f"light {index}", _KINDS[source.kind])
    light.antiquary.index = index
    light.color = source.color
    light.energy = source.intensity if source.kind == "directional" else watts(source.intensity)
    if source.kind != "directional":
        light.shadow_soft_size = 0.0
    if source.range is not None and hasattr(light, "cutoff_distance"):
        light.use_custom_distance = True
        light.cutoff_distance = source.range
    if source.cone is not None:
        inner, outer = source.cone
        light.spot_size = 2.0 * outer
        light.spot_blend = 1.0 - inner / outer if outer > 0.0 else 0.0
    snapshot.store(light)
    return light
