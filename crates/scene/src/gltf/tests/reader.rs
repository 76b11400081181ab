//! A small GLB reader that validates everything it reads.

use json::Value;

/// The parts of a GLB file.
pub(super) struct Glb {
    pub(super) json: Value,
    pub(super) binary: Vec<u8>,
}

impl Glb {
    /// Reads the header and chunks; panics if they are invalid.
    pub(super) fn read(bytes: &[u8]) -> Self {
        assert!(bytes.starts_with(b"glTF\x02\0\0\0"), "magic and version");
        assert_eq!(u32_at(bytes, 8), bytes.len(), "the length in the header");
        let (json, rest) = chunk(&bytes[12..], b"JSON");
        let binary = if rest.is_empty() {
            Vec::new()
        } else {
            let (binary, rest) = chunk(rest, b"BIN\0");
            assert!(rest.is_empty(), "two chunks at most");
            binary.to_vec()
        };
        Self { json: json::from_slice(json).unwrap(), binary }
    }

    pub(super) fn list(&self, name: &str) -> &[Value] {
        self.json[name].as_array().map_or(&[], Vec::as_slice)
    }

    /// Returns all numbers of an accessor; panics if it exceeds its view or the buffer.
    pub(super) fn numbers(&self, accessor: usize) -> Vec<f64> {
        let accessor = &self.list("accessors")[accessor];
        let (size, number): (usize, fn(&[u8]) -> f64) = match accessor["componentType"].as_u64().unwrap() {
            5120 => (1, |bytes| f64::from(bytes[0].cast_signed())),
            5121 => (1, |bytes| f64::from(bytes[0])),
            5122 => (2, |bytes| f64::from(i16::from_le_bytes(bytes.try_into().unwrap()))),
            5123 => (2, |bytes| f64::from(u16::from_le_bytes(bytes.try_into().unwrap()))),
            5125 => (4, |bytes| f64::from(u32::from_le_bytes(bytes.try_into().unwrap()))),
            5126 => (4, |bytes| f64::from(f32::from_le_bytes(bytes.try_into().unwrap()))),
            other => panic!("component type {other}"),
        };
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            other => panic!("shape {other}"),
        };
        let count = accessor["count"].as_u64().unwrap() as usize;
        assert!(count > 0, "an empty accessor");
        let mut numbers = match accessor["bufferView"].as_u64() {
            None => vec![0.0; count * width],
            Some(view) => {
                let stride = self.list("bufferViews")[view as usize]["byteStride"].as_u64();
                let stride = stride.map_or(width * size, |stride| stride as usize);
                let bytes = self.items(view, &accessor["byteOffset"], count * stride);
                bytes.chunks(stride).flat_map(|item| item[..width * size].chunks(size)).map(number).collect()
            }
        };
        let sparse = &accessor["sparse"];
        if let Some(moved) = sparse["count"].as_u64() {
            let (moved, indices, values) = (moved as usize, &sparse["indices"], &sparse["values"]);
            assert!((1..=count).contains(&moved), "{moved} of {count} are not zero");
            for view in [indices, values]
                .map(|it| &self.list("bufferViews")[it["bufferView"].as_u64().unwrap() as usize])
            {
                assert!(view.get("target").is_none() && view.get("byteStride").is_none(), "{view}");
            }
            let index = if indices["componentType"] == 5123 { 2 } else { 4 };
            let at =
                self.items(indices["bufferView"].as_u64().unwrap(), &indices["byteOffset"], moved * index);
            let at: Vec<usize> = at
                .chunks(index)
                .map(|bytes| bytes.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte)))
                .collect();
            assert!(at.is_sorted_by(|a, b| a < b), "{at:?}");
            let bytes = self.items(
                values["bufferView"].as_u64().unwrap(),
                &values["byteOffset"],
                moved * width * size,
            );
            for (at, item) in at.iter().zip(bytes.chunks(width * size)) {
                for (slot, bytes) in numbers[at * width..][..width].iter_mut().zip(item.chunks(size)) {
                    *slot = number(bytes);
                }
            }
        }
        numbers
    }

    /// Returns `length` bytes of a view from an aligned offset on.
    fn items(&self, view: u64, offset: &Value, length: usize) -> &[u8] {
        let offset = offset.as_u64().unwrap_or(0) as usize;
        assert!(offset.is_multiple_of(4), "items at offset {offset}");
        &self.view(view as usize)[offset..offset + length]
    }

    /// Returns the bytes of a view; panics if it exceeds the buffer or is not aligned.
    pub(super) fn view(&self, view: usize) -> &[u8] {
        let view = &self.list("bufferViews")[view];
        let start = view["byteOffset"].as_u64().unwrap_or(0) as usize;
        assert!(start.is_multiple_of(4), "a view at offset {start}");
        &self.binary[start..start + view["byteLength"].as_u64().unwrap() as usize]
    }

    /// Checks all lists: references, bounds, names, extensions, and that nothing is empty.
    pub(super) fn check(&self) {
        let allowed = self.list("extensionsUsed").iter().map(|name| name.as_str().unwrap());
        let text = self.json.to_string();
        assert!(allowed.clone().is_sorted(), "extensions are sorted");
        for extension in allowed.clone() {
            assert!(
                text.matches(&format!("\"{extension}\"")).count() > 1,
                "{extension} is listed but not used"
            );
        }
        let needed = ["EXT_mesh_gpu_instancing", "KHR_mesh_quantization"];
        let required: Vec<&str> = allowed.clone().filter(|name| needed.contains(name)).collect();
        let declared: Vec<&str> =
            self.list("extensionsRequired").iter().map(|name| name.as_str().unwrap()).collect();
        assert_eq!(declared, required);
        no_empty_lists(&self.json, "");
        for list in ["scenes", "nodes", "meshes", "materials", "textures", "images", "skins", "animations"] {
            assert!(
                self.list(list).iter().all(|item| item["name"].as_str().is_some_and(|name| !name.is_empty()))
            );
        }
        if let Some(buffer) = self.list("buffers").first() {
            assert_eq!(buffer["byteLength"], self.binary.len());
        }
        for view in 0..self.list("bufferViews").len() {
            self.view(view);
        }
        for (index, accessor) in self.list("accessors").iter().enumerate() {
            self.check_bounds(accessor, &self.numbers(index));
        }
        for mesh in self.list("meshes") {
            mesh["primitives"]
                .as_array()
                .unwrap()
                .iter()
                .for_each(|primitive| self.check_primitive(primitive));
        }
        self.check_matrices();
        for node in self.list("nodes") {
            reference(&node["mesh"], self.list("meshes"));
            reference(&node["skin"], self.list("skins"));
        }
        for texture in self.list("textures") {
            reference(&texture["source"], self.list("images"));
            reference(&texture["sampler"], self.list("samplers"));
        }
        for channel in
            self.list("animations").iter().flat_map(|animation| animation["channels"].as_array().unwrap())
        {
            let pointer = &channel["target"]["extensions"]["KHR_animation_pointer"]["pointer"];
            if let Some(pointer) = pointer.as_str() {
                assert!(self.json.pointer(pointer).is_some(), "nothing at {pointer}");
            }
        }
    }

    /// Checks that inverse bind matrices have separate views, as the Khronos validator requires.
    fn check_matrices(&self) {
        let accessors = self.list("accessors");
        let matrices: Vec<u64> =
            self.list("skins").iter().filter_map(|skin| skin["inverseBindMatrices"].as_u64()).collect();
        for number in &matrices {
            let view = &accessors[*number as usize]["bufferView"];
            let users = (0..).zip(accessors).filter(|(_, it)| it["bufferView"] == *view);
            assert!(users.map(|(user, _)| user).all(|user: u64| matrices.contains(&user)), "view {view}");
        }
    }

    fn check_bounds(&self, accessor: &Value, numbers: &[f64]) {
        for (bound, better) in [("min", f64::min as fn(f64, f64) -> f64), ("max", f64::max)] {
            let Some(bounds) = accessor[bound].as_array() else { continue };
            for (component, bound) in bounds.iter().enumerate() {
                let column = numbers.iter().copied().skip(component).step_by(bounds.len());
                let found = column.reduce(better).unwrap();
                assert_eq!(found as f32, bound.as_f64().unwrap() as f32);
            }
        }
    }

    fn check_primitive(&self, primitive: &Value) {
        let accessors = self.list("accessors");
        let count = |accessor: &Value| accessors[accessor.as_u64().unwrap() as usize]["count"].clone();
        let attributes = primitive["attributes"].as_object().unwrap();
        let vertices = count(&attributes["POSITION"]);
        let targets = primitive["targets"].as_array().into_iter().flatten();
        for (name, accessor) in
            targets.map(|target| target.as_object().unwrap()).chain([attributes]).flatten()
        {
            assert_eq!(count(accessor), vertices, "{name}");
            let accessor = &accessors[accessor.as_u64().unwrap() as usize];
            assert_eq!(accessor.get("min").is_some(), name == "POSITION");
            let Some(view) = accessor["bufferView"].as_u64() else { continue };
            let view = &self.list("bufferViews")[view as usize];
            assert_eq!(view["target"], 34962);
            // Accessors may share a view of vertices only if it has a stride.
            assert!(view["byteStride"].as_u64().is_some(), "{view}");
        }
        let indices = self.numbers(primitive["indices"].as_u64().unwrap() as usize);
        let corners = if primitive["mode"] == 1 { 2 } else { 3 };
        assert!(indices.len().is_multiple_of(corners));
        assert!(indices.iter().all(|index| *index < vertices.as_f64().unwrap()));
        reference(&primitive["material"], self.list("materials"));
    }
}

fn reference(index: &Value, list: &[Value]) {
    if let Some(index) = index.as_u64() {
        assert!((index as usize) < list.len(), "{index} of {}", list.len());
    }
}

fn no_empty_lists(value: &Value, place: &str) {
    match value {
        Value::Array(items) => {
            assert!(!items.is_empty(), "an empty list at {place}");
            items
                .iter()
                .enumerate()
                .for_each(|(index, item)| no_empty_lists(item, &format!("{place}/{index}")));
        }
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| no_empty_lists(member, &format!("{place}/{name}")));
        }
        Value::Null => panic!("a null at {place}"),
        _ => {}
    }
}

fn u32_at(bytes: &[u8], offset: usize) -> usize {
    u32::from_le_bytes(bytes[offset..offset + 4].try_into().unwrap()) as usize
}

fn chunk<'a>(bytes: &'a [u8], kind: &[u8; 4]) -> (&'a [u8], &'a [u8]) {
    let length = u32_at(bytes, 0);
    assert!(length.is_multiple_of(4), "a chunk of {length} bytes");
    assert_eq!(&bytes[4..8], kind);
    bytes[8..].split_at(length)
}
