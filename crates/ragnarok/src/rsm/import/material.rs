//! Conversion of materials to textures of a model, with sidedness and texture animation.
//!
//! The name of a texture is the one in the extras of the material, unless its image has been replaced. Otherwise, it is the name of the
//! image or of the material, with a file extension that the game can read.

use std::collections::BTreeMap;

use asset::Report;
use glam::DVec2;
use record::Result;
use scene::gltf::without_hash;
use scene::{
    AlphaMode, Image, ImageId, Material, MaterialId, Scene, Shading, Sidedness, Target, Texture, UvTransform,
};

use super::super::animation::single;
use super::super::material::DIGEST;
use super::super::texture::folded;
use super::super::{MAX_COUNT, TextureKey, TextureTrack, warning};
use super::Import;
use super::curve::{self, Keys, Pair, thin};
use super::part::writable;
use crate::axes::{uv_rotation, uv_transformed};
use crate::rsm::Name;
use crate::rsm::pose::{Blend, Track};

/// The properties of faces with a material.
#[derive(Debug, Clone, Default)]
pub(super) struct TextureUse {
    pub(super) texture: Name,
    /// Equal for materials with the same texture and the same animation.
    pub(super) number: usize,
    pub(super) two_sided: i32,
    pub(super) is_unlit: bool,
    /// Index of the set of texture coordinates.
    pub(super) uv_set: usize,
    /// Static transform of the texture coordinates.
    pub(super) moved: Option<UvTransform>,
    pub(super) motion: Vec<TextureTrack>,
}

/// The texture uses of all materials.
#[derive(Debug, Default)]
pub(super) struct TextureUses {
    known: Vec<TextureUse>,
    plain: TextureUse,
    new: NewTextures,
}

/// Textures that the game does not have, with their images.
#[derive(Debug, Default)]
pub(super) struct NewTextures {
    files: Vec<(Name, Option<ImageId>)>,
    /// Index of each texture by its normalized name.
    known: BTreeMap<String, usize>,
}

impl NewTextures {
    /// Adds a texture with a name, or with a similar one if the name is used by another image.
    fn add(&mut self, scene: &Scene, text: &str, image: Option<ImageId>) -> Name {
        let bytes = |image: Option<ImageId>| {
            image.and_then(|image| scene.images.get(image.0)).map(|image| &image.encoded.bytes)
        };
        let (stem, extension) = text.rsplit_once('.').unwrap_or((text, "bmp"));
        for number in 1..=MAX_COUNT {
            let name = match number {
                1 => writable(text).0,
                _ => writable(&format!("{stem} {number}.{extension}")).0,
            };
            let Some(index) = self.known.get(&folded(&name)) else {
                self.known.insert(folded(&name), self.files.len());
                self.files.push((name.clone(), image));
                return name;
            };
            match self.files.get(*index) {
                Some((known, other)) if bytes(*other) == bytes(image) => return known.clone(),
                _ => {}
            }
        }
        writable(text).0
    }

    /// Returns the textures in the order of the materials.
    pub(super) fn into_files(self) -> Vec<(Name, Option<ImageId>)> {
        self.files
    }
}

impl TextureUses {
    pub(super) fn of(import: &mut Import<'_>, report: &mut Report) -> Result<Self> {
        let scene = import.scene;
        let mut known = Vec::with_capacity(scene.materials.len());
        let mut new = NewTextures::default();
        let mut numbers: BTreeMap<Key, usize> = BTreeMap::new();
        for (number, material) in scene.materials.iter().enumerate() {
            let mut texture_use = texture_use(import, MaterialId(number), material, &mut new, report)?;
            texture_use.number = *numbers.entry(texture_use.key()).or_insert(number);
            known.push(texture_use);
        }
        let mut primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let texture = match primitives.any(|primitive| primitive.material.is_none()) {
            true => new.add(scene, &format!("{UNNAMED}.bmp"), None),
            false => Name::default(),
        };
        Ok(Self {
            known,
            plain: TextureUse { texture, number: scene.materials.len(), ..TextureUse::default() },
            new,
        })
    }

    /// Returns the textures that must be written.
    pub(super) fn into_new(self) -> NewTextures {
        self.new
    }

    pub(super) fn get(&self, material: Option<MaterialId>) -> &TextureUse {
        material.and_then(|material| self.known.get(material.0)).unwrap_or(&self.plain)
    }
}

/// A texture and its animation, with the bits of the values.
type Key = (Name, Vec<(i32, Vec<(i32, u32)>)>);

