#!/usr/bin/env python3
"""Makes a room of SCP – Containment Breach from an empty Blender file: hall.glb.

    pip install bpy
    python3 make_room.py hall.glb

It also runs in Blender's own text editor. One unit of Blender is a meter, Z is up. Everything is made here, textures included.
"""
import math
import random
import sys

import bpy

# A cell of the game's grid is 8 m wide. A room of the shape 2 has its ways out at both ends, here along Y.
HALF, HEIGHT = 4.0, 3.5
# Half the width of the hall, and of its ways out.
WALL, EXIT, EXIT_HEIGHT = 2.5, 1.0, 2.5


def texture(name, color, grain, lines=0, alpha=1.0, size=128):
    """An image with noise, and with darker lines that divide it into so many squares."""
    noise = random.Random(name)
    pixels = []
    for y in range(size):
        for x in range(size):
            light = 1.0 + grain * (noise.random() - 0.5)
            if lines and (x * lines % size < 3 or y * lines % size < 3):
                light *= 0.55
            pixels += [min(channel * light, 1.0) for channel in color] + [alpha]
    image = bpy.data.images.new(name, size, size, alpha=alpha < 1.0)
    image.pixels.foreach_set(pixels)
    image.pack()
    return image


def material(image, transparent=False):
    """A material that shows an image. The room refers to it by the image's name."""
    made = bpy.data.materials.new(image.name.rsplit(".", 1)[0])
    made.use_nodes = True
    made.use_backface_culling = not transparent
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = 1.0
    picture = nodes.new("ShaderNodeTexImage")
    picture.image = image
    links.new(picture.outputs["Color"], shader.inputs["Base Color"])
    if transparent:
        links.new(picture.outputs["Alpha"], shader.inputs["Alpha"])
        made.surface_render_method = "BLENDED"
    return made


def add(name, data):
    thing = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def mesh(name, quads, paint=None):
    """A mesh of quads, each four corners counter-clockwise from the side that is seen. The texture is a meter wide."""
    made = bpy.data.meshes.new(name)
    corners = [corner for quad in quads for corner in quad]
    made.from_pydata(corners, [], [range(4 * at, 4 * at + 4) for at in range(len(quads))])
    uvs = made.uv_layers.new(name="UVMap")
    for at, quad in enumerate(quads):
        a, b, c, _ = quad
        right = [q - p for p, q in zip(a, b)]
        up = [q - p for p, q in zip(b, c)]
        width, height = math.hypot(*right), math.hypot(*up)
        for corner, uv in enumerate([(0, 0), (width, 0), (width, height), (0, height)]):
            uvs.data[4 * at + corner].uv = uv
    if paint:
        made.materials.append(paint)
    return add(name, made)


def empty(name, place, turn=(0, 0, 0), size=(1, 1, 1), shape="PLAIN_AXES", **properties):
    """An empty: an entity of the room. Its custom properties are those of the class."""
    made = add(name, None)
    made.empty_display_type = shape
    made.location, made.scale = place, size
    made.rotation_euler = [math.radians(angle) for angle in turn]
    for key, value in properties.items():
        made[key] = value
    return made


def lamp(name, kind, place, watts, turn=(0, 0, 0), **properties):
    light = bpy.data.lights.new(name, kind)
    light.energy, light.color = watts, (1.0, 0.9, 0.75)
    made = add(name, light)
    made.location = place
    made.rotation_euler = [math.radians(angle) for angle in turn]
    for key, value in properties.items():
        made[key] = value
    return made


def box(low, high):
    """The six sides of a box, seen from outside."""
    (x, y, z), (u, v, w) = low, high
    return [
        [(x, y, z), (u, y, z), (u, y, w), (x, y, w)],
        [(u, v, z), (x, v, z), (x, v, w), (u, v, w)],
        [(x, v, z), (x, y, z), (x, y, w), (x, v, w)],
        [(u, y, z), (u, v, z), (u, v, w), (u, y, w)],
        [(x, y, w), (u, y, w), (u, v, w), (x, v, w)],
        [(x, v, z), (u, v, z), (u, y, z), (x, y, z)],
    ]


