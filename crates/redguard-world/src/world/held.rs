//! Held items of an actor or a single model: an item in the hand or in its scabbard, which follows two vertices of the model in each frame.

use std::fmt;

use asset::{Choice, Context, Report, Text};
use files::suggest::did_you_mean;
use glam::{Mat3, Quat, Vec3};
use record::{Error, Result};
use scene::{Interpolation, Node, NodeId, Scene, Track};

use super::attachment;
use super::clip::{Clip, keys_of, seconds};
use super::library::Library;
use crate::engine::held::{
    Attachment, AttachmentPoint, Carrier, HeldItemState, ItemModel, ItemModels, Weapon, WeaponState,
};
use crate::map::resolved::asset_stem;
use crate::map::warning;
use crate::model::options::MeshOptions;
use crate::model::{EXTENSIONS, Model};
use crate::number::float;
use redguard_files::settings::ini::{item_names, items_of_game};

/// `--hold ITEM`.
pub(super) const HOLD: Text = Text::new(
    "hold",
    "Item held by a model or by the actor of --actor: its number or name in ITEM.INI, or a model file.",
    "ITEM",
);

/// `--state`.
pub(super) const STATE: Choice<Weapon> = Choice::new(
    "state",
    "Location of the item of --hold.",
    &[("drawn", "in the hand"), ("stowed", "in its scabbard")],
    &[Weapon::Drawn, Weapon::Stowed],
);

/// A position and rotation in the space of the holder.
type ItemPose = (Vec3, Quat);

/// A held item.
#[derive(Debug)]
pub(super) struct HeldItem {
    node: NodeId,
    /// Its poses, by model of the holder and frame.
    poses: Vec<Vec<Option<ItemPose>>>,
}

/// The actor or model that holds an item.
pub(super) struct Holder<'h> {
    /// Its node.
    pub(super) node: NodeId,
    pub(super) name: &'h str,
    /// Its models, which are shown one at a time.
    pub(super) models: &'h [Option<&'h Model>],
    /// The vertices that hold an item, if the game defines them.
    pub(super) find_vertices: FindVertices<'h>,
}

/// Finds the vertices that hold an item in the hand or in the scabbard.
pub(super) type FindVertices<'h> = &'h dyn Fn(AttachmentPoint, &mut Report) -> Result<Option<[i16; 2]>>;

/// The item named by `--hold`.
enum Item {
    /// An item of ITEM.INI.
    Number(u32),
    /// The file of a model.
    File(String),
}

impl Item {
    fn of(context: &Context<'_>, name: &str) -> Result<Self> {
        if let Ok(number) = name.parse() {
            return Ok(Self::Number(number));
        }
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        if extension.is_some_and(|it| EXTENSIONS.iter().any(|extension| it.eq_ignore_ascii_case(extension))) {
            return Ok(Self::File(name.to_owned()));
        }
        let names = item_names(context);
        let found = names.iter().find(|(_, other)| other.eq_ignore_ascii_case(name));
        found.and_then(|(number, _)| u32::try_from(*number).ok()).map(Self::Number).ok_or_else(|| {
            let hint = did_you_mean(name, names.values().map(String::as_str));
            match names.is_empty() {
                true => no_items(),
                false => Error::usage(format!("ITEM.INI has no item called \"{name}\"{hint}")),
            }
        })
    }

    /// Returns the file of its model; `None` if ITEM.INI has none.
    fn file(&self, context: &Context<'_>, model: ItemModel) -> Result<Option<String>> {
        match self {
            Self::File(file) => Ok(Some(file.clone())),
            Self::Number(number) => {
                let ini = items_of_game(context).ok_or_else(no_items)?;
                Ok(ItemModels::of(&ini, *number).file(model).map(str::to_owned))
            }
        }
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "item {number}"),
            Self::File(file) => f.write_str(file),
        }
    }
}

/// The error for a game without an item list.
fn no_items() -> Error {
    Error::usage("ITEM.INI was not found; --hold also accepts a model file: --hold SWRDA001.3D")
}

