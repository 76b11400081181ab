//! Warnings about models: defects and losses in conversions.

use asset::{Report, counted};

use super::B3d;
use super::brush::{Indexed, LAYERS};
use super::chunk::Chunk;
use super::layout::{Brush, Texture};
use asset::{SharedCode, reference};

use crate::model::warning as model;

// Codes are never reused.
asset::codes! {
    LEFT_OVER = "B3D-W001", Warning, "trailing bytes",
        "A chunk continues after its last complete item, or the file after its last chunk. The bytes are kept and written back, but not \
        converted. Example: \"7 trailing bytes, too few for another item\".";
    UNKNOWN_CHUNK = "B3D-N002", Note, "unknown chunk",
        "The model has a chunk that the format does not define, or one too short for its type. It is kept and written back, but not \
        converted. Example: \"unknown chunk \"CELS\" (120 bytes)\".";
    VERSION = "B3D-W003", Warning, "unsupported version",
        "The model has a newer version than the engine loads. It is read as version 1. Example: \"version is 2, but the engine loads \
        only 0 and 1\".";
    IGNORED = "B3D-W004", Warning, "ignored chunk",
        "A chunk is in a place where the engine does not look for its type, or is overridden by a later one of its type in the same \
        node. It is kept and written back, but not converted. Example: \"VRTS chunk in a NODE chunk is ignored\".";
    LONG = "B3D-W005", Warning, "length too large",
        "The length of the model exceeds the file by less than a chunk. The engine does not notice; other programs may refuse the file. It is kept. Example: \
        \"the length of the model is 1 byte too large\".";
    BAD_INDEX = "B3D-W020", Warning, "vertex index out of range",
        "Triangles refer to vertices that do not exist. The engine may crash; conversions leave these triangles out. Example: \"3 \
        triangles refer to vertices beyond the last of 24\".";
    NOT_FINITE = "B3D-W021", Warning, "number not finite",
        "A number is infinite or NaN, which glTF does not allow. Triangles with such a position are left out, other numbers become 0. \
        Example: \"2 vertices have non-finite texture coordinates\".";
    BAD_BRUSH = "B3D-W023", Warning, "brush index out of range",
        "A mesh or triangles refer to a brush that does not exist. The engine may crash; conversions show them without a brush. Example: \
        \"brush 9 does not exist; the model has 3\".";
    BAD_TEXTURE = "B3D-W024", Warning, "texture index out of range",
        "A brush refers to a texture that does not exist. The engine may crash; conversions leave the layer out. Example: \"texture 9 \
        does not exist; the model has 3\".";
    MANY_TEXTURES = "B3D-W025", Warning, "too many texture layers",
        "A brush has more textures than the engine supports. Those after the eighth are not shown. Example: \"12 textures, but the \
        engine uses only the first 8\".";
    MANY_VERTICES = "B3D-W026", Warning, "too many vertices",
        "The triangles of one brush use more vertices than the engine can index. Example: \"brush 2 uses 70000 vertices, but the engine \
        can index only 65535\".";
    MORE_COORDINATES = "B3D-N027", Note, "extra texture coordinates",
        "Vertices have more than two sets of two texture coordinates. The engine ignores the rest, and conversions leave them \
        out. Example: \"120 vertices have more than two sets of two texture coordinates; the engine ignores the rest\".";
    UNUSED_COLOR = "B3D-N028", Note, "vertex colors ignored",
        "Vertices have colors, but their brush does not enable vertex colors, so they are left out. Example: \"96 vertices have a color \
        that their brush does not enable\".";
    NO_GEOMETRY = "B3D-N029", Note, "no geometry",
        "The model has no triangles to convert: it may contain only an animation. Example: \"the model has no triangles\".";
    BAD_WEIGHT = "B3D-W030", Warning, "invalid weight",
        "A bone refers to a vertex that does not exist, or has a weight that is negative or not finite. Such weights are left out. \
        Example: \"4 weights of nonexistent vertices are left out\".";
    MORE_WEIGHTS = "B3D-N031", Note, "more than four weights",
        "A vertex has weights of more than four bones. The engine keeps the four largest, and so do conversions. Example: \"12 weights \
        beyond the four largest of their vertices are left out\".";
    BONE_WITHOUT_MESH = "B3D-W032", Warning, "bone without a mesh",
        "A node is a bone with weights, but has no mesh among its ancestors. Example: \"the bone is not below a mesh; its weights are \
        left out\".";
    MANY_BONES = "B3D-W033", Warning, "too many bones",
        "A mesh has more bones than the engine (254) or glTF (65535) can index. Example: \"300 bones, but the engine can index only \
        254\".";
    SINGULAR_BONE = "B3D-W034", Warning, "bone with zero scale",
        "The scale of a bone is zero along an axis, so its inverse bind matrix does not exist. Example: \"2 bones have zero scale, so \
        their vertices are displaced\".";
    MANY_SURFACES = "B3D-W035", Warning, "too many surfaces",
        "The model has so many surfaces (combinations of mesh and brush) or materials that the scene would not fit into memory. Those \
        over the limit are left out or share a material. Example: \"surfaces after the first 8192 are left out\".";
    LONG_NAME = "B3D-N036", Note, "truncated name",
        "The name of a brush or texture is longer than 256 characters. It is truncated in the material. Example: \"name longer than 256 \
        characters; truncated in the material\".";
    REFLECTION = "B3D-W040", Warning, "reflection left out",
        "A texture is an environment map (flags 64 and 128). glTF has no such layer. Example: \"the texture \"chrome.jpg\" is an \
        environment map and is left out\".";
    LAYER = "B3D-W041", Warning, "texture layer left out",
        "A brush has more textures than glTF supports: one, and a lightmap on the second set of texture coordinates. Example: \"the \
        layer \"dirt.png\" is left out: glTF supports one texture and a lightmap\".";
    LAYER_BLEND = "B3D-W042", Warning, "different layer blending",
        "The base texture of a brush replaces its color, is added to it or is used as a normal map. glTF can only multiply. Example: \
        \"the layer \"glow.png\" is multiplied with the color, unlike in the engine\".";
    BRUSH_BLEND = "B3D-W043", Warning, "different surface blending",
        "A surface uses multiplicative or additive blending. glTF supports neither; alpha blending is used. Example: \"the surface uses \
        additive blending (blend 3); converted to alpha blending\".";
    SHINE = "B3D-N044", Note, "shininess left out",
        "The shininess of a brush has no equivalent in glTF materials. It is kept in the extras of the material. Example: \"shininess \
        0.5 left out; kept in the extras\".";
    MANY_ROOTS = "B3D-N050", Note, "several roots",
        "The model has several root nodes. The engine returns only the last one to the game; all are converted. Example: \"several root \
        nodes: the engine returns only the last one to the game\".";
    NO_LENGTH = "B3D-N051", Note, "no animation length",
        "The model has keys but does not specify the number of frames. The engine would not play it on its own; it is converted up to \
        its last key. Example: \"no animation length; using the last key, frame 40\".";
    NO_SPEED = "B3D-N052", Note, "no frame rate",
        "The model has no frame rate: games choose the speed. 60 frames per second are used, the rate at which Blitz3D games usually \
        update. Example: \"no frame rate; using 60 frames per second\".";
    KEY_OUTSIDE = "B3D-W053", Warning, "key outside the animation",
        "Keys are before frame 0 or after the last frame. The engine interpolates toward them without reaching them; conversions clip \
        them at the same frame. Example: \"3 keys are outside of frames 0 to 100\".";
    SAME_FRAME = "B3D-N054", Note, "several keys at one frame",
        "A node has several keys at the same frame. The engine uses the last one. Example: \"4 keys are overridden by a later key at the \
        same frame\".";
    BAD_SEQUENCE = "B3D-W055", Warning, "invalid sequence",
        "A sequence ends before it starts. It is left out. Example: \"the sequence \"walk\" ends before it starts (20 to 10)\".";
    SEQUENCE_OUTSIDE = "B3D-W056", Warning, "sequence outside the animation",
        "A sequence extends beyond the frames of the animation. The model does not move there. Example: \"the sequence \"walk\" (90 to \
        120) extends beyond frames 0 to 100\".";
    MANY_SEQUENCES = "B3D-W057", Warning, "too many sequences",
        "Converting so many sequences with so many keys would not fit into memory. Those that fit are converted; all of them are \
        part of the complete animation. Example: \"900 sequences left out: they would have too many keys\".";
    NO_KEYS = "B3D-N058", Note, "nothing animated",
        "The model has sequences, but no node has keys. They are left out. Example: \"1 sequence, but no animated nodes\".";
    MORE_TIMING = "B3D-W059", Warning, "conflicting animation lengths",
        "Several chunks specify different lengths or frame rates. The first one is used. Example: \"100 frames at 30 per second ignored\".";
    GIVEN_TEXTURES = "B3D-N061", Note, "textures replaced by the game's code",
        "The game's code replaces the textures of this model: keycards of several levels share one model. The model is converted with its own texture. \
        Example: \"the game's code replaces the textures of this model: keycard1.jpg, keycard2.jpg; using its own\".";
    UNSUPPORTED = "B3D-W070", Warning, "left out of a packed model",
        "The packed scene has features that models do not support. Example: \"lights are not supported by models (2)\".";
    NOT_KEPT = "B3D-N071", Note, "images not stored in a packed model",
        "Models refer to images by file name and do not contain them. Put the images of the scene next to the model. Example: \"images are not stored in a model; put them next to \
        it (3)\".";
    MISSING = "B3D-W072", Warning, "animation missing from the scene",
        "The scene was converted from a model with an animation, but has none, so the packed model has none. Export the animations from the other program, too. \
        Example: \"the original model has an animation, but the scene has none\".";
}

