//! The values that functions return.

use std::ffi::c_void;
use std::path::Path;
use std::slice;

use facade::asset::MemorySink;

use super::*;
use crate::archive::*;
use crate::buffers::*;
use crate::field::*;
use crate::file::*;
use crate::format::antiquary_detect;
use crate::game::*;
use crate::handle::{BuffersHandle, GameHandle, ReportHandle};
use crate::image::*;
use crate::operation::*;
use crate::product::*;
use crate::progress::ProgressEvent;
use crate::report::*;
use crate::scene::*;
use crate::script::antiquary_script_run;
use crate::status::Status;

/// Returns the floats at a pointer.
fn floats(pointer: *const f32, count: usize) -> Vec<f32> {
    // SAFETY: the library returned an array of this length, whose object was not freed.
    unsafe { slice::from_raw_parts(pointer, count) }.to_vec()
}

/// Returns the contents of a list of buffers, and frees it.
fn contents(buffers: BuffersHandle) -> Vec<(String, Vec<u8>)> {
    // SAFETY: all pointers are valid.
    let count = output(|out, error| unsafe { antiquary_buffers_count(buffers, out, error) });
    let content = |index| {
        // SAFETY: all pointers are valid.
        let buffer = output(|out, error| unsafe { antiquary_buffers_get(buffers, index, out, error) });
        // SAFETY: the library returned an array of this length, and a zero byte after it.
        let bytes = unsafe { slice::from_raw_parts(buffer.data, buffer.length + 1) };
        assert_eq!(bytes.last(), Some(&0));
        (text(buffer.name), bytes[..buffer.length].to_vec())
    };
    let all = (0..count).map(content).collect();
    assert_eq!(antiquary_buffers_free(buffers), Status::Ok);
    all
}

/// Returns the JSON of a report and whether it is ok, and frees it.
fn json(report: ReportHandle) -> (facade::json::Value, bool) {
    // SAFETY: all pointers are valid.
    let info = output(|out, error| unsafe { antiquary_report_get(report, out, error) });
    let json = text(info.json);
    assert_eq!(json.len(), info.json_length);
    assert_eq!(antiquary_report_free(report), Status::Ok);
    (facade::json::from_str(&json).unwrap(), info.is_ok)
}

/// Creates the sample game of SCP – Containment Breach from memory.
fn game() -> (GameHandle, Vec<(String, Vec<u8>)>) {
    let mut sink = MemorySink::new();
    facade::scpcb::sample::write(&mut sink).unwrap();
    let files = sink.into_files();
    let names: Vec<_> = files.iter().map(|(name, _)| CString::new(name.as_str()).unwrap()).collect();
    let items: Vec<_> = files
        .iter()
        .zip(&names)
        .map(|((_, data), name)| NamedBytes { name: name.as_ptr(), data: data.as_ptr(), length: data.len() })
        .collect();
    // SAFETY: all pointers are valid.
    let game =
        output(|out, error| unsafe { antiquary_game_from_memory(items.as_ptr(), items.len(), out, error) });
    (game, files)
}

fn room(game: GameHandle) -> FileHandle {
    let path = c"gfx/MAP/hall_opt.rmesh";
    // SAFETY: all pointers are valid.
    output(|out, error| unsafe { antiquary_game_file(game, path.as_ptr(), null(), out, error) })
}

#[test]
fn miri_a_triangle_has_its_positions_and_indices() {
    let file = triangle();
    let scene = scene(file);
    assert_eq!(antiquary_file_free(file), Status::Ok);
    // SAFETY: all pointers are valid.
    let info = output(|out, error| unsafe { antiquary_scene_get(scene, out, error) });
    assert_eq!((info.mesh_count, info.light_count), (1, 0));
    // SAFETY: all pointers are valid.
    let found = output(|out, error| unsafe { antiquary_scene_primitive(scene, 0, 0, out, error) });
    assert_eq!((found.vertex_count, found.index_count), (3, 3));
    let positions = floats(found.positions, 9);
    assert!(positions.iter().all(|number| number.is_finite()), "{positions:?}");
    assert!(positions.iter().filter(|number| **number != 0.0).count() >= 2, "{positions:?}");
    // SAFETY: the library returned an array of this length.
    let indices = unsafe { slice::from_raw_parts(found.indices, found.index_count) };
    assert!(indices.iter().all(|index| *index < 3));
    // SAFETY: all pointers are valid.
    let fields = attempt(|out, error| unsafe { antiquary_scene_mesh(scene, 7, out, error) }).unwrap_err();
    assert_eq!(fields.message, "there is no mesh 7 (count: 1)");
    assert_eq!(antiquary_scene_free(scene), Status::Ok);
}

