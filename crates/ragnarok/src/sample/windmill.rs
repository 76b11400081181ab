//! The models of the sample.

use std::f32::consts::FRAC_PI_4;

use super::geometry::{Block, Build};
use super::{BAND, BRICKS, CANVAS, SHINGLES, TEXTURES, VANE_TEXTURE};
use crate::rsm::Name;
use crate::rsm::{RotationKey, Rsm, TextureAnimation, TextureKey, TextureTrack, VectorKey, Version};

/// Builds a windmill: a tower and a rotating axle with four sails; since 2.2 a lift, since 2.3 a moving band.
///
/// The axes are those of the version: Y down before 2.2, Y up and mirrored since.
#[must_use]
pub fn windmill(version: Version) -> Rsm {
    let build = Build { version };
    let (up, is_new) = (build.up(), version.is_absolute());
    let mut model = Rsm::new(version);
    let length = if is_new { 120 } else { 4000 };
    model.animation_length = length;
    if let Some(textures) = &mut model.textures {
        let used = if is_new { 3 } else { 2 };
        *textures = TEXTURES.into_iter().take(used).map(Name::from).collect::<Vec<_>>();
    }
    model.roots = vec![Name::from("tower")];
    let walls = Block { top: [0.7; 2], ..Block::new([8.0, 20.0, 8.0], [0.0, 20.0, 0.0]) };
    model.meshes.push(build.mesh("tower", "", BRICKS, [0.0; 3], &build.sides(walls)));
    // The axle protrudes from the front.
    let hub = [0.0, 34.0 * up, -9.0];
    let shaft = Block::new([1.0, 1.0, 2.0], [0.0; 3]);
    let mut axle = build.mesh("axle", "tower", BRICKS, hub, &build.sides(shaft));
    axle.rotation_keys = (0..=4_i16)
        .map(|quarter| {
            let half = f32::from(quarter) * FRAC_PI_4;
            let frame = (length / 4) * i32::from(quarter);
            // Mirroring since 2.2 reverses the rotation.
            let sine = if is_new { -half.sin() } else { half.sin() };
            RotationKey { frame, quaternion: [0.0, 0.0, sine, half.cos()] }
        })
        .collect();
    model.meshes.push(axle);
    for (number, [x, y]) in [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]].into_iter().enumerate() {
        let size = [if x == 0.0 { 2.0 } else { 7.0 }, if y == 0.0 { 2.0 } else { 7.0 }, 0.2];
        let cloth = build.sides(Block::new(size, [x * 9.0, y * 9.0, 0.0]));
        let position = if is_new { hub } else { [0.0; 3] };
        let mut sail = build.mesh(&format!("sail {number}"), "axle", CANVAS, position, &cloth);
        sail.faces.iter_mut().for_each(|face| face.two_sided = 1);
        model.meshes.push(sail);
    }
    if version >= Version::V2_2 {
        model.meshes.push(lift(build, length));
    }
    model
}

/// Builds the windmill with a cap, which has its own texture.
pub(super) fn capped(version: Version) -> Rsm {
    let build = Build { version };
    let mut model = windmill(version);
    let tip = Block { top: [0.05, 0.6], ..Block::new([7.0, 4.0, 7.0], [0.0; 3]) };
    let position = [0.0, 44.0 * build.up(), 0.0];
    let mut cap = build.mesh("cap", "tower", SHINGLES, position, &build.sides(tip));
    if let Some(textures) = &mut model.textures {
        cap.texture_indices = i32::try_from(textures.len()).ok().map(|number| vec![number]);
        textures.push(Name::from(SHINGLES));
    }
    model.meshes.push(cap);
    model
}

/// Builds a lift that moves up and down next to the tower. Since 2.3, the band around it moves.
fn lift(build: Build, length: i32) -> crate::rsm::Mesh {
    let cabin = build.sides(Block::new([2.0, 2.0, 2.0], [0.0; 3]));
    let mut lift = build.mesh("lift", "tower", BAND, [12.0, 2.0, 0.0], &cabin);
    let key = |frame: i32, height: f32| VectorKey { frame, value: [12.0, height, 0.0], data: 0 };
    lift.position_keys = Some(vec![key(0, 2.0), key(length / 2, 30.0), key(length, 2.0)]);
    if build.version >= Version::V2_3 {
        let keys = vec![TextureKey { frame: 0, value: 0.0 }, TextureKey { frame: length, value: -2.0 }];
        let tracks = vec![TextureTrack { kind: 0, keys }];
        lift.texture_animations = Some(vec![TextureAnimation { texture: 0, tracks }]);
    }
    lift
}

/// Builds a weather vane of version 1.5: a post, whose texture is in the archive, and an arrow that swings around it.
pub(super) fn vane() -> Rsm {
    let build = Build { version: Version::V1_5 };
    let mut model = Rsm::new(build.version);
    model.animation_length = 3000;
    model.shade_type = 1;
    model.textures = Some(vec![Name::from(VANE_TEXTURE), Name::from(BRICKS)]);
    model.roots = vec![Name::from("post")];
    let post = build.sides(Block::new([0.3, 5.0, 0.3], [0.0, 5.0, 0.0]));
    let mut post = build.mesh("post", "", BRICKS, [0.0; 3], &post);
    post.texture_indices = Some(vec![1]);
    model.meshes.push(post);
    let plate = build.sides(Block::new([4.0, 2.0, 0.1], [1.0, 0.0, 0.0]));
    let mut arrow = build.mesh("arrow", "post", VANE_TEXTURE, [0.0, -10.0, 0.0], &plate);
    arrow.faces.iter_mut().for_each(|face| face.two_sided = 1);
    arrow.rotation_keys = [(0, 0.0_f32), (1000, 0.5), (1800, -0.3), (3000, 0.0)]
        .map(|(frame, half)| RotationKey { frame, quaternion: [0.0, half.sin(), 0.0, half.cos()] })
        .to_vec();
    model.meshes.push(arrow);
    model
}
