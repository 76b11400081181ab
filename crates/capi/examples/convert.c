/*
 * Converts a game with its progress: convert FOLDER OUT [STOP]
 * With STOP, cancels after that number of files.
 */

#include <antiquary.h>
#include <stdio.h>
#include <stdlib.h>

/* What the callback needs. */
struct state {
    unsigned long long stop;
    unsigned long long calls;
};

/* Receives the progress. A result other than 0 cancels the work. */
static int on_progress(void *user, const antiquary_progress_event *event) {
    struct state *state = user;
    state->calls++;
    printf("%llu of %llu: %s\n", (unsigned long long)event->done, (unsigned long long)event->files, event->input);
    return event->done >= state->stop;
}

int main(int count, char **arguments) {
    if (count < 3) {
        fprintf(stderr, "usage: convert FOLDER OUT [STOP]\n");
        return EXIT_FAILURE;
    }
    struct state state = {count > 3 ? strtoull(arguments[3], NULL, 10) : ~0ULL, 0};
    const char *const paths[] = {arguments[1], NULL};
    const char *const options[] = {"to=glb", "no-gallery", "jobs=1", "force", NULL};
    antiquary_error error;
    antiquary_report report;
    antiquary_status status =
        antiquary_convert(paths, arguments[2], options, on_progress, &state, &report, &error);
    if (status != ANTIQUARY_STATUS_OK) {
        fprintf(stderr, "error: %s\n", antiquary_error_text(error));
        antiquary_error_free(error);
    }
    /* When the work was canceled, there is a report of the files that were converted. */
    antiquary_report_info info;
    if (report.id != 0 && antiquary_report_get(report, &info, NULL) == ANTIQUARY_STATUS_OK) {
        printf("%llu files, %llu failed, %zu bytes of JSON, %llu calls\n", (unsigned long long)info.files,
               (unsigned long long)info.failed, info.json_length, state.calls);
    }
    antiquary_report_free(report);
    return status == ANTIQUARY_STATUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
