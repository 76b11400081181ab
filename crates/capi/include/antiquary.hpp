// Handles of antiquary.h that free themselves, and errors as exceptions. C++17.

#ifndef ANTIQUARY_HPP
#define ANTIQUARY_HPP

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "antiquary.h"

namespace antiquary {

/// An error of the library.
class Error : public std::runtime_error {
public:
    explicit Error(const antiquary_error_info &info)
        : std::runtime_error(info.text), status(info.status), code(info.code), message(info.message),
          path(info.path), file(info.file != nullptr ? info.file : "") {
        if (info.has_offset) {
            offset = info.offset;
        }
    }

    /// The result of the function that failed.
    antiquary_status status;
    /// The name of the status, such as `malformed`.
    std::string code;
    /// The message without file, field and offset.
    std::string message;
    /// Path of the field; empty if the error concerns no field.
    std::string path;
    /// Path of the file; empty if it is unknown.
    std::string file;
    /// Offset of the field in bytes.
    std::optional<std::uint64_t> offset;
};

/// Throws the error of a failed call, and frees it.
inline void check(antiquary_status status, antiquary_error error) {
    if (status == ANTIQUARY_STATUS_OK) {
        return;
    }
    antiquary_error_info info;
    if (antiquary_error_get(error, &info) != ANTIQUARY_STATUS_OK) {
        throw std::runtime_error("antiquary: the error is missing");
    }
    Error exception(info);
    antiquary_error_free(error);
    throw exception;
}

/// Calls a function of the library whose last parameter is the error: `call(antiquary_scene_get, scene.get(), &info)`.
template <typename... Parameters, typename... Arguments>
void call(antiquary_status (*function)(Parameters...), Arguments... arguments) {
    antiquary_error error;
    antiquary_status status = function(arguments..., &error);
    check(status, error);
}

/// A handle that is freed at the end of its scope. It can be moved, but not copied.
template <typename T, antiquary_status (*Free)(T)> class Handle {
public:
    Handle() = default;
    explicit Handle(T handle) : handle(handle) {}
    Handle(Handle &&other) noexcept : handle(std::exchange(other.handle, T{0})) {}
    Handle &operator=(Handle &&other) noexcept {
        std::swap(handle, other.handle);
        return *this;
    }
    Handle(const Handle &) = delete;
    Handle &operator=(const Handle &) = delete;
    ~Handle() { Free(handle); }

    /// The handle for functions of the library.
    T get() const { return handle; }

    /// Memory for a function that creates an object. An object that the handle has is freed.
    T *out() {
        Free(std::exchange(handle, T{0}));
        return &handle;
    }

private:
    T handle{0};
};

using Game = Handle<antiquary_game, antiquary_game_free>;
using File = Handle<antiquary_file, antiquary_file_free>;
using Scene = Handle<antiquary_scene, antiquary_scene_free>;
using Image = Handle<antiquary_image, antiquary_image_free>;
using Sound = Handle<antiquary_sound, antiquary_sound_free>;
using Table = Handle<antiquary_table, antiquary_table_free>;
using Buffers = Handle<antiquary_buffers, antiquary_buffers_free>;
using Report = Handle<antiquary_report, antiquary_report_free>;
using Archive = Handle<antiquary_archive, antiquary_archive_free>;

} // namespace antiquary

#endif // ANTIQUARY_HPP
