//! What every file format of an old game offers, and where its files are found.
