//! An independent writer of models in each encoding, for tests of the reader.

use miniz_oxide::deflate::core::{CompressorOxide, TDEFLFlush, compress, create_comp_flags_from_zip_params};

/// An item of a file.
#[derive(Debug, Clone)]
pub(super) enum Item {
    /// Template, name, GUID and contents.
    Object(&'static str, &'static str, Option<[u8; 16]>, Vec<Item>),
    Template(&'static str),
    Name(&'static str),
    Guid([u8; 16]),
    Integers(Vec<u32>),
    Floats(Vec<f32>),
    Text(&'static str),
}

pub(super) use Item::{Floats, Guid, Integers, Name, Object, Template, Text};

/// Returns an object without a GUID.
pub(super) fn object(class: &'static str, name: &'static str, items: Vec<Item>) -> Item {
    Object(class, name, None, items)
}

/// Returns the file as text.
pub(super) fn text(items: &[Item]) -> Vec<u8> {
    [b"xof 0303txt 0032\r\n".as_slice(), text_body(items).as_bytes()].concat()
}

fn text_body(items: &[Item]) -> String {
    let mut out = String::new();
    for item in items {
        match item {
            Object(class, name, guid, items) => {
                let guid = guid.map(|guid| guid_text(&guid)).unwrap_or_default();
                out.push_str(&format!(
                    "{class} {name} {{ // {class}\r\n {guid}\r\n{}}}\r\n",
                    text_body(items)
                ));
            }
            Template(name) => {
                out.push_str(&format!(
                    "template {name} {{\n <{}>\n DWORD n;\n array FLOAT x[n];\n [...]\n}}\n",
                    "0".repeat(32)
                ));
            }
            Name(name) => out.push_str(&format!("{{ {name} }}\r\n")),
            Guid(guid) => out.push_str(&format!("{{ {} }}\r\n", guid_text(guid))),
            Integers(numbers) => numbers.iter().for_each(|number| out.push_str(&format!("{number};"))),
            Floats(numbers) => {
                // There may be any number of separators, and integral floats look like integers.
                let formatted = numbers.iter().map(|number| format!("{number},;"));
                out.extend(formatted);
                out.push_str("\r\n # a comment } {\r\n");
            }
            Text(text) => out.push_str(&format!("\"{text}\";")),
        }
    }
    out
}

fn guid_text(guid: &[u8; 16]) -> String {
    let [a, b, c, d, e, f, g, h, rest @ ..] = guid;
    let rest: String = rest.iter().map(|byte| format!("{byte:02x}")).collect();
    let (fourth, fifth) = rest.split_at(4);
    format!("<{d:02X}{c:02X}{b:02X}{a:02X}-{f:02x}{e:02x}-{h:02x}{g:02x}-{fourth}-{fifth}>")
}

/// Returns the file as binary tokens, with floats of 32 or 64 bits.
pub(super) fn binary(items: &[Item], bits: u32) -> Vec<u8> {
    let mut out = format!("xof 0303bin {bits:04}").into_bytes();
    binary_body(items, bits, &mut out);
    out
}

fn token(number: u16, out: &mut Vec<u8>) {
    out.extend(number.to_le_bytes());
}

fn counted(number: u16, bytes: &[u8], count: usize, out: &mut Vec<u8>) {
    token(number, out);
    out.extend((count as u32).to_le_bytes());
    out.extend(bytes);
}

fn binary_body(items: &[Item], bits: u32, out: &mut Vec<u8>) {
    for item in items {
        match item {
            Object(class, name, guid, items) => {
                counted(1, class.as_bytes(), class.len(), out);
                if !name.is_empty() {
                    counted(1, name.as_bytes(), name.len(), out);
                }
                token(10, out);
                if let Some(guid) = guid {
                    token(5, out);
                    out.extend(guid);
                }
                binary_body(items, bits, out);
                token(11, out);
            }
            Template(name) => {
                token(31, out);
                counted(1, name.as_bytes(), name.len(), out);
                token(10, out);
                token(5, out);
                out.extend([0; 16]);
                token(41, out);
                counted(1, b"n", 1, out);
                for number in [20, 52, 42] {
                    token(number, out);
                }
                counted(1, b"x", 1, out);
                token(14, out);
                counted(1, b"n", 1, out);
                for number in [15, 20, 14, 18, 18, 18, 15, 11] {
                    token(number, out);
                }
            }
            Name(name) => {
                token(10, out);
                counted(1, name.as_bytes(), name.len(), out);
                token(11, out);
            }
            Guid(guid) => {
                token(10, out);
                token(5, out);
                out.extend(guid);
                token(11, out);
            }
            Integers(numbers) => match numbers.as_slice() {
                [number] => {
                    token(3, out);
                    out.extend(number.to_le_bytes());
                }
                _ => {
                    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
                    counted(6, &bytes, numbers.len(), out);
                }
            },
            Floats(numbers) => {
                let bytes: Vec<u8> = match bits {
                    64 => numbers.iter().flat_map(|number| f64::from(*number).to_le_bytes()).collect(),
                    _ => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
                };
                counted(7, &bytes, numbers.len(), out);
            }
            Text(text) => {
                counted(2, text.as_bytes(), text.len(), out);
                token(20, out);
            }
        }
    }
}

/// Returns the file in MSZIP blocks of `block` unpacked bytes each.
pub(super) fn zip(file: &[u8], block: usize) -> Vec<u8> {
    let mut out = file[..16].to_vec();
    match &file[8..12] {
        b"txt " => out[8..12].copy_from_slice(b"tzip"),
        _ => out[8..12].copy_from_slice(b"bzip"),
    }
    out.extend((file.len() as u32).to_le_bytes());
    for (size, packed) in blocks(&file[16..], block) {
        out.extend((size as u16).to_le_bytes());
        out.extend((packed.len() as u16).to_le_bytes());
        out.extend(packed);
    }
    out
}

/// Returns blocks of one stream, each with the previous blocks as its history: unpacked size and bytes.
pub(super) fn blocks(data: &[u8], block: usize) -> Vec<(usize, Vec<u8>)> {
    // No header, best compression.
    let mut compressor = CompressorOxide::new(create_comp_flags_from_zip_params(9, -15, 0));
    data.chunks(block)
        .map(|chunk| {
            let mut packed = b"CK".to_vec();
            let mut buffer = vec![0; 2 * chunk.len() + 1024];
            let (_, read, formatted) = compress(&mut compressor, chunk, &mut buffer, TDEFLFlush::Sync);
            assert_eq!(read, chunk.len());
            packed.extend(&buffer[..formatted]);
            // An empty last block: in a file each block is a separate stream.
            packed.extend([0x03, 0x00]);
            (chunk.len(), packed)
        })
        .collect()
}
