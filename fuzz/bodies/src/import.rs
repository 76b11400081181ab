//! A scene becomes a file of each format that can be made of scenes, and one that can be read; or it is refused.
//!
//! Parts: as for `gltf`.

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
            let Ok(made) = (import.make)(&scene, extension, &mut Report::new()) else { continue };
            if let Err(error) = (format.open)(&Source::from(made), &mut Report::new()) {
                panic!("a .{extension} file that was made of a scene cannot be read: {error}");
            }
        }
    }
}
