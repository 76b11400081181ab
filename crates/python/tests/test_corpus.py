"""The whole interface on public game files."""

from pathlib import Path

import numpy as np
import pytest

import antiquary

GAMES = ["scpcb", "rsm", "redguard"]


@pytest.mark.parametrize("folder", GAMES)
def test_every_file_gives_its_values_or_an_exception(corpus: Path, folder: str) -> None:
    paths = [path for path in sorted((corpus / folder).rglob("*")) if path.is_file()]
    counts = dict.fromkeys(("files", "scenes", "images", "sounds", "tables", "refused"), 0)
    for path in paths:
        try:
            file = antiquary.open(path)
        except antiquary.Error as error:
            assert not isinstance(error, antiquary.InternalError), path
            counts["refused"] += 1
            continue
        counts["files"] += 1
        for kind in ("scene", "images", "sounds", "tables"):
            counts["scenes" if kind == "scene" else kind] += values(file, kind)
    print(folder, counts)
    assert counts["files"] > 20 and counts["scenes"] > 10
    if folder == "redguard":
        assert counts["images"] > 100 and counts["sounds"] > 10 and counts["tables"] > 0


def values(file: antiquary.File, kind: str) -> int:
    """Reads all values of a kind, and returns their number."""
    try:
        match kind:
            case "scene":
                scene = file.scene()
                assert scene.world_matrices.shape == (len(scene.nodes), 4, 4)
                assert all(np.isfinite(p.positions).all() for mesh in scene.meshes for p in mesh.primitives)
                return 1
            case "images":
                found = [image for image in file.images(errors="yield") if isinstance(image, antiquary.Image)]
                assert all(image.pixels().shape == (image.height, image.width, 4) for image in found)
                return len(found)
            case "sounds":
                return sum(len(sound.samples()) > 0 for sound in file.sounds())
            case _:
                return len([row for table in file.tables() for row in table])
    except antiquary.Error as error:
        assert not isinstance(error, antiquary.InternalError), (file, error)
        return 0


def test_a_game_of_the_corpus_is_checked_and_converted(corpus: Path, tmp_path: Path) -> None:
    result = antiquary.convert(corpus / "rsm", tmp_path / "out", gallery=False)
    assert result["files"] > 50
    written = list((tmp_path / "out").rglob("*.glb"))
    assert len(written) >= 52
    checked = antiquary.check(corpus / "rsm")
    assert all(it["error"]["message"] for it in checked["results"] if it["error"])
