//! The derive behind antiquary-record.