#[test]
fn scenes_have_the_values_of_the_library() {
    let (game, files) = game();
    let file = room(game);
    assert_eq!(antiquary_game_free(game), Status::Ok);
    let found = scene(file);
    let sources = files.into_iter().map(|(name, bytes)| (name, facade::Source::from(bytes)));
    let expected = facade::Game::from_files(sources).unwrap();
    let expected = expected.file("GFX/map/hall_opt.rmesh").unwrap().scene().unwrap();
    // SAFETY: all pointers are valid.
    let info = output(|out, error| unsafe { antiquary_scene_get(found, out, error) });
    assert!(info.mesh_count > 0 && info.node_count > 5 && info.light_count > 0 && info.image_count > 0);
    assert_eq!(info.mesh_count, expected.meshes.len());
    for (index, mesh) in expected.meshes.iter().enumerate() {
        for (part, primitive) in mesh.primitives.iter().enumerate() {
            // SAFETY: all pointers are valid.
            let view =
                output(|out, error| unsafe { antiquary_scene_primitive(found, index, part, out, error) });
            assert_eq!(floats(view.positions, view.vertex_count * 3), primitive.positions.as_flattened());
            assert_eq!(view.uv_set_count, primitive.uvs.len());
            for (set, uvs) in view.uvs.iter().zip(&primitive.uvs) {
                assert_eq!(floats(*set, view.vertex_count * 2), uvs.as_flattened());
            }
            assert_eq!(view.normals.is_null(), primitive.normals.is_none());
            assert_eq!(view.material as usize, primitive.material.unwrap().0);
        }
    }
    for (index, node) in expected.nodes.iter().enumerate() {
        // SAFETY: all pointers are valid.
        let view = output(|out, error| unsafe { antiquary_scene_node(found, index, out, error) });
        assert_eq!(text(view.name), node.name);
        assert_eq!(view.transform.translation, node.translation.to_array());
        assert_eq!(view.child_count, node.children.len());
        let extras: facade::json::Value = facade::json::from_str(&text(view.extras)).unwrap();
        let packed = node.packed_extras.as_ref().map_or(node.extras.clone(), |packed| packed.unpacked());
        assert_eq!(extras, facade::json::Value::from(packed));
    }
    for index in 0..info.material_count {
        // SAFETY: all pointers are valid.
        let view = output(|out, error| unsafe { antiquary_scene_material(found, index, out, error) });
        assert_eq!(view.base_color, expected.materials[index].base_color);
    }
    for index in 0..info.light_count {
        // SAFETY: all pointers are valid.
        let view = output(|out, error| unsafe { antiquary_scene_light(found, index, out, error) });
        assert_eq!(view.intensity, expected.lights[index].intensity);
    }
    // SAFETY: all pointers are valid.
    let image = output(|out, error| unsafe { antiquary_scene_decode_image(found, 0, out, error) });
    // SAFETY: all pointers are valid.
    let pixels = output(|out, error| unsafe { antiquary_image_get(image, 0, out, error) });
    assert_eq!(pixels.length, pixels.width as usize * pixels.height as usize * 4);
    assert_eq!(pixels.width, expected.images[0].encoded.width);
    assert_eq!(antiquary_image_free(image), Status::Ok);
    assert_eq!(antiquary_scene_free(found), Status::Ok);
    assert_eq!(antiquary_file_free(file), Status::Ok);
}

