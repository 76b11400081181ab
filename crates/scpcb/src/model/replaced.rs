//! Textures that the game's code gives to its models in the place of their own.
//!
//! Source: the game's published code (version 1.3.11): the list of items, the variants of the body of a class D, and SCP-173 on Halloween.

use asset::{Code, Context, Report};

/// A model that gets textures.
struct Replaced {
    folder: &'static str,
    name: &'static str,
    textures: &'static [&'static str],
}

const fn item(name: &'static str, textures: &'static [&'static str]) -> Replaced {
    Replaced { folder: "items", name, textures }
}

const MODELS: &[Replaced] = &[
    item("badge.x", &["badge1_tex.jpg", "badge2_tex.png"]),
    Replaced { folder: "battery", name: "battery.x", textures: &["Battery 18V.jpg", "Strange Battery.jpg"] },
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
    Replaced { folder: "npcs", name: "173_2.b3d", textures: &["173h.pt"] },
    Replaced {
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

/// Tells of the textures that the model gets in the game, which are not converted.
pub(crate) fn note(context: &Context<'_>, code: &'static Code, report: &mut Report) {
    let Some((Some(folder), name)) = super::folder_and_name(context) else { return };
    let Some(model) = MODELS.iter().find(|model| model.folder == folder && model.name == name) else {
        return;
    };
    let textures = model.textures.join(", ");
    let message = format!("the game's code gives this model other textures: {textures}; its own are used");
    report.warn(code, message);
}
