//! Animation of a model as tracks of a glTF clip, which match the game at every time, including between keys.
//!
//! glTF interpolates like the game: vectors and numbers linearly, rotations along the shorter arc. Additional keys make up for the
//! differences:
//! - the clip starts at 0 and ends with the animation, so tracks get a key at both ends;
//! - if several keys are at one frame, the value jumps, so a key just before the frame holds the previous value;
//! - if a rotation is close to half a turn, the shorter arc would depend on rounding errors, so a key in the middle determines it;
//! - texture coordinates rotate around the center of the texture, in glTF around its corner. The offset compensates for this along an arc,
//!   which is approximated with many short lines.

use ::scene::{Interpolation, MaterialId, NodeId, Target, Track as Channel, UvTransform};
use glam::{DQuat, DVec2, DVec3};

use crate::axes::{Axes, uv_rotation, uv_transformed};
use crate::rsm::pose::{Blend, Model, Track, UvAnimation, UvTransformState, unit};

/// Conversion of frames to seconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    frames_per_second: f64,
    /// Length of the loop in frames.
    length: f64,
}

impl Clock {
    /// Creates the clock of a model. `None` if the model is static.
    pub(super) fn of(model: &Model<'_>) -> Option<Self> {
        model.duration()?;
        let length = f64::from(model.rsm().animation_length);
        Some(Self { frames_per_second: model.frames_per_second(), length })
    }

    fn seconds(self, frame: f64) -> f32 {
        single(frame / self.frames_per_second)
    }

    /// Returns the frames at which the motion may change: the first frame, the frames of the keys, and the last frame.
    fn corners(self, keys: impl Iterator<Item = f64>) -> Vec<f64> {
        let inside = keys.filter(|frame| *frame > 0.0 && *frame < self.length);
        let mut frames: Vec<f64> = std::iter::once(0.0).chain(inside).collect();
        frames.push(self.length);
        frames.sort_by(f64::total_cmp);
        frames.dedup();
        frames
    }

    /// Returns the values just before and at each frame. The first frame has no value before it, and the last one has none after it.
    fn sides<T: Copy>(
        self,
        frames: Vec<f64>,
        until: impl Fn(f64) -> T,
        at: impl Fn(f64) -> T,
    ) -> Vec<Corner<T>> {
        let corner = |frame: f64| {
            let before = if frame > 0.0 { until(frame) } else { at(frame) };
            let after = if frame < self.length { at(frame) } else { before };
            Corner { frame, before, after }
        };
        frames.into_iter().map(corner).collect()
    }
}

/// A frame at which a value may jump.
#[derive(Debug, Clone, Copy)]
struct Corner<T> {
    frame: f64,
    before: T,
    after: T,
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "files hold single floats")]
pub(super) fn single(number: f64) -> f32 {
    number as f32
}

/// Keys being built. Times increase strictly, and numbers are finite.
#[derive(Debug)]
struct Keys<const N: usize>(Vec<(f32, [f32; N])>);

impl<const N: usize> Keys<N> {
    fn push(&mut self, time: f32, value: [f32; N]) {
        if !time.is_finite() || value.iter().any(|number| !number.is_finite()) {
            return;
        }
        match self.0.last_mut() {
            // For frames that are equal in single precision, the later one is used.
            Some((last, kept)) if time <= *last => *kept = value,
            _ => self.0.push((time, value)),
        }
    }

    /// Adds a key. If the value jumps, also adds a key just before it.
    fn corner(&mut self, time: f32, before: [f32; N], after: [f32; N]) {
        let just_before = time.next_down();
        if before != after && self.0.last().is_some_and(|(last, _)| *last < just_before) {
            self.push(just_before, before);
        }
        self.push(time, after);
    }

    fn channel(self, target: Target) -> Channel {
        Channel::from_keys(target, Interpolation::Linear, self.0)
    }
}

/// Converts a track of positions or scale factors. `map` converts a value from the game to glTF.
pub(super) fn vectors(
    clock: Clock,
    track: &Track<DVec3>,
    target: Target,
    map: impl Fn(DVec3) -> DVec3,
) -> Channel {
    let map = |value: DVec3| map(value).to_array().map(single);
    let mut keys = Keys(Vec::new());
    let frames = clock.corners(track.frames());
    for corner in clock.sides(frames, |frame| track.until(frame), |frame| track.at(frame)) {
        keys.corner(clock.seconds(corner.frame), map(corner.before), map(corner.after));
    }
    keys.channel(target)
}

/// Cosine below which two rotations get a key between them.
const MIN_COSINE: f64 = 0.1;

/// Converts a track of rotations.
pub(super) fn rotations(clock: Clock, track: &Track<DQuat>, node: NodeId, axes: &Axes) -> Channel {
    let mut keys = Keys(Vec::new());
    let mut last: Option<DQuat> = None;
    // Two quaternions represent the same rotation. Uses the one nearer to the last, for viewers that do not check.
    let mut near = |rotation: DQuat| {
        let rotation = axes.rotation(unit(rotation));
        let rotation = if last.is_some_and(|last| last.dot(rotation) < 0.0) { -rotation } else { rotation };
        if rotation.is_finite() {
            last = Some(rotation);
        }
        rotation.to_array().map(single)
    };
    let frames = clock.corners(track.frames());
    let mut earlier: Option<Corner<DQuat>> = None;
    for corner in clock.sides(frames, |frame| track.until(frame), |frame| track.at(frame)) {
        if let Some(earlier) = earlier
            && unit(earlier.after).dot(unit(corner.before)).abs() < MIN_COSINE
        {
            let middle = (earlier.frame + corner.frame) / 2.0;
            keys.push(clock.seconds(middle), near(earlier.after.blend(corner.before, 0.5)));
        }
        let before = near(corner.before);
        let after = if corner.before == corner.after { before } else { near(corner.after) };
        keys.corner(clock.seconds(corner.frame), before, after);
        earlier = Some(corner);
    }
    keys.channel(Target::Rotation(node))
}

