//! Arguments that are null, not UTF-8 or out of range.

use std::ffi::{c_char, c_int, c_void};
use std::mem::MaybeUninit;

use super::*;
use crate::archive::*;
use crate::field::*;
use crate::file::*;
use crate::format::*;
use crate::game::*;
use crate::handle::{BuffersHandle, GameHandle, Key as _, ReportHandle};
use crate::operation::*;
use crate::product::*;
use crate::progress::ProgressEvent;
use crate::scene::*;
use crate::script::*;

/// The pointers of one call: those after `null_at` calls of its methods are valid, and the one at `null_at` is null.
struct Pointers {
    null_at: usize,
    next: usize,
    texts: Vec<*const c_char>,
    memory: Box<MaybeUninit<[u64; 64]>>,
}

impl Pointers {
    fn new(null_at: usize) -> Self {
        let texts = vec![c"a=1".as_ptr(), null()];
        Self { null_at, next: 0, texts, memory: Box::new(MaybeUninit::uninit()) }
    }

    fn is_null(&mut self) -> bool {
        self.next += 1;
        self.next - 1 == self.null_at
    }

    /// A string.
    fn text(&mut self) -> *const c_char {
        if self.is_null() { null() } else { c"no-such-file.rmesh".as_ptr() }
    }

    /// A list of strings.
    fn list(&mut self) -> *const *const c_char {
        if self.is_null() { null() } else { self.texts.as_ptr() }
    }

    /// Memory for an output.
    fn out<T>(&mut self) -> *mut T {
        assert!(size_of::<T>() <= size_of_val(&*self.memory));
        if self.is_null() { null_mut() } else { self.memory.as_mut_ptr().cast() }
    }
}

