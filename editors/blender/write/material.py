"""Materials: unedited ones stay as they are in the document; edited ones are changed there, and new ones are added."""

import copy
import math
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import antiquary
import bpy
import numpy as np

from ..read.material import COLOR_TEXTURE, LIGHTMAP, MAPPING, OPACITY, TINT
from .glb import Document

# Members of the further data of a material that name or identify its texture.
_NAMES_OF_TEXTURES = ("texture", "textures", "image_digest")

_SAME = 1e-6
_TRANSFORM = "KHR_texture_transform"
# The inputs of shaders that are written.
_INPUTS = {"Base Color", "Color", "Alpha", "Metallic", "Roughness", "Emission Color", "Emission Strength", "Fac"}


@dataclass(frozen=True)
class Shown:
    """The values of a material that glTF can hold, as its nodes show them."""

    color: tuple[float, float, float]
    alpha: float
    image: bpy.types.Image | None = None
    metallic: float | None = None
    roughness: float | None = None
    emissive: tuple[float, float, float] | None = None
    is_blended: bool = False


def shown(material: bpy.types.Material) -> Shown:
    """The values that a material shows."""
    nodes = material.node_tree.nodes if material.node_tree else ()
    shader = next((it for it in nodes if it.bl_idname in ("ShaderNodeBsdfPrincipled", "ShaderNodeEmission")), None)
    is_blended = getattr(material, "surface_render_method", "") == "BLENDED"
    image = _image(material, COLOR_TEXTURE, "Base Color")
    if shader is None:
        red, green, blue, alpha = material.diffuse_color
        return Shown((red, green, blue), alpha, image, is_blended=is_blended)
    color, alpha = (1.0, 1.0, 1.0), 1.0
    socket = shader.inputs.get("Base Color") or shader.inputs.get("Color")
    if not socket.is_linked:
        color = tuple(socket.default_value)[:3]
    elif TINT in nodes:
        color = next((tuple(it.default_value)[:3] for it in nodes[TINT].inputs if it.type == "RGBA" and not it.is_linked), color)
    if OPACITY in nodes:
        alpha = next((it.default_value for it in nodes[OPACITY].inputs if not it.is_linked and it.enabled), alpha)
    elif "Alpha" in shader.inputs and not shader.inputs["Alpha"].is_linked:
        alpha = shader.inputs["Alpha"].default_value
    else:
        mix = next((it.inputs["Fac"] for it in nodes if it.bl_idname == "ShaderNodeMixShader"), None)
        alpha = alpha if mix is None or mix.is_linked else mix.default_value
    if shader.bl_idname == "ShaderNodeEmission":
        return Shown(color, alpha, image, is_blended=is_blended)
    glow, strength = shader.inputs["Emission Color"], shader.inputs["Emission Strength"].default_value
    emissive = None if glow.is_linked else tuple(float(it) * strength for it in list(glow.default_value)[:3])
    values = [None if shader.inputs[it].is_linked else shader.inputs[it].default_value for it in ("Metallic", "Roughness")]
    return Shown(color, alpha, image, *values, emissive, is_blended)


def expected(material: bpy.types.Material, source: antiquary.Material) -> Shown:
    """The values that an unedited material shows."""
    *color, alpha = source.base_color
    has_alpha = source.alpha_mode != "opaque" or (material.node_tree and OPACITY in material.node_tree.nodes)
    return Shown(tuple(color), alpha if has_alpha else 1.0)


def differs(now: Any, before: Any, tolerance: float = _SAME) -> bool:
    """Whether numbers differ by more than rounding errors."""
    return any(abs(a - b) > tolerance * max(1.0, abs(b)) for a, b in zip(now, before))


def is_handled(material: bpy.types.Material, key: str) -> bool:
    """Whether a value of the snapshot of a material is written, or compared in another way."""
    node_name, name = key.split(" > ")[:2]
    if node_name == "settings":
        return name in ("use_backface_culling", "use_backface_culling_shadow")
    node = material.node_tree.nodes.get(node_name) if material.node_tree else None
    if node is None or key.endswith(" > links"):
        return False
    if node_name in (COLOR_TEXTURE, LIGHTMAP):
        return name == "image"
    index = re.fullmatch(r"inputs\[(\d+)\]", name)
    if index is None or int(index[1]) >= len(node.inputs):
        return False
    if node_name in (TINT, OPACITY, MAPPING):
        return True
    is_shader = node.bl_idname in ("ShaderNodeBsdfPrincipled", "ShaderNodeEmission", "ShaderNodeMixShader")
    return is_shader and node.inputs[int(index[1])].name in _INPUTS


def mapping_of(material: bpy.types.Material) -> bpy.types.Node | None:
    """The node that transforms the texture coordinates of a material."""
    return material.node_tree.nodes.get(MAPPING) if material.node_tree else None


