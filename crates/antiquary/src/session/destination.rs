//! Where outputs go: what `-o OUT` means.

use files::disk;
use std::path::{Path, PathBuf};

use asset::Error;

use super::Inputs;
use crate::catalog::Catalog;

/// Where outputs go.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Destination {
    /// Into a folder, which mirrors the folders of the inputs. Each format's first output is written.
    Folder(PathBuf),
    /// To this very file; its extension chooses the output. Files that belong to it stand beside it.
    File(PathBuf),
}

impl Destination {
    /// What a path means as the destination of these inputs: a folder, if it is one, if it ends in a slash or if there may be
    /// several inputs; otherwise a file.
    ///
    /// # Errors
    /// [`Kind::Usage`](asset::Kind::Usage) when a folder is needed and the path is a file, or has the extension of one that the catalog's
    /// formats become.
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

/// Refuses the name of a file where a folder is needed: a folder called `x.glb` is not what anybody means.
pub(super) fn refuse_file_name(out: &Path, needed_by: &str, catalog: Catalog) -> Result<(), Error> {
    let extension = out.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_output = catalog.formats().any(|format| format.output(&extension).is_some());
    if !is_output {
        return Ok(());
    }
    let shown = out.display();
    Err(Error::usage(format!(
        "is the name of a file, but {needed_by} an output folder; write `-o {}/`, or `-o {shown}/` if the folder is to have this name",
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
        let one = Inputs::gather(std::slice::from_ref(&a));
        let two = Inputs::gather(&[a, b.clone()]);
        let folder = Inputs::gather(&[temp.path().to_path_buf()]);
        let means = |out: &Path, inputs| Destination::new(out, inputs, Session::default().catalog).unwrap();
        assert_eq!(means(&out, &one), Destination::File(out.clone()));
        assert_eq!(means(&b, &one), Destination::File(b.clone()));
        assert_eq!(means(&out, &two), Destination::Folder(out.clone()));
        assert_eq!(means(&out, &folder), Destination::Folder(out.clone()));
        assert_eq!(means(temp.path(), &one), Destination::Folder(temp.path().to_path_buf()));
        assert!(matches!(means(&out.join(""), &one), Destination::Folder(_)));
        // No folder is called like a file, unless that is said.
        let glb = temp.path().join("x.glb");
        let error = Destination::new(&glb, &folder, Session::default().catalog).unwrap_err().to_string();
        assert!(error.contains("write `-o ") && error.contains("/x/`"), "{error}");
        assert_eq!(means(&glb.join(""), &folder), Destination::Folder(glb.join("")));
        assert_eq!(means(&out.join("v1.2"), &folder), Destination::Folder(out.join("v1.2")));
        assert!(Destination::new(&b, &folder, Session::default().catalog).is_err());
    }
}
