//! The vertices of a single model that hold items: given by an option, or taken from the maps' actors with that model.

use asset::Report;
use asset::{Context, Location, Text};
use record::{Error, Result};

use super::library::MAX_MODELS;
use crate::engine::held::AttachmentPoint;
use crate::map::resolved::asset_stem;
use crate::map::{Extra, Map, warning};

/// `--grip A,B`.
pub(super) const GRIP: Text = Text::new(
    "grip",
    "Indices of the two vertices that hold the item of --hold. By default, those that maps define for actors with the model.",
    "A,B",
);

/// An actor that can hold items.
struct Actor {
    name: String,
    /// The names of its models.
    models: Vec<String>,
    extra: Extra,
}

/// The actors of a map that can hold items.
struct Actors(Vec<Actor>);

/// Returns the vertices given by `--grip`.
pub(super) fn given(context: &Context<'_>) -> Result<Option<[i16; 2]>> {
    let Some(text) = context.options.text(&GRIP) else { return Ok(None) };
    let number = |text: &str| text.trim().parse::<i16>().ok().filter(|number| *number >= 0);
    let numbers = text.split_once(',').and_then(|(first, second)| Some([number(first)?, number(second)?]));
    numbers.map(Some).ok_or_else(|| {
        Error::usage(format!("--grip is \"{text}\", expected two vertex indices such as --grip 4,5"))
    })
}

/// Returns the vertices that hold items in the first map with an actor that has the model of this context and can hold items. Different
/// vertices in other maps are reported.
pub(super) fn of_maps(
    context: &Context<'_>,
    point: AttachmentPoint,
    report: &mut Report,
) -> Result<[i16; 2]> {
    let model =
        context.location.as_ref().map(|location| asset_stem(location.path().name())).unwrap_or_default();
    let mut found: Vec<([i16; 2], String)> = Vec::new();
    for map in maps(context) {
        // Errors in a map are reported when the map is converted.
        let Ok(actors) = context.install.decoded(&map, "actors that hold items", || read(context, &map))
        else {
            continue;
        };
        for actor in actors.0.iter().filter(|actor| actor.models.contains(&model)) {
            let [first, second] = point.vertices(&actor.extra);
            if first != second && !found.iter().any(|(other, _)| *other == [first, second]) {
                found.push(([first, second], format!("{} in {}", actor.name, map.path().name())));
            }
        }
    }
    let Some(([first, second], actor)) = found.first() else { return Err(unknown(context, &model)) };
    if found.len() > 1 {
        let others: Vec<String> = found
            .iter()
            .skip(1)
            .map(|([first, second], actor)| format!("{first},{second} ({actor})"))
            .collect();
        let message = format!(
            "maps define different vertices for items held by {model}: using {first},{second} ({actor}); others for --grip: {}",
            others.join(", ")
        );
        report.warn(&warning::GRIPS, message);
    }
    Ok([*first, *second])
}

/// The error for a model whose vertices that hold items are unknown.
fn unknown(context: &Context<'_>, model: &str) -> Error {
    Error::usage(match context.install.game() {
        None => "the vertices that hold items are defined by the maps of the game, but no game was found; \
                 pass its folder (--game DIR) or two vertex indices (--grip 4,5)"
            .to_owned(),
        Some(_) => format!(
            "no actor in the maps holds items with the model {model}; pass two vertex indices (--grip 4,5)"
        ),
    })
}

/// Returns the maps of the game, sorted by name.
fn maps(context: &Context<'_>) -> Vec<Location> {
    let files = context.install.folder("maps").files().into_iter();
    let mut maps: Vec<Location> =
        files.filter(|location| location.path().extension().eq_ignore_ascii_case("rgm")).collect();
    maps.sort_by_cached_key(|location| location.path().name().to_uppercase());
    maps
}

/// Returns the actors of a map that can hold items, and their size in bytes.
fn read(context: &Context<'_>, map: &Location) -> Result<(Actors, usize)> {
    let map = Map::read(&context.install.open(map)?.read_all()?)?;
    let sections = map.object_sections();
    let (mut out, mut size) = (Vec::new(), 0_usize);
    let mut remaining_models = MAX_MODELS;
    for object in map.objects() {
        let Some(extra) = sections.extra(object).flatten() else { continue };
        if [AttachmentPoint::Grip, AttachmentPoint::Scabbard]
            .iter()
            .all(|point| matches!(point.vertices(extra), [a, b] if a == b))
        {
            continue;
        }
        let count = usize::try_from(object.model_count).unwrap_or(usize::MAX);
        let Some(remaining) = remaining_models.checked_sub(count) else { break };
        remaining_models = remaining;
        let entries = sections.models(object).unwrap_or_default();
        let models: Vec<String> = entries.iter().map(|entry| asset_stem(&entry.path)).collect();
        size = models.iter().fold(size, |size, name| size.saturating_add(name.len()).saturating_add(64));
        out.push(Actor { name: object.name.text(), models, extra: *extra });
    }
    Ok((Actors(out), size))
}
