"""Behavior in a process: threads, Ctrl-C, memory."""

import os
import random
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import antiquary


def test_one_file_is_used_by_several_threads(room: Path) -> None:
    file = antiquary.open(room)
    expected = file.to_glb()
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: file.to_glb(), range(12))) == {expected}
        scenes = list(pool.map(lambda _: len(file.scene().nodes), range(12)))
    assert set(scenes) == {17}


def test_one_iterator_is_shared_by_several_threads(samples: Path) -> None:
    images = antiquary.open(samples / "redguard/fxart/TEXBSI.302").images()
    with ThreadPoolExecutor(4) as pool:
        taken = list(pool.map(lambda _: next(images).name, range(5)))
    assert len(set(taken)) == 5
    with pytest.raises(StopIteration):
        next(images)


def test_other_threads_continue_during_work(samples: Path) -> None:
    ticks, is_done = [], threading.Event()

    def count() -> None:
        while not is_done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    start = time.perf_counter()
    for _ in range(5):
        antiquary.check(samples)
    end = time.perf_counter()
    is_done.set()
    counter.join()
    during = [tick for tick in ticks if start < tick < end]
    # With the lock of the interpreter, no tick could occur during a call.
    assert len(during) > 5


def interrupt_after(seconds: float) -> None:
    """Sends Ctrl-C to this process, as a terminal does."""

    def send() -> None:
        time.sleep(seconds)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=send, daemon=True).start()


@pytest.mark.skipif(os.name == "nt", reason="signals of Windows cannot be sent to one process")
def test_ctrl_c_ends_a_run_before_its_last_file(room: Path, tmp_path: Path) -> None:
    data = room.read_bytes()
    for number in range(3_000):
        (tmp_path / f"{number:04}_opt.rmesh").write_bytes(data)
    reached: list[float] = []
    interrupt_after(0.5)
    with pytest.raises(KeyboardInterrupt):
        antiquary.convert(
            tmp_path, tmp_path / "out", gallery=False, progress=lambda done, total: reached.append(done / total)
        )
    assert reached[-1] < 1
    written = list((tmp_path / "out").rglob("*.glb"))
    assert len(written) < 3_000
    for file in written:
        glb = file.read_bytes()
        assert int.from_bytes(glb[8:12], "little") == len(glb), "every file that was written is complete"


@pytest.mark.skipif(os.name == "nt", reason="signals of Windows cannot be sent to one process")
def test_ctrl_c_ends_scripts_before_their_last_update(samples: Path) -> None:
    reached: list[float] = []
    interrupt_after(0.5)
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        antiquary.run_scripts(
            samples / "redguard/maps/ISLAND.RGM",
            updates=100_000_000,
            limit=2**40,
            progress=lambda done, total: reached.append(done / total),
        )
    assert 0 < reached[-1] < 1
    assert time.perf_counter() - start < 60
    # The next call is not affected.
    assert antiquary.check(samples / "scpcb")["ok"]


def resident_bytes() -> int:
    """The memory of this process."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


# Memory that may be added while 9,000 damaged files are opened, after 1,000 others. A leak of one of their files each, of a
# few kilobytes, would exceed it.
LIMIT = 12 << 20


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the memory of the process is read from /proc")
def test_ten_thousand_damaged_files_do_not_add_memory(samples: Path) -> None:
    files = [
        (path.name, path.read_bytes())
        for path in sorted(samples.rglob("*"))
        if path.is_file() and 0 < path.stat().st_size < 20_000 and path.suffix.lower() not in (".png", ".jpg", ".wav")
    ]
    numbers = random.Random(50)
    before = refused = 0
    for count in range(10_000):
        if count == 1_000:
            before = resident_bytes()
        name, data = files[count % len(files)]
        damaged = bytearray(data)
        for _ in range(numbers.randrange(1, 20)):
            damaged[numbers.randrange(len(damaged))] = numbers.randrange(256)
        del damaged[numbers.randrange(len(damaged) // 2, len(damaged) + 1) :]
        try:
            antiquary.open(damaged, name=name).fields()
        except antiquary.Error as error:
            assert not isinstance(error, antiquary.InternalError), (name, error)
            refused += 1
    added = resident_bytes() - before
    print(f"{refused} of 10,000 files were refused; {added} bytes of memory were added")
    assert 1_000 < refused
    assert added < LIMIT
