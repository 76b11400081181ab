"""Every edit is written or reported, for each kind of edit and each family of formats.

The book has a table of the results (`docs/src/blender.md`), with which each result is compared. After a change,
``ANTIQUARY_MATRIX=write`` lets the test write the table.
"""

import os
import shutil
from pathlib import Path
from types import ModuleType

import antiquary
import bpy
import matrix
import matrix_looks as looks
import pytest
from conftest import Files, findings

BOOK = Path(os.environ.get("ANTIQUARY_BOOK") or Path(__file__).parents[3] / "docs/src") / "blender.md"
START, END = "<!-- matrix -->", "<!-- end of the matrix -->"

# The file of a sample game for each family, and the game that it belongs to.
FAMILIES = {
    "rmesh": "scpcb/GFX/map/hall_opt.rmesh",
    "rm": "scpcb/GFX/map/hall.rm",
    "b3d": "scpcb/GFX/map/Props/plant.b3d",
    "x": "scpcb/GFX/map/Props/lampshade.x",
    "cbmap2": "scpcb/Map Creator/Maps/halls.cbmap2",
    "rsm": "ragnarok/data/model/antiquary/vane.rsm",
    "rsm2": "ragnarok/data/model/antiquary/windmill.rsm2",
    "3d": "redguard/fxart/BARREL01.3D",
    "3dc": "redguard/fxart/FLAG01.3DC",
    "rob": "redguard/fxart/ISLAND.ROB",
    "rgm": "redguard/maps/ISLAND.RGM",
    "wld": "redguard/maps/ISLAND.WLD",
}

# Options of imports: the terrain of a map would take most of the time.
OPTIONS = {"rgm": {"without": {"terrain"}}}

EDITS: dict[str, matrix.Edit] = {
    "location of an object": matrix.move,
    "rotation of an object": matrix.turn,
    "scale of an object": matrix.scale,
    "name of an object": matrix.rename,
    "parent of an object": matrix.reparent,
    "collection of an object": matrix.change_collection,
    "removed object": matrix.remove,
    "copied object": matrix.duplicate,
    "new mesh": matrix.add_mesh,
    "new empty": matrix.add_empty,
    "new lamp": matrix.add_lamp,
    "new modifier": matrix.add_modifier,
    "new constraint": matrix.add_constraint,
    "value of the file": matrix.set_value,
    "new custom property": matrix.add_property,
    "vertices": matrix.move_vertex,
    "custom normals": matrix.set_normals,
    "first UV map": matrix.uv_edit(0),
    "second UV map": matrix.uv_edit(1),
    "new UV map": matrix.add_uv_map,
    "vertex colors": matrix.set_color,
    "new vertex colors": matrix.add_colors,
    "material of a face": matrix.assign_material,
    "removed face": matrix.remove_face,
    "new face": matrix.add_face,
    "shape key": matrix.move_shape_key,
    "new shape key": matrix.add_shape_key,
    "weights": matrix.set_weight,
    "color of a material": looks.set_color,
    "alpha of a material": looks.set_alpha,
    "roughness of a material": looks.set_roughness,
    "backface culling of a material": looks.set_culling,
    "other image as texture": looks.set_texture,
    "painted texture": looks.paint,
    "removed texture": looks.remove_texture,
    "filter of a texture": looks.set_interpolation,
    "color of a lamp": looks.lamp_color,
    "power of a lamp": looks.lamp_power,
    "distance of a lamp": looks.lamp_distance,
    "size of a lamp": looks.lamp_size,
    "name of a bone": looks.rename_bone,
    "pose without a keyframe": looks.pose_bone,
    "rest pose of a bone": looks.move_bone,
    "location of an armature": looks.move_armature,
    "changed key": looks.change_key,
    "new key": looks.add_key,
    "removed key": looks.remove_key,
    "interpolation of keys": looks.change_interpolation,
    "new curve of an action": looks.animate_more,
    "removed action": looks.remove_action,
    "new action": looks.new_action,
    "copied action": looks.copy_action,
    "key of an animated texture": looks.change_uv_key,
    "new animation of a texture": looks.animate_texture,
    "new animation of a color": looks.animate_color,
}

WRITTEN, ROUNDED, REPORTED, NOTHING = "written", "rounded", "reported", "–"


