"""Where an imported scene comes from: a file or an entry of a container, and the options it was opened with."""

import hashlib
import json
import os
import tempfile
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import antiquary
import bpy


class SourceChanged(Exception):
    """The file that a scene was imported from is missing or has changed since."""


@dataclass(frozen=True)
class Source:
    """A file, or an entry of a container, and the options it is opened with."""

    path: Path
    entry: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    game: str = ""

    @property
    def name(self) -> str:
        """The name of the file without folders."""
        return self.entry.replace("\\", "/").rsplit("/", 1)[-1] or self.path.name

    @property
    def whole_path(self) -> Path:
        """The path as the library accepts it; it may lead into a container."""
        return self.path / self.entry.replace("\\", "/") if self.entry else self.path

    def open(self) -> antiquary.File:
        """Opens the file.

        Raises:
            antiquary.Error: It cannot be read.
        """
        if not self.entry:
            return antiquary.open(self.path, **self.options)
        entry = antiquary.Archive(self.path).open(self.entry, **self.options)
        try:
            # In the container of a game, textures are found as well.
            return antiquary.Game(self.path).open(self.entry, **self.options)
        except antiquary.Error:
            return entry

    def game_folder(self) -> Path | None:
        """The folder or container of the game that the file belongs to, or None."""
        if self.game:
            return Path(self.game)
        if self.entry:
            return self.path
        for folder in list(self.path.resolve().parents)[:5]:
            try:
                antiquary.Game(folder)
            except antiquary.Error:
                continue
            return folder
        return None

    def open_edited(
        self, data: bytes, folder: Path, companions: Sequence[Path] = (), around: Path | None = None
    ) -> antiquary.File:
        """Opens other bytes in place of the file, with the same game around them. ``folder`` is an empty folder, which must
        exist as long as the file is used. ``companions`` are further files, such as new textures, and ``around`` is the folder
        that takes the place of that of the file.

        Raises:
            antiquary.Error: The bytes cannot be read.
        """
        game = self.game_folder()
        if game is None:
            return antiquary.open(data, name=self.name, **self.options)
        if self.entry:
            below = self.entry.replace("\\", "/")
        else:
            below = self.path.resolve().relative_to(game.resolve()).as_posix()
        target = folder / below
        target.parent.mkdir(parents=True, exist_ok=True)
        for path in companions:
            copied = Path(os.path.normpath(target.parent / os.path.relpath(path, around)))
            if not copied.is_relative_to(folder):
                copied = target.parent / path.name
            copied.parent.mkdir(parents=True, exist_ok=True)
            copied.write_bytes(path.read_bytes())
        target.write_bytes(data)
        return antiquary.Game(game, mods=folder).open(below, **self.options)

    def store(self, collection: bpy.types.Collection, file: antiquary.File) -> None:
        """Stores the source in a collection."""
        state = collection.antiquary
        state.path, state.entry, state.game = str(self.path), self.entry, self.game
        state.format = file.format
        state.options = json.dumps(self.options, sort_keys=True)
        state.digest = digest(file.read())
        state.key = uuid.uuid4().hex


def of_collection(collection: bpy.types.Collection) -> Source:
    """The source that is stored in a collection."""
    state = collection.antiquary
    path = Path(bpy.path.abspath(state.path))
    return Source(path, state.entry, json.loads(state.options or "{}"), state.game)


def open_unchanged(collection: bpy.types.Collection) -> antiquary.File:
    """Opens the file that a collection was imported from.

    Raises:
        SourceChanged: The file is missing or has changed since.
        antiquary.Error: It cannot be read.
    """
    source = of_collection(collection)
    if not source.path.exists():
        raise SourceChanged(f"{source.path} was not found; exporting needs the file that was imported")
    file = source.open()
    if digest(file.read()) != collection.antiquary.digest:
        raise SourceChanged(f"{source.whole_path} has changed since it was imported; import it again")
    return file


def digest(data: bytes) -> str:
    """The SHA-256 of the bytes of a file."""
    return hashlib.sha256(data).hexdigest()


def roots() -> list[bpy.types.Collection]:
    """The collections of all imports."""
    return [it for it in bpy.data.collections if it.antiquary.format]


def find_root(context: bpy.types.Context) -> bpy.types.Collection | None:
    """The collection of the import that the active object or the active collection belongs to; otherwise the only one."""
    found = roots()
    active = context.view_layer.objects.active if context.view_layer else None
    for root in found:
        if active is not None and active.name in root.all_objects:
            return root
    layer = context.view_layer.active_layer_collection if context.view_layer else None
    if layer is not None:
        for root in found:
            if layer.collection == root or layer.collection.name in root.children_recursive:
                return root
    return found[0] if len(found) == 1 else None


def temporary() -> tempfile.TemporaryDirectory:
    """A temporary folder."""
    return tempfile.TemporaryDirectory(prefix="antiquary-")
