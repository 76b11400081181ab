//! What can be amiss with a model, or lost in a conversion.

use asset::Report;

use super::B3d;
use super::brush::{LAYERS, Numbered};
use super::chunk::Chunk;
use super::layout::{Brush, Texture};
use asset::reference::Codes;

// Numbers are never used again for something else.
asset::codes! {
    LEFT_OVER = "B3D-W001", Warning, "bytes left over",
        "A chunk goes on behind its last whole item, or the file behind its last chunk. The bytes are kept and written back, but not shown. \
        Example: \"7 bytes are left over, too few for another item\".";
    UNKNOWN_CHUNK = "B3D-N002", Note, "unknown chunk",
        "The model has a chunk that the format does not know, or one that is too short for its kind. It is kept and written back, but \
        not shown. Example: \"the chunk \"CELS\" of 120 bytes is not known\".";
    VERSION = "B3D-W003", Warning, "other version",
        "The model says it is of a later version than the engine loads. It is read as version 1. Example: \"version 2: the engine loads \
        0 and 1 only\".";
    IGNORED = "B3D-W004", Warning, "chunk passed over",
        "A chunk stands where the engine does not look for one of its kind, or another of its kind follows in the same node, which counts. It is kept \
        and written back, but not shown. Example: \"a VRTS chunk in a NODE chunk is passed over\".";
    TEXTURE_MISSING = "B3D-W010", Warning, "texture missing",
        "A texture is nowhere beside the model nor where it is said to be. The game shows the surface without it; converted models show a \
        chequered stand-in. Example: \"texture \"metal.jpg\" is not there\".";
    OTHER_CASE = "B3D-N011", Note, "other letter case",
        "A file is written differently on disk than in the model. The game does not mind; other systems may. Example: \"texture \"door01.jpg\" is \
        written \"Door01.jpg\" on disk\".";
    OTHER_EXTENSION = "B3D-N012", Note, "other extension",
        "A file was found with another extension than the model gives it, and is taken instead. The game would not find it. Example: \"texture \
        \"a_lm1.bmp\" is not there: \"a_lm1.png\" is taken\".";
    OUTSIDE = "B3D-W014", Warning, "name leads out of the game",
        "A name in the model leads out of the game's folder, and nothing of that name is beside the model. It is not looked for. Example: \
        \"texture \"..\\\\..\\\\..\\\\x.png\" is not looked for: it leads out of the game\".";
    BAD_IMAGE = "B3D-W015", Warning, "image cannot be read",
        "An image is there but damaged, or of a kind that is not read. A chequered stand-in takes its place. Example: \"texture \"wall.jpg\" cannot \
        be read: the file ends early\".";
    IMAGE_CUT = "B3D-W016", Warning, "image cut short",
        "A JPEG has no end; its lower part may be grey. It is taken as it is. Example: \"texture \"wall.jpg\" is cut short\".";
    BAD_INDEX = "B3D-W020", Warning, "triangle without corner",
        "Triangles name a vertex that is not there. The engine may crash at them; they are left out of conversions. Example: \"3 triangles name \
        vertices beyond the 24 there are\".";
    NOT_FINITE = "B3D-W021", Warning, "number that is none",
        "A number is infinite or not a number. glTF has no such numbers: triangles at such places are left out, other numbers become 0. Example: \
        \"2 vertices have texture coordinates that are not finite\".";
    ZERO_AREA = "B3D-N022", Note, "triangle without area",
        "Triangles have no area, so they are never seen. They are converted as they are. Example: \"7 triangles have no area\".";
    BAD_BRUSH = "B3D-W023", Warning, "brush that is not there",
        "A mesh or triangles name a brush that is not there. The engine may crash at that; they are shown without a brush. Example: \"brush 9 is \
        not there, there are 3\".";
    BAD_TEXTURE = "B3D-W024", Warning, "texture that is not there",
        "A brush names a texture that is not there. The engine may crash at that; the layer is left out. Example: \"texture 9 is not there, there \
        are 3\".";
    MANY_TEXTURES = "B3D-W025", Warning, "too many layers",
        "Brushes have more textures than the engine has room for. Those beyond the eighth are not shown. Example: \"12 textures, \
        of which the engine takes 8\".";
    MANY_VERTICES = "B3D-W026", Warning, "too many vertices",
        "The triangles of one brush use more vertices than the engine can number. Example: \"70,000 vertices of the brush 2 are more than the \
        65,535 the engine can number\".";
    MORE_COORDINATES = "B3D-N027", Note, "more texture coordinates",
        "Vertices have more texture coordinates than two sets of two numbers. The engine passes over the others, and conversions leave them \
        out. Example: \"120 vertices have more texture coordinates than two sets of two\".";
    UNUSED_COLOR = "B3D-N028", Note, "vertex colours not shown",
        "Vertices have colours, but their brush does not say that they count, so they are left out. Example: \"96 vertices have a colour \
        that the brush does not show\".";
    NO_SHAPE = "B3D-N029", Note, "nothing to see",
        "The model has no triangles that can be shown: it may be an animation only. Example: \"the model has no triangles\".";
    BAD_WEIGHT = "B3D-W030", Warning, "weight that cannot be",
        "A bone pulls at a vertex that is not there, or with a weight that is negative or not finite. Such weights are left out. Example: \"4 weights \
        of vertices that are not there\".";
    MORE_WEIGHTS = "B3D-N031", Note, "more than four bones",
        "More than four bones pull at a vertex. The engine keeps the four strongest, and so do conversions. Example: \"12 weights beyond the \
        four strongest of their vertices\".";
    LOOSE_BONE = "B3D-W032", Warning, "bone without a mesh",
        "A node is a bone and pulls at vertices, but stands below no mesh. Example: \"the node is a bone, but stands below no mesh\".";
    MANY_BONES = "B3D-W033", Warning, "too many bones",
        "A mesh has more bones than the engine (254) or glTF (65,535) can number. Example: \"300 bones are more than the 254 the engine can \
        number\".";
    FLAT_BONE = "B3D-W034", Warning, "bone without size",
        "A bone stands in a node whose size is zero along an axis, so it cannot be told where its vertices are in its space. Example: \"2 bones have \
        no size\".";
    MANY_SURFACES = "B3D-W035", Warning, "too many surfaces",
        "The model has so many surfaces, each of a mesh and a brush, or so many materials, that the scene would fill the memory. Those beyond the \
        limit are left out or share a material. Example: \"the surfaces beyond 8192 are left out\".";
    LONG_NAME = "B3D-N036", Note, "name cut",
        "A brush or texture has a name of more than 256 characters. Its material has the beginning of it. Example: \"a name is longer than 256 \
        characters, and is cut in the material\".";
    REFLECTION = "B3D-W040", Warning, "reflection not shown",
        "A texture mirrors a surrounding (flags 64 and 128). glTF has no such layer. Example: \"the texture \"chrome.jpg\" mirrors a surrounding \
        and is not shown\".";
    LAYER = "B3D-W041", Warning, "layer not shown",
        "A brush has more textures than glTF can show: one, and a lightmap on the second set of texture coordinates. Example: \"the layer \
        \"dirt.png\" is not shown\".";
    LAYER_BLEND = "B3D-W042", Warning, "layer mixed otherwise",
        "The lowest texture of a brush is laid over its colour, added to it or taken as normals. glTF can only multiply. Example: \"the layer \
        \"glow.png\" is multiplied with the colour, where the engine does not\".";
    BRUSH_BLEND = "B3D-W043", Warning, "surface mixed otherwise",
        "A surface is multiplied with or added to what is behind it. glTF can do neither: it is blended by alpha. Example: \"the surface is \
        added to what is behind it (blend 3), and becomes blended by alpha\".";
    SHINE = "B3D-N044", Note, "shine left out",
        "A brush shines. The shine of Blitz3D has no match in glTF's materials; it stands in the material's extras. Example: \"a shine of 0.5 is \
        left out\".";
    MANY_ROOTS = "B3D-N050", Note, "several roots",
        "Several nodes stand at the top. The engine gives the game the last one and leaves the others standing about; all are converted. Example: \
        \"several nodes stand beside one another at the top\".";
    NO_LENGTH = "B3D-N051", Note, "length not given",
        "The model has keys but does not say how many frames there are. The engine would not play it on its own; it is converted up to its last \
        key. Example: \"the model does not say how long its animation is\".";
    NO_SPEED = "B3D-N052", Note, "speed not given",
        "The model does not say how many frames there are in a second: games choose the speed. 60 are taken, the pace at which a game \
        made with Blitz3D moves on. Example: \"the model does not say how fast its animation is; 60 frames a second are taken\".";
    KEY_OUTSIDE = "B3D-W053", Warning, "key outside the animation",
        "Keys stand before frame 0 or behind the last frame. The engine goes towards them without arriving; conversions cut them off at the same \
        place. Example: \"3 keys stand outside the frames 0 to 100\".";
    SAME_FRAME = "B3D-N054", Note, "two keys in one frame",
        "Several keys of a node have the same frame. The engine takes the last one. Example: \"4 keys have the same frame as a later one\".";
    BAD_SEQUENCE = "B3D-W055", Warning, "sequence that cannot be",
        "A sequence ends before it starts. It is left out. Example: \"the sequence \"walk\" ends before it starts (20 to 10)\".";
    SEQUENCE_OUTSIDE = "B3D-W056", Warning, "sequence outside the animation",
        "A sequence leaves the frames that the animation has. It stands still there. Example: \"the sequence \"walk\" (90 to 120) leaves the \
        frames 0 to 100\".";
    MANY_SEQUENCES = "B3D-W057", Warning, "too many sequences",
        "So many sequences of so many nodes would fill the memory. The first are converted; all are within the whole animation. Example: \"900 \
        sequences of so many moving nodes are too much\".";
    NO_KEYS = "B3D-N058", Note, "nothing moves",
        "The model has sequences, but no node has keys. They are left out. Example: \"1 sequence, but nothing that moves\".";
    MORE_TIMING = "B3D-W059", Warning, "several lengths",
        "Several chunks say how long and how fast the animation is, and differ. The first one counts. Example: \"100 frames at 30 a second are \
        passed over\".";
}

