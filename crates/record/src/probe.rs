//! Used by the derive to generate schemas: what the types of expressions are, which only the compiler knows.

use crate::schema::{Constant, Schema};
use crate::{Error, Record, write_whole};

/// Returns the bytes of a tag. A tag that cannot be written has none.
pub fn stored<T: Record<Context = ()>>(value: &T) -> Vec<u8> {
    write_whole(value, ()).unwrap_or_default()
}

/// Finds out whether a constant is a record. Used by the derive: `(&Probe(&value)).constant()` selects the first trait that applies.
#[derive(Debug)]
pub struct Probe<T>(pub T);

/// Constants that are records.
pub trait ProbeRecord {
    fn constant(&self) -> Constant;
}

impl<T: Record<Context = ()>> ProbeRecord for Probe<&T> {
    fn constant(&self) -> Constant {
        let bytes: Result<Vec<u8>, Error> = write_whole(self.0, ());
        bytes.map_or(Constant::Other, Constant::Stored)
    }
}

/// Constants that are numbers, but not records.
pub trait ProbeNumber {
    fn constant(&self) -> Constant;
}

impl ProbeNumber for Probe<&usize> {
    fn constant(&self) -> Constant {
        u64::try_from(*self.0).map_or(Constant::Other, Constant::Number)
    }
}

impl ProbeNumber for Probe<&bool> {
    fn constant(&self) -> Constant {
        Constant::Number(u64::from(*self.0))
    }
}

/// All other constants.
pub trait ProbeOther {
    fn constant(&self) -> Constant;
}

impl<T> ProbeOther for &Probe<T> {
    fn constant(&self) -> Constant {
        Constant::Other
    }
}

/// Finds out whether a context is a record.
#[derive(Debug)]
pub struct ProbeType<T>(pub std::marker::PhantomData<T>);

/// Contexts that are records.
pub trait ProbeSchema {
    fn schema(&self) -> Option<Schema>;
}

impl<T: Record> ProbeSchema for ProbeType<T> {
    fn schema(&self) -> Option<Schema> {
        Some(T::schema())
    }
}

/// All other contexts.
pub trait ProbeNoSchema {
    fn schema(&self) -> Option<Schema>;
}

impl<T> ProbeNoSchema for &ProbeType<T> {
    fn schema(&self) -> Option<Schema> {
        None
    }
}
