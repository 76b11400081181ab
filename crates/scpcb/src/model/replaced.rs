//! Textures of models that the game's code replaces.
//!
//! Source: the game's published code (version 1.3.11): the list of items, the variants of the body of a Class D, and SCP-173 on
//! Halloween.

use asset::{Code, Context, Report};

/// A model with replaced textures.
struct ReplacedTextures {
    folder: &'static str,
    name: &'static str,
    textures: &'static [&'static str],
}

const fn item(name: &'static str, textures: &'static [&'static str]) -> ReplacedTextures {
    ReplacedTextures { folder: "items", name, textures }
}

const MODELS: &[ReplacedTextures] = &[
    item("badge.x", &["badge1_tex.jpg", "badge2_tex.png"]),
    ReplacedTextures {
        folder: "battery",
        name: "battery.x",
        textures: &["Battery 18V.jpg", "Strange Battery.jpg"],
    },
    item("eyedrops.b3d", &["eyedrops.jpg", "eyedropsred.jpg", "bottle.jpg"]),
    item("firstaid.x", &["firstaidkit2.jpg"]),
    item("key.b3d", &["key2.png", "coin.png", "tickettexture.png"]),
    item(
        "keycard.x",
        &[
            "keycard1.jpg",
            "keycard2.jpg",
            "keycard3.jpg",
            "keycard4.jpg",
            "keycard5.jpg",
            "keycardomni.jpg",
            "card.jpg",
            "mastercard.jpg",
        ],
    ),
    item("paper.x", &["notetexture.jpg", "BurntNoteTexture.jpg", "f4.jpg"]),
    item("severedhand.b3d", &["shand2.png"]),
    item("vest.x", &["Vest.png"]),
    ReplacedTextures { folder: "npcs", name: "173_2.b3d", textures: &["173h.pt"] },
    ReplacedTextures {
        folder: "npcs",
        name: "classd.b3d",
        textures: &[
            "gonzales.jpg",
            "corpse.jpg",
            "scientist.jpg",
            "scientist2.jpg",
            "janitor.jpg",
            "106victim.jpg",
            "classd2.jpg",
            "035victim.jpg",
            "body2.jpg",
        ],
    },
];

/// Reports the textures that the model gets in the game, which are not converted.
pub(crate) fn report_textures(context: &Context<'_>, code: &'static Code, report: &mut Report) {
    let Some((Some(folder), name)) = super::folder_and_name(context) else { return };
    let Some(model) = MODELS.iter().find(|model| model.folder == folder && model.name == name) else {
        return;
    };
    let textures = model.textures.join(", ");
    let message = format!("the game's code replaces the textures of this model: {textures}; using its own");
    report.warn(code, message);
}
