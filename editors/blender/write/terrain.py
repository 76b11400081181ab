"""Heights of terrains: corners that were moved up or down are written by way of the height image of the library."""

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

import antiquary
import bpy
import numpy as np

from .. import axes
from ..check import Edit, Result, Rounded
from . import mesh as meshes

FORMAT = "redguard.wld"

# Integer positions: a height of 1 is 8 world units, a distance of 32 is one square.
_SQUARE = 32.0
_HEIGHT = 8.0
# Steps of the height image per world unit.
_STEPS = 8.0
# World units per meter.
_UNITS = 20.0
# The highest sample of an image.
_HIGHEST = 65535.0


@dataclass
class Tile:
    """An object of the terrain whose vertices were moved."""

    target: bpy.types.Object
    mesh: int
    # The columns and rows of the moved corners, and their new heights in world units.
    corners: np.ndarray
    heights: np.ndarray
    # Whether vertices were also moved to another side.
    is_shifted: bool

    def edit(self) -> Edit:
        """The edit, which the exported file may have approximately."""
        return Edit(f'the heights of "{self.target.name}"', self.target, self._is_in)

    def _is_in(self, result: Result) -> bool | Rounded:
        found = next((it for it in result.scene.meshes if it.name == result.scene.meshes[self.mesh].name), None)
        if found is None:
            return False
        corners, heights = _grid(found)
        known = {(column, row): height for (column, row), height in zip(corners.tolist(), heights.tolist())}
        pairs = [(known.get((column, row)), it) for (column, row), it in zip(self.corners.tolist(), self.heights.tolist())]
        far = [abs(stored - wanted) for stored, wanted in pairs if stored is not None]
        if len(far) != len(pairs):
            return False
        inexact = [it for it in far if it > 0.5 / _STEPS]
        if not inexact:
            return True
        count, most = len(inexact), max(inexact) / _UNITS
        return Rounded(f"{count} of {len(far)} heights became the nearest of the 128 possible ones, up to {most:.2f} m away")


def edited_tiles(owners: dict[int, bpy.types.Object], scene: antiquary.Scene) -> list[Tile]:
    """The objects whose vertices were moved."""
    # The axes of the import decide which way is up.
    is_down = any((it.positions[:, 1] < 0.0).any() for mesh in scene.meshes for it in mesh.primitives)
    up = -1.0 if is_down else 1.0
    out = []
    for index, target in owners.items():
        number = scene.nodes[index].mesh
        if number is None or not isinstance(target.data, bpy.types.Mesh):
            continue
        source = scene.meshes[number]
        if not source.primitives or not meshes.has_same_faces(target.data, source, scene):
            continue
        before = np.concatenate([it.positions for it in source.primitives])
        now = axes.points_to_gltf(meshes.arrays(target.data.vertices, "co", 3))
        is_moved = (now != before).any(axis=1)
        if is_moved.any():
            corners, heights = _grid(source)
            raised = heights[is_moved] + up * (now - before)[is_moved, 1].astype(np.float64) * _HEIGHT
            is_shifted = bool((now != before)[:, [0, 2]].any())
            out.append(Tile(target, number, corners[is_moved], raised, is_shifted))
    return out


def _grid(mesh: antiquary.Mesh) -> tuple[np.ndarray, np.ndarray]:
    """The columns and rows of the vertices of a mesh, and their heights in world units."""
    positions = np.concatenate([it.positions for it in mesh.primitives]).astype(np.float64)
    corners = np.round(np.abs(positions[:, [0, 2]]) / _SQUARE).astype(np.int64)
    return corners, np.abs(positions[:, 1]) * _HEIGHT


def export(file: antiquary.File, data: bytes, tiles: list[Tile], folder: Path) -> bytes:
    """Writes the heights of tiles into a terrain.

    Raises:
        antiquary.Error: The library refuses the result.
    """
    source, unpacked, output = folder / "terrain.wld", folder / "unpacked", folder / "edited.wld"
    source.write_bytes(data)
    antiquary.unpack(source, unpacked)
    image = next(it for it in file.images() if it.name.endswith("height"))
    samples = image.gray().astype(np.float64)
    for tile in tiles:
        columns, rows = tile.corners[:, 0], tile.corners[:, 1]
        samples[rows, columns] = np.clip(np.round(tile.heights * _STEPS), 0.0, _HIGHEST)
    (unpacked / "views/height.png").write_bytes(_png(samples.astype(">u2")))
    antiquary.pack(unpacked, output)
    return output.read_bytes()


def _png(samples: np.ndarray) -> bytes:
    """An image of 16-bit gray values."""
    height, width = samples.shape
    rows = b"".join(b"\0" + row.tobytes() for row in samples)
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 0, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    out = b"\x89PNG\r\n\x1a\n"
    for name, content in chunks:
        out += struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
    return out
