//! A small file of each format and version, for golden tests and as seeds for fuzzing.

use asset::Sink;
use record::Result;

use super::BRICKS;
use super::geometry::{Block, Build};
use crate::grf;
use crate::rsm::Name;
use crate::rsm::{
    RotationKey, Rsm, TextureAnimation, TextureKey, TextureTrack, VectorKey, Version, VolumeBox,
};

/// An archive of version 0x102 with scrambled names and encrypted files. Like all archives here, it contains the [files](FILES).
const SCRAMBLED: &[u8] = b"Master of Magic\0\x01\x01\x01\x01\x01\x01\x01\x01\
    \x01\x01\x01\x01\x01\x01 \0\0\0\xe8\x03\0\0\xf1\x03\0\0\x02\x01\0\0|\x99\
    oK\xd9|\x9d\x1cAE\x1d\xcfV\x93\x14Ei\x88\"2g[\x10\x14R\x84\
    \x10\x09\x14\0\x10E\x16\0\0\0\0\0\x13R\x12R\x80B\xb7\x02\xc7\x03\x11E\
    \x10PEE\0\0\0\0\xdf\x02\0\0\xdb\x92\0\0\x06\0\0\0\x01\0\0\0\
    \0\x16\0\0\0\0\0\x03V\x12B\x842\xb7c\xd6\xa2\x11\x15\x14AEE\0\
    \0\0\0\xff\x02\0\0\xdb\x92\0\0(\0\0\0\x01\x10\0\0\0";

/// An archive of version 0x300 with 64-bit offsets.
const WIDE: &[u8] = b"Master of Magic\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0 \0\0\0\0\0\0\0\x02\0\0\0\0\x03\0\0x\x9c\
    +N\xcc-\xc8I\x05\0\x08\xde\x02\x83\0\0x\x9ccg'\x0e\0\0\x16\x94\
    \x01\x19\0\0\0\0\0\0\0\09\0\0\0@\0\0\0x\x9c-\xc9!\x0e\
    \0 \x08F\xe1\xdfbr\x8ec\x988\x91\x05F\xb1\x98\x08\x1e_\xd8x\xdbK\
    \x9f\x89\xcb\x16\xf6\xe7\x98\0(\xeeqCe\xe9\xcaz.F\xf9J\xa7\xf2\x0fZ\
    \xb6\x08\x1f";

/// Offset of the least significant byte of the version.
const VERSION_AT: usize = 42;

/// The contents of each archive.
const FILES: [(&str, &[u8]); 2] = [("data\\a.txt", b"sample"), ("data\\b.bin", &[7; 40])];

/// Writes the files, each into a folder with the name of its format.
///
/// # Errors
/// Those of the sink.
pub fn specimens(sink: &mut dyn Sink) -> Result<()> {
    for version in Version::KNOWN {
        sink.put(&format!("rsm/{version}.{}", version.extension()), &model(version).write()?)?;
    }
    sink.put("grf/0x200.grf", &grf::write(&FILES)?)?;
    sink.put("grf/0x102.grf", SCRAMBLED)?;
    let mut newer = SCRAMBLED.to_vec();
    newer.splice(VERSION_AT..=VERSION_AT, [3]);
    sink.put("grf/0x103.grf", &newer)?;
    sink.put("grf/0x300.grf", WIDE)
}

/// Builds one side of a wall that uses all features of the version.
fn model(version: Version) -> Rsm {
    let build = Build { version };
    let mut model = Rsm::new(version);
    model.animation_length = 100;
    if let Some(textures) = &mut model.textures {
        *textures = vec![Name::from(BRICKS)];
    }
    model.roots = vec![Name::from("wall")];
    let sides = build.sides(Block::new([1.0, 2.0, 1.0], [0.0, 2.0, 0.0]));
    let mut wall = build.mesh("wall", "", BRICKS, [0.0; 3], sides.get(..1).unwrap_or_default());
    wall.rotation_keys = vec![RotationKey { frame: 0, quaternion: [0.0, 0.0, 0.0, 1.0] }];
    let step = |frame| VectorKey { frame, value: [0.0, 1.0, 0.0], data: 0 };
    if let Some(keys) = &mut wall.position_keys {
        keys.push(step(50));
    }
    if let Some(keys) = &mut wall.scale_keys {
        keys.push(VectorKey { value: [1.0, 2.0, 1.0], ..step(50) });
    }
    if let Some(animations) = &mut wall.texture_animations {
        let keys = vec![TextureKey { frame: 0, value: 0.5 }];
        animations.push(TextureAnimation { texture: 0, tracks: vec![TextureTrack { kind: 0, keys }] });
    }
    model.meshes.push(wall);
    let flag = (version >= Version::V1_3).then_some(1);
    model.volume_boxes = Some(vec![VolumeBox { size: [4.0; 3], flag, ..VolumeBox::default() }]);
    model
}
