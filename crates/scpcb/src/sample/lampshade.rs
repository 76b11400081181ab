//! A ceiling lamp as a DirectX `.x` file: text encoding, nested frames, three materials.

use std::fmt::{Display, Write};

use glam::Vec3;
use scene::image::Rgba8;

use super::canvas::{clouds, paint};
use super::geometry::Geometry;

/// File names, in the folder of props.
pub(super) const MODEL: &str = "lampshade.x";
pub(super) const TEXTURE: &str = "lampshade.png";

/// Distance of the shade from the ceiling, in game units.
const DROP: f32 = 56.0;

const SIDES: u32 = 20;

/// The model as text, with the origin at the ceiling.
pub(super) fn model() -> String {
    let cord = Geometry::lathe(&[[2.5, 0.0], [2.5, 2.0 - DROP]], 6);
    let shade = Geometry::lathe(
        &[[9.0, 2.0], [10.0, -8.0], [62.0, -44.0], [60.0, -44.0], [8.0, -9.0], [0.0, -9.0]],
        SIDES,
    );
    let bulb = Geometry::lathe(&[[4.0, -9.0], [11.0, -20.0], [11.0, -27.0], [6.0, -33.0], [0.0, -35.0]], 12);
    let mut text = String::from("xof 0303txt 0032\n\n");
    let mut writer = Writer { text: &mut text, depth: 0 };
    writer.object("Frame lamp", |frame| {
        frame.matrix(Vec3::ZERO);
        frame.mesh("cord", &cord, &Paint { color: [0.05, 0.05, 0.05], texture: None });
        frame.object("Frame shade", |frame| {
            frame.matrix(Vec3::new(0.0, -DROP, 0.0));
            frame.mesh("enamel", &shade, &Paint { color: [1.0; 3], texture: Some(TEXTURE) });
            frame.mesh("bulb", &bulb, &Paint { color: [1.0, 0.95, 0.8], texture: None });
        });
    });
    text
}

/// Green enamel outside, white inside, and a bright rim between them.
pub(super) fn texture() -> Rgba8 {
    paint(128, 128, |x, y| {
        let worn = clouds(x, y, 128, 11);
        match y {
            0..=64 => {
                let level = 0.75 + 0.35 * worn;
                [0.10 * level, 0.30 * level, 0.24 * level, 1.0]
            }
            65..=68 => [0.85, 0.85, 0.8, 1.0],
            _ => {
                let level = 0.86 + 0.1 * worn;
                [level, level * 0.98, level * 0.92, 1.0]
            }
        }
    })
}

struct Paint {
    color: [f32; 3],
    texture: Option<&'static str>,
}

/// Writes nested objects, indented by one space per level.
struct Writer<'a> {
    text: &'a mut String,
    depth: usize,
}

impl Writer<'_> {
    fn line(&mut self, line: impl Display) {
        // Writing into a string cannot fail.
        let _ = writeln!(self.text, "{:1$}{line}", "", self.depth);
    }

    fn object(&mut self, head: &str, body: impl FnOnce(&mut Writer<'_>)) {
        self.line(format_args!("{head} {{"));
        body(&mut Writer { text: self.text, depth: self.depth + 1 });
        self.line("}");
    }

    /// Writes items separated by commas, with a semicolon after the last one.
    fn list<T: Display>(&mut self, items: impl IntoIterator<Item = T>) {
        let mut items = items.into_iter().peekable();
        while let Some(item) = items.next() {
            let end = if items.peek().is_some() { ',' } else { ';' };
            self.line(format_args!("{item}{end}"));
        }
    }

    fn matrix(&mut self, Vec3 { x, y, z }: Vec3) {
        self.object("FrameTransformMatrix", |matrix| {
            matrix.line("1.0, 0.0, 0.0, 0.0,");
            matrix.line("0.0, 1.0, 0.0, 0.0,");
            matrix.line("0.0, 0.0, 1.0, 0.0,");
            matrix.line(format_args!("{x:.1}, {y:.1}, {z:.1}, 1.0;;"));
        });
    }

    fn mesh(&mut self, name: &str, shape: &Geometry, paint: &Paint) {
        let vectors = |vectors: &[Vec3]| -> Vec<String> {
            vectors.iter().map(|Vec3 { x, y, z }| format!("{x:.4};{y:.4};{z:.4};")).collect()
        };
        let faces = || {
            shape.faces.iter().map(|face| {
                let corners: Vec<String> = face.iter().map(ToString::to_string).collect();
                format!("{};{};", corners.len(), corners.join(","))
            })
        };
        self.object(&format!("Mesh {name}"), |mesh| {
            mesh.line(format_args!("{};", shape.positions.len()));
            mesh.list(vectors(&shape.positions));
            mesh.line(format_args!("{};", shape.faces.len()));
            mesh.list(faces());
            mesh.object("MeshNormals", |normals| {
                normals.line(format_args!("{};", shape.normals.len()));
                normals.list(vectors(&shape.normals));
                normals.line(format_args!("{};", shape.faces.len()));
                normals.list(faces());
            });
            mesh.object("MeshTextureCoords", |uvs| {
                uvs.line(format_args!("{};", shape.uvs.len()));
                uvs.list(shape.uvs.iter().map(|uv| format!("{:.4};{:.4};", uv.x, uv.y)));
            });
            mesh.object("MeshMaterialList", |list| {
                // One number for all faces, as exporters write it.
                list.line("1; 1; 0;;");
                list.object(&format!("Material {name}_material"), |material| {
                    let [red, green, blue] = paint.color;
                    material.line(format_args!("{red:.2};{green:.2};{blue:.2};1.0;;"));
                    material.line("16.0;");
                    material.line("0.1;0.1;0.1;;");
                    material.line("0.0;0.0;0.0;;");
                    if let Some(texture) = paint.texture {
                        material.object("TextureFilename", |name| name.line(format_args!("\"{texture}\";")));
                    }
                });
            });
        });
    }
}
