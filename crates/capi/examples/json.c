/*
 * Prints the JSON of an operation, as the program does with --json: json OPERATION ARGUMENT... [-- OPTION...]
 *
 * json check FILE...             json info FILE...             json scan FOLDER
 * json diff FILE FILE            json find FOLDER WHAT         json list ARCHIVE...
 * json convert FILE OUT          json unpack FILE FOLDER       json pack FOLDER OUT
 * json set FILE EDIT OUT         json build WHAT FILE OUT      json disasm MAP
 * json asm TEXT MAP OUT          json run MAP                   json archive-add ARCHIVE FILE OUT
 */

#include <antiquary.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

int main(int count, char **arguments) {
    /* Two lists that end with NULL: the arguments of the operation, and its options. */
    const char *list[MOST] = {NULL}, *options[MOST] = {NULL};
    int listed = 0, optional = 0, is_option = 0;
    for (int index = 2; index < count && index < MOST; index++) {
        if (strcmp(arguments[index], "--") == 0) {
            is_option = 1;
        } else if (is_option) {
            options[optional++] = arguments[index];
        } else {
            list[listed++] = arguments[index];
        }
    }
    const char *name = count > 1 ? arguments[1] : "";
    const char *const one[] = {list[1], NULL}, *const first[] = {list[0], NULL};
    antiquary_report report = {0};
    antiquary_error error = {0};
    antiquary_status status;
    if (strcmp(name, "check") == 0) {
        status = antiquary_check(list, options, NULL, NULL, &report, &error);
    } else if (strcmp(name, "info") == 0) {
        status = antiquary_describe(list, options, NULL, NULL, &report, &error);
    } else if (strcmp(name, "scan") == 0) {
        status = antiquary_scan(list[0], options, NULL, NULL, &report, &error);
    } else if (strcmp(name, "diff") == 0) {
        status = antiquary_diff(list[0], list[1], options, &report, &error);
    } else if (strcmp(name, "find") == 0) {
        status = antiquary_find(list[0], list[1], options, NULL, NULL, &report, &error);
    } else if (strcmp(name, "list") == 0) {
        status = antiquary_list(list, NULL, options, &report, &error);
    } else if (strcmp(name, "convert") == 0) {
        status = antiquary_convert(first, list[1], options, NULL, NULL, &report, &error);
    } else if (strcmp(name, "unpack") == 0) {
        status = antiquary_unpack(list[0], list[1], options, NULL, NULL, &report, &error);
    } else if (strcmp(name, "pack") == 0) {
        status = antiquary_pack(list[0], list[1], options, NULL, NULL, &report, &error);
    } else if (strcmp(name, "set") == 0) {
        status = antiquary_set(list[0], one, list[2], options, &report, &error);
    } else if (strcmp(name, "build") == 0) {
        status = antiquary_build(list[0], list[1], list[2], options, NULL, NULL, &report, &error);
    } else if (strcmp(name, "archive-add") == 0) {
        status = antiquary_archive_add(list[0], one, list[2], options, NULL, NULL, &report, &error);
    } else if (strcmp(name, "disasm") == 0) {
        status = antiquary_script_disassemble(list[0], options, NULL, &report, &error);
    } else if (strcmp(name, "asm") == 0) {
        status = antiquary_script_assemble(first, list[1], list[2], options, &report, &error);
    } else if (strcmp(name, "run") == 0) {
        status = antiquary_script_run(list[0], options, NULL, NULL, &report, &error);
    } else {
        fprintf(stderr, "usage: json OPERATION ARGUMENT... [-- OPTION...]\n");
        return EXIT_FAILURE;
    }
    antiquary_report_info info;
    if (status == ANTIQUARY_STATUS_OK) {
        status = antiquary_report_get(report, &info, &error);
    }
    if (status != ANTIQUARY_STATUS_OK) {
        fprintf(stderr, "error: %s\n", antiquary_error_text(error));
        antiquary_error_free(error);
        return EXIT_FAILURE;
    }
    fputs(info.json, stdout);
    int is_ok = info.is_ok;
    antiquary_report_free(report);
    return is_ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
