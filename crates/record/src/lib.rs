//! Bytes to structs and back: readers, writers, located errors and spans from one declaration.
