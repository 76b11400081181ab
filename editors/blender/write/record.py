"""Fields of files: values that were edited as custom properties, and the objects of maps."""

import math
from pathlib import Path
from typing import Any

import antiquary
import bpy
from mathutils import Matrix

from .. import axes, check, fields
from .. import source as sources
from . import channel, terrain
from . import node as nodes

# Tolerances for an object of a map to have been moved (meters) or rotated.
_MOVED = 1e-3
# Distances between the cells of maps of SCP – Containment Breach in meters, by the list of fields.
_SPACINGS = {"rooms": 8.0, "tunnels": 2.0, "forest": 12.0}


def edits(root: bpy.types.Collection, file: antiquary.File) -> dict[str, Any]:
    """The values of custom properties that differ from the file, by the path of the field."""
    owners, _ = nodes.claims(root)
    targets = [it for it in owners.values() if it.antiquary.field and it.antiquary.names]
    found = fields.read(file, [it.antiquary.field for it in targets])
    out = {}
    for target in targets:
        path = target.antiquary.field
        for name, value in fields.edited(target, found.get(path, {})).items():
            out[f"{fields.part_of(file, path)}.{name}"] = value
    return out


def export(root: bpy.types.Collection, file: antiquary.File, folder: Path) -> tuple[bytes, list[dict[str, Any]]]:
    """Edits a file whose format is not built from scenes: values, positions and rotations, heights, copies, removed objects.
    ``folder`` is an empty folder.

    Raises:
        antiquary.Error: A value does not fit, or the result has new defects.
    """
    scene = file.scene()
    found = check.find(root, file, scene)
    found += channel.unwritten(root, scene)
    owners, further = nodes.claims(root)
    records = _records(scene)
    changes = edits(root, file)
    moving = nodes.moving(scene, owners, {})
    for index, target in owners.items():
        moved = {} if index in moving else _placement(scene, index, target, file)
        if moved and records.get(index):
            changes.update({f"{records[index]}.{name}": value for name, value in moved.items()})
    data = file.set(changes) if changes else file.read()
    if file.format == terrain.FORMAT:
        tiles = terrain.edited_tiles(owners, scene)
        if tiles:
            data = terrain.export(file, data, tiles, folder)
        shifted = {it.target for it in tiles if it.is_shifted}
        found = [it for it in found if it.kind != "vertices" or it.target in shifted]
        found += [it.edit() for it in tiles]
    data = _add_copies(data, file, scene, records, further, changes)
    removed = [path for index, path in records.items() if index not in owners]
    for path in sorted(removed, key=_index, reverse=True):
        data = _open(data, file).set({}, remove=[path])
    if not found or data == file.read():
        return data, list(check.missing(found, file, scene))
    layer = folder / "result"
    layer.mkdir()
    return data, list(check.missing(found, sources.of_collection(root).open_edited(data, layer)))


def _records(scene: antiquary.Scene) -> dict[int, str]:
    """The fields by their first node: a rope has further nodes for its links."""
    first: dict[str, int] = {}
    for index, it in enumerate(scene.nodes):
        if it.field:
            first.setdefault(it.field, index)
    return {index: path for path, index in first.items()}


def _open(data: bytes, file: antiquary.File) -> antiquary.File:
    return antiquary.open(data, name=file.name)


def _index(path: str) -> tuple[str, int]:
    """The list of an item, and its index."""
    head, _, tail = path.rstrip("]").rpartition("[")
    return head, int(tail) if tail.isdigit() else 0


def _add_copies(
    data: bytes,
    file: antiquary.File,
    scene: antiquary.Scene,
    records: dict[int, str],
    further: list[bpy.types.Object],
    changes: dict[str, Any],
) -> bytes:
    for target in further:
        path = records.get(target.antiquary.node)
        if path is None:
            continue
        # The original was edited before it is copied.
        edited = [it for it in changes if it.startswith(f"{path}.")]
        changed = {it.removeprefix(f"{path}."): file.fields(it)[it] for it in edited}
        changed |= _placement(scene, target.antiquary.node, target, file)
        values = fields.read(file, [path]).get(path, {})
        changed |= fields.edited(target, values)
        # A copy is added at the end of the list.
        last = f"{_index(path)[0]}[-1]"
        opened = _open(data, file)
        data = opened.set({f"{last}.{name}": value for name, value in changed.items()}, copy=[path])
    return data