/// Codes shared with other formats.
pub(super) static SHARED: &[SharedCode] = &[
    SharedCode::new(&reference::MISSING).formerly("B3D-W010"),
    SharedCode::new(&reference::OUTSIDE).formerly("B3D-W014"),
    SharedCode::new(&reference::OTHER_CASE).formerly("B3D-N011"),
    SharedCode::new(&reference::OTHER_EXTENSION).formerly("B3D-N012"),
    SharedCode::new(&reference::UNREADABLE).formerly("B3D-W015"),
    SharedCode::new(&reference::TRUNCATED).formerly("B3D-W016"),
    SharedCode::new(&model::ZERO_AREA).formerly("B3D-N022"),
    SharedCode::new(&model::UNKNOWN_SIZE).formerly("B3D-W060"),
];

/// Reports an unsupported feature of a scene with its number of occurrences.
pub(super) fn unsupported(report: &mut Report, what: &str, count: usize) {
    let (code, why) = match what {
        "images" => (&NOT_KEPT, "are not stored in a model; put them next to it"),
        _ => (&UNSUPPORTED, "are not supported by models"),
    };
    report.warn(code, format!("{what} {why} ({count})"));
}

/// Reports a reference of a mesh or triangles to a brush that does not exist.
pub(super) fn bad_brush(number: i32, count: usize, field: &str, report: &mut Report) {
    let message = format!("brush {number} does not exist; the model has {count}");
    report.warn(&BAD_BRUSH, message).in_field(field);
}

