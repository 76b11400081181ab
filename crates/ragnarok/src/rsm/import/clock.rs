//! Conversion of the times of a clip to integer frames.

use record::{Error, Result};
use scene::{Animation, Interpolation};

use super::{Settings, Version};

/// The frame rate and the length of an animation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    pub(super) frames_per_second: f64,
    /// Length in frames.
    pub(super) length: i32,
}

/// Frames per second for times in milliseconds: the time unit of models before 2.2, unless the scene was converted with another one.
const MILLISECONDS: f64 = 1000.0;

/// Frame rates in order of preference. With the last one, every key is close enough to a frame.
const FRAME_RATES: [f64; 8] = [30.0, 24.0, 25.0, 60.0, 50.0, 100.0, 120.0, MILLISECONDS];

/// Tolerance for a time to be at an integer frame, in frames.
const FRAME_TOLERANCE: f64 = 1e-3;

/// Relative rounding error of single-precision floats.
const ROUNDING: f64 = 2e-7;

/// A time in frames: at a frame, or between two frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Frame {
    At(i32),
    Between(i32, i32),
}

impl Clock {
    /// Chooses the clock of the model that the scene was converted from, or one that fits the keys.
    pub(super) fn choose(settings: &Settings, clip: Option<&Animation>, version: Version) -> Result<Self> {
        let known = match settings.version {
            Some(version) if version.is_absolute() => settings.frames_per_second,
            Some(_) => Some(settings.ticks_per_second.unwrap_or(MILLISECONDS)),
            None => None,
        };
        let known = known.filter(|frames| frames.is_normal() && *frames > 0.0);
        let times = || clip.into_iter().flat_map(|clip| &clip.tracks).flat_map(|track| &track.times);
        let frames_per_second = if version.is_absolute() {
            known.unwrap_or_else(|| {
                let fits = |choice: &f64| {
                    let clock = Self { frames_per_second: *choice, length: 0 };
                    times().all(|time| matches!(clock.frame(*time), Ok(Frame::At(_))))
                };
                FRAME_RATES.into_iter().find(fits).unwrap_or(MILLISECONDS)
            })
        } else if settings.version.is_some_and(|version| !version.is_absolute()) {
            known.unwrap_or(MILLISECONDS)
        } else {
            MILLISECONDS
        };
        let mut clock = Self { frames_per_second, length: 0 };
        let end = times().fold(0.0_f32, |end, time| end.max(*time));
        let stored = settings
            .animation_length
            .zip(known)
            .map(|(length, known)| (length, f64::from(length) / known, 1.5 / known.min(frames_per_second)));
        clock.length =
            match stored {
                Some((length, seconds, near))
                    if clip.is_none() || (seconds - f64::from(end)).abs() < near =>
                {
                    if known == Some(frames_per_second) { length } else { clock.to_frame(seconds)? }
                }
                _ => clock.to_frame(f64::from(end))?,
            };
        Ok(clock)
    }

    /// Returns the nearest integer frame.
    pub(super) fn to_frame(self, seconds: f64) -> Result<i32> {
        to_frame((seconds * self.frames_per_second).round())
    }

    /// Returns the frame of a time.
    pub(super) fn frame(self, seconds: f32) -> Result<Frame> {
        let frame = f64::from(seconds) * self.frames_per_second;
        let near = frame.round();
        if (frame - near).abs() <= FRAME_TOLERANCE.max(frame.abs() * ROUNDING) {
            return to_frame(near).map(Frame::At);
        }
        Ok(Frame::Between(to_frame(frame.floor())?, to_frame(frame.ceil())?))
    }

    pub(super) fn seconds(self, frame: i32) -> f64 {
        f64::from(frame) / self.frames_per_second
    }

    /// Number of frames between sampled keys of a spline.
    pub(super) fn step(self) -> i32 {
        to_frame((self.frames_per_second / 60.0).round()).unwrap_or(1).max(1)
    }
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "the range is checked")]
fn to_frame(frame: f64) -> Result<i32> {
    if frame.abs() <= f64::from(i32::MAX) {
        return Ok(frame as i32);
    }
    Err(Error::limit(format!(
        "the key at frame {frame} is later than the last possible frame ({})",
        i32::MAX
    )))
}

/// Whether values between two keys must be sampled.
pub(super) fn is_spline(track: &scene::Track) -> bool {
    track.interpolation == Interpolation::CubicSpline
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::{NodeId, Track};

    fn clip(times: &[f32]) -> Animation {
        let keys = times.iter().map(|time| (*time, glam::Vec3::ZERO));
        let track = Track::translation(NodeId(0), Interpolation::Linear, keys);
        Animation { tracks: vec![track], ..Animation::default() }
    }

    fn clock(times: &[f32]) -> (f64, i32) {
        let clock = Clock::choose(&Settings::default(), Some(&clip(times)), Version::V2_3).unwrap();
        (clock.frames_per_second, clock.length)
    }

    #[test]
    fn chooses_the_frame_rate_that_fits_the_keys() {
        assert_eq!(clock(&[0.0, 1.0 / 30.0, 2.0]), (30.0, 60));
        assert_eq!(clock(&[0.0, 1.0 / 24.0]), (24.0, 1));
        assert_eq!(clock(&[0.02]), (50.0, 1));
        assert_eq!(clock(&[0.123_45]), (1000.0, 123));
        let old = Clock::choose(&Settings::default(), Some(&clip(&[0.5])), Version::V1_5).unwrap();
        assert_eq!((old.frames_per_second, old.length), (1000.0, 500));
    }

    #[test]
    fn refuses_a_time_beyond_the_last_frame() {
        let error = Clock::choose(&Settings::default(), Some(&clip(&[1e30])), Version::V2_3).unwrap_err();
        assert!(error.message().contains("later than the last possible frame"), "{error}");
    }

    #[test]
    fn keeps_the_length_of_the_original_model_unless_the_clip_was_edited() {
        let settings = Settings {
            is_known: true,
            version: Some(Version::V2_3),
            animation_length: Some(90),
            frames_per_second: Some(20.0),
            ..Settings::default()
        };
        let length = |times: &[f32]| {
            Clock::choose(&settings, Some(&clip(times)), Version::V2_3).map(|clock| clock.length).unwrap()
        };
        assert_eq!((length(&[4.5]), length(&[6.0])), (90, 120));
        assert_eq!(Clock::choose(&settings, None, Version::V2_3).unwrap().length, 90);
        assert_eq!(Clock::choose(&settings, None, Version::V1_5).unwrap().length, 4500);
    }
}