/// Converts a transform of texture coordinates to glTF: scale, rotation, then translation, all relative to the corner of the texture.
///
/// glTF cannot scale non-uniformly after a rotation. In this case, the scale is applied first.
pub(super) fn uv_transform(state: &UvTransformState) -> UvTransform {
    let UvTransformState { translation, scale, rotation } = *state;
    let rotation = uv_rotation(rotation);
    let middle = DVec2::splat(0.5);
    let offset = middle - uv_transformed(scale, rotation, middle) + translation;
    UvTransform {
        offset: offset.to_array().map(single),
        rotation: single(rotation),
        scale: scale.to_array().map(single),
    }
}

/// The animation of a material's texture.
#[derive(Debug)]
pub(super) struct UvChannels {
    pub(super) channels: Vec<Channel>,
    /// Whether the texture rotates while it is scaled non-uniformly.
    pub(super) is_uneven: bool,
    /// Whether the texture rotates too often for the offset to be exact.
    pub(super) is_rough: bool,
}

/// Maximum distance of the offset from the arc, in texture widths.
const MAX_OFFSET_ERROR: f64 = 2e-6;

/// Maximum number of lines for one material.
const MAX_SEGMENTS: usize = 1 << 14;

/// Converts the animation of a texture.
pub(super) fn uv_channels(clock: Clock, motion: &UvAnimation, material: MaterialId) -> UvChannels {
    let frames = clock.corners(motion.tracks().flat_map(Track::frames));
    let corners = clock.sides(frames, |frame| motion.until(frame), |frame| motion.at(frame));
    let states = || corners.iter().flat_map(|corner| [corner.before, corner.after]);
    let turns = states().any(|state| state.rotation != 0.0);
    let mut out = UvChannels {
        channels: Vec::new(),
        is_uneven: turns && states().any(|state| state.scale.x != state.scale.y),
        is_rough: false,
    };
    let (mut offsets, mut scales, mut rotations) = (Keys(Vec::new()), Keys(Vec::new()), Keys(Vec::new()));
    let mut earlier: Option<Corner<UvTransformState>> = None;
    let mut lines_left = MAX_SEGMENTS;
    for corner in &corners {
        if let Some(earlier) = earlier {
            let wanted = lines(&earlier.after, &corner.before);
            let lines = wanted.min(lines_left);
            out.is_rough |= lines < wanted;
            lines_left = lines_left.saturating_sub(lines);
            for line in 1..lines {
                let share = ratio(line, lines);
                let state = blend(&earlier.after, &corner.before, share);
                let frame = earlier.frame.blend(corner.frame, share);
                offsets.push(clock.seconds(frame), uv_transform(&state).offset);
            }
        }
        let (time, before, after) =
            (clock.seconds(corner.frame), uv_transform(&corner.before), uv_transform(&corner.after));
        offsets.corner(time, before.offset, after.offset);
        scales.corner(time, before.scale, after.scale);
        rotations.corner(time, [before.rotation], [after.rotation]);
        earlier = Some(*corner);
    }
    out.channels.push(offsets.channel(Target::MaterialUvOffset(material)));
    if motion.scale.iter().any(Option::is_some) {
        out.channels.push(scales.channel(Target::MaterialUvScale(material)));
    }
    if motion.rotation.is_some() {
        out.channels.push(rotations.channel(Target::MaterialUvRotation(material)));
    }
    out
}

/// Returns the number of lines that approximate the arc of the offset.
fn lines(from: &UvTransformState, to: &UvTransformState) -> usize {
    let angle = (to.rotation - from.rotation).abs();
    let reach = from.scale.abs().max(to.scale.abs()).max_element() * std::f64::consts::FRAC_1_SQRT_2;
    // Even if the scale changes in between, the curvature is at most twice that of the widest arc.
    let each = (8.0 * MAX_OFFSET_ERROR / (2.0 * reach).max(f64::MIN_POSITIVE)).sqrt();
    let lines = (angle / each).ceil();
    if lines.is_finite() && lines > 1.0 { to_usize(lines) } else { 1 }
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "positive; a number that is too large becomes the maximum"
)]
fn to_usize(number: f64) -> usize {
    number as usize
}

#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "small numbers")]
fn ratio(part: usize, total: usize) -> f64 {
    part as f64 / total as f64
}

fn blend(from: &UvTransformState, to: &UvTransformState, share: f64) -> UvTransformState {
    UvTransformState {
        translation: from.translation.lerp(to.translation, share),
        scale: from.scale.lerp(to.scale, share),
        rotation: from.rotation.blend(to.rotation, share),
    }
}
