"""Archives."""

from pathlib import Path

import pytest

import antiquary

MODEL = "data\\model\\antiquary\\windmill.rsm"


def test_entries_are_listed_and_read(samples: Path) -> None:
    archive = antiquary.Archive(samples / "ragnarok/data.grf")
    assert len(archive) == len(list(archive)) == len(archive.list()) == 6
    assert [entry["name"] for entry in archive.list("*.rsm")] == [MODEL]
    assert archive.list(text="windmill.rsm2")[0]["number"] == 1
    assert archive.read(0) == archive.read(MODEL) == archive.read("DATA/model/antiquary/WINDMILL.RSM")
    assert archive[MODEL].format == archive[0].format == "ragnarok.rsm"
    assert MODEL in archive and "none" not in archive
    with pytest.raises(antiquary.UsageError, match="did you mean"):
        archive.read("data/model/antiquary/windmil.rsm")
    with pytest.raises(antiquary.UsageError, match="6 entries"):
        archive.read(6)


def test_a_file_that_is_not_an_archive_is_an_error(room: Path) -> None:
    with pytest.raises(antiquary.UsageError, match="not an archive"):
        antiquary.Archive(room)


def test_files_are_added_removed_and_renamed(samples: Path, tmp_path: Path) -> None:
    archive = antiquary.Archive(samples / "ragnarok/data.grf")
    note = tmp_path / "note.txt"
    note.write_text("hello", encoding="ascii")
    out = tmp_path / "new.grf"
    result = archive.add(note, out, folder="data/texts")
    assert result["results"][0]["changes"] == [{"name": "data/texts/note.txt", "change": "added"}]
    new = antiquary.Archive(out)
    assert new.read("data/texts/note.txt") == b"hello" and len(new) == 7
    new.rename({"data/texts/note.txt": "data/texts/other.txt"}, in_place=True)
    assert antiquary.Archive(out).read("data/texts/other.txt") == b"hello"
    antiquary.Archive(out).remove("*.txt", in_place=True, compact=True)
    assert list(antiquary.Archive(out)) == list(archive)
    assert antiquary.Archive(out).read(MODEL) == archive.read(MODEL)
    for call in (lambda: archive.remove("*.nothing", tmp_path / "x.grf"), lambda: archive.remove("*.rsm")):
        with pytest.raises(antiquary.UsageError):
            call()


def test_archives_are_merged_and_extracted(samples: Path, tmp_path: Path) -> None:
    archive = antiquary.Archive(samples / "ragnarok/data.grf")
    note = tmp_path / "note.txt"
    note.write_text("hello", encoding="ascii")
    archive.add(note, tmp_path / "patch.grf")
    archive.merge(tmp_path / "patch.grf", tmp_path / "merged.grf")
    assert len(antiquary.Archive(tmp_path / "merged.grf")) == 7
    result = antiquary.Archive(tmp_path / "merged.grf").extract(tmp_path / "out", "*.rsm")
    assert result["ok"]
    assert (tmp_path / "out" / MODEL.replace("\\", "/")).read_bytes() == archive.read(MODEL)


def test_parts_of_a_file_are_entries(samples: Path, tmp_path: Path) -> None:
    lines = antiquary.Archive(samples / "redguard/ENGLISH.RTX")
    assert lines.format == "redguard.rtx" and len(lines) == 9
    sounds = antiquary.Archive(samples / "redguard/sound/MAIN.SFX")
    (tmp_path / "new.wav").write_bytes(sounds.read(0))
    sounds.add(tmp_path / "new.wav", tmp_path / "MAIN.SFX")
    assert len(antiquary.Archive(tmp_path / "MAIN.SFX")) == len(sounds) + 1
