"""Images."""

import antiquary
import bpy


def create(scene: antiquary.Scene) -> list[bpy.types.Image]:
    """Creates the images of a scene, packed into the Blender file. Pixels are decoded when they are shown."""
    out = []
    for index, source in enumerate(scene.images):
        image = bpy.data.images.new(source.name or f"image {index}", source.width, source.height)
        data = source.data
        image.pack(data=data, data_len=len(data))
        image.source = "FILE"
        image.antiquary.index = index
        out.append(image)
    return out
