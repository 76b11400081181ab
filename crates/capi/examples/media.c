/* Decodes the images, sounds, tables and texts of a file, and prints their sizes: media FILE */

#include <antiquary.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(antiquary_error error) {
    fprintf(stderr, "error: %s\n", antiquary_error_text(error));
    antiquary_error_free(error);
    return EXIT_FAILURE;
}

static antiquary_status print_image(antiquary_file file, size_t index, antiquary_error *error) {
    antiquary_image image;
    antiquary_image_info info;
    antiquary_status status = antiquary_file_image(file, index, &image, error);
    if (status == ANTIQUARY_STATUS_OK) {
        status = antiquary_image_get(image, 0, &info, error);
    }
    if (status == ANTIQUARY_STATUS_OK) {
        printf("image %s: %u x %u, %zu frames, first pixel #%02x%02x%02x%02x\n", info.name, info.width, info.height,
               info.frame_count, info.pixels[0], info.pixels[1], info.pixels[2], info.pixels[3]);
    }
    antiquary_image_free(image);
    return status;
}

static antiquary_status print_sound(antiquary_file file, size_t index, antiquary_error *error) {
    antiquary_sound sound;
    antiquary_sound_info info;
    antiquary_status status = antiquary_file_sound(file, index, &sound, error);
    if (status == ANTIQUARY_STATUS_OK) {
        status = antiquary_sound_get(sound, &info, error);
    }
    if (status == ANTIQUARY_STATUS_OK) {
        printf("sound %s: %u Hz, %u channels, %u bits, %llu frames\n", info.name, info.rate, info.channels, info.bits,
               (unsigned long long)info.frame_count);
    }
    antiquary_sound_free(sound);
    return status;
}

static antiquary_status print_table(antiquary_file file, size_t index, antiquary_error *error) {
    antiquary_table table;
    antiquary_table_info info = {0};
    antiquary_status status = antiquary_file_table(file, index, &table, error);
    if (status == ANTIQUARY_STATUS_OK) {
        status = antiquary_table_get(table, &info, error);
    }
    for (size_t column = 0; status == ANTIQUARY_STATUS_OK && column < info.column_count; column++) {
        const char *name;
        status = antiquary_table_column(table, column, &name, error);
        if (status == ANTIQUARY_STATUS_OK) {
            printf("%s%s", column == 0 ? "table: " : ", ", name);
        }
    }
    printf("\n");
    for (size_t row = 0; status == ANTIQUARY_STATUS_OK && row < info.row_count; row++) {
        for (size_t column = 0; status == ANTIQUARY_STATUS_OK && column < info.column_count; column++) {
            antiquary_cell cell;
            status = antiquary_table_cell(table, row, column, &cell, error);
            if (status == ANTIQUARY_STATUS_OK) {
                printf("%s%s", column == 0 ? "  " : ", ", cell.text);
            }
        }
        printf("\n");
    }
    antiquary_table_free(table);
    return status;
}

static antiquary_status print_text(antiquary_file file, size_t index, antiquary_error *error) {
    antiquary_buffers text;
    antiquary_buffer buffer;
    antiquary_status status = antiquary_file_text(file, index, &text, error);
    if (status == ANTIQUARY_STATUS_OK) {
        status = antiquary_buffers_get(text, 0, &buffer, error);
    }
    if (status == ANTIQUARY_STATUS_OK) {
        printf("text %s: %zu bytes\n", buffer.name, buffer.length);
    }
    antiquary_buffers_free(text);
    return status;
}

int main(int count, char **arguments) {
    antiquary_status (*const print[])(antiquary_file, size_t, antiquary_error *) = {
        [ANTIQUARY_PRODUCTS_IMAGE] = print_image,
        [ANTIQUARY_PRODUCTS_SOUND] = print_sound,
        [ANTIQUARY_PRODUCTS_TABLE] = print_table,
        [ANTIQUARY_PRODUCTS_TEXT] = print_text,
    };
    if (count != 2) {
        fprintf(stderr, "usage: media FILE\n");
        return EXIT_FAILURE;
    }
    antiquary_error error;
    antiquary_file file;
    if (antiquary_open(arguments[1], NULL, &file, &error) != ANTIQUARY_STATUS_OK) {
        return fail(error);
    }
    for (uint32_t kind = 0; kind < sizeof print / sizeof *print; kind++) {
        size_t products = 0;
        antiquary_status status = antiquary_file_count(file, kind, &products, &error);
        if (status == ANTIQUARY_STATUS_UNSUPPORTED) {
            /* Files of this format have none. */
            antiquary_error_free(error);
            continue;
        }
        for (size_t index = 0; status == ANTIQUARY_STATUS_OK && index < products; index++) {
            status = print[kind](file, index, &error);
        }
        if (status != ANTIQUARY_STATUS_OK) {
            antiquary_file_free(file);
            return fail(error);
        }
    }
    antiquary_file_free(file);
    return EXIT_SUCCESS;
}