#[test]
fn setting_a_field_changes_only_that_field() {
    let (game, files) = game();
    let file = room(game);
    let original = contents(output(|out, error| {
        // SAFETY: all pointers are valid.
        unsafe { antiquary_file_bytes(file, out, error) }
    }));
    let (_, stored) =
        files.iter().find(|(name, _)| name.eq_ignore_ascii_case("gfx/map/hall_opt.rmesh")).unwrap();
    assert_eq!(&original[0].1, stored);
    let path = "entities[0].position[0]";
    let (_paths, paths) = strings(&[path]);
    let value = |file| {
        // SAFETY: all pointers are valid.
        let values = output(|out, error| unsafe { antiquary_file_fields(file, paths.as_ptr(), out, error) });
        let mut values = contents(values);
        assert_eq!(values.len(), 1);
        String::from_utf8(values.remove(0).1).unwrap()
    };
    assert_ne!(value(file), "12.5");
    let (_edits, edits) = strings(&[&format!("{path}=12.5")]);
    let mut report = ReportHandle { id: 0 };
    // SAFETY: all pointers are valid.
    let edited = output(|out, error| unsafe {
        antiquary_file_set(file, edits.as_ptr(), null(), out, &raw mut report, error)
    });
    let (report, is_ok) = json(report);
    assert!(is_ok && report["results"][0]["changes"].as_array().unwrap().len() == 1, "{report}");
    let edited = contents(edited).remove(0).1;
    assert_eq!(edited.len(), original[0].1.len());
    let differing = edited.iter().zip(&original[0].1).filter(|(new, old)| new != old).count();
    assert!((1..=4).contains(&differing), "{differing} bytes differ");
    let reopened = open(&edited, c"hall_opt.rmesh").unwrap();
    assert_eq!(value(reopened), "12.5");
    // SAFETY: all pointers are valid.
    let diff = output(|out, error| unsafe { antiquary_file_diff(file, reopened, null(), out, error) });
    let (diff, is_equal) = json(diff);
    assert!(!is_equal);
    assert_eq!(diff["schema"], "antiquary/diff/1");
    assert_eq!(diff["results"][0]["changes"].as_array().unwrap().len(), 1);
    antiquary_file_free(file);
    antiquary_file_free(reopened);
    antiquary_game_free(game);
}

#[test]
fn errors_have_their_fields() {
    let (game, _) = game();
    let file = room(game);
    let bytes = contents(output(|out, error| {
        // SAFETY: all pointers are valid.
        unsafe { antiquary_file_bytes(file, out, error) }
    }))
    .remove(0)
    .1;
    let fields = open(&bytes[..bytes.len() / 2], c"cut.rmesh").unwrap_err();
    assert_eq!((fields.status, fields.code.as_str()), (Status::Malformed, "malformed"));
    assert_eq!(fields.file.as_deref(), Some("cut.rmesh"));
    assert!(fields.offset.is_some() && !fields.path.is_empty() && !fields.message.is_empty(), "{fields:?}");
    assert!(fields.text.contains(&fields.message) && fields.text.contains(&fields.path));
    antiquary_file_free(file);
    antiquary_game_free(game);
}

#[test]
fn unknown_options_are_refused_with_a_suggestion() {
    let (game, _) = game();
    let file = room(game);
    let describe = |options: &[&str]| {
        let (_texts, options) = strings(options);
        // SAFETY: all pointers are valid.
        attempt(|out, error| unsafe { antiquary_file_describe(file, options.as_ptr(), out, error) })
    };
    let fields = describe(&["ful"]).unwrap_err();
    assert_eq!(fields.status, Status::Usage);
    assert!(
        fields.message.contains("unknown option \"ful\"") && fields.message.contains("full"),
        "{fields:?}"
    );
    let fields = describe(&["full=maybe"]).unwrap_err();
    assert_eq!(fields.message, "option full: expected true or false, not \"maybe\"");
    let (description, _) = json(describe(&["full", "jobs=1"]).unwrap());
    assert_eq!(description["results"][0]["format"], "scpcb.rmesh");
    let (_texts, options) = strings(&["light=baked"]);
    let path = c"gfx/map/hall_opt.rmesh".as_ptr();
    // SAFETY: all pointers are valid.
    let refused = attempt::<FileHandle>(|out, error| unsafe {
        antiquary_game_file(game, path, options.as_ptr(), out, error)
    });
    assert_eq!(refused.unwrap_err().status, Status::Usage);
    antiquary_file_free(file);
    antiquary_game_free(game);
}

