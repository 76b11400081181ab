// Opens a game, and prints the scenes, images and texts of each of its files: game FOLDER

#include <antiquary.hpp>
#include <cstdio>
#include <string>

using antiquary::call;

// Prints the nodes of a scene with their children, indented.
static void print_nodes(const antiquary::Scene &scene, const uint32_t *nodes, size_t count, int depth) {
    for (size_t index = 0; index < count && index < 3; index++) {
        antiquary_node node;
        call(antiquary_scene_node, scene.get(), size_t{nodes[index]}, &node);
        std::printf("    %*s%s%s%s\n", depth * 2, "", node.name, node.mesh != ANTIQUARY_NONE ? ", mesh" : "",
                    node.light != ANTIQUARY_NONE ? ", light" : "");
        if (depth < 2) {
            print_nodes(scene, node.children, node.child_count, depth + 1);
        }
    }
}

static void print_scene(const antiquary::File &file) {
    antiquary::Scene scene;
    call(antiquary_file_scene, file.get(), scene.out());
    antiquary_scene_info info;
    call(antiquary_scene_get, scene.get(), &info);
    std::printf("  scene: %zu meshes, %zu lights, %zu animations\n", info.mesh_count, info.light_count,
                info.animation_count);
    print_nodes(scene, info.roots, info.root_count, 0);
    for (size_t index = 0; index < info.animation_count && index < 3; index++) {
        antiquary_animation animation;
        call(antiquary_scene_animation, scene.get(), index, &animation);
        float seconds = 0;
        for (size_t number = 0; number < animation.track_count; number++) {
            antiquary_track track;
            call(antiquary_scene_track, scene.get(), index, number, &track);
            if (track.key_count > 0 && track.times[track.key_count - 1] > seconds) {
                seconds = track.times[track.key_count - 1];
            }
        }
        std::printf("    animation %s: %zu tracks, %.2f s\n", animation.name, animation.track_count, seconds);
    }
}

static void print_images(const antiquary::File &file) {
    size_t count;
    call(antiquary_file_count, file.get(), uint32_t{ANTIQUARY_PRODUCTS_IMAGE}, &count);
    std::printf("  %zu images\n", count);
    for (size_t index = 0; index < count && index < 3; index++) {
        antiquary::Image image;
        call(antiquary_file_image, file.get(), index, image.out());
        antiquary_image_info info;
        call(antiquary_image_get, image.get(), size_t{0}, &info);
        std::printf("    %s: %u x %u pixels, %zu frames\n", info.name, info.width, info.height, info.frame_count);
    }
}

// Prints the part of a file, unless files of its format have no such part.
template <typename Print> static void print_if_any(Print print, const antiquary::File &file) {
    try {
        print(file);
    } catch (const antiquary::Error &error) {
        if (error.status != ANTIQUARY_STATUS_UNSUPPORTED) {
            throw;
        }
    }
}

int main(int count, char **arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: game FOLDER\n");
        return 1;
    }
    try {
        const char *const folders[] = {arguments[1], nullptr};
        antiquary::Game game;
        call(antiquary_game_open, folders, game.out());
        antiquary::Buffers names;
        call(antiquary_game_files, game.get(), names.out());
        size_t files;
        call(antiquary_buffers_count, names.get(), &files);
        size_t opened = 0;
        for (size_t index = 0; index < files; index++) {
            antiquary_buffer name;
            call(antiquary_buffers_get, names.get(), index, &name);
            antiquary::File file;
            const char *const *no_options = nullptr;
            try {
                call(antiquary_game_file, game.get(), name.name, no_options, file.out());
            } catch (const antiquary::Error &error) {
                std::printf("%s: %s\n", name.name, error.message.c_str());
                continue;
            }
            antiquary_file_info info;
            call(antiquary_file_get, file.get(), &info);
            std::printf("%s: %s\n", info.path, info.format.name);
            print_if_any(print_scene, file);
            print_if_any(print_images, file);
            opened++;
        }
        std::printf("%zu of %zu files were opened\n", opened, files);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
    return antiquary_handle_count() == 0 ? 0 : 2;
}
