/*
 * Changes one field of a file and writes it back: edit FILE PATH=VALUE OUT
 * Everything else stays byte for byte.
 */

#include <antiquary.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(antiquary_error error) {
    antiquary_error_info info;
    if (antiquary_error_get(error, &info) == ANTIQUARY_STATUS_OK) {
        fprintf(stderr, "error: %s\n", info.message);
        if (info.file != NULL) {
            fprintf(stderr, "  file: %s\n", info.file);
        }
        if (info.path[0] != '\0') {
            fprintf(stderr, "  field: %s\n", info.path);
        }
        if (info.has_offset) {
            fprintf(stderr, "  offset: %llu\n", (unsigned long long)info.offset);
        }
    }
    antiquary_error_free(error);
    return EXIT_FAILURE;
}

/* Prints the fields that match a path. */
static antiquary_status print_fields(antiquary_file file, const char *path, antiquary_error *error) {
    const char *const paths[] = {path, NULL};
    antiquary_buffers values;
    antiquary_status status = antiquary_file_fields(file, paths, &values, error);
    size_t count = 0;
    if (status == ANTIQUARY_STATUS_OK) {
        status = antiquary_buffers_count(values, &count, error);
    }
    for (size_t index = 0; status == ANTIQUARY_STATUS_OK && index < count; index++) {
        antiquary_buffer value;
        status = antiquary_buffers_get(values, index, &value, error);
        if (status == ANTIQUARY_STATUS_OK) {
            printf("%s = %s\n", value.name, (const char *)value.data);
        }
    }
    antiquary_buffers_free(values);
    return status;
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: edit FILE PATH=VALUE OUT\n");
        return EXIT_FAILURE;
    }
    antiquary_error error;
    antiquary_file file;
    if (antiquary_open(arguments[1], NULL, &file, &error) != ANTIQUARY_STATUS_OK) {
        return fail(error);
    }
    char path[256];
    size_t length = strcspn(arguments[2], "=");
    if (length >= sizeof path) {
        fprintf(stderr, "error: the path is too long\n");
        return EXIT_FAILURE;
    }
    memcpy(path, arguments[2], length);
    path[length] = '\0';
    if (print_fields(file, path, &error) != ANTIQUARY_STATUS_OK) {
        antiquary_file_free(file);
        return fail(error);
    }
    const char *const edits[] = {arguments[2], NULL};
    antiquary_buffers edited;
    antiquary_status status = antiquary_file_set(file, edits, NULL, &edited, NULL, &error);
    antiquary_file_free(file);
    antiquary_buffer bytes;
    if (status != ANTIQUARY_STATUS_OK || antiquary_buffers_get(edited, 0, &bytes, &error) != ANTIQUARY_STATUS_OK) {
        return fail(error);
    }
    /* The edited bytes are a file like any other. */
    if (antiquary_open_memory(bytes.data, bytes.length, bytes.name, NULL, &file, &error) != ANTIQUARY_STATUS_OK) {
        return fail(error);
    }
    status = print_fields(file, path, &error);
    antiquary_file_free(file);
    if (status != ANTIQUARY_STATUS_OK) {
        return fail(error);
    }
    FILE *out = fopen(arguments[3], "wb");
    int is_written = out != NULL && fwrite(bytes.data, 1, bytes.length, out) == bytes.length;
    is_written = out != NULL && fclose(out) == 0 && is_written;
    antiquary_buffers_free(edited);
    if (!is_written) {
        fprintf(stderr, "error: %s cannot be written\n", arguments[3]);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
