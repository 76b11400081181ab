//! Which vertices of a single model hold items: what was given, or what the maps say of actors with that model.

use asset::Report;
use asset::{Context, Location, Text};
use record::{Error, Result};

use super::library::MOST_MODELS;
use crate::engine::held::Hold;
use crate::map::resolved::asset_stem;
use crate::map::{Extra, Map, warning};

/// `--grip A,B`.
pub(super) const GRIP: Text = Text::new(
    "grip",
    "The numbers of the two vertices that hold the item of --hold; without it those that maps give to actors with the model.",
    "A,B",
);

/// An actor that holds items.
struct Actor {
    name: String,
    /// The names of its models.
    models: Vec<String>,
    extra: Extra,
}

/// The actors of a map that hold items.
struct Actors(Vec<Actor>);

/// The vertices that were given.
pub(super) fn given(context: &Context<'_>) -> Result<Option<[i16; 2]>> {
    let Some(text) = context.options.text(&GRIP) else { return Ok(None) };
    let number = |text: &str| text.trim().parse::<i16>().ok().filter(|number| *number >= 0);
    let numbers = text.split_once(',').and_then(|(first, second)| Some([number(first)?, number(second)?]));
    numbers.map(Some).ok_or_else(|| {
        Error::usage(format!("--grip takes the numbers of two vertices, like --grip 4,5, not \"{text}\""))
    })
}

/// The vertices that hold items by the first map with an actor that has the model of this context and holds anything so. Other vertices in other maps are
/// reported.
pub(super) fn of_maps(context: &Context<'_>, hold: Hold, report: &mut Report) -> Result<[i16; 2]> {
    let model = context.location.as_ref().map(|place| asset_stem(place.path().name())).unwrap_or_default();
    let mut found: Vec<([i16; 2], String)> = Vec::new();
    for map in maps(context) {
        // What is wrong with a map is said when the map is converted.
        let Ok(actors) = context.install.decoded(&map, "actors that hold items", || read(context, &map))
        else {
            continue;
        };
        for actor in actors.0.iter().filter(|actor| actor.models.contains(&model)) {
            let [first, second] = hold.vertices(&actor.extra);
            if first != second && !found.iter().any(|(known, _)| *known == [first, second]) {
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
            "maps give {model} different vertices that hold items: using {first},{second} ({actor}); others for --grip: {}",
            others.join(", ")
        );
        report.warn(&warning::GRIPS, message);
    }
    Ok([*first, *second])
}

/// Nothing says which vertices hold items.
fn unknown(context: &Context<'_>, model: &str) -> Error {
    Error::usage(match context.install.game() {
        None => "which vertices of the model hold an item is known by the maps of the game, and no game was found; \
                 name its folder (--game DIR) or the numbers of two vertices (--grip 4,5)"
            .to_owned(),
        Some(_) => format!(
            "no actor of the maps has the model {model} and holds items with it; name the numbers of two vertices (--grip 4,5)"
        ),
    })
}

/// The maps of the game by their names.
fn maps(context: &Context<'_>) -> Vec<Location> {
    let files = context.install.folder("maps").files().into_iter();
    let mut maps: Vec<Location> =
        files.filter(|place| place.path().extension().eq_ignore_ascii_case("rgm")).collect();
    maps.sort_by_cached_key(|place| place.path().name().to_uppercase());
    maps
}

/// The actors of a map that hold items, and how many bytes they take.
fn read(context: &Context<'_>, map: &Location) -> Result<(Actors, usize)> {
    let map = Map::read(&context.install.open(map)?.read_all()?)?;
    let sections = map.object_sections();
    let (mut out, mut size) = (Vec::new(), 0_usize);
    let mut models_left = MOST_MODELS;
    for object in map.objects() {
        let Some(extra) = sections.extra(object).flatten() else { continue };
        if [Hold::Grip, Hold::Scabbard].iter().all(|hold| matches!(hold.vertices(extra), [a, b] if a == b)) {
            continue;
        }
        let count = usize::try_from(object.model_count).unwrap_or(usize::MAX);
        let Some(left) = models_left.checked_sub(count) else { break };
        models_left = left;
        let entries = sections.models(object).unwrap_or_default();
        let models: Vec<String> = entries.iter().map(|entry| asset_stem(&entry.path)).collect();
        size = models.iter().fold(size, |size, name| size.saturating_add(name.len()).saturating_add(64));
        out.push(Actor { name: object.name.text(), models, extra: *extra });
    }
    Ok((Actors(out), size))
}
