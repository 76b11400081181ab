"""Materials: unedited ones keep their place in the document; edited and new ones are added."""

import copy
import tempfile
from pathlib import Path
from typing import Any

import antiquary
import bpy

from ..read.material import COLOR_TEXTURE, LIGHTMAP
from .glb import Document


# Members of the further data of a material that name or identify its texture.
_NAMES_OF_TEXTURES = ("texture", "textures", "image_digest")


class Materials:
    """Finds the material of the document for each material of Blender."""

    def __init__(self, document: Document, scene: antiquary.Scene | None) -> None:
        self.document, self.scene = document, scene
        self.found: dict[str, int] = {}
        self.images: dict[str, int] = {}

    def index(self, material: bpy.types.Material | None) -> int | None:
        """The index of a material, which is added if it is new or was edited."""
        if material is None:
            return None
        if material.name not in self.found:
            self.found[material.name] = self._find(material)
        return self.found[material.name]

    def _find(self, material: bpy.types.Material) -> int:
        index = material.antiquary.index
        is_known = self.scene is not None and 0 <= index < len(self.scene.materials)
        if is_known and not self._is_edited(material, self.scene.materials[index]):
            return index
        json: dict[str, Any] = copy.deepcopy(self.document["materials"][index]) if is_known else {}
        json["name"] = material.name
        surface = json.setdefault("pbrMetallicRoughness", {"metallicFactor": 0.0, "roughnessFactor": 1.0})
        image = _image(material, COLOR_TEXTURE, "Base Color")
        # These name the original texture.
        json["extras"] = {name: it for name, it in json.get("extras", {}).items() if name not in _NAMES_OF_TEXTURES}
        if image is not None:
            info = {**surface.get("baseColorTexture", {}), "index": self._texture(image)}
            surface["baseColorTexture"] = info
        else:
            surface.pop("baseColorTexture", None)
            surface["baseColorFactor"] = _color(material)
        lightmap = _image(material, LIGHTMAP, None)
        if lightmap is not None and lightmap.antiquary.index < 0:
            info = {"index": self._texture(lightmap), "texCoord": 1}
            json.setdefault("extensions", {})["MOZ_lightmap"] = info
            self.document.use("MOZ_lightmap")
        if not is_known:
            json["doubleSided"] = not material.use_backface_culling
            if getattr(material, "surface_render_method", "") == "BLENDED":
                json["alphaMode"] = "BLEND"
        self.document["materials"].append(json)
        return len(self.document["materials"]) - 1

    def _is_edited(self, material: bpy.types.Material, source: antiquary.Material) -> bool:
        for name, reference in ((COLOR_TEXTURE, source.base_color_texture), (LIGHTMAP, source.lightmap)):
            node = material.node_tree.nodes.get(name) if material.node_tree else None
            expected = -1 if reference is None else self.scene.textures[reference["texture"]].image
            shown = -1 if node is None or node.image is None else node.image.antiquary.index
            if shown != expected or (node is not None and node.image is not None and node.image.is_dirty):
                return True
        return False

    def _texture(self, image: bpy.types.Image) -> int:
        """The index of the texture of an image, which is added."""
        if image.name not in self.images:
            mime, data = _encoded(image)
            view = self.document.add_view(data)
            self.document["images"].append({"name": _file_name(image), "mimeType": mime, "bufferView": view})
            self.document["samplers"].append({"magFilter": 9729, "minFilter": 9987, "wrapS": 10497, "wrapT": 10497})
            texture = {"sampler": len(self.document["samplers"]) - 1, "source": len(self.document["images"]) - 1}
            self.document["textures"].append(texture)
            self.images[image.name] = len(self.document["textures"]) - 1
        return self.images[image.name]


def _image(material: bpy.types.Material, name: str, socket: str | None) -> bpy.types.Image | None:
    """The image of the node with a name, or of the one that is connected to a socket of the shader."""
    if not material.node_tree:
        return None
    node = material.node_tree.nodes.get(name)
    if node is not None and getattr(node, "image", None) is not None:
        return node.image
    for shader in material.node_tree.nodes if socket else ():
        links = shader.inputs[socket].links if socket in shader.inputs else ()
        if links and getattr(links[0].from_node, "image", None) is not None:
            return links[0].from_node.image
    return None


def _color(material: bpy.types.Material) -> list[float]:
    for node in material.node_tree.nodes if material.node_tree else ():
        if node.type == "BSDF_PRINCIPLED":
            return [float(it) for it in node.inputs["Base Color"].default_value]
    return [float(it) for it in material.diffuse_color]


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