/// Reports references of a brush to textures that do not exist, and more textures than the engine uses.
pub(super) fn bad_textures(brush: &Brush, textures: &Indexed<'_, Texture>, field: &str, report: &mut Report) {
    let layers = brush.textures.iter().take(LAYERS);
    for number in layers.filter(|number| **number >= 0 && textures.get(**number).is_none()) {
        let message = format!("texture {number} does not exist; the model has {}", textures.len());
        report.warn(&BAD_TEXTURE, message).in_field(field);
    }
    if brush.textures.len() > LAYERS {
        let message =
            format!("{} textures, but the engine uses only the first {LAYERS}", brush.textures.len());
        report.warn(&MANY_TEXTURES, message).in_field(field);
    }
}

/// The newest version the engine loads.
const NEWEST: i32 = 1;

/// Reports data that was read but not understood.
pub(super) fn kept(model: &B3d, report: &mut Report) {
    if model.version > NEWEST {
        let message = format!("version is {}, but the engine loads only 0 and {NEWEST}", model.version);
        report.warn(&VERSION, message).in_field("version");
    }
    ignored(&model.chunks, ParentKind::Model, "", report);
    model.visit(&mut |chunk, path| {
        match chunk {
            Chunk::Unknown(tag, bytes) => {
                let message = format!("unknown chunk \"{tag}\" ({} bytes)", bytes.len());
                report.warn(&UNKNOWN_CHUNK, message).in_field(path);
            }
            Chunk::Node(node) => ignored(&node.chunks, ParentKind::Node, path, report),
            Chunk::Mesh(mesh) => ignored(&mesh.chunks, ParentKind::Mesh, path, report),
            _ => {}
        }
        left_over(chunk.rest(), path, report);
    });
    left_over(&model.rest, "", report);
    if model.excess_length > 0 {
        let message =
            format!("the length of the model is {} too large", counted(model.excess_length, "byte", "bytes"));
        report.warn(&LONG, message).in_field("length");
    }
    if !model.trailing.is_empty() {
        let message = format!("{} trailing bytes after the end of the model", model.trailing.len());
        report.warn(&LEFT_OVER, message).in_field("trailing");
    }
}

