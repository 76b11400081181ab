//! The sizes of characters and items: what the code of the game scales each model by.
//!
//! Source: the game's published code (version 1.3.11), and that of Ultimate Edition, where its models or sections of the table have other names.

use super::signature::{Measured, Signature};

/// What the game scales a model by: one number over another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    /// The sections of the table of characters that may give the number. The first one that is there does.
    pub(super) sections: &'static [&'static str],
    /// The number where the table does not give it.
    pub(super) shipped: f64,
    pub(super) over: Over,
}

/// What the number is divided by.
#[derive(Debug, Clone, Copy)]
pub(super) enum Over {
    Number(f64),
    /// The extent of the mesh along X.
    Width,
    /// The extent of the mesh along Z.
    Depth,
}

/// A model that the code of the game loads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// The names of its file in lower case, without the extension.
    names: &'static [&'static str],
    pub(super) size: Size,
    /// Rotation that turns the body upright: pitch and yaw in degrees.
    pub(super) turn: [f32; 2],
    /// Shape by which the model is recognized under another name.
    pub(super) signature: Option<Signature>,
}

impl Known {
    const fn turned(mut self, pitch: f32, yaw: f32) -> Self {
        self.turn = [pitch, yaw];
        self
    }

    /// Sets the shape: the number of triangles, the extents of the first mesh in units of the file, and names of nodes that only this model has.
    const fn like(mut self, triangles: usize, extents: [f64; 3], nodes: &'static [&'static str]) -> Self {
        self.signature = Some(Signature { triangles, extents, nodes });
        self
    }

    /// Whether this is a name of its file.
    fn is_called(&self, stem: &str) -> bool {
        self.names.contains(&stem)
    }

    /// Whether this is a name of its file but for punctuation: `scp_106` is `SCP-106`.
    fn is_almost_called(&self, stem: &str) -> bool {
        self.names.iter().any(|name| letters(name).eq(letters(stem)))
    }
}

/// The letters and digits of a name.
fn letters(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|letter| letter.is_alphanumeric())
}

/// The model of a name (lower case, no extension).
pub(super) fn of_name(models: &'static [Known], stem: &str) -> Option<&'static Known> {
    let exact = models.iter().find(|model| model.is_called(stem));
    exact.or_else(|| models.iter().find(|model| model.is_almost_called(stem)))
}

/// The model that a scene is most like, if it is like one.
pub(super) fn of_shape(models: &'static [Known], shape: &Measured<'_>) -> Option<&'static Known> {
    let near = models.iter().filter_map(|model| Some((shape.likeness(model.signature.as_ref()?)?, model)));
    near.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, model)| model)
}

const fn known(names: &'static [&'static str], size: Size) -> Known {
    Known { names, size, turn: [0.0; 2], signature: None }
}

/// A number in the code.
const fn fixed(scale: f64) -> Size {
    Size { sections: &[], shipped: scale, over: Over::Number(1.0) }
}

/// A number of the table.
const fn listed(sections: &'static [&'static str], shipped: f64, over: Over) -> Size {
    Size { sections, shipped, over }
}

/// As rooms are.
const ROOM: Size = fixed(8.0 / 2048.0);

/// As the prisoners are.
const CLASS_D: Size = listed(&["Class D"], 0.5, Over::Width);