def transform_of(material: bpy.types.Material) -> list[float]:
    """The transform of the texture of a material in glTF: offset, rotation and scale."""
    node = mapping_of(material)
    x, y, _ = node.inputs["Location"].default_value
    angle, (width, height, _) = node.inputs["Rotation"].default_value[2], node.inputs["Scale"].default_value
    return [*offset_of(x, y, height, angle), angle, width, height]


def offset_of(x: float, y: float, height: float, angle: float) -> tuple[float, float]:
    """The inverse of ``read.material.mapping_location``."""
    return x - math.sin(angle) * height, 1.0 - y - math.cos(angle) * height


class Materials:
    """Finds the material of the document for each material of Blender."""

    def __init__(self, document: Document, scene: antiquary.Scene, root: bpy.types.Collection) -> None:
        self.document, self.scene = document, scene
        self.found: dict[str, int] = {}
        self.images: dict[str, int] = {}
        self.moving = {
            at for clip in scene.animations for it in clip.tracks for kind, at in it.targets if kind.startswith("uv_")
        }
        # The material of Blender that each material of the scene became; others with its index are copies.
        self.owners: dict[int, str] = {}
        used = {slot.material.name: slot.material for it in root.all_objects for slot in it.material_slots if slot.material}
        for material in sorted(used.values(), key=lambda it: (it.name != it.antiquary.name, it.name)):
            self.owners.setdefault(material.antiquary.index, material.name)

    def index(self, material: bpy.types.Material | None) -> int | None:
        """The index of a material, which is added if it is new."""
        if material is None:
            return None
        if material.name not in self.found:
            self.found[material.name] = self._find(material)
        return self.found[material.name]

    def _find(self, material: bpy.types.Material) -> int:
        index = material.antiquary.index
        if not 0 <= index < len(self.scene.materials):
            return self._add(self._new(material))
        json = copy.deepcopy(self.document["materials"][index])
        self._edit(material, json, self.scene.materials[index])
        if self.owners.get(index) == material.name:
            # Animations of textures refer to it, so it keeps its index.
            self.document["materials"][index] = json
            return index
        return self._add({**json, "name": material.name})

    def _add(self, json: dict[str, Any]) -> int:
        self.document["materials"].append(json)
        return len(self.document["materials"]) - 1

    def _new(self, material: bpy.types.Material) -> dict[str, Any]:
        """A material that was created in Blender."""
        now = shown(material)
        surface: dict[str, Any] = {"metallicFactor": 0.0, "roughnessFactor": 1.0}
        json: dict[str, Any] = {"name": material.name, "pbrMetallicRoughness": surface}
        if now.image is not None:
            surface["baseColorTexture"] = {"index": self._texture(now.image)}
        else:
            surface["baseColorFactor"] = [*now.color, now.alpha]
        self._set_lightmap(material, json, -1)
        json["doubleSided"] = not material.use_backface_culling
        if now.is_blended or now.alpha < 1.0:
            json["alphaMode"] = "BLEND"
        return json

    def _edit(self, material: bpy.types.Material, json: dict[str, Any], source: antiquary.Material) -> None:
        """Changes the members of a material that were edited."""
        now, before = shown(material), expected(material, source)
        surface = json.setdefault("pbrMetallicRoughness", {})
        if material.antiquary.name and material.name != material.antiquary.name:
            json["name"] = material.name
        if differs((*now.color, now.alpha), (*before.color, before.alpha)):
            surface["baseColorFactor"] = [*now.color, now.alpha]
            if now.alpha < 1.0 and json.get("alphaMode", "OPAQUE") == "OPAQUE":
                json["alphaMode"] = "BLEND"
        for name, value in (("metallic", now.metallic), ("roughness", now.roughness)):
            if value is not None and differs([value], [getattr(source, name)]):
                surface[f"{name}Factor"] = value
        if now.emissive is not None and differs(now.emissive, source.emissive):
            json["emissiveFactor"] = [min(1.0, it) for it in now.emissive]
        if material.use_backface_culling == source.double_sided:
            json["doubleSided"] = not material.use_backface_culling
        if hasattr(material, "surface_render_method") and source.alpha_mode != "mask":
            if now.is_blended != (source.alpha_mode == "blend"):
                json["alphaMode"] = "BLEND" if now.is_blended or now.alpha < 1.0 else "OPAQUE"
        self._set_texture(material, json, source)
        reference = source.lightmap
        self._set_lightmap(material, json, -1 if reference is None else self.scene.textures[reference["texture"]].image)
        if mapping_of(material) is not None and material.antiquary.index not in self.moving:
            self._set_transform(material, surface, source)

    def _set_texture(self, material: bpy.types.Material, json: dict[str, Any], source: antiquary.Material) -> None:
        reference, surface = source.base_color_texture, json["pbrMetallicRoughness"]
        image = _image(material, COLOR_TEXTURE, "Base Color")
        index = -1 if reference is None else self.scene.textures[reference["texture"]].image
        if image is None and index < 0:
            return
        if image is not None and image.antiquary.index == index and not image_is_edited(image, self.scene):
            return
        # These name the original texture.
        json["extras"] = {name: it for name, it in json.get("extras", {}).items() if name not in _NAMES_OF_TEXTURES}
        if image is None:
            surface.pop("baseColorTexture", None)
            surface["baseColorFactor"] = [*shown(material).color, shown(material).alpha]
        else:
            surface["baseColorTexture"] = {**surface.get("baseColorTexture", {}), "index": self._texture(image)}

    def _set_lightmap(self, material: bpy.types.Material, json: dict[str, Any], index: int) -> None:
        image = _image(material, LIGHTMAP, None)
        if image is None or (image.antiquary.index == index and not image_is_edited(image, self.scene)):
            return
        stored = json.get("extensions", {}).get("MOZ_lightmap", {"texCoord": 1})
        json.setdefault("extensions", {})["MOZ_lightmap"] = {**stored, "index": self._texture(image)}
        json["extras"] = {name: it for name, it in json.get("extras", {}).items() if name not in _NAMES_OF_TEXTURES}
        self.document.use("MOZ_lightmap")

    def _set_transform(
        self, material: bpy.types.Material, surface: dict[str, Any], source: antiquary.Material
    ) -> None:
        reference = source.base_color_texture or {}
        before = [*reference.get("offset", (0, 0)), reference.get("rotation", 0), *reference.get("scale", (1, 1))]
        now = transform_of(material)
        if "baseColorTexture" in surface and differs(now, before, 1e-5):
            u, v, angle, width, height = now
            extensions = surface["baseColorTexture"].setdefault("extensions", {})
            extensions[_TRANSFORM] = {"offset": [u, v], "rotation": angle, "scale": [width, height]}
            self.document.use(_TRANSFORM)

    def _texture(self, image: bpy.types.Image) -> int:
        """The index of the texture of an image, which is added unless it is an unedited one of the document."""
        if image.name not in self.images:
            self.images[image.name] = self._find_texture(image)
        return self.images[image.name]

    def _find_texture(self, image: bpy.types.Image) -> int:
        index = image.antiquary.index
        if 0 <= index < len(self.scene.images) and not image_is_edited(image, self.scene):
            found = next((i for i, it in enumerate(self.scene.textures) if it.image == index), None)
            if found is not None and found < len(self.document["textures"]):
                return found
        mime, data = _encoded(image)
        view = self.document.add_view(data)
        self.document["images"].append({"name": _file_name(image), "mimeType": mime, "bufferView": view})
        self.document["samplers"].append({"magFilter": 9729, "minFilter": 9987, "wrapS": 10497, "wrapT": 10497})
        texture = {"sampler": len(self.document["samplers"]) - 1, "source": len(self.document["images"]) - 1}
        self.document["textures"].append(texture)
        return len(self.document["textures"]) - 1