#[test]
fn files_are_converted_in_memory() {
    let (game, _) = game();
    let file = room(game);
    let extension = c"glb".as_ptr();
    // SAFETY: all pointers are valid.
    let files = output(|out, error| unsafe { antiquary_file_convert(file, extension, out, error) });
    let files = contents(files);
    assert!(files[0].1.starts_with(b"glTF"));
    // SAFETY: all pointers are valid.
    let data = contents(output(|out, error| unsafe { antiquary_file_data(file, out, error) }));
    assert!(facade::json::from_slice::<facade::json::Value>(&data[0].1).unwrap().is_object());
    // SAFETY: all pointers are valid.
    let warnings = contents(output(|out, error| unsafe { antiquary_file_warnings(file, out, error) }));
    assert!(facade::json::from_slice::<facade::json::Value>(&warnings[0].1).unwrap().is_array());
    antiquary_file_free(file);
    antiquary_game_free(game);
}

#[test]
fn formats_are_detected() {
    let detect = |bytes: &[u8], name: &CStr| {
        // SAFETY: all pointers are valid.
        output(|out, error| unsafe {
            antiquary_detect(bytes.as_ptr(), bytes.len(), name.as_ptr(), out, error)
        })
    };
    assert_eq!(text(detect(TRIANGLE.as_bytes(), c"a.obj").id), "scpcb.obj");
    assert!(detect(b"hello", c"a.unknown").id.is_null());
}

/// Writes the sample game to disk.
fn on_disk() -> tempfile::TempDir {
    let mut sink = MemorySink::new();
    facade::scpcb::sample::write(&mut sink).unwrap();
    write(sink)
}

/// Writes files to disk.
fn write(sink: MemorySink) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in sink.into_files() {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    folder
}

fn c_path(path: &Path) -> CString {
    CString::new(path.to_str().unwrap()).unwrap()
}

/// Cancels after the first file.
unsafe extern "C" fn cancel(user: *mut c_void, event: *const ProgressEvent) -> std::ffi::c_int {
    // SAFETY: the library passes the pointer to a number that `convert` gave it, and a valid event.
    let (calls, event) = unsafe { (&mut *user.cast::<u64>(), *event) };
    *calls += 1;
    i32::from(event.done > 0)
}

#[test]
fn a_callback_cancels_an_operation_whose_report_has_what_was_done() {
    let folder = on_disk();
    let (_texts, paths) = strings(&[folder.path().to_str().unwrap()]);
    let (_options, options) = strings(&["jobs=1", "to=glb", "no-gallery"]);
    let out = c_path(&folder.path().join("out"));
    let (mut calls, mut report, mut error) = (0_u64, ReportHandle { id: 0 }, NO_ERROR);
    // SAFETY: all pointers are valid.
    let status = unsafe {
        let user = (&raw mut calls).cast();
        let (report, error) = (&raw mut report, &raw mut error);
        antiquary_convert(paths.as_ptr(), out.as_ptr(), options.as_ptr(), Some(cancel), user, report, error)
    };
    assert_eq!(status, Status::Canceled);
    assert_eq!(take_error(error).code, "canceled");
    let (report, _) = json(report);
    assert_eq!(report["schema"], "antiquary/convert/1");
    assert!(report["results"].as_array().is_some() && calls >= 2, "{calls}");
}

