//! Writing of JSON without whitespace, and the bits of numbers that JSON cannot represent.

use std::io::{self, Write};

use data_encoding::HEXLOWER;
use serde::ser::Serialize;

use crate::fault::Fault;
use crate::float::{bits_of_f32, bits_of_f64};
use crate::ser::{Kind, Scalar, Sink};

/// A list or object that is being written.
#[derive(Debug)]
pub struct Open {
    is_first: bool,
    end: u8,
}

impl Open {
    fn next(&mut self, out: &mut Vec<u8>) {
        if !std::mem::take(&mut self.is_first) {
            out.push(b',');
        }
    }
}

impl Sink for Vec<u8> {
    type Open = Open;

    #[inline]
    fn scalar(&mut self, value: Scalar<'_>) {
        match value {
            Scalar::Null => self.extend_from_slice(b"null"),
            Scalar::Bool(value) => append(self, &value),
            Scalar::Unsigned(number) => append(self, &number),
            Scalar::Signed(number) => append(self, &number),
            Scalar::Single(number) if number.is_finite() => append(self, &number),
            Scalar::Single(number) => append(self, &bits_of_f32(number)),
            Scalar::Double(number) if number.is_finite() => append(self, &number),
            Scalar::Double(number) => append(self, &bits_of_f64(number)),
            Scalar::Text(text) => append(self, text),
            // Writing to memory cannot fail.
            Scalar::Bytes(bytes) => drop(write_hexadecimal(bytes, self)),
        }
    }

    #[inline]
    fn open(&mut self, kind: Kind, _length: Option<usize>) -> Result<Open, Fault> {
        let (start, end) = if kind == Kind::List { (b'[', b']') } else { (b'{', b'}') };
        self.push(start);
        Ok(Open { is_first: true, end })
    }

    #[inline]
    fn item(&mut self, open: &mut Open) {
        open.next(self);
    }

    #[inline]
    fn member(&mut self, open: &mut Open, name: &str) {
        open.next(self);
        append(self, name);
        self.push(b':');
    }

    #[inline]
    fn close(&mut self, open: Open) {
        self.push(open.end);
    }
}

/// Appends a value that JSON can represent. Writing it to memory cannot fail.
fn append<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    let _ = serde_json::to_writer(out, value);
}

/// Writes bytes as a string of hexadecimal digits, without holding all digits in memory.
pub(crate) fn write_hexadecimal(bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"\"")?;
    bytes.chunks(4096).try_for_each(|part| out.write_all(HEXLOWER.encode(part).as_bytes()))?;
    out.write_all(b"\"")
}