/// A function, and the number of pointers that must not be null.
type Call = (&'static str, usize, fn(&mut Pointers, *mut ErrorHandle) -> Status);

/// Calls a function with some pointers.
macro_rules! call {
    ($function:ident, $count:literal, |$pointers:ident| $($argument:expr),*) => {
        (stringify!($function), $count, |$pointers, error| {
            // SAFETY: all pointers are null or valid.
            unsafe { $function($($argument),*, error) }
        })
    };
}

/// Functions without handles, with each pointer that must not be null.
const CALLS: &[Call] = &[
    call!(antiquary_open, 2, |it| it.text(), null(), it.out()),
    call!(
        antiquary_open_memory,
        1,
        |it| TRIANGLE.as_ptr(),
        TRIANGLE.len(),
        c"a.obj".as_ptr(),
        null(),
        it.out()
    ),
    call!(antiquary_detect, 1, |it| TRIANGLE.as_ptr(), TRIANGLE.len(), null(), it.out()),
    call!(antiquary_format_get, 1, |it| 0, it.out()),
    call!(antiquary_game_open, 2, |it| it.list(), it.out()),
    call!(antiquary_game_from_memory, 1, |it| null(), 0, it.out()),
    call!(antiquary_describe, 2, |it| it.list(), null(), None, nothing(), it.out()),
    call!(antiquary_check, 2, |it| it.list(), null(), None, nothing(), it.out()),
    call!(antiquary_convert, 3, |it| it.list(), it.text(), null(), None, nothing(), it.out()),
    call!(antiquary_unpack, 3, |it| it.text(), it.text(), null(), None, nothing(), it.out()),
    call!(antiquary_pack, 3, |it| it.text(), it.text(), null(), None, nothing(), it.out()),
    call!(antiquary_build, 4, |it| it.text(), it.text(), it.text(), null(), None, nothing(), it.out()),
    call!(antiquary_set, 4, |it| it.text(), it.list(), it.text(), null(), it.out()),
    call!(antiquary_diff, 3, |it| it.text(), it.text(), null(), it.out()),
    call!(antiquary_find, 3, |it| it.text(), it.text(), null(), None, nothing(), it.out()),
    call!(antiquary_scan, 2, |it| it.text(), null(), None, nothing(), it.out()),
    call!(antiquary_list, 2, |it| it.list(), null(), null(), it.out()),
    call!(
        antiquary_archive_add,
        3,
        |it| it.text(),
        it.list(),
        c"out".as_ptr(),
        null(),
        None,
        nothing(),
        it.out()
    ),
    call!(
        antiquary_archive_remove,
        3,
        |it| it.text(),
        it.list(),
        c"out".as_ptr(),
        null(),
        None,
        nothing(),
        it.out()
    ),
    call!(
        antiquary_archive_rename,
        2,
        |it| it.text(),
        names(),
        c"out".as_ptr(),
        null(),
        None,
        nothing(),
        it.out()
    ),
    call!(
        antiquary_archive_merge,
        2,
        |it| it.text(),
        null(),
        c"out".as_ptr(),
        null(),
        None,
        nothing(),
        it.out()
    ),
    call!(antiquary_script_disassemble, 2, |it| it.text(), null(), nothing(), it.out()),
    call!(antiquary_script_assemble, 3, |it| it.list(), null(), it.text(), null(), it.out()),
    call!(antiquary_script_run, 2, |it| it.text(), null(), None, nothing(), it.out()),
];

/// Two names, for renaming.
fn names() -> *const *const c_char {
    struct Names([*const c_char; 3]);
    // SAFETY: the pointers are to constants.
    unsafe impl Sync for Names {}
    static NAMES: Names = Names([c"old".as_ptr(), c"new".as_ptr(), null()]);
    NAMES.0.as_ptr()
}

#[test]
fn pointers_that_must_not_be_null_are_refused_if_they_are() {
    for (name, count, call) in CALLS {
        for null_at in 0..*count {
            let mut error = NO_ERROR;
            let status = call(&mut Pointers::new(null_at), &raw mut error);
            assert_eq!(status, Status::InvalidArgument, "{name} with a null pointer at {null_at}");
            assert!(take_error(error).message.contains("NULL"), "{name}");
        }
        // The error is an output that may be null, too.
        let status = call(&mut Pointers::new(0), nothing());
        assert_eq!(status, Status::InvalidArgument, "{name}");
    }
}

#[test]
fn the_lists_contain_every_function_with_an_error() {
    let header = include_str!("../../include/antiquary.h");
    let mut count = 0;
    for part in header.split(";\n").filter(|part| part.ends_with("antiquary_error *error)")) {
        let (before, arguments) =
            part.rsplit_once("antiquary_status antiquary_").unwrap().1.split_once('(').unwrap();
        let name = format!("antiquary_{before}");
        let first = arguments.split([' ', ',']).next().unwrap();
        count += 1;
        let takes_handle = first.starts_with("antiquary_") && !arguments.starts_with("antiquary_named_bytes");
        assert!(takes_handle || CALLS.iter().any(|(known, ..)| *known == name), "{name} is not tested");
    }
    assert!(count > 60, "{count}");
}

/// Functions with a handle and an output that must not be null.
#[test]
fn miri_outputs_that_are_null_are_refused() {
    let file = triangle();
    let scene = scene(file);
    let check = |call: &dyn Fn(*mut ErrorHandle) -> Status| {
        let mut error = NO_ERROR;
        assert_eq!(call(&raw mut error), Status::InvalidArgument);
        assert!(take_error(error).message.contains("is NULL"));
    };
    let mut buffers = BuffersHandle::NONE;
    let out = &raw mut buffers;
    // SAFETY: the library accepts null pointers.
    unsafe {
        check(&|error| antiquary_file_get(file, nothing(), error));
        check(&|error| antiquary_file_count(file, 0, nothing(), error));
        check(&|error| antiquary_file_scene(file, nothing(), error));
        check(&|error| antiquary_file_data(file, nothing(), error));
        check(&|error| antiquary_file_bytes(file, nothing(), error));
        check(&|error| antiquary_file_warnings(file, nothing(), error));
        check(&|error| antiquary_file_describe(file, null(), nothing(), error));
        check(&|error| antiquary_file_fields(file, null(), out, error));
        check(&|error| antiquary_file_set(file, null(), null(), out, nothing(), error));
        check(&|error| antiquary_file_convert(file, null(), out, error));
        check(&|error| antiquary_scene_get(scene, nothing(), error));
        check(&|error| antiquary_scene_mesh(scene, 0, nothing(), error));
        check(&|error| antiquary_scene_primitive(scene, 0, 0, nothing(), error));
        check(&|error| antiquary_scene_node(scene, 0, nothing(), error));
        assert_eq!(antiquary_error_get(NO_ERROR, nothing()), Status::InvalidHandle);
    }
    antiquary_scene_free(scene);
    antiquary_file_free(file);
}

#[test]
fn miri_handles_become_0_on_failure() {
    let mut file = FileHandle { id: 42 };
    // SAFETY: all pointers are valid.
    let status =
        unsafe { antiquary_open_memory([1, 2].as_ptr(), 2, null(), null(), &raw mut file, nothing()) };
    assert_eq!((status, file.id), (Status::Malformed, 0));
}

#[test]
fn miri_text_that_is_not_utf_8_is_refused() {
    let path = c"a\xff.obj".as_ptr();
    let bytes = TRIANGLE.as_bytes();
    // SAFETY: all pointers are valid.
    let fields = attempt::<FileHandle>(|out, error| unsafe {
        antiquary_open_memory(bytes.as_ptr(), bytes.len(), path, null(), out, error)
    });
    let fields = fields.unwrap_err();
    assert_eq!(fields.status, Status::InvalidArgument);
    assert!(fields.message.starts_with("name is not UTF-8"), "{fields:?}");
}

#[test]
fn miri_lengths_without_memory_are_refused() {
    // SAFETY: the library refuses lengths without memory, and lengths that no memory has, before it reads.
    unsafe {
        let open = |data, length| {
            attempt::<FileHandle>(|out, error| {
                antiquary_open_memory(data, length, null(), null(), out, error)
            })
            .unwrap_err()
        };
        assert_eq!(open(null(), 5).status, Status::InvalidArgument);
        assert_eq!(open(TRIANGLE.as_ptr(), usize::MAX).status, Status::InvalidArgument);
        assert_eq!(open(null(), 0).message, "the file is empty");
        let files = attempt::<GameHandle>(|out, error| antiquary_game_from_memory(null(), 3, out, error));
        assert_eq!(files.unwrap_err().status, Status::InvalidArgument);
    }
}

#[test]
fn indices_and_kinds_out_of_range_are_refused() {
    let file = triangle();
    let scene = scene(file);
    // SAFETY: all pointers are valid.
    unsafe {
        let count = attempt(|out, error| antiquary_file_count(file, 99, out, error)).unwrap_err();
        assert_eq!(count.status, Status::InvalidArgument);
        let image = attempt(|out, error| antiquary_file_count(file, 0, out, error)).unwrap_err();
        assert_eq!(image.status, Status::Unsupported);
        for index in [1, usize::MAX] {
            let mesh = attempt(|out, error| antiquary_scene_mesh(scene, index, out, error)).unwrap_err();
            assert_eq!(mesh.status, Status::InvalidArgument);
            let part =
                attempt(|out, error| antiquary_scene_primitive(scene, 0, index, out, error)).unwrap_err();
            assert_eq!(part.status, Status::InvalidArgument);
            let target = attempt(|out, error| antiquary_scene_morph_target(scene, 0, 0, index, out, error));
            assert_eq!(target.unwrap_err().status, Status::InvalidArgument);
        }
    }
    antiquary_scene_free(scene);
    antiquary_file_free(file);
}

/// A callback that is never called.
unsafe extern "C" fn unused(_: *mut c_void, _: *const ProgressEvent) -> c_int {
    1
}

#[test]
fn a_callback_may_be_null_or_unused() {
    let mut report = ReportHandle { id: 9 };
    let folder = c"no-such-folder".as_ptr();
    // SAFETY: all pointers are valid.
    let status =
        unsafe { antiquary_scan(folder, null(), Some(unused), nothing(), &raw mut report, nothing()) };
    assert!(status != Status::Ok && status != Status::Internal, "{status:?}");
    assert_eq!(report.id, 0);
}
