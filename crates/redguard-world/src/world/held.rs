//! What an actor or a single model holds: an item in the hand or in its scabbard, which follows two vertices of the model in each frame.

use std::fmt;

use asset::{Choice, Context, Report, Text};
use files::suggest::did_you_mean;
use glam::{Mat3, Quat, Vec3};
use record::{Error, Result};
use scene::{Interpolation, Node, NodeId, Scene, Track};

use super::clip::{Clip, keys_of, seconds};
use super::grip;
use super::library::Library;
use crate::engine::held::{Attachment, Carrier, Handling, Hold, ItemModel, ItemModels, Weapon, WeaponState};
use crate::map::resolved::asset_stem;
use crate::map::warning;
use crate::model::options::MeshOptions;
use crate::model::{EXTENSIONS, Model};
use crate::number::float;
use redguard_files::settings::ini::{item_names, of_game};

/// `--hold ITEM`.
pub(super) const HOLD: Text = Text::new(
    "hold",
    "An item that a model, or the actor of --actor, holds: its number or name in ITEM.INI, or the file of a model.",
    "ITEM",
);

/// `--state`.
pub(super) const STATE: Choice<Weapon> = Choice::new(
    "state",
    "Where the item of --hold is.",
    &[("drawn", "in the hand"), ("stowed", "in its scabbard")],
    &[Weapon::Drawn, Weapon::Stowed],
);

/// A place in the space of the holder.
type Spot = (Vec3, Quat);

/// An item that is held.
#[derive(Debug)]
pub(super) struct Held {
    node: NodeId,
    /// Where it is by the model of the holder and its frame.
    spots: Vec<Vec<Option<Spot>>>,
}

/// Who holds an item.
pub(super) struct Holder<'h> {
    /// Its node.
    pub(super) node: NodeId,
    pub(super) name: &'h str,
    /// The models that are shown of it, one at a time.
    pub(super) models: &'h [Option<&'h Model>],
    /// Which of their vertices hold an item, if the game says so.
    pub(super) grip: FindGrip<'h>,
}

/// Finds the vertices that hold an item in the hand or in the scabbard.
pub(super) type FindGrip<'h> = &'h dyn Fn(Hold, &mut Report) -> Result<Option<[i16; 2]>>;