fn left_over(rest: &[u8], path: &str, report: &mut Report) {
    if !rest.is_empty() {
        let field = if path.is_empty() { "rest".to_owned() } else { format!("{path}.rest") };
        let message = format!("{} trailing bytes, too few for another item", rest.len());
        report.warn(&LEFT_OVER, message).in_field(field);
    }
}

/// The parent of a chunk.
#[derive(Clone, Copy, PartialEq)]
enum ParentKind {
    Model,
    Node,
    Mesh,
}

impl ParentKind {
    fn accepts(self, chunk: &Chunk) -> bool {
        match chunk {
            Chunk::Unknown(..) => true,
            Chunk::Textures(_) | Chunk::Brushes(_) => self == Self::Model,
            Chunk::Node(_) => self != Self::Mesh,
            Chunk::Vertices(_) | Chunk::Triangles(_) => self == Self::Mesh,
            Chunk::Mesh(_)
            | Chunk::Bone(_)
            | Chunk::Keys(_)
            | Chunk::Animation(_)
            | Chunk::Sequence(_)
            | Chunk::Pivot(_) => self == Self::Node,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Model => "BB3D",
            Self::Node => "NODE",
            Self::Mesh => "MESH",
        }
    }
}

/// Reports chunks that the engine ignores: in the wrong parent, or overridden by a later one.
fn ignored(chunks: &[Chunk], parent: ParentKind, path: &str, report: &mut Report) {
    let is_one = |chunk: &&Chunk| matches!(chunk, Chunk::Mesh(_) | Chunk::Bone(_));
    let mut counts = [*b"MESH", *b"BONE"].map(|tag| {
        let of_kind = |chunk: &&Chunk| chunk.tag().0 == tag;
        (tag, chunks.iter().filter(is_one).filter(of_kind).count())
    });
    let within = if path.is_empty() { String::new() } else { format!("{path}.") };
    for (index, chunk) in chunks.iter().enumerate() {
        let tag = chunk.tag();
        let message = if !parent.accepts(chunk) {
            format!("{tag} chunk in a {} chunk is ignored", parent.name())
        } else if let Some((_, count)) = counts.iter_mut().find(|(kind, count)| *kind == tag.0 && *count > 1)
        {
            *count = count.saturating_sub(1);
            format!("overridden by a later {tag} chunk in the same node")
        } else {
            continue;
        };
        report.warn(&IGNORED, message).in_field(format!("{within}chunks[{index}]"));
    }
}
