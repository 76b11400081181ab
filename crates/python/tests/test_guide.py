"""The examples of the book, and the notebook."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/src/python.md"
NOTEBOOK = ROOT / "crates/python/notebooks/games.ipynb"

# An example, and its output if the page shows it.
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL)


def test_every_example_of_the_book_prints_its_output(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("PIL")
    environment = os.environ | {"PYTHONUTF8": "1"}
    examples = EXAMPLE.findall(PAGE.read_text(encoding="utf-8"))
    for code, output in examples:
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, encoding="utf-8", check=False)
        assert done.returncode == 0, f"{code}\n{done.stderr}"
        assert done.stdout == output, code
    assert len([output for _, output in examples if output]) >= 10


def test_every_example_has_correct_types(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    for number, (code, _) in enumerate(EXAMPLE.findall(PAGE.read_text(encoding="utf-8"))):
        # A misspelled option is an error of the example's own.
        (tmp_path / f"example_{number}.py").write_text(code.replace("ligth=", "light="), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--ignore-missing-imports", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_notebook_runs_with_the_sample_games(samples: Path) -> None:
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("matplotlib")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(samples)}}).execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    pictures = sum("image/png" in output.get("data", {}) for cell in cells for output in cell.outputs)
    tables = sum("text/html" in output.get("data", {}) for cell in cells for output in cell.outputs)
    assert pictures >= 2 and tables >= 1