#[test]
fn files_are_unpacked_and_packed_to_the_same_bytes() {
    let folder = on_disk();
    let room = folder.path().join("GFX/map/hall_opt.rmesh");
    let room = if room.exists() { room } else { folder.path().join("gfx/map/hall_opt.rmesh") };
    let (path, to, out) =
        (c_path(&room), c_path(&folder.path().join("unpacked")), c_path(&folder.path().join("packed.rmesh")));
    // SAFETY: all pointers are valid.
    let report = output(|report, error| unsafe {
        antiquary_unpack(path.as_ptr(), to.as_ptr(), null(), None, nothing::<c_void>(), report, error)
    });
    assert!(json(report).1);
    // SAFETY: all pointers are valid.
    let report = output(|report, error| unsafe {
        antiquary_pack(to.as_ptr(), out.as_ptr(), null(), None, nothing(), report, error)
    });
    assert!(json(report).1);
    assert_eq!(std::fs::read(folder.path().join("packed.rmesh")).unwrap(), std::fs::read(room).unwrap());
    // Existing files are not overwritten without an option.
    // SAFETY: all pointers are valid.
    let report = output(|report, error| unsafe {
        antiquary_pack(to.as_ptr(), out.as_ptr(), null(), None, nothing(), report, error)
    });
    let (report, is_ok) = json(report);
    assert!(!is_ok);
    assert_eq!(report["results"][0]["error"]["kind"], "usage");
}

#[test]
fn archives_are_listed_read_and_opened() {
    let mut sink = MemorySink::new();
    facade::ragnarok::sample::write(&mut sink).unwrap();
    let (_, bytes) = sink.into_files().into_iter().find(|(name, _)| name.ends_with(".grf")).unwrap();
    let file = open(&bytes, c"data.grf").unwrap();
    // SAFETY: all pointers are valid.
    let archive = output(|out, error| unsafe { antiquary_file_archive(file, out, error) });
    antiquary_file_free(file);
    // SAFETY: all pointers are valid.
    let count = output(|out, error| unsafe { antiquary_archive_count(archive, out, error) });
    let mut models = 0;
    for index in 0..count {
        // SAFETY: all pointers are valid.
        let entry = output(|out, error| unsafe { antiquary_archive_entry(archive, index, out, error) });
        if !text(entry.name).ends_with(".rsm") {
            continue;
        }
        models += 1;
        // SAFETY: all pointers are valid.
        let read =
            contents(output(|out, error| unsafe { antiquary_archive_read(archive, index, out, error) }));
        assert_eq!(read[0].1.len() as u64, entry.length);
        // SAFETY: all pointers are valid.
        let model =
            output(|out, error| unsafe { antiquary_archive_file(archive, index, null(), out, error) });
        let scene = scene(model);
        assert_eq!((antiquary_scene_free(scene), antiquary_file_free(model)), (Status::Ok, Status::Ok));
    }
    assert!(models > 0, "{count} entries");
    assert_eq!(antiquary_archive_free(archive), Status::Ok);
}

#[test]
fn scripts_run_to_an_animation_and_a_saved_game() {
    let mut sink = MemorySink::new();
    facade::redguard::sample::write(&mut sink).unwrap();
    let folder = write(sink);
    let map = c_path(&folder.path().join("maps/ISLAND.RGM"));
    let run = |options: &[&str]| {
        let (_options, options) = strings(options);
        // SAFETY: all pointers are valid.
        attempt(|report, error| unsafe {
            antiquary_script_run(map.as_ptr(), options.as_ptr(), None, nothing(), report, error)
        })
    };
    let file = |option: &str, name: &str| format!("{option}={}", folder.path().join(name).display());
    let save = file("save", "SAVEGAME/SAVEGAME.000/SAVEGAME.SAV");
    let (frames, save_to) = (file("frames", "island.glb"), file("save-to", "new.sav"));
    let (report, is_ok) = json(run(&["seconds=1", &frames, &save, &save_to]).unwrap());
    assert!(is_ok && report["results"][0]["updates"] == 12, "{report}");
    assert!(std::fs::read(folder.path().join("island.glb")).unwrap().starts_with(b"glTF"));
    assert!(folder.path().join("new.sav").exists());
    for (options, message) in [
        (["seconds=-1"], "seconds must be between 0 and 1000000, not -1"),
        (["save-to=a.sav"], "the option save-to needs save"),
        (["set=After_League"], "a flag is set with FLAG=VALUE"),
    ] {
        let fields = run(&options).unwrap_err();
        assert_eq!(fields.status, Status::Usage);
        assert!(fields.message.contains(message), "{fields:?}");
    }
}