def image_is_edited(image: bpy.types.Image, scene: antiquary.Scene) -> bool:
    """Whether an image of an import was painted, or replaced by another file."""
    index = image.antiquary.index
    if image.is_dirty or not 0 <= index < len(scene.images):
        return True
    return _stored(image) != scene.images[index].data


def pixels_of(image: bpy.types.Image) -> np.ndarray:
    """The pixels of an image from 0 to 255, with the origin at the top left: (height, width, 4)."""
    width, height = image.size
    pixels = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(pixels)
    return pixels.reshape(height, width, 4)[::-1].astype(np.float64) * 255.0


def _image(material: bpy.types.Material, name: str, socket: str | None) -> bpy.types.Image | None:
    """The image of the node with a name, or of the one that is connected to a socket of the shader."""
    if not material.node_tree:
        return None
    node = material.node_tree.nodes.get(name)
    if node is not None:
        return getattr(node, "image", None)
    for shader in material.node_tree.nodes if socket else ():
        links = shader.inputs[socket].links if socket in shader.inputs else ()
        if links and getattr(links[0].from_node, "image", None) is not None:
            return links[0].from_node.image
    return None


def _file_name(image: bpy.types.Image) -> str:
    return Path(image.filepath_raw.replace("\\", "/")).name or image.name


def _encoded(image: bpy.types.Image) -> tuple[str, bytes]:
    """The file of an image, as PNG or JPEG."""
    if not image.is_dirty:
        data = _stored(image)
        if data.startswith(b"\x89PNG"):
            return "image/png", data
        if data.startswith(b"\xff\xd8"):
            return "image/jpeg", data
    with tempfile.TemporaryDirectory(prefix="antiquary-") as folder:
        path = Path(folder) / "image.png"
        copied = image.copy()
        try:
            copied.file_format = "PNG"
            copied.filepath_raw = str(path)
            copied.save()
        finally:
            bpy.data.images.remove(copied)
        return "image/png", path.read_bytes()


def _stored(image: bpy.types.Image) -> bytes:
    if image.packed_file is not None:
        return bytes(image.packed_file.data)
    path = Path(bpy.path.abspath(image.filepath))
    return path.read_bytes() if path.is_file() else b""
