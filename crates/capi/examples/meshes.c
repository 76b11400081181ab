/* Prints the meshes of a scene: meshes FILE [OPTION...] */

#include <antiquary.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints an error, frees it, and ends the program. */
static void fail(antiquary_error error) {
    antiquary_error_info info;
    if (antiquary_error_get(error, &info) == ANTIQUARY_STATUS_OK) {
        fprintf(stderr, "%s error: %s\n", info.code, info.text);
    }
    antiquary_error_free(error);
    exit(EXIT_FAILURE);
}

/* Grows the box with the corners `low` and `high` so that it contains all positions. */
static void grow(float low[3], float high[3], const antiquary_primitive *primitive) {
    for (size_t vertex = 0; vertex < primitive->vertex_count; vertex++) {
        for (size_t axis = 0; axis < 3; axis++) {
            float value = primitive->positions[vertex * 3 + axis];
            low[axis] = value < low[axis] ? value : low[axis];
            high[axis] = value > high[axis] ? value : high[axis];
        }
    }
}

int main(int count, char **arguments) {
    if (count < 2) {
        fprintf(stderr, "usage: meshes FILE [OPTION...]\n");
        return EXIT_FAILURE;
    }
    antiquary_error error;
    antiquary_file file;
    /* The arguments after the file are options of its format, and end with NULL. */
    const char *const *options = (const char *const *)(arguments + 2);
    if (antiquary_open(arguments[1], options, &file, &error) != ANTIQUARY_STATUS_OK) {
        fail(error);
    }
    antiquary_scene scene;
    if (antiquary_file_scene(file, &scene, &error) != ANTIQUARY_STATUS_OK) {
        fail(error);
    }
    /* The scene does not need the file any more. */
    antiquary_file_free(file);

    antiquary_scene_info info;
    if (antiquary_scene_get(scene, &info, &error) != ANTIQUARY_STATUS_OK) {
        fail(error);
    }
    printf("%s: %zu meshes, %zu materials, %zu nodes\n", info.name, info.mesh_count, info.material_count,
           info.node_count);
    for (size_t index = 0; index < info.mesh_count; index++) {
        antiquary_mesh mesh;
        if (antiquary_scene_mesh(scene, index, &mesh, &error) != ANTIQUARY_STATUS_OK) {
            fail(error);
        }
        size_t vertices = 0, triangles = 0;
        float low[3] = {1e30f, 1e30f, 1e30f}, high[3] = {-1e30f, -1e30f, -1e30f};
        for (size_t part = 0; part < mesh.primitive_count; part++) {
            antiquary_primitive primitive;
            if (antiquary_scene_primitive(scene, index, part, &primitive, &error) != ANTIQUARY_STATUS_OK) {
                fail(error);
            }
            vertices += primitive.vertex_count;
            if (primitive.topology == ANTIQUARY_TOPOLOGY_TRIANGLES) {
                triangles += primitive.index_count / 3;
            }
            grow(low, high, &primitive);
        }
        printf("  %s: %zu vertices, %zu triangles", mesh.name, vertices, triangles);
        if (vertices > 0) {
            printf(", %.2f x %.2f x %.2f m", high[0] - low[0], high[1] - low[1], high[2] - low[2]);
        }
        printf("\n");
    }
    antiquary_scene_free(scene);
    return EXIT_SUCCESS;
}
