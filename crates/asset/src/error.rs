//! Errors of what this stands on, in the words of the one error that formats use.

use record::{Error, Kind};

/// An error from making or reading a scene or an image, as the error that formats use.
#[must_use]
pub fn from_scene(error: &scene::Error) -> Error {
    use scene::Error as E;
    let kind = match error {
        E::UnknownImage
        | E::UnsupportedImage { .. }
        | E::UnsupportedSound { .. }
        | E::UnsupportedGltf { .. } => Kind::Unsupported,
        E::FileTooLong { .. } | E::ImageTooLarge { .. } | E::GltfTooLarge { .. } => Kind::Limit,
        E::BadImage { format, offset, problem } => {
            let place = u64::try_from(*offset).unwrap_or(u64::MAX);
            return Error::malformed(format!("{format} image: {problem}")).at(place);
        }
        E::BadSound { offset, problem } => {
            let place = u64::try_from(*offset).unwrap_or(u64::MAX);
            return Error::malformed(format!("WAV: {problem}")).at(place);
        }
        _ => Kind::Malformed,
    };
    Error::new(kind, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_error_keeps_its_kind_and_place() {
        assert_eq!(from_scene(&scene::Error::UnknownImage).kind(), Kind::Unsupported);
        let error = scene::Error::BadImage {
            format: scene::image::Format::Png,
            offset: 16,
            problem: "no width".to_owned(),
        };
        assert_eq!(from_scene(&error).offset(), Some(16));
        assert_eq!(from_scene(&error).to_string(), error.to_string());
    }
}
