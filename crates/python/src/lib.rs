//! Python bindings of the library: the native part of the package `antiquary`.
//!
//! The modules convert arguments and results; all work is done by the library, without the lock of the interpreter.
//!
//! | module | purpose |
//! | --- | --- |
//! | `argument` | paths, bytes, options of formats and settings of a run |
//! | `task` | runs work on another thread while the calling thread reports progress and handles Ctrl-C |
//! | `value`, `object` | results as Python objects, and Python objects as JSON values |
//! | `error` | errors of the library as exceptions, whose classes are in `python/antiquary/_errors.py` |
//! | `array` | lists of numbers as arrays of numpy |
//! | `operation` | functions that process files |
//! | `file`, `game`, `archive` | classes of opened files |
//! | `scene`, `image`, `sound`, `font`, `table` | classes of the values in files |

#![allow(clippy::too_many_arguments, reason = "keyword arguments of Python functions")]
#![allow(clippy::needless_pass_by_value, reason = "arguments are converted from Python objects")]
#![allow(clippy::doc_markdown, reason = "docstrings are not Markdown")]

mod archive;
mod argument;
mod array;
mod error;
mod file;
mod font;
mod game;
mod image;
mod object;
mod operation;
mod scene;
mod sound;
mod table;
mod task;
mod value;

/// The native part of the package; use `antiquary` instead.
#[pyo3::pymodule]
mod _antiquary {
    #[pymodule_export]
    use crate::archive::Archive;
    #[pymodule_export]
    use crate::file::{File, open};
    #[pymodule_export]
    use crate::font::Font;
    #[pymodule_export]
    use crate::game::Game;
    #[pymodule_export]
    use crate::image::{EncodedImage, Image};
    #[pymodule_export]
    use crate::operation::inspect::{check, describe, diff, find, formats, scan};
    #[pymodule_export]
    use crate::operation::script::{assemble_scripts, disassemble_scripts, find_in_scripts, run_scripts};
    #[pymodule_export]
    use crate::operation::write::{build, convert, pack, set, unpack, write_samples};
    #[pymodule_export]
    use crate::scene::{
        Animation, Light, Material, Mesh, MorphTarget, Node, Primitive, Scene, Skin, Texture, Track,
    };
    #[pymodule_export]
    use crate::sound::Sound;

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the usual name in Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
