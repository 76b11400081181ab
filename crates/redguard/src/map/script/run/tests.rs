//! Tests of running scripts.
