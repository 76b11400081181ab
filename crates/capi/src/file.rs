//! Opened files.

use std::ffi::{CString, c_char};
use std::path::Path;
use std::sync::Arc;

use facade::scene::Product;
use facade::{CATALOG, Game, Input, Inputs, Install, Opened, ProductKind, Session, Source};

use crate::call::{call, create, free};
use crate::failure::Failure;
use crate::format::FormatInfo;
use crate::handle::{self, ErrorHandle, FileHandle, Handle};
use crate::options::OptionList;
use crate::pointer::{Bytes, Out, Text, Texts};
use crate::status::Status;
use crate::string::c_string;

/// The object of a file handle.
#[derive(Debug)]
pub struct FileObject {
    path: CString,
    pub(crate) opened: Opened,
    /// The same file as the only input of operations.
    pub(crate) input: Input,
    /// The game in which it was opened.
    install: Option<Arc<Install>>,
}

impl Handle for FileHandle {
    type Object = FileObject;
}

impl FileObject {
    /// Opens an input. Options are `game` and those of the format.
    fn open(input: Input, mut options: OptionList) -> Result<Self, Failure> {
        let games = options.take_all("game");
        let mut opened = input.open(CATALOG)?;
        let mut install = None;
        if !games.is_empty() {
            let found = Arc::clone(Game::open_layers(&games)?.install());
            opened = opened.with_install(Arc::clone(&found));
            install = Some(found);
        }
        Self::new(opened, input, install, options)
    }

    /// Opens a file of a game.
    pub(crate) fn in_game(game: &Game, path: &str, options: OptionList) -> Result<Self, Failure> {
        let opened = game.file(path)?;
        let inputs = Inputs::of_install(game.install(), path)?;
        let input = inputs.iter().next().ok_or_else(|| facade::Error::usage("no such file").in_file(path))?;
        Self::new(opened, input.clone(), Some(Arc::clone(game.install())), options)
    }

    /// Opens an entry of an archive.
    pub(crate) fn in_memory(name: &str, source: Source, options: OptionList) -> Result<Self, Failure> {
        Self::open(Input::of_source(name, source), options)
    }

    fn new(
        opened: Opened,
        input: Input,
        install: Option<Arc<Install>>,
        options: OptionList,
    ) -> Result<Self, Failure> {
        let opened = opened.with_options(&options.into_format_options())?;
        Ok(Self { path: c_string(&input.path().to_string_lossy()), opened, input, install })
    }

    /// Creates a session that looks up references as the file does.
    pub(crate) fn session(&self, options: &mut OptionList) -> Result<Session<'static>, Failure> {
        let session = options.session(&())?;
        Ok(match &self.install {
            Some(install) => session.install(Arc::clone(install)),
            None => session,
        })
    }

    /// Makes a product.
    pub(crate) fn product(&self, kind: ProductKind, index: usize) -> Result<(String, Product<'_>), Failure> {
        match self.opened.product(kind, index)? {
            Some(made) => {
                let name = made.name_in_file().unwrap_or_default().to_owned();
                Ok((name, made.into_value()))
            }
            None => Err(Failure::index(kind.name(), index, self.opened.product_count(kind)?)),
        }
    }
}

/// Opens a file. Its format is detected from the content, then from the name.
///
/// `path` is a file on disk, or in an archive (`data.grf/data/model/mill.rsm`). The game around the file supplies what it
/// refers to, such as textures; with the option `game=FOLDER`, that game does (several take precedence in order). The other
/// `options` are those of the format, as `antiquary formats ID` lists them: `light=baked`. They end with `NULL`; `NULL`
/// selects the defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_open(
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
        let input = Input::find(CATALOG, Path::new(path.get("path")?));
        FileObject::open(input, OptionList::parse(options)?)
    })
}

/// Opens bytes, which are copied. `name` helps to detect the format and may be `NULL`. `options` are those of
/// `antiquary_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_open_memory(
    data: *const u8,
    length: usize,
    name: *const c_char,
    options: *const *const c_char,
    file: *mut FileHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers, and `length` bytes.
    let (data, name, options) = unsafe { (Bytes::new(data, length), Text::new(name), Texts::new(options)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (file, error) = unsafe { (Out::new(file), Out::new(error)) };
    create((file, "file"), error, || {
        let source = Source::from_bytes(data.get("data")?);
        let name = name.optional("name")?.unwrap_or_default();
        FileObject::in_memory(name, source, OptionList::parse(options)?)
    })
}

/// The properties of a file. The pointers are valid until the file is freed.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct FileInfo {
    /// The path or name under which the file was opened.
    pub path: *const c_char,
    /// Its format.
    pub format: FormatInfo,
    /// Length in bytes.
    pub length: u64,
}

/// Gets the properties of a file. The pointers are valid until the file is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_file_get(
    file: FileHandle,
    info: *mut FileInfo,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (info, error) = unsafe { (Out::new(info), Out::new(error)) };
    call(error, || {
        let object = handle::get(file)?;
        info.put(
            "info",
            FileInfo {
                path: object.path.as_ptr(),
                format: FormatInfo::new(Some(object.opened.format)),
                length: object.opened.source.len(),
            },
        )
    })
}

/// Frees a file. Scenes, images and other objects that were created from it stay valid. Does nothing for the handle 0.
#[unsafe(no_mangle)]
pub extern "C" fn antiquary_file_free(file: FileHandle) -> Status {
    free(file)
}
