"""Exceptions."""

from typing import Any

_FIELDS = ("kind", "code", "offset", "path", "file", "result")


class Error(Exception):
    """The base class of all errors of this package.

    Attributes:
        message: What was found and what was expected, without file, path and offset.
        kind: The cause, as in JSON: ``malformed``, ``unsupported``, ``limit``, ``io``, ``usage``, ``internal`` or ``refused``.
        code: The code of the warning that refused the result, such as ``RMESH-E003``; otherwise the kind.
        offset: Offset in the file in bytes, or None.
        path: Path of the field, such as ``surfaces[2].vertices``; empty if the error concerns the entire file.
        file: Path of the file, or None.
        result: The outcome as a dict if the error ended work on a file, with all its ``warnings``; otherwise None.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: str = "usage",
        code: str | None = None,
        offset: int | None = None,
        path: str = "",
        file: str | None = None,
        result: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind
        self.code = kind if code is None else code
        self.offset = offset
        self.path = path
        self.file = file
        self.result = result

    def __str__(self) -> str:
        parts = [part for part in (self.file, self.path, self.message) if part]
        offset = "" if self.offset is None else f", at offset {self.offset:#x}"
        return ": ".join(parts) + offset

    def __reduce__(self) -> tuple[Any, ...]:
        fields = {name: getattr(self, name) for name in _FIELDS}
        return _restore, (type(self), self.message, fields)


class MalformedError(Error, ValueError):
    """The bytes violate the format."""


class UnsupportedError(Error, ValueError):
    """The bytes may be valid, but are not supported; or files of this format have no such content."""


class LimitError(Error, ValueError):
    """The bytes exceed a documented limit."""


class FileError(Error, OSError):
    """The operating system failed to read or write."""


class MissingFileError(FileError, FileNotFoundError):
    """A file or folder does not exist."""


class UsageError(Error, ValueError):
    """The request is impossible: an unknown option, a field that does not exist, a value that a field cannot hold."""


class RefusedError(Error, ValueError):
    """A file was not written, because a check of it has errors, or warnings with ``strict=True``."""


class InternalError(Error, RuntimeError):
    """A bug in this package."""


def _restore(cls: type[Error], message: str, fields: dict[str, Any]) -> Error:
    """Creates an exception that was pickled."""
    return cls(message, **fields)


for _class in (
    Error,
    MalformedError,
    UnsupportedError,
    LimitError,
    FileError,
    MissingFileError,
    UsageError,
    RefusedError,
    InternalError,
):
    _class.__module__ = "antiquary"
