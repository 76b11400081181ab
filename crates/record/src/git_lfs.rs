//! Git LFS pointers: the short texts that a Git repository holds in place of large files.

/// The start of every pointer.
const START: &[u8] = b"version https://git-lfs.github.com/spec/";

/// What a pointer is, and how to get the file.
pub const ABOUT: &str =
    "Git LFS pointer, not the file itself; run `git lfs pull` in its repository to get the file";

/// Whether a file with this head is a pointer.
#[must_use]
pub fn is_pointer(head: &[u8]) -> bool {
    head.starts_with(START)
}
