//! Sizes of characters and items: the scale of each model in the game's code.
//!
//! Source: the game's published code (version 1.3.11), and that of Ultimate Edition where its models or sections of the table have
//! different names.

use super::signature::{Measurements, Signature};

/// The scale of a model in the game: a number over a divisor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    /// Sections of the table of characters that may contain the number. The first one that exists is used.
    pub(super) sections: &'static [&'static str],
    /// Default number, without the table.
    pub(super) shipped: f64,
    pub(super) divisor: Divisor,
}

/// The divisor of a scale.
#[derive(Debug, Clone, Copy)]
pub(super) enum Divisor {
    Number(f64),
    /// Extent of the mesh along X.
    Width,
    /// Extent of the mesh along Z.
    Depth,
}

/// A model that the game's code loads.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnownModel {
    /// File names in lowercase, without the extension.
    names: &'static [&'static str],
    pub(super) size: Size,
    /// Rotation to the upright orientation: pitch and yaw in degrees.
    pub(super) rotation: [f32; 2],
    /// Shape for recognition under a different name.
    pub(super) signature: Option<Signature>,
}

impl KnownModel {
    const fn rotated(mut self, pitch: f32, yaw: f32) -> Self {
        self.rotation = [pitch, yaw];
        self
    }

    /// Sets the signature: the number of triangles, the extents of the first mesh in units of the file, and names of nodes that
    /// only this model has.
    const fn with_signature(
        mut self,
        triangles: usize,
        extents: [f64; 3],
        nodes: &'static [&'static str],
    ) -> Self {
        self.signature = Some(Signature { triangles, extents, nodes });
        self
    }

    /// Whether this is one of its names.
    fn has_name(&self, stem: &str) -> bool {
        self.names.contains(&stem)
    }

    /// Whether this is one of its names except for punctuation: `scp_106` is `SCP-106`.
    fn has_similar_name(&self, stem: &str) -> bool {
        self.names.iter().any(|name| letters(name).eq(letters(stem)))
    }
}

/// Returns the letters and digits of a name.
fn letters(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|letter| letter.is_alphanumeric())
}

/// Finds a model by name (lowercase, without extension).
pub(super) fn find_by_name(models: &'static [KnownModel], stem: &str) -> Option<&'static KnownModel> {
    let exact = models.iter().find(|model| model.has_name(stem));
    exact.or_else(|| models.iter().find(|model| model.has_similar_name(stem)))
}

/// Finds the model with the best-matching signature, if any matches.
pub(super) fn find_by_shape(
    models: &'static [KnownModel],
    shape: &Measurements<'_>,
) -> Option<&'static KnownModel> {
    let near = models.iter().filter_map(|model| Some((shape.deviation(model.signature.as_ref()?)?, model)));
    near.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, model)| model)
}

const fn known(names: &'static [&'static str], size: Size) -> KnownModel {
    KnownModel { names, size, rotation: [0.0; 2], signature: None }
}

/// Returns a scale that is a number in the code.
const fn fixed(scale: f64) -> Size {
    Size { sections: &[], shipped: scale, divisor: Divisor::Number(1.0) }
}

/// Returns a scale from the table of characters.
const fn listed(sections: &'static [&'static str], shipped: f64, divisor: Divisor) -> Size {
    Size { sections, shipped, divisor }
}

/// The scale of rooms.
const ROOM: Size = fixed(8.0 / 2048.0);

/// The scale of Class D personnel.
const CLASS_D: Size = listed(&["Class D"], 0.5, Divisor::Width);

