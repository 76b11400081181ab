"""The scene of an exported file, indexed for looking up edits."""

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import antiquary
import numpy as np
from mathutils import Matrix
from mathutils.kdtree import KDTree

from .. import axes, fields
from ..read.mesh import visible_faces
from ..read.skin import parents

# Distances in meters that formats with integers round by.
NEAR = 1e-3

_NUMBER = re.compile(r"\.\d{3}$")


def without_number(name: str) -> str:
    """A name without the number that Blender appends to the names of copies."""
    return _NUMBER.sub("", name)


def stem(name: str) -> str:
    """A name without digits at its end, which formats use for objects without names."""
    return without_number(name).rstrip("0123456789").lower()


@dataclass
class Vertices:
    """The vertices of a scene that belong to faces, in Blender's axes."""

    # (V, 3), without and with the locations of the nodes.
    turned: np.ndarray
    placed: np.ndarray
    # One array for each set of texture coordinates, (V, 2); NaN where a vertex has none.
    uvs: list[np.ndarray]
    # (V, 3), NaN where a vertex has none.
    normals: np.ndarray
    # (V, 4), white where a vertex has none.
    colors: np.ndarray
    # The positions in each morph target, (V, 3), without the locations of the nodes.
    targets: list[np.ndarray]
    # The weights of each vertex by the name of the joint.
    weights: list[dict[str, float]]


@dataclass
class Faces:
    """The triangles of a scene as Blender shows them, without the locations of the nodes."""

    centers: KDTree
    # (T, 3), of length 1, or 0 for triangles without an area.
    normals: np.ndarray
    # The index of the material, or -1.
    materials: np.ndarray


class Result:
    """The scene of an exported file."""

    def __init__(self, file: antiquary.File, scene: antiquary.Scene | None = None) -> None:
        self.file, self.scene = file, scene or file.scene()
        scene = self.scene
        self.parents = parents(scene)
        self.world = [axes.matrix(it) for it in scene.world_matrices]
        self._names: dict[str, list[int]] = defaultdict(list)
        for index, node in enumerate(scene.nodes):
            self._names[node.name].append(index)

    def named(self, name: str) -> list[int]:
        """The nodes with a name."""
        return self._names.get(name, [])

    def count(self, name: str) -> int:
        """The number of nodes whose names differ from a name by numbers alone."""
        return sum(len(found) for other, found in self._names.items() if stem(other) == stem(name))

    @cached_property
    def triangles(self) -> int:
        """The number of triangles that Blender would show."""
        return triangle_count(self.scene)

    @cached_property
    def vertices(self) -> Vertices:
        """The vertices of all nodes."""
        return _vertices(self.scene, self.world)

    @cached_property
    def faces(self) -> Faces:
        """The triangles of all nodes."""
        return _faces(self.scene, self.world)

    @cached_property
    def values(self) -> list[dict[str, Any]]:
        """The values of each record of an object, by name."""
        return list(fields.read(self.file, [it.field for it in self.scene.nodes if it.field]).values())

    @cached_property
    def turned(self) -> KDTree:
        """The vertices without the locations of their nodes."""
        return _tree(self.vertices.turned)

    @cached_property
    def placed(self) -> KDTree:
        """The vertices at their places."""
        return _tree(self.vertices.placed)


def _tree(points: np.ndarray) -> KDTree:
    tree = KDTree(len(points))
    for index, point in enumerate(points.tolist()):
        tree.insert(point, index)
    tree.balance()
    return tree


def triangle_count(scene: antiquary.Scene) -> int:
    """The number of triangles of all nodes that Blender shows."""
    sizes = [
        sum(len(visible_faces(it, scene)) for it in mesh.primitives if it.topology == "triangles") for mesh in scene.meshes
    ]
    total = 0
    for index, node in enumerate(scene.nodes):
        if node.mesh is not None:
            total += sizes[node.mesh] * (len(scene.instances[index]) if index in scene.instances else 1)
    return total


def linear(matrix: Matrix) -> np.ndarray:
    """The rotation and scale of a matrix."""
    return np.array(matrix.to_3x3(), np.float64)


