"""Exceptions, and damaged files."""

import pickle
from pathlib import Path

import pytest

import antiquary


def test_an_exception_carries_the_location(room: Path) -> None:
    damaged = room.read_bytes()[:2000]
    with pytest.raises(antiquary.MalformedError) as caught:
        antiquary.open(damaged, name="hall.rmesh")
    error = caught.value
    assert (error.kind, error.code, error.path, error.offset, error.file) == (
        "malformed", "malformed", "surfaces[1].vertices", 251, "hall.rmesh",
    )
    assert str(error) == f"hall.rmesh: surfaces[1].vertices: {error.message}, at offset 0xfb"
    assert isinstance(error, ValueError)


def test_a_missing_file_is_file_not_found(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        antiquary.open(tmp_path / "none.rmesh")
    assert isinstance(caught.value, antiquary.Error) and isinstance(caught.value, OSError)
    assert caught.value.file == str(tmp_path / "none.rmesh")


def test_an_exception_can_be_pickled(room: Path) -> None:
    with pytest.raises(antiquary.Error) as caught:
        antiquary.open(room.read_bytes()[:2000], name="hall.rmesh")
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is type(caught.value)
    assert (str(again), again.offset, again.path) == (str(caught.value), caught.value.offset, caught.value.path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"thread": 2}, 'unknown option "thread"; did you mean "threads"?'),
        ({"ligthmaps": "bake"}, 'did you mean "lightmaps"'),
        ({"lightmaps": "bakd"}, 'did you mean "bake"'),
        ({"qwertyuiop": 1}, 'unknown option "qwertyuiop"$'),
    ],
)
def test_an_unknown_option_is_an_error_with_a_suggestion(room: Path, options: dict[str, object], message: str) -> None:
    with pytest.raises(antiquary.UsageError, match=message):
        antiquary.check(room, **options)  # type: ignore[arg-type]


def test_an_unknown_format_and_code_are_errors(room: Path) -> None:
    with pytest.raises(antiquary.UsageError, match="did you mean"):
        antiquary.formats("scpcb.rmsh")
    with pytest.raises(antiquary.UsageError, match="unknown code"):
        antiquary.check(room, codes="NONE-X")


def test_a_refused_result_carries_its_warnings(samples: Path, tmp_path: Path) -> None:
    alone = tmp_path / "hall_opt.rmesh"
    alone.write_bytes((samples / "scpcb/GFX/map/hall_opt.rmesh").read_bytes())
    with pytest.raises(antiquary.RefusedError) as caught:
        antiquary.set(alone, {"surfaces[0].texture.name": "none.png"}, tmp_path / "out.rmesh", strict=True)
    error = caught.value
    assert error.code.startswith("FILE-W") and error.kind == "refused"
    assert error.result is not None and error.result["warnings"]
    assert not (tmp_path / "out.rmesh").exists()


def test_bytes_of_any_length_give_an_exception_or_a_file(samples: Path) -> None:
    files = [path for path in sorted(samples.rglob("*")) if path.is_file() and path.stat().st_size < 60_000]
    opened = refused = 0
    for path in files:
        data = path.read_bytes()
        for length in {0, 1, 4, len(data) // 2, len(data) - 1}:
            try:
                antiquary.open(data[:length], name=path.name)
                opened += 1
            except antiquary.Error as error:
                assert not isinstance(error, antiquary.InternalError)
                refused += 1
    assert opened > 20 and refused > 100


def test_malformed_files_of_the_corpus_give_exceptions(corpus: Path) -> None:
    malformed = [path for path in corpus.rglob("*") if path.is_file() and path.name.startswith("bad_")]
    assert len(malformed) > 3
    refused = 0
    for path in malformed:
        try:
            file = antiquary.open(path)
            file.check()
            file.scene()
        except antiquary.Error as error:
            refused += 1
            assert not isinstance(error, antiquary.InternalError)
            assert error.message and error.file
    assert refused > 3