/// How textures are told of.
pub(super) static TEXTURE: Codes = Codes {
    missing: &TEXTURE_MISSING,
    outside: &OUTSIDE,
    other_case: &OTHER_CASE,
    other_extension: &OTHER_EXTENSION,
    bad: &BAD_IMAGE,
    cut: &IMAGE_CUT,
};

/// A mesh or triangles name a brush that is not there.
pub(super) fn bad_brush(number: i32, count: usize, field: &str, report: &mut Report) {
    let message = format!("brush {number} is not there, there are {count}");
    report.warn(&BAD_BRUSH, message).in_field(field);
}

/// A brush names textures that are not there, or more than the engine takes.
pub(super) fn bad_textures(
    brush: &Brush,
    textures: &Numbered<'_, Texture>,
    field: &str,
    report: &mut Report,
) {
    let layers = brush.textures.iter().take(LAYERS);
    for number in layers.filter(|number| **number >= 0 && textures.get(**number).is_none()) {
        let message = format!("texture {number} is not there, there are {}", textures.len());
        report.warn(&BAD_TEXTURE, message).in_field(field);
    }
    if brush.textures.len() > LAYERS {
        let message = format!("{} textures, of which the engine takes {LAYERS}", brush.textures.len());
        report.warn(&MANY_TEXTURES, message).in_field(field);
    }
}