/// Models in `GFX/npcs`.
pub(super) const CHARACTERS: &[KnownModel] = &[
    known(&["173_2", "scp173", "scp_173_body"], listed(&["SCP-173"], 0.35, Divisor::Depth))
        .rotated(0.0, -180.0)
        .with_signature(3996, [5.469, 22.155, 6.708], &[]),
    known(&["173box", "scp_173_box"], ROOM),
    known(&["106_2", "scp106"], listed(&["SCP-106"], 0.25, Divisor::Number(2.2))).with_signature(
        5497,
        [7.063, 9.258, 1.709],
        &[],
    ),
    known(&["guard"], listed(&["Guard"], 0.29, Divisor::Number(2.5))).rotated(0.0, 180.0).with_signature(
        7896,
        [9.424, 9.353, 1.958],
        &["Leg pole target.R"],
    ),
    known(&["mtf2", "mtf"], listed(&["MTF"], 0.29, Divisor::Number(2.5))).rotated(-90.0, 0.0).with_signature(
        8095,
        [9.481, 2.105, 9.121],
        &[],
    ),
    known(&["classd"], CLASS_D).rotated(0.0, -180.0).with_signature(1394, [35.6, 71.4, 14.37], &[]),
    known(&["035", "scp035"], CLASS_D).rotated(0.0, -180.0).with_signature(4978, [35.6, 71.4, 14.37], &[]),
    known(&["naziofficer"], fixed_over_width(0.5)).rotated(0.0, -180.0).with_signature(
        1740,
        [33.596, 67.944, 14.6],
        &[],
    ),
    known(&["clerk"], listed(&["Clerk"], 0.5, Divisor::Width)).rotated(0.0, -180.0).with_signature(
        1502,
        [33.575, 68.624, 12.528],
        &[],
    ),
    known(&["zombiesurgeon", "scp008_1"], listed(&["SCP-008-1"], 0.5, Divisor::Width))
        .rotated(0.0, -180.0)
        .with_signature(1142, [36.67, 72.141, 14.175], &[]),
    known(&["ci"], fixed_over_width(0.55)).with_signature(15226, [4.389, 8.656, 4.493], &["RootFrame"]),
    known(&["372", "scp372"], listed(&["SCP-372"], 0.35, Divisor::Width)).with_signature(
        778,
        [4.439, 8.091, 8.598],
        &[],
    ),
    known(&["bll", "scp513_1"], listed(&["SCP-513-1"], 1.8, Divisor::Width)).with_signature(
        11455,
        [24.85, 15.794, 2.695],
        &[],
    ),
    known(&["scp096"], listed(&["SCP-096"], 0.6, Divisor::Number(3.0))).with_signature(
        6382,
        [7.293, 6.489, 0.976],
        &["SCP096"],
    ),
    known(&["scp-049"], listed(&["SCP-049"], 1.2, Divisor::Number(1.0))).with_signature(
        17401,
        [0.651, 0.888, 0.221],
        &["049_mask"],
    ),
    known(&["zombie1", "scp049_2"], listed(&["SCP-049-2"], 0.27, Divisor::Number(2.5)))
        .rotated(-90.0, 0.0)
        .with_signature(5566, [8.865, 2.105, 9.316], &[]),
    known(&["035tentacle", "scp035_tentacle"], listed(&["SCP-035's Tentacle"], 0.65, Divisor::Number(10.0)))
        .rotated(-90.0, -180.0)
        .with_signature(6974, [2.296, 2.198, 33.728], &["tentacle_LP"]),
    known(
        &["forestmonster", "scp860_2"],
        listed(&["Forestmonster", "SCP-860-2"], 0.5, Divisor::Number(20.0)),
    )
    .rotated(-90.0, 0.0)
    .with_signature(5138, [23.314, 112.265, 47.523], &["kenneth_body"]),
    known(&["scp-939"], listed(&["SCP-939"], 0.5, Divisor::Number(2.5))).rotated(-90.0, 0.0).with_signature(
        10464,
        [8.562, 9.628, 4.218],
        &["extremities2"],
    ),
    known(&["scp-066"], listed(&["SCP-066"], 0.17, Divisor::Number(2.5))).rotated(-90.0, 0.0).with_signature(
        2710,
        [4.541, 4.73, 5.64],
        &["066_lp"],
    ),
    known(&["scp-966"], listed(&["SCP-966"], 0.5, Divisor::Number(40.0))).rotated(-90.0, 0.0).with_signature(
        10176,
        [124.658, 23.992, 89.349],
        &["966_lp"],
    ),
    known(&["scp-1048"], SCP_1048).rotated(-90.0, 0.0).with_signature(2126, [4.217, 1.789, 5.415], &[]),
    known(&["scp-1048a"], SCP_1048).rotated(-90.0, 0.0).with_signature(
        4770,
        [5.79, 2.345, 5.846],
        &["scp-1048b_lowpoly"],
    ),
    known(&["scp-1048pp", "scp1048_p"], SCP_1048).rotated(-90.0, 0.0).with_signature(
        2380,
        [4.217, 2.036, 5.494],
        &["1048_lp_paper"],
    ),
    // Each instance is scaled by a random factor between 0.8 and 1.
    known(&["1499-1", "scp1499_1"], listed(&["SCP-1499-1"], 0.08, Divisor::Number(4.0 / 0.9)))
        .rotated(0.0, -180.0)
        .with_signature(4023, [36.926, 74.004, 12.538], &["shroudling"]),
    known(&["205_demon1", "scp_205_demon"], fixed(0.05)).rotated(-90.0, 0.0).with_signature(
        2810,
        [11.033, 4.746, 17.425],
        &["demon_skeleton1"],
    ),
    known(&["205_demon2", "scp_205_demon2"], fixed(0.05)).rotated(-90.0, 0.0).with_signature(
        2298,
        [11.033, 4.746, 17.425],
        &["demon_skeleton2"],
    ),
    known(&["205_demon3", "scp_205_demon3"], fixed(0.05)).rotated(-90.0, 0.0).with_signature(
        2170,
        [11.033, 4.746, 17.567],
        &["demon_skeleton3"],
    ),
    known(&["205_woman", "scp_205_woman"], fixed(0.05)).rotated(-90.0, 0.0).with_signature(
        2468,
        [9.639, 3.813, 16.022],
        &["woman_skeleton"],
    ),
    known(&["duck_low_res", "duck"], fixed(0.07)).with_signature(
        1148,
        [1.171, 1.42, 1.903],
        &["duck_highres"],
    ),
    known(&["682arm", "scp682_arm"], fixed(0.15)).with_signature(342, [63.455, 7.804, 8.718], &[]),
    known(&["s2"], fixed(0.32 / 21.3)).with_signature(13291, [23.46, 69.72, 35.516], &[]),
    known(&["apache"], fixed(0.6)).with_signature(1078, [3.052, 2.568, 8.873], &[]),
    known(&["apacherotor"], fixed(0.6)).with_signature(384, [8.527, 0.615, 8.527], &[]),
    known(&["apacherotor2"], fixed(0.6)).with_signature(252, [0.239, 1.586, 1.612], &[]),
];

