"""Opening files and games, and their values other than scenes."""

import io
import wave
from pathlib import Path

import numpy as np
import pytest

import antiquary


def test_a_path_is_a_string_or_a_path_object(room: Path) -> None:
    for path in (str(room), room):
        file = antiquary.open(path)
        assert (file.name, file.format, file.length) == (room.name, "scpcb.rmesh", room.stat().st_size)
        assert Path(file) == room


@pytest.mark.parametrize("convert", [bytes, bytearray, memoryview])
def test_bytes_are_opened_like_a_file(room: Path, convert: type) -> None:
    file = antiquary.open(convert(room.read_bytes()), name="hall_opt.rmesh")
    assert file.format == "scpcb.rmesh"
    assert file.read() == room.read_bytes()
    assert file.data() == antiquary.open(room).data()
    assert file.describe()["summary"] == antiquary.open(room).describe()["summary"]


def test_a_wrong_type_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="expected a path or bytes, not int"):
        antiquary.open(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a path or a sequence of paths, not int"):
        antiquary.check(5)  # type: ignore[arg-type]


def test_a_game_finds_files_in_any_letter_case(samples: Path) -> None:
    game = antiquary.Game(samples / "scpcb")
    assert (game.id, game.folder) == ("scpcb", samples / "scpcb")
    assert "gfx\\MAP\\HALL_opt.rmesh" in game
    assert "GFX/map/none.rmesh" not in game
    assert game["gfx\\MAP\\HALL_opt.rmesh"].read() == game.read("GFX/map/hall_opt.rmesh")
    assert len(game) == len(list(game)) == len(game.files()) > 10


def test_mods_hide_files_of_the_game(samples: Path, tmp_path: Path) -> None:
    mod = tmp_path / "GFX/map"
    mod.mkdir(parents=True)
    game = antiquary.Game(samples / "scpcb")
    changed = game["GFX/map/hall_opt.rmesh"].set({"entities[0].range": 77.0})
    (mod / "hall_opt.rmesh").write_bytes(changed)
    modded = antiquary.Game(samples / "scpcb", mods=tmp_path)
    assert modded["GFX/map/hall_opt.rmesh"].fields("entities[0].range") == {"entities[0].range": 77.0}


def test_a_game_in_memory_resolves_references(samples: Path) -> None:
    game = antiquary.Game(samples / "scpcb")
    memory = antiquary.Game.from_files({path: game.read(path) for path in game})
    assert memory.id is None
    scene = memory["GFX/map/hall_opt.rmesh"].scene()
    assert len(scene.images) == len(game["GFX/map/hall_opt.rmesh"].scene().images) > 0
    with pytest.raises(antiquary.UsageError, match="in memory"):
        antiquary.check(memory)


def test_a_folder_without_a_game_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(antiquary.UsageError, match="no game was recognized"):
        antiquary.Game(tmp_path)


def test_images_are_arrays_of_rgba(samples: Path) -> None:
    images = list(antiquary.open(samples / "redguard/fxart/TEXBSI.302").images())
    assert [image.frame_count for image in images] == [8, 1, 1, 1, 8]
    for image in images:
        pixels, indices, palette = image.pixels(), image.indices(), image.palette()
        assert indices is not None and palette is not None
        assert (pixels.shape, pixels.dtype) == ((image.height, image.width, 4), np.uint8)
        assert (indices.shape, indices.dtype) == ((image.height, image.width), np.uint8)
        assert (palette.shape, palette.dtype) == ((256, 4), np.uint8)
        assert np.array_equal(palette[indices], pixels)
        assert np.array_equal(np.asarray(image), pixels)
        assert np.asarray(image, dtype=np.float32).dtype == np.float32
        assert pixels.flags.writeable
        assert image.gray() is None
    first, last = images[0].pixels(0), images[0].pixels(7)
    assert not np.array_equal(first, last)
    assert images[0].frame_seconds is not None and images[1].frame_seconds is None
    with pytest.raises(antiquary.UsageError, match="8 frames"):
        images[0].pixels(8)


def test_images_become_images_of_pillow(samples: Path) -> None:
    pytest.importorskip("PIL")
    image = next(antiquary.open(samples / "redguard/fxart/TEXBSI.302").images())
    picture = image.to_pil()
    assert (picture.mode, picture.size) == ("RGBA", (image.width, image.height))
    assert np.array_equal(np.asarray(picture), image.pixels())


def test_an_iterator_can_be_abandoned(samples: Path) -> None:
    file = antiquary.open(samples / "redguard/fxart/TEXBSI.302")
    for _ in range(200):
        assert next(file.images()).width == 64


def test_an_image_that_cannot_be_decoded_can_be_skipped(samples: Path) -> None:
    data = bytearray((samples / "redguard/3dart/TEXTURE.302").read_bytes())
    # A run of pixels in the first record that exceeds its row.
    data[24367] = 127
    file = antiquary.open(data, name="TEXTURE.302")
    values = list(file.images(errors="yield"))
    assert [isinstance(value, antiquary.Error) for value in values] == [True, False, False, False, False]
    with pytest.raises(antiquary.Error, match="does not fit a row"):
        list(file.images())
    with pytest.raises(antiquary.UsageError, match="did you mean"):
        file.images(errors="yeild")  # type: ignore[call-overload]


def test_sounds_have_the_samples_of_their_wav(samples: Path) -> None:
    sounds = list(antiquary.open(samples / "redguard/sound/MAIN.SFX").sounds())
    assert [str(sound.samples().dtype) for sound in sounds] == ["uint8", "int16", "int16"]
    for sound in sounds:
        samples_, floats = sound.samples(), sound.to_float()
        assert samples_.shape == floats.shape == (sound.frames, sound.channels)
        assert floats.dtype == np.float32
        assert -1 <= floats.min() < floats.max() <= 1
        with wave.open(io.BytesIO(sound.to_wav())) as file:
            assert (file.getframerate(), file.getnchannels()) == (sound.rate, sound.channels)
            assert file.readframes(sound.frames) == samples_.tobytes()
        assert sound.seconds == pytest.approx(sound.frames / sound.rate)
    assert sounds[1].loops == [(0, 11025, 0)]


def test_tables_are_lists_of_dicts(samples: Path) -> None:
    (table,) = antiquary.open(samples / "redguard/ENGLISH.RTX").tables()
    assert isinstance(table, list)
    assert table.columns == ["tag", "text", "seconds"]
    assert table[0] == {"tag": "#bel", "text": "HARBOUR BELL", "seconds": 0.4}
    assert table[1]["seconds"] is None


def test_tables_become_data_frames(samples: Path) -> None:
    pytest.importorskip("pandas")
    (table,) = antiquary.open(samples / "redguard/ENGLISH.RTX").tables()
    frame = table.to_pandas()
    assert list(frame.columns) == table.columns
    assert len(frame) == len(table)
    assert frame["seconds"].sum() == pytest.approx(2.08, abs=0.01)


def test_fonts_have_a_sheet_and_glyphs(samples: Path) -> None:
    font = antiquary.open(samples / "redguard/fonts/FONTNORM.FNT").font()
    sheet, glyphs = font.sheet(), font.glyphs()
    assert sheet.dtype == np.uint8 and sheet.shape[2] == 4
    assert all(glyph["x"] + glyph["width"] <= sheet.shape[1] for glyph in glyphs)
    assert font.to_ttf()[:4] == b"\x00\x01\x00\x00"
    assert font.line_height == 22 and font.metadata["baseline"] == font.baseline


def test_subtitles_have_cues(samples: Path) -> None:
    (film, *_) = antiquary.open(samples / "redguard/MENU.INI").subtitles()
    assert film["cues"][0]["start"] < film["cues"][0]["end"]
    assert isinstance(film["cues"][0]["text"], str)


def test_a_file_without_such_content_is_unsupported(room: Path) -> None:
    file = antiquary.open(room)
    for request in (file.sounds, file.images):
        with pytest.raises(antiquary.UnsupportedError, match="it has scene, data"):
            next(request())
    for call in (file.tables, file.texts, file.subtitles, file.font):
        with pytest.raises(antiquary.UnsupportedError):
            call()


def test_fields_are_found_by_their_paths(room: Path) -> None:
    file = antiquary.open(room)
    ranges = file.fields("entities[*].range")
    assert set(ranges) == {f"entities[{index}].range" for index in (0, 1, 2, 3, 9)}
    everything = file.fields()
    assert len(everything["surfaces"]) == 5
    with pytest.raises(antiquary.UsageError, match="entity"):
        file.fields("entity[0]")


def test_a_file_is_converted_in_memory(samples: Path, room: Path) -> None:
    glb = antiquary.open(room).to_glb()
    assert glb[:4] == b"glTF"
    files = antiquary.open(room).convert("gltf")
    assert list(files)[0] == "hall_opt.gltf" and len(files) > 1
    images = antiquary.open(samples / "redguard/fxart/SKY001.BSI").convert("png")
    assert next(iter(images.values()))[:4] == b"\x89PNG"


def test_objects_have_a_readable_form(samples: Path, room: Path) -> None:
    assert repr(antiquary.open(room)).endswith("hall_opt.rmesh\", scpcb.rmesh, 5816 bytes>")
    assert repr(antiquary.open(room).scene()) == '<Scene "hall_opt", 17 nodes, 3 meshes>'
    assert "SCP – Containment Breach" in repr(antiquary.Game(samples / "scpcb"))
