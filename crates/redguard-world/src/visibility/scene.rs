//! Converts the cells of a tree to lines, at their positions in the map.

use std::collections::BTreeMap;

use ::scene::{Material, Mesh, Node, NodeId, Primitive, Scene, Topology};
use asset::preset::PRESET;
use asset::{Context, Target};
use record::{Error, Result};

use super::layout::Visibility;
use super::tree::{Cell, Tree};
use crate::axes::{AXES, Axes, MAP_ORIGIN_Z};

asset::format_options! {
    /// Options for converting a tree to a scene.
    pub struct SceneOptions {
        /// Rotation of the game's axes.
        axes: Axes = AXES;
        /// Program to prepare the scene for; it selects the values of options that are not set.
        preset: Option<::scene::Engine> = PRESET;
    }
}

/// Maximum number of cells to convert. The largest tree of the game has about 30,000.
const MAX_CELLS: usize = 1 << 18;

/// Edges of a cube as pairs of corners; the bits of a corner are greater X, Y and Z.
const EDGES: [[u32; 2]; 12] =
    [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [1, 3], [4, 6], [5, 7], [0, 4], [1, 5], [2, 6], [3, 7]];

/// Colors of the levels from the root, used cyclically.
const COLORS: [[f32; 4]; 6] = [
    [0.8, 0.8, 0.8, 1.0],
    [0.6, 0.2, 0.8, 1.0],
    [0.1, 0.3, 0.9, 1.0],
    [0.1, 0.7, 0.7, 1.0],
    [0.2, 0.7, 0.1, 1.0],
    [0.9, 0.6, 0.1, 1.0],
];

/// Converts a tree to a scene, with one node for each size of cells that have a list.
pub(super) fn scene(file: &Visibility, context: &Context<'_>, target: &Target<'_>) -> Result<Scene> {
    let mut scene = Scene::new(target.name);
    let root = scene.add_root(Node::named(target.name));
    add(&mut scene, root, file, context.options.choice(&AXES), target.factor())?;
    Ok(scene)
}

/// Adds the cells of a tree as children of a node.
///
/// # Errors
/// When there is no tree, or it has too many cells.
pub(crate) fn add(
    scene: &mut Scene,
    parent: NodeId,
    file: &Visibility,
    axes: Axes,
    scale: f32,
) -> Result<()> {
    let tree = Tree::of(file).ok_or_else(|| Error::malformed("the file has no tree"))?;
    let mut levels: BTreeMap<u32, Vec<Cell>> = BTreeMap::new();
    for cell in tree.cells(MAX_CELLS)? {
        levels.entry(cell.depth).or_default().push(cell);
    }
    for (depth, cells) in levels {
        let size = cells.first().map_or(0, |cell| cell.half.saturating_mul(2));
        let name = format!("cells of {size} units");
        let color = usize::try_from(depth).ok().and_then(|depth| COLORS.iter().cycle().nth(depth));
        let material = scene.add_material(Material {
            name: name.clone(),
            base_color: color.copied().unwrap_or([1.0; 4]),
            shading: ::scene::Shading::Unlit,
            ..Material::default()
        });
        let primitive = Primitive { material: Some(material), ..lines(&cells, axes, scale) };
        let mesh =
            scene.add_mesh(Mesh { name: name.clone(), primitives: vec![primitive], ..Mesh::default() });
        let mut node = Node { mesh: Some(mesh), ..Node::named(name) };
        for (key, value) in [("layer", "visibility".into()), ("depth", depth.into()), ("size", size.into())] {
            node.extras.insert(key.into(), value);
        }
        node.extras.insert("cells".into(), cells.len().into());
        scene.add_child(parent, node);
    }
    Ok(())
}

/// Edges of cells. Shared corners and edges are added once.
fn lines(cells: &[Cell], axes: Axes, scale: f32) -> Primitive {
    let mut numbers: BTreeMap<[i64; 3], u32> = BTreeMap::new();
    let mut edges = std::collections::BTreeSet::new();
    let mut out = Primitive { topology: Topology::Lines, ..Primitive::default() };
    for cell in cells {
        let mut corner = |bits: u32| {
            let mut signs = [4, 2, 1].into_iter().zip(cell.center);
            let position: [i64; 3] = std::array::from_fn(|_| {
                let (bit, center) = signs.next().unwrap_or_default();
                let is_greater = bits & bit != 0;
                if is_greater { center.saturating_add(cell.half) } else { center.saturating_sub(cell.half) }
            });
            *numbers.entry(position).or_insert_with(|| {
                let [x, y, z] = position;
                let from_origin = [x, y, z.saturating_sub(MAP_ORIGIN_Z.into())].map(single);
                out.positions.push(axes.position(from_origin).map(|number| number * scale + 0.0));
                u32::try_from(out.positions.len()).unwrap_or(u32::MAX).saturating_sub(1)
            })
        };
        edges.extend(EDGES.map(|edge| edge.map(&mut corner)));
    }
    out.indices = edges.into_iter().flatten().collect();
    out
}

#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "rounding is intended")]
const fn single(number: i64) -> f32 {
    number as f32
}
