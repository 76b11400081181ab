"""Functions that process files."""

import json
from pathlib import Path

import numpy as np
import pytest

import antiquary


def test_check_and_describe_return_one_result_per_file(samples: Path) -> None:
    result = antiquary.check(samples / "scpcb")
    assert result["schema"] == "antiquary/check/1"
    assert result["files"] == len(result["results"]) == 8 and result["ok"]
    (room,) = [it for it in result["results"] if it["input"].endswith(".rmesh")]
    assert room["format"] == "scpcb.rmesh" and room["counts"]["surfaces"] == 5
    full = antiquary.describe(room["input"], full=True)["results"][0]
    assert len(full["fields"]["surfaces"]) == 5


def test_a_damaged_file_does_not_stop_the_others(samples: Path, tmp_path: Path) -> None:
    good = samples / "scpcb/GFX/map/hall_opt.rmesh"
    damaged = tmp_path / "bad.rmesh"
    damaged.write_bytes(good.read_bytes()[:500])
    result = antiquary.check([damaged, good], games=samples / "scpcb")
    assert [it["ok"] for it in result["results"]] == [False, True]
    assert result["results"][0]["error"]["kind"] == "malformed" and not result["ok"]


def test_only_requested_codes_are_reported(samples: Path) -> None:
    everything = antiquary.check(samples / "scpcb")["notes"]
    assert everything > 0
    assert antiquary.check(samples / "scpcb", codes=["FILE"])["notes"] == 0


def test_scan_find_and_formats(samples: Path) -> None:
    game = antiquary.Game(samples / "redguard")
    assert antiquary.scan(game)["results"][0]["game"] == "redguard"
    found = antiquary.find(game, "harbor")
    assert found["ok"] and found["places"] == len(found["results"]) > 2
    assert all("harbor" in it["text"].lower() for it in found["results"])
    assert not antiquary.find(game, "no such text")["ok"]
    assert antiquary.formats("rmesh")["results"][0]["id"] == "scpcb.rmesh"
    assert len(antiquary.formats()["results"]) > 40


def test_convert_writes_files_and_never_replaces_them(room: Path, tmp_path: Path) -> None:
    out = tmp_path / "room.glb"
    result = antiquary.convert(room, out)
    assert result["results"][0]["outputs"] == [str(out)]
    before = out.read_bytes()
    assert before == antiquary.open(room).to_glb()
    assert antiquary.convert(room, out)["results"][0]["error"]["kind"] == "usage"
    assert antiquary.convert(room, out, overwrite=True, scale=2)["ok"]
    assert out.read_bytes() != before
    assert not antiquary.convert(room, tmp_path / "dry.glb", dry_run=True)["results"][0]["error"]
    assert not (tmp_path / "dry.glb").exists()
    for wrong in ({"scale": 0}, {"compression": "bst"}, {"everything": True, "to": "glb"}):
        with pytest.raises(antiquary.UsageError):
            antiquary.convert(room, tmp_path / "x.glb", **wrong)


def test_a_game_is_converted_with_progress(samples: Path, tmp_path: Path) -> None:
    seen: list[tuple[float, int]] = []
    result = antiquary.convert(
        antiquary.Game(samples / "scpcb"), tmp_path / "out", progress=lambda done, total: seen.append((done, total))
    )
    assert result["ok"] and (tmp_path / "out/index.html").exists()
    assert seen[-1][0] == seen[-1][1] >= result["files"]
    assert seen == sorted(seen)


def test_progress_can_be_a_bar_of_tqdm(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    antiquary.check(samples / "scpcb", progress=True)
    assert "8/8" in capsys.readouterr().err


def test_an_exception_of_the_callback_ends_the_run(samples: Path, tmp_path: Path) -> None:
    def fail(done: float, total: int) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        antiquary.check(samples / "redguard", progress=fail)


def test_unpack_and_pack_give_the_same_bytes(samples: Path, tmp_path: Path) -> None:
    for path in ("scpcb/GFX/map/hall_opt.rmesh", "redguard/maps/ISLAND.RGM", "redguard/ENGLISH.RTX"):
        file, folder = samples / path, tmp_path / Path(path).name
        assert antiquary.unpack(file, folder)["ok"]
        assert json.loads((folder / "record.json").read_text(encoding="utf-8"))
        out = tmp_path / ("new-" + file.name)
        assert antiquary.pack(folder, out)["ok"]
        assert out.read_bytes() == file.read_bytes()
    with pytest.raises(antiquary.UsageError):
        antiquary.pack(tmp_path / "hall_opt.rmesh", out)


def test_set_changes_only_the_requested_fields(room: Path, tmp_path: Path) -> None:
    out = tmp_path / "new.rmesh"
    result = antiquary.set(room, {"entities[0].range": np.float32(250)}, out)
    assert result["results"][0]["changes"] == [
        {"path": "entities[0].range", "change": "changed", "from": 1200, "to": 250}
    ]
    assert len(out.read_bytes()) == len(room.read_bytes())
    file = antiquary.open(room)
    assert out.read_bytes() == file.set({"entities[0].range": 250})
    count = file.describe()["counts"]["entities"]
    copied = antiquary.open(file.set({}, copy="entities[0]"), name="a.rmesh")
    assert copied.describe()["counts"]["entities"] == count + 1
    removed = antiquary.open(file.set({}, remove=["entities[0]", "entities[1]"]), name="a.rmesh")
    assert removed.describe()["counts"]["entities"] == count - 2
    for fields, message in (({"entities[0].rnge": 1}, "did you mean"), ({"entities[0].range": "x"}, "range"), ({}, "nothing")):
        with pytest.raises(antiquary.UsageError, match=message):
            file.set(fields)
    with pytest.raises(antiquary.UsageError, match="nested"):
        loop: list[object] = []
        loop.append(loop)
        file.set({"entities[0].range": loop})


def test_diff_compares_files_and_bytes(room: Path, samples: Path) -> None:
    changed = antiquary.open(room).set({"entities[0].range": 250})
    assert antiquary.diff(room, room)["ok"]
    assert antiquary.diff(room, room.read_bytes())["ok"]
    result = antiquary.diff(room, changed)
    assert not result["ok"] and len(result["results"][0]["changes"]) == 1
    assert antiquary.diff(room, changed, tolerance=2000)["ok"]
    assert antiquary.diff(samples / "scpcb", samples / "scpcb")["equal"] > 10


def test_build_computes_lightmaps_with_progress(samples: Path, tmp_path: Path) -> None:
    room, shares = samples / "scpcb/GFX/map/hall_opt.rmesh", []
    result = antiquary.build(
        "lightmaps", room, str(tmp_path) + "/", progress=lambda done, total: shares.append(done / total)
    )
    assert result["ok"] and (tmp_path / room.name).exists() and result["results"][0]["figures"]
    assert all(0 <= share <= 1 for share in shares)
    with pytest.raises(antiquary.UsageError):
        antiquary.build("lightmap", room, tmp_path / "x.rmesh")  # type: ignore[arg-type]