impl TextureUse {
    fn key(&self) -> Key {
        let keys =
            |track: &TextureTrack| track.keys.iter().map(|key| (key.frame, key.value.to_bits())).collect();
        (self.texture.clone(), self.motion.iter().map(|track| (track.kind, keys(track))).collect())
    }
}

fn texture_use(
    import: &mut Import<'_>,
    id: MaterialId,
    material: &Material,
    new: &mut NewTextures,
    report: &mut Report,
) -> Result<TextureUse> {
    import.count_lost("colors of materials", usize::from(material.base_color != [1.0; 4]));
    import.count_lost("emissive materials", usize::from(material.emissive != [0.0; 3]));
    import.count_lost("lightmaps", material.lightmap.iter().count());
    let shines = material.shading == Shading::Lit && (material.metallic > 0.0 || material.roughness < 1.0);
    import.count_lost("metallic and glossy materials", usize::from(shines));
    let colors = curve::find(import, Target::MaterialBaseColor(id));
    import.count_lost("animated colors", colors.iter().count());
    let reference = material.base_color_texture;
    let still = reference.and_then(|reference| reference.transform);
    let motion = motion(import, id, still.unwrap_or_default(), report)?;
    Ok(TextureUse {
        texture: texture(import.scene, material, new),
        two_sided: i32::from(material.sidedness == Sidedness::Double),
        number: id.0,
        is_unlit: material.shading == Shading::Unlit,
        uv_set: reference.map_or(0, |reference| reference.uv_set),
        moved: still.filter(|_| motion.is_empty()),
        motion,
    })
}

/// Extensions of textures in the game.
const EXTENSIONS: [&str; 6] = ["bmp", "tga", "jpg", "jpeg", "png", "bik"];

/// The texture name for a missing material or a material without a name, because faces always need a texture.
const UNNAMED: &str = "unnamed";

/// Prefix of the image name of a missing texture in converted scenes.
const MISSING: &str = "missing ";

/// Returns the texture of a material: the one in its extras, unless its image has been replaced; otherwise the name of its image, or its
/// own name.
fn texture(scene: &Scene, material: &Material, new: &mut NewTextures) -> Name {
    let texture = material.base_color_texture.and_then(|reference| scene.textures.get(reference.texture.0));
    let id = texture.map(|texture| texture.image);
    let image = id.and_then(|image| scene.images.get(image.0));
    if let Some(kept) = kept_texture(material, texture, image) {
        let digest = material.extras.get(DIGEST).and_then(|digest| digest.as_str());
        if let (Some(image), Some(digest)) = (image, digest)
            && image.encoded.digest() != digest
        {
            return new.add(scene, &kept.text(), id);
        }
        return kept;
    }
    let text = image.map_or("", |image| image.name.strip_prefix(MISSING).unwrap_or(&image.name));
    let text = if text.is_empty() { material.name.as_str() } else { text };
    let stem = without_hash(without_extension(text)).replace('/', "\\");
    let stem = if stem.is_empty() { UNNAMED } else { &stem };
    let own = text.get(stem.len()..).and_then(|rest| rest.strip_prefix('.')).unwrap_or_default();
    let extension = match material.alpha {
        _ if ["bmp", "tga"].iter().any(|extension| own.eq_ignore_ascii_case(extension)) => own,
        AlphaMode::Blend => "tga",
        AlphaMode::Opaque | AlphaMode::Mask(_) => "bmp",
    };
    new.add(scene, &format!("{stem}.{extension}"), id)
}

/// Returns the texture in the extras of a material, unless its image has been replaced.
fn kept_texture(material: &Material, texture: Option<&Texture>, image: Option<&Image>) -> Option<Name> {
    let kept: Name = json::from_value(material.extras.get("texture")?.clone()).ok()?;
    // Equal images are written only once, under the name of the first.
    let is_same = |image: &Image| {
        let digest = material.extras.get(DIGEST).and_then(|digest| digest.as_str());
        let names = texture.map(|texture| texture.name.as_str());
        image.name.is_empty()
            || image.name.starts_with(MISSING)
            || digest.is_some_and(|digest| image.encoded.digest() == digest)
            || names.into_iter().chain([&*image.name]).any(|name| stem(name) == stem(&kept.text()))
    };
    image.is_none_or(is_same).then_some(kept)
}

/// Removes image extensions and numbers appended by other programs from a name.
fn without_extension(name: &str) -> &str {
    let mut name = name;
    while let Some((before, extension)) = name.rsplit_once('.')
        && is_extension(extension)
    {
        name = before;
    }
    name
}

