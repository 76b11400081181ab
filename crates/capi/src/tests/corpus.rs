//! Files of the corpus, damaged ones in particular: each is opened or gives an error value.

use std::path::Path;

use super::*;
use crate::buffers::antiquary_buffers_free;
use crate::file::{antiquary_file_free, antiquary_open};
use crate::handle::{ArchiveHandle, BuffersHandle, ImageHandle, SoundHandle, TableHandle};
use crate::scene::{antiquary_scene_free, antiquary_scene_node, antiquary_scene_primitive};

/// Checks that an error is no bug, and has its fields.
fn assert_error(fields: &Fields, about: &str) {
    assert!(
        !matches!(fields.status, Status::Ok | Status::Internal | Status::InvalidHandle),
        "{about}: {fields:?}"
    );
    assert!(!fields.message.is_empty() && fields.text.contains(&fields.message), "{about}: {fields:?}");
}

/// Makes the scene and the first of each other product of a file, and frees everything.
fn use_file(file: FileHandle, about: &str) {
    let check = |status: Result<(), Box<Fields>>| {
        if let Err(fields) = status {
            assert_error(&fields, about);
        }
    };
    // SAFETY: all pointers are valid.
    check(attempt(|out, error| unsafe { antiquary_file_scene(file, out, error) }).map(|scene| {
        // SAFETY: all pointers are valid.
        let node = attempt(|out, error| unsafe { antiquary_scene_node(scene, 0, out, error) });
        assert!(node.is_ok_and(|node| !node.name.is_null()), "{about}");
        // SAFETY: all pointers are valid.
        if let Ok(found) = attempt(|out, error| unsafe { antiquary_scene_primitive(scene, 0, 0, out, error) })
        {
            // SAFETY: the library returned an array of this length.
            let indices = unsafe { std::slice::from_raw_parts(found.indices, found.index_count) };
            assert!(found.index_count == 0 || indices.iter().all(|it| (*it as usize) < found.vertex_count));
        }
        assert_eq!(antiquary_scene_free(scene), Status::Ok);
    }));
    // SAFETY: all pointers are valid.
    check(
        attempt(|out, error| unsafe { crate::product::antiquary_file_image(file, 0, out, error) })
            .map(|image: ImageHandle| assert_eq!(crate::image::antiquary_image_free(image), Status::Ok)),
    );
    // SAFETY: all pointers are valid.
    check(
        attempt(|out, error| unsafe { crate::product::antiquary_file_sound(file, 0, out, error) })
            .map(|sound: SoundHandle| assert_eq!(crate::sound::antiquary_sound_free(sound), Status::Ok)),
    );
    // SAFETY: all pointers are valid.
    check(
        attempt(|out, error| unsafe { crate::product::antiquary_file_table(file, 0, out, error) })
            .map(|table: TableHandle| assert_eq!(crate::table::antiquary_table_free(table), Status::Ok)),
    );
    // SAFETY: all pointers are valid.
    check(
        attempt(|out, error| unsafe { crate::product::antiquary_file_text(file, 0, out, error) })
            .map(|buffers: BuffersHandle| assert_eq!(antiquary_buffers_free(buffers), Status::Ok)),
    );
    // SAFETY: all pointers are valid.
    check(attempt(|out, error| unsafe { crate::archive::antiquary_file_archive(file, out, error) }).map(
        |archive: ArchiveHandle| {
            // SAFETY: all pointers are valid.
            let read = attempt(|out, error| unsafe {
                crate::archive::antiquary_archive_read(archive, 0, out, error)
            });
            match read {
                Ok(buffers) => assert_eq!(antiquary_buffers_free(buffers), Status::Ok),
                Err(fields) => assert_error(&fields, about),
            }
            assert_eq!(crate::archive::antiquary_archive_free(archive), Status::Ok);
        },
    ));
}

/// Opens a file by its path. Returns whether it could be opened.
fn open_path(path: &Path) -> bool {
    let about = path.display().to_string();
    let name = CString::new(path.to_str().unwrap()).unwrap();
    // SAFETY: all pointers are valid.
    match attempt(|out, error| unsafe { antiquary_open(name.as_ptr(), null(), out, error) }) {
        Ok(file) => {
            use_file(file, &about);
            assert_eq!(antiquary_file_free(file), Status::Ok);
            true
        }
        Err(fields) => {
            assert_error(&fields, &about);
            assert_eq!(fields.file.as_deref(), Some(about.as_str()));
            false
        }
    }
}

#[test]
fn damaged_files_are_opened_or_give_an_error_value() {
    let mut folders = Vec::new();
    for folder in ["grf/broken", "redguard/broken", "rsm/forged", "rsm_more/forged"] {
        let Some(folder) = ::corpus::folder(folder) else { return };
        folders.push(folder);
    }
    let files: Vec<_> = folders.iter().flat_map(|folder| ::corpus::all_files(folder)).collect();
    let opened = files.iter().filter(|path| open_path(path)).count();
    assert!(files.len() > 100, "only {} files", files.len());
    assert!(opened < files.len(), "no file gave an error");
}

#[test]
fn truncated_files_are_opened_or_give_an_error_value() {
    const MAX_LENGTH: u64 = 24 << 10;
    let Some(folder) = ::corpus::folder("redguard") else { return };
    let mut cuts = 0;
    for path in ::corpus::all_files(&folder) {
        if path.metadata().unwrap().len() > MAX_LENGTH || path.extension().is_some_and(|it| it == "json") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let name = CString::new(path.file_name().unwrap().to_str().unwrap()).unwrap();
        for part in 0..4 {
            cuts += 1;
            match open(&bytes[..bytes.len() * part / 4], &name) {
                Ok(file) => {
                    use_file(file, path.to_str().unwrap());
                    assert_eq!(antiquary_file_free(file), Status::Ok);
                }
                Err(fields) => assert_error(&fields, path.to_str().unwrap()),
            }
        }
    }
    assert!(cuts > 100, "only {cuts} inputs");
}
