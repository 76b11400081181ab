"""Compares the number of files per second with that of the program: `cargo xtask python --bench`.

Arguments: the program, and the corpus. Each task runs alternately in both, and the fastest of several runs counts. The time of
Python is that of the call; the start of the interpreter with the imports is listed separately. The time of the program includes
its start, and that of writing its JSON.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

RUNS = 5

# The scripts print the duration of their call in seconds.
TIMED = "import antiquary, sys, time\nstart = time.perf_counter()\n{}\nprint(time.perf_counter() - start)"
CHECK = TIMED.format("antiquary.check(sys.argv[1])")
CONVERT = TIMED.format("antiquary.convert(sys.argv[1], sys.argv[2], gallery=False, overwrite=True)")
DESCRIBE = TIMED.format("antiquary.describe(sys.argv[1], full=True)")
EACH = TIMED.format(
    "for path in __import__('pathlib').Path(sys.argv[1]).rglob('*'):\n"
    "    try: path.is_file() and antiquary.open(path).to_glb()\n"
    "    except antiquary.Error: pass"
)


def seconds(run: Callable[[], object]) -> float:
    """The duration of a call in seconds."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def command(*arguments: object) -> Callable[[], str]:
    """Runs a command, and returns its output."""
    texts = [str(argument) for argument in arguments]
    return lambda: subprocess.run(texts, capture_output=True, text=True, encoding="utf-8", check=False).stdout


def main() -> None:
    program, corpus = Path(sys.argv[1]), Path(sys.argv[2])
    print(f"{'task':28} {'files':>6} {'Python':>9} {'program':>9} {'ratio':>6}")
    for game in ("rsm", "scpcb", "redguard"):
        folder = corpus / game
        files = sum(path.is_file() for path in folder.rglob("*"))
        with tempfile.TemporaryDirectory() as out:
            tasks = {
                "check": (
                    command(sys.executable, "-c", CHECK, folder),
                    command(program, "check", folder, "--json"),
                ),
                "describe": (
                    command(sys.executable, "-c", DESCRIBE, folder),
                    command(program, "info", folder, "--full", "--json"),
                ),
                "convert": (
                    command(sys.executable, "-c", CONVERT, folder, out),
                    command(program, "convert", folder, "-o", out, "--no-gallery", "--force", "--json"),
                ),
            }
            for name, (python, other) in tasks.items():
                times = [(float(python()), seconds(other)) for _ in range(RUNS)]
                ours, theirs = (min(column) for column in zip(*times))
                print(f"{game + ' ' + name:28} {files:6} {files / ours:7.0f}/s {files / theirs:7.0f}/s {ours / theirs:6.2f}")
    folder = corpus / "rsm"
    files = sum(path.is_file() for path in folder.rglob("*"))
    each = min(float(command(sys.executable, "-c", EACH, folder)()) for _ in range(RUNS))
    print(f"{'rsm, one call per file':28} {files:6} {files / each:7.0f}/s")
    for name, start in (
        ("Python, with the imports", command(sys.executable, "-c", "import antiquary")),
        ("program", command(program, "--version")),
    ):
        print(f"start of {name}: {min(seconds(start) for _ in range(RUNS)):.3f} s")


if __name__ == "__main__":
    main()
