"""Values that extend types of Python."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas

Cell = str | int | float | None


class Table(list[dict[str, Cell]]):
    """A table: a list of rows, each a dict of cells by column.

    Attributes:
        name: Path of the file, followed by the name in the file if the file has several tables.
        columns: Names of the columns, in order. Columns without a name are named by their index.
    """

    def __init__(self, rows: Iterable[dict[str, Cell]] = (), name: str = "", columns: Iterable[str] = ()) -> None:
        super().__init__(rows)
        self.name = name
        self.columns = list(columns)

    def to_pandas(self) -> "pandas.DataFrame":
        """Returns the table as a data frame of pandas.

        Raises:
            ImportError: pandas is not installed.
        """
        import pandas

        return pandas.DataFrame(list(self), columns=self.columns)


class Text(str):
    """A text of a file.

    Attributes:
        name: Path of the file, followed by the name in the file if the file has several texts.
    """

    name: str

    def __new__(cls, text: str, name: str = "") -> "Text":
        self = super().__new__(cls, text)
        self.name = name
        return self
