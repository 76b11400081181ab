"""Conversion between the axes of glTF (Y up, -Z forward) and of Blender (Z up, Y forward)."""

import numpy as np
from mathutils import Matrix, Quaternion, Vector

# Blender's axes are those of glTF, rotated around X.
TO_BLENDER = Matrix(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))
TO_GLTF = TO_BLENDER.transposed()

# Lights of Blender shine along -Z, those of glTF along the axis that becomes Y.
LIGHT_TURN = Quaternion((1, 0, 0), np.pi / 2)


def points(array: np.ndarray) -> np.ndarray:
    """Converts positions or directions of glTF, (N, 3). Only signs and columns change, so no bit of a number is lost."""
    out = np.empty_like(array)
    out[:, 0] = array[:, 0]
    out[:, 1] = -array[:, 2]
    out[:, 2] = array[:, 1]
    return out


def points_to_gltf(array: np.ndarray) -> np.ndarray:
    """The inverse of ``points``."""
    out = np.empty_like(array)
    out[:, 0] = array[:, 0]
    out[:, 1] = array[:, 2]
    out[:, 2] = -array[:, 1]
    return out


def location(x: float, y: float, z: float) -> Vector:
    """Converts a translation of glTF."""
    return Vector((x, -z, y))


def rotation(x: float, y: float, z: float, w: float) -> Quaternion:
    """Converts a quaternion of glTF, which has w last."""
    return Quaternion((w, x, -z, y))


def scale(x: float, y: float, z: float) -> Vector:
    """Converts scale factors of glTF."""
    return Vector((x, z, y))


def matrix(rows: np.ndarray) -> Matrix:
    """Converts a matrix of glTF, given by its rows."""
    return TO_BLENDER @ Matrix([[float(number) for number in row] for row in rows]) @ TO_GLTF


def uv(array: np.ndarray) -> np.ndarray:
    """Converts texture coordinates, (N, 2): the origin is at the top left in glTF, and at the bottom left in Blender."""
    out = array.copy()
    out[:, 1] = 1.0 - out[:, 1]
    return out


def location_to_gltf(vector: Vector) -> list[float]:
    """The inverse of ``location``."""
    return [vector.x, vector.z, -vector.y]


def rotation_to_gltf(quaternion: Quaternion) -> list[float]:
    """The inverse of ``rotation``."""
    return [quaternion.x, quaternion.z, -quaternion.y, quaternion.w]


def scale_to_gltf(vector: Vector) -> list[float]:
    """The inverse of ``scale``."""
    return [vector.x, vector.z, vector.y]