class Games:
    """Two copies of the sample games: files are imported from one, and exported into the other."""

    def __init__(self, samples: Path, folder: Path) -> None:
        self.original, self.edited = folder / "original", folder / "edited"
        shutil.copytree(samples, self.original)
        model = "data/model/antiquary/windmill.rsm2"
        data = antiquary.Archive(self.original / "ragnarok/data.grf").read(model.replace("/", "\\"))
        (self.original / "ragnarok" / model).write_bytes(data)
        room, scene = self.original / FAMILIES["rmesh"], folder / "hall.glb"
        scene.write_bytes(antiquary.open(room).to_glb())
        antiquary.pack(scene, self.original / FAMILIES["rm"], images="none", overwrite=True)

    def restore(self, path: str) -> None:
        """Restores the game of a file, without the file."""
        game = path.split("/")[0]
        shutil.rmtree(self.edited / game, ignore_errors=True)
        # Links instead of copies: exports replace files, and change none.
        shutil.copytree(self.original / game, self.edited / game, copy_function=os.link)
        (self.edited / path).unlink()


    def written(self, path: str) -> int:
        """The number of files that were written into the game of a file: those that are no links."""
        files = (self.edited / path.split("/")[0]).rglob("*")
        return sum(it.is_file() and it.stat().st_nlink == 1 for it in files)


@pytest.fixture(scope="session")
def games(extension: ModuleType, samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Games:
    """The copies of the sample games."""
    return Games(samples, tmp_path_factory.mktemp("games"))


def table() -> dict[tuple[str, str], str]:
    """The results in the book."""
    text = BOOK.read_text(encoding="utf-8")
    rows = [line for line in text.split(START)[1].split(END)[0].splitlines() if line.startswith("|")]
    if not rows:
        return {}
    cells = [[it.strip() for it in row.strip("|").split("|")] for row in rows]
    families = [it.strip("`.") for it in cells[0][1:]]
    return {(row[0], family): it for row in cells[2:] for family, it in zip(families, row[1:])}


_found: dict[tuple[str, str], str] = {}


def outcome(files: Files, games: Games, edit: str, family: str) -> str:
    """The result of an edit."""
    path = FAMILIES[family]
    games.restore(path)
    options = OPTIONS.get(family, {})
    root = files.read_path(games.original / path, **options)
    bpy.context.view_layer.update()
    check = EDITS[edit](root)
    if check is None:
        return NOTHING
    if bpy.context.view_layer.objects.active is None or bpy.context.view_layer.objects.active.name not in root.all_objects:
        bpy.context.view_layer.objects.active = root.all_objects[0]
    files.output = (games.edited / path).parent
    data = files.write(Path(path).name)
    codes = {it.code for it in bpy.context.scene.antiquary.findings if it.severity != "note"}
    messages = findings()
    assert all(codes), f"a message has no code: {messages}"
    if data == (games.original / path).read_bytes() and games.written(path) == 1:
        if codes:
            return ROUNDED if codes == {"BLENDER-W002"} else REPORTED
    bpy.ops.wm.read_factory_settings(use_empty=True)
    again = files.read_path(games.edited / path, **options)
    bpy.context.view_layer.update()
    if check(again):
        assert "BLENDER-W001" not in codes, f"{edit} is written, and reported: {messages}"
        return WRITTEN
    if codes == {"BLENDER-W002"}:
        return ROUNDED
    assert codes, f"{edit} is lost silently: {messages}"
    return REPORTED


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("family", FAMILIES)
def test_an_edit_is_written_or_reported(files: Files, games: Games, edit: str, family: str) -> None:
    found = _found[edit, family] = outcome(files, games, edit, family)
    if os.environ.get("ANTIQUARY_MATRIX") != "write":
        assert found == table().get((edit, family)), f"{BOOK.name} has another result for {edit} of {family}"


def test_the_table_of_the_book_is_complete() -> None:
    if os.environ.get("ANTIQUARY_MATRIX") == "write":
        _write_table()
    assert table().keys() == {(edit, family) for edit in EDITS for family in FAMILIES}


def _write_table() -> None:
    text = BOOK.read_text(encoding="utf-8")
    known = table() if START in text else {}
    known.update(_found)
    lines = ["| edit | " + " | ".join(f"`.{it}`" for it in FAMILIES) + " |", "| --- " * (len(FAMILIES) + 1) + "|"]
    lines += [f"| {edit} | " + " | ".join(known.get((edit, it), "?") for it in FAMILIES) + " |" for edit in EDITS]
    head, rest = text.split(START)
    tail = rest.split(END)[1]
    BOOK.write_text(head + START + "\n\n" + "\n".join(lines) + "\n\n" + END + tail, encoding="utf-8")


