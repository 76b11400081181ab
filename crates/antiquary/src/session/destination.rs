//! Output destinations: the meaning of `-o OUT`.

use files::disk;
use std::path::{Path, PathBuf};

use asset::Error;

use super::Inputs;
use crate::catalog::Catalog;

/// Destination of outputs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Destination {
    /// A folder, which mirrors the folders of the inputs. The first output of each format is written.
    Folder(PathBuf),
    /// A single file, whose extension selects the output. Its companion files are written next to it.
    File(PathBuf),
}

impl Destination {
    /// Interprets a path as the destination of the given inputs. It is a folder if such a folder exists, if the path ends
    /// with a slash, or if there may be several inputs; otherwise it is a file.
    ///
    /// # Errors
    /// Returns [`Kind::Usage`](asset::Kind::Usage) if a folder is needed and the path is a file, or has the extension of an
    /// output of the catalog's formats.
    pub fn new(out: &Path, inputs: &Inputs, catalog: Catalog) -> Result<Self, Error> {
        if disk::is_folder(out) || ends_in_slash(out) {
            return Ok(Self::Folder(out.to_path_buf()));
        }
        if inputs.is_one_file() {
            return Ok(Self::File(out.to_path_buf()));
        }
        if disk::exists(out) {
            return Err(Error::usage("is a file, but several inputs need an output folder").in_file(out));
        }
        refuse_file_name(out, "several inputs need", catalog)?;
        Ok(Self::Folder(out.to_path_buf()))
    }
}

/// Rejects a file name where a folder is needed: a folder named `x.glb` is not what a user expects.
pub(super) fn refuse_file_name(out: &Path, needed_by: &str, catalog: Catalog) -> Result<(), Error> {
    let extension = out.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_output = catalog.formats().any(|format| format.output(&extension).is_some());
    if !is_output {
        return Ok(());
    }
    let shown = out.display();
    Err(Error::usage(format!(
        "is the name of a file, but {needed_by} an output folder; write `-o {}/`, or `-o {shown}/` if the folder should have this name",
        out.with_extension("").display()
    ))
    .in_file(out))
}

pub(super) fn ends_in_slash(path: &Path) -> bool {
    path.as_os_str().to_string_lossy().ends_with(std::path::is_separator)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Session;
    use std::fs;

    #[test]
    fn a_destination_is_a_folder_by_existence_slash_or_several_inputs() {
        let temp = tempfile::tempdir().unwrap();
        let (a, b, out) = (temp.path().join("a.x"), temp.path().join("b.x"), temp.path().join("out"));
        fs::write(&a, "a").unwrap();
        fs::write(&b, "b").unwrap();
        let one = Inputs::collect(std::slice::from_ref(&a));
        let two = Inputs::collect(&[a, b.clone()]);
        let folder = Inputs::collect(&[temp.path().to_path_buf()]);
        let means = |out: &Path, inputs| Destination::new(out, inputs, Session::default().catalog).unwrap();
        assert_eq!(means(&out, &one), Destination::File(out.clone()));
        assert_eq!(means(&b, &one), Destination::File(b.clone()));
        assert_eq!(means(&out, &two), Destination::Folder(out.clone()));
        assert_eq!(means(&out, &folder), Destination::Folder(out.clone()));
        assert_eq!(means(temp.path(), &one), Destination::Folder(temp.path().to_path_buf()));
        assert!(matches!(means(&out.join(""), &one), Destination::Folder(_)));
        // A folder is not named like a file unless requested explicitly.
        let glb = temp.path().join("x.glb");
        let error = Destination::new(&glb, &folder, Session::default().catalog).unwrap_err().to_string();
        assert!(error.contains("write `-o ") && error.contains("/x/`"), "{error}");
        assert_eq!(means(&glb.join(""), &folder), Destination::Folder(glb.join("")));
        assert_eq!(means(&out.join("v1.2"), &folder), Destination::Folder(out.join("v1.2")));
        assert!(Destination::new(&b, &folder, Session::default().catalog).is_err());
    }
}
