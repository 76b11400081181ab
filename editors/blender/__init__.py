"""Antiquary for Blender: imports and exports the files of old games.

The library ``antiquary``, which this extension carries as a wheel, reads and writes the files. ``read`` creates Blender's data
from its scenes; ``write`` compares the data with the scene again, and passes what was edited back to the library.
"""

from . import ops_export, ops_import, panel, properties

_MODULES = (properties, ops_import, ops_export, panel)


def register() -> None:
    """Called by Blender when the extension is enabled."""
    for module in _MODULES:
        module.register()


def unregister() -> None:
    """Called by Blender when the extension is disabled."""
    for module in reversed(_MODULES):
        module.unregister()