/// What `--hold` names.
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
        if extension.is_some_and(|it| EXTENSIONS.iter().any(|known| it.eq_ignore_ascii_case(known))) {
            return Ok(Self::File(name.to_owned()));
        }
        let names = item_names(context);
        let found = names.iter().find(|(_, known)| known.eq_ignore_ascii_case(name));
        found.and_then(|(number, _)| u32::try_from(*number).ok()).map(Self::Number).ok_or_else(|| {
            let meant = did_you_mean(name, names.values().map(String::as_str));
            match names.is_empty() {
                true => no_items(),
                false => Error::usage(format!("ITEM.INI has no item called \"{name}\"{meant}")),
            }
        })
    }

    /// The file of its model; `None` where ITEM.INI names none.
    fn file(&self, context: &Context<'_>, model: ItemModel) -> Result<Option<String>> {
        match self {
            Self::File(file) => Ok(Some(file.clone())),
            Self::Number(number) => {
                let ini = of_game(context, "ITEM.INI").ok_or_else(no_items)?;
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

/// Nothing says what items there are.
fn no_items() -> Error {
    Error::usage("ITEM.INI was not found; --hold also takes the file of a model: --hold SWRDA001.3D")
}

/// Adds the item that was asked for below the node of its holder; `None` where none was, or the item or the holder has nothing for it.
pub(super) fn add(
    scene: &mut Scene,
    holder: &Holder<'_>,
    context: &Context<'_>,
    library: &mut Library<'_>,
    report: &mut Report,
) -> Result<Option<Held>> {
    let Some(name) = context.options.text(&HOLD) else { return Ok(None) };
    let item = Item::of(context, name)?;
    let weapon = context.options.choice(&STATE);
    let handling = Handling {
        state: WeaponState::Other,
        weapon,
        group: 0,
        progress: 0,
        draw_frame: 0,
        sheathe_frame: 0,
    };
    let shown = handling.shown();
    let Some(file) = item.file(context, shown.model)? else {
        return refuse(report, format!("{item} has no model for this state in ITEM.INI"));
    };
    let given = grip::given(context)?;
    let numbers = match given {
        Some(numbers) => numbers,
        None => match (holder.grip)(shown.hold, report)? {
            Some(numbers) => numbers,
            None => return refuse(report, format!("{} holds nothing", holder.name)),
        },
    };
    let options = library.options();
    let spot = |vertices: &[[i32; 3]]| {
        Attachment::of(numbers, shown.hold, vertices, &Carrier::default()).map(|it| in_scene(&it, options))
    };
    let frames = |model: &Option<&Model>| match model {
        Some(model) => (0..model.frame_count()).map(|frame| spot(&model.stored_positions(frame))).collect(),
        None => Vec::new(),
    };
    let spots: Vec<Vec<Option<Spot>>> = holder.models.iter().map(frames).collect();
    let Some((translation, rotation)) = spots.iter().flatten().flatten().next().copied() else {
        if let Some([first, second]) = given {
            let most =
                holder.models.iter().flatten().map(|model| model.vertex_count()).max().unwrap_or_default();
            let message = format!(
                "--grip {first},{second} names a vertex that {} does not have ({most} vertices)",
                holder.name
            );
            return Err(Error::usage(message));
        }
        return refuse(
            report,
            format!("the models of {} do not have the vertices that hold items", holder.name),
        );
    };
    let stem = asset_stem(&file);
    let found = library.beside(&stem, report).or_else(|| library.named(&stem, report));
    let mesh = match &found {
        Some(found) => library.mesh(scene, found, None, None, report)?,
        None => {
            let whose = if matches!(item, Item::File(_)) { String::new() } else { format!(" of {item}") };
            return refuse(report, format!("the model {file}{whose} was not found"));
        }
    };
    let mut node = Node { mesh, translation, rotation, ..Node::named(stem) };
    let about = match item {
        Item::Number(number) => number.into(),
        Item::File(file) => file.into(),
    };
    node.extras.insert("item".into(), about);
    let node = scene.add_child(holder.node, node);
    Ok(Some(Held { node, spots }))
}

/// Nothing is held, and why.
fn refuse(report: &mut Report, why: String) -> Result<Option<Held>> {
    report.warn(&warning::NOT_HELD, why);
    Ok(None)
}

/// A place with the axes and the unit of the scene.
fn in_scene(it: &Attachment, options: MeshOptions) -> Spot {
    let place = it.position.map(|number| float(number) / 256.0);
    let translation = Vec3::from(options.axes.position(place)) * options.scale + 0.0;
    let [x, y, z] = it.orientation.0.map(Vec3::from);
    let flip = Mat3::from_diagonal(Vec3::from(options.axes.direction([1.0; 3])));
    let matrix = flip * Mat3::from_cols(x, y, z).transpose() * flip;
    (translation, Quat::from_mat3(&matrix).normalize())
}

impl Held {
    /// How the item moves in a clip.
    pub(super) fn tracks(&self, clip: &Clip) -> Vec<Track> {
        let spot = |model: usize, frame: usize| self.spots.get(model)?.get(frame).copied().flatten();
        let steps = clip.steps.iter().filter_map(|step| Some((step.start, spot(step.model, step.frame)?)));
        let keys = keys_of(steps, clip.ticks);
        if keys.is_empty() {
            return Vec::new();
        }
        let at = |(tick, spot): &(u32, Spot)| (seconds(*tick), *spot);
        let places = keys.iter().map(at).map(|(time, (place, _))| (time, place));
        let turns = keys.iter().map(at).map(|(time, (_, turn))| (time, turn));
        vec![
            Track::translation(self.node, Interpolation::Step, places),
            Track::rotation(self.node, Interpolation::Step, turns),
        ]
    }
}
