"""Materials. Surfaces with baked light, and those that the game draws unlit, emit their color."""

from typing import Any

import antiquary
import bpy

from . import snapshot
from .mesh import COLOR_NAME, uv_name

_INTERPOLATION = {"nearest": "Closest", "linear": "Linear"}
_EXTENSION = {"repeat": "REPEAT", "clamp": "EXTEND", "mirror": "MIRROR"}

# The names of nodes that the export looks for.
COLOR_TEXTURE = "Texture"
LIGHTMAP = "Lightmap"
MAPPING = "Mapping"
TINT = "Tint"
OPACITY = "Opacity"


def create(
    scene: antiquary.Scene, images: list[bpy.types.Image], colored: set[int]
) -> list[bpy.types.Material]:
    """Creates the materials of a scene. ``colored`` are those whose meshes have vertex colors."""
    moving = {
        index for clip in scene.animations for track in clip.tracks for kind, index in track.targets
        if kind.startswith("uv_")
    }  # fmt: skip
    out = []
    for index, source in enumerate(scene.materials):
        material = bpy.data.materials.new(source.name or f"material {index}")
        material.antiquary.index = index
        _Builder(scene, images, material, source).build(index in colored, index in moving)
        snapshot.store(material)
        out.append(material)
    return out


class _Builder:
    """Creates the nodes of one material."""

    def __init__(
        self,
        scene: antiquary.Scene,
        images: list[bpy.types.Image],
        material: bpy.types.Material,
        source: antiquary.Material,
    ) -> None:
        self.scene, self.images, self.material, self.source = scene, images, material, source
        if not material.node_tree:
            material.use_nodes = True
        self.nodes, self.links = material.node_tree.nodes, material.node_tree.links
        self.nodes.clear()

    def build(self, is_colored: bool, is_moving: bool) -> None:
        source = self.source
        red, green, blue, opacity = source.base_color
        self.material.diffuse_color = (red, green, blue, opacity)
        self.material.use_backface_culling = not source.double_sided
        color, alpha = self._base_color(is_colored, is_moving)
        is_transparent = source.alpha_mode != "opaque"
        if source.alpha_mode == "blend" and hasattr(self.material, "surface_render_method"):
            self.material.surface_render_method = "BLENDED"
        if source.alpha_mode == "mask" and alpha is not None:
            alpha = self._math("GREATER_THAN", alpha, source.alpha_cutoff or 0.5)
        output = self._node("ShaderNodeOutputMaterial", 600, 0)
        if source.lightmap or source.unlit:
            shader = self._emission(color, alpha if is_transparent else None)
        else:
            shader = self._principled(color, alpha if is_transparent else None, is_transparent)
        self.links.new(shader, output.inputs["Surface"])

    def _node(self, kind: str, x: float, y: float) -> Any:
        node = self.nodes.new(kind)
        node.location = (x, y)
        return node

    def _base_color(self, is_colored: bool, is_moving: bool) -> tuple[Any, Any]:
        """The sockets or values of color and alpha."""
        source = self.source
        color: Any = source.base_color[:3]
        alpha: Any = source.base_color[3]
        if source.base_color_texture:
            texture = self._texture(source.base_color_texture, -700, 0, COLOR_TEXTURE, is_moving)
            is_white = all(number == 1.0 for number in source.base_color[:3])
            color = texture.outputs["Color"] if is_white else self._multiply(texture.outputs["Color"], color, TINT)
            is_opaque = source.base_color[3] == 1.0
            alpha = texture.outputs["Alpha"] if is_opaque else self._math("MULTIPLY", texture.outputs["Alpha"], alpha, OPACITY)
        if is_colored:
            vertex = self._node("ShaderNodeVertexColor", -700, -300)
            vertex.layer_name = COLOR_NAME
            is_plain = not source.base_color_texture
            color = self._multiply(color, vertex.outputs["Color"], TINT if is_plain else "")
            alpha = self._math("MULTIPLY", vertex.outputs["Alpha"], alpha, OPACITY if is_plain else "")
        if source.lightmap:
            lightmap = self._texture(source.lightmap, -700, 350, LIGHTMAP, False)
            color = self._multiply(color, lightmap.outputs["Color"])
        return color, alpha

    def _texture(self, reference: dict[str, Any], x: float, y: float, name: str, is_moving: bool) -> Any:
        texture = self.scene.textures[reference["texture"]]
        node = self._node("ShaderNodeTexImage", x, y)
        node.name = node.label = name
        node.image = self.images[texture.image]
        node.interpolation = _INTERPOLATION[texture.mag_filter]
        node.extension = _EXTENSION[texture.wrap[0]]
        coordinates = self._node("ShaderNodeUVMap", x - 400, y)
        coordinates.uv_map = uv_name(reference["uv_set"])
        out = coordinates.outputs["UV"]
        (u, v), (width, height), angle = reference["offset"], reference["scale"], reference["rotation"]
        if is_moving or (u, v, width, height, angle) != (0.0, 0.0, 1.0, 1.0, 0.0):
            mapping = self._node("ShaderNodeMapping", x - 200, y)
            mapping.name = MAPPING
            mapping.inputs["Location"].default_value = mapping_location((u, v), height, angle)
            mapping.inputs["Rotation"].default_value = (0.0, 0.0, angle)
            mapping.inputs["Scale"].default_value = (width, height, 1.0)
            self.links.new(out, mapping.inputs["Vector"])
            out = mapping.outputs["Vector"]
        self.links.new(out, node.inputs["Vector"])
        return node

    def _connect(self, value: Any, socket: Any) -> None:
        if isinstance(value, bpy.types.NodeSocket):
            self.links.new(value, socket)
        elif isinstance(value, tuple):
            socket.default_value = (*value, 1.0)
        else:
            socket.default_value = value

    def _multiply(self, first: Any, second: Any, name: str = "") -> Any:
        node = self._node("ShaderNodeMix", -300, 0)
        node.name = name or node.name
        node.data_type, node.blend_type = "RGBA", "MULTIPLY"
        node.inputs["Factor"].default_value = 1.0
        colors = [it for it in node.inputs if it.type == "RGBA"]
        self._connect(first, colors[0])
        self._connect(second, colors[1])
        return next(it for it in node.outputs if it.type == "RGBA")

    def _math(self, operation: str, first: Any, second: Any, name: str = "") -> Any:
        node = self._node("ShaderNodeMath", -300, -200)
        node.name = name or node.name
        node.operation = operation
        self._connect(first, node.inputs[0])
        self._connect(second, node.inputs[1])
        return node.outputs["Value"]

    def _emission(self, color: Any, alpha: Any) -> Any:
        emission = self._node("ShaderNodeEmission", 100, 0)
        self._connect(color, emission.inputs["Color"])
        if self.source.lightmap:
            emission.inputs["Strength"].default_value = self.source.lightmap["intensity"]
        if alpha is None:
            return emission.outputs["Emission"]
        clear = self._node("ShaderNodeBsdfTransparent", 100, 150)
        mix = self._node("ShaderNodeMixShader", 350, 0)
        self._connect(alpha, mix.inputs["Fac"])
        self.links.new(clear.outputs["BSDF"], mix.inputs[1])
        self.links.new(emission.outputs["Emission"], mix.inputs[2])
        return mix.outputs["Shader"]

    def _principled(self, color: Any, alpha: Any, is_transparent: bool) -> Any:
        source = self.source
        shader = self._node("ShaderNodeBsdfPrincipled", 200, 0)
        self._connect(color, shader.inputs["Base Color"])
        shader.inputs["Metallic"].default_value = source.metallic
        shader.inputs["Roughness"].default_value = source.roughness
        if is_transparent and alpha is not None:
            self._connect(alpha, shader.inputs["Alpha"])
        if any(source.emissive):
            self._connect(source.emissive, shader.inputs["Emission Color"])
            shader.inputs["Emission Strength"].default_value = 1.0
            if source.emissive_texture:
                glow = self._texture(source.emissive_texture, -700, -500, "Emission", False)
                self.links.new(glow.outputs["Color"], shader.inputs["Emission Color"])
        if source.normal_texture:
            texture = self._texture(source.normal_texture, -500, -700, "Normal", False)
            texture.image.colorspace_settings.name = "Non-Color"
            bump = self._node("ShaderNodeNormalMap", -100, -700)
            bump.uv_map = uv_name(source.normal_texture["uv_set"])
            self.links.new(texture.outputs["Color"], bump.inputs["Color"])
            self.links.new(bump.outputs["Normal"], shader.inputs["Normal"])
        return shader.outputs["BSDF"]


def mapping_location(offset: tuple[float, float], height: float, angle: float) -> tuple[float, float, float]:
    """The location of a mapping node for the transform of a texture of glTF, whose V axis points down."""
    import math

    return (offset[0] + math.sin(angle) * height, 1.0 - offset[1] - math.cos(angle) * height, 0.0)
