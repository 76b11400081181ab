"""Read, check, convert, edit and write the files of old games.

``Game`` finds the files of a game by name, ``open`` reads a single file, and functions such as ``check`` and ``convert``
process many files at once, in parallel. An opened file returns its contents as values: a scene, images and sounds as arrays of
numpy, tables as lists of dicts, and all fields as nested dicts.

    >>> import antiquary
    >>> game = antiquary.Game("SCP - Containment Breach")
    >>> scene = game["GFX/map/room2_opt.rmesh"].scene()
    >>> scene.meshes[0].primitives[0].positions.shape

Functions that process files return what the program ``antiquary`` prints with ``--json``, as a dict. Every error is an
``antiquary.Error``. Work is done without the lock of the interpreter, so other threads continue, and Ctrl-C ends it.
"""

from ._antiquary import (
    Animation,
    Archive,
    EncodedImage,
    File,
    Font,
    Game,
    Image,
    Light,
    Material,
    Mesh,
    MorphTarget,
    Node,
    Primitive,
    Scene,
    Skin,
    Sound,
    Texture,
    Track,
    __version__,
    assemble_scripts,
    build,
    check,
    convert,
    describe,
    diff,
    disassemble_scripts,
    find,
    find_in_scripts,
    formats,
    open,
    pack,
    run_scripts,
    scan,
    set,
    unpack,
    write_samples,
)
from ._errors import (
    Error,
    FileError,
    InternalError,
    LimitError,
    MalformedError,
    MissingFileError,
    RefusedError,
    UnsupportedError,
    UsageError,
)
from ._values import Table, Text

__all__ = [
    "Animation",
    "Archive",
    "EncodedImage",
    "Error",
    "File",
    "FileError",
    "Font",
    "Game",
    "Image",
    "InternalError",
    "Light",
    "LimitError",
    "MalformedError",
    "Material",
    "Mesh",
    "MissingFileError",
    "MorphTarget",
    "Node",
    "Primitive",
    "RefusedError",
    "Scene",
    "Skin",
    "Sound",
    "Table",
    "Text",
    "Texture",
    "Track",
    "UnsupportedError",
    "UsageError",
    "__version__",
    "assemble_scripts",
    "build",
    "check",
    "convert",
    "describe",
    "diff",
    "disassemble_scripts",
    "find",
    "find_in_scripts",
    "formats",
    "open",
    "pack",
    "run_scripts",
    "scan",
    "set",
    "unpack",
    "write_samples",
]