def _is_moved(scene: antiquary.Scene, index: int, target: bpy.types.Object) -> bool:
    if target.parent is None and index not in scene.roots:
        return True
    before, now = nodes.original_matrix(scene.nodes[index]), nodes.local_matrix(target)
    return any(abs(a - b) > _MOVED for one, other in zip(before, now) for a, b in zip(one, other))


def _placement(
    scene: antiquary.Scene, index: int, target: bpy.types.Object, file: antiquary.File
) -> dict[str, Any]:
    """The fields of the position and rotation of an object that was moved, as far as the format has them."""
    node = scene.nodes[index]
    if not node.field or not _is_moved(scene, index, target):
        return {}
    found = file.fields(node.field).get(node.field)
    if not isinstance(found, dict):
        return {}
    before = axes.matrix(scene.world_matrices[index])
    now = target.matrix_world.copy()
    if isinstance(target.data, bpy.types.Light) and target.data.type != "POINT":
        now = now @ axes.LIGHT_TURN.inverted().to_matrix().to_4x4()
    if {"x", "y", "quarter_turns"} <= found.keys():
        return _cell(found, _SPACINGS[node.field.partition("[")[0]], before, now)
    # Fixed-point numbers have a second name.
    for name in ("position_units", "degrees"):
        try:
            path = f"{node.field}.{name}"
            found[name] = file.fields(path)[path]
        except antiquary.Error:
            continue
    units = scene.nodes[scene.roots[0]].extras.get("units_per_meter")
    return _map_object(found, before, now, units) if units else {}


def _cell(found: dict[str, Any], spacing: float, before: Matrix, now: Matrix) -> dict[str, Any]:
    """The cell of a room, a tunnel or a piece of the forest on a map of SCP – Containment Breach. Columns are counted from the
    right, and quarter turns are clockwise."""
    moved = now.translation - before.translation
    out = {}
    for name, distance in (("x", -moved.x), ("y", moved.y)):
        cells = round(distance / spacing)
        if cells:
            out[name] = found[name] + cells
    turns = round(math.degrees(_heading(before) - _heading(now)) / 90.0) % 4
    if turns:
        out["quarter_turns"] = (found["quarter_turns"] + turns) % 4
    return out


def _heading(matrix: Matrix) -> float:
    return matrix.to_quaternion().to_euler("XYZ").z


def _map_object(found: dict[str, Any], before: Matrix, now: Matrix, units: float) -> dict[str, Any]:
    """The position and rotation of an object of a map of Redguard, whose X points left and whose Y points down."""
    out: dict[str, Any] = {}
    x, y, z = axes.location_to_gltf(now.translation - before.translation)
    if max(abs(x), abs(y), abs(z)) > _MOVED:
        name = "position_units" if "position_units" in found else "position"
        stored = found.get(name)
        if stored is None:
            return {}
        moved = [a + b for a, b in zip(stored, (-x * units, -y * units, z * units))]
        out[name] = moved if name == "position_units" else [round(it) for it in moved]
    rotation, previous = now.to_quaternion(), before.to_quaternion()
    if abs(abs(rotation.dot(previous)) - 1.0) > 1e-6 and "degrees" in found:
        degrees = degrees_of(rotation.to_matrix())
        out["degrees"] = degrees if isinstance(found["degrees"], list) else degrees[1]
    return out


def degrees_of(rotation: Matrix) -> list[float]:
    """Pitch, heading and roll of a rotation in Blender's axes, as maps of Redguard store them: the angles are negated and
    applied in the order heading, pitch, roll."""
    turn = axes.TO_GLTF.to_3x3() @ rotation @ axes.TO_BLENDER.to_3x3()
    flip = Matrix.Diagonal((-1.0, -1.0, 1.0))
    game = flip @ turn @ flip
    pitch = math.asin(max(-1.0, min(1.0, -game[1][2])))
    if math.hypot(game[1][0], game[1][1]) > 1e-6:
        heading, roll = math.atan2(game[0][2], game[2][2]), math.atan2(game[1][0], game[1][1])
    else:
        heading, roll = math.atan2(-game[2][0], game[0][0]), 0.0
    return [-math.degrees(it) + 0.0 for it in (pitch, heading, roll)]
