/* Lists an archive and reads its first file; then writes a copy with one more file: archive ARCHIVE FILE OUT */

#include <antiquary.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(antiquary_error error) {
    fprintf(stderr, "error: %s\n", antiquary_error_text(error));
    antiquary_error_free(error);
    return EXIT_FAILURE;
}

/* Prints the entries of an archive, and the length of the first file. */
static antiquary_status print_entries(antiquary_archive archive, antiquary_error *error) {
    size_t count = 0;
    int is_read = 0;
    antiquary_status status = antiquary_archive_count(archive, &count, error);
    for (size_t index = 0; status == ANTIQUARY_STATUS_OK && index < count; index++) {
        antiquary_archive_entry_info entry;
        status = antiquary_archive_entry(archive, index, &entry, error);
        if (status != ANTIQUARY_STATUS_OK) {
            break;
        }
        printf("%8llu  %s\n", (unsigned long long)entry.length, entry.name);
        if (entry.kind != ANTIQUARY_ENTRY_KIND_FILE || is_read) {
            continue;
        }
        is_read = 1;
        antiquary_buffers bytes;
        antiquary_buffer buffer;
        status = antiquary_archive_read(archive, index, &bytes, error);
        if (status == ANTIQUARY_STATUS_OK) {
            status = antiquary_buffers_get(bytes, 0, &buffer, error);
        }
        if (status == ANTIQUARY_STATUS_OK) {
            printf("%8zu  bytes were read\n", buffer.length);
        }
        antiquary_buffers_free(bytes);
    }
    return status;
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: archive ARCHIVE FILE OUT\n");
        return EXIT_FAILURE;
    }
    antiquary_error error;
    antiquary_file file;
    antiquary_archive archive;
    if (antiquary_open(arguments[1], NULL, &file, &error) != ANTIQUARY_STATUS_OK) {
        return fail(error);
    }
    antiquary_status status = antiquary_file_archive(file, &archive, &error);
    antiquary_file_free(file);
    if (status == ANTIQUARY_STATUS_OK) {
        status = print_entries(archive, &error);
    }
    antiquary_archive_free(archive);
    if (status != ANTIQUARY_STATUS_OK) {
        return fail(error);
    }
    const char *const files[] = {arguments[2], NULL};
    const char *const options[] = {"folder=data/added", "force", NULL};
    antiquary_report report;
    status = antiquary_archive_add(arguments[1], files, arguments[3], options, NULL, NULL, &report, &error);
    if (status != ANTIQUARY_STATUS_OK) {
        return fail(error);
    }
    antiquary_report_info info;
    status = antiquary_report_get(report, &info, &error);
    if (status != ANTIQUARY_STATUS_OK) {
        return fail(error);
    }
    int is_ok = info.is_ok;
    printf("%s", info.json);
    antiquary_report_free(report);
    return is_ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
