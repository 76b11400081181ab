//! Tests of all requests.
