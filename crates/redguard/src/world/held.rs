//! What an actor holds: an item in the hand or in its scabbard, which follows two vertices of the actor's model in each frame.

use asset::suggest::did_you_mean;
use asset::{Choice, Context, Report, Text};
use glam::{Mat3, Quat, Vec3};
use record::{Error, Result};
use scene::{Interpolation, Node, NodeId, Scene, Track};

use super::actor::keys_of;
use super::clip::{Clip, seconds};
use super::library::{Library, Shown};
use crate::engine::held::{Attachment, Carrier, Handling, ItemModels, Weapon, WeaponState};
use crate::map::resolved::asset_stem;
use crate::map::{Extra, Object, warning};
use crate::model::scene::MeshOptions;
use crate::number::float;
use crate::settings::ini::item_names;

/// `--hold ITEM`.
pub(super) const HOLD: Text = Text::new(
    "hold",
    "With --actor: an item of ITEM.INI that the actor holds, by its number or name.",
    "ITEM",
);

/// `--state`.
pub(super) const STATE: Choice<Weapon> = Choice::new(
    "state",
    "Where the item of --hold is.",
    &[("drawn", "in the hand"), ("stowed", "in its scabbard")],
    &[Weapon::Drawn, Weapon::Stowed],
);

/// A place in the space of the actor.
type Spot = (Vec3, Quat);

/// An item that an actor holds.
#[derive(Debug)]
pub(super) struct Held {
    node: NodeId,
    /// Where it is by the model of the actor and its frame.
    spots: Vec<Vec<Option<Spot>>>,
}

/// The number of an item: what was given, or that of a name.
fn item(context: &Context<'_>, name: &str) -> Result<u32> {
    if let Ok(number) = name.parse() {
        return Ok(number);
    }
    let names = item_names(context);
    let found = names.iter().find(|(_, known)| known.eq_ignore_ascii_case(name));
    found.and_then(|(number, _)| u32::try_from(*number).ok()).ok_or_else(|| {
        let meant = did_you_mean(name, names.values().map(String::as_str));
        Error::usage(format!("ITEM.INI has no item called \"{name}\"{meant}"))
    })
}

/// Adds the item that was asked for below the node of an actor; `None` where none was, or the item or the actor has nothing for it.
#[expect(clippy::too_many_arguments, reason = "an actor, an item, and where both come from")]
pub(super) fn add(
    scene: &mut Scene,
    actor: NodeId,
    object: &Object,
    extra: Option<&Extra>,
    models: &[Option<Shown>],
    context: &Context<'_>,
    library: &mut Library<'_>,
    report: &mut Report,
) -> Result<Option<Held>> {
    let Some(name) = context.options.text(&HOLD) else { return Ok(None) };
    let number = item(context, name)?;
    let Some(extra) = extra else { return refuse(report, format!("{} holds nothing", object.name)) };
    let ini = crate::settings::ini::of_game(context, "ITEM.INI")
        .ok_or_else(|| Error::usage("ITEM.INI was not found, which --hold needs"))?;
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
    let files = ItemModels::of(&ini, number);
    let Some(file) = files.file(shown.model) else {
        return refuse(report, format!("item {number} has no model for this state in ITEM.INI"));
    };
    let options = library.options();
    let spot = |vertices: &[[i32; 3]]| {
        Attachment::of(extra, shown.hold, vertices, &Carrier::default()).map(|it| in_scene(&it, options))
    };
    let frames = |found: &Option<Shown>| match found.as_ref().and_then(Shown::model) {
        Some(model) => (0..model.frame_count()).map(|frame| spot(&model.stored_positions(frame))).collect(),
        None => Vec::new(),
    };
    let spots: Vec<Vec<Option<Spot>>> = models.iter().map(frames).collect();
    let Some((translation, rotation)) = spots.iter().flatten().flatten().next().copied() else {
        return refuse(
            report,
            format!("the models of {} do not have the vertices that hold items", object.name),
        );
    };
    let stem = asset_stem(file);
    let found = library.named(&stem, report);
    let mesh = match &found {
        Some(found) => library.mesh(scene, found, None, None, report)?,
        None => return refuse(report, format!("the model {file} of item {number} was not found")),
    };
    let mut node = Node { mesh, translation, rotation, ..Node::named(stem) };
    node.extras.insert("item".into(), number.into());
    let node = scene.add_child(actor, node);
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