/// In `GFX/npcs`.
pub(super) const CHARACTERS: &[Known] = &[
    known(&["173_2", "scp173", "scp_173_body"], listed(&["SCP-173"], 0.35, Over::Depth))
        .turned(0.0, -180.0)
        .like(3996, [5.469, 22.155, 6.708], &[]),
    known(&["173box", "scp_173_box"], ROOM),
    known(&["106_2", "scp106"], listed(&["SCP-106"], 0.25, Over::Number(2.2))).like(
        5497,
        [7.063, 9.258, 1.709],
        &[],
    ),
    known(&["guard"], listed(&["Guard"], 0.29, Over::Number(2.5))).turned(0.0, 180.0).like(
        7896,
        [9.424, 9.353, 1.958],
        &["Leg pole target.R"],
    ),
    known(&["mtf2", "mtf"], listed(&["MTF"], 0.29, Over::Number(2.5))).turned(-90.0, 0.0).like(
        8095,
        [9.481, 2.105, 9.121],
        &[],
    ),
    known(&["classd"], CLASS_D).turned(0.0, -180.0).like(1394, [35.6, 71.4, 14.37], &[]),
    known(&["035", "scp035"], CLASS_D).turned(0.0, -180.0).like(4978, [35.6, 71.4, 14.37], &[]),
    known(&["naziofficer"], fixed_over_width(0.5)).turned(0.0, -180.0).like(
        1740,
        [33.596, 67.944, 14.6],
        &[],
    ),
    known(&["clerk"], listed(&["Clerk"], 0.5, Over::Width)).turned(0.0, -180.0).like(
        1502,
        [33.575, 68.624, 12.528],
        &[],
    ),
    known(&["zombiesurgeon", "scp008_1"], listed(&["SCP-008-1"], 0.5, Over::Width)).turned(0.0, -180.0).like(
        1142,
        [36.67, 72.141, 14.175],
        &[],
    ),
    known(&["ci"], fixed_over_width(0.55)).like(15226, [4.389, 8.656, 4.493], &["RootFrame"]),
    known(&["372", "scp372"], listed(&["SCP-372"], 0.35, Over::Width)).like(778, [4.439, 8.091, 8.598], &[]),
    known(&["bll", "scp513_1"], listed(&["SCP-513-1"], 1.8, Over::Width)).like(
        11455,
        [24.85, 15.794, 2.695],
        &[],
    ),
    known(&["scp096"], listed(&["SCP-096"], 0.6, Over::Number(3.0))).like(
        6382,
        [7.293, 6.489, 0.976],
        &["SCP096"],
    ),
    known(&["scp-049"], listed(&["SCP-049"], 1.2, Over::Number(1.0))).like(
        17401,
        [0.651, 0.888, 0.221],
        &["049_mask"],
    ),
    known(&["zombie1", "scp049_2"], listed(&["SCP-049-2"], 0.27, Over::Number(2.5))).turned(-90.0, 0.0).like(
        5566,
        [8.865, 2.105, 9.316],
        &[],
    ),
    known(&["035tentacle", "scp035_tentacle"], listed(&["SCP-035's Tentacle"], 0.65, Over::Number(10.0)))
        .turned(-90.0, -180.0)
        .like(6974, [2.296, 2.198, 33.728], &["tentacle_LP"]),
    known(&["forestmonster", "scp860_2"], listed(&["Forestmonster", "SCP-860-2"], 0.5, Over::Number(20.0)))
        .turned(-90.0, 0.0)
        .like(5138, [23.314, 112.265, 47.523], &["kenneth_body"]),
    known(&["scp-939"], listed(&["SCP-939"], 0.5, Over::Number(2.5))).turned(-90.0, 0.0).like(
        10464,
        [8.562, 9.628, 4.218],
        &["extremities2"],
    ),
    known(&["scp-066"], listed(&["SCP-066"], 0.17, Over::Number(2.5))).turned(-90.0, 0.0).like(
        2710,
        [4.541, 4.73, 5.64],
        &["066_lp"],
    ),
    known(&["scp-966"], listed(&["SCP-966"], 0.5, Over::Number(40.0))).turned(-90.0, 0.0).like(
        10176,
        [124.658, 23.992, 89.349],
        &["966_lp"],
    ),
    known(&["scp-1048"], SCP_1048).turned(-90.0, 0.0).like(2126, [4.217, 1.789, 5.415], &[]),
    known(&["scp-1048a"], SCP_1048).turned(-90.0, 0.0).like(
        4770,
        [5.79, 2.345, 5.846],
        &["scp-1048b_lowpoly"],
    ),
    known(&["scp-1048pp", "scp1048_p"], SCP_1048).turned(-90.0, 0.0).like(
        2380,
        [4.217, 2.036, 5.494],
        &["1048_lp_paper"],
    ),
    // Each is between 0.8 and 1 times as large, at random.
    known(&["1499-1", "scp1499_1"], listed(&["SCP-1499-1"], 0.08, Over::Number(4.0 / 0.9)))
        .turned(0.0, -180.0)
        .like(4023, [36.926, 74.004, 12.538], &["shroudling"]),
    known(&["205_demon1", "scp_205_demon"], fixed(0.05)).turned(-90.0, 0.0).like(
        2810,
        [11.033, 4.746, 17.425],
        &["demon_skeleton1"],
    ),
    known(&["205_demon2", "scp_205_demon2"], fixed(0.05)).turned(-90.0, 0.0).like(
        2298,
        [11.033, 4.746, 17.425],
        &["demon_skeleton2"],
    ),
    known(&["205_demon3", "scp_205_demon3"], fixed(0.05)).turned(-90.0, 0.0).like(
        2170,
        [11.033, 4.746, 17.567],
        &["demon_skeleton3"],
    ),
    known(&["205_woman", "scp_205_woman"], fixed(0.05)).turned(-90.0, 0.0).like(
        2468,
        [9.639, 3.813, 16.022],
        &["woman_skeleton"],
    ),
    known(&["duck_low_res", "duck"], fixed(0.07)).like(1148, [1.171, 1.42, 1.903], &["duck_highres"]),
    known(&["682arm", "scp682_arm"], fixed(0.15)).like(342, [63.455, 7.804, 8.718], &[]),
    known(&["s2"], fixed(0.32 / 21.3)).like(13291, [23.46, 69.72, 35.516], &[]),
    known(&["apache"], fixed(0.6)).like(1078, [3.052, 2.568, 8.873], &[]),
    known(&["apacherotor"], fixed(0.6)).like(384, [8.527, 0.615, 8.527], &[]),
    known(&["apacherotor2"], fixed(0.6)).like(252, [0.239, 1.586, 1.612], &[]),
];

/// The bear and its copies.
const SCP_1048: Size = listed(&["SCP-1048"], 0.5, Over::Number(10.0));

/// A number in the code over the width of the mesh.
const fn fixed_over_width(scale: f64) -> Size {
    Size { sections: &[], shipped: scale, over: Over::Width }
}

/// In `GFX`.
pub(super) const VEHICLES: &[Known] = &[
    known(&["apache"], fixed(0.6)),
    known(&["apacherotor"], fixed(0.6)),
    known(&["apacherotor2"], fixed(0.6)),
];

/// In `GFX/items`. Where one model serves several items, as large as the usual one.
pub(super) const ITEMS: &[Known] = &[
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
    fn names_of_models_are_unique_and_lower_case() {
        for models in [CHARACTERS, VEHICLES, ITEMS] {
            let names: Vec<_> = models.iter().flat_map(|model| model.names).collect();
            assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
            assert!(names.iter().all(|name| **name == name.to_lowercase()));
        }
    }

    #[test]
    fn punctuation_of_a_name_does_not_count_unless_a_name_is_given_with_it() {
        let size = |models, name| of_name(models, name).map(|model: &Known| model.size.shipped);
        assert_eq!(size(CHARACTERS, "scp_106"), Some(0.25));
        assert_eq!(size(CHARACTERS, "scp_205_demon(2)"), Some(0.05));
        assert_eq!((size(ITEMS, "scp_714"), size(ITEMS, "scp-714")), (Some(0.2), Some(0.3)));
        assert_eq!(size(CHARACTERS, "scp_650"), None);
    }
}
