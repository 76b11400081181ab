"""Scripts."""

from pathlib import Path

import pytest

import antiquary


@pytest.fixture
def island(samples: Path) -> Path:
    """A map with scripts."""
    return samples / "redguard/maps/ISLAND.RGM"


def test_disassembled_scripts_assemble_to_the_same_bytes(island: Path, tmp_path: Path) -> None:
    scripts = antiquary.disassemble_scripts(island, tmp_path / "scripts")
    assert len(scripts) > 3 and all(it["text"].startswith(f'actor "{it["name"]}"') for it in scripts)
    assert len(list((tmp_path / "scripts").glob("*.soup"))) == len(scripts)
    out = tmp_path / "ISLAND.RGM"
    result = antiquary.assemble_scripts(tmp_path / "scripts", island, out)
    assert result["ok"] and out.read_bytes() == island.read_bytes()


def test_problems_in_scripts_are_an_error_with_their_lines(island: Path, tmp_path: Path) -> None:
    antiquary.disassemble_scripts(island, tmp_path / "scripts", actor="KEEPER")
    text = tmp_path / "scripts/KEEPER.soup"
    text.write_text(text.read_text(encoding="utf-8") + "\nnonsense(\n", encoding="utf-8")
    with pytest.raises(antiquary.MalformedError) as caught:
        antiquary.assemble_scripts(text, island, tmp_path / "ISLAND.RGM")
    error = caught.value
    assert error.result is not None and error.result["problems"][0]["line"] > 1
    assert error.file == str(text) and not (tmp_path / "ISLAND.RGM").exists()


def test_scripts_run_and_continue_from_a_state(island: Path, tmp_path: Path) -> None:
    seen: list[float] = []
    first = antiquary.run_scripts(island, updates=30, progress=lambda done, total: seen.append(done / total))
    assert (first["status"], first["updates"]) == ("ok", 30) and first["trace"] and seen[-1] == 1
    again = antiquary.run_scripts(island, updates=30)
    assert again == first
    antiquary.run_scripts(island, seconds=1, animation=tmp_path / "island.glb")
    assert (tmp_path / "island.glb").read_bytes()[:4] == b"glTF"
    state = antiquary.run_scripts(island, updates=1, state=first["state"])
    assert state["status"] == "ok"


def test_a_single_actor_runs_with_flags(island: Path) -> None:
    run = antiquary.run_scripts(island, actor="KEEPER", updates=5, flags={"After_League": 1})
    assert run["actor"] == "KEEPER" and run["instance"] == 0
    with pytest.raises(antiquary.UsageError):
        antiquary.run_scripts(island, actor="NO_ONE")
    with pytest.raises(antiquary.UsageError, match="save_to needs save"):
        antiquary.run_scripts(island, save_to="x.sav")
    for seconds in [-1, float("nan"), 1e7]:
        with pytest.raises(antiquary.UsageError, match="seconds must be between 0 and 1000000"):
            antiquary.run_scripts(island, seconds=seconds)


def test_names_are_found_in_scripts(island: Path) -> None:
    found = antiquary.find_in_scripts(island, "PlayerDistance")
    assert found["ok"] and found["results"] and all(it["line"] > 0 for it in found["results"])


def test_a_file_without_scripts_is_an_error(room: Path) -> None:
    with pytest.raises(antiquary.Error):
        antiquary.disassemble_scripts(room)
