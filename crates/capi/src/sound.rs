//! Decoded sounds.

use std::ffi::{CString, c_char};

use facade::scene::Sound;
use facade::scene::sound::Depth;

use crate::call::{call, free};
use crate::handle::{self, ErrorHandle, Handle, SoundHandle};
use crate::pointer::{Out, start};
use crate::status::Status;
use crate::string::c_string;

/// The object of a sound handle.
#[derive(Debug)]
pub struct SoundObject {
    name: CString,
    sound: Sound,
    loops: Vec<SampleLoop>,
}

impl Handle for SoundHandle {
    type Object = SoundObject;
}

impl SoundObject {
    pub(crate) fn new(name: &str, sound: Sound) -> Self {
        let loops = sound.loops.iter().flatten();
        let loops = loops.map(|it| SampleLoop { start: it.start, end: it.end, times: it.times }).collect();
        Self { name: c_string(name), sound, loops }
    }
}

/// A section of a sound that is repeated.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct SampleLoop {
    /// The first frame.
    pub start: u32,
    /// The frame after the last one.
    pub end: u32,
    /// Number of times it is played; 0 is infinite.
    pub times: u32,
}

/// The samples of a sound. The pointers are valid until the sound is freed.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct SoundInfo {
    /// Name of the sound in its file; empty if it is the only one.
    pub name: *const c_char,
    /// Sample rate in frames per second.
    pub rate: u32,
    /// Number of channels: 1 for mono, 2 for stereo (left first).
    pub channels: u32,
    /// Bits per sample: 8 (unsigned), 16, 24 or 32 (signed, little-endian).
    pub bits: u32,
    /// Whether the samples are floating-point numbers of 32 bits from -1 to 1.
    pub is_float: bool,
    /// Number of frames. Each has one sample per channel.
    pub frame_count: u64,
    /// The samples, frame after frame.
    pub data: *const u8,
    /// Length of the samples in bytes.
    pub length: usize,
    /// The loops.
    pub loops: *const SampleLoop,
    /// Number of loops.
    pub loop_count: usize,
}

/// Gets the samples of a sound. The pointers are valid until the sound is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_sound_get(
    sound: SoundHandle,
    info: *mut SoundInfo,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (info, error) = unsafe { (Out::new(info), Out::new(error)) };
    call(error, || {
        let object = handle::get(sound)?;
        let sound = &object.sound;
        info.put(
            "info",
            SoundInfo {
                name: object.name.as_ptr(),
                rate: sound.form.rate,
                channels: sound.form.channels.into(),
                bits: sound.form.depth.bits().into(),
                is_float: sound.form.depth == Depth::Float,
                frame_count: sound.frames(),
                data: start(&sound.data),
                length: sound.data.len(),
                loops: start(&object.loops),
                loop_count: object.loops.len(),
            },
        )
    })
}

/// Frees a sound, and everything that was borrowed from it. Does nothing for the handle 0.
#[unsafe(no_mangle)]
pub extern "C" fn antiquary_sound_free(sound: SoundHandle) -> Status {
    free(sound)
}
