"""The package: its manifest, and its installation by Blender."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType

import bpy
import pytest
from conftest import EXTENSION

# The manifest's schema 1.0.0, as described in Blender's manual, "Extensions > Getting Started".
REQUIRED = {
    "schema_version", "id", "version", "name", "tagline", "maintainer", "type", "blender_version_min", "license",
}  # fmt: skip
OPTIONAL = {
    "website", "tags", "blender_version_max", "copyright", "permissions", "platforms", "wheels", "build",
}  # fmt: skip
PERMISSIONS = {"files", "network", "clipboard", "camera", "microphone"}


@pytest.fixture
def package() -> Path:
    """The package that was built."""
    path = os.environ.get("ANTIQUARY_PACKAGE")
    if not path:
        pytest.skip("no package: ANTIQUARY_PACKAGE is not set, so the extension was not installed from its package")
    return Path(path)


def test_the_manifest_follows_its_schema() -> None:
    manifest = tomllib.loads((EXTENSION / "blender_manifest.toml").read_text(encoding="utf-8"))
    assert manifest.keys() >= REQUIRED
    assert manifest.keys() <= REQUIRED | OPTIONAL
    assert manifest["schema_version"] == "1.0.0"
    assert re.fullmatch(r"[a-z][a-z0-9_]*", manifest["id"])
    assert re.fullmatch(r"\d+\.\d+\.\d+", manifest["version"])
    assert manifest["type"] == "add-on"
    assert manifest["blender_version_min"] == "4.2.0"
    assert len(manifest["tagline"]) <= 64
    assert not manifest["tagline"].endswith((".", "!", "?"))
    assert all(it.startswith("SPDX:") for it in manifest["license"])
    assert set(manifest["permissions"]) <= PERMISSIONS
    assert all(len(it) <= 64 and not it.endswith(".") for it in manifest["permissions"].values())


def test_the_package_contains_the_wheel_and_no_tests(package: Path) -> None:
    with zipfile.ZipFile(package) as contents:
        names = set(contents.namelist())
        manifest = tomllib.loads(contents.read("blender_manifest.toml").decode())
    wheels = [it.removeprefix("./") for it in manifest["wheels"]]
    assert len(wheels) == 1
    assert set(wheels) <= names
    assert manifest["platforms"]
    assert {"__init__.py", "README.md", "LICENSE-MIT", "LICENSE-APACHE", "read/mesh.py", "write/mesh.py"} <= names
    assert not [it for it in names if it.startswith("tests/") or it.endswith(".pyc")]


INSTALL = """
import bpy, sys
repositories = bpy.context.preferences.extensions.repos
if "user_default" not in [it.module for it in repositories]:
    repositories.new(name="User Default", module="user_default")
bpy.ops.extensions.package_install_files(filepath=sys.argv[1], repo="user_default", enable_on_install=True)
assert "bl_ext.user_default.antiquary" in bpy.context.preferences.addons
import antiquary
assert ".local" in antiquary.__file__, antiquary.__file__
print(bpy.ops.import_scene.antiquary_b3d(filepath=sys.argv[2]))
bpy.ops.preferences.addon_disable(module="bl_ext.user_default.antiquary")
assert not hasattr(bpy.types.Scene, "antiquary")
print("installed")
"""


def test_blender_installs_the_package(package: Path, samples: Path, tmp_path: Path) -> None:
    model = samples / "scpcb/GFX/map/Props/plant.b3d"
    # Without the library of the tests, so that the one in the package is used.
    paths = [it for it in os.environ["PYTHONPATH"].split(os.pathsep) if not (Path(it) / "antiquary").is_dir()]
    environment = {
        **os.environ, "BLENDER_USER_RESOURCES": str(tmp_path), "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONNOUSERSITE": "1",
    }  # fmt: skip
    # -S leaves out the packages of the interpreter, which may have the library as well.
    command = [sys.executable, "-S", "-c", INSTALL, str(package), str(model)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "installed" in done.stdout


def test_the_extension_can_be_disabled_and_enabled_again(blender: ModuleType) -> None:
    before = set(dir(bpy.ops.import_scene))
    blender.unregister()
    assert not hasattr(bpy.types.Scene, "antiquary")
    assert not [it for it in dir(bpy.ops.import_scene) if "antiquary" in it]
    blender.register()
    assert set(dir(bpy.ops.import_scene)) == before
