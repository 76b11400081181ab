//! A scene is written as a readable file of each format that can be built from scenes, or refused.
//!
//! Parts: as for `gltf`.

use antiquary::asset::{FormatOption, OptionValue, Options, SceneFile};
use antiquary::scene::gltf::read;
use antiquary::{Report, Source};

use crate::part::split;
use crate::subject::formats;

pub(crate) fn run(input: &[u8]) {
    let mut parts = split(input);
    let file = parts.next().unwrap_or_default();
    let Ok(scene) = read(file, &mut |_| parts.next().map(<[u8]>::to_vec)) else { return };
    for format in formats() {
        let Some(import) = &format.import else { continue };
        for extension in import.extensions {
            for options in choices(import.options) {
                let file = SceneFile { read: &scene, extension, name: "made", options: &options, base: None };
                let Ok(made) = (import.make)(&file, &mut Report::new()) else { continue };
                if let Err(error) = (format.open)(&Source::from(made.bytes), &mut Report::new()) {
                    panic!("a .{extension} file that was built from a scene cannot be read: {error}");
                }
            }
        }
    }
}

/// The defaults, and each value of each choice.
fn choices(declared: &'static [FormatOption]) -> Vec<Options> {
    let words = declared.iter().flat_map(|option| match option.value {
        OptionValue::Choice { values, .. } => {
            values.iter().map(|(word, _)| (option.name.to_owned(), (*word).to_owned())).collect()
        }
        _ => Vec::new(),
    });
    let chosen = words.filter_map(|given| Options::parse(declared, &[given]).ok());
    [Options::defaults(declared)].into_iter().chain(chosen).collect()
}
