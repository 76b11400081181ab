//! Parsing of options, defaults and presets.

use super::*;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Light {
    Split,
    Bake,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Extra {
    Collision,
    Triggers,
}

const LIGHTMAPS: Choice<Light> = Choice::new(
    "lightmaps",
    "How light is kept.",
    &[("split", "apart"), ("bake", "mixed in")],
    &[Light::Split, Light::Bake],
);
const WITH: Words<Extra> = Words::new(
    "with",
    "What else is shown.",
    &[("collision", "walls"), ("triggers", "boxes")],
    &[Extra::Collision, Extra::Triggers],
);
const RAW: Flag = Flag::new("raw", "As it is.");
const GAMMA: Number = Number::new("gamma", "Brightness.", 2.2, 0.1, 9.0);
const PALETTE: Text = Text::new("palette", "A palette.", "FILE");

static DECLARED: &[FormatOption] =
    &[LIGHTMAPS.option(), WITH.option(), RAW.option(), GAMMA.option(), PALETTE.option()];

const PRESET_LIGHTMAPS: Choice<Light> =
    LIGHTMAPS.with_presets(&[(Engine::Godot, "bake"), (Engine::Unity, "bake")]);
const PRESET_WITH: Words<Extra> = WITH.with_presets(&[(Engine::Godot, "collision,triggers")]);

static FOR_ENGINES: &[FormatOption] =
    &[PRESET.option(), PRESET_LIGHTMAPS.option(), PRESET_WITH.option(), GAMMA.option()];

fn for_engines(given: &[(&str, &str)]) -> Result<Options, Error> {
    let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Options::parse(FOR_ENGINES, &given)
}

#[test]
fn given_options_override_the_preset() {
    let words =
        |options: &Options| [Extra::Collision, Extra::Triggers].map(|extra| options.has(&WITH, &extra));
    let none = for_engines(&[]).unwrap();
    assert_eq!((none.engine(), none.choice(&LIGHTMAPS), words(&none)), (None, Light::Split, [false; 2]));
    assert_eq!(for_engines(&[("preset", "none")]).unwrap(), none);
    let godot = for_engines(&[("preset", "godot")]).unwrap();
    assert_eq!(
        (godot.engine(), godot.choice(&LIGHTMAPS), words(&godot)),
        (Some(Engine::Godot), Light::Bake, [true; 2])
    );
    // The order does not matter.
    for given in [
        [("preset", "godot"), ("with", "triggers"), ("lightmaps", "split")],
        [("lightmaps", "split"), ("with", "triggers"), ("preset", "godot")],
    ] {
        let options = for_engines(&given).unwrap();
        assert_eq!((options.choice(&LIGHTMAPS), words(&options)), (Light::Split, [false, true]));
    }
    let unity = for_engines(&[("preset", "godot"), ("preset", "Unity")]).unwrap();
    assert_eq!((unity.engine(), words(&unity)), (Some(Engine::Unity), [false; 2]));
}

#[test]
fn refuses_unknown_presets() {
    assert_eq!(
        for_engines(&[("preset", "gdot")]).unwrap_err().to_string(),
        "unknown value \"gdot\" for --preset (available: none, godot, unity, unreal, blender); did you mean \"godot\"?"
    );
}

#[test]
fn presets_do_not_affect_formats_without_them() {
    let given = [("preset".to_owned(), "godot".to_owned())];
    let both = Options::parse_for(&[DECLARED, FOR_ENGINES], &given).unwrap();
    assert_eq!(both[0], Options::defaults(DECLARED));
    assert_eq!(both[1].choice(&LIGHTMAPS), Light::Bake);
}

fn parse(given: &[(&str, &str)]) -> Result<Options, Error> {
    let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Options::parse(DECLARED, &given)
}

#[test]
fn omitted_options_have_their_defaults() {
    let options = parse(&[]).unwrap();
    assert_eq!(options.choice(&LIGHTMAPS), Light::Split);
    assert!(!options.has(&WITH, &Extra::Collision) && !options.flag(&RAW));
    assert_eq!((options.number(&GAMMA), options.text(&PALETTE)), (2.2, None));
    assert_eq!(Options::default().choice(&LIGHTMAPS), Light::Split, "a format without the option");
}

#[test]
fn parses_values_of_each_kind() {
    let options = parse(&[
        ("lightmaps", "Bake"),
        ("with", "collision"),
        ("with", "triggers,"),
        ("raw", ""),
        ("gamma", "1"),
        ("palette", "x.col"),
    ])
    .unwrap();
    assert_eq!(options.choice(&LIGHTMAPS), Light::Bake);
    assert!(options.has(&WITH, &Extra::Collision) && options.has(&WITH, &Extra::Triggers));
    assert!(options.flag(&RAW));
    assert_eq!((options.number(&GAMMA), options.text(&PALETTE)), (1.0, Some("x.col")));
}

#[test]
fn refuses_unknown_options_and_lists_the_available_ones() {
    let message = |given| parse(given).unwrap_err().to_string();
    assert_eq!(
        message(&[("lihgtmaps", "x")]),
        "unknown option --lihgtmaps (available: --gamma, --lightmaps, --palette, --raw, --with); did you mean \"lightmaps\"?"
    );
    assert_eq!(
        message(&[("lightmaps", "bke")]),
        "unknown value \"bke\" for --lightmaps (available: split, bake); did you mean \"bake\"?"
    );
    assert_eq!(message(&[("gamma", "nan")]), "--gamma expects a number from 0.1 to 9, but got \"nan\"");
    assert_eq!(message(&[("raw", "very")]), "--raw takes true or false, or no value, but got \"very\"");
}