/// The newest version the engine loads.
const NEWEST: i32 = 1;

/// What was read without being understood.
pub(super) fn kept(model: &B3d, report: &mut Report) {
    if model.version > NEWEST {
        let message = format!("version {}: the engine loads 0 and {NEWEST} only", model.version);
        report.warn(&VERSION, message).in_field("version");
    }
    ignored(&model.chunks, Inside::Model, "", report);
    model.visit(&mut |chunk, path| {
        match chunk {
            Chunk::Unknown(tag, bytes) => {
                let message = format!("the chunk \"{tag}\" of {} bytes is not known", bytes.len());
                report.warn(&UNKNOWN_CHUNK, message).in_field(path);
            }
            Chunk::Node(node) => ignored(&node.chunks, Inside::Node, path, report),
            Chunk::Mesh(mesh) => ignored(&mesh.chunks, Inside::Mesh, path, report),
            _ => {}
        }
        left_over(chunk.rest(), path, report);
    });
    left_over(&model.rest, "", report);
    if !model.trailing.is_empty() {
        let message = format!("{} bytes stand behind the end of the model", model.trailing.len());
        report.warn(&LEFT_OVER, message).in_field("trailing");
    }
}

fn left_over(rest: &[u8], path: &str, report: &mut Report) {
    if !rest.is_empty() {
        let field = if path.is_empty() { "rest".to_owned() } else { format!("{path}.rest") };
        let message = format!("{} bytes are left over, too few for another item", rest.len());
        report.warn(&LEFT_OVER, message).in_field(field);
    }
}

/// What chunks can stand in.
#[derive(Clone, Copy, PartialEq)]
enum Inside {
    Model,
    Node,
    Mesh,
}

impl Inside {
    fn looks_for(self, chunk: &Chunk) -> bool {
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

/// Chunks that stand where nobody looks for them, or before another that counts instead.
fn ignored(chunks: &[Chunk], inside: Inside, path: &str, report: &mut Report) {
    let is_one = |chunk: &&Chunk| matches!(chunk, Chunk::Mesh(_) | Chunk::Bone(_));
    let mut counts = [*b"MESH", *b"BONE"].map(|tag| {
        let of_kind = |chunk: &&Chunk| chunk.tag().0 == tag;
        (tag, chunks.iter().filter(is_one).filter(of_kind).count())
    });
    let within = if path.is_empty() { String::new() } else { format!("{path}.") };
    for (index, chunk) in chunks.iter().enumerate() {
        let tag = chunk.tag();
        let message = if !inside.looks_for(chunk) {
            format!("a {tag} chunk in a {} chunk is passed over", inside.name())
        } else if let Some((_, count)) = counts.iter_mut().find(|(kind, count)| *kind == tag.0 && *count > 1)
        {
            *count = count.saturating_sub(1);
            format!("another {tag} chunk follows in the same node, and counts instead")
        } else {
            continue;
        };
        report.warn(&IGNORED, message).in_field(format!("{within}chunks[{index}]"));
    }
}
