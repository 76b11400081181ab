//! A small `.3ds` model, chunk by chunk.

/// A chunk: its number, length and contents. All chunks are short.
pub(crate) fn chunk(number: u16, contents: &[u8]) -> Vec<u8> {
    let length = u32::try_from(contents.len()).unwrap_or(u32::MAX).saturating_add(6);
    [&number.to_le_bytes()[..], &length.to_le_bytes(), contents].concat()
}

/// A textured triangle on the ground.
pub(crate) fn model() -> Vec<u8> {
    let floats = |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>();
    let words = |numbers: &[u16]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>();
    let name = b"Wall\0";
    let material = chunk(
        0xafff,
        &[
            chunk(0xa000, name),
            chunk(0xa020, &chunk(0x0011, &[200, 100, 50])),
            chunk(0xa200, &chunk(0xa300, b"wall.jpg\0")),
        ]
        .concat(),
    );
    let positions = [0.0, 0.0, 0.0, 256.0, 0.0, 0.0, 0.0, 256.0, 0.0];
    let vertices = chunk(0x4110, &[words(&[3]), floats(&positions)].concat());
    let coords = chunk(0x4140, &[words(&[3]), floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0])].concat());
    let of_material = chunk(0x4130, &[&name[..], &words(&[1, 0])].concat());
    let faces = chunk(0x4120, &[words(&[1, 0, 1, 2, 7]), of_material].concat());
    let mesh = chunk(0x4100, &[vertices, coords, faces].concat());
    let object = chunk(0x4000, &[&b"Plate\0"[..], &mesh].concat());
    let version = chunk(0x0002, &3_u32.to_le_bytes());
    chunk(0x4d4d, &[version, chunk(0x3d3d, &[material, object].concat())].concat())
}
