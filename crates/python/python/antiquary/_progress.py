"""Progress bars."""

from typing import Any


class Bar:
    """Shows progress with tqdm: called with the completed and the total number of files."""

    def __init__(self, tqdm: Any) -> None:
        self._bar = tqdm(total=None, unit="file")

    def __call__(self, done: float, total: int) -> None:
        self._bar.total = total
        # The bar shows whole files as integers.
        self._bar.update((int(done) if done == int(done) else done) - self._bar.n)

    def close(self) -> None:
        """Ends the bar."""
        self._bar.close()


def bar() -> Bar:
    """Creates a bar.

    Raises:
        ImportError: tqdm is not installed.
    """
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise ImportError("progress=True needs tqdm: pip install tqdm") from error
    return Bar(tqdm)