/// Adds the requested item below the node of its holder. Returns `None` if no item was requested, or if the item or the holder has no data
/// for it.
pub(super) fn add(
    scene: &mut Scene,
    holder: &Holder<'_>,
    context: &Context<'_>,
    library: &mut Library<'_>,
    report: &mut Report,
) -> Result<Option<HeldItem>> {
    let Some(name) = context.options.text(&HOLD) else { return Ok(None) };
    let item = Item::of(context, name)?;
    let weapon = context.options.choice(&STATE);
    let state = HeldItemState {
        state: WeaponState::Other,
        weapon,
        group: 0,
        progress: 0,
        draw_frame: 0,
        sheathe_frame: 0,
    };
    let display = state.display();
    let Some(file) = item.file(context, display.model)? else {
        return warn_not_held(report, format!("{item} has no model for this state in ITEM.INI"));
    };
    let given = attachment::given(context)?;
    let indices = match given {
        Some(indices) => indices,
        None => match (holder.find_vertices)(display.point, report)? {
            Some(indices) => indices,
            None => return warn_not_held(report, format!("{} has no vertices for held items", holder.name)),
        },
    };
    let options = library.options();
    let pose = |vertices: &[[i32; 3]]| {
        Attachment::of(indices, display.point, vertices, &Carrier::default()).map(|it| in_scene(&it, options))
    };
    let frames = |model: &Option<&Model>| match model {
        Some(model) => (0..model.frame_count()).map(|frame| pose(&model.stored_positions(frame))).collect(),
        None => Vec::new(),
    };
    let poses: Vec<Vec<Option<ItemPose>>> = holder.models.iter().map(frames).collect();
    let Some((translation, rotation)) = poses.iter().flatten().flatten().next().copied() else {
        if let Some([first, second]) = given {
            let max =
                holder.models.iter().flatten().map(|model| model.vertex_count()).max().unwrap_or_default();
            let message = format!(
                "--grip {first},{second} names a vertex that {} does not have ({max} vertices)",
                holder.name
            );
            return Err(Error::usage(message));
        }
        return warn_not_held(
            report,
            format!("the models of {} do not have the vertices that hold items", holder.name),
        );
    };
    let stem = asset_stem(&file);
    let found = library.sibling(&stem, report).or_else(|| library.by_name(&stem, report));
    let mesh = match &found {
        Some(found) => library.mesh(scene, found, None, None, report)?,
        None => {
            let owner = if matches!(item, Item::File(_)) { String::new() } else { format!(" of {item}") };
            return warn_not_held(report, format!("the model {file}{owner} was not found"));
        }
    };
    let mut node = Node { mesh, translation, rotation, ..Node::named(stem) };
    let about = match item {
        Item::Number(number) => number.into(),
        Item::File(file) => file.into(),
    };
    node.extras.insert("item".into(), about);
    let node = scene.add_child(holder.node, node);
    Ok(Some(HeldItem { node, poses }))
}

/// Reports why no item is held.
fn warn_not_held(report: &mut Report, reason: String) -> Result<Option<HeldItem>> {
    report.warn(&warning::NOT_HELD, reason);
    Ok(None)
}

/// Converts an attachment to the axes and the unit of the scene.
fn in_scene(it: &Attachment, options: MeshOptions) -> ItemPose {
    let position = it.position.map(|number| float(number) / 256.0);
    let translation = Vec3::from(options.axes.position(position)) * options.scale + 0.0;
    let [x, y, z] = it.orientation.0.map(Vec3::from);
    let flip = Mat3::from_diagonal(Vec3::from(options.axes.direction([1.0; 3])));
    let matrix = flip * Mat3::from_cols(x, y, z).transpose() * flip;
    (translation, Quat::from_mat3(&matrix).normalize())
}

impl HeldItem {
    /// Returns the tracks that move the item in a clip.
    pub(super) fn tracks(&self, clip: &Clip) -> Vec<Track> {
        let pose = |model: usize, frame: usize| self.poses.get(model)?.get(frame).copied().flatten();
        let steps = clip.steps.iter().filter_map(|step| Some((step.start, pose(step.model, step.frame)?)));
        let keys = keys_of(steps, clip.ticks);
        if keys.is_empty() {
            return Vec::new();
        }
        let at = |(tick, pose): &(u32, ItemPose)| (seconds(*tick), *pose);
        let positions = keys.iter().map(at).map(|(time, (position, _))| (time, position));
        let rotations = keys.iter().map(at).map(|(time, (_, rotation))| (time, rotation));
        vec![
            Track::translation(self.node, Interpolation::Step, positions),
            Track::rotation(self.node, Interpolation::Step, rotations),
        ]
    }
}