def _vertices(scene: antiquary.Scene, world: list[Matrix]) -> Vertices:
    shown = [(index, node) for index, node in enumerate(scene.nodes) if node.mesh is not None]
    primitives = [it for mesh in scene.meshes for it in mesh.primitives]
    sets = max((len(it.uvs) for it in primitives), default=0)
    frames = max((len(it.targets) for it in primitives), default=0)
    parts: dict[str, list[np.ndarray]] = defaultdict(list)
    weights: list[dict[str, float]] = []
    for index, node in shown:
        matrix = Matrix.Identity(4) if node.skin is not None else world[index]
        turn, place = linear(matrix), np.array(matrix.translation)
        for it in scene.meshes[node.mesh].primitives:
            used = np.unique(it.indices).astype(np.int64)
            count = len(used)
            turned = axes.points(it.positions[used]).astype(np.float64) @ turn.T
            parts["turned"].append(turned)
            parts["placed"].append(turned + place)
            for number in range(sets):
                uv = axes.uv(it.uvs[number][used]) if number < len(it.uvs) else _missing(count, 2)
                parts[f"uv {number}"].append(uv)
            parts["normals"].append(_missing(count, 3) if it.normals is None else _turned(it.normals[used], turn))
            parts["colors"].append(np.ones((count, 4)) if it.colors is None else it.colors[used])
            for number in range(frames):
                moved = it.positions[used]
                if number < len(it.targets):
                    moved = moved + it.targets[number].positions[used]
                parts[f"target {number}"].append(axes.points(moved).astype(np.float64) @ turn.T)
            weights += _weights(scene, node, it, used)
    empty = {"turned": 3, "placed": 3, "normals": 3, "colors": 4}
    stacked = {name: np.concatenate(found) for name, found in parts.items()}
    for name, columns in empty.items():
        stacked.setdefault(name, np.zeros((0, columns)))
    return Vertices(
        stacked["turned"],
        stacked["placed"],
        [stacked[f"uv {number}"] for number in range(sets) if f"uv {number}" in stacked],
        stacked["normals"],
        stacked["colors"],
        [stacked[f"target {number}"] for number in range(frames) if f"target {number}" in stacked],
        weights,
    )


def _faces(scene: antiquary.Scene, world: list[Matrix]) -> Faces:
    parts = [(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0, np.int64))]
    for index, node in enumerate(scene.nodes):
        turn = np.eye(3) if node.skin is not None else linear(world[index])
        for it in scene.meshes[node.mesh].primitives if node.mesh is not None else ():
            if it.topology == "triangles":
                faces = visible_faces(it, scene)
                points = axes.points(it.positions).astype(np.float64) @ turn.T
                material = np.full(len(faces), -1 if it.material is None else it.material)
                parts.append((*centers_and_normals(points[faces], turn), material))
    centers, normals, materials = (np.concatenate(it) for it in zip(*parts))
    return Faces(_tree(centers), normals, materials)


def centers_and_normals(corners: np.ndarray, turn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The centers and normals of triangles, whose corners (T, 3, 3) were transformed by ``turn``."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    # A mirrored object shows the other side of its triangles.
    side = -1.0 if np.linalg.det(turn) < 0.0 else 1.0
    return (a + b + c) / 3.0, side * unit(np.cross(b - a, c - a))


def _missing(count: int, columns: int) -> np.ndarray:
    return np.full((count, columns), np.nan)


def _turned(normals: np.ndarray, turn: np.ndarray) -> np.ndarray:
    return unit(axes.points(normals).astype(np.float64) @ np.linalg.pinv(turn))


def unit(vectors: np.ndarray) -> np.ndarray:
    """Vectors of length 1; those of length 0 stay."""
    with np.errstate(over="ignore"):
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=vectors.astype(np.float64), where=lengths > 0.0)


def _weights(
    scene: antiquary.Scene, node: antiquary.Node, primitive: antiquary.Primitive, used: np.ndarray
) -> list[dict[str, float]]:
    if primitive.joints is None or primitive.weights is None or node.skin is None:
        return [{} for _ in used]
    names = [scene.nodes[it].name for it in scene.skins[node.skin].joints]
    out = []
    for joints, weights in zip(primitive.joints[used].tolist(), primitive.weights[used].tolist()):
        found: dict[str, float] = defaultdict(float)
        for joint, weight in zip(joints, weights):
            if weight > 0.0 and joint < len(names):
                found[names[joint]] += weight
        out.append(dict(found))
    return out
