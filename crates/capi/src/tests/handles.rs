//! Handles that were freed, that have another type, or that were never created.

use std::mem::MaybeUninit;
use std::ptr::null;
use std::sync::Barrier;
use std::thread;

use facade::scene::image::Rgba8;
use facade::scene::product::Table;
use facade::scene::sound::{Depth, SampleFormat};
use facade::scene::{Scene, Sound};
use facade::{Game, Source};

use super::*;
use crate::archive::*;
use crate::buffers::*;
use crate::call::call;
use crate::error::*;
use crate::failure::Failure;
use crate::field::*;
use crate::file::*;
use crate::game::*;
use crate::handle::*;
use crate::image::*;
use crate::pointer::Out;
use crate::product::*;
use crate::report::*;
use crate::scene::*;
use crate::sound::*;
use crate::table::*;

/// A function that takes a handle, with valid arguments otherwise.
type Call = (&'static str, u8, fn(u64, *mut ErrorHandle) -> Status);

/// Calls a function with a handle and one output.
macro_rules! get {
    ($function:ident, $handle:ident $(, $more:expr)*) => {
        (stringify!($function), $handle::KIND, |id, error| {
            let mut out = MaybeUninit::uninit();
            // SAFETY: all pointers are valid.
            unsafe { $function($handle { id } $(, $more)*, out.as_mut_ptr(), error) }
        })
    };
}

/// Calls a function that frees a handle.
macro_rules! free {
    ($function:ident, $handle:ident) => {
        (stringify!($function), $handle::KIND, |id, error| {
            let status = $function($handle { id });
            if status != Status::Ok {
                // Functions that free have no error value.
                let failure = Failure::new(status, "not freed");
                // SAFETY: the pointer is valid.
                unsafe { error.write(insert(failure)) };
            }
            status
        })
    };
}

/// All functions that take a handle.
const CALLS: &[Call] = &[
    ("antiquary_error_get", ErrorHandle::KIND, |id, error| {
        let mut out = MaybeUninit::uninit();
        // SAFETY: the output is valid.
        let status = unsafe { antiquary_error_get(ErrorHandle { id }, out.as_mut_ptr()) };
        if status != Status::Ok {
            // SAFETY: the pointer is valid.
            unsafe { error.write(insert(Failure::new(status, "no error"))) };
        }
        status
    }),
    free!(antiquary_error_free, ErrorHandle),
    get!(antiquary_game_id, GameHandle),
    get!(antiquary_game_files, GameHandle),
    get!(antiquary_game_file, GameHandle, c"triangle.obj".as_ptr(), null()),
    free!(antiquary_game_free, GameHandle),
    get!(antiquary_file_get, FileHandle),
    get!(antiquary_file_count, FileHandle, 0),
    get!(antiquary_file_scene, FileHandle),
    get!(antiquary_file_image, FileHandle, 0),
    get!(antiquary_file_sound, FileHandle, 0),
    get!(antiquary_file_table, FileHandle, 0),
    get!(antiquary_file_text, FileHandle, 0),
    get!(antiquary_file_data, FileHandle),
    get!(antiquary_file_bytes, FileHandle),
    get!(antiquary_file_convert, FileHandle, c"glb".as_ptr()),
    get!(antiquary_file_warnings, FileHandle),
    get!(antiquary_file_describe, FileHandle, null()),
    get!(antiquary_file_check, FileHandle, null()),
    get!(antiquary_file_fields, FileHandle, [c"a".as_ptr(), null()].as_ptr()),
    ("antiquary_file_set", FileHandle::KIND, |id, error| {
        let (edits, mut out) = ([c"a=1".as_ptr(), null()], BuffersHandle::NONE);
        // SAFETY: all pointers are valid.
        unsafe {
            antiquary_file_set(FileHandle { id }, edits.as_ptr(), null(), &raw mut out, nothing(), error)
        }
    }),
    ("antiquary_file_diff", FileHandle::KIND, |id, error| {
        let mut out = ReportHandle::NONE;
        let file = FileHandle { id };
        // SAFETY: all pointers are valid.
        unsafe { antiquary_file_diff(file, file, null(), &raw mut out, error) }
    }),
    get!(antiquary_file_archive, FileHandle),
    free!(antiquary_file_free, FileHandle),
    get!(antiquary_scene_get, SceneHandle),
    get!(antiquary_scene_mesh, SceneHandle, 0),
    get!(antiquary_scene_primitive, SceneHandle, 0, 0),
    get!(antiquary_scene_morph_target, SceneHandle, 0, 0, 0),
    get!(antiquary_scene_material, SceneHandle, 0),
    get!(antiquary_scene_texture, SceneHandle, 0),
    get!(antiquary_scene_image, SceneHandle, 0),
    get!(antiquary_scene_decode_image, SceneHandle, 0),
    get!(antiquary_scene_light, SceneHandle, 0),
    get!(antiquary_scene_node, SceneHandle, 0),
    get!(antiquary_scene_skin, SceneHandle, 0),
    get!(antiquary_scene_animation, SceneHandle, 0),
    get!(antiquary_scene_track, SceneHandle, 0, 0),
    free!(antiquary_scene_free, SceneHandle),
    get!(antiquary_image_get, ImageHandle, 0),
    free!(antiquary_image_free, ImageHandle),
    get!(antiquary_sound_get, SoundHandle),
    free!(antiquary_sound_free, SoundHandle),
    get!(antiquary_table_get, TableHandle),
    get!(antiquary_table_column, TableHandle, 0),
    get!(antiquary_table_cell, TableHandle, 0, 0),
    free!(antiquary_table_free, TableHandle),
    get!(antiquary_buffers_count, BuffersHandle),
    get!(antiquary_buffers_get, BuffersHandle, 0),
    free!(antiquary_buffers_free, BuffersHandle),
    get!(antiquary_report_get, ReportHandle),
    free!(antiquary_report_free, ReportHandle),
    get!(antiquary_archive_count, ArchiveHandle),
    get!(antiquary_archive_entry, ArchiveHandle, 0),
    get!(antiquary_archive_read, ArchiveHandle, 0),
    get!(antiquary_archive_file, ArchiveHandle, 0, null()),
    free!(antiquary_archive_free, ArchiveHandle),
];

/// Creates an object of each kind that needs no file, and returns the ids and the functions that free them.
fn one_of_each() -> Vec<(u8, u64)> {
    let game = Game::from_files([("a.txt", Source::from_bytes(b"a".as_slice()))]).unwrap();
    let image = Rgba8::new(1, 1, vec![1, 2, 3, 4]).unwrap();
    let form = SampleFormat { rate: 8000, channels: 1, depth: Depth::Eight };
    let sound = Sound { form, data: vec![128], loops: None };
    let table = Table::new(["a"], std::iter::empty());
    vec![
        (ErrorHandle::KIND, insert::<ErrorHandle>(Failure::new(Status::Usage, "a")).id),
        (GameHandle::KIND, insert::<GameHandle>(game).id),
        (SceneHandle::KIND, insert::<SceneHandle>(SceneObject::new(Scene::new("a"))).id),
        (ImageHandle::KIND, insert::<ImageHandle>(ImageObject::new("a", image.into())).id),
        (SoundHandle::KIND, insert::<SoundHandle>(SoundObject::new("a", sound)).id),
        (TableHandle::KIND, insert::<TableHandle>(TableObject::new("a", table)).id),
        (BuffersHandle::KIND, insert::<BuffersHandle>(BuffersObject::default()).id),
    ]
}

/// Frees an object of a kind.
fn release(kind: u8, id: u64) -> Status {
    match kind {
        ErrorHandle::KIND => antiquary_error_free(ErrorHandle { id }),
        GameHandle::KIND => antiquary_game_free(GameHandle { id }),
        SceneHandle::KIND => antiquary_scene_free(SceneHandle { id }),
        ImageHandle::KIND => antiquary_image_free(ImageHandle { id }),
        SoundHandle::KIND => antiquary_sound_free(SoundHandle { id }),
        TableHandle::KIND => antiquary_table_free(TableHandle { id }),
        BuffersHandle::KIND => antiquary_buffers_free(BuffersHandle { id }),
        kind => panic!("kind {kind} is not in the list"),
    }
}

/// Calls a function with a handle that it must refuse.
fn assert_refused((name, _, call): &Call, id: u64, why: &str) {
    let mut error = NO_ERROR;
    let status = call(id, &raw mut error);
    assert_eq!(status, Status::InvalidHandle, "{name} with {why}");
    assert_eq!(take_error(error).code, "invalid-handle", "{name} with {why}");
}

#[test]
fn miri_handles_that_are_not_of_an_object_are_refused() {
    for call in CALLS {
        for id in [1, u64::from(call.1) << 56, u64::from(call.1) << 56 | 0xff_ffff_ffff, u64::MAX] {
            assert_refused(call, id, "an invented handle");
        }
        if !call.0.ends_with("_free") {
            assert_refused(call, 0, "the handle 0");
        }
    }
}

#[test]
fn miri_handles_of_another_type_are_refused() {
    let objects = one_of_each();
    for call in CALLS {
        for (kind, id) in objects.iter().filter(|(kind, _)| *kind != call.1) {
            assert_refused(call, *id, &format!("a handle of kind {kind}"));
        }
    }
    objects.iter().for_each(|(kind, id)| assert_eq!(release(*kind, *id), Status::Ok));
}

#[test]
fn miri_handles_are_refused_after_they_were_freed() {
    let objects = one_of_each();
    for (kind, id) in &objects {
        assert_eq!(release(*kind, *id), Status::Ok);
        assert_eq!(release(*kind, *id), Status::InvalidHandle, "freed twice");
    }
    for call in CALLS {
        for (_, id) in objects.iter().filter(|(kind, _)| *kind == call.1) {
            assert_refused(call, *id, "a freed handle");
        }
    }
    // New objects never get the handle of a freed one.
    let again = one_of_each();
    assert!(again.iter().all(|(_, id)| !objects.iter().any(|(_, old)| old == id)));
    again.iter().for_each(|(kind, id)| assert_eq!(release(*kind, *id), Status::Ok));
}

#[test]
fn the_list_contains_every_function_with_a_handle() {
    let header = include_str!("../../include/antiquary.h");
    let handles =
        ["error", "game", "file", "scene", "image", "sound", "table", "buffers", "report", "archive"];
    let declarations = header.split(";\n").filter_map(|part| {
        let (before, arguments) = part.rsplit_once("antiquary_status antiquary_")?.1.split_once('(')?;
        Some((format!("antiquary_{before}"), arguments))
    });
    let takes_handle =
        |arguments: &str| handles.iter().any(|handle| arguments.starts_with(&format!("antiquary_{handle} ")));
    let with_handles: Vec<_> =
        declarations.filter(|(_, arguments)| takes_handle(arguments)).map(|(name, _)| name).collect();
    assert!(with_handles.len() > 40, "{with_handles:?}");
    for name in with_handles {
        assert!(CALLS.iter().any(|(known, ..)| *known == name), "{name} is not tested");
    }
}

#[test]
fn miri_freeing_nothing_does_nothing() {
    assert_eq!(antiquary_file_free(FileHandle::NONE), Status::Ok);
    assert_eq!(antiquary_report_free(ReportHandle::NONE), Status::Ok);
    assert_eq!(antiquary_archive_free(ArchiveHandle::NONE), Status::Ok);
    assert_eq!(antiquary_error_free(ErrorHandle::NONE), Status::Ok);
}

#[test]
fn miri_the_message_says_what_is_wrong_with_a_handle() {
    let message = |id| handle_message(SceneHandle { id });
    assert_eq!(message(0), "the handle is 0; expected a scene");
    assert_eq!(message(12), "the handle was not created by this library; expected a scene");
    let scene = insert::<SceneHandle>(SceneObject::new(Scene::new("a")));
    antiquary_scene_free(scene);
    assert_eq!(message(scene.id), "the handle of a scene was already freed");
    let buffers = insert::<BuffersHandle>(BuffersObject::default());
    assert_eq!(message(buffers.id), "the handle is of a list of buffers; expected a scene");
    antiquary_buffers_free(buffers);
}

fn handle_message(scene: SceneHandle) -> String {
    // SAFETY: all pointers are valid.
    let fields = attempt(|out, error| unsafe { antiquary_scene_get(scene, out, error) }).unwrap_err();
    fields.message
}

#[test]
fn miri_a_panic_becomes_an_error() {
    let mut error = NO_ERROR;
    // SAFETY: the pointer is valid.
    let out = unsafe { Out::new(&raw mut error) };
    let status = call(out, || panic!("a bug in {}", "this test"));
    assert_eq!(status, Status::Internal);
    let fields = take_error(error);
    assert_eq!(
        (fields.code.as_str(), fields.message.as_str()),
        ("internal", "internal error: a bug in this test")
    );
}

#[test]
fn miri_errors_can_be_discarded() {
    // SAFETY: the library accepts null pointers.
    let status = unsafe { antiquary_scene_get(SceneHandle { id: 5 }, nothing(), nothing()) };
    assert_eq!(status, Status::InvalidHandle);
}

#[test]
fn miri_threads_can_share_objects() {
    const THREADS: usize = 4;
    let file = triangle();
    let shared = scene(file);
    antiquary_file_free(file);
    let barrier = Barrier::new(THREADS);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                barrier.wait();
                for _ in 0..3 {
                    // SAFETY: all pointers are valid.
                    let mesh = output(|out, error| unsafe { antiquary_scene_mesh(shared, 0, out, error) });
                    assert_eq!(text(mesh.extras), "{}");
                    let own = insert::<BuffersHandle>(BuffersObject::one("a", vec![1]));
                    assert_eq!(antiquary_buffers_free(own), Status::Ok);
                }
            });
        }
    });
    assert_eq!(antiquary_scene_free(shared), Status::Ok);
}

#[test]
fn only_one_thread_can_free_an_object() {
    let buffers = insert::<BuffersHandle>(BuffersObject::one("a", vec![1]));
    let freed = thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| antiquary_buffers_free(buffers))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(freed.iter().filter(|status| **status == Status::Ok).count(), 1, "{freed:?}");
}