def end_wall(y, sign):
    """The wall at one end, around the way out. It is seen from inside."""
    strips = [
        (-WALL, -EXIT, 0.0, HEIGHT),
        (EXIT, WALL, 0.0, HEIGHT),
        (-EXIT, EXIT, EXIT_HEIGHT, HEIGHT),
    ]
    quads = []
    for left, right, low, high in strips:
        quad = [(left, y, low), (right, y, low), (right, y, high), (left, y, high)]
        quads.append(quad if sign > 0 else [quad[1], quad[0], quad[3], quad[2]])
    return quads


def make():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    wall = material(texture("hall_wall.png", (0.36, 0.37, 0.38), 0.25, lines=2))
    floor = material(texture("hall_floor.png", (0.23, 0.22, 0.20), 0.35, lines=4))
    crate = material(texture("hall_crate.png", (0.45, 0.30, 0.14), 0.45, lines=1))
    glass = material(texture("hall_glass.png", (0.55, 0.70, 0.75), 0.05, alpha=0.35), transparent=True)
    rail = bpy.data.materials.new("hall_rail")  # no texture: its color becomes one
    rail.use_nodes = True
    rail.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0.55, 0.40, 0.02, 1.0)
    rail.use_backface_culling = True

    mesh("floor", [[(-WALL, -HALF, 0), (WALL, -HALF, 0), (WALL, HALF, 0), (-WALL, HALF, 0)]], floor)
    mesh("ceiling", [[(-WALL, HALF, HEIGHT), (WALL, HALF, HEIGHT), (WALL, -HALF, HEIGHT), (-WALL, -HALF, HEIGHT)]], wall)
    sides = [
        [(-WALL, -HALF, 0), (-WALL, HALF, 0), (-WALL, HALF, HEIGHT), (-WALL, -HALF, HEIGHT)],
        [(WALL, HALF, 0), (WALL, -HALF, 0), (WALL, -HALF, HEIGHT), (WALL, HALF, HEIGHT)],
    ]
    mesh("walls", sides + end_wall(HALF, 1) + end_wall(-HALF, -1), wall)
    stack = box((-2.3, 1.0, 0.0), (-1.3, 2.0, 1.0)) + box((-2.2, 2.2, 0.0), (-1.2, 3.2, 1.0))
    mesh("crates", stack + box((-2.2, 1.4, 1.0), (-1.4, 2.2, 1.8)), crate)
    mesh("window", [[(1.6, -2.5, 0.9), (1.6, -0.5, 0.9), (1.6, -0.5, 2.2), (1.6, -2.5, 2.2)]], glass)
    mesh("rail", box((1.55, -2.5, 0.8), (1.65, -0.5, 0.9)), rail)
    # Solid but invisible, so that players cannot climb the crates.
    mesh("crates-colonly", box((-2.4, 0.9, 0.0), (-1.1, 3.3, HEIGHT)))

    lamp("light", "POINT", (0.0, -2.0, 3.1), 60, intensity=0.9, range=5.0)
    lamp("light.001", "POINT", (0.0, 2.0, 3.1), 60, intensity=0.9, range=5.0)
    lamp("spotlight_crates", "SPOT", (0.5, 1.5, 3.3), 80, turn=(0, 40, 0), intensity=1.0, range=4.0)

    empty("playerstart", (0.0, -3.0, 0.0), shape="ARROWS")
    empty("waypoint", (0.0, -3.0, 0.2))
    empty("waypoint.001", (0.0, 0.0, 0.2))
    empty("waypoint.002", (0.0, 3.0, 0.2))
    empty("ventilation", (0.0, 0.0, 3.2), shape="SPHERE", **{"class": "soundemitter", "sound": 4, "range": 5.0})
    empty("screen:012.jpg", (2.3, 1.5, 1.5), **{"class": "screen"})
    empty("model:lamp2.x", (0.0, -2.0, 3.4), turn=(0, 0, 90))
    empty("model:lamp2.x.001", (0.0, 2.0, 3.4), turn=(0, 0, 90))
    empty("trigger_hall", (0.0, 0.0, 1.0), size=(1.5, 0.5, 1.0), shape="CUBE")


if __name__ == "__main__":
    make()
    target = sys.argv[-1] if sys.argv[-1].endswith(".glb") else "hall.glb"
    # Custom properties and punctual lights are off by default, and needed.
    bpy.ops.export_scene.gltf(
        filepath=target, export_format="GLB", export_extras=True, export_lights=True, export_vertex_color="NONE"
    )
