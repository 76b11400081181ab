"""Errors and warnings of the library as reports of Blender."""

from collections.abc import Callable
from typing import Any

import antiquary
import bpy

from .source import SourceChanged

_ICONS = {"error": "ERROR", "warning": "ERROR", "note": "INFO"}


class Refused(Exception):
    """A request that cannot be fulfilled, with a message for the user."""


def guarded(run: Callable[[Any, bpy.types.Context], set[str]]) -> Callable[[Any, bpy.types.Context], set[str]]:
    """Reports expected errors of an operator, with their code and place, and cancels it."""

    def execute(self: Any, context: bpy.types.Context) -> set[str]:
        try:
            return run(self, context)
        except antiquary.Error as error:
            warnings = [it for result in _results(error.result) for it in result.get("warnings", ())]
            if warnings:
                show(context, "Failed", warnings)
            self.report({"ERROR"}, f"{error.code}: {error}")
        except (SourceChanged, Refused) as error:
            self.report({"ERROR"}, str(error))
        except OSError as error:
            self.report({"ERROR"}, f"io: {error}")
        except Exception as error:  # noqa: BLE001
            # A bug: Blender would show a stack trace, which is useful only to developers.
            if bpy.app.debug:
                raise
            self.report({"ERROR"}, f"internal: {type(error).__name__}: {error}; please report this bug of the extension")
        return {"CANCELLED"}

    execute.__doc__ = run.__doc__
    return execute


def _results(result: dict[str, Any] | None) -> list[dict[str, Any]]:
    return [] if result is None else result.get("results", [result])


def show(context: bpy.types.Context, title: str, warnings: list[dict[str, Any]]) -> None:
    """Replaces the messages in the report panel. A warning has the keys of the library; ``object`` is optional."""
    report = context.scene.antiquary
    report.title = title
    report.findings.clear()
    report.active = 0
    for warning in warnings:
        item = report.findings.add()
        item.severity = str(warning.get("severity", "warning"))
        item.code = str(warning.get("code", ""))
        item.message = str(warning.get("message", ""))
        item.field = str(warning.get("path") or "")
        item.object = str(warning.get("object") or "") or _object_of(item.field, item.message)


def _object_of(field: str, message: str) -> str:
    """The name of the object that a message is about: the one with the longest matching field, or a name in quotes."""
    best, length = "", 0
    for target in bpy.data.objects:
        own, name = target.antiquary.field, target.antiquary.name
        if own and len(own) > length and (field == own or field.startswith((own + ".", own + "["))):
            best, length = target.name, len(own)
        elif not best and name and f'"{name}"' in message:
            best = target.name
    return best


def icon(severity: str) -> str:
    """The icon of a message."""
    return _ICONS.get(severity, "DOT")