/// The scale of the bear and its copies.
const SCP_1048: Size = listed(&["SCP-1048"], 0.5, Divisor::Number(10.0));

/// Returns a scale that is a number in the code over the width of the mesh.
const fn fixed_over_width(scale: f64) -> Size {
    Size { sections: &[], shipped: scale, divisor: Divisor::Width }
}

/// Models in `GFX`.
pub(super) const VEHICLES: &[KnownModel] = &[
    known(&["apache"], fixed(0.6)),
    known(&["apacherotor"], fixed(0.6)),
    known(&["apacherotor2"], fixed(0.6)),
];

/// Models in `GFX/items`. If several items share a model, with the scale of the most common one.
pub(super) const ITEMS: &[KnownModel] = &[
    known(&["420", "scp420j"], fixed(0.0004)),
    known(&["427", "scp427"], fixed(0.001)),
    known(&["513", "scp513"], fixed(0.1)),
    known(&["battery"], fixed(0.01)),
    known(&["hgib_skull1", "scp1123"], fixed(0.015)),
    known(&["nvg", "night_vision_goggles", "scramble_gear"], fixed(0.02)),
    known(&["scp-1499"], fixed(0.023)),
    known(&["scp_1499"], fixed(0.022)),
    known(&["syringe"], fixed(0.005)),
    known(&["badge", "ticket"], fixed(0.0001)),
    known(&["clipboard"], fixed(0.003)),
    known(&["cup", "cupliquid"], fixed(0.04)),
    known(&["electronics", "circuits"], fixed(0.0011)),
    known(&["eyedrops"], fixed(0.0012)),
    known(&["firstaid", "first_aid_kit"], fixed(0.03)),
    known(&["gasmask"], fixed(0.02)),
    known(&["gas_mask"], fixed(0.019)),
    known(&["hazmat", "hazmat_suit"], fixed(0.013)),
    known(&["key"], fixed(0.001)),
    known(&["keycard"], fixed(0.0004)),
    known(&["navigator"], fixed(0.0008)),
    known(&["note"], fixed(0.0025)),
    known(&["origami"], fixed(0.003)),
    known(&["paper"], fixed(0.003)),
    known(&["pill"], fixed(0.0001)),
    known(&["radio"], fixed(1.0)),
    known(&["scp1025"], fixed(0.1)),
    known(&["scp148"], ROOM),
    known(&["metalpanel"], ROOM),
    known(&["scp714"], fixed(0.3)),
    known(&["scp_714"], fixed(0.2)),
    known(&["severedhand"], fixed(0.04)),
    known(&["severed_hand"], fixed(0.033)),
    known(&["vest", "ballistic_vest"], fixed(0.02)),
    known(&["ballistic_helmet"], fixed(0.018)),
    known(&["wallet"], fixed(0.0005)),
    known(&["scp_005"], fixed(0.0003)),
    known(&["scp_268"], fixed(0.09)),
    known(&["scp_500"], fixed(0.035)),
    known(&["scp_860"], fixed(0.003)),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_of_models_are_unique_and_lowercase() {
        for models in [CHARACTERS, VEHICLES, ITEMS] {
            let names: Vec<_> = models.iter().flat_map(|model| model.names).collect();
            assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
            assert!(names.iter().all(|name| **name == name.to_lowercase()));
        }
    }

    #[test]
    fn ignores_punctuation_unless_a_name_matches_exactly() {
        let size = |models, name| find_by_name(models, name).map(|model: &KnownModel| model.size.shipped);
        assert_eq!(size(CHARACTERS, "scp_106"), Some(0.25));
        assert_eq!(size(CHARACTERS, "scp_205_demon(2)"), Some(0.05));
        assert_eq!((size(ITEMS, "scp_714"), size(ITEMS, "scp-714")), (Some(0.2), Some(0.3)));
        assert_eq!(size(CHARACTERS, "scp_650"), None);
    }
}
