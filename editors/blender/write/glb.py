"""A GLB file whose parts are replaced: its JSON, and its binary data, to which new arrays are appended."""

import json
import struct
from typing import Any

import numpy as np

_COMPONENTS = {"u1": 5121, "u2": 5123, "u4": 5125, "f4": 5126}
_SHAPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}
_VERTICES, _INDICES = 34962, 34963


class Document:
    """The parts of a GLB file."""

    def __init__(self, data: bytes) -> None:
        """Parses a file that the library has written."""
        (length,) = struct.unpack_from("<I", data, 12)
        self.json: dict[str, Any] = json.loads(data[20 : 20 + length])
        self.binary = bytearray(data[28 + length :])

    @classmethod
    def empty(cls, clips: list[str]) -> "Document":
        """A document without data, but with clips of these names."""
        out = cls.__new__(cls)
        out.json, out.binary = {"animations": [{"name": it, "channels": [], "samplers": []} for it in clips]}, bytearray()
        return out

    def __getitem__(self, name: str) -> list[Any]:
        """One of the lists of the document, which is created if necessary."""
        return self.json.setdefault(name, [])

    def add_view(self, data: bytes, target: int | None = None) -> int:
        """Appends bytes. Returns the index of their buffer view."""
        self.binary.extend(b"\0" * (-len(self.binary) % 4))
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)}
        if target is not None:
            view["target"] = target
        self.binary.extend(data)
        self["bufferViews"].append(view)
        return len(self["bufferViews"]) - 1

    def add_array(self, array: np.ndarray, target: int | None = None, bounds: bool = False) -> int:
        """Appends an array, (N,) or (N, columns). Returns the index of its accessor."""
        array = np.ascontiguousarray(array)
        columns = 1 if array.ndim == 1 else array.shape[1]
        accessor = {
            "bufferView": self.add_view(array.tobytes(), target),
            "componentType": _COMPONENTS[array.dtype.str[1:]],
            "count": len(array),
            "type": _SHAPES[columns],
        }
        if bounds and len(array):
            rows = array.reshape(len(array), columns)
            accessor["min"] = [float(it) for it in rows.min(axis=0)]
            accessor["max"] = [float(it) for it in rows.max(axis=0)]
        self["accessors"].append(accessor)
        return len(self["accessors"]) - 1

    def add_vertices(self, array: np.ndarray, bounds: bool = False) -> int:
        """Appends an attribute of vertices."""
        return self.add_array(array, _VERTICES, bounds)

    def add_indices(self, array: np.ndarray) -> int:
        """Appends indices of vertices."""
        is_small = len(array) == 0 or int(array.max()) < 65535
        return self.add_array(array.astype(np.uint16 if is_small else np.uint32), _INDICES)

    def use(self, extension: str) -> None:
        """Lists an extension as used."""
        if extension not in self["extensionsUsed"]:
            self["extensionsUsed"].append(extension)

    def lights(self) -> list[Any]:
        """The lights of the document."""
        self.use("KHR_lights_punctual")
        extensions = self.json.setdefault("extensions", {})
        return extensions.setdefault("KHR_lights_punctual", {}).setdefault("lights", [])

    def to_bytes(self) -> bytes:
        """Writes the file."""
        self.binary.extend(b"\0" * (-len(self.binary) % 4))
        if self.binary:
            self["buffers"]
            self.json["buffers"] = [{"byteLength": len(self.binary)}]
        listed = {name: value for name, value in self.json.items() if value != []}
        text = json.dumps(listed, ensure_ascii=False, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text
        if self.binary:
            chunks += struct.pack("<I4s", len(self.binary), b"BIN\0") + bytes(self.binary)
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks
