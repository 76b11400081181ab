/*
 * Opens damaged copies of files, uses everything in them, and checks that the memory of the process does not grow:
 * damaged COUNT LIMIT FILE...
 *
 * LIMIT is the number of bytes by which the memory may grow after the first fifth; 0 is no limit, for sanitizers.
 */

#include <antiquary.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <unistd.h>
#endif

static unsigned long long state = 88172645463325252ULL;

/* Returns a random number (xorshift), the same ones in each run. */
static size_t number(size_t most) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return most == 0 ? 0 : (size_t)(state % most);
}

/* Returns the resident memory of the process in bytes; 0 if it is unknown. */
static unsigned long long memory(void) {
#if defined(__linux__)
    unsigned long long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL) {
        if (fscanf(file, "%llu %llu", &size, &resident) != 2) {
            resident = 0;
        }
        fclose(file);
    }
    return resident * (unsigned long long)sysconf(_SC_PAGESIZE);
#else
    return 0;
#endif
}

static unsigned long long failures;

/* Counts a failure, and checks that it has an error value with all fields. Returns whether the call succeeded. */
static int is_ok(antiquary_status status, antiquary_error error) {
    if (status == ANTIQUARY_STATUS_OK) {
        if (error.id != 0) {
            fprintf(stderr, "a call succeeded with an error\n");
            exit(EXIT_FAILURE);
        }
        return 1;
    }
    antiquary_error_info info;
    if (antiquary_error_get(error, &info) != ANTIQUARY_STATUS_OK || info.status != status ||
        strlen(info.message) == 0 || status == ANTIQUARY_STATUS_INTERNAL) {
        fprintf(stderr, "a call failed with status %d: %s\n", (int)status, antiquary_error_text(error));
        exit(EXIT_FAILURE);
    }
    failures++;
    antiquary_error_free(error);
    return 0;
}

static void use_scene(antiquary_file file) {
    antiquary_error error;
    antiquary_scene scene;
    if (!is_ok(antiquary_file_scene(file, &scene, &error), error)) {
        return;
    }
    antiquary_scene_info info;
    if (is_ok(antiquary_scene_get(scene, &info, &error), error)) {
        for (size_t index = 0; index < info.mesh_count; index++) {
            antiquary_mesh mesh;
            antiquary_primitive primitive;
            if (is_ok(antiquary_scene_mesh(scene, index, &mesh, &error), error) && mesh.primitive_count > 0 &&
                is_ok(antiquary_scene_primitive(scene, index, 0, &primitive, &error), error)) {
                float sum = 0;
                for (size_t item = 0; item < primitive.index_count; item++) {
                    /* Out of bounds if the library did not check the indices. */
                    sum += primitive.positions[primitive.indices[item] * 3];
                }
                (void)sum;
            }
        }
        for (size_t index = 0; index < info.node_count; index++) {
            antiquary_node node;
            (void)is_ok(antiquary_scene_node(scene, index, &node, &error), error);
        }
        antiquary_image image;
        if (info.image_count > 0 && is_ok(antiquary_scene_decode_image(scene, 0, &image, &error), error)) {
            antiquary_image_free(image);
        }
    }
    antiquary_scene_free(scene);
}

static void use_products(antiquary_file file) {
    antiquary_error error;
    antiquary_image image;
    antiquary_image_info image_info;
    if (is_ok(antiquary_file_image(file, 0, &image, &error), error)) {
        (void)is_ok(antiquary_image_get(image, 0, &image_info, &error), error);
        antiquary_image_free(image);
    }
    antiquary_sound sound;
    antiquary_sound_info sound_info;
    if (is_ok(antiquary_file_sound(file, 0, &sound, &error), error)) {
        (void)is_ok(antiquary_sound_get(sound, &sound_info, &error), error);
        antiquary_sound_free(sound);
    }
    antiquary_table table;
    if (is_ok(antiquary_file_table(file, 0, &table, &error), error)) {
        antiquary_table_free(table);
    }
    antiquary_buffers buffers;
    if (is_ok(antiquary_file_text(file, 0, &buffers, &error), error)) {
        antiquary_buffers_free(buffers);
    }
    if (is_ok(antiquary_file_data(file, &buffers, &error), error)) {
        antiquary_buffers_free(buffers);
    }
    if (is_ok(antiquary_file_warnings(file, &buffers, &error), error)) {
        antiquary_buffers_free(buffers);
    }
    antiquary_archive archive;
    if (is_ok(antiquary_file_archive(file, &archive, &error), error)) {
        if (is_ok(antiquary_archive_read(archive, 0, &buffers, &error), error)) {
            antiquary_buffers_free(buffers);
        }
        antiquary_archive_free(archive);
    }
    antiquary_report report;
    const char *const options[] = {"jobs=1", NULL};
    if (is_ok(antiquary_file_describe(file, options, &report, &error), error)) {
        antiquary_report_free(report);
    }
}

/* Damages the bytes in one of three ways, and returns their new length. */
static size_t damage(unsigned char *bytes, size_t length) {
    switch (number(3)) {
    case 0:
        return number(length + 1);
    case 1:
        for (size_t count = 1 + number(8); count > 0 && length > 0; count--) {
            bytes[number(length)] = (unsigned char)number(256);
        }
        return length;
    default:
        if (length >= 8) {
            /* A huge or negative count. */
            memset(bytes + number(length - 4), number(2) == 0 ? 0xff : 0x7f, 4);
        }
        return length;
    }
}

static unsigned char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(EXIT_FAILURE);
    }
    *length = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*length + 1);
    if (bytes == NULL || fread(bytes, 1, *length, file) != *length) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(EXIT_FAILURE);
    }
    fclose(file);
    return bytes;
}

int main(int count, char **arguments) {
    if (count < 4) {
        fprintf(stderr, "usage: damaged COUNT LIMIT FILE...\n");
        return EXIT_FAILURE;
    }
    size_t inputs = (size_t)strtoull(arguments[1], NULL, 10), opened = 0;
    unsigned long long limit = strtoull(arguments[2], NULL, 10), before = 0;
    for (size_t input = 0; input < inputs; input++) {
        if (input == inputs / 5) {
            before = memory();
        }
        const char *path = arguments[3 + input % (size_t)(count - 3)];
        size_t length;
        unsigned char *bytes = read_file(path, &length);
        length = damage(bytes, length);
        antiquary_error error;
        antiquary_file file;
        if (is_ok(antiquary_open_memory(bytes, length, path, NULL, &file, &error), error)) {
            opened++;
            use_scene(file);
            use_products(file);
            antiquary_file_free(file);
        }
        free(bytes);
    }
    unsigned long long after = memory();
    printf("%zu damaged inputs, %zu opened, %llu errors; memory %llu KB, then %llu KB\n", inputs, opened, failures,
           before / 1024, after / 1024);
    if (antiquary_handle_count() != 0) {
        fprintf(stderr, "%zu handles were not freed\n", antiquary_handle_count());
        return EXIT_FAILURE;
    }
    if (limit != 0 && after > before + limit) {
        fprintf(stderr, "the memory grew by more than %llu bytes\n", limit);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
