//! Formats, and the detection of a file's format.

use std::ffi::{CString, c_char};
use std::sync::LazyLock;

use facade::{CATALOG, Format, Source};

use crate::call::call;
use crate::failure::item;
use crate::handle::ErrorHandle;
use crate::pointer::{Bytes, Out, Text};
use crate::status::Status;
use crate::string::c_string;

/// The names of all formats and games as strings of C, which are never freed.
static NAMES: LazyLock<Vec<(&'static str, CString)>> = LazyLock::new(|| {
    let formats = facade::formats().flat_map(|format| [format.id, format.name]);
    let games = facade::GAMES.iter().flat_map(|game| [game.id, game.name]);
    formats.chain(games).map(|name| (name, c_string(name))).collect()
});

/// Returns the constant text for a name of a format or game.
pub(crate) fn c_name(name: &str) -> Option<&'static CString> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, text)| text)
}

/// A format. The texts are constants.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct FormatInfo {
    /// Id, such as `scpcb.rmesh`; `NULL` if the format is unknown.
    pub id: *const c_char,
    /// Name for users.
    pub name: *const c_char,
    /// Id of the game that the format belongs to; `NULL` if it belongs to none.
    pub game: *const c_char,
}

impl FormatInfo {
    pub(crate) fn new(format: Option<&Format>) -> Self {
        let pointer =
            |name: Option<&str>| name.and_then(c_name).map_or(std::ptr::null(), |text| text.as_ptr());
        Self {
            id: pointer(format.map(|format| format.id)),
            name: pointer(format.map(|format| format.name)),
            game: pointer(format.and_then(|format| format.game)),
        }
    }
}

/// Returns the number of formats.
#[unsafe(no_mangle)]
pub extern "C" fn antiquary_format_count() -> usize {
    facade::formats().count()
}

/// Gets a format by its index.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_format_get(
    index: usize,
    format: *mut FormatInfo,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (format, error) = unsafe { (Out::new(format), Out::new(error)) };
    call(error, || {
        let formats: Vec<_> = facade::formats().collect();
        format.put("format", FormatInfo::new(Some(item("format", &formats, index)?)))
    })
}

/// Detects the format of bytes, by their content first and by the name second. `name` may be `NULL`. If no known format
/// matches, all pointers in `format` are `NULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_detect(
    data: *const u8,
    length: usize,
    name: *const c_char,
    format: *mut FormatInfo,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers, and `length` bytes.
    let (data, name) = unsafe { (Bytes::new(data, length), Text::new(name)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (format, error) = unsafe { (Out::new(format), Out::new(error)) };
    call(error, || {
        let source = Source::from_bytes(data.get("data")?);
        let found = CATALOG.detect(&source, name.optional("name")?)?;
        format.put("format", FormatInfo::new(found.map(|found| found.format)))
    })
}
