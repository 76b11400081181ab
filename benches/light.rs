//! Building the lightmaps of a hall full of boxes: the duration, its growth with the numbers of triangles, lights and texels, and the number
//! of rays per texel.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use antiquary::files::sink::WriteMode;
use antiquary::json::Value;
use antiquary::scpcb::rmesh::{
    Entity, Light, LightmapOptions, RMesh, Surface, TextureKind, TextureSlot, Vertex,
};
use antiquary::{BuildOptions, Session};
use benches::{Measures, criterion, seconds};

/// Halls: name, boxes along each side, lights along each side, and texels per meter.
const HALLS: [(&str, u16, u16, f64); 4] = [
    ("10,000 triangles, 16 lights, 16 texels per meter", 31, 4, 16.0),
    ("twice as many triangles", 44, 4, 16.0),
    ("four times as many lights", 31, 8, 16.0),
    ("four times as many texels", 31, 4, 32.0),
];

/// Side length of a hall in game units: 16 meters.
const SIDE: f32 = 4096.0;

/// Adds a rectangle as two triangles, given by a corner and two sides. The front faces in the direction of `across x along`,
/// computed from the raw coordinates.
fn add(surface: &mut Surface, corner: [f32; 3], across: [f32; 3], along: [f32; 3]) {
    let first = u32::try_from(surface.vertices.len()).expect("few vertices");
    for (x, y) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
        let coordinate = |axis: usize| corner[axis] + across[axis] * x + along[axis] * y;
        surface
            .vertices
            .push(Vertex { position: [coordinate(0), coordinate(1), coordinate(2)], ..Vertex::default() });
    }
    surface.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
}

/// A closed hall of 16 by 16 by 4 meters with boxes on its floor.
fn hall(boxes: u16, lights: u16) -> RMesh {
    let texture = TextureSlot { kind: TextureKind::OPAQUE, name: Some("wall.png".into()) };
    let mut surface =
        Surface { lightmap: TextureSlot::NONE, texture, vertices: Vec::new(), triangles: Vec::new() };
    let (s, h) = (SIDE, 1024.0);
    let walls = [
        ([0.0; 3], [0.0, 0.0, s], [s, 0.0, 0.0]),
        ([0.0, h, 0.0], [s, 0.0, 0.0], [0.0, 0.0, s]),
        ([0.0; 3], [s, 0.0, 0.0], [0.0, h, 0.0]),
        ([0.0, 0.0, s], [0.0, h, 0.0], [s, 0.0, 0.0]),
        ([0.0; 3], [0.0, h, 0.0], [0.0, 0.0, s]),
        ([s, 0.0, 0.0], [0.0, 0.0, s], [0.0, h, 0.0]),
    ];
    walls.into_iter().for_each(|(corner, across, along)| add(&mut surface, corner, across, along));
    let step = SIDE / f32::from(boxes);
    for number in 0..boxes * boxes {
        let (x, z) = (f32::from(number % boxes) * step, f32::from(number / boxes) * step);
        let (w, h) = (step * 0.4, 40.0 + f32::from(number * 7 % 11) * 20.0);
        let sides = [
            ([x, h, z], [0.0, 0.0, w], [w, 0.0, 0.0]),
            ([x, 0.0, z], [0.0, h, 0.0], [w, 0.0, 0.0]),
            ([x, 0.0, z + w], [w, 0.0, 0.0], [0.0, h, 0.0]),
            ([x, 0.0, z], [0.0, 0.0, w], [0.0, h, 0.0]),
            ([x + w, 0.0, z], [0.0, h, 0.0], [0.0, 0.0, w]),
        ];
        sides.into_iter().for_each(|(corner, across, along)| add(&mut surface, corner, across, along));
    }
    let between = SIDE / f32::from(lights);
    let light = |number: u16| {
        let [x, z] = [number % lights, number / lights].map(|at| (f32::from(at) + 0.5) * between);
        let color = "255 240 200".into();
        Entity::Light(Light {
            position: [x, 900.0, z],
            range: 1600.0,
            color,
            intensity: 0.8,
            ..Light::default()
        })
    };
    RMesh {
        surfaces: vec![surface],
        entities: Some((0..lights * lights).map(light).collect()),
        ..RMesh::new()
    }
}

/// The mean number of rays, which does not depend on the machine.
fn rays_per_texel(figures: &Value) -> f64 {
    let figure = |name: &str| figures.get(name).and_then(Value::as_f64).expect("the figure is reported");
    figure("rays") / figure("texels")
}

fn main() {
    let work = std::env::temp_dir().join(format!("antiquary-bench-light-{}", std::process::id()));
    fs::create_dir_all(&work).expect("the folder can be created");
    let mut criterion = criterion().sample_size(10);
    let mut group = criterion.benchmark_group("light");
    let mut rays = Vec::new();
    for (number, (name, boxes, lights, density)) in HALLS.into_iter().enumerate() {
        let path: PathBuf = work.join(format!("hall{number}.rmesh"));
        fs::write(&path, hall(boxes, lights).write().expect("the room can be written"))
            .expect("it is written");
        let options = BuildOptions::default().options(&LightmapOptions::default().density(density));
        let session = Session::default().writing(WriteMode::DryRun);
        let out = work.join("new.rmesh");
        let build =
            |room: &Path| session.build("lightmaps", room, &out, &options).expect("the lightmaps are built");
        rays.push(rays_per_texel(&build(&path).figures));
        group.bench_function(name, |bench| bench.iter(|| build(black_box(&path))));
    }
    group.finish();
    criterion.final_summary();
    fs::remove_dir_all(&work).expect("the folder can be removed");

    let mut measures = Measures::new();
    let first = HALLS.first().and_then(|(name, ..)| seconds("light", name));
    for ((name, ..), rays) in HALLS.into_iter().zip(rays) {
        if let (Some(first), Some(time)) = (first, seconds("light", name)) {
            measures.add(&format!("lightmaps: {name}"), time, "s");
            measures.add(&format!("lightmaps: {name}, relative to the first"), time / first, "times");
            measures.add(&format!("lightmaps: {name}, traced"), rays, "rays per texel");
        }
    }
    measures.write("light");
}
