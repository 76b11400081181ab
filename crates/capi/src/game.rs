//! Games: folders, archives or files in memory in which files are found by name.

use std::ffi::{CString, c_char};

use facade::{Game, Source};

use crate::buffers::BuffersObject;
use crate::call::{call, create, free};
use crate::file::FileObject;
use crate::format::c_name;
use crate::handle::{self, BuffersHandle, ErrorHandle, FileHandle, GameHandle, Handle};
use crate::options::OptionList;
use crate::pointer::{Bytes, Out, Text, Texts, list};
use crate::status::Status;

impl Handle for GameHandle {
    type Object = Game;
}

/// A file in memory.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct NamedBytes {
    /// Path from the root of the game, with `/` or `\`. UTF-8.
    pub name: *const c_char,
    /// The bytes, which are copied.
    pub data: *const u8,
    /// Number of bytes.
    pub length: usize,
}

/// Opens a game with mods: `folders` are the mods and the game, as folders or archives of a game, and end with `NULL`. A
/// file hides files of the same name in later folders.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_game_open(
    folders: *const *const c_char,
    game: *mut GameHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (folders, game, error) = unsafe { (Texts::new(folders), Out::new(game), Out::new(error)) };
    create((game, "game"), error, || Ok(Game::open_layers(&folders.required("folders")?)?))
}

/// Creates a game from files in memory, which are copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_game_from_memory(
    files: *const NamedBytes,
    count: usize,
    game: *mut GameHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers, and `count` files.
    let (files, game, error) = unsafe { (list(files, count, "files"), Out::new(game), Out::new(error)) };
    create((game, "game"), error, || {
        let mut sources = Vec::new();
        for file in files? {
            // SAFETY: the caller passes `NULL` or valid pointers in each file.
            let (name, data) = unsafe { (Text::new(file.name), Bytes::new(file.data, file.length)) };
            sources.push((name.get("name")?.to_owned(), Source::from_bytes(data.get("data")?)));
        }
        Ok(Game::from_files(sources)?)
    })
}

/// Gets the id of a game, such as `redguard`; `NULL` for files in memory that belong to no specific game. The text is a
/// constant.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_game_id(
    game: GameHandle,
    id: *mut *const c_char,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (id, error) = unsafe { (Out::new(id), Out::new(error)) };
    call(error, || {
        let object = handle::get(game)?;
        let name: Option<&'static CString> = object.info().and_then(|info| c_name(info.id));
        id.put("id", name.map_or(std::ptr::null(), |name| name.as_ptr()))
    })
}

/// Lists the files of a game: one buffer for each, whose name is the path from the root of the game, folder by folder, in
/// name order. The buffers are empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_game_files(
    game: GameHandle,
    files: *mut BuffersHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (files, error) = unsafe { (Out::new(files), Out::new(error)) };
    create((files, "files"), error, || {
        let object = handle::get(game)?;
        let mut out = BuffersObject::default();
        object.files().for_each(|path| out.push(&path, Vec::new()));
        Ok(out)
    })
}

/// Opens a file of a game by its path from the root. Letter case is ignored. `options` are those of its format, as for
/// `antiquary_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_game_file(
    game: GameHandle,
    path: *const c_char,
    options: *const *const c_char,
    file: *mut FileHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (path, options) = unsafe { (Text::new(path), Texts::new(options)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (file, error) = unsafe { (Out::new(file), Out::new(error)) };
    create((file, "file"), error, || {
        let options = OptionList::parse(options)?;
        FileObject::in_game(&*handle::get(game)?, path.get("path")?, options)
    })
}

/// Frees a game. Files that were opened in it stay valid. Does nothing for the handle 0.
#[unsafe(no_mangle)]
pub extern "C" fn antiquary_game_free(game: GameHandle) -> Status {
    free(game)
}