fn is_extension(text: &str) -> bool {
    EXTENSIONS.iter().any(|extension| text.eq_ignore_ascii_case(extension))
        || (text.len() == 3 && text.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Normalizes the name of a texture, so that names changed by other programs compare equal.
fn stem(name: &str) -> String {
    let folded = name.strip_prefix(MISSING).unwrap_or(name).replace('\\', "/").to_lowercase();
    without_hash(without_extension(&folded)).to_owned()
}

/// An animated or a static value.
enum Moving<T> {
    Track(Track<T>),
    Still(T),
}

impl<T: Blend> Moving<T> {
    fn of(keys: Option<Keys<T>>, still: T) -> Self {
        keys.and_then(|keys| Track::new(keys, None)).map_or(Self::Still(still), Self::Track)
    }

    fn at(&self, frame: f64) -> T {
        match self {
            Self::Track(track) => track.at(frame),
            Self::Still(value) => *value,
        }
    }

    fn until(&self, frame: f64) -> T {
        match self {
            Self::Track(track) => track.until(frame),
            Self::Still(value) => *value,
        }
    }

    fn is_moving(&self) -> bool {
        matches!(self, Self::Track(_))
    }
}

/// Tolerance for removing keys, in texture widths.
const TOLERANCE: f64 = 4e-6;

/// Converts the animation of a material's texture to the rules of the game: rotation and scale around the center, then translation.
fn motion(
    import: &mut Import<'_>,
    id: MaterialId,
    still: UvTransform,
    report: &mut Report,
) -> Result<Vec<TextureTrack>> {
    let offsets = curve::keys::<Pair>(import, Target::MaterialUvOffset(id))?;
    let scales = curve::keys::<Pair>(import, Target::MaterialUvScale(id))?;
    let rotations = curve::keys::<f64>(import, Target::MaterialUvRotation(id))?;
    let pairs = offsets.iter().chain(&scales).flatten().map(|(frame, _)| *frame);
    let mut frames: Vec<i32> = pairs.chain(rotations.iter().flatten().map(|(frame, _)| *frame)).collect();
    frames.sort_unstable();
    frames.dedup();
    if frames.is_empty() {
        return Ok(Vec::new());
    }
    if !import.version.has_mesh_textures() {
        let name = import.scene.materials.get(id.0).map_or("", |material| &material.name);
        let message = format!("texture animation of \"{name}\" left out: not supported by version 1.5");
        report.warn(&warning::LOST, message);
        return Ok(Vec::new());
    }
    let pair = |pair: [f32; 2]| Pair(DVec2::from(pair.map(f64::from)));
    let offset = Moving::of(offsets, pair(still.offset));
    let scale = Moving::of(scales, pair(still.scale));
    let rotation = Moving::of(rotations, f64::from(still.rotation));
    let center = DVec2::splat(0.5);
    let state = |offset: Pair, scale: Pair, rotation: f64| {
        let moved = offset.0 - center + uv_transformed(scale.0, rotation, center);
        [moved.x, moved.y, scale.0.x, scale.0.y, uv_rotation(rotation)]
    };
    let mut tracks: [Vec<(i32, f64)>; 5] = Default::default();
    for frame in frames {
        let at = f64::from(frame);
        let after = state(offset.at(at), scale.at(at), rotation.at(at));
        let before =
            if frame > 0 { state(offset.until(at), scale.until(at), rotation.until(at)) } else { after };
        for ((track, before), after) in tracks.iter_mut().zip(before).zip(after) {
            if before.to_bits() != after.to_bits() {
                track.push((frame, before));
            }
            track.push((frame, after));
        }
    }
    let rotates = rotation.is_moving() || still.rotation != 0.0;
    let [.., wide, high, _] = &tracks;
    let is_uneven = wide.iter().zip(high).any(|((_, wide), (_, high))| (wide - high).abs() > TOLERANCE);
    if rotates && is_uneven {
        let message = "a texture rotates while scaled non-uniformly; rotated first, then scaled";
        report.warn(&warning::UV_SHEAR, message);
    }
    let rest = [0.0, 0.0, 1.0, 1.0, 0.0];
    let mut out = Vec::new();
    for ((kind, mut keys), rest) in (0_i32..).zip(tracks).zip(rest) {
        thin(&mut keys, TOLERANCE);
        if keys.iter().all(|(_, value)| (value - rest).abs() <= TOLERANCE) {
            continue;
        }
        let keys = keys.into_iter().map(|(frame, value)| TextureKey { frame, value: single(value) });
        out.push(TextureTrack { kind, keys: keys.collect() });
    }
    Ok(out)
}
