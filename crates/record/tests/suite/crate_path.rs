//! Derived code finds this crate under another name and within another crate.

/// A crate that re-exports this one.
mod facade {
    pub(crate) use antiquary_record as bytes;
}

/// A module in which the crate can be found only through the attribute.
mod inner {
    #[allow(dead_code, reason = "it only shadows the crate")]
    mod record {}

    #[derive(super::facade::bytes::Record, Debug, PartialEq)]
    #[record(crate = crate::crate_path::facade::bytes, magic = b"A")]
    pub(crate) struct Point {
        pub(crate) at: [i16; 2],
        #[record(count = u8)]
        pub(crate) names: Vec<Name>,
    }

    #[derive(super::facade::bytes::Record, Debug, PartialEq)]
    #[record(crate = crate::crate_path::facade::bytes, tag = u8)]
    pub(crate) enum Name {
        #[record(tag = 1)]
        Number(u16),
        #[record(unknown)]
        Other(u8, super::facade::bytes::Bytes),
    }
}

#[test]
fn uses_the_crate_path_of_the_attribute() {
    let point = inner::Point { at: [1, -1], names: vec![inner::Name::Number(7)] };
    let bytes = antiquary_record::write_whole(&point, ()).unwrap();
    assert_eq!(bytes, b"A\x01\0\xff\xff\x01\x01\x07\0");
    assert_eq!(antiquary_record::read_whole::<inner::Point>(&bytes, ()).unwrap(), point);
}
