//! Git LFS pointers: short text files that replace large files in a Git repository.

/// The start of every pointer.
const START: &[u8] = b"version https://git-lfs.github.com/spec/";

/// Message that explains a pointer and the way to get the file.
pub const ABOUT: &str =
    "Git LFS pointer, not the file itself; run `git lfs pull` in its repository to get the file";

/// Whether a file with this head is a pointer.
#[must_use]
pub fn is_pointer(head: &[u8]) -> bool {
    head.starts_with(START)
}
